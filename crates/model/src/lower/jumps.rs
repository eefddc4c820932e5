//! Labels, `goto`, `break`, `continue`, `switch` labels: jumps that leave and enter scopes on their way.

use super::Lowerer;
use super::expressions::Operand;
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A place to jump to, and the scope that it lies in.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Target {
    pub location: LocationId,
    pub scope: ScopeId,
}

pub(crate) struct Label {
    location: LocationId,
    /// Where and in which scope it stands, once that is known.
    defined: Option<(Span, ScopeId)>,
    first_use: Span,
    address: Option<LabelId>,
    is_loop: bool,
}

struct Pending {
    from: LocationId,
    scope: ScopeId,
    label: Symbol,
    statement: Span,
}

pub(crate) struct Switch {
    pub cases: Vec<SwitchCase>,
    pub default: Option<(LocationId, Span)>,
    pub scope: ScopeId,
    pub ty: TypeId,
    /// Ranges seen so far by their lower ends.
    ranges: BTreeMap<i128, (i128, Span)>,
}

pub(crate) struct Cleanup {
    pub local: LocalId,
    pub function: FunctionId,
    pub span: Span,
}

#[derive(Default)]
pub(crate) struct Jumps {
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub switches: Vec<Switch>,
    labels: FxHashMap<Symbol, Label>,
    pending: Vec<Pending>,
    /// `__label__ l;` in the blocks around: what `l` is called in `labels`.
    pub local_labels: Vec<FxHashMap<Symbol, Symbol>>,
    pub has_computed_goto: bool,
    pub cleanups: FxHashMap<ScopeId, Vec<Cleanup>>,
    /// Scopes of atomic blocks, and whether they are `$atom`.
    pub atomics: FxHashMap<ScopeId, bool>,
    renamed: u32,
}

