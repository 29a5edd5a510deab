//! The dependencies between modules, folder by folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module within a folder of modules: the folder's path, and the module's name.
type Room = (Vec<String>, String);

/// Modules of one folder that import each other.
pub struct Circle {
    pub folder: PathBuf,
    pub rooms: BTreeSet<String>,
    /// The way round, with a file for each arrow.
    pub sentence: String,
}

/// The modules of a crate and the arrows between those that share a folder.
pub struct Graph {
    crate_folder: PathBuf,
    modules: BTreeSet<Vec<String>>,
    exports: BTreeMap<Vec<String>, Vec<String>>,
    /// For each room, the rooms beside it that it names, and a file where it does.
    arrows: BTreeMap<Room, BTreeMap<String, PathBuf>>,
}

impl Graph {
    pub fn new(folder: &Path, modules: BTreeSet<Vec<String>>, exports: BTreeMap<Vec<String>, Vec<String>>) -> Self {
        Self { crate_folder: folder.to_owned(), modules, exports, arrows: BTreeMap::new() }
    }

    /// `from` names `path` in `file`: an arrow in the folder where their ways part.
    pub fn name(&mut self, from: &[String], path: &[String], file: &Path) {
        let to = self.home(path);
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if shared < from.len() && shared < to.len() {
            let room = (from[..shared].to_vec(), from[shared].clone());
            self.arrows.entry(room).or_default().entry(to[shared].clone()).or_insert_with(|| file.to_owned());
        }
    }

    /// The module in which what is named stands, behind all that passes its name on.
    fn home(&self, path: &[String]) -> Vec<String> {
        let mut path = path.to_vec();
        for _ in 0..16 {
            let Some(length) = (1..=path.len()).find(|&length| self.exports.contains_key(&path[..length])) else {
                break;
            };
            let target = &self.exports[&path[..length]];
            if path.starts_with(target) {
                break;
            }
            path = [target, &path[length..]].concat();
        }
        (0..=path.len())
            .rev()
            .map(|length| path[..length].to_vec())
            .find(|module| self.modules.contains(module))
            .unwrap_or_default()
    }

    /// The circles: the shortest one through each arrow that lies on one, each circle once.
    pub fn circles(&self) -> Vec<Circle> {
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for ((folder, room), targets) in &self.arrows {
            for target in targets.keys() {
                let Some(way) = self.way(folder, target, room) else { continue };
                let rooms: BTreeSet<_> = way.iter().cloned().collect();
                if seen.insert((folder.clone(), rooms.clone())) {
                    let sentence = self.sentence(folder, room, &way);
                    circles.push(Circle { folder: self.crate_folder.join(folder.join("/")), rooms, sentence });
                }
            }
        }
        circles
    }

    /// The shortest way along arrows from one room of a folder to another, both included.
    fn way(&self, folder: &[String], from: &str, to: &str) -> Option<Vec<String>> {
        let mut ways = vec![vec![from.to_owned()]];
        let mut seen = BTreeSet::from([from.to_owned()]);
        let mut next = 0;
        while let Some(way) = ways.get(next).cloned() {
            let last = way.last().expect("ways are not empty");
            if last == to {
                return Some(way);
            }
            for target in self.arrows.get(&(folder.to_vec(), last.clone())).into_iter().flatten().map(|(name, _)| name)
            {
                if seen.insert(target.clone()) {
                    ways.push([&way[..], &[target.clone()]].concat());
                }
            }
            next += 1;
        }
        None
    }

    fn sentence(&self, folder: &[String], room: &str, way: &[String]) -> String {
        let mut text = format!("{}: {}", self.crate_folder.join(folder.join("/")).display(), room);
        let mut from = room;
        for to in way {
            let file = &self.arrows[&(folder.to_vec(), from.to_owned())][to];
            text += &format!(" -> {to} ({})", file.strip_prefix(&self.crate_folder).unwrap_or(file).display());
            from = to;
        }
        text
    }
}
