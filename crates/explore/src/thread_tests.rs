//! Random systems of processes, searched on several threads, against a plain search of all their states.

use crate::{Options, Order, Outcome, Report, System, search, search_on_threads};
use quod_base::Fingerprint;
use quod_verdict::CancelToken;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }
}

/// What a process can do at one of its places.
#[derive(Clone, Debug)]
enum Edge {
    /// Touches nothing that others see.
    Own(u8),
    /// Where the shared number is this one, it is set to the other one.
    Shared { guard: Option<u8>, set: u8, to: u8 },
    /// Goes wrong where the shared number is this one.
    Wrong(u8),
}

/// Processes with places and edges between them, and one number that they share.
#[derive(Clone, Debug)]
struct Processes {
    edges: Vec<Vec<Vec<Edge>>>,
}

const PLACES: u64 = 5;
const NUMBERS: u64 = 4;

/// The place of each process, and the shared number.
type Places = (Vec<u8>, u8);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Wrong {
    Edge(u64),
    Stuck,
}

impl Processes {
    fn random(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let count = 2 + random.below(3);
        let edge = |random: &mut Random| match random.below(20) {
            0..=8 => Edge::Own(random.below(PLACES) as u8),
            9 => Edge::Wrong(random.below(NUMBERS) as u8),
            _ => Edge::Shared {
                guard: (random.below(2) == 0).then(|| random.below(NUMBERS) as u8),
                set: random.below(NUMBERS) as u8,
                to: random.below(PLACES) as u8,
            },
        };
        let place = |random: &mut Random| {
            let edges: Vec<Edge> = (0..random.below(3)).map(|_| edge(random)).collect();
            edges
        };
        let edges = (0..count).map(|_| (0..PLACES).map(|_| place(&mut random)).collect()).collect();
        Self { edges }
    }

    fn moves(&self, state: &Places, process: u64) -> Vec<Result<Places, Wrong>> {
        let at = state.0[process as usize];
        let with = |to: u8, number: u8| {
            let mut next = state.clone();
            next.0[process as usize] = to;
            next.1 = number;
            next
        };
        let outcome = |edge: &Edge| match *edge {
            Edge::Own(to) => Some(Ok(with(to, state.1))),
            Edge::Shared { guard, set, to } => guard.is_none_or(|guard| guard == state.1).then(|| Ok(with(to, set))),
            Edge::Wrong(number) => (number == state.1).then_some(Err(Wrong::Edge(process))),
        };
        self.edges[process as usize][at as usize].iter().filter_map(outcome).collect()
    }

    /// Has the process nothing left to do?
    fn is_done(&self, state: &Places, process: usize) -> bool {
        self.edges[process][state.0[process] as usize].is_empty()
    }

    fn initial(&self) -> Places {
        (vec![0; self.edges.len()], 0)
    }

    /// All that can go wrong, with the least number of moves to it, and how many states there are.
    fn plainly(&self) -> (HashMap<Wrong, usize>, usize) {
        let mut wrong = HashMap::new();
        let mut depths = HashMap::from([(self.initial(), 0usize)]);
        let mut queue = VecDeque::from([self.initial()]);
        while let Some(state) = queue.pop_front() {
            let depth = depths[&state];
            let mut has_moved = false;
            for process in 0..self.edges.len() as u64 {
                for outcome in self.moves(&state, process) {
                    has_moved = true;
                    match outcome {
                        Ok(next) if !depths.contains_key(&next) => {
                            depths.insert(next.clone(), depth + 1);
                            queue.push_back(next);
                        }
                        Ok(_) => {}
                        Err(kind) => drop(wrong.entry(kind).or_insert(depth + 1)),
                    }
                }
            }
            if !has_moved && !(0..self.edges.len()).all(|process| self.is_done(&state, process)) {
                wrong.entry(Wrong::Stuck).or_insert(depth);
            }
        }
        (wrong, depths.len())
    }

