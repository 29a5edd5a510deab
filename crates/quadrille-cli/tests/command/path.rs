//! `quadrille path`: one path, benchmark files, traces, pictures, and every kind of bad input.

use crate::room::Room;
use image::{Luma, LumaA, Rgb, RgbImage};

const GARDEN: &str = include_str!("../maps/garden.map");
/// A wall with a way around either end.
const WALL: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@TW.\n.GS..\n";
/// Two rooms without a door.
const ROOMS: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n.@.\n";
const SCEN: &str = "version 1\n0 m 5 3 2 0 2 2 6\n0 m 5 3 0 0 0 0 0\n1 m 5 3 0 0 4 2 6.0\n";
const PATCHES: &str = "type patch\npatches 1\npatch 0\nheight 2\nwidth 1\nmap\n@\n@\n";
const TRACE: &str = "version 2\nheight 3\nwidth 3\ncost 1 octile\npatch walls.patch\ncommands\n\
    Q 1 0 0 2 0 2\nP 1 0 1 0\nQ 1 0 0 2 0 6\nP 1 0 1 1\nQ 1 0 0 2 0 0\n";

/// The picture of a map's rows: walls are black.
fn picture(map: &str) -> RgbImage {
    let rows: Vec<&[u8]> = map.lines().skip(4).map(str::as_bytes).collect();
    RgbImage::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| {
        let is_free = b".GS".contains(&rows[y as usize][x as usize]);
        Rgb([if is_free { 250 } else { 10 }; 3])
    })
}

fn between<'a>(map: &'a str, from: &'a str, to: &'a str) -> Vec<&'a str> {
    vec!["path", map, "--from", from, "--to", to]
}

#[test]
fn the_figures_of_a_path_have_the_promised_fields() {
    let room = Room::new("path-figures").with("garden.map", GARDEN);
    for method in ["exact", "astar"] {
        let figures = room.json(&[&between("garden.map", "8,7", "68,36")[..], &["--method", method]].concat());
        assert_eq!((&figures["straight"], &figures["diagonal"]), (&39.into(), &25.into()));
        let length = figures["length"].as_f64().unwrap();
        assert!((length - (39.0 + 25.0 * 2.0_f64.sqrt())).abs() < 1e-9);
        assert!(figures["us"].as_f64().unwrap() > 0.0 && figures["build_ms"].as_f64().unwrap() >= 0.0);
        assert!(figures["expanded"].as_u64().unwrap() > 0);
        assert!(figures["bytes"].as_u64().unwrap() > 72 * 44 / 8);
    }
}

#[test]
fn each_rule_and_size_has_its_length() {
    let room = Room::new("path-rules").with("wall.map", WALL).with("garden.map", GARDEN);
    for (rule, straight, diagonal) in
        [("octile", 6, 0), ("octile-cutting", 2, 2), ("octile-one-side", 2, 2), ("manhattan", 6, 0)]
    {
        let figures = room.json(&[&between("wall.map", "2,0", "2,2")[..], &["--cost", rule]].concat());
        assert_eq!((&figures["straight"], &figures["diagonal"]), (&straight.into(), &diagonal.into()), "{rule}");
    }
    let length = |from, size| {
        let figures = room.json(&[&between("garden.map", from, "33,15")[..], &["--agent-size", size]].concat());
        figures["length"].as_f64()
    };
    assert!(length("8,7", "1").is_some());
    assert_eq!(length("8,7", "2"), None, "the doors of the first room are one cell wide");
    assert!(length("8,16", "1").is_some() && length("8,16", "1") <= length("8,16", "2"), "those of the second are two");
    assert_eq!(length("8,16", "3"), None);
}

#[test]
fn the_report_is_for_people() {
    let room = Room::new("path-report").with("wall.map", format!("\u{feff}{WALL}")).with("rooms.map", ROOMS);
    let report = room.good(&between("wall.map", "2,0", "2,2"));
    for word in ["5 x 3 cells", "12 free", "6.000 long", "6 steps", "µs", "expanded", "corners"] {
        assert!(report.contains(word), "{word} is not in:\n{report}");
    }
    assert!(room.good(&between("rooms.map", "0,0", "2,1")).contains("none: the goal cannot be reached"));
}

