//! The whole program without a window: tests click, type and look at the picture. They need a GPU, or a software one
//! (Mesa's lavapipe); without either, they say that they skip.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, OutputCommand, PointerButton, Pos2, Rect, vec2};
use eframe::egui_wgpu::{RenderState, RendererOptions, WgpuConfiguration, WgpuError};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::wgpu::{WgpuTestRenderer, default_wgpu_setup};
use image::RgbaImage;
use quadrille::Near;
use quadrille::structures::{AnyOptions, NodeKind, StructureKind, Subdivision};
use quadrille_files::{Choice, FixChoice, Fixes, Source};
use quadrille_paths::Cell;
use quadrille_scenes::sim::Simulation;
use quadrille_scenes::{Scene, SceneKind};
use quadrille_view::App;
use quadrille_view::boxes::{Sheet, color};
use quadrille_view::camera::Camera;
use quadrille_view::maps::MapMode;
use quadrille_view::render::gpu::install;
use quadrille_view::state::Look;
use quadrille_view::theme::Theme;

/// The renderer; `None`, with a message, where there is none. Any other error fails the test.
fn renderer() -> Option<WgpuTestRenderer> {
    let wgpu_setup = default_wgpu_setup();
    let instance = pollster::block_on(wgpu_setup.new_instance());
    let configuration = WgpuConfiguration { wgpu_setup, ..Default::default() };
    let state = RenderState::create(&configuration, &instance, None, RendererOptions::PREDICTABLE);
    match pollster::block_on(state) {
        Ok(state) => {
            install(&state);
            Some(WgpuTestRenderer::from_render_state(state))
        }
        // The setup of these tests accepts any adapter, so it fails only if there is none.
        Err(WgpuError::CustomNativeAdapterSelectionError(_)) => {
            eprintln!("SKIPPED: there is neither a GPU nor a software one (Debian: mesa-vulkan-drivers)");
            None
        }
        Err(error) => panic!("there is something that draws, but it cannot be used: {error}"),
    }
}

/// The program showing a view, or `None` without a renderer.
fn program(text: &str) -> Option<Harness<'static, App>> {
    // Frames are as long as in a window.
    let builder = Harness::builder().with_size([1280.0, 800.0]).with_step_dt(1.0 / 60.0).renderer(renderer()?);
    Some(builder.build_ui_state(|ui, app| app.show(ui), App::from_text(text)))
}

/// Runs frames until the first steps are done.
fn settled(text: &str) -> Option<Harness<'static, App>> {
    let mut program = program(text)?;
    for _ in 0..500 {
        program.step();
        if program.state().world.steps >= program.state().view.steps {
            break;
        }
    }
    Some(program)
}

/// A picture of the program showing a view, after the first steps.
fn picture(text: &str) -> Option<RgbaImage> {
    Some(settled(text)?.render().expect("an image can be drawn"))
}

/// Clicks the widget with this label and runs this many frames.
fn choose(program: &mut Harness<'_, App>, label: &str, frames: usize) {
    program.get_by_label(label).click();
    program.run_steps(frames);
}

/// Presses a key and runs this many frames.
fn press(program: &mut Harness<'_, App>, key: Key, frames: usize) {
    program.key_press(key);
    program.run_steps(frames);
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
    let Some(mut program) = settled("n=300,structure=quadtree") else { return };
    press(&mut program, Key::S, 1);
    assert_eq!(program.state().view.structure.kind(), StructureKind::EnclosingQuadtree);
    assert_eq!(
        program.state().world.indices().next().map(|index| index.options().kind()),
        Some(StructureKind::EnclosingQuadtree)
    );
    program.key_press(Key::N);
    press(&mut program, Key::B, 1);
    assert_eq!(program.state().view.scene, SceneKind::Mixed);
    assert_eq!(program.state().world.indices().count(), 2);
    press(&mut program, Key::Space, 1);
    let steps = program.state().world.steps;
    program.run_steps(5);
    assert_eq!(program.state().world.steps, steps, "it rests");
    press(&mut program, Key::Period, 1);
    assert_eq!(program.state().world.steps, steps + 1);
}

#[test]
fn a_held_key_acts_once_but_steps_go_on() {
    let Some(mut program) = settled("n=300,paused,light") else { return };
    for key in [Key::B, Key::T, Key::H, Key::M, Key::Period] {
        (0..4).for_each(|_| {
            program.key_down(key);
            program.run_steps(1);
        });
        program.key_up(key);
        program.run_steps(1);
    }
    let app = program.state();
    assert!(app.view.beside.is_some() && app.map().is_some() && app.view.theme == Some(Theme::Dark));
    assert!(program.query_by_label("Help").is_some(), "the help is open");
    assert_eq!(app.map().map(|map| map.steps), Some(4));
}

#[test]
fn keys_help_fit_turn_the_light_on_and_end_a_query() {
    let Some(mut program) = settled("n=300,paused,camera=60:60:20,ask=circle:50:50:60:60") else { return };
    for key in [Key::H, Key::F, Key::T] {
        program.key_press(key);
        program.run_steps(2);
    }
    assert!(program.query_by_label("Help").is_some(), "the help is open");
    press(&mut program, Key::H, 2);
    assert!(program.query_by_label("Help").is_none(), "the help is closed");
    press(&mut program, Key::Escape, 2);
    assert_eq!(program.state().state_text(), "n=300,paused,light");
}

#[test]
fn escape_closes_what_is_open_one_after_the_other() {
    let Some(mut program) = settled("n=300,paused,ask=circle:50:50:60:60,colour=pink") else { return };
    press(&mut program, Key::H, 2);
    let is_open = |program: &Harness<'_, App>| {
        let (app, help) = (program.state(), program.query_by_label("Help").is_some());
        [help, !app.messages().is_empty(), app.view.ask.is_some()]
    };
    for expected in [[true, true, true], [false, true, true], [false, false, true], [false; 3]] {
        assert_eq!(is_open(&program), expected);
        press(&mut program, Key::Escape, 2);
    }
}

#[test]
fn clicks_change_structure_parameters_and_tool() {
    let Some(mut program) = settled("n=300,structure=quadtree,paused") else { return };
    choose(&mut program, "fixed depth", 3);
    assert_eq!(program.state().state_text(), "n=300,structure=quadtree:fixed=6,paused");
    assert_eq!(program.state().world.indices().next().map(|index| index.stats().leaves), Some(4_usize.pow(6)));
    program.get_by_label("Velocity").click();
    choose(&mut program, "Nearest", 3);
    let text = program.state().state_text();
    assert!(text.contains("overlays=cells+contacts+velocity") && text.contains("tool=nearest"), "{text}");
    choose(&mut program, "Another one beside it", 3);
    assert_eq!(program.state().world.indices().count(), 2);
}

#[test]
fn a_dragged_rectangle_asks_what_the_library_answers() {
    let Some(mut program) = settled("n=1000,tool=rectangle,steps=5,paused") else { return };
    let [from, to] = [[20.0, 30.0], [70.0, 90.0]].map(|point| program.state().place(point).expect("a frame was shown"));
    drag(&mut program, from, to);
    let ask = program.state().view.ask.expect("a query was asked");
    let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs() < 0.5 && (a[1] - b[1]).abs() < 0.5;
    assert!(near(ask.from, [20.0, 30.0]) && near(ask.to, [70.0, 90.0]), "{ask:?}");
    let index = program.state().world.simulation().index();
    let answer = ask.answer(index);
    let expected = index.query_work(quadrille::Overlaps(quadrille::Aabb::from_corners(ask.from, ask.to)));
    assert!(expected.found > 50);
    assert_eq!((answer.found.len(), answer.boxes, answer.nodes), (expected.found, expected.boxes, expected.nodes));
}

