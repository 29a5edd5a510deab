//! Hostile files, names, pipes and interruptions.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::room::Room;

const BOXES: &str = "0,0,2,2\n1,1,3,3\n";
const PAIRS: &[u8] = b"a,b\n0,1\n";

/// A PNG file that promises this many gray pixels and has none: its header and an empty part for the data.
fn promising(width: u32, height: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0]).unwrap();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    png
}

/// The checksum of parts of a PNG file (ISO 3309), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn pictures_that_promise_gigabytes_are_refused_by_their_header() {
    let room = Room::new("hostile-pictures")
        .with("big.png", promising(60_000, 60_000))
        .with("wide.png", promising(300_000, 1_000));
    for (file, size) in [("big.png", "60000 x 60000"), ("wide.png", "300000 x 1000")] {
        room.bad(&["art", file, "--out", "o.png"], &[file, size, "268435456"]);
        room.bad(&["path", file, "--from", "0,0", "--to", "0,0"], &[file, size, "268435456"]);
    }
}

#[test]
fn nothing_of_a_name_or_file_steers_the_terminal() {
    let room = Room::new("hostile-names")
        .with("a\u{1b}[31m\n.csv", "1,2,3\n")
        .with("t.scen", "version 2\nheight 9\nwidth 9\ncost 1 octile\npatch \u{1b}[31m\ncommands\n");
    room.bad(&["pairs", "a\u{1b}[31m\n.csv"], &["a\\u{1b}[31m\\n.csv", "line 1"]);
    room.bad(&["path", "--trace", "t.scen"], &["\\u{1b}[31m"]);
    let room = room.with("b\u{1b}[31m", BOXES);
    assert!(room.good(&["pairs", "b\u{1b}[31m"]).contains("in b\\u{1b}[31m"));
}

#[test]
fn an_argument_that_is_not_utf_8_is_told() {
    let room = Room::new("hostile-bytes").with("a.csv", BOXES);
    let output = in_shell(&room, "pairs a.csv --within $'1\\xff\\e[31m'");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains(r#"is not UTF-8: ["1\xFF\u{1b}[31m"]"#), "{told}");
}

#[test]
fn a_trace_reads_no_file_outside_its_folder_by_itself() {
    let trace = |patch: &str| format!("version 2\nheight 9\nwidth 9\ncost 1 octile\npatch {patch}\ncommands\n");
    for patch in ["/etc/passwd", "../secret", "folder/patch", ".."] {
        let room = Room::new("hostile-trace").with("t.scen", trace(patch));
        room.bad(&["path", "--trace", "t.scen"], &["t.scen", patch, "--patch"]);
    }
}

#[test]
fn a_standard_error_that_is_full_changes_no_exit_code() {
    let room = Room::new("hostile-stderr").with("a.csv", BOXES);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    assert_eq!(room.command(&["pairs", "missing"]).stderr(full()).status().unwrap().code(), Some(2));
    let output = room.command(&["pairs", "a.csv", "--out", "-"]).stdout(Stdio::piped()).stderr(full()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), PAIRS));
}

