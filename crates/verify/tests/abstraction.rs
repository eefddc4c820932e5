//! Proofs by abstract interpretation: programs that hold and are proved; each changed so that it does not hold, which must
//! not be proved; and random programs, where nothing that was proved may fail in a random run.

use quod_base::{SourceMap, Span};
use quod_model::ir::{Arithmetic, DataModel, Program};
use quod_model::{LowerOptions, lower};
use quod_syntax::preprocess::NoFiles;
use quod_syntax::{Dialect, ParseOptions, PreprocessOptions};
use quod_verdict::{CancelToken, CheckKind, KindSet, Specification};
use quod_verify::abstraction::{Report, prove};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void); extern void *malloc(unsigned long); extern void free(void *);
void reach_error(void) { abort(); }
void assume_abort_if_not(int c) { if (!c) abort(); }
void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
";

fn model(text: &str, kinds: KindSet) -> Program {
    let mut sources = SourceMap::default();
    let file = sources.add_file("test.c".into(), format!("{HEAD}{text}").into(), Span::NONE).expect("small");
    let options = PreprocessOptions { dialect: Dialect::C, ..PreprocessOptions::default() };
    let preprocessed = quod_syntax::preprocess(&mut sources, file, &NoFiles, &options);
    let parse = ParseOptions { dialect: Dialect::C, ..ParseOptions::default() };
    let (unit, diagnostics) = quod_syntax::parse(&preprocessed.tokens, &sources, &parse);
    assert!(!diagnostics.iter().any(quod_diag::Diagnostic::is_error), "{text}: {diagnostics:?}");
    let options = LowerOptions { data_model: DataModel::Lp64, arithmetic: Arithmetic::Machine, dialect: Dialect::C };
    let lowered = lower(&[unit], &sources, &options);
    assert!(!lowered.diagnostics.iter().any(quod_diag::Diagnostic::is_error), "{text}: {:?}", lowered.diagnostics);
    let mut program = lowered.program;
    if kinds.contains(CheckKind::Unreachable) {
        quod_model::passes::checks::forbid_calls(&mut program, "reach_error");
    }
    quod_model::passes::checks::insert(&mut program, kinds);
    program
}

fn kinds(property: &str) -> KindSet {
    Specification::from_name(property).expect("a property").kinds
}

fn report(text: &str, property: &str) -> Report {
    let kinds = kinds(property);
    prove(&model(text, kinds), kinds, &CancelToken::default())
}

