//! The program: the view, the world it shows, and what changes them. A single frame is in [`frame`](crate::frame).

mod files;
mod pace;

use eframe::egui::Rect;
use web_time::{Duration, Instant};

use crate::advice::Advisor;
use crate::boxes::{BoxFigures, Sheet};
use crate::ease::Ease;
use crate::figures::{Figures, Report, to_json};
use crate::inbox::Inbox;
use crate::maps::{MapFigures, MapMode};
use crate::notices::Notices;
use crate::render::gpu;
use crate::state::{Look, MOST_STEPS, View};
use crate::tracks::{Player, TrackFigures};
use crate::world::World;

/// How often to update figures that need a walk through the whole structure.
const FIGURES_EVERY: Duration = Duration::from_millis(250);

/// Changes of the settings in this frame.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    pub(crate) view: View,
    pub(crate) restart: bool,
}

/// What is open below the picture of a narrow window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawer {
    Settings,
    Figures,
}

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The scene of the view, or its map.
    #[default]
    View,
    /// Tracks of a file.
    Tracks,
    /// Boxes of a file.
    Boxes,
}

/// What the stage remembers from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    pub(crate) held: Option<Held>,
    /// Where the panes are on the screen, for tests.
    pub(crate) panes: Vec<Rect>,
}

/// An agent that is being dragged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) id: u32,
    /// Where the mouse is, in the world.
    pub(crate) place: [f32; 2],
    /// Units per step.
    pub(crate) velocity: [f32; 2],
}

/// The viewer: a view, and the world, map, tracks or boxes that it shows.
#[derive(Debug)]
pub struct App {
    /// The view as it is set now.
    pub view: View,
    /// The simulation and its structures.
    pub world: World,
    /// The map that is shown instead of the world.
    pub(crate) map: Option<MapMode>,
    /// Tracks of the last file of fixes, if there was one.
    pub(crate) player: Option<Player>,
    /// Boxes of the last file of boxes, if there was one.
    pub(crate) sheet: Option<Sheet>,
    pub(crate) subject: Subject,
    /// The text in the field for the path of a file. A page has no paths.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) typed_path: String,
    inbox: Inbox,
    pub(crate) stage: Stage,
    pub(crate) advisor: Advisor,
    pub(crate) figures: Figures,
    figures_taken: Instant,
    pub(crate) notices: Notices,
    /// Steps that are due, with a fraction.
    due: f64,
    /// Steps per second, lately.
    pub(crate) pace: f64,
    /// Milliseconds from frame to frame, lately; 0 at rest, when frames are drawn only on demand.
    pub(crate) frame_ms: f64,
    pub(crate) ease: Ease,
    /// When the last frame was handed over to the renderer, if the next one was requested immediately.
    pub(crate) handed_over: Option<Instant>,
    /// The graphics API and the name of the GPU. Empty in tests.
    pub(crate) graphics: String,
    pub(crate) shows_help: bool,
    /// The open drawer, if the window is narrow.
    pub(crate) drawer: Option<Drawer>,
    /// Have the colors of the panels been set in egui?
    pub(crate) is_dressed: bool,
    pub(crate) recorder: crate::record::Recorder,
}

impl App {
    /// The view that `text` describes, in a new window or page. Invalid keys keep their defaults and are reported.
    pub fn new(context: &eframe::CreationContext<'_>, text: &str) -> Self {
        let mut app = Self::from_text(text);
        if let Some(renderer) = &context.wgpu_render_state {
            gpu::install(renderer);
            app.graphics = gpu::name(&renderer.adapter.get_info());
        }
        app
    }

    /// The same without a window; the caller that shows it must [`install`](gpu::install) the renderer.
    pub fn from_text(text: &str) -> Self {
        let (mut view, messages) = View::read(text);
        let mut notices = Notices::default();
        messages.into_iter().for_each(|message| notices.add(message));
        let world = build(&view).unwrap_or_else(|what| {
            notices.add(what);
            view = View::default();
            build(&view).expect("the default view is valid")
        });
        let figures = Figures::new(&world);
        Self {
            map: map_of(&mut view),
            player: None,
            sheet: None,
            subject: Subject::View,
            #[cfg(not(target_arch = "wasm32"))]
            typed_path: String::new(),
            inbox: Inbox::default(),
            view,
            world,
            stage: Stage::default(),
            advisor: Advisor::default(),
            figures,
            figures_taken: Instant::now(),
            notices,
            due: 0.0,
            pace: 0.0,
            frame_ms: 0.0,
            ease: Ease::default(),
            handed_over: None,
            graphics: String::new(),
            shows_help: false,
            drawer: None,
            is_dressed: false,
            recorder: crate::record::Recorder::default(),
        }
    }

