//! `<unistd.h>` and other calls of the system.

use super::LibraryFunction;
use super::context::Reply;
use crate::domain::Domain;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "getpid" | "getppid" | "gettid" => |_| Ok(Reply::Int(4242)),
        "getuid" | "geteuid" | "getgid" | "getegid" => |_| Ok(Reply::Int(1000)),
        "isatty" => |_| Ok(Reply::Int(0)),
        "fsync" | "chdir" => |_| Ok(Reply::Int(0)),
        "sysconf" => |context| {
            let number = context.int(0)?;
            Ok(Reply::Int(match number {
                30 => 4096,
                83 | 84 => 2,
                _ => -1,
            }))
        },
        // There is no network: every connection fails.
        "socket" | "connect" | "bind" | "listen" | "accept" | "send" | "recv" | "sendto" | "recvfrom"
        | "setsockopt" => |context| {
            context.set_errno(super::errno::EPERM)?;
            Ok(Reply::Int(-1))
        },
        "htons" | "ntohs" => |context| Ok(Reply::Int((context.int(0)? as u16).swap_bytes().into())),
        "htonl" | "ntohl" => |context| Ok(Reply::Int((context.int(0)? as u32).swap_bytes().into())),
        "inet_addr" => |context| {
            let text = String::from_utf8_lossy(&context.string(0)?).into_owned();
            let parts: Vec<u8> = text.split('.').filter_map(|part| part.parse().ok()).collect();
            Ok(Reply::Int(match <[u8; 4]>::try_from(parts) {
                Ok(bytes) => u32::from_le_bytes(bytes).into(),
                Err(_) => i128::from(u32::MAX),
            }))
        },
        "getpagesize" => |_| Ok(Reply::Int(4096)),
        "sched_yield" | "pthread_yield" | "thrd_yield" => |_| Ok(Reply::Yield(0)),
        "setlocale" => |context| Ok(Reply::Value(context.library_string("C")?)),
        _ => return None,
    })
}
