//! Commands of a script, with their terms made in a pool.
//!
//! [`Script`] reads a text command by command and keeps what it declares, with the scopes of `push` and `pop`. It answers
//! nothing: that is the solver's. Division by zero is what SMT-LIB says, any function: `(/ a b)` with a divisor that may
//! be zero becomes `(ite (= b 0) (|/0| a) (/ a b))`.

use super::sexpr::{Kind, Node, ParseError, Reader, Tree};
use crate::datatype::{self, DatatypeSpec, FieldSort};
use crate::pool::{Function, Term, TermPool};
use crate::sort::{Sort, SortKind};
use quod_base::Symbol;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A command. What a script declares or defines, later terms use; the command says it for the record.
#[derive(Clone, Debug)]
pub enum Command {
    SetLogic(String),
    /// Keyword with its colon, and the value's text.
    SetOption(String, String),
    SetInfo(String, String),
    DeclareSort(Symbol),
    DefineSort(Symbol),
    DeclareDatatypes(Vec<Sort>),
    /// A constant; its term is a symbol.
    DeclareConst(Term),
    DeclareFun(Arc<Function>),
    DefineFun(Symbol),
    /// A formula, and its name if `(! … :named name)` gave one.
    Assert(Term, Option<Symbol>),
    CheckSat,
    /// Literals, with their text for `get-unsat-assumptions`.
    CheckSatAssuming(Vec<(String, Term)>),
    Push(u32),
    Pop(u32),
    GetModel,
    /// Terms with their text.
    GetValue(Vec<(String, Term)>),
    GetUnsatCore,
    GetUnsatAssumptions,
    GetAssertions,
    GetAssignment,
    GetProof,
    GetInfo(String),
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
    /// A command of a solver's own that neither adds to the assertions nor asks for satisfiability.
    Extension(String),
}

/// A function given by a body.
pub(super) struct Macro {
    pub(super) parameters: Vec<Term>,
    pub(super) body: Term,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    Term(Term),
    Function(Arc<Function>),
    Macro(Arc<Macro>),
    /// Datatype and constructor's place.
    Constructor(Sort, u32),
    /// Datatype, constructor's place, field's place.
    Selector(Sort, u32, u32),
}

/// A sort name: declared with an arity, or defined by parameters and the text of its body.
#[derive(Clone)]
pub(super) enum SortMeaning {
    Declared(usize),
    Known(Sort),
    Defined(Arc<(Vec<String>, String)>),
}

enum Undo {
    Name(String, Option<Meaning>),
    Sort(String, Option<SortMeaning>),
}

/// A script being read.
pub struct Script<'a> {
    reader: Reader<'a>,
    pub(super) pool: &'a TermPool,
    pub(super) names: FxHashMap<String, Meaning>,
    pub(super) sorts: FxHashMap<String, SortMeaning>,
    undo: Vec<Undo>,
    scopes: Vec<usize>,
    /// Numerals are Real where the logic has no integers.
    pub(super) numerals_are_real: bool,
    /// Division by zero is the evaluator's, not any function.
    pub(super) division_is_total: bool,
}

type Result<T> = std::result::Result<T, ParseError>;

impl<'a> Script<'a> {
    pub fn new(pool: &'a TermPool, text: &'a str) -> Self {
        Self {
            reader: Reader::new(text),
            pool,
            names: FxHashMap::default(),
            sorts: FxHashMap::default(),
            undo: Vec::new(),
            scopes: Vec::new(),
            numerals_are_real: false,
            division_is_total: false,
        }
    }

    /// Reads division as the pool has it, 0 for divisor 0: for text that this crate printed.
    pub fn with_total_division(mut self) -> Self {
        self.division_is_total = true;
        self
    }

    /// Declares a symbol of the pool under its name, for reading terms of a solver's answer.
    pub fn declare(&mut self, symbol: Term) {
        if let Some(name) = self.pool.symbol_name(symbol) {
            self.define(name.as_str(), Meaning::Term(symbol));
        }
    }

