//! The printer. Shared subterms are named once, so that the text of a term is as long as its graph, and long chains are
//! cut into named pieces, so that no reader has to nest deeply.
//!
//! [`TermPool::display`] names with `let`; a [`Printer`] names with `define-fun` and remembers what it has defined, for a
//! script or a solver process that is fed term by term.

use super::quote;
use super::value::write_value;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::{Sort, SortKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// A chain longer than this is cut.
const NESTING: u32 = 64;

/// Names of subterms that are defined already.
#[derive(Default)]
pub struct Printer {
    names: FxHashMap<Term, String>,
    defined: usize,
}

impl Printer {
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends `define-fun`s for what is shared in `term` and not defined yet, and returns the text of the term. Free
    /// symbols are the caller's to declare.
    pub fn term(&mut self, pool: &TermPool, term: Term, definitions: &mut String) -> String {
        let named = shared(pool, term, None, |term| self.names.contains_key(&term));
        for part in named {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = write_term(pool, part, &mut self.names, &mut text);
            let name = format!(".d{}", self.defined);
            self.defined += 1;
            let _ = writeln!(definitions, "(define-fun {name} () {} {text})", pool.sort(part));
            self.names.insert(part, name);
        }
        let mut text = String::new();
        let _ = write_term(pool, term, &mut self.names, &mut text);
        text
    }
}

/// Declarations of the sorts, datatypes, functions and symbols of some terms.
pub fn declarations(pool: &TermPool, roots: &[Term]) -> String {
    let mut text = String::new();
    let terms = pool.subterms(roots);
    let mut sorts = FxHashSet::default();
    let mut work: Vec<Sort> = terms.iter().map(|&term| pool.sort(term)).collect();
    for &term in &terms {
        if let Payload::Binder { sorts, .. } = pool.payload(term) {
            work.extend(sorts.iter());
        }
    }
    let functions = pool.functions(roots);
    work.extend(functions.iter().flat_map(|function| function.domain.iter().copied().chain([function.range])));
    let (mut uninterpreted, mut datatypes) = (BTreeMap::new(), BTreeMap::new());
    while let Some(sort) = work.pop() {
        if !sorts.insert(sort) {
            continue;
        }
        match sort.kind() {
            SortKind::Uninterpreted(name, arguments) => {
                uninterpreted.insert(name.as_str(), arguments.len());
                work.extend(arguments);
            }
            SortKind::Datatype(id) => {
                datatypes.insert(id.name().as_str(), id);
                work.extend(
                    id.constructors().iter().flat_map(|constructor| constructor.fields.iter().map(|field| field.1)),
                );
            }
            SortKind::Array(a, b) | SortKind::Map(a, b) => work.extend([a, b]),
            SortKind::Seq(a) | SortKind::Set(a) | SortKind::Bag(a) | SortKind::FiniteArray(a) => work.push(a),
            SortKind::Tuple(parts) => work.extend(parts),
            _ => {}
        }
    }
    for (name, arity) in uninterpreted {
        let _ = writeln!(text, "(declare-sort {} {arity})", quote(name));
    }
    if !datatypes.is_empty() {
        // One group, because they may refer to each other.
        let names: Vec<String> = datatypes.keys().map(|name| format!("({} 0)", quote(name))).collect();
        let _ = write!(text, "(declare-datatypes ({}) (", names.join(" "));
        for id in datatypes.values() {
            text.push('(');
            for constructor in id.constructors() {
                let _ = write!(text, "({}", quote(constructor.name.as_str()));
                for (field, sort) in &constructor.fields {
                    let _ = write!(text, " ({} {sort})", quote(field.as_str()));
                }
                text.push(')');
            }
            text.push(')');
        }
        text.push_str("))\n");
    }
    for function in functions {
        let domain: Vec<String> = function.domain.iter().map(Sort::to_string).collect();
        let _ =
            writeln!(text, "(declare-fun {} ({}) {})", quote(function.name.as_str()), domain.join(" "), function.range);
    }
    let mut symbols = pool.free_symbols(roots);
    symbols.sort_by_key(|&symbol| pool.symbol_name(symbol).map(|name| name.as_str()));
    for symbol in symbols {
        let name = pool.symbol_name(symbol).map_or("?", |name| name.as_str());
        let _ = writeln!(text, "(declare-fun {} () {})", quote(name), pool.sort(symbol));
    }
    text
}

/// A whole script: declarations, assertions, `check-sat`.
pub fn script(pool: &TermPool, logic: Option<&str>, assertions: &[Term]) -> String {
    let mut text = String::new();
    if let Some(logic) = logic {
        let _ = writeln!(text, "(set-logic {logic})");
    }
    text.push_str(&declarations(pool, assertions));
    let mut printer = Printer::new();
    for &assertion in assertions {
        let body = printer.term(pool, assertion, &mut text);
        let _ = writeln!(text, "(assert {body})");
    }
    text.push_str("(check-sat)\n");
    text
}

/// A term as text, with `let` for what is shared.
pub struct Display<'a> {
    pool: &'a TermPool,
    term: Term,
}

