//! Operands whose order C leaves open, and that change a variable which the other one reads or changes: `i++ + i`,
//! `f(i++, i++)`, `a[i] = i++`, `i = i++`. Such a program may do anything. Only variables that are named are looked at;
//! `passes/order.rs` has what called functions do.

use super::super::Lowerer;
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, BinaryOp as B, ExprKind as E, UnaryOp as U};
use quod_verdict::CheckKind;

/// Expressions that are looked at in one unit; behind that operands count as evaluated from left to right.
const MOST_LOOKED_AT: u32 = 1 << 22;

/// The variables that an expression reads and changes; false with those of a part that may be left out.
#[derive(Default)]
struct Effects {
    reads: Vec<(Symbol, bool)>,
    writes: Vec<(Symbol, bool)>,
    /// Those that may be changed after the value is known.
    trailing: Vec<(Symbol, bool)>,
    /// Conditions around what is collected.
    conditions: u32,
}

/// A variable that is changed in no order with another access; true where both always happen.
type Conflict = (Symbol, bool);

impl Effects {
    fn conflict(&self, other: &Self) -> Option<Conflict> {
        let shared = |writes: &[(Symbol, bool)], other: &Self| {
            let others = || other.reads.iter().chain(&other.writes);
            let pairs = writes.iter().flat_map(|write| others().map(move |access| (write, access)));
            pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| (a.0, a.1 && b.1)).max_by_key(|found| found.1)
        };
        shared(&self.writes, other).or_else(|| shared(&other.writes, self))
    }

    fn add(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.trailing.extend(other.trailing);
    }
}

impl Lowerer<'_> {
    /// Where the operands of an expression are in each other's way, reaching it is an error.
    pub(super) fn sequence(&mut self, expr: ast::ExprId) {
        let is_asked = matches!(self.unit[expr].kind, E::Binary { .. } | E::Index { .. } | E::Assign { .. });
        if !is_asked || !self.is_order_open() || !self.has_effects(expr) {
            return;
        }
        if let Some(conflict) = self.unsequenced(expr) {
            self.in_no_order(conflict, self.unit[expr].span);
        }
    }

    /// The same for the arguments of a call.
    pub(crate) fn sequence_arguments(&mut self, arguments: ast::List<ast::ExprId>, span: Span) {
        let unit = self.unit;
        if arguments.len() < 2 || !self.is_order_open() || !unit.list(arguments).any(|each| self.changes(each)) {
            return;
        }
        let mut before = Effects::default();
        for argument in unit.list(arguments) {
            let effects = self.variables(argument);
            if let Some(conflict) = before.conflict(&effects) {
                return self.in_no_order(conflict, span);
            }
            before.add(effects);
        }
    }

    /// CIVL-C evaluates from left to right.
    fn is_order_open(&self) -> bool {
        !self.is_civl() && self.active != 0 && self.pure_depth == 0
    }

    fn in_no_order(&mut self, (name, is_certain): Conflict, span: Span) {
        if is_certain {
            let text = format!("`{name}` is changed, and read or changed again, in no order");
            let condition = self.int_value(0, self.known.int, span);
            let (kind, message) = (CheckKind::Unsequenced, Some(Symbol::intern(&text)));
            self.b().emit(Step::Check(Check { kind, condition, message, values: Vec::new() }), span);
        }
        let diagnostic = Diagnostic::error(codes::UNSUPPORTED, "an unsequenced modification is not supported")
            .label(span, format!("C leaves open what `{name}` is here"));
        self.b().emit(Step::Unsupported(Box::new(diagnostic)), span);
    }

    fn unsequenced(&mut self, expr: ast::ExprId) -> Option<Conflict> {
        let unit = self.unit;
        match unit[expr].kind {
            E::Binary { op: B::LogicalAnd | B::LogicalOr, .. } => None,
            E::Binary { left, right, .. } | E::Index { base: left, index: right } => {
                if !self.changes(left) && !self.changes(right) {
                    return None;
                }
                self.variables(left).conflict(&self.variables(right))
            }
            E::Assign { target, value, .. } => {
                if !self.changes(target) && !self.changes(value) {
                    return None;
                }
                let value = self.variables(value);
                match unit[unit.without_parentheses(target)].kind {
                    E::Identifier(name) => {
                        let own = value.trailing.iter().copied().filter(|(changed, _)| *changed == name);
                        own.max_by_key(|found| found.1)
                    }
                    _ => self.variables(target).conflict(&value),
                }
            }
            _ => None,
        }
    }

    /// Some variable may be changed in the expression itself.
    fn changes(&mut self, expr: ast::ExprId) -> bool {
        self.has_effects(expr) && !self.variables(expr).writes.is_empty()
    }

    fn variables(&mut self, expr: ast::ExprId) -> Effects {
        let mut effects = Effects::default();
        self.collect(expr, &mut effects);
        effects
    }

    /// Something that is done before the value of what is around it is known.
    fn collect_before(&mut self, expr: ast::ExprId, effects: &mut Effects) {
        let trailing = effects.trailing.len();
        self.collect(expr, effects);
        effects.trailing.truncate(trailing);
    }

    fn collect(&mut self, expr: ast::ExprId, effects: &mut Effects) {
        if self.sequenced_count < MOST_LOOKED_AT {
            self.sequenced_count += 1;
            stacker::maybe_grow(32 << 10, 1 << 20, || self.collect_inner(expr, effects));
        }
    }

    fn collect_inner(&mut self, expr: ast::ExprId, effects: &mut Effects) {
        let unit = self.unit;
        let named = |expr: ast::ExprId| match unit[unit.without_parentheses(expr)].kind {
            E::Identifier(name) => Some(name),
            _ => None,
        };
        let is_certain = effects.conditions == 0;
        match unit[expr].kind {
            E::Identifier(name) => effects.reads.push((name, is_certain)),
            E::Parenthesized(inner) | E::Cast { operand: inner, .. } | E::Member { base: inner, .. } => {
                self.collect(inner, effects);
            }
            E::Unary { op: U::AddressOf, operand, .. } if named(operand).is_some() => {}
            E::Unary { op, operand, .. } => {
                self.collect(operand, effects);
                if matches!(op, U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement) {
                    let changed = named(operand).map(|name| (name, is_certain));
                    effects.writes.extend(changed);
                    effects.trailing.extend(changed);
                }
            }
            E::Comma { left, right, .. } => {
                self.collect_before(left, effects);
                self.collect(right, effects);
            }
            E::Binary { op: B::LogicalAnd | B::LogicalOr, left, right, .. } => {
                self.collect_before(left, effects);
                effects.conditions += 1;
                self.collect(right, effects);
                effects.conditions -= 1;
            }
            E::Binary { left, right, .. } | E::Index { base: left, index: right } => {
                self.collect(left, effects);
                self.collect(right, effects);
            }
            E::Assign { op, target, value, .. } => {
                self.collect(value, effects);
                match named(target) {
                    Some(name) => {
                        effects.writes.push((name, is_certain));
                        effects.reads.extend(op.map(|_| (name, is_certain)));
                    }
                    None => self.collect(target, effects),
                }
            }
            E::Conditional { condition, then, otherwise, .. } => {
                self.collect_before(condition, effects);
                effects.conditions += 1;
                then.into_iter().chain([otherwise]).for_each(|way| self.collect(way, effects));
                effects.conditions -= 1;
            }
            E::Call { callee, arguments, .. } => {
                self.collect_before(callee, effects);
                unit.list(arguments).for_each(|argument| self.collect_before(argument, effects));
            }
            // What is not evaluated, or has an order of its own.
            _ => {}
        }
    }
}
