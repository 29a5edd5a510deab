//! Is an index of unknown origin sound?

use quadrille::{Index, Overlaps, Structure};

/// What has made it through the door answers as a plain list does, and lives on.
pub(crate) fn assert_sound<I: Structure>(mut index: Index<I>) {
    agrees_with_its_list(&index);
    index.maintain();
    agrees_with_its_list(&index);
    let boxes: Vec<_> = index.iter().collect();
    for (k, &(id, bounds)) in boxes.iter().enumerate() {
        match k % 3 {
            0 => assert_eq!(index.remove(id), Some(bounds)),
            1 => assert_eq!(index.update(id, boxes[k / 2].1), Ok(bounds)),
            _ => assert!(index.insert(bounds).is_ok()),
        }
    }
    agrees_with_its_list(&index);
    index.maintain();
    agrees_with_its_list(&index);
}

fn agrees_with_its_list<I: Structure>(index: &Index<I>) {
    index.validate().expect("a sound index");
    let boxes: Vec<_> = index.iter().collect();
    let mut pairs: Vec<_> = index.pairs().collect();
    pairs.sort_unstable();
    let layers = |id| index.layers(id).expect("an id in use");
    let meet = |a, b| layers(a).meets(layers(b), index.agreement());
    assert!(pairs.iter().copied().eq(boxes.iter().enumerate().flat_map(|(k, &(a, bounds))| {
        let others = boxes[k + 1..].iter().filter(move |&&(b, other)| bounds.intersects(&other) && meet(a, b));
        others.map(move |&(b, _)| (a, b))
    })));
    for (_, asked) in boxes.iter().step_by(5) {
        let mut found: Vec<_> = index.query(Overlaps(*asked)).collect();
        found.sort_unstable();
        assert!(found.into_iter().eq(boxes.iter().filter(|(_, bounds)| bounds.intersects(asked)).map(|(id, _)| *id)));
    }
}
