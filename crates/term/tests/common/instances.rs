//! Random applications that rewrite rules match.

use super::Generator;
use quod_term::rules::{self, Rule};
use quod_term::{Op, Payload, Sort, Term, TermPool};

/// An application, the rule that matched it, and what that made of it.
pub struct Instance<'a> {
    pub rule: &'static Rule,
    pub payload: &'a Payload,
    pub args: &'a [Term],
    pub sort: Sort,
    pub result: Term,
}

/// Shows instances of the operator's rules until `take` has taken so many of each, or for so many attempts; gives how many
/// of each it took. Rules are tried in order, as the constructors do: a rule may rely on those before it.
pub fn instances(
    op: Op,
    mut generator: Generator,
    (wanted, attempts): (usize, usize),
    take: &mut dyn FnMut(&TermPool, &Instance<'_>, &mut Generator) -> bool,
) -> Vec<(&'static Rule, usize)> {
    let mut taken: Vec<(&'static Rule, usize)> =
        rules::all().filter(|rule| rule.op == op).map(|rule| (rule, 0)).collect();
    let mut pool = TermPool::new();
    for attempt in 0..attempts {
        if taken.iter().all(|(_, count)| *count >= wanted) {
            break;
        }
        if attempt % 1_000 == 0 {
            pool = TermPool::new();
            generator.forget();
        }
        let Some((payload, args, sort)) = generator.application(&pool, op) else { continue };
        for (rule, count) in &mut taken {
            if let Some(result) = rule.apply(&pool, &payload, &args, sort) {
                let instance = Instance { rule, payload: &payload, args: &args, sort, result };
                *count += usize::from(*count < 3 * wanted && take(&pool, &instance, &mut generator));
                break;
            }
        }
    }
    taken
}
