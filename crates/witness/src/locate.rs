//! The places of a program that witnesses speak of, found in its syntax tree: statements, controlling expressions, calls
//! and loops, each with the position by which the formats name it.

use crate::data::Location;
use crate::error::WitnessError;
use quod_base::{FileId, SourceMap, Span, Symbol};
use quod_diag::codes;
use quod_syntax::TranslationUnit;
use quod_syntax::ast::{ExprId, ExprKind, StmtId, StmtKind};

/// A range of the file's text, in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub lo: u32,
    pub hi: u32,
}

impl Range {
    pub fn contains(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
    pub fn has(self, position: u32) -> bool {
        self.lo <= position && position < self.hi
    }
}

#[derive(Clone, Debug)]
pub struct Statement {
    /// Where witnesses may name it: its first character, and those of its labels.
    pub at: Vec<u32>,
    pub range: Range,
    /// It stands among the statements of a block: others can stand before it.
    pub is_in_block: bool,
    pub is_declaration: bool,
    /// It has statements inside.
    pub is_compound: bool,
}

#[derive(Clone, Debug)]
pub struct Branch {
    /// The keyword, or `?`.
    pub at: u32,
    pub condition: Range,
    /// For `switch`: the text of each case.
    pub cases: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Call {
    /// The closing parenthesis.
    pub at: u32,
    pub range: Range,
    pub callee: Option<String>,
    pub first_argument: Option<Range>,
}

#[derive(Clone, Debug)]
pub struct Loop {
    /// The keyword; for `do` the `while` at the end as well.
    pub at: Vec<u32>,
    pub range: Range,
    pub condition: Option<Range>,
    pub body: Range,
    /// Control enters at the top only: no label or case inside is jumped to from outside.
    pub is_closed: bool,
    pub is_do: bool,
}

#[derive(Clone, Debug)]
struct Function {
    name: Symbol,
    range: Range,
}

/// All places of one file.
pub struct Places<'s> {
    sources: &'s SourceMap,
    file: FileId,
    pub statements: Vec<Statement>,
    pub branches: Vec<Branch>,
    pub calls: Vec<Call>,
    pub loops: Vec<Loop>,
    /// Controlling and other full expressions.
    pub expressions: Vec<Range>,
    functions: Vec<Function>,
}

impl<'s> Places<'s> {
    pub fn new(unit: &TranslationUnit, sources: &'s SourceMap, file: FileId) -> Self {
        let mut places = Self {
            sources,
            file,
            statements: Vec::new(),
            branches: Vec::new(),
            calls: Vec::new(),
            loops: Vec::new(),
            expressions: Vec::new(),
            functions: Vec::new(),
        };
        for function in unit.functions.iter() {
            if let Some(range) = places.range(function.span) {
                places.functions.push(Function { name: function.name.symbol, range });
            }
            let mut walk = vec![(function.body, true, Vec::new())];
            while let Some((id, is_in_block, labels)) = walk.pop() {
                places.statement(unit, id, is_in_block, labels, &mut walk);
            }
        }
        for expr in unit.exprs.iter() {
            match expr.kind {
                ExprKind::Call { callee, arguments, close } => {
                    let callee = match unit[unit.without_parentheses(callee)].kind {
                        ExprKind::Identifier(name) => Some(name.as_str().to_owned()),
                        _ => None,
                    };
                    if let (Some(range), Some(close)) = (places.range(expr.span), places.range(close)) {
                        let first_argument =
                            unit.get(arguments, 0).and_then(|argument| places.range(unit[argument].span));
                        places.calls.push(Call { at: close.lo, range, callee, first_argument });
                    }
                }
                ExprKind::Conditional { condition, question, .. } => {
                    let condition = places.range(unit[condition].span);
                    if let (Some(condition), Some(question)) = (condition, places.range(question)) {
                        places.branches.push(Branch { at: question.lo, condition, cases: None });
                    }
                }
                _ => {}
            }
        }
        places.close_loops(unit);
        places
    }

    /// The range of a span that is written in the file itself, not by a macro.
    pub fn range(&self, span: Span) -> Option<Range> {
        let file = self.sources.file(self.file);
        let is_here = span.expansion.is_none() && !span.is_none() && self.sources.file_at(span.lo) == Some(self.file);
        is_here.then(|| Range { lo: span.lo - file.start, hi: span.hi - file.start })
    }

    fn expression(&mut self, unit: &TranslationUnit, expr: ExprId) -> Option<Range> {
        let range = self.range(unit[expr].span)?;
        self.expressions.push(range);
        Some(range)
    }

