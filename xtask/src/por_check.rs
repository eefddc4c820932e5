//! Partial-order reduction against the full search on random small concurrent programs, one thread against several, and
//! breadth first against `--min`.
//!
//! Programs are made so that a good part of them violates an assertion or deadlocks: two or three processes with a few
//! statements each on shared variables, locks, guards, atomic blocks, pointers, and now and then a loop that waits. Half of
//! them have records on the heap as well, of which some members are only read, and pointers to variables of other processes.

use crate::random::Random;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `por-check [--count N] [--seed S] [--threads T] [--quod FILE] [--keep DIRECTORY]`
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut count, mut seed, mut keep) = (1000u64, 1u64, None);
    let mut threads = "3".to_owned();
    let mut binary = PathBuf::from("target/release/quod");
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--count" => count = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--threads" => threads.clone_from(value),
            "--quod" => binary = value.into(),
            "--keep" => keep = Some(PathBuf::from(value)),
            other => bail!("unknown option {other}"),
        }
    }
    if !binary.exists() {
        bail!("there is no {}: build it first, or say --quod", binary.display());
    }
    let directory = std::env::temp_dir().join(format!("quod-por-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let mut totals = Totals::default();
    for number in seed..seed + count {
        let text = Generator { random: Random::new(number), text: String::new(), is_rich: number % 2 == 0 }.program();
        let file = directory.join(format!("random{number}.cvl"));
        std::fs::write(&file, &text)?;
        if let Some(why) = compare(&binary, &file, &threads, &mut totals)? {
            totals.bad += 1;
            println!("seed {number}: {why}");
            if let Some(keep) = &keep {
                std::fs::create_dir_all(keep)?;
                std::fs::write(keep.join(format!("random{number}.cvl")), &text)?;
            }
        }
    }
    std::fs::remove_dir_all(&directory)?;
    println!(
        "{count} programs: {} hold, {} violated, {} unknown; {} states in full, {} reduced, {} on {threads} threads; {} \
         disagreements",
        totals.holds, totals.violated, totals.unknown, totals.full, totals.reduced, totals.shared, totals.bad
    );
    if totals.bad > 0 {
        bail!("{} disagreements", totals.bad);
    }
    Ok(())
}

#[derive(Default)]
struct Totals {
    holds: u64,
    violated: u64,
    unknown: u64,
    full: u64,
    reduced: u64,
    shared: u64,
    bad: u64,
}

struct Answer {
    result: String,
    states: u64,
    steps: u64,
}

fn ask(binary: &Path, file: &Path, options: &[&str]) -> Result<Answer> {
    let output = Command::new(binary).args(["verify", "--timeout", "60"]).args(options).arg(file).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let figure = |field: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(field))?;
        line.split(':').nth(1)?.trim().parse().ok()
    };
    let result = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let (states, steps) = (figure("states ").unwrap_or(0), figure("violation steps").unwrap_or(0));
    Ok(Answer { result, states, steps })
}

