//! Help, and `quadrille indexes`.

use crate::room::Room;
use quadrille::StructureKind;

#[test]
fn without_arguments_the_command_teaches() {
    let help = Room::new("help").good(&[]);
    for word in [
        "sim",
        "pairs",
        "near",
        "path",
        "art",
        "bench",
        "indexes",
        "view",
        "Examples:",
        "quadrille pairs buildings.csv",
    ] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
}

#[test]
fn every_subcommand_has_examples() {
    let room = Room::new("examples");
    for subcommand in ["sim", "pairs", "near", "path", "art", "bench", "indexes", "view"] {
        assert!(room.good(&[subcommand, "--help"]).contains("Examples:\n  quadrille"), "{subcommand}");
    }
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
    room.bad(&["pairs", "a.csv", "--index", "a\nUsage: x"], &["a\\nUsage: x", "possible values"]);
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