    /// The text of what is shown now. A paused view includes its step, so that others see the same; a running one
    /// starts from the beginning.
    pub fn state_text(&self) -> String {
        let steps = if self.view.paused { self.steps().max(self.view.steps).min(MOST_STEPS) } else { 0 };
        let painted = self.map.as_ref().map_or_else(Vec::new, MapMode::painted);
        let at = self.tracks().filter(|_| self.view.paused).map(|player| player.at).or(self.view.at);
        View { steps, painted, at, ..self.view.clone() }.write()
    }

    /// The figures of this moment as JSON.
    pub fn figures_json(&self) -> String {
        let report = Report {
            view: &self.state_text(),
            messages: &self.messages(),
            graphics: &self.graphics,
            frame_ms: self.frame_ms,
            figures: &Figures::new(&self.world),
            map: self.map.as_ref().filter(|_| self.shows_view()).map(MapFigures::new),
            tracks: self.tracks().map(TrackFigures::new),
            boxes: self.boxes().map(BoxFigures::new),
        };
        to_json(&report)
    }

    /// Steps of what is shown.
    pub(crate) fn steps(&self) -> u64 {
        self.map.as_ref().map_or(self.world.steps, |map| map.steps)
    }

    /// Lets the structures clean up now, and updates the figures.
    pub(crate) fn maintain(&mut self) {
        self.world.maintain();
        self.figures = Figures::new(&self.world);
    }

    /// Is the scene or the map of the view shown, and no file of tracks or boxes?
    pub(crate) fn shows_view(&self) -> bool {
        self.subject == Subject::View
    }

    /// Does the view need tracks or boxes that have not been loaded yet?
    pub(crate) const fn is_choosing(&self) -> bool {
        match self.subject {
            Subject::View => false,
            Subject::Tracks => self.player.is_none(),
            Subject::Boxes => self.sheet.is_none(),
        }
    }

    /// The tracks that are shown, if they are.
    pub fn tracks(&self) -> Option<&Player> {
        self.player.as_ref().filter(|_| self.subject == Subject::Tracks)
    }

    pub(crate) fn tracks_mut(&mut self) -> Option<&mut Player> {
        self.player.as_mut().filter(|_| self.subject == Subject::Tracks)
    }

    /// The boxes of a file that are shown, if they are.
    pub fn boxes(&self) -> Option<&Sheet> {
        self.sheet.as_ref().filter(|_| self.subject == Subject::Boxes)
    }

    pub(crate) fn boxes_mut(&mut self) -> Option<&mut Sheet> {
        self.sheet.as_mut().filter(|_| self.subject == Subject::Boxes)
    }

    /// Moves the boxes of a file into other structures immediately.
    fn change_boxes(&mut self, view: &mut View) {
        let Some(sheet) = &mut self.sheet else { return };
        if let Err(error) = sheet.arrange(view.structure, view.beside) {
            (view.structure, view.beside) = (self.view.structure, self.view.beside);
            self.say(error.to_string());
        }
    }

    /// Applies other limits of encounters, and another rate, immediately.
    fn change_tracks(&mut self, view: &mut View) {
        let Some(player) = &mut self.player else { return };
        view.rate.into_iter().for_each(|rate| player.rate = rate);
        if view.meet != self.view.meet
            && let Err(what) = player.ask(view.meet)
        {
            view.meet = self.view.meet;
            self.say(what);
        }
    }

    /// The map that is shown instead of the world, if one is.
    pub fn map(&self) -> Option<&MapMode> {
        self.map.as_ref()
    }

    /// The messages that are shown now.
    pub fn messages(&self) -> Vec<&str> {
        self.notices.texts().collect()
    }

    /// Shows a message for as long as it takes to read it.
    pub fn say(&mut self, message: String) {
        self.notices.add(message);
    }

    /// Closes the topmost of what is open: help, drawer, messages, the choice of a file, the picked box, the query.
    pub(crate) fn close_topmost(&mut self) {
        if self.shows_help {
            self.shows_help = false;
        } else if self.drawer.is_some() {
            self.drawer = None;
        } else if !self.notices.is_empty() {
            self.notices.close_all();
        } else if self.is_choosing() {
            self.subject = Subject::View;
        } else if let Some(sheet) = self.boxes_mut() {
            sheet.pick(None);
        } else {
            (self.view.ask, self.view.map_ask) = (None, None);
        }
    }

