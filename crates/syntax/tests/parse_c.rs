//! C and GNU C, construct by construct: the lines of the tree that matter, in order.

mod common;
use common::{clean, parse_as, parse_c, shape, tree};
use quod_syntax::ast::*;
use quod_syntax::{Dialect, Standard};

/// The tree has these lines, in this order, at this indentation relative to each other or deeper.
#[track_caller]
fn check(text: &str, lines: &[&str]) {
    contains_in_order(&shape(&tree(text)), lines);
}

#[track_caller]
fn contains_in_order(dump: &str, lines: &[&str]) {
    let mut rest = dump.lines();
    for line in lines {
        assert!(rest.any(|found| found.trim() == *line), "`{line}` is missing or out of order in\n{dump}");
    }
}

#[test]
fn declarators_are_read_from_the_outside_in() {
    assert_eq!(
        shape(&tree("int *(*f[3])(char, ...);")),
        "\
declaration
  specifiers int
  declarator
    pointer
      function variadic
        parameter
          specifiers char
          unnamed
        pointer
          array
            size: integer 3
            name `f`
"
    );
    check(
        "char *const volatile p, a[2][4], (*q)[5];",
        &[
            "pointer const volatile",
            "name `p`",
            "array",
            "size: integer 4",
            "array",
            "size: integer 2",
            "name `a`",
            "array",
            "size: integer 5",
            "pointer",
            "name `q`",
        ],
    );
    check(
        "void f(int a[static const 3], int b[*], int c[], int (*)(void), int (x), int());",
        &[
            "array static const",
            "array [*]",
            "array []",
            "function",
            "pointer",
            "unnamed",
            "name `x`",
            "function ()",
            "unnamed",
        ],
    );
}

#[test]
fn specifiers_combine() {
    for (text, expected) in [
        ("long unsigned int long x;", "specifiers unsigned long long"),
        ("signed char x;", "specifiers signed char"),
        ("double long x;", "specifiers long double"),
        ("_Complex float x;", "specifiers _Complex float"),
        ("_Complex x;", "specifiers _Complex double"),
        ("unsigned __int128 x;", "specifiers unsigned __int128"),
        ("short x;", "specifiers short"),
        ("static inline _Noreturn void f(void);", "specifiers static inline _Noreturn void"),
        ("extern _Thread_local const volatile int x;", "specifiers extern _Thread_local const volatile int"),
        ("_Atomic int x;", "specifiers _Atomic int"),
        ("_Atomic(int) x;", "specifiers _Atomic()"),
        ("__typeof__(1 + 2) x;", "specifiers typeof"),
        ("typeof(int *) x;", "specifiers typeof"),
        ("__auto_type x = 1;", "specifiers __auto_type"),
        ("_Alignas(16) _Alignas(long) int x;", "align: integer 16"),
        ("__builtin_va_list x;", "specifiers __builtin_va_list"),
        ("x;", "specifiers implicit int"),
        ("static x = 3;", "specifiers static implicit int"),
        ("_Float128 x;", "specifiers _Float128"),
    ] {
        check(text, &[expected]);
    }
}

#[test]
fn records_and_enumerations() {
    check(
        "struct s { int a : 3, : 0, b; union { int c; char d; }; struct s *next; int tail[]; } __attribute__((packed)) x;",
        &[
            "specifiers struct `s` {}",
            "attribute `packed`",
            "width: integer 3",
            "unnamed",
            "width: integer 0",
            "name `b`",
            "specifiers union {}",
            "specifiers struct `s`",
            "array []",
        ],
    );
    check(
        "struct __attribute__((aligned(8))) { _Static_assert(1, \"m\"); int x };",
        &["attribute `aligned`", "integer 8", "static assert", "name `x`"],
    );
    check(
        "enum e { A, B = 3, C __attribute__((unused)), }; enum e x;",
        &["specifiers enum `e` {}", "enumerator `B`", "integer 3", "attribute `unused`", "specifiers enum `e`"],
    );
    check(
        "#pragma pack(push, 2)\nstruct a { int x; };\n#pragma pack(pop)\nstruct b { int x; };",
        &["specifiers struct `a` pack 2 {}", "specifiers struct `b` {}"],
    );
}

