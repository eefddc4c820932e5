//! The validator: what every model must satisfy, whoever made it. It runs after lowering and after each pass in debug
//! builds, and on models read from text.
//!
//! Ids are in range; operands have the types that the operators want; control goes to locations that exist.

use crate::ir::*;
use quod_base::{Id, IdVec};

/// A broken rule and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model is not well formed{}: {message}", place(.function, .location))]
pub struct Fault {
    pub function: Option<FunctionId>,
    pub location: Option<LocationId>,
    pub message: String,
}

fn place(function: &Option<FunctionId>, location: &Option<LocationId>) -> String {
    let function = function.map_or(String::new(), |id| format!(" in {id}"));
    let location = location.map_or(String::new(), |id| format!(" at {id}"));
    function + &location
}

pub fn validate(program: &Program) -> Result<(), Fault> {
    let fault = |message: String| Fault { function: None, location: None, message };
    validate_types(program).map_err(fault)?;
    let functions = program.main.iter().chain([&program.initialiser]).chain(&program.invariants);
    for &function in functions {
        exists(&program.functions, function).map_err(fault)?;
    }
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        let mut checker = Checker { program, body, function: id, location: None };
        checker.body().map_err(|message| Fault { function: Some(id), location: checker.location, message })?;
    }
    Ok(())
}

type Checked = Result<(), String>;

fn exists<I: Id, T>(items: &IdVec<I, T>, id: I) -> Checked {
    if id.index() < items.len() { Ok(()) } else { Err(format!("{id:?} does not exist")) }
}

fn validate_types(program: &Program) -> Checked {
    let types = &program.types;
    for ty in types.types.iter() {
        match *ty {
            Type::Enum(id) => exists(&types.enums, id)?,
            Type::Record(id) => exists(&types.records, id)?,
            Type::Array { length: ArrayLength::Variable(LengthVariable::Global(global)), .. } => {
                exists(&program.globals, global)?;
            }
            Type::Array { length: ArrayLength::Variable(LengthVariable::Local { function, .. }), .. } => {
                exists(&program.functions, function)?;
            }
            _ => {}
        }
    }
    Ok(())
}

struct Checker<'p> {
    program: &'p Program,
    body: &'p Body,
    function: FunctionId,
    location: Option<LocationId>,
}

