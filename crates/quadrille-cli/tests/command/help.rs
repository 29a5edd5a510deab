//! Help, and `quadrille indexes`.

use crate::room::Room;
use quadrille::structures::StructureKind;

const SUBCOMMANDS: [&str; 10] =
    ["sim", "pairs", "near", "path", "art", "bench", "indexes", "view", "completions", "man"];

#[test]
fn shells_and_man_know_every_subcommand() {
    let room = Room::new("manuals");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = room.good(&["completions", shell]);
        assert!(SUBCOMMANDS.iter().all(|subcommand| script.contains(subcommand)) && script.contains("gif"), "{shell}");
    }
    let page = room.good(&["man"]);
    assert!(page.contains(".TH QUADRILLE 1"), "{page}");
    assert!(SUBCOMMANDS.iter().all(|subcommand| page.contains(&format!("quadrille\\-{subcommand}"))), "{page}");
    let page = room.good(&["man", "pairs"]);
    assert!(page.contains(".TH QUADRILLE-PAIRS 1") && page.contains("\\-\\-within"), "{page}");
    room.bad(&["man", "pears"], &["pears", "quadrille help"]);
    room.bad(&["completions", "bush"], &["bush", "bash"]);
}

#[test]
fn without_arguments_the_command_teaches() {
    let help = Room::new("help").good(&[]);
    for word in [
        "sim", "pairs", "near", "path", "art", "bench", "indexes", "view", "Examples:", "quadrille pairs buildings.csv",
    ] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
}

#[test]
fn every_subcommand_has_examples() {
    let room = Room::new("examples");
    for subcommand in SUBCOMMANDS {
        assert!(room.good(&[subcommand, "--help"]).contains("Examples:\n  quadrille"), "{subcommand}");
    }
    // What others call it.
    assert_eq!(room.good(&["join", "--help"]), room.good(&["pairs", "--help"]));
}

#[test]
fn indexes_tells_about_every_structure() {
    let room = Room::new("indexes");
    let table = room.good(&["indexes"]);
    let list = room.json(&["indexes"]);
    let names: Vec<_> =
        list["indexes"].as_array().unwrap().iter().map(|index| index["name"].as_str().unwrap()).collect();
    assert_eq!(names, StructureKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    for (index, name) in list["indexes"].as_array().unwrap().iter().zip(names) {
        assert!(table.contains(name), "{name}");
        assert!(index["bytes_per_box"].as_f64().unwrap() >= 16.0, "{name}");
        for operation in ["insert", "remove", "update", "query", "pairs", "maintain"] {
            assert!(!index["cost"][operation].as_str().unwrap().is_empty(), "{name}: {operation}");
        }
        assert!(!index["best_for"].as_str().unwrap().is_empty() && !index["avoid_for"].as_str().unwrap().is_empty());
    }
}

#[test]
fn wrong_arguments_are_told_in_one_line() {
    let room = Room::new("wrong-arguments");
    room.bad(&["indexs"], &["indexs", "indexes"]);
    room.bad(&["indexes", "--jsn", "-"], &["--jsn", "--json"]);
    room.bad(&["--nonsense"], &["--nonsense"]);
    // No advice to take an unknown option for the name of a file.
    for command in ["path", "pairs", "near"] {
        room.bad(&[command, "a.csv", "--###"], &["'--###' found\n"]);
    }
    room.bad(&["pairs", "a.csv", "--index", "grid"], &["unexpected argument '--index' found"]);
    room.bad(&["pairs", "a.csv", "--predicate", "a\nUsage: x"], &["a\\nUsage: x", "there are"]);
}

#[test]
fn help_is_a_word_too() {
    let room = Room::new("help-word");
    assert_eq!(room.good(&["help", "sim"]), room.good(&["sim", "--help"]));
    assert_eq!(
        room.good(&["sim", "--version"]).split_whitespace().last(),
        room.good(&["--version"]).split_whitespace().last()
    );
}
