//! Which paths of its own crate a file names, and which names it passes on.

use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// What was read of a file; paths start at the root of the crate.
#[derive(Default)]
pub struct Read {
    /// Paths that are named.
    pub named: Vec<Vec<String>>,
    /// `pub use`: the path of the new name, and what it stands for.
    pub exports: Vec<(Vec<String>, Vec<String>)>,
}

/// Reads the file of `module`.
pub fn read(file: &Path, module: &[String]) -> Read {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tree = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut reader = Reader { module: module.to_vec(), read: Read::default() };
    if !tree.attrs.iter().any(is_for_tests) {
        reader.visit_file(&tree);
    }
    reader.read
}

struct Reader {
    module: Vec<String>,
    read: Read,
}

impl Reader {
    /// The path from the root, if it starts at the root, here, or above.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let rest = match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => return Some([&self.module[..], &path[1..]].concat()),
            "super" => &path[ups..],
            _ => return None,
        };
        let above = self.module.len().checked_sub(ups)?;
        Some([&self.module[..above], rest].concat())
    }

    fn take(&mut self, prefix: &[String], tree: &UseTree, is_public: bool) {
        let mut leaf = |name: &str, new: &str| {
            let path = [prefix, &[name.to_owned()]].concat();
            let path = if name == "self" { prefix.to_vec() } else { path };
            // `pub use child::Name` in the parent's file names a child without `self`.
            let own = [&self.module[..], &path[..]].concat();
            let target = self.absolute(&path).unwrap_or(own);
            if is_public {
                self.read.exports.push(([&self.module[..], &[new.to_owned()]].concat(), target.clone()));
            }
            self.read.named.push(target);
        };
        match tree {
            UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                self.take(&prefix, &path.tree, is_public);
            }
            UseTree::Name(name) => leaf(&name.ident.to_string(), &name.ident.to_string()),
            UseTree::Rename(rename) => leaf(&rename.ident.to_string(), &rename.rename.to_string()),
            UseTree::Glob(_) => self.read.named.extend(self.absolute(prefix)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.take(prefix, tree, is_public)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) if !item.attrs.iter().any(is_for_tests) => {
                self.take(&[], &item.tree, !matches!(item.vis, Visibility::Inherited));
            }
            // What is in a module within the file is in the file.
            Item::Mod(item) if item.attrs.iter().any(is_for_tests) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // A lone `self` is a value.
        if names != ["self"] {
            self.read.named.extend(self.absolute(&names));
        }
        visit::visit_path(self, path);
    }
}

/// `#[cfg(test)]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}
