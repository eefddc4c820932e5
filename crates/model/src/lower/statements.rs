//! Statements: each leaves its steps at the cursor.

use super::Lowerer;
use super::expressions::{Operand, Purpose};
use super::jumps::Target;
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast::{self, ClauseKind, StmtKind};

impl Lowerer<'_> {
    pub(crate) fn statement(&mut self, id: ast::StmtId) {
        stacker::maybe_grow(96 << 10, 2 << 20, || self.statement_inner(id));
    }

    fn statement_inner(&mut self, id: ast::StmtId) {
        let statement = self.unit[id];
        let span = statement.span;
        let saved = std::mem::replace(&mut self.b().statement, span);
        match statement.kind {
            StmtKind::Error | StmtKind::Empty | StmtKind::Attributes(_) => {}
            StmtKind::Expression(expr) => self.discard(expr),
            StmtKind::Declaration(declaration) => self.declaration(declaration, None),
            StmtKind::Function(function) => self.function_definition(function, id),
            StmtKind::StaticAssert { condition, message } => self.static_assert(condition, message, span),
            StmtKind::Block { statements, close } => self.block(statements, span, close),
            StmtKind::If { keyword, condition, then, otherwise } => {
                self.if_statement(keyword, condition, then, otherwise);
            }
            StmtKind::While { keyword, condition, body } => self.while_statement(id, keyword, condition, body),
            StmtKind::Do { keyword, body, while_keyword, condition } => {
                self.do_statement(id, keyword, body, while_keyword, condition);
            }
            StmtKind::For { keyword, initial, condition, step, body } => {
                self.for_statement(id, keyword, initial, condition, step, body, span);
            }
            StmtKind::Switch { keyword, condition, body } => self.switch_statement(keyword, condition, body, span),
            StmtKind::Case { low, high, body } => {
                self.case_label(low, high, span);
                self.statement(body);
            }
            StmtKind::Default { body } => {
                self.default_label(span);
                self.statement(body);
            }
            StmtKind::Labeled { label, body, .. } => {
                self.define_label(label);
                self.statement(body);
            }
            StmtKind::LocalLabels(names) => self.declare_local_labels(names),
            StmtKind::Goto(name) => self.goto_statement(name, span),
            StmtKind::GotoComputed(expr) => self.computed_goto(expr, span),
            StmtKind::Break => self.break_statement(span),
            StmtKind::Continue => self.continue_statement(span),
            StmtKind::Return(value) => self.return_statement(value, span),
            StmtKind::Asm(asm) => self.asm_statement(asm),
            StmtKind::Pragma(pragma) => self.pragma(pragma, span),
            StmtKind::When { keyword, guard, body } => self.when_statement(keyword, guard, body),
            StmtKind::Choose { keyword, alternatives, .. } => self.choose_statement(keyword, alternatives),
            StmtKind::Atomic { keyword, body } => self.atomic_statement(keyword, body, false),
            StmtKind::Atom { keyword, body } => self.atomic_statement(keyword, body, true),
            StmtKind::DomainFor { keyword, binder, body } => self.domain_for(id, keyword, binder, body, span),
            StmtKind::ParallelFor { keyword, binder, body } => self.parallel_for(keyword, binder, body, span),
            StmtKind::Run { keyword, body } => self.run_statement(keyword, body),
            StmtKind::Invariant { condition, .. } => self.invariant_statement(condition, span),
        }
        self.b().statement = saved;
    }

    /// Whether entering the block makes variables.
    fn declares_variables(&self, statements: ast::List<ast::StmtId>) -> bool {
        self.unit.list(statements).any(|id| self.declares_variable(id))
    }

    fn declares_variable(&self, mut id: ast::StmtId) -> bool {
        loop {
            match self.unit[id].kind {
                StmtKind::Declaration(declaration) => {
                    let specifiers = self.unit[self.unit[declaration].specifiers].storage;
                    return !self.unit[declaration].declarators.is_empty()
                        && !specifiers.contains(ast::Storage::TYPEDEF)
                        && !specifiers.contains(ast::Storage::EXTERN)
                        && !specifiers.contains(ast::Storage::STATIC);
                }
                StmtKind::Function(_) => return true,
                StmtKind::Labeled { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } => id = body,
                _ => return false,
            }
        }
    }

    pub(crate) fn block(&mut self, statements: ast::List<ast::StmtId>, span: Span, close: Span) {
        self.names.enter();
        let is_scope = self.declares_variables(statements) || self.has_objects(span);
        let scope = if is_scope { Some(self.enter_scope(span)) } else { None };
        self.block_statements(statements);
        if let Some(outer) = scope {
            self.leave_scope(outer, close);
        }
        self.names.leave();
    }

    /// A compound literal or `$here` stands there: it is a scope, even without variables.
    fn has_objects(&mut self, span: Span) -> bool {
        let unit = self.unit;
        let places = self.scope_names.get_or_insert_with(|| {
            let is_bound =
                |expr: &&ast::Expr| matches!(expr.kind, ast::ExprKind::Here | ast::ExprKind::CompoundLiteral { .. });
            let mut places: Vec<Span> = unit.exprs.iter().filter(is_bound).map(|expr| expr.span).collect();
            places.sort_unstable_by_key(|place| place.lo);
            places
        });
        let first = places.partition_point(|place| place.lo < span.lo);
        places.get(first).is_some_and(|place| place.hi <= span.hi)
    }

    /// What an `if` or a loop decides about is a block, also without braces.
    fn substatement(&mut self, id: ast::StmtId) {
        let span = self.unit[id].span;
        if matches!(self.unit[id].kind, StmtKind::Block { .. }) || !self.has_objects(span) {
            return self.statement(id);
        }
        let outer = self.enter_scope(span);
        self.statement(id);
        self.leave_scope(outer, span);
    }

    pub(crate) fn block_statements(&mut self, statements: ast::List<ast::StmtId>) {
        let unit = self.unit;
        self.b().jumps.local_labels.push(Default::default());
        for id in unit.list(statements) {
            self.statement(id);
        }
        self.b().jumps.local_labels.pop();
    }

    /// Makes and enters a scope; gives the one around it.
    pub(crate) fn enter_scope(&mut self, span: Span) -> ScopeId {
        let outer = self.b().scope;
        let scope = self.b().new_scope(span);
        self.b().scope = scope;
        self.b().emit(Step::Enter(scope), span);
        outer
    }

    pub(crate) fn leave_scope(&mut self, outer: ScopeId, span: Span) {
        let scope = self.b().scope;
        self.run_cleanups_of(scope, span);
        self.b().emit(Step::Leave(scope), span);
        self.b().scope = outer;
    }

    fn if_statement(
        &mut self,
        keyword: Span,
        condition: ast::ExprId,
        then: ast::StmtId,
        otherwise: Option<ast::StmtId>,
    ) {
        let (first, second) = (self.b().reserve(), self.b().reserve());
        self.branch(condition, first, second, keyword);
        self.b().current = first;
        self.substatement(then);
        match otherwise {
            None => self.b().goto_and_continue(second),
            Some(otherwise) => {
                let join = self.b().reserve();
                self.b().goto_and_continue(join);
                self.b().current = second;
                self.substatement(otherwise);
                self.b().goto_and_continue(join);
            }
        }
    }

    /// Invariants and annotations of the loop whose head is at the cursor.
    fn open_loop(&mut self, id: ast::StmtId, keyword: Span, head: LocationId) {
        let unit = self.unit;
        let annotations = unit
            .list(unit.annotations_at(ast::Target::Statement(id)))
            .map(|annotation| unit[annotation].span)
            .collect();
        let clauses = unit.loop_clauses.get(&id).copied().unwrap_or_default();
        let mut invariants = Vec::new();
        for clause in unit.list(clauses) {
            if unit[clause].kind != ClauseKind::Invariant {
                continue;
            }
            for expr in unit.list(unit[clause].arguments) {
                if let Some(invariant) = self.pure_condition(expr) {
                    invariants.push(invariant);
                }
            }
        }
        self.b().body.loops.push(Loop { keyword, head, invariants, annotations });
    }

    /// A condition that no steps belong to; what has effects cannot be one.
    pub(crate) fn pure_condition(&mut self, expr: ast::ExprId) -> Option<ExprId> {
        if self.has_effects(expr) {
            let span = self.unit[expr].span;
            self.error(codes::NOT_PURE, "this condition must have no effects", span, "it changes the state");
            return None;
        }
        let condition = self.condition(expr);
        (!self.is_error(self.type_of(condition))).then_some(condition)
    }

    pub(crate) fn loop_body(&mut self, body: ast::StmtId, exit: LocationId, again: LocationId) {
        let scope = self.b().scope;
        self.b().jumps.breaks.push(Target { location: exit, scope });
        self.b().jumps.continues.push(Target { location: again, scope });
        self.substatement(body);
        self.b().jumps.breaks.pop();
        self.b().jumps.continues.pop();
    }

    fn while_statement(&mut self, id: ast::StmtId, keyword: Span, condition: ast::ExprId, body: ast::StmtId) {
        let (head, inside, exit) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().goto_and_continue(head);
        self.open_loop(id, keyword, head);
        self.branch(condition, inside, exit, keyword);
        self.b().current = inside;
        self.loop_body(body, exit, head);
        self.b().goto(head);
        self.b().current = exit;
    }

    fn do_statement(
        &mut self,
        id: ast::StmtId,
        keyword: Span,
        body: ast::StmtId,
        while_keyword: Span,
        condition: ast::ExprId,
    ) {
        let (start, test, exit) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().goto_and_continue(start);
        self.loop_body(body, exit, test);
        self.b().goto_and_continue(test);
        self.open_loop(id, keyword, test);
        self.branch(condition, start, exit, while_keyword);
        self.b().current = exit;
    }

    #[allow(clippy::too_many_arguments)]
    fn for_statement(
        &mut self,
        id: ast::StmtId,
        keyword: Span,
        initial: Option<ast::StmtId>,
        condition: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
    ) {
        self.names.enter();
        let has_scope = initial.is_some_and(|initial| self.declares_variable(initial));
        let outer = has_scope.then(|| self.enter_scope(span));
        if let Some(initial) = initial {
            self.statement(initial);
        }
        let (head, inside, again, exit) =
            (self.b().reserve(), self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().goto_and_continue(head);
        self.open_loop(id, keyword, head);
        match condition {
            Some(condition) => self.branch(condition, inside, exit, keyword),
            None => self.b().goto(inside),
        }
        self.b().current = inside;
        self.loop_body(body, exit, again);
        self.b().goto_and_continue(again);
        if let Some(step) = step {
            self.discard(step);
        }
        self.b().goto(head);
        self.b().current = exit;
        if let Some(outer) = outer {
            self.leave_scope(outer, span);
        }
        self.names.leave();
    }

    fn switch_statement(&mut self, keyword: Span, condition: ast::ExprId, body: ast::StmtId, span: Span) {
        let operand = self.operand(condition);
        let value = self.promoted(operand);
        let ty = self.type_of(value);
        if !self.is_integer(ty) && !self.is_error(ty) {
            let name = self.type_name(ty);
            let at = self.unit[condition].span;
            self.error(codes::INCOMPATIBLE_TYPES, "`switch` needs an integer", at, format!("this has type `{name}`"));
        }
        let head = self.b().current;
        let dead = self.b().reserve();
        self.b().current = dead;
        let exit = self.b().reserve();
        let scope = self.b().scope;
        self.open_switch(ty);
        self.b().jumps.breaks.push(Target { location: exit, scope });
        self.statement(body);
        self.b().jumps.breaks.pop();
        self.b().goto_and_continue(exit);
        if let Some(switch) = self.b().jumps.switches.pop() {
            let default = switch.default.map_or(exit, |default| default.0);
            self.b().statement = span;
            let at = self.unit[condition].span;
            self.b().fill(head, Control::Switch { value, cases: switch.cases, default, keyword }, at);
        }
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) {
        let result = self.b().result;
        let value = match value {
            None => None,
            Some(expr) if self.is_void(result) => {
                let operand = self.operand(expr);
                let ty = operand.ty;
                if !self.is_void(ty) && !self.is_error(ty) {
                    let at = self.unit[expr].span;
                    self.warning(
                        codes::INCOMPATIBLE_TYPES,
                        "a value is returned from a function that returns none",
                        at,
                        "ignored",
                    );
                }
                None
            }
            Some(expr) => {
                let at = self.unit[expr].span;
                let value = if matches!(self.ty(result), Type::Array { .. }) {
                    self.array_value(expr)
                } else {
                    self.value(expr)
                };
                Some(self.convert_for(value, result, Purpose::Return, at))
            }
        };
        let value = value.filter(|&value| !self.is_error(self.type_of(value)));
        let value = if self.has_cleanups() {
            let value = value.map(|value| self.stabilise(value));
            self.run_all_cleanups(span);
            value
        } else {
            value
        };
        self.b().end(Control::Return(value), span);
    }

    /// `({ … })`: the value of the last expression statement, saved before the block's scope is left.
    pub(crate) fn statement_expression(&mut self, body: ast::StmtId, span: Span) -> Operand {
        let StmtKind::Block { statements, close } = self.unit[body].kind else {
            return self.error_operand(span);
        };
        if self.active == 0 {
            self.error(codes::NOT_CONSTANT, "a statement expression outside a function", span, "not constant");
            return self.error_operand(span);
        }
        let unit = self.unit;
        let saved = self.b().statement;
        self.names.enter();
        let is_scope = self.declares_variables(statements) || self.has_objects(span);
        let outer = if is_scope { Some(self.enter_scope(span)) } else { None };
        self.b().jumps.local_labels.push(Default::default());
        let count = statements.len();
        let mut value = None;
        for (index, id) in unit.list(statements).enumerate() {
            if index + 1 < count {
                self.statement(id);
            } else {
                value = self.last_value(id);
            }
        }
        let value = match value {
            Some(value) if !self.is_void(self.type_of(value)) => {
                let kind = &self.b_ref().body.exprs[value].kind;
                let is_literal = matches!(kind, ExprKind::Int(_) | ExprKind::Float { .. } | ExprKind::Function(_));
                if outer.is_some() && !is_literal && !self.is_error(self.type_of(value)) {
                    // The hidden local belongs outside the scope that is left now.
                    let inner = self.b().scope;
                    self.b().scope = outer.unwrap_or(inner);
                    let copy = self.saved(value, span);
                    self.b().scope = inner;
                    copy
                } else {
                    self.stabilise(value)
                }
            }
            _ => self.void_value(span),
        };
        self.b().jumps.local_labels.pop();
        if let Some(outer) = outer {
            self.leave_scope(outer, close);
        }
        self.names.leave();
        self.b().statement = saved;
        self.value_operand(value, span)
    }

    /// The value of the last statement of a statement expression.
    fn last_value(&mut self, id: ast::StmtId) -> Option<ExprId> {
        match self.unit[id].kind {
            StmtKind::Expression(expr) => {
                self.b().statement = self.unit[id].span;
                let operand = self.operand(expr);
                if matches!(self.ty(operand.ty), Type::Void) {
                    return None;
                }
                Some(self.to_value(operand))
            }
            StmtKind::Labeled { label, body, .. } => {
                self.define_label(label);
                self.last_value(body)
            }
            _ => {
                self.statement(id);
                None
            }
        }
    }

    /// A copy in a hidden local, which is declared here where its size depends on the execution.
    fn saved(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        if !self.has_variable_size(ty) {
            return self.b().save(value, span);
        }
        let local = self.b().local(None, ty, span);
        self.b().emit(Step::Declare(local), span);
        let place = self.b().local_place(local, span);
        self.b().emit(Step::Assign { place, value }, span);
        self.b().load(place, span)
    }

    fn asm_statement(&mut self, id: ast::AsmId) {
        let unit = self.unit;
        let asm = &unit[id];
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        for operand in unit.list(asm.outputs) {
            let value = self.operand(unit[operand].value);
            if let Some(place) = self.assignable(&value, unit[operand].span) {
                outputs.push(place);
            }
        }
        for operand in unit.list(asm.inputs) {
            let value = self.operand(unit[operand].value);
            if matches!(self.ty(value.ty), Type::Record(_)) {
                continue;
            }
            let value = self.to_value(value);
            if !self.is_error(self.type_of(value)) {
                inputs.push(value);
            }
        }
        if asm.is_goto && !asm.labels.is_empty() {
            return self.unsupported("`asm goto` with labels", asm.span);
        }
        let clobbers_memory = unit.list(asm.clobbers).any(|clobber| unit[clobber].bytes() == Some(b"memory"));
        let text = asm.template.map_or_else(|| Symbol::intern(""), |template| self.text_symbol(template));
        // Without a text there is nothing to execute: a barrier for the compiler only.
        if text.as_str().trim().is_empty() && outputs.is_empty() {
            self.b().emit(Step::Nop, asm.span);
            return;
        }
        if text.as_str().trim().is_empty() {
            return self.empty_asm(id);
        }
        self.b().emit(Step::Assembly { text, outputs, inputs, clobbers_memory }, asm.span);
    }

    /// `asm ("" : "=r" (x) : "0" (y))` copies, `"+r" (x)` keeps: programs hide values from optimisers so.
    fn empty_asm(&mut self, id: ast::AsmId) {
        let unit = self.unit;
        let asm = &unit[id];
        let outputs: Vec<_> = unit.list(asm.outputs).collect();
        for operand in unit.list(asm.inputs) {
            let digits = unit[unit[operand].constraint].bytes().unwrap_or_default();
            let number = std::str::from_utf8(digits).ok().and_then(|text| text.trim().parse::<usize>().ok());
            let Some(&output) = number.and_then(|number| outputs.get(number)) else { continue };
            let target = self.operand(unit[output].value);
            let Some(place) = self.assignable(&target, asm.span) else { continue };
            let value = self.value(unit[operand].value);
            let value = self.convert(value, target.ty, asm.span);
            self.b().emit(Step::Assign { place, value }, asm.span);
        }
        for output in outputs {
            let constraint = unit[unit[output].constraint].bytes().unwrap_or_default();
            let is_matched = unit
                .list(asm.inputs)
                .any(|input| unit[unit[input].constraint].bytes().unwrap_or_default().iter().any(u8::is_ascii_digit));
            // Nothing is executed that could write to memory.
            let is_memory = constraint.iter().all(|letter| b"=&m".contains(letter));
            if constraint.first() == Some(&b'+') || is_matched || is_memory {
                continue;
            }
            let target = self.operand(unit[output].value);
            if let Some(place) = self.assignable(&target, asm.span) {
                self.b().emit(Step::Havoc { place, name: None }, asm.span);
            }
        }
    }

    fn pragma(&mut self, id: ast::PragmaId, span: Span) {
        let text = self.unit[id].text;
        let first = text.as_str().split_whitespace().next().unwrap_or_default();
        // Without a translation of its directives the program is sequential: OpenMP's promise is that this is right.
        if first == "omp" {
            self.b().emit(Step::Nop, span);
        }
    }
}