    /// The moves lead to what was found.
    fn replays(&self, path: &[(u64, usize)], finding: &Wrong) -> bool {
        let mut state = self.initial();
        for (index, &(process, choice)) in path.iter().enumerate() {
            match self.moves(&state, process).get(choice) {
                Some(Ok(next)) => state = next.clone(),
                Some(Err(kind)) => return kind == finding && index + 1 == path.len(),
                None => return false,
            }
        }
        let is_stuck = (0..self.edges.len() as u64).all(|process| self.moves(&state, process).is_empty());
        *finding == Wrong::Stuck && is_stuck
    }
}

impl System for Processes {
    type State = Places;
    type Move = (u64, usize);
    type Finding = Wrong;
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, _: ()) {}

    fn processes(&mut self, state: &Places) -> Vec<u64> {
        (0..state.0.len() as u64).collect()
    }
    fn outcomes(&mut self, state: &Places, process: u64) -> Vec<Outcome<Places, (u64, usize), Wrong>> {
        // Some moves take longer, so that threads overtake one another.
        for _ in 0..u32::from(state.1) * 50 {
            std::hint::spin_loop();
        }
        let outcome = |(choice, outcome): (usize, Result<Places, Wrong>)| match outcome {
            Ok(next) => Outcome::Next((process, choice), next),
            Err(kind) => Outcome::Found((process, choice), kind),
        };
        self.moves(state, process).into_iter().enumerate().map(outcome).collect()
    }
    fn at_end(&mut self, state: &Places) -> Option<Wrong> {
        let is_over = (0..state.0.len()).all(|process| self.is_done(state, process));
        (!is_over).then_some(Wrong::Stuck)
    }
    fn fingerprint(&mut self, state: &Places) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn record(&mut self, state: &Places) -> Vec<u8> {
        state.0.iter().copied().chain([state.1]).collect()
    }
    fn ample(&mut self, state: &Places, processes: &[u64]) -> Option<Vec<u64>> {
        let is_own = |process: &&u64| {
            let edges = &self.edges[**process as usize][state.0[**process as usize] as usize];
            !edges.is_empty() && edges.iter().all(|edge| matches!(edge, Edge::Own(_)))
        };
        processes.iter().find(is_own).map(|&process| vec![process])
    }
}

fn on_threads(system: &Processes, threads: usize, options: Options) -> Report<Places, (u64, usize), Wrong> {
    let options = Options { threads, large: (3, u64::MAX), ..options };
    let mut own = system.clone();
    search_on_threads(&mut own, &|| system.clone(), vec![system.initial()], &options, &CancelToken::default())
}

#[test]
fn threads_and_reduction_find_what_a_plain_search_finds() {
    let (mut wrong, mut right, mut fewer) = (0, 0, 0);
    for seed in 0..300 {
        let system = Processes::random(seed);
        let (kinds, count) = system.plainly();
        if kinds.is_empty() {
            right += 1
        } else {
            wrong += 1
        }
        for threads in [1, 2, 4] {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                for is_reduced in [false, true] {
                    let options = Options { order, is_reduced, ..Options::default() };
                    let report = on_threads(&system, threads, options);
                    let what = format!("seed {seed}, {threads} threads, {order:?}, reduced {is_reduced}");
                    assert_eq!(report.found.is_empty(), kinds.is_empty(), "{what}");
                    for found in &report.found {
                        assert!(system.replays(&found.path, &found.finding), "{what}: {found:?}");
                    }
                    if kinds.is_empty() && !is_reduced {
                        assert_eq!(report.statistics.states, count as u64, "{what}");
                    }
                    if kinds.is_empty() && is_reduced && report.statistics.states < count as u64 {
                        fewer += 1;
                    }
                }
            }
        }
    }
    // The systems are neither all right nor all wrong, and the reduction has something to do.
    assert!(wrong > 50 && right > 50 && fewer > 50, "{wrong} {right} {fewer}");
}

