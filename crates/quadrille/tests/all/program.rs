//! Random programs: what the property tests and the fuzz targets have in common.
//!
//! A program is decoded from bytes, so that the input of a fuzzer and the case of a property test are the same thing.
//! Every step takes [`STEP_BYTES`] bytes; taking a step out leaves the others as they are, and zeros mean the simplest,
//! which is what shrinking needs.

use std::fmt;

use quadrille::{Aabb, Scalar};

use crate::any_index::{AnyIndex, Setup};
use crate::landscape::Landscape;
use crate::twins::Twins;

pub(crate) const STEP_BYTES: usize = 11;

/// Steps on two sets of boxes. Their answers are compared with the oracle's after each step.
#[derive(Clone)]
pub(crate) struct Program<S>(Vec<Step<S>>);

#[derive(Clone, Copy)]
struct Step<S> {
    action: Action<S>,
    /// Which box the action is about: the id is this modulo a little more than there are ids, so some are unknown.
    pick: u8,
    /// What is queried afterward, besides the picked box.
    asked: Aabb<S>,
}

#[derive(Clone, Copy, Debug)]
enum Action<S> {
    /// The box may be invalid.
    Insert(Aabb<S>),
    /// The box may be invalid.
    Update(Aabb<S>),
    /// An update by an offset that is small in most landscapes.
    Nudge([S; 2]),
    Remove,
    Maintain,
    Clear,
    Reserve,
    /// Rebuild, in bulk, from the present boxes.
    Rebuild,
    /// A frame of this many boxes, placed from these bytes on.
    SetAll(Landscape, [u8; 4], u8),
    /// The other set becomes the one that is worked on.
    SwapSets,
}

impl<S: Scalar> Program<S> {
    /// The program that the steps' bytes stand for in `landscape`.
    pub(crate) fn decode(landscape: Landscape, steps: &[[u8; STEP_BYTES]]) -> Self {
        Self(steps.iter().map(|bytes| Step::decode(landscape, *bytes)).collect())
    }

    /// Runs the program on what `options` make and the oracle.
    ///
    /// # Panics
    /// If they do not agree, or `validate` finds a fault.
    pub(crate) fn run(&self, options: &Setup<S>) {
        let (mut this, mut other) = (Twins::empty(options), Twins::empty(options));
        for step in &self.0 {
            let id = step.apply(options, &mut this, &mut other);
            this.agree_on_contents();
            this.agree_about(step.asked);
            if let Some(own) = this.oracle.get(id) {
                this.agree_about(own);
            }
            this.agree_on_pairs();
            this.agree_on_neighbors();
            this.agree_on_pairs_with(&other);
        }
    }

    /// Runs the program on what `options` make, twice. One of the two is interrupted: every few steps, what `restore`
    /// makes of its index takes the place of the index.
    ///
    /// # Panics
    /// If the two do not go on alike, to the order of their answers.
    pub(crate) fn run_interrupted(&self, options: &Setup<S>, restore: impl Fn(&AnyIndex<S>) -> AnyIndex<S>) {
        let start = || [Twins::empty(options), Twins::empty(options)];
        let ([mut this, mut other], [mut interrupted, mut other_interrupted]) = (start(), start());
        for step in &self.0 {
            if step.pick % 4 == 0 {
                interrupted.subject = restore(&interrupted.subject);
            }
            step.apply(options, &mut this, &mut other);
            step.apply(options, &mut interrupted, &mut other_interrupted);
            this.is_alike(&interrupted, step.asked);
        }
    }

    /// The index that the program leaves behind.
    #[cfg_attr(not(feature = "snapshot"), expect(dead_code, reason = "only snapshots are made of it"))]
    pub(crate) fn result(&self, options: &Setup<S>) -> AnyIndex<S> {
        let (mut this, mut other) = (Twins::empty(options), Twins::empty(options));
        for step in &self.0 {
            step.apply(options, &mut this, &mut other);
        }
        this.subject
    }
}

