//! The body of one function while it is built: a cursor in a growing control-flow graph.
//!
//! The cursor is always a *reserved* location, one that nothing stands at yet. Emitting a step fills it and reserves the
//! next one. Jumps fill it with `Goto`s that `finish` threads away, together with everything that cannot be reached.

use super::jumps::Jumps;
use crate::ir::*;
use quod_base::{Id, IdVec, Span, Symbol};

pub(crate) struct Builder {
    pub body: Body,
    pub function: FunctionId,
    /// Type of the function's result.
    pub result: TypeId,
    pub current: LocationId,
    pub scope: ScopeId,
    /// The statement that locations belong to.
    pub statement: Span,
    /// The builder of the function around this one.
    pub parent: Option<usize>,
    pub jumps: Jumps,
    /// The local that the implicit `return` of a made-up body must keep; none in C.
    pub is_variadic: bool,
    /// How many of the locals are parameters.
    pub parameters: usize,
}

impl Builder {
    pub(crate) fn new(function: FunctionId, result: TypeId, span: Span, parent: Option<usize>) -> Self {
        let mut body = Body::default();
        let scope = body.scopes.push(Scope { parent: None, span, is_captured: false });
        let mut builder = Self {
            body,
            function,
            result,
            current: LocationId::from_index(0),
            scope,
            statement: span,
            parent,
            jumps: Jumps::default(),
            is_variadic: false,
            parameters: 0,
        };
        builder.current = builder.reserve();
        builder
    }

    pub(crate) fn reserve(&mut self) -> LocationId {
        self.body.locations.push(Location {
            control: Control::Unreachable,
            span: Span::NONE,
            statement: self.statement,
        })
    }

    pub(crate) fn fill(&mut self, location: LocationId, control: Control, span: Span) {
        self.body.locations[location] = Location { control, span, statement: self.statement };
    }

    /// Fills the cursor with a step and moves on.
    pub(crate) fn emit(&mut self, step: Step, span: Span) -> LocationId {
        let next = self.reserve();
        let here = self.current;
        self.fill(here, Control::Step { step, next }, span);
        self.current = next;
        here
    }

    /// Fills the cursor with control that leaves; what is emitted next can only be reached through labels.
    pub(crate) fn end(&mut self, control: Control, span: Span) -> LocationId {
        let here = self.current;
        self.fill(here, control, span);
        self.current = self.reserve();
        here
    }

    /// From the cursor to `target`, and go on there.
    pub(crate) fn goto_and_continue(&mut self, target: LocationId) {
        let here = self.current;
        if here != target {
            self.fill(here, Control::Goto(target), Span::NONE);
        }
        self.current = target;
    }

    pub(crate) fn goto(&mut self, target: LocationId) {
        self.end(Control::Goto(target), Span::NONE);
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span })
    }

    pub(crate) fn place(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> PlaceId {
        self.body.places.push(Place { kind, ty, span })
    }

    pub(crate) fn local(&mut self, name: Option<Symbol>, ty: TypeId, span: Span) -> LocalId {
        let scope = self.scope;
        self.body.locals.push(Local {
            name,
            ty,
            scope,
            span,
            is_address_taken: false,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            alignment: None,
            is_parameter: false,
        })
    }

    /// The locals so far are the parameters.
    pub(crate) fn parameters_end(&mut self) {
        self.parameters = self.body.locals.len();
        for local in self.body.locals.iter_mut() {
            local.is_parameter = true;
        }
    }

    pub(crate) fn local_place(&mut self, local: LocalId, span: Span) -> PlaceId {
        let ty = self.body.locals[local].ty;
        self.place(PlaceKind::Variable(VariableRef::Local(local)), ty, span)
    }

    pub(crate) fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.body.places[place].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    /// A hidden local that gets the value now; the result reads it.
    pub(crate) fn save(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.body.exprs[value].ty;
        let local = self.local(None, ty, span);
        let place = self.local_place(local, span);
        self.emit(Step::Assign { place, value }, span);
        self.load(place, span)
    }

    /// A new scope inside the present one; the caller emits `Enter`.
    pub(crate) fn new_scope(&mut self, span: Span) -> ScopeId {
        self.body.scopes.push(Scope { parent: Some(self.scope), span, is_captured: false })
    }

    /// Ends the body with a `return` at `span` and cleans the graph.
    pub(crate) fn finish(mut self, span: Span) -> Body {
        let here = self.current;
        self.statement = span;
        self.fill(here, Control::Return(None), span);
        if self.jumps.has_computed_goto {
            self.flatten_scopes();
        }
        clean(&mut self.body);
        self.body
    }

    /// `goto *e` may cross any scope: with one, all variables live as long as the function.
    fn flatten_scopes(&mut self) {
        let outermost = ScopeId::from_index(0);
        for local in self.body.locals.iter_mut() {
            local.scope = outermost;
        }
        for location in self.body.locations.iter_mut() {
            if let Control::Step { step: Step::Enter(_) | Step::Leave(_), next } = location.control {
                location.control = Control::Goto(next);
            }
        }
    }
}

