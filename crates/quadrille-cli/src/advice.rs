//! The manuals of the structures, as the command prints them.

use std::collections::BTreeMap;

use quadrille::structures::StructureKind;
use quadrille_advise::Manual;
use serde::Serialize;

/// Strengths, limits and costs of a structure.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Advice {
    pub(crate) best_for: &'static str,
    pub(crate) avoid_for: &'static str,
    cost: BTreeMap<&'static str, &'static str>,
    #[serde(skip)]
    manual: Manual,
}

/// Strengths, limits and costs of `kind`.
pub(crate) fn about(kind: StructureKind) -> Advice {
    let manual @ Manual { best_for, avoid_for, cost, .. } = quadrille_advise::manual(kind);
    Advice { best_for, avoid_for, cost: cost.all().into_iter().collect(), manual }
}

impl Advice {
    /// A line for each operation.
    pub(crate) fn costs(&self) -> String {
        let lines = self.manual.cost.all().map(|(operation, cost)| format!("{operation}: {cost}"));
        lines.join("\n")
    }
}
