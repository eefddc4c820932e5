//! One move of a process: on to its next interruptible point, on all ways that are possible.

use super::questions::MOST_VALUES;
use super::{Ends, Engine, FUEL, Nature, Outcomes, SearchState, Step};
use quod_base::{Id, Span};
use quod_exec::machine::Event;
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::SymbolicDomain;
use quod_explore::Outcome as Moved;
use quod_term::Term;
use quod_verdict::{CheckKind, Reason};

/// Open conditions in one go of a process that runs alone; then its states are kept.
const MOST_FORKS: u32 = 64;

/// A state in the middle of a move.
struct Work {
    state: SearchState,
    choices: Vec<u32>,
    has_moved: bool,
    /// Nothing has been done yet in this go.
    is_start: bool,
}

impl Engine<'_> {
    /// A state goes on at `pc`: in the same move, or, where that ended it, as a state of its own.
    fn go_on(&mut self, mut item: Work, pc: u32, process: ProcessId, work: &mut Vec<Work>, outcomes: &mut Outcomes) {
        let state = &mut item.state.state;
        let is_boundary = self.machine.resume_at(state, process, pc);
        if is_boundary && self.machine.can_interrupt(state, process) {
            self.machine.forget_temporaries(state, process);
            outcomes.push(Moved::Next(Step::new(process, item.choices, Nature::Whole), item.state));
        } else {
            item.has_moved |= is_boundary;
            work.push(item);
        }
    }

    /// The process is blocked under what was found out on the way: the same state as before the move, knowing more.
    fn blocked(&mut self, start: &SearchState, item: &Work, process: ProcessId, outcomes: &mut Outcomes) {
        let (before, after) = (&start.state.memory, &item.state.state.memory);
        let more: Vec<Term> = after.path_condition().skip(before.path_condition().count()).collect();
        if more.is_empty() {
            return;
        }
        if before.fresh_count() != after.fresh_count() {
            let reason = Reason::Unsupported { what: "waiting for a condition on values made in the same move".into() };
            let span = self.machine.span(&item.state.state, process);
            return self.doubt(reason, span, None);
        }
        let mut state = start.clone();
        for condition in more {
            self.machine.domain.assume(&mut state.state.memory, condition);
        }
        outcomes.push(Moved::Next(Step::new(process, Vec::new(), Nature::Split), state));
    }

    pub(crate) fn run(&mut self, state: &SearchState, process: ProcessId) -> Outcomes {
        let mut outcomes = Vec::new();
        if self.is_synchronous
            && let Some(violation) = self.potential_deadlock(state)
        {
            outcomes.push(Moved::Found(Step::new(process, Vec::new(), Nature::Split), violation));
        }
        let mut start = state.clone();
        // A blocked block let others in; who goes on inside a block has it again.
        let is_inside = {
            let process = &start.state.processes[process.index()];
            process.atomic_depth > 0 || process.atom_depth > 0
        };
        start.state.atomic_owner = is_inside.then_some(process);
        let mut forks = 0;
        let mut work = vec![Work { state: start.clone(), choices: Vec::new(), has_moved: false, is_start: true }];
        let is_noted = self.machine.domain.footprint.is_kept;
        while let Some(mut item) = work.pop() {
            self.machine.domain.footprint.is_kept = is_noted && item.state.state.is_beside_others(process);
            if self.cancel.is_cancelled() {
                // What is not looked at is not at rest.
                self.is_active = true;
                self.doubt(Reason::Timeout, Span::NONE, None);
                break;
            }
            self.machine.has_moved = item.has_moved;
            let event = self.machine.run_process(&mut item.state.state, process, FUEL, true);
            item.has_moved = self.machine.has_moved;
            self.is_active |= !matches!(event, Event::Blocked | Event::Quantify(_));
            self.processes = self.processes.max(item.state.state.processes.len());
            if let Some(limit) = self.most_processes.filter(|&limit| running(&item.state.state) > limit) {
                let bound = quod_verdict::Bound { what: "processes".into(), limit: limit.to_string() };
                let span = self.machine.span(&item.state.state, process);
                self.doubt(Reason::BoundReached { bound }, span, None);
                continue;
            }
            let step = |choices: &[u32], nature| Step::new(process, choices.to_vec(), nature);
            if !matches!(event, Event::Moved | Event::Ended | Event::Yielded | Event::Blocked) {
                forks += 1;
            }
            match event {
                Event::Moved | Event::Ended | Event::Yielded => {
                    // Who yields inside an atomic block lets others in.
                    if matches!(event, Event::Yielded) {
                        item.state.state.atomic_owner = None;
                    }
                    self.machine.forget_temporaries(&mut item.state.state, process);
                    outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state));
                }
                Event::Paused => outcomes.push(Moved::Next(step(&item.choices, Nature::Part), item.state)),
                Event::Blocked => self.blocked(&start, &item, process, &mut outcomes),
                Event::Vanished => self.is_pruned = true,
                Event::Exited(code) => {
                    item.state.is_exited = true;
                    match self.at_exit(&item.state, code) {
                        Some(violation) => outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation)),
                        None if self.ends == Ends::Kept => {
                            let end = self.end(&item.state);
                            outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), end));
                        }
                        None => outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state)),
                    }
                }
                Event::Fork { condition, yes, no } => {
                    let negated = self.machine.domain.pool.not(condition);
                    // Where one way is impossible, the other is the only one and needs no question.
                    let no_way = self.under(&item.state, negated);
                    let yes_way = match no_way {
                        Some(_) => self.under(&item.state, condition),
                        None => {
                            self.machine.domain.note(&mut item.state.state.memory, condition);
                            Some(item.state.clone())
                        }
                    };
                    for (way, pc) in [(no_way, no), (yes_way, yes)] {
                        if let Some(state) = way {
                            let item = Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            };
                            self.go_on(item, pc, process, &mut work, &mut outcomes);
                        }
                    }
                }
                Event::Split(conditions) => {
                    for condition in conditions.into_iter().rev() {
                        if let Some(state) = self.under(&item.state, condition) {
                            work.push(Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            });
                        }
                    }
                }
                Event::Values(term) => match self.values(&item.state, term) {
                    None if !item.state.state.memory.is_open(term) && self.machine.domain.is_ideal => {
                        // Done again without its value, where that is possible.
                        item.state.state.memory.leave_open(term);
                        work.push(item);
                    }
                    Some(constants) => {
                        for constant in constants.into_iter().rev() {
                            let condition = self.machine.domain.pool.eq(term, constant);
                            let mut state = self.assuming(&item.state, condition);
                            // The condition may have been written otherwise (`N = 2` for `8 * N = 16`).
                            self.machine.domain.know(&mut state.state.memory, term, constant);
                            let state = self.settle(state, term);
                            work.push(Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            });
                        }
                    }
                    None => {
                        let what = "a number that must be known here and can have too many values".into();
                        let span = self.machine.span(&item.state.state, process);
                        self.doubt(Reason::Unsupported { what }, span, None);
                    }
                },
                Event::Pick(count) => {
                    if count > MOST_VALUES as i128 {
                        let span = self.machine.span(&item.state.state, process);
                        self.doubt(Reason::Unsupported { what: format!("a choice of {count}") }, span, None);
                        continue;
                    }
                    // Ways that lead to the same choice meet there: the search knows its states.
                    let is_alone = !self.machine.can_interrupt(&item.state.state, process);
                    if !item.is_start && is_alone {
                        outcomes.push(Moved::Next(step(&item.choices, Nature::Part), item.state));
                        continue;
                    }
                    for pick in (0..count).rev() {
                        let mut state = item.state.clone();
                        state.state.world.pick = Some(pick);
                        let choices = item.choices.iter().copied().chain([pick as u32]).collect();
                        work.push(Work { state, choices, has_moved: item.has_moved, is_start: false });
                    }
                }
                Event::Choose(targets) => {
                    for (choice, target) in targets.into_iter().enumerate().rev() {
                        let choices = item.choices.iter().copied().chain([choice as u32]).collect();
                        let item =
                            Work { state: item.state.clone(), choices, has_moved: item.has_moved, is_start: false };
                        self.go_on(item, target, process, &mut work, &mut outcomes);
                    }
                }
                Event::Doubt { condition, fault, span, next } => {
                    let negated = self.machine.domain.pool.not(condition);
                    if let Some(violation) = self.violation(&item.state, Some(negated), fault, span) {
                        outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation));
                    }
                    if let Some(state) = self.under(&item.state, condition) {
                        self.go_on(Work { state, is_start: false, ..item }, next, process, &mut work, &mut outcomes);
                    }
                }
                Event::Assume { condition, next } => {
                    self.is_pruned = true;
                    if let Some(state) = self.under(&item.state, condition) {
                        self.go_on(Work { state, is_start: false, ..item }, next, process, &mut work, &mut outcomes);
                    }
                }
                Event::Fault(fault, _)
                    if fault.kind == CheckKind::UnreachableReached && !self.kinds.contains(fault.kind) =>
                {
                    // Behind an assertion that nobody asks for, or another call that does not return.
                    item.state.is_exited = true;
                    match self.at_exit(&item.state, 134) {
                        Some(violation) => outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation)),
                        None => outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state)),
                    }
                }
                Event::Fault(fault, span) => {
                    let kind = fault.kind;
                    if kind != CheckKind::Unsupported && self.kinds.contains(kind) {
                        let violation = self.violation(&item.state, None, fault, span);
                        let found = violation.map(|found| Moved::Found(step(&item.choices, Nature::Whole), found));
                        outcomes.extend(found);
                    } else {
                        let reason = Reason::Unsupported { what: fault.message.clone() };
                        self.doubt(reason, span, Some(fault.into_diagnostic(span)));
                    }
                }
                Event::Quantify(site) => {
                    let (choices, has_moved) = (item.choices, item.has_moved);
                    if let Some(state) = self.quantify(item.state, process, site) {
                        work.push(Work { state, choices, has_moved, is_start: false });
                    }
                }
                Event::Cancelled => {
                    self.stopped_at = self.machine.span(&item.state.state, process);
                    self.doubt(Reason::Timeout, self.stopped_at, None);
                }
            }
            if forks >= MOST_FORKS {
                // Loops that fork for ever must come back to the search, which knows its states.
                for item in work.drain(..).rev() {
                    let step = Step::new(process, item.choices, Nature::Part);
                    outcomes.push(Moved::Next(step, item.state));
                }
            }
        }
        self.forget_processes(&mut outcomes);
        outcomes
    }

    /// Numbers of processes that nothing names after the move are given out again.
    fn forget_processes(&self, outcomes: &mut Outcomes) {
        for outcome in outcomes {
            if let Moved::Next(step, after) = outcome
                && step.nature == Nature::Whole
                && !after.is_exited
            {
                let unnamed = self.machine.domain.unnamed(&after.state);
                if !unnamed.is_empty() && after.state.forget(unnamed) {
                    step.forgotten = unnamed;
                }
            }
        }
    }
}

/// Processes that have not ended.
fn running(state: &State<SymbolicDomain>) -> usize {
    state.processes.iter().filter(|process| process.status == Status::Running).count()
}
