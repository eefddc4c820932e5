//! Small programs and facts about their models.

use quod_base::{SourceMap, Span};
use quod_model::ir::*;
use quod_model::{LowerOptions, Lowered, lower};
use quod_syntax::preprocess::NoFiles;
use quod_syntax::{Dialect, ParseOptions, PreprocessOptions};

fn lower_in(text: &str, dialect: Dialect) -> Lowered {
    let mut sources = SourceMap::default();
    let file = sources.add_file("test.c".into(), text.into(), Span::NONE).expect("a small file");
    let options = PreprocessOptions { dialect, ..PreprocessOptions::default() };
    let preprocessed = quod_syntax::preprocess(&mut sources, file, &NoFiles, &options);
    let parse = ParseOptions { dialect, ..ParseOptions::default() };
    let (unit, diagnostics) = quod_syntax::parse(&preprocessed.tokens, &sources, &parse);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let arithmetic = if dialect == Dialect::C { Arithmetic::Machine } else { Arithmetic::Ideal };
    let options = LowerOptions { data_model: DataModel::Lp64, arithmetic, dialect };
    let lowered = lower(&[unit], &sources, &options);
    if !lowered.has_errors() {
        quod_model::validate::validate(&lowered.program).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    }
    lowered
}

/// A program that lowers without any diagnostic.
fn clean(text: &str) -> Program {
    let lowered = lower_in(text, Dialect::C);
    assert!(lowered.diagnostics.is_empty(), "{text}: {:?}", lowered.diagnostics);
    lowered.program
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.functions.iter().find(|function| function.name.as_str() == name).expect("the function")
}

fn steps<'p>(program: &'p Program, name: &str) -> Vec<&'p Step> {
    let body = function(program, name).body.as_ref().expect("a body");
    body.locations
        .iter()
        .filter_map(|location| match &location.control {
            Control::Step { step, .. } => Some(step),
            _ => None,
        })
        .collect()
}

#[test]
fn an_empty_program_has_an_initialiser() {
    let program = clean("");
    assert!(program.functions[program.initialiser].body.is_some());
    assert!(program.main.is_none());
}

#[test]
fn main_returns_zero_at_its_end() {
    let program = clean("int main(void) { }");
    let main = &program.functions[program.main.expect("main")];
    let body = main.body.as_ref().expect("a body");
    assert_eq!(body.locations.len(), 1);
    assert!(matches!(body.locations.as_slice()[0].control, Control::Return(Some(_))));
}

#[test]
fn effects_become_steps_from_left_to_right() {
    let program = clean("int g(int); int f(int x, int y) { return x++ + g(y) * 2; }");
    let steps = steps(&program, "f");
    assert!(matches!(steps[0], Step::Assign { .. }), "the old x is saved");
    assert!(matches!(steps[1], Step::Assign { .. }), "x changes");
    assert!(matches!(steps[2], Step::Call(_)));
    assert_eq!(steps.len(), 3);
}

#[test]
fn pure_conditions_stay_expressions() {
    let program = clean("int f(int a, int b) { if (a && b || !a) return 1; return a ? b : 2; }");
    assert!(steps(&program, "f").is_empty());
}

#[test]
fn loops_are_recorded() {
    let program = clean(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; while (s > 9) s--; do s++; while (s < 3);
           again: if (s > 100) goto again; return s; }",
    );
    assert_eq!(function(&program, "f").body.as_ref().expect("a body").loops.len(), 4);
}

#[test]
fn jumps_enter_and_leave_scopes() {
    let program = clean(
        "int f(int n) { switch (n) { int x; case 1: x = 2; return x; default: break; } { int y = n; if (y) goto out; }
           out: return 0; }",
    );
    let count = |wanted: fn(&Step) -> bool| steps(&program, "f").iter().filter(|step| wanted(step)).count();
    assert_eq!(count(|step| matches!(step, Step::Enter(_))), 3, "two ways into the switch, one into the block");
    assert_eq!(count(|step| matches!(step, Step::Leave(_))), 3);
}