#[test]
fn an_agent_can_be_grabbed_and_thrown() {
    let Some(mut program) = settled("n=200,tool=grab,paused") else { return };
    let simulation = program.state().world.simulation();
    let hit = simulation.index().query_first(Near::point([30.0, 30.0])).expect("there are agents");
    let agent = |program: &Harness<'_, App>| {
        let agent = program.state().world.simulation().agents().nth(hit.id as usize).expect("none is removed");
        (agent.position, agent.velocity)
    };
    let (before, _) = agent(&program);
    let [from, to] = [before, [45.0, 50.0]].map(|point| program.state().place(point).expect("a frame was shown"));
    drag(&mut program, from, to);
    let (after, velocity) = agent(&program);
    assert!((after[0] - 45.0).abs() < 0.5 && (after[1] - 50.0).abs() < 0.5, "{before:?} to {after:?}");

    // It flies in the direction in which the hand moved.
    let way = [after[0] - before[0], after[1] - before[1]];
    let along = (way[0] * velocity[0] + way[1] * velocity[1]) / way[0].hypot(way[1]);
    assert!(along > 0.95 * velocity[0].hypot(velocity[1]) && along > 0.1, "{velocity:?} along {way:?}");
    press(&mut program, Key::Period, 1);
    let (later, _) = agent(&program);
    let flown = [later[0] - after[0], later[1] - after[1]];
    assert!(flown[0] * way[0] + flown[1] * way[1] > 0.0, "{after:?} to {later:?}");
}

#[test]
fn an_agent_is_let_go_if_another_tool_is_chosen_meanwhile() {
    let Some(mut program) = settled("n=200,tool=grab,paused") else { return };
    let place = |program: &Harness<'_, App>| {
        program.state().world.simulation().agents().next().expect("there are agents").position
    };
    let at = program.state().place(place(&program)).expect("a frame was shown");
    program.event(Event::PointerMoved(at));
    program.step();
    mouse(&mut program, at, true);
    program.event(Event::PointerMoved(at + vec2(60.0, 0.0)));
    program.step();
    press(&mut program, Key::Num3, 1);
    mouse(&mut program, at + vec2(60.0, 0.0), false);
    let held = place(&program);
    program.state_mut().world.throw(0, held, [0.2, 0.2]);
    press(&mut program, Key::Period, 1);
    program.run_steps(2);
    assert_ne!(place(&program), held, "it moves on");
}

#[test]
fn keys_that_belong_to_the_browser_or_to_something_that_is_not_shown_change_nothing() {
    let Some(mut program) = settled("n=200,paused,camera=50:50:20") else { return };
    let before = program.state().view.clone();
    for modifiers in [Modifiers::CTRL, Modifiers::COMMAND, Modifiers::ALT] {
        for key in [Key::N, Key::S, Key::F, Key::T, Key::H, Key::Num3, Key::Space] {
            program.key_press_modifiers(modifiers, key);
            program.run_steps(1);
        }
    }
    assert_eq!(program.state().view, before);
    press(&mut program, Key::M, 1);
    let before = program.state().view.clone();
    for key in [Key::N, Key::S, Key::B, Key::Num9] {
        press(&mut program, key, 1);
    }
    assert_eq!(program.state().view, before);
}

#[test]
fn no_numbers_are_too_large_or_too_small_to_be_shown() {
    const TOOLS: [&str; 8] = ["rectangle", "point", "circle", "nearest", "ray", "sweep", "cone", "light"];
    const PLACES: [&str; 5] = ["1e9:1e9:-1e9:-1e9", "0:0:1e9:0", "1e9:1e9:1e9:1e9", "50:50:1e-45:50", "50:50:50:50"];
    const CAMERAS: [&str; 5] = ["1e9:-1e9:1e9", "1e9:0:1e-45", "0:0:1e-45", "50:50:1e9", "1e5:1e5:10"];
    let Some(mut program) = program("") else { return };
    let mut show = |text: &str| {
        *program.state_mut() = App::from_text(text);
        program.run_steps(2);
        program.render().expect("an image can be drawn");
        assert_eq!(program.state().messages(), [""; 0], "{text}");
    };
    for (number, tool) in TOOLS.into_iter().enumerate() {
        for (turn, place) in PLACES.into_iter().enumerate() {
            let (camera, look) = (CAMERAS[(number + turn) % 5], ["", ",density"][turn / 4]);
            let structure = ["quadtree", "grid", "frame-tree", "loose-grid", "quadtree"][turn];
            show(&format!("n=40,structure={structure},paused,camera={camera},ask={tool}:{place}{look}"));
        }
    }
    for camera in CAMERAS {
        for tool in ["range", "covering", "neighbors"] {
            let ask = format!("map-tool={tool},map-ask=4294967295:0:0:9");
            show(&format!("map=caves,walkers=9,guide=flow,paused,camera={camera},{ask}"));
        }
    }
}

/// Drags the handle of a slider from its middle to its right end.
fn drag_up(program: &mut Harness<'_, App>, label: &str) {
    let rail = program.get_by_role_and_label(Role::Slider, label).rect();
    drag(program, rail.center(), rail.right_center());
    program.run_steps(2);
}

#[test]
fn sliders_change_the_structure_and_the_number_of_agents() {
    let Some(mut program) = settled("n=2000,structure=quadtree,paused") else { return };
    let leaves = |program: &Harness<'_, App>| {
        let index = program.state().world.indices().next().expect("there is one");
        (index.options(), index.stats().leaves)
    };
    let (_, before) = leaves(&program);
    drag_up(&mut program, "capacity");
    let (AnyOptions::Quadtree(tree), after) = leaves(&program) else { panic!("the structure stays") };
    let Subdivision::Adaptive { capacity, .. } = tree.subdivision else { panic!("it stays adaptive") };
    assert!(capacity > 64 && after < before / 2, "{capacity} a leaf: {before} leaves, then {after}");
    let text = program.state().state_text();
    assert!(text.contains(&format!("structure=quadtree:capacity={capacity}")), "{text}");

    drag_up(&mut program, "agents");
    let agents = program.state().world.simulation().len();
    assert!(agents > 100_000, "{agents}");
    assert_eq!(program.state().view.agents, agents);
}

