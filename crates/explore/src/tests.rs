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
    type Move = u64;
    type Finding = u8;
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, _: ()) {}

    fn processes(&mut self, state: &Vec<u8>) -> Vec<u64> {
        (0..state.len() as u64).filter(|&i| state[i as usize] < self.limit).collect()
    }
    fn outcomes(&mut self, state: &Vec<u8>, process: u64) -> Vec<Outcome<Vec<u8>, u64, u8>> {
        let mut next = state.clone();
        next[process as usize] += 1;
        let sum = next.iter().sum();
        if self.bad == Some(sum) { vec![Outcome::Found(process, sum)] } else { vec![Outcome::Next(process, next)] }
    }
    fn at_cycle(&mut self, _: &Vec<u8>) -> Option<u8> {
        Some(0)
    }
    fn record(&mut self, state: &Vec<u8>) -> Vec<u8> {
        state.clone()
    }
    fn at_end(&mut self, _: &Vec<u8>) -> Option<u8> {
        None
    }
    fn fingerprint(&mut self, state: &Vec<u8>) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn ample(&mut self, _: &Vec<u8>, processes: &[u64]) -> Option<Vec<u64>> {
        self.is_independent.then(|| processes.iter().take(1).copied().collect())
    }
}

fn explore(system: &mut Counters, order: Order, is_minimal: bool) -> Report<Vec<u8>, u64, u8> {
    let options = Options { order, is_minimal, ..Options::default() };
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

#[test]
fn bounds_and_comparison() {
    let mut system = Counters { limit: 2, bad: None, is_independent: false };
    let mut run = |options: Options| search(&mut system, vec![vec![0; 3]], &options, &CancelToken::default());
    let none = run(Options { preemptions: Some(0), ..Options::default() });
    assert!(none.statistics.preemptions_cut > 0);
    let many = run(Options { preemptions: Some(9), ..Options::default() });
    assert_eq!(many.statistics.preemptions_cut, 0);
    let compared = run(Options { is_compared: true, is_reduced: false, ..Options::default() });
    assert_eq!((compared.statistics.states, compared.statistics.collisions), (27, 0));
    // Without saved states each way to a state is gone.
    let unsaved = run(Options { is_saved: false, is_reduced: false, finds_cycles: true, ..Options::default() });
    assert!(unsaved.statistics.states > 27 && unsaved.found.is_empty());
}

/// A counter that goes round.
struct Ring;

impl System for Ring {
    type State = u8;
    type Move = u8;
    type Finding = ();
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, _: ()) {}

    fn processes(&mut self, _: &u8) -> Vec<u64> {
        vec![0]
    }
    fn outcomes(&mut self, state: &u8, _: u64) -> Vec<Outcome<u8, u8, ()>> {
        vec![Outcome::Next(*state, if *state == 4 { 2 } else { state + 1 })]
    }
    fn at_end(&mut self, _: &u8) -> Option<()> {
        None
    }
    fn at_cycle(&mut self, _: &u8) -> Option<()> {
        Some(())
    }
    fn fingerprint(&mut self, state: &u8) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
}

#[test]
fn a_cycle_is_found_with_its_length() {
    let options = Options { finds_cycles: true, ..Options::default() };
    let report = search(&mut Ring, vec![0], &options, &CancelToken::default());
    assert_eq!((report.found[0].path.clone(), report.found[0].cycle), (vec![0, 1, 2, 3, 4], Some(3)));
}

/// Processes that go around for ever, each on its own; one of them may stop the rest by a last move.
struct Rounds {
    length: u8,
}

impl System for Rounds {
    /// Where each process is; the last one makes one move only, which is found.
    type State = [u8; 2];
    type Move = u64;
    type Finding = ();
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, _: ()) {}

    fn processes(&mut self, _: &[u8; 2]) -> Vec<u64> {
        vec![0, 1]
    }
    fn outcomes(&mut self, state: &[u8; 2], process: u64) -> Vec<Outcome<[u8; 2], u64, ()>> {
        match process {
            0 => vec![Outcome::Next(0, [(state[0] + 1) % self.length, state[1]])],
            _ => vec![Outcome::Found(1, ())],
        }
    }
    fn at_end(&mut self, _: &[u8; 2]) -> Option<()> {
        None
    }
    fn fingerprint(&mut self, state: &[u8; 2]) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn ample(&mut self, _: &[u8; 2], _: &[u64]) -> Option<Vec<u64>> {
        Some(vec![0])
    }
}

/// The first process alone would hide the second one for ever.
#[test]
fn a_chain_that_closes_a_cycle_lets_the_others_move() {
    for length in [1, 2, 7, 63, 64, 65, 66, 130, 200] {
        let report = search(&mut Rounds { length }, vec![[0, 0]], &Options::default(), &CancelToken::default());
        assert_eq!(report.found.len(), 1, "{length}");
    }
}

/// States between stored ones are counted and not stored.
#[test]
fn a_chain_is_stored_once() {
    let mut system = Counters { limit: 4, bad: None, is_independent: true };
    let report = explore(&mut system, Order::DepthFirst, false);
    assert_eq!((report.statistics.states, report.statistics.saved), (13, 1));
}

/// Processes with nothing in common: the last one ends with a finding.
struct Apart {
    lengths: [u8; 3],
}

impl System for Apart {
    type State = [u8; 3];
    type Move = u64;
    type Finding = ();
    type Process = u64;
    type Summary = ();

    fn summary(self) {}
    fn absorb(&mut self, _: ()) {}

    fn processes(&mut self, state: &[u8; 3]) -> Vec<u64> {
        (0..3).filter(|&process| state[process as usize] < self.lengths[process as usize]).collect()
    }
    fn outcomes(&mut self, state: &[u8; 3], process: u64) -> Vec<Outcome<[u8; 3], u64, ()>> {
        let mut next = *state;
        next[process as usize] += 1;
        let is_found = process == 2 && next[2] == self.lengths[2];
        vec![if is_found { Outcome::Found(process, ()) } else { Outcome::Next(process, next) }]
    }
    fn at_end(&mut self, _: &[u8; 3]) -> Option<()> {
        None
    }
    fn fingerprint(&mut self, state: &[u8; 3]) -> Option<Fingerprint> {
        Some(Fingerprint::of(state))
    }
    fn ample(&mut self, _: &[u8; 3], processes: &[u64]) -> Option<Vec<u64>> {
        Some(processes.iter().take(1).copied().collect())
    }
}

/// What goes first is no part of a shortest way unless it is needed.
#[test]
fn a_shortest_way_has_no_move_in_vain() {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let options = Options { order, is_minimal: true, ..Options::default() };
        let report = search(&mut Apart { lengths: [9, 7, 5] }, vec![[0; 3]], &options, &CancelToken::default());
        assert_eq!(report.found[0].path, [2; 5]);
        // The way with moves in vain, then the others with as few as can be.
        assert!(report.statistics.states < 200, "{}", report.statistics.states);
    }
}
