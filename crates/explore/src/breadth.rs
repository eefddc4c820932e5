//! Breadth first, a batch of states at a time. The threads expand the states of a batch in any order; what they found is
//! put together in the order of the batch. So findings, traces and counts are the same with any number of threads.

use crate::common::{Common, End, FoundBy, Guard, Visit, lock};
use crate::expand::Worker;
use crate::options::Statistics;
use crate::system::System;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// States of one batch.
const BATCH: usize = 512;
/// States that a thread takes at once: neighbours have much in common.
const TAKEN: usize = 8;
/// A smaller batch is not worth the way to other threads.
const SMALLEST_SHARED: usize = 8;

/// The expansion of one state of a batch.
struct Item<S: System> {
    visit: Option<Visit<S>>,
    next: Vec<Visit<S>>,
    found: Vec<FoundBy<S>>,
    statistics: Statistics,
}

struct Batch<S: System> {
    items: Vec<Mutex<Item<S>>>,
    /// The items whose states each thread made, and how many of them were taken.
    shares: Vec<(Vec<usize>, AtomicUsize)>,
    depth_limit: u64,
}

impl<S: System> Batch<S> {
    fn new(visits: Vec<Visit<S>>, threads: usize, depth_limit: u64) -> Self {
        let mut shares: Vec<(Vec<usize>, AtomicUsize)> = (0..threads).map(|_| Default::default()).collect();
        for (index, visit) in visits.iter().enumerate() {
            shares[usize::from(visit.maker)].0.push(index);
        }
        let item = |visit| {
            Mutex::new(Item {
                visit: Some(visit),
                next: Vec::new(),
                found: Vec::new(),
                statistics: Statistics::default(),
            })
        };
        Self { items: visits.into_iter().map(item).collect(), shares, depth_limit }
    }
}

/// A thread that helps: where batches go, and where it says that one is done.
struct Helper<S: System> {
    batches: Sender<Arc<Batch<S>>>,
    done: Receiver<()>,
}

/// Searches from the initial states; `make` gives the systems of further threads.
pub(crate) fn search<S: System, M: Fn() -> S + Sync>(
    system: &mut S,
    make: Option<&M>,
    common: &Common<'_, S>,
    initial: Vec<Visit<S>>,
) -> Statistics {
    let make = make.filter(|_| common.threads > 1);
    let mut worker = Worker::new(system, common, 0);
    worker.statistics = Statistics::default();
    let _guard = Guard(common);
    let mut queue = Queue { visits: VecDeque::new(), statistics: Statistics { threads: 1, ..Statistics::default() } };
    for mut visit in initial {
        worker.key(&mut visit);
        queue.enter(common, visit);
    }
    std::thread::scope(|scope| {
        let mut helpers: Vec<Helper<S>> = Vec::new();
        let mut threads = Vec::new();
        let mut is_large = false;
        while !queue.visits.is_empty() && !common.is_over(worker.system) {
            let (states, effort) = common.options.large;
            if let Some(make) = make.filter(|_| !is_large)
                && (queue.statistics.states >= states || worker.system.effort() >= effort)
            {
                is_large = true;
                for index in 1..common.threads {
                    let (batches, receiver) = channel();
                    let (sender, done) = channel();
                    let help = move || help(make, common, index, &receiver, &sender);
                    if let Some(thread) = crate::search::spawn(scope, help) {
                        helpers.push(Helper { batches, done });
                        threads.push(thread);
                        queue.statistics.threads += 1;
                    }
                }
            }
            let batch = queue.batch(common);
            if batch.items.len() >= SMALLEST_SHARED && !helpers.is_empty() {
                together(&mut worker, &helpers, &batch);
            }
            for item in &batch.items {
                let mut item = lock(item);
                worker.expand_item(&mut item, batch.depth_limit);
                queue.merge(common, &mut item);
                if common.is_over(worker.system) {
                    break;
                }
            }
        }
        drop(helpers);
        for thread in threads {
            let summary = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            worker.system.absorb(summary);
        }
    });
    if let Some(visit) = queue.visits.pop_front() {
        common.stop_at(visit.state);
    }
    queue.statistics
}

