//! Rewrite rules: every constructor runs the rules of its operator, in order, before it interns.
//!
//! A rule is a named item that says what it matches and what it makes; `tests/rules.rs` exercises each against the
//! evaluator and fails for a rule that random terms never reach. Rules look at the top few nodes of their arguments, which
//! are in normal form already, so that no rule recurses into a term.
//!
//! Integer and real operators are put into the standard form by `standard/`, which is one algorithm rather than rules.

mod array;
mod boolean;
mod bv_bits;
mod bv_define;
mod bv_linear;
mod bv_order;
mod bv_shift;
mod collection;
mod equality;
mod float;
mod ite;
mod table;

use crate::build::Application;
use crate::op::{OPERATORS, Op};
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use std::sync::LazyLock;

/// A rewrite rule for applications of one operator.
pub struct Rule {
    pub name: &'static str,
    pub op: Op,
    /// The pattern, in SMT-LIB's words.
    pub matches: &'static str,
    pub result: &'static str,
    apply: fn(&TermPool, &Application<'_>) -> Option<Term>,
}

/// `name: Op, "match" => "result", |pool, application| …;` for each rule.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident: $op:ident, $matches:literal => $result:literal, $apply:expr;)*) => {
        pub(super) static RULES: &[$crate::rules::Rule] = &[$($crate::rules::Rule {
            name: stringify!($name),
            op: $crate::op::Op::$op,
            matches: $matches,
            result: $result,
            apply: $apply,
        }),*];
    };
}
pub(crate) use rules;

/// All rules, in the order in which they are tried.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        bv_define::RULES,
        boolean::RULES,
        equality::RULES,
        ite::RULES,
        table::RULES,
        bv_bits::RULES,
        bv_shift::RULES,
        bv_linear::RULES,
        bv_order::RULES,
        array::RULES,
        float::RULES,
        collection::RULES,
    ]
    .into_iter()
    .flatten()
}

static BY_OP: LazyLock<Vec<Vec<&'static Rule>>> = LazyLock::new(|| {
    let mut table = vec![Vec::new(); OPERATORS.len()];
    for rule in all() {
        table[rule.op as usize].push(rule);
    }
    table
});

pub(crate) fn rewrite(pool: &TermPool, application: &Application<'_>) -> Option<Term> {
    BY_OP[application.op as usize].iter().find_map(|rule| (rule.apply)(pool, application))
}

impl Rule {
    /// What the rule makes of `op` applied to `args`, or `None` where it does not match.
    pub fn apply(&self, pool: &TermPool, payload: &Payload, args: &[Term], sort: Sort) -> Option<Term> {
        (self.apply)(pool, &Application { op: self.op, payload, args, sort })
    }
}
