//! Partial-order reduction against the full search on random small concurrent programs, one thread against several, and
//! breadth first against `--min`.
//!
//! Programs are made so that a good part of them violates an assertion or deadlocks: two or three processes with a few
//! statements each on shared variables, locks, guards, atomic blocks, pointers, and now and then a loop that waits. A fifth
//! of them have records on the heap as well, of which some members are only read, and pointers to variables of other
//! processes; in another fifth processes hand each other cells that no variable leads to, forget them, start processes and
//! wait for some; in another they send and receive messages; in the last they start processes in loops, for ever as well, and
//! keep the names of some.

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
        let kind = match number % 5 {
            0 => Kind::Records,
            1 => Kind::Cells,
            2 => Kind::Messages,
            3 => Kind::Loops,
            _ => Kind::Plain,
        };
        let text = Generator { random: Random::new(number), text: String::new(), kind }.program();
        let file = directory.join(format!("random{number}.cvl"));
        std::fs::write(&file, &text)?;
        if let Some(why) = compare(&binary, &file, &threads, kind, &mut totals)? {
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
    let mut result = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if text.contains("there may be a shorter one") {
        result.push_str(", timeout");
    }
    let (states, steps) = (figure("states ").unwrap_or(0), figure("violation steps").unwrap_or(0));
    Ok(Answer { result, states, steps })
}

/// Why the answers about a program do not fit together.
fn compare(binary: &Path, file: &Path, threads: &str, kind: Kind, totals: &mut Totals) -> Result<Option<String>> {
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
        // Where blocks come and go, which states are known for the same hangs on which of them was first.
        let is_open = kind != Kind::Plain || shared_full.result.contains("timeout");
        let is_same = is_open || full.states == shared_full.states;
        return Ok((!is_same).then(|| format!("{} and {} states in full", full.states, shared_full.states)));
    }
    let shortest = ask(binary, file, &["--threads", "1", "--min"])?;
    let broad = ask(binary, file, &["--threads", "1", "--breadth-first"])?;
    let shared_shortest = ask(binary, file, &[&shared[..], &["--min"]].concat())?;
    for (name, one, many) in [("breadth first", &broad, &shared_broad), ("minimal", &shortest, &shared_shortest)] {
        let is_timely = [one, many].iter().all(|answer| !answer.result.contains("timeout"));
        if is_timely && one.steps != many.steps {
            return Ok(Some(format!("{name}: {} steps, with {threads} threads {}", one.steps, many.steps)));
        }
    }
    if shortest.result.contains("timeout") || broad.result.contains("timeout") {
        return Ok(None);
    }
    let is_same = |answer: &Answer| word(answer) == word(&full) && answer.steps == shortest.steps;
    if !is_same(&shortest) || !is_same(&broad) {
        let (a, b) = (shortest.steps, broad.steps);
        return Ok(Some(format!(
            "--min: {} ({a} steps), --breadth-first: {} ({b} steps)",
            shortest.result, broad.result
        )));
    }
    // Shorter than all others, not only than those that the reduction leaves.
    let plain = ask(binary, file, &["--threads", "1", "--breadth-first", "--no-reduction"])?;
    if !plain.result.contains("timeout") && !is_same(&plain) {
        return Ok(Some(format!("--min: {} steps, {} without reduction", shortest.steps, plain.steps)));
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

const CELLS: &str = "#include <stdlib.h>
$proc late = $proc_null;
void helper(int *c) { if (c) *c = 2; x = 1; }
";

const LOOPS: &str = "$proc kept = $proc_null;
void helper(int k) { x = (x + k) % 3; }
void other(int k) { if (y < 2) y = k; $assert(z < 2 || y < 2); }
void slow(int k) { $when (x != k) z = k; }
";

const MESSAGES: &str = "#include <comm.cvh>
$gcomm world;
void send($comm w, int me, int to, int tag, int value) {
  $message m = $message_pack(me, to, tag, &value, sizeof(int));
  $comm_enqueue(w, m);
}
int receive($comm w, int from, int tag) {
  int value;
  $message m = $comm_dequeue(w, from, tag);
  $message_unpack(m, &value, sizeof(int));
  return value;
}
";

/// What programs have beside shared variables.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Records, and pointers between processes.
    Records,
    /// Cells that only parameters lead to, and processes that start others.
    Cells,
    Messages,
    /// Processes that start others and wait for them again and again.
    Loops,
}

struct Generator {
    random: Random,
    text: String,
    kind: Kind,
}