/// Turns the wheel by some lines.
fn turn_wheel(program: &mut Harness<'_, App>, at: Pos2, lines: f32) {
    program.event(Event::PointerMoved(at));
    program.event(Event::MouseWheel {
        unit: eframe::egui::MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: eframe::egui::TouchPhase::Move,
        source: eframe::egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
}

/// Looks at what is shown in windows of all sizes, from afar and from near, and drags out of the window.
fn look_from_everywhere(program: &mut Harness<'_, App>) {
    for size in [[1.0, 1.0], [40.0, 20.0], [320.0, 90.0], [90.0, 900.0], [1280.0, 800.0]] {
        program.set_size(size.into());
        program.run_steps(2);
        program.render().expect("an image can be drawn");
    }
    let middle = stage_of(program).center();
    for lines in [-400.0, 800.0] {
        turn_wheel(program, middle, lines);
        program.run_steps(8);
        program.render().expect("an image can be drawn");
        drag(program, middle, middle + vec2(5_000.0, -3_000.0));
        let camera = program.state().view.camera;
        let is_sound = |camera: Camera| camera.extent > 0.0 && camera.center.iter().all(|at| at.is_finite());
        assert!(camera.is_none_or(is_sound), "{camera:?}");
    }
    assert_eq!(program.state().messages(), [""; 0]);
}

#[test]
fn little_and_nothing_are_shown_in_windows_of_all_sizes() {
    let Some(mut program) = program("n=0,beside=grid,overlays=cells+population+order") else { return };
    look_from_everywhere(&mut program);
    for tool in [Key::Num2, Key::Num3, Key::Num0] {
        press(&mut program, tool, 1);
        look_from_everywhere(&mut program);
    }
    program.state_mut().show_map("one.map", b"type octile\nheight 1\nwidth 1\nmap\n.\n");
    look_from_everywhere(&mut program);
    for tool in [Key::Num2, Key::Num3, Key::Num4] {
        press(&mut program, tool, 1);
        look_from_everywhere(&mut program);
    }
    program.state_mut().show_fixes("one.csv", b"id,t,x,y\na,1,2,3\n".to_vec());
    look_from_everywhere(&mut program);
    program.state_mut().show_sheet(sheet("one", "x,y\n1e30,-1e30\n", &Choice::default()).expect("a point"));
    look_from_everywhere(&mut program);
    turn_wheel(&mut program, Pos2::new(640.0, 400.0), 3.0);
    program.run_steps(20);
    let point = program.state().place([0.0; 2]).expect("a frame was shown");
    assert!(point.is_finite(), "{point}");
}

#[test]
fn the_wheel_zooms_about_the_pointer() {
    let Some(mut program) = settled("n=200,paused") else { return };
    let point = [12.0, 50.0];
    let at = program.state().place(point).expect("a frame was shown");
    turn_wheel(&mut program, at, 3.0);
    program.run_steps(30);
    let camera = program.state().view.camera.expect("the picture was zoomed");
    assert!(camera.extent < 60.0, "{camera:?}");
    let now = program.state().place(point).expect("a frame was shown");
    assert!((now - at).length() < 1.0, "{at} and {now}");
}

#[test]
fn a_bad_view_gives_a_message_and_a_working_default() {
    let Some(mut program) = settled("scene=atlantis,n=-1,structure=octree") else { return };
    assert_eq!(program.state().messages().len(), 3);
    assert!(program.get_by_label_contains("atlantis").rect().is_positive());
    program.run_steps(3);
    assert!(program.state().world.steps > 0);
    let stage = program.state().place([0.0; 2]).map(|_| stage_of(&program)).expect("a frame was shown");
    let message = program.get_by_label_contains("atlantis").rect();
    assert!(stage.is_positive() && !stage.intersects(message), "{message} covers {stage}");
    program.get_by_label_contains("atlantis").click();
    program.run_steps(2);
    assert_eq!(program.state().messages().len(), 2, "a click closes one");
    // The others close by themselves.
    program.key_press(Key::Space);
    for _ in 0..60 * 60 {
        if program.state().messages().is_empty() {
            break;
        }
        program.step();
    }
    assert_eq!(program.state().messages(), [""; 0]);
}

/// The part of the window that shows the world.
fn stage_of(program: &Harness<'_, App>) -> Rect {
    let world = program.state().world.simulation().world();
    let [a, b] = [world.min, world.max].map(|corner| program.state().place(corner).expect("a frame was shown"));
    Rect::from_two_pos(a, b)
}

/// The program on an upright phone.
fn phone(text: &str) -> Option<Harness<'static, App>> {
    let builder = Harness::builder().with_size([390.0, 844.0]).with_step_dt(1.0 / 60.0).renderer(renderer()?);
    let mut program = builder.build_ui_state(|ui, app| app.show(ui), App::from_text(text));
    program.run_steps(3);
    Some(program)
}

#[test]
fn on_a_phone_the_picture_has_the_width_and_drawers_hold_the_panels() {
    let Some(mut program) = phone("n=300,structure=quadtree,paused") else { return };
    let stage = stage_of(&program);
    assert!(stage.width() > 330.0, "{stage}");
    assert!(program.query_by_label("Restart").is_none(), "drawers are closed at first");
    for (drawer, inside) in [("Settings", "Restart"), ("Figures", "Copy figures as JSON")] {
        choose(&mut program, drawer, 3);
        let stage = stage_of(&program);
        assert!(stage.is_positive() && stage.width() > 200.0, "{drawer}: {stage}");
        assert!(program.query_by_label(inside).is_some(), "{inside} is in {drawer}");
        for node in program.query_all_by_role(Role::Button).chain(program.query_all_by_role(Role::CheckBox)) {
            let rect = node.rect();
            let is_seen = rect.bottom() <= 844.0;
            assert!(
                !is_seen || !rect.intersects(stage.shrink(1.0)),
                "{:?} lies on the picture",
                node.accesskit_node().label()
            );
            assert!(!is_seen || rect.right() <= 390.0, "{:?} is cut off", node.accesskit_node().label());
        }
    }
    press(&mut program, Key::Escape, 3);
    assert!(program.query_by_label("Copy figures as JSON").is_none(), "Escape closes the drawer");
    assert_eq!(stage_of(&program), stage);
}

#[test]
fn the_theme_is_that_of_the_system_until_one_is_chosen() {
    let Some(mut program) = settled("n=300,overlays=none,paused") else { return };
    let paper = |program: &mut Harness<'_, App>| {
        let at = program.state().place([-0.5, -0.5]).expect("a frame was shown");
        program.render().expect("an image can be drawn").get_pixel(at.x as u32, at.y as u32).0
    };
    for (system, theme) in [(eframe::egui::Theme::Light, Theme::Light), (eframe::egui::Theme::Dark, Theme::Dark)] {
        program.input_mut().system_theme = Some(system);
        program.run_steps(2);
        assert_eq!(paper(&mut program), theme.paper().to_array(), "{theme:?}");
    }
    assert_eq!(program.state().state_text(), "n=300,paused,overlays=none");
    // A tool has the same name; it is to the right of the settings.
    let lights = program.query_all_by_label("Light");
    let light = lights.min_by(|one, other| one.rect().left().total_cmp(&other.rect().left()));
    light.expect("there is a button").click();
    program.run_steps(2);
    assert_eq!(paper(&mut program), Theme::Light.paper().to_array(), "chosen, whatever the system has");
    choose(&mut program, "System", 2);
    assert_eq!(paper(&mut program), Theme::Dark.paper().to_array());
}