#[test]
fn initialisers() {
    check(
        "int a[] = { 1, [2] = 3, [4 ... 5] = 6, [7] 8, };",
        &[
            "initializer {}",
            "designator []",
            "designator [ ... ]",
            "integer 5",
            "integer 6",
            "designator []",
            "integer 8",
        ],
    );
    check(
        "struct p q = { .a.b[1] = { 2 }, c: 3, .d = {} };",
        &["designator `.a`", "designator `.b`", "designator []", "designator `.c`", "designator `.d`"],
    );
    check("int *p = (int[]){ 1, 2 };", &["compound literal", "array []"]);
}

#[test]
fn typedef_names_follow_scopes() {
    check(
        "typedef int T; void f(void) { T * T; T = 1; { typedef char T; T x; } }",
        &[
            "specifiers T",
            "pointer",
            "name `T`",
            "assign `=`",
            "identifier `T`",
            "specifiers typedef char",
            "specifiers T",
        ],
    );
    check(
        "typedef int T; int f(T T) { return T * 2; } T g;",
        &["specifiers T", "name `T`", "binary `*`", "specifiers T"],
    );
    check(
        "typedef int T; enum { X }; void f(void) { enum { T }; int y = T; } T z;",
        &["identifier `T`", "specifiers T"],
    );
    check("typedef int T; void f(int (T), int x);", &["function", "specifiers T"]);
    check(
        "typedef int T; struct s { T T; unsigned T : 3; }; void f(void) { T: goto T; }",
        &["specifiers T", "name `T`", "specifiers unsigned int", "label `T`", "goto `T`"],
    );
    check("typedef int T; int f(a, T) int a; char T; { return T; }", &["old style: declaration", "identifier `T`"]);
    check("typedef int T; void f(void) { for (int T = 0; T < 3; T++) ; T x; }", &["identifier `T`", "specifiers T"]);
    check("typedef int (*F)(int), G(void); F f; G g;", &["specifiers F", "specifiers G"]);
    check(
        "typedef long T; void f(void) { (T)1; (T){1}; sizeof(T); sizeof (T){1}; T (x); }",
        &["cast", "compound literal", "sizeof", "type", "sizeof", "compound literal", "specifiers T", "name `x`"],
    );
}

#[test]
fn precedence() {
    check(
        "int x = a + b * c << 2 < d == e & f ^ g | h && i || j ? k : l;",
        &[
            "conditional",
            "condition: binary `||`",
            "binary `&&`",
            "binary `|`",
            "binary `^`",
            "binary `&`",
            "binary `==`",
            "binary `<`",
            "binary `<<`",
            "binary `+`",
            "binary `*`",
        ],
    );
    assert_eq!(shape(&tree("int x = a - b - c;")).lines().filter(|line| line.contains("binary")).count(), 2);
    check(
        "void f(void) { a = b += *c++, -d[1]--, !e->f.g, (int)~h; }",
        &[
            "comma",
            "comma",
            "comma",
            "assign `=`",
            "assign `+=`",
            "prefix `*`",
            "postfix `++`",
            "prefix `-`",
            "postfix `--`",
            "index",
            "prefix `!`",
            "member `.g`",
            "member `->f`",
            "cast",
            "prefix `~`",
        ],
    );
    check("int x = sizeof a + sizeof(int) * 2 + sizeof (a)[1];", &["sizeof", "sizeof", "sizeof", "index"]);
    check("int x = a ?: b ? c : d;", &["conditional", "else: conditional"]);
}

#[test]
fn statements() {
    check(
        "void f(int x) { if (x) ; else if (!x) { } else return; while (x) break; do continue; while (x); for (;;) ; \
         for (int i = 0, j; i < 3; i++) ; for (x = 1; ; ) ; }",
        &[
            "if",
            "then: empty",
            "else: if",
            "else: return",
            "while",
            "body: break",
            "do",
            "body: continue",
            "for",
            "body: empty",
            "initial: declaration",
            "step: postfix `++`",
            "initial: expression",
        ],
    );
    check(
        "void f(int x) { switch (x) { case 1: case 2 ... 5: x++; default: ; } a: b: c: ; int y; d: }",
        &[
            "switch",
            "case",
            "case",
            "to: integer 5",
            "default",
            "label `a`",
            "label `b`",
            "label `c`",
            "label `d`",
            "empty",
        ],
    );
    check(
        "void f(void) { __label__ a, b; void *p = &&a; goto *p; a: ; b: __attribute__((unused)); { l: int z; } }",
        &[
            "local labels",
            "name `a`",
            "address of label `a`",
            "goto",
            "label `b`",
            "attribute `unused`",
            "label `l`",
            "declaration",
        ],
    );
    check(
        "void f(int x) { switch (x) { case 1: __attribute__((fallthrough)); case 2: ; } }",
        &["attributes", "attribute `fallthrough`"],
    );
    check(
        "int f(void) { return ({ int y = 1; y; }); int g(int z) { return z; } return g(1); }",
        &["statement expression", "function `g`", "call"],
    );
}

