//! Region quadtrees that are written and read: what is restored goes on like the original, with the same leaf ids; what
//! was tampered with is refused, or at least sound.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::region::{AtMost, RegionQuadtree, SmallestSide};

type Rule = (AtMost, SmallestSide);
type Map = RegionQuadtree<u8, Rule>;

/// Which cell, which object, and whether it is put there or taken away.
type Edit = ([u8; 2], u8, bool);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec(([0_u8..40, 0_u8..23], 0_u8..4, prop::bool::weighted(0.6)), 0..150)
}

fn map(slack: u32, is_watched: bool) -> Map {
    let mut map = Map::new(37, 20, (AtMost { objects: 3, slack }, SmallestSide(1))).unwrap();
    if is_watched {
        map.watch();
    }
    map
}

/// Does the edit, and says all that can be seen afterward.
fn apply(map: &mut Map, (cell, object, is_put): Edit) -> String {
    let cell = cell.map(i32::from);
    let outcome = if is_put { format!("{:?}", map.insert(cell, object)) } else { map.remove(cell, object).to_string() };
    let changes: Vec<_> = if object == 0 { map.drain_changes().collect() } else { Vec::new() };
    format!("{outcome} {changes:?} {:?}", map.leaves().collect::<Vec<_>>())
}

fn restored(map: &Map) -> Map {
    let bytes = map.to_bytes().unwrap();
    let restored = Map::from_bytes(&bytes).unwrap();
    restored.validate().unwrap();
    assert_eq!(restored.to_bytes().unwrap(), bytes, "nothing is lost");
    let text = serde_json::to_string(map).unwrap();
    assert_eq!(serde_json::from_str::<Map>(&text).unwrap().to_bytes().unwrap(), bytes, "nor in text");
    restored
}

proptest! {
    #[test]
    fn a_restored_map_lives_on_as_the_original(edits in edits(), slack in 0_u32..3, watch: bool, every in 1..20_usize) {
        let [mut original, mut interrupted] = [(); 2].map(|()| map(slack, watch));
        for (k, &edit) in edits.iter().enumerate() {
            if k % every == 0 {
                interrupted = restored(&interrupted);
            }
            prop_assert_eq!(apply(&mut original, edit), apply(&mut interrupted, edit));
        }
        prop_assert_eq!(original.validate().unwrap().nodes, interrupted.validate().unwrap().nodes);
    }

    #[test]
    fn tampered_maps_are_refused_or_sound(edits in edits(), changes in vec(any::<(u16, u8)>(), 1..4), more in edits()) {
        let mut original = map(1, true);
        for &edit in &edits {
            apply(&mut original, edit);
        }
        let bytes = original.to_bytes().unwrap();
        for k in 0..changes.len() {
            let Ok(mut map) = Map::from_bytes(&crate::forge::changed(&bytes, &changes[k..])) else { continue };
            for &edit in &more {
                apply(&mut map, edit);
            }
            map.validate().unwrap();
        }
    }
}

#[test]
fn contradictions_are_named() {
    let text = serde_json::to_string(&map(0, false)).unwrap();
    for (from, to, words) in [
        ("\"slots\":[[0,{\"x\":0,\"y\":0,\"depth\":0}]]", "\"slots\":[]", "0 leaves do not cover each cell"),
        ("\"depth\":0", "\"depth\":200", "0 leaves do not cover each cell"),
        ("\"depth\":0", "\"depth\":1", "1 leaves do not cover each cell"),
        ("\"free\":[]", "\"free\":[0]", "free slots"),
        ("\"objects\":[]", "\"objects\":[[[3,3],1],[[3,3],1]]", "out of order"),
        ("\"objects\":[]", "\"objects\":[[[99,3],1]]", "99"),
        ("\"width\":37", "\"width\":0", "each side of a map"),
    ] {
        assert!(text.contains(from), "{text}");
        let error = serde_json::from_str::<Map>(&text.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}, but not {words}");
    }
    let error = Map::from_bytes(&crate::forge::snapshot("Index quadtree f32", &[])).unwrap_err().to_string();
    assert_eq!(error, "the snapshot is of `Index quadtree f32`, not of `RegionQuadtree`");
}
