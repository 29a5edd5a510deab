//! The queries for the contenders, and the check of their answers.

use quadrille_advise::Clock;
use quadrille_paths::movingai::Command;
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Direction, Grid, GridError, Length};

use crate::MEMORY;
use crate::contenders::{Contender, ENTRIES, Entry};
use crate::maps::{Draw, Map, Recording};
use crate::times::Times;

/// How often the same queries are run; the least time counts, because other programs only add to it.
const ROUNDS: usize = 3;
/// How many cells are changed, and changed back, each with a query after it.
const EDITS: u32 = 20;
/// How many queries without an answer are run.
const HOPELESS: usize = 10;

/// The outcome of one task for one contender.
pub struct Outcome {
    pub task: &'static str,
    pub map: String,
    pub entry: Entry,
    /// Microseconds, each change or query by itself.
    pub times: Times,
    pub answers: Answers,
    /// What it took to be ready, where that was measured.
    pub room: Option<Room>,
}

impl Outcome {
    /// What is wrong with the answers. `hierarchical_pathfinding` may miss a path after an edit; the column tells.
    pub fn fault(&self) -> Option<String> {
        let Self { task, map, entry, answers, .. } = self;
        let missing = if entry.name.starts_with("hierarchical") { 0 } else { answers.missing };
        let is_wrong = answers.illegal + missing > 0;
        is_wrong.then(|| {
            format!("{task}, {map}: {} has {missing} paths missing and {} illegal", entry.name, answers.illegal)
        })
    }
}

/// What a contender takes before and beside its answers.
#[derive(Clone, Copy)]
pub struct Room {
    pub build_ms: f64,
    /// Held after all queries, its copy of the map included.
    pub bytes: usize,
}

/// How good answers were.
#[derive(Clone, Default)]
pub struct Answers {
    pub asked: usize,
    /// No path where there is one.
    pub missing: usize,
    /// Steps that its rule does not allow, wrong ends, a path where there is none, or one shorter than the shortest.
    pub illegal: usize,
    /// How much longer than a shortest path under its rule the others are, 0.01 being a hundredth.
    pub longer: Vec<f64>,
}

/// The lengths of shortest paths with and without cutting corners.
#[derive(Clone, Copy)]
struct Truth([Option<Length>; 2]);

impl Truth {
    fn find(astar: &mut AStar, grid: &Grid, (from, to): (Cell, Cell)) -> Self {
        Self([CostRule::Octile, CostRule::OctileCutting].map(|rule| Some(astar.path(grid, rule, from, to)?.length())))
    }

    fn under(self, rule: CostRule) -> Option<Length> {
        self.0[usize::from(rule == CostRule::OctileCutting)]
    }
}

impl Answers {
    fn note(&mut self, entry: &Entry, grid: &Grid, (from, to): (Cell, Cell), cells: &[Cell], truth: Truth) {
        self.asked += 1;
        let ends_are_right = (cells.first(), cells.last()) == (Some(&from), Some(&to));
        match (walk(cells, grid, entry.rule).filter(|_| ends_are_right), truth.under(entry.rule)) {
            (_, None) if cells.is_empty() => {}
            (_, Some(_)) if cells.is_empty() => self.missing += 1,
            (Some(length), Some(shortest)) if length >= shortest => {
                let excess = length.as_f64() / shortest.as_f64() - 1.0;
                self.longer.push(if length == shortest { 0.0 } else { excess });
            }
            _ => self.illegal += 1,
        }
    }
}

/// The length of a path, if each step is legal.
fn walk(cells: &[Cell], grid: &Grid, rule: CostRule) -> Option<Length> {
    cells.windows(2).try_fold(Length::ZERO, |length, step| {
        let way = Direction::between(step[0], step[1]).filter(|way| grid.can_step(step[0], *way, rule))?;
        let (straight, diagonal) = if way.is_diagonal() { (0, 1) } else { (1, 0) };
        Some(length + Length { straight, diagonal })
    })
}

/// Microseconds that this thread was running, where the system reports them. Reading the clock, which takes about one on
/// a virtual machine, is not deducted.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let clock = Clock::start();
    let result = work();
    (clock.ms() * 1e3, result)
}

