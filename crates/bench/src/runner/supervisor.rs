//! The code that runs between `fork` and `exec`: the supervisor, the init of the namespace, and the tool's last steps.
//!
//! The harness has several threads, so after the fork only system calls are made here: every string and every table is
//! prepared before, nothing is allocated, no lock is taken, and nothing returns.

use super::isolation::Step;
use std::ffi::CString;
use std::os::fd::RawFd;

/// Everything that the child needs, made by the parent.
pub(super) struct Setup {
    pub(super) path: CString,
    pub(super) argv: Vec<*const libc::c_char>,
    pub(super) envp: Vec<*const libc::c_char>,
    pub(super) directory: CString,
    /// Written `0` by the tool to join its control groups of version 1.
    pub(super) join: Vec<RawFd>,
    /// The directory of the group of version 2, into which the tool is born, and the file to join it if that fails.
    pub(super) birthplace: RawFd,
    pub(super) join_unified: RawFd,
    pub(super) kill: RawFd,
    pub(super) control: RawFd,
    pub(super) result: RawFd,
    pub(super) output: RawFd,
    pub(super) null: RawFd,
    pub(super) affinity: Option<libc::cpu_set_t>,
    pub(super) file_size: Option<u64>,
    pub(super) cpu_seconds: Option<u64>,
    pub(super) namespaces: Option<Namespaces>,
}

pub(super) struct Namespaces {
    pub(super) flags: libc::c_int,
    /// Texts for the user namespace's maps; empty for the superuser.
    pub(super) maps: Vec<(CString, CString)>,
    pub(super) steps: Vec<Step>,
    pub(super) root: CString,
    pub(super) proc: CString,
}

/// What travels through the result pipe. `kind` is one of the constants below.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Message {
    pub(super) kind: u32,
    /// Wait status or error number.
    pub(super) value: i32,
    /// Which step failed.
    pub(super) step: i32,
    pub(super) left_over: u32,
    /// Nanoseconds of the monotonic clock.
    pub(super) time: u64,
    /// Nanoseconds of CPU time of all that was waited for.
    pub(super) cpu: u64,
    /// Largest resident set of one process, in kilobytes.
    pub(super) largest: u64,
}

pub(super) const STARTED: u32 = 1;
pub(super) const ENDED: u32 = 2;
pub(super) const FINISHED: u32 = 3;
pub(super) const FAILED: u32 = 4;

/// Of clone3; the constant of the C library's crate does not fit its type.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Steps that can fail, beyond the mounts (which have numbers from 0).
pub(super) const STEP_UNSHARE: i32 = -1;
pub(super) const STEP_FORK: i32 = -2;
pub(super) const STEP_GROUP: i32 = -3;
pub(super) const STEP_ROOT: i32 = -4;
pub(super) const STEP_DIRECTORY: i32 = -5;
pub(super) const STEP_EXEC: i32 = -6;
pub(super) const STEP_MAPS: i32 = -7;
pub(super) const STEP_PROC: i32 = -8;

fn errno() -> i32 {
    // SAFETY: the location is always valid for the calling thread.
    unsafe { *libc::__errno_location() }
}

fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writing.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

unsafe fn send(fd: RawFd, message: &Message) {
    // SAFETY: a message is plain data, and smaller than what a pipe takes at once.
    unsafe { libc::write(fd, std::ptr::from_ref(message).cast(), size_of::<Message>()) };
}

unsafe fn fail(fd: RawFd, step: i32) -> ! {
    unsafe {
        send(fd, &Message { kind: FAILED, value: errno(), step, time: now(), ..Message::default() });
        libc::_exit(127)
    }
}

/// The supervisor. SAFETY: to be called in the child of a fork, with valid descriptors.
pub(super) unsafe fn supervise(setup: &Setup) -> ! {
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        libc::prctl(libc::PR_SET_NAME, c"quod-supervisor".as_ptr());
        keep_only(setup);
        // Signals to the terminal's group do not reach a session of its own; a stray one must not end the supervisor
        // before what it watches.
        for number in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
            libc::signal(number, libc::SIG_IGN);
        }
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut mask);
        libc::sigaddset(&raw mut mask, libc::SIGCHLD);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const mask, std::ptr::null_mut());
        let signals = libc::signalfd(-1, &raw const mask, libc::SFD_NONBLOCK | libc::SFD_CLOEXEC);

        if let Some(namespaces) = &setup.namespaces {
            enter(setup, namespaces);
        }
        let mut is_born_there = false;
        let first = match setup.namespaces {
            Some(_) => libc::fork(),
            None => fork_into(setup.birthplace, &mut is_born_there),
        };
        if first < 0 {
            fail(setup.result, STEP_FORK);
        }
        if first == 0 {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            match &setup.namespaces {
                Some(namespaces) => init(setup, namespaces),
                None => tool(setup, is_born_there),
            }
        }
        // Only the tool keeps the output open, so that its end is seen.
        libc::close(setup.output);
        watch(setup, signals, first);
    }
}

