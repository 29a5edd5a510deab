//! Pictures of the chapter on true shapes. What they claim is asked of `quadrille-shapes` while they are drawn.

use std::path::Path;

use quadrille::Aabb;
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION, YELLOW};
use quadrille_draw::{Canvas, Color, Disc, draw_discs, text_size};
use quadrille_shapes::{Geometries, Part, Predicate, in_common};

use crate::Done;
use crate::easel::{Easel, Random, beside, save};

type Place = [f32; 2];

pub(crate) fn draw(folder: &Path) -> Done {
    save(&predicates()?, folder, "shapes-predicates.png")?;
    save(&refinement(), folder, "shapes-refinement.png")?;
    save(&map()?, folder, "shapes-map.png")?;
    Ok(())
}

/// A point, a line or a polygon, by how many points there are and whether it is closed.
fn geometry(places: &[Place]) -> Result<Geometries, quadrille_shapes::Fault> {
    let mut all = Geometries::new();
    all.part(if places.len() == 1 {
        Part::Point
    } else if places.first() == places.last() {
        Part::Shell
    } else {
        Part::Line
    });
    places.iter().for_each(|[x, y]| all.vertex(f64::from(*x), f64::from(*y)));
    all.finish()?;
    Ok(all)
}

/// Draws a point, a line or a polygon.
fn show(easel: &mut Easel, places: &[Place], color: Color) {
    if let [only] = places {
        draw_discs(&mut easel.canvas, &easel.camera, &[Disc { center: *only, radius: 0.35, touching: true }]);
        return;
    }
    if places.first() == places.last() {
        fill(easel, places, color);
    }
    places.windows(2).for_each(|ends| easel.line(ends[0], ends[1], color.mix(INK, 90), 2.5));
}

