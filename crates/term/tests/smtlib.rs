//! The printer and the parser against each other, on scripts, and on bad input.

mod common;

use common::Generator;
use quod_term::smtlib::{Command, Script, script};
use quod_term::{Op, Sort, Term, TermPool};

fn read(pool: &TermPool, text: &str) -> Vec<Result<Command, String>> {
    let mut reader = Script::new(pool, text).with_total_division();
    let mut commands = Vec::new();
    while let Some(command) = reader.next() {
        commands.push(command.map_err(|error| error.to_string()));
    }
    commands
}

fn assertions(pool: &TermPool, text: &str) -> Vec<Term> {
    read(pool, text)
        .into_iter()
        .filter_map(|command| match command {
            Ok(Command::Assert(term, _)) => Some(term),
            Ok(_) => None,
            Err(error) => panic!("{error} in\n{text}"),
        })
        .collect()
}

#[test]
fn what_is_printed_reads_back_as_the_same_term() {
    let mut generator = Generator::new(99);
    for round in 0..600 {
        let pool = TermPool::new();
        generator.forget();
        let depth = 1 + round % 4;
        let term = generator.term(&pool, Sort::BOOL, depth);
        let text = script(&pool, None, &[term]);
        assert_eq!(assertions(&pool, &text), [term], "{text}");
        // The same with `let`.
        let declared: Vec<&str> = text.lines().filter(|line| line.starts_with("(declare")).collect();
        let text = format!("{}\n(assert {})", declared.join("\n"), pool.display(term));
        assert_eq!(assertions(&pool, &text), [term], "{text}");
    }
}