#[test]
fn agents_are_drawn_where_they_are_and_outlines_where_the_structure_says() {
    let text = "scene=uniform,n=100,structure=quadtree:fixed=2,overlays=cells,paused,dark";
    let Some(mut program) = settled(text) else { return };
    let image = program.render().expect("an image can be drawn");
    let color = |at: Pos2| image.get_pixel(at.x as u32, at.y as u32).0;
    let blueness = |at: Pos2| i32::from(color(at)[2]) - i32::from(color(at)[0]);
    let place = |point| program.state().place(point).expect("a frame was shown");
    let simulation = program.state().world.simulation();
    let blue = simulation.agents().filter(|agent| blueness(place(agent.position)) > 80).count();
    assert!(blue >= 97, "{blue} of 100: captions may hide a few");

    // The share of ink over paper at a pixel; `None` if it has any other color.
    let [paper, ink] = [Theme::Dark.paper(), Theme::Dark.ink()].map(|color| color.to_array().map(f32::from));
    let ink_at = |at: Pos2| {
        let now = color(at).map(f32::from);
        let share = (now[0] - paper[0]) / (ink[0] - paper[0]);
        let blend = |channel: usize| paper[channel] + share * (ink[channel] - paper[channel]);
        (0..3).all(|channel| (now[channel] - blend(channel)).abs() < 3.0).then_some(share)
    };
    let unit = place([1.0, 0.0]).x - place([0.0, 0.0]).x;
    let is_clear =
        |at: Pos2| simulation.agents().all(|agent| (place(agent.position) - at).length() > agent.radius * unit + 5.0);
    let mut leaves = Vec::new();
    let _: ControlFlow<()> = simulation.index().visit_nodes(|node| {
        if node.kind == NodeKind::Leaf {
            leaves.push(node.bounds);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(leaves.len(), 16);

    let middles: Vec<_> = leaves.iter().map(|leaf| place(leaf.center())).filter(|&at| is_clear(at)).collect();
    assert!(middles.len() >= 10, "{} of 16 without an agent", middles.len());
    for at in middles {
        assert_eq!(ink_at(at), Some(0.0), "the middle of a leaf, {at}, is paper");
    }
    let sides: Vec<_> =
        leaves.iter().map(|leaf| place([leaf.min[0], leaf.center()[1]])).filter(|&at| is_clear(at)).collect();
    assert!(sides.len() >= 10, "{} of 16 without an agent", sides.len());
    for at in sides {
        let across = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0].map(|aside| ink_at(at + vec2(aside, 0.0)));
        let [Some(0.0), Some(0.0), Some(left), Some(middle), Some(right), Some(0.0), Some(0.0)] = across else {
            panic!("a thin line of ink at {at}: {across:?}")
        };
        // An outline is a pixel of 0.26 ink, smoothed over two; where two leaves meet, one outline lies on the other.
        assert!((0.24..0.5).contains(&(left + middle + right)), "an outline at {at}: {across:?}");
    }
}

/// How many pixels of two pictures differ, in the left and in the right half of the part of the stage that neither
/// captions nor messages cover.
fn differing(one: &RgbaImage, other: &RgbaImage) -> [usize; 2] {
    [400..700, 700..1_000].map(|columns| {
        let pixels = columns.flat_map(|x| (300..780).map(move |y| (x, y)));
        pixels.filter(|&(x, y)| one.get_pixel(x, y) != other.get_pixel(x, y)).count()
    })
}

#[test]
fn no_stage_is_blank() {
    // Each view, and the same view with nothing to see: the camera looks past the world, or the overlay is off.
    for (text, without) in [
        ("n=5000,density,overlays=none,paused", "n=5000,density,overlays=none,paused,camera=9000:9000:100"),
        (
            "n=500,light,beside=loose-grid,overlays=none,paused",
            "n=500,light,beside=loose-grid,overlays=none,paused,camera=9000:9000:100",
        ),
        ("n=2000,overlays=order,paused", "n=2000,overlays=none,paused"),
    ] {
        let Some(seen) = picture(text) else { return };
        let Some(blank) = picture(without) else { return };
        let differing = differing(&seen, &blank);
        assert!(differing.iter().all(|&half| half > 10_000), "{text}: {differing:?}");
    }
}

/// Runs frames that each take long to reach the screen.
fn draw_slowly(program: &mut Harness<'_, App>) {
    for _ in 0..5 {
        std::thread::sleep(Duration::from_millis(120));
        program.step();
    }
}

#[test]
fn where_discs_take_long_there_is_density_until_somebody_wants_discs_again() {
    let Some(mut program) = program("n=20000,overlays=none") else { return };
    draw_slowly(&mut program);
    assert_eq!(program.state().view.look, Look::Density);
    assert!(program.get_by_label_contains("to draw").rect().is_positive());
    program.get_by_label("Discs again").click();
    draw_slowly(&mut program);
    assert_eq!(program.state().view.look, Look::Discs, "as was chosen");
    assert!(program.query_by_label("Discs again").is_none());
}

#[test]
fn few_agents_stay_discs_and_fewer_are_discs_again() {
    let Some(mut program) = program("n=20000,overlays=none") else { return };
    draw_slowly(&mut program);
    // A key switches to another scene, which tries discs again.
    press(&mut program, Key::N, 1);
    assert_eq!(program.state().view.look, Look::Discs);
    let Some(mut program) = self::program("n=19000,overlays=none") else { return };
    draw_slowly(&mut program);
    assert_eq!(program.state().view.look, Look::Discs);
}

/// Runs frames until something is so, for a minute at most.
fn step_until(program: &mut Harness<'_, App>, what: &str, is_so: impl Fn(&Harness<'_, App>) -> bool) {
    for _ in 0..6_000 {
        if is_so(program) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
        program.step();
    }
    panic!("it never came: {what}");
}

/// Types the name of a missing file into the field that opens files.
fn a_file_that_is_not_there_is_named(program: &mut Harness<'_, App>) {
    program.get_by_role(Role::TextInput).click();
    program.run_steps(2);
    program.event(Event::Text("nothere.csv".into()));
    program.run_steps(2);
    press(program, Key::Enter, 2);
    assert!(says(program, "nothere.csv: "), "{:?}", program.state().messages());
}

fn says(program: &Harness<'_, App>, what: &str) -> bool {
    program.state().messages().iter().any(|message| message.starts_with(what))
}

/// A film: its size, and each of its frames as indices into the palette.
fn film(path: &Path) -> ([u16; 2], Vec<Vec<u8>>) {
    let file = std::fs::File::open(path).expect("the film was saved");
    let mut decoder = gif::DecodeOptions::new().read_info(file).expect("it is a GIF");
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("it is whole") {
        frames.push(frame.buffer.to_vec());
    }
    ([decoder.width(), decoder.height()], frames)
}

#[test]
fn buttons_save_what_is_seen() {
    let Some(mut program) = settled("n=2000,seed=3,steps=20,paused") else { return };
    let folder = std::env::temp_dir().join(format!("quadrille-view-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for pictures");
    // Pictures are saved in the working directory, on which no other test here depends.
    std::env::set_current_dir(&folder).expect("the folder is there");

    program.get_by_label("Save PNG").click();
    step_until(&mut program, "a picture", |program| says(program, "saved quadrille-1.png"));
    let picture = image::open(folder.join("quadrille-1.png")).expect("it is a PNG").into_rgb8();
    let seen = program.render().expect("an image can be drawn");
    assert_eq!(picture.dimensions(), seen.dimensions());
    // The part of the picture that no message covers.
    let (mut differing, mut colors) = (0, std::collections::BTreeSet::new());
    for (x, y) in (400..1_000).flat_map(|x| (300..780).map(move |y| (x, y))) {
        let [red, green, blue, _] = seen.get_pixel(x, y).0;
        differing += u32::from(picture.get_pixel(x, y).0 != [red, green, blue]);
        colors.insert([red, green, blue]);
    }
    assert_eq!(differing, 0);
    assert!(colors.len() > 50, "{} colours", colors.len());

    // A name that is taken, though nothing is there.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.join("quadrille-2.png")).expect("the folder is ours");
        program.run_steps(3);
        press(&mut program, Key::P, 1);
        step_until(&mut program, "another picture", |program| says(program, "saved quadrille-3.png"));
    }
    program.run_steps(3);
    press(&mut program, Key::Escape, 2);
    for button in ["Run", "Record GIF"] {
        choose(&mut program, button, 2);
    }
    let steps = program.state().world.steps;
    step_until(&mut program, "some steps", |program| program.state().world.steps > steps + 20);
    program.get_by_label("Stop GIF").click();
    step_until(&mut program, "a film", |program| says(program, "saved quadrille-1.gif"));
    let (size, frames) = film(&folder.join("quadrille-1.gif"));
    assert_eq!(size, [1280, 800]);
    assert_eq!(program.state().messages(), [format!("saved quadrille-1.gif ({} frames)", frames.len())]);
    assert!(frames.len() >= 3 && frames[0] != frames[frames.len() - 1], "{} frames", frames.len());

    // A film that is stopped before its first picture arrives still gets that one.
    program.run_steps(3);
    for _ in 0..2 {
        // Released in the frame of the next press, since each frame may bring a picture.
        let (key, modifiers) = (Key::G, Modifiers::NONE);
        let released = Event::Key { key, physical_key: None, pressed: false, repeat: false, modifiers };
        program.input_mut().events.push(released);
        program.key_down(key);
        program.step();
    }
    step_until(&mut program, "a film of one frame", |program| says(program, "saved quadrille-2.gif"));
    assert_eq!(film(&folder.join("quadrille-2.gif")).1.len(), 1);
    std::fs::remove_dir_all(&folder).expect("nobody else uses it");
}

#[test]
fn a_button_copies_the_figures() {
    let Some(mut program) = settled("scene=pile,n=300,steps=10,paused") else { return };
    program.get_by_label("Copy figures as JSON").click();
    step_until(&mut program, "a copy", |program| !program.output().platform_output.commands.is_empty());
    let commands = &program.output().platform_output.commands;
    assert!(
        matches!(&commands[..], [OutputCommand::CopyText(text)] if *text == program.state().figures_json()),
        "{commands:?}"
    );
}

#[test]
fn a_map_says_what_it_costs_and_copies_it() {
    let Some(mut program) = settled("map=field,walkers=40,paused") else { return };
    assert!(program.query_by_label("none yet").is_some(), "nothing has been edited");
    let [from, to] = [[40.5, 100.5], [100.5, 40.5]].map(|at| program.state().place(at).expect("a frame was shown"));
    drag(&mut program, from, to);
    program.run_steps(1);
    assert!(program.query_by_label("none yet").is_none());
    program.get_by_label("Copy figures as JSON").click();
    step_until(&mut program, "a copy", |program| !program.output().platform_output.commands.is_empty());
    let [OutputCommand::CopyText(text)] = &program.output().platform_output.commands[..] else {
        panic!("{:?}", program.output().platform_output.commands)
    };
    let leaves = program.state().map().expect("a map is shown").land.tree.leaf_count();
    assert!(text.contains(&format!("\"leaves\":{leaves},")) && !text.contains("\"edit\":null"), "{text}");
}

#[test]
fn why_it_is_slow_is_answered_with_a_structure_that_a_click_chooses() {
    let Some(mut program) = settled("scene=clustered,n=1500,structure=brute-force,paused") else { return };
    program.get_by_label("Why is this slow?").click();
    let answer = |program: &Harness<'_, App>| program.query_by_label_contains("times the fastest").is_some();
    step_until(&mut program, "an answer", answer);
    // Such as "0.12 ms  loose-grid, tight_cell 2 x 2", the fastest first.
    let mut rows: Vec<_> = program.query_all_by_label_contains(" ms  ").collect();
    rows.sort_by(|one, other| one.rect().top().total_cmp(&other.rect().top()));
    let label = rows[0].accesskit_node().label().expect("it was found by it");
    rows[0].click();
    program.run_steps(3);
    let chosen = program.state().view.structure.kind();
    assert_ne!(chosen, StructureKind::BruteForce);
    assert!(label.split([' ', ',']).any(|word| word == chosen.name()), "{chosen} for {label}");
    assert_eq!(program.state().world.indices().next().map(|index| index.options().kind()), Some(chosen));

    // Other agents need another answer, and it is found even if something else is looked at meanwhile.
    press(&mut program, Key::N, 2);
    assert!(program.query_by_label_contains("times the fastest").is_none());
    choose(&mut program, "Why is this slow?", 1);
    press(&mut program, Key::M, 400);
    press(&mut program, Key::M, 1);
    assert!(program.query_by_label_contains("times the fastest").is_some());
}

#[test]
fn a_city_runs_with_its_crowd_and_the_same_text_gives_the_same_city() {
    let text = "map=city,guide=each,walkers=400,doors=600,steps=90,paused";
    let Some(mut program) = program(text) else { return };
    let steps = |program: &Harness<'_, App>| program.state().map().map_or(0, |map| map.steps);
    step_until(&mut program, "90 steps", |program| steps(program) >= 90);
    assert_eq!(program.state().state_text(), text);
    let mut again = App::from_text(text).map().expect("a map is shown").clone();
    (0..90).for_each(|_| again.step());
    let map = program.state().map().expect("a map is shown");
    assert!(map.walkers.places().eq(again.walkers.places()));
    let open = |map: &MapMode| map.doors().iter().filter(|door| map.land.paths.grid().is_free(**door)).count();
    assert_eq!((open(map), map.doors().len()), (open(&again), 1024));
    assert!(open(map) < 1024, "doors have changed");
    assert!(
        program.query_by_label("agents in the queue").is_some() && program.query_by_label("path from A to B").is_none()
    );
    assert!(program.query_by_label("  above 4 ms").is_none(), "steps that a view begins with are no frames");

    program.key_press(Key::Space);
    step_until(&mut program, "frames", |program| steps(program) > 95);
    program.run_steps(1);
    assert!(program.query_by_label("  above 4 ms").is_some());
    choose(&mut program, "One flow field", 3);
    let map = program.state().map().expect("a map is shown");
    assert!(map.route.field.is_some() && program.state().state_text().contains("guide=flow"));
    assert!(
        program.query_by_label("path from A to B").is_some() && program.query_by_label("agents in the queue").is_none()
    );
}

#[test]
fn a_wall_that_is_dragged_on_a_map_breaks_the_path_and_another_is_found() {
    let Some(mut program) = settled("n=300,walkers=40,paused") else { return };
    choose(&mut program, "Maps", 2);
    program.get_by_value("rooms").click();
    program.run_steps(2);
    choose(&mut program, "field", 3);
    assert!(program.state().state_text().starts_with("map=field,"), "{}", program.state().state_text());
    let length = |program: &Harness<'_, App>| {
        program.state().map().and_then(|map| map.route.path()).map(|path| path.length().as_f64())
    };
    let leaves = |program: &Harness<'_, App>| program.state().map().map(|map| map.land.tree.leaf_count());
    let straight = length(&program);
    assert_eq!((straight.is_some(), leaves(&program)), (true, Some(1)));

    // From corner to corner the path crosses the middle; there it meets the wall.
    let wall = [[40.5, 100.5], [100.5, 40.5]];
    let [from, to] = wall.map(|point| program.state().place(point).expect("a frame was shown"));
    drag(&mut program, from, to);
    let map = program.state().map().expect("a map is shown");
    let grid = map.land.paths.grid();
    assert!((0..=60).all(|at| !grid.is_free(Cell::new(40 + at, 100 - at))), "a wall from end to end");
    assert!(map.path_breaks > 0, "the wall grew across the path");
    let path = map.route.path().expect("there is a way around the wall");
    assert!(path.cells().iter().all(|cell| grid.is_free(*cell)) && length(&program) > straight);
    let image = program.render().expect("an image can be drawn");
    let color = |point| {
        let at = program.state().place(point).expect("a frame was shown");
        image.get_pixel(at.x as u32, at.y as u32).0
    };
    assert_ne!(color([50.5, 90.5]), color([20.5, 110.5]), "the wall is drawn");

    choose(&mut program, "Erase", 2);
    drag(&mut program, from, to);
    assert_eq!((length(&program), leaves(&program)), (straight, Some(1)), "as if nothing had been");
}

