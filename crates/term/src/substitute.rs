//! Substitution, without recursion on terms.
//!
//! Replaced terms are rebuilt through the constructors, so results are in normal form. Bound variables are terms of
//! their own (`binder.rs`), so a free symbol in a replacement is never captured.

use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use rustc_hash::FxHashMap;

impl TermPool {
    /// The term with each key replaced by its value, everywhere at once. Keys are usually symbols, but any term will do.
    pub fn substitute(&self, term: Term, map: &FxHashMap<Term, Term>) -> Term {
        if map.is_empty() {
            return term;
        }
        // A replacement with binders inside changes the levels of binders around it: those are opened and closed again.
        let opens = map.values().any(|&value| self.binder_height(value) > 0);
        self.replace(&[term], map, opens)[0]
    }

    /// `let`: the body with each variable replaced by its value.
    pub fn let_in(&self, bindings: &[(Term, Term)], body: Term) -> Term {
        self.substitute(body, &bindings.iter().copied().collect())
    }

    /// Replaces in several terms; without `opens` goes straight through binders.
    pub(crate) fn replace(&self, terms: &[Term], map: &FxHashMap<Term, Term>, opens: bool) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = map.clone();
        let mut work: Vec<(Term, bool)> = terms.iter().rev().map(|&term| (term, false)).collect();
        while let Some((term, is_ready)) = work.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let args = self.args(term);
            if args.is_empty() {
                done.insert(term, term);
                continue;
            }
            if opens && self.op(term).is_binder() {
                let replaced = stacker::maybe_grow(1 << 16, 1 << 20, || self.replace_opened(term, map));
                done.insert(term, replaced);
                continue;
            }
            if !is_ready {
                work.push((term, true));
                work.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let changed: Vec<Term> = args.iter().map(|arg| done[arg]).collect();
            let replaced = if changed == args { term } else { self.rebuild(term, &changed) };
            done.insert(term, replaced);
        }
        terms.iter().map(|term| done[term]).collect()
    }

    fn replace_opened(&self, binder: Term, map: &FxHashMap<Term, Term>) -> Term {
        let opened = self.open(binder);
        let replaced = self.replace(&opened.parts, map, true);
        if replaced == opened.parts {
            binder
        } else {
            self.close(self.op(binder), &opened.variables, &replaced, &opened.triggers)
        }
    }

    /// The same operator and payload on other arguments of the same sorts.
    pub fn rebuild(&self, term: Term, args: &[Term]) -> Term {
        let (op, payload, sort) = (self.op(term), self.payload(term), self.sort(term));
        if op.is_binder() {
            return self.rebuild_binder(op, payload, args, sort);
        }
        if op == Op::Apply {
            return self.intern(op, payload.clone(), args, sort);
        }
        if let Payload::Exponent(exponent) = payload {
            return self.power(args[0], *exponent);
        }
        self.build(&Application { op, payload, args, sort })
    }
}
