//! Gates: literals defined by clauses, each shape once.
//!
//! A gate's output is a fresh variable with both directions of its definition as clauses, so that a gate that a query
//! does not use never constrains it. The inputs of every gate are remembered: the variables below the roots of a query,
//! its *cone*, are all that has to be decided.

use crate::sat::{Lit, Sat, Var};
use rustc_hash::FxHashMap;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Shape {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// All gates of one solver.
pub struct Gates {
    table: FxHashMap<Shape, Lit>,
    wide_table: FxHashMap<Box<[Lit]>, Lit>,
    /// By variable: the inputs of its gate, padded with `NONE`; `WIDE` in the first place points into `wide`.
    inputs: Vec<[Lit; 3]>,
    wide: Vec<Box<[Lit]>>,
    truth: Lit,
    visited: Vec<u32>,
    epoch: u32,
    stack: Vec<Var>,
}

const NONE: Lit = Lit(u32::MAX);
const WIDE: Lit = Lit(u32::MAX - 1);

impl Gates {
    /// `sat` must be fresh: its first variable becomes the constant true.
    pub fn new(sat: &mut Sat) -> Self {
        let truth = Lit::new(sat.new_var(), true);
        sat.add_clause(&[truth]);
        Self {
            table: FxHashMap::default(),
            wide_table: FxHashMap::default(),
            inputs: vec![[NONE; 3]],
            wide: Vec::new(),
            truth,
            visited: Vec::new(),
            epoch: 0,
            stack: Vec::new(),
        }
    }

    pub fn truth(&self) -> Lit {
        self.truth
    }
    pub fn constant(&self, value: bool) -> Lit {
        self.truth.flip_if(!value)
    }
    pub fn as_constant(&self, literal: Lit) -> Option<bool> {
        (literal.var() == self.truth.var()).then_some(literal == self.truth)
    }

    /// Calls `visit` once for each variable that the roots depend on. Variables without a gate are inputs.
    pub fn cone(&mut self, roots: impl IntoIterator<Item = Lit>, mut visit: impl FnMut(Var)) {
        self.epoch += 1;
        self.stack.clear();
        self.stack.extend(roots.into_iter().map(Lit::var));
        while let Some(var) = self.stack.pop() {
            let index = var.0 as usize;
            if index >= self.visited.len() {
                self.visited.resize(index + 1 + index / 2, 0);
            }
            if self.visited[index] == self.epoch {
                continue;
            }
            self.visited[index] = self.epoch;
            visit(var);
            if let Some(&inputs) = self.inputs.get(index) {
                if inputs[0] == WIDE {
                    self.stack.extend(self.wide[inputs[1].0 as usize].iter().map(|literal| literal.var()));
                } else {
                    self.stack.extend(inputs.iter().take_while(|&&input| input != NONE).map(|input| input.var()));
                }
            }
        }
    }

    /// Whether the variable was visited by the last computation of a cone.
    pub fn is_in_cone(&self, var: Var) -> bool {
        self.visited.get(var.0 as usize).is_some_and(|&epoch| epoch == self.epoch)
    }

    /// The value of a variable that is no gate's output depends on what `hub` stands for.
    pub fn depend(&mut self, var: Var, hub: Var) {
        self.set_dependencies(var, vec![Lit::new(hub, true)]);
    }

    /// Sets what a variable without gate depends on. The first call counts.
    pub fn set_dependencies(&mut self, var: Var, on: Vec<Lit>) {
        let is_free = self.inputs.get(var.0 as usize).is_none_or(|inputs| inputs[0] == NONE);
        if !is_free || on.is_empty() {
            return;
        }
        if let [one] = on.as_slice() {
            self.set_inputs(var, [*one, NONE, NONE]);
            return;
        }
        let index = self.wide.len() as u32;
        self.set_inputs(var, [WIDE, Lit(index), NONE]);
        self.wide.push(on.into());
    }

    /// One dependency more, for a variable that has a list of them.
    pub fn add_dependency(&mut self, var: Var, on: Lit) {
        match self.inputs.get(var.0 as usize) {
            Some(&[WIDE, Lit(index), _]) => {
                let mut list = std::mem::take(&mut self.wide[index as usize]).into_vec();
                list.push(on);
                self.wide[index as usize] = list.into();
            }
            Some(&[first, ..]) if first != NONE => {
                let index = self.wide.len() as u32;
                self.wide.push([first, on].into());
                self.set_inputs(var, [WIDE, Lit(index), NONE]);
            }
            _ => self.set_inputs(var, [on, NONE, NONE]),
        }
    }

    fn set_inputs(&mut self, var: Var, inputs: [Lit; 3]) {
        let index = var.0 as usize;
        if index >= self.inputs.len() {
            self.inputs.resize(index + 1, [NONE; 3]);
        }
        self.inputs[index] = inputs;
    }
}

/// Gates and the solver that their clauses go to.
pub struct Builder<'a> {
    pub sat: &'a mut Sat,
    pub gates: &'a mut Gates,
}

