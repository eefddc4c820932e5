//! The model: what every input language is lowered to and every engine reads.

mod body;
mod expr;
mod types;

pub use body::*;
pub use expr::*;
pub use types::*;

use quod_base::{IdVec, Span, Symbol, define_id};

define_id! {
    pub struct FunctionId = "f";
}
define_id! {
    pub struct FunctionTypeId = "ft";
}
define_id! {
    /// A variable with static storage: file scope, `static` locals, `_Thread_local`.
    pub struct GlobalId = "g";
}
define_id! {
    pub struct StringId = "str";
}

#[derive(Clone, Debug)]
pub struct Program {
    pub arithmetic: Arithmetic,
    /// Written in CIVL-C, where a statement is a step.
    pub is_civl: bool,
    pub types: TypeTable,
    pub globals: IdVec<GlobalId, Global>,
    pub functions: IdVec<FunctionId, Function>,
    pub strings: IdVec<StringId, StringLiteral>,
    pub main: Option<FunctionId>,
    /// A made-up function that initialises the globals, in order of declaration, before `main`.
    pub initialiser: FunctionId,
    /// `$invariant(e)` at file scope: made-up functions without parameters that return `int`.
    pub invariants: Vec<FunctionId>,
}

/// Which variable a place starts from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum VariableRef {
    Global(GlobalId),
    Local(LocalId),
    /// A local of an enclosing function (nested functions): `levels` functions outwards.
    Enclosing {
        levels: u32,
        local: LocalId,
    },
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Symbol,
    pub ty: TypeId,
    pub span: Span,
    pub storage: Storage,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
    pub alignment: Option<u64>,
    /// The function that a `static` local belongs to.
    pub function: Option<FunctionId>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    Static,
    /// Declared `extern` and defined nowhere: its value is unknown.
    External,
    ThreadLocal,
    /// CIVL-C `$input`: any value, or the one given on the command line
    Input,
    /// CIVL-C `$output`
    Output,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    pub ty: TypeId,
    pub span: Span,
    pub kind: FunctionKind,
    /// The function that this one is nested in, and the scope of it that it sees.
    pub parent: Option<(FunctionId, ScopeId)>,
    pub is_noreturn: bool,
    pub is_static: bool,
    /// CIVL-C `$atomic_f`, `$pure`, `$state_f`
    pub is_atomic: bool,
    pub is_pure: bool,
    /// Contract comments and clauses before the function, as written.
    pub annotations: Vec<Span>,
    /// `None` where the function is only declared: the library, or unknown code.
    pub body: Option<Body>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    C,
    /// CIVL-C `$system [library]`: implemented by the executor's library
    System(Option<Symbol>),
    /// CIVL-C `$abstract`: uninterpreted
    Abstract,
    /// CIVL-C `$abstract("partial-order")`: uninterpreted, but a partial order
    Order,
}

#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// Element values with the terminating zero; the type says how wide an element is.
    pub elements: Vec<u32>,
    pub ty: TypeId,
    pub span: Span,
}