    fn statement(
        &mut self,
        unit: &TranslationUnit,
        id: StmtId,
        is_in_block: bool,
        labels: Vec<u32>,
        walk: &mut Vec<(StmtId, bool, Vec<u32>)>,
    ) {
        let stmt = unit[id];
        let Some(range) = self.range(stmt.span) else { return };
        let mut at = labels;
        at.push(range.lo);
        let branch = |places: &mut Self, keyword: Span, condition: ExprId, cases: Option<Vec<String>>| {
            let condition = places.expression(unit, condition);
            if let (Some(keyword), Some(condition)) = (places.range(keyword), condition) {
                places.branches.push(Branch { at: keyword.lo, condition, cases });
            }
            condition
        };
        match stmt.kind {
            StmtKind::Labeled { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                walk.push((body, false, at));
                return;
            }
            StmtKind::Block { statements, .. } => {
                walk.extend(unit.list(statements).map(|child| (child, true, Vec::new())));
            }
            StmtKind::If { keyword, condition, then, otherwise } => {
                branch(self, keyword, condition, None);
                walk.push((then, false, Vec::new()));
                walk.extend(otherwise.map(|otherwise| (otherwise, false, Vec::new())));
            }
            StmtKind::While { keyword, condition, body } => {
                let condition = branch(self, keyword, condition, None);
                self.add_loop(unit, &[keyword], range, condition, body, false);
                walk.push((body, false, Vec::new()));
            }
            StmtKind::Do { keyword, body, while_keyword, condition } => {
                let condition = branch(self, while_keyword, condition, None);
                if let (Some(keyword), Some(condition)) = (self.range(keyword), condition) {
                    self.branches.push(Branch { at: keyword.lo, condition, cases: None });
                }
                self.add_loop(unit, &[keyword, while_keyword], range, condition, body, true);
                walk.push((body, false, Vec::new()));
            }
            StmtKind::For { keyword, initial, condition, step, body } => {
                let condition = condition.and_then(|condition| branch(self, keyword, condition, None));
                step.map(|step| self.expression(unit, step));
                if let Some(initial) = initial.and_then(|initial| self.range(unit[initial].span)) {
                    at.push(initial.lo);
                }
                self.add_loop(unit, &[keyword], range, condition, body, false);
                walk.push((body, false, Vec::new()));
            }
            StmtKind::Switch { keyword, condition, body } => {
                let cases = self.cases(unit, body);
                branch(self, keyword, condition, Some(cases));
                walk.push((body, false, Vec::new()));
            }
            StmtKind::Return(Some(expr)) => {
                self.expression(unit, expr);
            }
            _ => {}
        }
        let is_declaration = matches!(stmt.kind, StmtKind::Declaration(_));
        let is_compound = !is_declaration
            && !matches!(stmt.kind, StmtKind::Expression(_) | StmtKind::Empty | StmtKind::Return(_) | StmtKind::Asm(_));
        self.statements.push(Statement { at, range, is_in_block, is_declaration, is_compound });
    }

    fn add_loop(
        &mut self,
        unit: &TranslationUnit,
        keywords: &[Span],
        range: Range,
        condition: Option<Range>,
        body: StmtId,
        is_do: bool,
    ) {
        let at: Vec<u32> = keywords.iter().filter_map(|&keyword| Some(self.range(keyword)?.lo)).collect();
        if let Some(body) = self.range(unit[body].span)
            && !at.is_empty()
        {
            self.loops.push(Loop { at, range, condition, body, is_closed: true, is_do });
        }
    }

    /// The constants of the cases inside a `switch`, nested ones of other switches too.
    fn cases(&self, unit: &TranslationUnit, body: StmtId) -> Vec<String> {
        let Some(range) = self.range(unit[body].span) else { return Vec::new() };
        let case = |stmt: &quod_syntax::ast::Stmt| match stmt.kind {
            StmtKind::Case { low, high: None, .. } if self.range(stmt.span).is_some_and(|it| range.contains(it)) => {
                self.sources.text(unit[low].span).map(str::to_owned)
            }
            _ => None,
        };
        unit.stmts.iter().filter_map(case).collect()
    }

