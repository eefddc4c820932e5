//! The analysis of a program: functions are analysed where they are called, with the state of the call; inside a function,
//! a fixed point over the weak topological order, with widening at the heads of components and narrowing afterwards.

use super::evaluate::Evaluator;
use super::order::{Component, Element, Order};
use super::state::{State, World};
use super::value::ObjectKey;
use quod_base::{Id, Span};
use quod_model::ir::*;
use quod_verdict::{CancelToken, CheckKind, KindSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why nothing more can be said of the program.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Unsupported(String, Span),
    OutOfBudget,
}

/// Something that was not proved.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) span: Span,
    /// The location that was executed.
    pub(crate) at: Option<(FunctionId, LocationId)>,
    /// What it does was not understood: nothing that was found out behind it counts, though all may be well.
    pub(crate) is_void: bool,
}

/// What was found out on the way: what was not proved, and the states at the heads of loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) failures: Vec<Failure>,
    pub(crate) heads: Vec<((FunctionId, LocationId), State)>,
}

impl Facts {
    pub(crate) fn fail(&mut self, what: impl Into<String>, span: Span) {
        self.failures.push(Failure { what: what.into(), span, at: None, is_void: false });
    }
    /// Something happens that may change more than the state shows.
    pub(crate) fn lose(&mut self, what: impl Into<String>, span: Span) {
        self.failures.push(Failure { what: what.into(), span, at: None, is_void: true });
    }
    pub(crate) fn append(&mut self, mut other: Facts) {
        self.failures.append(&mut other.failures);
        self.heads.append(&mut other.heads);
    }
}

/// Which states are kept apart at a location.
pub(crate) type Key = Vec<Option<i128>>;
/// The states of a location.
pub(crate) type Bundle = BTreeMap<Key, State>;

pub(crate) struct Analysis<'a, 'p> {
    pub(crate) world: &'a World<'p>,
    pub(crate) kinds: KindSet,
    pub(crate) cancel: CancelToken,
    pub(crate) fuel: u64,
    /// Locations that may be executed for rounds of loops one by one.
    unrolling: u64,
    /// Variables whose constant values are kept apart.
    pub(crate) partition: Vec<ObjectKey>,
    pub(crate) stack: Vec<FunctionId>,
    orders: FxHashMap<FunctionId, Rc<Order>>,
    pub(crate) ghosts: u32,
    /// Why loops end: relations between visits of their heads.
    pub(crate) relations: BTreeMap<(FunctionId, LocationId), String>,
    /// Why loops end as a witness says; nothing where that is to be found out.
    pub(crate) given: Option<&'a super::Relations>,
    /// It was taken for granted that reads far outside of memory end the program.
    pub(crate) has_assumed_reads: bool,
}

/// The function at hand.
#[derive(Copy, Clone)]
pub(crate) struct Frame<'p> {
    pub(crate) function: FunctionId,
    pub(crate) body: &'p Body,
    /// Where it was called.
    pub(crate) site: u32,
}

/// The iteration over one function's body for one call.
pub(crate) struct Run<'p> {
    pub(crate) frame: Frame<'p>,
    pub(crate) order: Rc<Order>,
    entry: Bundle,
    pub(crate) edges: FxHashMap<(LocationId, LocationId), Bundle>,
    pub(crate) exits: FxHashMap<LocationId, Bundle>,
    pub(crate) facts: FxHashMap<LocationId, Facts>,
    /// Ways through this component are kept apart.
    pub(crate) apart: Option<LocationId>,
    depth: u32,
    nesting: u32,
}

/// What one pass through a component leaves behind.
struct Leaving {
    edges: Vec<((LocationId, LocationId), Bundle)>,
    exits: Vec<(LocationId, Bundle)>,
    facts: Vec<(LocationId, Facts)>,
}

/// Loops inside of so many others have their first round looked at apart.
const PEELED: u32 = 2;
/// Locations executed for rounds of loops one by one.
const UNROLLING: u64 = 30_000;
const MOST_ROUNDS: usize = 1_100;
const DELAY: u32 = 3;
const NARROWING: u32 = 2;
const MOST_KEYS: usize = 96;
const MOST_WAYS: usize = 32;

impl<'a, 'p> Analysis<'a, 'p> {
    pub(crate) fn new(world: &'a World<'p>, kinds: KindSet, cancel: CancelToken, fuel: u64) -> Self {
        Self {
            world,
            kinds,
            cancel,
            fuel,
            unrolling: UNROLLING,
            partition: Vec::new(),
            stack: Vec::new(),
            orders: FxHashMap::default(),
            ghosts: 0,
            relations: BTreeMap::new(),
            given: None,
            has_assumed_reads: false,
        }
    }

