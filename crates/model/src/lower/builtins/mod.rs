//! Compiler built-ins: folded to constants, pure expressions, steps, or calls of the library functions they stand for.

mod atomics;
mod library;
mod numbers;

use super::calls::Destination;
use super::expressions::Operand;
use super::names::Binding;
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast;

/// A call of this name emits no steps of its own.
pub(crate) fn is_pure(name: Symbol) -> bool {
    let text = name.as_str();
    let Some(rest) = text.strip_prefix("__builtin_") else { return false };
    numbers::is_number_builtin(rest)
        || matches!(
            rest,
            "constant_p"
                | "expect"
                | "expect_with_probability"
                | "object_size"
                | "dynamic_object_size"
                | "classify_type"
                | "complex"
                | "conj"
                | "conjf"
                | "conjl"
                | "creal"
                | "crealf"
                | "creall"
                | "cimag"
                | "cimagf"
                | "cimagl"
                | "assume_aligned"
                | "speculation_safe_value"
                | "LINE"
        )
}

impl Lowerer<'_> {
    /// A call that the compiler itself knows; `None` if it is an ordinary one.
    pub(crate) fn builtin_call(
        &mut self,
        name: Symbol,
        arguments: ast::List<ast::ExprId>,
        span: Span,
        destination: Destination,
    ) -> Option<Operand> {
        let text = name.as_str();
        let first = text.as_bytes().first().copied()?;
        match first {
            b'$' => return self.civl_call(name, arguments, span),
            b'_' => {}
            _ => return self.control_builtin(name, arguments, span),
        }
        if let Some(rest) = text.strip_prefix("__builtin_") {
            if self.is_user_function(name) {
                return None;
            }
            return self.prefixed_builtin(name, rest, arguments, span, destination);
        }
        if text.starts_with("__atomic_") || text.starts_with("__sync_") {
            return self.atomic_builtin(name, arguments, span);
        }
        self.control_builtin(name, arguments, span)
    }

    fn is_user_function(&self, name: Symbol) -> bool {
        match self.names.get(name).map(|bound| bound.value) {
            Some(Binding::Function(function)) => self.program.functions[function].body.is_some(),
            Some(_) => true,
            None => false,
        }
    }

    /// `setjmp` and its like, `alloca`: functions that no library can be.
    fn control_builtin(&mut self, name: Symbol, arguments: ast::List<ast::ExprId>, span: Span) -> Option<Operand> {
        let text = name.as_str();
        let is_known = matches!(
            text,
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp" | "_longjmp" | "alloca"
        );
        if !is_known || self.is_user_function(name) {
            return None;
        }
        if !matches!(self.names.get(name).map(|bound| bound.value), None | Some(Binding::Function(_))) {
            return None;
        }
        let values = self.builtin_arguments(arguments)?;
        if text == "alloca" {
            return Some(self.alloca(values, span));
        }
        let is_jump = text.ends_with("longjmp");
        let result = if is_jump { self.known.void } else { self.known.int };
        let operand = self.step_builtin(name, values, Vec::new(), result, span);
        if is_jump {
            self.b().end(Control::Unreachable, span);
        }
        Some(operand)
    }

    fn alloca(&mut self, mut values: Vec<ExprId>, span: Span) -> Operand {
        values.truncate(1);
        let Some(&size) = values.first() else { return self.error_operand(span) };
        let size_type = self.known.size;
        let size = self.convert(size, size_type, span);
        let result = self.known.void_pointer;
        self.step_builtin(Symbol::intern("__builtin_alloca"), vec![size], Vec::new(), result, span)
    }

    /// Values of all arguments, in order; `None` after an error.
    pub(crate) fn builtin_arguments(&mut self, arguments: ast::List<ast::ExprId>) -> Option<Vec<ExprId>> {
        let unit = self.unit;
        let list: Vec<_> = unit.list(arguments).collect();
        let last_effect = list.iter().rposition(|&argument| self.has_effects(argument));
        let mut values = Vec::with_capacity(list.len());
        let mut is_wrong = false;
        for (index, &argument) in list.iter().enumerate() {
            let value = self.value(argument);
            is_wrong |= self.is_error(self.type_of(value));
            let value = if last_effect.is_some_and(|last| index < last) { self.stabilise(value) } else { value };
            values.push(value);
        }
        (!is_wrong).then_some(values)
    }

    /// Emits a built-in with effects; its result is in a hidden local.
    pub(crate) fn step_builtin(
        &mut self,
        name: Symbol,
        arguments: Vec<ExprId>,
        types: Vec<TypeId>,
        result: TypeId,
        span: Span,
    ) -> Operand {
        let place = if self.is_void(result) {
            None
        } else {
            let local = self.b().local(None, result, span);
            Some(self.b().local_place(local, span))
        };
        self.b().emit(Step::Builtin { name, arguments, types, result: place }, span);
        let value = match place {
            Some(place) => self.b().load(place, span),
            None => self.void_value(span),
        };
        self.value_operand(value, span)
    }

    pub(crate) fn pure_builtin(&mut self, name: Symbol, arguments: Vec<ExprId>, ty: TypeId, span: Span) -> Operand {
        let value = self.b().expr(ExprKind::Builtin { name, arguments }, ty, span);
        self.value_operand(value, span)
    }

    fn wrong_builtin(&mut self, name: Symbol, span: Span) -> Operand {
        self.error(codes::ARGUMENT_COUNT, format!("wrong arguments of `{name}`"), span, "does not fit the built-in");
        self.error_operand(span)
    }

    fn prefixed_builtin(
        &mut self,
        name: Symbol,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
        destination: Destination,
    ) -> Option<Operand> {
        let unit = self.unit;
        let first = unit.get(arguments, 0);
        if numbers::is_number_builtin(rest) {
            return Some(self.number_builtin(name, rest, arguments, span));
        }
        let operand = match rest {
            "constant_p" => {
                let Some(first) = first else { return Some(self.wrong_builtin(name, span)) };
                let known = self.is_known_constant(first);
                self.constant_operand(i128::from(known), self.known.int, span)
            }
            "expect" | "expect_with_probability" => {
                let values = self.builtin_arguments(arguments);
                let Some(values) = values else { return Some(self.error_operand(span)) };
                let Some(&value) = values.first() else { return Some(self.wrong_builtin(name, span)) };
                let long = self.known.long;
                let value = self.convert(value, long, span);
                self.value_operand(value, span)
            }
            "assume_aligned" | "speculation_safe_value" => {
                let Some(values) = self.builtin_arguments(arguments) else { return Some(self.error_operand(span)) };
                let Some(&value) = values.first() else { return Some(self.wrong_builtin(name, span)) };
                let ty = if rest == "assume_aligned" { self.known.void_pointer } else { self.type_of(value) };
                let value = self.convert(value, ty, span);
                self.value_operand(value, span)
            }
            "object_size" | "dynamic_object_size" => {
                let kind = unit.get(arguments, 1).and_then(|kind| self.integer_constant(kind)).unwrap_or(0);
                let size = self.known.size;
                let unknown = if kind & 2 == 0 { -1 } else { 0 };
                let format = self.int_format(self.options.data_model.size_kind());
                self.constant_operand(format.wrap(unknown), size, span)
            }
            "classify_type" => self.classify_type(first, span),
            "complex" => self.complex_builtin(arguments, span),
            "conj" | "conjf" | "conjl" | "creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" => {
                self.complex_function(name, rest, arguments, span)
            }
            "LINE" => {
                let line = self.source_map.place(self.source_map.use_site(span).lo).map_or(0, |place| place.line);
                self.constant_operand(i128::from(line), self.known.int, span)
            }
            "return_address" | "frame_address" | "extract_return_addr" | "frob_return_addr" => {
                for argument in unit.list(arguments) {
                    self.discard(argument);
                }
                // Where the machine keeps its frames is not part of the model: any address.
                let pointer = self.known.void_pointer;
                let local = self.b().local(None, pointer, span);
                let place = self.b().local_place(local, span);
                self.b().emit(Step::Havoc { place, name: None }, span);
                let value = self.b().load(place, span);
                self.value_operand(value, span)
            }
            "shuffle" | "shufflevector" => self.shuffle(name, rest, arguments, span),
            "prefetch" | "__clear_cache" => {
                for argument in unit.list(arguments) {
                    self.discard(argument);
                }
                let value = self.void_value(span);
                self.value_operand(value, span)
            }
            "unreachable" => {
                self.b().end(Control::Unreachable, span);
                let value = self.void_value(span);
                self.value_operand(value, span)
            }
            "trap" | "abort" => {
                let void = self.known.void;
                if rest == "abort" {
                    return None;
                }
                let operand = self.step_builtin(name, Vec::new(), Vec::new(), void, span);
                self.b().end(Control::Unreachable, span);
                operand
            }
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let Some(values) = self.builtin_arguments(arguments) else { return Some(self.error_operand(span)) };
                self.alloca(values, span)
            }
            "va_start" | "stdarg_start" | "c23_va_start" | "va_end" => {
                let Some(list) = first.and_then(|first| self.list_address(first)) else {
                    return Some(self.error_operand(span));
                };
                if rest != "va_end" && !self.b().is_variadic {
                    self.error(
                        codes::MISPLACED,
                        "`va_start` in a function without `...`",
                        span,
                        "this function has a fixed number of arguments",
                    );
                    return Some(self.error_operand(span));
                }
                let canonical = if rest == "va_end" { "__builtin_va_end" } else { "__builtin_va_start" };
                let void = self.known.void;
                self.step_builtin(Symbol::intern(canonical), vec![list], Vec::new(), void, span)
            }
            "va_copy" => {
                let lists: Vec<_> = unit.list(arguments).collect();
                let lists: Option<Vec<_>> = lists.into_iter().map(|list| self.list_address(list)).collect();
                let Some(lists) = lists.filter(|lists| lists.len() == 2) else {
                    return Some(self.error_operand(span));
                };
                let void = self.known.void;
                self.step_builtin(name, lists, Vec::new(), void, span)
            }
            "setjmp" | "longjmp" => {
                let Some(values) = self.builtin_arguments(arguments) else { return Some(self.error_operand(span)) };
                let result = if rest == "longjmp" { self.known.void } else { self.known.int };
                let operand = self.step_builtin(name, values, Vec::new(), result, span);
                if rest == "longjmp" {
                    self.b().end(Control::Unreachable, span);
                }
                operand
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" => self.overflow_builtin(name, arguments, span),
            _ if rest.ends_with("_overflow") => self.typed_overflow_builtin(name, rest, arguments, span),
            _ if rest.starts_with("__") && rest.ends_with("_chk") => {
                return self.checked_library_call(rest, arguments, span, destination);
            }
            _ => {
                // What is left is a library function, or nothing we know.
                if self.library_type(rest).is_some() || self.externals.contains_key(&Symbol::intern(rest)) {
                    return None;
                }
                self.unsupported_operand(&format!("`{name}`"), span)
            }
        };
        Some(operand)
    }

    /// Whether gcc would know the value without optimising.
    fn is_known_constant(&mut self, expr: ast::ExprId) -> bool {
        if self.has_effects(expr) {
            return false;
        }
        let value = self.value(expr);
        if self.is_error(self.type_of(value)) {
            return false;
        }
        let is_string = match self.b().body.exprs[value].kind {
            ExprKind::AddressOf(place) => matches!(self.b().body.places[place].kind, PlaceKind::String(_)),
            _ => false,
        };
        is_string || (self.evaluate(value).is_some() && !self.is_pointer(self.type_of(value)))
    }

    /// The address of a `va_list`, which built-ins change in place.
    fn list_address(&mut self, expr: ast::ExprId) -> Option<ExprId> {
        let span = self.unit[expr].span;
        let operand = self.operand(expr);
        let va_list = self.types().intern(Type::VaList);
        if operand.ty != va_list {
            // `va_list *`, or the record that a generated program declares in its place.
            let value = self.to_value(operand);
            if self.is_pointer(self.type_of(value)) {
                let pointer = self.pointer_to(va_list);
                return Some(self.convert(value, pointer, span));
            }
            if !self.is_error(operand.ty) {
                let name = self.type_name(operand.ty);
                self.error(codes::INCOMPATIBLE_TYPES, "expected a `va_list`", span, format!("this has type `{name}`"));
            }
            return None;
        }
        let address = self.address_of_operand(operand, span);
        Some(self.to_value(address))
    }

    /// `va_arg(list, T)`
    pub(crate) fn va_arg(&mut self, list: ast::ExprId, ty: ast::TypeNameId, span: Span) -> Operand {
        let Some(list) = self.list_address(list) else { return self.error_operand(span) };
        let ty = self.type_of_name(ty).ty;
        if self.is_error(ty) || self.is_void(ty) {
            return self.error_operand(span);
        }
        self.step_builtin(Symbol::intern("__builtin_va_arg"), vec![list], vec![ty], ty, span)
    }

    fn classify_type(&mut self, first: Option<ast::ExprId>, span: Span) -> Operand {
        let Some(first) = first else { return self.error_operand(span) };
        let saved = self.enter_dead_code();
        let value = self.value(first);
        self.leave_dead_code(saved);
        let class = match self.ty(self.type_of(value)) {
            Type::Void => 0,
            Type::Int(_) | Type::Enum(_) | Type::Bool => 1,
            Type::Pointer(_) => 5,
            Type::Float(_) | Type::Real => 8,
            Type::Complex(_) | Type::ComplexInt(_) => 9,
            Type::Record(id) => match self.program.types.records[*id].kind {
                RecordKind::Struct => 12,
                RecordKind::Union => 13,
            },
            _ => -1,
        };
        self.constant_operand(class, self.known.int, span)
    }

    /// `__builtin_X` as the library's `X`.
    pub(crate) fn library_builtin(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        let rest = name.as_str().strip_prefix("__builtin_")?;
        let symbol = Symbol::intern(rest);
        match self.externals.get(&symbol) {
            Some(&Entity::Function(function)) => return Some(function),
            Some(Entity::Global(_)) => return None,
            None => {}
        }
        let Some(ty) = self.library_type(rest) else {
            let diagnostic = Diagnostic::error(codes::UNDECLARED, format!("the built-in `{name}` is not known"))
                .label(span, "no such built-in");
            self.report(diagnostic);
            return None;
        };
        let function = self.new_function(symbol, ty, Span::NONE, false);
        self.program.functions[function].is_noreturn = matches!(rest, "abort" | "exit" | "_exit" | "_Exit");
        self.externals.insert(symbol, Entity::Function(function));
        Some(function)
    }
}
