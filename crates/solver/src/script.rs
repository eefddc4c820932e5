//! Answering SMT-LIB scripts: `quod smt FILE.smt2`.
//!
//! The answers go to a writer that the caller gives, in SMT-LIB's words. An error in the text is an `(error …)` with line
//! and column, and the script goes on with the next command.

use crate::answer::{Answer, Model, Reason};
use crate::sat::Limits;
use crate::solver::{Options, Solver};
use quod_base::Symbol;
use quod_term::smtlib::{Command, Script, quote, write_value};
use quod_term::{Term, TermPool, Value};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a script is answered.
#[derive(Clone, Default)]
pub struct ScriptOptions {
    pub solver: Options,
    /// Of each `check-sat`.
    pub timeout: Option<Duration>,
}

/// How a script went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub errors: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Answers that contradict the script's `(set-info :status …)`.
    pub wrong: u64,
}

/// Runs a script and prints its answers.
pub fn run(text: &str, options: &ScriptOptions, out: &mut dyn Write) -> io::Result<Summary> {
    let pool = Arc::new(TermPool::new());
    let mut runner = Runner {
        solver: Solver::with_options(pool.clone(), &options.solver),
        pool: pool.clone(),
        options,
        assertions: Vec::new(),
        scopes: Vec::new(),
        last: None,
        assumptions: Vec::new(),
        status: None,
        summary: Summary::default(),
        declared: Vec::new(),
        prints_success: false,
        incomplete_from: None,
    };
    let mut script = Script::new(&pool, text);
    while let Some(command) = script.next() {
        match command {
            Ok(Command::Exit) => break,
            Ok(command) => runner.command(command, out)?,
            Err(error) => {
                runner.summary.errors += 1;
                // What could not be read may have been an assertion: from here on `sat` would be a guess.
                runner.incomplete_from.get_or_insert(runner.scopes.len());
                runner.error(out, &error.to_string())?;
            }
        }
    }
    out.flush()?;
    Ok(runner.summary)
}

struct Runner<'a> {
    pool: Arc<TermPool>,
    solver: Solver,
    options: &'a ScriptOptions,
    assertions: Vec<(Term, Option<Symbol>)>,
    scopes: Vec<(usize, usize)>,
    last: Option<Answer>,
    /// Of the last `check-sat-assuming`, with their text.
    assumptions: Vec<(String, Term)>,
    status: Option<String>,
    summary: Summary,
    declared: Vec<Term>,
    prints_success: bool,
    /// A command in this scope could not be read.
    incomplete_from: Option<usize>,
}

