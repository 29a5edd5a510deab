//! A map on the screen: what the mouse does to it, and what a step and a frame do.

use quadrille::Aabb;
use quadrille_paths::{Cell, Grid, PathMap, Scratch};
use web_time::Duration;

use super::agents::Agents;
use super::built_in::MapKind;
use super::doors::Doors;
use super::file;
use super::frames::Frames;
use super::guide::Guide;
use super::land::{Land, Paint, cell_at, middle};
use super::painted;
use super::route::{Route, timed};
use super::rule::MapRule;
use super::walker::Mood;

/// Fewest and most agents on a map.
pub const WALKERS: std::ops::RangeInclusive<usize> = 0..=5_000;
/// Fewest and most doors that change per second.
pub const DOORS: std::ops::RangeInclusive<u64> = 0..=1_000;
/// Smallest and largest radius of the brush, in cells. The smallest paints a single cell.
pub const BRUSH: std::ops::RangeInclusive<f32> = 0.75..=16.0;

/// Frames for which a new leaf glows.
const GLOW: u8 = 40;
/// Frames for which a broken path is shown: long enough to see where it broke.
const BROKEN: u8 = 120;

/// The agents on a map, as a shared view describes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// How they find their way.
    pub guide: Guide,
    /// How many there are.
    pub walkers: usize,
    /// How many doors open or close per second, if there are doors.
    pub doors: u64,
    /// Where they start and where they go; `None` for two far corners.
    pub ends: Option<[Cell; 2]>,
}

impl Default for Walk {
    fn default() -> Self {
        Self { guide: Guide::Path, walkers: 300, doors: 64, ends: None }
    }
}

/// What the brush does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Walls or floor.
    pub paint: Paint,
    /// In cells.
    pub radius: f32,
}

/// What the mouse holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hand {
    Nothing,
    /// A handle: 0 is the start, 1 the goal.
    End(usize),
    /// The brush, last here.
    Brush([f32; 2]),
}

/// A leaf that has just been made, and the frames for which it still glows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fresh {
    /// Its cells.
    pub rect: Aabb<i32>,
    left: u8,
}

impl Fresh {
    /// How brightly it glows, from 1 down to 0.
    pub fn glow(&self) -> f32 {
        f32::from(self.left) / f32::from(GLOW)
    }
}

/// A map on the screen. Points are in the map's own plane: cell (x, y) is the unit square that begins at (x, y), y
/// down.
#[derive(Clone, Debug)]
pub struct MapMode {
    /// The name of the map or of its file.
    pub title: String,
    seed: u64,
    /// What a shared view says of the agents: ends only if they have been moved.
    pub walk: Walk,
    /// Was it read from a file? Then its cells do not depend on the seed.
    pub(crate) is_from_file: bool,
    /// The map before it was painted on.
    original: Grid,
    /// Cells and region tree.
    pub land: Land,
    doors: Doors,
    /// Path and flow field.
    pub route: Route,
    /// The agents.
    pub walkers: Agents,
    /// The current brush.
    pub brush: Brush,
    hand: Hand,
    /// Leaves that have just been made.
    pub fresh: Vec<Fresh>,
    /// Frames for which a broken path is still shown.
    broken: u8,
    /// How often an edit has broken the path.
    pub path_breaks: u64,
    /// Duration of the last edit; `None` before the first.
    pub edit_took: Option<Duration>,
    /// What frames took.
    pub frames: Frames,
    /// Steps walked.
    pub steps: u64,
}

/// # Life
impl MapMode {
    /// A built-in map.
    pub fn built_in(kind: MapKind, seed: u64, walk: Walk) -> Self {
        let grid = kind.grid(seed).expect("built-in maps have legal sides");
        Self::on(grid, kind.doors(), kind.name().into(), seed, walk).expect("built-in maps have cells")
    }

