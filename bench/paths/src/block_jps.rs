//! Block-based jump point search, the strongest rival on maps that change: it stores nothing but bits.
//!
//! D. Harabor and A. Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, 2011, and *Improving Jump Point
//! Search*, 2014: of the latter, rows and columns are scanned 64 cells at a time, and intermediate turning points are
//! passed over. Diagonal steps do not cut corners. If paths of equal length reach a cell from different sides, none
//! is dropped, so it is exact; lengths are counted in whole numbers, and the open list has buckets. An edit
//! is two bits.

use quadrille_paths::{Cell, Direction, Grid, Length};

/// Bits of cells with a border, set where blocked, line after line.
struct Bits {
    words: Vec<u64>,
    stride: usize,
}

impl Bits {
    fn new(columns: u32, lines: u32) -> Self {
        let stride = (columns as usize + 2).div_ceil(64);
        // A word before and after: scans look into the neighbor of the word they stand in.
        Self { words: vec![u64::MAX; stride * (lines as usize + 2) + 2], stride }
    }

    fn set(&mut self, column: usize, line: usize, is_blocked: bool) {
        let word = &mut self.words[1 + line * self.stride + column / 64];
        *word = *word & !(1 << (column % 64)) | u64::from(is_blocked) << (column % 64);
    }

    fn get(&self, column: usize, line: usize) -> bool {
        self.words[1 + line * self.stride + column / 64] >> (column % 64) & 1 == 1
    }

    /// 64 bits of a line from a column on.
    #[inline]
    fn ahead(&self, column: usize, line: usize) -> u64 {
        let (index, shift) = (1 + line * self.stride + column / 64, column % 64);
        self.words[index] >> shift | self.words[index + 1] << 1 << (63 - shift)
    }

    /// 64 bits of a line up to a column, which is the highest of them.
    #[inline]
    fn behind(&self, column: usize, line: usize) -> u64 {
        let (index, shift) = (1 + line * self.stride + column / 64, column % 64);
        self.words[index] << (63 - shift) | self.words[index - 1] >> 1 >> shift
    }

    /// How many steps forward to a cell where a path may have to turn; `None` if a wall comes first. `goal` steps count
    /// as such.
    #[inline]
    fn jump_ahead(&self, column: usize, line: usize, goal: usize) -> Option<usize> {
        let mut steps = 0;
        loop {
            // Bit i stands for the cell i steps behind the last one looked at.
            let at = column + steps;
            let (above, here, below) = (self.ahead(at, line - 1), self.ahead(at, line), self.ahead(at, line + 1));
            let forced = (above << 1 & !above) | (below << 1 & !below);
            let stops = (forced | here) & !1;
            if stops != 0 {
                let first = stops.trailing_zeros() as usize;
                return landing(steps + first, here >> first & 1 == 1, goal);
            }
            if goal <= steps + 63 {
                return Some(goal);
            }
            steps += 63;
        }
    }

    /// The same backward.
    #[inline]
    fn jump_behind(&self, column: usize, line: usize, goal: usize) -> Option<usize> {
        let mut steps = 0;
        loop {
            let at = column - steps;
            let (above, here, below) = (self.behind(at, line - 1), self.behind(at, line), self.behind(at, line + 1));
            let forced = (above >> 1 & !above) | (below >> 1 & !below);
            let stops = (forced | here) & !(1 << 63);
            if stops != 0 {
                let first = stops.leading_zeros() as usize;
                return landing(steps + first, here << first >> 63 == 1, goal);
            }
            if goal <= steps + 63 {
                return Some(goal);
            }
            steps += 63;
        }
    }
}

/// How far a jump leads that is stopped after some steps, perhaps by a wall.
#[inline]
fn landing(stop: usize, is_wall: bool, goal: usize) -> Option<usize> {
    if goal < stop { Some(goal) } else { (!is_wall).then_some(stop) }
}

/// What is known of a cell.
#[derive(Clone, Copy, Default)]
struct Node {
    search: u32,
    parent: u32,
    length: Length,
    /// Directions to jump in, and those jumped in with this length.
    pending: u8,
    done: u8,
}

