//! Where C leaves the order of evaluation open and it matters: `f(next(), next())`, `count + next()`. The model evaluates
//! from left to right, compilers do as they like; what is found for one order says nothing about the other.
//!
//! Two operands conflict where the functions that one calls write what the other reads or writes: the same global
//! variable, or memory of the same type through pointers, or a variable whose address is taken and such memory. What a
//! function writes into memory that it has just allocated does not count; functions that are defined nowhere have no effects
//! here.

use crate::ir::*;
use quod_diag::{Diagnostic, codes};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that can be read and written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Target {
    Global(GlobalId),
    /// What a pointer leads to, by its type; `char` is in everything.
    Memory(TypeId),
    /// A part of a variable, by its type, that pointers may lead to.
    Named(TypeId),
}

#[derive(Clone, Debug, Default)]
struct Effects {
    reads: FxHashSet<Target>,
    writes: FxHashSet<Target>,
    calls: FxHashSet<FunctionId>,
    /// A call through a pointer may be one of any function whose address is taken.
    is_indirect: bool,
}

/// Makes every place where the order matters one that is not supported; says how many there are.
pub fn doubt_order(program: &mut Program) -> usize {
    // CIVL-C evaluates from left to right.
    if program.arithmetic != Arithmetic::Machine {
        return 0;
    }
    let pointed = pointed(program);
    let mut analysis = Analysis { program, direct: FxHashMap::default(), taken: None, pointed: &pointed };
    let mut found: Vec<(FunctionId, LocationId)> = Vec::new();
    for id in program.functions.ids() {
        if let Some(body) = &program.functions[id].body {
            found.extend(analysis.conflicts(body).into_iter().map(|location| (id, location)));
        }
    }
    for &(function, location) in &found {
        let Some(body) = program.functions[function].body.as_mut() else { continue };
        let (span, statement) = (body.locations[location].span, body.locations[location].statement);
        let control = std::mem::replace(&mut body.locations[location].control, Control::Unreachable);
        let next = body.locations.push(Location { control, span, statement });
        let diagnostic = Diagnostic::error(codes::UNSUPPORTED, "the order of these calls is not supported")
            .label(span, "C leaves open which operand is evaluated first, and it matters");
        let step = Step::Unsupported(Box::new(diagnostic));
        body.locations[location].control = Control::Step { step, next };
    }
    found.len()
}

struct Analysis<'p> {
    program: &'p Program,
    direct: FxHashMap<FunctionId, Effects>,
    taken: Option<Vec<FunctionId>>,
    /// Global variables whose address is taken.
    pointed: &'p FxHashSet<GlobalId>,
}