/// Waits for children and for orders until nothing is left, then reports.
unsafe fn watch(setup: &Setup, signals: RawFd, first: libc::pid_t) -> ! {
    unsafe {
        let mut is_ending = false;
        let mut left_over = 0;
        let mut polls = [
            libc::pollfd { fd: signals, events: libc::POLLIN, revents: 0 },
            libc::pollfd { fd: setup.control, events: libc::POLLIN, revents: 0 },
        ];
        let mut is_harness_gone = false;
        loop {
            let mut info: [u8; 1024] = [0; 1024];
            while libc::read(signals, info.as_mut_ptr().cast(), info.len()) > 0 {}
            let mut nobody = false;
            loop {
                let mut status = 0;
                let mut usage: libc::rusage = std::mem::zeroed();
                let pid = libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage);
                if pid == 0 {
                    break;
                }
                if pid < 0 {
                    nobody = true;
                    break;
                }
                if pid == first && !is_ending {
                    is_ending = true;
                    if setup.namespaces.is_none() {
                        send(setup.result, &Message { kind: ENDED, value: status, time: now(), ..Message::default() });
                    }
                } else if is_ending {
                    left_over += 1;
                }
            }
            if nobody {
                break;
            }
            if is_ending {
                kill_all(setup);
            }
            let timeout = if is_ending { 2 } else { -1 };
            libc::poll(polls.as_mut_ptr(), if is_harness_gone { 1 } else { 2 }, timeout);
            if polls[1].revents != 0 && !is_harness_gone {
                let mut byte = 0_u8;
                let got = libc::read(setup.control, (&raw mut byte).cast(), 1);
                is_harness_gone = got <= 0;
                is_ending = true;
                kill_all(setup);
            }
        }
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        let nanoseconds = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
        let cpu = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
        let largest = usage.ru_maxrss as u64;
        send(setup.result, &Message { kind: FINISHED, cpu, largest, left_over, time: now(), ..Message::default() });
        // The harness may still look at our mounts; it says when it is done, or it is gone.
        let mut byte = 0_u8;
        while !is_harness_gone && libc::read(setup.control, (&raw mut byte).cast(), 1) == 1 && byte != b'D' {}
        libc::_exit(0)
    }
}

/// Ends the group, if there is one, and all children; orphans of killed children become ours, so that this converges.
unsafe fn kill_all(setup: &Setup) {
    unsafe {
        if setup.kill >= 0 {
            libc::pwrite(setup.kill, b"1".as_ptr().cast(), 1, 0);
        }
        let file = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return;
        }
        let mut buffer = [0_u8; 4096];
        let mut pid: libc::pid_t = 0;
        loop {
            let got = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
            if got <= 0 {
                break;
            }
            for &byte in &buffer[..got as usize] {
                if byte.is_ascii_digit() {
                    pid = pid.wrapping_mul(10).wrapping_add(libc::pid_t::from(byte - b'0'));
                } else if pid > 1 {
                    libc::kill(pid, libc::SIGKILL);
                    pid = 0;
                }
            }
        }
        if pid > 1 {
            libc::kill(pid, libc::SIGKILL);
        }
        libc::close(file);
    }
}

/// Closes what other runs of the same harness hold open: an order pipe must end when the harness does.
unsafe fn keep_only(setup: &Setup) {
    unsafe {
        let keeps = |fd: RawFd| {
            fd <= 2
                || fd == setup.control
                || fd == setup.result
                || fd == setup.output
                || fd == setup.null
                || fd == setup.kill
                || fd == setup.birthplace
                || fd == setup.join_unified
                || setup.join.contains(&fd)
        };
        let own =
            [setup.control, setup.result, setup.output, setup.null, setup.kill, setup.birthplace, setup.join_unified];
        let mut highest = own.into_iter().max().unwrap_or(2);
        highest = highest.max(setup.join.iter().copied().max().unwrap_or(2));
        for fd in 3..=highest {
            if !keeps(fd) {
                libc::close(fd);
            }
        }
        libc::syscall(libc::SYS_close_range, highest + 1, u32::MAX, 0);
        for fd in 0..=2 {
            libc::dup2(setup.null, fd);
        }
    }
}