    /// Declares an uninterpreted function under its name.
    pub fn declare_function(&mut self, function: &Arc<Function>) {
        self.define(function.name.as_str(), Meaning::Function(function.clone()));
    }

    /// The next expression as a term, such as a value in a solver's answer.
    pub fn next_term(&mut self) -> Result<Option<Term>> {
        match self.reader.next()? {
            Some(tree) => self.term(&tree, Tree::ROOT).map(Some),
            None => Ok(None),
        }
    }

    /// The next command; `None` at the end. After an error the reader stands behind the command at fault, or at the end
    /// where parentheses do not match.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Result<Command>> {
        match self.reader.next() {
            Ok(Some(tree)) => Some(self.command(&tree)),
            Ok(None) => None,
            Err(error) => {
                self.reader = Reader::new("");
                Some(Err(error))
            }
        }
    }

    pub(super) fn define(&mut self, name: &str, meaning: Meaning) {
        let old = self.names.insert(name.to_owned(), meaning);
        self.undo.push(Undo::Name(name.to_owned(), old));
    }

    fn define_sort(&mut self, name: &str, meaning: SortMeaning) {
        let old = self.sorts.insert(name.to_owned(), meaning);
        self.undo.push(Undo::Sort(name.to_owned(), old));
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Name(name, Some(old))) => drop(self.names.insert(name, old)),
                Some(Undo::Name(name, None)) => drop(self.names.remove(&name)),
                Some(Undo::Sort(name, Some(old))) => drop(self.sorts.insert(name, old)),
                Some(Undo::Sort(name, None)) => drop(self.sorts.remove(&name)),
                None => break,
            }
        }
    }

    fn command(&mut self, tree: &Tree<'_>) -> Result<Command> {
        let list = tree.list(Tree::ROOT);
        let Some((&head, args)) = list.split_first() else { return tree.error(Tree::ROOT, "expected a command") };
        let Some(word) = tree.symbol(head) else { return tree.error(head, "expected the name of a command") };
        let expect = |count: usize| {
            if args.len() == count {
                Ok(())
            } else {
                tree.error(head, format!("`{word}` takes {count} arguments, found {}", args.len()))
            }
        };
        let text = |place: usize| args.get(place).map_or_else(String::new, |&node| tree.source(node).to_owned());
        match word {
            "set-logic" => {
                expect(1)?;
                let logic = tree.text(args[0]).to_owned();
                if !is_logic(&logic) {
                    return tree.error(args[0], format!("unknown logic `{logic}`"));
                }
                self.numerals_are_real = logic.contains("RA") && !logic.contains("IRA") || logic.ends_with("RDL");
                Ok(Command::SetLogic(logic))
            }
            "set-option" => Ok(Command::SetOption(text(0), text(1))),
            "set-info" => Ok(Command::SetInfo(text(0), text(1))),
            "declare-sort" => {
                let (name, arity) = (self.name(tree, head, args, 0)?, args.get(1).map_or("0", |&node| tree.text(node)));
                let Ok(arity) = arity.parse::<usize>() else { return tree.error(head, "expected an arity") };
                self.define_sort(name, SortMeaning::Declared(arity));
                Ok(Command::DeclareSort(name.into()))
            }
            "define-sort" => {
                expect(3)?;
                let name = self.name(tree, head, args, 0)?;
                let parameters: Vec<String> = tree.children(args[1]).map(|node| tree.text(node).to_owned()).collect();
                let meaning = if parameters.is_empty() {
                    SortMeaning::Known(self.sort(tree, args[2])?)
                } else {
                    SortMeaning::Defined(Arc::new((parameters, tree.source(args[2]).to_owned())))
                };
                self.define_sort(name, meaning);
                Ok(Command::DefineSort(name.into()))
            }
            "declare-datatype" => {
                expect(2)?;
                self.datatypes(tree, &[args[0]], &[args[1]])
            }
            "declare-datatypes" => {
                expect(2)?;
                let names: Vec<Node> =
                    tree.children(args[0]).map(|node| tree.children(node).next().unwrap_or(node)).collect();
                self.datatypes(tree, &names, &tree.list(args[1]))
            }
            "declare-const" => {
                expect(2)?;
                let name = self.name(tree, head, args, 0)?;
                let sort = self.sort(tree, args[1])?;
                Ok(self.declare_named(name, Vec::new(), sort))
            }
            "declare-fun" => {
                expect(3)?;
                let name = self.name(tree, head, args, 0)?;
                let domain = tree.children(args[1]).map(|node| self.sort(tree, node)).collect::<Result<Vec<_>>>()?;
                let range = self.sort(tree, args[2])?;
                Ok(self.declare_named(name, domain, range))
            }
            "define-fun" | "define-const" => self.define_fun(tree, head, args),
            "define-fun-rec" | "define-funs-rec" => {
                tree.error(head, format!("`{word}` is not supported: recursive definitions have no normal form"))
            }
            "assert" => {
                expect(1)?;
                let term = self.term(tree, args[0])?;
                if !self.pool.sort(term).is_bool() {
                    return tree.error(args[0], format!("expected a formula, found sort {}", self.pool.sort(term)));
                }
                Ok(Command::Assert(term, self.outer_name(tree, args[0])))
            }
            // How a solver is to search is its own business.
            "check-sat" | "check-sat-using" => Ok(Command::CheckSat),
            "check-sat-assuming" => {
                expect(1)?;
                Ok(Command::CheckSatAssuming(self.terms_with_text(tree, args[0])?))
            }
            "push" | "pop" => self.scope(tree, head, word, args),
            "get-model" => Ok(Command::GetModel),
            "get-value" => {
                expect(1)?;
                Ok(Command::GetValue(self.terms_with_text(tree, args[0])?))
            }
            "get-unsat-core" => Ok(Command::GetUnsatCore),
            "get-unsat-assumptions" => Ok(Command::GetUnsatAssumptions),
            "get-assertions" => Ok(Command::GetAssertions),
            "get-assignment" => Ok(Command::GetAssignment),
            "get-proof" => Ok(Command::GetProof),
            "get-info" => Ok(Command::GetInfo(text(0))),
            "get-option" => Ok(Command::GetOption(text(0))),
            "echo" => {
                expect(1)?;
                Ok(Command::Echo(tree.text(args[0]).replace("\"\"", "\"")))
            }
            "reset" => {
                self.undo_to(0);
                self.scopes.clear();
                self.numerals_are_real = false;
                Ok(Command::Reset)
            }
            "reset-assertions" => {
                self.undo_to(0);
                self.scopes.clear();
                Ok(Command::ResetAssertions)
            }
            "exit" => Ok(Command::Exit),
            "assert-soft" | "minimize" | "maximize" | "get-objectives" | "get-interpolant" | "get-interpolants"
            | "get-abduct" | "get-qe" | "get-difficulty" | "eval" | "simplify" | "display" | "block-model"
            | "get-timeout-core" => Ok(Command::Extension(word.into())),
            _ => tree.error(head, format!("unknown command `{word}`")),
        }
    }

    fn name<'t>(&self, tree: &Tree<'t>, head: Node, args: &[Node], place: usize) -> Result<&'t str> {
        match args.get(place) {
            Some(&node) => match tree.symbol(node) {
                Some(name) => Ok(name),
                None => tree.error(node, "expected a symbol"),
            },
            None => tree.error(head, "expected a symbol"),
        }
    }

    fn declare_named(&mut self, name: &str, domain: Vec<Sort>, range: Sort) -> Command {
        if domain.is_empty() {
            let symbol = self.pool.symbol(name, range);
            self.define(name, Meaning::Term(symbol));
            return Command::DeclareConst(symbol);
        }
        let function = Arc::new(Function { name: name.into(), domain, range });
        self.define(name, Meaning::Function(function.clone()));
        Command::DeclareFun(function)
    }

    fn define_fun(&mut self, tree: &Tree<'_>, head: Node, args: &[Node]) -> Result<Command> {
        let name = self.name(tree, head, args, 0)?;
        let (variables, sort_node, body_node) = match *args {
            [_, list, sort, body] => (tree.list(list), sort, body),
            [_, sort, body] => (Vec::new(), sort, body),
            _ => return tree.error(head, "expected a name, parameters, a sort and a body"),
        };
        let mut parameters = Vec::new();
        let mark = self.undo.len();
        for variable in variables {
            let (name, sort) = self.sorted_variable(tree, variable)?;
            let symbol = self.pool.fresh_symbol(name, sort);
            self.define(name, Meaning::Term(symbol));
            parameters.push(symbol);
        }
        let body = self.term(tree, body_node);
        self.undo_to(mark);
        let body = body?;
        let sort = self.sort(tree, sort_node)?;
        let body = self.coerce(body, sort);
        if self.pool.sort(body) != sort {
            return tree.error(body_node, format!("expected sort {sort}, found {}", self.pool.sort(body)));
        }
        let meaning = if parameters.is_empty() {
            Meaning::Term(body)
        } else {
            Meaning::Macro(Arc::new(Macro { parameters, body }))
        };
        self.define(name, meaning);
        Ok(Command::DefineFun(name.into()))
    }

    pub(super) fn sorted_variable<'t>(&self, tree: &Tree<'t>, node: Node) -> Result<(&'t str, Sort)> {
        let [name, sort] = *tree.list(node) else { return tree.error(node, "expected a variable and its sort") };
        let Some(name) = tree.symbol(name) else { return tree.error(name, "expected a variable") };
        Ok((name, self.sort(tree, sort)?))
    }

    /// An integer as a Real where one is expected, as scripts of real logics write `1` for `1.0`.
    pub(super) fn coerce(&self, term: Term, sort: Sort) -> Term {
        if sort == Sort::REAL && self.pool.sort(term) == Sort::INT { self.pool.to_real(term) } else { term }
    }

    /// The name that `(! term :named name)` gives.
    fn outer_name(&self, tree: &Tree<'_>, node: Node) -> Option<Symbol> {
        let list = tree.list(node);
        if !list.first().is_some_and(|&head| tree.is_word(head, "!")) {
            return None;
        }
        let place = list.iter().position(|&node| tree.kind(node) == Kind::Keyword && tree.text(node) == ":named")?;
        tree.symbol(*list.get(place + 1)?).map(Symbol::from)
    }

    fn terms_with_text(&mut self, tree: &Tree<'_>, node: Node) -> Result<Vec<(String, Term)>> {
        tree.children(node).map(|node| Ok((tree.source(node).to_owned(), self.term(tree, node)?))).collect()
    }

    fn scope(&mut self, tree: &Tree<'_>, head: Node, word: &str, args: &[Node]) -> Result<Command> {
        let count = args.first().map_or(Ok(1), |&node| tree.text(node).parse::<u32>());
        let Ok(count) = count else { return tree.error(head, "expected a number of levels") };
        if word == "push" {
            let mark = self.undo.len();
            if count > 1_000_000 {
                return tree.error(head, "too many levels");
            }
            (0..count).for_each(|_| self.scopes.push(mark));
            return Ok(Command::Push(count));
        }
        if count as usize > self.scopes.len() {
            return tree.error(head, format!("cannot pop {count} of {} levels", self.scopes.len()));
        }
        let marks = self.scopes.split_off(self.scopes.len() - count as usize);
        if let Some(&mark) = marks.first() {
            self.undo_to(mark);
        }
        Ok(Command::Pop(count))
    }

    fn datatypes(&mut self, tree: &Tree<'_>, names: &[Node], bodies: &[Node]) -> Result<Command> {
        if names.len() != bodies.len() {
            return tree.error(Tree::ROOT, "as many datatypes as declarations are needed");
        }
        let group: Vec<&str> = names.iter().map(|&node| tree.text(node)).collect();
        let mut specs = Vec::new();
        for (&name, &body) in group.iter().zip(bodies) {
            let mut constructors = Vec::new();
            for node in tree.children(body) {
                if tree.is_word(node, "par") {
                    return tree.error(node, "datatypes with parameters are not supported");
                }
                let parts = if tree.is_list(node) { tree.list(node) } else { vec![node] };
                let Some((&head, fields)) = parts.split_first() else {
                    return tree.error(node, "expected a constructor");
                };
                let Some(constructor) = tree.symbol(head) else { return tree.error(head, "expected a constructor") };
                let fields = fields.iter().map(|&field| {
                    let [selector, sort] = *tree.list(field) else {
                        return tree.error(field, "expected a selector and its sort");
                    };
                    Ok((Symbol::from(tree.text(selector)), self.field_sort(tree, sort, &group)?))
                });
                constructors.push((Symbol::from(constructor), fields.collect::<Result<Vec<_>>>()?));
            }
            if constructors.is_empty() {
                return tree.error(body, "a datatype needs a constructor");
            }
            specs.push(DatatypeSpec { name: name.into(), constructors });
        }
        let sorts = datatype::declare(&specs);
        for (&sort, name) in sorts.iter().zip(group) {
            self.define_sort(name, SortMeaning::Known(sort));
            let SortKind::Datatype(id) = sort.kind() else { continue };
            for (place, constructor) in id.constructors().iter().enumerate() {
                self.define(constructor.name.as_str(), Meaning::Constructor(sort, place as u32));
                for (field, (selector, _)) in constructor.fields.iter().enumerate() {
                    self.define(selector.as_str(), Meaning::Selector(sort, place as u32, field as u32));
                }
            }
        }
        Ok(Command::DeclareDatatypes(sorts))
    }

    fn field_sort(&self, tree: &Tree<'_>, node: Node, group: &[&str]) -> Result<FieldSort> {
        if let Some(place) = tree.symbol(node).and_then(|name| group.iter().position(|&member| member == name)) {
            return Ok(FieldSort::Member(place));
        }
        let list = tree.list(node);
        let mentions = |node: Node| {
            let mut work = vec![node];
            while let Some(node) = work.pop() {
                if tree.symbol(node).is_some_and(|name| group.contains(&name)) {
                    return true;
                }
                work.extend(tree.list(node));
            }
            false
        };
        if !list.iter().any(|&part| mentions(part)) {
            return Ok(FieldSort::Known(self.sort(tree, node)?));
        }
        let inner = |place: usize| {
            let part = list[place];
            stacker::maybe_grow(1 << 16, 1 << 20, || self.field_sort(tree, part, group)).map(Box::new)
        };
        match (tree.text(list[0]), list.len()) {
            ("Array", 3) => Ok(FieldSort::Array(inner(1)?, inner(2)?)),
            ("Seq", 2) => Ok(FieldSort::Seq(inner(1)?)),
            ("Set", 2) => Ok(FieldSort::Set(inner(1)?)),
            _ => tree.error(node, "this sort cannot contain a datatype under declaration"),
        }
    }
}

/// Whether a name is made of the words for theories that logics' names are made of.
fn is_logic(name: &str) -> bool {
    const WORDS: [&str; 18] = [
        "AX", "A", "UF", "BV", "FP", "DT", "SEQ", "S", "FS", "LIRA", "NIRA", "LIA", "LRA", "NIA", "NRA", "IDL", "RDL",
        "T",
    ];
    if ["ALL", "HORN", "CORE", "QF_ALL"].contains(&name) {
        return true;
    }
    let mut rest = name.strip_prefix("QF_").unwrap_or(name);
    while let Some(shorter) = WORDS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter;
    }
    rest.is_empty() && name != "QF_" && !name.is_empty()
}
