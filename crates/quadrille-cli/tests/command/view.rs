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

#[test]
fn what_cannot_be_played_is_told_before_a_window_opens() {
    let room = Room::new("view-faults").with("a.csv", "id,t,x,y\na,noon,1,2\n").with("b.csv", "id,t,x,y\na,1,1,2\n");
    let room = room.with("c.csv", "xmin,ymin,xmax,ymax\n0,0,1,1\n2,2,one,3\n").with("empty.csv", "");
    let room = room.with("d.csv", "name,xmin,ymin,xmax,ymax\nZug,,,,\n").with("nan.csv", "x,y,w,h\n1,2,NaN,3\n");
    for (arguments, told) in [
        (&["a.csv"][..], "line 2: t \"noon\""),
        (&["a.csv"], "--boxes shows the file as boxes"),
        (&["c.csv"], "c.csv: line 3: xmax \"one\""),
        (&["nan.csv"], "nan.csv: line 2: w \"NaN\""),
        (&["d.csv"], "d.csv: there are no boxes in it"),
        (&["empty.csv"], "empty.csv: there are no boxes in it"),
        (&["c.csv", "--columns", "left,top"], "left"),
        (&["c.csv", "--id", "name"], "name"),
        (&["c.csv", "--within", "5"], "c.csv"),
        (&["b.csv", "--boxes", "--gap", "5"], "--boxes takes one file"),
        (&["-", "--boxes"], "standard input"),
        (&["n=500", "--boxes"], "need a file of boxes"),
        (&["none.geojson"], "none.geojson: No such file"),
        (&["none.csv"], "none.csv: No such file"),
        (&["b.csv", "--within", "5nm"], "--within 5nm: a plane has the units of the file"),
        (&["b.csv", "--id", "name"], "name"),
        (&["-"], "standard input"),
        (&["n=500", "--within", "5"], "need a file of fixes"),
        (&["--gap", "5"], "need a file of fixes"),
    ] {
        let output = room.command(&["view"]).args(arguments).env("PATH", room.path("")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(told), "{arguments:?}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_reach_the_viewer_and_its_failure_comes_back() {
    use std::os::unix::fs::PermissionsExt;

    let script = "#!/bin/sh\nfor word; do printf '[%s]' \"$word\"; done\ntest \"$1\" != wrong\n";
    let fixes = "1 7 8.0 47.0 300\n2 7 8.0 47.0 300\n";
    let room = Room::new("viewer").with("quadrille-view", script).with("a.txt", fixes).with("b.txt", fixes);
    let room = room.with("c.csv", "xmin,ymin,xmax,ymax\n0,0,1,1\n").with("d.csv", "a,b\n1,2\n");
    let room = room.with("points.csv", "name,lon,lat\nZug,8.5,47.2\n").with("fixes.csv", "id,t,x,y\na,1,1,2\n");
    let quakes = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"mag":2},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#;
    let room = room.with("quakes.geojson", quakes);
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(room.path("quadrille-view"), permissions).unwrap();
    let path = std::env::join_paths([room.path(""), "/usr/bin".into(), "/bin".into()]).unwrap();
    let view = |arguments: &str| {
        let words: Vec<_> = arguments.split(' ').collect();
        room.command(&["view"]).args(words).env("PATH", &path).output().unwrap()
    };
    for (arguments, passed) in [
        ("scene=pile,n=500 -- --report f.json", "[scene=pile,n=500][--report][f.json]"),
        ("paused", "[paused]"),
        ("c.csv", "[--boxes][c.csv]"),
        ("points.csv --id name", "[--boxes][points.csv][--id][name]"),
        (
            "d.csv --columns 1,2 --header yes --skip-invalid",
            "[--boxes][d.csv][--columns][1,2][--header][yes][--skip][invalid]",
        ),
        ("fixes.csv", "[--tracks][fixes.csv]"),
        ("fixes.csv --boxes", "[--boxes][fixes.csv]"),
        ("quakes.geojson -- dark", "[--boxes][quakes.geojson][dark]"),
        ("rooms.map -- --seconds 1", "[--map][rooms.map][--seconds][1]"),
        (
            "a.txt --time 1 --id 2 --x 3 --y 4 --units degrees --within 5nm --max-gap 1min --for 90",
            "[within=9260,for=90,max-gap=60][--tracks][a.txt][--id][2][--time][1][--x][3][--y][4][--units][degrees]",
        ),
        (
            "a.txt b.txt --time 1 --id 2 --x 3 --y 4 --z 5 --vertical 30",
            "[vertical=30][--tracks][a.txt][--id][2][--time][1][--x][3][--y][4][--z][5]\
             [--tracks][b.txt][--id][2][--time][1][--x][3][--y][4][--z][5]",
        ),
    ] {
        let output = view(arguments);
        assert_eq!(String::from_utf8_lossy(&output.stdout), passed, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments}");
    }
    assert_eq!(view("wrong").status.code(), Some(1), "the viewer's own exit code");
}

#[cfg(unix)]
#[test]
fn a_signal_that_ends_the_command_ends_the_viewer() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    const SIGTERM: i32 = 15;
    let script = "#!/bin/sh\necho $$\nexec sleep 60\n";
    let room = Room::new("viewer-ends").with("quadrille-view", script);
    std::fs::set_permissions(room.path("quadrille-view"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths([room.path(""), "/usr/bin".into(), "/bin".into()]).unwrap();
    let mut command = room.command(&["view"]);
    let mut started = command.env("PATH", &path).stdout(Stdio::piped()).spawn().unwrap();
    let mut viewer = String::new();
    BufReader::new(started.stdout.take().unwrap()).read_line(&mut viewer).unwrap();

    let kill = |arguments: &[&str]| std::process::Command::new("kill").args(arguments).output().unwrap().status;
    assert!(kill(&["-TERM", &started.id().to_string()]).success());
    assert_eq!(started.wait().unwrap().signal(), Some(SIGTERM));
    assert!(!kill(&["-0", viewer.trim()]).success(), "the viewer still runs");
}
