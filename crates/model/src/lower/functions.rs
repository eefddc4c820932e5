//! Function definitions, nested ones too, and their parameters.

use super::attributes::Attributes;
use super::builder::Builder;
use super::declarations::Declaring;
use super::names::{Binding, Definedness};
use super::types::{ArraySizes, Declared, plain};
use super::{Entity, Lowerer};
use crate::ir::*;
use quod_base::{Id, Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, FunctionSpecifiers, Parameters, StmtKind};

/// A parameter of a definition, as the body sees it.
struct Formal {
    name: Option<ast::Name>,
    ty: QualType,
    span: Span,
}

impl Lowerer<'_> {
    pub(crate) fn function_definition(&mut self, id: ast::FunctionId, item: ast::StmtId) {
        let unit = self.unit;
        let definition = &unit[id];
        let specified = self.specifiers(definition.specifiers);
        let mut attributes = specified.attributes.clone();
        self.attributes(definition.attributes, &mut attributes);
        let declared = self.declarator(definition.declarator, &specified, ArraySizes::Evaluated);
        let Type::Function(ty) = *self.ty(declared.ty.ty) else {
            if !self.is_error(declared.ty.ty) {
                self.error(
                    codes::BAD_TYPE,
                    format!("`{}` is no function", definition.name.symbol),
                    definition.name.span,
                    "a body needs a parameter list before it",
                );
            }
            return;
        };
        let result = self.program.types.functions[ty].result;
        let (formals, ty) = self.formals(&declared, definition, declared.ty.ty);
        let Some(function) = self.declare_function(definition.name, ty, &specified, &attributes, Declaring::Definition)
        else {
            return;
        };
        self.annotate(function, item);
        if !self.may_define(function, definition.name, &specified.function, &attributes) {
            return;
        }
        self.program.functions[function].span = definition.name.span;
        // An old-style definition's own idea of the parameters counts.
        if !self.function_type(self.program.functions[function].ty).is_some_and(|own| own.has_prototype) {
            self.program.functions[function].ty = ty;
        }
        let parent = (self.active != 0).then(|| (self.b().function, self.b().scope));
        self.program.functions[function].parent = parent;
        if let Some((_, scope)) = parent {
            self.mark_captured(scope);
        }
        self.function_body(function, result, &declared, formals, definition);
    }

    /// Every scope from here out is seen by a nested function.
    pub(crate) fn mark_captured(&mut self, scope: ScopeId) {
        let mut at = Some(scope);
        while let Some(scope) = at {
            let info = &mut self.b().body.scopes[scope];
            info.is_captured = true;
            at = info.parent;
        }
    }

    fn may_define(
        &mut self,
        function: FunctionId,
        name: ast::Name,
        specifiers: &FunctionSpecifiers,
        attributes: &Attributes,
    ) -> bool {
        let is_inline = specifiers.contains(FunctionSpecifiers::INLINE) || attributes.is_gnu_inline;
        match self.defined_functions[function] {
            Definedness::Defined(previous) => {
                if !is_inline {
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, format!("function `{}` is defined twice", name.symbol))
                            .label(name.span, "defined again here")
                            .label(previous, "first defined here"),
                    );
                }
                return false;
            }
            Definedness::Inline(_) if is_inline => return false,
            _ => {}
        }
        self.defined_functions[function] =
            if is_inline { Definedness::Inline(name.span) } else { Definedness::Defined(name.span) };
        true
    }

    /// The parameters, and the function type with those of an old-style definition filled in.
    fn formals(&mut self, declared: &Declared, definition: &ast::Function, ty: TypeId) -> (Vec<Formal>, TypeId) {
        let unit = self.unit;
        match declared.parameters {
            Some(Parameters::Prototype { parameters, .. }) => {
                self.names.enter();
                let saved = self.enter_dead_code();
                let mut formals = Vec::new();
                let needs_names = self.has_sized_array(parameters);
                for id in unit.list(parameters) {
                    let parameter = self.parameter(id, ArraySizes::Prototype);
                    if let Some(name) = parameter.name.filter(|_| needs_names) {
                        self.bind_prototype_parameter(name, parameter.ty);
                    }
                    formals.push(Formal { name: parameter.name, ty: parameter.ty, span: parameter.span });
                }
                self.leave_dead_code(saved);
                self.names.leave();
                if let [only] = &formals[..]
                    && self.is_void(only.ty.ty)
                {
                    formals.clear();
                }
                (formals, ty)
            }
            Some(Parameters::Names(names)) => {
                let formals = self.old_style_formals(names, definition);
                let parameters = formals.iter().map(|formal| formal.ty.ty).collect::<Vec<_>>();
                let parameters = parameters.into_iter().map(|ty| self.promoted_parameter(ty)).collect();
                let Type::Function(id) = *self.ty(ty) else { return (formals, ty) };
                let function = FunctionType { parameters, ..self.program.types.functions[id].clone() };
                (formals, self.types().intern_function(function))
            }
            _ => (Vec::new(), ty),
        }
    }

    fn old_style_formals(&mut self, names: ast::List<ast::NameId>, definition: &ast::Function) -> Vec<Formal> {
        let unit = self.unit;
        let mut formals: Vec<Formal> = Vec::with_capacity(names.len());
        for id in unit.list(names) {
            let name = unit[id];
            formals.push(Formal { name: Some(name), ty: plain(self.known.int), span: name.span });
        }
        for id in unit.list(definition.old_style) {
            let declaration = &unit[id];
            let specified = self.specifiers(declaration.specifiers);
            for declarator in unit.list(declaration.declarators) {
                let declared = self.declarator(unit[declarator].declarator, &specified, ArraySizes::Prototype);
                let Some(name) = declared.name else { continue };
                let ty = self.adjust_parameter(declared.ty);
                match formals.iter_mut().find(|formal| formal.name.is_some_and(|own| own.symbol == name.symbol)) {
                    Some(formal) => {
                        formal.ty = ty;
                        formal.span = name.span;
                    }
                    None => self.error(
                        codes::UNDECLARED,
                        format!("`{}` is not in the parameter list", name.symbol),
                        name.span,
                        "no such parameter",
                    ),
                }
            }
        }
        formals
    }

    fn promoted_parameter(&mut self, ty: TypeId) -> TypeId {
        match self.ty(ty) {
            Type::Float(FloatKind::Float) => self.known.double,
            _ => self.promoted_type(ty, None),
        }
    }

    pub(crate) fn bind_prototype_parameter(&mut self, name: ast::Name, ty: QualType) {
        let builder = self.active;
        let local = self.b().local(None, ty.ty, name.span);
        self.b().body.locals[local].is_volatile = true;
        let binding = Binding::Local { builder, local, qualifiers: ty.qualifiers };
        self.names.bind(name.symbol, binding, name.span);
    }

    /// Makes a builder for a function inside the present one.
    pub(crate) fn push_builder(&mut self, function: FunctionId, result: TypeId, span: Span) -> usize {
        let saved = self.active;
        let parent = (saved != 0).then_some(saved);
        let builder = Builder::new(function, result, span, parent);
        self.builders.push(builder);
        self.active = self.builders.len() - 1;
        self.names.enter();
        saved
    }

    pub(crate) fn pop_builder(&mut self, saved: usize, end: Span) {
        self.resolve_jumps();
        self.names.leave();
        if let Some(builder) = self.builders.pop() {
            let function = builder.function;
            self.program.functions[function].body = Some(builder.finish(end));
        }
        self.active = saved;
    }

    fn function_body(
        &mut self,
        function: FunctionId,
        result: TypeId,
        declared: &Declared,
        formals: Vec<Formal>,
        definition: &ast::Function,
    ) {
        let unit = self.unit;
        let saved = self.push_builder(function, result, definition.span);
        self.b().statement = definition.name.span;
        let own_type = self.function_type(self.program.functions[function].ty).cloned();
        self.b().is_variadic = own_type.as_ref().is_some_and(|ty| ty.is_variadic);
        let is_old_style = matches!(declared.parameters, Some(Parameters::Names(_)));
        self.make_parameters(&formals, is_old_style);
        if let Some(Parameters::Prototype { parameters, .. }) = declared.parameters {
            self.evaluate_parameter_sizes(parameters);
        }
        let (statements, close) = match unit[definition.body].kind {
            StmtKind::Block { statements, close } => (statements, close),
            _ => (ast::List::EMPTY, definition.span),
        };
        let info = &self.program.functions[function];
        let is_atomic = info.is_atomic || info.name.as_str().starts_with("__VERIFIER_atomic_");
        let outer = is_atomic.then(|| self.enter_atomic(definition.name.span, false));
        self.block_statements(statements);
        if let Some(outer) = outer {
            self.leave_scope(outer, close);
        }
        self.run_cleanups_of(ScopeId::from_index(0), close);
        let is_main = self.program.functions[function].name.as_str() == "main" && saved == 0;
        if is_main && self.is_integer(result) {
            self.b().statement = close;
            let zero = self.int_value(0, self.known.int, close);
            let zero = self.convert(zero, result, close);
            self.b().end(Control::Return(Some(zero)), close);
        }
        self.pop_builder(saved, close);
    }

    /// Parameters are the first locals. One of an old-style definition arrives promoted and is converted on entry.
    fn make_parameters(&mut self, formals: &[Formal], is_old_style: bool) {
        let mut conversions = Vec::new();
        for formal in formals {
            let promoted = if is_old_style { self.promoted_parameter(formal.ty.ty) } else { formal.ty.ty };
            match formal.name {
                Some(name) if promoted == formal.ty.ty => {
                    self.check_redeclaration_of_name(name, "parameter");
                    self.new_local(name, formal.ty, None);
                }
                name => {
                    let local = self.b().local(name.map(|name| name.symbol), promoted, formal.span);
                    if let Some(name) = name {
                        conversions.push((local, name, formal.ty));
                    }
                }
            }
            if !self.is_error(formal.ty.ty) && self.is_incomplete_record(formal.ty.ty) {
                let type_name = self.type_name(formal.ty.ty);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    format!("a parameter has the incomplete type `{type_name}`"),
                    formal.span,
                    "its size is not known here",
                );
            }
        }
        self.b().parameters_end();
        for (arrived, name, ty) in conversions {
            let source = self.b().local_place(arrived, name.span);
            let value = self.b().load(source, name.span);
            let value = self.convert(value, ty.ty, name.span);
            let local = self.new_local(name, ty, None);
            let place = self.b().local_place(local, name.span);
            self.b().emit(Step::Assign { place, value }, name.span);
        }
    }

    pub(crate) fn is_incomplete_record(&self, ty: TypeId) -> bool {
        match *self.ty(ty) {
            Type::Record(id) => self.program.types.records[id].fields.is_none(),
            Type::Void => true,
            _ => false,
        }
    }

    /// `int a[n][m]`: the lengths are evaluated on entry, where all parameters are known.
    fn evaluate_parameter_sizes(&mut self, parameters: ast::List<ast::ParameterId>) {
        let unit = self.unit;
        for (index, id) in unit.list(parameters).enumerate() {
            if index >= self.b().body.locals.len() {
                return;
            }
            let local = LocalId::from_index(index);
            let ty = self.b().body.locals[local].ty;
            if self.has_unspecified_length(ty) || self.has_size_with_effects(id) {
                let declared = self.parameter(id, ArraySizes::Evaluated);
                self.b().body.locals[local].ty = declared.ty.ty;
            }
        }
    }

    fn has_size_with_effects(&mut self, id: ast::ParameterId) -> bool {
        let mut next = self.unit[id].declarator;
        loop {
            match self.unit[next].kind {
                ast::DeclaratorKind::Array { size: ast::ArraySize::Expr(size), .. } if self.has_effects(size) => {
                    return true;
                }
                ast::DeclaratorKind::Pointer { inner, .. }
                | ast::DeclaratorKind::Array { inner, .. }
                | ast::DeclaratorKind::Function { inner, .. } => next = inner,
                _ => return false,
            }
        }
    }

    fn has_unspecified_length(&self, ty: TypeId) -> bool {
        match *self.ty(ty) {
            Type::Array { element, length } => {
                length == ArrayLength::Unspecified || self.has_unspecified_length(element.ty)
            }
            Type::Pointer(target) => self.has_unspecified_length(target.ty),
            _ => false,
        }
    }

    /// `alias("target")`: a function that calls the target.
    pub(crate) fn link_aliases(&mut self) {
        for (function, target, span) in std::mem::take(&mut self.aliases) {
            if self.program.functions[function].body.is_some() {
                continue;
            }
            let found = match self.externals.get(&target) {
                Some(&Entity::Function(found)) => Some(found),
                _ => self.static_function(target),
            };
            match found {
                Some(found) => self.forward(function, found, span),
                None => self.error(
                    codes::UNDECLARED,
                    format!("the target `{target}` of this alias is not defined"),
                    span,
                    "no such function",
                ),
            }
        }
    }

    fn static_function(&self, name: Symbol) -> Option<FunctionId> {
        self.program
            .functions
            .iter_enumerated()
            .find(|(_, function)| function.name == name && function.body.is_some())
            .map(|(id, _)| id)
    }

    fn forward(&mut self, function: FunctionId, target: FunctionId, span: Span) {
        let Some(ty) = self.function_type(self.program.functions[target].ty).cloned() else { return };
        self.program.functions[function].ty = self.program.functions[target].ty;
        let saved = self.push_builder(function, ty.result, span);
        let mut arguments = Vec::new();
        for &parameter in &ty.parameters {
            let local = self.b().local(None, parameter, span);
            let place = self.b().local_place(local, span);
            arguments.push(self.b().load(place, span));
        }
        self.b().parameters_end();
        let result = (!self.is_void(ty.result)).then(|| self.b().local(None, ty.result, span));
        let place = result.map(|local| self.b().local_place(local, span));
        let callee = Callee::Direct(target);
        self.b().emit(Step::Call(Call { callee, arguments, result: place, closing_parenthesis: span }), span);
        if let Some(place) = place {
            let value = self.b().load(place, span);
            self.b().end(Control::Return(Some(value)), span);
        }
        self.pop_builder(saved, span);
    }
}