    pub(crate) fn evaluator(&self, frame: &Frame<'p>) -> Evaluator<'a, 'p> {
        Evaluator { world: self.world, function: frame.function, body: frame.body }
    }

    pub(crate) fn asks(&self, kind: CheckKind) -> bool {
        self.kinds.contains(kind)
    }

    fn key(&self, state: &State) -> Key {
        let mut key: Key = Vec::with_capacity(self.partition.len() + 1);
        if self.partition.is_empty() && state.way == 0 {
            return key;
        }
        key.push(Some(state.way.into()));
        for object in &self.partition {
            let value = state.objects.get(object).and_then(|object| object.cells.get(&0)).map(|cell| &cell.value);
            key.push(match value {
                Some(super::value::Value::Number(number)) => number.as_constant(),
                _ => None,
            });
        }
        key
    }

    pub(crate) fn insert(&self, bundle: &mut Bundle, mut state: State) {
        // Without a key: everything together.
        let is_together = bundle.len() == 1 && bundle.contains_key(&Vec::new());
        let key = if is_together { Vec::new() } else { self.key(&state) };
        if let Some(old) = bundle.get_mut(&key) {
            *old = self.world.join(old, &state);
            return;
        }
        let ways = bundle.values().filter(|other| other.way != 0).count();
        if bundle.len() >= MOST_KEYS || ways >= MOST_WAYS {
            for (_, other) in std::mem::take(bundle) {
                state = self.world.join(&other, &state);
            }
            state.way = 0;
            bundle.insert(Vec::new(), state);
            return;
        }
        bundle.insert(key, state);
    }

    pub(crate) fn join_all(&self, bundles: impl Iterator<Item = Bundle>) -> Bundle {
        let mut joined = Bundle::new();
        for bundle in bundles {
            for state in bundle.into_values() {
                self.insert(&mut joined, state);
            }
        }
        joined
    }

    fn is_within(&self, a: &Bundle, b: &Bundle) -> bool {
        let together = b.get(&Vec::new());
        a.iter().all(|(key, state)| match b.get(key).or(together) {
            Some(other) => self.world.is_within(state, other),
            None => false,
        })
    }

    fn widen(&self, older: &Bundle, newer: &Bundle, round: u32) -> Bundle {
        // After many rounds there are no steps on the way to the ends of the types.
        let thresholds = if round < DELAY + 12 { self.world.thresholds.as_slice() } else { &[] };
        let mut widened = Bundle::new();
        for (key, state) in newer {
            let wide = match older.get(key) {
                Some(old) => self.world.widen(old, &self.world.join(old, state), thresholds),
                None => state.clone(),
            };
            widened.insert(key.clone(), wide);
        }
        widened
    }

    pub(crate) fn function(&mut self, function: FunctionId, entry: State, site: u32) -> Result<(Bundle, Facts), Stop> {
        let program = self.world.program;
        let name = program.functions[function].name;
        let span = program.functions[function].span;
        let Some(body) = &program.functions[function].body else {
            return Err(Stop::Unsupported(format!("a call of `{name}`, which has no body"), span));
        };
        if self.stack.contains(&function) {
            return Err(Stop::Unsupported(format!("recursion of `{name}`"), span));
        }
        let order = self.orders.entry(function).or_insert_with(|| Rc::new(Order::new(body))).clone();
        self.stack.push(function);
        let mut start = Bundle::new();
        self.insert(&mut start, entry);
        let mut run = Run {
            frame: Frame { function, body, site },
            order: order.clone(),
            entry: start,
            edges: FxHashMap::default(),
            exits: FxHashMap::default(),
            facts: FxHashMap::default(),
            apart: None,
            depth: 0,
            nesting: 0,
        };
        let result = stacker::maybe_grow(256 << 10, 4 << 20, || self.elements(&mut run, &order.elements, None));
        self.stack.pop();
        result?;
        let mut exits: Vec<(LocationId, Bundle)> = run.exits.into_iter().collect();
        exits.sort_by_key(|exit| exit.0);
        let mut found: Vec<(LocationId, Facts)> = run.facts.into_iter().collect();
        found.sort_by_key(|found| found.0);
        let mut facts = Facts::default();
        found.into_iter().for_each(|found| facts.append(found.1));
        Ok((self.join_all(exits.into_iter().map(|exit| exit.1)), facts))
    }

    pub(crate) fn elements(
        &mut self,
        run: &mut Run<'p>,
        elements: &[Element],
        inside: Option<LocationId>,
    ) -> Result<(), Stop> {
        for element in elements {
            match element {
                Element::Node(location) => {
                    let states = self.arriving(run, *location);
                    self.location(run, *location, states, inside)?;
                }
                Element::Component(component) => {
                    stacker::maybe_grow(256 << 10, 4 << 20, || self.component(run, component))?;
                }
            }
        }
        Ok(())
    }