#[test]
fn all_that_is_wrong_is_found() {
    for seed in 0..200 {
        let system = Processes::random(seed);
        let (kinds, _) = system.plainly();
        for is_compared in [false, true] {
            let options = Options { findings: usize::MAX, is_reduced: false, is_compared, ..Options::default() };
            let report = on_threads(&system, 3, options);
            let mut found: Vec<Wrong> = report.found.into_iter().map(|found| found.finding).collect();
            found.sort();
            found.dedup();
            let mut expected: Vec<Wrong> = kinds.keys().cloned().collect();
            expected.sort();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}

#[test]
fn shortest_traces_are_shortest_on_any_number_of_threads() {
    for seed in 0..200 {
        let system = Processes::random(seed);
        let (kinds, _) = system.plainly();
        let Some(&least) = kinds.values().min() else { continue };
        let broad = Options { order: Order::BreadthFirst, is_reduced: false, ..Options::default() };
        let one = on_threads(&system, 1, broad.clone());
        let many = on_threads(&system, 3, broad);
        assert_eq!(one.found[0].path.len(), least);
        assert_eq!(one.found[0].path, many.found[0].path, "seed {seed}");
        let counts = |report: &Report<Places, (u64, usize), Wrong>| {
            let statistics = &report.statistics;
            (statistics.states, statistics.saved, statistics.matches, statistics.moves)
        };
        assert_eq!(counts(&one), counts(&many), "seed {seed}");
        for threads in [1, 2, 3] {
            let minimal = Options { is_minimal: true, is_reduced: false, ..Options::default() };
            assert_eq!(on_threads(&system, threads, minimal).found[0].path.len(), least, "seed {seed}");
        }
    }
}

#[test]
fn bounds_mean_the_same_on_any_number_of_threads() {
    for seed in 0..100 {
        let system = Processes::random(seed);
        let (kinds, _) = system.plainly();
        for depth in [0, 2, 5, 1000] {
            // A state at the bound is not looked at: whether one can move there is not known.
            let is_near = |(kind, &least): (&Wrong, &usize)| least as u64 + u64::from(*kind == Wrong::Stuck) <= depth;
            let is_found = kinds.iter().any(is_near);
            for threads in [1, 3] {
                let options = Options { depth: Some(depth), is_reduced: false, ..Options::default() };
                let report = on_threads(&system, threads, options);
                assert!(!is_found || !report.found.is_empty(), "seed {seed}, depth {depth}");
                // Nothing was cut: all was seen.
                assert!(report.statistics.cut > 0 || report.found.is_empty() == kinds.is_empty(), "seed {seed}");
            }
        }
        for bound in [0, 1, 100] {
            let options = Options { preemptions: Some(bound), ..Options::default() };
            let counts = [1, 3].map(|threads| {
                let report = on_threads(&system, threads, options.clone());
                (report.found.is_empty(), report.statistics.preemptions_cut > 0 || !report.found.is_empty())
            });
            assert_eq!(counts[0], counts[1], "seed {seed}, bound {bound}");
        }
    }
}

/// A grid of states that is large enough to be shared.
struct Grid<'a> {
    side: u32,
    others: &'a AtomicU64,
    visited: u64,
    panics: bool,
}

impl System for Grid<'_> {
    type State = (u32, u32);
    type Move = u64;
    type Finding = ();
    type Process = u64;
    type Summary = u64;

    fn summary(self) -> u64 {
        self.others.fetch_add(1, Ordering::Relaxed);
        self.visited
    }
    fn absorb(&mut self, visited: u64) {
        self.visited += visited;
    }
    fn processes(&mut self, _: &(u32, u32)) -> Vec<u64> {
        self.visited += 1;
        assert!(!self.panics || self.visited < 100, "the system of another thread fails");
        vec![0, 1]
    }
    fn outcomes(&mut self, state: &(u32, u32), process: u64) -> Vec<Outcome<(u32, u32), u64, ()>> {
        let next = if process == 0 { (state.0 + 1, state.1) } else { (state.0, state.1 + 1) };
        let is_inside = next.0 < self.side && next.1 < self.side;
        is_inside.then_some(Outcome::Next(process, next)).into_iter().collect()
    }
    fn at_end(&mut self, _: &(u32, u32)) -> Option<()> {
        None
    }
    fn fingerprint(&mut self, state: &(u32, u32)) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
}

