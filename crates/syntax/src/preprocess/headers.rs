//! The headers that come with the tool: the table of `crates/syntax/headers`.
//!
//! They are the tool's own text; types, values and layouts are those of glibc on x86 Linux in both data models. Function
//! prototypes name no parameters, so that no macro of a program can break them.

/// The text of a header such as `sys/types.h`.
pub fn header_text(name: &str) -> Option<&'static str> {
    let index = HEADERS.binary_search_by(|(header, _)| (*header).cmp(name)).ok()?;
    Some(HEADERS[index].1)
}

/// The names of all headers, in order.
pub fn header_names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}

/// The usual header that declares a function of the standard library.
pub fn header_declaring(function: &str) -> Option<&'static str> {
    const USUAL: &[&str] = &[
        "stdio.h",
        "stdlib.h",
        "string.h",
        "math.h",
        "ctype.h",
        "assert.h",
        "time.h",
        "unistd.h",
        "pthread.h",
        "strings.h",
        "signal.h",
        "setjmp.h",
        "stdatomic.h",
        "threads.h",
        "wchar.h",
        "wctype.h",
        "sys/time.h",
        "fcntl.h",
        "alloca.h",
    ];
    let declares = |text: &str| {
        text.match_indices(function).any(|(at, _)| {
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let bytes = text.as_bytes();
            let is_start = at > 0 && matches!(bytes[at - 1], b' ' | b'*') && !is_word(bytes.get(at.wrapping_sub(1)));
            is_start && bytes.get(at + function.len()) == Some(&b'(')
        })
    };
    USUAL.iter().copied().find(|header| header_text(header).is_some_and(declares))
}

macro_rules! headers {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../../headers/", $name))),)*] };
}

static HEADERS: &[(&str, &str)] = headers![
    "alloca.h",
    "arbitrary.cvh",
    "arpa/inet.h",
    "asm/types.h",
    "assert.h",
    "barrier.cvh",
    "bits/types.h",
    "bundle.cvh",
    "byteswap.h",
    "civl-mpi.cvh",
    "civl-omp.cvh",
    "civl-omp.cvl",
    "civl-stdio.cvh",
    "civlc.cvh",
    "civlc.cvl",
    "civlc.h",
    "cmon.cvh",
    "comm.cvh",
    "complex.h",
    "concurrency.cvh",
    "crypt.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "domain.cvh",
    "endian.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "ieeefp.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "libintl.h",
    "libio.h",
    "limits.h",
    "linux/errno.h",
    "linux/limits.h",
    "linux/types.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mcheck.h",
    "mem.cvh",
    "memory.cvh",
    "memory.h",
    "mpi.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "omp.h",
    "op.h",
    "openacc.h",
    "paths.h",
    "pointer.cvh",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "quod/pthread_types.h",
    "quod/sigset.h",
    "quod/stat.h",
    "quod/timespec.h",
    "quod/timeval.h",
    "quod/types.h",
    "quod/wait.h",
    "regex.h",
    "sched.h",
    "scope.cvh",
    "search.h",
    "semaphore.h",
    "seq.cvh",
    "setjmp.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbit.h",
    "stdbool.h",
    "stdckdint.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "svcomp.h",
    "sys/cdefs.h",
    "sys/dir.h",
    "sys/endian.h",
    "sys/epoll.h",
    "sys/errno.h",
    "sys/eventfd.h",
    "sys/fcntl.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/mman.h",
    "sys/mount.h",
    "sys/msg.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/prctl.h",
    "sys/queue.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/sendfile.h",
    "sys/shm.h",
    "sys/signal.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statfs.h",
    "sys/statvfs.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/syslog.h",
    "sys/sysmacros.h",
    "sys/termios.h",
    "sys/time.h",
    "sys/timeb.h",
    "sys/times.h",
    "sys/types.h",
    "sys/ucontext.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/vfs.h",
    "sys/wait.h",
    "syscall.h",
    "syslog.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "ucontext.h",
    "unistd.h",
    "utime.h",
    "utmp.h",
    "values.h",
    "varargs.h",
    "wait.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "xlocale.h",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted_and_guarded() {
        for pair in HEADERS.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} stands before {}", pair[0].0, pair[1].0);
        }
        for (name, text) in HEADERS {
            assert!(text.contains("#ifndef"), "{name} has no guard");
        }
    }
}