#[test]
fn old_style_functions() {
    check("main() { f(); }", &["function `main`", "specifiers implicit int", "function ()"]);
    check(
        "int f(a, b, c) int a, c; struct { int x; } *b; { return a; }",
        &["name `a`", "name `b`", "name `c`", "old style: declaration", "old style: declaration"],
    );
    check("static f(x) char *x; { }", &["specifiers static implicit int"]);
    check("int f(a) { return a; }", &["function `f`"]);
}

#[test]
fn builtins_that_take_types() {
    check(
        "int x = __builtin_offsetof(struct s, a.b[2].c);",
        &["offsetof", "designator `.a`", "designator `.b`", "designator []", "designator `.c`"],
    );
    check("int x = __builtin_types_compatible_p(int, char *);", &["types compatible"]);
    check("int x = __builtin_choose_expr(1, a, b);", &["choose"]);
    check("int f(__builtin_va_list l) { return __builtin_va_arg(l, int *); }", &["va_arg"]);
    check("int x = _Generic(1, int: 2, char *: 3, default: 4);", &["generic", "case", "case", "default"]);
    check(
        "int x = _Alignof(int) + __alignof__ y + __builtin_expect(1, 0);",
        &["alignof", "alignof", "callee: identifier `__builtin_expect`"],
    );
    check("double x = __real__ z + __imag__ z;", &["prefix `__real__`", "prefix `__imag__`"]);
    check("int x = __extension__ (1 + 2); __extension__ typedef int T; T y;", &["parentheses", "specifiers T"]);
}

#[test]
fn inline_assembly() {
    check(
        "asm(\".text\"); void f(int x) { asm volatile (\"a\" \"b\" : \"=r\"(x), [n] \"+m\"(*p) : \"0\"(1) : \"memory\", \"cc\"); \
         asm goto (\"\" : : : : l); __asm__ (\"nop\"); l: ; } int y asm(\"z\");",
        &[
            "asm basic",
            "asm volatile",
            "template: string \"ab\"",
            "output: operand",
            "output: operand `n`",
            "input: operand",
            "clobber: string \"cc\"",
            "asm goto",
            "label: name `l`",
            "asm basic",
            "asm name: string \"z\"",
        ],
    );
}

#[test]
fn attributes_stand_anywhere() {
    check(
        "__attribute__((noreturn)) void f(void) __attribute__((__cold__, format(printf, 1, 2)));\n\
         int __attribute__((vector_size(16))) v; int *__attribute__((may_alias)) p, q __attribute__((section(\"x\")));\n\
         void g(int a __attribute__((unused))); int (__attribute__((regparm(3))) *h)(void);\n\
         struct s { int x __attribute__((aligned(4))); };",
        &[
            "attribute `noreturn`",
            "attribute `cold`",
            "attribute `format`",
            "identifier `printf`",
            "attribute `vector_size`",
            "attribute `may_alias`",
            "attribute `section`",
            "attribute `unused`",
            "attribute `regparm`",
            "attribute `aligned`",
        ],
    );
    check("int f(void) __attribute__((noinline)) { return 1; }", &["attribute `noinline`"]);
}

#[test]
fn literals() {
    check("char *s = \"a\\n\\\"\\101\\x42\\e\" \"\\u00e9\";", &["string \"a\\n\\\"AB\\x1b\\xc3\\xa9\""]);
    check("int *s = L\"\\u20ac\" \"x\";", &["string L\"\\x20acx\""]);
    check(
        "int x = '\\377' + 'ab' + L'\\xff' + u'a';",
        &["character -1", "character 24930", "character L255", "character u97"],
    );
    check(
        "double x = 0x1.8p3 + 1e-3f + 1.0L + 2.0i + 0b11 + 1000ull;",
        &[
            "float 0x1.8p3",
            "float 1e-3 Float",
            "float 1.0 LongDouble",
            "float 2.0 imaginary",
            "integer 3",
            "integer 1000ull",
        ],
    );
    check("char *f(void) { return __func__; }", &["identifier `__func__`"]);
}