fn grid(side: u32, order: Order, panics: bool) -> (u64, u64, u64) {
    let others = AtomicU64::new(0);
    let mut system = Grid { side, others: &others, visited: 0, panics: false };
    let make = || Grid { side, others: &others, visited: 0, panics };
    let options = Options { order, threads: 3, large: (100, u64::MAX), ..Options::default() };
    let report = search_on_threads(&mut system, &make, vec![(0, 0)], &options, &CancelToken::default());
    assert_eq!(report.statistics.saved, report.statistics.states);
    (report.statistics.states, system.visited, others.into_inner())
}

#[test]
fn each_state_is_expanded_once_and_the_systems_are_put_together() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        assert_eq!(grid(100, order, false), (10_000, 10_000, 2), "{order:?}");
        // A small search needs no other threads.
        assert_eq!(grid(9, order, false), (81, 81, 0), "{order:?}");
    }
}

#[test]
fn a_panic_in_one_thread_ends_all() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        assert!(std::panic::catch_unwind(|| grid(300, order, true)).is_err(), "{order:?}");
    }
}

#[test]
fn a_search_without_end_is_cancelled() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let cancel = CancelToken::default();
        let others = AtomicU64::new(0);
        let make = || Grid { side: u32::MAX, others: &others, visited: 0, panics: false };
        let options = Options { order, threads: 3, large: (100, u64::MAX), ..Options::default() };
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(30));
                cancel.cancel();
            });
            search_on_threads(&mut make(), &make, vec![(0, 0)], &options, &cancel)
        });
        assert!(report.is_cancelled && report.at.is_some());
    }
}

#[test]
fn one_thread_is_the_plain_search() {
    for seed in 0..50 {
        let system = Processes::random(seed);
        let one = on_threads(&system, 1, Options::default());
        let plain = search(&mut system.clone(), vec![system.initial()], &Options::default(), &CancelToken::default());
        assert_eq!(one.statistics, plain.statistics);
    }
}

/// Two ways into a ring, on which the first process goes round for ever; the second one has something to be found there.
struct TwoWays<'a> {
    /// Who has come to the end of its half of the ring.
    ends: &'a [AtomicU64; 2],
}

const HALF: u8 = 5;

impl System for TwoWays<'_> {
    /// Nothing before the ring.
    type State = Option<u8>;
    type Move = u64;
    type Finding = ();
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, (): ()) {}
    fn processes(&mut self, _: &Option<u8>) -> Vec<u64> {
        vec![0, 1]
    }
    fn outcomes(&mut self, state: &Option<u8>, process: u64) -> Vec<Outcome<Option<u8>, u64, ()>> {
        let Some(place) = *state else {
            return vec![Outcome::Next(process, Some(if process == 0 { 0 } else { HALF }))];
        };
        if process == 1 {
            return vec![Outcome::Found(1, ())];
        }
        if place == 0 {
            // Until the other thread is there to take the other way.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        if place % HALF == HALF - 1 {
            // Waits a while for the other thread to be at the other end: both have half of the ring on their stacks.
            self.ends[usize::from(place / HALF)].store(1, Ordering::SeqCst);
            let start = std::time::Instant::now();
            let other = &self.ends[usize::from(1 - place / HALF)];
            while other.load(Ordering::SeqCst) == 0 && start.elapsed().as_millis() < 300 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        vec![Outcome::Next(0, Some((place + 1) % (2 * HALF)))]
    }
    fn at_end(&mut self, _: &Option<u8>) -> Option<()> {
        None
    }
    fn fingerprint(&mut self, state: &Option<u8>) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn ample(&mut self, state: &Option<u8>, _: &[u64]) -> Option<Vec<u64>> {
        state.is_some().then(|| vec![0])
    }
}

/// No thread sees the cycle on its own stack.
#[test]
fn a_cycle_on_the_stacks_of_two_threads_lets_the_others_move() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let ends = [AtomicU64::new(0), AtomicU64::new(0)];
        let make = || TwoWays { ends: &ends };
        // With a bound there are no chains: each state is stored.
        let options = Options { order, depth: Some(1000), threads: 2, large: (0, 0), ..Options::default() };
        let report = search_on_threads(&mut make(), &make, vec![None], &options, &CancelToken::default());
        assert_eq!(report.found.len(), 1, "{order:?}");
    }
}
