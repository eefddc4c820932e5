//! When two types are compatible, what both together say (the composite type), classes of types, and types as C text.

use super::Lowerer;
use super::types::plain;
use crate::ir::*;

impl Lowerer<'_> {
    pub(crate) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Int(_) | Type::Bool | Type::Enum(_))
    }
    pub(crate) fn is_floating(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Float(_) | Type::Real)
    }
    pub(crate) fn is_complex(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Complex(_) | Type::ComplexInt(_))
    }
    pub(crate) fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_floating(ty) || self.is_complex(ty)
    }
    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Pointer(_))
    }
    pub(crate) fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }
    pub(crate) fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Vector { .. })
    }
    pub(crate) fn is_void(&self, ty: TypeId) -> bool {
        ty == self.known.void
    }
    pub(crate) fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match *self.ty(ty) {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }
    /// The kind of an integer type other than `_Bool`.
    pub(crate) fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match *self.ty(ty) {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => Some(self.program.types.enums[id].underlying),
            _ => None,
        }
    }
    /// Width and sign of any integer type or pointer.
    pub(crate) fn format_of(&self, ty: TypeId) -> Option<quod_base::IntFormat> {
        match *self.ty(ty) {
            Type::Bool => Some(quod_base::IntFormat::unsigned(1)),
            Type::Pointer(_) => Some(quod_base::IntFormat::unsigned(self.options.data_model.pointer_bits())),
            _ => self.int_kind(ty).map(|kind| self.int_format(kind)),
        }
    }
    pub(crate) fn is_signed(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some_and(IntKind::is_signed)
    }
    pub(crate) fn function_type(&self, ty: TypeId) -> Option<&FunctionType> {
        match *self.ty(ty) {
            Type::Function(id) => Some(&self.program.types.functions[id]),
            _ => None,
        }
    }
    /// The size itself is only known when the program runs.
    pub(crate) fn has_variable_size(&self, ty: TypeId) -> bool {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.has_variable_size_inner(ty))
    }

    fn has_variable_size_inner(&self, ty: TypeId) -> bool {
        match *self.ty(ty) {
            Type::Array { element, length } => {
                matches!(length, ArrayLength::Variable(_)) || self.has_variable_size(element.ty)
            }
            Type::Record(id) => {
                let fields = self.program.types.records[id].fields.as_deref().unwrap_or_default();
                fields.iter().any(|field| {
                    matches!(self.ty(field.ty.ty), Type::Array { .. }) && self.has_variable_size(field.ty.ty)
                })
            }
            _ => false,
        }
    }

    /// Compatible in C's sense, qualifiers at the top left aside.
    pub(crate) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.compatible_at(a, b, 0)
    }

    fn compatible_at(&self, a: TypeId, b: TypeId, depth: u32) -> bool {
        // A chain of types deeper than this does not occur in programs; assume the best instead of overflowing.
        if a == b || depth > 200 {
            return true;
        }
        match (self.ty(a), self.ty(b)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Enum(x), Type::Int(kind)) | (Type::Int(kind), Type::Enum(x)) => {
                self.program.types.enums[*x].underlying == *kind
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                same_qualifiers(x.qualifiers, y.qualifiers) && self.compatible_at(x.ty, y.ty, depth + 1)
            }
            (Type::Array { element: x, length: m }, Type::Array { element: y, length: n }) => {
                let lengths = match (m, n) {
                    (ArrayLength::Fixed(m), ArrayLength::Fixed(n)) => m == n,
                    _ => true,
                };
                lengths && same_qualifiers(x.qualifiers, y.qualifiers) && self.compatible_at(x.ty, y.ty, depth + 1)
            }
            (Type::Function(x), Type::Function(y)) => {
                let (x, y) = (&self.program.types.functions[*x], &self.program.types.functions[*y]);
                if !self.compatible_at(x.result, y.result, depth + 1) {
                    return false;
                }
                if !x.has_prototype || !y.has_prototype {
                    return true;
                }
                x.is_variadic == y.is_variadic
                    && x.parameters.len() == y.parameters.len()
                    && x.parameters.iter().zip(&y.parameters).all(|(&p, &q)| self.compatible_at(p, q, depth + 1))
            }
            (Type::Record(x), Type::Record(y)) => {
                // The same type seen by two units: compared by tag (or none) and the members' names and sizes.
                let types = &self.program.types;
                let (x, y) = (&types.records[*x], &types.records[*y]);
                x.kind == y.kind && x.tag == y.tag && x.span != y.span && {
                    match (&x.fields, &y.fields) {
                        (Some(p), Some(q)) => {
                            let is_same = |p: &Field, q: &Field| {
                                p.name == q.name && p.bits == q.bits && types.size_of(p.ty.ty) == types.size_of(q.ty.ty)
                            };
                            p.len() == q.len() && p.iter().zip(q).all(|(p, q)| is_same(p, q))
                        }
                        _ => x.tag.is_some(),
                    }
                }
            }
            (Type::Enum(x), Type::Enum(y)) => {
                let (x, y) = (&self.program.types.enums[*x], &self.program.types.enums[*y]);
                x.tag == y.tag && x.span != y.span && x.underlying == y.underlying
            }
            (Type::Vector { element: x, lanes: m }, Type::Vector { element: y, lanes: n }) => {
                m == n && self.compatible_at(*x, *y, depth + 1)
            }
            (Type::Domain(_), Type::Domain(_)) => true,
            _ => false,
        }
    }

    /// What two compatible types say together: known lengths, prototypes.
    pub(crate) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.composite_inner(a, b))
    }

    fn composite_inner(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.ty(a).clone(), self.ty(b).clone()) {
            (Type::Error, _) => b,
            (Type::Array { element: x, length: m }, Type::Array { element: y, length: n }) => {
                let ty = self.composite(x.ty, y.ty);
                let length = match (m, n) {
                    (ArrayLength::Fixed(_), _) => m,
                    (_, ArrayLength::Fixed(_) | ArrayLength::Variable(_)) => n,
                    _ => m,
                };
                self.types().intern(Type::Array { element: QualType { ty, ..x }, length })
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                let ty = self.composite(x.ty, y.ty);
                self.types().intern(Type::Pointer(QualType { ty, ..x }))
            }
            (Type::Function(x), Type::Function(y)) => {
                let (x, y) = (self.program.types.functions[x].clone(), self.program.types.functions[y].clone());
                if !x.has_prototype {
                    return b;
                }
                if !y.has_prototype || x.parameters.len() != y.parameters.len() {
                    return a;
                }
                let result = self.composite(x.result, y.result);
                let parameters = x.parameters.iter().zip(&y.parameters).map(|(&p, &q)| self.composite(p, q)).collect();
                self.types().intern_function(FunctionType { result, parameters, ..x })
            }
            _ => a,
        }
    }

    pub(crate) fn type_name(&self, ty: TypeId) -> String {
        self.program.types.c_name(plain(ty))
    }
    pub(crate) fn qualified_name(&self, ty: QualType) -> String {
        self.program.types.c_name(ty)
    }
}