/// Why the answers about a program do not fit together.
fn compare(binary: &Path, file: &Path, threads: &str, totals: &mut Totals) -> Result<Option<String>> {
    let full = ask(binary, file, &["--threads", "1", "--no-reduction"])?;
    let reduced = ask(binary, file, &["--threads", "1"])?;
    totals.full += full.states;
    totals.reduced += reduced.states;
    let word = |answer: &Answer| answer.result.split('(').next().unwrap_or("").trim().to_owned();
    match word(&full).as_str() {
        "Result: TRUE" => totals.holds += 1,
        "Result: FALSE" => totals.violated += 1,
        _ => totals.unknown += 1,
    }
    // What one of them had no time for says nothing.
    if full.result.contains("timeout") || reduced.result.contains("timeout") {
        return Ok(None);
    }
    if word(&full) != word(&reduced) {
        return Ok(Some(format!("full: {}, reduced: {}", full.result, reduced.result)));
    }
    // With others from nearly the beginning, so that they meet one another.
    let shared = ["--threads", threads, "--share-after", "5"];
    let shared_full = ask(binary, file, &[&shared[..], &["--no-reduction"]].concat())?;
    let shared_reduced = ask(binary, file, &shared)?;
    let shared_broad = ask(binary, file, &[&shared[..], &["--breadth-first"]].concat())?;
    for (name, answer) in [("full", &shared_full), ("reduced", &shared_reduced), ("broad", &shared_broad)] {
        if word(answer) != word(&full) && !answer.result.contains("timeout") {
            return Ok(Some(format!("one thread: {}, {threads} threads, {name}: {}", full.result, answer.result)));
        }
    }
    totals.shared += shared_reduced.states;
    if word(&full) != "Result: FALSE" {
        let is_same = full.states == shared_full.states || shared_full.result.contains("timeout");
        return Ok((!is_same).then(|| format!("{} and {} states in full", full.states, shared_full.states)));
    }
    let shortest = ask(binary, file, &["--threads", "1", "--min"])?;
    let broad = ask(binary, file, &["--threads", "1", "--breadth-first"])?;
    let shared_shortest = ask(binary, file, &[&shared[..], &["--min"]].concat())?;
    for (name, one, many) in [("breadth first", &broad, &shared_broad), ("minimal", &shortest, &shared_shortest)] {
        if one.steps != many.steps && !many.result.contains("timeout") {
            return Ok(Some(format!("{name}: {} steps, with {threads} threads {}", one.steps, many.steps)));
        }
    }
    if shortest.result.contains("timeout") || broad.result.contains("timeout") {
        return Ok(None);
    }
    if word(&shortest) != word(&full) || word(&broad) != word(&full) || shortest.steps != broad.steps {
        let (a, b) = (shortest.steps, broad.steps);
        return Ok(Some(format!(
            "--min: {} ({a} steps), --breadth-first: {} ({b} steps)",
            shortest.result, broad.result
        )));
    }
    Ok(None)
}

const RECORDS: &str = "#include <stdlib.h>
struct Node { int k, u, v; struct Node *next; };
struct Node *n, g = {1, 0, 0, NULL};
int *q = NULL, d[2] = {0, 0};
struct Node *node(int k, struct Node *next) {
  struct Node *result = malloc(sizeof *result);
  *result = (struct Node){k, 0, 0, next};
  return result;
}
";

struct Generator {
    random: Random,
    text: String,
    /// With records, and pointers between processes.
    is_rich: bool,
}

impl Generator {
    fn program(mut self) -> String {
        self.text
            .push_str("#include <civlc.cvh>\nint x = 0, y = 0, z = 0, a[2] = {0, 0};\nint lock1 = 0, lock2 = 0;\n");
        if self.is_rich {
            self.text.push_str(RECORDS);
        }
        let threads = 2 + self.random.below(2);
        for thread in 0..threads {
            let _ = writeln!(self.text, "void thread{thread}(int me) {{\n  int t = me;\n  int *p = &y;");
            if self.is_rich {
                let first = *self.random.choose(&["n", "n->next"]);
                let _ = writeln!(self.text, "  int b[2] = {{me, 1}};\n  struct Node *m = {first};");
            }
            let count = 2 + self.random.below(3);
            for _ in 0..count {
                self.statement(1, 2);
            }
            self.text.push_str("}\n");
        }
        self.text.push_str("int main(void) {\n");
        if self.is_rich {
            self.text.push_str("  n = node(1, node(2, NULL));\n");
        }
        for thread in 0..threads {
            let _ = writeln!(self.text, "  $proc p{thread} = $spawn thread{thread}({thread});");
        }
        for thread in 0..threads {
            let _ = writeln!(self.text, "  $wait(p{thread});");
        }
        if self.random.one_in(2) {
            let condition = self.condition();
            let _ = writeln!(self.text, "  {{ int t = 0; $assert(!({condition}) || x <= 2); }}");
        }
        if self.is_rich {
            self.text.push_str("  free(n->next);\n  free(n);\n");
        }
        self.text.push_str("  return 0;\n}\n");
        self.text
    }

