//! The steps.

use super::place::Spot;
use super::{Builder, Home, size::Size};
use crate::code::{BuiltinSite, CallSite, Op, Operand, Passing, ResultTo, Target};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::{Id, Symbol};
use quod_model::ir::*;

impl<D: Domain> Builder<'_, D> {
    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Assign { place, value } => self.assign(*place, *value),
            Step::Zero(place) => self.zero_place(*place),
            Step::Call(call) => self.call(call),
            Step::Enter(scope) => self.enter_scope(*scope),
            Step::Leave(scope) => self.leave_scope(*scope),
            Step::Declare(local) => self.declare(*local),
            Step::Check(check) => self.check(check),
            Step::Assume(condition) => {
                let scalar = self.expr_scalar(*condition);
                let condition = self.expr(*condition);
                self.emit(Op::Assume { scalar, condition });
            }
            Step::Havoc { place, name } => self.havoc(*place, *name),
            Step::Assembly { outputs, text, .. } => {
                // An empty text computes nothing: `asm("" : "+r"(x))` keeps x. Others give values that nobody knows.
                if !outputs.is_empty() && !text.as_str().trim().is_empty() {
                    self.unsupported("inline assembly");
                }
            }
            Step::Builtin { name, arguments, types, result } => self.builtin(*name, arguments, types, *result),
            Step::Spawn { callee, arguments, result } => self.spawn(callee, arguments, *result),
            Step::AtomicBegin { is_atom } => {
                self.emit(Op::AtomicBegin { is_atom: *is_atom });
            }
            Step::AtomicEnd { is_atom } => {
                self.emit(Op::AtomicEnd { is_atom: *is_atom });
            }
            Step::DomainNext { domain, cursor, variables, has_next } => {
                self.domain_next(*domain, *cursor, variables, *has_next);
            }
            Step::Unsupported(diagnostic) => {
                self.code.unsupported.push((**diagnostic).clone());
                let index = self.code.unsupported.len() as u32 - 1;
                self.emit(Op::Unsupported { diagnostic: index });
            }
            Step::Nop => {
                self.emit(Op::Nop);
            }
        }
    }

    fn assign(&mut self, place: PlaceId, value: ExprId) {
        let ty = self.body.places[place].ty;
        if matches!(self.ty(ty), Type::Void) {
            return;
        }
        if self.scalar(ty).is_none() {
            if matches!(self.ty(ty), Type::Array { .. }) {
                self.assign_array(place, value);
                return;
            }
            if let Spot::Memory { base, offset, .. } = self.memory_place(place) {
                self.aggregate_into(value, base, offset);
            }
            return;
        }
        let spot = self.place(place);
        let want = match spot {
            Spot::Register { register, .. } => Some(register),
            Spot::Memory { .. } | Spot::Element { .. } => None,
        };
        let value = self.expr_to(value, want);
        self.store(spot, ty, value);
    }

    /// A global array of variable length gets its size where it is initialised.
    fn resize_global(&mut self, place: PlaceId) {
        let ty = self.body.places[place].ty;
        if !matches!(self.body.places[place].kind, PlaceKind::Variable(VariableRef::Global(_))) {
            return;
        }
        let Size::Dynamic(size) = self.size(ty) else { return };
        let (address, pointer, size_scalar) = (self.address(place), self.pointer(), self.size_scalar());
        let arguments = vec![
            crate::code::Argument { operand: address, passing: Passing::Scalar(pointer), ty },
            crate::code::Argument { operand: size, passing: Passing::Scalar(size_scalar), ty },
        ];
        self.emit_builtin(Symbol::intern("$resize_object"), arguments, vec![ty], ResultTo::Nothing, None);
        self.keep_rows(address, ty);
    }

    fn zero_place(&mut self, place: PlaceId) {
        self.resize_global(place);
        let ty = self.body.places[place].ty;
        match self.memory_place(place) {
            Spot::Element { .. } => {}
            spot @ Spot::Register { scalar, .. } => {
                let zero = self.zero(scalar);
                self.store(spot, ty, zero);
            }
            spot @ Spot::Memory { bits: Some(cell), .. } => {
                let zero = self.zero(cell.scalar);
                self.store(spot, ty, zero);
            }
            Spot::Memory { base, offset, .. } => {
                let to = self.offset(base, offset);
                match self.size(ty) {
                    Size::Fixed(size) => self.emit(Op::Fill { to, size }),
                    Size::Dynamic(size) => self.emit(Op::FillDynamic { to, size }),
                };
            }
        }
    }

    /// Writes a record, array, complex number or vector to an address.
    pub(super) fn aggregate_into(&mut self, value: ExprId, base: Operand, offset: i64) {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.aggregate_into_inner(value, base, offset));
    }

    fn aggregate_into_inner(&mut self, value: ExprId, base: Operand, offset: i64) {
        let expr = &self.body.exprs[value];
        match &expr.kind {
            ExprKind::Load(place) => {
                let from = self.address(*place);
                let to = self.offset(base, offset);
                match self.size(expr.ty) {
                    Size::Fixed(size) => self.emit(Op::Copy { to, from, size }),
                    Size::Dynamic(size) => self.emit(Op::CopyDynamic { to, from, size }),
                };
            }
            _ if self.lane_type(expr.ty).is_some() => {
                let Some(lanes) = self.lane_type(expr.ty) else { return };
                let parts = self.lanes(value);
                self.store_lanes(base, offset, lanes, &parts);
            }
            ExprKind::Aggregate(parts) => self.parts_into(parts, expr.ty, base, offset),
            ExprKind::Conditional { condition, then, otherwise } => {
                let (no, end) = (self.new_label(), self.new_label());
                let mark = self.known_order.len();
                self.branch(*condition, no);
                self.aggregate_into(*then, base, offset);
                self.emit(Op::Jump { target: end });
                self.forget_since(mark);
                self.place_label(no);
                self.aggregate_into(*otherwise, base, offset);
                self.forget_since(mark);
                self.place_label(end);
            }
            ExprKind::Convert(operand) => {
                if self.scalar(self.body.exprs[*operand].ty).is_some() {
                    self.unsupported("this conversion to a record or array");
                    return;
                }
                self.aggregate_into(*operand, base, offset);
            }
            ExprKind::Civl(civl) => {
                let to = self.offset(base, offset);
                self.civl_into(civl, expr.ty, to);
            }
            ExprKind::Builtin { name, arguments } => {
                let size = self.program.types.size_of(expr.ty).unwrap_or(0);
                let to = self.offset(base, offset);
                let (name, arguments, ty) = (*name, arguments.clone(), expr.ty);
                self.builtin_into(name, &arguments, ty, to, size);
            }
            _ => self.unsupported("this value of record or array type"),
        }
    }

    /// All scalar parts are evaluated before the first is written: the target may be one of the sources.
    fn parts_into(&mut self, parts: &[ExprId], ty: TypeId, base: Operand, offset: i64) {
        let mut stores = Vec::new();
        for (index, &part) in parts.iter().enumerate() {
            let Some((position, part_type, bits)) = self.part(ty, index) else {
                self.unsupported("an initialiser with too many parts");
                return;
            };
            let spot = Spot::Memory { base, offset: offset + position as i64, bits };
            if self.scalar(part_type).is_some() {
                let value = self.expr(part);
                stores.push((spot, part_type, value));
            } else {
                self.aggregate_into(part, base, offset + position as i64);
            }
        }
        for (spot, ty, value) in stores {
            self.store(spot, ty, value);
        }
    }

    /// Where the n-th part of an aggregate lies: byte offset, type, bit-field.
    fn part(&self, ty: TypeId, index: usize) -> Option<(u64, TypeId, Option<crate::scalar::BitCell>)> {
        let types = &self.program.types;
        match *self.ty(ty) {
            Type::Array { element, .. } => Some((types.size_of(element.ty)? * index as u64, element.ty, None)),
            Type::Record(id) => {
                let layout = types.record_layout(id)?;
                let field = types.records[id].fields.as_ref()?.get(index)?;
                let position = *layout.offsets.get(index)?;
                let bits = match field.bits {
                    Some(width) => Some(crate::scalar::BitCell {
                        scalar: self.scalar(field.ty.ty)?,
                        shift: (position % 8) as u8,
                        width: width as u8,
                    }),
                    None => None,
                };
                Some((position / 8, field.ty.ty, bits))
            }
            _ => None,
        }
    }

    fn target(&mut self, callee: &Callee) -> Target {
        match callee {
            Callee::Direct(function) => Target::Direct(*function),
            Callee::Indirect(pointer, ty) => Target::Indirect(self.expr(*pointer), *ty),
        }
    }

    /// Where a result goes, and the store that a register result still needs.
    fn result(&mut self, place: Option<PlaceId>) -> (ResultTo, Option<(Spot, TypeId, Operand)>) {
        let Some(place) = place else { return (ResultTo::Nothing, None) };
        let ty = self.body.places[place].ty;
        match (self.passing(ty), self.memory_place(place)) {
            (Some(Passing::Scalar(scalar)), Spot::Register { register, flag, .. }) => {
                self.set_flag(flag);
                (ResultTo::Register(register, scalar), None)
            }
            (Some(Passing::Scalar(scalar)), spot) => {
                let register = self.temporary();
                (ResultTo::Register(register, scalar), Some((spot, ty, Operand::register(register))))
            }
            (Some(Passing::Aggregate { size, .. }), Spot::Memory { base, offset, .. }) => {
                (ResultTo::Memory { address: self.offset(base, offset), size }, None)
            }
            _ => (ResultTo::Nothing, None),
        }
    }

    fn call(&mut self, call: &Call) {
        let target = self.target(&call.callee);
        let arguments = call.arguments.iter().map(|&argument| self.argument(argument)).collect();
        let (result, store) = self.result(call.result);
        let span = self.code.spans[self.location as usize];
        self.code.calls.push(CallSite { target, arguments, result, span });
        let site = self.code.calls.len() as u32 - 1;
        self.emit(Op::Call { site });
        if let Some((spot, ty, value)) = store {
            self.store(spot, ty, value);
        }
    }

    fn spawn(&mut self, callee: &Callee, arguments: &[ExprId], result: Option<PlaceId>) {
        let target = self.target(callee);
        let arguments = arguments.iter().map(|&argument| self.argument(argument)).collect();
        let (result, store) = self.result(result);
        let span = self.code.spans[self.location as usize];
        self.code.calls.push(CallSite { target, arguments, result, span });
        let site = self.code.calls.len() as u32 - 1;
        self.emit(Op::Spawn { site });
        if let Some((spot, ty, value)) = store {
            self.store(spot, ty, value);
        }
    }

    fn builtin(&mut self, name: Symbol, arguments: &[ExprId], types: &[TypeId], result: Option<PlaceId>) {
        let arguments = arguments.iter().map(|&argument| self.argument(argument)).collect();
        let result_type = result.map(|place| self.body.places[place].ty);
        let (result, store) = self.result(result);
        self.emit_builtin(name, arguments, types.to_vec(), result, result_type);
        if let Some((spot, ty, value)) = store {
            self.store(spot, ty, value);
        }
    }

    pub(super) fn emit_builtin(
        &mut self,
        name: Symbol,
        arguments: Vec<crate::code::Argument>,
        types: Vec<TypeId>,
        result: ResultTo,
        result_type: Option<TypeId>,
    ) {
        let span = self.code.spans.get(self.location as usize).copied().unwrap_or(quod_base::Span::NONE);
        self.code.builtins.push(BuiltinSite { name, arguments, types, result, result_type, span });
        let site = self.code.builtins.len() as u32 - 1;
        self.emit(Op::Builtin { site });
    }

    /// A built-in in an expression that looks at the state.
    pub(super) fn stateful_builtin(&mut self, name: Symbol, arguments: &[ExprId], id: ExprId) -> Operand {
        let arguments = arguments.iter().map(|&argument| self.argument(argument)).collect();
        let scalar = self.expr_scalar(id);
        let to = self.temporary();
        let ty = self.body.exprs[id].ty;
        self.emit_builtin(name, arguments, Vec::new(), ResultTo::Register(to, scalar), Some(ty));
        Operand::register(to)
    }

    pub(super) fn builtin_into(&mut self, name: Symbol, arguments: &[ExprId], ty: TypeId, to: Operand, size: u64) {
        let arguments = arguments.iter().map(|&argument| self.argument(argument)).collect();
        self.emit_builtin(name, arguments, Vec::new(), ResultTo::Memory { address: to, size }, Some(ty));
    }

    /// A built-in on operands that are already computed.
    pub(super) fn builtin_value(&mut self, name: &str, operands: &[(Operand, Scalar)], result: Scalar) -> Operand {
        let ty = TypeId::from_index(0);
        let arguments = operands
            .iter()
            .map(|&(operand, scalar)| crate::code::Argument { operand, passing: Passing::Scalar(scalar), ty })
            .collect();
        let to = self.temporary();
        self.emit_builtin(Symbol::intern(name), arguments, Vec::new(), ResultTo::Register(to, result), None);
        Operand::register(to)
    }

    /// Locals begin; parameters have begun with the call.
    pub(super) fn enter_scope(&mut self, scope: ScopeId) {
        if self.body.scopes[scope].is_captured {
            self.emit(Op::EnterScope { scope });
        }
        for local in self.locals_by_scope[scope.index()].clone() {
            if local.index() < self.code.parameters.len() {
                continue;
            }
            match self.homes[local.index()] {
                Home::Register { flag, .. } => self.clear_flag(flag),
                Home::Memory(index) => {
                    let ty = self.body.locals[local].ty;
                    if self.program.types.size_of(ty).is_some() || self.is_sequence(ty) {
                        self.emit(Op::Enter { local: index });
                    }
                }
            }
        }
    }

    /// `T a[]` as a variable: CIVL-C's sequence, which begins empty; and arrays whose rows have no length yet.
    fn is_sequence(&self, ty: TypeId) -> bool {
        self.is_unsized(ty)
    }

    fn has_object(&self, ty: TypeId) -> bool {
        self.program.types.size_of(ty).is_some() || self.is_sequence(ty)
    }

    fn leave_scope(&mut self, scope: ScopeId) {
        for local in self.locals_by_scope[scope.index()].clone() {
            if let Home::Memory(index) = self.homes[local.index()] {
                self.emit(Op::Leave { local: index });
            }
        }
        if self.body.scopes[scope].is_captured {
            self.emit(Op::LeaveScope { scope });
        }
    }

    fn clear_flag(&mut self, flag: Option<u32>) {
        if let Some(flag) = flag {
            let zero = self.constant(0, Scalar::Bool);
            self.emit(Op::Move { to: flag, from: zero });
        }
    }

    fn declare(&mut self, local: LocalId) {
        match self.homes[local.index()] {
            Home::Register { flag, .. } => self.clear_flag(flag),
            Home::Memory(index) => match self.size(self.body.locals[local].ty) {
                Size::Fixed(_) if !self.has_object(self.body.locals[local].ty) => {
                    self.unsupported("a record whose size is computed");
                }
                Size::Fixed(_) => {
                    self.emit(Op::Undefine { local: index });
                }
                Size::Dynamic(size) => {
                    self.emit(Op::EnterDynamic { local: index, size });
                    let base = Operand::register(self.code.memory_locals[index as usize].register);
                    self.keep_rows(base, self.body.locals[local].ty);
                }
            },
        }
    }

    fn havoc(&mut self, place: PlaceId, name: Option<Symbol>) {
        let ty = self.body.places[place].ty;
        let Some(scalar) = self.scalar(ty) else {
            self.resize_global(place);
            let address = self.address(place);
            let scalar = self.pointer();
            let argument = crate::code::Argument { operand: address, passing: Passing::Scalar(scalar), ty };
            let name = Symbol::intern("$havoc_object");
            self.emit_builtin(name, vec![argument], vec![ty], ResultTo::Nothing, None);
            return;
        };
        let to = self.temporary();
        self.emit(Op::Havoc { to, scalar, name });
        let spot = self.place(place);
        self.store(spot, ty, Operand::register(to));
    }
}
