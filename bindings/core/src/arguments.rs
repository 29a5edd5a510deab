//! Arguments of map queries other than cells: links, classes of agents, weights.

use quadrille_paths::{AgentClass, Link, TerrainSet, Weights};

use crate::cells::{MapSize, Number, steps};
use crate::error::Error;

/// Links, five numbers each: from x, y, to x, y, and the steps that it costs.
///
/// # Errors
/// Returns an error if there are not five numbers each, or names the first link that leaves the map or does not cost a
/// whole number of steps.
pub fn links_on<N: Number>(size: MapSize, numbers: &[N]) -> Result<Vec<Link>, Error> {
    if numbers.len() % 5 != 0 {
        let told = format!("a link is five numbers, from x, y, to x, y, steps, but there are {}", numbers.len());
        return Err(Error::value(told));
    }
    let link = |(row, link): (usize, &[N])| {
        let told = |error| Error::value(format!("link {row}: {error}"));
        let from = size.cell([link[0], link[1]], "from").map_err(told)?;
        let to = size.cell([link[2], link[3]], "to").map_err(told)?;
        Ok(Link { from, to, steps: steps(link[4]).map_err(told)? })
    };
    numbers.chunks_exact(5).enumerate().map(link).collect()
}

/// Weights by kind of terrain; the others weigh 1.
///
/// # Errors
/// Returns an error if there are more weights than kinds, or names the first value that is not a whole number from 1
/// up.
pub fn weights_by_kind<N: Number>(numbers: &[N]) -> Result<Weights, Error> {
    let mut weights = [1; TerrainSet::KINDS as usize];
    if numbers.len() > weights.len() {
        let told = format!("{} weights, but kinds of terrain go to {}", numbers.len(), weights.len() - 1);
        return Err(Error::value(told));
    }
    for (kind, (weight, number)) in weights.iter_mut().zip(numbers).enumerate() {
        let told = || Error::value(format!("kind {kind}: a weight is a whole number from 1 on, not {number}"));
        *weight = number.to_u32().filter(|weight| *weight > 0).ok_or_else(told)?;
    }
    Ok(weights)
}

/// The class of agents of a size that walk on some kinds of terrain, one bit each.
pub fn class_of(size: u32, walkable: u64) -> AgentClass {
    let kinds = (0..TerrainSet::KINDS).filter(|kind| walkable >> kind & 1 == 1);
    AgentClass { size, walkable: TerrainSet::of(&kinds.collect::<Vec<_>>()) }
}

#[cfg(test)]
mod tests {
    use quadrille_paths::Cell;

    use super::*;
    use crate::cells::tests::{SIZE, told};

    #[test]
    fn links_are_five_numbers_each() {
        let link = Link { from: Cell::new(8, 4), to: Cell::new(0, 1), steps: 7 };
        assert_eq!(links_on(SIZE, &[8_i64, 4, 0, 1, 7]), Ok(vec![link]));
        assert_eq!(links_on::<i64>(SIZE, &[]), Ok(Vec::new()));
        assert!(told(links_on(SIZE, &[1_i64, 2, 3])).ends_with("but there are 3"));
        let of_two = |second: [i64; 5]| told(links_on(SIZE, &[[0, 0, 1, 1, 1], second].concat()));
        assert_eq!(of_two([9, 0, 1, 1, 1]), "link 1: `from`: cell (9, 0) is not on the map of 9 x 5 cells");
        assert_eq!(of_two([0, 0, 1, 5, 1]), "link 1: `to`: cell (1, 5) is not on the map of 9 x 5 cells");
        assert_eq!(of_two([0, 0, 1, 1, -1]), "link 1: steps are a whole number from 0 to 65535, not -1");
    }

    #[test]
    fn kinds_without_a_weight_weigh_one() {
        assert_eq!(weights_by_kind(&[3.0, 1.0]).map(|weights| weights[..4].to_vec()), Ok(vec![3, 1, 1, 1]));
        assert_eq!(told(weights_by_kind(&[1_i64; 65])), "65 weights, but kinds of terrain go to 63");
        for weight in [0.0, -1.0, 0.5, f64::NAN, 1e10] {
            let told = told(weights_by_kind(&[1.0, weight]));
            assert_eq!(told, format!("kind 1: a weight is a whole number from 1 on, not {weight}"));
        }
    }

    #[test]
    fn classes_are_sets_of_kinds() {
        let class = class_of(2, 0b101);
        assert_eq!((class.size, class.walkable), (2, TerrainSet::of(&[0, 2])));
    }
}
