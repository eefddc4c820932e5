//! CIVL-C's loops over domains and what makes processes: `$for`, `$parfor`, `$run`.

use super::calls::{CallResult, Destination};
use super::types::{ArraySizes, plain};
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast;

impl Lowerer<'_> {
    /// `$for (int i, j : domain) s`
    pub(crate) fn domain_for(
        &mut self,
        id: ast::StmtId,
        keyword: Span,
        binder: ast::BinderId,
        body: ast::StmtId,
        span: Span,
    ) {
        self.names.enter();
        let Some(domain) = self.domain_of(binder) else {
            self.names.leave();
            return;
        };
        let outer = self.enter_scope(span);
        let variables = self.domain_variables(binder);
        let (head, inside, exit) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        let cursor = self.domain_cursor(keyword);
        self.b().goto_and_continue(head);
        let _ = id;
        self.b().body.loops.push(Loop { keyword, head, invariants: Vec::new(), annotations: Vec::new() });
        self.domain_next(domain, cursor, variables, inside, exit, keyword);
        self.b().current = inside;
        self.loop_body(body, exit, head);
        self.b().goto(head);
        self.b().current = exit;
        self.leave_scope(outer, keyword);
        self.names.leave();
    }

    /// The domain of a binder, evaluated once.
    fn domain_of(&mut self, binder: ast::BinderId) -> Option<ExprId> {
        let domain = self.unit[binder].domain?;
        let span = self.unit[domain].span;
        let value = self.value(domain);
        if self.is_error(self.type_of(value)) {
            return None;
        }
        let value = self.to_domain(value, span);
        if !matches!(self.ty(self.type_of(value)), Type::Domain(_)) {
            let name = self.type_name(self.type_of(value));
            self.error(codes::INCOMPATIBLE_TYPES, "expected a domain or a range", span, format!("this is `{name}`"));
            return None;
        }
        Some(self.b().save(value, span))
    }

    fn domain_variables(&mut self, binder: ast::BinderId) -> Vec<PlaceId> {
        let unit = self.unit;
        let binder = unit[binder];
        let specified = self.specifiers(binder.specifiers);
        let mut places = Vec::new();
        for declarator in unit.list(binder.declarators) {
            let declared = self.declarator(declarator, &specified, ArraySizes::Evaluated);
            if let Some(name) = declared.name {
                let local = self.new_local(name, plain(declared.ty.ty), None);
                places.push(self.b().local_place(local, name.span));
            }
        }
        places
    }

    fn domain_cursor(&mut self, span: Span) -> PlaceId {
        let ty = self.known.difference;
        let local = self.b().local(None, ty, span);
        let cursor = self.b().local_place(local, span);
        self.b().emit(Step::Zero(cursor), span);
        cursor
    }

    fn domain_next(
        &mut self,
        domain: ExprId,
        cursor: PlaceId,
        variables: Vec<PlaceId>,
        inside: LocationId,
        exit: LocationId,
        keyword: Span,
    ) {
        let boolean = self.known.boolean;
        let flag = self.b().local(None, boolean, keyword);
        let has_next = self.b().local_place(flag, keyword);
        self.b().emit(Step::DomainNext { domain, cursor, variables, has_next }, keyword);
        let condition = self.b().load(has_next, keyword);
        self.b().end(Control::Branch { condition, then: inside, otherwise: exit, keyword }, keyword);
    }

    /// A function without a name inside the present one, for `$run` and `$parfor`.
    fn made_up_function(
        &mut self,
        prefix: &str,
        parameters: &[(ast::Name, TypeId)],
        body: ast::StmtId,
        span: Span,
    ) -> FunctionId {
        let void = self.known.void;
        let ty = self.types().intern_function(FunctionType {
            result: void,
            parameters: parameters.iter().map(|parameter| parameter.1).collect(),
            is_variadic: false,
            has_prototype: true,
        });
        let name = Symbol::intern(&format!("{prefix}{}", self.program.functions.len()));
        let function = self.new_function(name, ty, span, true);
        let (parent, scope) = (self.b().function, self.b().scope);
        self.program.functions[function].parent = Some((parent, scope));
        self.mark_captured(scope);
        let saved = self.push_builder(function, void, span);
        for &(name, ty) in parameters {
            self.new_local(name, plain(ty), None);
        }
        self.b().parameters_end();
        self.statement(body);
        self.pop_builder(saved, span);
        function
    }

    /// `$run s`: a process that executes `s` here.
    pub(crate) fn run_statement(&mut self, keyword: Span, body: ast::StmtId) {
        let function = self.made_up_function("$run", &[], body, keyword);
        let callee = Callee::Direct(function);
        self.b().emit(Step::Spawn { callee, arguments: Vec::new(), result: None }, keyword);
    }

    /// `$parfor (int i, j : domain) s`: counts the tuples, spawns a process for each, and waits for all.
    pub(crate) fn parallel_for(&mut self, keyword: Span, binder: ast::BinderId, body: ast::StmtId, span: Span) {
        let unit = self.unit;
        self.names.enter();
        let Some(domain) = self.domain_of(binder) else {
            self.names.leave();
            return;
        };
        let outer = self.enter_scope(span);
        let specified = self.specifiers(unit[binder].specifiers);
        let mut parameters = Vec::new();
        for declarator in unit.list(unit[binder].declarators) {
            let declared = self.declarator(declarator, &specified, ArraySizes::Evaluated);
            if let Some(name) = declared.name {
                parameters.push((name, declared.ty.ty));
            }
        }
        let function = self.made_up_function("$parfor", &parameters, body, keyword);
        let ty = self.known.difference;
        let count = self.b().local(None, ty, keyword);
        let count = self.b().local_place(count, keyword);
        let variables: Vec<PlaceId> = parameters
            .iter()
            .map(|&(name, ty)| {
                let local = self.b().local(None, ty, name.span);
                self.b().local_place(local, name.span)
            })
            .collect();
        self.count_domain(domain, count, variables.clone(), keyword);
        let (some, none) = (self.b().reserve(), self.b().reserve());
        let condition = self.b().load(count, keyword);
        self.b().end(Control::Branch { condition, then: some, otherwise: none, keyword }, keyword);
        self.b().current = some;
        let processes = self.spawn_domain(domain, count, variables, function, keyword);
        self.wait_for_all(processes, count, keyword);
        self.b().goto_and_continue(none);
        self.leave_scope(outer, keyword);
        self.names.leave();
    }

    fn increment_hidden(&mut self, place: PlaceId, span: Span) {
        let ty = self.b().body.places[place].ty;
        let value = self.b().load(place, span);
        let one = self.int_value(1, ty, span);
        let value = self.b().expr(ExprKind::Binary(BinaryOp::Add, value, one), ty, span);
        self.b().emit(Step::Assign { place, value }, span);
    }

    fn count_domain(&mut self, domain: ExprId, count: PlaceId, variables: Vec<PlaceId>, span: Span) {
        self.b().emit(Step::Zero(count), span);
        let cursor = self.domain_cursor(span);
        let (head, inside, exit) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().goto_and_continue(head);
        self.domain_next(domain, cursor, variables, inside, exit, span);
        self.b().current = inside;
        self.increment_hidden(count, span);
        self.b().goto(head);
        self.b().current = exit;
    }

    fn spawn_domain(
        &mut self,
        domain: ExprId,
        count: PlaceId,
        variables: Vec<PlaceId>,
        function: FunctionId,
        span: Span,
    ) -> PlaceId {
        let process = self.types().intern(Type::Process);
        let owner = self.b().function;
        let PlaceKind::Variable(VariableRef::Local(length)) = self.b().body.places[count].kind else { return count };
        let length = ArrayLength::Variable(LengthVariable::Local { function: owner, local: length });
        let array = self.types().intern(Type::Array { element: plain(process), length });
        let local = self.b().local(None, array, span);
        self.b().body.locals[local].is_address_taken = true;
        self.b().emit(Step::Declare(local), span);
        let processes = self.b().local_place(local, span);
        let difference = self.known.difference;
        let index = self.b().local(None, difference, span);
        let index = self.b().local_place(index, span);
        self.b().emit(Step::Zero(index), span);
        let cursor = self.domain_cursor(span);
        let (head, inside, exit) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().goto_and_continue(head);
        self.domain_next(domain, cursor, variables.clone(), inside, exit, span);
        self.b().current = inside;
        let arguments = variables.into_iter().map(|place| self.b().load(place, span)).collect();
        let at = self.b().load(index, span);
        let element = self.b().place(PlaceKind::Index(processes, at), process, span);
        let callee = Callee::Direct(function);
        self.b().emit(Step::Spawn { callee, arguments, result: Some(element) }, span);
        self.increment_hidden(index, span);
        self.b().goto(head);
        self.b().current = exit;
        processes
    }

    /// `$waitall(processes, count)`
    fn wait_for_all(&mut self, processes: PlaceId, count: PlaceId, span: Span) {
        let function = self.system_function("$waitall", span);
        let process = self.types().intern(Type::Process);
        let pointer = self.pointer_to(process);
        let first = self.b().expr(ExprKind::AddressOf(processes), pointer, span);
        let value = self.b().load(count, span);
        let int = self.known.int;
        let value = self.convert(value, int, span);
        let void = self.known.void;
        let callee = Callee::Direct(function);
        let _: CallResult = self.emit_call(callee, vec![first, value], void, span, span, Destination::Discard);
    }

    /// A function of CIVL-C's library, whether its header is included or not.
    fn system_function(&mut self, name: &str, span: Span) -> FunctionId {
        let symbol = Symbol::intern(name);
        if let Some(&Entity::Function(function)) = self.externals.get(&symbol) {
            return function;
        }
        let process = self.types().intern(Type::Process);
        let pointer = self.pointer_to(process);
        let (result, int) = (self.known.void, self.known.int);
        let ty = self.types().intern_function(FunctionType {
            result,
            parameters: vec![pointer, int],
            is_variadic: false,
            has_prototype: true,
        });
        let function = self.new_function(symbol, ty, span, false);
        self.program.functions[function].kind = FunctionKind::System(None);
        self.externals.insert(symbol, Entity::Function(function));
        function
    }
}