#[test]
fn no_path_is_an_answer() {
    let room = Room::new("path-none").with("rooms.map", ROOMS);
    for method in ["exact", "astar"] {
        let figures = room.json(&[&between("rooms.map", "0,0", "2,1")[..], &["--method", method]].concat());
        for field in ["length", "straight", "diagonal"] {
            assert!(figures[field].is_null() && figures.get(field).is_some(), "{field}");
        }
    }
    room.good(&[&between("rooms.map", "0,0", "2,1")[..], &["--png", "none.png"]].concat());
    assert_eq!(room.files(), ["none.png", "rooms.map"]);
}

#[test]
fn a_picture_is_a_map() {
    let room = Room::new("path-picture-map").with("garden.map", GARDEN);
    picture(GARDEN).save(room.path("garden.png")).unwrap();
    // Without color, and with what is transparent as free as paper.
    let grey = image::imageops::grayscale(&picture(GARDEN));
    grey.save(room.path("grey.png")).unwrap();
    let clear = image::ImageBuffer::from_fn(grey.width(), grey.height(), |x, y| {
        let Luma([shade]) = *grey.get_pixel(x, y);
        LumaA([0_u8, if shade < 128 { 255 } else { 0 }])
    });
    clear.save(room.path("clear.png")).unwrap();
    let of = |file| {
        let figures = room.json(&between(file, "8,7", "68,36"));
        (figures["straight"].clone(), figures["diagonal"].clone(), figures["expanded"].clone())
    };
    for file in ["garden.png", "grey.png", "clear.png"] {
        assert_eq!(of(file), of("garden.map"), "{file}");
    }
}

#[test]
fn scenarios_are_compared_with_what_was_published() {
    let room = Room::new("path-scen").with("wall.map", WALL).with("wall.scen", SCEN).with("none.scen", "version 1\n");
    for method in ["exact", "astar"] {
        let figures = room.json(&["path", "wall.map", "--scen", "wall.scen", "--method", method]);
        let counts = ["rows", "solved", "unsolvable", "mismatched"].map(|field| figures[field].as_u64().unwrap());
        assert_eq!(counts, [3, 3, 0, 0]);
        let [mean, p50, p99, max] = ["mean", "p50", "p99", "max"].map(|field| figures["us"][field].as_f64().unwrap());
        assert!(mean <= max && p50 <= p99 && p99 <= max);
        assert!(figures["build_ms"].is_f64() && figures["bytes"].is_u64() && figures["patches"].is_null());
    }
    let figures = room.json(&["path", "wall.map", "--scen", "wall.scen", "--limit", "2"]);
    assert_eq!(figures["rows"], 2);
    room.good(&["path", "wall.map", "--scen", "none.scen", "--png", "none.png"]);
    assert!(image::load_from_memory(&room.read("none.png")).is_ok(), "without a query, the map alone");
    let report = room.good(&["path", "wall.map", "--scen", "wall.scen"]);
    for word in ["3 with a path", "all match the published lengths", "mean", "median", "p99", "max", "expanded"] {
        assert!(report.contains(word), "{word} is not in:\n{report}");
    }
}