impl Analysis<'_> {
    /// The steps of a body with operands that conflict.
    fn conflicts(&mut self, body: &Body) -> Vec<LocationId> {
        let made = Made::new(body, self.pointed);
        if made.calls.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (location, at) in body.locations.iter_enumerated() {
            let roots = roots(&at.control);
            let mut effects = Effects::default();
            let mut seen = FxHashSet::default();
            roots.iter().for_each(|&root| made.sources(body, root, &mut effects, &mut seen));
            if effects.calls.is_empty() && !effects.is_indirect {
                continue;
            }
            let groups = operand_groups(body, &at.control, roots);
            let is_open = groups.iter().any(|operands| self.is_open(body, &made, operands));
            if is_open {
                found.push(location);
            }
        }
        found
    }

    fn is_open(&mut self, body: &Body, made: &Made, operands: &[ExprId]) -> bool {
        let mut sources: Vec<Effects> = Vec::with_capacity(operands.len());
        for &operand in operands {
            let mut effects = Effects::default();
            let mut seen = FxHashSet::default();
            made.sources(body, Part::Expr(operand), &mut effects, &mut seen);
            sources.push(effects);
        }
        if sources.iter().all(|effects| effects.calls.is_empty() && !effects.is_indirect) {
            return false;
        }
        let all: Vec<Effects> = sources.into_iter().map(|effects| self.closed(effects)).collect();
        all.iter().enumerate().any(|(at, one)| all[at + 1..].iter().any(|other| self.conflict(one, other)))
    }

    fn conflict(&self, one: &Effects, other: &Effects) -> bool {
        // `char` is in everything.
        let bytes = |ty: TypeId, among: &FxHashSet<Target>, has_names: bool| {
            among.iter().any(|other| match *other {
                Target::Memory(other) => self.is_byte(ty) || self.is_byte(other),
                Target::Named(other) => has_names && (self.is_byte(ty) || self.is_byte(other)),
                Target::Global(_) => false,
            })
        };
        let meets = |target: &Target, among: &FxHashSet<Target>| match *target {
            Target::Global(_) => among.contains(target),
            Target::Memory(ty) => {
                among.contains(target) || among.contains(&Target::Named(ty)) || bytes(ty, among, true)
            }
            Target::Named(ty) => among.contains(&Target::Memory(ty)) || bytes(ty, among, false),
        };
        let hits = |from: &Effects, to: &Effects| {
            from.writes.iter().any(|target| meets(target, &to.reads) || meets(target, &to.writes))
        };
        hits(one, other) || hits(other, one)
    }

    fn is_byte(&self, ty: TypeId) -> bool {
        matches!(self.program.types[ty], Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar))
    }

    /// With the effects of everything that is called.
    fn closed(&mut self, mut effects: Effects) -> Effects {
        let mut work: Vec<FunctionId> = effects.calls.iter().copied().collect();
        let mut seen: FxHashSet<FunctionId> = work.iter().copied().collect();
        if effects.is_indirect {
            work.extend(self.taken().iter().copied().filter(|&function| seen.insert(function)).collect::<Vec<_>>());
        }
        while let Some(function) = work.pop() {
            let direct = self.direct(function).clone();
            effects.reads.extend(direct.reads);
            effects.writes.extend(direct.writes);
            work.extend(direct.calls.into_iter().filter(|&function| seen.insert(function)));
            if direct.is_indirect {
                let taken = self.taken().to_vec();
                work.extend(taken.into_iter().filter(|&function| seen.insert(function)));
            }
        }
        effects
    }

    fn taken(&mut self) -> &[FunctionId] {
        let program = self.program;
        self.taken.get_or_insert_with(|| {
            let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
            let exprs = bodies.flat_map(|body| body.exprs.iter());
            exprs.filter_map(|expr| if let ExprKind::Function(id) = expr.kind { Some(id) } else { None }).collect()
        })
    }

    /// What a function's own steps do.
    fn direct(&mut self, function: FunctionId) -> &Effects {
        let (program, pointed) = (self.program, self.pointed);
        self.direct.entry(function).or_insert_with(|| {
            let mut effects = Effects::default();
            if let Some(body) = &program.functions[function].body {
                let fresh = Fresh::new(program, body);
                for place in body.exprs.iter().filter_map(|expr| match expr.kind {
                    ExprKind::Load(place) => Some(place),
                    _ => None,
                }) {
                    if !fresh.holds(body, place) {
                        effects.reads.extend(targets(body, place, pointed));
                    }
                }
                for location in body.locations.iter() {
                    let Control::Step { step, .. } = &location.control else { continue };
                    let written = match step {
                        Step::Assign { place, .. } | Step::Zero(place) | Step::Havoc { place, .. } => Some(*place),
                        Step::Builtin { result, .. } => *result,
                        Step::Call(call) => {
                            called(call, &mut effects);
                            call.result
                        }
                        _ => None,
                    };
                    if let Some(place) = written.filter(|&place| !fresh.holds(body, place)) {
                        effects.writes.extend(targets(body, place, pointed));
                    }
                }
            }
            effects
        })
    }
}

fn called(call: &Call, effects: &mut Effects) {
    match call.callee {
        Callee::Direct(function) => drop(effects.calls.insert(function)),
        Callee::Indirect(..) => effects.is_indirect = true,
    }
}

