//! Termination of loops by ranking functions. From the states at a loop's head, with the head's values of the variables
//! remembered beside them, one pass through the body shows for each way how much each variable may change. Variables are
//! machine integers, so an expression over them that always decreases cannot do so for ever; where ways differ, a
//! lexicographic order of expressions is looked for.

use super::analysis::{Analysis, Bundle, Failure, Run, Stop};
use super::memory::{Object, Rest};
use super::number::{FAR, Number};
use super::order::Component;
use super::state::{CellKey, OFFSET, State};
use super::value::{Kind, ObjectKey, Value};
use super::zone::{Bounds, Variable};
use quod_base::int::IntFormat;
use quod_model::ir::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables whose changes are looked at.
const MOST_CANDIDATES: usize = 24;

impl<'p> Analysis<'_, 'p> {
    /// A failure where no ranking function of the component is found.
    pub(crate) fn ranking(
        &mut self,
        run: &mut Run<'p>,
        component: &Component,
        states: &Bundle,
    ) -> Result<Option<Failure>, Stop> {
        let mut joined: Option<State> = None;
        for state in states.values() {
            joined = Some(joined.map_or_else(|| state.clone(), |other| self.world.join(&other, state)));
        }
        let mut candidates = self.candidates(run, component);
        candidates.extend(joined.iter().flat_map(allocated));
        candidates.truncate(MOST_CANDIDATES);
        let names: Vec<Option<String>> =
            candidates.iter().map(|&key| self.named(run.frame.function, key, joined.as_ref())).collect();
        let mut remembered = Bundle::new();
        let mut ghosts: Vec<(Variable, Variable)> = Vec::new();
        let first = self.ghosts;
        self.ghosts += candidates.len() as u32;
        for (index, &key) in candidates.iter().enumerate() {
            let format = if key.format == OFFSET { IntFormat::signed(64) } else { key.format };
            let ghost = CellKey { object: ObjectKey::Ghost(first + index as u32), at: 0, format };
            ghosts.push((self.world.variable(key), self.world.variable(ghost)));
        }
        if let Some(mut state) = joined {
            state.way = 0;
            for &(variable, ghost) in &ghosts {
                let key = self.world.cell(ghost);
                let value = match self.world.tight_number(&state, variable) {
                    Some(number) => Value::Number(number),
                    None => Value::top(Kind::Int(key.format)),
                };
                let mut object = Object::new(Number::constant(16), Rest::Any);
                let access =
                    super::memory::Access { start: Number::ZERO, bits: key.format.bits, kind: Kind::Int(key.format) };
                object.write(&access, &value, true);
                state.objects.insert(key.object, Arc::new(object));
                state.zones.constrain(variable, ghost, Bounds::new(0, 0));
            }
            self.insert(&mut remembered, state);
        }
        // What the pass leaves behind is not the analysis's.
        let edges = run.edges.clone();
        let facts = run.facts.clone();
        let exits = run.exits.clone();
        let apart = run.apart.replace(component.head);
        let partition = std::mem::take(&mut self.partition);
        let back = self.pass(run, component, remembered);
        self.partition = partition;
        run.apart = apart;
        run.edges = edges;
        run.exits = exits;
        // Inner loops were asked in this pass as well, from more precise states at most.
        run.facts = facts;
        self.ghosts = first;
        let back = back?;
        let changes: Vec<Vec<Bounds>> = back
            .values()
            .map(|state| {
                ghosts
                    .iter()
                    .map(|&(variable, ghost)| {
                        let number = |id| self.world.number(state, id);
                        state.zones.known(variable, ghost, &number)
                    })
                    .collect()
            })
            .collect();
        let span = run.frame.body.locations[component.head].span;
        let place = (run.frame.function, component.head);
        let order = match &self.given {
            None => ranking_order(&changes, ghosts.len()),
            // A witness says why; nothing else is looked for.
            Some(given) => given.get(&place).and_then(|text| {
                let order = given_order(text, &names, &candidates)?;
                is_order(&changes, &order).then_some(order)
            }),
        };
        let text = order.as_ref().and_then(|order| relation_text(&names, &candidates, order));
        match text {
            Some(text) => drop(self.relations.insert(place, text)),
            None => drop(self.relations.remove(&place)),
        }
        Ok(order.is_none().then(|| Failure { what: "a loop that may not end".into(), span, at: None, is_void: false }))
    }

    /// How a program writes a candidate: a variable, or what a variable points to.
    fn named(&self, function: FunctionId, key: CellKey, state: Option<&State>) -> Option<String> {
        let plain = if key.format == OFFSET { CellKey { format: IntFormat::signed(64), ..key } } else { key };
        if let Some(name) = super::facts_text::name(self.world, function, plain) {
            return Some(name);
        }
        let types = &self.world.program.types;
        let body = self.world.program.functions[function].body.as_ref()?;
        let bits = types.data_model.pointer_bits();
        body.locals
            .iter_enumerated()
            .find_map(|(id, local)| {
                let Type::Pointer(to) = types[local.ty] else { return None };
                let held = ObjectKey::Local(function, id);
                let access = super::memory::Access { start: Number::ZERO, bits, kind: Kind::Pointer };
                let Value::Pointer(pointer) = state?.objects.get(&held)?.read(&access) else { return None };
                let (object, offset) = pointer.single()?;
                let is_it = object == key.object && offset.as_constant()? * 8 == i128::from(key.at);
                let is_alike = Kind::of(types, to.ty) == Some(Kind::Int(key.format));
                let place = CellKey { object: held, at: 0, format: IntFormat::signed(64) };
                (is_it && is_alike).then(|| super::facts_text::name(self.world, function, place)).flatten()
            })
            .map(|name| format!("*{name}"))
    }

    /// Integer variables that the component writes.
    fn candidates(&self, run: &Run<'p>, component: &Component) -> Vec<CellKey> {
        let body = run.frame.body;
        let mut keys = BTreeSet::new();
        let mut calls = false;
        let mut inside: Vec<LocationId> = component.inside.iter().copied().collect();
        inside.sort_unstable();
        for location in inside {
            let Control::Step { step, .. } = &body.locations[location].control else { continue };
            match step {
                Step::Assign { place, .. } => {
                    keys.extend(self.variable_of(run.frame.function, body, *place));
                }
                Step::Call(call) => {
                    calls = true;
                    keys.extend(call.result.and_then(|place| self.variable_of(run.frame.function, body, place)));
                }
                _ => {}
            }
        }
        if calls {
            // What callees write of globals.
            for (id, global) in self.world.program.globals.iter_enumerated() {
                if let Some(Kind::Int(format)) = Kind::of(&self.world.program.types, global.ty) {
                    keys.insert((ObjectKey::Global(id), format.bits, format.is_signed));
                }
            }
        }
        keys.into_iter()
            .take(MOST_CANDIDATES)
            .filter(|key| key.1 <= 64)
            .map(|(object, bits, is_signed)| CellKey { object, at: 0, format: IntFormat { bits, is_signed } })
            .collect()
    }

    fn variable_of(&self, function: FunctionId, body: &Body, place: PlaceId) -> Option<(ObjectKey, u32, bool)> {
        let format = match Kind::of(&self.world.program.types, body.places[place].ty)? {
            Kind::Int(format) => format,
            Kind::Pointer => OFFSET,
            Kind::Float(_) => return None,
        };
        let object = match body.places[place].kind {
            PlaceKind::Variable(VariableRef::Local(local)) if body.locals[local].name.is_some() => {
                ObjectKey::Local(function, local)
            }
            PlaceKind::Variable(VariableRef::Global(global)) => ObjectKey::Global(global),
            _ => return None,
        };
        Some((object, format.bits, format.is_signed))
    }
}