/// Threads `Goto`s, drops what cannot be reached and renumbers, entry first.
fn clean(body: &mut Body) {
    let resolved = resolve_gotos(&body.locations);
    let target = |location: LocationId| resolved[location.index()];
    for location in body.locations.iter_mut() {
        for_each_target(&mut location.control, &mut |to| *to = target(*to));
    }
    for label in body.labels.iter_mut() {
        *label = target(*label);
    }
    for each in &mut body.loops {
        each.head = target(each.head);
    }
    let entry = target(LocationId::from_index(0));

    let mut is_reachable = vec![false; body.locations.len()];
    let mut pending: Vec<LocationId> = body.labels.iter().copied().collect();
    pending.push(entry);
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut is_reachable[location.index()], true) {
            continue;
        }
        let mut control = body.locations[location].control.clone_targets();
        pending.append(&mut control);
    }
    let mut renumbered: Vec<Option<LocationId>> = vec![None; body.locations.len()];
    renumbered[entry.index()] = Some(LocationId::from_index(0));
    let mut count = 1;
    for (index, reachable) in is_reachable.iter().enumerate() {
        if *reachable && index != entry.index() {
            renumbered[index] = Some(LocationId::from_index(count));
            count += 1;
        }
    }
    let old = std::mem::take(&mut body.locations).into_vec();
    let mut new: Vec<Option<Location>> = (0..count).map(|_| None).collect();
    for (index, mut location) in old.into_iter().enumerate() {
        let Some(id) = renumbered[index] else { continue };
        for_each_target(&mut location.control, &mut |to| {
            if let Some(id) = renumbered[to.index()] {
                *to = id;
            }
        });
        new[id.index()] = Some(location);
    }
    body.locations = new.into_iter().flatten().collect();
    for label in body.labels.iter_mut() {
        if let Some(id) = renumbered[label.index()] {
            *label = id;
        }
    }
    body.loops.retain_mut(|each| match renumbered[each.head.index()] {
        Some(id) => {
            each.head = id;
            true
        }
        None => false,
    });
}

/// For each location the first one on its chain of `Goto`s that is none; a cycle of `Goto`s stays as one.
fn resolve_gotos(locations: &IdVec<LocationId, Location>) -> Vec<LocationId> {
    let mut resolved: Vec<Option<LocationId>> = vec![None; locations.len()];
    let mut path = Vec::new();
    let mut is_on_path = vec![false; locations.len()];
    for start in locations.ids() {
        let mut at = start;
        let end = loop {
            if let Some(end) = resolved[at.index()] {
                break end;
            }
            let Control::Goto(next) = locations[at].control else { break at };
            if is_on_path[at.index()] {
                break at;
            }
            is_on_path[at.index()] = true;
            path.push(at);
            at = next;
        };
        for location in path.drain(..) {
            is_on_path[location.index()] = false;
            resolved[location.index()] = Some(end);
        }
        resolved[start.index()] = Some(end);
    }
    resolved.into_iter().enumerate().map(|(index, end)| end.unwrap_or(LocationId::from_index(index))).collect()
}

fn for_each_target(control: &mut Control, visit: &mut impl FnMut(&mut LocationId)) {
    match control {
        Control::Step { next, .. } | Control::Goto(next) | Control::When { next, .. } => visit(next),
        Control::Branch { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        Control::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|case| visit(&mut case.target));
            visit(default);
        }
        Control::Choose { alternatives, default } => {
            alternatives.iter_mut().for_each(&mut *visit);
            default.iter_mut().for_each(visit);
        }
        Control::ComputedGoto(_) | Control::Return(_) | Control::Unreachable => {}
    }
}

impl Control {
    /// Where control can go from here, apart from computed jumps.
    fn clone_targets(&self) -> Vec<LocationId> {
        match self {
            Control::Step { next, .. } | Control::Goto(next) | Control::When { next, .. } => vec![*next],
            Control::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Control::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain(std::iter::once(*default)).collect()
            }
            Control::Choose { alternatives, default } => alternatives.iter().copied().chain(*default).collect(),
            Control::ComputedGoto(_) | Control::Return(_) | Control::Unreachable => Vec::new(),
        }
    }
}
