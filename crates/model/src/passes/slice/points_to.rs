//! What pointers may lead to, by unification (Steensgaard, POPL 1996): each object is a node, what lies in a node leads to
//! one other node, and a value that goes from one place to another makes both lead to the same. Near linear.
//!
//! All values count as pointers, whatever their types: a pointer may go through integers, bytes and unions. A node is a
//! whole object, so positions inside do not matter. Two ways of making pointers are left out: an index that holds an
//! address, and differences of pointers. The executor does not support these, and abstract interpretation says nothing of
//! what they lead to.

use super::calls::{Callees, Known, known};
use crate::ir::*;
use quod_base::{Id, IdVec};
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// Nodes of variables, of results of functions, and of allocations; joined where pointers may lead to either.
pub(super) struct PointsTo {
    parent: Vec<u32>,
    target: Vec<u32>,
    locals: IdVec<FunctionId, u32>,
    results: u32,
    strings: FxHashMap<StringId, u32>,
}

impl PointsTo {
    pub(super) fn new(program: &Program, callees: &Callees) -> Self {
        let mut next = program.globals.len() as u32;
        let mut locals = IdVec::new();
        for function in program.functions.iter() {
            locals.push(next);
            next += function.body.as_ref().map_or(0, |body| body.locals.len() as u32);
        }
        let results = next;
        next += program.functions.len() as u32;
        let mut nodes = Self {
            parent: (0..next).collect(),
            target: vec![NONE; next as usize],
            locals,
            results,
            strings: FxHashMap::default(),
        };
        for &function in &callees.reached {
            nodes.function(program, callees, function);
        }
        nodes
    }

    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }

    pub(super) fn global(&mut self, id: GlobalId) -> u32 {
        self.find(id.index() as u32)
    }
    pub(super) fn local(&mut self, function: FunctionId, id: LocalId) -> u32 {
        let node = self.locals[function] + id.index() as u32;
        self.find(node)
    }
    pub(super) fn result(&mut self, function: FunctionId) -> u32 {
        let node = self.results + function.index() as u32;
        self.find(node)
    }

    fn fresh(&mut self) -> u32 {
        let node = self.parent.len() as u32;
        self.parent.push(node);
        self.target.push(NONE);
        node
    }

    pub(super) fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    /// What the values in a node lead to.
    pub(super) fn target(&mut self, node: u32) -> u32 {
        let node = self.find(node);
        if self.target[node as usize] == NONE {
            let target = self.fresh();
            self.target[node as usize] = target;
        }
        let target = self.target[node as usize];
        self.find(target)
    }

    /// The same, where anything is known of it.
    pub(super) fn known_target(&mut self, node: u32) -> Option<u32> {
        let node = self.find(node);
        match self.target[node as usize] {
            NONE => None,
            target => Some(self.find(target)),
        }
    }

    fn unify(&mut self, one: u32, other: u32) {
        let mut work = vec![(one, other)];
        while let Some((one, other)) = work.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            // The smaller id stays: nodes of variables are named by one of them.
            let (stays, goes) = (one.min(other), one.max(other));
            self.parent[goes as usize] = stays;
            match (self.target[stays as usize], self.target[goes as usize]) {
                (_, NONE) => {}
                (NONE, target) => self.target[stays as usize] = target,
                (left, right) => work.push((left, right)),
            }
        }
    }

    fn unify_values(&mut self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        if let (Some(one), Some(other)) = (one, other) {
            self.unify(one, other);
        }
        one.or(other)
    }

    /// Everything that can be got at from a node is one node, which leads to itself.
    fn collapse(&mut self, node: u32) {
        let mut node = self.find(node);
        loop {
            let target = self.target(node);
            node = self.find(node);
            if target == node {
                return;
            }
            self.unify(node, target);
        }
    }

    fn function(&mut self, program: &Program, callees: &Callees, function: FunctionId) {
        let Some(body) = &program.functions[function].body else { return };
        let mut values = Values::new(self, body, function);
        for (at, location) in body.locations.iter_enumerated() {
            match &location.control {
                Control::Step { step, .. } => values.step(program, callees, at, step),
                Control::Return(Some(value)) => {
                    let value = values.value(*value);
                    let result = values.nodes.result(function);
                    values.flow(result, value);
                }
                _ => {}
            }
        }
    }
}