impl Lowerer<'_> {
    /// Leaves and enters scopes on the way from one to another.
    pub(crate) fn change_scope(&mut self, from: ScopeId, to: ScopeId, span: Span) {
        if from == to {
            return;
        }
        let (left, entered) = scope_path(&self.b().body.scopes, from, to);
        for scope in left {
            self.run_cleanups_of(scope, span);
            self.b().emit(Step::Leave(scope), span);
        }
        for scope in entered {
            self.b().emit(Step::Enter(scope), span);
            if let Some(&is_atom) = self.b().jumps.atomics.get(&scope) {
                self.b().emit(Step::AtomicBegin { is_atom }, span);
            }
        }
    }

    pub(crate) fn jump_to(&mut self, target: Target, span: Span) {
        let from = self.b().scope;
        self.change_scope(from, target.scope, span);
        self.b().goto(target.location);
    }

    pub(crate) fn break_statement(&mut self, span: Span) {
        match self.b().jumps.breaks.last().copied() {
            Some(target) => self.jump_to(target, span),
            None => self.misplaced("break", "a loop or `switch`", span),
        }
    }

    pub(crate) fn continue_statement(&mut self, span: Span) {
        match self.b().jumps.continues.last().copied() {
            Some(target) => self.jump_to(target, span),
            None => self.misplaced("continue", "a loop", span),
        }
    }

    fn misplaced(&mut self, what: &str, around: &str, span: Span) {
        self.error(codes::MISPLACED, format!("`{what}` outside {around}"), span, format!("not inside {around}"));
    }

    /// Declares block-local labels until the block's end.
    pub(crate) fn declare_local_labels(&mut self, names: ast::List<ast::NameId>) {
        let unit = self.unit;
        let jumps = &mut self.b().jumps;
        for id in unit.list(names) {
            jumps.renamed += 1;
            let unique = Symbol::intern(&format!("{}#{}", unit[id].symbol, jumps.renamed));
            if let Some(scope) = jumps.local_labels.last_mut() {
                scope.insert(unit[id].symbol, unique);
            }
        }
    }

    fn label_key(&mut self, name: Symbol) -> Symbol {
        let scopes = &self.b().jumps.local_labels;
        scopes.iter().rev().find_map(|scope| scope.get(&name)).copied().unwrap_or(name)
    }

    /// The label's location, reserved when it is first met.
    fn label_location(&mut self, key: Symbol, span: Span) -> LocationId {
        if let Some(label) = self.b().jumps.labels.get(&key) {
            return label.location;
        }
        let location = self.b().reserve();
        let label = Label { location, defined: None, first_use: span, address: None, is_loop: false };
        self.b().jumps.labels.insert(key, label);
        location
    }

    pub(crate) fn define_label(&mut self, name: ast::Name) {
        let key = self.label_key(name.symbol);
        let location = self.label_location(key, name.span);
        let scope = self.b().scope;
        let label = self.b().jumps.labels.get_mut(&key);
        let previous = label.and_then(|label| label.defined.replace((name.span, scope)));
        if let Some((previous, _)) = previous {
            self.report(
                Diagnostic::error(codes::REDEFINITION, format!("label `{}` is defined twice", name.symbol))
                    .label(name.span, "defined again here")
                    .label(previous, "first defined here"),
            );
            return;
        }
        self.b().goto_and_continue(location);
    }

    pub(crate) fn goto_statement(&mut self, name: ast::Name, span: Span) {
        let key = self.label_key(name.symbol);
        let location = self.label_location(key, name.span);
        let from = self.b().scope;
        let defined = self.b().jumps.labels.get(&key).and_then(|label| label.defined);
        match defined {
            // A jump backwards makes a loop of the label.
            Some((at, scope)) => {
                let is_new = self
                    .b()
                    .jumps
                    .labels
                    .get_mut(&key)
                    .is_some_and(|label| !std::mem::replace(&mut label.is_loop, true));
                if is_new {
                    let head = location;
                    let invariants = Vec::new();
                    self.b().body.loops.push(Loop { keyword: at, head, invariants, annotations: Vec::new() });
                }
                self.jump_to(Target { location, scope }, span);
            }
            None => {
                let statement = self.b().statement;
                let at = self.b().current;
                self.b().jumps.pending.push(Pending { from: at, scope: from, label: key, statement });
                self.b().goto(location);
            }
        }
    }

    /// `&&label`
    pub(crate) fn label_address(&mut self, name: ast::Name, span: Span) -> Operand {
        // A static initialiser names labels of the function around it.
        let mut owner = self.builders.len() - 1;
        let mut at = Some(owner);
        while let Some(index) = at {
            if self.builders[index].jumps.local_labels.iter().any(|labels| labels.contains_key(&name.symbol)) {
                owner = index;
                break;
            }
            at = self.builders[index].parent;
        }
        let saved = std::mem::replace(&mut self.active, owner);
        let key = self.label_key(name.symbol);
        let location = self.label_location(key, name.span);
        let known = self.b().jumps.labels.get(&key).and_then(|label| label.address);
        let label = match known {
            Some(label) => label,
            None => {
                let label = self.b().body.labels.push(location);
                if let Some(entry) = self.b().jumps.labels.get_mut(&key) {
                    entry.address = Some(label);
                }
                label
            }
        };
        self.b().jumps.has_computed_goto = true;
        let function = self.b().function;
        self.active = saved;
        let ty = self.known.void_pointer;
        let value = self.b().expr(ExprKind::Label { function, label }, ty, span);
        self.value_operand(value, span)
    }

    pub(crate) fn computed_goto(&mut self, expr: ast::ExprId, span: Span) {
        let value = self.value(expr);
        self.b().jumps.has_computed_goto = true;
        self.b().end(Control::ComputedGoto(value), span);
    }

    /// At the end of a function all labels are known: jumps forward get their scope changes.
    pub(crate) fn resolve_jumps(&mut self) {
        let pending = std::mem::take(&mut self.b().jumps.pending);
        let mut reported = rustc_hash::FxHashSet::default();
        for jump in pending {
            let Some(label) = self.b().jumps.labels.get(&jump.label) else { continue };
            let (location, first_use) = (label.location, label.first_use);
            let Some((_, scope)) = label.defined else {
                if self.b().parent.is_some() {
                    // GNU C's jump out of a nested function.
                    self.b().statement = jump.statement;
                    let saved = std::mem::replace(&mut self.b().current, jump.from);
                    self.unsupported("a jump out of a nested function", jump.statement);
                    self.b().end(Control::Unreachable, jump.statement);
                    self.b().current = saved;
                    continue;
                }
                if reported.insert(jump.label) {
                    let name = jump.label.as_str().split('#').next().unwrap_or_default().to_owned();
                    self.error(
                        codes::UNDECLARED_LABEL,
                        format!("label `{name}` is not defined in this function"),
                        first_use,
                        "no such label",
                    );
                }
                continue;
            };
            if scope == jump.scope {
                continue;
            }
            self.b().statement = jump.statement;
            let chain = self.b().reserve();
            self.b().fill(jump.from, Control::Goto(chain), Span::NONE);
            let saved = std::mem::replace(&mut self.b().current, chain);
            self.change_scope(jump.scope, scope, jump.statement);
            self.b().goto(location);
            self.b().current = saved;
        }
        let mut undefined: Vec<(Symbol, Span)> = Vec::new();
        #[allow(clippy::iter_over_hash_type)]
        for (&name, label) in &self.b().jumps.labels {
            if label.defined.is_none() && label.address.is_some() && !reported.contains(&name) {
                undefined.push((name, label.first_use));
            }
        }
        undefined.sort_by_key(|&(name, span)| (span, name.as_str()));
        for (name, span) in undefined {
            let name = name.as_str().split('#').next().unwrap_or_default();
            self.error(
                codes::UNDECLARED_LABEL,
                format!("label `{name}` is not defined in this function"),
                span,
                "no such label",
            );
        }
    }

    pub(crate) fn open_switch(&mut self, ty: TypeId) {
        let scope = self.b().scope;
        let ranges = BTreeMap::new();
        self.b().jumps.switches.push(Switch { cases: Vec::new(), default: None, scope, ty, ranges });
    }

    /// `case low ... high:` at the cursor.
    pub(crate) fn case_label(&mut self, low: ast::ExprId, high: Option<ast::ExprId>, span: Span) {
        let Some((ty, head)) = self.b().jumps.switches.last().map(|switch| (switch.ty, switch.scope)) else {
            return self.misplaced("case", "a `switch`", span);
        };
        let location = self.b().reserve();
        self.b().goto_and_continue(location);
        let low_span = self.unit[low].span;
        let (Some(low), Some(high)) = (
            self.integer_constant(low),
            match high {
                Some(high) => self.integer_constant(high),
                None => Some(0),
            }
            .map(|value| (value, high.is_some())),
        ) else {
            return;
        };
        let format = self.format_of(ty);
        let wrap = |value: i128| format.map_or(value, |format| format.wrap(value));
        let low = wrap(low);
        let high = if high.1 { wrap(high.0) } else { low };
        if high < low {
            self.warning(codes::DUPLICATE_CASE, "the range of this `case` is empty", low_span, "low exceeds high");
            return;
        }
        let Some(switch) = self.b().jumps.switches.last_mut() else { return };
        let clash = switch.ranges.range(..=high).next_back().filter(|(_, (end, _))| *end >= low);
        if let Some((_, &(_, previous))) = clash {
            self.report(
                Diagnostic::error(codes::DUPLICATE_CASE, "this `case` occurs twice")
                    .label(low_span, format!("{low} again"))
                    .label(previous, "first here"),
            );
            return;
        }
        switch.ranges.insert(low, (high, low_span));
        let target = self.enter_from(head, location, span);
        if let Some(switch) = self.b().jumps.switches.last_mut() {
            switch.cases.push(SwitchCase { low, high, target });
        }
    }

    pub(crate) fn default_label(&mut self, span: Span) {
        let Some((head, previous)) =
            self.b().jumps.switches.last().map(|switch| (switch.scope, switch.default.map(|default| default.1)))
        else {
            return self.misplaced("default", "a `switch`", span);
        };
        if let Some(previous) = previous {
            self.report(
                Diagnostic::error(codes::DUPLICATE_CASE, "this `switch` has two `default` labels")
                    .label(span, "second here")
                    .label(previous, "first here"),
            );
        }
        let location = self.b().reserve();
        self.b().goto_and_continue(location);
        let target = self.enter_from(head, location, span);
        if let Some(switch) = self.b().jumps.switches.last_mut() {
            switch.default = Some((target, span));
        }
    }

    /// Where a jump from scope `from` must go to arrive at `location` in the present scope.
    pub(crate) fn enter_from(&mut self, from: ScopeId, location: LocationId, span: Span) -> LocationId {
        let here = self.b().scope;
        if here == from {
            return location;
        }
        let start = self.b().reserve();
        let saved = std::mem::replace(&mut self.b().current, start);
        self.change_scope(from, here, span);
        self.b().goto(location);
        self.b().current = saved;
        start
    }

    pub(crate) fn register_cleanup(&mut self, local: LocalId, function: Symbol, span: Span) {
        use super::names::Binding;
        let Some(Binding::Function(function)) = self.names.get(function).map(|bound| bound.value) else {
            self.error(
                codes::UNDECLARED,
                format!("the cleanup function `{function}` is not declared"),
                span,
                "in this attribute",
            );
            return;
        };
        let info = &mut self.b().body.locals[local];
        info.is_address_taken = true;
        let scope = info.scope;
        self.b().jumps.cleanups.entry(scope).or_default().push(Cleanup { local, function, span });
    }

    /// Calls the cleanup functions of a scope that is being left, last declared first.
    pub(crate) fn run_cleanups_of(&mut self, scope: ScopeId, span: Span) {
        if let Some(&is_atom) = self.b().jumps.atomics.get(&scope) {
            self.b().emit(Step::AtomicEnd { is_atom }, span);
        }
        let Some(list) = self.b().jumps.cleanups.get(&scope) else { return };
        let calls: Vec<(LocalId, FunctionId, Span)> =
            list.iter().rev().map(|cleanup| (cleanup.local, cleanup.function, cleanup.span)).collect();
        for (local, function, at) in calls {
            let place = self.b().local_place(local, at);
            let ty = self.b().body.locals[local].ty;
            let pointer = self.pointer_to(ty);
            let argument = self.b().expr(ExprKind::AddressOf(place), pointer, at);
            let parameter = self
                .function_type(self.program.functions[function].ty)
                .and_then(|ty| ty.parameters.first().copied())
                .unwrap_or(pointer);
            let argument = self.convert(argument, parameter, at);
            let call = Call {
                callee: Callee::Direct(function),
                arguments: vec![argument],
                result: None,
                closing_parenthesis: span,
            };
            self.b().emit(Step::Call(call), span);
        }
    }

    pub(crate) fn has_cleanups(&mut self) -> bool {
        !self.b().jumps.cleanups.is_empty() || !self.b().jumps.atomics.is_empty()
    }

    /// Before a `return`: the cleanups of all scopes, from the inside out.
    pub(crate) fn run_all_cleanups(&mut self, span: Span) {
        let mut at = Some(self.b().scope);
        while let Some(scope) = at {
            self.run_cleanups_of(scope, span);
            at = self.b().body.scopes[scope].parent;
        }
    }
}

/// The scopes to leave, from the inside out, and to enter, from the outside in.
fn scope_path(scopes: &quod_base::IdVec<ScopeId, Scope>, from: ScopeId, to: ScopeId) -> (Vec<ScopeId>, Vec<ScopeId>) {
    let chain = |start: ScopeId| {
        let mut chain = vec![start];
        while let Some(parent) = scopes[chain[chain.len() - 1]].parent {
            chain.push(parent);
        }
        chain
    };
    let (mut left, mut entered) = (chain(from), chain(to));
    while let (Some(a), Some(b)) = (left.last(), entered.last())
        && a == b
    {
        left.pop();
        entered.pop();
    }
    entered.reverse();
    (left, entered)
}
