//! Tests of the preprocessor: one function a subject, texts of their own.

use super::*;
use crate::{Punct, Token};
use quod_diag::{Code, Severity, codes};

/// Files in memory.
struct Files(&'static [(&'static str, &'static str)]);

impl FileLoader for Files {
    fn load(&self, path: &str) -> Result<Arc<[u8]>, LoadError> {
        let text = self.0.iter().find(|(name, _)| *name == path).ok_or(LoadError::NotFound)?.1;
        Ok(text.as_bytes().into())
    }
    fn exists(&self, path: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == path)
    }
}

struct Run {
    source_map: SourceMap,
    result: Preprocessed,
}

fn run_with(text: &str, files: &'static [(&'static str, &'static str)], options: &PreprocessOptions) -> Run {
    let mut source_map = SourceMap::default();
    let main = source_map.add_file("dir/main.c".into(), text.into(), Span::NONE).unwrap();
    let result = preprocess(&mut source_map, main, &Files(files), options);
    Run { source_map, result }
}

fn run(text: &str) -> Run {
    run_with(text, &[], &PreprocessOptions::default())
}

impl Run {
    /// The tokens, separated by one space.
    fn words(&self) -> String {
        let mut words = Vec::new();
        for token in &self.result.tokens {
            let mut word = String::new();
            print::write_token(&self.source_map, token, &mut word);
            words.push(word);
        }
        words.join(" ").trim().to_owned()
    }
    fn errors(&self) -> Vec<Code> {
        let is_error = |diagnostic: &&quod_diag::Diagnostic| diagnostic.severity == Severity::Error;
        self.result.diagnostics.iter().filter(is_error).map(|diagnostic| diagnostic.code).collect()
    }
}

#[track_caller]
fn expect(text: &str, words: &str) {
    let run = run(text);
    assert_eq!(run.words(), words, "of:\n{text}");
    assert_eq!(run.errors(), [], "of:\n{text}");
}

#[track_caller]
fn expect_errors(text: &str, errors: &[Code]) {
    assert_eq!(run(text).errors(), errors, "of:\n{text}");
}

#[test]
fn objects_and_functions() {
    expect("#define N 3\n#define ADD(a, b) ((a) + (b))\nADD(N, 4) ADD N", "( ( 3 ) + ( 4 ) ) ADD 3");
    expect("#define F() x\nF() F( ) F\n()", "x x x");
    expect("#define ID(a) a\nID((1, 2)) ID() ID(ID(ID(7)))", "( 1 , 2 ) 7");
    expect("#define A B\n#define B A\nA B", "A B");
    expect("#define A A + 1\nA", "A + 1");
    expect("#define EMPTY\nint EMPTY x EMPTY;", "int x ;");
}

#[test]
fn rescanning_meets_what_follows() {
    // A name at the end of an expansion may take its arguments from behind it.
    expect("#define CALL run\n#define run(x) [x]\nCALL(5)", "[ 5 ]");
    expect("#define OPEN run(1,\n#define run(x, y) [x y]\nOPEN 2)", "[ 1 2 ]");
    // The name that came out of its own expansion is never expanded again, also not later.
    expect("#define loop(x) loop(x)\nloop(loop(1))", "loop ( loop ( 1 ) )");
    expect("#define half(a) a * other\n#define other(a) half(a)\nhalf(2)(9)", "2 * 9 * other");
}

