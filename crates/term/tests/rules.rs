//! Every rewrite rule against the evaluator: random applications of each operator are built until every rule of it has
//! matched often enough; the result must have the value of the application under random assignments. A rule that is never
//! reached fails, too.

mod common;

use common::Generator;
use common::instances::{Instance, instances};
use quod_term::{Op, Payload, TermPool, eval, evaluate, rules};

/// Matches that each rule must see.
const MATCHES: usize = 8;
const ATTEMPTS: usize = 30_000;

#[test]
fn every_rule_keeps_the_value() {
    let mut unreached = Vec::new();
    for op in Op::all() {
        let taken =
            instances(op, Generator::new(op as u64 + 1), (MATCHES, ATTEMPTS), &mut |pool, instance, generator| {
                check(pool, instance, generator);
                true
            });
        unreached.extend(taken.iter().filter(|(_, count)| *count == 0).map(|(rule, _)| rule.name));
    }
    assert!(unreached.is_empty(), "rules that no random term reaches: {unreached:?}");
}

fn check(pool: &TermPool, instance: &Instance<'_>, generator: &mut Generator) {
    let Instance { rule, payload, args, sort, result } = *instance;
    assert_eq!(pool.sort(result), sort, "{}: sort of the result", rule.name);
    for _ in 0..3 {
        let assignment = generator.assignment(pool, args);
        let values: Option<Vec<_>> = args.iter().map(|&arg| evaluate(pool, arg, &assignment)).collect();
        let expected = values.and_then(|values| eval::apply(rule.op, payload, sort, &values));
        let found = evaluate(pool, result, &assignment);
        if expected.is_none() || expected != found {
            let args: Vec<String> = args.iter().map(|&arg| pool.display(arg).to_string()).collect();
            panic!(
                "{}: {:?} {payload:?} {args:#?}\nbecomes {}\nexpected {expected:?}, found {found:?}\nunder {assignment:?}",
                rule.name,
                rule.op,
                pool.display(result)
            );
        }
    }
}

/// The same for whole terms: what a constructor makes of an application has the value of the application. This covers the
/// standard form of integers and reals, and every operator.
#[test]
fn every_constructor_keeps_the_value() {
    for op in Op::all() {
        let mut generator = Generator::new(1_000 + op as u64);
        let mut pool = TermPool::new();
        for attempt in 0..400 {
            if attempt % 100 == 0 {
                pool = TermPool::new();
                generator.forget();
            }
            let Some((payload, args, sort)) = generator.application(&pool, op) else { break };
            let made = match payload {
                Payload::Exponent(exponent) => pool.power(args[0], exponent),
                Payload::Indices(i, j) => pool.make(op, (i, j), &args, Some(sort)).expect("well sorted"),
                _ => pool.make(op, (0, 0), &args, Some(sort)).expect("well sorted"),
            };
            assert_eq!(pool.sort(made), sort);
            let assignment = generator.assignment(&pool, &args);
            let values: Vec<_> =
                args.iter().map(|&arg| evaluate(&pool, arg, &assignment).expect("the arguments have values")).collect();
            let expected = eval::apply(op, &payload, sort, &values);
            assert!(expected.is_some(), "no value of {op:?} {payload:?} {values:?}");
            let found = evaluate(&pool, made, &assignment);
            let args = || args.iter().map(|&arg| pool.display(arg).to_string()).collect::<Vec<_>>();
            assert_eq!(
                expected,
                found,
                "{op:?} {payload:?} {:#?} becomes {}\nunder {assignment:?}",
                args(),
                pool.display(made)
            );
        }
    }
}

#[test]
fn derived_operators_never_occur() {
    for op in Op::all().filter(|op| op.info().is_derived) {
        let mut generator = Generator::new(7 + op as u64);
        let pool = TermPool::new();
        for _ in 0..50 {
            let Some((payload, args, sort)) = generator.application(&pool, op) else { break };
            let indices = if let Payload::Indices(i, j) = payload { (i, j) } else { (0, 0) };
            let made = pool.make(op, indices, &args, Some(sort)).expect("well sorted");
            let occurring = pool.subterms(&[made]).into_iter().find(|&term| pool.op(term).info().is_derived);
            assert!(occurring.is_none(), "{op:?} in {}", pool.display(made));
        }
    }
}

#[test]
fn rules_are_documented_and_named_once() {
    let mut names: Vec<&str> = rules::all().map(|rule| rule.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(rules::all().all(|rule| !rule.matches.is_empty() && !rule.result.is_empty()));
}
