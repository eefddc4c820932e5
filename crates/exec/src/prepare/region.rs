//! Pointers as sets of memory locations: `&x`, and `&a[1 .. 3][0 .. n]`, which are loops over the elements.

use super::Builder;
use crate::code::{Op, Operand, Register};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_model::ir::*;

impl<D: Domain> Builder<'_, D> {
    /// A pointer as the set of what it points to.
    pub(super) fn memory_set(&mut self, operand: ExprId) -> Operand {
        match *self.ty(self.body.exprs[operand].ty) {
            Type::Pointer(_) => {}
            Type::Memory => return self.expr(operand),
            _ => return self.unsupported_value("this set of memory locations"),
        }
        let regions = self.regions_in(operand);
        if regions.is_empty() {
            return self.set_of(operand);
        }
        let result = self.temporary();
        let empty = self.constant(0, Scalar::Handle);
        self.emit(Op::Move { to: result, from: empty });
        match self.each_element(&regions, operand, result) {
            Ok(()) => Operand::register(result),
            Err(what) => self.unsupported_value(what),
        }
    }

    fn set_of(&mut self, operand: ExprId) -> Operand {
        let target = match *self.ty(self.body.exprs[operand].ty) {
            Type::Pointer(target) => target.ty,
            _ => return self.unsupported_value("this set of memory locations"),
        };
        let pointer = (self.expr(operand), self.pointer());
        let size = self.size(target);
        let size = (self.size_operand(size), self.size_scalar());
        self.builtin_value("$mem_of", &[pointer, size], Scalar::Handle)
    }

    /// Adds what the pointer leads to, for each element of these ranges.
    fn each_element(&mut self, regions: &[ExprId], operand: ExprId, result: Register) -> Result<(), &'static str> {
        let Some((&region, rest)) = regions.split_first() else {
            let set = (self.set_of(operand), Scalar::Handle);
            let joined =
                self.builtin_value("$mem_join", &[(Operand::register(result), Scalar::Handle), set], Scalar::Handle);
            self.emit(Op::Move { to: result, from: joined });
            return Ok(());
        };
        let range = match &self.body.exprs[region].kind {
            ExprKind::Civl(CivlExpr::Library { arguments, .. }) => arguments.get(1).copied(),
            _ => None,
        };
        let range = range.map(|range| &self.body.exprs[range].kind);
        let Some(ExprKind::Civl(CivlExpr::Range { low, high, step: None })) = range else {
            return Err("elements of this range as a set of memory locations");
        };
        let scalar = self.expr_scalar(*low);
        let from = self.expr_scalar(*high);
        let (low, high) = (self.expr(*low), self.expr(*high));
        let high = self.converted(high, from, scalar, None);
        let register = self.temporary();
        self.emit(Op::Move { to: register, from: low });
        let (head, end) = (self.new_label(), self.new_label());
        let mark = self.known_order.len();
        self.place_label(head);
        let left = Operand::register(register);
        self.emit(Op::CompareBranch { op: BinaryOp::LessEqual, scalar, left, right: high, otherwise: end });
        self.regions.insert(region, (register, scalar));
        let inside = self.each_element(rest, operand, result);
        self.regions.remove(&region);
        self.forget_since(mark);
        let one = self.constant(1, scalar);
        self.emit(Op::Binary { op: BinaryOp::Add, scalar, to: register, left, right: one });
        self.emit(Op::Jump { target: head });
        self.place_label(end);
        inside
    }

    /// The element of `p + (a .. b)` that is meant at present.
    pub(super) fn region_element(&mut self, id: ExprId, arguments: &[ExprId]) -> Operand {
        let (Some(&(register, scalar)), Some(&pointer)) = (self.regions.get(&id), arguments.first()) else {
            return self.unsupported_value("a range of elements that is no set of memory locations");
        };
        let element = match *self.ty(self.body.exprs[id].ty) {
            Type::Pointer(target) => self.size(target.ty),
            _ => return self.unsupported_value("this range of elements"),
        };
        let base = self.expr(pointer);
        self.index(base, Operand::register(register), scalar, element)
    }

    /// The ranges of elements in a pointer, the outermost first.
    fn regions_in(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut work = vec![Part::Expr(root)];
        while let Some(part) = work.pop() {
            match part {
                Part::Expr(expr) => {
                    let kind = &self.body.exprs[expr].kind;
                    if matches!(kind, ExprKind::Civl(CivlExpr::Library { name, .. }) if name.as_str() == "$region")
                        && !found.contains(&expr)
                    {
                        found.push(expr);
                    }
                    kind.for_each_part(&mut |part| work.push(part));
                }
                Part::Place(place) => match self.body.places[place].kind {
                    PlaceKind::Index(array, index) => work.extend([Part::Place(array), Part::Expr(index)]),
                    PlaceKind::Deref(pointer) => work.push(Part::Expr(pointer)),
                    PlaceKind::Field(place, _) | PlaceKind::RealPart(place) | PlaceKind::ImaginaryPart(place) => {
                        work.push(Part::Place(place));
                    }
                    PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => {}
                },
            }
        }
        found
    }
}