    /// Applies a change of the settings. An impossible change is reported and has no effect.
    pub(crate) fn change(&mut self, Changes { mut view, restart }: Changes) {
        let is_other = (view.scene, view.agents, view.seed) != (self.view.scene, self.view.agents, self.view.seed);
        if view.look != self.view.look {
            self.ease.choose();
        } else if is_other && self.ease.took.is_some() {
            self.ease.retry();
            view.look = Look::Discs;
        }
        let result = if restart || is_other {
            build(&view).map(|world| {
                (self.world, self.due) = (world, 0.0);
                // It was about other agents.
                self.advisor = Advisor::default();
            })
        } else {
            self.rearrange(&view)
        };
        match result {
            Ok(()) => {
                self.change_map(&mut view, restart);
                self.change_tracks(&mut view);
                self.change_boxes(&mut view);
                self.view = view;
            }
            Err(what) => self.say(what),
        }
    }

    fn change_map(&mut self, view: &mut View, restart: bool) {
        let is_same = |map: &MapMode| view.map == self.view.map && (map.is_from_file || view.seed == self.view.seed);
        match &mut self.map {
            Some(map) if is_same(map) => {
                map.set_walk(view.walk, view.seed);
                map.set_rule(view.rule);
                if restart {
                    map.restart();
                }
            }
            _ => self.map = map_of(view),
        }
    }

    fn rearrange(&mut self, view: &View) -> Result<(), String> {
        self.world.set_structure(view.structure).map_err(|error| error.to_string())?;
        self.world.set_beside(view.beside).map_err(|error| error.to_string())
    }

    /// Draws density instead of discs if those take too long.
    pub(crate) fn watch_drawing(&mut self) {
        let Some(handed_over) = self.handed_over.take() else { return };
        let shows_discs = self.map.is_none() && self.shows_view() && self.view.look == Look::Discs;
        if shows_discs && self.ease.watch(self.view.agents, handed_over.elapsed()) {
            self.view.look = Look::Density;
        }
    }

    pub(crate) fn take_figures(&mut self) {
        let is_old =
            self.figures.steps != self.world.steps || self.figures.structures.len() != self.world.indices().count();
        let is_rearranged = self.figures.structures.iter().zip(self.world.indices());
        let is_rearranged = is_rearranged.into_iter().any(|(known, index)| known.stats.boxes != index.len());
        if is_old && self.figures_taken.elapsed() >= FIGURES_EVERY || is_rearranged || self.view.paused {
            self.figures = Figures::new(&self.world);
            self.figures_taken = Instant::now();
        }
    }

    /// Whether something on the map that is shown still fades.
    pub(crate) fn is_fading(&self) -> bool {
        self.shows_view() && self.map.as_ref().is_some_and(MapMode::is_fading)
    }
}

/// The map of a view, if it shows one. Takes the paint out of the view.
fn map_of(view: &mut View) -> Option<MapMode> {
    let painted = std::mem::take(&mut view.painted);
    let map = MapMode::built_in(view.map?, view.seed, view.walk);
    let mut map = if painted.is_empty() { map } else { map.with_painted(&painted) };
    map.set_rule(view.rule);
    Some(map)
}