impl TermPool {
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { pool: self, term }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut work = Vec::new();
        scope(self.pool, self.term, None, &FxHashMap::default(), &mut work);
        write_work(self.pool, work, &mut FxHashMap::default(), f)
    }
}

/// Leaves work that writes a term with `let`s for what its scope shares.
fn scope(pool: &TermPool, root: Term, level: Option<u32>, names: &FxHashMap<Term, String>, work: &mut Vec<Work>) {
    let named = shared(pool, root, level, |term| names.contains_key(&term));
    for &part in &named {
        work.push(Work::Unname(part));
        work.push(Work::Text(")"));
    }
    work.push(Work::Term(root));
    for (number, &part) in named.iter().enumerate().rev() {
        let name = match level {
            Some(level) => format!(".l{level}.{number}"),
            None => format!(".l{number}"),
        };
        work.push(Work::Text(")) "));
        work.push(Work::Name(part, name.clone()));
        work.push(Work::Inside(part));
        work.push(Work::Owned(format!("(let (({name} ")));
    }
}

/// For each subterm the levels of the variables that binders above it bind, as bits; levels from 63 share the last bit.
fn dangling_levels(pool: &TermPool, terms: &[Term]) -> FxHashMap<Term, u64> {
    let mut levels: FxHashMap<Term, u64> = FxHashMap::default();
    for &term in terms {
        let below = pool.args(term).iter().filter_map(|arg| levels.get(arg)).fold(0, |all, bits| all | bits);
        let bits = match pool.payload(term) {
            Payload::Variable { level, .. } => below | 1 << level.min(&63),
            Payload::Binder { level, .. } if *level < 63 => below & !(1 << level),
            _ => below,
        };
        if bits != 0 {
            levels.insert(term, bits);
        }
    }
    levels
}

/// The subterms to name in a scope, arguments first: those with several uses, and every so often one of a long chain.
/// `level` is that of the binder whose body it is; the scope names what no binder inside binds.
fn shared(pool: &TermPool, root: Term, level: Option<u32>, is_named: impl Fn(Term) -> bool) -> Vec<Term> {
    let terms = pool.subterms(&[root]);
    let levels = dangling_levels(pool, &terms);
    let inner = level.map_or(u64::MAX, |level| (1u64 << level.min(63)) - 1);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for &term in &terms {
        for &arg in pool.args(term) {
            *uses.entry(arg).or_default() += 1;
        }
    }
    let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
    let mut named = Vec::new();
    for &term in &terms {
        let args = pool.args(term);
        if args.is_empty() || is_named(term) {
            continue;
        }
        let mut depth = 1 + args.iter().filter_map(|arg| depths.get(arg)).max().copied().unwrap_or(0);
        let wants_name = uses.get(&term).is_some_and(|&uses| uses > 1) || depth >= NESTING;
        if term != root && wants_name && levels.get(&term).is_none_or(|bits| bits & inner == 0) {
            named.push(term);
            depth = 0;
        }
        depths.insert(term, depth);
    }
    named
}