    fn arriving(&self, run: &Run<'p>, location: LocationId) -> Bundle {
        let joined = self.incoming(run, location, &|_| true);
        self.with_entry(run, location, joined)
    }

    fn with_entry(&self, run: &Run<'p>, location: LocationId, mut bundle: Bundle) -> Bundle {
        if location.index() == 0 {
            for state in run.entry.values() {
                self.insert(&mut bundle, state.clone());
            }
        }
        bundle
    }

    /// What comes over edges from some locations.
    fn incoming(&self, run: &Run<'p>, location: LocationId, from: &dyn Fn(LocationId) -> bool) -> Bundle {
        let mut joined = Bundle::new();
        for &predecessor in run.order.predecessors[location.index()].iter().filter(|id| from(**id)) {
            for state in run.edges.get(&(predecessor, location)).into_iter().flat_map(Bundle::values) {
                self.insert(&mut joined, state.clone());
            }
        }
        joined
    }

    /// Executes what stands at a location, for all states that get there.
    pub(crate) fn location(
        &mut self,
        run: &mut Run<'p>,
        location: LocationId,
        states: Bundle,
        inside: Option<LocationId>,
    ) -> Result<(), Stop> {
        for next in super::order::successors(run.frame.body, location) {
            run.edges.remove(&(location, next));
        }
        run.exits.remove(&location);
        run.facts.remove(&location);
        let is_apart = run.apart.is_some() && run.apart == inside;
        let mut facts = Facts::default();
        for state in states.into_values() {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 || self.cancel.is_cancelled() {
                return Err(Stop::OutOfBudget);
            }
            self.world.effort.set(0);
            let state = self.reading(&run.frame, location, state);
            let outs = self.step(&run.frame, location, state, &mut facts)?;
            let is_split = is_apart && outs.len() > 1;
            for (index, (next, mut state)) in outs.into_iter().enumerate() {
                if is_split {
                    let turn = (location.index() as u64 * 8 + index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    state.way = (state.way.rotate_left(7) ^ turn) | 1;
                }
                let bundle = match next {
                    Some(next) => run.edges.entry((location, next)).or_default(),
                    None => {
                        state.way = 0;
                        run.exits.entry(location).or_default()
                    }
                };
                self.insert(bundle, state);
            }
        }
        for failure in &mut facts.failures {
            failure.at.get_or_insert((run.frame.function, location));
        }
        run.facts.insert(location, facts);
        Ok(())
    }

    /// One pass through a component from states at its head; what comes back to the head.
    pub(crate) fn pass(&mut self, run: &mut Run<'p>, component: &Component, states: Bundle) -> Result<Bundle, Stop> {
        self.location(run, component.head, states, Some(component.head))?;
        self.elements(run, &component.elements, Some(component.head))?;
        Ok(self.incoming(run, component.head, &|from| component.inside.contains(&from)))
    }

    fn component(&mut self, run: &mut Run<'p>, component: &Component) -> Result<(), Stop> {
        let outside = self.incoming(run, component.head, &|from| !component.inside.contains(&from));
        let mut entry = self.with_entry(run, component.head, outside);
        if run.apart.is_some() {
            // Ways are not counted inside of inner loops.
            entry = self.without_ways(entry);
        }
        // The first time round is looked at apart: loops often set up what later rounds rely on.
        let mut first = vec![entry.clone()];
        let mut peeled = Vec::new();
        run.nesting += 1;
        if run.nesting <= PEELED && !entry.is_empty() {
            let back = self.pass(run, component, entry)?;
            peeled.push(self.leaving(run, component));
            entry = if run.apart.is_some() { self.without_ways(back) } else { back };
            if let Some((rounds, visited)) = self.unroll(run, component, &entry)? {
                peeled.extend(rounds);
                first.push(visited);
                entry = Bundle::new();
            }
        }
        let mut states = entry.clone();
        let mut round = 0;
        let mut back;
        loop {
            back = self.pass(run, component, states.clone())?;
            let new = self.join_all([entry.clone(), back.clone()].into_iter());
            if self.is_within(&new, &states) {
                break;
            }
            let joined = self.join_all([states.clone(), new].into_iter());
            states = if round < DELAY { joined } else { self.widen(&states, &joined, round) };
            round += 1;
        }
        for _ in 0..NARROWING {
            let new = self.join_all([entry.clone(), back.clone()].into_iter());
            if self.is_within(&states, &new) {
                break;
            }
            states = new;
            back = self.pass(run, component, states.clone())?;
        }
        if self.asks(CheckKind::Termination) && run.depth == 0 && !states.is_empty() {
            run.depth += 1;
            let failure = self.ranking(run, component, &states)?;
            run.depth -= 1;
            if let Some(failure) = failure {
                run.facts.entry(component.head).or_default().failures.push(failure);
            }
        }
        run.nesting -= 1;
        for peeled in peeled {
            self.leave_as_well(run, peeled);
        }
        let span = run.frame.body.locations[component.head].span;
        let facts = run.facts.entry(component.head).or_default();
        for state in states.into_values().chain(first.into_iter().flat_map(Bundle::into_values)) {
            if self.kinds.contains(CheckKind::LostMemory) && !super::heap::is_tracked(self.world.program, &state) {
                facts.fail("memory may have been lost", span);
            }
            facts.heads.push(((run.frame.function, component.head), state));
        }
        Ok(())
    }

    /// All further rounds of a loop, each by itself, where each round's end certainly decides whether there is another and
    /// the last one is soon found: what leaves in each, and the states at the head. Sums over such a loop stay bounded,
    /// where one state for all rounds knows nothing of how many there were.
    fn unroll(
        &mut self,
        run: &mut Run<'p>,
        component: &Component,
        entry: &Bundle,
    ) -> Result<Option<(Vec<Leaving>, Bundle)>, Stop> {
        let mut rounds = Vec::new();
        let mut visited = Bundle::new();
        let mut states = entry.clone();
        // It has work of its own: what is left for the rest stays the same.
        let fuel = self.fuel;
        // States that are joined know less of what leads to a block.
        if self.kinds.contains(CheckKind::LostMemory) {
            return Ok(None);
        }
        while !states.is_empty() {
            visited = self.join_all([visited, states.clone()].into_iter());
            let back = self.pass(run, component, states.clone())?;
            let back = if run.apart.is_some() { self.without_ways(back) } else { back };
            let spent = fuel - self.fuel;
            self.fuel = fuel;
            // Large objects are copied and compared in every round.
            let cells = |state: &State| state.objects.values().map(|object| object.cells.len()).sum::<usize>();
            let size = states.values().map(cells).sum::<usize>() as u64;
            self.unrolling = self.unrolling.saturating_sub(spent + size);
            let leaving = self.leaving(run, component);
            let is_left = leaving.edges.iter().any(|edge| !edge.1.is_empty());
            let is_over = self.unrolling == 0 || rounds.len() >= MOST_ROUNDS;
            let is_open = is_left || is_over || self.is_within(&back, &states);
            if is_open && !back.is_empty() {
                return Ok(None);
            }
            rounds.push(leaving);
            states = back;
        }
        Ok((!rounds.is_empty()).then_some((rounds, visited)))
    }

    /// What leaves a component, and was found out in it, by the pass just made.
    fn leaving(&self, run: &Run<'p>, component: &Component) -> Leaving {
        let is_out =
            |edge: &(LocationId, LocationId)| component.inside.contains(&edge.0) && !component.inside.contains(&edge.1);
        let mut edges: Vec<_> =
            run.edges.iter().filter(|(edge, _)| is_out(edge)).map(|(edge, bundle)| (*edge, bundle.clone())).collect();
        edges.sort_by_key(|edge| edge.0);
        let is_inside = |location: &LocationId| component.inside.contains(location);
        let mut exits: Vec<_> =
            run.exits.iter().filter(|(at, _)| is_inside(at)).map(|(at, bundle)| (*at, bundle.clone())).collect();
        exits.sort_by_key(|exit| exit.0);
        let mut facts: Vec<_> =
            run.facts.iter().filter(|(at, _)| is_inside(at)).map(|(at, facts)| (*at, facts.clone())).collect();
        facts.sort_by_key(|facts| facts.0);
        Leaving { edges, exits, facts }
    }

    fn leave_as_well(&self, run: &mut Run<'p>, leaving: Leaving) {
        for (edge, bundle) in leaving.edges {
            let target = run.edges.entry(edge).or_default();
            bundle.into_values().for_each(|state| self.insert(target, state));
        }
        for (at, bundle) in leaving.exits {
            let target = run.exits.entry(at).or_default();
            bundle.into_values().for_each(|state| self.insert(target, state));
        }
        for (at, facts) in leaving.facts {
            run.facts.entry(at).or_default().append(facts);
        }
    }

    pub(crate) fn without_ways(&self, bundle: Bundle) -> Bundle {
        let mut plain = Bundle::new();
        for mut state in bundle.into_values() {
            state.way = 0;
            self.insert(&mut plain, state);
        }
        plain
    }
}
