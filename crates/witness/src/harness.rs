//! A C test that makes a violation happen: the functions that stand for the outside return the recorded values, in order.

use std::fmt::Write;

/// A function of the outside, the type that it returns, and the values that it returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    pub name: String,
    /// As C writes it.
    pub ty: String,
    /// C expressions.
    pub values: Vec<String>,
}

pub struct Harness<'h> {
    /// What is violated, for the head.
    pub what: &'h str,
    pub program: &'h str,
    /// The function whose call is the violation, and whether the program defines it.
    pub error_function: Option<(&'h str, bool)>,
    pub outside: &'h [Outside],
    /// `__VERIFIER_assume` and its like that the program only declares.
    pub needs_assume: bool,
    /// Functions that end the program and that it only declares; not the error function.
    pub ends: &'h [String],
    /// Options that make the compiler's checks show the violation.
    pub options: &'h str,
}

pub fn write(harness: &Harness<'_>) -> String {
    let mut out = String::new();
    let Harness { what, program, options, .. } = harness;
    let _ = writeln!(out, "/* A test for {program}: {what}. Written by quod.");
    let _ = writeln!(out, " *");
    let _ = writeln!(out, " * Compile and run:  gcc {options}{}{program} THIS_FILE.c && ./a.out", blank(options));
    match harness.error_function {
        Some((name, false)) => {
            let _ = writeln!(out, " * It ends with code 107 when {name}() is called.");
        }
        Some((name, true)) => {
            let _ = writeln!(out, " * The program's own {name}() is called.");
        }
        None => {}
    }
    out.push_str(" */\n#include <stdio.h>\n#include <stdlib.h>\n\n");
    for outside in harness.outside {
        let (name, ty) = (&outside.name, &outside.ty);
        let count = outside.values.len();
        let _ = writeln!(out, "{ty} {name}(void) {{");
        if count > 0 {
            let _ = writeln!(out, "    static const {ty} values[] = {{ {} }};", outside.values.join(", "));
            let _ = writeln!(out, "    static unsigned next;");
            let _ = writeln!(out, "    if (next < {count})\n        return values[next++];");
        }
        let _ = writeln!(out, "    return 0;\n}}\n");
    }
    if harness.needs_assume {
        out.push_str("void __VERIFIER_assume(int condition) {\n    if (!condition)\n        exit(0);\n}\n\n");
    }
    for name in harness.ends {
        let _ = writeln!(out, "void {name}(void) {{\n    abort();\n}}\n");
    }
    if let Some((name, false)) = harness.error_function {
        let _ =
            writeln!(out, "void {name}(void) {{\n    fprintf(stderr, \"{name} is called\\n\");\n    _Exit(107);\n}}");
    }
    out
}

fn blank(options: &str) -> &str {
    if options.is_empty() { "" } else { " " }
}
