//! `<pthread.h>`, `<semaphore.h>` and `<threads.h>`: threads are processes; what a lock is, the library keeps by address.

use super::context::{Context, Reply};
use super::native::Native;
use super::world::{Barrier, Mutex};
use super::{Answered, LibraryFunction, errno};
use crate::InputValue;
use crate::domain::{Domain, Outcome};
use crate::machine::{Event, Observed};
use crate::scalar::Scalar;
use crate::state::{ProcessId, Status};
use quod_base::{Id, Symbol};
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "pthread_create" | "thrd_create" => create,
        "pthread_join" | "thrd_join" => join,
        "pthread_exit" | "thrd_exit" => exit,
        "pthread_detach" | "thrd_detach" => |context| {
            let process = process(context, 0)?;
            context.state.processes[process.index()].is_detached = true;
            Ok(Reply::Int(0))
        },
        "pthread_self" | "thrd_current" => |context| {
            let number = context.process.index();
            if number > 0 && !context.state.processes[number].is_thread {
                context.state.processes[number].is_thread = true;
            }
            Ok(Reply::Int(number as i128 + 1))
        },
        "pthread_equal" | "thrd_equal" => |context| Ok(Reply::Int(i128::from(context.int(0)? == context.int(1)?))),
        "pthread_once" | "call_once" => once,
        "pthread_mutex_init" => |context| {
            let attributes = context.value(1)?;
            let kind = if context.is_null(&attributes) { 0 } else { context.load_int(&attributes, IntKind::Int)? };
            init_mutex(context, kind)
        },
        "mtx_init" => |context| {
            let kind = i128::from(context.int(1)? & 1 != 0);
            init_mutex(context, kind)
        },
        "pthread_spin_init" => |context| init_mutex(context, 0),
        "pthread_mutex_destroy" | "pthread_spin_destroy" | "mtx_destroy" => |context| {
            let address = object(context, 0)?;
            let removed = context.state.world.mutexes.remove(&address);
            if removed.is_some_and(|mutex| mutex.owner.is_some()) {
                return Ok(Reply::Int(errno::EBUSY));
            }
            Ok(Reply::Int(0))
        },
        "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" | "pthread_mutex_timedlock" => |context| {
            let address = object(context, 0)?;
            lock(context, address, false)
        },
        "pthread_mutex_trylock" | "pthread_spin_trylock" | "mtx_trylock" => |context| {
            let address = object(context, 0)?;
            lock(context, address, true)
        },
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => |context| {
            let address = object(context, 0)?;
            unlock(context, address)
        },
        "pthread_mutexattr_settype" => |context| {
            let (slot, kind) = (context.pointer(0)?, context.int(1)?);
            context.store_int(&slot, IntKind::Int, kind)?;
            Ok(Reply::Int(0))
        },
        "pthread_mutexattr_gettype" => |context| {
            let (slot, to) = (context.pointer(0)?, context.pointer(1)?);
            let kind = context.load_int(&slot, IntKind::Int)?;
            context.store_int(&to, IntKind::Int, kind)?;
            Ok(Reply::Int(0))
        },
        "pthread_mutexattr_init" => |context| {
            let slot = context.pointer(0)?;
            context.store_int(&slot, IntKind::Int, 0)?;
            Ok(Reply::Int(0))
        },
        "pthread_cond_init" | "pthread_cond_destroy" | "cnd_init" | "cnd_destroy" => |context| {
            let address = object(context, 0)?;
            context.state.world.conditions.remove(&address);
            Ok(Reply::Int(0))
        },
        "pthread_cond_wait" | "cnd_wait" | "pthread_cond_timedwait" | "cnd_timedwait" => wait,
        "pthread_cond_signal" | "cnd_signal" => |context| {
            let address = object(context, 0)?;
            let count = context.state.world.conditions.get(&address).map_or(0, |condition| condition.waiting.len());
            if count > 0 {
                // Whom a signal wakes is not said.
                let which = if context.machine.settings.is_driven { context.pick(count)? } else { 0 };
                context.state.world.conditions.entry(address).or_default().waiting.remove(which);
            }
            Ok(Reply::Int(0))
        },
        "pthread_cond_broadcast" | "cnd_broadcast" => |context| {
            let address = object(context, 0)?;
            context.state.world.conditions.entry(address).or_default().waiting.clear();
            Ok(Reply::Int(0))
        },
        "pthread_rwlock_init" | "pthread_rwlock_destroy" => |context| {
            let address = object(context, 0)?;
            context.state.world.locks.remove(&address);
            Ok(Reply::Int(0))
        },
        "pthread_rwlock_rdlock" | "pthread_rwlock_tryrdlock" | "pthread_rwlock_timedrdlock" => read_lock,
        "pthread_rwlock_wrlock" | "pthread_rwlock_trywrlock" | "pthread_rwlock_timedwrlock" => write_lock,
        "pthread_rwlock_unlock" => |context| {
            let address = object(context, 0)?;
            let process = context.process;
            let lock = context.state.world.locks.entry(address).or_default();
            if lock.writer == Some(process) {
                lock.writer = None;
            } else if let Some(index) = lock.readers.iter().position(|reader| *reader == process) {
                lock.readers.remove(index);
            } else {
                return context.fault(CheckKind::Library, "a lock is released that the thread does not hold");
            }
            Ok(Reply::Int(0))
        },
        "pthread_barrier_init" => |context| {
            let (address, limit) = (object(context, 0)?, context.int(2)? as u32);
            context.state.world.barriers.insert(address, Barrier { limit, ..Barrier::default() });
            Ok(Reply::Int(0))
        },
        "pthread_barrier_destroy" => |_| Ok(Reply::Int(0)),
        "pthread_barrier_wait" => barrier,
        "pthread_key_create" | "tss_create" => |context| {
            let slot = context.pointer(0)?;
            let destructor = context.value(1)?;
            let destructor = context.machine.domain.function_at(&context.state.memory, &destructor);
            context.state.world.keys.push(destructor);
            let key = context.state.world.keys.len() as i128 - 1;
            context.store_int(&slot, IntKind::UInt, key)?;
            Ok(Reply::Int(0))
        },
        "pthread_key_delete" | "tss_delete" => |_| Ok(Reply::Int(0)),
        "pthread_setspecific" | "tss_set" => |context| {
            let (key, value) = (context.int(0)? as u32, context.value(1)?);
            context.state.world.key_values.insert((context.process.index(), key), value);
            Ok(Reply::Int(0))
        },
        "pthread_getspecific" | "tss_get" => |context| {
            let key = context.int(0)? as u32;
            let value = context.state.world.key_values.get(&(context.process.index(), key)).cloned();
            Ok(Reply::Value(match value {
                Some(value) => value,
                None => context.null(),
            }))
        },
        "sem_init" => |context| {
            let (address, value) = (object(context, 0)?, context.int(2)?);
            context.state.world.semaphores.insert(address, value);
            Ok(Reply::Int(0))
        },
        "sem_destroy" | "sem_close" => |_| Ok(Reply::Int(0)),
        "sem_wait" | "sem_timedwait" | "sem_trywait" => |context| {
            let address = object(context, 0)?;
            let value = context.state.world.semaphores.entry(address).or_insert(0);
            if *value > 0 {
                *value -= 1;
                return Ok(Reply::Int(0));
            }
            if context.name == "sem_timedwait" && context.state.world.time_passes {
                context.state.world.time_passes = false;
                context.set_errno(errno::ETIMEDOUT)?;
                return Ok(Reply::Int(-1));
            }
            if context.name == "sem_trywait" {
                context.set_errno(errno::EAGAIN)?;
                return Ok(Reply::Int(-1));
            }
            Ok(Reply::Block)
        },
        "sem_post" => |context| {
            let address = object(context, 0)?;
            *context.state.world.semaphores.entry(address).or_insert(0) += 1;
            Ok(Reply::Int(0))
        },
        "sem_getvalue" => |context| {
            let (address, to) = (object(context, 0)?, context.pointer(1)?);
            let value = context.state.world.semaphores.get(&address).copied().unwrap_or(0);
            context.store_int(&to, IntKind::Int, value)?;
            Ok(Reply::Int(0))
        },
        "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_attr_setdetachstate"
        | "pthread_attr_setstacksize"
        | "pthread_attr_setscope"
        | "pthread_mutexattr_destroy"
        | "pthread_mutexattr_setpshared"
        | "pthread_mutexattr_setprotocol"
        | "pthread_mutexattr_setrobust"
        | "pthread_condattr_init"
        | "pthread_condattr_destroy"
        | "pthread_rwlockattr_init"
        | "pthread_rwlockattr_destroy"
        | "pthread_barrierattr_init"
        | "pthread_barrierattr_destroy"
        | "pthread_setcancelstate"
        | "pthread_setcanceltype"
        | "pthread_setconcurrency"
        | "pthread_setname_np" => |_| Ok(Reply::Int(0)),
        "pthread_testcancel" => |_| Ok(Reply::Nothing),
        _ => return None,
    })
}

