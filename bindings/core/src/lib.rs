//! **The common part of the packages for other languages.** It checks arrays of numbers row by row, and returns answers
//! as arrays.
//!
//! | file | what it is for |
//! |---|---|
//! | `error` | mistakes of callers, with the row and the value |
//! | `rows` | an array of numbers read as boxes or points, without a copy |
//! | `call` | how a call works: until its caller stops it, with errors when memory runs out |
//! | `threads` | work divided among threads, with the answers of one |
//! | `among` | which boxes a query finds |
//! | `queries` | queries about many rows at once, answered as arrays |
//! | `curve` | rows in the order of a Z curve |
//! | `collection` | boxes under ids that move, come and go, with events |
//! | `join` | pairs of arrays in one call, without keeping an index |
//! | `neighbors` | lists of neighbors, around a box that wraps too |
//! | `seams` | a box that wraps: how far points are apart in it, and images of points beyond its seams |
//! | `skin` | lists of neighbors that are kept while nothing moves far |
//! | `cells` | cells of maps as numbers, rules by name, paths in one list |
//! | `arguments` | links, classes of agents and weights as numbers |
//! | `ground` | a map of cells or of terrain, and what is kept for the agents of the last query |
//! | `requests` | requests for paths, named by numbers |
//! | `shapes` | joins of true shapes given as well-known binary |
//! | `near` | what is near each other on the earth |
//! | `earth` | points and boxes in degrees that are near each other on the earth |
//! | `keep` | the best of what overlaps: non-maximum suppression and decluttering |
//! | `tests` | answers about generated boxes, hashed to the same number everywhere |
//!
//! The structure is chosen by name at run time ([`quadrille::structures::StructureKind`]) and the scalar by the type of
//! the array. Every query is one function per scalar over [`quadrille::structures::AnyStructure`]: each one is compiled
//! for seven structures and three scalars. A package that has to be small names a few structures itself.

mod among;
mod arguments;
mod call;
mod cells;
mod collection;
mod curve;
#[cfg(feature = "shapes")]
mod earth;
mod error;
mod flow;
mod ground;
mod join;
mod keep;
#[cfg(feature = "shapes")]
mod near;
mod neighbors;
mod queries;
mod requests;
mod rows;
mod seams;
#[cfg(feature = "shapes")]
mod shapes;
mod skin;
#[cfg(test)]
mod tests;
mod threads;

pub use arguments::{class_of, links_on, weights_by_kind};
pub use call::{Call, Pulse, room};
pub use cells::{
    CellPaths, MapSize, Number, Reaching, check_room_for_cells, goals_begun, path_along, path_on, paths_between,
};
pub use collection::{AnyCollection, Collection, PairsApart};
#[cfg(feature = "shapes")]
pub use earth::{Degrees, within_on_earth};
pub use error::{Error, ErrorKind};
pub use flow::Flow;
pub use ground::{Agent, Ground, Working};
pub use join::{Apart, pairs, pairs_between, within, within_between};
pub use keep::{declutter, suppress};
pub use neighbors::{Wanted, neighbors};
pub use quadrille::internals::is_free;
pub use queries::{
    Answers, Nearest, cast, cast_one, nearest, nearest_into, nodes, pairs_in, pairs_into, pairs_with_into, query,
    query_into, query_visit, within_each, within_into,
};
pub use requests::{Answered, Requests};
pub use rows::{Rows, boxes_of_rows, check_amount, check_queries, check_stored};
pub use seams::Seams;
#[cfg(feature = "shapes")]
pub use shapes::{Metric, Shapes};
pub use skin::NeighborList;
pub use threads::Threads;