/// What the values of one body's expressions lead to, each looked at once.
pub(super) struct Values<'a> {
    nodes: &'a mut PointsTo,
    body: &'a Body,
    function: FunctionId,
    /// Looked at, and what was found.
    exprs: Vec<Option<Option<u32>>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(nodes: &'a mut PointsTo, body: &'a Body, function: FunctionId) -> Self {
        Self { nodes, body, function, exprs: vec![None; body.exprs.len()] }
    }

    /// A value goes into a node.
    fn flow(&mut self, node: u32, value: Option<u32>) {
        if let Some(value) = value {
            let target = self.nodes.target(node);
            self.nodes.unify(target, value);
        }
    }

    /// The object that a place lies in.
    pub(super) fn place(&mut self, place: PlaceId) -> u32 {
        let mut at = place;
        loop {
            at = match self.body.places[at].kind {
                PlaceKind::Field(base, _)
                | PlaceKind::Index(base, _)
                | PlaceKind::RealPart(base)
                | PlaceKind::ImaginaryPart(base) => base,
                PlaceKind::Variable(VariableRef::Global(global)) => return self.nodes.global(global),
                PlaceKind::Variable(VariableRef::Local(local) | VariableRef::Enclosing { local, .. })
                | PlaceKind::Temporary(local) => return self.nodes.local(self.function, local),
                PlaceKind::String(string) => {
                    let node = match self.nodes.strings.get(&string) {
                        Some(&node) => node,
                        None => {
                            let node = self.nodes.fresh();
                            self.nodes.strings.insert(string, node);
                            node
                        }
                    };
                    return self.nodes.find(node);
                }
                PlaceKind::Deref(pointer) => {
                    return match self.value(pointer) {
                        Some(node) => self.nodes.find(node),
                        None => {
                            // A number as an address: nothing that has a name lies there.
                            let node = self.nodes.fresh();
                            self.exprs[pointer.index()] = Some(Some(node));
                            node
                        }
                    };
                }
            };
        }
    }

    /// What a value may lead to.
    pub(super) fn value(&mut self, expr: ExprId) -> Option<u32> {
        if let Some(known) = self.exprs[expr.index()] {
            return known.map(|node| self.nodes.find(node));
        }
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.look_at(expr));
        self.exprs[expr.index()] = Some(found);
        found
    }

    fn look_at(&mut self, expr: ExprId) -> Option<u32> {
        let body = self.body;
        match &body.exprs[expr].kind {
            ExprKind::Load(place) => {
                let node = self.place(*place);
                Some(self.nodes.target(node))
            }
            ExprKind::AddressOf(place) => Some(self.place(*place)),
            ExprKind::Unary(UnaryOp::Not, _) => None,
            ExprKind::Binary(op, ..) if op.is_comparison() => None,
            ExprKind::PointerAdd { pointer, .. } => self.value(*pointer),
            ExprKind::Conditional { then, otherwise, .. } => {
                let (then, otherwise) = (self.value(*then), self.value(*otherwise));
                self.nodes.unify_values(then, otherwise)
            }
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::Function(_)
            | ExprKind::Label { .. }
            | ExprKind::PointerDifference(..)
            | ExprKind::LogicalAnd(..)
            | ExprKind::LogicalOr(..)
            | ExprKind::Implies(..)
            | ExprKind::SizeOf(_)
            | ExprKind::Predicate(_) => None,
            kind => {
                let mut all = None;
                kind.for_each_part(&mut |part| {
                    if let Part::Expr(part) = part {
                        let value = self.value(part);
                        all = self.nodes.unify_values(all, value);
                    }
                });
                all
            }
        }
    }

    fn step(&mut self, program: &Program, callees: &Callees, at: LocationId, step: &Step) {
        match step {
            Step::Assign { place, value } => {
                let (node, value) = (self.place(*place), self.value(*value));
                self.flow(node, value);
            }
            Step::Call(call) => {
                if let Callee::Direct(callee) = call.callee
                    && program.functions[callee].body.is_none()
                {
                    return self.library(program, callees, callee, call);
                }
                for &callee in callees.of(self.function, at) {
                    self.call(program, callee, call);
                }
            }
            Step::Builtin { name, arguments, result, .. } => {
                if known(name.as_str()) != Known::Allocation {
                    self.mix(program, callees, arguments, *result);
                } else if let Some(result) = result {
                    let (node, made) = (self.place(*result), self.nodes.fresh());
                    self.flow(node, Some(made));
                }
            }
            Step::Assembly { outputs, inputs, .. } => {
                let mut all = None;
                for &input in inputs {
                    let value = self.value(input);
                    all = self.nodes.unify_values(all, value);
                }
                for &output in outputs {
                    let node = self.place(output);
                    self.flow(node, all);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, program: &Program, callee: FunctionId, call: &Call) {
        let Some(body) = &program.functions[callee].body else { return };
        for (id, &argument) in body.locals.ids().filter(|id| body.locals[*id].is_parameter).zip(&call.arguments) {
            let value = self.value(argument);
            let node = self.nodes.local(callee, id);
            self.flow(node, value);
        }
        if let Some(result) = call.result {
            let (node, given) = (self.place(result), self.nodes.result(callee));
            let given = self.nodes.target(given);
            self.flow(node, Some(given));
        }
    }

    fn library(&mut self, program: &Program, callees: &Callees, callee: FunctionId, call: &Call) {
        let arguments: Vec<Option<u32>> = call.arguments.iter().map(|&argument| self.value(argument)).collect();
        let result = call.result.map(|result| self.place(result));
        match known(program.functions[callee].name.as_str()) {
            Known::Number | Known::Input | Known::Print | Known::Free | Known::End | Known::Assume => {}
            Known::Allocation => {
                let made = self.nodes.fresh();
                if let Some(result) = result {
                    self.flow(result, Some(made));
                }
            }
            // The result leads into one of the arguments.
            Known::Read | Known::Write => {
                if let Some(result) = result {
                    arguments.iter().for_each(|&value| self.flow(result, value));
                }
            }
            Known::Copy => {
                if let (Some(&Some(to)), Some(&Some(from))) = (arguments.first(), arguments.get(1)) {
                    let (to, from) = (self.nodes.target(to), self.nodes.target(from));
                    self.nodes.unify(to, from);
                }
                if let Some(result) = result {
                    self.flow(result, arguments.first().copied().flatten());
                }
            }
            Known::Nothing => self.mix(program, callees, &call.arguments, call.result),
        }
    }

    /// Nothing is known of who gets these: all that they lead to may be stored in all of it, and given to functions.
    fn mix(&mut self, program: &Program, callees: &Callees, arguments: &[ExprId], result: Option<PlaceId>) {
        let mut all = self.nodes.fresh();
        for &argument in arguments {
            if let Some(value) = self.value(argument) {
                self.nodes.unify(all, value);
            }
        }
        all = self.nodes.find(all);
        self.nodes.collapse(all);
        if let Some(result) = result {
            let node = self.place(result);
            self.flow(node, Some(all));
        }
        for &callee in &callees.taken {
            let Some(body) = &program.functions[callee].body else { continue };
            for id in body.locals.ids().filter(|id| body.locals[*id].is_parameter) {
                let node = self.nodes.local(callee, id);
                self.flow(node, Some(all));
            }
            let given = self.nodes.result(callee);
            self.flow(given, Some(all));
        }
    }
}
