//! The picture of a map: the leaves of its region tree, the flow field, paths, agents.
//!
//! Walls are drawn as the leaves that contain them: the picture *is* the tree. Its y points up, the map's down.

use eframe::egui::{Align2, Color32, FontId, Painter, Rect, Stroke};
use quadrille::Aabb;
use quadrille::region::Leaf;
use quadrille_paths::{Cell, CellRect, Path};

use super::land::{from_cell, middle, square, to_cell};
use super::mode::MapMode;
use super::raster;
use super::walker::Mood;
use crate::camera::Camera;
use crate::render::{Disc, Line, Picture, Rectangle};
use crate::theme::{BLUE, GREEN, ORANGE, PURPLE, SKY, Theme, VERMILION, YELLOW, scale};

/// Most rectangles of a flow field; if there are more cells, each rectangle represents several.
const MOST_SAMPLES: u32 = 20_000;
/// Cells this small, in points of the screen, are not drawn one by one.
const SMALL: f32 = 1.0;
/// Leaves are drawn if a cell is at least this long on the screen, in points. Below that, walls are an image: leaves
/// would be too many and too small to be seen.
const LEAVES_FROM: f32 = 2.0;
/// The smallest side of a door, in points of the screen.
const LEAST_DOOR: f32 = 3.0;
/// Radius of an agent, in cells, and the least one, in points of the screen.
const AGENT: f32 = 0.3;
const LEAST_AGENT: f32 = 1.6;
/// Radius of a handle, in points of the screen.
pub(crate) const HANDLE: f32 = 11.0;

/// From the plane of a map to that of its picture, and back: one is the other upside down.
pub fn flip(mode: &MapMode, [x, y]: [f32; 2]) -> [f32; 2] {
    [x, mode.bounds().max[1] - y]
}

/// What a map is drawn on: paper, or from far away an image of its walls. `shown` and `points` are as in [`add_map`].
pub fn sheet(mode: &MapMode, theme: Theme, shown: &Aabb, points: f32) -> Picture {
    if points >= LEAVES_FROM {
        return Picture::on(theme.paper(), shown);
    }
    let plane = Aabb::from_corners(flip(mode, shown.min), flip(mode, shown.max));
    let image = raster::image(mode.land.paths.grid(), &plane, points, [theme.paper(), wall(theme)]);
    Picture { image: Some(image), ..Picture::default() }
}

/// Adds all of a map but its [`sheet`] and its handles. `shown` is the part of the picture's plane that is seen,
/// `points` how long a cell is on the screen.
pub fn add_map(picture: &mut Picture, mode: &MapMode, theme: Theme, shown: &Aabb, points: f32) {
    let (a, b) = (flip(mode, shown.min), flip(mode, shown.max));
    let pen = Pen { mode, theme, points, shown: Aabb::from_corners(a, b) };
    pen.add_field(picture);
    if points >= LEAVES_FROM {
        pen.add_leaves(picture);
    } else {
        pen.add_rim(picture);
    }
    pen.add_fresh(picture);
    pen.add_doors(picture);
    pen.add_paths(picture);
    pen.add_agents(picture);
}

/// Draws the two handles, above everything else.
pub fn paint_handles(painter: &Painter, mode: &MapMode, camera: Camera, screen: Rect, theme: Theme) {
    if !mode.walk.guide.has_ends() {
        return;
    }
    for (cell, letter) in mode.route.ends.into_iter().zip(["A", "B"]) {
        let place = camera.project(screen, flip(mode, middle(cell)));
        let is_free = mode.land.paths.grid().is_free(cell);
        let color = if is_free { BLUE } else { VERMILION };
        painter.circle(place, HANDLE, color, Stroke::new(2.0, theme.paper()));
        painter.text(place, Align2::CENTER_CENTER, letter, FontId::proportional(14.0), Color32::WHITE);
    }
}

struct Pen<'a> {
    mode: &'a MapMode,
    theme: Theme,
    points: f32,
    /// What is seen of the map, in its own plane.
    shown: Aabb,
}

