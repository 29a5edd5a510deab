//! The parameters of all structures in one form: for sliders, for command lines and for the text of a shared view.

use std::ops::RangeInclusive;

use quadrille::Scalar;
use quadrille::structures::{AnyOptions, QuadtreeOptions, StructureKind, Subdivision};

/// What a parameter is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count.
    Whole(u32),
    /// A length in units of the world; `None` follows the data. Cells are square: of others, this is the width.
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

/// Where a structure keeps a parameter.
enum Slot<'o, S> {
    Whole(&'o mut u32),
    Small(&'o mut u8),
    Length(&'o mut Option<[S; 2]>),
}

/// The name and help of each parameter of a structure, its slot, and the end of what a slider offers.
fn slots<S: Scalar>(options: &mut AnyOptions<S>) -> Vec<(&'static str, &'static str, Slot<'_, S>, f32)> {
    const SPLIT: (&str, &str) = ("capacity", "boxes in a leaf before it splits");
    const DEEP: (&str, &str) = ("depth", "steps from the root to the deepest leaf");
    let slot = |(name, help), slot, end| (name, help, slot, end);
    let length = |name, help, side| (name, help, Slot::Length(side), LONGEST_CELL);
    match options {
        AnyOptions::Quadtree(QuadtreeOptions { subdivision: Subdivision::Fixed(levels), .. }) => {
            vec![slot(("fixed", "the world is divided this many times at once"), Slot::Small(levels), 10.0)]
        }
        AnyOptions::Quadtree(QuadtreeOptions {
            subdivision: Subdivision::Adaptive { capacity, max_depth }, ..
        }) => {
            vec![slot(SPLIT, Slot::Whole(capacity), 256.0), slot(DEEP, Slot::Small(max_depth), 24.0)]
        }
        AnyOptions::EnclosingQuadtree(tree) | AnyOptions::LooseQuadtree(tree) => {
            vec![
                slot(SPLIT, Slot::Whole(&mut tree.capacity), 256.0),
                slot(DEEP, Slot::Small(&mut tree.max_depth), 24.0),
            ]
        }
        AnyOptions::Grid(grid) => vec![length("cell", "width and height of the smallest cells", &mut grid.cell)],
        AnyOptions::LooseGrid(grid) => vec![
            length("loose", "width and height of the cells that hold boxes", &mut grid.loose_cell),
            length("tight", "width and height of the cells that find them", &mut grid.tight_cell),
        ],
        _ => Vec::new(),
    }
}

/// The parameters of a structure, in the order in which they are shown and written.
#[must_use]
pub fn parameters(options: &AnyOptions) -> Vec<Parameter> {
    let parameter = |(name, help, slot, end)| {
        let (value, start) = match slot {
            Slot::Whole(value) => (Value::Whole(*value), 1.0),
            Slot::Small(value) => (Value::Whole((*value).into()), 0.0),
            Slot::Length(side) => (Value::Length(side.map(|[width, _]| width)), SHORTEST_CELL),
        };
        Parameter { name, help, value, range: start..=end }
    };
    slots(&mut options.clone()).into_iter().map(parameter).collect()
}

/// Sets a parameter; `false` if the structure has none of this name and kind, or the value does not fit its type. The
/// structure itself decides which values are allowed.
#[must_use]
pub fn set_parameter<S: Scalar + From<f32>>(options: &mut AnyOptions<S>, name: &str, value: Value) -> bool {
    let mut changed = *options;
    if let AnyOptions::Quadtree(QuadtreeOptions { subdivision, .. }) = &mut changed {
        match (name, &subdivision) {
            ("fixed", Subdivision::Adaptive { .. }) => *subdivision = Subdivision::Fixed(0),
            ("capacity" | "depth", Subdivision::Fixed(_)) => {
                *subdivision = QuadtreeOptions::<S>::default().subdivision;
            }
            _ => {}
        }
    }
    let slot = slots(&mut changed).into_iter().find(|(own, ..)| *own == name).map(|(_, _, slot, _)| slot);
    let is_set = match (slot, value) {
        (Some(Slot::Whole(slot)), Value::Whole(value)) => replace(slot, value),
        (Some(Slot::Small(slot)), Value::Whole(value)) => u8::try_from(value).is_ok_and(|value| replace(slot, value)),
        (Some(Slot::Length(slot)), Value::Length(side)) => replace(slot, side.map(|side| [side.into(); 2])),
        _ => false,
    };
    is_set && replace(options, changed)
}

fn replace<T>(slot: &mut T, value: T) -> bool {
    *slot = value;
    true
}

/// The same structure and parameters for coordinates in double precision.
#[must_use]
pub fn in_doubles(options: &AnyOptions) -> AnyOptions<f64> {
    let mut wide = options.kind().into();
    for Parameter { name, value, .. } in parameters(options) {
        assert!(set_parameter(&mut wide, name, value), "a structure has the same parameters in either precision");
    }
    wide
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
/// Returns a sentence that names what is wrong: the structure, the parameter, or the value and the rule it breaks. Each
/// parameter counts: none is given twice with other values, or excludes another.
pub fn read_structure(text: &str) -> Result<AnyOptions, String> {
    let mut parts = text.split(':');
    let kind: StructureKind = parts.next().unwrap_or_default().parse().map_err(|unknown| format!("{unknown}"))?;
    let mut options = kind.into();
    parts.clone().try_for_each(|part| read_parameter(&mut options, part).map(drop))?;
    quadrille::Index::<quadrille::structures::AnyStructure>::new(options).map_err(|error| error.to_string())?;
    for part in parts {
        let mut alone = kind.into();
        let name = read_parameter(&mut alone, part)?;
        let set = parameters(&alone).into_iter().find(|parameter| parameter.name == name);
        if !set.is_some_and(|set| parameters(&options).contains(&set)) {
            return Err(format!("`{part}` has no effect beside the parameters after it"));
        }
    }
    Ok(options)
}

/// Sets the parameter in `NAME=VALUE`, and returns its name.
fn read_parameter<'t>(options: &mut AnyOptions, part: &'t str) -> Result<&'t str, String> {
    let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not NAME=VALUE"))?;
    let whole = value.parse().map(Value::Whole).ok();
    let length = value.parse().map(|side| Value::Length(Some(side))).ok();
    let is_set = [whole, length].into_iter().flatten().any(|value| set_parameter(options, name, value));
    is_set.then_some(name).ok_or_else(|| format!("`{part}` is not a parameter of {}", options.kind()))
}

#[cfg(test)]
mod tests {
    use quadrille::structures::{LooseGridOptions, TreeOptions};

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
    fn parameters_are_the_same_in_double_precision() {
        let deep = read_structure("loose-quadtree:capacity=3:depth=7").expect("it is one");
        let tree = TreeOptions::default().with_capacity(3).with_max_depth(7);
        assert_eq!(in_doubles(&deep), AnyOptions::LooseQuadtree(tree));
        let loose = read_structure("loose-grid:tight=8.25").expect("it is one");
        let grid = LooseGridOptions::default().with_tight_cell(Some([8.25; 2]));
        assert_eq!(in_doubles(&loose), AnyOptions::LooseGrid(grid));
        let fixed = read_structure("quadtree:fixed=5").expect("it is one");
        let subdivided = QuadtreeOptions::default().with_subdivision(Subdivision::Fixed(5));
        assert_eq!(in_doubles(&fixed), AnyOptions::Quadtree(subdivided));
        assert_eq!(in_doubles(&AnyOptions::FrameTree), AnyOptions::FrameTree);
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
            ("quadtree:capacity=3:capacity=4", "`capacity=3` has no effect"),
            ("quadtree:fixed=4:capacity=3", "`fixed=4` has no effect"),
            ("loose-grid:tight=4:loose=4:tight=8", "`tight=4` has no effect"),
            ("", "``"),
        ] {
            let error = read_structure(text).expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