/// The same from the map's cells to one in its middle that has been walled in.
pub fn hopeless(map: &Map) -> Vec<Outcome> {
    let (mut grid, middle) = (map.grid.clone(), Cell::new(map.grid.width() / 2, map.grid.height() / 2));
    grid.fill(CellRect::new(middle.x - 1, middle.y - 1, 3, 3), false);
    grid.set(middle, true);
    let starts = map.queries.iter().rev().map(|(from, _)| *from).filter(|from| grid.is_free(*from) && *from != middle);
    let queries = starts.take(HOPELESS).map(|from| (from, middle)).collect();
    queries_of("no path", &Map { name: map.name.clone(), grid, queries }, &ENTRIES)
}

/// Queries on a map that does not change.
pub fn queries(map: &Map, entries: &[Entry]) -> Vec<Outcome> {
    queries_of("queries", map, entries)
}

fn queries_of(task: &'static str, Map { name, grid, queries }: &Map, entries: &[Entry]) -> Vec<Outcome> {
    let held = || MEMORY.stats().bytes_allocated - MEMORY.stats().bytes_deallocated;
    let mut astar = AStar::new();
    let truths: Vec<Truth> = queries.iter().map(|ends| Truth::find(&mut astar, grid, *ends)).collect();
    let run = |entry: &Entry| {
        let mut times = Times::unknown(queries.len());
        let mut answers = Answers::default();
        let before = held();
        let (build_us, mut contender) = timed(|| (entry.make)(grid, entry.rule));
        for round in 0..ROUNDS {
            for (at, ((from, to), truth)) in queries.iter().zip(&truths).enumerate() {
                let (us, cells) = timed(|| contender.path(*from, *to));
                times.least(at, us);
                if round == 0 {
                    answers.note(entry, grid, (*from, *to), &cells, *truth);
                }
            }
        }
        let noted = answers.longer.capacity() * size_of::<f64>();
        let room = Room { build_ms: build_us / 1e3, bytes: held() - before - noted };
        Outcome { task, map: name.clone(), entry: *entry, times, answers, room: Some(room) }
    };
    entries.iter().map(run).collect()
}

/// A change and the query after it.
struct Step {
    rect: CellRect,
    /// The map after the change.
    after: Grid,
    ends: (Cell, Cell),
    truth: Truth,
}

/// One changed cell.
pub const ONE_CELL: [&str; 3] = ["one cell: change", "one cell: query", "one cell: both"];

/// A building of 9 × 9 cells, and its end.
pub const BUILDING: [&str; 3] = ["building: change", "building: query", "building: both"];

