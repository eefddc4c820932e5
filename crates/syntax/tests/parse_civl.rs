//! CIVL-C in both dialects, and CUDA's words.

mod common;
use common::{civl_tree, shape};

#[track_caller]
fn check(text: &str, lines: &[&str]) {
    let dump = shape(&civl_tree(text));
    let mut rest = dump.lines();
    for line in lines {
        assert!(rest.any(|found| found.trim() == *line), "`{line}` is missing or out of order in\n{dump}");
    }
}

#[test]
fn inputs_and_calls_at_file_scope() {
    check(
        "$input int N, B = 5;\n$assume(0 < N && N <= B);\n$output double r[N];\n$input float A[N][N];",
        &[
            "specifiers $input int",
            "name `B`",
            "expression",
            "callee: identifier `$assume`",
            "specifiers $output double",
            "specifiers $input float",
        ],
    );
    check("int f(int x) { return x; }\ng();\nmain() { }", &["function `f`", "expression", "function `main`"]);
}

#[test]
fn function_specifiers() {
    check(
        "$atomic_f void f(void); $system[civl-mpi] $pure int g(void); $system $state_f int h(int);",
        &["specifiers $atomic_f void", "specifiers $system $pure [civl-mpi] int", "specifiers $system $state_f int"],
    );
    check(
        "$abstract int f(int x); $abstract(\"partial-order\") _Bool le(int, int); $abstract $contin(2) $real u($real x);",
        &[
            "specifiers $abstract int",
            "specifiers $abstract _Bool",
            "argument: string \"partial-order\"",
            "specifiers $abstract $contin $real",
            "argument: integer 2",
        ],
    );
    check(
        "$abstract $differentiable(3, [0,1][2,3]) $real u($real x, $real t);",
        &["specifiers $abstract $differentiable $real", "argument: integer 3", "argument: integer 0"],
    );
}

#[test]
fn guarded_statements() {
    check(
        "void f(int n) { $when (n > 0) n--; $atomic { n++; } $atom { n = 2; } $run { n = 3; } \
         $choose { $when (n == 1) n = 2; { n = 4; } default: n = 5; } }",
        &["$when", "guard: binary `>`", "$atomic", "$atom", "$run", "$choose", "$when", "block", "default"],
    );
}

#[test]
fn ranges_and_domains() {
    check(
        "$domain(2) d = ($domain){ 0 .. 3, 5 .. 1 # -1 }; $range r = 0 .. n - 1; $domain e;",
        &[
            "specifiers $domain",
            "dimension: integer 2",
            "compound literal",
            "range",
            "low: integer 0",
            "range",
            "step: prefix `-`",
            "specifiers $range",
            "high: binary `-`",
            "specifiers $domain",
        ],
    );
    check(
        "void f(void) { $for (int i, j : d) g(i, j); $parfor (int k : 0 .. 3) h(k); $for (i : 0 .. 2) ; }",
        &[
            "$for",
            "name `i`",
            "name `j`",
            "domain: identifier `d`",
            "$parfor",
            "domain: range",
            "specifiers implicit int",
        ],
    );
}

#[test]
fn quantifiers_of_today_and_of_2016() {
    check(
        "_Bool b = $forall (int i, j : 0 .. n-1; int *p | i < j) a[i] <= a[j] && p;",
        &["name `j`", "domain: range", "pointer", "restriction: binary `<`"],
    );
    check(
        "_Bool b = $forall (int i : 0 .. n-1 | i != 3) a[i] == 0 && $exists (int j) a[j] == 1;",
        &["$forall", "domain: range", "restriction: binary `!=`", "body: binary `&&`", "$exists"],
    );
    check(
        "_Bool b = $forall {int i | 0 <= i && i < n} a[i] == 0; _Bool c = $exists {int i = 0 .. 3} i;",
        &["$forall", "restriction: binary `&&`", "$exists", "domain: range"],
    );
    check(
        "void f(void) { $assert(s == $sum(int t : 0 .. N-1) a[t] + 1, \"message %d\", s); }",
        &["callee: identifier `$assert`", "binary `==`", "$sum", "string \"message %d\""],
    );
    check(
        "int a[n] = (int[n])$lambda(int i) 2 * i; _Bool p = q => r => s;",
        &["cast", "$lambda", "body: binary `*`", "binary `=>`", "identifier `q`", "binary `=>`"],
    );
    check(
        "_Bool b = $uniform [0, 1][2, 3] ($real x) $D[u, {x, 2}, {t, 1}](x, 0) - v(x) == $O(h * h);",
        &["$uniform", "interval: integer 0", "body: binary `==`", "$D `u`", "by: name `x`", "times: integer 2", "$O"],
    );
}

#[test]
fn processes_and_scopes() {
    check(
        "void f(void) { $proc p = $spawn g(1, 2); $scope s = $scopeof(p); if (p == $self || p == $proc_null) \
         h($here, $root); $mem m; $wait(p); $wait p; }",
        &[
            "specifiers $proc",
            "$spawn",
            "call",
            "specifiers $scope",
            "$scopeof",
            "$self",
            "$proc_null",
            "$here",
            "$root",
            "specifiers $mem",
            "callee: identifier `$wait`",
            "callee: identifier `$wait`",
        ],
    );
}

#[test]
fn contracts_and_loop_invariants() {
    check(
        "int f(int x) $requires {x > 0} $ensures {$result > x} $assigns [x > 1] {y, z};\n\
         int g(int x) $requires x > 0; { while (x) $invariant (x >= 0) x--; return x; }\n$invariant (y > 0);",
        &[
            "$requires",
            "$ensures",
            "$result",
            "$assigns",
            "condition: binary `>`",
            "function `g`",
            "$requires",
            "while",
            "body: expression",
            "$invariant",
            "$invariant",
        ],
    );
}

#[test]
fn nested_functions_and_incomplete_arrays() {
    check(
        "void mult(int n, float C[][], float A[][]) { int inner(int i) { return i; } $proc p = $spawn inner(3); }",
        &["array []", "array []", "name `C`", "function `inner`", "$spawn"],
    );
}

#[test]
fn cuda() {
    check(
        "__global__ void k(int *a) { __shared__ int s[4]; } void f(void) { k<<<2, n>>>(p); } __device__ int d(void);",
        &[
            "specifiers __global__ void",
            "specifiers __shared__ int",
            "launch",
            "callee: identifier `k`",
            "configuration: integer 2",
            "configuration: identifier `n`",
            "identifier `p`",
            "specifiers __device__ int",
        ],
    );
}

#[test]
fn opencl_address_spaces() {
    check(
        "void add(__global const float *x, __local int y) { }",
        &["attribute `opencl::global`", "attribute `opencl::local`"],
    );
}

#[test]
fn types_that_the_system_headers_declare() {
    check("typedef struct $proc $proc; typedef int T; $proc p;", &["name `$proc`", "specifiers $proc"]);
}