/// The search with its map.
pub struct BlockJps {
    width: u32,
    height: u32,
    rows: Bits,
    columns: Bits,
    nodes: Vec<Node>,
    search: u32,
    buckets: Vec<Vec<u32>>,
    base: u64,
    current: usize,
    goal: Cell,
    best: Option<Length>,
}

/// A step of length 1 and a diagonal one in fixed point, and the width of a bucket, a quarter.
const ONE: u64 = 1 << 34;
const ROOT: u64 = 24_296_004_000;
const BUCKET_SHIFT: u32 = 32;

fn fixed(length: Length) -> u64 {
    u64::from(length.straight) * ONE + u64::from(length.diagonal) * ROOT
}

fn octile(a: Cell, b: Cell) -> Length {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    Length { straight: dx.abs_diff(dy), diagonal: dx.min(dy) }
}

fn bit(way: Direction) -> u8 {
    1 << way as u8
}

impl BlockJps {
    pub fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut jps = Self {
            width,
            height,
            rows: Bits::new(width, height),
            columns: Bits::new(height, width),
            nodes: vec![Node::default(); width as usize * height as usize],
            search: 0,
            buckets: Vec::new(),
            base: 0,
            current: 0,
            goal: Cell::new(0, 0),
            best: None,
        };
        grid.bounds().cells().for_each(|cell| jps.set(cell, grid.is_free(cell)));
        jps
    }

    /// Frees or blocks a cell: two bits.
    pub fn set(&mut self, cell: Cell, free: bool) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        self.rows.set(x, y, !free);
        self.columns.set(y, x, !free);
    }

    fn is_free(&self, x: i64, y: i64) -> bool {
        !self.rows.get((x + 1) as usize, (y + 1) as usize)
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// Start, turning points, goal; none if there is no path. Laying the cells between them is left to the caller.
    pub fn turns(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        if !self.is_free(from.x.into(), from.y.into()) || !self.is_free(to.x.into(), to.y.into()) {
            return Vec::new();
        }
        if from == to {
            return vec![from];
        }
        self.begin(from, to);
        while let Some(item) = self.pop() {
            self.expand(item);
        }
        if self.best.is_none() {
            return Vec::new();
        }
        let mut cells = vec![to];
        while let Some(&cell) = cells.last().filter(|cell| **cell != from) {
            let parent = self.nodes[self.index(cell)].parent;
            cells.push(Cell::new(parent % self.width, parent / self.width));
        }
        cells.reverse();
        cells
    }

    fn begin(&mut self, from: Cell, to: Cell) {
        self.search += 1;
        self.buckets.iter_mut().for_each(Vec::clear);
        (self.goal, self.best, self.current) = (to, None, 0);
        self.base = fixed(octile(from, to));
        let (index, search) = (self.index(from), self.search);
        self.nodes[index] = Node { search, parent: index as u32, length: Length::ZERO, pending: u8::MAX, done: 0 };
        self.push(from, Length::ZERO);
    }

    fn bucket(&self, length: Length) -> usize {
        (fixed(length).saturating_sub(self.base) >> BUCKET_SHIFT) as usize
    }

    fn push(&mut self, cell: Cell, length: Length) {
        let total = length + octile(cell, self.goal);
        if self.best.is_some_and(|best| total >= best) {
            return;
        }
        let (bucket, index) = (self.bucket(total), self.index(cell));
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(index as u32);
        self.current = self.current.min(bucket);
    }

    fn pop(&mut self) -> Option<u32> {
        let last = self.best.map_or(usize::MAX, |best| self.bucket(best) + 1);
        while self.current <= last {
            if let Some(item) = self.buckets.get_mut(self.current)?.pop() {
                return Some(item);
            }
            self.current += 1;
        }
        None
    }

    fn expand(&mut self, item: u32) {
        let cell = Cell::new(item % self.width, item / self.width);
        let node = &mut self.nodes[item as usize];
        let ways = node.pending & !node.done;
        let length = node.length;
        if ways == 0 || self.best.is_some_and(|best| length + octile(cell, self.goal) >= best) {
            return;
        }
        node.done |= ways;
        for way in Direction::ALL.into_iter().filter(|way| ways & bit(*way) != 0) {
            if way.is_diagonal() {
                self.jump_diagonally(item, cell, length, way);
            } else {
                self.jump_straight(item, cell, cell, length, way);
            }
        }
    }

    /// Jumps from a cell that is `length` from the start and opens what it comes to, as a child of `parent`.
    fn jump_straight(&mut self, item: u32, parent: Cell, from: Cell, length: Length, way: Direction) {
        let (x, y) = (from.x as usize + 1, from.y as usize + 1);
        let (dx, dy) = (i64::from(self.goal.x) - i64::from(from.x), i64::from(self.goal.y) - i64::from(from.y));
        let to_goal = |along: i64, aside: i64| if aside == 0 && along > 0 { along as usize } else { usize::MAX };
        let steps = match way {
            Direction::East => self.rows.jump_ahead(x, y, to_goal(dx, dy)),
            Direction::West => self.rows.jump_behind(x, y, to_goal(-dx, dy)),
            Direction::South => self.columns.jump_ahead(y, x, to_goal(dy, dx)),
            _ => self.columns.jump_behind(y, x, to_goal(-dy, dx)),
        };
        if let Some(steps) = steps {
            let (dx, dy) = way.delta();
            let cell =
                Cell::new(from.x.wrapping_add_signed(dx * steps as i32), from.y.wrapping_add_signed(dy * steps as i32));
            debug_assert!(cell.x < self.width && cell.y < self.height && parent.x < self.width);
            let length = Length { straight: length.straight + steps as u32, ..length };
            self.open(item, cell, length, way);
        }
    }

    /// Walks a diagonal and jumps along both its axes at each step: turning points are passed over.
    fn jump_diagonally(&mut self, item: u32, parent: Cell, mut length: Length, way: Direction) {
        let (dx, dy) = way.delta();
        let (horizontal, vertical) =
            (way.turned(if dx == -dy { 1 } else { 7 }), way.turned(if dx == -dy { 7 } else { 1 }));
        let (mut x, mut y) = (i64::from(parent.x), i64::from(parent.y));
        let (dx, dy) = (i64::from(dx), i64::from(dy));
        while self.is_free(x + dx, y) && self.is_free(x, y + dy) && self.is_free(x + dx, y + dy) {
            (x, y) = (x + dx, y + dy);
            length.diagonal += 1;
            let cell = Cell::new(x as u32, y as u32);
            if cell == self.goal {
                return self.open(item, cell, length, way);
            }
            self.jump_straight(item, parent, cell, length, horizontal);
            self.jump_straight(item, parent, cell, length, vertical);
        }
    }

    /// Notes a way to a cell, unless a shorter one is known, and where a path that came straight may go on from there.
    fn open(&mut self, item: u32, cell: Cell, length: Length, way: Direction) {
        let ways = self.ways_on(cell, way);
        let (index, search) = (self.index(cell), self.search);
        let node = &mut self.nodes[index];
        let is_known = node.search == search;
        if is_known && (node.length < length || node.length == length && ways & !node.pending == 0) {
            return;
        }
        if is_known && node.length == length {
            node.pending |= ways;
        } else {
            *node = Node { search, parent: item, length, pending: ways, done: 0 };
        }
        if cell == self.goal {
            self.best = Some(self.best.map_or(length, |best| best.min(length)));
        } else {
            self.push(cell, length);
        }
    }

    /// Straight on, and around the end of a wall that was beside the last step.
    fn ways_on(&self, cell: Cell, way: Direction) -> u8 {
        if way.is_diagonal() {
            return 0;
        }
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (dx, dy) = way.delta();
        let (back_x, back_y) = (x - i64::from(dx), y - i64::from(dy));
        [2, 6].into_iter().fold(bit(way), |ways, eighths| {
            let aside = way.turned(eighths);
            let (ax, ay) = aside.delta();
            let (ax, ay) = (i64::from(ax), i64::from(ay));
            let is_forced = !self.is_free(back_x + ax, back_y + ay) && self.is_free(x + ax, y + ay);
            let between = way.turned(if eighths == 2 { 1 } else { 7 });
            if is_forced { ways | bit(aside) | bit(between) } else { ways }
        })
    }
}