impl Generator {
    fn program(mut self) -> String {
        self.text
            .push_str("#include <civlc.cvh>\nint x = 0, y = 0, z = 0, a[2] = {0, 0};\nint lock1 = 0, lock2 = 0;\n");
        self.text.push_str(match self.kind {
            Kind::Plain => "",
            Kind::Records => RECORDS,
            Kind::Cells => CELLS,
            Kind::Messages => MESSAGES,
            Kind::Loops => LOOPS,
        });
        let threads = match self.kind {
            Kind::Plain | Kind::Records => 2 + self.random.below(2),
            Kind::Cells | Kind::Messages => 2,
            Kind::Loops => 1 + self.random.below(2),
        };
        for thread in 0..threads {
            self.thread(thread);
        }
        self.starter(threads);
        self.text.push_str("int main(void) {\n");
        self.text.push_str(match self.kind {
            Kind::Records => "  n = node(1, node(2, NULL));\n",
            Kind::Messages => "  world = $gcomm_create($here, 3);\n",
            _ => "",
        });
        if self.kind == Kind::Cells {
            self.text.push_str("  $wait($spawn starter());\n");
        }
        for thread in 0..threads {
            match self.kind {
                Kind::Cells => {}
                _ => drop(writeln!(self.text, "  p{thread} = $spawn thread{thread}({thread});")),
            }
        }
        let is_early = self.kind == Kind::Messages && self.random.one_in(6);
        if is_early {
            self.text.push_str("  $gcomm_destroy(world, NULL);\n");
        }
        for thread in 0..threads {
            // Who is not waited for may still run when `main` returns.
            if self.kind != Kind::Cells || !self.random.one_in(5) {
                let _ = writeln!(self.text, "  $wait(p{thread});");
            }
        }
        if self.random.one_in(2) {
            let target = *self.random.choose(&["x", "y", "z", "a[0]", "a[1]"]);
            let _ = writeln!(self.text, "  $assert({target} != {} || x <= 2);", self.random.below(3));
        }
        self.text.push_str(match self.kind {
            Kind::Records => "  free(n->next);\n  free(n);\n",
            Kind::Cells => "  $wait(late);\n",
            Kind::Loops if !self.random.one_in(5) => "  $wait(kept);\n",
            Kind::Messages if !is_early => "  $gcomm_destroy(world, NULL);\n",
            _ => "",
        });
        self.text.push_str("  return 0;\n}\n");
        self.text
    }

    fn thread(&mut self, thread: u64) {
        let parameters = if self.kind == Kind::Cells { "int me, int *c, int *e" } else { "int me" };
        let _ = writeln!(self.text, "void thread{thread}({parameters}) {{\n  int t = me;\n  int *p = &y;");
        match self.kind {
            Kind::Records => {
                let first = *self.random.choose(&["n", "n->next"]);
                let _ = writeln!(self.text, "  int b[2] = {{me, 1}};\n  struct Node *m = {first};");
            }
            Kind::Messages => self.text.push_str("  $comm w = $comm_create($here, world, me);\n"),
            _ => {}
        }
        // Each process that is started makes many more orders.
        let (count, room) = match self.kind {
            Kind::Loops => (1 + self.random.below(2), 1),
            _ => (2 + self.random.below(3), 2),
        };
        for _ in 0..count {
            self.statement(1, room);
        }
        if self.kind == Kind::Messages {
            self.text.push_str("  $comm_destroy(w);\n");
        }
        self.text.push_str("}\n");
    }

    /// The processes, and who starts them where it is not `main`.
    fn starter(&mut self, threads: u64) {
        for thread in 0..threads {
            let _ = writeln!(self.text, "$proc p{thread};");
        }
        if self.kind != Kind::Cells {
            return;
        }
        self.text.push_str("void starter(void) {\n  int *c = malloc(sizeof(int)), *e = malloc(sizeof(int));\n");
        self.text.push_str("  *c = 0;\n  *e = 1;\n");
        for thread in 0..threads {
            let cells = *self.random.choose(&["c, e", "c, e", "e, c", "c, NULL"]);
            let _ = writeln!(self.text, "  p{thread} = $spawn thread{thread}({thread}, {cells});");
        }
        self.text.push_str("}\n");
    }

