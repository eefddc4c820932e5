//! Declarations: at file scope and in blocks; linkage, tentative definitions and what units share.

use super::attributes::Attributes;
use super::names::{Binding, Definedness};
use super::types::{ArraySizes, Declared, Specified, plain};
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, FunctionSpecifiers, StmtKind};

/// Whether a function's body follows.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Declaring {
    Prototype,
    Definition,
}

impl Lowerer<'_> {
    pub(crate) fn file_item(&mut self, item: ast::StmtId) {
        let statement = self.unit[item];
        self.b().statement = statement.span;
        match statement.kind {
            StmtKind::Declaration(id) => self.declaration(id, Some(item)),
            StmtKind::Function(id) => self.function_definition(id, item),
            StmtKind::StaticAssert { condition, message } => self.static_assert(condition, message, statement.span),
            StmtKind::Invariant { condition, .. } => self.global_invariant(condition, statement.span),
            // Assembly at file scope defines symbols for the linker; CIVL-C allows `$assume(…);` between declarations.
            StmtKind::Expression(expr) => self.discard(expr),
            _ => {}
        }
    }

    pub(crate) fn declaration(&mut self, id: ast::DeclarationId, item: Option<ast::StmtId>) {
        let unit = self.unit;
        let declaration = &unit[id];
        let specified = self.specifiers(declaration.specifiers);
        for declarator in unit.list(declaration.declarators) {
            self.init_declarator(&specified, declarator, item);
        }
    }

    fn init_declarator(&mut self, specified: &Specified, id: ast::InitDeclaratorId, item: Option<ast::StmtId>) {
        let init = self.unit[id];
        let mut attributes = specified.attributes.clone();
        let mut own = Attributes::default();
        self.attributes(init.attributes, &mut own);
        self.attributes(init.attributes, &mut attributes);
        let mut declared = self.declarator(init.declarator, specified, ArraySizes::Evaluated);
        declared.ty.ty = self.attributed_type(declared.ty.ty, &own);
        let Some(name) = declared.name else { return };
        if specified.storage.contains(ast::Storage::TYPEDEF) {
            self.typedef(name, &declared, specified, &attributes);
        } else if matches!(self.ty(declared.ty.ty), Type::Function(_)) {
            let function = self.declare_function(name, declared.ty.ty, specified, &attributes, Declaring::Prototype);
            if let (Some(function), Some(item)) = (function, item) {
                self.annotate(function, item);
            }
            if let Some(initializer) = init.initializer {
                let span = self.unit[initializer].span;
                self.error(codes::BAD_INITIALISER, "a function cannot be initialised", span, "unexpected initialiser");
            }
        } else if self.names.is_file_scope() || specified.storage.contains(ast::Storage::EXTERN) {
            self.declare_global(name, &declared, specified, &attributes, init.initializer);
        } else if specified.storage.contains(ast::Storage::STATIC)
            || specified.storage.contains(ast::Storage::THREAD_LOCAL)
        {
            self.declare_static_local(name, &declared, specified, &attributes, init.initializer);
        } else {
            self.declare_local(name, &declared, specified, &attributes, init.initializer);
        }
    }

    fn typedef(&mut self, name: ast::Name, declared: &Declared, specified: &Specified, attributes: &Attributes) {
        // An alignment that is not on the type itself goes with the name.
        let alignment =
            attributes.alignment.or(if declared.ty.ty == specified.ty.ty { specified.typedef_alignment } else { None });
        let mut ty = declared.ty;
        if attributes.is_transparent_union
            && let Type::Record(id) = *self.ty(ty.ty)
        {
            self.types().records[id].is_transparent_union = true;
        }
        if let Some(previous) = self.names.get_here(name.symbol) {
            match previous.value {
                Binding::Typedef { ty: old, .. } if self.compatible(old.ty, ty.ty) => ty = old,
                Binding::Error => {}
                _ => {
                    self.redefinition(name, previous.span);
                    return;
                }
            }
        }
        self.names.bind(name.symbol, Binding::Typedef { ty, alignment }, name.span);
    }

    fn redefinition(&mut self, name: ast::Name, previous: Span) {
        self.report(
            Diagnostic::error(codes::REDEFINITION, format!("`{}` is declared again as something else", name.symbol))
                .label(name.span, "declared again here")
                .label(previous, "first declared here"),
        );
    }

    /// An enumerator or local may not have the name of something else in the same scope.
    pub(crate) fn check_redeclaration_of_name(&mut self, name: ast::Name, what: &str) {
        if let Some(previous) = self.names.get_here(name.symbol)
            && previous.value != Binding::Error
            && previous.span != name.span
        {
            self.report(
                Diagnostic::error(codes::REDEFINITION, format!("{what} `{}` is declared twice", name.symbol))
                    .label(name.span, "declared again here")
                    .label(previous.span, "first declared here"),
            );
        }
    }

    pub(crate) fn declare_function(
        &mut self,
        name: ast::Name,
        ty: TypeId,
        specified: &Specified,
        attributes: &Attributes,
        purpose: Declaring,
    ) -> Option<FunctionId> {
        let is_static = specified.storage.contains(ast::Storage::STATIC);
        let here = self.names.get_here(name.symbol);
        let mut known = match here.map(|bound| (bound.value, bound.span)) {
            Some((Binding::Function(function), _)) => Some(function),
            Some((Binding::Error, _)) | None => None,
            Some((_, previous)) => {
                self.redefinition(name, previous);
                return None;
            }
        };
        let is_local = purpose == Declaring::Definition || specified.storage.contains(ast::Storage::AUTO);
        let is_nested = self.active != 0 && (is_local || self.is_civl());
        if known.is_none() && !is_static && !is_nested {
            if let Some(Binding::Function(outer)) = self.names.get(name.symbol).map(|bound| bound.value)
                && self.program.functions[outer].parent.is_none()
            {
                known = Some(outer);
            }
            if known.is_none()
                && let Some(&Entity::Function(other)) = self.externals.get(&name.symbol)
            {
                known = Some(other);
            }
        }
        let function = match known {
            Some(function) => {
                self.merge_function_type(function, ty, name);
                function
            }
            None => {
                let function = self.new_function(name.symbol, ty, name.span, is_static);
                if !is_static && !is_nested {
                    self.externals.insert(name.symbol, Entity::Function(function));
                }
                function
            }
        };
        self.names.bind(name.symbol, Binding::Function(function), name.span);
        let info = &mut self.program.functions[function];
        info.is_noreturn |= attributes.is_noreturn || specified.function.contains(FunctionSpecifiers::NORETURN);
        info.is_atomic |= specified.function.contains(FunctionSpecifiers::ATOMIC);
        info.is_pure |= specified.function.contains(FunctionSpecifiers::PURE)
            || specified.function.contains(FunctionSpecifiers::STATE);
        if specified.function.contains(FunctionSpecifiers::ABSTRACT) {
            info.kind = FunctionKind::Abstract;
            self.abstract_function(function, specified.is_order, name.span);
        } else if specified.function.contains(FunctionSpecifiers::SYSTEM) {
            info.kind = FunctionKind::System(specified.library);
        }
        if let Some(priority) = attributes.constructor
            && !self.constructors.iter().any(|&(other, _)| other == function)
        {
            self.constructors.push((function, priority));
        }
        if let Some(priority) = attributes.destructor
            && !self.destructors.iter().any(|&(other, _)| other == function)
        {
            self.destructors.push((function, priority));
        }
        if let Some((target, span)) = attributes.alias {
            self.aliases.push((function, target, span));
        }
        self.weak.extend(attributes.is_weak.then_some(name.symbol));
        Some(function)
    }

    /// A function without parameters would be a constant, which is an input; only relations can be orders.
    fn abstract_function(&mut self, function: FunctionId, is_order: bool, span: Span) {
        let Some(ty) = self.function_type(self.program.functions[function].ty).cloned() else { return };
        if ty.parameters.is_empty() {
            let text = "an `$abstract` function needs a parameter";
            self.error(codes::INVALID_OPERANDS, text, span, "it is given nothing to depend on");
        }
        let is_relation = match ty.parameters.as_slice() {
            [left, right] => left == right && *self.ty(ty.result) == Type::Bool,
            _ => false,
        };
        if is_order && is_relation {
            self.program.functions[function].kind = FunctionKind::Order;
        }
    }

    fn merge_function_type(&mut self, function: FunctionId, ty: TypeId, name: ast::Name) {
        let old = self.program.functions[function].ty;
        let previous = self.defined_functions[function].span();
        if self.compatible(old, ty) {
            self.program.functions[function].ty = self.composite(old, ty);
        } else if previous.is_none() {
            // A built-in's own idea of the type gives way.
            self.program.functions[function].ty = ty;
        } else {
            let (new, old) = (self.type_name(ty), self.type_name(old));
            self.report(
                Diagnostic::error(
                    codes::INCOMPATIBLE_TYPES,
                    format!("`{}` is declared with different types", name.symbol),
                )
                .label(name.span, format!("here it is `{new}`"))
                .label(previous, format!("here it was `{old}`")),
            );
        }
    }

    pub(crate) fn new_function(&mut self, name: Symbol, ty: TypeId, span: Span, is_static: bool) -> FunctionId {
        self.defined_functions.push(Definedness::Declared(span));
        self.program.functions.push(Function {
            name,
            ty,
            span,
            kind: FunctionKind::C,
            parent: None,
            is_noreturn: false,
            is_static,
            is_atomic: false,
            is_pure: false,
            annotations: Vec::new(),
            body: None,
        })
    }

    pub(crate) fn new_global(&mut self, name: Symbol, ty: TypeId, span: Span, storage: Storage) -> GlobalId {
        self.defined_globals.push(Definedness::Defined(span));
        self.program.globals.push(Global {
            name,
            ty,
            span,
            storage,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            alignment: None,
            function: None,
        })
    }

    fn declare_global(
        &mut self,
        name: ast::Name,
        declared: &Declared,
        specified: &Specified,
        attributes: &Attributes,
        initializer: Option<ast::InitializerId>,
    ) {
        let storage = specified.storage;
        let is_static = storage.contains(ast::Storage::STATIC);
        let here = self.names.get_here(name.symbol);
        let mut known = match here.map(|bound| (bound.value, bound.span)) {
            Some((Binding::Global(global), _)) => Some(global),
            Some((Binding::Error, _)) | None => None,
            Some((_, previous)) => return self.redefinition(name, previous),
        };
        if known.is_none() && !is_static {
            // `extern` in a block means what is visible outside, if that is a global.
            if let Some(Binding::Global(outer)) = self.names.get(name.symbol).map(|bound| bound.value)
                && self.program.globals[outer].function.is_none()
            {
                known = Some(outer);
            } else if let Some(&Entity::Global(other)) = self.externals.get(&name.symbol) {
                known = Some(other);
            }
        }
        if !self.check_object_type(declared.ty.ty, name, storage.contains(ast::Storage::EXTERN)) {
            self.names.bind(name.symbol, Binding::Error, name.span);
            return;
        }
        let global = match known {
            Some(global) => {
                self.merge_global_type(global, declared.ty.ty, name);
                global
            }
            None => {
                let global = self.new_global(name.symbol, declared.ty.ty, name.span, Storage::Static);
                self.defined_globals[global] = Definedness::Declared(name.span);
                if !is_static {
                    self.externals.insert(name.symbol, Entity::Global(global));
                }
                global
            }
        };
        self.names.bind(name.symbol, Binding::Global(global), name.span);
        let info = &mut self.program.globals[global];
        info.is_const |= declared.ty.qualifiers.is_const;
        info.is_volatile |= declared.ty.qualifiers.is_volatile;
        info.is_atomic |= declared.ty.qualifiers.is_atomic;
        info.alignment = info.alignment.max(attributes.alignment).max(specified.typedef_alignment);
        for (flag, kind) in [
            (ast::Storage::THREAD_LOCAL, Storage::ThreadLocal),
            (ast::Storage::INPUT, Storage::Input),
            (ast::Storage::OUTPUT, Storage::Output),
        ] {
            if storage.contains(flag) {
                info.storage = kind;
            }
        }
        self.weak.extend(attributes.is_weak.then_some(name.symbol));
        if let Some((target, _)) = attributes.alias
            && let Some(Binding::Global(other)) = self.names.get(target).map(|bound| bound.value)
        {
            self.names.bind(name.symbol, Binding::Global(other), name.span);
            self.externals.insert(name.symbol, Entity::Global(other));
            return;
        }
        if let Some(initializer) = initializer {
            self.define_global(global, name, initializer);
        } else if !storage.contains(ast::Storage::EXTERN) {
            self.define_tentatively(global, name);
        }
    }

    fn define_tentatively(&mut self, global: GlobalId, name: ast::Name) {
        if !matches!(self.defined_globals[global], Definedness::Declared(_)) {
            return;
        }
        self.program.globals[global].span = name.span;
        self.defined_globals[global] = Definedness::Tentative(name.span);
        if self.is_civl() {
            // Order matters where lengths depend on inputs.
            self.zero_global(global);
        } else {
            self.tentative.push(global);
        }
    }

    fn define_global(&mut self, global: GlobalId, name: ast::Name, initializer: ast::InitializerId) {
        if let Definedness::Defined(previous) = self.defined_globals[global] {
            self.report(
                Diagnostic::error(codes::REDEFINITION, format!("`{}` is defined twice", name.symbol))
                    .label(name.span, "defined again here")
                    .label(previous, "first defined here"),
            );
            return;
        }
        self.defined_globals[global] = Definedness::Defined(name.span);
        self.program.globals[global].span = name.span;
        self.initialise_global(global, initializer);
    }

    /// Emits the steps of a static initialiser into the program's initialiser.
    fn initialise_global(&mut self, global: GlobalId, initializer: ast::InitializerId) {
        let saved = std::mem::replace(&mut self.active, 0);
        let info = &self.program.globals[global];
        let (ty, span) = (info.ty, info.span);
        let statement = std::mem::replace(&mut self.b().statement, span);
        let place = self.b().place(PlaceKind::Variable(VariableRef::Global(global)), ty, span);
        let completed = self.initialise(place, plain(ty), initializer);
        self.program.globals[global].ty = completed;
        if matches!(self.ty(ty), Type::Record(_)) && completed != ty {
            self.declared_types.insert(global, ty);
        }
        self.b().statement = statement;
        self.active = saved;
    }

    fn zero_global(&mut self, global: GlobalId) {
        let saved = std::mem::replace(&mut self.active, 0);
        let info = &self.program.globals[global];
        let (ty, span, storage, name) = (info.ty, info.span, info.storage, info.name);
        self.b().statement = span;
        let place = self.b().place(PlaceKind::Variable(VariableRef::Global(global)), ty, span);
        let step = match storage {
            Storage::Input => Step::Havoc { place, name: Some(name) },
            _ => Step::Zero(place),
        };
        self.b().emit(step, span);
        self.active = saved;
        self.defined_globals[global] = Definedness::Defined(span);
    }

    /// At the end of a unit, `int x;` without any other definition is zero.
    pub(crate) fn complete_tentative_definitions(&mut self) {
        for global in std::mem::take(&mut self.tentative) {
            if !matches!(self.defined_globals[global], Definedness::Tentative(_)) {
                continue;
            }
            let ty = self.program.globals[global].ty;
            if let Type::Array { element, length: ArrayLength::Incomplete } = *self.ty(ty) {
                let ty = self.types().intern(Type::Array { element, length: ArrayLength::Fixed(1) });
                self.program.globals[global].ty = ty;
            } else if self.program.types.size_of(ty).is_none() && !self.has_variable_size(ty) {
                let (name, span) = (self.type_name(ty), self.program.globals[global].span);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    format!("a variable has the incomplete type `{name}`"),
                    span,
                    "its size is never known",
                );
            }
            self.zero_global(global);
            // Another unit may still define it with a value.
            let span = self.program.globals[global].span;
            self.defined_globals[global] = Definedness::Inline(span);
        }
    }

    fn merge_global_type(&mut self, global: GlobalId, ty: TypeId, name: ast::Name) {
        let old = self.program.globals[global].ty;
        if self.compatible(old, ty) {
            let merged = self.composite(old, ty);
            self.program.globals[global].ty = merged;
            return;
        }
        let previous = self.program.globals[global].span;
        let (new, old) = (self.type_name(ty), self.type_name(old));
        self.report(
            Diagnostic::error(codes::INCOMPATIBLE_TYPES, format!("`{}` is declared with different types", name.symbol))
                .label(name.span, format!("here it is `{new}`"))
                .label(previous, format!("here it was `{old}`")),
        );
    }

    /// A variable cannot be of type `void`.
    fn check_object_type(&mut self, ty: TypeId, name: ast::Name, is_extern: bool) -> bool {
        if self.is_void(ty) && !is_extern {
            self.error(
                codes::INCOMPLETE_TYPE,
                format!("variable `{}` has type `void`", name.symbol),
                name.span,
                "no value has this type",
            );
            return false;
        }
        !self.is_error(ty)
    }

    fn declare_static_local(
        &mut self,
        name: ast::Name,
        declared: &Declared,
        specified: &Specified,
        attributes: &Attributes,
        initializer: Option<ast::InitializerId>,
    ) {
        if !self.check_object_type(declared.ty.ty, name, false) {
            self.names.bind(name.symbol, Binding::Error, name.span);
            return;
        }
        self.check_redeclaration_of_name(name, "variable");
        let is_thread_local = specified.storage.contains(ast::Storage::THREAD_LOCAL);
        let storage = if is_thread_local { Storage::ThreadLocal } else { Storage::Static };
        let global = self.new_global(name.symbol, declared.ty.ty, name.span, storage);
        let function = self.b().function;
        let info = &mut self.program.globals[global];
        info.function = Some(function);
        info.is_const = declared.ty.qualifiers.is_const;
        info.is_volatile = declared.ty.qualifiers.is_volatile;
        info.is_atomic = declared.ty.qualifiers.is_atomic;
        info.alignment = attributes.alignment.max(specified.typedef_alignment);
        self.names.bind(name.symbol, Binding::Global(global), name.span);
        match initializer {
            Some(initializer) => self.initialise_global(global, initializer),
            None => self.zero_global(global),
        }
    }

    fn declare_local(
        &mut self,
        name: ast::Name,
        declared: &Declared,
        specified: &Specified,
        attributes: &Attributes,
        initializer: Option<ast::InitializerId>,
    ) {
        let mut ty = declared.ty;
        let span = name.span;
        if specified.is_auto {
            return self.declare_auto(name, initializer);
        }
        if !self.check_object_type(ty.ty, name, false) {
            self.names.bind(name.symbol, Binding::Error, span);
            return;
        }
        self.check_redeclaration_of_name(name, "variable");
        let is_incomplete = match *self.ty(ty.ty) {
            Type::Record(id) => self.program.types.records[id].fields.is_none(),
            Type::Array { length: ArrayLength::Incomplete, .. } => initializer.is_none() && !self.is_civl(),
            _ => false,
        };
        if is_incomplete {
            let type_name = self.type_name(ty.ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                format!("variable `{}` has the incomplete type `{type_name}`", name.symbol),
                span,
                "its size is not known here",
            );
            self.names.bind(name.symbol, Binding::Error, span);
            return;
        }
        let local = self.new_local(name, ty, attributes.alignment.max(specified.typedef_alignment));
        match initializer {
            Some(initializer) => {
                if self.has_variable_size(ty.ty) {
                    self.b().emit(Step::Declare(local), span);
                }
                let place = self.b().local_place(local, span);
                ty.ty = self.initialise(place, ty, initializer);
                self.b().body.locals[local].ty = ty.ty;
            }
            None => {
                self.b().emit(Step::Declare(local), span);
            }
        }
        if let Some((function, at)) = attributes.cleanup {
            self.register_cleanup(local, function, at);
        }
    }

    pub(crate) fn new_local(&mut self, name: ast::Name, ty: QualType, alignment: Option<u64>) -> LocalId {
        let builder = self.active;
        let local = self.b().local(Some(name.symbol), ty.ty, name.span);
        let info = &mut self.b().body.locals[local];
        info.is_const = ty.qualifiers.is_const;
        info.is_volatile = ty.qualifiers.is_volatile;
        info.is_atomic = ty.qualifiers.is_atomic;
        info.alignment = alignment;
        let binding = Binding::Local { builder, local, qualifiers: ty.qualifiers };
        self.names.bind(name.symbol, binding, name.span);
        local
    }

    /// `__auto_type x = e;`
    fn declare_auto(&mut self, name: ast::Name, initializer: Option<ast::InitializerId>) {
        let expr = initializer.and_then(|id| match self.unit[id].kind {
            ast::InitializerKind::Expr(expr) => Some(expr),
            ast::InitializerKind::List(_) => None,
        });
        let Some(expr) = expr else {
            self.error(
                codes::BAD_INITIALISER,
                format!("the type of `{}` follows from its initialiser", name.symbol),
                name.span,
                "needs `= expression`",
            );
            self.names.bind(name.symbol, Binding::Error, name.span);
            return;
        };
        let value = self.value(expr);
        let ty = self.type_of(value);
        if self.is_error(ty) {
            self.names.bind(name.symbol, Binding::Error, name.span);
            return;
        }
        let local = self.new_local(name, plain(ty), None);
        let place = self.b().local_place(local, name.span);
        self.b().emit(Step::Assign { place, value }, name.span);
    }

    /// Contract comments before a declaration or definition.
    pub(crate) fn annotate(&mut self, function: FunctionId, item: ast::StmtId) {
        let unit = self.unit;
        let list = unit.annotations_at(ast::Target::Statement(item));
        let spans = unit.list(list).map(|id| unit[id].span);
        self.program.functions[function].annotations.extend(spans);
    }
}
