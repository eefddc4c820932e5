//! A binary heap of variables ordered by activity, with positions, so that a variable can move up in place.

use super::Var;

const ABSENT: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct VarHeap {
    heap: Vec<u32>,
    position: Vec<u32>,
}

impl VarHeap {
    pub(crate) fn grow(&mut self, variables: usize) {
        self.position.resize(variables, ABSENT);
    }
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.position[var.0 as usize] != ABSENT
    }
    pub(crate) fn clear(&mut self) {
        for &var in &self.heap {
            self.position[var as usize] = ABSENT;
        }
        self.heap.clear();
    }
    pub(crate) fn insert(&mut self, var: Var, activity: &[f64]) {
        if self.contains(var) {
            return;
        }
        self.position[var.0 as usize] = self.heap.len() as u32;
        self.heap.push(var.0);
        self.up(self.heap.len() - 1, activity);
    }
    /// The activity of `var` grew.
    pub(crate) fn increased(&mut self, var: Var, activity: &[f64]) {
        let position = self.position[var.0 as usize];
        if position != ABSENT {
            self.up(position as usize, activity);
        }
    }
    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.position[top as usize] = ABSENT;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.position[last as usize] = 0;
            self.down(0, activity);
        }
        Some(Var(top))
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if activity[self.heap[parent] as usize] >= activity[var as usize] {
                break;
            }
            self.heap[at] = self.heap[parent];
            self.position[self.heap[at] as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.position[var as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len()
                && activity[self.heap[child + 1] as usize] > activity[self.heap[child] as usize]
            {
                child += 1;
            }
            if activity[self.heap[child] as usize] <= activity[var as usize] {
                break;
            }
            self.heap[at] = self.heap[child];
            self.position[self.heap[at] as usize] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.position[var as usize] = at as u32;
    }
}
