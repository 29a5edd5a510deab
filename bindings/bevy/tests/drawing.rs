//! What is drawn, and boxes taken from sprites and meshes.
#![cfg(all(feature = "gizmos", feature = "drawn"))]

use bevy_app::{App, PostUpdate};
use bevy_asset::{AssetApp, AssetPlugin, Assets};
use bevy_camera::visibility::VisibilitySystems;
use bevy_color::{Color, ColorToComponents, LinearRgba};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_gizmos::config::DefaultGizmoConfigGroup;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::bounding::Aabb2d;
use bevy_math::primitives::Rectangle;
use bevy_math::{Vec2, Vec3};
use bevy_mesh::{Mesh, Mesh2d};
use bevy_quadrille::{BoundingBox, BoxGizmos, Boxes, DrawnBox, DrawnBoxesPlugin, Layers, QuadrillePlugin};
use bevy_sprite::{Anchor, Sprite, calculate_bounds_2d};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

fn bounds(app: &mut App, entity: Entity) -> Option<[f32; 4]> {
    let bounds = app.world_mut().run_system_once(move |boxes: Boxes<'_, '_>| boxes.bounds(entity));
    bounds.expect("the system runs").map(|bounds: Aabb2d| [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y])
}

#[test]
fn boxes_are_those_of_sprites_and_meshes() {
    let mut app = App::new();
    app.add_plugins((
        TransformPlugin,
        AssetPlugin::default(),
        QuadrillePlugin::default(),
        DrawnBoxesPlugin::<()>::default(),
    ));
    app.init_asset::<Image>().init_asset::<TextureAtlasLayout>().init_asset::<Mesh>();
    app.add_systems(PostUpdate, calculate_bounds_2d.in_set(VisibilitySystems::CalculateBounds));
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Rectangle::new(6.0, 2.0));
    let at = Transform::from_xyz(10.0, 0.0, 0.0);
    let square = Sprite::from_color(Color::WHITE, Vec2::new(4.0, 8.0));
    let standing = app.world_mut().spawn((square.clone(), Anchor::BOTTOM_CENTER, at, DrawnBox::<()>::default())).id();
    let layered = BoundingBox::new(Vec2::ZERO).with_layers(Layers::new(2, 4)).fixed();
    let wall = app.world_mut().spawn((Mesh2d(mesh), at, layered, DrawnBox::<()>::default())).id();
    let unmarked = app.world_mut().spawn((square, at)).id();
    app.update();
    app.update();
    assert_eq!(bounds(&mut app, standing), Some([8.0, 0.0, 12.0, 8.0]));
    assert_eq!(bounds(&mut app, wall), Some([7.0, -1.0, 13.0, 1.0]));
    assert_eq!(bounds(&mut app, unmarked), None);
    let kept = app.world().get::<BoundingBox>(wall).expect("it has one");
    assert_eq!((kept.layers, kept.is_fixed), (Layers::new(2, 4), true));

    app.world_mut().get_mut::<Sprite>(standing).expect("it is one").custom_size = Some(Vec2::ONE);
    app.update();
    app.update();
    assert_eq!(bounds(&mut app, standing), Some([9.5, 0.0, 10.5, 1.0]));
}

#[test]
fn what_was_new_while_it_was_disabled_has_its_box_afterwards() {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default(), DrawnBoxesPlugin::<()>::default()));
    let drawn = bevy_camera::primitives::Aabb::from_min_max(Vec3::ZERO, Vec3::ONE);
    let hidden = app.world_mut().spawn((Transform::default(), drawn, DrawnBox::<()>::default(), Disabled)).id();
    app.update();
    app.update();
    app.world_mut().entity_mut(hidden).remove::<Disabled>();
    app.update();
    app.update();
    assert_eq!(bounds(&mut app, hidden), Some([0.0, 0.0, 1.0, 1.0]));
}

#[test]
fn boxes_nodes_and_answers_are_drawn() {
    #[derive(Component)]
    struct Enemy;
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default()));
    app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default()));
    app.world_mut().spawn((Enemy, BoundingBox::new(Vec2::ONE), Transform::from_xyz(9.0, 0.0, 0.0)));
    app.update();
    let lines = app.world_mut().run_system_once(|boxes: Boxes<'_, '_>, enemies: Boxes<'_, '_, With<Enemy>>| {
        let mut drawn = [(); 5].map(|()| GizmoBuffer::<DefaultGizmoConfigGroup, ()>::default());
        drawn[0].boxes(&boxes, Color::WHITE);
        drawn[1].boxes(&enemies, Color::WHITE);
        drawn[2].answers(&boxes, boxes.near(Vec2::ZERO, 3.0), LinearRgba::RED);
        drawn[3].nodes(&boxes, Color::WHITE);
        drawn[4].outline(&boxes.visible(Vec2::new(4.0, 0.0), 20.0), Color::WHITE);
        drawn
    });
    let drawn = lines.expect("the system runs");
    let extent = |drawn: &GizmoBuffer<DefaultGizmoConfigGroup, ()>| {
        let all = || drawn.list_positions.iter().chain(&drawn.strip_positions).filter(|at| at.is_finite());
        let (low, high) = (all().copied().reduce(Vec3::min), all().copied().reduce(Vec3::max));
        low.zip(high).map(|(low, high)| [low.x, low.y, high.x, high.y])
    };
    assert_eq!(extent(&drawn[0]), Some([-1.0, -1.0, 10.0, 1.0]));
    assert_eq!(extent(&drawn[1]), Some([8.0, -1.0, 10.0, 1.0]));
    assert_eq!(extent(&drawn[2]), Some([-1.0, -1.0, 1.0, 1.0]));
    let colors = drawn[2].list_colors.iter().chain(&drawn[2].strip_colors);
    assert!(colors.filter(|color| !color.to_vec4().is_nan()).all(|&color| color == LinearRgba::RED));
    assert_eq!(extent(&drawn[3]), Some([-1.0, -1.0, 10.0, 1.0]), "the root holds all");
    assert_eq!(extent(&drawn[4]), Some([-16.0, -20.0, 24.0, 20.0]));
}