/// The button goes down and up again within one frame, as a tap on a touchpad does.
fn quick_click(program: &mut Harness<'_, App>, at: Pos2) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    program.event(Event::PointerMoved(at));
    program.step();
    let buttons = [true, false].map(|pressed| Event::PointerButton { pos: at, button, pressed, modifiers });
    program.input_mut().events.extend(buttons);
    program.step();
    program.step();
}

#[test]
fn a_press_whose_frames_are_slow_is_a_click() {
    let Some(mut program) = settled("n=50,paused,steps=1") else { return };
    let button = program.get_by_label("Remove").rect().center();
    program.event(Event::PointerMoved(button));
    program.step();
    mouse(&mut program, button, true);
    // Frames of the test last a 60th of a second, so these are two seconds.
    program.run_steps(120);
    mouse(&mut program, button, false);
    assert!(program.state().state_text().contains("tool=remove"), "the click was lost");
}

#[test]
fn a_click_within_one_frame_paints_and_asks_on_a_map() {
    let Some(mut program) = settled("map=field,walkers=0,paused") else { return };
    let at = program.state().place([40.5, 30.5]).expect("a frame was shown");
    quick_click(&mut program, at);
    let map = program.state().map().expect("a map is shown");
    assert!(!map.land.paths.grid().is_free(Cell::new(40, 30)), "a wall is painted");
    // The button is up again: moving the mouse paints nothing.
    let edits = map.land.paths.version();
    program.event(Event::PointerMoved(at + vec2(60.0, 0.0)));
    program.run_steps(2);
    assert_eq!(program.state().map().map(|map| map.land.paths.version()), Some(edits));

    choose(&mut program, "Neighbors", 2);
    quick_click(&mut program, at);
    let ends = program.state().view.map_ask.expect("the tree was asked");
    assert_eq!(ends, [Cell::new(40, 30); 2]);
}

