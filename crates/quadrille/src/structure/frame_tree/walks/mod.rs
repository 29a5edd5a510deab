//! Ways through a tree: to all that a query touches, to what is first, and to all pairs.

pub(super) mod around;
mod casting;
mod descent;
mod found;
pub(super) mod in_order;
mod keys;
mod narrow;
pub(super) mod pairs;
pub(super) mod search;
mod walk;
