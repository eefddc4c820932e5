//! Calls of functions: by name, through pointers, of names never declared.

use super::expressions::{Operand, OperandKind, Purpose};
use super::names::Binding;
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast;

/// Where the result of a call went.
pub(crate) enum CallResult {
    /// Into the place that was asked for.
    Written,
    Value(ExprId),
}

/// What happens to the result.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Destination {
    Discard,
    Hidden,
    /// A variable of this very type takes it directly.
    Into(PlaceId, TypeId),
}

impl Lowerer<'_> {
    pub(crate) fn call(
        &mut self,
        callee: ast::ExprId,
        arguments: ast::List<ast::ExprId>,
        close: Span,
        span: Span,
    ) -> Operand {
        match self.call_to(callee, arguments, close, span, Destination::Hidden) {
            CallResult::Value(value) => self.value_operand(value, span),
            CallResult::Written => self.error_operand(span),
        }
    }

    pub(crate) fn call_discarding(
        &mut self,
        callee: ast::ExprId,
        arguments: ast::List<ast::ExprId>,
        close: Span,
        span: Span,
    ) {
        self.call_to(callee, arguments, close, span, Destination::Discard);
    }

    /// `x = f(…)`: the result goes straight into a plain variable.
    pub(crate) fn call_into(&mut self, value: ast::ExprId, left: &Operand, place: PlaceId) -> Option<CallResult> {
        let value = self.unit.without_parentheses(value);
        let node = self.unit[value];
        let ast::ExprKind::Call { callee, arguments, close } = node.kind else { return None };
        let is_plain = matches!(self.b().body.places[place].kind, PlaceKind::Variable(_))
            && left.bits.is_none()
            && !left.qualifiers.is_volatile
            && !left.qualifiers.is_atomic;
        let destination = if is_plain { Destination::Into(place, left.ty) } else { Destination::Hidden };
        Some(self.call_to(callee, arguments, close, node.span, destination))
    }

    pub(crate) fn call_to(
        &mut self,
        callee: ast::ExprId,
        arguments: ast::List<ast::ExprId>,
        close: Span,
        span: Span,
        destination: Destination,
    ) -> CallResult {
        self.sequence_arguments(arguments, span);
        let name = match self.unit[self.unit.without_parentheses(callee)].kind {
            ast::ExprKind::Identifier(name) => Some(name),
            _ => None,
        };
        if let Some(name) = name {
            if let Some(operand) = self.builtin_call(name, arguments, span, destination) {
                return CallResult::Value(self.to_value(operand));
            }
            if self.names.get(name).is_none() {
                let at = self.unit[callee].span;
                self.declare_implicitly(name, at);
            }
        }
        let operand = self.operand(callee);
        self.call_operand(operand, arguments, close, span, destination)
    }

    /// A function that no declaration introduces is `int f()`, as in C89; a known library function has its own type.
    fn declare_implicitly(&mut self, name: Symbol, span: Span) {
        if name.as_str().starts_with("__builtin_") {
            if let Some(function) = self.library_builtin(name, span) {
                self.names.bind(name, Binding::Function(function), span);
            }
            return;
        }
        let function = match self.externals.get(&name) {
            Some(&Entity::Function(function)) => function,
            Some(Entity::Global(_)) => return,
            None => {
                let ty = match self.library_type(name.as_str()) {
                    Some(ty) => ty,
                    None => {
                        let result = self.known.int;
                        let parameters = Vec::new();
                        self.types().intern_function(FunctionType {
                            result,
                            parameters,
                            is_variadic: false,
                            has_prototype: false,
                        })
                    }
                };
                let function = self.new_function(name, ty, Span::NONE, false);
                self.externals.insert(name, Entity::Function(function));
                function
            }
        };
        if !super::stated::is_known(name.as_str()) && self.implicit_reported.insert(name) {
            let mut diagnostic =
                Diagnostic::warning(codes::IMPLICIT_DECLARATION, format!("function `{name}` is not declared"))
                    .label(span, "taken to return `int`");
            if let Some(header) = quod_syntax::preprocess::header_declaring(name.as_str()) {
                diagnostic = diagnostic.help(format!("add `#include <{header}>`"));
            } else if let Some(similar) = self.names.similar(name) {
                diagnostic = diagnostic.help(format!("a similar name exists: `{similar}`"));
            }
            self.report(diagnostic);
        }
        // The implicit declaration has the scope of the block; file scope serves as well and is found again.
        self.names.bind(name, Binding::Function(function), span);
    }

    pub(crate) fn call_operand(
        &mut self,
        operand: Operand,
        arguments: ast::List<ast::ExprId>,
        close: Span,
        span: Span,
        destination: Destination,
    ) -> CallResult {
        let (callee, ty) = match operand.kind {
            OperandKind::Function(function) => (Callee::Direct(function), operand.ty),
            _ => {
                let mut value = self.to_value(operand);
                let pointer = self.type_of(value);
                let target = self.pointee(pointer).map(|target| target.ty);
                match target.filter(|&target| matches!(self.ty(target), Type::Function(_))) {
                    Some(target) => {
                        if self.unit.list(arguments).any(|argument| self.effects[quod_base::Id::index(argument)] != 1) {
                            value = self.stabilise_before(value, arguments);
                        }
                        (Callee::Indirect(value, target), target)
                    }
                    None => {
                        if !self.is_error(pointer) {
                            let name = self.type_name(pointer);
                            self.error(
                                codes::NOT_CALLABLE,
                                format!("`{name}` cannot be called"),
                                operand.span,
                                "neither a function nor a pointer to one",
                            );
                        }
                        let unit = self.unit;
                        for argument in unit.list(arguments) {
                            self.discard(argument);
                        }
                        return CallResult::Value(self.error_value(span));
                    }
                }
            }
        };
        let Some(function_type) = self.function_type(ty).cloned() else {
            return CallResult::Value(self.error_value(span));
        };
        let declared = match callee {
            Callee::Direct(function) => self.program.functions[function].span,
            Callee::Indirect(..) => Span::NONE,
        };
        let name = match callee {
            Callee::Direct(function) => Some(self.program.functions[function].name),
            Callee::Indirect(..) => None,
        };
        let Some(values) = self.arguments(&function_type, arguments, name, declared, close) else {
            return CallResult::Value(self.error_value(span));
        };
        if let Callee::Direct(function) = callee
            && let Some(value) = self.pure_call(function, &values, function_type.result, span)
        {
            return CallResult::Value(value);
        }
        self.emit_call(callee, values, function_type.result, close, span, destination)
    }

    fn stabilise_before(&mut self, value: ExprId, arguments: ast::List<ast::ExprId>) -> ExprId {
        let unit = self.unit;
        if unit.list(arguments).any(|argument| self.has_effects(argument)) { self.stabilise(value) } else { value }
    }

    pub(crate) fn emit_call(
        &mut self,
        callee: Callee,
        arguments: Vec<ExprId>,
        result: TypeId,
        close: Span,
        span: Span,
        destination: Destination,
    ) -> CallResult {
        if self.active == 0 && !self.is_civl() {
            self.error(
                codes::NOT_CONSTANT,
                "the initialiser of a static object is not constant",
                span,
                "a call is made when the program runs",
            );
            return CallResult::Value(self.error_value(span));
        }
        let is_noreturn = match callee {
            Callee::Direct(function) => self.program.functions[function].is_noreturn,
            Callee::Indirect(..) => false,
        };
        let has_result = !self.is_void(result) && !self.is_error(result);
        if has_result && self.is_incomplete_record(result) {
            let name = self.type_name(result);
            self.error(
                codes::INCOMPLETE_TYPE,
                format!("the call returns the incomplete type `{name}`"),
                span,
                "its size is not known here",
            );
        }
        let (place, outcome) = match destination {
            Destination::Into(place, ty) if has_result && ty == result => (Some(place), CallResult::Written),
            Destination::Discard => (None, CallResult::Value(self.void_value(span))),
            _ if has_result => {
                let local = self.b().local(None, result, span);
                let place = self.b().local_place(local, span);
                let value = self.b().load(place, span);
                (Some(place), CallResult::Value(value))
            }
            _ => (None, CallResult::Value(self.void_value(span))),
        };
        self.b().emit(Step::Call(Call { callee, arguments, result: place, closing_parenthesis: close }), span);
        if is_noreturn {
            self.b().end(Control::Unreachable, span);
        }
        outcome
    }

    /// Arguments converted to the parameters' types; `None` after an error.
    pub(crate) fn arguments(
        &mut self,
        ty: &FunctionType,
        arguments: ast::List<ast::ExprId>,
        name: Option<Symbol>,
        declared: Span,
        close: Span,
    ) -> Option<Vec<ExprId>> {
        let unit = self.unit;
        let list: Vec<ast::ExprId> = unit.list(arguments).collect();
        let expected = ty.parameters.len();
        if ty.has_prototype && (list.len() < expected || (list.len() > expected && !ty.is_variadic)) {
            self.wrong_argument_count(ty, &list, name, declared, close);
            return None;
        }
        let last_effect = list.iter().rposition(|&argument| self.has_effects(argument));
        let mut values = Vec::with_capacity(list.len());
        let mut is_wrong = false;
        for (index, &argument) in list.iter().enumerate() {
            let parameter = ty.parameters.get(index).copied().filter(|_| ty.has_prototype);
            let span = unit[argument].span;
            let value = match parameter {
                Some(parameter) if matches!(self.ty(parameter), Type::Array { .. }) => self.array_value(argument),
                Some(_) => self.value(argument),
                None => {
                    let operand = self.operand(argument);
                    let bits = operand.bits;
                    let value = self.to_value(operand);
                    self.promote_argument(value, bits)
                }
            };
            let value = match parameter {
                Some(parameter) => self.convert_for(value, parameter, Purpose::Argument(index + 1, declared), span),
                None => value,
            };
            let ty = self.type_of(value);
            if self.is_void(ty) {
                self.error(codes::INCOMPATIBLE_TYPES, "this argument has no value", span, "its type is `void`");
                is_wrong = true;
            }
            is_wrong |= self.is_error(ty);
            let value = if last_effect.is_some_and(|last| index < last) { self.stabilise(value) } else { value };
            values.push(value);
        }
        (!is_wrong).then_some(values)
    }

    fn wrong_argument_count(
        &mut self,
        ty: &FunctionType,
        list: &[ast::ExprId],
        name: Option<Symbol>,
        declared: Span,
        close: Span,
    ) {
        let expected = ty.parameters.len();
        let plural = if expected == 1 { "" } else { "s" };
        let at_least = if ty.is_variadic { "at least " } else { "" };
        let who = name.map_or("this function".to_owned(), |name| format!("`{name}`"));
        let span = if list.len() > expected { self.unit[list[expected]].span } else { close };
        let label = if list.len() > expected { "unexpected argument" } else { "an argument is missing" };
        let mut diagnostic = Diagnostic::error(
            codes::ARGUMENT_COUNT,
            format!("{who} takes {at_least}{expected} argument{plural}, {} given", list.len()),
        )
        .label(span, label);
        if !declared.is_none() {
            let function = self.types().intern_function(ty.clone());
            let text =
                self.program.types.c_declaration(super::types::plain(function), name.map_or("", |name| name.as_str()));
            diagnostic = diagnostic.label(declared, format!("declared here as `{text}`"));
        }
        self.report(diagnostic);
        for &argument in list {
            self.discard(argument);
        }
    }
}
