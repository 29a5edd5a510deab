//! `quadrille view`: a stand-in takes the window's place.

use crate::room::Room;

#[test]
fn without_the_viewer_it_tells_how_to_install_it() {
    let room = Room::new("no-viewer");
    let output = room.command(&["view"]).env("PATH", room.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("cargo install --path crates/quadrille-view"), "{errors}");
}

#[cfg(unix)]
#[test]
fn arguments_reach_the_viewer_and_its_failure_comes_back() {
    use std::os::unix::fs::PermissionsExt;

    let room = Room::new("viewer").with("quadrille-view", "#!/bin/sh\necho \"[$1][$2]\"\ntest \"$1\" != wrong\n");
    let script = room.path("quadrille-view");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths([room.path(""), "/usr/bin".into(), "/bin".into()]).unwrap();

    let good = room.command(&["view", "scene=pile n=500", "--report"]).env("PATH", &path).output().unwrap();
    assert!(good.status.success());
    assert_eq!(String::from_utf8_lossy(&good.stdout), "[scene=pile n=500][--report]\n");

    let bad = room.command(&["view", "wrong"]).env("PATH", &path).output().unwrap();
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("quadrille-view ended with"));
}
