//! What stays: the closure of what is asked under data dependence (by nodes of `points_to`), control dependence and calls.
//!
//! Per node there are two marks. *value*: what lies in it matters, so all writes to it stay. *exists*: it matters whether
//! its objects are alive, so what makes and ends them stays. A call stays where its function does something that can be
//! seen outside, or where its result matters. The arguments of a call that stays are kept one by one.

use super::Question;
use super::calls::{Callees, Known, known};
use super::points_to::PointsTo;
use super::sites::Function;
use crate::ir::*;
use quod_base::Id;
use rustc_hash::{FxHashMap, FxHashSet};

type At = (FunctionId, LocationId);

pub(super) struct Relevance<'p> {
    program: &'p Program,
    callees: &'p Callees,
    nodes: PointsTo,
    pub(super) functions: FxHashMap<FunctionId, Function<'p>>,
    is_value: Vec<bool>,
    is_alive: Vec<bool>,
    writes: FxHashMap<u32, Vec<At>>,
    lifetimes: FxHashMap<u32, Vec<At>>,
    scopes: FxHashMap<u32, Vec<(FunctionId, ScopeId)>>,
    scope_sites: FxHashMap<(FunctionId, ScopeId), Vec<LocationId>>,
    parameters: FxHashMap<u32, Vec<(FunctionId, usize)>>,
    callers: FxHashMap<FunctionId, Vec<At>>,
    kept_calls: FxHashMap<FunctionId, Vec<At>>,
    /// Functions whose calls can be seen outside of them.
    seen: FxHashSet<FunctionId>,
    with_result: FxHashSet<At>,
    work: Vec<Task>,
}

#[derive(Copy, Clone)]
enum Task {
    Keep(At),
    Value(u32),
    Alive(u32),
    Seen(FunctionId),
    Result(At),
    Read(FunctionId, ExprId),
}

impl<'p> Relevance<'p> {
    pub(super) fn new(program: &'p Program, callees: &'p Callees, question: &Question<'_>) -> Self {
        let mut nodes = PointsTo::new(program, callees);
        let mut functions = FxHashMap::default();
        for &function in &callees.reached {
            if let Some(body) = &program.functions[function].body {
                functions.insert(function, Function::new(program, callees, &mut nodes, function, body, question));
            }
        }
        let count = nodes.len();
        let mut this = Self {
            program,
            callees,
            nodes,
            functions,
            is_value: vec![false; count],
            is_alive: vec![false; count],
            writes: FxHashMap::default(),
            lifetimes: FxHashMap::default(),
            scopes: FxHashMap::default(),
            scope_sites: FxHashMap::default(),
            parameters: FxHashMap::default(),
            callers: FxHashMap::default(),
            kept_calls: FxHashMap::default(),
            seen: FxHashSet::default(),
            with_result: FxHashSet::default(),
            work: Vec::new(),
        };
        for &function in &callees.reached {
            this.note(function);
        }
        this.lengths();
        this
    }

    /// Puts what a function does where it is looked for.
    fn note(&mut self, id: FunctionId) {
        let Some(function) = self.functions.get(&id) else { return };
        let body = function.body;
        for (at, location) in body.locations.iter_enumerated() {
            let site = &function.sites[at.index()];
            for &node in &site.writes {
                self.writes.entry(self.nodes.find(node)).or_default().push((id, at));
            }
            for &node in &site.lifetimes {
                self.lifetimes.entry(self.nodes.find(node)).or_default().push((id, at));
            }
            if site.is_essential {
                self.work.push(Task::Keep((id, at)));
            }
            match &location.control {
                Control::Step { step: Step::Enter(scope) | Step::Leave(scope), .. } => {
                    self.scope_sites.entry((id, *scope)).or_default().push(at);
                }
                Control::Step { step: Step::Call(_), .. } => {
                    for &callee in self.callees.of(id, at) {
                        self.callers.entry(callee).or_default().push((id, at));
                    }
                }
                _ => {}
            }
        }
        for (local, definition) in body.locals.iter_enumerated() {
            let node = self.nodes.local(id, local);
            self.scopes.entry(node).or_default().push((id, definition.scope));
            if definition.is_parameter {
                self.parameters.entry(node).or_default().push((id, local.index()));
            }
        }
    }

    /// Types are read everywhere: the lengths that they name always matter.
    fn lengths(&mut self) {
        for ty in self.program.types.iter() {
            if let Type::Array { length: ArrayLength::Variable(length), .. } = ty {
                let node = match *length {
                    LengthVariable::Global(global) => self.nodes.global(global),
                    LengthVariable::Local { function, local } => self.nodes.local(function, local),
                };
                self.work.push(Task::Value(node));
            }
        }
    }

    pub(super) fn keep(&mut self, function: FunctionId, at: LocationId) {
        self.work.push(Task::Keep((function, at)));
    }

    pub(super) fn close(&mut self) {
        while let Some(task) = self.work.pop() {
            match task {
                Task::Keep(at) => self.kept(at),
                Task::Value(node) => self.valued(node),
                Task::Alive(node) => self.alive(node),
                Task::Seen(function) => self.seen(function),
                Task::Result(at) => self.result(at),
                Task::Read(function, expr) => self.read(function, expr),
            }
        }
    }

