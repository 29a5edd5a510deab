//! The pictures of the README are what its commands draw now.

use std::fs;
use std::path::Path;

use crate::room::Room;

#[test]
fn the_commands_of_the_readme_draw_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let room = Room::new("documents");
    let readme = fs::read_to_string(root.join("README.md")).unwrap().replace("\\\n", "");
    let mut count = 0;
    for line in readme.lines().filter(|line| line.contains("--png docs/")) {
        let arguments = line.strip_prefix("cargo run --release -- ").expect("a command of this workspace");
        let mut arguments: Vec<&str> = arguments.split_whitespace().collect();
        let place = arguments.iter().position(|argument| *argument == "--png").unwrap() + 1;
        let picture = root.join(arguments[place]);
        let drawn = room.path(&format!("{count}.png"));
        arguments[place] = drawn.to_str().unwrap();
        assert!(room.command(&arguments).current_dir(&root).output().unwrap().status.success(), "{line}");
        assert!(fs::read(&drawn).unwrap() == fs::read(&picture).unwrap(), "{} is not what it was", picture.display());
        count += 1;
    }
    assert_eq!(count, 2, "pictures by command");
}
