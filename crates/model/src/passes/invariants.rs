//! `$invariant(e)` at file scope holds in every state: when `main` begins, and after each step that may change what several
//! processes can see, unless it stands inside of an atomic block; then when the outermost one ends.
//!
//! The check is a step of its own, in one piece. Another process may come before it; but the execution in which nobody does
//! is looked at as well, and there the check sees the state that the step has left.

use crate::ir::*;
use quod_base::{Id, Span, Symbol};
use quod_verdict::CheckKind;

/// The built-in that says whether the process is inside of an atomic block.
pub const IS_ATOMIC: &str = "$is_atomic";

/// Inserts the checks. Does nothing where the program has no such invariant.
pub fn insert(program: &mut Program) {
    if program.invariants.is_empty() {
        return;
    }
    let checker = checker(program);
    for id in program.functions.ids() {
        if id == checker || id == program.initialiser || program.invariants.contains(&id) {
            continue;
        }
        let Some(mut body) = program.functions[id].body.take() else { continue };
        let call = |span: Span, next: LocationId| {
            let call = Call {
                callee: Callee::Direct(checker),
                arguments: Vec::new(),
                result: None,
                closing_parenthesis: Span::NONE,
            };
            Location { control: Control::Step { step: Step::Call(call), next }, span, statement: span }
        };
        let places: Vec<LocationId> = body.locations.ids().collect();
        for at in places {
            let Control::Step { step, next } = &body.locations[at].control else { continue };
            if may_change(program, &body, step) {
                let (next, span) = (*next, body.locations[at].span);
                let check = body.locations.push(call(span, next));
                if let Control::Step { next, .. } = &mut body.locations[at].control {
                    *next = check;
                }
            }
        }
        let entry = LocationId::from_index(0);
        if program.main == Some(id) && !body.locations.is_empty() {
            let first = body.locations[entry].clone();
            let span = first.span;
            let first = body.locations.push(first);
            body.locations[entry] = call(span, first);
        }
        program.functions[id].body = Some(body);
    }
}

/// Whether a step can change something that does not belong to the function alone.
fn may_change(program: &Program, body: &Body, step: &Step) -> bool {
    match step {
        Step::Assign { place, .. } | Step::Zero(place) | Step::Havoc { place, .. } => !is_own(body, *place),
        Step::Call(call) => {
            let is_defined = match call.callee {
                Callee::Direct(callee) => program.functions[callee].body.is_some(),
                Callee::Indirect(..) => false,
            };
            !is_defined || call.result.is_some_and(|place| !is_own(body, place))
        }
        Step::Assembly { .. } | Step::Builtin { .. } | Step::AtomicEnd { .. } => true,
        Step::Spawn { result, .. } => result.is_some_and(|place| !is_own(body, place)),
        Step::DomainNext { .. }
        | Step::Enter(_)
        | Step::Leave(_)
        | Step::Declare(_)
        | Step::Check(_)
        | Step::Assume(_)
        | Step::AtomicBegin { .. }
        | Step::Unsupported(_)
        | Step::Nop => false,
    }
}

/// A variable of the function, or a part of it, that nobody else can get at.
fn is_own(body: &Body, mut place: PlaceId) -> bool {
    loop {
        match body.places[place].kind {
            PlaceKind::Variable(VariableRef::Local(local)) => return !body.locals[local].is_address_taken,
            PlaceKind::Temporary(_) => return true,
            PlaceKind::Field(of, _) | PlaceKind::Index(of, _) => place = of,
            PlaceKind::RealPart(of) | PlaceKind::ImaginaryPart(of) => place = of,
            _ => return false,
        }
    }
}

/// A function that checks all invariants in one step.
fn checker(program: &mut Program) -> FunctionId {
    let int = program.types.intern(Type::Int(IntKind::Int));
    let void = program.types.intern(Type::Void);
    let ty = program.types.intern_function(FunctionType {
        result: void,
        parameters: Vec::new(),
        is_variadic: false,
        has_prototype: true,
    });
    let mut body = Body::default();
    let scope = body.scopes.push(Scope { parent: None, span: Span::NONE, is_captured: false });
    let mut code = Code { body, int, scope };
    let (place, value) = code.temporary(Span::NONE);
    let name = Symbol::intern(IS_ATOMIC);
    let question = Step::Builtin { name, arguments: Vec::new(), types: vec![int], result: Some(place) };
    code.step(question, Span::NONE);
    let branch =
        code.body.locations.push(Location { control: Control::Unreachable, span: Span::NONE, statement: Span::NONE });
    code.step(Step::AtomicBegin { is_atom: true }, Span::NONE);
    for &invariant in &program.invariants {
        let span = program.functions[invariant].span;
        let (place, condition) = code.temporary(span);
        let call = Call {
            callee: Callee::Direct(invariant),
            arguments: Vec::new(),
            result: Some(place),
            closing_parenthesis: Span::NONE,
        };
        code.step(Step::Call(call), span);
        code.step(Step::Check(Check { kind: CheckKind::Contract, condition, message: None, values: Vec::new() }), span);
    }
    code.step(Step::AtomicEnd { is_atom: true }, Span::NONE);
    let end =
        code.body.locations.push(Location { control: Control::Return(None), span: Span::NONE, statement: Span::NONE });
    let otherwise = LocationId::from_index(branch.index() + 1);
    code.body.locations[branch].control =
        Control::Branch { condition: value, then: end, otherwise, keyword: Span::NONE };
    program.functions.push(Function {
        name: Symbol::intern("$invariants"),
        ty,
        span: Span::NONE,
        kind: FunctionKind::C,
        parent: None,
        is_noreturn: false,
        is_static: true,
        is_atomic: false,
        is_pure: false,
        annotations: Vec::new(),
        body: Some(code.body),
    })
}

/// A body that is written step after step.
struct Code {
    body: Body,
    int: TypeId,
    scope: ScopeId,
}

impl Code {
    fn step(&mut self, step: Step, span: Span) {
        let next = LocationId::from_index(self.body.locations.len() + 1);
        self.body.locations.push(Location { control: Control::Step { step, next }, span, statement: span });
    }

    /// A place of type `int`, and its value.
    fn temporary(&mut self, span: Span) -> (PlaceId, ExprId) {
        let ty = self.int;
        let local = self.body.locals.push(Local {
            name: None,
            ty,
            scope: self.scope,
            span,
            is_parameter: false,
            is_address_taken: false,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            alignment: None,
        });
        let kind = PlaceKind::Variable(VariableRef::Local(local));
        let place = self.body.places.push(Place { kind, ty, span });
        (place, self.body.exprs.push(Expr { kind: ExprKind::Load(place), ty, span }))
    }
}
