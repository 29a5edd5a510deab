//! Ways through a tree: to all that a query touches, to what is first, and to all pairs.

pub(super) mod casting;
pub(super) mod descent;
pub(super) mod found;
pub(super) mod in_order;
mod keys;
pub(super) mod narrow;
pub(super) mod pairs;
pub(super) mod search;
mod sought;
pub(super) mod walk;