    /// The map in a file's bytes. The agents' settings stay, but their ends are those of the new map.
    ///
    /// # Errors
    /// Returns an error if it is not a map, or too large to be shown.
    pub fn from_file(name: &str, bytes: &[u8], seed: u64, walk: Walk) -> Result<Self, String> {
        let grid = file::read(name, bytes)?;
        let walk = Walk { ends: None, ..walk };
        let mode = Self::on(grid, Vec::new(), name.into(), seed, walk).expect("maps from files have cells");
        Ok(Self { is_from_file: true, ..mode })
    }

    /// The same with paint on it, in the form of [`painted`](Self::painted). A restart wipes it off.
    pub fn with_painted(mut self, runs: &[u32]) -> Self {
        let grid = painted::change(&self.original, runs);
        self.land = Land::new(grid).expect("it has been a map before");
        let map = &self.land.paths;
        self.route = Route::new(map, self.route.ends, self.walk.guide);
        self.walkers = Agents::new(self.seed, self.walk.walkers, self.walk.guide, map, &self.route);
        self
    }

    fn on(grid: Grid, doors: Vec<Cell>, title: String, seed: u64, walk: Walk) -> Result<Self, quadrille::Error> {
        let land = Land::new(grid.clone())?;
        let route = Route::new(&land.paths, ends(&land.paths, walk.ends), walk.guide);
        let walkers = Agents::new(seed, walk.walkers, walk.guide, &land.paths, &route);
        let brush = Brush { paint: Paint::Wall, radius: 1.5 };
        let (hand, fresh) = (Hand::Nothing, Vec::new());
        Ok(Self {
            title,
            seed,
            walk,
            is_from_file: false,
            original: grid,
            land,
            doors: Doors::new(seed, doors),
            route,
            walkers,
            brush,
            hand,
            fresh,
            broken: 0,
            path_breaks: 0,
            edit_took: None,
            frames: Frames::default(),
            steps: 0,
        })
    }

    /// The map as it was before it was painted on, and all agents at the beginning of their ways.
    pub fn restart(&mut self) {
        let doors = self.doors.cells.to_vec();
        let again = Self::on(self.original.clone(), doors, self.title.clone(), self.seed, self.walk);
        let rule = self.land.rule;
        let Self { brush, is_from_file, .. } = *self;
        *self = Self { brush, is_from_file, ..again.expect("it has been a map before") };
        self.set_rule(rule);
    }

    /// Another rule for the region tree.
    pub fn set_rule(&mut self, rule: MapRule) {
        if rule != self.land.rule {
            self.land.set_rule(rule);
            self.fresh.clear();
        }
    }

    /// Other agents on the map as it has been painted.
    pub fn set_walk(&mut self, walk: Walk, seed: u64) {
        let map = &self.land.paths;
        if walk.ends != self.walk.ends {
            self.route = Route::new(map, ends(map, walk.ends), walk.guide);
        } else if walk.guide != self.walk.guide {
            self.route = Route::new(map, self.route.ends, walk.guide);
        }
        if (walk.guide, walk.walkers, seed) != (self.walk.guide, self.walk.walkers, self.seed) {
            self.walkers = Agents::new(seed, walk.walkers, walk.guide, map, &self.route);
        }
        (self.walk, self.seed) = (walk, seed);
    }

    /// Doors change, and the agents walk one step.
    pub fn step(&mut self) {
        let ((), took) = timed(|| {
            let doors = self.doors.due(self.steps, self.walk.doors);
            if !doors.is_empty() {
                doors.iter().for_each(|door| self.land.toggle(*door));
                self.follow_edits();
            }
            self.walkers.step(&self.land.paths, &self.route, doors.len());
        });
        self.frames.add(took);
        self.steps += 1;
    }

    /// Lets what glows fade: once per frame.
    pub fn fade(&mut self) {
        self.fresh.retain_mut(|fresh| {
            fresh.left -= 1;
            fresh.left > 0
        });
        self.broken = self.broken.saturating_sub(1);
        if self.broken == 0 {
            self.route.broken = None;
        }
    }
}