#[test]
fn commands_are_read() {
    let pool = TermPool::new();
    let text = r#"
(set-logic ALL) (set-option :produce-models true) (set-info :status sat)
(declare-sort U 0) (declare-sort P 1) (define-sort Byte () (_ BitVec 8)) (define-sort Pair (A) (Array A A))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun f (Int U) U) (declare-const x Int) (declare-const u U) (declare-fun m () (Pair Byte)) (declare-const l List)
(define-fun twice ((n Int)) Int (+ n n))
(assert (! (= (f x u) u) :named first))
(assert (= (twice x) 4)) (assert first)
(assert (forall ((y Int) (v U)) (! (=> (< y 0) (= (f y v) v)) :pattern ((f y v)))))
(assert (match l ((nil true) ((cons h t) (= h x)))))
(assert ((_ is cons) l))
(assert (let ((x true) (z x)) (and x (= z 3))))
(assert (= (select m #x01) ((_ extract 7 0) (concat #b00000000 (_ bv258 16)))))
(push 1) (declare-const local Bool) (assert local) (check-sat) (pop 1)
(check-sat-assuming (first (not first))) (get-value (x (+ x 1))) (get-model) (get-unsat-core) (echo "a ""word""") (exit)
"#;
    let commands = read(&pool, text);
    let errors: Vec<_> = commands.iter().filter_map(|command| command.as_ref().err()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(commands.iter().filter(|command| matches!(command, Ok(Command::Assert(..)))).count(), 9);
    assert!(commands.iter().any(|command| matches!(command, Ok(Command::Echo(text)) if text == "a \"word\"")));
    for logic in [
        "QF_BV",
        "QF_AUFBV",
        "QF_ABVFPLRA",
        "QF_UFLIA",
        "QF_SLIA",
        "AUFDTLIRA",
        "QF_IDL",
        "UFNIRA",
        "QF_AX",
        "ALL",
        "QF_DT",
    ] {
        assert!(read(&pool, &format!("(set-logic {logic})"))[0].is_ok(), "{logic}");
    }
    // A scope ends: `local` is unknown after `pop`.
    let commands = read(&pool, "(push 1) (declare-const local Bool) (pop 1) (assert local)");
    assert_eq!(commands[3].as_ref().err().map(String::as_str), Some("1:53: unknown name `local`"));
}

#[test]
fn errors_say_where() {
    let pool = TermPool::new();
    for (text, expected) in [
        ("(assert (and true)", "1:1: this parenthesis is not closed"),
        ("(assert true))", "1:14: no parenthesis is open here"),
        ("\n  (assert (bvadd #x1 #b1))", "2:12: the arguments of `bvadd` have different sorts"),
        ("(assert (foo))", "1:10: unknown function `foo`"),
        ("(declare-const x Foo)", "1:18: unknown sort `Foo`"),
        ("(assert ((_ extract 8 0) #x0f))", "1:10: bad index of `extract`"),
        ("(assert 5)", "1:9: expected a formula"),
        ("(assert |open", "1:9: this symbol is not closed"),
        ("(echo \"open", "1:7: this string is not closed"),
        ("(frobnicate)", "1:2: unknown command `frobnicate`"),
        ("(set-logic QF_FOO)", "1:12: unknown logic `QF_FOO`"),
        ("(pop 3)", "1:2: cannot pop 3 of 0 levels"),
        ("(declare-const x (_ BitVec 0))", "1:18: no sort `BitVec`"),
        ("(assert (let ((x)) true))", "1:15: expected a variable and a term"),
        ("()", "1:1: expected a command"),
        ("(assert)", "1:2: `assert` takes 1 arguments"),
        ("(assert (= #x0g 1))", "1:12: `#x0g` is not a word"),
        ("(assert (let ((a true)) (and a b)))(assert a)", "1:32: unknown name `b`"),
    ] {
        let found = read(&pool, text).into_iter().find_map(Result::err).unwrap_or_default();
        assert!(found.starts_with(expected), "{text}: found {found}");
    }
    // A name bound inside a term that failed is gone.
    let errors: Vec<_> =
        read(&pool, "(assert (let ((a true)) (and a b)))(assert a)").into_iter().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 2);
}

#[test]
fn hostile_nesting_is_read() {
    let depth = 60_000;
    let pool = TermPool::new();
    let text = format!(
        "(declare-const p Bool)(declare-fun f (Bool) Bool)(assert {}p{})",
        "(f ".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(assertions(&pool, &text).len(), 1);
    let lets = format!("(assert {}true{})", "(let ((x false)) ".repeat(depth), ")".repeat(depth));
    assert_eq!(assertions(&pool, &lets), [pool.true_()]);
    let open = "(".repeat(depth);
    assert!(read(&pool, &open)[0].is_err());
    let closed = format!("{open}{}", ")".repeat(depth));
    assert!(read(&pool, &closed)[0].is_err());
}

#[test]
fn any_text_is_read_without_panic() {
    let pool = TermPool::new();
    let mut generator = Generator::new(5);
    let words = [
        "(",
        ")",
        "(",
        ")",
        "assert",
        "let",
        "forall",
        "(x Int)",
        "x",
        "_",
        "as",
        "!",
        ":named",
        "bvadd",
        "#b1",
        "#x0f",
        "1",
        "1.5",
        "declare-const",
        "declare-fun",
        "Int",
        "(_ BitVec 8)",
        "extract",
        "const",
        "match",
        "ite",
        "=",
        "-",
        "/",
        "div",
        "|a b|",
        "\"s\"",
        "to_fp",
        "fp",
        "store",
        "select",
        "(_ bv5 8)",
        "is",
        "push",
        "pop",
        "define-fun",
        "declare-datatypes",
        "concat",
        "repeat",
        "^",
    ];
    for _ in 0..20_000 {
        let count = 1 + generator.below(14);
        let text: Vec<&str> = (0..count).map(|_| generator.pick(&words)).collect();
        let text = format!("(assert {})", text.join(" "));
        for command in read(&pool, &text) {
            let _ = command;
        }
    }
}

#[test]
fn sharing_keeps_text_short() {
    let pool = TermPool::new();
    let mut term = pool.symbol("x", Sort::bit_vec(32));
    for number in 0..200 {
        let other = pool.symbol(format!("y{number}").as_str(), Sort::bit_vec(32));
        term = pool.bv_and(pool.bv_udiv(term, other), pool.bv_urem(term, other));
    }
    let formula = pool.eq(term, pool.bv(32, 0));
    let text = script(&pool, Some("QF_BV"), &[formula]);
    assert!(text.len() < 60_000, "{}", text.len());
    assert_eq!(assertions(&pool, &text), [formula]);
    assert!(pool.display(formula).to_string().len() < 60_000);
    // Sharing below a binder, too.
    let function = std::sync::Arc::new(quod_term::Function {
        name: "f".into(),
        domain: vec![Sort::INT, Sort::INT],
        range: Sort::INT,
    });
    let variable = pool.symbol("i", Sort::INT);
    let mut body = variable;
    for _ in 0..100 {
        body = pool.apply(&function, &[body, body]);
    }
    let formula = pool.forall(&[variable], pool.eq(body, variable), &[]);
    assert_eq!(pool.op(formula), Op::Forall);
    let text = script(&pool, None, &[formula]);
    assert!(text.len() < 20_000, "{}", text.len());
    assert_eq!(assertions(&pool, &text), [formula]);
}