/// Changed cells, then a query: alternately anywhere, and in the middle of the path that is queried.
pub fn edits(map: &Map, names: [&'static str; 3]) -> Vec<Outcome> {
    let margin = if names == BUILDING { 4 } else { 0 };
    let (mut astar, mut random, mut steps) = (AStar::new(), Draw::new(3), Vec::new());
    for (index, ends) in (0..EDITS).zip(map.queries.iter().rev().cycle()) {
        let path = astar.path(&map.grid, CostRule::Octile, ends.0, ends.1);
        let middle = path.filter(|_| index % 2 == 0).map(|path| path.cells()[path.cells().len() / 2]);
        let cell = middle.unwrap_or_else(|| random.cell(&map.grid));
        let (left, top, side) = (cell.x.saturating_sub(margin), cell.y.saturating_sub(margin), 2 * margin + 1);
        let rect = CellRect::new(left, top, side, side).clamped(map.grid.width(), map.grid.height());
        if rect.contains(ends.0) || rect.contains(ends.1) {
            continue;
        }
        let mut after = map.grid.clone();
        rect.cells().for_each(|cell| after.set(cell, margin == 0 && !after.is_free(cell)));
        for after in [after, map.grid.clone()] {
            let truth = Truth::find(&mut astar, &after, *ends);
            steps.push(Step { rect, after, ends: *ends, truth });
        }
    }
    let round = |entry: &Entry| {
        let (mut contender, mut run) = ((entry.make)(&map.grid, entry.rule), Changing::default());
        // Working memory grows with the first query.
        contender.path(steps[0].ends.0, steps[0].ends.1);
        for step in &steps {
            run.change(&mut *contender, step.rect, &|cell| step.after.is_free(cell));
            run.ask(&mut *contender, entry, &step.after, step.ends, step.truth);
        }
        run
    };
    let run = |entry: &Entry| {
        let least = (1..ROUNDS).fold(round(entry), |least, _| least.or_less(&round(entry)));
        least.outcomes(names, &map.name, entry)
    };
    ENTRIES.iter().flat_map(run).collect()
}

/// A trace of the competition's dynamic track. The last outcome of a contender is the sum of all its times.
pub fn trace(recording: &Recording) -> Result<Vec<Outcome>, GridError> {
    let open = Grid::open(recording.trace.width(), recording.trace.height())?;
    let lay = |grid: &mut Grid, patch: usize, at: Cell| {
        let patch = &recording.patches[patch];
        patch.rect(at).cells().for_each(|cell| grid.set(cell, patch.is_free(cell, at)));
    };
    let (mut grid, mut astar, mut truths) = (open.clone(), AStar::new(), Vec::new());
    for command in recording.trace.commands() {
        match *command {
            Command::Patch { patch, at } => lay(&mut grid, patch, at),
            Command::Query(query) => truths.push(Truth::find(&mut astar, &grid, (query.from, query.to))),
        }
    }
    let run = |entry: &Entry| {
        let (mut grid, mut truths) = (open.clone(), truths.iter());
        let (mut contender, mut run) = ((entry.make)(&open, entry.rule), Changing::default());
        for command in recording.trace.commands() {
            match *command {
                Command::Patch { patch, at } => {
                    lay(&mut grid, patch, at);
                    let patch = &recording.patches[patch];
                    run.change(&mut *contender, patch.rect(at), &|cell| patch.is_free(cell, at));
                }
                Command::Query(query) => {
                    let Some(truth) = truths.next() else { break };
                    run.ask(&mut *contender, entry, &grid, (query.from, query.to), *truth);
                }
            }
        }
        let total = run.changes.iter().chain(&run.queries).sum();
        let [changes, queries, mut all] =
            run.outcomes(["trace: changes", "trace: queries", "trace: total"], &recording.name, entry);
        all.times = Times(vec![total]);
        [changes, queries, all]
    };
    Ok(ENTRIES.iter().flat_map(run).collect())
}

/// Times and answers on a map that changes.
#[derive(Default)]
struct Changing {
    changes: Vec<f64>,
    queries: Vec<f64>,
    /// Whether there was a change since the last query.
    is_changed: bool,
    answers: Answers,
}

impl Changing {
    fn change(&mut self, contender: &mut dyn Contender, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        self.changes.push(timed(|| contender.edit(rect, is_free)).0);
        self.is_changed = true;
    }

    /// Runs the query. What the changes before it have left for later counts as part of the last change.
    fn ask(
        &mut self,
        contender: &mut dyn Contender,
        entry: &Entry,
        grid: &Grid,
        (from, to): (Cell, Cell),
        truth: Truth,
    ) {
        if let Some(last) = self.changes.last_mut().filter(|_| std::mem::take(&mut self.is_changed)) {
            *last += timed(|| contender.settle()).0;
        }
        let (us, cells) = timed(|| contender.path(from, to));
        self.queries.push(us);
        self.answers.note(entry, grid, (from, to), &cells, truth);
    }

    /// Of each change and the query after it, those that took less time in this round or in another one.
    fn or_less(mut self, other: &Self) -> Self {
        for step in 0..self.changes.len() {
            if other.changes[step] + other.queries[step] < self.changes[step] + self.queries[step] {
                (self.changes[step], self.queries[step]) = (other.changes[step], other.queries[step]);
            }
        }
        self
    }

    fn outcomes(self, [changes, queries, both]: [&'static str; 3], map: &str, entry: &Entry) -> [Outcome; 3] {
        let sums = self.changes.iter().zip(&self.queries).map(|(change, query)| change + query).collect();
        [(changes, self.changes), (queries, self.queries), (both, sums)].map(|(task, times)| Outcome {
            task,
            map: map.into(),
            entry: *entry,
            times: Times(times),
            answers: self.answers.clone(),
            room: None,
        })
    }
}