#[test]
fn c23() {
    let text = "[[nodiscard]] int f(void) { [[maybe_unused]] bool b = true; constexpr int c = 1'000; auto d = 1.5; \
                if (nullptr == p) return alignof(int); typeof_unqual(c) e = {}; static_assert(1); return false; } \
                enum e : unsigned char { A }; void g() { l: } _BitInt(7) h; int k([[maybe_unused]] int x, ...);";
    let dump = shape(&clean(parse_as(text, Dialect::C, Standard::C23)));
    contains_in_order(
        &dump,
        &[
            "attribute `nodiscard`",
            "specifiers _Bool",
            "true",
            "specifiers constexpr int",
            "integer 1000",
            "specifiers auto __auto_type",
            "nullptr",
            "alignof",
            "static assert",
            "underlying: type",
            "label `l`",
            "specifiers _BitInt",
            "function variadic",
        ],
    );
}

#[test]
fn pragmas_are_statements() {
    check(
        "#pragma once_upon a time\nvoid f(int n) {\n#pragma omp parallel for private(n)\nfor (;;) ;\nif (n)\n#pragma omp critical\n n++;\n}",
        &[
            "pragma `once_upon a time`",
            "pragma `omp parallel for private(n)`",
            "for",
            "then: block",
            "pragma `omp critical`",
            "expression",
        ],
    );
}

#[test]
fn annotations_belong_to_what_follows() {
    check(
        "//@ requires x > 0;\nint f(int x) {\n  /*@ loop invariant 1; @*/\n  while (x) //@ body\n { x--; //@ at the end\n }\n  return x;\n}\n//@ last\n",
        &[
            "function `f`",
            "annotation //@ requires x > 0;",
            "while",
            "annotation /*@ loop invariant 1; @*/",
            "body: block",
            "annotation //@ body",
            "at the end: annotation //@ at the end",
        ],
    );
    let parsed = parse_c("int x;\n//@ last\n");
    assert_eq!(parsed.unit.annotations_at(Target::EndOfFile).len(), 1);
}

#[test]
fn spans_are_exact() {
    let text = "int f(int a) {\n  while (a) g(a, 1 + 2);\n  do ; while (a ? b.m : c);\n}\n";
    let parsed = parse_c(text);
    let mut seen = Vec::new();
    for stmt in parsed.unit.stmts.iter() {
        match stmt.kind {
            StmtKind::While { keyword, .. } => seen.push((parsed.text(keyword), parsed.text(stmt.span))),
            StmtKind::Do { keyword, while_keyword, .. } => {
                seen.push((parsed.text(keyword), parsed.text(while_keyword)))
            }
            _ => {}
        }
    }
    for expr in parsed.unit.exprs.iter() {
        match expr.kind {
            ExprKind::Call { close, .. } => seen.push((parsed.text(close), parsed.text(expr.span))),
            ExprKind::Binary { op_span, .. } => seen.push((parsed.text(op_span), parsed.text(expr.span))),
            ExprKind::Conditional { question, .. } => seen.push((parsed.text(question), parsed.text(expr.span))),
            ExprKind::Member { member, .. } => seen.push((parsed.text(member.span), parsed.text(expr.span))),
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            ("while", "while (a) g(a, 1 + 2);"),
            ("do", "while"),
            ("+", "1 + 2"),
            (")", "g(a, 1 + 2)"),
            ("m", "b.m"),
            ("?", "a ? b.m : c"),
        ]
    );
}

#[test]
fn spans_lead_through_macros() {
    let parsed = parse_c("#define ADD(a, b) ((a) + (b))\nint x = ADD(1, 2) * 3;\n");
    let product =
        parsed.unit.exprs.iter().find(|expr| matches!(expr.kind, ExprKind::Binary { op: BinaryOp::Multiply, .. }));
    let span = product.expect("there is one").span;
    assert_eq!(span.expansion, None);
    assert_eq!(parsed.text(span), "ADD(1, 2) * 3");
}