/// Integers in allocated objects.
fn allocated(state: &State) -> Vec<CellKey> {
    let mut keys = Vec::new();
    for (&object, held) in &state.objects {
        if !matches!(object, ObjectKey::Stack(..) | ObjectKey::Heap(..)) || held.is_summary || held.may_be_dead {
            continue;
        }
        for (&at, cell) in held.cells.iter().take(4) {
            if let Kind::Int(format) = cell.kind
                && format.bits == cell.bits
                && format.bits <= 64
            {
                keys.push(CellKey { object, at, format });
            }
        }
    }
    keys
}

/// A sum of candidates, each with "is negative".
type Expression = Vec<(usize, bool)>;

/// How a measure was at an earlier visit and is now, and how the two are related where it gets smaller, or no larger.
fn measure_text(
    names: &[Option<String>],
    candidates: &[CellKey],
    expression: &[(usize, bool)],
) -> Option<(String, String, &'static str, &'static str)> {
    let mut parts = Vec::new();
    for &(index, is_negative) in expression {
        let is_pointer = candidates[index].format == OFFSET;
        if is_pointer && expression.len() > 1 {
            return None;
        }
        parts.push((names[index].clone()?, is_negative, candidates[index].format.bits));
    }
    let (earlier, later, is_smaller) = match parts.as_slice() {
        [(name, is_negative, _)] => (format!("\\at({name}, AnyPrev)"), name.clone(), !is_negative),
        parts => {
            let ty = if parts.iter().all(|part| part.2 <= 32) { "long long" } else { "__int128" };
            let sum = |of: &dyn Fn(&str) -> String| -> String {
                let part = |(name, is_negative, _): &(String, bool, u32)| {
                    format!("{} ({ty}){}", if *is_negative { "-" } else { "+" }, of(name))
                };
                format!("0 {}", parts.iter().map(part).collect::<Vec<_>>().join(" "))
            };
            (sum(&|name| format!("\\at({name}, AnyPrev)")), sum(&str::to_owned), true)
        }
    };
    let (strict, weak) = if is_smaller { (">", ">=") } else { ("<", "<=") };
    Some((earlier, later, strict, weak))
}