fn same_qualifiers(a: Qualifiers, b: Qualifiers) -> bool {
    a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_atomic == b.is_atomic
}

impl IntKind {
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Half => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Quad => "__float128",
        }
    }
}

impl TypeTable {
    /// The type as C writes it: `const char *`, `int (*)[3]`.
    pub fn c_name(&self, ty: QualType) -> String {
        self.c_declaration(ty, "")
    }

    /// A declaration of `name` with the type: `int (*name)[3]`.
    pub fn c_declaration(&self, ty: QualType, name: &str) -> String {
        let mut ty = ty;
        let mut declarator = name.to_owned();
        // Deeper types are cut: nobody reads them.
        for _ in 0..50 {
            let needs_parentheses = declarator.starts_with('*');
            match *self.get(ty.ty) {
                Type::Pointer(target) => {
                    let words = qualifier_words(ty.qualifiers);
                    let space = if words.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{}{space}{declarator}", words.trim_end());
                    ty = target;
                }
                Type::Array { element, length } => {
                    let length = match length {
                        ArrayLength::Fixed(n) => n.to_string(),
                        ArrayLength::Incomplete => String::new(),
                        ArrayLength::Unspecified | ArrayLength::Variable(_) => "*".to_owned(),
                    };
                    declarator = if needs_parentheses {
                        format!("({declarator})[{length}]")
                    } else {
                        format!("{declarator}[{length}]")
                    };
                    ty = element;
                }
                Type::Function(id) => {
                    let function = &self.functions[id];
                    let mut parameters: Vec<String> =
                        function.parameters.iter().map(|&parameter| self.c_name(plain(parameter))).collect();
                    if function.is_variadic {
                        parameters.push("...".to_owned());
                    }
                    if parameters.is_empty() && function.has_prototype {
                        parameters.push("void".to_owned());
                    }
                    let parameters = parameters.join(", ");
                    declarator = if needs_parentheses {
                        format!("({declarator})({parameters})")
                    } else {
                        format!("{declarator}({parameters})")
                    };
                    ty = plain(function.result);
                }
                _ => break,
            }
        }
        let base = format!("{}{}", qualifier_words(ty.qualifiers), self.base_name(ty.ty));
        if declarator.is_empty() { base } else { format!("{base} {declarator}") }
    }

    fn base_name(&self, ty: TypeId) -> String {
        match *self.get(ty) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(kind) => kind.c_name().into(),
            Type::Float(kind) => kind.c_name().into(),
            Type::Complex(kind) => format!("_Complex {}", kind.c_name()),
            Type::ComplexInt(kind) => format!("_Complex {}", kind.c_name()),
            Type::Enum(id) => match self.enums[id].tag {
                Some(tag) => format!("enum {tag}"),
                None => "enum <anonymous>".into(),
            },
            Type::Record(id) => {
                let record = &self.records[id];
                let word = if record.kind == RecordKind::Union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{word} {tag}"),
                    None => format!("{word} <anonymous>"),
                }
            }
            Type::Vector { element, lanes } => format!("vector of {lanes} {}", self.base_name(element)),
            Type::VaList => "__builtin_va_list".into(),
            Type::Real => "$real".into(),
            Type::Process => "$proc".into(),
            Type::Scope => "$scope".into(),
            Type::Range => "$range".into(),
            Type::Domain(None) => "$domain".into(),
            Type::Domain(Some(n)) => format!("$domain({n})"),
            Type::Memory => "$mem".into(),
            Type::Opaque(name) => name.to_string(),
            Type::Error => "<error>".into(),
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => "…".into(),
        }
    }
}

fn qualifier_words(qualifiers: Qualifiers) -> String {
    let mut words = String::new();
    for (is_set, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if is_set {
            words.push_str(word);
        }
    }
    words
}
