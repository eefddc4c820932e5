//! Decodes a body of the model once into the compact code that the executor runs.
//!
//! Locations are laid out so that the usual successor follows directly. A run of checks and the step that they guard
//! share their operands: an expression that a check has evaluated is not evaluated again.

mod check;
mod civl;
mod control;
mod expr;
mod lanes;
mod place;
mod region;
mod rows;
mod size;
mod step;

pub(crate) use expr::{LABEL_BASE, LABEL_STEP};

use crate::code::{Argument, Code, MemoryLocal, Op, Operand, Parameter, Passing, Register};
use crate::domain::Domain;
use crate::scalar::{Cell, Scalar};
use crate::state::Statics;
use quod_base::Id;
use quod_diag::{Diagnostic, codes};
use quod_model::ir::*;
use rustc_hash::FxHashMap;

/// A jump target that gets its position later. The first labels are the locations'.
type Label = u32;

/// Where a local lives.
#[derive(Copy, Clone, Debug)]
enum Home {
    /// A register, and the register that says whether it was set, where someone asks.
    Register { register: Register, scalar: Scalar, flag: Option<Register> },
    /// An object; the index into `memory_locals`.
    Memory(u32),
}

struct Builder<'a, D: Domain> {
    program: &'a Program,
    function: FunctionId,
    body: &'a Body,
    domain: &'a mut D,
    statics: &'a Statics<D::Value>,
    code: Code<D>,
    homes: Vec<Home>,
    labels: Vec<Option<u32>>,
    /// Values of expressions that were computed in this run of checks, in order of computation.
    known: FxHashMap<ExprId, Operand>,
    known_order: Vec<ExprId>,
    first_temporary: Register,
    next_temporary: Register,
    constants: FxHashMap<(i128, Scalar), Operand>,
    location: u32,
    /// The next op starts a move.
    is_start: bool,
    predecessors: Vec<u32>,
    /// Where failed checks report, laid out behind everything else: label, label to go on at, check, location.
    failures: Vec<(Label, Label, u32, u32)>,
    locals_by_scope: Vec<Vec<LocalId>>,
    /// The elements that are at present meant by expressions such as `a[1 .. 3]`: the register with the index.
    regions: FxHashMap<ExprId, (Register, Scalar)>,
    /// Ranges that were checked in this run.
    done: Vec<(Operand, Operand, Operand, bool)>,
    /// Results that checks of this run have computed.
    results: Vec<(BinaryOp, Scalar, Operand, Operand, Register)>,
}

/// The program asks what it reads and writes: every variable then has a place in memory.
pub(crate) fn collects_sets(program: &Program) -> bool {
    program.functions.iter().any(|function| matches!(function.name.as_str(), "$read_set_push" | "$write_set_push"))
}

/// Variables of quantifiers and of `$lambda`, which are in no memory.
fn bound_locals(body: &Body) -> Vec<LocalId> {
    let mut all = Vec::new();
    for expr in body.exprs.iter() {
        match &expr.kind {
            ExprKind::Civl(CivlExpr::Quantified { bound, .. }) => all.extend(bound.iter().map(|bound| bound.variable)),
            ExprKind::Civl(CivlExpr::Lambda { bound, .. }) => all.push(*bound),
            _ => {}
        }
    }
    all
}

/// The prepared code of a function with a body.
pub(crate) fn prepare<D: Domain>(
    program: &Program,
    function: FunctionId,
    domain: &mut D,
    statics: &Statics<D::Value>,
) -> Option<Code<D>> {
    let body = program.functions[function].body.as_ref()?;
    let mut builder = Builder::new(program, function, body, domain, statics);
    builder.assign_homes();
    builder.prologue();
    builder.lay_out();
    Some(builder.finish())
}

