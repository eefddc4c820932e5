//! Lowering of C, GNU C and CIVL-C from the syntax tree to the model.
//!
//! One `Lowerer` walks the translation units in order and links them into one `Program`. Names and types are resolved on
//! the way, as C prescribes (a name means what was declared before it); each function body is built by a `Builder`.
//! The files:
//!
//! - `names` scopes and bindings, `types`, `records`, `attributes` from specifiers and declarators to types, `compatible`
//!   when two types fit, `declarations`, `functions`, `initialisers`;
//! - `expressions/` operands, conversions, operators, `calls`, `builtins`; `constant` evaluates constant expressions;
//! - `statements`, `jumps` control flow; `builder` the graph; `civl` what CIVL-C adds.
//!
//! What the program gets wrong is a `Diagnostic` and leaves `Type::Error` behind, which fits everywhere. What is right but
//! not supported becomes a `Step::Unsupported` at its place.

// `to_value` and its like emit into the function that is being built.
#![allow(clippy::wrong_self_convention)]

mod attributes;
mod builder;
mod builtins;
mod calls;
mod civl;
mod compatible;
mod constant;
mod declarations;
mod expressions;
mod functions;
mod initialisers;
mod jumps;
mod linking;
mod names;
mod processes;
mod records;
mod stated;
mod statements;
mod static_initialisers;
mod types;
mod weak;

use crate::ir::*;
use builder::Builder;
use names::Names;
use quod_base::{IdVec, SourceMap, Span, Symbol};
use quod_diag::{Code, Diagnostic};
use quod_syntax::ast::{self, TranslationUnit};
use rustc_hash::FxHashMap;

/// What the program is lowered for.
#[derive(Clone, Copy, Debug)]
pub struct LowerOptions {
    pub data_model: DataModel,
    pub arithmetic: Arithmetic,
    pub dialect: quod_syntax::Dialect,
}

/// A program and what is to be said of it. It is worth running only if no diagnostic is an error.
pub struct Lowered {
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

impl Lowered {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Lowers translation units and links them into one program.
pub fn lower(units: &[TranslationUnit], source_map: &SourceMap, options: &LowerOptions) -> Lowered {
    let empty = TranslationUnit::default();
    let mut lowerer = Lowerer::new(units.first().unwrap_or(&empty), source_map, *options);
    for unit in units {
        lowerer.unit(unit);
    }
    lowerer.finish()
}

/// What a name with external linkage means in all units.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Entity {
    Global(GlobalId),
    Function(FunctionId),
}

/// Types that lowering needs all the time.
#[derive(Copy, Clone)]
pub(crate) struct Known {
    pub void: TypeId,
    pub boolean: TypeId,
    pub char: TypeId,
    pub int: TypeId,
    pub unsigned: TypeId,
    pub long: TypeId,
    pub double: TypeId,
    pub size: TypeId,
    pub difference: TypeId,
    pub void_pointer: TypeId,
    pub error: TypeId,
}

pub(crate) struct Lowerer<'a> {
    pub unit: &'a TranslationUnit,
    pub source_map: &'a SourceMap,
    pub options: LowerOptions,
    pub program: Program,
    pub known: Known,
    pub diagnostics: Vec<Diagnostic>,
    pub names: Names,
    pub externals: FxHashMap<Symbol, Entity>,
    /// Whether the entity has been defined, not only declared, and where it was first declared.
    pub defined_globals: IdVec<GlobalId, names::Definedness>,
    pub defined_functions: IdVec<FunctionId, names::Definedness>,
    /// The initialiser first, then the functions that are being lowered, from the outside in.
    pub builders: Vec<Builder>,
    /// The builder that steps go to: the last, or the initialiser's while a static initialiser is lowered.
    pub active: usize,
    /// For each expression of the unit: not yet known, pure, has effects.
    pub effects: Vec<u8>,
    /// Expressions that were looked at for variables which are changed in no order.
    sequenced_count: u32,
    pub records: FxHashMap<ast::RecordId, RecordId>,
    pub enums: FxHashMap<ast::EnumId, EnumId>,
    pub strings: FxHashMap<(TypeId, Vec<u32>), StringId>,
    /// `__attribute__((alias("target")))`: resolved when all units are read.
    pub aliases: Vec<(FunctionId, Symbol, Span)>,
    /// `__attribute__((weak))`: may be defined nowhere.
    pub weak: Vec<Symbol>,
    pub constructors: Vec<(FunctionId, i128)>,
    pub destructors: Vec<(FunctionId, i128)>,
    /// Members that were found by name in records with many, so that lookups stay cheap.
    pub members: FxHashMap<(RecordId, Symbol), Option<Vec<u32>>>,
    pub implicit_reported: rustc_hash::FxHashSet<Symbol>,
    pub undeclared_reported: rustc_hash::FxHashSet<(FunctionId, Symbol)>,
    pub tentative: Vec<GlobalId>,
    /// Inside a quantifier or lambda nothing may become a step: calls stay expressions.
    pub pure_depth: u32,
    /// Records with an attribute that changes what their bytes mean.
    pub unsupported_records: rustc_hash::FxHashSet<RecordId>,
    /// Records whose members are being read: they cannot be defined within themselves.
    pub open_records: rustc_hash::FxHashSet<RecordId>,
    /// Globals whose flexible array member was initialised: the object is larger than the type that expressions see.
    pub declared_types: FxHashMap<GlobalId, TypeId>,
    /// Where `$here` stands in the unit, once someone has asked.
    scope_names: Option<Vec<Span>>,
}

