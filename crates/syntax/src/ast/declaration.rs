//! Declarations: specifiers, declarators, initialisers, records, enumerations, functions and attributes.

use super::*;

/// `static const int x = 1, *p;`; without declarators `struct s { … };`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub span: Span,
    pub specifiers: SpecifiersId,
    pub declarators: List<InitDeclaratorId>,
}

/// `*p asm("name") __attribute__((unused)) = e`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct InitDeclarator {
    pub span: Span,
    pub declarator: DeclaratorId,
    pub asm_name: Option<StringId>,
    pub attributes: List<AttributeId>,
    /// The `=`.
    pub equals: Option<Span>,
    pub initializer: Option<InitializerId>,
    /// `$requires (…)` and so on after a function's prototype.
    pub clauses: List<ClauseId>,
}

/// A function definition, at file scope or nested.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub span: Span,
    pub name: Name,
    pub specifiers: SpecifiersId,
    pub declarator: DeclaratorId,
    pub attributes: List<AttributeId>,
    pub asm_name: Option<StringId>,
    /// The parameters' declarations of a K&R definition.
    pub old_style: List<DeclarationId>,
    pub clauses: List<ClauseId>,
    /// A `Block`.
    pub body: StmtId,
}

/// Everything in front of the declarators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Specifiers {
    /// Empty (of the position of the declarator) for K&R definitions without any specifier.
    pub span: Span,
    pub storage: Storage,
    pub qualifiers: Qualifiers,
    pub function: FunctionSpecifiers,
    pub ty: TypeSpecifier,
    pub ty_span: Span,
    pub attributes: List<AttributeId>,
    /// `_Alignas(16)`: expressions; `_Alignas(T)`: an `AlignofType` expression.
    pub alignments: List<ExprId>,
    /// `$system [lib]`
    pub library: Option<Symbol>,
    /// `$abstract("partial-order")`, `$abstract $contin(2)`, `$differentiable(2, [a, b])`: strings and expressions in order
    pub abstract_arguments: List<ExprId>,
}

/// A set of flags.
macro_rules! flags {
    ($(#[$meta:meta])* $name:ident: $repr:ty { $($(#[$flag_meta:meta])* $flag:ident = $bit:literal $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Copy, Clone, PartialEq, Eq, Default, Hash)]
        pub struct $name(pub $repr);

        impl $name {
            pub const NONE: Self = Self(0);
            $($(#[$flag_meta])* pub const $flag: Self = Self(1 << $bit);)*
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$flag, $text)),*];

            pub fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }
            pub fn insert(&mut self, other: Self) {
                self.0 |= other.0;
            }
            /// The keywords of the set, in a fixed order.
            pub fn keywords(self) -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().filter(move |(flag, _)| self.contains(*flag)).map(|&(_, text)| text)
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{{{}}}", self.keywords().collect::<Vec<_>>().join(" "))
            }
        }
    };
}

flags! {
    /// Storage classes, CIVL-C's `$input` and `$output`, CUDA's memory spaces.
    Storage: u16 {
        TYPEDEF = 0 "typedef",
        EXTERN = 1 "extern",
        STATIC = 2 "static",
        AUTO = 3 "auto",
        REGISTER = 4 "register",
        THREAD_LOCAL = 5 "_Thread_local",
        CONSTEXPR = 6 "constexpr",
        INPUT = 7 "$input",
        OUTPUT = 8 "$output",
        /// `__shared__`
        SHARED = 9 "__shared__",
        /// `__constant__`
        CONSTANT = 10 "__constant__",
    }
}

flags! {
    Qualifiers: u8 {
        CONST = 0 "const",
        VOLATILE = 1 "volatile",
        RESTRICT = 2 "restrict",
        ATOMIC = 3 "_Atomic",
    }
}

flags! {
    FunctionSpecifiers: u16 {
        INLINE = 0 "inline",
        NORETURN = 1 "_Noreturn",
        ABSTRACT = 2 "$abstract",
        ATOMIC = 3 "$atomic_f",
        SYSTEM = 4 "$system",
        PURE = 5 "$pure",
        STATE = 6 "$state_f",
        CONTINUOUS = 7 "$contin",
        DIFFERENTIABLE = 8 "$differentiable",
        /// CUDA's `__global__`
        GLOBAL = 9 "__global__",
        /// CUDA's `__device__`
        DEVICE = 10 "__device__",
        /// CUDA's `__host__`
        HOST = 11 "__host__",
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TypeSpecifier {
    /// No type was written: `int`, as in C89.
    Implicit,
    /// An error was reported.
    Error,
    Basic {
        ty: BasicType,
        is_complex: bool,
    },
    /// C23's `_BitInt(n)`
    BitInt {
        is_unsigned: bool,
        width: ExprId,
    },
    /// `struct s`, `union { … }`
    Record(RecordId),
    Enum(EnumId),
    /// A name that a `typedef` in scope gave
    TypedefName(Name),
    /// `typeof(e)`
    TypeofExpr {
        expr: ExprId,
        is_unqualified: bool,
    },
    /// `typeof(T)`
    TypeofType {
        ty: TypeNameId,
        is_unqualified: bool,
    },
    /// `_Atomic(T)`
    Atomic(TypeNameId),
    /// `__auto_type`, C23's `auto`
    Auto,
    /// `__builtin_va_list`
    VaList,
    /// `$real`
    Real,
    /// `$proc`
    Process,
    /// `$scope`
    Scope,
    /// `$range`
    Range,
    /// `$domain`, `$domain(n)`
    Domain(Option<ExprId>),
    /// `$mem`
    Memory,
    /// `$state` of older versions
    State,
    /// `$heap` of 2016
    Heap,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    Float16,
    Float32,
    Float64,
    Float32x,
    Float64x,
    Float128,
    /// `__float80`, x86's `long double` in both data models
    Float80,
    Decimal32,
    Decimal64,
    Decimal128,
}

impl BasicType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Bool => "_Bool",
            Self::Char => "char",
            Self::SignedChar => "signed char",
            Self::UnsignedChar => "unsigned char",
            Self::Short => "short",
            Self::UnsignedShort => "unsigned short",
            Self::Int => "int",
            Self::UnsignedInt => "unsigned int",
            Self::Long => "long",
            Self::UnsignedLong => "unsigned long",
            Self::LongLong => "long long",
            Self::UnsignedLongLong => "unsigned long long",
            Self::Int128 => "__int128",
            Self::UnsignedInt128 => "unsigned __int128",
            Self::Float => "float",
            Self::Double => "double",
            Self::LongDouble => "long double",
            Self::Float16 => "_Float16",
            Self::Float32 => "_Float32",
            Self::Float64 => "_Float64",
            Self::Float32x => "_Float32x",
            Self::Float64x => "_Float64x",
            Self::Float128 => "_Float128",
            Self::Float80 => "__float80",
            Self::Decimal32 => "_Decimal32",
            Self::Decimal64 => "_Decimal64",
            Self::Decimal128 => "_Decimal128",
        }
    }
}

