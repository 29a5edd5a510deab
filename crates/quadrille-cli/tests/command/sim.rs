//! `quadrille sim`: figures, pictures, and every kind of bad input.

use std::process::Stdio;

use crate::room::Room;
use quadrille::structures::StructureKind;
use quadrille_scenes::SceneKind;

#[test]
fn the_figures_have_the_promised_fields() {
    let room = Room::new("sim-figures");
    let figures = room.json(&["sim", "--agents", "500", "--steps", "7", "--seed", "3", "--index", "quadtree"]);
    assert_eq!(figures["scene"], "uniform");
    assert_eq!(figures["index"], "quadtree");
    assert_eq!((&figures["agents"], &figures["steps"], &figures["seed"]), (&500.into(), &7.into(), &3.into()));
    assert_eq!(figures["threads"], 1);
    assert!(figures["renumber"].is_null());
    for phase in ["step", "move", "index", "pairs", "respond"] {
        let [median, p95, max] = ["median", "p95", "max"].map(|name| figures["ms"][phase][name].as_f64().unwrap());
        assert!(0.0 <= median && median <= p95 && p95 <= max, "{phase}");
    }
    let (last, total) = (figures["pairs"]["last"].as_u64().unwrap(), figures["pairs"]["total"].as_u64().unwrap());
    assert!(0 < last && last < total);
    assert_eq!(figures["state_hash"].as_str().unwrap().len(), 16);
    assert!(figures["bytes"]["index"].as_u64().unwrap() > 500 * 16);
    assert!(figures["bytes"]["agents"].as_u64().unwrap() > 500 * 16);
    assert_eq!(figures["bytes"]["peak_rss"].is_u64(), cfg!(target_os = "linux"));
}

#[test]
fn every_structure_ends_every_scene_in_the_same_state() {
    let room = Room::new("sim-same-state");
    for scene in SceneKind::ALL {
        let run = |kind: &StructureKind| {
            let figures = room.json(&[
                "sim",
                "--scene",
                scene.name(),
                "--agents",
                "300",
                "--steps",
                "10",
                "--index",
                kind.name(),
            ]);
            (figures["state_hash"].clone(), figures["pairs"].clone())
        };
        let expected = run(&StructureKind::BruteForce);
        for kind in StructureKind::ALL {
            assert_eq!(run(kind), expected, "{scene} with {kind}");
        }
    }
}

#[test]
fn renumbered_agents_go_another_way_and_the_same_with_every_structure_and_thread() {
    let room = Room::new("sim-renumber");
    let hash = |more: &[&str]| {
        let run = ["sim", "--scene", "clustered", "--agents", "300", "--steps", "10"];
        room.json(&[&run[..], more].concat())["state_hash"].clone()
    };
    let once = hash(&["--renumber", "10", "--index", "frame-tree"]);
    assert_eq!(hash(&["--renumber", "10", "--index", "quadtree", "--threads", "2"]), once);
    assert_ne!(hash(&["--index", "frame-tree"]), once);
    assert_ne!(hash(&["--renumber", "3"]), once, "three times more");
}