/// What a further thread does.
fn help<S: System, M: Fn() -> S + Sync>(
    make: &M,
    common: &Common<'_, S>,
    index: usize,
    batches: &Receiver<Arc<Batch<S>>>,
    done: &Sender<()>,
) -> S::Summary {
    let _guard = Guard(common);
    let mut system = make();
    let mut worker = Worker::new(&mut system, common, index);
    while let Ok(batch) = batches.recv() {
        worker.expand_some(&batch);
        if done.send(()).is_err() {
            break;
        }
    }
    system.summary()
}

/// All threads expand the states of a batch.
fn together<S: System>(worker: &mut Worker<'_, '_, S>, helpers: &[Helper<S>], batch: &Arc<Batch<S>>) {
    let mut waiting = Vec::new();
    for helper in helpers {
        match helper.batches.send(batch.clone()) {
            Ok(()) => waiting.push(helper),
            Err(_) => worker.common.end(End::Broken),
        }
    }
    worker.expand_some(batch);
    for helper in waiting {
        if helper.done.recv().is_err() {
            worker.common.end(End::Broken);
        }
    }
}

impl<S: System> Worker<'_, '_, S> {
    /// Expands states that this thread made, then those of others: a state is in the caches of who made it, and shares
    /// much with its siblings.
    fn expand_some(&mut self, batch: &Batch<S>) {
        let (others, own) = batch.shares.split_at(usize::from(self.index));
        for (share, taken) in own.iter().chain(others) {
            loop {
                let start = taken.fetch_add(TAKEN, Ordering::Relaxed);
                let Some(indices) = share.get(start..).filter(|indices| !indices.is_empty()) else { break };
                for &index in indices.iter().take(TAKEN) {
                    if self.common.is_over(self.system) {
                        return;
                    }
                    self.expand_item(&mut lock(&batch.items[index]), batch.depth_limit);
                }
            }
        }
    }

    /// Expands the state of an item, if nobody has done so.
    fn expand_item(&mut self, item: &mut Item<S>, depth_limit: u64) {
        let Some(visit) = item.visit.take() else { return };
        self.depth_limit = depth_limit;
        self.statistics = Statistics { states: 1, deepest: visit.trail.length, ..Statistics::default() };
        item.next = self.expand(&visit, 0).next;
        let (mut matches, mut deepest) = (0, self.statistics.deepest);
        item.next.retain_mut(|visit| {
            // What is known now was met from no further away; it is let go here, not where all are put together.
            let is_known = self.key(visit).is_some_and(|key| self.common.visited.mark(key).is_some());
            matches += u64::from(is_known);
            deepest = deepest.max(visit.trail.length);
            !is_known
        });
        self.statistics.matches += matches;
        self.statistics.deepest = deepest;
        item.found = std::mem::take(&mut self.found);
        item.statistics = std::mem::take(&mut self.statistics);
    }
}

/// States that wait, in the order in which they were met.
struct Queue<S: System> {
    visits: VecDeque<Visit<S>>,
    statistics: Statistics,
}

impl<S: System> Queue<S> {
    /// Puts a state in, if it was not met before.
    fn enter(&mut self, common: &Common<'_, S>, visit: Visit<S>) {
        let depth = visit.trail.length;
        if visit.key.is_none_or(|key| common.enter(key, &visit, 0)) {
            self.visits.push_back(visit);
        } else {
            self.statistics.matches += 1;
            self.statistics.deepest = self.statistics.deepest.max(depth);
        }
    }

    /// The next states, whose expansion begins now.
    fn batch(&mut self, common: &Common<'_, S>) -> Arc<Batch<S>> {
        let count = self.visits.len().min(BATCH);
        let visits: Vec<Visit<S>> = self.visits.drain(..count).collect();
        visits.iter().filter_map(|visit| visit.key).for_each(|key| common.visited.close(key));
        Arc::new(Batch::new(visits, common.threads, common.depth_limit()))
    }

    fn merge(&mut self, common: &Common<'_, S>, item: &mut Item<S>) {
        self.statistics.add(&std::mem::take(&mut item.statistics));
        std::mem::take(&mut item.found).into_iter().for_each(|found| common.find(found));
        std::mem::take(&mut item.next).into_iter().for_each(|visit| self.enter(common, visit));
    }
}
