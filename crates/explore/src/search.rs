//! The search of all states, depth first or breadth first, with state matching, on one thread or several.
//!
//! **Reduction** follows Peled's ample sets: where `System::ample` gives a subset, only that moves, under a proviso that
//! keeps the others from being put off for ever. It is one that holds with any number of threads.
//!
//! *Depth first* a thread *closes* a state when it goes back from it, with all states that it put on its own stack behind it
//! done. A state in which an ample set alone has moved is closed only when every state behind those moves is closed;
//! where one is not (it is on the stack, or another thread is at it), the others move after all, and then the state is
//! closed. With one thread a state is not closed then if and only if it is on the stack, which is seen at once; that is the
//! usual rule. Why this is enough: take an execution of length *n* to a violation from a state that was visited. If all move
//! in the state, its first move was made, and *n - 1* moves are left. If the ample set alone moves and one of its moves
//! is part of the execution, that can be made first: *n - 1* are left again. If none is, the execution is as long behind
//! any of its moves that the values of the execution allow (a symbolic state splits there, so all states behind must do,
//! not one of them), and the state behind it was closed *before*: a state is closed after a look that saw the others
//! closed. So the pair of length and moment of closing gets smaller with each step, and the violation is found. A state that
//! is visited again from nearer (under a bound) is closed anew; the first time counts.
//!
//! *Breadth first* a state in which an ample set alone has moved must lead to states only whose expansion has not begun:
//! the moment of beginning gets later with each step, and there are finitely many.
//!
//! States in a *chain* (`Worker::expand_chain`) belong to the stored state before them: the chain ends after a bounded
//! number of moves in a state for which the rule is looked at.
//!
//! *Shortest ways* (`Options::is_minimal`): moves that go first count, though a finding may need none of them, and which go
//! first hangs on the order of the search. So where a search with ample sets has found something, a second one up to that
//! length follows. Take an execution to a finding. Either some move of the ample set is part of it: then that can be
//! made first, and the execution gets no longer. Or none is: then the others go on from the same state, with the ample set
//! *resting* for good. Each step makes the execution shorter or leaves fewer processes that may move, so a shortest one is
//! found, without any proviso. A state where nobody can move has nobody who rests: who rests could move. Who has made a
//! move that no other can notice (`System::ample`, `System::is_unseen`) moves again before it rests: else the execution
//! without that move would be shorter. For the same reason it does not matter which moves led to a state: of two ways
//! to it the longer one is let go, if the other lets no fewer processes move.
//!
//! A search begins with one thread; others come in when it has grown (`Options::large`).

use crate::common::{Common, End, Visit};
use crate::options::{Options, Order, Report};
use crate::path::Path;
use crate::system::System;
use crate::{breadth, depth};
use quod_verdict::CancelToken;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// More threads than this are not begun.
const MOST_THREADS: usize = 256;
/// Room for what a system does on the stack; it costs nothing until it is used.
const STACK_SIZE: usize = 256 << 20;

type ReportOf<S> = Report<<S as System>::State, <S as System>::Move, <S as System>::Finding>;

/// Searches all states from the initial ones, in this thread.
pub fn search<S: System>(
    system: &mut S,
    initial: Vec<S::State>,
    options: &Options,
    cancel: &CancelToken,
) -> ReportOf<S> {
    run(system, None::<&fn() -> S>, initial, options, cancel)
}

/// As `search`, on as many threads as the options say. Each further thread makes its own system.
pub fn search_on_threads<S: System, M: Fn() -> S + Sync>(
    system: &mut S,
    make: &M,
    initial: Vec<S::State>,
    options: &Options,
    cancel: &CancelToken,
) -> ReportOf<S> {
    run(system, Some(make), initial, options, cancel)
}

fn run<S: System, M: Fn() -> S + Sync>(
    system: &mut S,
    make: Option<&M>,
    initial: Vec<S::State>,
    options: &Options,
    cancel: &CancelToken,
) -> ReportOf<S> {
    let mut report = pass(system, make, initial.clone(), options, cancel, None);
    let is_whole = !report.is_cancelled && !report.is_exhausted && !report.is_void;
    if let Some(best) = report
        .found
        .first()
        .filter(|_| options.is_minimal && !options.finds_cycles && is_whole && report.statistics.reduced > 0)
    {
        let longest = best.path.len() as u64;
        let exact = pass(system, make, initial, options, cancel, Some(longest));
        let mut statistics = exact.statistics.clone();
        statistics.add(&report.statistics);
        statistics.threads = exact.statistics.threads.max(report.statistics.threads);
        let found = if exact.found.is_empty() { report.found } else { exact.found };
        report = Report { found, statistics, ..exact };
    }
    report
}

/// One search; `longest` where a finding with a way of that length is known, and a shortest one is wanted.
fn pass<S: System, M: Fn() -> S + Sync>(
    system: &mut S,
    make: Option<&M>,
    initial: Vec<S::State>,
    options: &Options,
    cancel: &CancelToken,
    longest: Option<u64>,
) -> ReportOf<S> {
    // What is on the stack is each thread's own.
    let is_single = make.is_none() || options.finds_cycles || !options.is_saved;
    let threads = if is_single { 1 } else { options.threads.clamp(1, MOST_THREADS) };
    let common = Common::new(options, cancel, threads, longest);
    let root = Path::root();
    let initial = initial.into_iter().map(|state| Visit::new(state, root.clone(), 0)).collect();
    let mut statistics = match options.order {
        Order::DepthFirst => depth::search(system, make, &common, initial),
        Order::BreadthFirst => breadth::search(system, make, &common, initial),
    };
    statistics.saved = common.visited.len();
    let is_void = common.has_ended_by(End::Void) || system.is_void();
    let has_enough = common.has_ended_by(End::Enough);
    // A thread that broke has not looked at all that was its part.
    let is_cancelled = common.has_ended_by(End::Cancelled) || common.has_ended_by(End::Broken);
    let is_exhausted = common.has_ended_by(End::Exhausted);
    let (found, at) = common.into_found();
    Report { found, statistics, is_cancelled, is_exhausted, at, is_void: is_void && !has_enough }
}

/// A further thread; nothing where the system has none to give.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).ok()
}