/// The address of the lock or condition that an argument points to.
fn object<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, u64> {
    let pointer = context.pointer(index)?;
    // A lock in memory that is gone is an error as any other access.
    context.load(&pointer, Scalar::U8)?;
    context.address(&pointer)
}

fn process<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, ProcessId> {
    let number = context.int(index)? - 1;
    match usize::try_from(number) {
        Ok(number) if context.state.processes.get(number).is_some_and(|process| !process.is_free) => {
            Ok(ProcessId::from_index(number))
        }
        _ => context.fault(CheckKind::InvalidProcess, "this is no thread"),
    }
}

fn create<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let slot = context.pointer(0)?;
    let (function, argument) = if context.name == "thrd_create" {
        (context.function(1)?, context.value(2)?)
    } else {
        (context.function(2)?, context.value(3)?)
    };
    let arguments = vec![context.passed_pointer(argument)];
    let span = context.span;
    match context.machine.start_process(context.state, function, &arguments, span) {
        Ok(new) => {
            context.state.processes[new.index()].is_thread = true;
            context.store_int(&slot, IntKind::ULong, new.index() as i128 + 1)?;
            if let Some(observed) = &mut context.machine.observed {
                observed.push(Observed {
                    function: Symbol::intern(context.name),
                    process: context.process,
                    span,
                    scalar: Scalar::I32,
                    value: InputValue::Int(new.index() as i128),
                });
            }
            Ok(Reply::Int(0))
        }
        Err(Event::Fault(fault, _)) => Err((*fault).into()),
        Err(_) => context.unsupported("this thread function"),
    }
}

