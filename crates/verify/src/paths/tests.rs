//! Cycles in the graph of kept states.

use super::has_cycle;
use quod_base::Fingerprint;

#[test]
fn a_way_around_is_found() {
    let edge = |from: u128, to: u128| (Fingerprint(from), Fingerprint(to));
    assert!(!has_cycle(&[]));
    assert!(!has_cycle(&[edge(1, 2), edge(1, 3), edge(2, 3)]));
    assert!(has_cycle(&[edge(1, 2), edge(2, 3), edge(3, 2)]));
    assert!(has_cycle(&[edge(1, 1)]));
}