/// # The mouse
impl MapMode {
    /// The mouse is pressed: it grabs a handle within `reach`, or otherwise uses the brush.
    pub fn press(&mut self, point: [f32; 2], reach: f32) {
        let is_near = |end: &usize| {
            let at = middle(self.route.ends[*end]);
            (at[0] - point[0]).hypot(at[1] - point[1]) <= reach
        };
        // The goal is drawn above the start.
        match [1, 0].into_iter().filter(|_| self.walk.guide.has_ends()).find(is_near) {
            Some(end) => self.hand = Hand::End(end),
            None => {
                self.hand = Hand::Brush(point);
                self.paint([point; 2]);
            }
        }
    }

    /// The mouse moves while pressed.
    pub fn drag(&mut self, point: [f32; 2]) {
        match self.hand {
            Hand::Nothing => {}
            Hand::End(end) => self.move_end(end, point),
            Hand::Brush(last) => {
                self.paint([last, point]);
                self.hand = Hand::Brush(point);
            }
        }
    }

    /// The mouse is released.
    pub fn release(&mut self) {
        self.hand = Hand::Nothing;
    }

    /// A handle follows the mouse to the edge of the map.
    fn move_end(&mut self, end: usize, point: [f32; 2]) {
        let Some(cell) = cell_at(self.land.paths.grid(), point) else { return };
        let mut ends = self.route.ends;
        if ends[end] != cell {
            ends[end] = cell;
            self.set_walk(Walk { ends: Some(ends), ..self.walk }, self.seed);
        }
    }

    fn paint(&mut self, line: [[f32; 2]; 2]) {
        let ((), took) = timed(|| self.paint_line(line));
        self.frames.add(took);
    }

    fn paint_line(&mut self, line: [[f32; 2]; 2]) {
        let (stroke, took) = timed(|| self.land.paint(line, self.brush.radius, self.brush.paint));
        let Some(stroke) = stroke else { return };
        self.edit_took = Some(took);
        self.follow_edits();
        self.fresh.extend(stroke.fresh.iter().map(|leaf| Fresh { rect: leaf.rect, left: GLOW }));
    }

    /// Follows edits of the land: removed leaves no longer glow, and the route is shortest again.
    fn follow_edits(&mut self) {
        let tree = &self.land.tree;
        self.fresh.retain(|old| tree.leaf_at(old.rect.min).is_some_and(|leaf| leaf.rect == old.rect));
        if self.route.follow(&self.land.paths) {
            self.broken = BROKEN;
            self.path_breaks += 1;
        }
    }
}

/// # Looking
impl MapMode {
    /// The cells that have been painted over, in the form of [`painted::difference`]; none on a map from a file, which
    /// others do not have. Doors do not count: they change by themselves.
    pub fn painted(&self) -> Vec<u32> {
        if self.is_from_file {
            return Vec::new();
        }
        let mut now = self.land.paths.grid().clone();
        for &door in &self.doors.cells {
            now.set(door, self.original.is_free(door));
        }
        painted::difference(&self.original, &now)
    }

    /// The doors that open and close by themselves.
    pub fn doors(&self) -> &[Cell] {
        &self.doors.cells
    }

    /// How many agents are in this mood.
    pub fn count(&self, mood: Mood) -> usize {
        self.walkers.places().filter(|place| place.1 == mood).count()
    }

    /// Does something still glow, or is a broken path shown?
    pub const fn is_fading(&self) -> bool {
        !self.fresh.is_empty() || self.broken > 0
    }

    /// The size of the map, as a box.
    pub fn bounds(&self) -> Aabb {
        let grid = self.land.paths.grid();
        Aabb::new([0.0; 2], [grid.width() as f32, grid.height() as f32])
    }
}