    /// What lies in the variable matters.
    pub(super) fn is_valued(&mut self, node: u32) -> bool {
        let node = self.nodes.find(node);
        self.is_value[node as usize]
    }
    pub(super) fn is_local_valued(&mut self, function: FunctionId, local: LocalId) -> bool {
        let node = self.nodes.local(function, local);
        self.is_valued(node)
    }
    pub(super) fn is_global_valued(&mut self, global: GlobalId) -> bool {
        let node = self.nodes.global(global);
        self.is_valued(node)
    }
    pub(super) fn is_result_valued(&mut self, function: FunctionId) -> bool {
        let node = self.nodes.result(function);
        self.is_valued(node)
    }
    pub(super) fn has_result(&self, at: At) -> bool {
        self.with_result.contains(&at)
    }

    fn valued(&mut self, node: u32) {
        let node = self.nodes.find(node);
        if std::mem::replace(&mut self.is_value[node as usize], true) {
            return;
        }
        self.work.push(Task::Alive(node));
        if let Some(target) = self.nodes.known_target(node) {
            self.work.push(Task::Alive(target));
        }
        for at in self.writes.get(&node).into_iter().flatten() {
            self.work.push(Task::Keep(*at));
            self.work.push(Task::Result(*at));
        }
        for &(function, index) in self.parameters.get(&node).into_iter().flatten() {
            for &(caller, at) in self.kept_calls.get(&function).into_iter().flatten() {
                let Some(call) = call(self.functions[&caller].body, at) else { continue };
                self.work.extend(call.arguments.get(index).map(|&argument| Task::Read(caller, argument)));
            }
        }
    }

    fn alive(&mut self, node: u32) {
        let node = self.nodes.find(node);
        if std::mem::replace(&mut self.is_alive[node as usize], true) {
            return;
        }
        let sites = self.lifetimes.remove(&node).unwrap_or_default();
        self.work.extend(sites.into_iter().map(Task::Keep));
        for scope in self.scopes.remove(&node).unwrap_or_default() {
            let sites = self.scope_sites.remove(&scope).unwrap_or_default();
            self.work.extend(sites.into_iter().map(|at| Task::Keep((scope.0, at))));
        }
    }

    fn seen(&mut self, function: FunctionId) {
        if !self.seen.insert(function) {
            return;
        }
        for &at in self.callers.get(&function).into_iter().flatten() {
            self.work.extend([Task::Keep(at), Task::Seen(at.0)]);
        }
    }

    fn kept(&mut self, (id, at): At) {
        let Some(function) = self.functions.get_mut(&id) else { return };
        if std::mem::replace(&mut function.is_kept[at.index()], true) {
            return;
        }
        let mut branches = Vec::new();
        function.dependence.take(at, &mut branches);
        self.work.extend(branches.into_iter().map(|branch| Task::Keep((id, branch))));
        if function.sites[at.index()].is_outside {
            self.work.push(Task::Seen(id));
        }
        let body = function.body;
        match &body.locations[at].control {
            Control::Branch { condition: value, .. }
            | Control::Switch { value, .. }
            | Control::ComputedGoto(value)
            | Control::Return(Some(value)) => self.work.push(Task::Read(id, *value)),
            Control::Step { step, .. } => self.step((id, at), body, step),
            _ => {}
        }
    }

    fn step(&mut self, (id, at): At, body: &'p Body, step: &'p Step) {
        match step {
            Step::Assign { place, value } => {
                self.address(id, *place);
                self.work.push(Task::Read(id, *value));
            }
            Step::Zero(place) | Step::Havoc { place, .. } => self.address(id, *place),
            Step::Call(call) => self.call((id, at), call),
            Step::Builtin { name, arguments, result, .. } => {
                self.work.extend(arguments.iter().map(|&argument| Task::Read(id, argument)));
                if known(name.as_str()) != Known::Allocation {
                    self.reachable(id, arguments);
                }
                result.iter().for_each(|&result| self.address(id, result));
            }
            Step::Assembly { outputs, inputs, .. } => {
                self.work.extend(inputs.iter().map(|&input| Task::Read(id, input)));
                outputs.iter().for_each(|&output| self.address(id, output));
            }
            Step::Check(Check { condition, .. }) | Step::Assume(condition) => {
                self.work.push(Task::Read(id, *condition));
            }
            Step::Declare(local) => {
                // Its length is read.
                debug_assert!(local.index() < body.locals.len());
            }
            _ => {}
        }
    }

