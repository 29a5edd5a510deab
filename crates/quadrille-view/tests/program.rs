//! The whole program without a window: clicked, typed at and looked at. Needs a GPU, or a software one (Mesa's lavapipe); without either
//! the tests say that they skip.

use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use quadrille::{Near, StructureKind};
use quadrille_scenes::{Scene, SceneKind};
use quadrille_sim::Simulation;
use quadrille_view::App;
use quadrille_view::render::gpu::install;

/// The program showing a view, or `None`, said aloud, where nothing can draw.
fn program(text: &str) -> Option<Harness<'static, App>> {
    let open = || {
        let state = create_render_state(default_wgpu_setup(), RendererOptions::PREDICTABLE);
        install(&state);
        WgpuTestRenderer::from_render_state(state)
    };
    let Ok(renderer) = std::panic::catch_unwind(open) else {
        eprintln!("SKIPPED: there is neither a GPU nor a software one (Debian: mesa-vulkan-drivers)");
        return None;
    };
    let builder = Harness::builder().with_size([1280.0, 800.0]).renderer(renderer);
    Some(builder.build_ui_state(|ui, app| app.show(ui), App::from_text(text)))
}

/// Frames until the first steps are done.
fn settled(text: &str) -> Option<Harness<'static, App>> {
    let mut program = program(text)?;
    for _ in 0..500 {
        program.step();
        if program.state().world().steps() >= program.state().view().steps {
            break;
        }
    }
    Some(program)
}

fn mouse(program: &mut Harness<'_, App>, at: Pos2, is_down: bool) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    program.event(Event::PointerButton { pos: at, button, pressed: is_down, modifiers });
    program.step();
}

fn drag(program: &mut Harness<'_, App>, from: Pos2, to: Pos2) {
    program.event(Event::PointerMoved(from));
    program.step();
    mouse(program, from, true);
    for part in 1..=8_u8 {
        program.event(Event::PointerMoved(from.lerp(to, f32::from(part) / 8.0)));
        program.step();
    }
    mouse(program, to, false);
}

#[test]
fn figures_equal_those_of_the_library_for_the_same_seed() {
    let Some(program) = settled("scene=pile,n=2000,seed=5,structure=loose-grid,steps=40,paused") else { return };
    let mut library = Simulation::new(&Scene::new(SceneKind::Pile, 2_000, 5), StructureKind::LooseGrid.into())
        .expect("defaults are valid");
    let last = (0..40).map(|_| library.step()).last().expect("there were steps");
    let figures = program.state().figures_json();
    for expected in [
        format!("\"state_hash\":\"{:016x}\"", library.state_hash()),
        format!("\"pairs\":{}", last.pairs),
        format!("\"contacts\":{}", last.contacts),
        format!("\"nodes\":{}", library.index().stats().nodes),
        "\"steps\":40".into(),
    ] {
        assert!(figures.contains(&expected), "{expected} in {figures}");
    }
}

#[test]
fn keys_change_scene_structure_and_what_is_beside() {
    let Some(mut program) = settled("n=300") else { return };
    program.key_press(Key::S);
    program.step();
    assert_eq!(program.state().view().structure.kind(), StructureKind::EnclosingQuadtree);
    assert_eq!(
        program.state().world().indices().next().map(|index| index.options().kind()),
        Some(StructureKind::EnclosingQuadtree)
    );
    program.key_press(Key::N);
    program.key_press(Key::B);
    program.step();
    assert_eq!(program.state().view().scene, SceneKind::Mixed);
    assert_eq!(program.state().world().indices().count(), 2);
    program.key_press(Key::Space);
    program.step();
    let steps = program.state().world().steps();
    program.run_steps(5);
    assert_eq!(program.state().world().steps(), steps, "it rests");
    program.key_press(Key::Period);
    program.step();
    assert_eq!(program.state().world().steps(), steps + 1);
}

#[test]
fn clicks_change_structure_parameters_and_tool() {
    let Some(mut program) = settled("n=300,paused") else { return };
    program.get_by_label("fixed depth").click();
    program.run_steps(3);
    assert_eq!(program.state().state_text(), "n=300,structure=quadtree:fixed=6,paused");
    assert_eq!(program.state().world().indices().next().map(|index| index.stats().leaves), Some(4_usize.pow(6)));
    program.get_by_label("Velocity").click();
    program.get_by_label("Nearest").click();
    program.run_steps(3);
    let text = program.state().state_text();
    assert!(text.contains("overlays=cells+contacts+velocity") && text.contains("tool=nearest"), "{text}");
    program.get_by_label("Another one beside it").click();
    program.run_steps(3);
    assert_eq!(program.state().world().indices().count(), 2);
}

