//! Function bodies: control-flow graphs whose nodes are locations and whose edges are guarded, atomic steps.
//!
//! A location says what happens there and where control goes. `When` and `Choose` are not steps of their own: a process at
//! `When { guard, next }` may move only if the guard holds, and then executes what stands at `next` in the same atomic
//! move; `Choose` offers the moves of its alternatives. Everything else is one deterministic step.
//! A `Check` is no move of its own, either: it is evaluated in the same move as the step that follows it.

use super::{Expr, ExprId, FunctionId, Place, PlaceId, TypeId};
use quod_base::{IdVec, Span, Symbol, define_id};
use quod_diag::Diagnostic;
use quod_verdict::CheckKind;

define_id! {
    pub struct LocationId = "l";
}
define_id! {
    /// A parameter, local variable or temporary of one function.
    pub struct LocalId = "v";
}
define_id! {
    /// A block scope of one function.
    pub struct ScopeId = "scope";
}
define_id! {
    /// A label of one function whose address is taken.
    pub struct LabelId = "label";
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub exprs: IdVec<ExprId, Expr>,
    pub places: IdVec<PlaceId, Place>,
    /// Parameters first, in order.
    pub locals: IdVec<LocalId, Local>,
    /// The function's outermost scope first; it holds the parameters.
    pub scopes: IdVec<ScopeId, Scope>,
    /// Entry first.
    pub locations: IdVec<LocationId, Location>,
    pub labels: IdVec<LabelId, LocationId>,
    pub loops: Vec<Loop>,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// `None` for temporaries.
    pub name: Option<Symbol>,
    pub ty: TypeId,
    pub scope: ScopeId,
    pub span: Span,
    pub is_parameter: bool,
    /// `&x` occurs, or a nested function uses it: it needs a memory object. Others may live in registers.
    pub is_address_taken: bool,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
    /// From `aligned(n)`, in bytes.
    pub alignment: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub span: Span,
    /// A nested function or a `$spawn`, `$run`, `$parfor` inside uses variables of this scope: each entry makes an
    /// instance that processes can share and that outlives its leaving.
    pub is_captured: bool,
}

/// A location and its out-edges.
#[derive(Clone, Debug)]
pub struct Location {
    pub control: Control,
    /// The operation: what a diagnostic underlines.
    pub span: Span,
    /// The full statement or declaration it belongs to: where a witness points.
    pub statement: Span,
}

#[derive(Clone, Debug)]
pub enum Control {
    Step {
        step: Step,
        next: LocationId,
    },
    Goto(LocationId),
    /// The condition has a scalar type. `keyword` is the place of `if`, `while`, `?` …
    Branch {
        condition: ExprId,
        then: LocationId,
        otherwise: LocationId,
        keyword: Span,
    },
    /// Ranges are inclusive and disjoint, compared in the type of `value`.
    Switch {
        value: ExprId,
        cases: Vec<SwitchCase>,
        default: LocationId,
        keyword: Span,
    },
    /// `goto *e`
    ComputedGoto(ExprId),
    /// CIVL-C `$when (guard) …`; the checks are asked each time the guard is evaluated, before it.
    When {
        guard: ExprId,
        checks: Vec<Check>,
        next: LocationId,
    },
    /// CIVL-C `$choose`: the default is enabled when no alternative is.
    Choose {
        alternatives: Vec<LocationId>,
        default: Option<LocationId>,
    },
    /// Leaves all scopes of the function.
    Return(Option<ExprId>),
    /// Control cannot get here: after a call of a function that does not return.
    Unreachable,
}

