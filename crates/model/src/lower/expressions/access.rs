//! Names, members, elements, dereference, addresses and compound literals.

use super::super::names::Binding;
use super::super::types::{plain, union};
use super::{Lowerer, Operand, OperandKind};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast;

impl Lowerer<'_> {
    pub(crate) fn identifier(&mut self, name: Symbol, span: Span) -> Operand {
        match self.names.get(name).map(|bound| bound.value) {
            Some(Binding::Enumerator { value, ty }) => self.constant_operand(value, ty, span),
            Some(Binding::Global(global)) => self.global_operand(global, span),
            Some(Binding::Local { builder, local, qualifiers }) => self.local_operand(builder, local, qualifiers, span),
            Some(Binding::Function(function)) => {
                let ty = self.program.functions[function].ty;
                Operand {
                    kind: OperandKind::Function(function),
                    ty,
                    qualifiers: Qualifiers::default(),
                    bits: None,
                    span,
                }
            }
            Some(Binding::Typedef { .. }) => {
                self.error(
                    codes::UNDECLARED,
                    format!("`{name}` is a type, not a value"),
                    span,
                    "expected an expression",
                );
                self.error_operand(span)
            }
            Some(Binding::Error) => self.error_operand(span),
            None => self.unbound_identifier(name, span),
        }
    }

    pub(crate) fn global_operand(&mut self, global: GlobalId, span: Span) -> Operand {
        let info = &self.program.globals[global];
        let qualifiers = Qualifiers {
            is_const: info.is_const,
            is_volatile: info.is_volatile,
            is_restrict: false,
            is_atomic: info.is_atomic,
        };
        let ty = self.declared_types.get(&global).copied().unwrap_or(info.ty);
        let place = self.b().place(PlaceKind::Variable(VariableRef::Global(global)), ty, span);
        self.place_operand(place, qualifiers, span)
    }

    fn local_operand(&mut self, builder: usize, local: LocalId, qualifiers: Qualifiers, span: Span) -> Operand {
        let ty = self.builders[builder].body.locals[local].ty;
        let variable = if builder == self.active {
            VariableRef::Local(local)
        } else {
            let mut levels = 0;
            let mut at = Some(self.active);
            while let Some(index) = at.filter(|&index| index != builder) {
                levels += 1;
                at = self.builders[index].parent;
            }
            if at.is_none() {
                // A static initialiser that names a local: its type may be asked for, its value is not constant.
                let dummy = self.b().local(None, ty, span);
                self.b().body.locals[dummy].is_volatile = true;
                VariableRef::Local(dummy)
            } else {
                self.capture(builder, local);
                self.capture_lengths(ty);
                VariableRef::Enclosing { levels, local }
            }
        };
        let place = self.b().place(PlaceKind::Variable(variable), ty, span);
        self.place_operand(place, qualifiers, span)
    }

    /// A nested function uses the variable: it needs an object that outlives registers.
    fn capture(&mut self, builder: usize, local: LocalId) {
        let owner = &mut self.builders[builder].body;
        owner.locals[local].is_address_taken = true;
        let scope = owner.locals[local].scope;
        owner.scopes[scope].is_captured = true;
    }

    /// So are the lengths of a variable array that a nested function uses.
    fn capture_lengths(&mut self, ty: TypeId) {
        let mut next = Some(ty);
        while let Some(ty) = next {
            next = match *self.ty(ty) {
                Type::Array { element, length } => {
                    if let ArrayLength::Variable(LengthVariable::Local { function, local }) = length
                        && let Some(owner) = self.builders.iter().position(|builder| builder.function == function)
                    {
                        self.capture(owner, local);
                    }
                    Some(element.ty)
                }
                Type::Pointer(pointee) => Some(pointee.ty),
                _ => None,
            };
        }
    }

    fn unbound_identifier(&mut self, name: Symbol, span: Span) -> Operand {
        match name.as_str() {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => return self.function_name(span),
            "$true" | "$false" => {
                return self.constant_operand(i128::from(name.as_str() == "$true"), self.known.boolean, span);
            }
            text if text.starts_with("__builtin_") => {
                // A built-in function as a value: the library function that it stands for.
                if let Some(function) = self.library_builtin(name, span) {
                    let ty = self.program.functions[function].ty;
                    let kind = OperandKind::Function(function);
                    return Operand { kind, ty, qualifiers: Qualifiers::default(), bits: None, span };
                }
            }
            _ => {}
        }
        let mut diagnostic = Diagnostic::error(codes::UNDECLARED, format!("`{name}` is not declared"))
            .label(span, "not found in this scope");
        if let Some(similar) = self.names.similar(name) {
            diagnostic = diagnostic.help(format!("a similar name exists: `{similar}`"));
        }
        if self.is_first_report(name) {
            self.report(diagnostic);
        }
        self.error_operand(span)
    }

    /// An undeclared name is reported once in a function.
    fn is_first_report(&mut self, name: Symbol) -> bool {
        let function = self.b().function;
        self.undeclared_reported.insert((function, name))
    }

    fn function_name(&mut self, span: Span) -> Operand {
        let function = self.builders.last().map(|builder| builder.function);
        let text = match function {
            Some(function) if function != self.program.initialiser => self.program.functions[function].name.as_str(),
            _ => "",
        };
        let elements: Vec<u32> = text.bytes().map(u32::from).chain([0]).collect();
        let char = self.known.char;
        self.string_place(elements, char, span)
    }

    pub(crate) fn dereference(&mut self, value: ExprId, span: Span) -> Operand {
        let ty = self.type_of(value);
        if self.is_error(ty) {
            return self.error_operand(span);
        }
        let Some(target) = self.pointee(ty) else {
            let name = self.type_name(ty);
            self.error(codes::INVALID_OPERANDS, format!("`{name}` is no pointer"), span, "only pointers are followed");
            return self.error_operand(span);
        };
        if let ExprKind::Function(function) = self.b().body.exprs[value].kind {
            let ty = target.ty;
            let kind = OperandKind::Function(function);
            return Operand { kind, ty, qualifiers: Qualifiers::default(), bits: None, span };
        }
        // `*&x` is `x`.
        let place = match self.b_ref().body.exprs[value].kind {
            ExprKind::AddressOf(place) if self.b_ref().body.places[place].ty == target.ty => place,
            _ => self.b().place(PlaceKind::Deref(value), target.ty, span),
        };
        self.place_operand(place, target.qualifiers, span)
    }

    pub(crate) fn address_of(&mut self, expr: ast::ExprId, span: Span) -> Operand {
        let operand = self.operand(expr);
        self.address_of_operand(operand, span)
    }

    pub(crate) fn address_of_operand(&mut self, operand: Operand, span: Span) -> Operand {
        if self.is_error(operand.ty) {
            return self.error_operand(span);
        }
        let value = match operand.kind {
            OperandKind::Function(function) => {
                let ty = self.pointer_to(operand.ty);
                self.b().expr(ExprKind::Function(function), ty, span)
            }
            OperandKind::Place(place) => {
                if operand.bits.is_some() {
                    self.error(codes::NOT_LVALUE, "a bit-field has no address", operand.span, "this is a bit-field");
                    return self.error_operand(span);
                }
                let ty = self.types().intern(Type::Pointer(operand.qual_type()));
                match self.b_ref().body.places[place].kind {
                    // `&*p` is `p`.
                    PlaceKind::Deref(pointer) if self.type_of(pointer) == ty => pointer,
                    _ => {
                        self.mark_address_taken(place);
                        self.b().expr(ExprKind::AddressOf(place), ty, span)
                    }
                }
            }
            OperandKind::Value(value) => {
                if matches!(self.ty(operand.ty), Type::Record(_) | Type::Array { .. }) {
                    let place = self.temporary(value, operand.span);
                    let ty = self.pointer_to(operand.ty);
                    self.mark_address_taken(place);
                    self.b().expr(ExprKind::AddressOf(place), ty, span)
                } else {
                    self.error(
                        codes::NOT_LVALUE,
                        "this value has no address",
                        operand.span,
                        "not a variable, element or member",
                    );
                    return self.error_operand(span);
                }
            }
        };
        self.value_operand(value, span)
    }

    /// A hidden local that holds a value without a place.
    pub(crate) fn temporary(&mut self, value: ExprId, span: Span) -> PlaceId {
        let ty = self.type_of(value);
        if let ExprKind::Load(place) = self.b().body.exprs[value].kind
            && self.is_stable(value)
        {
            return place;
        }
        let local = self.b().local(None, ty, span);
        let place = self.b().place(PlaceKind::Temporary(local), ty, span);
        self.b().emit(Step::Assign { place, value }, span);
        place
    }

    pub(crate) fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> Operand {
        let mut left = self.operand(base);
        if self.has_effects(index) {
            left = self.stabilise_operand(left);
        }
        let right = self.operand(index);
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return self.error_operand(span);
        }
        // `i[a]`
        let (array, index) =
            if self.is_integer(left.ty) && !self.is_integer(right.ty) { (right, left) } else { (left, right) };
        if *self.ty(index.ty) == Type::Range {
            let pointer = self.to_value(array);
            let range = self.to_value(index);
            let region = self.region(pointer, range, span);
            return self.dereference(region, span);
        }
        if !self.is_integer(index.ty) {
            let name = self.type_name(index.ty);
            self.error(
                codes::INVALID_OPERANDS,
                format!("an index must be an integer, not `{name}`"),
                index.span,
                "not an integer",
            );
            return self.error_operand(span);
        }
        let index = self.promoted(index);
        self.element(array, index, span)
    }

    /// CIVL-C `p + (a .. b)`: the elements in a range, as a set of memory.
    pub(crate) fn region(&mut self, pointer: ExprId, range: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(pointer);
        let kind = CivlExpr::Library { name: Symbol::intern("$region"), arguments: vec![pointer, range] };
        self.b().expr(ExprKind::Civl(kind), ty, span)
    }

    /// `array[index]`
    pub(crate) fn element(&mut self, array: Operand, index: ExprId, span: Span) -> Operand {
        let difference = self.known.difference;
        let index_span = self.span_of(index);
        match (*self.ty(array.ty)).clone() {
            Type::Array { element, .. } => {
                let place = match array.kind {
                    OperandKind::Place(place) => place,
                    OperandKind::Value(value) => self.temporary(value, array.span),
                    OperandKind::Function(_) => return self.error_operand(span),
                };
                let index = self.convert(index, difference, index_span);
                let place = self.b().place(PlaceKind::Index(place, index), element.ty, span);
                self.place_operand(place, union(element.qualifiers, array.qualifiers), span)
            }
            Type::Vector { element, .. } => {
                let place = match array.kind {
                    OperandKind::Place(place) => place,
                    OperandKind::Value(value) => self.temporary(value, array.span),
                    OperandKind::Function(_) => return self.error_operand(span),
                };
                let index = self.convert(index, difference, index_span);
                let place = self.b().place(PlaceKind::Index(place, index), element, span);
                self.place_operand(place, array.qualifiers, span)
            }
            _ => {
                let pointer = self.to_value(array);
                if !self.is_pointer(self.type_of(pointer)) {
                    let name = self.type_name(array.ty);
                    self.error(
                        codes::INVALID_OPERANDS,
                        format!("`{name}` cannot be indexed"),
                        array.span,
                        "neither an array nor a pointer",
                    );
                    return self.error_operand(span);
                }
                let sum = self.pointer_add(pointer, index, span);
                self.dereference(sum, span)
            }
        }
    }

    pub(crate) fn member(&mut self, base: ast::ExprId, member: ast::Name, is_arrow: bool, span: Span) -> Operand {
        let base_operand = if is_arrow {
            let pointer = self.value(base);
            let ty = self.type_of(pointer);
            if !self.is_error(ty) && !self.is_pointer(ty) {
                let name = self.type_name(ty);
                let span = self.unit[base].span;
                let mut diagnostic =
                    Diagnostic::error(codes::INVALID_OPERANDS, format!("`->` needs a pointer, found `{name}`"))
                        .label(span, format!("this has type `{name}`"));
                if matches!(self.ty(ty), Type::Record(_)) {
                    diagnostic =
                        diagnostic.help(format!("write `.{}` instead of `->{}`", member.symbol, member.symbol));
                }
                self.report(diagnostic);
                return self.error_operand(span);
            }
            let base_span = self.unit[base].span;
            self.dereference(pointer, base_span)
        } else {
            self.operand(base)
        };
        self.member_of(base_operand, member, span)
    }

    pub(crate) fn member_of(&mut self, base: Operand, member: ast::Name, span: Span) -> Operand {
        if self.is_error(base.ty) {
            return self.error_operand(span);
        }
        let Type::Record(record) = *self.ty(base.ty) else {
            let name = self.type_name(base.ty);
            let mut diagnostic = Diagnostic::error(codes::NO_MEMBER, format!("`{name}` has no members"))
                .label(member.span, format!("no member `{}`", member.symbol));
            if let Some(target) = self.pointee(base.ty)
                && matches!(self.ty(target.ty), Type::Record(_))
            {
                diagnostic = diagnostic.help(format!("it is a pointer: write `->{}`", member.symbol));
            }
            self.report(diagnostic);
            return self.error_operand(span);
        };
        let Some(path) = self.find_member(record, member.symbol) else {
            self.report_missing_member(base.ty, record, member);
            return self.error_operand(span);
        };
        let place = match base.kind {
            OperandKind::Place(place) => place,
            OperandKind::Value(value) => self.temporary(value, base.span),
            OperandKind::Function(_) => return self.error_operand(span),
        };
        self.member_path(place, record, &path, base.qualifiers, span)
    }

    fn report_missing_member(&mut self, ty: TypeId, record: RecordId, member: ast::Name) {
        let name = self.type_name(ty);
        let info = &self.program.types.records[record];
        let declared = info.span;
        if info.fields.is_none() {
            self.report(
                Diagnostic::error(codes::INCOMPLETE_TYPE, format!("`{name}` is incomplete"))
                    .label(member.span, format!("member `{}` is not known", member.symbol))
                    .label(declared, "declared here, but never defined"),
            );
            return;
        }
        let mut diagnostic = Diagnostic::error(codes::NO_MEMBER, format!("`{name}` has no member `{}`", member.symbol))
            .label(member.span, "unknown member")
            .label(declared, format!("`{name}` is defined here"));
        if let Some(similar) = self.similar_member(record, member.symbol) {
            diagnostic = diagnostic.help(format!("a similar member exists: `{similar}`"));
        }
        self.report(diagnostic);
    }

    /// The member at the end of a path of field indices.
    pub(crate) fn member_path(
        &mut self,
        place: PlaceId,
        record: RecordId,
        path: &[u32],
        qualifiers: Qualifiers,
        span: Span,
    ) -> Operand {
        let (mut place, mut record, mut qualifiers) = (place, record, qualifiers);
        let mut bits = None;
        if self.unsupported_records.contains(&record) {
            self.unsupported("a record with `scalar_storage_order`", span);
        }
        for &index in path {
            let ty = self.field_type(record, index);
            bits = self.program.types.records[record].fields.as_ref().and_then(|fields| fields[index as usize].bits);
            qualifiers = union(qualifiers, ty.qualifiers);
            place = self.b().place(PlaceKind::Field(place, index), ty.ty, span);
            if let Type::Record(inner) = *self.ty(ty.ty) {
                record = inner;
            }
        }
        let mut operand = self.place_operand(place, qualifiers, span);
        operand.bits = bits;
        operand
    }

    /// `(T){…}`: an object of its own, static at file scope.
    pub(crate) fn compound_literal(
        &mut self,
        ty: ast::TypeNameId,
        initializer: ast::InitializerId,
        span: Span,
    ) -> Operand {
        let ty = self.type_of_name(ty);
        if self.is_error(ty.ty) {
            return self.error_operand(span);
        }
        if let Type::Domain(_) = *self.ty(ty.ty) {
            return self.domain_literal(ty.ty, initializer, span);
        }
        let place = if self.active == 0 {
            let name = Symbol::intern(&format!("$literal{}", self.program.globals.len()));
            let global = self.new_global(name, ty.ty, span, Storage::Static);
            self.program.globals[global].is_const = ty.qualifiers.is_const;
            let place = self.b().place(PlaceKind::Variable(VariableRef::Global(global)), ty.ty, span);
            self.program.globals[global].ty = self.initialise(place, plain(ty.ty), initializer);
            place
        } else {
            let local = self.b().local(None, ty.ty, span);
            self.b().body.locals[local].is_address_taken = true;
            let place = self.b().place(PlaceKind::Variable(VariableRef::Local(local)), ty.ty, span);
            if self.has_variable_size(ty.ty) {
                self.b().emit(Step::Declare(local), span);
            }
            let completed = self.initialise(place, plain(ty.ty), initializer);
            self.b().body.locals[local].ty = completed;
            place
        };
        self.place_operand(place, ty.qualifiers, span)
    }
}
