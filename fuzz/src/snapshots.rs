//! Snapshots that a fuzzer has tampered with: what is not refused must be sound, and live on.

use quadrille::region::{AtMost, RegionQuadtree};
use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Events, Handle, Index, Mobility, Space};

use crate::any_index::{AnyIndex, Setup};
use crate::{decode, forge, sound};

/// Bytes of one change to a snapshot.
const CHANGE: usize = 3;

/// Each a place in a snapshot and what changes there.
fn changes_in(bytes: &[u8]) -> Vec<(u16, u8)> {
    bytes.as_chunks::<CHANGE>().0.iter().map(|&[low, high, by]| (u16::from_le_bytes([low, high]), by)).collect()
}

/// Takes a fuzzer's input for a snapshot, for the content of one, for changes to one followed by the program that leads
/// to it, or for a program that is interrupted.
///
/// # Panics
/// If what is accepted is not sound, or does not live on as the original.
pub fn tamper(bytes: &[u8]) {
    let [how, rest @ ..] = bytes else { return };
    match how {
        0..32 => accept_index(rest),
        32..64 => accept_space(rest),
        64..96 => accept_index(&forge::snapshot("Index any f32", rest)),
        96..128 => accept_space(&forge::snapshot("Space any f32", rest)),
        128..224 => {
            let (changes, rest) = rest.split_at(rest.len().min(usize::from(how % 6) * CHANGE));
            let Some((options, program)) = decode::<AnyStructure>(rest) else { return };
            let index = program.result(&Setup::new::<AnyStructure>(options));
            let written = if how % 2 == 0 { index.to_bytes() } else { moved(options, &index) };
            let changed = forge::changed(&written, &changes_in(changes));
            if how % 2 == 0 { accept_index(&changed) } else { accept_space(&changed) }
        }
        224.. => {
            let Some((options, program)) = decode::<AnyStructure>(rest) else { return };
            let options = Setup::new::<AnyStructure>(options);
            program.run_interrupted(&options, |index| {
                options.read_bytes(&index.to_bytes()).expect("what was written can be read")
            });
        }
    }
}

/// The snapshot of a space with the boxes of an index and with contacts, between two steps.
fn moved(options: AnyOptions, index: &AnyIndex<f32>) -> Vec<u8> {
    let items = index.boxes().into_iter().map(|(_, bounds)| (bounds, 0));
    let mut space = Space::<u8, AnyStructure>::with_items(options, items).expect("valid options and boxes");
    move_on(&mut space);
    space.to_bytes().expect("it can be written")
}

/// Every third thing goes, every third takes the place of the one before.
fn move_on(space: &mut Space<u8, AnyStructure>) {
    space.step_events(&mut Events::default());
    let handles: Vec<_> = space.iter().map(|(handle, _)| handle).collect();
    for three in handles.as_chunks::<3>().0 {
        space.retire(three[0]);
        let bounds = space.bounds(three[1]).expect("it is there");
        space.update(three[2], bounds).expect("it is there");
    }
}

fn accept_index(bytes: &[u8]) {
    if let Ok(index) = Index::<AnyStructure>::from_bytes(bytes) {
        sound::assert_sound(AnyIndex::from(index));
    }
}

fn accept_space(bytes: &[u8]) {
    let Ok(mut space) = Space::<u8, AnyStructure>::from_bytes(bytes) else { return };
    for _ in 0..3 {
        move_on(&mut space);
        space.validate().expect("a sound space");
        space.maintain();
    }
    space.step_events(&mut Events::default());
    assert_eq!(space.contacts().count(), space.pairs().filter(|((a, _), (b, _))| !both_fixed(&space, *a, *b)).count());
}

fn both_fixed(space: &Space<u8, AnyStructure>, a: Handle, b: Handle) -> bool {
    [a, b].into_iter().all(|handle| space.mobility(handle) == Some(Mobility::Fixed))
}

/// Takes a fuzzer's input for changes to the snapshot of a map, followed by what is in its cells.
///
/// # Panics
/// If what is accepted is not sound, or does not stay so.
pub fn tamper_with_map(bytes: &[u8]) {
    let (changes, cells) = bytes.split_at(bytes.len().min(4 * CHANGE));
    let cells: Vec<_> =
        cells.as_chunks::<2>().0.iter().map(|&[x, y]| ([i32::from(x % 37), i32::from(y % 20)], x / 37)).collect();
    let rule = AtMost { objects: 2, slack: 1 };
    let map = RegionQuadtree::from_objects(37, 20, rule, cells.iter().copied()).expect("cells on the map");
    let changed = forge::changed(&map.to_bytes().expect("it can be written"), &changes_in(changes));
    let Ok(mut map) = RegionQuadtree::<u8, AtMost>::from_bytes(&changed) else { return };
    for &(cell, object) in &cells {
        map.remove(cell, object);
        let _ = map.insert(cell, object + 1);
    }
    map.validate().expect("a sound map");
}