/// The world of a view's first frame.
fn build(view: &View) -> Result<World, String> {
    World::new(view.scene, view.agents, view.seed, view.structure, view.beside).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;

    #[test]
    fn a_view_begins_at_its_step_and_rests_there() {
        let mut app = App::from_text("n=500,steps=30,paused");
        while app.world.steps < 30 {
            app.advance(0.016);
        }
        app.advance(10.0);
        assert_eq!(app.world.steps, 30);
        let again = App::from_text(&app.state_text());
        assert_eq!(again.view, app.view);
    }

    #[test]
    fn a_running_view_follows_its_speed() {
        // One step per frame: a busy machine may drop further ones.
        let mut app = App::from_text("n=100,speed=50");
        (0..50).for_each(|_| app.advance(0.02));
        assert!((49..=50).contains(&app.world.steps), "{}", app.world.steps);
        assert!((45.0..55.0).contains(&app.pace), "{}", app.pace);
        assert!((19.0..21.0).contains(&app.frame_ms), "{}", app.frame_ms);
        app.view.paused = true;
        app.advance(0.02);
        assert_eq!((app.pace, app.frame_ms), (0.0, 0.0));
    }

    #[test]
    fn what_is_painted_on_a_map_is_shared_until_a_new_start() {
        let mut app = App::from_text("map=rooms,walkers=20,paused");
        let painted = |app: &App| app.map.as_ref().map(MapMode::painted);
        let map = app.map.as_mut().expect("a map is shown");
        map.press([64.5, 72.5], 0.0);
        map.drag([70.5, 90.5]);
        let ends = map.route.ends;
        let text = app.state_text();
        let mut other = App::from_text(&text);
        assert_eq!(other.messages(), [""; 0]);
        assert_ne!(painted(&app), Some(Vec::new()));
        assert_eq!((painted(&other), other.state_text()), (painted(&app), text));
        assert_eq!(other.map.as_ref().map(|map| map.route.ends), Some(ends));
        other.change(Changes { view: other.view.clone(), restart: true });
        assert_eq!(other.state_text(), "map=rooms,walkers=20,paused");
    }

    #[test]
    fn what_is_painted_on_a_map_from_a_file_is_not_shared() {
        let mut app = App::from_text("map=rooms,paused");
        app.show_map("small.map", b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
        app.map.as_mut().expect("a map is shown").press([0.5, 1.5], 0.0);
        assert_eq!(app.state_text(), "map=rooms,paused");
    }

    #[test]
    fn another_seed_gives_a_map_from_a_file_other_agents_and_no_other_cells() {
        let mut app = App::from_text("map=field,paused");
        app.show_map("small.map", b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
        app.map.as_mut().expect("a map is shown").press([0.5, 1.5], 0.0);
        let places = |app: &App| app.map.as_ref().map(|map| map.walkers.places().collect::<Vec<_>>());
        let walls = |app: &App| app.map.as_ref().map(|map| 6 - map.land.paths.grid().count_free());
        let (before, painted, view) = (places(&app), walls(&app), View { seed: 9, ..app.view.clone() });
        app.change(Changes { view, restart: false });
        assert_eq!(app.map.as_ref().map(|map| map.title.as_str()), Some("small.map"));
        assert_eq!((app.view.seed, walls(&app)), (9, painted));
        assert_ne!(places(&app), before);
        app.change(Changes { view: app.view.clone(), restart: true });
        assert_eq!(walls(&app), Some(1));
    }

    #[test]
    fn what_fades_on_a_map_that_is_not_shown_asks_for_no_frames() {
        let mut app = App::from_text("map=rooms,paused");
        app.map.as_mut().expect("a map is shown").press([70.5, 70.5], 0.0);
        assert!(app.is_fading());
        app.subject = Subject::Boxes;
        assert!(!app.is_fading());
    }

    #[test]
    fn a_bad_text_gives_messages_and_a_working_default() {
        let mut app = App::from_text("scene=nowhere,structure=grid:cell=-1,n=200,%%%");
        assert_eq!(app.messages().len(), 3);
        assert_eq!((app.view.agents, app.view.structure.kind()), (200, StructureKind::FrameTree));
        app.advance(0.1);
        assert!(app.world.steps > 0);
    }

    #[test]
    fn what_does_not_work_is_said_and_changes_nothing() {
        let mut app = App::from_text("n=200");
        let mut view = app.view.clone();
        view.structure =
            quadrille::structures::AnyOptions::Grid(quadrille::structures::GridOptions::default().with_cell([-1.0; 2]));
        let before = app.view.clone();
        app.change(Changes { view, restart: false });
        assert_eq!((app.view.clone(), app.messages().len()), (before, 1));
    }

    #[test]
    fn tracks_are_played_to_their_end_and_their_moment_can_be_shared() {
        let mut app = App::from_text("within=2,rate=10");
        app.show_fixes("f.csv", b"id,t,x,y\na,0,0,0\na,10,10,0\nb,0,10,1\nb,10,0,1\n".to_vec());
        assert_eq!(app.messages(), [""; 0]);
        app.advance(0.05);
        app.view.paused = true;
        assert_eq!(app.state_text(), "within=2,at=0.5,rate=10,paused");
        let figures = app.figures_json();
        assert!(figures.contains("\"encounters\":1,\"at\":0.5,\"present\":2,\"in_progress\":0}}"), "{figures}");
        app.view.paused = false;
        (0..100).for_each(|_| app.advance(0.05));
        assert!(app.view.paused, "at the end it rests");
        assert_eq!((app.tracks().map(|player| player.at), app.world.steps), (Some(10.0), 0));

        app.show_fixes("letter.txt", b"Dear Sir".to_vec());
        assert!(app.messages()[0].contains("letter.txt"), "{:?}", app.messages());
        app.show_map("small.map", b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
        assert!(app.tracks().is_none() && app.map.is_some());
    }
}