#[test]
fn stringify_and_paste() {
    expect("#define S(x) #x\nS( a  +  b ) S(\"q\\n\" 'c') S()", r#""a + b" "\"q\\n\" 'c'" """#);
    expect(
        "#define CAT(a, b) a ## b\nCAT(x, 1) CAT(1, x) CAT(, y) CAT(z, ) CAT(<, <=) CAT(L, \"w\")",
        "x1 1x y z <<= L\"w\"",
    );
    expect("#define CAT(a, b) a ## b\n#define X 1\nCAT(X, 2) CAT(CA, T)(p, q)", "X2 CAT ( p , q )");
    expect("#define CAT3(a, b, c) a ## b ## c\nCAT3(1,2,3) CAT3(,,) CAT3(a,,c) .", "123 ac .");
    expect("#define HASHES # ## #\n#define S(a) #a\n#define T(a) S(a)\nT(HASHES)", "\"##\"");
    expect_errors("#define BAD(x) + ## x\nBAD(y)", &[codes::BAD_PASTE]);
}

#[test]
fn variable_arguments() {
    expect("#define P(...) p(__VA_ARGS__)\nP() P(1) P(1, 2)", "p ( ) p ( 1 ) p ( 1 , 2 )");
    expect("#define E(f, ...) e(f, ## __VA_ARGS__)\nE(1) E(1, 2) E(1, )", "e ( 1 ) e ( 1 , 2 ) e ( 1 , )");
    expect("#define E(f, rest...) e(f, ## rest)\nE(1) E(1, 2, 3)", "e ( 1 ) e ( 1 , 2 , 3 )");
    expect("#define V(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)\nV(1) V(1, 2)", "f ( 1 ) f ( 1 , 2 )");
    expect("#define V(x, ...) x ## __VA_OPT__(y) z\nV(a) V(a, 1)", "a z ay z");
    expect("#define V(...) __VA_OPT__(a ## b) ## c\nV() V(1)", "c abc");
    expect("#define N\n#define V(...) [__VA_OPT__(x)]\nV(N)", "[ ]");
    expect("#define S(...) #__VA_ARGS__\nS(a,b , c)", "\"a,b , c\"");
    expect_errors("#define F(a, b) a\nF(1)\n#define G() 1\nG(2)", &[codes::MACRO_ARGUMENTS, codes::MACRO_ARGUMENTS]);
}

#[test]
fn conditions() {
    let holds = |condition: &str| {
        let run = run(&format!("#define X 5\n#if {condition}\nyes\n#else\nno\n#endif"));
        assert_eq!(run.errors(), [], "{condition}");
        run.words() == "yes"
    };
    for condition in [
        "1",
        "X == 5",
        "defined X",
        "defined(X) && !defined(Y)",
        "-1 < 0",
        "-1 > 0u",
        "1 ? 2 : 0",
        "0 || 3 % 2",
        "'a' == 97",
        "'\\xff' < 0",
        "'\\n' == 10",
        "L'\\xff' == 255",
        "0x10 == 020",
        "0b11 == 3",
        "(2 || 1 / 0)",
        "(0 && 1 / 0) == 0",
        "1 << 62 > 0",
        "-8 >> 1 == -4",
        "18446744073709551615u == -1",
        "~0 == -1",
        "nothing == 0",
        "'ab' == 24930",
        "1 == 1L && 2ull",
        "(1, 2) == 2",
        "0 ? 1 / 0 : 4",
    ] {
        assert!(holds(condition), "{condition}");
    }
    expect("#if 0\n'unclosed \"text\n#elif 1\nb\n#elif 1 / 0\nc\n#else\nd\n#endif e", "b");
    expect("#ifdef X\na\n#elifndef X\nb\n#elifdef X\nc\n#endif\n", "b");
    expect("#if 0\n# if 1\na\n# else\nb\n# endif\n#else\nc\n#endif\n", "c");
    expect("#if 0 /* \n#endif */\na\n#endif\nb", "b");
    expect("#if 0\n\"/*\"\n#endif\nb", "b");
    for bad in ["", "1 +", "1.5", "(1", "1 2", "a = 1", "defined", "1 / 0", "\"s\""] {
        assert_eq!(run(&format!("#if {bad}\n#endif")).errors(), [codes::BAD_CONDITION], "{bad}");
    }
    expect_errors("#if 1\n#else\n#else\n", &[codes::UNBALANCED_CONDITION, codes::UNBALANCED_CONDITION]);
    expect_errors("#endif\n#else\n", &[codes::UNBALANCED_CONDITION, codes::UNBALANCED_CONDITION]);
}

#[test]
fn includes() {
    let files: &[(&str, &str)] = &[
        ("dir/local.h", "#ifndef G\n#define G\nlocal\n#include \"sub/deep.h\"\n#endif\n"),
        ("dir/sub/deep.h", "#pragma once\ndeep\n"),
        ("a/over.h", "first\n#include_next <over.h>\n"),
        ("b/over.h", "second\n"),
        ("dir/self.h", "self\n#include \"self.h\"\n"),
    ];
    let options = PreprocessOptions { include_dirs: vec!["a".into(), "b/".into()], ..Default::default() };
    let words = |text: &str| run_with(text, files, &options).words();
    assert_eq!(words("#include \"local.h\"\n#include \"local.h\"\n#include \"sub/deep.h\"\nend"), "local deep end");
    assert_eq!(words("#include <over.h>\n"), "first second");
    assert_eq!(words("#define H <over.h>\n#include H\n"), "first second");
    assert_eq!(words("#if __has_include(<over.h>) && !__has_include(\"none.h\")\nyes\n#endif"), "yes");
    let cycle = run_with("#include \"self.h\"\n", files, &options);
    assert_eq!(cycle.errors(), [codes::INCLUDE_TOO_DEEP]);
    assert_eq!(run_with("#include \"none.h\"\nx", files, &options).errors(), [codes::INCLUDE_NOT_FOUND]);
    expect_errors("#include\n#include 5\n", &[codes::BAD_INCLUDE, codes::BAD_INCLUDE]);
    let forced = PreprocessOptions { force_includes: vec!["a/over.h".into()], ..options.clone() };
    assert!(run_with("end", files, &forced).words().ends_with("end"));
}

#[test]
fn command_line() {
    let options = PreprocessOptions {
        defines: vec!["A".into(), "B=2".into(), "C(x)=x x".into(), "D=9".into()],
        undefines: vec!["D".into()],
        ..Default::default()
    };
    assert_eq!(run_with("A B C(3) D", &[], &options).words(), "1 2 3 3 D");
}

#[test]
fn places_and_counters() {
    expect("__LINE__\n__LINE__ __COUNTER__ __COUNTER__", "1 2 0 1");
    expect("#define W(x) x __LINE__\n\nW(\n1\n)", "1 3");
    expect(
        "#line 50 \"other.c\"\n__LINE__ __FILE__\n# 7 \"third.c\" 3 4\n__LINE__ __FILE__",
        "50 \"other.c\" 7 \"third.c\"",
    );
    expect("__FILE__ __BASE_FILE__ __INCLUDE_LEVEL__", "\"dir/main.c\" \"dir/main.c\" 0");
    expect("__DATE__ __TIME__", "\"Jan  1 1970\" \"00:00:00\"");
}

#[test]
fn pragmas() {
    let kinds = |text: &str| {
        let run = run(text);
        let tokens: Vec<Token> = run.result.tokens.clone();
        (run.words(), tokens.iter().filter(|token| token.kind == TokenKind::PragmaStart).count())
    };
    assert_eq!(kinds("#define N 4\n#pragma omp for collapse(N)\nx"), ("omp for collapse ( 4 )  x".into(), 1));
    assert_eq!(kinds("_Pragma(\"pack(1)\") x"), ("pack ( 1 )  x".into(), 1));
    assert_eq!(kinds("#define P(x) _Pragma(#x)\nP(omp flush) y"), ("omp flush  y".into(), 1));
    expect("#define A 1\n#pragma push_macro(\"A\")\n#undef A\n#define A 2\nA\n#pragma pop_macro(\"A\")\nA", "2 1");
    let text = print_preprocessed(&SourceMap::default(), &[]);
    assert_eq!(text, "\n");
}

#[test]
fn tokens_of_all_kinds() {
    expect("a+++b ... <: :> <% %> %: ->*", "a ++ + b ... [ ] { } # -> *");
    expect("x = 0x1e+1 .5e-3f 1..2", "x = 0x1e+1 .5e-3f 1..2");
    expect("lo\\\nng \"a\\\nb\" +\\\n= // c \\\n still\nend", "long \"ab\" += end");
    expect("/* a */ b /* * / */ c", "b c");
    expect("u8\"a\" L'b' R\"x(\"\\)x\" u", "u8\"a\" L'b' \"\\\"\\\\\" u");
    expect("caf\u{e9} \\u00e9t", "caf\u{e9} \u{e9}t");
    expect("__inline__ __signed__ __volatile", "inline signed volatile");
    let run = run("int a$b;");
    assert_eq!(run.words(), "int a$b ;");
    assert_eq!(count_tokens(&Arc::from("int a$b;")), 3);
}

#[test]
fn civl_dialect() {
    let options = PreprocessOptions { dialect: Dialect::Civl, keep_annotations: true, ..PreprocessOptions::default() };
    let run = run_with("$for (int i : 0..n#2) $assert(p => q); //@ requires x;\nk<<<1, 2>>>()", &[], &options);
    assert!(run.result.tokens.iter().any(|token| token.is_punct(Punct::DotDot)));
    assert!(run.result.tokens.iter().any(|token| token.is_punct(Punct::Implies)));
    assert!(run.result.tokens.iter().any(|token| token.is_keyword(crate::Keyword::CivlFor)));
    assert!(run.words().contains("//@ requires x;"));
    assert!(run.words().contains("<<< 1 , 2 >>>"));
}

#[test]
fn every_header_is_clean() {
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        for dialect in [Dialect::C, Dialect::Civl] {
            let options = PreprocessOptions { data_model, dialect, ..Default::default() };
            let all: String = header_names().map(|name| format!("#include <{name}>\n")).collect();
            let run = run_with(&all, &[], &options);
            assert!(run.result.diagnostics.is_empty(), "{:?}", run.result.diagnostics);
            assert!(run.result.tokens.len() > 10_000);
        }
    }
}

