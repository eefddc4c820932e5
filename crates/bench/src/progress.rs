//! Progress of a benchmark: on a terminal a few lines that are redrawn, elsewhere one plain line a finished run.

use crate::input::units::{show_memory, show_time};
use crate::results::Category;
use std::io::Write;
use std::time::{Duration, Instant};

/// What is known at one moment.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub total: usize,
    pub done: usize,
    /// Finished in this session, for the estimate.
    pub done_now: usize,
    pub correct: usize,
    pub wrong: usize,
    pub unknown: usize,
    pub errors: usize,
    pub score: f64,
    pub elapsed: f64,
    /// Name, seconds since the start, CPU seconds, bytes.
    pub running: Vec<(String, f64, f64, u64)>,
}

impl State {
    pub fn count(&mut self, category: Category, points: f64) {
        self.done += 1;
        self.score += points;
        match category {
            Category::Correct | Category::CorrectUnconfirmed => self.correct += 1,
            Category::Wrong => self.wrong += 1,
            Category::Unknown | Category::Missing => self.unknown += 1,
            Category::Error => self.errors += 1,
        }
    }

    /// Seconds until the end, by what this session has done so far.
    pub fn remaining(&self) -> Option<f64> {
        (self.done_now > 0).then(|| self.elapsed / self.done_now as f64 * (self.total - self.done) as f64)
    }

    fn summary(&self) -> String {
        let percent = (self.done * 100).checked_div(self.total).unwrap_or(100);
        let end = self.remaining().map_or(String::new(), |left| format!(", about {} to go", show_time(left)));
        format!(
            "{}/{} ({percent} %): {} correct, {} wrong, {} unknown, {} errors; score {}{end}",
            self.done, self.total, self.correct, self.wrong, self.unknown, self.errors, self.score
        )
    }

    /// The lines to show, each cut to the width.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let bar = 20;
        let full = (bar * self.done).checked_div(self.total).unwrap_or(bar);
        let mut lines = vec![format!("[{}{}] {}", "#".repeat(full), "-".repeat(bar - full), self.summary())];
        for (name, wall, cpu, memory) in &self.running {
            let usage = format!("{:>10} {:>10} CPU {:>9}", show_time(*wall), show_time(*cpu), show_memory(*memory));
            lines.push(format!("  {usage}  {name}"));
        }
        for line in &mut lines {
            if line.chars().count() > width {
                *line = line.chars().take(width.saturating_sub(1)).collect::<String>() + "…";
            }
        }
        lines
    }
}

pub struct Progress<'a> {
    out: &'a mut dyn Write,
    is_terminal: bool,
    has_colour: bool,
    drawn: usize,
    last: Option<Instant>,
}

impl<'a> Progress<'a> {
    pub fn new(out: &'a mut dyn Write, is_terminal: bool) -> Self {
        let has_colour = is_terminal && std::env::var_os("NO_COLOR").is_none();
        Self { out, is_terminal, has_colour, drawn: 0, last: None }
    }

    fn erase(&mut self) {
        if self.drawn > 0 {
            let _ = write!(self.out, "\x1b[{}A\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }

    /// A line that stays.
    pub fn say(&mut self, line: &str) {
        self.erase();
        let _ = writeln!(self.out, "{line}");
        let _ = self.out.flush();
    }

    /// One run ended. On a terminal only what is worth a look stays: wrong answers and errors.
    pub fn finished(
        &mut self,
        state: &State,
        name: &str,
        status: &str,
        category: Category,
        wall: f64,
        memory: Option<u64>,
    ) {
        let memory = memory.map(show_memory).unwrap_or_default();
        let line =
            format!("{:<22} {:>10} {memory:>9}  {name}", format!("{status} ({})", category.name()), show_time(wall));
        if self.is_terminal {
            if category == Category::Wrong && self.has_colour {
                self.say(&format!("\x1b[31m{line}\x1b[0m"));
            } else if matches!(category, Category::Wrong | Category::Error) {
                self.say(&line);
            }
        } else {
            let width = state.total.to_string().len();
            self.say(&format!("[{:>width$}/{}] {line}", state.done, state.total));
        }
    }

    /// Redraws, a few times a second; elsewhere a summary once a minute.
    pub fn tick(&mut self, state: &State) {
        let pause = if self.is_terminal { Duration::from_millis(200) } else { Duration::from_secs(60) };
        match self.last {
            Some(last) if last.elapsed() < pause => return,
            None if !self.is_terminal => {
                self.last = Some(Instant::now());
                return;
            }
            _ => self.last = Some(Instant::now()),
        }
        if !self.is_terminal {
            self.say(&state.summary());
            return;
        }
        let width = terminal_width();
        let lines = state.lines(width);
        self.erase();
        for line in &lines {
            let _ = writeln!(self.out, "{line}");
        }
        self.drawn = lines.len();
        let _ = self.out.flush();
    }

    pub fn close(&mut self) {
        self.erase();
        let _ = self.out.flush();
    }
}

pub fn terminal_width() -> usize {
    // SAFETY: the structure is plain data and written by the call.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        libc::ioctl(2, libc::TIOCGWINSZ, &raw mut size);
        size
    };
    match size.ws_col {
        0 => 100,
        columns => usize::from(columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_and_lines() {
        let mut state = State { total: 40, done_now: 10, elapsed: 100.0, ..State::default() };
        (0..10).for_each(|_| state.count(Category::Correct, 2.0));
        state.running.push(("loops/a.yml".into(), 12.3, 11.0, 120_000_000));
        assert_eq!(state.remaining(), Some(300.0));
        let lines = state.lines(120);
        assert_eq!(
            lines[0],
            "[#####---------------] 10/40 (25 %): 10 correct, 0 wrong, 0 unknown, 0 errors; score 20, about 5 min 0 s to go"
        );
        assert!(lines[1].ends_with("120 MB  loops/a.yml"), "{}", lines[1]);
        assert!(state.lines(20).iter().all(|line| line.chars().count() <= 20));
        let mut out = Vec::new();
        Progress::new(&mut out, false).finished(&state, "a.yml", "true", Category::Correct, 1.0, Some(5_000_000));
        assert_eq!(String::from_utf8(out).unwrap(), "[10/40] true (correct)              1.0 s      5 MB  a.yml\n");
    }
}
