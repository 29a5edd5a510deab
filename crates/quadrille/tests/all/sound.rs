//! Is an index of unknown origin sound?

use quadrille::{Aabb, Overlaps, Scalar};

use crate::any_index::AnyIndex;

/// What has made it through the door answers as a plain list does, and lives on.
pub(crate) fn assert_sound<S: Scalar>(mut index: AnyIndex<S>) {
    agrees_with_its_list(&index);
    index.maintain();
    agrees_with_its_list(&index);
    let boxes = index.boxes();
    for (k, &(id, bounds)) in boxes.iter().enumerate() {
        match k % 3 {
            0 => assert_eq!(index.remove(id), Some(bounds)),
            1 => assert_eq!(index.update(id, boxes[k / 2].1), Ok(bounds)),
            _ => assert!(index.insert(bounds).is_ok()),
        }
    }
    agrees_with_its_list(&index);
    // Boxes that reach from one to another lie on lines that none has been on.
    for (k, (_, bounds)) in boxes.iter().enumerate() {
        assert!(index.insert(Aabb::from_corners(bounds.max, boxes[k / 2].1.min)).is_ok());
    }
    agrees_with_its_list(&index);
    index.maintain();
    agrees_with_its_list(&index);
}

fn agrees_with_its_list<S: Scalar>(index: &AnyIndex<S>) {
    index.validate().expect("a sound index");
    let boxes = index.boxes();
    let mut pairs = index.pairs();
    pairs.sort_unstable();
    assert!(pairs.iter().copied().eq(boxes.iter().enumerate().flat_map(|(k, &(a, bounds))| {
        let others =
            boxes[k + 1..].iter().filter(move |&&(b, other)| bounds.intersects(&other) && index.may_pair(a, b));
        others.map(move |&(b, _)| (a, b))
    })));
    for (_, asked) in boxes.iter().step_by(5) {
        let mut found = index.query(Overlaps(*asked));
        found.sort_unstable();
        assert!(found.into_iter().eq(boxes.iter().filter(|(_, bounds)| bounds.intersects(asked)).map(|(id, _)| *id)));
    }
}
