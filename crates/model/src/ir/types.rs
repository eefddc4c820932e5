//! C and CIVL-C types after name resolution, and the table that interns them. Layout is computed in `crate::layout`.

use super::{FunctionId, FunctionTypeId, GlobalId, LocalId};
use crate::layout::RecordLayout;
use quod_base::{IdVec, Span, Symbol, define_id};
use std::sync::OnceLock;

define_id! {
    pub struct TypeId = "t";
}
define_id! {
    /// A `struct` or `union`.
    pub struct RecordId = "r";
}
define_id! {
    pub struct EnumId = "e";
}

/// `ILP32` or `LP64`, both as gcc has them on x86 GNU/Linux: little endian, signed `char`, 8-bit bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

/// `machine`: bit-precise integers and IEEE floats. `ideal`: mathematical integers and reals.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Machine,
    Ideal,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `_Float16`
    Half,
    Float,
    Double,
    /// x87, 80 bits in 12 (ILP32) or 16 (LP64) bytes
    LongDouble,
    /// `__float128`
    Quad,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct QualType {
    pub ty: TypeId,
    pub qualifiers: Qualifiers,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// `_Bool`
    Bool,
    Int(IntKind),
    Enum(EnumId),
    Float(FloatKind),
    /// `_Complex double`: two floats, real part first
    Complex(FloatKind),
    /// GNU `_Complex int`
    ComplexInt(IntKind),
    Pointer(QualType),
    Array {
        element: QualType,
        length: ArrayLength,
    },
    Record(RecordId),
    Function(FunctionTypeId),
    /// GNU `__attribute__((vector_size(bytes)))`
    Vector {
        element: TypeId,
        lanes: u64,
    },
    /// `__builtin_va_list`
    VaList,
    /// CIVL-C `$real`
    Real,
    /// CIVL-C `$proc`
    Process,
    /// CIVL-C `$scope`
    Scope,
    /// CIVL-C `$range`
    Range,
    /// CIVL-C `$domain` or `$domain(n)`
    Domain(Option<u32>),
    /// CIVL-C `$mem`
    Memory,
    /// CIVL-C `$state`, `$bundle` and other values that only the library looks into
    Opaque(Symbol),
    /// What an error left behind: fits everywhere, so that one mistake is reported once.
    Error,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    Fixed(u64),
    /// `T a[]`: completed by an initialiser, another declaration, or a flexible array member
    Incomplete,
    /// `T a[*]` in a prototype
    Unspecified,
    /// The number of elements is in this hidden variable, set when the declaration (or type name) was reached. Only that
    /// declaration writes it.
    Variable(LengthVariable),
}

/// Where the length of a variable-length array is kept. The function is named because a nested function sees the types of
/// the functions around it: the variable is found in the nearest enclosing frame of that function.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum LengthVariable {
    /// CIVL-C `$input int n; int a[n];` at file scope
    Global(GlobalId),
    Local {
        function: FunctionId,
        local: LocalId,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    pub parameters: Vec<TypeId>,
    pub is_variadic: bool,
    /// `int f()` and K&R definitions have no prototype: arguments are promoted and not counted.
    pub has_prototype: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub tag: Option<Symbol>,
    pub kind: RecordKind,
    pub span: Span,
    /// `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    pub is_packed: bool,
    /// From `aligned(n)` on the record, in bytes.
    pub alignment: Option<u64>,
    /// From `#pragma pack(n)`, in bytes.
    pub pack: Option<u64>,
    pub is_transparent_union: bool,
    /// Computed when first asked for, once the record is complete.
    pub(crate) layout: OnceLock<RecordLayout>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub span: Span,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    pub is_packed: bool,
    /// From `aligned(n)` or `_Alignas` on the member itself, in bytes.
    pub alignment: Option<u64>,
    /// The member's type is named by a typedef with `aligned(n)`: that is the type's alignment, larger or smaller.
    pub typedef_alignment: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The compatible integer type, as gcc chooses it (`unsigned int` where no enumerator is negative).
    pub underlying: IntKind,
    pub is_complete: bool,
    pub enumerators: Vec<(Symbol, i128)>,
}

/// All types of a program. Equal types have equal ids (records and enums are equal only to themselves).
#[derive(Clone, Debug)]
pub struct TypeTable {
    pub data_model: DataModel,
    pub(crate) types: IdVec<TypeId, Type>,
    pub(crate) ids: rustc_hash::FxHashMap<Type, TypeId>,
    pub functions: IdVec<FunctionTypeId, FunctionType>,
    pub(crate) function_ids: rustc_hash::FxHashMap<FunctionType, FunctionTypeId>,
    pub records: IdVec<RecordId, Record>,
    pub enums: IdVec<EnumId, Enum>,
}

impl TypeTable {
    pub fn new(data_model: DataModel) -> Self {
        Self {
            data_model,
            types: IdVec::new(),
            ids: Default::default(),
            functions: IdVec::new(),
            function_ids: Default::default(),
            records: IdVec::new(),
            enums: IdVec::new(),
        }
    }

    /// An incomplete record: `struct tag;`
    pub fn add_record(&mut self, tag: Option<Symbol>, kind: RecordKind, span: Span) -> RecordId {
        self.records.push(Record {
            tag,
            kind,
            span,
            fields: None,
            is_packed: false,
            alignment: None,
            pack: None,
            is_transparent_union: false,
            layout: OnceLock::new(),
        })
    }

    /// All types, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.types.iter()
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn intern_function(&mut self, ty: FunctionType) -> TypeId {
        let id = match self.function_ids.get(&ty) {
            Some(&id) => id,
            None => {
                let id = self.functions.push(ty.clone());
                self.function_ids.insert(ty, id);
                id
            }
        };
        self.intern(Type::Function(id))
    }

    /// `const int a[2]`: the elements of an array carry its qualifiers.
    pub fn is_array_of_constants(&self, id: TypeId) -> bool {
        let mut id = id;
        while let Type::Array { element, .. } = *self.get(id) {
            if element.qualifiers.is_const {
                return true;
            }
            id = element.ty;
        }
        false
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
}
