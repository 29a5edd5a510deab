//! What `quadrille pairs --memory` answers: the same as in memory, within bounds.

use std::fmt::Write as _;
use std::process::Command;

use quadrille::Aabb;
use quadrille_scenes::Random;

use crate::room::Room;

/// A file of boxes: most in a town, half of those in its middle, some roads across it, and one around everything.
fn town(count: u64, seed: u64) -> String {
    let mut scattered = Random::new(seed);
    let mut text = String::from("xmin,ymin,xmax,ymax\n");
    for number in 0..count {
        let side = if number % 2 == 0 { 1_000_000 } else { 100_000 };
        let [x, y] = [0, 1].map(|_| 450_000 * u32::from(number % 2 == 1) + scattered.below(side));
        let [w, h] = match number {
            7 => [1_000_000, 1_000_000],
            n if n % 5_000 == 0 => [1_000_000, 9],
            n if n % 5_000 == 1 => [9, 1_000_000],
            _ => [scattered.below(600), scattered.below(600)],
        };
        writeln!(text, "{x}.5,{y}.1,{}.5,{}.1", x + w, y + h).unwrap();
    }
    text
}

/// Lines without the header, sorted.
fn sorted(csv: &str) -> Vec<&str> {
    let mut lines: Vec<_> = csv.lines().skip(1).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn pairs_beyond_memory_are_those_in_memory() {
    let room = Room::new("beyond-same").with("a.csv", town(60_000, 1)).with("b.csv", town(20_000, 2));
    for query in [&["a.csv"][..], &["a.csv", "b.csv"], &["b.csv", "--inside"], &["b.csv", "a.csv", "--within", "70.5"]]
    {
        let pairs = |more: &[&str]| room.good(&[&["pairs"], query, &["--out", "-"], more].concat());
        let (inside, beyond) = (pairs(&[]), pairs(&["--memory", "32M", "--temp", "."]));
        assert!(inside.lines().count() > 1_000, "{query:?}");
        assert_eq!(sorted(&inside), sorted(&beyond), "{query:?}");
        assert_eq!(inside.lines().next(), beyond.lines().next());
    }
    assert_eq!(room.files(), ["a.csv", "b.csv"]);
    let limited = room.good(&["pairs", "a.csv", "--memory", "32M", "--limit", "9", "--out", "-", "--format", "ndjson"]);
    assert_eq!(limited.lines().count(), 9);
    assert!(limited.lines().all(|line| line.starts_with("{\"a\":") && line.ends_with('}')));
}

#[test]
fn real_and_strange_files_are_read_in_batches_too() {
    // More rows than a batch, some without a box.
    let mut rows = String::from("x;y\n");
    (0..40_000).for_each(|row| rows += &if row % 3 == 0 { ";\n".into() } else { format!("{};0\n", row / 2) });
    let feature = r#"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[2,0]}}"#;
    let room = Room::new("beyond-files").with("a.csv", rows).with("b.json", feature).with("empty.csv", "");
    for files in [&["a.csv"][..], &["a.csv", "b.json"], &["empty.csv"], &["empty.csv", "a.csv"]] {
        let pairs = |more: &[&str]| room.good(&[&["pairs"], files, &["--out", "-"], more].concat());
        assert_eq!(sorted(&pairs(&[])), sorted(&pairs(&["--memory", "32M"])), "{files:?}");
    }
    let figures = room.json(&["pairs", "a.csv", "--memory", "32M"]);
    assert_eq!((&figures["boxes"], &figures["skipped"]), (&26_666.into(), &13_334.into()));
    let room = room.with("big.json", format!("{feature}\n").repeat(100_000)).with("bad.csv", "1,2\n3,x\n");
    room.bad(&["pairs", "big.json", "--memory", "32M"], &["big.json", "JSON must be read as a whole", "memory"]);
    room.bad(&["pairs", "bad.csv", "--memory", "32M"], &["bad.csv", "line 2", "\"x\""]);
    room.bad(&["pairs", "a.csv", "--memory", "-1G"], &["--memory", "expected an amount of memory"]);
}

/// Compares what is found in memory with what is found beyond, line by line.
fn check_nearest(room: &Room, memory: &str, files: &[&str], query: &[&str]) {
    let pairs = |more: &[&str]| room.good(&[&["pairs"], files, query, &["--out", "-"], more].concat());
    let (inside, beyond) = (pairs(&[]), pairs(&["--memory", memory, "--temp", "."]));
    assert!(inside.lines().count() > 1_000 || query.contains(&"--limit"), "{files:?} {query:?}");
    assert!(inside == beyond, "{files:?} {query:?}");
}

#[test]
fn the_nearest_beyond_memory_are_those_in_memory_in_the_same_order() {
    // Points on a grid, for ties, and far away from all others.
    let grid =
        |far: u32| (0..2_000).map(|n| format!("{},{}\n", far + n % 40 * 9_000, n / 40 * 9_000)).collect::<String>();
    let room = Room::new("beyond-nearest").with("a.csv", town(30_000, 1)).with("b.csv", town(9_000, 2));
    let room =
        room.with("grid.csv", format!("x,y\n{}", grid(0))).with("far.csv", format!("x,y\n{}", grid(900_000_000)));
    let room = room.with("few.csv", "x,y\n1,2\n1,2\n500000,500000\n").with("none.csv", "x,y\n");
    // Some distances are beyond the range of numbers.
    let room = room.with("huge.csv", format!("x,y\n{}", "1.5e308,0\n-1.5e308,7\n".repeat(20)));
    for (files, query) in [
        (&["a.csv"][..], &["--nearest", "3"][..]),
        (&["a.csv", "b.csv"], &["--nearest", "1"]),
        (&["b.csv", "a.csv"], &["--nearest", "5", "--max", "300.5"]),
        (&["b.csv", "b.csv"], &["--nearest", "2"]),
        (&["grid.csv"], &["--nearest", "6"]),
        (&["grid.csv", "far.csv"], &["--nearest", "3"]),
        (&["grid.csv", "few.csv"], &["--nearest", "9"]),
        (&["b.csv", "few.csv"], &["--nearest", "1000000"]),
        (&["few.csv", "b.csv"], &["--nearest", "1000"]),
        (&["huge.csv"], &["--nearest", "50"]),
        (&["b.csv", "a.csv"], &["--nearest", "2", "--limit", "99", "--format", "ndjson"]),
    ] {
        check_nearest(&room, "32M", files, query);
    }
    for files in [["none.csv", "a.csv"], ["a.csv", "none.csv"]] {
        let none = room.good(&[&["pairs"], &files[..], &["--nearest", "2", "--memory", "32M", "--count"]].concat());
        assert_eq!(none, "0\n");
    }
    // Of so many, not even a single thread, which has the most memory, holds all in one tile.
    let figures = room.json(&["pairs", "a.csv", "--nearest", "2", "--memory", "32M"]);
    assert_eq!((&figures["pairs"], &figures["query"]), (&60_000.into(), &"nearest".into()));
    assert!(figures["memory"]["tiles"].as_u64() > Some(1), "{figures}");
}

#[test]
fn equal_distances_come_by_row_though_their_squares_differ() {
    let mut random = Random::new(10);
    let mut places =
        |count: u32| (0..count).map(|_| [0; 2].map(|_| f64::from(random.below(30)) / 10.0)).collect::<Vec<[f64; 2]>>();
    let (one, other) = (places(300), places(900));
    let file = |places: &[[f64; 2]]| {
        let rows: String = places.iter().map(|[x, y]| format!("{x},{y}\n")).collect();
        format!("x,y\n{rows}")
    };
    let expected = |others: &[[f64; 2]], is_one_set: bool| {
        let mut text = String::from("a,b,distance\n");
        for (a, place) in one.iter().enumerate() {
            let far = |at: &[f64; 2]| Aabb::from_point(*place).distance(&Aabb::from_point(*at));
            let mut all: Vec<_> = others.iter().map(far).zip(0..).filter(|(_, b)| !is_one_set || a != *b).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            all[..4].iter().for_each(|(far, b)| writeln!(text, "{a},{b},{far}").unwrap());
        }
        text
    };
    // 1.3 from the origin: the square of the first is a little more.
    let few = [[0.0, 1.3], [0.5, 1.2], [1.2, 0.5]];
    let room = Room::new("beyond-equal").with("one.csv", file(&one)).with("other.csv", file(&other));
    let room = room.with("few.csv", file(&few)).with("origin.csv", file(&[[0.0; 2]]));
    for more in [&[][..], &["--memory", "32M"]] {
        let nearest = |files: &[&str], count: &str| {
            room.good(&[&["pairs"], files, &["--nearest", count, "--out", "-"], more].concat())
        };
        assert_eq!(nearest(&["origin.csv", "few.csv"], "1"), "a,b,distance\n0,0,1.3\n", "{more:?}");
        assert_eq!(nearest(&["origin.csv", "few.csv"], "2"), "a,b,distance\n0,0,1.3\n0,1,1.3\n", "{more:?}");
        assert!(nearest(&["one.csv"], "4") == expected(&one, true), "{more:?}");
        assert!(nearest(&["one.csv", "other.csv"], "4") == expected(&other, false), "{more:?}");
    }
}

#[test]
fn the_nearest_shapes_and_those_on_the_earth_are_found_beyond_memory() {
    let room = Room::new("beyond-nearest-shapes").with("a.tsv", stars(4_000, 1)).with("b.tsv", stars(2_000, 2));
    let mut random = Random::new(3);
    let mut places = |count: u32| {
        let mut text = String::from("lon,lat\n");
        (0..count).for_each(|number| {
            // Around the earth, and many in two towns, one of which is on both sides of the antimeridian.
            let [x, y] = [0, 1].map(|_| f64::from(random.below(100_000)) / 100_000.0);
            let [lon, lat] = match number % 3 {
                0 => [x * 360.0 - 180.0, y * 180.0 - 90.0],
                1 => [if x < 0.5 { x - 180.0 } else { 179.0 + x }, y - 17.0],
                _ => [8.0 + (x * 30.0).floor() / 30.0, 47.0 + (y * 30.0).floor() / 30.0],
            };
            writeln!(text, "{lon},{lat}").unwrap();
        });
        text
    };
    let room = room.with("c.csv", places(12_000)).with("d.csv", places(4_000));
    let zones = "xmin,ymin,xmax,ymax\n170,-20,190,-10\n-180,-90,180,-80\n8,47,9,48\n";
    let room = room.with("zones.csv", zones).with("line.wkt", "\"LINESTRING (8 47, 9 48)\"\n");
    let (plane, earth) = (["--nearest", "3"], ["--nearest", "2", "--metric", "geodesic"]);
    check_nearest(&room, "48M", &["a.tsv"], &plane);
    check_nearest(&room, "48M", &["a.tsv", "b.tsv"], &[&plane[..], &["--max", "1.5"]].concat());
    check_nearest(&room, "48M", &["c.csv", "b.tsv"], &plane);
    check_nearest(&room, "48M", &["b.tsv", "c.csv"], &plane);
    check_nearest(&room, "48M", &["a.tsv", "b.tsv"], &[&plane[..], &["--boxes"]].concat());
    check_nearest(&room, "32M", &["c.csv"], &earth);
    check_nearest(&room, "32M", &["c.csv", "d.csv"], &earth);
    check_nearest(&room, "32M", &["d.csv", "zones.csv"], &[&earth[..], &["--max", "500km"]].concat());
    room.bad(&[&["pairs", "line.wkt"], &earth[..], &["--memory", "1G"]].concat(), &["line.wkt", "--memory", "--boxes"]);
    let figures = room.json(&[&["pairs", "d.csv"], &earth[..], &["--memory", "32M"]].concat());
    assert_eq!((&figures["pairs"], &figures["index"]), (&8_000.into(), &"tree of degrees".into()));
}

/// Stars of up to nine corners, some with a hole, lines and points, on a grid on which many meet; every tenth is large.
fn stars(count: u64, seed: u64) -> String {
    let mut scattered = Random::new(seed);
    let mut text = String::from("name\tgeometry\n");
    for number in 0..count {
        let [x, y] = [0, 1].map(|_| i64::from(scattered.below(400)));
        let size = if number % 10 == 0 { 40 } else { 6 };
        let mut corner = |turn: f64, least: u32| {
            let far = f64::from(least + scattered.below(size));
            format!("{} {}", x + (far * turn.cos()).round() as i64, y + (far * turn.sin()).round() as i64)
        };
        let turns = [0, 1, 2, 3, 4, 5, 6].map(|turn| corner(f64::from(turn) * 0.9, 2));
        let ring = [&turns[..], &turns[..1]].concat().join(", ");
        let shape = match number % 7 {
            0 => format!("POINT ({x} {y})"),
            1 => "POLYGON EMPTY".into(),
            2 => format!("LINESTRING ({})", turns[..3].join(", ")),
            3 => format!("POLYGON (({ring}), ({x} {y}, {x}.5 {y}, {x} {y}.5, {x} {y}))"),
            4 => format!("POLYGON (({x} {y}, {x} {}, {} {}, {} {y}, {x} {y}))", y + 3, x + 3, y + 3, x + 3),
            _ => format!("POLYGON (({ring}))"),
        };
        writeln!(text, "{number}\t{shape}").unwrap();
    }
    text
}

#[test]
fn shapes_beyond_memory_are_those_in_memory() {
    let room = Room::new("beyond-shapes").with("a.tsv", stars(4_000, 1)).with("b.tsv", stars(2_000, 2));
    let (one, two): (&[&str], &[&str]) = (&["a.tsv"], &["a.tsv", "b.tsv"]);
    let predicates = ["contains", "covered-by", "touches", "crosses", "overlaps"];
    let mut queries: Vec<Vec<&str>> = predicates.iter().map(|name| vec!["--predicate", name]).collect();
    queries.extend([vec!["--inside"], vec!["--within", "0.5", "--measure"]]);
    for (query, files) in queries.iter().flat_map(|query| [(query, one), (query, two)]) {
        let pairs = |more: &[&str]| room.good(&[&["pairs"], files, query, &["--out", "-"], more].concat());
        let (inside, beyond) = (pairs(&[]), pairs(&["--memory", "48M", "--temp", "."]));
        assert_eq!(sorted(&inside), sorted(&beyond), "{query:?} {files:?}");
        assert_eq!(inside.lines().next(), beyond.lines().next());
    }
    let figures = room.json(&["pairs", "a.tsv", "--memory", "48M"]);
    assert_eq!((&figures["compared"], &figures["skipped"]), (&"shapes".into(), &572.into()));
    assert!(figures["memory"]["disk"].as_u64() > Some(300_000), "{figures}");
    assert_eq!(room.files(), ["a.tsv", "b.tsv"]);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let ring = |count: u32| {
        let places = (0..=count).map(|number| f64::from(number % count) / f64::from(count) * std::f64::consts::TAU);
        let places: Vec<_> = places.map(|turn| format!("{} {}", turn.cos(), turn.sin())).collect();
        format!("POINT (9 9)\nPOLYGON (({}))\n", places.join(", "))
    };
    let mixed = "POINT EMPTY\nGEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))\n";
    let room =
        Room::new("beyond-large").with("large.wkt", ring(100_000)).with("small.wkt", ring(3)).with("mixed.wkt", mixed);
    room.bad(&["pairs", "large.wkt", "--memory", "48M"], &["large.wkt", "row 1 (from 0) has 100,00", "memory"]);
    room.bad(&["pairs", "small.wkt", "--memory", "32M"], &["--memory", "32.00 MiB", "43M", "--boxes"]);
    assert_eq!(room.good(&["pairs", "large.wkt", "--memory", "32M", "--boxes", "--count"]), "0\n");
    let disjoint = ["pairs", "large.wkt", "--memory", "1G", "--predicate", "disjoint"];
    room.bad(&disjoint, &["--predicate disjoint"]);
    let contains = ["pairs", "mixed.wkt", "--memory", "1G", "--contains"];
    room.bad(&contains, &["mixed.wkt", "geometry 1 (from 0)", "--boxes"]);
}

#[test]
fn queries_that_need_all_in_memory_are_refused() {
    let room = Room::new("beyond-refused").with("a.csv", "1,1\n");
    room.bad(&["pairs", "a.csv", "--memory", "1M"], &["--memory", "1048576", "33554432"]);
    room.bad(&["pairs", "a.csv", "--memory", "lots"], &["lots", "512M"]);
    let measured = ["pairs", "a.csv", "--memory", "1G", "--nearest", "1", "--measure", "--out", "-"];
    room.bad(&measured, &["--memory", "--nearest", "--measure"]);
    room.bad(&["pairs", "a.csv", "--memory", "1G", "--within", "1", "--metric", "geodesic"], &["--memory", "geodesic"]);
    room.bad(&["pairs", "a.csv", "--temp", "."], &["--memory"]);
    room.bad(&["pairs", "a.csv", "--memory", "1G", "--temp", "no/such"], &["no/such", "temporary file"]);
}

/// Runs the command as `bash` does behind some limits.
#[cfg(target_os = "linux")]
fn limited(room: &Room, limits: &str, arguments: &str) -> std::process::Output {
    let command = format!("{limits}; exec {} pairs {arguments}", env!("CARGO_BIN_EXE_quadrille"));
    // Threads of the system's allocator reserve addresses that they never use.
    Command::new("bash")
        .current_dir(room.path(""))
        .env("MALLOC_ARENA_MAX", "1")
        .args(["-c", &command])
        .output()
        .unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_what_is_given() {
    // A million boxes are 36 MB as such. Half of them are in one place, where 10 of them overlap each.
    let mut text = town(1_000_000, 3);
    (0..100_000).for_each(|_| text += "500000,500000,500000,500000\n");
    let room = Room::new("beyond-memory").with("a.csv", text).with("one.csv", "499999,499999,500002,500002\n");
    let limits = "ulimit -v $((64 * 1024))";
    let whole = limited(&room, limits, "a.csv one.csv --count");
    assert!(!whole.status.success(), "in memory, it fits as well: this test is none");
    let output = limited(&room, limits, "a.csv one.csv --count --memory 48M --temp . --json f.json");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("temporary files in ."), "the error does not name the disk: {errors}");
    assert_eq!(room.good(&["pairs", "a.csv", "one.csv", "--count"]).as_bytes(), output.stdout);
    let figures: serde_json::Value = serde_json::from_slice(&room.read("f.json")).unwrap();
    let (given, peak) = (figures["memory"]["given"].as_u64(), figures["memory"]["peak_rss"].as_u64());
    assert!(peak <= given, "{peak:?} of {given:?}");
    assert_eq!(room.files(), ["a.csv", "f.json", "one.csv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_and_a_kill_leave_nothing() {
    let room = Room::new("beyond-full").with("a.csv", town(200_000, 4));
    for blocks in [1_000, 5_000, 6_500] {
        // In blocks of 1024 bytes: while reading, and while dealing; the result is smaller.
        let output = limited(&room, &format!("ulimit -f {blocks}"), "a.csv --memory 32M --temp . --out p.csv");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{blocks}: {errors}");
        assert!(errors.contains(".: temporary file: File too large"), "{errors}");
        assert_eq!(room.files(), ["a.csv"], "{blocks}");
    }
    let arguments = ["pairs", "a.csv", "--memory", "32M", "--temp", ".", "--count"];
    for wait in [20, 60, 150] {
        let mut child = room.command(&arguments).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        let _ = child.wait();
        assert_eq!(room.files(), ["a.csv"]);
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_written_and_read_back() {
    let room =
        Room::new("beyond-parquet").with("a.csv", town(30_000, 5)).with("names.csv", "n,x,y\nü,1,1\n\"b,c\",1,1\n");
    for more in [&[][..], &["--memory", "32M"]] {
        let arguments = ["pairs", "a.csv", "--within", "50", "--out"];
        room.good(&[&arguments[..], &["p.parquet"], more].concat());
        let csv = room.good(&[&arguments[..], &["-"], more].concat());
        // As points, pairs come back: a row each, in the order in which they were written.
        let columns = ["pairs", "p.parquet", "--columns", "a,b", "--count"];
        let pairs = csv.lines().count() - 1;
        assert_eq!(room.json(&["pairs", "p.parquet", "--columns", "a,b"])["boxes"], pairs);
        assert_eq!(room.good(&columns), "0\n", "no pair comes twice");
    }
    room.good(&["pairs", "names.csv", "--keep", "n", "--out", "n.parquet"]);
    let near = [
        "pairs", "names.csv", "n.parquet", "--columns2", "a,b", "--within", "1", "--ids", "n", "--keep2", "a_n,b_n",
        "--out", "-",
    ];
    let expected = "a,b,distance,b_a_n,b_b_n\nü,0,1,ü,\"b,c\"\n\"b,c\",0,1,ü,\"b,c\"\n";
    assert_eq!(room.good(&near), expected);
}
