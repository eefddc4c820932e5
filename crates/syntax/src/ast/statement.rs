//! Statements, and the items of a file, which are statements too.

use super::*;

/// `span.lo` is the statement's first character (after any labels: those are statements of their own around it).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Something that did not parse; a diagnostic says what.
    Error,
    /// `;`, and the missing statement of a label at the end of a block
    Empty,
    /// `e;`
    Expression(ExprId),
    /// `int x = 1, *p;`
    Declaration(DeclarationId),
    /// A function definition; inside a block a nested function of GNU C or CIVL-C
    Function(FunctionId),
    /// `_Static_assert(e, "message");`
    StaticAssert {
        condition: ExprId,
        message: Option<StringId>,
    },
    /// `{ … }`; `close` is the closing brace
    Block {
        statements: List<StmtId>,
        close: Span,
    },
    /// `if (c) s else t`
    If {
        keyword: Span,
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    /// `while (c) s`
    While {
        keyword: Span,
        condition: ExprId,
        body: StmtId,
    },
    /// `do s while (c);`
    Do {
        keyword: Span,
        body: StmtId,
        while_keyword: Span,
        condition: ExprId,
    },
    /// `for (i; c; e) s`; `initial` is an expression statement or a declaration
    For {
        keyword: Span,
        initial: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// `switch (e) s`
    Switch {
        keyword: Span,
        condition: ExprId,
        body: StmtId,
    },
    /// `case 1: s`, GNU's `case 1 ... 5: s`
    Case {
        low: ExprId,
        high: Option<ExprId>,
        body: StmtId,
    },
    /// `default: s`, also in a `$choose`
    Default {
        body: StmtId,
    },
    /// `label: s`
    Labeled {
        label: Name,
        attributes: List<AttributeId>,
        body: StmtId,
    },
    /// `__label__ a, b;`
    LocalLabels(List<NameId>),
    /// `goto label;`
    Goto(Name),
    /// `goto *e;`
    GotoComputed(ExprId),
    Break,
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `asm(…);`
    Asm(AsmId),
    /// `#pragma omp …` and others
    Pragma(PragmaId),
    /// `__attribute__((fallthrough));`, `[[fallthrough]];`
    Attributes(List<AttributeId>),
    /// `$when (g) s`
    When {
        keyword: Span,
        guard: ExprId,
        body: StmtId,
    },
    /// `$choose { s t default: u }`
    Choose {
        keyword: Span,
        alternatives: List<StmtId>,
        close: Span,
    },
    /// `$atomic s`
    Atomic {
        keyword: Span,
        body: StmtId,
    },
    /// `$atom s` of 2016
    Atom {
        keyword: Span,
        body: StmtId,
    },
    /// `$for (int i, j : d) s`
    DomainFor {
        keyword: Span,
        binder: BinderId,
        body: StmtId,
    },
    /// `$parfor (int i, j : d) s`
    ParallelFor {
        keyword: Span,
        binder: BinderId,
        body: StmtId,
    },
    /// `$run s`
    Run {
        keyword: Span,
        body: StmtId,
    },
    /// `$invariant (e);`
    Invariant {
        keyword: Span,
        condition: ExprId,
    },
}

/// `asm volatile goto (template : outputs : inputs : clobbers : labels)`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Asm {
    pub span: Span,
    pub is_volatile: bool,
    pub is_inline: bool,
    pub is_goto: bool,
    /// Without any colon.
    pub is_basic: bool,
    pub template: Option<StringId>,
    pub outputs: List<AsmOperandId>,
    pub inputs: List<AsmOperandId>,
    pub clobbers: List<StringId>,
    pub labels: List<NameId>,
}

/// `[name] "=r" (x)`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AsmOperand {
    pub span: Span,
    pub name: Option<Name>,
    pub constraint: StringId,
    pub value: ExprId,
}

/// `$requires (e)` and its like, on a function or a loop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub span: Span,
    pub kind: ClauseKind,
    /// `$assigns [condition] {…}`
    pub condition: Option<ExprId>,
    pub arguments: List<ExprId>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    Requires,
    Ensures,
    Invariant,
    Assigns,
    Reads,
    Depends,
    Guard,
    Calls,
}

impl ClauseKind {
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Requires => "$requires",
            Self::Ensures => "$ensures",
            Self::Invariant => "$invariant",
            Self::Assigns => "$assigns",
            Self::Reads => "$reads",
            Self::Depends => "$depends",
            Self::Guard => "$guard",
            Self::Calls => "$calls",
        }
    }
}