impl Checker<'_> {
    fn body(&mut self) -> Checked {
        let body = self.body;
        if body.locations.is_empty() || body.scopes.is_empty() {
            return Err("a body has an entry and a scope".into());
        }
        for (id, scope) in body.scopes.iter_enumerated() {
            if scope.parent.is_some_and(|parent| parent >= id) || (scope.parent.is_none() && id.index() != 0) {
                return Err(format!("{id} is not inside a scope before it"));
            }
        }
        let mut parameters_are_over = false;
        for local in body.locals.iter() {
            exists(&body.scopes, local.scope)?;
            if local.is_parameter && parameters_are_over {
                return Err("parameters come first".into());
            }
            parameters_are_over |= !local.is_parameter;
        }
        for &location in body.labels.iter().chain(body.loops.iter().map(|repeat| &repeat.head)) {
            exists(&body.locations, location)?;
        }
        // Parts stand before the whole, so no expression contains itself.
        for (id, expr) in body.exprs.iter_enumerated() {
            self.expr(id, expr)?;
        }
        for (id, place) in body.places.iter_enumerated() {
            self.place(id, place)?;
        }
        for (id, location) in body.locations.iter_enumerated() {
            self.location = Some(id);
            self.control(&location.control)?;
        }
        Ok(())
    }

    fn control(&self, control: &Control) -> Checked {
        let mut successors = Ok(());
        control.for_each_successor(&mut |next| {
            if successors.is_ok() {
                successors = exists(&self.body.locations, next);
            }
        });
        successors?;
        match control {
            Control::Step { step, .. } => self.step(step),
            Control::Branch { condition: value, .. } | Control::When { guard: value, .. } => self.scalar(*value),
            Control::Switch { value, cases, .. } => {
                exists(&self.body.exprs, *value)?;
                if cases.iter().any(|case| case.low > case.high) {
                    return Err("an empty range in a switch".into());
                }
                Ok(())
            }
            Control::ComputedGoto(target) => exists(&self.body.exprs, *target),
            Control::Return(value) => value.map_or(Ok(()), |value| exists(&self.body.exprs, value)),
            Control::Goto(_) | Control::Choose { .. } | Control::Unreachable => Ok(()),
        }
    }

    fn step(&self, step: &Step) -> Checked {
        match step {
            Step::Assign { place, value } => {
                exists(&self.body.places, *place)?;
                exists(&self.body.exprs, *value)?;
                let (to, from) = (self.body.places[*place].ty, self.body.exprs[*value].ty);
                if to == from { Ok(()) } else { Err("the sides of an assignment have different types".into()) }
            }
            Step::Zero(place) | Step::Havoc { place, .. } => exists(&self.body.places, *place),
            Step::Call(call) => self.call(&call.callee, &call.arguments, call.result),
            Step::Spawn { callee, arguments, result } => self.call(callee, arguments, *result),
            Step::Enter(scope) | Step::Leave(scope) => exists(&self.body.scopes, *scope),
            Step::Declare(local) => exists(&self.body.locals, *local),
            Step::Check(Check { condition, values, .. }) => {
                self.scalar(*condition)?;
                values.iter().try_for_each(|&value| self.scalar(value))
            }
            Step::Assume(condition) => self.scalar(*condition),
            Step::Assembly { outputs, inputs, .. } => {
                outputs.iter().try_for_each(|&output| exists(&self.body.places, output))?;
                self.exprs(inputs)
            }
            Step::Builtin { arguments, result, .. } => {
                self.exprs(arguments)?;
                result.map_or(Ok(()), |place| exists(&self.body.places, place))
            }
            Step::DomainNext { domain, cursor, variables, has_next } => {
                exists(&self.body.exprs, *domain)?;
                let places = variables.iter().chain([cursor, has_next]);
                places.copied().try_for_each(|place| exists(&self.body.places, place))
            }
            Step::AtomicBegin { .. } | Step::AtomicEnd { .. } | Step::Unsupported(_) | Step::Nop => Ok(()),
        }
    }

    fn call(&self, callee: &Callee, arguments: &[ExprId], result: Option<PlaceId>) -> Checked {
        let ty = match *callee {
            Callee::Direct(function) => {
                exists(&self.program.functions, function)?;
                self.program.functions[function].ty
            }
            Callee::Indirect(pointer, ty) => {
                exists(&self.body.exprs, pointer)?;
                ty
            }
        };
        self.exprs(arguments)?;
        result.map_or(Ok(()), |place| exists(&self.body.places, place))?;
        match self.program.types[ty] {
            Type::Function(_) | Type::Error => Ok(()),
            _ => Err("what is called is not a function".into()),
        }
    }

    fn exprs(&self, ids: &[ExprId]) -> Checked {
        ids.iter().try_for_each(|&id| exists(&self.body.exprs, id))
    }

    fn scalar(&self, id: ExprId) -> Checked {
        exists(&self.body.exprs, id)?;
        match self.program.types[self.body.exprs[id].ty] {
            Type::Record(_) | Type::Array { .. } | Type::Function(_) | Type::Void => {
                Err("a condition has a scalar type".into())
            }
            _ => Ok(()),
        }
    }

    fn expr(&self, id: ExprId, expr: &Expr) -> Checked {
        let program = self.program;
        match &expr.kind {
            ExprKind::Function(function) => exists(&program.functions, *function)?,
            ExprKind::Label { function, .. } => exists(&program.functions, *function)?,
            ExprKind::Civl(CivlExpr::Abstract { function, .. } | CivlExpr::Derivative { function, .. }) => {
                exists(&program.functions, *function)?
            }
            ExprKind::Civl(CivlExpr::Quantified { bound, .. }) => {
                bound.iter().try_for_each(|variable| exists(&self.body.locals, variable.variable))?;
            }
            ExprKind::Civl(CivlExpr::Lambda { bound, .. }) => exists(&self.body.locals, *bound)?,
            _ => {}
        }
        let mut outcome = Ok(());
        expr.kind.for_each_part(&mut |part| {
            if outcome.is_err() {
                return;
            }
            outcome = match part {
                Part::Expr(part) if part >= id => Err(format!("{id} uses {part}, which does not stand before it")),
                Part::Expr(_) => Ok(()),
                Part::Place(place) => exists(&self.body.places, place),
            };
        });
        outcome?;
        self.operand_types(expr)
    }

    fn operand_types(&self, expr: &Expr) -> Checked {
        let ty = |id: ExprId| self.body.exprs[id].ty;
        let is_error = |id: TypeId| matches!(self.program.types[id], Type::Error);
        let is_ok = match expr.kind {
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, left, _) => ty(left) == expr.ty,
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let is_pointer = |id| matches!(self.program.types[ty(id)], Type::Pointer(_));
                ty(left) == ty(right) || is_pointer(left) && is_pointer(right)
            }
            ExprKind::Binary(_, left, right) => ty(left) == expr.ty && ty(right) == expr.ty,
            ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, operand) => ty(operand) == expr.ty,
            ExprKind::Conditional { then, otherwise, .. } => ty(then) == expr.ty && ty(otherwise) == expr.ty,
            ExprKind::PointerAdd { pointer, .. } => matches!(self.program.types[ty(pointer)], Type::Pointer(_)),
            _ => true,
        };
        let mut has_error = is_error(expr.ty);
        expr.kind.for_each_part(&mut |part| {
            if let Part::Expr(part) = part {
                has_error |= is_error(ty(part));
            }
        });
        if is_ok || has_error { Ok(()) } else { Err(format!("operands have the wrong types in {:?}", expr.kind)) }
    }

    fn place(&self, id: PlaceId, place: &Place) -> Checked {
        match place.kind {
            PlaceKind::Variable(VariableRef::Global(global)) => exists(&self.program.globals, global),
            PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => {
                exists(&self.body.locals, local)
            }
            PlaceKind::Variable(VariableRef::Enclosing { levels, .. }) => {
                let mut function = self.function;
                for _ in 0..levels {
                    let parent = self.program.functions[function].parent;
                    function = parent.ok_or("there are not so many enclosing functions")?.0;
                    exists(&self.program.functions, function)?;
                }
                Ok(())
            }
            PlaceKind::String(string) => exists(&self.program.strings, string),
            PlaceKind::Deref(pointer) => exists(&self.body.exprs, pointer),
            PlaceKind::Field(base, index) => {
                self.before(id, base)?;
                let Type::Record(record) = self.program.types[self.body.places[base].ty] else {
                    return Err(format!("{id} is a member of what is no record"));
                };
                let fields = self.program.types.records[record].fields.as_ref();
                let count = fields.map_or(0, Vec::len);
                if (index as usize) < count { Ok(()) } else { Err(format!("{id} is a member that does not exist")) }
            }
            PlaceKind::Index(base, index) => {
                self.before(id, base)?;
                exists(&self.body.exprs, index)
            }
            PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => self.before(id, base),
        }
    }

    fn before(&self, id: PlaceId, base: PlaceId) -> Checked {
        if base < id { Ok(()) } else { Err(format!("{id} uses {base}, which does not stand before it")) }
    }
}
