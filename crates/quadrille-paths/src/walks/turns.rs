//! In which directions a search continues from a corner: the canonical order of steps.
//!
//! Only one of all shortest paths between two cells on open ground is searched: first along the diagonal, then straight
//! (under the Manhattan rule first along the row, then along the column). A straight path continues straight, and turns
//! only around the end of a wall that was beside it. D. Harabor and A. Grastien, *Online Graph Pruning for Pathfinding
//! on Grid Maps*, AAAI 2011, whose pruning rules these are; N. Sturtevant and S. Rabin, *Canonical Orderings on Grids*,
//! IJCAI 2016.
//!
//! A straight *direction* out of a cell is a walk along it. A diagonal one represents a quadrant: a walk along the
//! diagonal (Manhattan: along the row), with straight walks from each of its steps.

use std::sync::LazyLock;

use crate::grid::{CostRule, Direction};

/// A set of directions, one bit each in the order of `Direction::ALL`.
pub(crate) type Directions = u8;

/// The directions that a shortest path may take, by the walls around a cell and the direction of the last step into it.
pub(crate) type Turns = [[Directions; 8]; 256];

/// The table for a rule, computed at its first use.
pub(crate) fn turns(rule: CostRule) -> &'static Turns {
    static TABLES: [LazyLock<Turns>; 4] = [
        LazyLock::new(|| compute(CostRule::Octile)),
        LazyLock::new(|| compute(CostRule::OctileCutting)),
        LazyLock::new(|| compute(CostRule::OctileOneSide)),
        LazyLock::new(|| compute(CostRule::Manhattan)),
    ];
    &TABLES[rule as usize]
}

/// The directions out of a corner among these walls, after any last step.
pub(crate) fn exits(turns: &Turns, walls: u8) -> Directions {
    // A step in the same direction is not a turn: nothing ends here, so no such walk has stopped here.
    let turns = turns[usize::from(walls)].iter().enumerate();
    turns
        .filter(|(arrival, directions)| **directions & !natural_directions(*arrival) != 0)
        .fold(0, |all, (_, directions)| all | directions)
}

/// Where an unobstructed walk continues: straight ahead, and from a diagonal step also along its two axes.
fn natural_directions(arrival: usize) -> Directions {
    let direction = Direction::ALL[arrival];
    if direction.is_diagonal() {
        bit(direction) | bit(direction.turned(1)) | bit(direction.turned(7))
    } else {
        bit(direction)
    }
}

const fn bit(direction: Direction) -> Directions {
    1 << direction as u8
}

fn compute(rule: CostRule) -> Turns {
    core::array::from_fn(|walls| {
        let is_wall = |direction: Direction| walls >> direction as u8 & 1 == 1;
        core::array::from_fn(|arrival| {
            let direction = Direction::ALL[arrival];
            // Per side, relative to the step: the cells ahead of it, beside it and behind it.
            let forced = [1, 7].into_iter().map(|side| {
                let turned = |eighths: usize| direction.turned(side * eighths);
                let (before, beside, behind) = (turned(1), turned(2), turned(3));
                match rule {
                    CostRule::Octile if !direction.is_diagonal() && is_wall(behind) && !is_wall(beside) => {
                        bit(before) | bit(beside)
                    }
                    CostRule::OctileCutting | CostRule::OctileOneSide
                        if !direction.is_diagonal() && is_wall(beside) && !is_wall(before) =>
                    {
                        bit(before)
                    }
                    CostRule::OctileCutting | CostRule::OctileOneSide
                        if direction.is_diagonal() && is_wall(behind) && !is_wall(beside) =>
                    {
                        bit(beside)
                    }
                    CostRule::Manhattan if !direction.is_diagonal() && is_wall(behind) && !is_wall(beside) => {
                        bit(before) | bit(behind)
                    }
                    _ => 0,
                }
            });
            natural_directions(arrival) | forced.fold(0, |all, directions| all | directions)
        })
    })
}