/// A property, a program for which it holds, and changes (what, by what) after which it does not.
const CASES: &[(&str, &str, &[(&str, &str)])] = &[
    (
        "unreach-call",
        "int main() { int n = __VERIFIER_nondet_int(); assume_abort_if_not(n > 0 && n < 1000); int x = 0;
         for (int i = 0; i < n; i++) x++; __VERIFIER_assert(x == n); return 0; }",
        &[("i < n", "i <= n"), ("x == n", "x < n"), ("n > 0 &&", ""), ("x++", "x += 2"), ("int x = 0", "int x = 1")],
    ),
    (
        "unreach-call",
        "int main() { unsigned x = 0; while (x < 0x0fffffff) x += 2; __VERIFIER_assert(!(x % 2)); return 0; }",
        &[("x += 2", "x += 3"), ("x = 0", "x = 1")],
    ),
    (
        "unreach-call",
        "int lock = 0; void take(void) { __VERIFIER_assert(lock == 0); lock = 1; }
         void give(void) { __VERIFIER_assert(lock == 1); lock = 0; }
         int main() { while (__VERIFIER_nondet_int()) { take(); if (__VERIFIER_nondet_int()) { give(); take(); } give(); }
         return 0; }",
        &[("lock = 1;", "lock = 0;"), ("give(); take();", "take();"), ("give(); take();", "give();")],
    ),
    (
        "no-overflow",
        "int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 46340) return 0; int q = n * n;
         int i = n; while (i > 0) i--; return q - i; }",
        &[("46340", "46341"), ("n < 0", "n < -46341"), ("while (i > 0)", "while (i < 1)")],
    ),
    (
        "termination",
        "int main() { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
         while (i > 0) { if (j > 0 && __VERIFIER_nondet_int()) j--; else { i--; j = __VERIFIER_nondet_int(); } }
         while (i < 10) { i = i + 1; } return 0; }",
        &[("j--", "j = j"), ("i--", "i = i"), ("i = i + 1", "i = i + 1 - 1"), ("i > 0", "i != 0")],
    ),
    (
        "termination",
        "int main() { unsigned x = __VERIFIER_nondet_uint(), y = 3; while (x > 0) { x = x / 2; }
         for (int a = 0; a < 10; a++) for (int b = 0; b < a; b++) y += b; return 0; }",
        &[("x / 2", "x / 1"), ("x > 0", "x >= 0"), ("a < 10; a++", "a < 10; "), ("y += b", "b--")],
    ),
    (
        "valid-memsafety",
        "int a[10]; int main() { int *p = malloc(40); for (int i = 0; i < 10; i++) { a[i] = i; p[i] = a[i]; }
         int k = __VERIFIER_nondet_int(); if (k >= 0 && k < 10) a[k] = p[k]; free(p); return 0; }",
        &[("i < 10; i++", "i <= 10; i++"), ("malloc(40)", "malloc(39)"), ("k >= 0", "k >= -1"), ("k < 10", "k <= 10"),
          ("free(p);", "free(p); p[0] = 1;"), ("free(p);", "free(p); free(p);"), ("free(p);", "p = 0;"),
          ("free(p);", "free(p + 1);")],
    ),
];

#[test]
fn programs_that_hold_are_proved_and_their_mutants_are_not() {
    for (property, text, changes) in CASES {
        let found = report(text, property);
        let facts: Vec<&str> = found.invariants.iter().map(|fact| fact.expression.as_str()).collect();
        assert!(found.is_proved, "{property}: {text}: {:?} {facts:?}", found.open);
        for (what, by) in *changes {
            assert!(text.contains(what), "{what}");
            let changed = text.replacen(what, by, 1);
            assert!(!report(&changed, property).is_proved, "{property}: {changed}");
        }
    }
}

/// A small generator: the same seed gives the same program.
struct Generator(u64);

