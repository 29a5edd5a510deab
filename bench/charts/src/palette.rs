//! One color per library, the same in every chart; blues and greens are quadrille's structures.

use plotters::style::RGBColor;

const COLORS: &[(&str, RGBColor)] = &[
    ("frame-tree", RGBColor(31, 95, 168)),
    ("loose-grid", RGBColor(70, 160, 90)),
    ("loose-quadtree", RGBColor(60, 170, 170)),
    ("enclosing-quadtree", RGBColor(110, 140, 60)),
    ("quadtree", RGBColor(95, 155, 215)),
    ("grid", RGBColor(140, 190, 110)),
    ("quadrille", RGBColor(31, 95, 168)),
    ("broccoli", RGBColor(230, 140, 50)),
    ("parry2d", RGBColor(195, 75, 70)),
    ("box2d", RGBColor(125, 85, 165)),
    ("rstar", RGBColor(165, 75, 120)),
    ("static_aabb2d_index", RGBColor(150, 115, 30)),
    ("flat_spatial", RGBColor(130, 130, 130)),
    ("bolt-quadtree", RGBColor(200, 160, 120)),
    ("geo-index", RGBColor(215, 110, 160)),
    ("kiddo", RGBColor(95, 70, 60)),
    ("plain A*", RGBColor(150, 150, 150)),
    ("pathfinding", RGBColor(195, 75, 70)),
    ("grid_pathfinding", RGBColor(230, 140, 50)),
    ("hierarchical", RGBColor(125, 85, 165)),
    ("block", RGBColor(165, 75, 120)),
    ("bucket", RGBColor(110, 110, 110)),
];

/// The color of a contender, by the first name in the list that its own begins with or, as `space of grid` does,
/// contains.
pub fn color(contender: &str) -> RGBColor {
    let begins = COLORS.iter().find(|(name, _)| contender.starts_with(name));
    let holds = || COLORS.iter().find(|(name, _)| contender.contains(name));
    begins.or_else(holds).map_or(RGBColor(190, 190, 190), |&(_, color)| color)
}
