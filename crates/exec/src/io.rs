//! The outside world of a running program, given by the caller.

/// Streams and files. Nothing here knows C's `FILE`: buffering and modes are the library's.
pub trait Io {
    /// Bytes from standard input, at most `limit`; none at its end.
    fn read_input(&mut self, limit: usize) -> Vec<u8>;
    fn write_output(&mut self, bytes: &[u8]);
    fn write_error(&mut self, bytes: &[u8]);
    /// The contents of a file that the program opens, if there is one and the caller lets it be seen.
    fn read_file(&mut self, name: &str) -> Option<Vec<u8>> {
        let _ = name;
        None
    }
    /// A file that the program wrote and closed. By default files live in memory only.
    fn write_file(&mut self, name: &str, contents: &[u8]) {
        let _ = (name, contents);
    }
    /// A file that the program wrote is removed again.
    fn remove_file(&mut self, name: &str) {
        let _ = name;
    }
    /// Seconds since 1970, where the program may know the time.
    fn now(&mut self) -> Option<(i64, u32)> {
        None
    }
}

/// Keeps what was written; for tests and for engines that run programs silently.
#[derive(Default, Clone, Debug)]
pub struct Captured {
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    pub error: Vec<u8>,
}

impl Io for Captured {
    fn read_input(&mut self, limit: usize) -> Vec<u8> {
        let count = limit.min(self.input.len());
        self.input.drain(..count).collect()
    }
    fn write_output(&mut self, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
    }
    fn write_error(&mut self, bytes: &[u8]) {
        self.error.extend_from_slice(bytes);
    }
}

impl<T: Io + ?Sized> Io for &mut T {
    fn read_input(&mut self, limit: usize) -> Vec<u8> {
        (**self).read_input(limit)
    }
    fn write_output(&mut self, bytes: &[u8]) {
        (**self).write_output(bytes);
    }
    fn write_error(&mut self, bytes: &[u8]) {
        (**self).write_error(bytes);
    }
    fn read_file(&mut self, name: &str) -> Option<Vec<u8>> {
        (**self).read_file(name)
    }
    fn write_file(&mut self, name: &str, contents: &[u8]) {
        (**self).write_file(name, contents);
    }
    fn remove_file(&mut self, name: &str) {
        (**self).remove_file(name);
    }
    fn now(&mut self) -> Option<(i64, u32)> {
        (**self).now()
    }
}
