//! The syntax tree of one translation unit of C, GNU C and CIVL-C.
//!
//! Nodes live in typed arenas of `TranslationUnit` and name each other by `u32` ids; lists of children are ranges of one
//! shared pool. So nodes are small, dropping a tree is flat however deep the input nests, and ids serve as keys of side
//! tables. Every node has its exact span; the extra places that witnesses and messages need (a call's closing
//! parenthesis, loop keywords, operators, member names) are stored beside it.
//!
//! The tree is syntactic: specifiers and declarators are kept as written and `model` makes types of them. Macros are
//! expanded already, and spans lead back through the expansions.

pub mod declaration;
pub mod dump;
pub mod expression;
pub mod literal;
pub mod statement;

pub use declaration::*;
pub use dump::dump;
pub use expression::*;
pub use literal::*;
pub use statement::*;

pub use crate::token::Encoding;
use quod_base::{Id, IdVec, Span, Symbol, define_id};
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::ops::Index;

define_id! { pub struct ExprId = "e"; }
define_id! { pub struct StmtId = "s"; }
define_id! { pub struct NameId = "name"; }
define_id! { pub struct StringId = "string"; }
define_id! { pub struct TypeNameId = "type"; }
define_id! { pub struct DeclarationId = "declaration"; }
define_id! { pub struct SpecifiersId = "specifiers"; }
define_id! { pub struct DeclaratorId = "declarator"; }
define_id! { pub struct InitDeclaratorId = "init"; }
define_id! { pub struct InitializerId = "initializer"; }
define_id! { pub struct DesignatorId = "designator"; }
define_id! { pub struct ParameterId = "parameter"; }
define_id! { pub struct RecordId = "record"; }
define_id! { pub struct MemberId = "member"; }
define_id! { pub struct MemberDeclaratorId = "field"; }
define_id! { pub struct EnumId = "enum"; }
define_id! { pub struct EnumeratorId = "enumerator"; }
define_id! { pub struct FunctionId = "function"; }
define_id! { pub struct AttributeId = "attribute"; }
define_id! { pub struct AsmId = "asm"; }
define_id! { pub struct AsmOperandId = "operand"; }
define_id! { pub struct AssociationId = "association"; }
define_id! { pub struct BinderId = "binder"; }
define_id! { pub struct QuantifiedId = "quantified"; }
define_id! { pub struct DerivativeId = "derivative"; }
define_id! { pub struct ClauseId = "clause"; }
define_id! { pub struct PragmaId = "pragma"; }
define_id! { pub struct AnnotationId = "annotation"; }

/// A list of nodes of one kind: a range of `TranslationUnit`'s pool, read with [`TranslationUnit::list`].
pub struct List<I> {
    start: u32,
    len: u32,
    marker: PhantomData<fn() -> I>,
}

impl<I> List<I> {
    pub const EMPTY: Self = Self { start: 0, len: 0, marker: PhantomData };
    pub const fn len(self) -> usize {
        self.len as usize
    }
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<I> Copy for List<I> {}
impl<I> Clone for List<I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I> Default for List<I> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<I> PartialEq for List<I> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<I> Eq for List<I> {}
impl<I> std::fmt::Debug for List<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}; {}]", self.start, self.len)
    }
}

/// An identifier where it is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

/// A contract annotation (`//@ …`, `/*@ … @*/`), kept unparsed. `span` covers the whole comment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    pub span: Span,
}

/// A `#pragma` that the parser does not act on itself: `omp parallel for`, `CIVL ACSL`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    pub span: Span,
    /// All words after `pragma`, as written, with single spaces.
    pub text: Symbol,
}

/// What an annotation or a clause belongs to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A statement, a loop, a declaration or a function definition (all are statements; at file scope, too).
    Statement(StmtId),
    /// Nothing followed in the block or file: the annotation stands at its end.
    EndOf(StmtId),
    EndOfFile,
}