impl<'a> Lowerer<'a> {
    fn new(unit: &'a TranslationUnit, source_map: &'a SourceMap, options: LowerOptions) -> Self {
        let mut types = TypeTable::new(options.data_model);
        let void = types.intern(Type::Void);
        let known = Known {
            void,
            boolean: types.intern(Type::Bool),
            char: types.intern(Type::Int(IntKind::Char)),
            int: types.intern(Type::Int(IntKind::Int)),
            unsigned: types.intern(Type::Int(IntKind::UInt)),
            long: types.intern(Type::Int(IntKind::Long)),
            double: types.intern(Type::Float(FloatKind::Double)),
            size: types.intern(Type::Int(options.data_model.size_kind())),
            difference: types.intern(Type::Int(options.data_model.difference_kind())),
            void_pointer: types.intern(Type::Pointer(QualType { ty: void, qualifiers: Qualifiers::default() })),
            error: types.intern(Type::Error),
        };
        let ty = types.intern_function(FunctionType {
            result: void,
            parameters: Vec::new(),
            is_variadic: false,
            has_prototype: true,
        });
        let mut functions = IdVec::new();
        let initialiser = functions.push(Function {
            name: Symbol::intern("$initialise"),
            ty,
            span: Span::NONE,
            kind: FunctionKind::C,
            parent: None,
            is_noreturn: false,
            is_static: true,
            is_atomic: false,
            is_pure: false,
            annotations: Vec::new(),
            body: None,
        });
        let program = Program {
            arithmetic: options.arithmetic,
            is_civl: options.dialect == quod_syntax::Dialect::Civl,
            types,
            globals: IdVec::new(),
            functions,
            strings: IdVec::new(),
            main: None,
            initialiser,
            invariants: Vec::new(),
        };
        let mut defined_functions = IdVec::new();
        let _: FunctionId = defined_functions.push(names::Definedness::Defined(Span::NONE));
        Self {
            unit,
            source_map,
            options,
            program,
            known,
            diagnostics: Vec::new(),
            names: Names::default(),
            externals: FxHashMap::default(),
            defined_globals: IdVec::new(),
            defined_functions,
            builders: vec![Builder::new(initialiser, known.void, Span::NONE, None)],
            active: 0,
            effects: Vec::new(),
            sequenced_count: 0,
            records: FxHashMap::default(),
            enums: FxHashMap::default(),
            strings: FxHashMap::default(),
            aliases: Vec::new(),
            weak: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            members: FxHashMap::default(),
            implicit_reported: Default::default(),
            undeclared_reported: Default::default(),
            tentative: Vec::new(),
            pure_depth: 0,
            unsupported_records: Default::default(),
            open_records: Default::default(),
            declared_types: FxHashMap::default(),
            scope_names: None,
        }
    }

    fn unit(&mut self, unit: &'a TranslationUnit) {
        self.unit = unit;
        self.effects = vec![0; unit.exprs.len()];
        self.scope_names = None;
        self.records.clear();
        self.enums.clear();
        self.names = Names::default();
        for &item in &unit.items {
            self.file_item(item);
        }
        self.complete_tentative_definitions();
    }

    fn finish(mut self) -> Lowered {
        self.link();
        let builder = self.builders.swap_remove(0);
        let span = Span::NONE;
        self.program.functions[self.program.initialiser].body = Some(builder.finish(span));
        stated::state_claims(&mut self.program);
        weak::doubt_addresses(&mut self.program, &self.weak);
        crate::passes::scopes::capture_observed(&mut self.program);
        Lowered { program: self.program, diagnostics: self.diagnostics }
    }

    pub(crate) fn is_civl(&self) -> bool {
        self.options.dialect == quod_syntax::Dialect::Civl
    }
    pub(crate) fn b(&mut self) -> &mut Builder {
        &mut self.builders[self.active]
    }
    pub(crate) fn b_ref(&self) -> &Builder {
        &self.builders[self.active]
    }
    pub(crate) fn types(&mut self) -> &mut TypeTable {
        &mut self.program.types
    }
    pub(crate) fn ty(&self, id: TypeId) -> &Type {
        &self.program.types[id]
    }
    pub(crate) fn is_error(&self, id: TypeId) -> bool {
        id == self.known.error
    }
    pub(crate) fn type_of(&self, expr: ExprId) -> TypeId {
        self.builders[self.active].body.exprs[expr].ty
    }
    pub(crate) fn span_of(&self, expr: ExprId) -> Span {
        self.builders[self.active].body.exprs[expr].span
    }
    pub(crate) fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        self.program.types.intern(Type::Pointer(QualType { ty, qualifiers: Qualifiers::default() }))
    }
    pub(crate) fn int_format(&self, kind: IntKind) -> quod_base::IntFormat {
        quod_base::IntFormat { bits: kind.bits(self.options.data_model), is_signed: kind.is_signed() }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
    /// An error with one label.
    pub(crate) fn error(&mut self, code: Code, message: impl Into<String>, span: Span, label: impl Into<String>) {
        self.report(Diagnostic::error(code, message).label(span, label));
    }
    pub(crate) fn warning(&mut self, code: Code, message: impl Into<String>, span: Span, label: impl Into<String>) {
        self.report(Diagnostic::warning(code, message).label(span, label));
    }
    /// The place where something that is not supported stands fails when it is reached.
    pub(crate) fn unsupported(&mut self, what: impl Into<String>, span: Span) {
        let what = what.into();
        let diagnostic = Diagnostic::error(quod_diag::codes::NOT_SUPPORTED, format!("{what} is not supported"))
            .label(span, "reached here");
        self.b().emit(Step::Unsupported(Box::new(diagnostic)), span);
    }
}
