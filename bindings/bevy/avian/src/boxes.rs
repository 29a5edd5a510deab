//! The boxes of all colliders, by Avian's keys.

use avian2d::collider_tree::{ColliderTreeProxyKey, ColliderTrees};
use bevy::prelude::Resource;
use quadrille::{Aabb, Handle, Overlaps, Space};

/// The enlarged boxes of all colliders: a new one counts as moved, so all have moved at least once. Avian does not
/// report which colliders are gone. Their boxes stay until a search finds them.
#[derive(Resource, Default)]
pub(crate) struct ProxyBoxes {
    space: Space<ColliderTreeProxyKey>,
    /// By kind of tree and number in it.
    handles: [Vec<Option<Handle>>; 4],
    /// The box of each thing by its id: a whole frame.
    frame: Vec<Aabb>,
    /// What has moved since the last frame.
    moved: Vec<(Handle, Aabb)>,
}

/// One box in this many has to have moved for a whole frame to be faster than single updates.
const MOVING_SHARE: usize = 4;

impl ProxyBoxes {
    /// Moves what has moved.
    pub(crate) fn follow(&mut self, trees: &ColliderTrees, moved: &[ColliderTreeProxyKey]) {
        let is_whole_frame = self.is_most(moved.len());
        for &key in moved {
            let Some(bounds) = bounds(trees, key).filter(Aabb::is_valid) else { continue };
            let places = &mut self.handles[key.tree_type() as usize];
            let place = key.id().index();
            if places.len() <= place {
                places.resize(place + 1, None);
            }
            let known = places[place].filter(|&handle| self.space.contains(handle));
            let handle = match known {
                Some(handle) => handle,
                None => {
                    let handle = self.space.insert(bounds, key).expect("the box is valid");
                    places[place] = Some(handle);
                    handle
                }
            };
            let id = handle.id() as usize;
            if self.frame.len() <= id {
                self.frame.resize(id + 1, bounds);
            }
            self.frame[id] = bounds;
            self.moved.extend(known.map(|handle| (handle, bounds)));
        }
        if is_whole_frame {
            self.space.update_each(|handle, _| self.frame[handle.id() as usize]).expect("all boxes are valid");
        } else {
            self.space.update_batch(&self.moved).expect("all boxes are valid");
            self.space.maintain();
        }
        self.moved.clear();
    }

    /// Calls `visit` once for each pair of boxes, if at least one of the two has moved.
    pub(crate) fn pairs(
        &self,
        moved: &[ColliderTreeProxyKey],
        has_moved: impl Fn(ColliderTreeProxyKey) -> bool,
        mut visit: impl FnMut(ColliderTreeProxyKey, ColliderTreeProxyKey),
    ) {
        if self.is_most(moved.len()) {
            let pairs = self.space.pairs().map(|((_, &a), (_, &b))| (a, b));
            return pairs.filter(|&(a, b)| has_moved(a) || has_moved(b)).for_each(|(a, b)| visit(a, b));
        }
        for &key in moved {
            let handle = self.handles[key.tree_type() as usize].get(key.id().index()).copied().flatten();
            let Some((own, bounds)) = handle.and_then(|own| Some((own, self.space.bounds(own)?))) else { continue };
            for (other, &its) in self.space.query(Overlaps(bounds)) {
                // If both have moved, the one with the lower id reports the pair.
                if other != own && (own.id() < other.id() || !has_moved(its)) {
                    visit(key, its);
                }
            }
        }
    }

    fn is_most(&self, moved: usize) -> bool {
        moved * MOVING_SHARE > self.space.len()
    }

    /// Removes colliders that are gone.
    pub(crate) fn forget(&mut self, gone: impl IntoIterator<Item = ColliderTreeProxyKey>) {
        for key in gone {
            if let Some(handle) = self.handles[key.tree_type() as usize][key.id().index()].take() {
                self.space.remove(handle);
            }
        }
    }
}

/// The enlarged box of a collider.
fn bounds(trees: &ColliderTrees, key: ColliderTreeProxyKey) -> Option<Aabb> {
    let bounds = trees.tree_for_type(key.tree_type()).get_proxy_aabb(key.id())?;
    Some(Aabb::new([bounds.min.x, bounds.min.y], [bounds.max.x, bounds.max.y]))
}
