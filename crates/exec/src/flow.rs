//! What engines want to know of a function's prepared code before they run it: where ways meet, an order in which loops
//! are contiguous, and which registers are still read.
//!
//! The order is Bourdoncle's weak topological order (Efficient chaotic iteration strategies, 1993), made by taking
//! strongly connected components apart: a loop's head comes first, its body follows, and what is behind the loop comes
//! after all of it. A search that always goes on with the state that is furthest behind in this order has all ways of a
//! loop together before it leaves the loop.

use crate::code::{Asking, Code, Op, Operand, Pc, Register, ResultTo, Target};
use crate::domain::Domain;

#[derive(Clone, Debug)]
pub struct Flow {
    /// Ways meet before this operation, or a call has come back.
    pub joins: Vec<bool>,
    /// The place of each operation in the order.
    pub order: Vec<u32>,
    /// For the head of a loop: the place behind its last operation.
    pub ends: Vec<Option<u32>>,
    /// A row of bits for each operation: registers whose value may be read from there on.
    live: Vec<u64>,
    words: usize,
}

/// More bits than this are not kept: then every register counts as read.
const MOST_WORDS: usize = 1 << 23;

impl Flow {
    pub(crate) fn of<D: Domain>(code: &Code<D>) -> Self {
        let count = code.ops.len();
        let successors: Vec<Vec<Pc>> = (0..count).map(|pc| successors(code, pc as Pc)).collect();
        let mut meeting = vec![0u32; count];
        for &target in successors.iter().flatten() {
            meeting[target as usize] += 1;
        }
        let mut joins: Vec<bool> = meeting.iter().map(|&ways| ways > 1).collect();
        for (pc, op) in code.ops.iter().enumerate() {
            if matches!(op, Op::Call { .. }) && pc + 1 < count {
                joins[pc + 1] = true;
            }
        }
        let (order, ends) = weak_order(&successors);
        for (pc, end) in ends.iter().enumerate() {
            joins[pc] |= end.is_some();
        }
        let mut flow = Self { joins, order, ends, live: Vec::new(), words: 0 };
        flow.find_live(code, &successors);
        flow
    }

    /// The register may be read before it is written again.
    pub fn is_live(&self, pc: Pc, register: Register) -> bool {
        if self.words == 0 {
            return true;
        }
        let word = self.live.get(pc as usize * self.words + register as usize / 64);
        word.is_none_or(|word| word >> (register % 64) & 1 == 1)
    }

    fn find_live<D: Domain>(&mut self, code: &Code<D>, successors: &[Vec<Pc>]) {
        let words = (code.register_count as usize).div_ceil(64).max(1);
        if words * code.ops.len() > MOST_WORDS {
            return;
        }
        // Addresses of objects are read when the frame ends.
        let mut always = vec![0u64; words];
        for local in &code.memory_locals {
            always[local.register as usize / 64] |= 1 << (local.register % 64);
        }
        let mut live = vec![0u64; words * code.ops.len()];
        let mut row = vec![0u64; words];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for pc in (0..code.ops.len()).rev() {
                row.copy_from_slice(&always);
                for &next in &successors[pc] {
                    let from = next as usize * words;
                    row.iter_mut().zip(&live[from..from + words]).for_each(|(bits, more)| *bits |= more);
                }
                let (reads, write) = registers(code, &code.ops[pc]);
                if let Some(register) = write {
                    row[register as usize / 64] &= !(1 << (register % 64));
                }
                for register in reads.into_iter().filter(|operand| !operand.is_constant()).map(|operand| operand.0) {
                    row[register as usize / 64] |= 1 << (register % 64);
                }
                row.iter_mut().zip(&always).for_each(|(bits, more)| *bits |= more);
                let at = &mut live[pc * words..(pc + 1) * words];
                if at != row.as_slice() {
                    at.copy_from_slice(&row);
                    is_changed = true;
                }
            }
        }
        self.live = live;
        self.words = words;
    }
}

/// Where execution of the frame can go on.
fn successors<D: Domain>(code: &Code<D>, pc: Pc) -> Vec<Pc> {
    let next = pc + 1;
    let mut all = match &code.ops[pc as usize] {
        Op::Jump { target } => vec![*target],
        Op::Branch { otherwise, .. } | Op::CompareBranch { otherwise, .. } | Op::CompareBranchInt { otherwise, .. } => {
            vec![next, *otherwise]
        }
        Op::When { start, .. } => vec![next, *start],
        Op::CheckFailed { resume, .. } => vec![*resume],
        Op::Switch { table, .. } => {
            let table = &code.switches[*table as usize];
            table.cases.iter().map(|case| case.2).chain([table.default]).collect()
        }
        Op::Choose { table } => {
            let table = &code.chooses[*table as usize];
            table.alternatives.iter().copied().chain(table.default).chain([table.start]).collect()
        }
        Op::ComputedJump { .. } => code.labels.clone(),
        Op::Return { .. } | Op::ReturnAggregate { .. } | Op::Unreachable => Vec::new(),
        _ => vec![next],
    };
    all.retain(|&target| (target as usize) < code.ops.len());
    all.sort_unstable();
    all.dedup();
    all
}