/// `\at(x, AnyPrev) > x`: how an earlier visit of the head and a later one are related, for witnesses.
fn relation_text(names: &[Option<String>], candidates: &[CellKey], order: &[Expression]) -> Option<String> {
    let mut alternatives = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for expression in order {
        let (earlier, later, strict, weak) = measure_text(names, candidates, expression)?;
        let decreases = format!("{earlier} {strict} {later}");
        alternatives.push(kept.iter().chain([&decreases]).cloned().collect::<Vec<_>>().join(" && "));
        kept.push(format!("{earlier} {weak} {later}"));
    }
    (!alternatives.is_empty()).then(|| format!("({})", alternatives.join(") || (")))
}

/// The order that a text of this kind says; nothing where it is none.
fn given_order(text: &str, names: &[Option<String>], candidates: &[CellKey]) -> Option<Vec<Expression>> {
    let all = expressions(names.len());
    let mut order = Vec::new();
    for decreases in decreases(text)? {
        let is_it = |expression: &&Expression| {
            let text = measure_text(names, candidates, expression);
            text.is_some_and(|(earlier, later, strict, _)| format!("{earlier} {strict} {later}") == decreases)
        };
        order.push(all.iter().find(is_it)?.clone());
    }
    (relation_text(names, candidates, &order)? == text).then_some(order)
}

/// What gets smaller in each alternative of a relation: its last part.
pub(crate) fn decreases(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    Some(inner.split(") || (").map(|alternative| alternative.rsplit(" && ").next().unwrap_or_default()).collect())
}

/// How much an expression grows at most, on one way.
fn growth(way: &[Bounds], expression: &[(usize, bool)]) -> i128 {
    expression.iter().fold(0i128, |sum, &(index, is_negative)| {
        let bounds = way[index];
        let most = if is_negative { -bounds.low } else { bounds.high };
        if most >= FAR { FAR } else { (sum + most).min(FAR) }
    })
}

/// Every way decreases the order.
fn is_order(changes: &[Vec<Bounds>], order: &[Expression]) -> bool {
    let mut ways: Vec<&Vec<Bounds>> = changes.iter().collect();
    for expression in order {
        if ways.iter().any(|way| growth(way, expression) > 0) {
            return false;
        }
        ways.retain(|way| growth(way, expression) >= 0);
    }
    ways.is_empty()
}

fn expressions(count: usize) -> Vec<Expression> {
    let mut expressions: Vec<Expression> = Vec::new();
    for index in 0..count {
        expressions.extend([vec![(index, false)], vec![(index, true)]]);
    }
    for a in 0..count.min(10) {
        for b in a + 1..count.min(10) {
            for signs in [(false, true), (true, false), (false, false), (true, true)] {
                expressions.push(vec![(a, signs.0), (b, signs.1)]);
            }
        }
    }
    expressions
}

/// For each way through a loop the change of each variable: a lexicographic order of expressions `±x`, `±x ± y` that every
/// way decreases, if there is one.
fn ranking_order(changes: &[Vec<Bounds>], count: usize) -> Option<Vec<Expression>> {
    let expressions = expressions(count);
    let mut ways: Vec<&Vec<Bounds>> = changes.iter().collect();
    let mut order = Vec::new();
    while !ways.is_empty() {
        let found = expressions.iter().find(|expression| {
            let grows: Vec<i128> = ways.iter().map(|way| growth(way, expression)).collect();
            grows.iter().all(|&grow| grow <= 0) && grows.iter().any(|&grow| grow < 0)
        });
        let expression = found?;
        ways.retain(|way| growth(way, expression) >= 0);
        order.push(expression.clone());
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ranked(changes: &[Vec<Bounds>], count: usize) -> bool {
        ranking_order(changes, count).is_some()
    }

    fn change(low: i128, high: i128) -> Bounds {
        Bounds::new(low, high)
    }

    #[test]
    fn orders_are_found() {
        assert!(is_ranked(&[vec![change(-2, -1)]], 1));
        assert!(is_ranked(&[vec![change(1, FAR)]], 1));
        assert!(!is_ranked(&[vec![change(0, 1)]], 1));
        assert!(is_ranked(&[vec![change(-1, -1), change(-FAR, FAR)], vec![change(0, 0), change(1, 1)]], 2));
        assert!(is_ranked(&[vec![change(-1, -1), change(1, 1)], vec![change(1, 1), change(3, 3)]], 2));
        assert!(!is_ranked(&[vec![change(-1, -1)], vec![change(1, 1)]], 1));
    }
}
