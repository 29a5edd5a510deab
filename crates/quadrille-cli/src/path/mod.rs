//! `quadrille path`: shortest paths on maps, one at a time or from a benchmark file.

mod map_file;
mod picture;
mod published;
mod single;

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use quadrille_paths::benchmark::Method;
use quadrille_paths::{Cell, CostRule};

use crate::failure::Failure;
use crate::names;
use crate::output::{self, Target};

/// Find a shortest path on a map, or check all paths of a benchmark file.
///
/// A map is a MovingAI file (`type octile`: `.`, `G` and `S` are free) or a PNG picture in which dark pixels are walls.
/// Lengths are exact: steps are counted, and a diagonal step counts as the square root of two.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("query").args(["from", "scen", "trace"]))]
pub(crate) struct FindPath {
    /// The map; not needed with --trace, which has its own
    #[arg(conflicts_with = "trace")]
    map: Option<PathBuf>,
    /// Start: column and row, counted from 0 at the top left
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    from: Option<Cell>,
    /// Goal: column and row
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from", conflicts_with_all = ["scen", "trace"])]
    to: Option<Cell>,
    /// Pull the path taut: the shortest path in any direction, not only along steps; it is drawn instead of the
    /// stepwise path
    #[arg(long, conflicts_with_all = ["scen", "trace"])]
    smooth: bool,
    /// Draw the map, the quads of its region quadtree and the path; for a benchmark file, the last query, on the map at
    /// that point
    #[arg(long, value_name = "FILE", value_parser = output::picture("png"))]
    png: Option<Target>,
    /// Which steps are allowed: octile: eight directions, a diagonal step needs both cells beside it free;
    /// octile-one-side: it needs one of them; octile-cutting: it may cut corners; manhattan: four directions
    #[arg(long, value_name = "RULE", default_value = "octile", value_parser = names::one_of(&CostRule::ALL, CostRule::name), conflicts_with_all = ["scen", "trace"])]
    cost: CostRule,
    /// Size of the agent in cells; it extends to the right and down from its position
    #[arg(long, value_name = "CELLS", default_value_t = 1, value_parser = names::number(1..=u32::MAX), allow_negative_numbers = true, conflicts_with_all = ["scen", "trace"])]
    agent_size: u32,
    /// Run all queries of a benchmark file and compare with its published lengths
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,
    /// Replay a trace of map changes and queries (the competition's dynamic track) and compare with its published
    /// lengths
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The patch file of the trace [default: beside the trace, under the name it states or its own name with the extension
    /// .patch]
    #[arg(long, value_name = "FILE", requires = "trace", conflicts_with_all = ["map", "from", "scen"])]
    patch: Option<PathBuf>,
    /// Run only the first N queries of a file
    #[arg(long, value_name = "N", value_parser = names::number(1..=u32::MAX), allow_negative_numbers = true, conflicts_with = "from")]
    limit: Option<u32>,
    /// Search algorithm
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Search::Exact)]
    method: Search,
    /// Write statistics as JSON; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
If a length differs from the published one, or a row starts or ends on a blocked cell, the exit
code is 1 after all rows have been run. That there is no path is an answer: exit code 0.

Examples:
  quadrille path arena.map --from 1,11 --to 1,12
  quadrille path city.png --from 3,4 --to 90,60 --png path.png
  quadrille path arena.map --from 1,11 --to 40,30 --cost manhattan --agent-size 2
  quadrille path city.png --from 3,4 --to 90,60 --smooth --png taut.png
  quadrille path arena.map --scen arena.map.scen
  quadrille path city.map --scen city.map.scen --method astar --limit 100
  quadrille path --trace dynamic.scen --patch dynamic.patch --json figures.json
  quadrille path --trace dynamic.scen --limit 40 --png fortieth.png";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Search {
    /// From corner to corner of the walls
    Exact,
    /// Plain A* from cell to cell, for comparison
    Astar,
}

impl Search {
    /// The name of what it expands.
    fn node(self) -> &'static str {
        match self {
            Self::Exact => "corner",
            Self::Astar => "cell",
        }
    }
}

impl From<Search> for Method {
    fn from(search: Search) -> Self {
        match search {
            Search::Exact => Self::Exact,
            Search::Astar => Self::AStar,
        }
    }
}

impl FindPath {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let inputs = [&self.map, &self.scen, &self.trace, &self.patch];
        let inputs: Vec<_> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
        output::check(&[&self.png, &self.json], &inputs)?;
        match self {
            Self { trace: Some(trace), .. } => published::replay(self, trace),
            Self { map: Some(map), scen: Some(scen), .. } => published::run(self, map, scen),
            Self { map: Some(map), from: Some(from), to: Some(to), .. } => single::run(self, map, *from, *to),
            Self { map: None, .. } => Err(Failure::Bad("no map: give MAP or --trace".into())),
            _ => Err(Failure::Bad("no query: give --from and --to, or --scen".into())),
        }
    }
}

/// Reads a cell as written on the command line.
fn cell(text: &str) -> Result<Cell, String> {
    let numbers = text.split_once(',').map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match numbers {
        Some((Ok(x), Ok(y))) => Ok(Cell::new(x, y)),
        _ => Err("expected column and row, such as 3,4".into()),
    }
}