/// Two ships that pass each other, and a third one far from both.
const SHIPS: &[u8] = b"id,t,x,y\nada,0,0,0\nada,10,100,0\nbob,0,100,10\nbob,10,0,10\ncyd,0,50,60\ncyd,10,50,60\n";

#[test]
fn paint_that_is_too_much_for_a_text_is_left_out_and_that_is_said() {
    let text = format!("map=rooms,walkers=0,paused,painted={}", "B".repeat(4_000));
    let Some(mut program) = settled(&text) else { return };
    choose(&mut program, "Copy this view as text", 2);
    assert!(program.state().messages().is_empty() && program.state().state_text().contains("painted"));
    let middle = program.state().panes()[0].center();
    drag(&mut program, middle, middle + vec2(90.0, 60.0));
    choose(&mut program, "Copy this view as text", 2);
    assert!(
        says(&program, "what is painted is too much for a text") && !program.state().state_text().contains("painted")
    );
}

#[test]
fn tracks_are_played_and_their_encounters_lit() {
    let Some(mut program) = program("within=15,paused,light") else { return };
    program.state_mut().show_fixes("ships.csv", SHIPS.to_vec());
    program.run_steps(2);
    assert_eq!(program.state().messages(), [""; 0]);
    let at = |program: &Harness<'_, App>| program.state().tracks().expect("tracks are shown").at;
    let rail = program.get_by_role_and_label(Role::Slider, "time").rect();
    drag(&mut program, rail.left_center() + vec2(8.0, 0.0), rail.lerp_inside(vec2(0.25, 0.5)));
    program.run_steps(2);
    assert!((at(&program) - 2.5).abs() < 0.2, "{}", at(&program));
    assert!(program.state().figures_json().contains("\"in_progress\":0}"));

    choose(&mut program, "Next encounter", 2);
    assert!((at(&program) - 5.0).abs() < 1e-9, "{}", at(&program));
    assert!(program.state().figures_json().contains("\"in_progress\":1}"));
    let image = program.render().expect("an image can be drawn");
    let player = program.state().tracks().expect("tracks are shown");
    let colors: Vec<_> = player
        .present()
        .map(|present| {
            let at = program.state().place(present.position).expect("a frame was shown");
            image.get_pixel(at.x as u32, at.y as u32).0
        })
        .collect();
    let [ada, bob, cyd] = colors[..] else { panic!("three are there: {colors:?}") };
    assert!(ada == bob && ada[0] > 180 && ada[2] < 60, "those that meet are vermilion: {ada:?}, {bob:?}");
    assert!(cyd[2] > 150 && cyd[0] < 60, "the other one is blue: {cyd:?}");

    // A click keeps the name of a track.
    let place = player.present().nth(2).and_then(|present| program.state().place(present.position));
    let place = place.expect("it is there");
    program.event(Event::PointerMoved(place));
    program.step();
    for is_down in [true, false] {
        mouse(&mut program, place, is_down);
    }
    program.run_steps(2);
    let player = program.state().tracks().expect("tracks are shown");
    assert_eq!(player.picked.iter().map(|who| player.name(*who)).collect::<Vec<_>>(), ["cyd"]);

    choose(&mut program, "Run", 10);
    assert!(at(&program) > 5.0, "{}", at(&program));
    choose(&mut program, "Agents", 2);
    assert!(program.state().tracks().is_none());
    choose(&mut program, "Tracks", 2);
    assert!(program.state().tracks().is_some(), "they are still there");
}

#[test]
fn without_tracks_there_is_an_example_and_a_field_for_a_path() {
    let Some(mut program) = settled("n=300") else { return };
    choose(&mut program, "Tracks", 3);
    let steps = program.state().world.steps;
    program.run_steps(5);
    assert_eq!(program.state().world.steps, steps, "what is not shown rests");

    a_file_that_is_not_there_is_named(&mut program);

    choose(&mut program, "Show an example", 3);
    let player = program.state().tracks().expect("tracks are shown");
    assert!(player.found.encounters.len() > 5 && program.state().state_text().starts_with("within="));
    choose(&mut program, "Other tracks", 2);
    assert!(program.state().tracks().is_none() && program.query_by_label("Show an example").is_some());
    for _ in 0..2 {
        press(&mut program, Key::Escape, 2);
    }
    assert!(program.query_by_label("Show an example").is_none(), "Escape leads back to the agents");
}

#[test]
fn a_real_crowd_is_played_from_columns_by_number() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tracks/ucy_students003.txt");
    if !path.exists() {
        eprintln!("SKIPPED: there is no {}", path.display());
        return;
    }
    let Some(mut program) = program("within=0.5,at=2700,paused") else { return };
    let [time, id, x, y] = ["1", "2", "3", "4"].map(String::from);
    let choice = FixChoice { id: Some(id), time: Some(time), position: Some([x, y]), ..FixChoice::default() };
    program.state_mut().show_tracks(&[Fixes::read(&path, &choice).expect("it is a file of fixes")]);
    program.run_steps(2);
    assert_eq!(program.state().messages(), [""; 0]);
    // This many rows of the file have this time.
    let player = program.state().tracks().expect("tracks are shown");
    assert_eq!((player.count(), player.fixes, player.present().count()), (434, 17_953, 39));
    assert!(!player.found.encounters.is_empty());
}

/// A file's text as boxes over a frame tree.
fn sheet(name: &str, text: impl Into<Vec<u8>>, choice: &Choice) -> Result<Sheet, String> {
    let source = Source::from_reader(name, std::io::Cursor::new(text.into())).expect("bytes can be read");
    Sheet::from_source(source, choice, StructureKind::FrameTree.into(), None)
}

/// The program showing boxes.
fn with_boxes(view: &str, text: &str) -> Option<Harness<'static, App>> {
    let mut program = program(view)?;
    let source = Source::from_reader("boxes.csv", std::io::Cursor::new(text.to_owned())).expect("bytes can be read");
    program.state_mut().show_boxes(source, &Choice { keep: vec!["name".into()], ..Choice::default() });
    program.run_steps(2);
    assert_eq!(program.state().messages(), [""; 0]);
    Some(program)
}

/// Three boxes that overlap in a row, and one apart.
const ROW: &str = "name,xmin,ymin,xmax,ymax\nada,0,0,10,10\nbob,8,2,18,8\ncyd,16,0,26,10\ndan,40,0,50,10\n";

#[test]
fn boxes_of_a_file_are_colored_by_what_they_overlap_and_a_click_names_it() {
    let Some(mut program) = with_boxes("paused,light,overlays=none", ROW) else { return };
    let image = program.render().expect("an image can be drawn");
    let sheet = program.state().boxes().expect("boxes are shown");
    assert_eq!((sheet.count(), sheet.pairs, &sheet.partners[..]), (4, 2, &[1, 2, 1, 0][..]));
    // The left edge of each is in its color.
    for (id, rect) in (0..).zip(sheet.rects.clone()) {
        let at = program.state().place([rect.min[0], rect.center()[1]]).expect("a frame was shown");
        let wanted = color(sheet.partners[id], sheet.most, Theme::Light);
        let is_near = |x: i32| {
            let pixel = image.get_pixel((at.x as i32 + x) as u32, at.y as u32).0;
            (0..3).all(|part| pixel[part].abs_diff(wanted.to_array()[part]) < 90)
        };
        assert!((-2..=2).any(is_near), "{id} has another color than {wanted:?}");
    }

    let middle = |program: &Harness<'_, App>, id: usize| {
        let sheet = program.state().boxes().expect("boxes are shown");
        program.state().place(sheet.rects[id].center()).expect("a frame was shown")
    };
    let at = middle(&program, 1);
    program.event(Event::PointerMoved(at));
    program.run_steps(2);
    for is_down in [true, false] {
        mouse(&mut program, at, is_down);
    }
    program.run_steps(2);
    let picked = program.state().boxes().and_then(|sheet| sheet.picked.as_ref()).expect("it was clicked").clone();
    assert_eq!((picked.id, picked.partners), (1, vec![0, 2]));
    assert!(program.state().figures_json().contains("\"picked\":{\"name\":\"bob\",\"partners\":[\"ada\",\"cyd\"]}"));
    // The list leads from box to box.
    choose(&mut program, "cyd", 2);
    assert_eq!(program.state().boxes().and_then(|sheet| sheet.picked.as_ref()).map(|picked| picked.id), Some(2));
    press(&mut program, Key::Escape, 2);
    assert_eq!(program.state().boxes().and_then(|sheet| sheet.picked.as_ref()), None);

    // Nothing moves, and the agents rest meanwhile.
    let steps = program.state().world.steps;
    choose(&mut program, "Agents", 2);
    assert!(program.state().boxes().is_none() && program.state().world.steps == steps);
    program.get_by_role_and_label(Role::Button, "Boxes").click();
    program.run_steps(2);
    assert!(program.state().boxes().is_some(), "they are still there");
}