enum Work {
    Term(Term),
    /// A term that is being named: its own name does not stand for it here.
    Inside(Term),
    Text(&'static str),
    Owned(String),
    Name(Term, String),
    Unname(Term),
}

/// Writes a term, using the names of parts that have one.
fn write_term(pool: &TermPool, root: Term, names: &mut FxHashMap<Term, String>, out: &mut dyn Write) -> fmt::Result {
    write_work(pool, vec![Work::Term(root)], names, out)
}

fn write_work(
    pool: &TermPool,
    mut work: Vec<Work>,
    names: &mut FxHashMap<Term, String>,
    out: &mut dyn Write,
) -> fmt::Result {
    while let Some(item) = work.pop() {
        match item {
            Work::Text(text) => out.write_str(text)?,
            Work::Owned(text) => out.write_str(&text)?,
            Work::Name(term, name) => {
                names.insert(term, name);
            }
            Work::Unname(term) => {
                names.remove(&term);
            }
            Work::Inside(term) => write_node(pool, term, names, out, &mut work)?,
            Work::Term(term) => match names.get(&term) {
                Some(name) => out.write_str(name)?,
                None => write_node(pool, term, names, out, &mut work)?,
            },
        }
    }
    Ok(())
}

/// Writes the head of a term and leaves the rest as work.
fn write_node(
    pool: &TermPool,
    term: Term,
    names: &FxHashMap<Term, String>,
    out: &mut dyn Write,
    work: &mut Vec<Work>,
) -> fmt::Result {
    let args = pool.args(term);
    let op = pool.op(term);
    let (i, j) = pool.indices(term);
    let head = match (op, pool.payload(term)) {
        (Op::Const, Payload::Value(value)) => return write_value(out, value),
        (Op::Symbol, Payload::Name(name)) => return out.write_str(&quote(name.as_str())),
        (Op::Bound, Payload::Variable { level, place }) => return write!(out, "b!{level}!{place}"),
        (Op::Apply, Payload::Function(function)) => quote(function.name.as_str()),
        (Op::Power, Payload::Exponent(exponent)) => return write_power(pool, term, *exponent, out, work),
        (Op::Forall | Op::Exists | Op::Lambda, Payload::Binder { level, sorts, triggers }) => {
            let variables: Vec<String> =
                sorts.iter().enumerate().map(|(place, sort)| format!("(b!{level}!{place} {sort})")).collect();
            write!(out, "({} ({}) ", op.symbol(), variables.join(" "))?;
            work.push(Work::Text(")"));
            if triggers.is_empty() {
                scope(pool, args[0], Some(*level), names, work);
            } else {
                // A pattern stands beside the body, outside of its `let`s: no names here.
                write_patterns(triggers, args, work);
            }
            return Ok(());
        }
        (Op::ConstArray, _) => format!("(as const {})", pool.sort(term)),
        (Op::Construct, _) => constructor_name(pool.sort(term), i),
        (Op::Selector, _) => match pool.sort(args[0]).kind() {
            SortKind::Datatype(id) => {
                let field =
                    id.constructors().get(i as usize).and_then(|constructor| constructor.fields.get(j as usize));
                field.map_or_else(|| "?".into(), |(name, _)| quote(name.as_str()))
            }
            _ => "?".into(),
        },
        (Op::Tester, _) => format!("(_ is {})", constructor_name(pool.sort(args[0]), i)),
        (Op::MakeTuple, _) if args.is_empty() => return out.write_str("tuple.unit"),
        _ => match op.info().indices {
            0 => op.symbol().into(),
            1 => format!("(_ {} {i})", op.symbol()),
            _ => format!("(_ {} {i} {j})", op.symbol()),
        },
    };
    if args.is_empty() {
        return out.write_str(&head);
    }
    write!(out, "({head}")?;
    work.push(Work::Text(")"));
    for &arg in args.iter().rev() {
        work.push(Work::Term(arg));
        work.push(Work::Text(" "));
    }
    Ok(())
}

fn constructor_name(sort: Sort, place: u32) -> String {
    match sort.kind() {
        SortKind::Datatype(id) => id
            .constructors()
            .get(place as usize)
            .map_or_else(|| "?".into(), |constructor| quote(constructor.name.as_str())),
        _ => "?".into(),
    }
}

/// Small powers as products, which every solver reads; large ones as z3 and cvc5 write them.
fn write_power(pool: &TermPool, term: Term, exponent: i32, out: &mut dyn Write, work: &mut Vec<Work>) -> fmt::Result {
    let base = pool.arg(term, 0);
    if exponent < 0 {
        out.write_str("(/ 1.0 ")?;
        work.push(Work::Text(")"));
    }
    match exponent.unsigned_abs() {
        1 => work.push(Work::Term(base)),
        times @ 2..=16 => {
            work.push(Work::Text(")"));
            for _ in 0..times {
                work.push(Work::Term(base));
                work.push(Work::Text(" "));
            }
            work.push(Work::Text("(*"));
        }
        times => {
            work.push(Work::Owned(if pool.sort(term) == Sort::REAL {
                format!(" {times}.0)")
            } else {
                format!(" {times})")
            }));
            work.push(Work::Term(base));
            work.push(Work::Text("(^ "));
        }
    }
    Ok(())
}

/// `(! body :pattern (…) …)`.
fn write_patterns(triggers: &[u32], args: &[Term], work: &mut Vec<Work>) {
    work.push(Work::Text(")"));
    let mut end = args.len();
    for &count in triggers.iter().rev() {
        work.push(Work::Text(")"));
        for place in (end - count as usize..end).rev() {
            work.push(Work::Term(args[place]));
            work.push(Work::Text(if place > end - count as usize { " " } else { "" }));
        }
        work.push(Work::Text(" :pattern ("));
        end -= count as usize;
    }
    work.push(Work::Term(args[0]));
    work.push(Work::Text("(! "));
}