impl Generator {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next(from.len() as u64) as usize]
    }
    fn constant(&mut self) -> String {
        match self.next(8) {
            0 => "0x7ffffffe".into(),
            1 => format!("-{}", self.next(20)),
            2 => format!("{}", self.next(300)),
            _ => format!("{}", self.next(12)),
        }
    }
    fn variable(&mut self) -> &'static str {
        self.pick(&["a", "b", "u", "c", "g", "s.x", "s.y", "*p", "t[1]"])
    }
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.next(4) == 0 {
            return if self.next(2) == 0 { self.variable().to_owned() } else { self.constant() };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.next(12) {
            0 => format!("({left} * {right})"),
            1 => format!("({left} / ((({right}) & 15) + 1))"),
            2 => format!("({left} % ((({right}) & 7) + 1))"),
            3 => format!("({left} & {right})"),
            4 => format!("({left} >> (({right}) & 7))"),
            5 => format!("(unsigned char)({left})"),
            6 => format!("(short)({left} + {right})"),
            7 => format!("t[({left}) & 3]"),
            8 => format!("({} ? {left} : {right})", self.condition(1)),
            9 => format!("({left} - {right})"),
            10 => format!("({left} ^ {right})"),
            _ => format!("({left} + {right})"),
        }
    }
    fn condition(&mut self, depth: u32) -> String {
        let op = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let simple = format!("{} {op} {}", self.expression(1), self.expression(1));
        match (depth, self.next(5)) {
            (0, _) | (_, 0..=2) => simple,
            (_, 3) => format!("({simple} && {})", self.condition(depth - 1)),
            _ => format!("({simple} || {})", self.condition(depth - 1)),
        }
    }
    /// Something about a variable that is often true.
    fn claim(&mut self) -> String {
        let variable = self.variable();
        let bound = self.pick(&["1", "5", "12", "20", "100", "300", "70000", "0x7ffffffe"]);
        match self.next(3) {
            0 => format!("__VERIFIER_assert({variable} >= -{bound});"),
            _ => format!("__VERIFIER_assert((long){variable} <= {bound});"),
        }
    }
    fn statement(&mut self, depth: u32) -> String {
        match self.next(if depth == 0 { 5 } else { 9 }) {
            0 => format!("{} = {};", self.variable(), self.expression(2)),
            1 => format!("{}++;", self.variable()),
            2 => format!("t[({}) & 3] = {};", self.expression(1), self.expression(1)),
            3 => self.claim(),
            4 => format!("p = {};", self.pick(&["&a", "&b", "&g", "&t[2]", "&s.x"])),
            5 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(1),
                self.block(depth - 1),
                self.block(depth - 1)
            ),
            6 => format!("if ({}) {{ {} }}", self.condition(1), self.block(depth - 1)),
            7 => {
                let count = self.next(15);
                let name = format!("i{depth}");
                let body = self.block(depth - 1);
                format!(
                    "for (int {name} = 0; {name} < {count}; {name}++) {{ {body} __VERIFIER_assert({name} < {count}); a += {name}; }}"
                )
            }
            _ => {
                let (name, condition, body) = (format!("w{depth}"), self.condition(1), self.block(depth - 1));
                format!("{{ int {name} = 0; while ({name}++ < 20 && {condition}) {{ {body} }} }}")
            }
        }
    }
    fn block(&mut self, depth: u32) -> String {
        let count = 1 + self.next(3);
        (0..count).map(|_| self.statement(depth)).collect::<Vec<_>>().join(" ")
    }
    fn program(&mut self) -> String {
        let depth = self.next(3) as u32;
        let (helper, body) = (self.expression(1), self.block(depth));
        let rest = self.statement(1);
        let helper = helper.replace("*p", "g").replace("t[", "r[").replace("s.", "q.");
        format!(
            "struct S {{ int x; short y; }}; int g; int r[4]; struct S q;
             int help(int a, int b, unsigned u, char c) {{ if (a > b) g = {helper}; return a - b; }}
             int main() {{ int a = __VERIFIER_nondet_int(), b = 0; unsigned u = __VERIFIER_nondet_uint(); char c = 3;
             struct S s = {{1, 2}}; int t[4] = {{0}}; int *p = &b; {{ {body} }} b = help(a, b, u, c); {{ {rest} }}
             {} return 0; }}",
            self.claim()
        )
    }
}

#[test]
fn what_is_proved_of_random_programs_survives_random_runs() {
    let kinds = KindSet::of(&[CheckKind::Unreachable, CheckKind::Unsupported]);
    let mut proved = 0;
    for seed in 0..120 {
        let mut generator = Generator(seed * 7919 + 1);
        let text = generator.program();
        let program = model(&text, kinds);
        if !prove(&program, kinds, &CancelToken::default()).is_proved {
            continue;
        }
        proved += 1;
        for run in 0..20 {
            let options = quod_exec::RunOptions {
                seed: Some(run * 31 + seed),
                checks: kinds,
                step_limit: Some(200_000),
                ..quod_exec::RunOptions::default()
            };
            let mut io = quod_exec::Captured::default();
            let report = quod_exec::run(&program, &mut io, options);
            if let quod_exec::RunEnd::Stopped { kind, .. } = &report.end {
                assert_ne!(*kind, CheckKind::Unreachable, "seed {seed}: {text}");
            }
        }
    }
    assert!(proved > 5, "{proved} proved");
}