#[test]
fn the_report_is_for_people() {
    let room = Room::new("sim-report");
    let report = room.good(&["sim", "--agents", "1000", "--steps", "2"]);
    for word in
        ["ms per step", "median", "p95", "max", "move", "index", "pairs", "respond", "1,000", "steps per second"]
    {
        assert!(report.contains(word), "{word} is not in:\n{report}");
    }
    let output = room.run(&["sim", "--agents", "10", "--steps", "2"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "no progress bar without a terminal");
    assert!(room.files().is_empty());
}

/// Width and height that a PNG file states.
fn png_size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn pictures_are_drawn_and_the_same_for_every_run() {
    let room = Room::new("sim-pictures");
    let draw = |nodes: &[&str]| {
        let scene = ["sim", "--scene", "mixed", "--agents", "300", "--steps", "5", "--index", "quadtree"];
        room.good(&[&scene[..], &["--png", "a.png", "--gif", "a.gif"], nodes].concat());
        assert_eq!(room.files(), ["a.gif", "a.png"]);
        (room.read("a.png"), room.read("a.gif"))
    };
    let plain = draw(&[]);
    assert_eq!(png_size(&plain.0), [1080, 1080]);
    assert_eq!(&plain.1[..10], b"GIF89a\x1c\x02\x1c\x02", "540 by 540");
    assert_eq!(draw(&[]), plain);
    let with_nodes = draw(&["--show-nodes"]);
    assert_ne!(with_nodes.0, plain.0);
    assert_ne!(with_nodes.1, plain.1);
}

#[test]
fn a_picture_may_be_piped() {
    let room = Room::new("sim-piped-picture");
    let output = room.run(&["sim", "--agents", "50", "--steps", "1", "--png", "-"]);
    assert_eq!(png_size(&output.stdout), [1080, 1080]);
}

#[test]
fn bad_arguments_are_told_in_one_line() {
    let room = Room::new("sim-bad-arguments").with("file", "");
    room.bad(&["sim", "--scene", "clusterd"], &["clusterd", "'clustered'"]);
    room.bad(&["sim", "--index", "brute-farce"], &["brute-farce", "'brute-force'"]);
    room.bad(&["sim", "--agents", "0"], &["'0'", "--agents", "1"]);
    room.bad(&["sim", "--agents", "-5"], &["-5"]);
    room.bad(&["sim", "--agents", "many"], &["many", "--agents"]);
    room.bad(&["sim", "--agents", "100000001"], &["100000001", "100000000"]);
    room.bad(&["sim", "--steps", "0"], &["'0'", "--steps"]);
    for subcommand in ["sim", "bench"] {
        room.bad(&[subcommand, "--seed", "-1"], &["'-1'", "--seed", "expected a whole number from 0"]);
    }
    room.bad(&["sim", "--show-nodes"], &["--png", "--gif"]);
    room.bad(&["sim", "--agent", "5"], &["--agent", "--agents"]);
    room.bad(&["sym"], &["sym", "sim"]);
    for (picture, name) in [("--png", "a.jpg"), ("--png", "a.gif"), ("--gif", "a.png"), ("--gif", "a.GIF.gz")] {
        room.bad(&["sim", picture, name], &[picture, name, &picture.replace("--", "it is written as .")]);
    }
    // Reported before the first of a million steps, not after the last.
    for picture in ["--png", "--gif", "--json"] {
        let far = ["sim", "--steps", "1000000", picture];
        room.bad(&[&far[..], &["no/such/place"]].concat(), &["no/such/place", "cannot be written"]);
        room.bad(&[&far[..], &["file/place"]].concat(), &["file/place", "cannot be written"]);
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let room = Room::new("sim-closed-pipe");
    // The report may fit into the pipe; a picture of many agents does not.
    for arguments in [&["--json", "-"][..], &["--png", "-"], &[]] {
        let mut command = room.command(&[&["sim", "--agents", "5000", "--steps", "1"], arguments].concat());
        // A pipe whose reader has gone: nothing can be written, however fast the command is.
        let mut reader = room.command(&["--version"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let pipe = reader.stdin.take().unwrap();
        reader.wait().unwrap();
        let output = command.stdout(pipe).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn parameters_of_structures_are_taken_and_told() {
    let room = Room::new("sim-parameters");
    let run = |index: &str| room.json(&["sim", "--agents", "300", "--steps", "5", "--index", index]);
    let [usual, fixed] = ["quadtree", "quadtree:fixed=5"].map(run);
    assert_eq!((&usual["index"], &fixed["index"]), (&"quadtree".into(), &"quadtree:fixed=5".into()));
    assert_eq!(fixed["state_hash"], usual["state_hash"]);
    assert_ne!(fixed["bytes"]["index"], usual["bytes"]["index"]);
    for (index, told) in [
        ("octree:fixed=4", "octree"),
        ("quadtree:fixed=99", "99"),
        ("quadtree:depth", "depth"),
        ("grid:capacity=3", "`capacity=3` is not a parameter of grid"),
        ("quadtree:capacity=3:capacity=4", "`capacity=3` has no effect"),
        ("quadtree:fixed=4:capacity=3", "`fixed=4` has no effect"),
    ] {
        room.bad(&["sim", "--agents", "300", "--index", index], &[told]);
    }
}
