//! The pictures of the README are what its commands draw now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::balloons::paint;
use crate::room::Room;

const FOLDER: &str = "docs/pictures/";
/// Painted by an example, redrawn by `quadrille art`.
const BALLOONS: &str = "balloons.png";
/// A renderer draws the viewer, and the last bits of its colors depend on the machine.
const BY_THE_VIEWER: &str = "viewer.gif";

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
    let mut drawn = BTreeSet::from([BY_THE_VIEWER.to_owned()]);
    for line in readme.lines().filter(|line| line.starts_with("cargo run") && line.contains(FOLDER)) {
        let command = line.strip_prefix("cargo run --release -- ").expect("a command of this workspace");
        let arguments: Vec<PathBuf> = command.split_whitespace().map(|argument| in_room(&room, argument)).collect();
        assert!(room.command(&[]).current_dir(&root).args(&arguments).output().unwrap().status.success(), "{line}");
        let (_, name) = command.split_once(FOLDER).unwrap();
        let name = name.split_whitespace().next().unwrap();
        let [now, before] = [room.path(name), root.join(FOLDER).join(name)].map(|path| fs::read(path).unwrap());
        assert!(now == before, "{name} is not what it was");
        drawn.insert(name.to_owned());
    }
    assert_eq!(drawn, shown(&readme));
}

/// An argument, with what is drawn or was painted in the room instead of the checkout.
fn in_room(room: &Room, argument: &str) -> PathBuf {
    let name = argument.strip_prefix(FOLDER).or(Some(argument).filter(|argument| *argument == BALLOONS));
    name.map_or_else(|| argument.into(), |name| room.path(name))
}