impl Runner<'_> {
    fn error(&self, out: &mut dyn Write, message: &str) -> io::Result<()> {
        writeln!(out, "(error \"{}\")", message.replace('"', "\"\""))
    }

    fn success(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.prints_success { writeln!(out, "success") } else { Ok(()) }
    }

    fn command(&mut self, command: Command, out: &mut dyn Write) -> io::Result<()> {
        match command {
            Command::Assert(term, name) => self.assertions.push((term, name)),
            Command::CheckSat => return self.check(Vec::new(), out),
            Command::CheckSatAssuming(assumptions) => return self.check(assumptions, out),
            Command::Push(count) => {
                for _ in 0..count {
                    self.scopes.push((self.assertions.len(), self.declared.len()));
                }
            }
            Command::Pop(count) => {
                for _ in 0..count {
                    if let Some((assertions, declared)) = self.scopes.pop() {
                        self.assertions.truncate(assertions);
                        self.declared.truncate(declared);
                    }
                }
                if self.incomplete_from.is_some_and(|scope| scope > self.scopes.len()) {
                    self.incomplete_from = None;
                }
                self.last = None;
            }
            Command::DeclareConst(symbol) => self.declared.push(symbol),
            Command::SetInfo(keyword, value) if keyword == ":status" => self.status = Some(value),
            Command::SetOption(keyword, value) if keyword == ":print-success" => self.prints_success = value == "true",
            Command::GetModel => return self.get_model(out),
            Command::GetValue(terms) => return self.get_value(&terms, out),
            Command::GetUnsatCore => return self.get_unsat_core(out),
            Command::GetUnsatAssumptions => return self.get_unsat_assumptions(out),
            Command::GetAssertions => {
                let texts: Vec<String> =
                    self.assertions.iter().map(|(term, _)| self.pool.display(*term).to_string()).collect();
                return writeln!(out, "({})", texts.join("\n "));
            }
            Command::GetAssignment => return self.get_assignment(out),
            Command::GetProof => return self.error(out, "proofs are not supported"),
            Command::GetInfo(keyword) => return self.get_info(&keyword, out),
            Command::GetOption(_) | Command::Extension(_) => return writeln!(out, "unsupported"),
            Command::Echo(text) => return writeln!(out, "{text}"),
            Command::Reset | Command::ResetAssertions => {
                self.assertions.clear();
                self.scopes.clear();
                self.declared.clear();
                self.incomplete_from = None;
                self.last = None;
                self.solver = Solver::with_options(self.pool.clone(), &self.options.solver);
            }
            _ => {}
        }
        self.success(out)
    }

    fn check(&mut self, assumptions: Vec<(String, Term)>, out: &mut dyn Write) -> io::Result<()> {
        let mut terms: Vec<Term> = self.assertions.iter().map(|(term, _)| *term).collect();
        terms.extend(assumptions.iter().map(|(_, term)| *term));
        self.assumptions = assumptions;
        let deadline = self.options.timeout.map(|timeout| Instant::now() + timeout);
        self.solver.limits = Limits { deadline, ..self.options.solver.limits.clone() };
        let mut answer = self.solver.check(&terms);
        if answer.is_sat() && self.incomplete_from.is_some() {
            answer = Answer::Unknown(Reason::Unsupported("a command above that could not be read".into()));
        }
        let word = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        match &answer {
            Answer::Sat(_) => self.summary.sat += 1,
            Answer::Unsat(_) => self.summary.unsat += 1,
            Answer::Unknown(_) => self.summary.unknown += 1,
        }
        if let Some(status) = self.status.take()
            && word != "unknown"
            && status != "unknown"
            && status != word
        {
            self.summary.wrong += 1;
        }
        self.last = Some(answer);
        writeln!(out, "{word}")
    }

    fn model(&self) -> Result<&Model, &'static str> {
        match &self.last {
            Some(Answer::Sat(model)) => Ok(model),
            _ => Err("there is no model: the last answer was not sat"),
        }
    }

    fn get_model(&self, out: &mut dyn Write) -> io::Result<()> {
        let model = match self.model() {
            Ok(model) => model,
            Err(message) => return self.error(out, message),
        };
        let mut text = String::from("(\n");
        for &symbol in &self.declared {
            let (Some(name), sort) = (self.pool.symbol_name(symbol), self.pool.sort(symbol)) else { continue };
            let value = model.symbols.get(&symbol).cloned().or_else(|| Value::default_of(sort));
            let Some(value) = value else { continue };
            let _ = write!(text, "  (define-fun {} () {sort} ", quote(name.as_str()));
            let _ = write_value(&mut text, &value);
            text.push_str(")\n");
        }
        let terms: Vec<Term> = self.assertions.iter().map(|(term, _)| *term).collect();
        for function in self.pool.functions(&terms) {
            let parameters: Vec<String> =
                function.domain.iter().enumerate().map(|(at, sort)| format!("(x{at} {sort})")).collect();
            let _ = write!(
                text,
                "  (define-fun {} ({}) {} ",
                quote(function.name.as_str()),
                parameters.join(" "),
                function.range
            );
            let table = model.functions.get(&function);
            let mut closing = 0;
            for (key, value) in table.iter().flat_map(|table| &table.entries) {
                text.push_str("(ite (and");
                for (at, argument) in key.iter().enumerate() {
                    let _ = write!(text, " (= x{at} ");
                    let _ = write_value(&mut text, argument);
                    text.push(')');
                }
                text.push_str(") ");
                let _ = write_value(&mut text, value);
                text.push(' ');
                closing += 1;
            }
            let otherwise =
                table.and_then(|table| table.otherwise.clone()).or_else(|| Value::default_of(function.range));
            if let Some(otherwise) = otherwise {
                let _ = write_value(&mut text, &otherwise);
            }
            text.push_str(&")".repeat(closing));
            text.push_str(")\n");
        }
        text.push_str(")\n");
        out.write_all(text.as_bytes())
    }

    fn get_value(&self, terms: &[(String, Term)], out: &mut dyn Write) -> io::Result<()> {
        let model = match self.model() {
            Ok(model) => model,
            Err(message) => return self.error(out, message),
        };
        let mut text = String::from("(");
        for (at, (source, term)) in terms.iter().enumerate() {
            let Some(value) = quod_term::evaluate(&self.pool, *term, model) else {
                return self.error(out, &format!("{source} has no value in the model"));
            };
            text.push_str(if at == 0 { "(" } else { "\n (" });
            text.push_str(source);
            text.push(' ');
            let _ = write_value(&mut text, &value);
            text.push(')');
        }
        writeln!(out, "{text})")
    }

    fn get_assignment(&self, out: &mut dyn Write) -> io::Result<()> {
        let Ok(model) = self.model() else { return self.error(out, "there is no model") };
        let mut parts = Vec::new();
        for (term, name) in &self.assertions {
            if let (Some(name), Some(value)) = (name, quod_term::evaluate(&self.pool, *term, model)) {
                parts.push(format!("({} {})", quote(name.as_str()), value.as_bool().unwrap_or(false)));
            }
        }
        writeln!(out, "({})", parts.join(" "))
    }

    fn get_unsat_core(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(Answer::Unsat(core)) = &self.last else {
            return self.error(out, "there is no core: the last answer was not unsat");
        };
        let named = self.assertions.iter().filter(|(term, _)| core.contains(term));
        let names: Vec<String> = named.filter_map(|(_, name)| *name).map(|name| quote(name.as_str())).collect();
        writeln!(out, "({})", names.join(" "))
    }

    fn get_unsat_assumptions(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(Answer::Unsat(core)) = &self.last else {
            return self.error(out, "there is no core: the last answer was not unsat");
        };
        let texts: Vec<&str> =
            self.assumptions.iter().filter(|(_, term)| core.contains(term)).map(|(text, _)| text.as_str()).collect();
        writeln!(out, "({})", texts.join(" "))
    }

    fn get_info(&self, keyword: &str, out: &mut dyn Write) -> io::Result<()> {
        match keyword {
            ":name" => writeln!(out, "(:name \"quod\")"),
            ":version" => writeln!(out, "(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":reason-unknown" => match &self.last {
                Some(Answer::Unknown(reason)) => {
                    writeln!(out, "(:reason-unknown \"{}\")", reason.to_string().replace('"', "\"\""))
                }
                _ => self.error(out, "the last answer was not unknown"),
            },
            ":all-statistics" => {
                let mut text = String::from("(");
                for stage in self.solver.statistics() {
                    let _ = write!(text, ":{}-queries {} ", stage.name.replace(' ', "-"), stage.queries);
                    let _ = write!(text, ":{}-answered {} ", stage.name.replace(' ', "-"), stage.answered);
                    let _ = write!(text, ":{}-nanoseconds {} ", stage.name.replace(' ', "-"), stage.nanoseconds);
                }
                writeln!(out, "{})", text.trim_end())
            }
            _ => writeln!(out, "unsupported"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> String {
        let mut out = Vec::new();
        run(text, &ScriptOptions::default(), &mut out).expect("a vector takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn push_pop_values_and_cores() {
        let text = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (! (bvult x #x05) :named small))
            (push 1)(assert (! (bvugt x #x09) :named large))(check-sat)(get-unsat-core)(pop 1)
            (assert (= x #x03))(check-sat)(get-value (x (bvadd x x)))
            (check-sat-assuming ((= x #x04)))(get-unsat-assumptions)";
        let all = answers(text);
        let lines: Vec<&str> = all.lines().collect();
        assert_eq!(lines[0], "unsat", "{all}");
        assert!(lines[1].contains("small") && lines[1].contains("large"), "{all}");
        assert_eq!(lines[2], "sat", "{all}");
        assert!(all.contains("(x #x03)") && all.contains("#x06"), "{all}");
        assert!(all.contains("((= x #x04))"), "{all}");
    }

    #[test]
    fn errors_have_places_and_the_script_goes_on() {
        let all = answers("(declare-const x Int)\n(assert (> x y))\n(assert (> x 2))\n(check-sat)\n(assert");
        assert!(all.contains("(error") && all.contains("unknown"), "what was not read may matter: {all}");
        assert!(all.contains("2:"), "a line number: {all}");
    }
}