#[test]
fn types_of_expressions() {
    let program = clean(
        "_Static_assert(sizeof(1 ? (char)1 : (char)2) == 4, \"promotion\");
         _Static_assert(sizeof(sizeof(int)) == 8, \"size_t\");
         struct s { unsigned a : 3; long b; } s;
         _Static_assert(_Generic(s.a + 1, int: 1, default: 0), \"bit-fields promote to int\");
         _Static_assert(_Generic(1u + 1l, long: 1, default: 0), \"long holds unsigned\");
         _Static_assert(_Generic(1 ? (void *)0 : (int *)0, int *: 1, default: 0), \"null pointer constant\");
         _Static_assert(sizeof(struct s) == 16 && __builtin_offsetof(struct s, b) == 8, \"layout\");
         _Static_assert((int)(1.5 * 2) == 3 && -1 < 0 && (unsigned)-1 > 0, \"arithmetic\");
         enum e { A, B = 5, C };
         _Static_assert(C == 6 && sizeof(enum e) == 4, \"enum\");",
    );
    assert!(program.globals.iter().any(|global| global.name.as_str() == "s"));
}

#[test]
fn initialisers_complete_arrays() {
    let program = clean(
        "int a[] = {1, 2, [5] = 6, 7};
         char s[] = \"abc\";
         struct p { int x, y; } ps[] = {1, 2, 3, 4, {5}};
         int m[][2] = {{1}, {2, 3}, 4};
         struct f { int n; int rest[]; } fl = {2, {10, 20, 30}};",
    );
    let size = |name: &str| {
        let global = program.globals.iter().find(|global| global.name.as_str() == name).expect("the global");
        program.types.size_of(global.ty)
    };
    assert_eq!(size("a"), Some(28));
    assert_eq!(size("s"), Some(4));
    assert_eq!(size("ps"), Some(24));
    assert_eq!(size("m"), Some(24));
    assert_eq!(size("fl"), Some(16));
}

fn messages(text: &str) -> Vec<String> {
    lower_in(text, Dialect::C).diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
}

#[test]
fn errors_are_collected_without_cascades() {
    let found = messages(
        "struct point { int x, y; };
         int length(struct point p) { return p.z + cuont; }
         int main(void) { int count = 1; length(1, 2); count = cuont + cuont; *count = 3; return undefined(); }",
    );
    assert_eq!(
        found,
        [
            "`struct point` has no member `z`",
            "`cuont` is not declared",
            "`length` takes 1 argument, 2 given",
            "`cuont` is not declared",
            "`int` is no pointer",
            "function `undefined` is not declared",
        ]
    );
}

#[test]
fn mistakes_have_their_own_messages() {
    for (text, message) in [
        ("int x = 1; int x = 2;", "`x` is defined twice"),
        ("int f(void) { return 1; } int f(void) { return 2; }", "function `f` is defined twice"),
        ("void f(void) { break; }", "`break` outside a loop or `switch`"),
        ("void f(void) { goto out; }", "label `out` is not defined in this function"),
        ("void f(int n) { switch (n) { case 1: case 1: ; } }", "this `case` occurs twice"),
        ("void f(void) { const int x = 1; x = 2; }", "assignment to a constant"),
        ("struct s; struct s x;", "a variable has the incomplete type `struct s`"),
        ("struct s { int a; } x; int f(void) { return x + 1; }", "`+` does not apply to `struct s` and `int`"),
        ("int n; int a[n];", "the size of an array at file scope must be constant"),
        ("_Static_assert(1 == 2, \"never\");", "static assertion failed: never"),
        ("int f(void); char *f(void);", "`f` is declared with different types"),
        ("int g(void); int x = g();", "the initialiser of a static object is not constant"),
    ] {
        assert_eq!(messages(text), [message], "{text}");
    }
}

#[test]
fn civl_constructs_lower() {
    let lowered = lower_in(
        "$input int n = 3; $output int total; int a[n];
         $abstract int weight(int i);
         void worker(int i) { $when (total == i) total = total + weight(i); }
         void main() {
           $proc p = $spawn worker(0);
           $choose { $when (n > 1) total = 1; default: total = 2; }
           $atomic { total = 3; if (n) return; }
           $domain(2) d = ($domain(2)){0 .. n - 1, 0 .. 3 # 2};
           $for (int i, j : d) { a[i] = j; }
           $parfor (int i : 0 .. n - 1) a[i] = i;
           $run total = 7;
           $assert($forall (int i : 0 .. n - 1) a[i] >= 0, \"not negative\");
           $assume(total => n);
           $scope s = $here;
         }",
        Dialect::Civl,
    );
    assert!(!lowered.has_errors(), "{:?}", lowered.diagnostics);
    let program = &lowered.program;
    assert!(steps(program, "main").iter().any(|step| matches!(step, Step::Spawn { .. })));
    assert!(steps(program, "main").iter().any(|step| matches!(step, Step::Check(_))));
    assert!(program.functions.iter().any(|function| function.parent.is_some()));
}

#[test]
fn a_record_is_not_defined_within_itself() {
    for text in [
        "struct s { struct s { int x; } y; }; struct s v;",
        "struct s { int a; struct s { int x; }; struct s *y; }; struct s v;",
        "union s { int a[sizeof(union s { int q; })]; union s *y; } v;",
    ] {
        assert!(lower_in(text, Dialect::C).has_errors(), "{text}");
    }
}
