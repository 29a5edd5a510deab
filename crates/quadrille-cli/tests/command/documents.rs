//! The pictures of the README are what its commands draw now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::balloons::paint;
use crate::room::Room;

const FOLDER: &str = "docs/pictures/";
/// Painted by an example, redrawn by `quadrille art`.
const BALLOONS: &str = "balloons.png";
/// Drawn with the pictures of the manual, and tested there.
const BY_THE_MANUAL: &str = "chart-frames.png";

/// The pictures that the README shows.
fn shown(readme: &str) -> BTreeSet<String> {
    let sources = readme.split("src=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
    sources.filter_map(|source| Some(source.strip_prefix(FOLDER)?.to_owned())).collect()
}

#[test]
fn the_commands_of_the_readme_draw_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let room = Room::new("documents");
    paint().save(room.path(BALLOONS)).unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap().replace("\\\n", "");
    let mut drawn = BTreeSet::from([BY_THE_MANUAL.to_owned()]);
    for command in readme.lines().filter_map(|line| line.strip_prefix("cargo run --release -- ")) {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let Some(&name) = arguments.iter().rfind(|argument| is_picture(argument)) else { continue };
        let arguments: Vec<PathBuf> = arguments.iter().map(|argument| in_room(&room, argument)).collect();
        assert!(room.command(&[]).current_dir(&root).args(&arguments).output().unwrap().status.success(), "{command}");
        let [now, before] = [room.path(name), root.join(FOLDER).join(name)].map(|path| fs::read(path).unwrap());
        assert!(now == before, "{name} is not what it was");
        drawn.insert(name.to_owned());
    }
    assert_eq!(drawn, shown(&readme));
}

/// A picture in the folder where the command runs: no command of the README writes into a folder of the checkout.
fn is_picture(argument: &str) -> bool {
    !argument.contains('/') && [".png", ".gif"].iter().any(|ending| argument.ends_with(ending))
}

/// An argument, with what is drawn or was painted in the room instead of the checkout.
fn in_room(room: &Room, argument: &str) -> PathBuf {
    if is_picture(argument) { room.path(argument) } else { argument.into() }
}