    /// A shared variable.
    fn target(&mut self) -> &'static str {
        if self.is_rich && self.random.one_in(2) {
            return self.random.choose::<&'static str>(&["n->u", "m->u", "m->v", "g.u", "b[1]", "d[1]"]);
        }
        self.random.choose::<&'static str>(&["x", "y", "z", "a[0]", "a[1]"])
    }

    fn value(&mut self) -> String {
        match self.random.below(5) {
            0 | 1 => self.random.below(3).to_string(),
            2 if self.is_rich => {
                self.random.choose::<&'static str>(&["n->k", "m->k", "g.k", "d[0]", "n->next->u", "b[0]"]).to_string()
            }
            2 => self.target().to_owned(),
            3 => format!("{} + 1", self.target()),
            _ => "t".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (mut left, right) = (self.target(), self.random.below(3));
        if self.is_rich && self.random.one_in(3) {
            left = self.random.choose::<&'static str>(&["n->k", "m->k", "g.k", "d[0]", "n->next->k"]);
        }
        let op = *self.random.choose(&["==", "!=", "<", ">="]);
        format!("{left} {op} {right}")
    }

    fn statement(&mut self, depth: usize, room: u64) {
        let indent = "  ".repeat(depth);
        let kind = self.random.below(if room == 0 { 8 } else { 14 });
        let (target, value) = (self.target(), self.value());
        if self.is_rich && self.random.one_in(5) {
            return self.rich_statement(&indent);
        }
        match kind {
            0..=2 => drop(writeln!(self.text, "{indent}{target} = {value};")),
            3 => drop(writeln!(self.text, "{indent}t = {value};")),
            4 => drop(writeln!(self.text, "{indent}*p = {value};")),
            5 => drop(writeln!(self.text, "{indent}p = &{target};")),
            6 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{indent}$assert({condition} || t < 2 || {target} < 2);");
            }
            7 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{indent}$when ({condition}) {target} = {value};");
            }
            8 => {
                let head = format!("if ({})", self.condition());
                self.block(&head, depth, room);
            }
            9 => self.block("$atomic", depth, room),
            10 => self.block("for (int i = 0; i < 2; i++)", depth, room),
            11 | 12 => {
                let lock = *self.random.choose(&["lock1", "lock2"]);
                let _ = writeln!(self.text, "{indent}$when ({lock} == 0) {lock} = 1;");
                self.statement(depth, room - 1);
                let _ = writeln!(self.text, "{indent}{lock} = 0;");
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "{indent}while ({condition}) {{ t = 1 - t; if (t) break; }}");
            }
        }
    }

    /// Statements on records and on variables of other processes; the last ones are wrong more often than not.
    fn rich_statement(&mut self, indent: &str) {
        let text = match self.random.below(14) {
            0 | 1 => "m = n;",
            2 | 3 => "if (m->next != NULL) m = m->next;",
            4 | 5 => "m = n->next;",
            6 => "q = &g.u;",
            7 => "if (q != NULL) *q = t;",
            8 => "$when (m->k > 0) t = m->k;",
            9 => "n->k = 0;",
            10 => "q = &t;",
            11 => "q = b;",
            12 => "d[0] = 1;",
            _ if self.random.one_in(2) => "m->next = n;",
            _ => "$atomic { struct Node *o = node(0, NULL); o->v = m->k; m->v = o->v; free(o); }",
        };
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn block(&mut self, head: &str, depth: usize, room: u64) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(self.text, "{indent}{head} {{");
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth + 1, room - 1);
        }
        let _ = writeln!(self.text, "{indent}}}");
    }
}