#[test]
fn spans_lead_through_expansions() {
    let run = run("#define TWICE(x) (x + x)\n#define OUTER(y) TWICE(y)\nint v = OUTER(abc);");
    let token = *run.result.tokens.iter().find(|token| token.is_punct(Punct::Plus)).unwrap();
    let names: Vec<_> = run
        .source_map
        .expansion_chain(token.span)
        .into_iter()
        .map(|id| run.source_map.expansion(id).macro_name.as_str())
        .collect();
    assert_eq!(names, ["TWICE", "OUTER"]);
    assert_eq!(run.source_map.text(run.source_map.use_site(token.span)), Some("OUTER(abc)"));
    let argument = *run.result.tokens.iter().find(|token| run.source_map.text(token.span) == Some("abc")).unwrap();
    assert!(argument.span.expansion.is_some());
}

#[test]
fn bad_input_is_bounded() {
    // Macros that double with each level.
    let mut text = String::from("#define a0 x x\n");
    for level in 1..40 {
        text.push_str(&format!("#define a{level} a{} a{}\n", level - 1, level - 1));
    }
    text.push_str("a39\n");
    expect_errors(&text, &[codes::EXPANSION_TOO_LARGE]);
    // Calls nested in arguments.
    let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(50_000), ")".repeat(50_000));
    expect_errors(&deep, &[codes::EXPANSION_TOO_LARGE]);
    let parens = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    expect_errors(&parens, &[codes::BAD_CONDITION]);
    let unary = format!("#if {}1\n#endif\n", "!".repeat(100_000));
    expect_errors(&unary, &[]);
    // Everything unterminated.
    expect_errors("#define f(x) x\nf(1, (2", &[codes::MACRO_ARGUMENTS]);
    expect_errors("char *s = \"abc\nint x = 'y", &[codes::UNTERMINATED_LITERAL, codes::UNTERMINATED_LITERAL]);
    expect_errors("/* no end", &[codes::UNTERMINATED_COMMENT]);
    expect_errors("#if 1\nx", &[codes::UNBALANCED_CONDITION]);
    expect_errors("#define\n#define 5\n#define f(x\n#define g(x) #y\n#define h ## x\n", &[codes::BAD_DEFINE; 5]);
    expect_errors("#nonsense\n#!\n", &[codes::UNKNOWN_DIRECTIVE; 2]);
    expect_errors(
        "#error stop here\n#line x\n_Pragma(1)",
        &[codes::ERROR_DIRECTIVE, codes::BAD_LINE, codes::BAD_PRAGMA],
    );
    for text in
        ["#", "#define", "#define f(", "#if", "\\", "#include <", "'", "\"\\", "%:", "/", "//\\", "L\\", "\u{FEFF}"]
    {
        run(text);
    }
}