unsafe fn enter(setup: &Setup, namespaces: &Namespaces) {
    unsafe {
        if libc::unshare(namespaces.flags) != 0 {
            fail(setup.result, STEP_UNSHARE);
        }
        for (file, text) in &namespaces.maps {
            let fd = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
            let length = text.as_bytes().len();
            if fd < 0 || libc::write(fd, text.as_ptr().cast(), length) != length as isize {
                fail(setup.result, STEP_MAPS);
            }
            libc::close(fd);
        }
        if namespaces.flags & libc::CLONE_NEWNET != 0 {
            loopback_up();
        }
        for (number, step) in namespaces.steps.iter().enumerate() {
            if step.run() != 0 {
                fail(setup.result, number as i32);
            }
        }
    }
}

/// Programs talk to themselves over 127.0.0.1, also without network.
unsafe fn loopback_up() {
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if socket >= 0 {
            let mut request: libc::ifreq = std::mem::zeroed();
            request.ifr_name[0] = b'l' as libc::c_char;
            request.ifr_name[1] = b'o' as libc::c_char;
            request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
            libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw mut request);
            libc::close(socket);
        }
    }
}

/// Process 1 of the namespace: when it ends, the kernel ends everything in it.
unsafe fn init(setup: &Setup, namespaces: &Namespaces) -> ! {
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"quod-init".as_ptr());
        if libc::unshare(libc::CLONE_NEWNS) != 0
            || libc::chdir(namespaces.root.as_ptr()) != 0
            || libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) != 0
            || libc::umount2(c".".as_ptr(), libc::MNT_DETACH) != 0
            || libc::chdir(c"/".as_ptr()) != 0
        {
            fail(setup.result, STEP_ROOT);
        }
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        if libc::mount(c"proc".as_ptr(), namespaces.proc.as_ptr(), c"proc".as_ptr(), flags, std::ptr::null()) != 0 {
            fail(setup.result, STEP_PROC);
        }
        let mut is_born_there = false;
        let child = fork_into(setup.birthplace, &mut is_born_there);
        if child < 0 {
            fail(setup.result, STEP_FORK);
        }
        if child == 0 {
            tool(setup, is_born_there);
        }
        libc::close(setup.output);
        libc::close(setup.control);
        loop {
            let mut status = 0;
            let pid = libc::waitpid(-1, &raw mut status, 0);
            if pid == child {
                send(setup.result, &Message { kind: ENDED, value: status, time: now(), ..Message::default() });
                libc::_exit(0);
            }
            if pid < 0 && errno() != libc::EINTR {
                libc::_exit(1);
            }
        }
    }
}

/// A fork whose child is in the group from its first moment. Moving a process between groups makes the kernel wait for
/// all processors, which takes milliseconds on a busy machine; being born in one does not.
unsafe fn fork_into(group: RawFd, is_born_there: &mut bool) -> libc::pid_t {
    unsafe {
        if group >= 0 {
            let mut arguments: libc::clone_args = std::mem::zeroed();
            arguments.flags = CLONE_INTO_CGROUP;
            arguments.exit_signal = libc::SIGCHLD as u64;
            arguments.cgroup = group as u64;
            *is_born_there = true;
            let pid = libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<libc::clone_args>());
            if pid >= 0 {
                return pid as libc::pid_t;
            }
            *is_born_there = false;
        }
        libc::fork()
    }
}

/// The last steps before the tool is itself.
unsafe fn tool(setup: &Setup, is_born_there: bool) -> ! {
    unsafe {
        libc::setsid();
        let unified = (!is_born_there && setup.join_unified >= 0).then_some(&setup.join_unified);
        for &fd in setup.join.iter().chain(unified) {
            if libc::write(fd, b"0".as_ptr().cast(), 1) != 1 {
                fail(setup.result, STEP_GROUP);
            }
        }
        if let Some(set) = &setup.affinity {
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set);
        }
        let limit = |resource, value: u64| {
            let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
            libc::setrlimit(resource, &raw const limit);
        };
        limit(libc::RLIMIT_CORE, 0);
        if let Some(bytes) = setup.file_size {
            limit(libc::RLIMIT_FSIZE, bytes);
        }
        if let Some(seconds) = setup.cpu_seconds {
            limit(libc::RLIMIT_CPU, seconds);
        }
        for number in 1..=31 {
            if number != libc::SIGKILL && number != libc::SIGSTOP {
                libc::signal(number, libc::SIG_DFL);
            }
        }
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut mask);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const mask, std::ptr::null_mut());
        if libc::chdir(setup.directory.as_ptr()) != 0 {
            fail(setup.result, STEP_DIRECTORY);
        }
        libc::dup2(setup.null, 0);
        libc::dup2(setup.output, 1);
        libc::dup2(setup.output, 2);
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        // Joining a group can take the kernel milliseconds, which are not the command's.
        send(setup.result, &Message { kind: STARTED, time: now(), ..Message::default() });
        libc::execve(setup.path.as_ptr(), setup.argv.as_ptr(), setup.envp.as_ptr());
        fail(setup.result, STEP_EXEC)
    }
}