/// Mixes a color into all pixels inside a ring: an odd number of edges is to their right.
fn fill(easel: &mut Easel, ring: &[Place], color: Color) {
    let ring: Vec<Place> = ring.iter().map(|place| easel.camera.project(*place)).collect();
    let before = easel.canvas.clone();
    easel.canvas.paint(|column, row| {
        let [x, y] = [column, row].map(|at| f32::from(at) + 0.5);
        let crosses = |ends: &&[Place]| {
            let [[ax, ay], [bx, by]] = [ends[0], ends[1]];
            (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
        };
        let is_inside = ring.windows(2).filter(crosses).count() % 2 == 1;
        let under = before.pixel(column, row).unwrap_or(PAPER);
        if is_inside { under.mix(color, 130) } else { under }
    });
}

/// A predicate, and two for which it holds.
type Example = (&'static str, &'static [Place], &'static [Place]);

const SQUARE: &[Place] = &[[1.0, 1.0], [7.0, 1.0], [7.0, 7.0], [1.0, 7.0], [1.0, 1.0]];
const EXAMPLES: [Example; 10] = [
    ("intersects", SQUARE, &[[5.0, 4.0], [10.0, 3.0], [9.0, 9.0], [5.0, 4.0]]),
    ("disjoint", SQUARE, &[[8.0, 4.0], [11.0, 3.0], [10.0, 9.0], [8.0, 4.0]]),
    ("contains", SQUARE, &[[2.0, 3.0], [5.0, 2.0], [6.0, 6.0], [2.0, 3.0]]),
    ("covers", SQUARE, &[[7.0, 2.0], [7.0, 6.0]]),
    ("within", &[[2.0, 3.0], [5.0, 2.0], [6.0, 6.0], [2.0, 3.0]], SQUARE),
    ("touches", SQUARE, &[[7.0, 4.0], [11.0, 2.0], [11.0, 7.0], [7.0, 4.0]]),
    ("crosses", &[[0.0, 9.0], [5.0, 4.0], [11.0, 5.5]], SQUARE),
    ("overlaps", SQUARE, &[[4.0, 3.0], [11.0, 3.0], [11.0, 9.0], [4.0, 9.0], [4.0, 3.0]]),
    ("equals", SQUARE, &[[7.0, 7.0], [7.0, 1.0], [4.0, 1.0], [1.0, 1.0], [1.0, 7.0], [7.0, 7.0]]),
    ("covered-by", &[[1.0, 4.0]], SQUARE),
];

/// A panel a predicate, in two rows: the first blue, the second orange.
fn predicates() -> Result<Canvas, Box<dyn std::error::Error>> {
    let panels = EXAMPLES.map(|(name, a, b)| -> Result<Canvas, Box<dyn std::error::Error>> {
        let predicate: Predicate = name.parse()?;
        if !predicate.holds(&geometry(a)?, 0, &geometry(b)?, 0)? {
            return Err(format!("the example of {name} is none").into());
        }
        let mut easel = Easel::new([132, 128], &Aabb::new([0.0, 0.0], [12.0, 11.5]));
        // What may lie on the other comes last.
        let (below, above) = if a.len() < SQUARE.len() { ((b, ORANGE), (a, BLUE)) } else { ((a, BLUE), (b, ORANGE)) };
        show(&mut easel, below.0, below.1);
        show(&mut easel, above.0, above.1);
        let [width, _] = text_size(name);
        easel.canvas.write(name, [(132.0 - width) / 2.0, 4.0], INK);
        Ok(easel.canvas)
    });
    let panels = panels.into_iter().collect::<Result<Vec<_>, _>>()?;
    let [first, second] = [beside(&panels[..5]), beside(&panels[5..])];
    let mut whole = Canvas::new(first.width(), first.height() + second.height() + 8, PAPER);
    let below = first.height() + 8;
    whole.paint(|x, y| first.pixel(x, y).or_else(|| second.pixel(x, y.checked_sub(below)?)).unwrap_or(PAPER));
    Ok(whole)
}

/// An island of 96 edges around a center.
fn island(center: Place, radius: f32, seed: u32) -> Vec<Place> {
    let mut random = Random(seed);
    let waves = [(); 3].map(|()| (random.between(2.0, 9.0).floor(), random.unit() * 6.0, random.between(0.05, 0.14)));
    let mut ring: Vec<Place> = (0..96_u8)
        .map(|number| {
            let turn = f32::from(number) / 96.0 * std::f32::consts::TAU;
            let wave: f32 = waves.iter().map(|(count, shift, size)| (turn * count + shift).sin() * size).sum();
            let far = radius * (1.0 + wave + random.between(-0.03, 0.03));
            [center[0] + far * turn.cos(), center[1] + far * turn.sin()]
        })
        .collect();
    ring.push(ring[0]);
    ring
}

/// Two islands: their boxes, the boxes of runs of edges, the edges that are compared.
fn refinement() -> Canvas {
    let islands = [island([7.5, 8.5], 6.0, 5), island([17.0, 9.5], 5.2, 12)];
    let [a, b] = islands.each_ref().map(|ring| Aabb::from_points(ring.iter().copied()));
    let common = Aabb {
        min: [0, 1].map(|axis| a.min[axis].max(b.min[axis])),
        max: [0, 1].map(|axis| a.max[axis].min(b.max[axis])),
    };
    let panels = [0, 1, 2].map(|step| {
        let mut easel = Easel::new([240, 180], &Aabb::new([0.0, 0.0], [24.0, 18.0]));
        if step < 2 {
            easel.fill(&common, YELLOW, 110);
        }
        for (ring, color) in islands.iter().zip([BLUE, ORANGE]) {
            let pale = PAPER.mix(color, if step == 2 { 90 } else { 200 });
            ring.windows(2).for_each(|ends| easel.line(ends[0], ends[1], pale, 1.5));
            // Runs of sixteen edges share the points between them.
            for run in ring.windows(17).step_by(16) {
                let hull = Aabb::from_points(run.iter().copied());
                let is_near = hull.intersects(&common);
                if step == 1 {
                    easel.edges(
                        &hull,
                        if is_near { color.mix(INK, 60) } else { PAPER.mix(INK, 60) },
                        if is_near { 2.0 } else { 1.0 },
                    );
                }
                let is_compared = |ends: &&[Place]| Aabb::from_corners(ends[0], ends[1]).intersects(&common);
                for ends in run.windows(2).filter(is_compared).filter(|_| step == 2 && is_near) {
                    easel.line(ends[0], ends[1], color.mix(INK, 60), 3.5);
                }
            }
        }
        if step == 0 {
            [(a, BLUE), (b, ORANGE)].iter().for_each(|(bounds, color)| easel.edges(bounds, *color, 2.0));
        }
        if step == 2 {
            for place in meetings(&islands) {
                draw_discs(&mut easel.canvas, &easel.camera, &[Disc { center: place, radius: 0.4, touching: true }]);
            }
        }
        easel.canvas
    });
    beside(&panels)
}

/// Where edges of two rings cross.
fn meetings([a, b]: &[Vec<Place>; 2]) -> Vec<Place> {
    let cross = |o: Place, p: Place, q: Place| (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
    let meet = |s: &[Place], t: &[Place]| {
        let [of_s, to_s] = [cross(t[0], t[1], s[0]), cross(t[0], t[1], s[1])];
        let [of_t, to_t] = [cross(s[0], s[1], t[0]), cross(s[0], s[1], t[1])];
        let share = of_s / (of_s - to_s);
        (of_s * to_s < 0.0 && of_t * to_t < 0.0)
            .then(|| [0, 1].map(|axis| s[0][axis] + share * (s[1][axis] - s[0][axis])))
    };
    a.windows(2).flat_map(|s| b.windows(2).filter_map(move |t| meet(s, t))).collect()
}

/// Zones of a town by how much of each a river and a lake flood: nothing, less than half, more.
fn map() -> Result<Canvas, Box<dyn std::error::Error>> {
    let mut random = Random(7);
    let mut corner =
        |x: u8, y: u8| [f32::from(x) * 4.0 + random.between(-0.9, 0.9), f32::from(y) * 4.0 + random.between(-0.9, 0.9)];
    let corners: Vec<Vec<Place>> = (0..6).map(|y| (0..10).map(|x| corner(x, y)).collect()).collect();
    let bank = |side: f32| {
        (0..=40_u8).map(move |step| {
            let x = f32::from(step) - 2.0;
            [x, 11.0 + 4.0 * (x * 0.22).sin() + side * (1.2 + 0.04 * x)]
        })
    };
    let mut river: Vec<Place> = bank(-1.0).chain(bank(1.0).collect::<Vec<_>>().into_iter().rev()).collect();
    river.push(river[0]);
    let floods = [river, island([27.0, 17.5], 3.6, 3)];
    let flooded = floods.each_ref().map(|ring| geometry(ring));
    let mut easel = Easel::new([720, 400], &Aabb::new([-1.5, -1.5], [37.5, 21.5]));
    for (y, x) in (0..5).flat_map(|y| (0..9).map(move |x| (y, x))) {
        let ring = [corners[y][x], corners[y][x + 1], corners[y + 1][x + 1], corners[y + 1][x], corners[y][x]];
        let zone = geometry(&ring)?;
        let mut common = 0.0;
        for flood in &flooded {
            common += in_common(&zone, 0, flood.as_ref().map_err(|fault| *fault)?, 0)?;
        }
        let part = common / in_common(&zone, 0, &zone, 0)?;
        let color = if part == 0.0 {
            GREEN
        } else if part < 0.5 {
            YELLOW
        } else {
            VERMILION
        };
        fill(&mut easel, &ring, color);
        ring.windows(2).for_each(|ends| easel.line(ends[0], ends[1], INK, 1.5));
    }
    for ring in &floods {
        ring.windows(2).for_each(|ends| easel.line(ends[0], ends[1], SKY.mix(INK, 60), 2.0));
    }
    Ok(easel.canvas)
}
