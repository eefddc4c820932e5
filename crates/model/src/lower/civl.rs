//! What CIVL-C adds: guards, choice, atomic blocks, processes, domains, quantifiers, arrays as values.

use super::Lowerer;
use super::expressions::{Operand, OperandKind};
use super::names::Binding;
use super::types::{ArraySizes, plain};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast::{self, InitializerKind, StmtKind};
use quod_verdict::CheckKind;

impl Lowerer<'_> {
    pub(crate) fn civl_operand(&mut self, kind: CivlExpr, ty: Type, span: Span) -> Operand {
        let ty = self.types().intern(ty);
        let value = self.b().expr(ExprKind::Civl(kind), ty, span);
        self.value_operand(value, span)
    }

    /// An array as a value; anything else as usual.
    pub(crate) fn array_value(&mut self, expr: ast::ExprId) -> ExprId {
        let operand = self.operand(expr);
        match operand.kind {
            OperandKind::Place(place) if matches!(self.ty(operand.ty), Type::Array { .. }) => {
                self.b().expr(ExprKind::Load(place), operand.ty, operand.span)
            }
            _ => self.to_value(operand),
        }
    }

    pub(crate) fn range(
        &mut self,
        low: ast::ExprId,
        high: ast::ExprId,
        step: Option<ast::ExprId>,
        span: Span,
    ) -> Operand {
        let int = self.known.int;
        let low = self.value(low);
        let low = self.convert(low, int, span);
        let high = self.value(high);
        let high = self.convert(high, int, span);
        let step = step.map(|step| {
            let step = self.value(step);
            self.convert(step, int, span)
        });
        self.civl_operand(CivlExpr::Range { low, high, step }, Type::Range, span)
    }

    /// `($domain){r1, r2}`
    pub(crate) fn domain_literal(&mut self, ty: TypeId, initializer: ast::InitializerId, span: Span) -> Operand {
        let unit = self.unit;
        let mut ranges = Vec::new();
        match unit[initializer].kind {
            InitializerKind::Expr(expr) => ranges.push(self.value(expr)),
            InitializerKind::List(list) => {
                for id in unit.list(list) {
                    if let InitializerKind::Expr(expr) = unit[id].kind {
                        ranges.push(self.value(expr));
                    }
                }
            }
        }
        if ranges.iter().any(|&range| self.is_error(self.type_of(range))) {
            return self.error_operand(span);
        }
        let ty = match *self.ty(ty) {
            Type::Domain(None) => Type::Domain(Some(ranges.len() as u32)),
            ref other => other.clone(),
        };
        self.civl_operand(CivlExpr::Domain(ranges), ty, span)
    }

    /// A range stands for the domain of its values.
    pub(crate) fn to_domain(&mut self, value: ExprId, span: Span) -> ExprId {
        if *self.ty(self.type_of(value)) == Type::Range {
            let ty = self.types().intern(Type::Domain(Some(1)));
            return self.b().expr(ExprKind::Civl(CivlExpr::Domain(vec![value])), ty, span);
        }
        value
    }

    fn binders(&mut self, list: ast::List<ast::BinderId>) -> Vec<BoundVariable> {
        let unit = self.unit;
        let mut bound = Vec::new();
        for id in unit.list(list) {
            let binder = unit[id];
            let specified = self.specifiers(binder.specifiers);
            let range = binder.domain.map(|domain| self.value(domain));
            for declarator in unit.list(binder.declarators) {
                let declared = self.declarator(declarator, &specified, ArraySizes::Evaluated);
                if let Some(name) = declared.name {
                    let variable = self.new_local(name, plain(declared.ty.ty), None);
                    bound.push(BoundVariable { variable, range });
                }
            }
        }
        bound
    }

    pub(crate) fn quantified(&mut self, id: ast::QuantifiedId, span: Span) -> Operand {
        let quantified = self.unit[id];
        let saved = self.enter_pure();
        self.names.enter();
        let operand = self.quantified_inside(quantified, span);
        self.names.leave();
        if self.leave_pure(saved) {
            return operand;
        }
        self.unsupported_operand("a quantified expression with effects", span)
    }

    /// Until `leave_pure`, nothing should emit steps.
    fn enter_pure(&mut self) -> LocationId {
        self.pure_depth += 1;
        self.b().current
    }

    /// Whether nothing was emitted; what was is dropped.
    fn leave_pure(&mut self, saved: LocationId) -> bool {
        self.pure_depth -= 1;
        let is_pure = self.b().current == saved;
        self.b().current = saved;
        is_pure
    }

    fn quantified_inside(&mut self, quantified: ast::Quantified, span: Span) -> Operand {
        let bound = self.binders(quantified.binders);
        let restriction = quantified.restriction.map(|restriction| self.condition(restriction));
        let kind = match quantified.quantifier {
            ast::Quantifier::Forall => Quantifier::Forall,
            ast::Quantifier::Exists => Quantifier::Exists,
            ast::Quantifier::Uniform => Quantifier::Uniform,
            ast::Quantifier::Sum => Quantifier::Sum,
            ast::Quantifier::Lambda => {
                let body = self.value(quantified.body);
                return self.lambda(&bound, body, None, span);
            }
        };
        let body = if kind == Quantifier::Sum { self.value(quantified.body) } else { self.condition(quantified.body) };
        let ty = if kind == Quantifier::Sum { self.type_of(body) } else { self.known.int };
        if self.is_error(self.type_of(body)) {
            return self.error_operand(span);
        }
        let ty = self.ty(ty).clone();
        self.civl_operand(CivlExpr::Quantified { kind, bound, restriction, body }, ty, span)
    }

    fn lambda(&mut self, bound: &[BoundVariable], body: ExprId, target: Option<TypeId>, span: Span) -> Operand {
        if self.is_error(self.type_of(body)) || bound.is_empty() {
            return self.error_operand(span);
        }
        // `$lambda (int i, j) e` of an array of arrays: one lambda a dimension, from the inside out.
        let mut types = Vec::with_capacity(bound.len());
        let mut at = target;
        for _ in bound {
            types.push(at);
            at = at.and_then(|ty| match *self.ty(ty) {
                Type::Array { element, .. } => Some(element.ty),
                _ => None,
            });
        }
        let mut value = match at {
            Some(element) => self.convert(body, element, span),
            None => body,
        };
        for (variable, ty) in bound.iter().zip(types).rev() {
            let inner = self.type_of(value);
            let ty = match ty {
                Some(ty) => ty,
                None => self.types().intern(Type::Array { element: plain(inner), length: ArrayLength::Incomplete }),
            };
            let kind = CivlExpr::Lambda { bound: variable.variable, body: value };
            value = self.b().expr(ExprKind::Civl(kind), ty, span);
        }
        self.value_operand(value, span)
    }

    /// `(T[n])$lambda (int i) e`
    pub(crate) fn lambda_cast(&mut self, target: TypeId, operand: ast::ExprId, span: Span) -> Option<Operand> {
        let ast::ExprKind::Quantified(id) = self.unit[self.unit.without_parentheses(operand)].kind else { return None };
        let quantified = self.unit[id];
        if quantified.quantifier != ast::Quantifier::Lambda {
            return None;
        }
        if let Type::Array { length: ArrayLength::Incomplete, .. } = *self.ty(target) {
            self.error(
                codes::INCOMPLETE_TYPE,
                "an array without a length cannot be filled",
                span,
                "how many elements?",
            );
            return Some(self.error_operand(span));
        }
        let saved = self.enter_pure();
        self.names.enter();
        let bound = self.binders(quantified.binders);
        let body = self.value(quantified.body);
        let operand = self.lambda(&bound, body, Some(target), span);
        self.names.leave();
        if self.leave_pure(saved) {
            return Some(operand);
        }
        Some(self.unsupported_operand("a `$lambda` with effects", span))
    }

    pub(crate) fn scope_of(&mut self, inner: ast::ExprId, span: Span) -> Operand {
        let operand = self.operand(inner);
        match operand.kind {
            OperandKind::Place(place) => {
                self.mark_address_taken(place);
                self.civl_operand(CivlExpr::ScopeOf(place), Type::Scope, span)
            }
            _ if self.is_error(operand.ty) => self.error_operand(span),
            _ => {
                self.error(codes::NOT_LVALUE, "`$scopeof` needs a variable", span, "this has no scope");
                self.error_operand(span)
            }
        }
    }

    pub(crate) fn derivative(&mut self, id: ast::DerivativeId, span: Span) -> Operand {
        let unit = self.unit;
        let derivative = unit[id];
        let Some(Binding::Function(function)) = self.names.get(derivative.function.symbol).map(|bound| bound.value)
        else {
            return self.identifier(derivative.function.symbol, derivative.function.span);
        };
        let mut orders = Vec::new();
        for (variable, order) in unit.list(derivative.variables).zip(unit.list(derivative.orders)) {
            let order = self.integer_constant(order).and_then(|order| u32::try_from(order).ok()).unwrap_or(1);
            orders.push((unit[variable].symbol, order));
        }
        let Some(ty) = self.function_type(self.program.functions[function].ty).cloned() else {
            return self.error_operand(span);
        };
        let name = Some(derivative.function.symbol);
        let declared = self.program.functions[function].span;
        let Some(arguments) = self.arguments(&ty, derivative.arguments, name, declared, derivative.close) else {
            return self.error_operand(span);
        };
        let result = self.ty(ty.result).clone();
        self.civl_operand(CivlExpr::Derivative { function, orders, arguments }, result, span)
    }

    pub(crate) fn is_pure_function(&self, function: FunctionId) -> bool {
        let info = &self.program.functions[function];
        match info.kind {
            FunctionKind::Abstract | FunctionKind::Order => true,
            FunctionKind::System(_) => info.is_pure,
            FunctionKind::C => false,
        }
    }

    /// A call without effects is an expression.
    pub(crate) fn pure_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        result: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        if !self.is_pure_function(function) && self.pure_depth == 0 {
            return None;
        }
        let arguments = arguments.to_vec();
        let kind = match self.program.functions[function].kind {
            FunctionKind::Abstract | FunctionKind::Order | FunctionKind::C => {
                CivlExpr::Abstract { function, arguments }
            }
            _ => CivlExpr::Library { name: self.program.functions[function].name, arguments },
        };
        Some(self.b().expr(ExprKind::Civl(kind), result, span))
    }

    /// `$spawn f(a)`
    pub(crate) fn spawn(&mut self, call: ast::ExprId, span: Span) -> Operand {
        let node = self.unit[self.unit.without_parentheses(call)];
        let ast::ExprKind::Call { callee, arguments, close } = node.kind else {
            self.error(codes::NOT_CALLABLE, "`$spawn` needs a call", node.span, "expected `f(…)`");
            return self.error_operand(span);
        };
        let operand = self.operand(callee);
        let (callee, ty) = match operand.kind {
            OperandKind::Function(function) => (Callee::Direct(function), operand.ty),
            _ => {
                let value = self.to_value(operand);
                let Some(target) = self.pointee(self.type_of(value)) else { return self.error_operand(span) };
                (Callee::Indirect(value, target.ty), target.ty)
            }
        };
        let Some(ty) = self.function_type(ty).cloned() else { return self.error_operand(span) };
        let Some(arguments) = self.arguments(&ty, arguments, None, Span::NONE, close) else {
            return self.error_operand(span);
        };
        let process = self.types().intern(Type::Process);
        let local = self.b().local(None, process, span);
        let place = self.b().local_place(local, span);
        self.b().emit(Step::Spawn { callee, arguments, result: Some(place) }, span);
        let value = self.b().load(place, span);
        self.value_operand(value, span)
    }

    /// The arguments behind the message of an assertion, up to one whose evaluation could fail.
    fn message_values(&mut self, arguments: ast::List<ast::ExprId>) -> Vec<ExprId> {
        let unit = self.unit;
        let mut values = Vec::new();
        for argument in unit.list(arguments).skip(2) {
            let node = unit.without_parentheses(argument);
            if !matches!(unit[node].kind, ast::ExprKind::Identifier(_) | ast::ExprKind::Integer(_)) {
                break;
            }
            let value = self.value(argument);
            let is_plain = match self.b().body.exprs[value].kind {
                ExprKind::Int(_) => true,
                ExprKind::Load(place) => {
                    matches!(self.b().body.places[place].kind, PlaceKind::Variable(_))
                        && self.is_scalar(self.type_of(value))
                }
                _ => false,
            };
            if !is_plain {
                break;
            }
            values.push(value);
        }
        values
    }

    /// Calls that CIVL-C's own functions stand for; `None` if it is none of them.
    pub(crate) fn civl_call(&mut self, name: Symbol, arguments: ast::List<ast::ExprId>, span: Span) -> Option<Operand> {
        let unit = self.unit;
        let first = unit.get(arguments, 0)?;
        match name.as_str() {
            "$assert" => {
                let condition = self.condition(first);
                let message = unit.get(arguments, 1).and_then(|message| match unit[message].kind {
                    ast::ExprKind::String(id) => Some(self.text_symbol(id)),
                    _ => None,
                });
                if !self.is_error(self.type_of(condition)) {
                    let values = if message.is_some() { self.message_values(arguments) } else { Vec::new() };
                    let check = Check { kind: CheckKind::Assertion, condition, message, values };
                    self.b().emit(Step::Check(check), span);
                }
            }
            "$assume" => {
                let condition = self.condition(first);
                if !self.is_error(self.type_of(condition)) {
                    self.b().emit(Step::Assume(condition), span);
                }
            }
            "$havoc" => {
                let pointer = self.value(first);
                let place = self.dereference(pointer, span);
                if let OperandKind::Place(place) = place.kind {
                    self.b().emit(Step::Havoc { place, name: None }, span);
                }
            }
            _ => return None,
        }
        let value = self.void_value(span);
        Some(self.value_operand(value, span))
    }

    pub(crate) fn when_statement(&mut self, keyword: Span, guard: ast::ExprId, body: ast::StmtId) {
        self.guard(keyword, guard);
        self.guarded(body);
    }

    fn guard(&mut self, keyword: Span, guard: ast::ExprId) {
        if self.has_effects(guard) {
            return self.unsupported("a guard with effects", self.unit[guard].span);
        }
        let condition = self.condition(guard);
        if self.is_error(self.type_of(condition)) {
            return;
        }
        let _ = keyword;
        let next = self.b().reserve();
        let span = self.unit[guard].span;
        self.b().end(Control::When { guard: condition, checks: Vec::new(), next }, span);
        self.b().current = next;
    }

    pub(crate) fn choose_statement(&mut self, keyword: Span, list: ast::List<ast::StmtId>) {
        let unit = self.unit;
        let head = self.b().current;
        let join = self.b().reserve();
        let mut alternatives = Vec::new();
        let mut default = None;
        for id in unit.list(list) {
            let start = self.b().reserve();
            self.b().current = start;
            match unit[id].kind {
                StmtKind::Default { body } => {
                    default = Some(start);
                    self.guarded(body);
                }
                _ => {
                    alternatives.push(start);
                    self.guarded(id);
                }
            }
            self.b().goto_and_continue(join);
        }
        self.b().fill(head, Control::Choose { alternatives, default }, keyword);
        self.b().current = join;
    }

    /// What is behind a guard may have nothing to do: that is an action of its own, with which the guard is evaluated.
    fn guarded(&mut self, body: ast::StmtId) {
        if !self.has_action(body) {
            let span = self.unit[body].span;
            self.b().emit(Step::Nop, span);
        }
        self.statement(body);
    }

    /// Whether a statement does something before it jumps elsewhere.
    fn has_action(&mut self, statement: ast::StmtId) -> bool {
        match self.unit[statement].kind {
            StmtKind::Expression(expr) => self.has_effects(expr),
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => false,
            StmtKind::Block { statements, .. } => {
                let unit = self.unit;
                let is_passed = |id: &ast::StmtId| match unit[*id].kind {
                    StmtKind::Empty => true,
                    StmtKind::Declaration(declaration) => {
                        unit.list(unit[declaration].declarators).all(|each| unit[each].initializer.is_none())
                    }
                    _ => false,
                };
                unit.list(statements).find(|id| !is_passed(id)).is_some_and(|id| self.has_action(id))
            }
            _ => true,
        }
    }

    /// The guard of what is first inside is a guard of the block: a process that is blocked there has not entered it.
    pub(crate) fn atomic_statement(&mut self, keyword: Span, body: ast::StmtId, is_atom: bool) {
        let outer = self.enter_atomic(keyword, is_atom);
        self.statement(body);
        self.leave_scope(outer, keyword);
    }

    /// An atomic block is a scope, so that every jump out of it ends the atomicity.
    pub(crate) fn enter_atomic(&mut self, keyword: Span, is_atom: bool) -> ScopeId {
        let outer = self.enter_scope(keyword);
        let scope = self.b().scope;
        self.b().jumps.atomics.insert(scope, is_atom);
        self.b().emit(Step::AtomicBegin { is_atom }, keyword);
        outer
    }

    /// `$invariant(e);` at file scope: a function that computes it.
    pub(crate) fn global_invariant(&mut self, condition: ast::ExprId, span: Span) {
        let int = self.known.int;
        let ty = self.types().intern_function(FunctionType {
            result: int,
            parameters: Vec::new(),
            is_variadic: false,
            has_prototype: true,
        });
        let name = Symbol::intern(&format!("$invariant{}", self.program.invariants.len()));
        let function = self.new_function(name, ty, span, true);
        let saved = self.push_builder(function, int, span);
        self.b().statement = span;
        let condition = self.condition(condition);
        if !self.is_error(self.type_of(condition)) {
            let negated = self.not(condition, span);
            let value = self.not(negated, span);
            self.b().end(Control::Return(Some(value)), span);
        }
        self.pop_builder(saved, span);
        self.program.invariants.push(function);
    }

    /// `$invariant(e);` as a statement: checked when it is reached.
    pub(crate) fn invariant_statement(&mut self, condition: ast::ExprId, span: Span) {
        let condition = self.condition(condition);
        if !self.is_error(self.type_of(condition)) {
            let check = Check { kind: CheckKind::Contract, condition, message: None, values: Vec::new() };
            self.b().emit(Step::Check(check), span);
        }
    }
}
