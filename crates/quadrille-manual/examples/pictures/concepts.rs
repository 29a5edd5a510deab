//! Pictures of the chapter on concepts.

use std::path::Path;

use quadrille::Aabb;
use quadrille_draw::palette::{BLUE, INK, ORANGE, SKY, VERMILION};
use quadrille_draw::{Color, Disc, draw_discs};

use crate::Done;
use crate::easel::Easel;

const SIZE: [u16; 2] = [720, 200];
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [36.0, 10.0] };

pub(crate) fn draw(folder: &Path) -> Done {
    broad_phase().save(folder, "concept-broad-phase.png")?;
    edges().save(folder, "concept-edges.png")?;
    events().save(folder, "concept-events.png")?;
    Ok(())
}

/// Three couples of discs in their boxes.
fn broad_phase() -> Easel {
    let mut easel = Easel::new(SIZE, &WORLD);
    let couples = [
        ([4.2, 3.6], [7.7, 7.1], [true, false]),
        ([15.8, 4.2], [19.2, 5.8], [true, true]),
        ([27.6, 3.6], [32.6, 6.6], [false, false]),
    ];
    for (a, b, [overlap, touch]) in couples {
        for center in [a, b] {
            easel.fill(&Aabb::from_center(center, [2.0, 2.0]), ORANGE, if overlap { 90 } else { 0 });
        }
        let discs = [a, b].map(|center| Disc { center, radius: 2.0, touching: touch });
        draw_discs(&mut easel.canvas, &easel.camera, &discs);
        for center in [a, b] {
            easel.edges(&Aabb::from_center(center, [2.0, 2.0]), INK, 1.5);
        }
    }
    easel
}

/// What touches overlaps.
fn edges() -> Easel {
    let mut easel = Easel::new(SIZE, &WORLD);
    let pair = |easel: &mut Easel, a: [f32; 4], b: [f32; 4]| {
        easel.tile(&a.into(), SKY, 140);
        easel.tile(&b.into(), ORANGE, 140);
    };
    pair(&mut easel, [1.0, 3.0, 4.5, 7.0], [4.5, 2.0, 8.0, 6.0]);
    pair(&mut easel, [10.5, 2.0, 13.5, 5.0], [13.5, 5.0, 16.5, 8.0]);
    easel.line([4.5, 3.0], [4.5, 6.0], VERMILION, 5.0);
    easel.tile(&Aabb::new([19.5, 2.5], [25.0, 7.5]), SKY, 140);
    easel.tile(&Aabb::new([28.5, 2.5], [34.0, 7.5]), SKY, 140);
    let points = [[13.5, 5.0], [25.0, 5.5], [31.0, 5.0]];
    let discs = points.map(|center| Disc { center, radius: 0.3, touching: true });
    draw_discs(&mut easel.canvas, &easel.camera, &discs);
    easel
}

/// Four frames of two boxes: apart, together, together, apart.
fn events() -> Easel {
    let mut easel = Easel::new(SIZE, &WORLD);
    for (frame, x) in (0..4_u8).zip([0.5, 2.5, 4.2, 6.2_f32]) {
        let left = 9.0 * f32::from(frame);
        let shown = Aabb::new([left + 0.3, 0.6], [left + 8.7, 9.4]);
        easel.edges(&shown, INK.mix(quadrille_draw::palette::PAPER, 150), 1.0);
        let still = Aabb::new([left + 3.6, 2.4], [left + 5.8, 5.6]);
        let moving = Aabb::from_center([left + x + 1.0, 5.6], [0.8, 1.6]);
        let is_pair = still.intersects(&moving);
        let [of_still, of_moving]: [Color; 2] = if is_pair { [VERMILION, VERMILION] } else { [BLUE, SKY] };
        easel.tile(&still, of_still, 110);
        easel.tile(&moving, of_moving, 110);
        easel.arrow([left + x + 0.6, 8.3], [left + x + 1.9, 8.3], INK);
    }
    easel
}
