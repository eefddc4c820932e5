//! Control dependence inside one function: which branches decide whether a location is reached.
//!
//! A location X depends on a branch where one way leads to X in any case and another may pass it by: X lies on the way in
//! the tree of post-dominators from a successor of the branch up to, and without, the branch's own parent there (Ferrante,
//! Ottenstein, Warren 1987). In terms of the tree: the successor is below X, and the branch's parent is above X. So the
//! branches of X are found by a search among the edges whose target lies in a range of the tree's order, for those with a
//! small depth; each edge is found once: n log n for all.

use crate::ir::*;
use quod_base::Id;

pub(super) struct Dependence {
    /// Place in the order of the tree, end of the part below it, and depth.
    spans: Vec<(u32, u32, u32)>,
    /// Edges from branches by the place of their target: the branch.
    branches: Vec<LocationId>,
    places: Vec<u32>,
    /// Least depth of the branches' parents in a range of edges: a segment tree, leaves last.
    least: Vec<u32>,
    leaves: usize,
}

const FAR: u32 = u32::MAX;

pub(super) fn successors(body: &Body, at: LocationId) -> Vec<LocationId> {
    let mut all = Vec::new();
    body.locations[at].control.for_each_successor(&mut |next| all.push(next));
    if let Control::ComputedGoto(_) = body.locations[at].control {
        all.extend(body.labels.iter().copied());
    }
    all
}

impl Dependence {
    pub(super) fn new(body: &Body) -> Self {
        let count = body.locations.len();
        let next: Vec<Vec<LocationId>> = body.locations.ids().map(|at| successors(body, at)).collect();
        let parents = post_dominators(&next);
        let spans = tree(&parents);
        // The exit is the tree's root, behind all locations.
        let mut edges: Vec<(u32, u32, LocationId)> = Vec::new();
        for at in body.locations.ids() {
            let targets = &next[at.index()];
            if targets.len() > 1 {
                let depth = spans[parents[at.index()] as usize].2;
                edges.extend(targets.iter().map(|target| (spans[target.index()].0, depth, at)));
            }
        }
        edges.sort_unstable();
        let leaves = edges.len().next_power_of_two();
        let mut least = vec![FAR; 2 * leaves];
        for (index, edge) in edges.iter().enumerate() {
            least[leaves + index] = edge.1;
        }
        for index in (1..leaves).rev() {
            least[index] = least[2 * index].min(least[2 * index + 1]);
        }
        let places = edges.iter().map(|edge| edge.0).collect();
        let branches = edges.into_iter().map(|edge| edge.2).collect();
        debug_assert!(spans.len() == count + 1);
        Self { spans, branches, places, least, leaves }
    }

    /// The branches that a location depends on, apart from those that were given before.
    pub(super) fn take(&mut self, at: LocationId, found: &mut Vec<LocationId>) {
        let (first, end, depth) = self.spans[at.index()];
        let from = self.places.partition_point(|&place| place < first);
        let to = self.places.partition_point(|&place| place < end);
        while let Some(edge) = self.search(1, (0, self.leaves), (from, to), depth) {
            found.push(self.branches[edge]);
            let mut index = self.leaves + edge;
            self.least[index] = FAR;
            while index > 1 {
                index /= 2;
                self.least[index] = self.least[2 * index].min(self.least[2 * index + 1]);
            }
        }
    }

    fn search(&self, index: usize, range: (usize, usize), wanted: (usize, usize), depth: u32) -> Option<usize> {
        if range.1 <= wanted.0 || wanted.1 <= range.0 || self.least[index] >= depth {
            return None;
        }
        if index >= self.leaves {
            return Some(index - self.leaves);
        }
        let middle = (range.0 + range.1) / 2;
        self.search(2 * index, (range.0, middle), wanted, depth)
            .or_else(|| self.search(2 * index + 1, (middle, range.1), wanted, depth))
    }
}