#[test]
fn a_dragged_rectangle_asks_what_the_library_answers() {
    let Some(mut program) = settled("n=1000,tool=rectangle,steps=5,paused") else { return };
    let [from, to] = [[20.0, 30.0], [70.0, 90.0]].map(|point| program.state().place(point).expect("a frame was shown"));
    drag(&mut program, from, to);
    let ask = program.state().view().ask.expect("a question was asked");
    let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs() < 0.5 && (a[1] - b[1]).abs() < 0.5;
    assert!(near(ask.from, [20.0, 30.0]) && near(ask.to, [70.0, 90.0]), "{ask:?}");
    let index = program.state().world().simulation().index();
    let answer = ask.answer(index);
    let expected = index.query_work(quadrille::Overlaps(quadrille::Aabb::from_corners(ask.from, ask.to)));
    assert!(expected.found > 50);
    assert_eq!((answer.found.len(), answer.boxes, answer.nodes), (expected.found, expected.boxes, expected.nodes));
}

#[test]
fn an_agent_can_be_grabbed_and_thrown() {
    let Some(mut program) = settled("n=200,tool=grab,paused") else { return };
    let simulation = program.state().world().simulation();
    let hit = simulation.index().query_first(Near::point([30.0, 30.0])).expect("there are agents");
    let position = |program: &Harness<'_, App>| {
        program
            .state()
            .world()
            .simulation()
            .agents()
            .nth(hit.id as usize)
            .map(|agent| agent.position)
            .expect("none is removed")
    };
    let before = position(&program);
    let [from, to] = [before, [45.0, 50.0]].map(|point| program.state().place(point).expect("a frame was shown"));
    drag(&mut program, from, to);
    let after = position(&program);
    assert!((after[0] - 45.0).abs() < 0.5 && (after[1] - 50.0).abs() < 0.5, "{before:?} to {after:?}");
}

#[test]
fn the_wheel_zooms_about_the_pointer() {
    let Some(mut program) = settled("n=200,paused") else { return };
    let point = [12.0, 50.0];
    let at = program.state().place(point).expect("a frame was shown");
    program.event(Event::PointerMoved(at));
    program.event(Event::MouseWheel {
        unit: eframe::egui::MouseWheelUnit::Line,
        delta: eframe::egui::vec2(0.0, 3.0),
        phase: eframe::egui::TouchPhase::Move,
        source: eframe::egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    program.run_steps(30);
    let camera = program.state().view().camera.expect("the picture was zoomed");
    assert!(camera.extent < 60.0, "{camera:?}");
    let now = program.state().place(point).expect("a frame was shown");
    assert!((now - at).length() < 1.0, "{at} and {now}");
}

#[test]
fn a_bad_view_gives_a_message_and_a_working_default() {
    let Some(mut program) = settled("scene=atlantis,n=0,structure=octree") else { return };
    assert_eq!(program.state().messages().len(), 3);
    assert!(program.get_by_label_contains("atlantis").rect().is_positive());
    program.run_steps(3);
    assert!(program.state().world().steps() > 0);
    program.get_by_label("Close").click();
    program.run_steps(3);
    assert_eq!(program.state().messages(), [""; 0]);
}

#[test]
fn agents_are_drawn_where_they_are_and_outlines_where_the_structure_says() {
    let text = "scene=uniform,n=100,structure=quadtree:fixed=2,overlays=cells,paused,dark";
    let Some(mut program) = settled(text) else { return };
    let image = program.render().expect("an image can be drawn");
    let color = |at: Pos2| image.get_pixel(at.x as u32, at.y as u32).0;
    let blueness = |at: Pos2| i32::from(color(at)[2]) - i32::from(color(at)[0]);
    let place = |point| program.state().place(point).expect("a frame was shown");
    let simulation = program.state().world().simulation();
    let blue = simulation.agents().filter(|agent| blueness(place(agent.position)) > 80).count();
    assert!(blue >= 97, "{blue} of 100: captions may hide a few");

    let paper = quadrille_view::theme::Theme::Dark.paper().to_array();
    let mut lines = Vec::new();
    let _: std::ops::ControlFlow<()> = simulation.index().visit_nodes(|node| {
        if node.kind == quadrille::NodeKind::Leaf {
            lines.push([node.bounds.min[0], node.bounds.center()[1]]);
        }
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(lines.len(), 16);
    // The middle of each west side, or one of the pixels beside it, is drawn on.
    let is_drawn = |point: &[f32; 2]| {
        (-1..=1_i8).any(|aside| color(place(*point) + eframe::egui::vec2(aside.into(), 0.0)) != paper)
    };
    let drawn = lines.iter().filter(|point| is_drawn(point)).count();
    assert_eq!(drawn, 16);
}

#[test]
fn no_view_is_blank() {
    for text in ["n=5000,density,paused", "n=500,light,beside=loose-grid,paused", "n=2000,overlays=order,paused"] {
        let Some(mut program) = settled(text) else { return };
        let image = program.render().expect("an image can be drawn");
        let middle = *image.get_pixel(300, 780);
        let other = image.pixels().filter(|&&pixel| pixel != middle).count();
        assert!(other > 20_000, "{text}: {other}");
    }
}