/// A declarator, from the outside in: for `*a[3]` a `Pointer` whose `inner` is an `Array` whose `inner` is the name.
/// Start with the specifiers' type; each layer on the way in wraps it: pointer to it, array of it, function returning it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    pub span: Span,
    pub kind: DeclaratorKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DeclaratorKind {
    /// The declared name
    Name(Name),
    /// The missing name of a type name or an unnamed parameter
    Abstract,
    /// `* const inner`
    Pointer { inner: DeclaratorId, qualifiers: Qualifiers, attributes: List<AttributeId> },
    /// `inner[static const 3]`
    Array { inner: DeclaratorId, size: ArraySize, qualifiers: Qualifiers, is_static: bool },
    /// `inner(int, ...)`; `close` is the closing parenthesis
    Function { inner: DeclaratorId, parameters: Parameters, close: Span },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ArraySize {
    /// `[]`; in CIVL-C's `float c[][]` also of the inner arrays
    Unspecified,
    /// `[*]`
    Star,
    Expr(ExprId),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// `()`
    Unspecified,
    /// `(a, b)` of a K&R definition
    Names(List<NameId>),
    /// `(void)` is an empty list
    Prototype { parameters: List<ParameterId>, is_variadic: bool },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub span: Span,
    pub specifiers: SpecifiersId,
    pub declarator: DeclaratorId,
    pub attributes: List<AttributeId>,
}

/// `const char *(*)[3]`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    pub span: Span,
    pub specifiers: SpecifiersId,
    pub declarator: DeclaratorId,
}

/// `struct s { … }`, `union u`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub span: Span,
    pub is_union: bool,
    pub tag: Option<Name>,
    /// `None` without braces.
    pub members: Option<List<MemberId>>,
    /// Both in front of the tag and after the closing brace.
    pub attributes: List<AttributeId>,
    /// The `#pragma pack` in force at the closing brace, in bytes.
    pub pack: Option<u16>,
}

/// A line of a record: `int a : 3, b;`, an anonymous member (no declarators), or an assertion.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub span: Span,
    pub kind: MemberKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Fields { specifiers: SpecifiersId, declarators: List<MemberDeclaratorId> },
    StaticAssert { condition: ExprId, message: Option<StringId> },
}

/// `*next`, `flags : 3`, `: 0`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MemberDeclarator {
    pub span: Span,
    /// `Abstract` for an unnamed bit-field.
    pub declarator: DeclaratorId,
    pub width: Option<ExprId>,
    pub attributes: List<AttributeId>,
}

/// `enum e { A, B = 3 }`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    pub span: Span,
    pub tag: Option<Name>,
    /// C23's `enum e : unsigned char`
    pub underlying: Option<TypeNameId>,
    /// `None` without braces.
    pub enumerators: Option<List<EnumeratorId>>,
    pub attributes: List<AttributeId>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Enumerator {
    pub span: Span,
    pub name: Name,
    pub value: Option<ExprId>,
    pub attributes: List<AttributeId>,
}

/// An initialiser or an element of a braced one, with its designators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Initializer {
    /// Without the designators.
    pub span: Span,
    /// `.a[2] =`, GNU's `a:` and `[2]` without `=`; empty at the top
    pub designators: List<DesignatorId>,
    pub kind: InitializerKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InitializerKind {
    Expr(ExprId),
    /// `{ a, b, }`
    List(List<InitializerId>),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Designator {
    pub span: Span,
    pub kind: DesignatorKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DesignatorKind {
    /// `.a`
    Field(Name),
    /// `[2]`
    Index(ExprId),
    /// `[1 ... 3]`
    Range { low: ExprId, high: ExprId },
}

/// `__attribute__((name(arguments)))`, `[[space::name(arguments)]]`. Names lose their leading and trailing `__`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub span: Span,
    pub namespace: Option<Symbol>,
    pub name: Symbol,
    /// Arguments as expressions; a word such as the `DI` of `mode(DI)` is an `Identifier`, a type is a `Type`.
    pub arguments: List<ExprId>,
}
