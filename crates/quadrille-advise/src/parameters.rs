//! The parameters of all structures in one form: for sliders, for command lines and for the text of a shared view.

use std::ops::RangeInclusive;

use quadrille::structures::{AnyOptions, QuadtreeOptions, StructureKind, Subdivision};

/// What a parameter is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count.
    Whole(u32),
    /// A length in units of the world; `None` follows the data.
    Length(Option<f32>),
}

/// A parameter of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the text of a view.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// What it is set to.
    pub value: Value,
    /// What a slider offers. For a length, in units of the world.
    pub range: RangeInclusive<f32>,
}

/// Longest side of a cell that can be chosen, in units of the world: a hundred agents wide.
const LONGEST_CELL: f32 = 200.0;
/// Shortest side of a cell, in units of the world. Scenes of the 0fps benchmark live in a unit square.
const SHORTEST_CELL: f32 = 0.001;

/// The parameters of a structure, in the order in which they are shown and written.
#[must_use]
pub fn parameters(options: &AnyOptions) -> Vec<Parameter> {
    let whole = |name, help, value: u32, range: RangeInclusive<f32>| Parameter {
        name,
        help,
        value: Value::Whole(value),
        range,
    };
    let capacity = |value| whole("capacity", "boxes in a leaf before it splits", value, 1.0..=256.0);
    let depth = |value: u8| whole("depth", "steps from the root to the deepest leaf", value.into(), 0.0..=24.0);
    let length = |name, help, side: Option<[f32; 2]>| {
        let value = Value::Length(side.map(|[width, _]| width));
        Parameter { name, help, value, range: SHORTEST_CELL..=LONGEST_CELL }
    };
    match options {
        AnyOptions::Quadtree(QuadtreeOptions { subdivision: Subdivision::Fixed(levels), .. }) => {
            vec![whole("fixed", "the world is divided this many times at once", (*levels).into(), 0.0..=10.0)]
        }
        AnyOptions::Quadtree(QuadtreeOptions {
            subdivision: Subdivision::Adaptive { capacity: most, max_depth },
            ..
        }) => {
            vec![capacity(*most), depth(*max_depth)]
        }
        AnyOptions::EnclosingQuadtree(tree) | AnyOptions::LooseQuadtree(tree) => {
            vec![capacity(tree.capacity), depth(tree.max_depth)]
        }
        AnyOptions::Grid(grid) => vec![length("cell", "width and height of the smallest cells", grid.cell)],
        AnyOptions::LooseGrid(grid) => vec![
            length("loose", "width and height of the cells that hold boxes", grid.loose_cell),
            length("tight", "width and height of the cells that find them", grid.tight_cell),
        ],
        _ => Vec::new(),
    }
}

/// Sets a parameter; `false` if the structure has none of this name and kind, or the value does not fit its type. The
/// structure itself decides which values are allowed.
#[must_use]
pub fn set_parameter(options: &mut AnyOptions, name: &str, value: Value) -> bool {
    let small = |value: u32| u8::try_from(value).ok();
    match (options, name, value) {
        (AnyOptions::Quadtree(tree), "fixed", Value::Whole(levels)) => {
            small(levels).map(|levels| tree.subdivision = Subdivision::Fixed(levels)).is_some()
        }
        (AnyOptions::Quadtree(tree), _, Value::Whole(value)) => {
            let Subdivision::Adaptive { capacity, max_depth } = adaptive(tree.subdivision) else { return false };
            let subdivision = match name {
                "capacity" => Some(Subdivision::Adaptive { capacity: value, max_depth }),
                "depth" => small(value).map(|max_depth| Subdivision::Adaptive { capacity, max_depth }),
                _ => None,
            };
            subdivision.map(|subdivision| tree.subdivision = subdivision).is_some()
        }
        (AnyOptions::EnclosingQuadtree(tree) | AnyOptions::LooseQuadtree(tree), "capacity", Value::Whole(value)) => {
            replace(&mut tree.capacity, value)
        }
        (AnyOptions::EnclosingQuadtree(tree) | AnyOptions::LooseQuadtree(tree), "depth", Value::Whole(value)) => {
            small(value).is_some_and(|depth| replace(&mut tree.max_depth, depth))
        }
        (AnyOptions::Grid(grid), "cell", Value::Length(side)) => replace(&mut grid.cell, side.map(square)),
        (AnyOptions::LooseGrid(grid), "loose", Value::Length(side)) => replace(&mut grid.loose_cell, side.map(square)),
        (AnyOptions::LooseGrid(grid), "tight", Value::Length(side)) => replace(&mut grid.tight_cell, side.map(square)),
        _ => false,
    }
}

