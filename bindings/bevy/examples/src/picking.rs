//! Cards that overlap: the one on top under the mouse is picked, and a rectangle selects.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_math::{Rect, Vec2};
use bevy_quadrille::{BoundingBox, Boxes};
use bevy_transform::components::Transform;
use quadrille_scenes::Random;

use crate::{anywhere, app, at};

/// The position of the mouse in the world, and the rectangle that it drags.
#[derive(Resource, Debug, Default)]
pub struct Mouse {
    /// The pointer.
    pub at: Vec2,
    /// A selection rectangle.
    pub selection: Option<Rect>,
}

/// What the mouse has found.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub struct Picked {
    /// The card on top.
    pub top: Option<Entity>,
    /// All in the selection.
    pub selected: Vec<Entity>,
}

/// The number of cards; one with a higher z is above.
pub fn game(cards: u32) -> App {
    let (mut app, mut random) = (app(), Random::new(2));
    for z in 0..cards {
        let place = at(anywhere(&mut random, 50.0)) * Transform::from_xyz(0.0, 0.0, z as f32);
        app.world_mut().spawn((BoundingBox::new(Vec2::new(2.0, 3.0)), place));
    }
    app.init_resource::<Mouse>().init_resource::<Picked>().add_systems(Update, pick);
    app
}

fn pick(mouse: Res<Mouse>, boxes: Boxes, places: Query<&Transform>, mut picked: ResMut<Picked>) {
    let height = |card: &Entity| places.get(*card).map_or(f32::MIN, |place| place.translation.z);
    picked.top = boxes.at(mouse.at).max_by(|a, b| height(a).total_cmp(&height(b)));
    picked.selected = mouse.selection.map_or(Vec::new(), |area| boxes.overlapping(area.min, area.max).collect());
}

/// Moves the mouse around, and returns what it found.
pub fn report(frames: usize) -> String {
    let (mut app, mut random, mut found) = (game(1000), Random::new(3), 0);
    app.update();
    for _ in 0..frames {
        app.world_mut().resource_mut::<Mouse>().at = anywhere(&mut random, 50.0);
        app.update();
        found += usize::from(app.world().resource::<Picked>().top.is_some());
    }
    format!("1,000 cards: the mouse was over one in {found} of {frames} places")
}