/// One parsed translation unit.
#[derive(Default)]
pub struct TranslationUnit {
    /// The file's items in order: declarations, function definitions, `_Static_assert`, `asm`, pragmas, and CIVL-C's
    /// file-scope `$assume(…);` and `$invariant(…);`.
    pub items: Vec<StmtId>,
    pub exprs: IdVec<ExprId, Expr>,
    pub stmts: IdVec<StmtId, Stmt>,
    pub names: IdVec<NameId, Name>,
    pub strings: IdVec<StringId, StringLiteral>,
    pub type_names: IdVec<TypeNameId, TypeName>,
    pub declarations: IdVec<DeclarationId, Declaration>,
    pub specifiers: IdVec<SpecifiersId, Specifiers>,
    pub declarators: IdVec<DeclaratorId, Declarator>,
    pub init_declarators: IdVec<InitDeclaratorId, InitDeclarator>,
    pub initializers: IdVec<InitializerId, Initializer>,
    pub designators: IdVec<DesignatorId, Designator>,
    pub parameters: IdVec<ParameterId, Parameter>,
    pub records: IdVec<RecordId, Record>,
    pub members: IdVec<MemberId, Member>,
    pub member_declarators: IdVec<MemberDeclaratorId, MemberDeclarator>,
    pub enums: IdVec<EnumId, Enum>,
    pub enumerators: IdVec<EnumeratorId, Enumerator>,
    pub functions: IdVec<FunctionId, Function>,
    pub attributes: IdVec<AttributeId, Attribute>,
    pub asms: IdVec<AsmId, Asm>,
    pub asm_operands: IdVec<AsmOperandId, AsmOperand>,
    pub associations: IdVec<AssociationId, Association>,
    pub binders: IdVec<BinderId, Binder>,
    pub quantified: IdVec<QuantifiedId, Quantified>,
    pub derivatives: IdVec<DerivativeId, Derivative>,
    pub clauses: IdVec<ClauseId, Clause>,
    pub pragmas: IdVec<PragmaId, Pragma>,
    pub annotations: IdVec<AnnotationId, Annotation>,
    /// Where each annotation belongs; looked up, never iterated.
    pub annotations_of: FxHashMap<Target, List<AnnotationId>>,
    /// `$invariant(e)` and other clauses between a loop's head and its body.
    pub loop_clauses: FxHashMap<StmtId, List<ClauseId>>,
    /// The elements of all `List`s, as raw indices.
    pool: Vec<u32>,
}

impl TranslationUnit {
    /// The elements of a list, in order.
    pub fn list<I: Id>(
        &self,
        list: List<I>,
    ) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<'_, I> {
        let start = list.start as usize;
        self.pool[start..start + list.len as usize].iter().map(|&raw| I::from_index(raw as usize))
    }

    /// Element `index` of a list, if it has that many.
    pub fn get<I: Id>(&self, list: List<I>, index: usize) -> Option<I> {
        (index < list.len()).then(|| I::from_index(self.pool[list.start as usize + index] as usize))
    }

    /// Stores a list of children, given as raw indices.
    pub(crate) fn make_list<I: Id>(&mut self, items: &[u32]) -> List<I> {
        if items.is_empty() {
            return List::EMPTY;
        }
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 nodes");
        self.pool.extend_from_slice(items);
        List { start, len: items.len() as u32, marker: PhantomData }
    }

    /// Makes room for about as many nodes as so many tokens give.
    pub(crate) fn reserve(&mut self, tokens: usize) {
        self.exprs = IdVec::with_capacity(tokens / 2);
        self.stmts = IdVec::with_capacity(tokens / 8);
        self.pool.reserve(tokens / 4);
    }

    /// The annotations in front of a statement, declaration or function definition.
    pub fn annotations_at(&self, target: Target) -> List<AnnotationId> {
        self.annotations_of.get(&target).copied().unwrap_or_default()
    }

    /// The expression inside any parentheses.
    pub fn without_parentheses(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Parenthesized(inner) = self.exprs[expr].kind {
            expr = inner;
        }
        expr
    }

    /// The name that a declarator declares, `None` for an abstract one.
    pub fn declared_name(&self, declarator: DeclaratorId) -> Option<Name> {
        let mut next = declarator;
        loop {
            match self.declarators[next].kind {
                DeclaratorKind::Name(name) => return Some(name),
                DeclaratorKind::Abstract => return None,
                DeclaratorKind::Pointer { inner, .. }
                | DeclaratorKind::Array { inner, .. }
                | DeclaratorKind::Function { inner, .. } => next = inner,
            }
        }
    }
}

macro_rules! index_by {
    ($($id:ty => $field:ident: $node:ty;)*) => {$(
        impl Index<$id> for TranslationUnit {
            type Output = $node;
            #[inline]
            fn index(&self, id: $id) -> &$node {
                &self.$field[id]
            }
        }
    )*};
}

// `unit[expr]` reads a node of any kind.
index_by! {
    ExprId => exprs: Expr;
    StmtId => stmts: Stmt;
    NameId => names: Name;
    StringId => strings: StringLiteral;
    TypeNameId => type_names: TypeName;
    DeclarationId => declarations: Declaration;
    SpecifiersId => specifiers: Specifiers;
    DeclaratorId => declarators: Declarator;
    InitDeclaratorId => init_declarators: InitDeclarator;
    InitializerId => initializers: Initializer;
    DesignatorId => designators: Designator;
    ParameterId => parameters: Parameter;
    RecordId => records: Record;
    MemberId => members: Member;
    MemberDeclaratorId => member_declarators: MemberDeclarator;
    EnumId => enums: Enum;
    EnumeratorId => enumerators: Enumerator;
    FunctionId => functions: Function;
    AttributeId => attributes: Attribute;
    AsmId => asms: Asm;
    AsmOperandId => asm_operands: AsmOperand;
    AssociationId => associations: Association;
    BinderId => binders: Binder;
    QuantifiedId => quantified: Quantified;
    DerivativeId => derivatives: Derivative;
    ClauseId => clauses: Clause;
    PragmaId => pragmas: Pragma;
    AnnotationId => annotations: Annotation;
}