#[test]
fn keys_divide_boxes_by_other_structures_and_all_find_the_same_pairs() {
    let Some(mut program) = with_boxes("structure=quadtree:capacity=1,paused", ROW) else { return };
    let kinds = |program: &Harness<'_, App>| {
        let sheet = program.state().boxes().expect("boxes are shown");
        sheet.structures().map(|one| one.options.kind()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&program), [StructureKind::Quadtree]);
    press(&mut program, Key::B, 2);
    let mut seen = Vec::new();
    for _ in StructureKind::ALL {
        let sheet = program.state().boxes().expect("boxes are shown");
        assert!(sheet.structures().all(|one| one.index.pairs_count() == 2 && one.pairs_ms.is_some()));
        seen.push(kinds(&program)[0]);
        press(&mut program, Key::S, 2);
    }
    assert_eq!((kinds(&program).len(), seen.len()), (2, StructureKind::ALL.len()));
    assert!(StructureKind::ALL.iter().all(|kind| seen.contains(kind)), "{seen:?}");
    assert!(program.state().state_text().contains("structure=quadtree"), "{}", program.state().state_text());
    program.render().expect("an image can be drawn");
}

#[test]
fn files_of_every_form_are_boxes_and_what_is_no_good_is_named() {
    let geojson = r#"{"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[0,4],[0,0]]]}},
        {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,1]}},
        {"type":"Feature","properties":{},"geometry":null}]}"#;
    let same: String = "0,0,1,1\n".repeat(1_000);
    // Boxes, pairs, the most of one box, shapes.
    for (name, text, expected) in [
        ("corners.csv", "xmin,ymin,xmax,ymax\n0,0,1,1\n1,1,2,2\n5,5,6,6\n", (3, 1, 1, false)),
        ("sizes.tsv", "x\ty\twidth\theight\n0\t0\t1\t1\n0.5\t0.5\t3\t3\n", (2, 1, 1, false)),
        ("points.csv", "name,lon,lat\nZug,8.5,47.2\nBaar,8.5,47.2\nBern,7.4,46.9\n", (3, 1, 1, false)),
        ("wkt.csv", "id;wkt\n1;POLYGON((0 0, 9 0, 9 9, 0 0))\n2;LINESTRING(1 1, 2 5)\n", (2, 1, 1, true)),
        ("town.geojson", geojson, (2, 1, 1, true)),
        ("one.csv", "xmin,ymin,xmax,ymax\n3,4,5,6\n", (1, 0, 0, false)),
        ("equal.csv", same.as_str(), (1_000, 499_500, 999, false)),
        ("huge.csv", "xmin,ymin,xmax,ymax\n-1e300,0,1e300,1\n1e299,0,1e300,1e300\n", (2, 1, 1, false)),
        ("far.csv", "x,y,w,h\n1e30,1e30,1e25,1e25\n1e-30,1e-30,1e-31,1e-31\n", (2, 0, 0, false)),
        ("tiny.csv", "x,y,w,h\n0,0,1e-30,1e-30\n5e-31,5e-31,1e-30,1e-30\n", (2, 1, 1, false)),
    ] {
        let sheet = sheet(name, text, &Choice::default()).expect(name);
        assert_eq!((sheet.count(), sheet.pairs, sheet.most, sheet.has_shapes()), expected, "{name}");
        let pairs: Vec<_> = sheet.structures().map(|one| one.index.pairs_count() as u64).collect();
        assert_eq!(pairs, [expected.1], "{name}");
        let sides = sheet.rects.iter().flat_map(|rect| [rect.min, rect.max]).flatten();
        assert!(sides.into_iter().all(|side| side.abs() <= 1_100.0), "{name}");
        // What is drawn is found under the mouse.
        let found = sheet.find(sheet.rects[0].center(), 1e-3).expect(name);
        assert_eq!(sheet.rects[found as usize].area().min(sheet.rects[0].area()), sheet.rects[found as usize].area());
    }
    for (name, text, told) in [
        ("empty.csv", "", "there are no boxes"),
        ("header.csv", "xmin,ymin,xmax,ymax\n", "there are no boxes"),
        ("nan.csv", "x,y,w,h\n1,2,NaN,3\n", "nan.csv: line 2: w \"NaN\""),
        ("bad.csv", "xmin,ymin,xmax,ymax\n0,0,1,1\n0,0,one,1\n", "bad.csv: line 3: xmax \"one\""),
        ("inside-out.csv", "xmin,ymin,xmax,ymax\n2,0,1,1\n", "inside-out.csv: line 2"),
        ("letter.txt", "Dear Sir", "letter.txt"),
    ] {
        let error = sheet(name, text, &Choice::default()).expect_err(name);
        assert!(error.contains(told), "{name}: {error}");
    }
}

#[test]
fn boxes_of_every_size_and_number_are_drawn() {
    let Some(mut program) = program("paused,light") else { return };
    let mut many = String::from("xmin,ymin,xmax,ymax\n");
    for number in 0..120_000_u32 {
        let (x, y) = (number % 400, number / 400);
        many += &format!("{x},{y},{x}.5,{y}.5\n");
    }
    let polygon = "wkt\n\"POLYGON((0 0, 9 0, 9 9, 0 0))\"\n\"POLYGON((20 20, 29 20, 29 29, 20 20))\"\n";
    let paper = Theme::Light.paper();
    for (name, text) in [
        ("many", many.as_str()),
        ("equal", "x,y,w,h\n1,1,2,2\n1,1,2,2\n"),
        ("point", "x,y\n1,1\n"),
        ("line", "x,y,w,h\n0,0,1e30,0\n"),
        ("far", "x,y,w,h\n1e30,1e30,1e25,1e25\n1e-30,1e-30,1e-31,1e-31\n"),
        ("shapes", polygon),
    ] {
        program.state_mut().show_sheet(sheet(name, text, &Choice::default()).expect(name));
        program.run_steps(2);
        let image = program.render().expect("an image can be drawn");
        let sheet = program.state().boxes().expect("boxes are shown");
        for rect in sheet.rects.iter().take(3) {
            // Something is drawn at the lower left corner, which the shapes here have, too.
            let at = program.state().place(rect.min).expect("a frame was shown");
            let is_inked = |x: i32, y: i32| {
                let pixel = image.get_pixel((at.x as i32 + x) as u32, (at.y as i32 + y) as u32).0;
                (0..3).any(|part| pixel[part].abs_diff(paper.to_array()[part]) > 20)
            };
            assert!((-2..=2).any(|x| (-2..=2).any(|y| is_inked(x, y))), "{name}: nothing at {at:?}");
        }
    }
    // Paper shows between two of the many only if each is drawn by itself, and for that the camera must be near.
    for (extent, is_each) in [(None, false), (Some(10.0), true)] {
        let sheet = sheet("many", many.as_str(), &Choice::default()).expect("boxes");
        let [first, next] = [0, 1].map(|id: usize| sheet.rects[id]);
        let gap = [(first.max[0] + next.min[0]) / 2.0, first.center()[1]];
        program.state_mut().show_sheet(sheet);
        program.state_mut().view.camera = extent.map(|extent| Camera { center: gap, extent });
        program.run_steps(2);
        let image = program.render().expect("an image can be drawn");
        let at = program.state().place(gap).expect("a frame was shown");
        let pixel = image.get_pixel(at.x as u32, at.y as u32).0;
        let is_paper = (0..3).all(|part| pixel[part].abs_diff(paper.to_array()[part]) < 5);
        assert_eq!(is_paper, is_each, "{extent:?}: {pixel:?}");
    }
}