#[test]
fn a_report_that_cannot_be_printed_leaves_no_files() {
    let room = Room::new("hostile-stdout").with("a.csv", BOXES);
    let full = Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let status = room
        .command(&["pairs", "a.csv", "--out", "p.csv", "--json", "j.json"])
        .stdout(full)
        .stderr(Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
    assert_eq!(room.files(), ["a.csv"]);
}

#[test]
fn a_named_pipe_gets_everything() {
    let room = Room::new("hostile-pipe").with("a.csv", BOXES);
    for _ in 0..10 {
        let _ = fs::remove_file(room.path("pipe"));
        assert!(Command::new("mkfifo").arg(room.path("pipe")).status().unwrap().success());
        let reader = Command::new("cat").arg(room.path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
        room.good(&["pairs", "a.csv", "--out", "pipe"]);
        assert_eq!(reader.wait_with_output().unwrap().stdout, PAIRS);
    }
}

#[test]
fn an_interrupted_run_leaves_no_draft() {
    let room = Room::new("hostile-interrupt").with("a.csv", "1,1\n".repeat(2_500));
    for signal in ["INT", "TERM", "HUP"] {
        // While it writes three million pairs, slowly: the signal comes as soon as there is a draft.
        let mut child = room.command(&["pairs", "a.csv", "--out", "p.csv"]).stderr(Stdio::null()).spawn().unwrap();
        while !room.files().iter().any(|name| name.ends_with(".part")) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // That may be the draft that only tests whether the folder can be written; after a while, it is the other one.
        std::thread::sleep(Duration::from_millis(100));
        let _ = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        let status = child.wait().unwrap();
        assert!(!room.files().iter().any(|name| name.ends_with(".part")), "{signal}: {status}");
        let _ = fs::remove_file(room.path("p.csv"));
    }
}

#[test]
fn a_limit_of_file_size_is_an_error_like_others() {
    let room = Room::new("hostile-limit").with("a.csv", "1,1\n".repeat(1_000));
    let command = format!("ulimit -f 100; exec {} pairs a.csv --out p.csv", env!("CARGO_BIN_EXE_quadrille"));
    let output = Command::new("bash").current_dir(room.path("")).args(["-c", &command]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("p.csv: cannot be written: File too large"));
    assert_eq!(room.files(), ["a.csv"]);
}

#[test]
fn without_threads_nothing_panics() {
    let room = Room::new("hostile-threads").with("a.csv", BOXES);
    fs::set_permissions(room.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    for (asked, code, told) in [("--count", 0, ""), ("--count --memory 64M", 2, "a thread cannot be started")] {
        let command = format!("ulimit -u 1 && exec {} pairs a.csv {asked}", env!("CARGO_BIN_EXE_quadrille"));
        let mut bash = Command::new("bash");
        // The limit is not for root.
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            bash.uid(65_534);
        }
        // A folder above may be closed to others.
        let Ok(output) = bash.current_dir(room.path("")).args(["-c", &command]).output() else { return };
        let errors = String::from_utf8_lossy(&output.stderr);
        let ended = (output.status.code(), errors.contains(told));
        assert!(ended == (Some(code), true) || errors.contains("Permission denied"), "{asked}: {errors}");
    }
}

#[test]
fn a_replaced_file_keeps_its_permissions_and_its_links() {
    let room = Room::new("hostile-modes").with("a.csv", BOXES).with("old.csv", "old");
    let mode = |file: &str| fs::metadata(room.path(file)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(room.path("old.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("old.csv", room.path("link.csv")).unwrap();
    symlink("new.csv", room.path("dangling.csv")).unwrap();
    symlink("loop.csv", room.path("loop.csv")).unwrap();
    room.good(&["pairs", "a.csv", "--out", "link.csv"]);
    room.good(&["pairs", "a.csv", "--out", "dangling.csv"]);
    assert_eq!((room.read("old.csv").as_slice(), mode("old.csv")), (PAIRS, 0o640));
    assert_eq!((room.read("new.csv").as_slice(), mode("new.csv")), (PAIRS, mode("a.csv")));
    for link in ["link.csv", "dangling.csv"] {
        assert!(fs::symlink_metadata(room.path(link)).unwrap().is_symlink(), "{link}");
    }
    room.bad(&["pairs", "a.csv", "--out", "loop.csv"], &["loop.csv: cannot be written"]);
}

#[test]
fn no_result_is_written_over_another_or_over_what_is_read() {
    let room = Room::new("hostile-same").with("a.csv", BOXES);
    symlink("a.csv", room.path("link.csv")).unwrap();
    symlink("z", room.path("y")).unwrap();
    for [out, json] in [["z", "z"], ["z", "./z"], ["y", "z"]] {
        room.bad(&["pairs", "a.csv", "--out", out, "--json", json], &["only one result", json]);
    }
    for out in ["a.csv", "./a.csv", "link.csv"] {
        room.bad(&["pairs", "a.csv", "--out", out], &[out, "is an input"]);
    }
    room.good(&["pairs", "a.csv", "--out", "/dev/null", "--json", "/dev/null"]);
    let input = fs::File::open(room.path("a.csv")).unwrap();
    let output = room.command(&["pairs", "-", "--out", "link.csv"]).stdin(input).output().unwrap();
    assert_eq!((output.status.code(), room.read("a.csv")), (Some(2), BOXES.into()));
    assert!(String::from_utf8_lossy(&output.stderr).contains("link.csv: is standard input"));
}

/// Runs the command in `bash`, with what follows it there.
fn in_shell(room: &Room, rest: &str) -> std::process::Output {
    let command = format!("{} {rest}", env!("CARGO_BIN_EXE_quadrille"));
    Command::new("bash").current_dir(room.path("")).args(["-c", &command]).output().unwrap()
}

#[test]
fn what_a_shell_has_opened_is_not_replaced() {
    let room = Room::new("hostile-shell").with("a.csv", BOXES);
    // By every name, it is standard output, which the report then leaves alone.
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let output = in_shell(&room, &format!("pairs a.csv --out {name} > p.csv"));
        assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("pairs  1"), "{name}");
        assert_eq!(room.read("p.csv"), PAIRS, "{name}");
        in_shell(&room, &format!("pairs a.csv --out {name} >> p.csv"));
        assert_eq!(room.read("p.csv"), [PAIRS, PAIRS].concat(), "{name}");
        assert_eq!(in_shell(&room, &format!("pairs a.csv --out {name} | cat")).stdout, PAIRS, "{name}");
        room.bad(&["pairs", "a.csv", "--out", name, "--json", "-"], &["only one result"]);
    }
    for name in ["/dev/fd/3", "/proc/self/fd/3"] {
        assert!(in_shell(&room, &format!("pairs a.csv --out {name} 3> p.csv; echo told >> p.csv")).status.success());
        assert_eq!(room.read("p.csv"), [PAIRS, b"told\n"].concat(), "{name}");
    }
    for (rest, told) in [("--out p.csv > p.csv", "standard output"), ("--out p.csv 2>> p.csv", "standard error")] {
        let output = in_shell(&room, &format!("pairs a.csv {rest}"));
        let told_in = [output.stderr, room.read("p.csv")].concat();
        assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&told_in).contains(told), "{rest}");
    }
}

#[test]
fn nothing_is_printed_into_what_is_read() {
    let room = Room::new("hostile-appended").with("a.csv", BOXES).with("b.csv", BOXES);
    for rest in
        ["pairs a.csv --out -", "pairs a.csv", "pairs b.csv a.csv", "pairs - --out - < a.csv", "bench --boxes a.csv"]
    {
        let output = in_shell(&room, &format!("{rest} >> a.csv"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), room.read("a.csv")), (Some(2), BOXES.into()), "{rest}: {errors}");
        assert!(errors.contains("is standard output as well"), "{rest}: {errors}");
    }
    assert!(in_shell(&room, "pairs a.csv --out - >> b.csv").status.success());
}

