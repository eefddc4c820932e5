//! From expressions to terms, with an explicit stack: nesting costs memory, never the machine's stack.

use super::command::{Meaning, Script};
use super::sexpr::{Kind, Node, ParseError, Tree};
use crate::op::Op;
use crate::pool::Term;
use crate::sort::Sort;
use num_bigint::BigUint;
use quod_base::Rational;

type Result<T> = std::result::Result<T, ParseError>;

/// What is still to be done.
enum Step {
    /// Make the term of a node.
    Eval(Node),
    /// Apply the head of a list to the last arguments.
    Apply(Node, usize),
    /// Bind the variables of a `let` to the last values and go on with its body.
    Let(Node, usize),
    /// Close a binder over the last body and patterns.
    Close(Op, Vec<Term>, Vec<usize>),
    /// Take names back.
    Unbind(Vec<(String, Option<Meaning>)>),
    /// Give the last term a name.
    Name(String),
    /// Take a `match` apart, now that its subject is made.
    Match(Node),
    /// Join the cases of a `match` on a subject: a condition for each but the last.
    Cases(Vec<Option<Term>>),
}

impl Script<'_> {
    pub(super) fn term(&mut self, tree: &Tree<'_>, node: Node) -> Result<Term> {
        let mut steps = vec![Step::Eval(node)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(step) = steps.pop() {
            if let Err(error) = self.step(tree, step, &mut steps, &mut values) {
                // Names bound on the way out are taken back.
                while let Some(step) = steps.pop() {
                    if let Step::Unbind(names) = step {
                        self.unbind(names);
                    }
                }
                return Err(error);
            }
        }
        match values.pop() {
            Some(term) => Ok(term),
            None => tree.error(node, "expected a term"),
        }
    }

    fn step(&mut self, tree: &Tree<'_>, step: Step, steps: &mut Vec<Step>, values: &mut Vec<Term>) -> Result<()> {
        match step {
            Step::Eval(node) if !tree.is_list(node) => values.push(self.atom(tree, node)?),
            Step::Eval(node) => self.list(tree, node, steps, values)?,
            Step::Apply(node, count) => {
                let args = values.split_off(values.len() - count);
                let head = tree.list(node)[0];
                values.push(self.application(tree, head, &args)?);
            }
            Step::Let(node, count) => {
                let terms = values.split_off(values.len() - count);
                let list = tree.list(node);
                let names = tree.children(list[1]).filter_map(|binding| tree.children(binding).next());
                let old = names.zip(terms).map(|(name, term)| self.bind(tree.text(name), term)).collect();
                steps.push(Step::Unbind(old));
                steps.push(Step::Eval(list[2]));
            }
            Step::Close(op, variables, triggers) => {
                let total: usize = triggers.iter().sum();
                let mut patterns = values.split_off(values.len() - total);
                let Some(body) = values.pop() else { return Ok(()) };
                let groups: Vec<Vec<Term>> = triggers.iter().map(|&count| patterns.drain(..count).collect()).collect();
                values.push(match op {
                    Op::Lambda => variables.iter().rev().fold(body, |body, &variable| self.pool.lambda(variable, body)),
                    Op::Forall => self.pool.forall(&variables, body, &groups),
                    _ => self.pool.exists(&variables, body, &groups),
                });
            }
            Step::Unbind(names) => self.unbind(names),
            Step::Name(name) => {
                if let Some(&term) = values.last() {
                    self.define(&name, Meaning::Term(term));
                }
            }
            Step::Match(node) => self.match_cases(tree, node, steps, values)?,
            Step::Cases(conditions) => {
                let bodies = values.split_off(values.len() - conditions.len());
                let mut result = None;
                for (condition, body) in conditions.into_iter().zip(bodies).rev() {
                    result = Some(match (condition, result) {
                        (Some(condition), Some(rest)) => self.pool.ite(condition, body, rest),
                        _ => body,
                    });
                }
                values.extend(result);
            }
        }
        Ok(())
    }

    fn bind(&mut self, name: &str, term: Term) -> (String, Option<Meaning>) {
        (name.to_owned(), self.names.insert(name.to_owned(), Meaning::Term(term)))
    }

    fn unbind(&mut self, names: Vec<(String, Option<Meaning>)>) {
        for (name, old) in names.into_iter().rev() {
            match old {
                Some(meaning) => drop(self.names.insert(name, meaning)),
                None => drop(self.names.remove(&name)),
            }
        }
    }

    fn list(&mut self, tree: &Tree<'_>, node: Node, steps: &mut Vec<Step>, values: &mut Vec<Term>) -> Result<()> {
        let list = tree.list(node);
        let Some(&head) = list.first() else { return tree.error(node, "expected a term") };
        let word = if tree.kind(head) == Kind::Symbol { tree.text(head) } else { "" };
        match word {
            "let" => {
                if list.len() != 3 {
                    return tree.error(node, "`let` takes bindings and a body");
                }
                let mut bound = Vec::new();
                for binding in tree.children(list[1]) {
                    let [name, value] = *tree.list(binding) else {
                        return tree.error(binding, "expected a variable and a term");
                    };
                    if tree.symbol(name).is_none() {
                        return tree.error(name, "expected a variable");
                    }
                    bound.push(value);
                }
                steps.push(Step::Let(node, bound.len()));
                steps.extend(bound.into_iter().rev().map(Step::Eval));
            }
            "forall" | "exists" | "lambda" => self.binder(tree, node, word, &list, steps)?,
            "!" => {
                if list.len() < 2 {
                    return tree.error(node, "`!` takes a term");
                }
                let attributes = list[2..]
                    .windows(2)
                    .filter(|pair| tree.text(pair[0]) == ":named" && tree.kind(pair[0]) == Kind::Keyword);
                for pair in attributes {
                    let Some(name) = tree.symbol(pair[1]) else { return tree.error(pair[1], "expected a name") };
                    steps.push(Step::Name(name.to_owned()));
                }
                steps.push(Step::Eval(list[1]));
            }
            "_" | "as" => values.push(self.constant(tree, node, &list)?),
            "match" => {
                if list.len() != 3 {
                    return tree.error(node, "`match` takes a term and cases");
                }
                steps.push(Step::Match(node));
                steps.push(Step::Eval(list[1]));
            }
            _ => {
                steps.push(Step::Apply(node, list.len() - 1));
                steps.extend(list[1..].iter().rev().map(|&arg| Step::Eval(arg)));
            }
        }
        Ok(())
    }

    fn binder(&mut self, tree: &Tree<'_>, node: Node, word: &str, list: &[Node], steps: &mut Vec<Step>) -> Result<()> {
        let [_, variables, body] = *list else {
            return tree.error(node, format!("`{word}` takes variables and a body"));
        };
        let op = match word {
            "forall" => Op::Forall,
            "exists" => Op::Exists,
            _ => Op::Lambda,
        };
        let sorted = tree
            .children(variables)
            .map(|variable| self.sorted_variable(tree, variable))
            .collect::<Result<Vec<_>>>()?;
        if sorted.is_empty() {
            return tree.error(variables, "expected a variable");
        }
        let mut old = Vec::new();
        let mut symbols = Vec::new();
        for (name, sort) in sorted {
            let symbol = self.pool.fresh_symbol(name, sort);
            old.push(self.bind(name, symbol));
            symbols.push(symbol);
        }
        // `(! body :pattern (t …) …)` directly below the binder gives its triggers.
        let inner = tree.list(body);
        let mut patterns: Vec<Vec<Node>> = Vec::new();
        if op != Op::Lambda && inner.first().is_some_and(|&head| tree.is_word(head, "!")) {
            for pair in inner[1..].windows(2) {
                if tree.kind(pair[0]) == Kind::Keyword && tree.text(pair[0]) == ":pattern" {
                    patterns.push(tree.list(pair[1]));
                }
            }
        }
        steps.push(Step::Unbind(old));
        steps.push(Step::Close(op, symbols, patterns.iter().map(Vec::len).collect()));
        steps.extend(patterns.into_iter().flatten().rev().map(Step::Eval));
        steps.push(Step::Eval(body));
        Ok(())
    }

    fn match_cases(
        &mut self,
        tree: &Tree<'_>,
        node: Node,
        steps: &mut Vec<Step>,
        values: &mut Vec<Term>,
    ) -> Result<()> {
        let Some(subject) = values.pop() else { return Ok(()) };
        let cases = tree.list(tree.list(node)[2]);
        if cases.is_empty() {
            return tree.error(node, "`match` needs a case");
        }
        let mut conditions = Vec::new();
        let mut bodies = Vec::new();
        for case in cases {
            let [pattern, body] = *tree.list(case) else { return tree.error(case, "expected a pattern and a term") };
            let parts = if tree.is_list(pattern) { tree.list(pattern) } else { vec![pattern] };
            let Some((&head, variables)) = parts.split_first() else {
                return tree.error(pattern, "expected a pattern");
            };
            let meaning = tree.symbol(head).and_then(|name| self.names.get(name).cloned());
            match meaning {
                Some(Meaning::Constructor(sort, place)) if sort == self.pool.sort(subject) => {
                    let mut bindings = Vec::new();
                    for (field, &variable) in variables.iter().enumerate() {
                        let Ok(part) = self.pool.make(Op::Selector, (place, field as u32), &[subject], None) else {
                            return tree.error(variable, "the constructor has fewer fields");
                        };
                        bindings.push((tree.text(variable).to_owned(), part));
                    }
                    conditions.push(Some(self.pool.tester(place, subject)));
                    bodies.push((bindings, body));
                }
                Some(Meaning::Constructor(sort, _)) => {
                    return tree.error(
                        pattern,
                        format!("a pattern of sort {sort} for a term of sort {}", self.pool.sort(subject)),
                    );
                }
                _ if variables.is_empty() && tree.symbol(head).is_some() => {
                    conditions.push(None);
                    bodies.push((vec![(tree.text(head).to_owned(), subject)], body));
                }
                _ => return tree.error(head, "unknown constructor"),
            }
        }
        // The last case needs no condition: patterns are complete.
        if let Some(last) = conditions.last_mut() {
            *last = None;
        }
        steps.push(Step::Cases(conditions));
        for (bindings, body) in bodies.into_iter().rev() {
            // Bodies are elaborated one by one, each with its own names; a nested call keeps that simple.
            let old: Vec<_> = bindings.iter().map(|(name, part)| self.bind(name, *part)).collect();
            let term = stacker::maybe_grow(1 << 16, 1 << 20, || self.term(tree, body));
            self.unbind(old);
            values.push(term?);
        }
        // They were made last first.
        let count = match steps.last() {
            Some(Step::Cases(conditions)) => conditions.len(),
            _ => 0,
        };
        let start = values.len() - count;
        values[start..].reverse();
        Ok(())
    }

    fn atom(&self, tree: &Tree<'_>, node: Node) -> Result<Term> {
        let text = tree.text(node);
        match tree.kind(node) {
            Kind::Symbol | Kind::Quoted => self.named(tree, node, text),
            Kind::Numeral => {
                let value = parse_natural(text, 10);
                Ok(self.pool.number(value, if self.numerals_are_real { Sort::REAL } else { Sort::INT }))
            }
            Kind::Decimal => {
                let (whole, part) = text.split_once('.').unwrap_or((text, ""));
                let digits = parse_natural(&format!("{whole}{part}"), 10);
                let Ok(places) = u32::try_from(part.len()) else { return tree.error(node, "too many digits") };
                Ok(self.pool.real(digits.checked_div(&Rational::from(10).pow(places)).unwrap_or_default()))
            }
            Kind::Hexadecimal => Ok(self.bits(text.len() - 2, 4, &text[2..], 16)),
            Kind::Binary => Ok(self.bits(text.len() - 2, 1, &text[2..], 2)),
            Kind::Keyword | Kind::Text => tree.error(node, "strings and keywords are not terms here"),
            Kind::List => tree.error(node, "expected a term"),
        }
    }

    fn bits(&self, digits: usize, each: usize, text: &str, radix: u32) -> Term {
        let width = (digits * each).min(crate::sort::MAX_WIDTH as usize) as u32;
        let value = BigUint::parse_bytes(text.as_bytes(), radix).unwrap_or_default();
        self.pool.bv_value(crate::bitvector::BitVector::from_biguint(width, &value))
    }
}

/// A number of digits of a radix.
pub(super) fn parse_natural(text: &str, radix: u32) -> Rational {
    let big = BigUint::parse_bytes(text.as_bytes(), radix).unwrap_or_default();
    Rational::from_bigint(big.into())
}