/// The parent of each location among its post-dominators; the exit, behind all, is the root. Loops without a way out get
/// one (Cooper, Harvey, Kennedy 2001, on the graph turned around).
fn post_dominators(next: &[Vec<LocationId>]) -> Vec<u32> {
    let exit = next.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); exit + 1];
    let mut exits: Vec<u32> = Vec::new();
    for (at, targets) in next.iter().enumerate() {
        targets.iter().for_each(|target| before[target.index()].push(at as u32));
        if targets.is_empty() {
            exits.push(at as u32);
        }
    }
    // Order of the graph turned around, from the exit; what does not lead there gets an edge of its own.
    let mut numbers = vec![FAR; exit + 1];
    let mut order: Vec<u32> = Vec::new();
    let mut is_seen = vec![false; exit + 1];
    is_seen[exit] = true;
    let mut roots: std::collections::VecDeque<u32> = exits.iter().copied().collect();
    let mut candidate = exit;
    let mut forced = vec![false; exit + 1];
    exits.iter().for_each(|&at| forced[at as usize] = true);
    loop {
        let root = match roots.pop_front() {
            Some(root) => root,
            None => {
                while candidate > 0 && is_seen[candidate - 1] {
                    candidate -= 1;
                }
                if candidate == 0 {
                    break;
                }
                forced[candidate - 1] = true;
                (candidate - 1) as u32
            }
        };
        if is_seen[root as usize] {
            continue;
        }
        is_seen[root as usize] = true;
        let mut stack: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some(&mut (at, ref mut index)) = stack.last_mut() {
            match before[at as usize].get(*index) {
                Some(&other) => {
                    *index += 1;
                    if !is_seen[other as usize] {
                        is_seen[other as usize] = true;
                        stack.push((other, 0));
                    }
                }
                None => {
                    order.push(at);
                    stack.pop();
                }
            }
        }
    }
    order.push(exit as u32);
    order.reverse();
    for (number, &at) in order.iter().enumerate() {
        numbers[at as usize] = number as u32;
    }
    let mut parents = vec![FAR; exit + 1];
    parents[exit] = exit as u32;
    let meet = |parents: &[u32], mut one: u32, mut other: u32| {
        while one != other {
            while numbers[one as usize] > numbers[other as usize] {
                one = parents[one as usize];
            }
            while numbers[other as usize] > numbers[one as usize] {
                other = parents[other as usize];
            }
        }
        one
    };
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &at in order.iter().skip(1) {
            let mut parent = if forced[at as usize] { Some(exit as u32) } else { None };
            for target in &next[at as usize] {
                let target = target.index() as u32;
                if parents[target as usize] == FAR {
                    continue;
                }
                parent = Some(match parent {
                    Some(parent) => meet(&parents, parent, target),
                    None => target,
                });
            }
            let parent = parent.unwrap_or(exit as u32);
            if parents[at as usize] != parent {
                parents[at as usize] = parent;
                is_changed = true;
            }
        }
    }
    parents
}

/// Place, end and depth of each node of a tree given by its parents; the last is the root.
fn tree(parents: &[u32]) -> Vec<(u32, u32, u32)> {
    let root = parents.len() - 1;
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
    for (at, &parent) in parents.iter().enumerate().take(root) {
        children[parent as usize].push(at as u32);
    }
    let mut spans = vec![(0, 0, 0); parents.len()];
    let mut place = 0;
    let mut stack: Vec<(u32, usize)> = vec![(root as u32, 0)];
    while let Some(&mut (at, ref mut index)) = stack.last_mut() {
        if *index == 0 {
            spans[at as usize].0 = place;
            place += 1;
        }
        match children[at as usize].get(*index) {
            Some(&child) => {
                *index += 1;
                spans[child as usize].2 = spans[at as usize].2 + 1;
                stack.push((child, 0));
            }
            None => {
                spans[at as usize].1 = place;
                stack.pop();
            }
        }
    }
    spans
}