    fn call(&mut self, (id, at): At, call: &'p Call) {
        if let Callee::Indirect(pointer, _) = call.callee {
            self.work.push(Task::Read(id, pointer));
        }
        let site = &self.functions[&id].sites[at.index()];
        if site.is_result_essential {
            self.work.push(Task::Result((id, at)));
        }
        if let Some(place) = call.result {
            let node = self.functions[&id].places[place.index()];
            if self.is_valued(node) {
                self.work.push(Task::Result((id, at)));
            }
        }
        for &callee in self.callees.of(id, at) {
            let definition = &self.program.functions[callee];
            let Some(body) = &definition.body else {
                self.library(id, definition.name.as_str(), &call.arguments);
                continue;
            };
            self.kept_calls.entry(callee).or_default().push((id, at));
            for (index, &argument) in call.arguments.iter().enumerate() {
                let parameter = body.locals.ids().nth(index).filter(|id| body.locals[*id].is_parameter);
                let is_read = match parameter {
                    Some(local) => {
                        !is_scalar(self.program, body.locals[local].ty) || self.is_local_valued(callee, local)
                    }
                    None => true,
                };
                if is_read {
                    self.work.push(Task::Read(id, argument));
                }
            }
            if self.seen.contains(&callee) {
                self.work.push(Task::Seen(id));
            }
        }
    }

    fn library(&mut self, id: FunctionId, name: &str, arguments: &[ExprId]) {
        self.work.extend(arguments.iter().map(|&argument| Task::Read(id, argument)));
        let function = &self.functions[&id];
        let target = |index: usize| arguments.get(index).and_then(|argument| function.targets[argument.index()]);
        match known(name) {
            Known::Number | Known::Input | Known::Allocation | Known::End | Known::Assume => {}
            Known::Free | Known::Write => self.work.extend(target(0).map(Task::Alive)),
            Known::Copy => {
                self.work.extend(target(0).map(Task::Alive));
                self.work.extend(target(1).map(Task::Value));
            }
            Known::Print | Known::Read => {
                let all: Vec<Task> = (0..arguments.len()).filter_map(target).map(Task::Value).collect();
                self.work.extend(all);
            }
            Known::Nothing => self.reachable(id, arguments),
        }
    }

    /// Someone may look at everything that these lead to, and call functions.
    fn reachable(&mut self, id: FunctionId, arguments: &[ExprId]) {
        let function = &self.functions[&id];
        let mut targets: Vec<u32> =
            arguments.iter().filter_map(|argument| function.targets[argument.index()]).collect();
        let mut met = FxHashSet::default();
        while let Some(node) = targets.pop() {
            let node = self.nodes.find(node);
            if met.insert(node) {
                self.work.push(Task::Value(node));
                targets.extend(self.nodes.known_target(node));
            }
        }
        for index in 0..self.callees.taken.len() {
            let node = self.nodes.result(self.callees.taken[index]);
            self.work.push(Task::Value(node));
        }
    }

    /// The result of a call is stored.
    fn result(&mut self, (id, at): At) {
        let Some(call) = call(self.functions[&id].body, at) else { return };
        let Some(place) = call.result else { return };
        if !self.with_result.insert((id, at)) {
            return;
        }
        self.address(id, place);
        for &callee in self.callees.of(id, at) {
            let node = self.nodes.result(callee);
            self.work.push(Task::Value(node));
        }
    }

    /// Where a place is: its object is there, and what it is computed from.
    fn address(&mut self, id: FunctionId, place: PlaceId) {
        let function = &self.functions[&id];
        self.work.push(Task::Alive(function.places[place.index()]));
        let mut at = place;
        loop {
            at = match function.body.places[at].kind {
                PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => base,
                PlaceKind::Index(base, index) => {
                    self.work.push(Task::Read(id, index));
                    base
                }
                PlaceKind::Deref(pointer) => {
                    self.work.push(Task::Read(id, pointer));
                    return;
                }
                PlaceKind::Variable(_) | PlaceKind::Temporary(_) | PlaceKind::String(_) => return,
            };
        }
    }

    fn read(&mut self, id: FunctionId, expr: ExprId) {
        let Some(function) = self.functions.get_mut(&id) else { return };
        if std::mem::replace(&mut function.is_read[expr.index()], true) {
            return;
        }
        let body = function.body;
        match &body.exprs[expr].kind {
            ExprKind::Load(place) => {
                self.work.push(Task::Value(function.places[place.index()]));
                self.address(id, *place);
            }
            ExprKind::AddressOf(place) => self.address(id, *place),
            kind => {
                let mut places = Vec::new();
                let mut alive = Vec::new();
                let is_predicate = matches!(kind, ExprKind::Predicate(_));
                kind.for_each_part(&mut |part| match part {
                    Part::Expr(part) => {
                        self.work.push(Task::Read(id, part));
                        if is_predicate {
                            alive.extend(function.targets[part.index()]);
                        }
                    }
                    Part::Place(place) => places.push(place),
                });
                self.work.extend(alive.into_iter().map(Task::Alive));
                for place in places {
                    self.work.push(Task::Value(self.functions[&id].places[place.index()]));
                    self.address(id, place);
                }
            }
        }
    }
}

fn call(body: &Body, at: LocationId) -> Option<&Call> {
    match &body.locations[at].control {
        Control::Step { step: Step::Call(call), .. } => Some(call),
        _ => None,
    }
}

/// A type for which a constant can stand in.
pub(super) fn is_scalar(program: &Program, ty: TypeId) -> bool {
    matches!(program.types[ty], Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_))
}
