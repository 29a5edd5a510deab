//! Answers about boxes that are computed, hashed to one number per structure and scalar. The JavaScript package's tests
//! make the same boxes and queries and compare with the same file: WebAssembly answers as this machine does, bit by bit
//! and in the same order.
//!
//! `GOLDEN=write cargo test -p quadrille-bindings everywhere` rewrites the file.

use std::fmt::Write;

use quadrille::Scalar;
use quadrille::structures::StructureKind;

use crate::{AnyCollection, Call, Rows, nearest, pairs_in, query};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
const BOXES: usize = 300;
const FRAMES: usize = 6;

/// Marsaglia's xorshift, which takes three lines in JavaScript too: the golden numbers follow from it.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// In steps of 2^-16, from 0 to less than `end`: exact in every scalar.
    fn below(&mut self, end: u32) -> f64 {
        f64::from(self.next() % (end << 16)) / 65536.0
    }
}

/// FNV-1a over words.
struct Hash(u32);

impl Hash {
    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ word).wrapping_mul(16_777_619);
    }

    fn number(&mut self, number: f64) {
        let bits = number.to_bits();
        self.word(bits as u32);
        self.word((bits >> 32) as u32);
    }
}

fn played<S: Scalar>(kind: StructureKind, from: fn(f64) -> S) -> u32 {
    let (mut random, mut hash) = (Random(2_463_534_242), Hash(2_166_136_261));
    let mut all = AnyCollection::<S>::new(kind, Rows::Boxes(&[]), None).unwrap();
    let mut rows = [from(0.0); 4 * BOXES];
    for frame in 0..FRAMES {
        for row in rows.chunks_exact_mut(4) {
            let (x, y, width, height) = (random.below(64), random.below(64), random.below(2), random.below(2));
            row.copy_from_slice(&[x, y, x + width, y + height].map(from));
        }
        let count = BOXES - frame * 7;
        all.update(Rows::Boxes(&rows[..4 * count]), None).unwrap();
        pairs_in(all.index(), Call::default())
            .unwrap()
            .iter()
            .for_each(|&(a, b)| [a, b].into_iter().for_each(|id| hash.word(id)));
        let changes = all.events();
        for (a, b) in changes.begin.into_iter().chain(changes.end) {
            hash.word(a);
            hash.word(b);
        }
        let asked = [random.below(60), random.below(60)];
        let asked = [asked[0], asked[1], asked[0] + 4.0, asked[1] + 4.0].map(from);
        let found = query(all.index(), Rows::Boxes(&asked), None, Call::default()).unwrap();
        found.ids.into_iter().for_each(|id| hash.word(id));
        let found = nearest(all.index(), Rows::Points(&asked[..2]), 9, None, None, Call::default()).unwrap();
        found.ids.into_iter().for_each(|id| hash.word(id));
        found.ranks.into_iter().for_each(|distance| hash.number(distance));
    }
    hash.0
}

#[test]
fn answers_are_the_same_everywhere() {
    let mut lines = String::new();
    for &kind in StructureKind::ALL {
        let (single, double) = (played::<f32>(kind, |x| x as f32), played::<f64>(kind, |x| x));
        writeln!(lines, "{} float32 {single}\n{} float64 {double}", kind.name(), kind.name()).unwrap();
    }
    if std::env::var_os("GOLDEN").is_some() {
        std::fs::write(FILE, &lines).unwrap();
    }
    assert_eq!(lines, std::fs::read_to_string(FILE).unwrap());
}