/// What a place is a part of that is not the function's own.
fn targets(body: &Body, mut place: PlaceId, pointed: &FxHashSet<GlobalId>) -> impl Iterator<Item = Target> + use<> {
    let ty = body.places[place].ty;
    let named = |is_pointed: bool| is_pointed.then_some(Target::Named(ty));
    let found = loop {
        break match body.places[place].kind {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
                place = base;
                continue;
            }
            PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                place = base;
                continue;
            }
            PlaceKind::Variable(VariableRef::Global(id)) => [Some(Target::Global(id)), named(pointed.contains(&id))],
            PlaceKind::Deref(_) => [Some(Target::Memory(ty)), None],
            PlaceKind::Variable(_) | PlaceKind::Temporary(_) | PlaceKind::String(_) => [None, None],
        };
    };
    found.into_iter().flatten()
}

/// A part of a variable of this function that pointers may lead to.
fn named_local(body: &Body, place: PlaceId) -> Option<Target> {
    let is_taken = |id: LocalId| body.locals[id].is_address_taken;
    match body.places[place].kind {
        PlaceKind::Variable(VariableRef::Local(id)) => is_taken(id).then_some(Target::Named(body.places[place].ty)),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
            named_local(body, base).map(|_| Target::Named(body.places[place].ty))
        }
        _ => None,
    }
}

fn pointed(program: &Program) -> FxHashSet<GlobalId> {
    let mut pointed = FxHashSet::default();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for expr in body.exprs.iter() {
            let ExprKind::AddressOf(mut place) = expr.kind else { continue };
            while let PlaceKind::Field(base, _) | PlaceKind::Index(base, _) = body.places[place].kind {
                place = base;
            }
            if let PlaceKind::Variable(VariableRef::Global(id)) = body.places[place].kind {
                pointed.insert(id);
            }
        }
    }
    pointed
}

/// Locals that only ever point to what the function itself has allocated: nobody else looks there meanwhile.
struct Fresh(FxHashSet<LocalId>);

impl Fresh {
    const ALLOCATING: &[&str] = &["malloc", "calloc", "alloca", "__builtin_alloca", "aligned_alloc"];

    fn new(program: &Program, body: &Body) -> Self {
        let mut fresh = Fresh(FxHashSet::default());
        // A copy of a copy needs a second look.
        for _ in 0..3 {
            let (mut good, mut bad) = (FxHashSet::default(), FxHashSet::default());
            for location in body.locations.iter() {
                let (place, is_fresh) = match &location.control {
                    Control::Step { step: Step::Call(call), .. } => {
                        let is_allocating = matches!(call.callee, Callee::Direct(function)
                            if program.functions[function].body.is_none()
                                && Self::ALLOCATING.contains(&program.functions[function].name.as_str()));
                        (call.result, is_allocating)
                    }
                    Control::Step { step: Step::Assign { place, value }, .. } => {
                        (Some(*place), fresh.is_pointed_to(body, *value))
                    }
                    _ => continue,
                };
                if let Some(local) = place.and_then(|place| local(body, place)) {
                    if is_fresh {
                        good.insert(local)
                    } else {
                        bad.insert(local)
                    };
                }
            }
            good.retain(|local| {
                let declared = &body.locals[*local];
                !bad.contains(local) && !declared.is_address_taken && !declared.is_parameter
            });
            fresh.0 = good;
        }
        fresh
    }

    /// Whether the value is a pointer from such a local.
    fn is_pointed_to(&self, body: &Body, mut value: ExprId) -> bool {
        loop {
            match body.exprs[value].kind {
                ExprKind::Convert(inner) | ExprKind::PointerAdd { pointer: inner, .. } => value = inner,
                ExprKind::Load(place) => return local(body, place).is_some_and(|local| self.0.contains(&local)),
                _ => return false,
            }
        }
    }

    /// Whether the place lies in such an object.
    fn holds(&self, body: &Body, mut place: PlaceId) -> bool {
        loop {
            match body.places[place].kind {
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                PlaceKind::Deref(pointer) => return self.is_pointed_to(body, pointer),
                _ => return false,
            }
        }
    }
}

fn local(body: &Body, place: PlaceId) -> Option<LocalId> {
    match body.places[place].kind {
        PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => Some(local),
        _ => None,
    }
}