/// The operands that an operation reads and the register that it writes in any case.
fn registers<D: Domain>(code: &Code<D>, op: &Op) -> (Vec<Operand>, Option<Register>) {
    match op {
        Op::Move { to, from } => (vec![*from], Some(*to)),
        Op::Unary { to, operand, .. } | Op::Convert { to, operand, .. } | Op::ToBool { to, operand, .. } => {
            (vec![*operand], Some(*to))
        }
        Op::Binary { to, left, right, .. }
        | Op::CheckedBinary { to, left, right, .. }
        | Op::AddInt { to, left, right }
        | Op::SubtractInt { to, left, right }
        | Op::AndInt { to, left, right }
        | Op::CheckedAddInt { to, left, right, .. }
        | Op::CheckedSubtractInt { to, left, right, .. }
        | Op::Shift { to, left, right, .. }
        | Op::Compare { to, left, right, .. }
        | Op::Difference { to, left, right, .. } => (vec![*left, *right], Some(*to)),
        Op::CheckBetween { value, low, high, check, .. } => {
            let mut reads = vec![*value, *low, *high];
            reads.extend(shown(code, *check));
            (reads, None)
        }
        Op::LoadIndexed { to, pointer, index, .. } | Op::Index { to, pointer, index, .. } => {
            (vec![*pointer, *index], Some(*to))
        }
        Op::StoreIndexed { pointer, index, value, .. } => (vec![*pointer, *index, *value], None),
        Op::CompareBranchInt { left, right, .. } | Op::CompareBranch { left, right, .. } => (vec![*left, *right], None),
        Op::Numeric { call, to } => {
            let site = &code.numerics[*call as usize];
            (site.arguments.iter().map(|argument| argument.0).collect(), Some(*to))
        }
        Op::Offset { to, pointer, .. } | Op::Load { to, pointer, .. } | Op::LoadBits { to, pointer, .. } => {
            (vec![*pointer], Some(*to))
        }
        Op::Store { pointer, value, .. } | Op::StoreBits { pointer, value, .. } => (vec![*pointer, *value], None),
        Op::Copy { to, from, .. } => (vec![*to, *from], None),
        Op::CopyDynamic { to, from, size } => (vec![*to, *from, *size], None),
        Op::Fill { to, .. } => (vec![*to], None),
        Op::FillDynamic { to, size } => (vec![*to, *size], None),
        Op::ThreadLocal { to, .. }
        | Op::Enclosing { to, .. }
        | Op::FunctionAddress { to, .. }
        | Op::Havoc { to, .. } => (Vec::new(), Some(*to)),
        Op::Ask { to, question } => (asked(&code.questions[*question as usize]), Some(*to)),
        Op::Check { question, check } => {
            let mut reads = asked(&code.questions[*question as usize]);
            reads.extend(shown(code, *check));
            (reads, None)
        }
        Op::CheckFailed { check, .. } => (shown(code, *check), None),
        Op::Branch { condition, .. } | Op::When { condition, .. } | Op::Assume { condition, .. } => {
            (vec![*condition], None)
        }
        Op::Switch { value, .. } | Op::ComputedJump { value } => (vec![*value], None),
        Op::Return { value } => (value.iter().copied().collect(), None),
        Op::ReturnAggregate { from, .. } => (vec![*from], None),
        Op::Call { site } | Op::Spawn { site } => {
            let site = &code.calls[*site as usize];
            let mut reads: Vec<Operand> = site.arguments.iter().map(|argument| argument.operand).collect();
            if let Target::Indirect(operand, _) = site.target {
                reads.push(operand);
            }
            (reads_with(reads, site.result), written(site.result))
        }
        Op::Builtin { site } => {
            let site = &code.builtins[*site as usize];
            let reads = site.arguments.iter().map(|argument| argument.operand).collect();
            // Not every built-in gives a result, whatever its place is.
            (reads_with(reads, site.result), None)
        }
        Op::EnterDynamic { size, .. } => (vec![*size], None),
        Op::Jump { .. }
        | Op::Nop
        | Op::Choose { .. }
        | Op::Unreachable
        | Op::Enter { .. }
        | Op::Leave { .. }
        | Op::Undefine { .. }
        | Op::EnterScope { .. }
        | Op::Quantify { .. }
        | Op::LeaveScope { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd { .. }
        | Op::Unsupported { .. } => (Vec::new(), None),
    }
}

fn shown<D: Domain>(code: &Code<D>, check: u32) -> Vec<Operand> {
    let site = &code.checks[check as usize];
    let mut reads: Vec<Operand> = site.shown.iter().flat_map(|(left, right, _)| [*left, *right]).collect();
    reads.extend(site.values.iter().map(|(value, _)| *value));
    reads.extend(site.question.iter().flat_map(|&question| asked(&code.questions[question as usize])));
    reads
}

fn reads_with(mut reads: Vec<Operand>, result: ResultTo) -> Vec<Operand> {
    if let ResultTo::Memory { address, .. } = result {
        reads.push(address);
    }
    reads
}

fn written(result: ResultTo) -> Option<Register> {
    match result {
        ResultTo::Register(register, _) => Some(register),
        ResultTo::Nothing | ResultTo::Memory { .. } => None,
    }
}

fn asked(asking: &Asking) -> Vec<Operand> {
    match asking {
        Asking::ValidAccess { pointer, size, .. } => vec![*pointer, *size],
        Asking::ValidFree { pointer }
        | Asking::Initialised { pointer, .. }
        | Asking::Aligned { pointer, .. }
        | Asking::Callable { pointer, .. } => vec![*pointer],
        Asking::ValidPointerAdd { pointer, index, .. } => vec![*pointer, *index],
        Asking::SameObject { left, right }
        | Asking::FitsBinary { left, right, .. }
        | Asking::ValidShift { left, right, .. } => vec![*left, *right],
        Asking::InitialisedRegister { flag } => vec![*flag],
        Asking::FitsUnary { operand, .. } => vec![*operand],
        Asking::FitsConversion { value, .. } => vec![*value],
    }
}

/// Places in the order, and where loops end. What is not reached from the start comes last.
fn weak_order(successors: &[Vec<Pc>]) -> (Vec<u32>, Vec<Option<u32>>) {
    let count = successors.len();
    let mut order = vec![u32::MAX; count];
    let mut ends = vec![None; count];
    let mut next = 0u32;
    // Parts still to be laid out, the last one first: single operations, loops to be closed, and sets to take apart.
    enum Part {
        Set(Vec<Pc>),
        Close(Pc),
    }
    // Which set an operation belongs to at present; operations of other sets are not looked at.
    let mut owner = vec![0u32; count];
    let mut sets = 0u32;
    let mut work = vec![Part::Set((0..count as Pc).collect())];
    while let Some(part) = work.pop() {
        let members = match part {
            Part::Close(head) => {
                ends[head as usize] = Some(next);
                continue;
            }
            Part::Set(members) => members,
        };
        if let [single] = members[..] {
            order[single as usize] = next;
            next += 1;
            if successors[single as usize].contains(&single) {
                ends[single as usize] = Some(next);
            }
            continue;
        }
        sets += 1;
        members.iter().for_each(|&pc| owner[pc as usize] = sets);
        let components = components(successors, &owner, sets, &members);
        if components.len() == 1 && components[0].len() == members.len() {
            // A loop: its head is where the depth-first walk came in first, the lowest operation.
            let head = members[0];
            order[head as usize] = next;
            next += 1;
            work.push(Part::Close(head));
            let rest: Vec<Pc> = members[1..].to_vec();
            work.push(Part::Set(rest));
            continue;
        }
        // Tarjan finds the last ones first, and the stack gives the first ones first.
        for component in components {
            work.push(Part::Set(component));
        }
    }
    (order, ends)
}

/// Strongly connected components of a set, those without successors in the set first; each with its entry first.
fn components(successors: &[Vec<Pc>], owner: &[u32], set: u32, members: &[Pc]) -> Vec<Vec<Pc>> {
    let mut index = vec![u32::MAX; successors.len()];
    let mut low = vec![0u32; successors.len()];
    let mut is_open = vec![false; successors.len()];
    let mut counter = 0u32;
    let mut stack: Vec<Pc> = Vec::new();
    let mut found = Vec::new();
    for &root in members {
        if index[root as usize] != u32::MAX {
            continue;
        }
        let mut walk: Vec<(Pc, usize)> = vec![(root, 0)];
        while let Some((pc, edge)) = walk.last_mut() {
            let (at, place) = (*pc as usize, *edge);
            if place == 0 {
                index[at] = counter;
                low[at] = counter;
                counter += 1;
                stack.push(*pc);
                is_open[at] = true;
            }
            // Taking the last successor first makes what follows directly come later in the order of ends.
            let next = successors[at].len().checked_sub(place + 1).map(|edge| successors[at][edge]);
            match next {
                Some(target) => {
                    *edge += 1;
                    let to = target as usize;
                    if owner[to] != set {
                        continue;
                    }
                    if index[to] == u32::MAX {
                        walk.push((target, 0));
                    } else if is_open[to] {
                        low[at] = low[at].min(index[to]);
                    }
                }
                None => {
                    let pc = *pc;
                    walk.pop();
                    if let Some((parent, _)) = walk.last() {
                        let parent = *parent as usize;
                        low[parent] = low[parent].min(low[at]);
                    }
                    if low[at] == index[at] {
                        let from = stack.iter().rposition(|&open| open == pc).unwrap_or(0);
                        let component = stack.split_off(from);
                        component.iter().for_each(|&member| is_open[member as usize] = false);
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}
