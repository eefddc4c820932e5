//! Types from specifiers and declarators.

use super::Lowerer;
use super::attributes::Attributes;
use super::names::Binding;
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, ArraySize, BasicType, DeclaratorKind, FunctionSpecifiers, Parameters, TypeSpecifier};

/// What declaration specifiers say.
#[derive(Clone, Debug)]
pub(crate) struct Specified {
    pub ty: QualType,
    pub storage: ast::Storage,
    pub function: FunctionSpecifiers,
    pub library: Option<Symbol>,
    /// `$abstract("partial-order")`
    pub is_order: bool,
    pub attributes: Attributes,
    /// The alignment that a typedef gave its type.
    pub typedef_alignment: Option<u64>,
    pub is_auto: bool,
}

/// What a declarator made of them.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: Option<ast::Name>,
    pub ty: QualType,
    /// The parameters, where the name is declared as a function.
    pub parameters: Option<Parameters>,
    pub span: Span,
}

/// What the size of an array may be where the declarator stands.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum ArraySizes {
    /// In a block: evaluated when the declaration is reached.
    Evaluated,
    /// In a prototype: never evaluated.
    Prototype,
}

pub(crate) fn qualifiers(from: ast::Qualifiers) -> Qualifiers {
    Qualifiers {
        is_const: from.contains(ast::Qualifiers::CONST),
        is_volatile: from.contains(ast::Qualifiers::VOLATILE),
        is_restrict: from.contains(ast::Qualifiers::RESTRICT),
        is_atomic: from.contains(ast::Qualifiers::ATOMIC),
    }
}

