//! Everything a shared view is, and its text: one short line that a person can read, an argument of the window and the
//! end of an address in the browser.
//!
//! `scene=mixed,n=20000,structure=quadtree:capacity=4,beside=grid,overlays=cells+contacts,steps=100,paused`
//!
//! What has its default is left out, so the empty text is the default view.

mod keys;

use quadrille::structures::{AnyOptions, StructureKind};
use quadrille_paths::Cell;
use quadrille_scenes::SceneKind;

use crate::camera::Camera;
use crate::maps::{MapKind, MapRule, MapTool, Walk};
use crate::overlay::{Overlay, Overlays};
use crate::theme::Theme;
use crate::tools::{Ask, Tool};
use crate::tracks::Meet;
use keys::{KEYS, Key};

/// Fewest and most agents.
pub const AGENTS: std::ops::RangeInclusive<usize> = 0..=1_000_000;
/// Least and most steps a second.
pub const SPEED: std::ops::RangeInclusive<u32> = 1..=240;
/// Fewest and most nearest boxes that can be requested.
pub const NEAREST: std::ops::RangeInclusive<usize> = 1..=200;
/// The most steps that a view begins with. A shared view should not keep people waiting.
pub const MOST_STEPS: u64 = 10_000;

/// How agents are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// As discs, by the GPU.
    #[default]
    Discs,
    /// As an image of how many there are in each place, by the processor: for machines without a GPU.
    Density,
}

/// A view that can be shared.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The built-in map, if a map is shown instead of a scene.
    pub map: Option<MapKind>,
    /// Who walks on the map.
    pub walk: Walk,
    /// When the map's region tree divides.
    pub rule: MapRule,
    /// What the mouse does on a map.
    pub map_tool: MapTool,
    /// The two cells between which the region tree is queried.
    pub map_ask: Option<[Cell; 2]>,
    /// What is painted on the map before anything else: see [`difference`](crate::maps::painted::difference). What is
    /// painted later is kept by the map.
    pub painted: Vec<u32>,
    /// Which encounters of tracks are looked for.
    pub meet: Meet,
    /// The time of the tracks that is shown first; `None` is the beginning.
    pub at: Option<f64>,
    /// Time of the tracks in a second; `None` plays all in a minute or so.
    pub rate: Option<f64>,
    /// What the agents are like.
    pub scene: SceneKind,
    /// How many there are.
    pub agents: usize,
    /// Which one of the many scenes of that name.
    pub seed: u64,
    /// The structure.
    pub structure: AnyOptions,
    /// Another one for the very same agents, if two are compared.
    pub beside: Option<AnyOptions>,
    /// Do structures clean up in every step? Otherwise only when told to.
    pub maintains: bool,
    /// Intended steps per second.
    pub speed: u32,
    /// Is the simulation paused?
    pub paused: bool,
    /// Steps run before anything else.
    pub steps: u64,
    /// What is drawn over the agents.
    pub overlays: Overlays,
    /// How agents are drawn.
    pub look: Look,
    /// What is shown of the world; `None` is all of it.
    pub camera: Option<Camera>,
    /// What the mouse does.
    pub tool: Tool,
    /// The query that is shown.
    pub ask: Option<Ask>,
    /// How many nearest boxes are requested.
    pub nearest: usize,
    /// Light or dark; `None` follows the system.
    pub theme: Option<Theme>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            map: None,
            walk: Walk::default(),
            rule: MapRule::default(),
            map_tool: MapTool::default(),
            map_ask: None,
            painted: Vec::new(),
            meet: Meet::default(),
            at: None,
            rate: None,
            scene: SceneKind::Uniform,
            agents: 5_000,
            seed: 1,
            structure: StructureKind::FrameTree.into(),
            beside: None,
            maintains: true,
            speed: 60,
            paused: false,
            steps: 0,
            overlays: Overlays::from_iter([Overlay::Cells, Overlay::Contacts]),
            look: Look::default(),
            camera: None,
            tool: Tool::default(),
            ask: None,
            nearest: 10,
            theme: None,
        }
    }
}

