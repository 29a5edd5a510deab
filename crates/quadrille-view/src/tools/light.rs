//! What a lamp lights when boxes cast shadows: a visibility polygon, made of rays.
//!
//! The lit region is a star around the lamp, and its border turns only where a box has a corner or at the rim. So a ray
//! is sent to each corner in reach, one a hair to either side of it, and some all around for the rim; what they meet
//! first, in order of angle, are the corners of the polygon. See Tetsuo Asano, *An efficient algorithm for finding the
//! visibility polygon for a polygonal region with holes*, 1985, for a sweep that needs no rays; rays are what an index
//! is good at.

use std::f32::consts::TAU;

use quadrille::structures::AnyStructure;
use quadrille::{Filtered, Index, Near, Sweep};

use super::Answer;
use super::witness::Witness;

/// How far to the side of a corner a ray passes, in radians. Larger: thin slits of light are lost. Smaller: rounding
/// decides.
const HAIR: f32 = 1e-4;

/// Rays all around for the rim. Fewer: it looks like a polygon.
const RIM: u16 = 180;

/// Boxes whose corners get rays, the nearest ones; twelve rays each. Boxes beyond still cast shadows, but roughly.
const MOST: usize = 500;

/// What a lamp at `eye` lights up to a distance of `reach`, and the boxes that it falls on, in the order of their ids.
/// A box around the lamp is made of glass.
pub(super) fn lit(index: &Index<AnyStructure>, eye: [f32; 2], reach: f32) -> Answer {
    let is_opaque = |id: u32| index.get(id).is_some_and(|bounds| !bounds.contains_point(eye));
    let near = Witness::new(Filtered(Near::point(eye).within(reach), is_opaque));
    let mut hits = Vec::new();
    index.query_first_few(&near, MOST, &mut hits);

    let corners = hits.iter().filter_map(|hit| index.get(hit.id)).flat_map(|bounds| bounds.corners());
    let aside = corners.flat_map(|[x, y]| {
        let angle = (y - eye[1]).atan2(x - eye[0]);
        [angle - HAIR, angle, angle + HAIR]
    });
    let around = (0..RIM).map(|step| (f32::from(step) / f32::from(RIM) - 0.5) * TAU);
    let mut angles: Vec<f32> = if reach > 0.0 { aside.chain(around).collect() } else { Vec::new() };
    angles.sort_by(f32::total_cmp);
    angles.dedup();

    let mut answer = near.into_answer(Vec::new());
    for angle in angles {
        let way = [angle.cos() * reach, angle.sin() * reach];
        let ray = Witness::new(Filtered(Sweep::segment(eye, [eye[0] + way[0], eye[1] + way[1]]), is_opaque));
        let hit = index.query_first(&ray);
        let time = hit.map_or(1.0, |hit| hit.rank.time() as f32);
        answer.found.extend(hit.map(|hit| hit.id));
        let work = ray.into_answer(Vec::new());
        answer.nodes += work.nodes;
        answer.boxes += work.boxes;
        answer.lit.push([eye[0] + way[0] * time, eye[1] + way[1] * time]);
    }
    answer.found.sort_unstable();
    answer.found.dedup();
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::Aabb;
    use quadrille::structures::StructureKind;

    fn lamp(boxes: &[Aabb]) -> Answer {
        let index = Index::with_boxes(StructureKind::Quadtree.into(), boxes).expect("default options are valid");
        lit(&index, [0.0; 2], 10.0)
    }

    fn area(polygon: &[[f32; 2]]) -> f32 {
        let turn = |(a, b): (&[f32; 2], &[f32; 2])| a[0] * b[1] - a[1] * b[0];
        let next = polygon.iter().cycle().skip(1);
        polygon.iter().zip(next).map(turn).sum::<f32>() / 2.0
    }

    #[test]
    fn an_empty_room_is_lit_to_the_rim() {
        let lit = lamp(&[]).lit;
        assert!((area(&lit) / (std::f32::consts::PI * 100.0) - 1.0).abs() < 1e-3, "{}", area(&lit));
    }

    #[test]
    fn a_box_casts_a_shadow_of_the_right_size() {
        // Seen from the lamp, the box spans 45 degrees up and down: a quarter of the disc, except the triangle in
        // front of it.
        let lit = lamp(&[Aabb::new([2.0, -2.0], [3.0, 2.0])]).lit;
        let expected = std::f32::consts::PI * 100.0 * 0.75 + 4.0;
        assert!((area(&lit) - expected).abs() < 0.3, "{} instead of {expected}", area(&lit));
        assert!(lit.iter().all(|[x, y]| !(*x > 3.1 && y.abs() < 0.9 * x)), "{lit:?}");
    }

    #[test]
    fn a_lamp_in_a_box_shines_through_its_glass_and_the_darkness_has_no_corners() {
        let lit = lamp(&[Aabb::new([-1.0; 2], [1.0; 2])]).lit;
        assert!(area(&lit) > 313.0, "{}", area(&lit));
        let index = Index::with_boxes(StructureKind::Quadtree.into(), &[]).expect("default options are valid");
        assert_eq!(super::lit(&index, [0.0; 2], 0.0).lit, Vec::<[f32; 2]>::new());
    }
}
