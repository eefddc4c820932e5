//! Searches of small counters whose answers are known.

use crate::{Options, Order, Outcome, Report, System, search};
use quod_base::Fingerprint;
use quod_verdict::CancelToken;

/// Processes that each count to a limit; the sum of the counters must not be `bad`.
struct Counters {
    limit: u8,
    bad: Option<u8>,
    is_independent: bool,
}

impl System for Counters {
    type State = Vec<u8>;
    type Move = usize;
    type Finding = u8;
    type Process = usize;

    fn processes(&mut self, state: &Vec<u8>) -> Vec<usize> {
        (0..state.len()).filter(|&i| state[i] < self.limit).collect()
    }
    fn outcomes(&mut self, state: &Vec<u8>, process: usize) -> Vec<Outcome<Vec<u8>, usize, u8>> {
        let mut next = state.clone();
        next[process] += 1;
        let sum = next.iter().sum();
        if self.bad == Some(sum) { vec![Outcome::Found(process, sum)] } else { vec![Outcome::Next(process, next)] }
    }
    fn at_end(&mut self, _: &Vec<u8>) -> Option<u8> {
        None
    }
    fn fingerprint(&mut self, state: &Vec<u8>) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn ample(&mut self, _: &Vec<u8>, processes: &[usize]) -> Option<Vec<usize>> {
        self.is_independent.then(|| processes.iter().take(1).copied().collect())
    }
}

fn explore(system: &mut Counters, order: Order, is_minimal: bool) -> Report<usize, u8> {
    let options = Options { order, depth: None, findings: 1, is_minimal, is_reduced: true };
    search(system, vec![vec![0; 3]], &options, &CancelToken::default())
}

#[test]
fn all_states_are_visited_once() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let report = explore(&mut Counters { limit: 4, bad: None, is_independent: false }, order, false);
        assert_eq!(report.statistics.states, 125);
        assert!(report.found.is_empty());
    }
}

#[test]
fn independent_processes_need_one_order() {
    let report = explore(&mut Counters { limit: 4, bad: None, is_independent: true }, Order::DepthFirst, false);
    assert_eq!(report.statistics.states, 13);
}

#[test]
fn minimal_and_breadth_first_agree() {
    let mut system = Counters { limit: 4, bad: Some(5), is_independent: false };
    let deep = explore(&mut system, Order::DepthFirst, true);
    let broad = explore(&mut system, Order::BreadthFirst, false);
    assert_eq!(deep.found[0].path.len(), 5);
    assert_eq!(broad.found[0].path.len(), 5);
}
