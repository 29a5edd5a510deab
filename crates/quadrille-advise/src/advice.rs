//! The measurements, and the best structure.

use quadrille::Scalar;
use quadrille::structures::AnyOptions;

use crate::operation::Operation;

/// Milliseconds per frame for each operation measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times([Option<f64>; Operation::ALL.len()]);

impl Times {
    /// The median over all frames; `None` if the operation was not requested.
    #[must_use]
    pub fn of(&self, operation: Operation) -> Option<f64> {
        self.0[operation as usize]
    }

    /// The sum of all medians: a frame.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().flatten().sum()
    }

    pub(crate) fn set(&mut self, operation: Operation, ms: f64) {
        self.0[operation as usize] = Some(ms);
    }
}

/// The measurements of one structure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row<S = f32> {
    /// The structure, with its default options.
    pub options: AnyOptions<S>,
    /// Times per frame.
    pub ms: Times,
    /// Bytes held after the last frame, including the boxes.
    pub bytes: usize,
    /// How many times as long a frame took as with the best; 1 for the best.
    pub ratio: f64,
}

impl<S: Scalar> Row<S> {
    /// A line of Rust that makes such an index, empty: `Index::<LooseGrid>::default()`.
    #[must_use]
    pub fn code(&self) -> String {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let name: String = self.options.kind().name().split('-').map(capital).collect();
        match std::any::type_name::<S>() {
            "f32" => format!("Index::<{name}>::default()"),
            scalar => format!("Index::<{name}<{scalar}>>::default()"),
        }
    }
}

/// The measurements, and what they recommend.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Advice<S = f32> {
    /// Everything that was tried, the fastest first.
    pub rows: Vec<Row<S>>,
    /// The first of the rows.
    pub best: Row<S>,
}

impl<S: Scalar> Advice<S> {
    /// `None` if there are no rows.
    pub(crate) fn new(mut rows: Vec<Row<S>>) -> Option<Self> {
        rows.sort_by(|a, b| a.ms.total().total_cmp(&b.ms.total()));
        let least = rows.first()?.ms.total();
        for row in &mut rows {
            // If nothing took any time, all are as good as the best.
            row.ratio = if least > 0.0 { row.ms.total() / least } else { 1.0 };
        }
        let best = *rows.first()?;
        Some(Self { rows, best })
    }
}