impl View {
    /// Reads a text. An invalid key keeps its default, and a message names the key, the value and what is wrong. So does
    /// one if an item undoes another: then the last counts.
    pub fn read(text: &str) -> (Self, Vec<String>) {
        let (mut view, mut messages, mut read) = (Self::default(), Vec::new(), Vec::new());
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            match view.read_item(name, value) {
                Ok(key) => read.push((item, value, key)),
                Err(what) => messages.push(format!("{}: {what}", item.trim_end_matches('='))),
            }
        }
        for (item, value, key) in read {
            let mut alone = Self::default();
            if (key.read)(&mut alone, value).is_ok() && (key.write)(&alone) != (key.write)(&view) {
                messages.push(format!("{item}: has no effect beside what follows it"));
            }
        }
        // `nearest` may follow the query that it belongs to.
        if let Some(ask) = &mut view.ask {
            ask.most = view.nearest;
        }
        (view, messages)
    }

    fn read_item(&mut self, name: &str, value: &str) -> Result<&'static Key, String> {
        let key = KEYS.iter().find(|key| key.name == name);
        let key = key.ok_or("not understood; see the help for what a view can say")?;
        (key.read)(self, value).map(|()| key)
    }

    /// The text of this view: reading it gives the same view. What is painted is left out if its text would be too
    /// long.
    pub fn write(&self) -> String {
        let usual = Self::default();
        let items = KEYS.iter().filter_map(|Key { name, write, .. }| {
            let value = write(self).filter(|value| Some(value) != write(&usual).as_ref())?;
            Some(if value.is_empty() { (*name).to_owned() } else { format!("{name}={value}") })
        });
        items.collect::<Vec<_>>().join(",")
    }

    /// The names of all keys, in the order in which they are written.
    pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|key| key.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> View {
        let (view, messages) = View::read(text);
        assert_eq!(messages, Vec::<String>::new(), "{text}");
        view
    }

    /// All Markdown files below a folder.
    fn pages(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let below = paths.flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] });
        below.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
    }

    /// The views in a page: words in code that follow the name of the command, or begin with a key.
    fn views(page: &str) -> impl Iterator<Item = &str> {
        let code = page.split('`').flat_map(str::lines).map(str::trim);
        code.filter_map(|code| {
            let named = ["quadrille view ", "quadrille-view "].iter().find_map(|name| code.strip_prefix(name));
            let word = named.unwrap_or(code).split_whitespace().next()?;
            let (key, value) = word.split_once('=')?;
            let is_item = word == code && !value.is_empty() && View::keys().any(|known| known == key);
            let is_view = named.is_some() || is_item;
            is_view.then_some(word)
        })
    }

    #[test]
    fn views_that_pages_name_are_understood() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let mut count = 0;
        for page in pages(&docs) {
            for view in views(&std::fs::read_to_string(&page).unwrap()) {
                assert_eq!(View::read(view).1, Vec::<String>::new(), "{view} in {}", page.display());
                count += 1;
            }
        }
        assert!(count >= 15, "only {count} views were found");
        assert_eq!(Vec::from_iter(views("A `n=3`, `x=3`,\n`quadrille view x=3`\n`n=3 or so`.")), ["n=3", "x=3"]);
    }

    #[test]
    fn the_empty_text_is_the_default_view() {
        assert_eq!(read(""), View::default());
        assert_eq!(View::default().write(), "");
    }

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "scene=pile,n=100000,seed=18446744073709551615,structure=loose-grid:tight=3.5,beside=grid,maintain=off,speed=7,steps=100,paused",
            "overlays=none,density,camera=1.5:-2:0.1,tool=ray,nearest=3,ask=nearest:1:2:3:4.25,light",
            "scene=mixed,structure=quadtree,dark",
            "within=9260,vertical=1000,for=60,gap=30,max-gap=600,max-speed=20.5,at=1533100000.25,rate=600",
            "map=city,guide=each,walkers=1000,doors=1000,steps=60,paused",
            "map=rooms,guide=flow,walkers=70,ends=1:2:30:40,rule=at-most:7,map-tool=covering,map-ask=3:4:50:60,painted=AB-DB,overlays=cells+population+depth+hulls+boxes+tight+pyramid+order+contacts+velocity",
        ] {
            let view = read(text);
            assert_eq!(read(&view.write()), view);
        }
        assert_eq!(read("n=300,paused").write(), "n=300,paused");
        assert_eq!(read("maintain=on,structure=frame-tree,speed=60").write(), "", "defaults are left out");
        assert_eq!(read(" n=300 ,, dark").agents, 300);
        assert_eq!(read("ask=nearest:1:2:3:4,nearest=7").ask.map(|ask| ask.most), Some(7));
    }

    #[test]
    fn what_is_wrong_keeps_its_default_and_is_named() {
        for wrong in [
            "scene=nowhere", "n=-1", "n=1000001", "n=many", "seed=-1", "structure=octree", "beside=grid:cell=0",
            "maintain=no", "speed=0", "steps=10001", "overlays=halo", "camera=1:2", "camera=1:2:nan", "camera=1:2:0",
            "camera=1:2e9:1", "tool=hammer", "nearest=0", "ask=pan:1:2:3:4", "ask=ray:1:2:3", "ask=cone:0:0:3e38:0",
            "colour=pink", "map=moon", "guide=star", "walkers=5001", "doors=1001", "ends=1:2:3", "ends=1:2:3:-4",
            "rule=at-most:none", "map-tool=hammer", "map-ask=1:2", "painted=A!", "within=-1", "max-gap=long", "at=nan",
            "rate=0", "paused=yes",
        ] {
            let (view, messages) = View::read(wrong);
            assert_eq!(view, View::default(), "{wrong}");
            assert_eq!(messages.len(), 1, "{wrong}");
            assert!(messages[0].starts_with(wrong.trim_end_matches('=')), "{messages:?}");
        }
        let (view, messages) = View::read("n=nan,seed=4,scene=?");
        assert_eq!((view.seed, messages.len()), (4, 2));
    }

    /// Any view at all: each key has a value or none, and numbers are as far out as they may be.
    #[test]
    fn every_view_that_can_be_said_is_read_as_it_is_written() {
        const VALUES: [&str; 42] = [
            "", "0", "1", "7", "240", "5000", "1000000", "18446744073709551615", "0.1", "-1.5", "3.4028235e38",
            "1e-45", "1.7976931348623157e308", "5e-324", "4:5:6:7", "4294967295:0:1:2", "1e-45:-1e9:1e-45", "0:0:1e9",
            "none", "cells+order", "on", "off", "flow", "city", "maze", "pile", "at-most:1000", "side:1", "covering",
            "AB-DB", "quadtree:fixed=0", "quadtree:depth=1", "grid:cell=0.1", "loose-grid:loose=3e30:tight=1e-30",
            "frame-tree", "ray", "light:1:2:1e9:-4", "nearest:0.1:-0:1:2", "point", "add", "same", "each",
        ];
        let mut random = quadrille_scenes::Random::new(7);
        let mut any = |most: usize| random.below(u32::try_from(most).unwrap()) as usize;
        for _ in 0..20_000 {
            let mut items = Vec::new();
            for key in View::keys() {
                match VALUES[any(VALUES.len())] {
                    _ if any(3) == 0 => {}
                    "" => items.push(key.to_owned()),
                    value => items.push(format!("{key}={value}")),
                }
            }
            let (view, _) = View::read(&items.join(","));
            let written = view.write();
            assert_eq!((read(&written), read(&written).write()), (view, written));
        }
    }

    #[test]
    fn what_undoes_another_part_is_named_and_the_last_counts() {
        for (text, undone) in [
            ("n=5,seed=2,n=6", "n=5"),
            ("light,dark", "light"),
            ("ask=ray:1:2:3:4,ask=point:1:2:3:4", "ask=ray:1:2:3:4"),
            ("structure=grid:cell=2:cell=3", "structure=grid:cell=2:cell=3"),
            ("beside=quadtree:fixed=4:depth=3", "beside=quadtree:fixed=4:depth=3"),
            ("maintain=on,maintain=off", "maintain=on"),
        ] {
            let messages = View::read(text).1;
            assert_eq!(messages.len(), 1, "{text}: {messages:?}");
            assert!(
                messages[0].starts_with(&format!("{undone}: ")) && messages[0].contains("no effect"),
                "{messages:?}"
            );
        }
        assert_eq!((View::read("n=5,seed=2,n=6").0.agents, read("paused,n=7,paused,n=7").agents), (6, 7));
    }

    #[test]
    fn no_text_is_too_strange() {
        let strange = [
            "=", ",=,=", "\u{0}", "é=ü", "n==5", "structure=:::", "structure=grid:cell=", "ask=:::::", "camera=:",
            "overlays=+",
        ];
        for text in strange {
            let (view, messages) = View::read(text);
            assert_eq!((view.agents, messages.is_empty()), (5_000, false), "{text}");
        }
    }
}