#[test]
fn garbage_never_panics() {
    // A generator of its own: pieces of directives, quotes, splices and non-ASCII in random order.
    const PIECES: &[&str] = &[
        "#define F(x,...) x##x #x __VA_OPT__(",
        "#if ",
        "defined",
        "(",
        ")",
        ",",
        "\n",
        "\\\n",
        "\"",
        "'",
        "\\",
        "F",
        "F(1,",
        "/*",
        "*/",
        "//",
        "#",
        "##",
        "__VA_ARGS__",
        "\u{e9}",
        "\u{FFFD}",
        "0x1.p+",
        "..",
        "_Pragma",
        "__LINE__",
        "#include ",
        "<",
        ">",
        "#else\n",
        "#endif\n",
        "\u{1F600}",
        "\\u00e9",
        "R\"(",
        "L",
        "?",
        "1/0",
        "$",
        "@",
        "\r",
        "\0",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(PIECES[(state % PIECES.len() as u64) as usize]);
        }
        let run = run(&text);
        assert!(run.result.tokens.last().is_some_and(|token| token.is_eof()));
        print_preprocessed(&run.source_map, &run.result.tokens);
    }
}

#[test]
fn bytes_become_text() {
    assert_eq!(decode(b"ab").1, None);
    let (text, first) = decode(b"a\xff\xfeb\xc3\xa9");
    assert_eq!((&*text, first), ("a\u{10FEFF}\u{10FEFE}b\u{e9}", Some(1)));
    assert_eq!(text.chars().map(stood_for).collect::<Vec<_>>(), [None, Some(0xff), Some(0xfe), None, None]);
}