fn join<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let other = process(context, 0)?;
    if other == context.process {
        return Ok(Reply::Int(errno::EDEADLK));
    }
    if context.state.processes[other.index()].status != Status::Ended {
        context.machine.awaits = Some(other);
        return Ok(Reply::Block);
    }
    if context.state.processes[other.index()].is_joined {
        return context.fault(CheckKind::Library, "a thread is joined twice");
    }
    context.joined(other);
    let slot = context.value(1)?;
    if !context.is_null(&slot) {
        let result = context.state.processes[other.index()].result.clone();
        let result = match result {
            Some(result) => result,
            None => context.null(),
        };
        if context.name == "thrd_join" {
            let int = context.int_kind(IntKind::Int);
            context.store(&slot, int, &result)?;
        } else {
            context.store_pointer(&slot, &result)?;
        }
    }
    Ok(Reply::Int(0))
}

fn exit<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let value = context.value(0)?;
    let process = context.process;
    // The main thread's own frame stays away; the program ends with the last thread.
    while let Some(frame) = context.state.processes[process.index()].frames.last() {
        let code = if frame.native.is_some() {
            None
        } else {
            let function = frame.function;
            context.machine.code(function)
        };
        context.machine.pop_frame(context.state, process, code.as_deref())?;
    }
    let ended = &mut context.state.processes[process.index()];
    ended.result = Some(value);
    ended.status = Status::Ended;
    context.machine.process_ended(context.state, process);
    Ok(Reply::Jumped)
}

fn once<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let address = object(context, 0)?;
    if context.state.world.once.insert(address, true).is_some() {
        return Ok(Reply::Int(0));
    }
    let function = context.function(1)?;
    Ok(Reply::Call { function, arguments: Vec::new(), native: Native::Then(0) })
}

fn init_mutex<D: Domain>(context: &mut Context<'_, '_, D>, kind: i128) -> Answered<D> {
    let address = object(context, 0)?;
    context.state.world.mutexes.insert(address, Mutex { owner: None, count: 0, kind });
    Ok(Reply::Int(0))
}

/// The kind that a static initialiser wrote into the mutex.
fn static_kind<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, i128> {
    let offset = if context.model().pointer_size() == 8 { 16 } else { 12 };
    let size = context.pointee(0).and_then(|ty| context.machine.program.types.size_of(ty));
    // Spin locks, and a program's own type of mutexes, are smaller.
    if size.is_none_or(|size| size < offset as u64 + 4) {
        return Ok(0);
    }
    let Ok(pointer) = context.pointer(0) else { return Ok(0) };
    let slot = context.offset(&pointer, offset);
    let int = context.int_kind(IntKind::Int);
    let Ok(value) = context.load(&slot, int) else { return Ok(0) };
    match context.known(&value, int) {
        Ok(kind) => Ok(kind),
        Err(_) => context.fault(CheckKind::Library, "a mutex is locked that was never initialised"),
    }
}

fn lock<D: Domain>(context: &mut Context<'_, '_, D>, address: u64, is_try: bool) -> Answered<D> {
    let process = context.process;
    if !context.state.world.mutexes.contains_key(&address) {
        let kind = static_kind(context)?;
        context.state.world.mutexes.insert(address, Mutex { owner: None, count: 0, kind });
    }
    let time_passes = context.state.world.time_passes;
    let Some(mutex) = context.state.world.mutexes.get_mut(&address) else { return Ok(Reply::Int(0)) };
    match mutex.owner {
        None => {
            mutex.owner = Some(process);
            mutex.count = 1;
            Ok(Reply::Int(0))
        }
        Some(owner) if owner == process && mutex.kind == 1 => {
            mutex.count += 1;
            Ok(Reply::Int(0))
        }
        Some(owner) if owner == process && mutex.kind == 2 => Ok(Reply::Int(errno::EDEADLK)),
        Some(_) if is_try => Ok(Reply::Int(errno::EBUSY)),
        Some(_) if context.name.contains("timedlock") && time_passes => {
            context.state.world.time_passes = false;
            Ok(Reply::Int(errno::ETIMEDOUT))
        }
        Some(_) => Ok(Reply::Block),
    }
}