    /// Notes which loops are jumped into.
    fn close_loops(&mut self, unit: &TranslationUnit) {
        let range = |span: Span| self.range(span);
        let mut labels = Vec::new();
        let mut gotos = Vec::new();
        let mut switches = Vec::new();
        let mut cases = Vec::new();
        let mut is_computed = false;
        for stmt in unit.stmts.iter() {
            let Some(at) = range(stmt.span) else { continue };
            match stmt.kind {
                StmtKind::Labeled { label, .. } => labels.push((label.symbol, at)),
                StmtKind::Goto(label) => gotos.push((label.symbol, at)),
                StmtKind::GotoComputed(_) => is_computed = true,
                StmtKind::Switch { .. } => switches.push(at),
                StmtKind::Case { .. } | StmtKind::Default { .. } => cases.push(at),
                _ => {}
            }
        }
        let functions: Vec<Range> = self.functions.iter().map(|function| function.range).collect();
        let function_of = |at: Range| functions.iter().find(|range| range.contains(at));
        for it in &mut self.loops {
            let inside = it.range;
            let is_jumped = labels.iter().filter(|(_, at)| inside.contains(*at)).any(|(name, at)| {
                let from = gotos.iter().filter(|(to, from)| to == name && function_of(*from) == function_of(*at));
                from.into_iter().any(|(_, from)| !inside.contains(*from))
            });
            let is_switched = cases.iter().filter(|at| inside.contains(**at)).any(|at| {
                let nearest =
                    switches.iter().filter(|range| range.contains(*at)).min_by_key(|range| range.hi - range.lo);
                nearest.is_none_or(|range| !inside.contains(*range))
            });
            it.is_closed = !is_computed && !is_jumped && !is_switched;
        }
    }

    /// The name of the function that a position lies in.
    pub fn function_at(&self, position: u32) -> Option<&'static str> {
        self.functions.iter().find(|function| function.range.has(position)).map(|function| function.name.as_str())
    }

    /// Line and column of a position of the file.
    pub fn line_column(&self, position: u32) -> Option<(u32, u32)> {
        let place = self.sources.place(position + self.sources.file(self.file).start)?;
        Some((place.line, place.column))
    }

    /// The positions of a line, or the one position of a line and column; none if the file has no such place.
    fn positions(&self, location: &Location) -> Option<Range> {
        let file = self.sources.file(self.file);
        let line = location.line.checked_sub(1)? as usize;
        let start = *file.line_starts.get(line)?;
        let end = file.line_starts.get(line + 1).copied().unwrap_or(file.text.len() as u32 + 1);
        match location.column {
            None => Some(Range { lo: start, hi: end }),
            Some(column) => {
                // Columns count characters.
                let text = file.text.get(start as usize..(end as usize).min(file.text.len()))?;
                let bytes: usize = text.chars().take(column as usize - 1).map(char::len_utf8).sum();
                let lo = start + bytes as u32;
                (lo < end).then_some(Range { lo, hi: lo + 1 })
            }
        }
    }

    /// The leftmost of these places that the location names.
    pub fn find<'p, T>(
        &self,
        location: &Location,
        what: &str,
        items: &'p [T],
        at: impl Fn(&T) -> &[u32],
    ) -> Result<&'p T, WitnessError> {
        let impossible = |why: String| WitnessError::new(codes::WITNESS_LOCATION, location.place, why);
        let name = match location.column {
            Some(column) => format!("line {}, column {column}", location.line),
            None => format!("line {}", location.line),
        };
        let positions = self.positions(location).ok_or_else(|| impossible(format!("the program has no {name}")))?;
        let mut best: Option<(u32, &T)> = None;
        for item in items {
            for &position in at(item).iter().filter(|&&position| positions.has(position)) {
                if best.is_none_or(|(least, _)| position < least) {
                    best = Some((position, item));
                }
            }
        }
        let Some((position, item)) = best else {
            return Err(impossible(format!("there is no {what} at {name}")));
        };
        if let Some(function) = &location.function
            && let Some(real) = self.function_at(position)
            && real != function
        {
            return Err(impossible(format!("{name} lies in the function `{real}`, not in `{function}`")));
        }
        Ok(item)
    }

    /// The smallest statement around a place of the program, its labels not counted.
    pub fn statement_around(&self, range: Range) -> Option<&Statement> {
        let around = self.statements.iter().filter(|statement| statement.range.contains(range));
        around.min_by_key(|statement| statement.range.hi - statement.range.lo)
    }

    /// The smallest full expression around a place of the program.
    pub fn expression_around(&self, range: Range) -> Option<Range> {
        let around = self.expressions.iter().filter(|expression| expression.contains(range));
        around.min_by_key(|expression| expression.hi - expression.lo).copied()
    }

    /// The text of a range.
    pub fn text(&self, range: Range) -> &str {
        self.sources.file(self.file).text.get(range.lo as usize..range.hi as usize).unwrap_or_default()
    }
}
