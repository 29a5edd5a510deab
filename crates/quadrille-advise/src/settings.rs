//! Options in words, in Rust, and as data: those that differ from the defaults.

use std::fmt::{self, Write};

use quadrille::{
    AnyOptions, GridOptions, LooseGridOptions, QuadtreeOptions, Scalar, StructureKind, Subdivision, TreeOptions,
};

/// An option that differs from its default: the name of the field and its value.
pub type Setting<S> = (&'static str, Value<S>);

/// The value of a [`Setting`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<S = f32> {
    /// A capacity, a depth.
    Number(u32),
    /// Width and height of a cell.
    Cell([S; 2]),
    /// How a [`Quadtree`](quadrille::Quadtree) divides.
    Subdivision(Subdivision),
}

/// The options that the search changes, where they differ from the defaults.
pub(crate) fn of<S: Scalar>(options: &AnyOptions<S>) -> Vec<Setting<S>> {
    let usual = settings(&options.kind().into());
    settings(options).into_iter().filter(|setting| !usual.contains(setting)).collect()
}

fn settings<S: Scalar>(options: &AnyOptions<S>) -> Vec<Setting<S>> {
    let cell = |name, cell: Option<[S; 2]>| cell.map(|cell| (name, Value::Cell(cell)));
    match *options {
        AnyOptions::Quadtree(QuadtreeOptions { subdivision, .. }) => {
            vec![("subdivision", Value::Subdivision(subdivision))]
        }
        AnyOptions::EnclosingQuadtree(TreeOptions { capacity, max_depth, .. })
        | AnyOptions::LooseQuadtree(TreeOptions { capacity, max_depth, .. }) => {
            vec![("capacity", Value::Number(capacity)), ("max_depth", Value::Number(max_depth.into()))]
        }
        AnyOptions::Grid(GridOptions { cell: side, .. }) => cell("cell", side).into_iter().collect(),
        AnyOptions::LooseGrid(LooseGridOptions { loose_cell, tight_cell, .. }) => {
            [cell("loose_cell", loose_cell), cell("tight_cell", tight_cell)].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// The structure's name and its settings, in a few words.
pub(crate) fn describe<S: Scalar>(options: &AnyOptions<S>) -> String {
    let mut words = options.kind().to_string();
    for (name, value) in of(options) {
        let _ = match value {
            Value::Number(number) => write!(words, ", {name} {number}"),
            Value::Cell([x, y]) => write!(words, ", {name} {x} x {y}"),
            Value::Subdivision(Subdivision::Adaptive { capacity, max_depth }) => {
                write!(words, ", capacity {capacity}, max_depth {max_depth}")
            }
            Value::Subdivision(Subdivision::Fixed(1)) => write!(words, ", divided once"),
            Value::Subdivision(Subdivision::Fixed(depth)) => write!(words, ", divided {depth} times"),
        };
    }
    words
}

/// A line of Rust that makes an empty index with these options.
pub(crate) fn code<S: Scalar>(options: &AnyOptions<S>) -> String {
    let name = type_name(options.kind());
    let scalar = match std::any::type_name::<S>() {
        "f32" => String::new(),
        other => format!("<{other}>"),
    };
    let settings: String = of(options).iter().map(|(name, value)| format!(".with_{name}({value})")).collect();
    let tree = matches!(options.kind(), StructureKind::EnclosingQuadtree | StructureKind::LooseQuadtree);
    let family = if tree { "Tree" } else { name.as_str() };
    if settings.is_empty() {
        format!("Index::<{name}{scalar}>::default()")
    } else {
        format!("Index::<{name}{scalar}>::new({family}Options::default(){settings})?")
    }
}

/// `loose-grid` is `LooseGrid`.
fn type_name(kind: StructureKind) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    kind.name().split('-').map(capital).collect()
}

impl<S: Scalar> fmt::Display for Value<S> {
    /// The value in Rust.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Cell(cell) => write!(f, "{cell:?}"),
            Self::Subdivision(subdivision) => write!(f, "Subdivision::{subdivision:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::{BruteForce, EnclosingQuadtree, Error, Grid, Index, LooseGrid, LooseQuadtree, Quadtree};

    /// The line of Rust for the options, compared with one that is compiled and makes an index with these very options.
    macro_rules! compiles {
        ($any:expr, $options:expr, $($code:tt)+) => {{
            let options = $options;
            let written = code(&$any(options));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&written), bare(stringify!($($code)+)));
            let index = $($code)+;
            assert_eq!(index.options(), options);
        }};
    }

    #[test]
    #[rustfmt::skip]
    fn the_line_of_rust_compiles_and_means_the_options() -> Result<(), Error> {
        let brute_force = |()| AnyOptions::<f32>::BruteForce;
        compiles!(brute_force, (), Index::<BruteForce>::default());
        compiles!(AnyOptions::Grid, GridOptions::<i32>::default(), Index::<Grid<i32>>::default());
        compiles!(
            AnyOptions::Quadtree, QuadtreeOptions::<f32>::default().with_subdivision(Subdivision::Fixed(5)),
            Index::<Quadtree>::new(QuadtreeOptions::default().with_subdivision(Subdivision::Fixed(5)))?
        );
        compiles!(
            AnyOptions::Quadtree, QuadtreeOptions::<f64>::default().with_subdivision(Subdivision::Adaptive { capacity: 4, max_depth: 16 }),
            Index::<Quadtree<f64>>::new(QuadtreeOptions::default().with_subdivision(Subdivision::Adaptive { capacity: 4, max_depth: 16 }))?
        );
        compiles!(
            AnyOptions::EnclosingQuadtree, TreeOptions::<f32>::default().with_max_depth(7),
            Index::<EnclosingQuadtree>::new(TreeOptions::default().with_max_depth(7))?
        );
        compiles!(
            AnyOptions::LooseQuadtree, TreeOptions::<f32>::default().with_capacity(4).with_max_depth(7),
            Index::<LooseQuadtree>::new(TreeOptions::default().with_capacity(4).with_max_depth(7))?
        );
        compiles!(
            AnyOptions::Grid, GridOptions::<f32>::default().with_cell([1e30, 0.25]),
            Index::<Grid>::new(GridOptions::default().with_cell([1e30, 0.25]))?
        );
        compiles!(
            AnyOptions::LooseGrid, LooseGridOptions::<f32>::default().with_loose_cell([2.0, 3.0]),
            Index::<LooseGrid>::new(LooseGridOptions::default().with_loose_cell([2.0, 3.0]))?
        );
        compiles!(
            AnyOptions::LooseGrid, LooseGridOptions::<i32>::default().with_tight_cell([2, 3]),
            Index::<LooseGrid<i32>>::new(LooseGridOptions::default().with_tight_cell([2, 3]))?
        );
        Ok(())
    }

    #[test]
    fn descriptions_name_what_is_not_usual() {
        let described = [
            (AnyOptions::<f32>::default(), "frame-tree"),
            (AnyOptions::Grid(GridOptions::default().with_cell([2.0, 0.5])), "grid, cell 2 x 0.5"),
            (
                AnyOptions::Quadtree(QuadtreeOptions::default().with_subdivision(Subdivision::Fixed(5))),
                "quadtree, divided 5 times",
            ),
            (
                AnyOptions::LooseQuadtree(TreeOptions::default().with_capacity(4).with_max_depth(16)),
                "loose-quadtree, capacity 4",
            ),
        ];
        for (options, words) in described {
            assert_eq!(describe(&options), words);
        }
    }
}