pub(crate) fn union(a: Qualifiers, b: Qualifiers) -> Qualifiers {
    Qualifiers {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

pub(crate) fn plain(ty: TypeId) -> QualType {
    QualType { ty, qualifiers: Qualifiers::default() }
}

impl Lowerer<'_> {
    fn is_order(&mut self, arguments: ast::List<ast::ExprId>) -> bool {
        let unit = self.unit;
        unit.list(arguments).any(|argument| match unit[unit.without_parentheses(argument)].kind {
            ast::ExprKind::String(id) => self.text_symbol(id).as_str() == "partial-order",
            _ => false,
        })
    }

    pub(crate) fn specifiers(&mut self, id: ast::SpecifiersId) -> Specified {
        // Records nest in records through here.
        stacker::maybe_grow(96 << 10, 2 << 20, || self.specifiers_inner(id))
    }

    fn specifiers_inner(&mut self, id: ast::SpecifiersId) -> Specified {
        let specifiers = self.unit[id];
        let mut attributes = Attributes::default();
        self.attributes(specifiers.attributes, &mut attributes);
        let unit = self.unit;
        for alignment in unit.list(specifiers.alignments) {
            attributes.alignment = attributes.alignment.max(self.alignment_argument(alignment));
        }
        let (ty, typedef_alignment) = self.type_specifier(&specifiers);
        let ty = QualType { ty: self.attributed_type(ty.ty, &attributes), ..ty };
        let ty = self.qualify(ty, qualifiers(specifiers.qualifiers));
        Specified {
            ty,
            storage: specifiers.storage,
            function: specifiers.function,
            library: specifiers.library,
            is_order: self.is_order(specifiers.abstract_arguments),
            attributes,
            typedef_alignment,
            is_auto: specifiers.ty == TypeSpecifier::Auto,
        }
    }

    /// Qualifiers of an array belong to its elements.
    pub(crate) fn qualify(&mut self, ty: QualType, more: Qualifiers) -> QualType {
        if more == Qualifiers::default() {
            return ty;
        }
        match *self.ty(ty.ty) {
            Type::Array { element, length } => {
                let element = self.qualify(element, more);
                QualType { ty: self.types().intern(Type::Array { element, length }), qualifiers: ty.qualifiers }
            }
            _ => QualType { ty: ty.ty, qualifiers: union(ty.qualifiers, more) },
        }
    }

    fn type_specifier(&mut self, specifiers: &ast::Specifiers) -> (QualType, Option<u64>) {
        let span = specifiers.ty_span;
        let ty = match specifiers.ty {
            TypeSpecifier::Implicit => self.known.int,
            TypeSpecifier::Error => self.known.error,
            TypeSpecifier::Basic { ty, is_complex } => self.basic_type(ty, is_complex, span),
            TypeSpecifier::BitInt { is_unsigned, width } => self.bit_int(is_unsigned, width, span),
            TypeSpecifier::Record(id) => self.record_specifier(id, specifiers),
            TypeSpecifier::Enum(id) => self.enum_specifier(id),
            TypeSpecifier::TypedefName(name) => return self.typedef_name(name),
            TypeSpecifier::TypeofExpr { expr, is_unqualified } => {
                let ty = self.unevaluated_type(expr);
                return (if is_unqualified { plain(ty.ty) } else { ty }, None);
            }
            TypeSpecifier::TypeofType { ty, is_unqualified } => {
                let ty = self.type_of_name(ty);
                return (if is_unqualified { plain(ty.ty) } else { ty }, None);
            }
            TypeSpecifier::Atomic(ty) => {
                let ty = self.type_of_name(ty);
                let atomic = Qualifiers { is_atomic: true, ..Qualifiers::default() };
                return (self.qualify(ty, atomic), None);
            }
            TypeSpecifier::Auto => self.known.int,
            TypeSpecifier::VaList => self.types().intern(Type::VaList),
            TypeSpecifier::Real => self.types().intern(Type::Real),
            TypeSpecifier::Process => self.types().intern(Type::Process),
            TypeSpecifier::Scope => self.types().intern(Type::Scope),
            TypeSpecifier::Range => self.types().intern(Type::Range),
            TypeSpecifier::Memory => self.types().intern(Type::Memory),
            TypeSpecifier::State => self.types().intern(Type::Opaque(Symbol::intern("$state"))),
            TypeSpecifier::Heap => self.types().intern(Type::Opaque(Symbol::intern("$heap"))),
            TypeSpecifier::Domain(dimensions) => {
                let dimensions =
                    dimensions.and_then(|expr| self.integer_constant(expr)).and_then(|n| u32::try_from(n).ok());
                self.types().intern(Type::Domain(dimensions))
            }
        };
        (plain(ty), None)
    }

    fn basic_type(&mut self, ty: BasicType, is_complex: bool, span: Span) -> TypeId {
        let kind = match ty {
            BasicType::Void => Type::Void,
            BasicType::Bool => Type::Bool,
            BasicType::Char => Type::Int(IntKind::Char),
            BasicType::SignedChar => Type::Int(IntKind::SChar),
            BasicType::UnsignedChar => Type::Int(IntKind::UChar),
            BasicType::Short => Type::Int(IntKind::Short),
            BasicType::UnsignedShort => Type::Int(IntKind::UShort),
            BasicType::Int => Type::Int(IntKind::Int),
            BasicType::UnsignedInt => Type::Int(IntKind::UInt),
            BasicType::Long => Type::Int(IntKind::Long),
            BasicType::UnsignedLong => Type::Int(IntKind::ULong),
            BasicType::LongLong => Type::Int(IntKind::LongLong),
            BasicType::UnsignedLongLong => Type::Int(IntKind::ULongLong),
            BasicType::Int128 => Type::Int(IntKind::Int128),
            BasicType::UnsignedInt128 => Type::Int(IntKind::UInt128),
            BasicType::Float | BasicType::Float32 => Type::Float(FloatKind::Float),
            BasicType::Double | BasicType::Float64 | BasicType::Float32x => Type::Float(FloatKind::Double),
            BasicType::LongDouble | BasicType::Float64x | BasicType::Float80 => Type::Float(FloatKind::LongDouble),
            BasicType::Float16 => Type::Float(FloatKind::Half),
            BasicType::Float128 => Type::Float(FloatKind::Quad),
            BasicType::Decimal32 | BasicType::Decimal64 | BasicType::Decimal128 => {
                Type::Opaque(Symbol::intern(ty.name()))
            }
        };
        let kind = match (is_complex, kind) {
            (false, kind) => kind,
            (true, Type::Float(kind)) => Type::Complex(kind),
            (true, Type::Int(kind)) => Type::ComplexInt(kind),
            (true, _) => {
                self.error(codes::BAD_TYPE, format!("`_Complex {}` is no type", ty.name()), span, "not a number");
                Type::Error
            }
        };
        self.types().intern(kind)
    }

    fn bit_int(&mut self, is_unsigned: bool, width: ast::ExprId, span: Span) -> TypeId {
        let kind = match self.integer_constant(width) {
            Some(8) => IntKind::SChar,
            Some(16) => IntKind::Short,
            Some(32) => IntKind::Int,
            Some(64) => IntKind::LongLong,
            Some(128) => IntKind::Int128,
            Some(_) => {
                let text = self.source_map.text(span).unwrap_or("_BitInt").to_owned();
                return self.types().intern(Type::Opaque(Symbol::intern(&text)));
            }
            None => return self.known.error,
        };
        let kind = if is_unsigned { kind.to_unsigned() } else { kind };
        self.types().intern(Type::Int(kind))
    }

    fn typedef_name(&mut self, name: ast::Name) -> (QualType, Option<u64>) {
        match self.names.get(name.symbol).map(|bound| bound.value) {
            Some(Binding::Typedef { ty, alignment }) => (ty, alignment),
            Some(Binding::Error) => (plain(self.known.error), None),
            _ => {
                // Types that only the executor's library knows are known by their names alone.
                if name.symbol.as_str().starts_with('$') {
                    let ty = self.types().intern(Type::Opaque(name.symbol));
                    return (plain(ty), None);
                }
                let mut diagnostic =
                    Diagnostic::error(codes::UNDECLARED, format!("unknown type name `{}`", name.symbol))
                        .label(name.span, "not found in this scope");
                if let Some(similar) = self.names.similar(name.symbol) {
                    diagnostic = diagnostic.help(format!("a similar name exists: `{similar}`"));
                }
                self.report(diagnostic);
                (plain(self.known.error), None)
            }
        }
    }

    /// `int (*)[3]` in a cast, `sizeof` and so on. Lengths of variable arrays are evaluated here.
    pub(crate) fn type_of_name(&mut self, id: ast::TypeNameId) -> QualType {
        self.type_name_and_alignment(id).0
    }

    pub(crate) fn type_name_and_alignment(&mut self, id: ast::TypeNameId) -> (QualType, Option<u64>) {
        let name = self.unit[id];
        let specified = self.specifiers(name.specifiers);
        let alignment = specified.attributes.alignment.or(specified.typedef_alignment);
        let declared = self.declarator(name.declarator, &specified, ArraySizes::Evaluated);
        (declared.ty, alignment)
    }

    /// Wraps the specifiers' type layer by layer, from the outside in.
    pub(crate) fn declarator(&mut self, id: ast::DeclaratorId, specified: &Specified, sizes: ArraySizes) -> Declared {
        let span = self.unit[id].span;
        let mut ty = specified.ty;
        let mut parameters = None;
        let mut next = id;
        loop {
            let declarator = self.unit[next];
            match declarator.kind {
                DeclaratorKind::Name(name) => return Declared { name: Some(name), ty, parameters, span },
                DeclaratorKind::Abstract => return Declared { name: None, ty, parameters, span },
                DeclaratorKind::Pointer { inner, qualifiers: own, attributes } => {
                    parameters = None;
                    let mut extra = Attributes::default();
                    self.attributes(attributes, &mut extra);
                    ty = QualType { ty: self.types().intern(Type::Pointer(ty)), qualifiers: qualifiers(own) };
                    next = inner;
                }
                DeclaratorKind::Array { inner, size, .. } => {
                    parameters = None;
                    ty = self.array_layer(ty, size, sizes, declarator.span);
                    next = inner;
                }
                DeclaratorKind::Function { inner, parameters: list, .. } => {
                    let result = self.function_result(ty, declarator.span);
                    ty = plain(self.function_layer(result, &list));
                    parameters = Some(list);
                    next = inner;
                }
            }
        }
    }

    fn array_layer(&mut self, element: QualType, size: ArraySize, sizes: ArraySizes, span: Span) -> QualType {
        if self.is_error(element.ty) {
            return element;
        }
        match self.ty(element.ty) {
            Type::Void | Type::Function(_) => {
                let name = self.type_name(element.ty);
                self.error(codes::BAD_TYPE, format!("array of `{name}`"), span, "elements must be objects");
                return plain(self.known.error);
            }
            Type::Record(id) if self.program.types.records[*id].fields.is_none() => {
                let name = self.type_name(element.ty);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    format!("array of the incomplete type `{name}`"),
                    span,
                    "the size of an element is not known here",
                );
                return plain(self.known.error);
            }
            _ => {}
        }
        let length = match size {
            ArraySize::Unspecified => ArrayLength::Incomplete,
            ArraySize::Star => ArrayLength::Unspecified,
            ArraySize::Expr(expr) => match self.array_length(expr, sizes) {
                Some(length) => length,
                None => return plain(self.known.error),
            },
        };
        plain(self.types().intern(Type::Array { element, length }))
    }

    fn array_length(&mut self, expr: ast::ExprId, sizes: ArraySizes) -> Option<ArrayLength> {
        let span = self.unit[expr].span;
        if sizes == ArraySizes::Prototype && self.has_effects(expr) {
            return Some(ArrayLength::Unspecified);
        }
        let value = self.value(expr);
        let ty = self.type_of(value);
        if self.is_error(ty) {
            return None;
        }
        if !self.is_integer(ty) {
            let name = self.type_name(ty);
            self.error(
                codes::BAD_ARRAY_SIZE,
                "the size of an array must be an integer",
                span,
                format!("this has type `{name}`"),
            );
            return None;
        }
        match self.evaluate_integer(value) {
            Some(length) if length < 0 && self.is_signed(ty) => {
                self.error(
                    codes::BAD_ARRAY_SIZE,
                    "the size of an array is negative",
                    span,
                    format!("this is {length}"),
                );
                None
            }
            Some(length) => Some(ArrayLength::Fixed(length as u64)),
            None if sizes == ArraySizes::Prototype => Some(ArrayLength::Unspecified),
            None if self.active == 0 && !self.is_civl() => {
                self.error(
                    codes::NOT_CONSTANT,
                    "the size of an array at file scope must be constant",
                    span,
                    "not a constant expression",
                );
                None
            }
            None => {
                let value = self.convert(value, self.known.difference, span);
                Some(ArrayLength::Variable(self.length_variable(value, span)))
            }
        }
    }

    /// A hidden variable that keeps the length.
    fn length_variable(&mut self, value: ExprId, span: Span) -> LengthVariable {
        let ty = self.known.difference;
        if self.active == 0 {
            let name = Symbol::intern(&format!("$length{}", self.program.globals.len()));
            let global = self.new_global(name, ty, span, Storage::Static);
            let place = self.b().place(PlaceKind::Variable(VariableRef::Global(global)), ty, span);
            self.b().emit(Step::Assign { place, value }, span);
            return LengthVariable::Global(global);
        }
        let function = self.b().function;
        let local = self.b().local(None, ty, span);
        let place = self.b().local_place(local, span);
        self.b().emit(Step::Assign { place, value }, span);
        LengthVariable::Local { function, local }
    }

    fn function_result(&mut self, ty: QualType, span: Span) -> TypeId {
        match self.ty(ty.ty) {
            Type::Array { .. } if !self.is_civl() => {}
            Type::Function(_) => {}
            _ => return ty.ty,
        }
        let name = self.type_name(ty.ty);
        self.error(codes::BAD_TYPE, format!("a function cannot return `{name}`"), span, "return a pointer instead");
        self.known.error
    }

    fn function_layer(&mut self, result: TypeId, list: &Parameters) -> TypeId {
        let function = match *list {
            Parameters::Unspecified => {
                FunctionType { result, parameters: Vec::new(), is_variadic: false, has_prototype: false }
            }
            Parameters::Names(_) => {
                FunctionType { result, parameters: Vec::new(), is_variadic: false, has_prototype: false }
            }
            Parameters::Prototype { parameters, is_variadic } => {
                let unit = self.unit;
                // Parameters see the ones before them, and tags declared in a prototype are its own.
                self.names.enter();
                let saved = self.enter_dead_code();
                let mut types = Vec::with_capacity(parameters.len());
                let needs_names = self.has_sized_array(parameters);
                for id in unit.list(parameters) {
                    let declared = self.parameter(id, ArraySizes::Prototype);
                    if let Some(name) = declared.name.filter(|_| needs_names) {
                        self.bind_prototype_parameter(name, declared.ty);
                    }
                    types.push(declared.ty.ty);
                }
                self.leave_dead_code(saved);
                self.names.leave();
                if let [only] = types[..]
                    && *self.ty(only) == Type::Void
                {
                    types.clear();
                }
                FunctionType { result, parameters: types, is_variadic, has_prototype: true }
            }
        };
        self.types().intern_function(function)
    }

    /// Some parameter is an array with a size, which may name other parameters.
    pub(crate) fn has_sized_array(&self, parameters: ast::List<ast::ParameterId>) -> bool {
        self.unit.list(parameters).any(|id| {
            let mut next = self.unit[id].declarator;
            loop {
                match self.unit[next].kind {
                    DeclaratorKind::Name(_) | DeclaratorKind::Abstract => return false,
                    DeclaratorKind::Array { size: ArraySize::Expr(_), .. } => return true,
                    DeclaratorKind::Pointer { inner, .. }
                    | DeclaratorKind::Array { inner, .. }
                    | DeclaratorKind::Function { inner, .. } => next = inner,
                }
            }
        })
    }

    /// A parameter with its type adjusted: arrays and functions become pointers.
    pub(crate) fn parameter(&mut self, id: ast::ParameterId, sizes: ArraySizes) -> Declared {
        let parameter = self.unit[id];
        let mut specified = self.specifiers(parameter.specifiers);
        self.attributes(parameter.attributes, &mut specified.attributes);
        let mut declared = self.declarator(parameter.declarator, &specified, sizes);
        let mut own = Attributes::default();
        self.attributes(parameter.attributes, &mut own);
        declared.ty.ty = self.attributed_type(declared.ty.ty, &own);
        declared.ty = self.adjust_parameter(declared.ty);
        declared.span = parameter.span;
        declared
    }

    pub(crate) fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        match *self.ty(ty.ty) {
            Type::Array { element, .. } => plain(self.types().intern(Type::Pointer(element))),
            Type::Function(_) => plain(self.pointer_to(ty.ty)),
            _ => ty,
        }
    }

    /// The type of an expression that is not evaluated.
    pub(crate) fn unevaluated_type(&mut self, expr: ast::ExprId) -> QualType {
        let operand = self.unevaluated(expr);
        QualType { ty: operand.ty, qualifiers: operand.qualifiers }
    }
}