impl<'a, D: Domain> Builder<'a, D> {
    fn new(
        program: &'a Program,
        function: FunctionId,
        body: &'a Body,
        domain: &'a mut D,
        statics: &'a Statics<D::Value>,
    ) -> Self {
        let code = Code {
            function,
            ops: Vec::new(),
            locations: Vec::new(),
            starts: Vec::new(),
            guards: Vec::new(),
            constants: Vec::new(),
            register_count: 0,
            local_count: 0,
            hidden_locals: Vec::new(),
            parameters: Vec::new(),
            memory_locals: Vec::new(),
            register_locals: Vec::new(),
            questions: Vec::new(),
            checks: Vec::new(),
            calls: Vec::new(),
            builtins: Vec::new(),
            numerics: Vec::new(),
            quantifiers: Vec::new(),
            switches: Vec::new(),
            chooses: Vec::new(),
            unsupported: Vec::new(),
            labels: Vec::new(),
            spans: body.locations.iter().map(|location| location.span).collect(),
            is_variadic: false,
            result: None,
            flow: std::cell::OnceCell::new(),
            accesses: std::cell::OnceCell::new(),
            own_locals: Vec::new(),
        };
        Self {
            program,
            function,
            body,
            domain,
            statics,
            code,
            homes: Vec::new(),
            labels: vec![None; body.locations.len()],
            known: FxHashMap::default(),
            known_order: Vec::new(),
            first_temporary: 0,
            next_temporary: 0,
            constants: FxHashMap::default(),
            location: 0,
            is_start: true,
            predecessors: control::predecessors(body),
            failures: Vec::new(),
            locals_by_scope: locals_by_scope(body),
            regions: FxHashMap::default(),
            done: Vec::new(),
            results: Vec::new(),
        }
    }