/// The requested ends, if they lie on the map; otherwise the cells nearest to two far corners that can be reached from
/// the center.
fn ends(map: &PathMap, asked: Option<[Cell; 2]>) -> [Cell; 2] {
    let grid = map.grid();
    if let Some(ends) = asked.filter(|ends| ends.iter().all(|cell| grid.contains(*cell))) {
        return ends;
    }
    let corners = [Cell::new(0, 0), Cell::new(grid.width() - 1, grid.height() - 1)];
    let from_middle = |cell: &Cell| {
        let [dx, dy] =
            [(cell.x, grid.width()), (cell.y, grid.height())].map(|(at, side)| u64::from((2 * at).abs_diff(side)));
        dx * dx + dy * dy
    };
    let free = grid.bounds().cells().filter(|cell| grid.is_free(*cell));
    let Some(middle) = free.min_by_key(from_middle) else { return corners };
    let mut scratch = Scratch::new();
    corners.map(|corner| {
        map.partial_path(middle, corner, &mut scratch).and_then(|path| path.cells().last().copied()).unwrap_or(middle)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms() -> MapMode {
        MapMode::built_in(MapKind::Rooms, 1, Walk::default())
    }

    #[test]
    fn every_built_in_map_has_a_path_from_corner_to_corner() {
        for &kind in MapKind::ALL {
            for seed in 0..5 {
                let mode = MapMode::built_in(kind, seed, Walk::default());
                let path = mode.route.path().expect("the ends are connected");
                assert!(path.length().as_f64() > 120.0, "{kind}, seed {seed}: {:?}", mode.route.ends);
                assert_eq!(mode.walkers.places().len(), Walk::default().walkers);
            }
        }
    }

    #[test]
    fn the_brush_paints_a_line_and_new_leaves_glow_for_a_while() {
        let mut mode = MapMode::built_in(MapKind::Field, 1, Walk::default());
        mode.press([20.5, 100.5], 1.0);
        mode.drag([100.5, 20.5]);
        mode.release();
        mode.drag([0.5, 0.5]);
        let grid = mode.land.paths.grid();
        assert!((0..=80).all(|at| !grid.is_free(Cell::new(20 + at, 100 - at))));
        assert!(grid.is_free(Cell::new(0, 0)), "nothing is painted with the mouse up");
        assert!(!mode.fresh.is_empty());
        for _ in 0..GLOW {
            mode.fade();
        }
        assert_eq!(mode.fresh, []);
    }

    #[test]
    fn a_wall_across_the_path_shows_the_break_for_a_while() {
        let mut mode = MapMode::built_in(MapKind::Field, 1, Walk::default());
        mode.press([40.0, 90.0], 1.0);
        mode.drag([90.0, 40.0]);
        let upto = mode.route.broken.as_ref().expect("the path led through").upto;
        assert_eq!(upto.x, upto.y, "on the diagonal");
        assert!(mode.route.path().is_some(), "there is a new one");
        for _ in 0..BROKEN {
            mode.fade();
        }
        assert_eq!(mode.route.broken, None);
    }

    #[test]
    fn a_handle_that_is_taken_moves_and_nothing_is_painted() {
        let mut mode = rooms();
        let [start, goal] = mode.route.ends;
        let cells = mode.land.paths.version();
        mode.press(middle(start), 1.0);
        mode.drag([40.5, 60.5]);
        mode.drag([-7.0, 4.0]);
        mode.release();
        assert_eq!(mode.route.ends, [Cell::new(40, 60), goal]);
        assert_eq!(mode.walk.ends, Some([Cell::new(40, 60), goal]), "a shared view has the handles");
        assert_eq!(mode.land.paths.version(), cells);
    }

    #[test]
    fn ends_off_the_map_are_replaced() {
        let asked = Some([Cell::new(500, 2), Cell::new(3, 3)]);
        let mode = MapMode::built_in(MapKind::Rooms, 1, Walk { ends: asked, ..Walk::default() });
        assert_eq!(mode.route.ends, rooms().route.ends);
    }

    #[test]
    fn other_agents_come_to_the_map_as_it_is_painted() {
        let mut mode = rooms();
        mode.press([64.5, 64.5], 0.0);
        let version = mode.land.paths.version();
        mode.set_walk(Walk { guide: Guide::Flow, walkers: 7, ..Walk::default() }, mode.seed);
        assert_eq!((mode.walkers.places().len(), mode.walk.guide), (7, Guide::Flow));
        assert_eq!(mode.land.paths.version(), version);
    }

    #[test]
    fn a_new_start_wipes_off_what_was_painted() {
        let mut mode = rooms();
        let leaves = mode.land.tree.leaf_count();
        mode.press([64.5, 72.5], 0.0);
        mode.drag([70.5, 72.5]);
        mode.step();
        assert_ne!(mode.land.tree.leaf_count(), leaves);
        mode.restart();
        assert_eq!((mode.land.tree.leaf_count(), mode.steps), (leaves, 0));
    }

    #[test]
    fn a_city_works_with_every_guide_and_its_paths_are_exact() {
        for &guide in Guide::ALL {
            let walk = Walk { guide, walkers: 200, doors: 1_000, ..Walk::default() };
            let mut mode = MapMode::built_in(MapKind::City, 1, walk);
            (0..90).for_each(|_| mode.step());
            let map = &mode.land.paths;
            assert!(map.version() > 1_000, "doors have changed: {}", map.version());
            assert_eq!(mode.route.field.is_some(), guide == Guide::Flow, "made only where it is needed");
            let [from, to] = mode.route.ends;
            let fresh = map.path(from, to, &mut Scratch::new()).filter(|_| guide.has_ends());
            assert_eq!(
                mode.route.path().map(quadrille_paths::Path::length),
                fresh.as_ref().map(quadrille_paths::Path::length),
                "{guide}"
            );
            if let Some(field) = &mode.route.field {
                let fresh = quadrille_paths::FlowField::new(map, to, map.grid().bounds());
                let cells = || map.grid().bounds().cells().step_by(7);
                assert!(cells().all(|cell| field.length(cell) == fresh.length(cell)));
            }
            assert!(mode.walkers.places().any(|place| place.1 == Mood::Walking), "{guide}");
            assert_eq!(mode.painted(), [0; 0], "doors are not paint");
            mode.restart();
            assert!(mode.doors().iter().all(|door| mode.land.paths.grid().is_free(*door)));
        }
    }

    #[test]
    fn where_agents_have_goals_of_their_own_there_is_no_handle() {
        let mut mode = rooms();
        let [start, _] = mode.route.ends;
        mode.set_walk(Walk { guide: Guide::Each, ..mode.walk }, mode.seed);
        mode.press(middle(start), 1.0);
        mode.drag([40.5, 60.5]);
        mode.release();
        assert_eq!(mode.route.ends[0], start);
        mode.set_walk(Walk { guide: Guide::Path, ..mode.walk }, mode.seed);
        assert_eq!(
            mode.route.path().and_then(|path| path.cells().first()),
            Some(&start).filter(|_| mode.land.paths.grid().is_free(start))
        );
    }

    #[test]
    fn a_map_without_a_free_cell_is_shown_too() {
        let text = b"type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n";
        let mut mode = MapMode::from_file("full.map", text, 1, Walk::default()).expect("it is a map");
        mode.step();
        assert_eq!((mode.route.path(), mode.count(Mood::Stuck)), (None, Walk::default().walkers));
    }

    #[test]
    fn published_maps_are_shown() {
        for name in ["arena.map", "den312d.map", "maze512-32-0.map"] {
            let Ok(bytes) = std::fs::read(format!("../../../shared/data/paths/{name}")) else {
                eprintln!("skipped: no {name}");
                continue;
            };
            let mut mode = MapMode::from_file(name, &bytes, 1, Walk::default()).expect("it is a map");
            for _ in 0..20 {
                mode.step();
            }
            mode.land.tree.validate().expect("the tree is sound");
            assert!(mode.route.path().is_some(), "{name}");
        }
    }
}
