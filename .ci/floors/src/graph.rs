//! The dependencies between modules, folder by folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module within a folder of modules: the folder's path, and the module's name.
type Room = (Vec<String>, String);

/// Modules of one folder that import each other.
pub struct Circle {
    pub folder: PathBuf,
    pub rooms: BTreeSet<String>,
    /// The arrows between them, with a file for each.
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

    /// The module in which a name is defined, after following all that passes it on. If a module and something passed on
    /// share a name, it is the module's if more of the path follows: functions have no paths.
    fn home(&self, path: &[String]) -> Vec<String> {
        let mut path = path.to_vec();
        for _ in 0..16 {
            let is_passed_on = |length: usize| {
                let is_module = length < path.len() && self.modules.contains(&path[..length]);
                !is_module && self.exports.contains_key(&path[..length])
            };
            let Some(length) = (1..=path.len()).find(|&length| is_passed_on(length)) else {
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

    /// The circles: rooms of one folder each of which leads to all others, with the arrows between them.
    pub fn circles(&self) -> Vec<Circle> {
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for (folder, room) in self.arrows.keys() {
            let mut rooms = self.reached(folder, room);
            rooms.retain(|other| self.reached(folder, other).contains(room));
            if !rooms.is_empty() && seen.insert((folder, rooms.clone())) {
                circles.push(self.circle(folder, rooms));
            }
        }
        circles
    }

    /// The rooms of a folder to which arrows lead from one.
    fn reached(&self, folder: &[String], from: &str) -> BTreeSet<String> {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(room) = left.pop() {
            let targets = self.arrows.get(&(folder.to_vec(), room)).into_iter().flat_map(BTreeMap::keys);
            left.extend(targets.filter(|target| reached.insert((*target).clone())).cloned());
        }
        reached
    }

    fn circle(&self, folder: &[String], rooms: BTreeSet<String>) -> Circle {
        let place = self.crate_folder.join(folder.join("/"));
        let mut sentence = format!("{}:", place.display());
        for room in &rooms {
            for (target, file) in
                self.arrows[&(folder.to_vec(), room.clone())].iter().filter(|(to, _)| rooms.contains(*to))
            {
                let file = file.strip_prefix(&self.crate_folder).unwrap_or(file).display();
                sentence += &format!(" {room} -> {target} ({file})");
            }
        }
        Circle { folder: place, rooms, sentence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn a_function_passed_on_under_the_name_of_a_module_hides_no_circle() {
        let modules = BTreeSet::from([path("nearest"), path("questions")]);
        let exports = BTreeMap::from([(path("nearest"), path("questions::nearest"))]);
        let mut graph = Graph::new(Path::new("src"), modules, exports);
        graph.name(&path("questions"), &path("nearest::Neighborhood"), Path::new("questions.rs"));
        graph.name(&path("nearest"), &path("questions::Arranged"), Path::new("nearest.rs"));
        assert_eq!(graph.circles().len(), 1);
    }

    #[test]
    fn what_is_passed_on_stands_where_it_was_written() {
        let modules = BTreeSet::from([path("shapes"), path("shapes::ring"), path("tools")]);
        let exports = BTreeMap::from([(path("Ring"), path("shapes::ring::Ring"))]);
        let mut graph = Graph::new(Path::new("src"), modules, exports);
        graph.name(&path("tools"), &path("Ring::new"), Path::new("tools.rs"));
        graph.name(&path("shapes"), &path("tools"), Path::new("shapes/mod.rs"));
        assert_eq!(graph.circles().len(), 1);
    }
}