#[derive(Clone, Debug)]
pub struct SwitchCase {
    pub low: i128,
    pub high: i128,
    pub target: LocationId,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// `place = value`, of any type; the value has the place's type. Bit-fields truncate.
    Assign {
        place: PlaceId,
        value: ExprId,
    },
    /// Zero all bytes of the place (static storage, the rest of an initialised aggregate).
    Zero(PlaceId),
    Call(Call),
    /// Entering makes the scope's variables, uninitialised; leaving ends their lifetime.
    Enter(ScopeId),
    Leave(ScopeId),
    /// The declaration of a local is reached: its value becomes indeterminate; an array of variable length is made.
    Declare(LocalId),
    /// A check that `passes/checks` inserted: where `condition` is false, `kind` is violated.
    Check(Check),
    /// Executions where the condition is false do not exist (`$assume`, `__VERIFIER_assume`).
    Assume(ExprId),
    /// Any value of the place's type (`__VERIFIER_nondet_*`, `$havoc`, an input).
    Havoc {
        place: PlaceId,
        name: Option<Symbol>,
    },
    /// Inline assembly: outputs get unknown values; memory too, where it is clobbered.
    Assembly {
        text: Symbol,
        outputs: Vec<PlaceId>,
        inputs: Vec<ExprId>,
        clobbers_memory: bool,
    },
    /// A built-in with effects on state or control: `__builtin_va_start`, `alloca`, `__atomic_*`, `__sync_*`,
    /// `__builtin_add_overflow`, … with the name as written.
    Builtin {
        name: Symbol,
        arguments: Vec<ExprId>,
        types: Vec<TypeId>,
        result: Option<PlaceId>,
    },
    /// CIVL-C `$spawn f(…)`
    Spawn {
        callee: Callee,
        arguments: Vec<ExprId>,
        result: Option<PlaceId>,
    },
    /// `$atomic { … }` (`is_atom` false) or `$atom { … }`, also `$atomic_f` functions and `__VERIFIER_atomic_*`.
    AtomicBegin {
        is_atom: bool,
    },
    AtomicEnd {
        is_atom: bool,
    },
    /// `$for` over a domain: true in `has_next` and the next tuple in `variables`, from the iterator state `cursor`.
    DomainNext {
        domain: ExprId,
        cursor: PlaceId,
        variables: Vec<PlaceId>,
        has_next: PlaceId,
    },
    /// Code that is not supported: a failing check when it is reached.
    Unsupported(Box<Diagnostic>),
    Nop,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    /// Converted to the parameter types; the variable part after default promotions.
    pub arguments: Vec<ExprId>,
    /// Where the result goes, already of the result's type.
    pub result: Option<PlaceId>,
    pub closing_parenthesis: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Direct(FunctionId),
    /// A value of type pointer to function, and the function type that the call is made with.
    Indirect(ExprId, TypeId),
}

#[derive(Clone, Debug)]
pub struct Check {
    pub kind: CheckKind,
    pub condition: ExprId,
    /// A message that the program gave (`$assert(c, "…")`).
    pub message: Option<Symbol>,
    /// What the conversions of the message (`%d`) stand for: variables and constants.
    pub values: Vec<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Loop {
    /// `while`, `for`, `do`, or the label of a `goto` loop.
    pub keyword: Span,
    /// Where the controlling expression is evaluated, each time.
    pub head: LocationId,
    /// `$invariant(e)`: pure, over the state at the head.
    pub invariants: Vec<ExprId>,
    /// Contract comments (`//@ …`) before the loop, as written.
    pub annotations: Vec<Span>,
}

impl Control {
    /// The locations that control can go to, in order. A computed goto goes to any of `Body::labels`.
    pub fn for_each_successor(&self, visit: &mut dyn FnMut(LocationId)) {
        match self {
            Control::Step { next, .. } | Control::Goto(next) | Control::When { next, .. } => visit(*next),
            Control::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            Control::Switch { cases, default, .. } => {
                cases.iter().for_each(|case| visit(case.target));
                visit(*default);
            }
            Control::Choose { alternatives, default } => {
                alternatives.iter().for_each(|&alternative| visit(alternative));
                default.iter().for_each(|&default| visit(default));
            }
            Control::ComputedGoto(_) | Control::Return(_) | Control::Unreachable => {}
        }
    }
}