#[test]
fn without_boxes_there_is_an_example_and_a_file_is_taken_for_what_it_is() {
    let Some(mut program) = settled("n=300,paused") else { return };
    program.get_by_role_and_label(Role::Button, "Boxes").click();
    program.run_steps(2);
    choose(&mut program, "Show an example", 3);
    let sheet = program.state().boxes().expect("boxes are shown");
    assert!(sheet.count() > 1_500 && sheet.pairs > 300 && sheet.most > 5, "{} {}", sheet.count(), sheet.pairs);
    assert!(sheet.partners.contains(&0) && sheet.name(0).starts_with("house"));
    choose(&mut program, "Other boxes", 2);
    a_file_that_is_not_there_is_named(&mut program);
}

#[test]
fn real_boxes_overlap_as_often_as_the_library_counts() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/boxes");
    for name in
        ["tiger_zcta510_boxes.csv", "boulder_buildings_bbox.csv", "us_airports.csv", "usgs_earthquakes_week.geojson"]
    {
        let path = shared.join(name);
        if !path.exists() {
            eprintln!("SKIPPED: there is no {}", path.display());
            continue;
        }
        let source = Source::open(&path).expect("it can be read");
        let sheet = Sheet::from_source(source, &Choice::default(), StructureKind::Quadtree.into(), None).expect(name);
        let one = sheet.structures().next().expect("there is one");
        assert_eq!(one.index.pairs_count() as u64, sheet.pairs, "{name}");
        let all: Vec<_> = (0..).take(sheet.count()).map(|id| one.index.neighbors(id).count() as u32).collect();
        assert_eq!(all, sheet.partners, "{name}");
    }
}

#[test]
fn boxes_are_added_and_removed_by_hand_in_an_empty_world() {
    let Some(mut program) = settled("n=0,structure=quadtree:capacity=1,overlays=cells,tool=add,paused") else { return };
    let world = program.state().world.simulation().world();
    let points = [0.2, 0.3, 0.8].map(|share| world.min.map(|side| side + share * world.size()[0]));
    let places = points.map(|point| program.state().place(point).expect("a frame was shown"));
    let click = |program: &mut Harness<'_, App>, at: Pos2| {
        program.event(Event::PointerMoved(at));
        program.step();
        mouse(program, at, true);
        mouse(program, at, false);
        program.run_steps(2);
    };
    for at in places {
        click(&mut program, at);
    }
    let index = |program: &Harness<'_, App>| {
        let index = program.state().world.simulation().index();
        (index.len(), index.stats().leaves)
    };
    let (boxes, leaves) = index(&program);
    assert!(boxes == 3 && leaves > 1, "{boxes} boxes in {leaves} leaves");
    choose(&mut program, "Remove", 2);
    click(&mut program, places[0]);
    click(&mut program, places[1]);
    assert_eq!(index(&program).0, 1);
    for _ in 0..40 {
        press(&mut program, Key::Period, 1);
    }
    assert_eq!(index(&program), (1, 1), "cleaned up step by step");
}

#[test]
fn without_maintain_nodes_stay_until_it_is_called_once() {
    let text = "n=400,structure=quadtree:capacity=2,beside=loose-quadtree:capacity=2,maintain=off,paused";
    let Some(mut program) = settled(text) else { return };
    let nodes = |program: &Harness<'_, App>| {
        program.state().world.indices().map(|index| index.stats().nodes).collect::<Vec<_>>()
    };
    let remove_all = |program: &mut Harness<'_, App>| {
        let discs: Vec<_> = program.state().world.simulation().agents().map(|agent| agent.position).collect();
        // All but one: an empty world would not test merging.
        for position in &discs[1..] {
            let at = program.state().place(*position).expect("a frame was shown");
            program.event(Event::PointerMoved(at));
            program.step();
            mouse(program, at, true);
            mouse(program, at, false);
        }
        program.state().world.simulation().len()
    };
    choose(&mut program, "Remove", 2);
    let before = nodes(&program);
    let left = remove_all(&mut program);
    assert!(left < 40, "{left} of 400 are left");
    assert!(before.iter().all(|nodes| *nodes > 40), "{before:?}");
    for _ in 0..10 {
        press(&mut program, Key::Period, 1);
    }
    let after = nodes(&program);
    assert!(after.iter().zip(&before).all(|(after, before)| after >= before), "{before:?}, then {after:?}");
    assert!(program.state().state_text().contains("maintain=off"), "{}", program.state().state_text());
    let steps = program.state().world.steps;
    choose(&mut program, "Maintain once", 2);
    let merged = nodes(&program);
    assert!(merged.iter().zip(&after).all(|(merged, after)| merged * 2 < *after), "{after:?}, then {merged:?}");
    assert_eq!(program.state().world.steps, steps, "that was no step");
    choose(&mut program, "maintain", 2);
    assert!(!program.state().state_text().contains("maintain"), "{}", program.state().state_text());
}

#[test]
fn a_key_maintains_once_between_steps() {
    let Some(mut program) = settled("n=2000,structure=quadtree:capacity=2,maintain=off,steps=120,paused") else {
        return;
    };
    let nodes =
        |program: &Harness<'_, App>| program.state().world.indices().map(|index| index.stats().nodes).sum::<usize>();
    let before = nodes(&program);
    program.run_steps(5);
    assert_eq!(nodes(&program), before);
    press(&mut program, Key::U, 2);
    assert!(nodes(&program) < before, "{before}, then {}", nodes(&program));
}

#[test]
fn the_region_tree_of_a_map_answers_the_mouse_under_each_rule() {
    let Some(mut program) = settled("map=caves,walkers=0,paused") else { return };
    let place = |program: &Harness<'_, App>, at| program.state().place(at).expect("a frame was shown");
    let leaves = |program: &Harness<'_, App>| program.state().map().map(|map| map.land.tree.leaf_count());
    let alike = leaves(&program);
    choose(&mut program, "few walls", 2);
    assert!(leaves(&program) < alike, "{:?} of {alike:?}", leaves(&program));

    choose(&mut program, "Range", 2);
    let (from, to) = (place(&program, [20.5, 30.5]), place(&program, [60.5, 50.5]));
    let before = program.render().expect("an image can be drawn");
    drag(&mut program, from, to);
    program.run_steps(2);
    let text = program.state().state_text();
    assert!(text.contains("rule=at-most:40,map-tool=range,map-ask=20:30:60:50"), "{text}");
    let map = program.state().map().expect("a map is shown");
    assert_eq!(map.land.churn.created, 0, "asking paints nothing");
    let after = program.render().expect("an image can be drawn");
    let at = place(&program, [40.5, 40.5]);
    let color = |image: &RgbaImage| image.get_pixel(at.x as u32, at.y as u32).0;
    assert_ne!(color(&before), color(&after), "the leaves are lit");

    press(&mut program, Key::Num4, 2);
    assert!(program.state().state_text().contains("map-tool=neighbors"));
    press(&mut program, Key::Escape, 2);
    assert!(!program.state().state_text().contains("map-ask"));
    choose(&mut program, "all wall or all floor", 2);
    assert_eq!(leaves(&program), alike);
}