    fn ty(&self, ty: TypeId) -> &'a Type {
        self.program.types.get(ty)
    }

    fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(&self.program.types, self.program.arithmetic, ty)
    }

    fn pointer(&self) -> Scalar {
        Scalar::pointer(self.program.types.data_model)
    }

    /// The kind of `int`.
    fn int(&self) -> Scalar {
        Scalar::of_int(self.program.types.data_model, self.program.arithmetic, IntKind::Int)
    }

    fn cell(&self, scalar: Scalar, ty: TypeId) -> Cell {
        Cell { scalar, size: self.program.types.size_of(ty).unwrap_or(1).min(255) as u8 }
    }

    /// Locals get registers or objects; parameters arrive in the first registers.
    fn assign_homes(&mut self) {
        let function_type = match *self.ty(self.program.functions[self.function].ty) {
            Type::Function(id) => Some(&self.program.types.functions[id]),
            _ => None,
        };
        let parameter_count = self.body.locals.iter().take_while(|local| local.is_parameter).count();
        self.code.is_variadic = function_type.is_some_and(|ty| ty.is_variadic);
        self.code.result = function_type.and_then(|ty| self.passing(ty.result));
        // Registers 0.. are the arguments as they arrive.
        let mut next = parameter_count as Register;
        let asked = check::asked_locals(self.body);
        let is_recorded = collects_sets(self.program);
        let bound = if is_recorded { bound_locals(self.body) } else { Vec::new() };
        for (id, local) in self.body.locals.iter_enumerated() {
            let is_parameter = id.index() < parameter_count;
            let is_named = is_recorded && local.name.is_some() && !bound.contains(&id);
            let scalar = self.scalar(local.ty).filter(|_| !local.is_address_taken && !is_named);
            if is_parameter {
                let passing = self.passing(local.ty).unwrap_or(Passing::Scalar(Scalar::I32));
                self.code.parameters.push(Parameter { passing, ty: local.ty });
            }
            let home = match scalar {
                Some(scalar) => {
                    let register = if is_parameter { id.index() as Register } else { bump(&mut next) };
                    let flag = (asked.contains(&id) && !is_parameter).then(|| bump(&mut next));
                    self.code.register_locals.push((id, register, scalar));
                    if local.name.is_none() && !is_parameter {
                        self.code.hidden_locals.push(register);
                    }
                    Home::Register { register, scalar, flag }
                }
                None => {
                    let natural = self.program.types.preferred_alignment(local.ty).unwrap_or(16);
                    let scope = &self.body.scopes[local.scope];
                    if !local.is_address_taken && !scope.is_captured {
                        self.code.own_locals.push(next);
                    }
                    self.code.memory_locals.push(MemoryLocal {
                        local: Some(id),
                        register: bump(&mut next),
                        size: self.program.types.size_of(local.ty).unwrap_or(0),
                        alignment: local.alignment.unwrap_or(1).max(natural),
                        name: local.name,
                        span: local.span,
                        captured: scope.is_captured.then_some(local.scope),
                    });
                    Home::Memory(self.code.memory_locals.len() as u32 - 1)
                }
            };
            self.homes.push(home);
        }
        self.first_temporary = next;
        self.next_temporary = next;
        self.code.register_count = next;
        self.code.local_count = next;
    }

    /// How a value of the type goes into a call; `None` for `void` and types without a size.
    fn passing(&self, ty: TypeId) -> Option<Passing> {
        if let Some(scalar) = self.scalar(ty) {
            return Some(Passing::Scalar(scalar));
        }
        if matches!(self.ty(ty), Type::Void) {
            return None;
        }
        let size = self.program.types.size_of(ty)?;
        Some(Passing::Aggregate { size, alignment: self.program.types.preferred_alignment(ty).unwrap_or(1) })
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.locations.push(self.location);
        self.code.starts.push(std::mem::replace(&mut self.is_start, false));
        self.code.ops.len() - 1
    }

    fn temporary(&mut self) -> Register {
        let register = bump(&mut self.next_temporary);
        self.code.register_count = self.code.register_count.max(self.next_temporary);
        register
    }

    fn new_label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() as Label - 1
    }

    fn place_label(&mut self, label: Label) {
        self.labels[label as usize] = Some(self.code.ops.len() as u32);
    }

    /// A jump may lead to the end of the code: what stands before it is not always executed.
    fn is_labelled(&self) -> bool {
        let end = Some(self.code.ops.len() as u32);
        self.labels.iter().rev().take(64).any(|position| *position == end)
    }

    fn constant(&mut self, value: i128, scalar: Scalar) -> Operand {
        if let Some(&operand) = self.constants.get(&(value, scalar)) {
            return operand;
        }
        let value_ = self.domain.integer(value, scalar);
        let operand = self.constant_value(value_);
        self.constants.insert((value, scalar), operand);
        operand
    }

    fn constant_value(&mut self, value: D::Value) -> Operand {
        self.code.constants.push(value);
        Operand::constant(self.code.constants.len() as u32 - 1)
    }

    /// The value of a constant operand.
    fn constant_of(&self, operand: Operand) -> Option<&D::Value> {
        operand.is_constant().then(|| &self.code.constants[(operand.0 & !Operand::CONSTANT) as usize])
    }

    /// What the code cannot do stops it when it is reached.
    fn unsupported(&mut self, what: &str) {
        let span = self.code.spans.get(self.location as usize).copied().unwrap_or(quod_base::Span::NONE);
        let diagnostic = Diagnostic::error(codes::UNSUPPORTED, format!("{what} is not supported"))
            .label(span, "execution reaches this");
        self.code.unsupported.push(diagnostic);
        let index = self.code.unsupported.len() as u32 - 1;
        self.emit(Op::Unsupported { diagnostic: index });
    }

    /// `unsupported` where a value is expected.
    fn unsupported_value(&mut self, what: &str) -> Operand {
        self.unsupported(what);
        let int = self.int();
        self.constant(0, int)
    }

    /// A hidden object of the frame.
    fn scratch(&mut self, size: u64, alignment: u64) -> Operand {
        // Scratch objects outlive the run of temporaries: they get a register of their own, which no temporary has used
        // before, for what is left in it would be taken for the object.
        let register = bump(&mut self.code.register_count);
        self.first_temporary = register + 1;
        self.next_temporary = register + 1;
        self.code.memory_locals.push(MemoryLocal {
            local: None,
            register,
            size,
            alignment,
            name: None,
            span: quod_base::Span::NONE,
            captured: None,
        });
        let local = self.code.memory_locals.len() as u32 - 1;
        self.emit(Op::Enter { local });
        Operand::register(register)
    }

    fn argument(&mut self, expr: ExprId) -> Argument {
        let ty = self.body.exprs[expr].ty;
        match self.passing(ty) {
            Some(Passing::Scalar(scalar)) => {
                let ty = self.type_before_void(expr);
                Argument { operand: self.expr(expr), passing: Passing::Scalar(scalar), ty }
            }
            Some(passing) => Argument { operand: self.aggregate_address(expr), passing, ty },
            None => {
                if !matches!(self.ty(ty), Type::Void) {
                    self.unsupported("an argument of incomplete type");
                }
                let int = self.int();
                Argument { operand: self.constant(0, int), passing: Passing::Scalar(int), ty }
            }
        }
    }

    /// The type of a pointer as it was before it became a `void *`: functions on whole objects look at it.
    fn type_before_void(&self, expr: ExprId) -> TypeId {
        let found = &self.body.exprs[expr];
        let points_to = |ty: TypeId| match self.ty(ty) {
            Type::Pointer(pointee) => Some(pointee.ty),
            _ => None,
        };
        match found.kind {
            ExprKind::Convert(inner)
                if points_to(found.ty).is_some_and(|ty| matches!(self.ty(ty), Type::Void))
                    && points_to(self.body.exprs[inner].ty).is_some() =>
            {
                self.body.exprs[inner].ty
            }
            _ => found.ty,
        }
    }

    /// Parameters that need objects are copied into them; locals of scopes that nobody enters begin here.
    fn prologue(&mut self) {
        for index in 0..self.code.parameters.len() {
            let Home::Memory(local) = self.homes[index] else { continue };
            self.emit(Op::Enter { local });
            let target = Operand::register(self.code.memory_locals[local as usize].register);
            let parameter = self.code.parameters[index].clone();
            let from = Operand::register(index as Register);
            match parameter.passing {
                Passing::Scalar(scalar) => {
                    let cell = self.cell(scalar, parameter.ty);
                    self.emit(Op::Store { pointer: target, offset: 0, cell, value: from });
                }
                Passing::Aggregate { size, .. } => {
                    self.emit(Op::Copy { to: target, from, size });
                }
            }
        }
        let entered = control::entered_scopes(self.body);
        for scope in self.body.scopes.ids() {
            if !entered.contains(&scope) {
                self.enter_scope(scope);
            }
        }
    }

    fn finish(mut self) -> Code<D> {
        let mut code = self.code;
        let labels = std::mem::take(&mut self.labels);
        let resolve = |label: &mut u32| *label = labels.get(*label as usize).copied().flatten().unwrap_or(0);
        for op in &mut code.ops {
            match op {
                Op::Jump { target } => resolve(target),
                Op::Branch { otherwise, .. }
                | Op::CompareBranch { otherwise, .. }
                | Op::CompareBranchInt { otherwise, .. } => resolve(otherwise),
                Op::When { start, .. } => resolve(start),
                Op::CheckFailed { resume, .. } => resolve(resume),
                _ => {}
            }
        }
        for site in &mut code.quantifiers {
            resolve(&mut site.body);
            resolve(&mut site.next);
            resolve(&mut site.end);
        }
        for table in &mut code.switches {
            table.cases.iter_mut().for_each(|case| resolve(&mut case.2));
            resolve(&mut table.default);
            table.make_dense();
        }
        for table in &mut code.chooses {
            table.alternatives.iter_mut().for_each(resolve);
            table.default.iter_mut().for_each(resolve);
            resolve(&mut table.start);
        }
        code.labels = self.body.labels.iter().map(|location| labels[location.index()].unwrap_or(0)).collect();
        code
    }
}

fn bump(next: &mut Register) -> Register {
    *next += 1;
    *next - 1
}

fn locals_by_scope(body: &Body) -> Vec<Vec<LocalId>> {
    let mut lists = vec![Vec::new(); body.scopes.len()];
    for (id, local) in body.locals.iter_enumerated() {
        if let Some(list) = lists.get_mut(local.scope.index()) {
            list.push(id);
        }
    }
    lists
}