impl Pen<'_> {
    fn add_leaves(&self, picture: &mut Picture) {
        let (wall, ink) = (wall(self.theme), self.theme.ink());
        for leaf in self.mode.land.tree.leaves_in(self.cells()) {
            let size = (leaf.rect.max[0] - leaf.rect.min[0] + 1) as f32 * self.points;
            let line = ink.gamma_multiply(0.16 * ((size - 3.0) / 8.0).clamp(0.0, 1.0));
            self.add_walls(picture, &leaf, wall);
            if line.a() > 0 {
                picture.under.push(self.rectangle(leaf.rect, Color32::TRANSPARENT, line));
            }
        }
    }

    /// The walls of a leaf. Where its rule lets it hold both walls and floor, they are drawn row by row, and as a shade
    /// of how many there are where cells are too small to be seen.
    fn add_walls(&self, picture: &mut Picture, leaf: &Leaf, wall: Color32) {
        let cells = (leaf.rect.max[0] - leaf.rect.min[0] + 1) * (leaf.rect.max[1] - leaf.rect.min[1] + 1);
        let share = leaf.occupied as f32 / cells as f32;
        // The outline of something small has the color of its inside, so that no seams show.
        if share == 1.0 || share > 0.0 && self.points < SMALL {
            let shade = wall.gamma_multiply(share);
            picture.under.push(self.rectangle(leaf.rect, shade, shade));
        } else if share > 0.0 {
            let is_wall = |cell: &Cell| !self.mode.land.paths.grid().is_free(*cell);
            picture.under.extend(runs(leaf.rect, is_wall).map(|run| self.rectangle(run, wall, wall)));
        }
    }

    /// Where the map ends.
    fn add_rim(&self, picture: &mut Picture) {
        let stroke = self.theme.ink().gamma_multiply(0.3);
        picture.under.push(Rectangle::new(self.mode.bounds(), Color32::TRANSPARENT, stroke));
    }

    /// Doors that open and close by themselves, large enough to be seen.
    fn add_doors(&self, picture: &mut Picture) {
        let grid = self.mode.land.paths.grid();
        let grown = ((LEAST_DOOR / self.points - 1.0) / 2.0).max(0.0);
        for door in self.mode.doors().iter().filter(|door| self.shown.contains_point(middle(**door))) {
            let color = if grid.is_free(*door) { SKY } else { VERMILION };
            let cell = self.rectangle(Aabb::from_point(from_cell(*door)), color, color);
            let grown = Aabb::new(cell.min, cell.max).with_margin(grown);
            picture.under.push(Rectangle::new(grown, color, color));
        }
    }

    /// Leaves that have just been split or merged glow.
    fn add_fresh(&self, picture: &mut Picture) {
        for fresh in &self.mode.fresh {
            let (fill, stroke) = (ORANGE.gamma_multiply(0.3 * fresh.glow()), ORANGE.gamma_multiply(fresh.glow()));
            picture.under.push(self.rectangle(fresh.rect, fill, stroke));
        }
    }

    /// The distance to the goal, from yellow (nearest) to violet (farthest), if agents follow it.
    fn add_field(&self, picture: &mut Picture) {
        let Some(field) = &self.mode.route.field else { return };
        let [min, max] = [self.cells().min, self.cells().max].map(|at| at.map(i32::unsigned_abs));
        let (width, height) = (max[0] - min[0] + 1, max[1] - min[1] + 1);
        let step = (1..).find(|step| (width / step) * (height / step) <= MOST_SAMPLES).unwrap_or(1);
        let samples = CellRect::new(min[0] / step, min[1] / step, width / step + 1, height / step + 1).cells();
        let length = |cell: Cell| field.length(cell).map(|length| length.as_f64() as f32);
        let lengths: Vec<(Cell, f32)> = samples
            .map(|sample| Cell::new(sample.x * step, sample.y * step))
            .filter_map(|cell| Some((cell, length(Cell::new(cell.x + step / 2, cell.y + step / 2))?)))
            .collect();
        let farthest = lengths.iter().map(|sample| sample.1).fold(1.0, f32::max);
        for (cell, length) in lengths {
            let (min, max) = (from_cell(cell), from_cell(Cell::new(cell.x + step - 1, cell.y + step - 1)));
            let color = scale(1.0 - length / farthest).gamma_multiply(0.5);
            picture.under.push(self.rectangle(Aabb::new(min, max), color, Color32::TRANSPARENT));
        }
    }

    fn add_paths(&self, picture: &mut Picture) {
        let route = &self.mode.route;
        if let Some(broken) = &route.broken {
            self.add_path(picture, &broken.path, 2.0, VERMILION.gamma_multiply(0.8));
            self.add_cross(picture, broken.upto);
        }
        if let Some(path) = route.path() {
            self.add_path(picture, path, 3.5, GREEN);
        }
    }

    fn add_path(&self, picture: &mut Picture, path: &Path, width: f32, color: Color32) {
        let places: Vec<[f32; 2]> = path.turns().map(|cell| flip(self.mode, middle(cell))).collect();
        let lines = places.windows(2).map(|ends| Line { from: ends[0], to: ends[1], width, color });
        picture.lines.extend(lines);
    }

    /// Where a path broke.
    fn add_cross(&self, picture: &mut Picture, cell: Cell) {
        let [x, y] = flip(self.mode, middle(cell));
        let arm = (7.0 / self.points).max(0.7);
        for side in [-arm, arm] {
            let (from, to) = ([x - arm, y - side], [x + arm, y + side]);
            picture.lines.push(Line { from, to, width: 3.5, color: VERMILION });
        }
    }

    fn add_agents(&self, picture: &mut Picture) {
        let radius = AGENT.max(LEAST_AGENT / self.points);
        let around = Aabb::new(self.shown.min.map(|at| at - radius), self.shown.max.map(|at| at + radius));
        for (place, mood) in self.mode.walkers.places().filter(|(place, _)| around.contains_point(*place)) {
            let color = match mood {
                Mood::Walking => self.theme.ink(),
                Mood::Rerouted => ORANGE,
                Mood::Waiting => YELLOW,
                Mood::Stuck => PURPLE,
            };
            picture.discs.push(Disc { center: flip(self.mode, place), radius, color });
        }
    }

    /// The cells of the map that are seen: at least one, should none be.
    fn cells(&self) -> Aabb<i32> {
        let last = self.mode.bounds().max.map(|side| side as i32 - 1);
        let within = |at: [f32; 2]| [0, 1].map(|axis| (at[axis] as i32).clamp(0, last[axis]));
        Aabb::new(within(self.shown.min), within(self.shown.max))
    }

    fn rectangle(&self, cells: Aabb<i32>, fill: Color32, stroke: Color32) -> Rectangle {
        rectangle(self.mode, cells, fill, stroke)
    }
}