/// The subdivision if it is adaptive, otherwise the default one.
fn adaptive(subdivision: Subdivision) -> Subdivision {
    match subdivision {
        Subdivision::Fixed(_) => QuadtreeOptions::<f32>::default().subdivision,
        adaptive => adaptive,
    }
}

fn replace<T>(slot: &mut T, value: T) -> bool {
    *slot = value;
    true
}

fn square(side: f32) -> [f32; 2] {
    [side; 2]
}

/// A structure with its parameters as text: `quadtree:capacity=4:depth=10`. Defaults are left out.
#[must_use]
pub fn write_structure(options: &AnyOptions) -> String {
    let usual = parameters(&options.kind().into());
    let unusual = parameters(options).into_iter().filter(|parameter| !usual.contains(parameter));
    unusual.fold(options.kind().to_string(), |text, Parameter { name, value, .. }| match value {
        Value::Whole(value) => format!("{text}:{name}={value}"),
        Value::Length(Some(side)) => format!("{text}:{name}={side}"),
        Value::Length(None) => text,
    })
}

/// Reads what [`write_structure`] writes.
///
/// # Errors
/// Returns a sentence that names what is wrong: the structure, the parameter, or the value and the rule it breaks.
pub fn read_structure(text: &str) -> Result<AnyOptions, String> {
    let mut parts = text.split(':');
    let kind: StructureKind = parts.next().unwrap_or_default().parse().map_err(|unknown| format!("{unknown}"))?;
    let mut options = kind.into();
    for part in parts {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not NAME=VALUE"))?;
        let whole = value.parse().map(Value::Whole).ok();
        let length = value.parse().map(|side| Value::Length(Some(side))).ok();
        let is_set = [whole, length].into_iter().flatten().any(|value| set_parameter(&mut options, name, value));
        if !is_set {
            return Err(format!("`{part}` is not a parameter of {kind}"));
        }
    }
    quadrille::Index::<quadrille::structures::AnyStructure>::new(options).map_err(|error| error.to_string())?;
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_structure_is_read_as_it_is_written() {
        for &kind in StructureKind::ALL {
            assert_eq!(write_structure(&kind.into()), kind.name());
            assert_eq!(read_structure(kind.name()), Ok(kind.into()));
        }
        for text in [
            "quadtree:capacity=3:depth=9", "quadtree:fixed=5", "loose-quadtree:depth=7", "grid:cell=2.5",
            "loose-grid:loose=4:tight=8.25",
        ] {
            assert_eq!(read_structure(text).map(|options| write_structure(&options)).as_deref(), Ok(text));
        }
    }

    #[test]
    fn every_parameter_can_be_set_to_what_its_slider_offers() {
        for &kind in StructureKind::ALL {
            let usual: AnyOptions = kind.into();
            for Parameter { name, value, range, .. } in parameters(&usual) {
                for end in [*range.start(), *range.end()] {
                    let value = match value {
                        Value::Whole(_) => Value::Whole(end as u32),
                        Value::Length(_) => Value::Length(Some(end)),
                    };
                    let mut options = usual;
                    assert!(set_parameter(&mut options, name, value), "{kind} {name}");
                    assert_eq!(read_structure(&write_structure(&options)), Ok(options), "{kind} {name} {end}");
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, named) in [
            ("octree", "`octree`"),
            ("grid:capacity=3", "`capacity=3`"),
            ("quadtree:depth", "`depth`"),
            ("quadtree:depth=-1", "`depth=-1`"),
            ("quadtree:depth=25", "25"),
            ("quadtree:capacity=0", "0"),
            ("grid:cell=nan", "NaN"),
            ("", "``"),
        ] {
            let error = read_structure(text).expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