#[test]
fn a_length_that_is_not_as_published_is_named() {
    let wrong = SCEN.replace("2 2 6\n", "2 2 5\n").replace("4 2 6.0", "4 2 0");
    let room = Room::new("path-mismatch").with("wall.map", WALL).with("wrong.scen", wrong);
    let output = room.run(&["path", "wall.map", "--scen", "wrong.scen", "--json", "figures.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "quadrille: wrong.scen:2: from (2, 0) to (2, 2): found 6, published 5; 1 more rows differ\n"
    );
    assert!(String::from_utf8(output.stdout).unwrap().contains("2 differ from the published lengths"));
    let figures: serde_json::Value = serde_json::from_slice(&room.read("figures.json")).unwrap();
    assert_eq!(figures["mismatched"], 2);
}

#[test]
fn rows_with_blocked_ends_are_named_and_the_rest_is_run() {
    let room = Room::new("path-blocked")
        .with("wall.map", WALL)
        .with("blocked.scen", SCEN.replace("2 0 2 2", "2 1 2 2"))
        .with("both.scen", SCEN.replace("2 0 2 2", "2 1 2 2").replace("4 2 6.0", "4 2 5.0"));
    let output = room.run(&["path", "wall.map", "--scen", "blocked.scen", "--json", "figures.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "quadrille: blocked.scen:2: from (2, 1) to (2, 2): an endpoint is blocked, yet a length is published\n"
    );
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(
        report.contains("all match the published lengths") && report.contains("1 of the rows start or end"),
        "{report}"
    );
    let figures: serde_json::Value = serde_json::from_slice(&room.read("figures.json")).unwrap();
    let counts =
        ["rows", "solved", "unsolvable", "mismatched", "blocked"].map(|field| figures[field].as_u64().unwrap());
    assert_eq!(counts, [3, 2, 0, 0, 1]);
    let output = room.run(&["path", "wall.map", "--scen", "both.scen"]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "quadrille: both.scen:4: from (0, 0) to (4, 2): found 6, published 5; line 2: from (2, 1) to (2, 2): an endpoint \
         is blocked, yet a length is published\n"
    );
}

#[test]
fn lengths_with_two_decimals_and_no_path_as_minus_one_are_read() {
    // 39 + 25 * sqrt(2) = 74.3553: printed by a stream it would be 74.3553.
    let scen = "version 1\n18 m 72 44 8 7 68 36 74.36\n0 m 72 44 8 7 9 7 1.00\n";
    let room = Room::new("path-decimals")
        .with("garden.map", GARDEN)
        .with("two.scen", scen)
        .with("six.scen", scen.replace("1.00", "1.00000"))
        .with("t.scen", TRACE.replace("2 0 0\n", "2 0 -1\n"))
        .with("walls.patch", PATCHES);
    assert_eq!(room.json(&["path", "garden.map", "--scen", "two.scen"])["mismatched"], 0);
    assert_eq!(room.run(&["path", "garden.map", "--scen", "six.scen"]).status.code(), Some(1));
    assert_eq!(room.json(&["path", "--trace", "t.scen"])["unsolvable"], 1);
}

#[test]
fn traces_are_replayed_with_their_patches() {
    let room = Room::new("path-trace").with("t.scen", TRACE).with("walls.patch", PATCHES);
    for method in ["exact", "astar"] {
        let figures = room.json(&["path", "--trace", "t.scen", "--method", method]);
        let counts = ["rows", "solved", "unsolvable", "mismatched"].map(|field| figures[field].as_u64().unwrap());
        assert_eq!(counts, [3, 2, 1, 0]);
        assert_eq!(figures["patches"]["count"], 2);
        assert!(figures["patches"]["ms"].is_f64());
    }
    let limited = room.json(&["path", "--trace", "t.scen", "--limit", "2"]);
    assert_eq!((&limited["rows"], &limited["mismatched"]), (&2.into(), &0.into()));
    let renamed = Room::new("path-trace-renamed").with("t.scen", TRACE).with("t.patch", PATCHES);
    assert_eq!(renamed.json(&["path", "--trace", "t.scen"])["rows"], 3);
    let far = Room::new("path-trace-far").with("t.scen", TRACE).with("other", PATCHES);
    assert_eq!(far.json(&["path", "--trace", "t.scen", "--patch", "other"])["rows"], 3);
    far.bad(&["path", "--trace", "t.scen"], &["walls.patch"]);
}

#[test]
fn pictures_show_map_and_path_and_are_the_same_for_every_run() {
    let room = Room::new("path-picture").with("garden.map", GARDEN);
    let draw = |to, size| {
        let arguments = between("garden.map", "8,7", to);
        room.run(&[&arguments[..], &["--png", "-", "--agent-size", size]].concat()).stdout
    };
    let there = image::load_from_memory(&draw("68,36", "1")).unwrap().into_rgb8();
    assert_eq!(there.dimensions(), (72 * 15, 44 * 15), "a whole number of pixels for each cell");
    let vermilion = Rgb([0xD5, 0x5E, 0x00]);
    let wall = Rgb([0x3B, 0x46, 0x54]);
    let count = |picture: &RgbImage, color| picture.pixels().filter(|pixel| **pixel == color).count();
    assert!(count(&there, vermilion) > 1000, "the path");
    assert!(count(&there, wall) > 100_000, "the walls");
    assert_eq!(draw("68,36", "1"), draw("68,36", "1"));
    let near = image::load_from_memory(&draw("9,7", "1")).unwrap().into_rgb8();
    assert!(count(&near, vermilion) < count(&there, vermilion) / 4);
}

#[test]
fn a_taut_path_is_told_and_drawn_and_files_draw_their_last_query() {
    let room = Room::new("path-taut").with("garden.map", GARDEN).with("rooms.map", ROOMS);
    let ends = between("garden.map", "8,7", "68,36");
    let figures = room.json(&[&ends[..], &["--smooth"]].concat());
    let (length, taut) = (figures["length"].as_f64().unwrap(), &figures["taut"]);
    assert!(taut["length"].as_f64().unwrap() < length && taut["us"].is_f64());
    let points = taut["points"].as_array().unwrap();
    assert_eq!((&points[0], &points[points.len() - 1]), (&[8.5, 7.5].to_vec().into(), &[68.5, 36.5].to_vec().into()));
    assert!(room.json(&ends)["taut"].is_null());
    assert!(room.json(&[&between("rooms.map", "0,0", "2,1")[..], &["--smooth"]].concat())["taut"].is_null());
    let report = room.good(&[&ends[..], &["--smooth", "--png", "taut.png"]].concat());
    assert!(report.contains("taut") && report.contains("bends"), "{report}");
    let step = room.good(&[&between("garden.map", "8,7", "9,7")[..], &["--smooth"]].concat());
    assert!(step.contains("1 step: 1 straight, 0 diagonal") && step.contains("0 bends"), "{step}");
    room.good(&[&ends[..], &["--png", "steps.png"]].concat());
    assert_ne!(room.read("taut.png"), room.read("steps.png"));

    let room = Room::new("path-trace-picture").with("t.scen", TRACE).with("walls.patch", PATCHES);
    let pictures =
        ["1", "3"].map(|limit| room.run(&["path", "--trace", "t.scen", "--limit", limit, "--png", "-"]).stdout);
    let walls = pictures.map(|bytes| {
        let picture = image::load_from_memory(&bytes).unwrap().into_rgb8();
        assert_eq!(picture.dimensions(), (1080, 1080));
        picture.pixels().filter(|pixel| **pixel == Rgb([0x3B, 0x46, 0x54])).count()
    });
    assert!(walls[0] < walls[1], "the map as it is at the last query: {walls:?}");
}

#[test]
fn pictures_of_large_maps_are_of_bounded_size() {
    let room = Room::new("path-large");
    for (width, height, expected) in [(1500, 10, (1500, 10)), (6000, 30, (2048, 10)), (3, 1, (1080, 360))] {
        RgbImage::from_pixel(width, height, Rgb([255; 3])).save(room.path("map.png")).unwrap();
        room.good(&[&between("map.png", "0,0", "2,0")[..], &["--png", "out.png"]].concat());
        let picture = image::load_from_memory(&room.read("out.png")).unwrap();
        assert_eq!((picture.width(), picture.height()), expected);
    }
}

#[test]
fn bad_maps_are_told_with_file_line_and_value() {
    let broken = |from: &str, to: &str| WALL.replacen(from, to, 1);
    let room = Room::new("path-bad-maps")
        .with("kind.map", broken("octile", "hex"))
        .with("tall.map", broken("height 3", "height 4"))
        .with("wide.map", broken("width 5", "width 6"))
        .with("word.map", broken("width 5", "width five"))
        .with("huge.map", broken("width 5", "width 99999"))
        .with("tile.map", broken(".@TW.", ".@xW."))
        .with("cut.map", &WALL[..40])
        .with("empty.map", "")
        .with("bare.map", "#..#")
        .with("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
    let bad = |file: &str, told: &[&str]| room.bad(&between(file, "0,0", "1,0"), &[&[file], told].concat());
    bad("kind.map", &["kind.map:1:", "\"hex\""]);
    bad("tall.map", &["tall.map:8:", "row 3 of 4"]);
    bad("wide.map", &["wide.map:5:", "5 characters, not 6"]);
    bad("word.map", &["word.map:3:", "\"five\""]);
    bad("huge.map", &["huge.map:3:", "99999"]);
    bad("tile.map", &["tile.map:6:", "\"x\"", "column 2"]);
    bad("cut.map", &["cut.map:", "row"]);
    for file in ["empty.map", "bare.map"] {
        bad(file, &["neither a PNG picture nor a MovingAI map"]);
    }
    bad("cut.png", &[]);
    bad("absent.map", &["No such file"]);
}

#[test]
fn bad_ends_are_told_with_their_value() {
    let room = Room::new("path-bad-ends").with("wall.map", WALL);
    room.bad(&between("wall.map", "1,1", "0,0"), &["wall.map", "--from 1,1", "wall"]);
    room.bad(&between("wall.map", "0,0", "3,1"), &["wall.map", "--to 3,1", "wall"]);
    room.bad(&between("wall.map", "5,0", "0,0"), &["--from 5,0", "off the map of 5 x 3"]);
    room.bad(&between("wall.map", "0,0", "4294967295,3"), &["--to 4294967295,3", "off the map"]);
    let wide = ["--agent-size", "2", "--png", "p.png", "--json", "p.json"];
    room.bad(&[&between("wall.map", "0,0", "1,2")[..], &wide].concat(), &["--from 0,0", "2 x 2"]);
    for cell in ["3", "3;4", "a,b", "-1,2", "--7", "1,2,3", "1.5,2", "4294967296,0"] {
        let option = format!("--from={cell}");
        room.bad(&["path", "wall.map", &option, "--to", "0,0"], &[cell, "--from", "column and row"]);
    }
}

#[test]
fn bad_benchmark_files_are_told_with_file_line_and_value() {
    let room = Room::new("path-bad-files")
        .with("wall.map", WALL)
        .with("rooms.map", ROOMS)
        .with("good.scen", SCEN)
        .with("off.scen", SCEN.replace("4 2 6.0", "5 2 6.0"))
        .with("cut.scen", &SCEN[..SCEN.len() - 12])
        .with("length.scen", SCEN.replace("6.0", "six"))
        .with("t.scen", TRACE)
        .with("walls.patch", PATCHES)
        .with("cut.patch", &PATCHES[..PATCHES.len() - 2])
        .with("far.scen", TRACE.replace("P 1 0 1 1", "P 1 0 1 2"));
    let bad = |file: &str, told: &[&str]| room.bad(&["path", "wall.map", "--scen", file, "--json", "out"], told);
    bad("off.scen", &["off.scen:4:", "(5, 2)"]);
    bad("cut.scen", &["cut.scen:4:", "nine fields"]);
    bad("length.scen", &["length.scen:4:", "\"six\""]);
    bad("t.scen", &["t.scen:1:", "expected version 1"]);
    bad("none.scen", &["none.scen"]);
    room.bad(&["path", "rooms.map", "--scen", "good.scen"], &["good.scen:2:", "5 x 3", "3 x 2"]);
    room.bad(&["path", "--trace", "good.scen"], &["good.scen:1:", "\"1\""]);
    room.bad(&["path", "--trace", "far.scen"], &["far.scen:10:", "(1, 2)", "leaves the map"]);
    room.bad(&["path", "--trace", "t.scen", "--patch", "cut.patch"], &["cut.patch:8:", "row 1 of 2"]);
}

#[test]
fn bad_arguments_are_told_in_one_line() {
    let room = Room::new("path-bad-arguments").with("wall.map", WALL).with("good.scen", SCEN);
    let good = between("wall.map", "0,0", "4,0");
    room.bad(&["path"], &["MAP"]);
    room.bad(&["path", "wall.map"], &["--from", "--scen"]);
    room.bad(&["path", "wall.map", "--from", "0,0"], &["--to"]);
    room.bad(&["path", "wall.map", "--to", "0,0"], &["--from"]);
    room.bad(&[&good[..], &["--scen", "good.scen"]].concat(), &["--scen"]);
    room.bad(&["path", "wall.map", "--trace", "good.scen"], &["--trace"]);
    for option in [&["--smooth"][..], &["--cost", "manhattan"], &["--agent-size", "2"]] {
        let told = [option[0], "--scen", "cannot be used with"];
        room.bad(&[&["path", "wall.map", "--scen", "good.scen"], option].concat(), &told);
    }
    room.bad(&["path", "wall.map", "--scen", "good.scen", "--to", "0,0"], &["--scen", "--to"]);
    room.bad(&[&good[..], &["--patch", "cut.patch"]].concat(), &["--patch", "cannot be used with"]);
    room.bad(&["path", "wall.map", "--scen", "good.scen", "--patch", "cut.patch"], &["--patch", "cannot be used with"]);
    for limit in ["0", "-5", "1_0"] {
        room.bad(&["path", "wall.map", "--scen", "good.scen", "--limit", limit], &["--limit", limit, "whole number"]);
    }
    room.bad(&[&good[..], &["--method", "astral"]].concat(), &["astral", "astar"]);
    room.bad(&[&good[..], &["--cost", "octil"]].concat(), &["octil", "octile"]);
    room.bad(&[&good[..], &["--agent-size", "0"]].concat(), &["--agent-size"]);
    room.bad(&[&good[..], &["--png", "-", "--json", "-"]].concat(), &["standard output"]);
    room.bad(&[&good[..], &["--png", "way.jpeg"]].concat(), &["way.jpeg", "it is written as .png"]);
    for option in ["--png", "--json"] {
        room.bad(&[&good[..], &[option, "no/such/place"]].concat(), &["no/such/place", "cannot be written"]);
    }
}