impl Builder<'_> {
    pub fn truth(&self) -> Lit {
        self.gates.truth
    }
    pub fn constant(&self, value: bool) -> Lit {
        self.gates.constant(value)
    }
    pub fn as_constant(&self, literal: Lit) -> Option<bool> {
        self.gates.as_constant(literal)
    }
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.sat.new_var(), true)
    }

    fn gate(&mut self, shape: Shape, inputs: [Lit; 3], define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&output) = self.gates.table.get(&shape) {
            return output;
        }
        let output = self.fresh();
        self.gates.set_inputs(output.var(), inputs);
        self.gates.table.insert(shape, output);
        define(self.sat, output);
        output
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let truth = self.gates.truth;
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == truth || a == b {
            return b;
        }
        if a == !truth || a == !b {
            return !truth;
        }
        self.gate(Shape::And(a, b), [a, b, NONE], |sat, out| {
            sat.add_clause(&[!out, a]);
            sat.add_clause(&[!out, b]);
            sat.add_clause(&[out, !a, !b]);
        })
    }
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let truth = self.gates.truth;
        let negate = !a.is_positive() ^ !b.is_positive();
        let (a, b) = (a.flip_if(!a.is_positive()), b.flip_if(!b.is_positive()));
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        // The constant is the first variable, so it is `a` if it is there at all.
        if a == truth {
            return (!b).flip_if(negate);
        }
        if a == b {
            return (!truth).flip_if(negate);
        }
        self.gate(Shape::Xor(a, b), [a, b, NONE], |sat, out| {
            sat.add_clause(&[!out, a, b]);
            sat.add_clause(&[!out, !a, !b]);
            sat.add_clause(&[out, !a, b]);
            sat.add_clause(&[out, a, !b]);
        })
        .flip_if(negate)
    }
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub fn ite(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        let truth = self.gates.truth;
        let (condition, then, other) =
            if condition.is_positive() { (condition, then, other) } else { (!condition, other, then) };
        if condition == truth || then == other {
            return then;
        }
        if then == !other {
            return self.iff(condition, then);
        }
        if then == truth || then == condition {
            return self.or(condition, other);
        }
        if then == !truth || then == !condition {
            return self.and(!condition, other);
        }
        if other == truth || other == !condition {
            return self.or(!condition, then);
        }
        if other == !truth || other == condition {
            return self.and(condition, then);
        }
        let negate = !then.is_positive();
        let (then, other) = (then.flip_if(negate), other.flip_if(negate));
        self.gate(Shape::Ite(condition, then, other), [condition, then, other], |sat, out| {
            sat.add_clause(&[!condition, !then, out]);
            sat.add_clause(&[!condition, then, !out]);
            sat.add_clause(&[condition, !other, out]);
            sat.add_clause(&[condition, other, !out]);
            sat.add_clause(&[!then, !other, out]);
            sat.add_clause(&[then, other, !out]);
        })
        .flip_if(negate)
    }

    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let negate = !a.is_positive() ^ !b.is_positive() ^ !c.is_positive();
        let mut inputs = [a, b, c].map(|literal| literal.flip_if(!literal.is_positive()));
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        if a == self.gates.truth {
            return (!self.xor(b, c)).flip_if(negate);
        }
        if a == b {
            return c.flip_if(negate);
        }
        if b == c {
            return a.flip_if(negate);
        }
        self.gate(Shape::Xor3(a, b, c), [a, b, c], |sat, out| {
            for bits in 0..8u32 {
                let [x, y, z] = [a.flip_if(bits & 1 != 0), b.flip_if(bits & 2 != 0), c.flip_if(bits & 4 != 0)];
                // The inputs are all "wrong" in this clause: the literal of the output is their parity.
                sat.add_clause(&[x, y, z, out.flip_if(bits.count_ones() % 2 == 0)]);
            }
        })
        .flip_if(negate)
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let truth = self.gates.truth;
        if a == truth {
            return self.or(b, c);
        }
        if a == !truth {
            return self.and(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // Majority is self-dual: pull the sign out.
        let negate = !a.is_positive();
        let [a, b, c] = [a, b, c].map(|literal| literal.flip_if(negate));
        self.gate(Shape::Majority(a, b, c), [a, b, c], |sat, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.add_clause(&[!x, !y, out]);
                sat.add_clause(&[x, y, !out]);
            }
        })
        .flip_if(negate)
    }

    /// The conjunction of any number of literals.
    pub fn and_all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let truth = self.gates.truth;
        let mut inputs: Vec<Lit> = literals.into_iter().filter(|&literal| literal != truth).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.first() == Some(&!truth) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !truth;
        }
        match *inputs.as_slice() {
            [] => return truth,
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        let inputs: Box<[Lit]> = inputs.into();
        if let Some(&output) = self.gates.wide_table.get(&inputs) {
            return output;
        }
        let output = self.fresh();
        for &input in &inputs {
            self.sat.add_clause(&[!output, input]);
        }
        let mut clause: Vec<Lit> = inputs.iter().map(|&input| !input).collect();
        clause.push(output);
        self.sat.add_clause(&clause);
        let index = self.gates.wide.len() as u32;
        self.gates.set_inputs(output.var(), [WIDE, Lit(index), NONE]);
        self.gates.wide.push(inputs.clone());
        self.gates.wide_table.insert(inputs, output);
        output
    }
    pub fn or_all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let negated: Vec<Lit> = literals.into_iter().map(|literal| !literal).collect();
        !self.and_all(negated)
    }
}