/// A line a step, however the formatter is configured.
impl<S: Scalar> fmt::Debug for Program<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { action, pick, asked } in &self.0 {
            write!(f, "\n  {action:?} (pick {pick}), then ask about {asked:?}")?;
        }
        Ok(())
    }
}

impl<S: Scalar> Step<S> {
    /// Does what the step says and returns the id it was about.
    fn apply(&self, options: &Setup<S>, this: &mut Twins<S>, other: &mut Twins<S>) -> u32 {
        let id = u32::from(self.pick) % this.oracle.iter().last().map_or(1, |(last, _)| last + 3);
        self.action.apply(id, options, this, other);
        id
    }

    fn decode(landscape: Landscape, bytes: [u8; STEP_BYTES]) -> Self {
        let [action, pick, a, b, c, d, e, f, g, h, kind] = bytes;
        let bounds = landscape.place([a, b, c, d]);
        let action = match action {
            0..110 => Action::Insert(bounds),
            110..150 => Action::Update(bounds),
            150..190 => Action::Nudge([a, b].map(|byte| S::from_f64((f64::from(byte) - 128.0) / 64.0))),
            190..225 => Action::Remove,
            225..237 => Action::Maintain,
            237..242 => Action::SwapSets,
            242..244 => Action::Rebuild,
            244..246 => Action::SetAll(landscape, [a, b, c, d], kind / 2),
            246..248 => Action::Reserve,
            248 => Action::Clear,
            249..252 => Action::Insert(spoilt(bounds, kind)),
            252..=255 => Action::Update(spoilt(bounds, kind)),
        };
        let asked = match kind {
            0..245 => landscape.place([e, f, g, h]),
            245..250 => Aabb::EVERYTHING,
            250..=255 => spoilt(landscape.place([e, f, g, h]), kind),
        };
        Self { action, pick, asked }
    }
}

/// A box with one fault: an inverted axis, or NaN or an infinity in a corner (where the scalar has them).
fn spoilt<S: Scalar>(bounds: Aabb<S>, kind: u8) -> Aabb<S> {
    let Aabb { mut min, mut max } = bounds;
    let axis = usize::from(kind & 1);
    match kind >> 1 & 3 {
        0 => (min[axis], max[axis]) = (S::HIGHEST, S::LOWEST),
        1 => min[axis] = S::from_f64(f64::NAN),
        2 => max[axis] = S::from_f64(f64::NAN),
        _ => max[axis] = S::HIGHEST,
    }
    Aabb::new(min, max)
}

impl<S: Scalar> Action<S> {
    fn apply(self, id: u32, options: &Setup<S>, this: &mut Twins<S>, other: &mut Twins<S>) {
        match self {
            Self::Insert(bounds) => assert_eq!(this.insert(bounds).is_ok(), bounds.is_valid()),
            Self::Update(bounds) => {
                let expected = this.oracle.get(id).filter(|_| bounds.is_valid());
                assert_eq!(this.update(id, bounds).ok(), expected);
            }
            Self::Nudge(offset) => {
                let Some(old) = this.oracle.get(id) else { return };
                let moved = old.with_offset(offset);
                assert_eq!(this.update(id, moved).is_ok(), moved.is_valid());
            }
            Self::Remove => assert_eq!(this.oracle.get(id), this.remove(id)),
            Self::Maintain => this.maintain(),
            Self::Clear => this.clear(),
            Self::Reserve => this.subject.reserve(id as usize),
            Self::Rebuild => {
                let boxes: Vec<_> = this.oracle.iter().map(|(_, bounds)| bounds).collect();
                *this = Twins::holding(options, &boxes);
            }
            Self::SetAll(landscape, [a, b, c, d], len) => {
                let at = |k: u8| [a, b, c, d].map(|byte| byte.wrapping_add(k.wrapping_mul(37)));
                this.set_all(&(0..len).map(|k| landscape.place(at(k))).collect::<Vec<_>>());
            }
            Self::SwapSets => std::mem::swap(this, other),
        }
    }
}
