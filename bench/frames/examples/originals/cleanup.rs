//! A quadtree of points in the unit square. Agents move by being removed and inserted again. Leaves that have become
//! empty go at once, once per frame, or in a part of the nodes per frame.

use quadrille_scenes::Random;

use super::{report, time};

const AGENTS: u32 = 100_000;
const FRAMES: usize = 200;
const CAPACITY: u32 = 8;
const DEPTH: usize = 8;
/// No child, no agent.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// The first of four children, or `NONE` in a leaf.
    children: u32,
    /// The first agent of a leaf, and how many there are.
    agent: u32,
    count: u32,
}

const EMPTY: Node = Node { children: NONE, agent: NONE, count: 0 };

struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    points: Vec<[f32; 2]>,
    /// The agent that follows each in the list of its leaf.
    next: Vec<u32>,
}

/// When empty leaves go.
#[derive(Clone, Copy)]
enum Cleanup {
    AtOnce,
    /// One of this many parts in each frame.
    Part(usize),
}

pub fn measure() {
    for (name, cleanup) in [
        ("at once", Cleanup::AtOnce),
        ("once per frame", Cleanup::Part(1)),
        ("a sixteenth per frame", Cleanup::Part(16)),
    ] {
        let mut random = Random::new(1);
        let mut draw = |lo, hi| [random.between(lo, hi), random.between(lo, hi)];
        let points: Vec<[f32; 2]> = (0..AGENTS).map(|_| draw(0.0, 1.0)).collect();
        let mut speeds: Vec<[f32; 2]> = (0..AGENTS).map(|_| draw(-0.002, 0.002)).collect();
        let mut tree = Tree { nodes: vec![EMPTY], free: Vec::new(), next: vec![NONE; points.len()], points };
        (0..AGENTS).for_each(|agent| tree.insert(agent));
        let times = (0..FRAMES).map(|frame| time(|| tree.frame(&mut speeds, cleanup, frame)));
        report("removal", name, times.collect());
    }
}

impl Tree {
    fn frame(&mut self, speeds: &mut [[f32; 2]], cleanup: Cleanup, frame: usize) {
        for agent in 0..AGENTS {
            self.remove(agent, matches!(cleanup, Cleanup::AtOnce));
            let (point, speed) = (&mut self.points[agent as usize], &mut speeds[agent as usize]);
            for axis in 0..2 {
                point[axis] += speed[axis];
                if !(0.0..1.0).contains(&point[axis]) {
                    speed[axis] = -speed[axis];
                }
            }
            self.insert(agent);
        }
        if let Cleanup::Part(parts) = cleanup {
            let part = frame % parts;
            let place = |part: usize| self.nodes.len() * part / parts;
            for node in place(part)..place(part + 1) {
                self.merge(node);
            }
        }
    }

    /// The nodes from the root to the leaf of a point, and how many they are.
    fn path(&self, point: [f32; 2]) -> ([u32; DEPTH + 1], usize) {
        let (mut path, mut middle, mut half) = ([0; DEPTH + 1], [0.5; 2], 0.25);
        for level in 0..DEPTH {
            let first = self.nodes[path[level] as usize].children;
            if first == NONE {
                return (path, level + 1);
            }
            let is_beyond = [0, 1].map(|axis| point[axis] >= middle[axis]);
            path[level + 1] = first + u32::from(is_beyond[0]) + 2 * u32::from(is_beyond[1]);
            middle = [0, 1].map(|axis| if is_beyond[axis] { middle[axis] + half } else { middle[axis] - half });
            half /= 2.0;
        }
        (path, DEPTH + 1)
    }

    fn insert(&mut self, agent: u32) {
        let (path, length) = self.path(self.points[agent as usize]);
        let leaf = path[length - 1] as usize;
        if self.nodes[leaf].count >= CAPACITY && length <= DEPTH {
            let mut one = self.nodes[leaf].agent;
            self.nodes[leaf] = Node { children: self.four(), ..EMPTY };
            while one != NONE {
                let following = self.next[one as usize];
                self.insert(one);
                one = following;
            }
            return self.insert(agent);
        }
        let node = &mut self.nodes[leaf];
        self.next[agent as usize] = node.agent;
        (node.agent, node.count) = (agent, node.count + 1);
    }

    fn remove(&mut self, agent: u32, at_once: bool) {
        let (path, length) = self.path(self.points[agent as usize]);
        let node = &mut self.nodes[path[length - 1] as usize];
        node.count -= 1;
        let (mut one, after) = (node.agent, self.next[agent as usize]);
        if one == agent {
            node.agent = after;
        } else {
            while self.next[one as usize] != agent {
                one = self.next[one as usize];
            }
            self.next[one as usize] = after;
        }
        if at_once && node.count == 0 {
            path[..length - 1].iter().rev().all(|&above| self.merge(above as usize));
        }
    }

    /// Four new leaves.
    fn four(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.nodes.extend([EMPTY; 4]);
            self.nodes.len() as u32 - 4
        })
    }

    /// Makes a branch of four empty leaves an empty leaf. Returns whether it did.
    fn merge(&mut self, branch: usize) -> bool {
        let first = self.nodes[branch].children;
        let is_empty = |node: &Node| node.children == NONE && node.count == 0;
        let merges = first != NONE && self.nodes[first as usize..][..4].iter().all(is_empty);
        if merges {
            self.nodes[branch] = EMPTY;
            self.free.push(first);
        }
        merges
    }
}
