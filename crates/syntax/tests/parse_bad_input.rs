//! Wrong programs: every error is reported once, at its place, and nothing else is.

mod common;
use common::{parse_c, parse_civl};

#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    assert_eq!(parse_c(text).errors(), expected, "{text}");
}

#[test]
fn several_errors_in_one_file_are_all_reported() {
    let program = "\
unit32 x;
int main(void) {
  int a = 1
  int b = 2;
  a = b +;
  if (a > 1 {
    b = 3;
  }
  retrun a;
  foo(a b);
  for (int i = 0, i < 3; i++) a++;
  return 0;
}
int good(void) { return 1; }
";
    expect(
        program,
        &[
            "1:1 Q0203 unknown type name `unit32`",
            "3:12 Q0201 missing `;` after the declaration",
            "5:10 Q0200 expected an expression, found `;`",
            "6:13 Q0202 expected `)`, found `{`",
            "9:3 Q0203 unknown type name `retrun`",
            "10:9 Q0202 expected `,` or `)`, found `b`",
            "11:21 Q0200 expected `;` in the head of the `for` loop, found `<`",
        ],
    );
}

#[test]
fn a_missing_semicolon_after_a_struct_does_not_spoil_what_follows() {
    expect(
        "struct point { int x; }\nint main(void) { struct point p; return p.x; }\n",
        &["1:24 Q0201 missing `;` after the declaration"],
    );
    expect(
        "struct s { int x; }\nT f(void);\n",
        &["1:20 Q0201 missing `;` after the declaration", "2:1 Q0203 unknown type name `T`"],
    );
}

#[test]
fn unknown_types_are_reported_once_with_help() {
    let parsed = parse_c("typedef int number;\nnumbr f(numbr x) { numbr y = x; return y; }\nsize_t n;\n");
    assert_eq!(parsed.errors(), ["2:1 Q0203 unknown type name `numbr`", "3:1 Q0203 unknown type name `size_t`"]);
    assert_eq!(parsed.diagnostics[0].help, ["did you mean `number`?"]);
    assert_eq!(parsed.diagnostics[1].help, ["add `#include <stddef.h>`"]);
}

#[test]
fn an_unclosed_brace_shows_the_suspect() {
    let parsed = parse_c("int f(int x) {\n  while (x) {\n    x--;\n  return x;\n}\nint g(void) { return 1; }\n");
    assert_eq!(parsed.errors(), ["7:1 Q0202 the file ends before the closing `}`"]);
    let labels: Vec<_> = parsed.diagnostics[0]
        .labels
        .iter()
        .map(|label| (parsed.source_map.place(label.span.lo).unwrap().line, label.text.as_str()))
        .collect();
    assert_eq!(
        labels,
        [
            (7, "`}` is missing"),
            (1, "opened here"),
            (2, "perhaps this one is not closed"),
            (5, "it ends here, where the indentation differs"),
        ]
    );
}

#[test]
fn one_error_each() {
    for (text, expected) in [
        ("int f(void) { return 1; }\n}\nint x;\n", "2:1 Q0202 `}` without an opening `{`"),
        ("int f(void) { return 0 }\nint x;\n", "1:23 Q0201 missing `;` after the `return` statement"),
        ("int a[3;\nint x;\n", "1:8 Q0202 expected `]`, found `;`"),
        ("enum e { A, B C };\nint x;\n", "1:15 Q0202 expected `,` or `}`, found `C`"),
        ("int a[] = { 1, 2 3 };\nint x;\n", "1:18 Q0202 expected `,` or `}`, found `3`"),
        ("void f(int a, ) { }\nint x;\n", "1:15 Q0200 expected a type, found `)`"),
        ("int int x;\n", "1:5 Q0204 these type specifiers do not fit together"),
        ("short double x;\n", "1:1 Q0204 these type specifiers do not fit together"),
        ("int x = 089;\n", "1:9 Q0205 `089` is not a number of C"),
        ("int x = '';\n", "1:9 Q0206 empty character constant"),
        ("void *p = L\"a\" u\"b\";\n", "1:16 Q0206 adjacent strings with different prefixes cannot be joined"),
        ("void f(void) { else x(); }\n", "1:16 Q0212 `else` without `if`"),
        ("void f(void) { if (1) int y = 2; }\n", "1:23 Q0209 a declaration cannot be the body here"),
        (
            "void f(void) { do { } return; }\n",
            "1:23 Q0200 expected `while` at the end of the `do` loop, found `return`",
        ),
        ("void f(void) { int if = 2; }\n", "1:20 Q0200 expected the name of what is declared, found `if`"),
        ("int x = @;\nint y;\n", "1:9 Q0200 expected an expression, found `@`"),
        ("typedef int T;\nint x = T;\n", "2:9 Q0200 expected an expression, found the type `T`"),
        ("if (1) ;\n", "1:1 Q0200 expected a declaration, found `if`: statements stand in functions"),
        ("void f(void) { goto 3; }\n", "1:21 Q0200 expected the name of a label, found `3`"),
        ("int x = f(;\nint y;\n", "1:11 Q0200 expected an expression, found `;`"),
        ("void f(void) { x.3; }\n", "1:17 Q0201 missing `;`"),
    ] {
        let errors = parse_c(text).errors();
        if text.contains("x.3") {
            assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        } else {
            assert_eq!(errors, [expected], "{text}");
        }
    }
}

#[test]
fn a_program_cut_anywhere_ends_with_messages() {
    let program = "\
typedef struct node { struct node *next; int v : 3; } node;
static int (*table[2])(int, ...) = { [0] = 0, };
int f(a, b) int a; char *b; { return a ? b[0] : sizeof(node); }
int main(void) {
  //@ loop invariant 1;
  for (int i = 0; i < 3; i++) { switch (i) { case 1 ... 2: continue; default: ; } }
  asm volatile (\"nop\" : \"=r\"(x) : [y] \"r\"(y) : \"memory\");
  char s[] = \"a\\x41\" \"b\"; do { ({ int z = 1; z; }); } while (0);
#pragma omp parallel
  if (s[0] == 'a') goto end; else return _Generic(1, int: 2, default: 3);
end: ;
}
";
    for end in 0..program.len() {
        let parsed = parse_c(&program[..end]);
        assert!(parsed.errors().len() <= 3, "{end}: {:?}", parsed.errors());
        let _ = parsed.dump();
    }
    assert_eq!(parse_c(program).errors(), Vec::<String>::new());
}

#[test]
fn tokens_left_out_anywhere_never_panic() {
    let program = "int f ( int a [ ] , struct s { int b : 3 ; } * p ) { for ( ; ; ) { if ( a ) do x = ( int ) { 1 } ; \
        while ( $forall ( int i : 0 .. 3 ) i ) ; else $choose { $when ( 1 ) ; default : ; } } return sizeof ( int ) ; }";
    let words: Vec<&str> = program.split(' ').collect();
    for left_out in 0..words.len() {
        for twice in [false, true] {
            let mut text = words.clone();
            if twice {
                text.insert(left_out, words[(left_out * 7) % words.len()]);
            } else {
                text.remove(left_out);
            }
            let _ = parse_civl(&text.join(" ")).dump();
        }
    }
}

#[test]
fn deep_nesting_parses_or_gives_one_message() {
    let n = 100_000;
    let around = |open: &str, inner: &str, close: &str| open.repeat(n) + inner + &close.repeat(n);
    let programs = [
        format!("int x = {};", around("(", "1", ")")),
        format!("void f(void) {}", around("{", "", "}")),
        format!("int x[] = {};", around("{", "1", "}")),
        format!("void f(int x) {{ {} ; }}", around("if (x) ; else ", "", "")),
        format!("int {}x;", around("*", "", "")),
        format!("int {};", around("(", "x", ")")),
        format!("int x{};", around("(int", "", ")")),
        format!("int x = {}1;", around("!", "", "")),
        format!("int x = {}1;", around("1 + ", "", "")),
        format!("int x = {}1;", around("1 ? 2 : ", "", "")),
        format!("int x = a{};", around("[a", "", "]")),
        format!("int x = {};", around("f(", "", ")")),
        format!("{};", around("struct {", "int x;", "};")),
        format!("void f(int x) {{ switch (x) {{ {} }} }}", around("case 1: ", "", "")),
        format!("void f(void) {{ {} ; }}", around("for (;;) ", "", "")),
        format!("void f(void) {{ {} }}", around("({", "1;", "});")),
        format!("{} x;", around("typeof(", "int", ")")),
        format!("int f(a) {} {{}}", around("int f(a) ", "", "")),
        around("(", "", ""),
        around("{", "", ""),
        around("int f(", "", ""),
        around("[", "", ""),
    ];
    for program in programs {
        let parsed = parse_c(&program);
        assert!(parsed.errors().len() <= 1, "{:?}: {:?}", &program[..40], parsed.errors());
    }
}

#[test]
fn many_errors_end_the_file() {
    let errors = parse_c(&"int x = ;\n".repeat(10_000)).errors();
    assert_eq!(errors.len(), 101);
    assert!(errors[100].contains("Q0208"));
}

#[test]
fn garbage_is_bounded() {
    let mut state = 12345u32;
    let alphabet: Vec<char> = "(){}[];,:?#@$\\\"'`intifwhile 0x9.e+-*/%&|<>=!~^_\n\té".chars().collect();
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..200 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(alphabet[(state >> 16) as usize % alphabet.len()]);
        }
        let _ = parse_c(&text).dump();
        let _ = parse_civl(&text).dump();
    }
}