/// What a step evaluates.
fn roots(control: &Control) -> Vec<Part> {
    let mut roots: Vec<Part> = Vec::new();
    match control {
        Control::Step { step: Step::Call(call), .. } => {
            roots.extend(call.arguments.iter().map(|&argument| Part::Expr(argument)));
        }
        Control::Step { step: Step::Assign { place, value }, .. } => {
            roots.extend([Part::Place(*place), Part::Expr(*value)])
        }
        Control::Branch { condition, .. } => roots.push(Part::Expr(*condition)),
        Control::Return(Some(value)) => roots.push(Part::Expr(*value)),
        _ => {}
    }
    roots
}

/// Operands without an order between them, of one step.
fn operand_groups(body: &Body, control: &Control, mut roots: Vec<Part>) -> Vec<Vec<ExprId>> {
    let mut groups = Vec::new();
    if let Control::Step { step: Step::Call(call), .. } = control {
        groups.push(call.arguments.clone());
    }
    while let Some(part) = roots.pop() {
        match part {
            Part::Expr(id) => {
                let kind = &body.exprs[id].kind;
                if let ExprKind::Binary(_, left, right) = kind {
                    groups.push(vec![*left, *right]);
                }
                kind.for_each_part(&mut |part| roots.push(part));
            }
            Part::Place(place) => match body.places[place].kind {
                PlaceKind::Deref(pointer) => roots.push(Part::Expr(pointer)),
                PlaceKind::Index(base, index) => roots.extend([Part::Place(base), Part::Expr(index)]),
                PlaceKind::Field(base, _) => roots.push(Part::Place(base)),
                _ => {}
            },
        }
    }
    groups.retain(|operands| operands.len() > 1);
    groups
}

/// How hidden locals get their values: by calls, and by copies of other values.
struct Made<'b> {
    pointed: &'b FxHashSet<GlobalId>,
    calls: FxHashMap<LocalId, Vec<&'b Call>>,
    copies: FxHashMap<LocalId, Vec<ExprId>>,
}

impl<'b> Made<'b> {
    fn new(body: &'b Body, pointed: &'b FxHashSet<GlobalId>) -> Self {
        let mut made = Made { pointed, calls: FxHashMap::default(), copies: FxHashMap::default() };
        for location in body.locations.iter() {
            match &location.control {
                Control::Step { step: Step::Call(call), .. } => {
                    if let Some(local) = call.result.and_then(|place| hidden(body, place)) {
                        made.calls.entry(local).or_default().push(call);
                    }
                }
                Control::Step { step: Step::Assign { place, value }, .. } => {
                    if let Some(local) = hidden(body, *place) {
                        made.copies.entry(local).or_default().push(*value);
                    }
                }
                _ => {}
            }
        }
        made
    }

    /// What evaluating a part reads and calls, through hidden locals.
    fn sources(&self, body: &Body, part: Part, effects: &mut Effects, seen: &mut FxHashSet<LocalId>) {
        let mut work = vec![part];
        while let Some(part) = work.pop() {
            match part {
                Part::Expr(id) => {
                    if let ExprKind::Load(place) = body.exprs[id].kind {
                        effects.reads.extend(targets(body, place, self.pointed));
                        effects.reads.extend(named_local(body, place));
                        if let Some(local) = hidden(body, place).filter(|&local| seen.insert(local)) {
                            work.extend(self.copies.get(&local).into_iter().flatten().map(|&value| Part::Expr(value)));
                            for call in self.calls.get(&local).into_iter().flatten() {
                                called(call, effects);
                                work.extend(call.arguments.iter().map(|&argument| Part::Expr(argument)));
                            }
                        }
                    }
                    body.exprs[id].kind.for_each_part(&mut |part| work.push(part));
                }
                Part::Place(place) => match body.places[place].kind {
                    PlaceKind::Deref(pointer) => work.push(Part::Expr(pointer)),
                    PlaceKind::Index(base, index) => work.extend([Part::Place(base), Part::Expr(index)]),
                    PlaceKind::Field(base, _) => work.push(Part::Place(base)),
                    _ => {}
                },
            }
        }
    }
}

/// The local without a name that a place is.
fn hidden(body: &Body, place: PlaceId) -> Option<LocalId> {
    match body.places[place].kind {
        PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => {
            body.locals[local].name.is_none().then_some(local)
        }
        _ => None,
    }
}