/// Cells of a map in its picture.
pub(super) fn rectangle(mode: &MapMode, cells: Aabb<i32>, fill: Color32, stroke: Color32) -> Rectangle {
    let bounds = square(cells);
    Rectangle::new(Aabb::from_corners(flip(mode, bounds.min), flip(mode, bounds.max)), fill, stroke)
}

/// The longest runs of walls in each row of a rectangle.
fn runs(cells: Aabb<i32>, is_wall: impl Fn(&Cell) -> bool) -> impl Iterator<Item = Aabb<i32>> {
    let Aabb { min, max } = cells;
    (min[1]..=max[1]).flat_map(move |y| {
        let row: Vec<i32> = (min[0]..=max[0]).filter(|&x| is_wall(&to_cell([x, y]))).collect();
        let runs: Vec<_> =
            row.chunk_by(|a, b| a + 1 == *b).map(|run| Aabb::new([run[0], y], [run[run.len() - 1], y])).collect();
        runs
    })
}

/// The color of walls: between paper and ink.
fn wall(theme: Theme) -> Color32 {
    theme.paper().lerp_to_gamma(
        theme.ink(),
        match theme {
            Theme::Light => 0.55,
            Theme::Dark => 0.3,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Guide, MapKind, MapRule, Walk};

    fn drawn(mode: &MapMode, shown: &Aabb) -> Picture {
        let mut picture = Picture::default();
        add_map(&mut picture, mode, Theme::Dark, shown, 20.0);
        picture
    }

    fn caves(guide: Guide) -> MapMode {
        MapMode::built_in(MapKind::Caves, 1, Walk { guide, ..Walk::default() })
    }

    #[test]
    fn walls_are_where_the_tree_says_they_are_under_every_rule() {
        for rule in MapRule::ALL {
            let mut mode = caves(Guide::Path);
            mode.set_rule(rule);
            assert_walls_are_drawn_once(&mode);
        }
    }

    fn assert_walls_are_drawn_once(mode: &MapMode) {
        let picture = drawn(mode, &mode.bounds());
        let fill = wall(Theme::Dark);
        let area: f64 =
            picture.under.iter().filter(|one| one.fill == fill).map(|one| Aabb::new(one.min, one.max).area()).sum();
        let grid = mode.land.paths.grid();
        let walls: Vec<Cell> = grid.bounds().cells().filter(|cell| !grid.is_free(*cell)).collect();
        assert_eq!(area as usize, walls.len());
        for cell in walls {
            let place = flip(mode, middle(cell));
            let covers = |one: &&Rectangle| one.fill == fill && Aabb::new(one.min, one.max).contains_point(place);
            assert_eq!(picture.under.iter().filter(covers).count(), 1, "{cell}");
        }
    }

    #[test]
    fn the_path_is_a_chain_of_lines_from_a_to_b() {
        let mode = caves(Guide::Path);
        let lines = drawn(&mode, &mode.bounds()).lines;
        let ends = mode.route.ends.map(|cell| flip(&mode, middle(cell)));
        assert_eq!(
            (lines.first().map(|line| line.from), lines.last().map(|line| line.to)),
            (Some(ends[0]), Some(ends[1]))
        );
        assert!(lines.windows(2).all(|two| two[0].to == two[1].from));
    }

    #[test]
    fn agents_are_drawn_where_they_are_and_only_those_that_are_seen() {
        let mode = caves(Guide::Flow);
        assert_eq!(drawn(&mode, &mode.bounds()).discs.len(), mode.walkers.places().len());
        let corner = Aabb::new([0.0; 2], [64.0; 2]);
        let seen = drawn(&mode, &corner).discs;
        assert!(!seen.is_empty() && seen.len() < mode.walkers.places().len());
        assert!(seen.iter().all(|disc| disc.center[0] < 65.0 && disc.center[1] < 65.0));
    }

    #[test]
    fn a_flow_field_colours_every_cell_with_a_way_to_the_goal_but_a_large_one_in_samples() {
        let mode = caves(Guide::Flow);
        let count = |mode: &MapMode| {
            drawn(mode, &mode.bounds()).under.iter().filter(|one| one.stroke == Color32::TRANSPARENT).count()
        };
        let cells = mode.land.paths.grid().bounds().cells();
        let has_way = |cell| mode.route.field.as_ref().is_some_and(|field| field.length(cell).is_some());
        assert_eq!(count(&mode), cells.filter(|cell| has_way(*cell)).count());
        let text = format!("type octile\nheight 500\nwidth 600\nmap\n{}", format!("{}\n", ".".repeat(600)).repeat(500));
        let large = MapMode::from_file("large.map", text.as_bytes(), 1, mode.walk).expect("it is a map");
        assert!((5_000..=MOST_SAMPLES as usize + 400).contains(&count(&large)), "{}", count(&large));
    }

    #[test]
    fn from_far_away_walls_are_an_image() {
        let mode = caves(Guide::Path);
        // Cells of a point, so each pixel is a cell; the picture's first row is the map's.
        let walls = sheet(&mode, Theme::Dark, &mode.bounds(), 1.0).image.expect("cells are small");
        assert_eq!(walls.size, [128, 128]);
        let grid = mode.land.paths.grid();
        for (cell, pixel) in grid.bounds().cells().zip(&walls.pixels) {
            let expected = if grid.is_free(cell) { Theme::Dark.paper() } else { wall(Theme::Dark) };
            assert_eq!(*pixel, expected, "{cell}");
        }
        let half = sheet(&mode, Theme::Dark, &mode.bounds(), 0.5).image.expect("cells are small");
        assert_eq!(half.size, [64, 64]);
        for (number, pixel) in half.pixels.iter().enumerate() {
            let (x, y) = (number as u32 % 64 * 2, number as u32 / 64 * 2);
            let is_blank = CellRect::new(x, y, 2, 2).cells().all(|cell| grid.is_free(cell));
            assert_eq!(*pixel == Theme::Dark.paper(), is_blank, "no wall gets lost");
        }
        assert_eq!(sheet(&mode, Theme::Dark, &mode.bounds(), LEAVES_FROM).image, None);
    }

    #[test]
    fn doors_show_whether_they_are_open_and_are_large_enough_to_be_seen() {
        let mut mode = MapMode::built_in(MapKind::City, 1, Walk { guide: Guide::Each, ..Walk::default() });
        (0..60).for_each(|_| mode.step());
        let mut picture = Picture::default();
        add_map(&mut picture, &mode, Theme::Dark, &mode.bounds(), 0.5);
        let count = |color: Color32| picture.under.iter().filter(|one| one.fill == color).count();
        let open = mode.doors().iter().filter(|door| mode.land.paths.grid().is_free(**door)).count();
        assert!(open < mode.doors().len(), "some have changed");
        assert_eq!([count(SKY), count(VERMILION)], [open, mode.doors().len() - open]);
        let doors = picture.under.iter().filter(|one| [SKY, VERMILION].contains(&one.fill));
        assert!(doors.map(|one| one.max[0] - one.min[0]).all(|side| side * 0.5 >= 2.99));
        assert!(picture.lines.is_empty(), "there is no path from A to B");
    }

    #[test]
    fn what_lies_off_the_map_shows_nothing_and_harms_nothing() {
        let mode = caves(Guide::Flow);
        let away = Aabb::new([900.0; 2], [950.0; 2]);
        assert!(drawn(&mode, &away).under.len() < 10);
    }
}