fn unlock<D: Domain>(context: &mut Context<'_, '_, D>, address: u64) -> Answered<D> {
    let process = context.process;
    match context.state.world.mutexes.get_mut(&address) {
        Some(mutex) if mutex.owner == Some(process) => {
            mutex.count -= 1;
            if mutex.count == 0 {
                mutex.owner = None;
            }
            Ok(Reply::Int(0))
        }
        Some(mutex) if mutex.kind != 0 => Ok(Reply::Int(errno::EPERM)),
        Some(mutex) if mutex.owner.is_some() => {
            context.fault(CheckKind::Library, "a mutex is unlocked that another thread holds")
        }
        _ => context.fault(CheckKind::Library, "a mutex is unlocked that is not locked"),
    }
}

/// A waiting thread is in the condition's list with the mutex released; out of the list it takes the mutex again.
fn wait<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (address, mutex) = (object(context, 0)?, object(context, 1)?);
    let process = context.process;
    let key = (process.index(), u32::MAX);
    let is_waiting = context.state.world.key_values.contains_key(&key);
    if !is_waiting {
        // A wait may end without a signal.
        let is_spurious = context.machine.settings.is_driven && context.pick(2)? == 1;
        unlock(context, mutex)?;
        if !is_spurious {
            context.state.world.conditions.entry(address).or_default().waiting.push(process);
        }
        let marker = context.integer(1, Scalar::I32);
        context.state.world.key_values.insert(key, marker);
        // To wait is a move of its own: others see the mutex released.
        context.machine.has_moved = true;
        return Ok(Reply::Block);
    }
    let time_passes = context.state.world.time_passes;
    let condition = context.state.world.conditions.entry(address).or_default();
    if condition.waiting.contains(&process) {
        if !(context.name.contains("timed") && time_passes) {
            return Ok(Reply::Block);
        }
        // Out of the list without a signal: the mutex first, then the news.
        condition.waiting.retain(|other| *other != process);
        context.state.world.time_passes = false;
        let late = context.integer(2, Scalar::I32);
        context.state.world.key_values.insert(key, late);
    }
    match lock(context, mutex, false)? {
        Reply::Block => Ok(Reply::Block),
        _ => {
            let marker = context.state.world.key_values.remove(&key);
            let is_late = marker.is_some_and(|marker| context.known(&marker, Scalar::I32).is_ok_and(|late| late == 2));
            Ok(Reply::Int(if is_late { errno::ETIMEDOUT } else { 0 }))
        }
    }
}

fn read_lock<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let address = object(context, 0)?;
    let process = context.process;
    let is_try = context.name.contains("try");
    let lock = context.state.world.locks.entry(address).or_default();
    if lock.writer.is_some() {
        return Ok(if is_try { Reply::Int(errno::EBUSY) } else { Reply::Block });
    }
    lock.readers.push(process);
    Ok(Reply::Int(0))
}

fn write_lock<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let address = object(context, 0)?;
    let process = context.process;
    let is_try = context.name.contains("try");
    let lock = context.state.world.locks.entry(address).or_default();
    if lock.writer.is_some() || !lock.readers.is_empty() {
        return Ok(if is_try { Reply::Int(errno::EBUSY) } else { Reply::Block });
    }
    lock.writer = Some(process);
    Ok(Reply::Int(0))
}

fn barrier<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let address = object(context, 0)?;
    let process = context.process;
    let Some(barrier) = context.state.world.barriers.get_mut(&address) else {
        return context.fault(CheckKind::Library, "a barrier is used that was not initialised");
    };
    if let Some(index) = barrier.released.iter().position(|other| *other == process) {
        barrier.released.remove(index);
        return Ok(Reply::Int(0));
    }
    if !barrier.waiting.contains(&process) {
        barrier.waiting.push(process);
        context.machine.has_moved = true;
    }
    if barrier.waiting.len() < barrier.limit as usize {
        return Ok(Reply::Block);
    }
    barrier.released = std::mem::take(&mut barrier.waiting);
    barrier.released.retain(|other| *other != process);
    // One thread gets PTHREAD_BARRIER_SERIAL_THREAD.
    Ok(Reply::Int(-1))
}