/// A pipe whose reader is gone.
fn unread() -> Stdio {
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    pipe.into()
}

#[test]
fn a_reader_that_is_gone_costs_no_other_result() {
    let near = "near met.csv --within 5";
    let met = "id,t,x,y\na,0,0,0\na,9,9,0\nb,0,1,0\nb,9,9,1\n";
    for (arguments, left) in [
        ("pairs many.csv --out p.csv --json -", "p.csv"),
        ("pairs many.csv --out - --json f.json", "f.json"),
        ("pairs many.csv --unsorted --out - --json f.json", "f.json"),
        ("pairs many.csv --memory 64MiB --out - --json f.json", "f.json"),
        (&format!("{near} --out m.csv --json -"), "m.csv"),
        (&format!("{near} --out - --png p.png"), "p.png"),
        ("sim --agents 9 --steps 2 --png - --gif a.gif", "a.gif"),
    ] {
        let room = Room::new("hostile-unread").with("many.csv", "1,1\n".repeat(300)).with("met.csv", met);
        let arguments: Vec<_> = arguments.split(' ').collect();
        let output = room.command(&arguments).stdout(unread()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(room.files().iter().any(|file| file == left), "{arguments:?} left {:?}", room.files());
        assert_eq!(room.files().len(), 3, "{:?}", room.files());
        if left == "f.json" {
            let figures: serde_json::Value = serde_json::from_slice(&room.read(left)).unwrap();
            assert_eq!(figures["pairs"], 300 * 299 / 2, "{arguments:?}");
        }
    }
}

#[test]
fn names_that_are_none_are_told() {
    let room = Room::new("hostile-nowhere").with("a.csv", BOXES);
    room.bad(&["pairs", "a.csv", "--out", "nowhere/x.csv"], &["nowhere/x.csv", "there is no folder nowhere"]);
    room.bad(&["pairs", "a.csv", "--out", ""], &["\"\": cannot be written"]);
}

#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let fix = |fix: u32| format!("{},{},{},{}\n", fix / 200, fix, fix % 777, fix % 333);
    let fixes: String = (0..200_000).map(fix).collect();
    let points: String = (0..200_000).map(|point| format!("{},{}\n", point % 777, point)).collect();
    let cell = |cell: u32| if cell % 7 == 0 && cell % 11 < 5 { '@' } else { '.' };
    let row = |row: u32| (0..1_000).map(|column| cell(row * 1_003 + column)).chain(['\n']).collect::<String>();
    let rows: String = (0..100).map(row).collect();
    let room = Room::new("hostile-memory")
        .with("a.csv", "1,1\n".repeat(40_000))
        .with("wide.csv", ",".repeat(30_000_000))
        .with("fixes.csv", format!("id,t,x,y\n{fixes}"))
        .with("points.csv", format!("x,y\n{points}"))
        .with("a.map", format!("type octile\nheight 1000\nwidth 1000\nmap\n{}", rows.repeat(10)))
        .with("a.scen", "version 1\n0\ta.map\t1000\t1000\t1\t1\t2\t2\t1.41421356\n");
    let limited = |kibibytes: u32, arguments: &str| {
        let command = format!("ulimit -v {kibibytes}; exec {} {arguments}", env!("CARGO_BIN_EXE_quadrille"));
        let output = Command::new("bash").current_dir(room.path("")).args(["-c", &command]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    // However little there is, as soon as the program and its threads run at all, which depends on how it was compiled.
    let least =
        (20_000..100_000).step_by(1_000).find(|kibibytes| limited(*kibibytes, "--version").0 == Some(0)).unwrap();
    for arguments in [
        "near fixes.csv --within 0",
        "pairs points.csv",
        "pairs points.csv --within 0",
        "pairs points.csv --nearest 3 --out p.csv",
    ] {
        let mut ended = [0; 2];
        for more in [4_000, 10_000, 18_000, 31_000, 400_000] {
            let kibibytes = least + more;
            let (code, errors) = limited(kibibytes, arguments);
            assert!(matches!(code, Some(0 | 2)), "{kibibytes} {arguments}: {code:?} {errors}");
            // Pairs can be found by way of the disk.
            let word = if arguments.starts_with("pairs") { "--memory" } else { "memory" };
            assert!(code == Some(0) || errors.contains(word), "{kibibytes} {arguments}: {errors}");
            ended[usize::from(code == Some(0))] += 1;
        }
        assert!(ended[0] >= 2 && ended[1] >= 1, "{arguments}: {ended:?}");
    }
    // What asks for memory piece by piece, too.
    for arguments in ["sim --steps 2", "path a.map --scen a.scen"] {
        for kibibytes in (least..least + 30_000).step_by(2_000) {
            let (code, errors) = limited(kibibytes, arguments);
            assert!(
                code == Some(0) || code == Some(2) && errors.contains("memory"),
                "{kibibytes} {arguments}: {errors}"
            );
        }
    }
    // A row for which there is no room is no bad row.
    for arguments in ["near fixes.csv --within 0", "near fixes.csv --within 0 --skip-invalid"] {
        let (code, errors) = limited(least + 4_000, arguments);
        assert_eq!((code, errors.lines().count()), (Some(2), 1), "{arguments}: {errors}");
        assert!(errors.contains("there is no memory for more than"), "{arguments}: {errors}");
    }
    for (kibibytes, arguments, word) in [
        (500_000, "pairs a.csv --out p.csv", "not enough memory"),
        (200_000, "pairs a.csv --predicate disjoint", "not enough memory for the pairs that intersect"),
        (500_000, "pairs wide.csv", "wide.csv"),
        (1_000_000, "sim --agents 1e8 --steps 1", "100,000,000 agents need"),
        (1_000_000, "bench --agents 1e6 --steps 1000 --ops pairs", "1,000,000 boxes"),
    ] {
        let (code, errors) = limited(kibibytes, arguments);
        assert_eq!((code, errors.lines().count()), (Some(2), 1), "{arguments}: {errors}");
        assert!(errors.contains(word) && errors.len() < 2_000, "{arguments}: {errors}");
    }
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let room = Room::new("hostile-numbers");
    assert_eq!(room.json(&["sim", "--agents", "1e3", "--steps", "10"])["agents"], 1_000);
    assert_eq!(room.json(&["sim", "--agents", "1_000", "--steps", "10"])["agents"], 1_000);
    for number in ["1_0", "_9", "9_", "1__000", "1000_000"] {
        room.bad(&["sim", "--agents", number], &[number, "--agents"]);
        room.bad(&["pairs", "a.csv", "--within", number], &[number, "--within"]);
        room.bad(&["pairs", "a.csv", "--memory", number], &[number, "--memory"]);
    }
    room.bad(&["sim", "--agents", "-5"], &["-5", "--agents"]);
    room.bad(&["sim", "--agents", "1.5"], &["1.5", "--agents", "whole number"]);
    assert!(room.good(&["sim", "--agents", "10", "--steps", "5", "--renumber", "1"]).contains("every 1 step\n"));
}

#[test]
fn why_a_file_cannot_be_written_is_told_as_the_system_says_it() {
    let room = Room::new("hostile-unwritable").with("a.csv", BOXES);
    room.bad(&["pairs", "a.csv", "--out", "/proc/p.csv"], &["/proc/p.csv: cannot be written", "(os error "]);
}