    /// A shared variable.
    fn target(&mut self) -> &'static str {
        if self.kind == Kind::Records && self.random.one_in(2) {
            return self.random.choose::<&'static str>(&["n->u", "m->u", "m->v", "g.u", "b[1]", "d[1]"]);
        }
        self.random.choose::<&'static str>(&["x", "y", "z", "a[0]", "a[1]"])
    }

    fn value(&mut self) -> String {
        match self.random.below(5) {
            0 | 1 => self.random.below(3).to_string(),
            2 if self.kind == Kind::Records => {
                self.random.choose::<&'static str>(&["n->k", "m->k", "g.k", "d[0]", "n->next->u", "b[0]"]).to_string()
            }
            2 if self.kind == Kind::Cells => {
                self.random.choose::<&'static str>(&["(c ? *c : 0)", "(e ? *e : 1)"]).to_string()
            }
            2 => self.target().to_owned(),
            3 => format!("{} + 1", self.target()),
            _ => "t".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (mut left, right) = (self.target(), self.random.below(3));
        if self.kind == Kind::Records && self.random.one_in(3) {
            left = self.random.choose::<&'static str>(&["n->k", "m->k", "g.k", "d[0]", "n->next->k"]);
        }
        let op = *self.random.choose(&["==", "!=", "<", ">="]);
        format!("{left} {op} {right}")
    }

    fn statement(&mut self, depth: usize, room: u64) {
        let indent = "  ".repeat(depth);
        let kind = self.random.below(if room == 0 { 8 } else { 14 });
        let (target, value) = (self.target(), self.value());
        match self.kind {
            Kind::Records if self.random.one_in(5) => return self.statement_on_records(&indent),
            Kind::Cells if self.random.one_in(2) => return self.statement_on_cells(&indent),
            Kind::Messages if self.random.one_in(2) => return self.statement_on_messages(&indent),
            Kind::Loops if !self.random.one_in(3) => return self.statement_on_processes(&indent),
            _ => {}
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
    fn statement_on_records(&mut self, indent: &str) {
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

    fn statement_on_cells(&mut self, indent: &str) {
        let value = self.random.below(3);
        let text = match self.random.below(12) {
            0 | 1 => format!("if (c) *c = {value};"),
            2 => "if (e) *e = t;".to_owned(),
            3 | 4 => "if (c) t = *c;".to_owned(),
            5 => "if (e) t = *e;".to_owned(),
            6 => "t = c ? *c : 1; c = NULL;".to_owned(),
            7 => "c = NULL;".to_owned(),
            8 => "e = c;".to_owned(),
            9 => format!("$when (x != {value}) y = {value}; if (c) *c = 2;"),
            10 => "if (late == $proc_null) late = $spawn helper(c);".to_owned(),
            _ => "$assert(t < 2 || !c || *c < 2);".to_owned(),
        };
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn statement_on_processes(&mut self, indent: &str) {
        let start = *self.random.choose(&["$spawn helper(1)", "$spawn helper(t)", "$spawn other(x)", "$spawn slow(1)"]);
        let condition = self.condition();
        let text = match self.random.below(10) {
            0 => format!("{{ $proc q = {start}; $wait(q); }}"),
            1 => format!("while (1) {{ $proc q = {start}; $wait(q); if ({condition}) break; }}"),
            2 => format!("while ({condition}) {{ $proc q = {start}; $wait(q); x = (x + 1) % 3; }}"),
            3 => format!("for (int i = 0; i < 3; i++) {{ $proc q = {start}; if (i == 1) kept = q; $wait(q); }}"),
            4 => format!("kept = {start};"),
            5 => format!(
                "{{ $proc q = {start}, r = $spawn helper(1); $wait(r); $assert(q != r && r != kept); $wait(q); }}"
            ),
            6 => "$wait(kept);".to_owned(),
            7 => "$assert(kept != $self);".to_owned(),
            8 => format!("{{ $proc q = {start}; $wait(kept); $wait(q); kept = $proc_null; }}"),
            _ => format!("{{ $proc q = kept; kept = {start}; $assert(q != kept); $wait(kept); }}"),
        };
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn statement_on_messages(&mut self, indent: &str) {
        let (other, tag) = (self.random.below(3), self.random.below(2));
        let text = match self.random.below(10) {
            0..=3 => format!("send(w, me, {other}, {tag}, x);"),
            4 => format!("send(w, me, (me + 1) % 2, {tag}, t + 1);"),
            5 => format!("t = receive(w, {other}, {tag});"),
            6 => "t = receive(w, (me + 1) % 2, $COMM_ANY_TAG);".to_owned(),
            7 => format!("t = receive(w, $COMM_ANY_SOURCE, {tag});"),
            8 => format!("if ($comm_probe(w, {other}, {tag})) t = receive(w, {other}, {tag});"),
            _ => "x = t;".to_owned(),
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
