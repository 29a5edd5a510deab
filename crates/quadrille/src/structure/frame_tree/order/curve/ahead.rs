//! Sorting everything in a few frames, while the old order serves.

use alloc::vec::Vec;
use core::mem::swap;

use super::{Curve, Grid, for_each_crowd, id_of, spread_of_packs};
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::memory::clone_by_field;
use crate::radix::sort_numbers;
use crate::storage::{Boxes, NONE, bytes_of, make_room};
use crate::structure::frame_tree::order::levels::Sixteen;

/// The frames that it takes: two list the boxes, half of them each, one for each digit of their keys sorts them, and one
/// writes the order.
pub(in super::super::super) const STEPS: u32 = 3 + u32::BITS / DIGIT;

/// Bits by which a step sorts. More: fewer steps, and with a million boxes each takes three times as long.
const DIGIT: u32 = 8;

/// An order that is being made. It tells where boxes were in the first steps; order determines speed, never answers.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super::super) struct Ahead {
    /// The step that is next; none between two orders.
    pub(in super::super::super) next: u32,
    grid: Option<Grid>,
    /// All boxes with their keys.
    list: Vec<u64>,
    /// Slots there were when all boxes had been listed. If there are more, boxes have strayed.
    slots: usize,
}

clone_by_field!([] Ahead { next, grid, list, slots });

impl Ahead {
    pub(in super::super::super) fn is_begun(&self) -> bool {
        self.next > 0
    }

    pub(in super::super::super) fn steps_left(&self) -> u32 {
        STEPS + 1 - self.next.max(1)
    }

    pub(in super::super::super) fn begin(&mut self) {
        self.next = self.next.max(1);
    }

    /// What has been done is no longer of use. Memory is kept.
    pub(in super::super::super) fn clear(&mut self) {
        self.list.clear();
        (self.next, self.grid) = (0, None);
    }

    pub(in super::super::super) fn is_nearly_done(&self) -> bool {
        self.next == STEPS
    }

    /// Have boxes gone to new slots since all were listed?
    pub(in super::super::super) fn have_strayed(&self, slots: usize) -> bool {
        slots > self.slots
    }

    pub(in super::super::super) fn bytes(&self) -> [usize; 2] {
        bytes_of(&self.list)
    }

    /// After two steps, the boxes in use are listed, whose ids ascend here.
    pub(in super::super::super) fn validate(&self, stored: impl Iterator<Item = u32>) -> Result<(), Corruption> {
        let mut listed: Vec<u32> = self.list.iter().map(|&one| id_of(one)).collect();
        listed.sort_unstable();
        let is_sound = match self.next {
            0..=2 => true,
            next => next <= STEPS && self.grid.is_some() && stored.eq(listed),
        };
        Corruption::unless(is_sound, || "the next order is not one of all boxes".into())?;
        self.grid.map_or(Ok(()), |grid| grid.validate())
    }
}

impl Curve {
    /// Takes the next step to another order, given the grid of the present one. After the last one, returns the grid by which
    /// boxes are in order.
    pub(in super::super::super) fn go_ahead<S: Scalar>(
        &mut self,
        ahead: &mut Ahead,
        grid: Option<Grid>,
        (boxes, packs, size): (&Boxes<S>, &[Sixteen<S>], [f64; 2]),
        order: &mut Vec<u32>,
    ) -> Option<Grid> {
        // The memory goes there with the first step, and back with the last.
        if ahead.next > 1 {
            swap(&mut self.list, &mut ahead.list);
        }
        let half = packs.len() / 2;
        let (first, second) = order.split_at(half * LANES);
        match ahead.next {
            1 => {
                ahead.grid = Grid::new(spread_of_packs(packs), size).or(grid);
                make_room(&mut self.list, order.len() + LANES);
                self.list_all(&ahead.grid?, boxes, Some(packs), first);
            }
            2 => {
                let listed = first.iter().copied().filter(|&id| id != NONE);
                if listed.eq(self.list.iter().map(|&one| id_of(one))) {
                    ahead.grid?.locate(boxes, Some(&packs[half..]), second, &mut self.list);
                } else {
                    self.list_all(&ahead.grid?, boxes, Some(packs), order);
                }
                ahead.slots = order.len();
            }
            STEPS => {
                let Self { list, crowds, .. } = self;
                for_each_crowd(u32::BITS, list, |at, place| crowds.push(at..at + place.len()));
                order.truncate(boxes.len());
                self.write_list(boxes, size, order);
                return ahead.grid;
            }
            next => {
                let digit = u32::BITS + (next - 3) * DIGIT;
                sort_numbers(&mut self.list, &mut self.spare, digit..digit + DIGIT);
            }
        }
        swap(&mut self.list, &mut ahead.list);
        ahead.next += 1;
        None
    }
}
