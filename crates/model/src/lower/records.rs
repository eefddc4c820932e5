//! `struct`, `union` and `enum`: their definitions, and members found by name.

use super::Lowerer;
use super::attributes::Attributes;
use super::names::{Binding, Tag};
use super::types::{ArraySizes, plain};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, MemberKind};
use rustc_hash::FxHashMap;

impl Lowerer<'_> {
    pub(crate) fn record_specifier(&mut self, id: ast::RecordId, specifiers: &ast::Specifiers) -> TypeId {
        if let Some(&known) = self.records.get(&id) {
            return self.types().intern(Type::Record(known));
        }
        let unit = self.unit;
        let record = &unit[id];
        let kind = if record.is_union { RecordKind::Union } else { RecordKind::Struct };
        let is_definition = record.members.is_some();
        let found = match record.tag {
            None => None,
            // A definition, and `struct s;` alone, declare in this very scope.
            Some(tag) if is_definition => self.names.tag_here(tag.symbol),
            Some(tag) => self.names.tag(tag.symbol),
        };
        let _ = specifiers;
        let model = match (found.map(|bound| bound.value), record.tag) {
            (Some(Tag::Record(model)), Some(tag)) => {
                let known = &self.program.types.records[model];
                if known.kind != kind {
                    let previous = known.span;
                    self.wrong_tag_kind(tag, previous);
                    return self.known.error;
                }
                if is_definition && (known.fields.is_some() || self.open_records.contains(&model)) {
                    let previous = known.span;
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, format!("`{}` is defined twice", tag.symbol))
                            .label(tag.span, "defined again here")
                            .label(previous, "first defined here"),
                    );
                    self.types().add_record(Some(tag.symbol), kind, record.span)
                } else {
                    model
                }
            }
            (Some(Tag::Enum(other)), Some(tag)) => {
                let previous = self.program.types.enums[other].span;
                self.wrong_tag_kind(tag, previous);
                return self.known.error;
            }
            (_, tag) => {
                let span = tag.map_or(record.span, |tag| tag.span);
                let model = self.types().add_record(tag.map(|tag| tag.symbol), kind, span);
                if let Some(tag) = tag {
                    self.names.bind_tag(tag.symbol, Tag::Record(model), tag.span);
                }
                model
            }
        };
        if let Some(members) = record.members {
            self.records.insert(id, model);
            if let Some(tag) = record.tag {
                self.types().records[model].span = tag.span;
            }
            self.open_records.insert(model);
            self.define_record(model, members, record);
            self.open_records.remove(&model);
        }
        self.types().intern(Type::Record(model))
    }

    fn wrong_tag_kind(&mut self, tag: ast::Name, previous: Span) {
        self.report(
            Diagnostic::error(codes::WRONG_TAG, format!("`{}` is declared as a different kind of tag", tag.symbol))
                .label(tag.span, "used here")
                .label(previous, "declared here"),
        );
    }

    fn define_record(&mut self, model: RecordId, members: ast::List<ast::MemberId>, record: &ast::Record) {
        let mut attributes = Attributes::default();
        self.attributes(record.attributes, &mut attributes);
        let unit = self.unit;
        let mut fields = Vec::new();
        let mut seen = FxHashMap::default();
        for id in unit.list(members) {
            let member = &unit[id];
            match member.kind {
                MemberKind::StaticAssert { condition, message } => self.static_assert(condition, message, member.span),
                MemberKind::Fields { specifiers, declarators } => {
                    self.member_line(specifiers, declarators, member.span, &mut fields);
                }
            }
        }
        for field in &fields {
            self.check_duplicate_member(field, &mut seen, 0);
        }
        if attributes.unsupported.is_some() {
            self.unsupported_records.insert(model);
        }
        let target = &mut self.types().records[model];
        target.fields = Some(fields);
        target.is_packed = attributes.is_packed;
        target.alignment = attributes.alignment;
        target.pack = record.pack.map(u64::from);
        target.is_transparent_union = attributes.is_transparent_union;
    }

    /// Members of anonymous members count, too; those that lie deeper than anyone writes are not looked at, so that deep
    /// nests take linear time.
    fn check_duplicate_member(&mut self, field: &Field, seen: &mut FxHashMap<Symbol, Span>, depth: u32) {
        const DEEPEST: u32 = 100;
        match field.name {
            Some(name) => {
                if let Some(previous) = seen.insert(name, field.span) {
                    self.report(
                        Diagnostic::error(codes::DUPLICATE_MEMBER, format!("member `{name}` is declared twice"))
                            .label(field.span, "declared again here")
                            .label(previous, "first declared here"),
                    );
                }
            }
            None => {
                if let Type::Record(inner) = *self.ty(field.ty.ty)
                    && depth < DEEPEST
                {
                    for inner in self.program.types.records[inner].fields.clone().unwrap_or_default() {
                        self.check_duplicate_member(&inner, seen, depth + 1);
                    }
                }
            }
        }
    }

    fn member_line(
        &mut self,
        specifiers: ast::SpecifiersId,
        declarators: ast::List<ast::MemberDeclaratorId>,
        span: Span,
        fields: &mut Vec<Field>,
    ) {
        let unit = self.unit;
        let mut specified = self.specifiers(specifiers);
        if declarators.is_empty() {
            // An anonymous struct or union; anything else declares nothing.
            let is_anonymous = match (unit[specifiers].ty, self.ty(specified.ty.ty)) {
                (ast::TypeSpecifier::Record(id), _) => unit[id].tag.is_none() || unit[id].members.is_some(),
                (ast::TypeSpecifier::TypedefName(_), Type::Record(_)) => true,
                _ => false,
            };
            if is_anonymous && matches!(self.ty(specified.ty.ty), Type::Record(_)) {
                specified.ty.ty = self.member_type(specified.ty.ty, None, span);
                fields.push(Field {
                    name: None,
                    ty: specified.ty,
                    span,
                    bits: None,
                    is_packed: specified.attributes.is_packed,
                    alignment: specified.attributes.alignment,
                    typedef_alignment: specified.typedef_alignment,
                });
            }
            return;
        }
        for id in unit.list(declarators) {
            let member = &unit[id];
            let mut own = Attributes::default();
            self.attributes(member.attributes, &mut own);
            let mut declared = self.declarator(member.declarator, &specified, ArraySizes::Evaluated);
            declared.ty.ty = self.attributed_type(declared.ty.ty, &own);
            let span = declared.name.map_or(member.span, |name| name.span);
            declared.ty.ty = self.member_type(declared.ty.ty, declared.name, span);
            let bits = member.width.and_then(|width| self.bit_width(width, declared.ty.ty, span));
            let is_typedef = declared.ty.ty == specified.ty.ty || member.width.is_some();
            fields.push(Field {
                name: declared.name.map(|name| name.symbol),
                ty: declared.ty,
                span,
                bits,
                is_packed: own.is_packed || specified.attributes.is_packed,
                alignment: own.alignment.max(specified.attributes.alignment),
                typedef_alignment: specified.typedef_alignment.filter(|_| is_typedef),
            });
        }
    }

    /// The type of a member if it can be one: a record must never contain itself.
    fn member_type(&mut self, ty: TypeId, name: Option<ast::Name>, span: Span) -> TypeId {
        let what = name.map_or("a member".to_owned(), |name| format!("member `{}`", name.symbol));
        let is_incomplete = match self.ty(ty) {
            Type::Void => true,
            Type::Record(id) => self.program.types.records[*id].fields.is_none(),
            Type::Function(_) => {
                self.error(codes::BAD_TYPE, format!("{what} is a function"), span, "use a pointer to a function");
                false
            }
            _ => false,
        };
        if is_incomplete {
            let name = self.type_name(ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                format!("{what} has the incomplete type `{name}`"),
                span,
                "its size is not known here",
            );
            return self.known.error;
        }
        ty
    }

    fn bit_width(&mut self, width: ast::ExprId, ty: TypeId, span: Span) -> Option<u32> {
        let value = self.integer_constant(width)?;
        if !self.is_integer(ty) && !self.is_error(ty) {
            let name = self.type_name(ty);
            self.error(codes::BAD_BIT_FIELD, format!("a bit-field cannot have type `{name}`"), span, "not an integer");
            return None;
        }
        let limit = match self.ty(ty) {
            Type::Bool => 1,
            _ => self.program.types.size_of(ty).unwrap_or(16) * 8,
        };
        if value < 0 || value > i128::from(limit) {
            let name = self.type_name(ty);
            let width_span = self.unit[width].span;
            self.error(
                codes::BAD_BIT_FIELD,
                format!("a bit-field of type `{name}` cannot have {value} bits"),
                width_span,
                format!("0 to {limit} are possible"),
            );
            return None;
        }
        Some(value as u32)
    }

    pub(crate) fn enum_specifier(&mut self, id: ast::EnumId) -> TypeId {
        if let Some(&known) = self.enums.get(&id) {
            return self.types().intern(Type::Enum(known));
        }
        let unit = self.unit;
        let definition = &unit[id];
        let found = definition.tag.and_then(|tag| match definition.enumerators {
            Some(_) => self.names.tag_here(tag.symbol),
            None => self.names.tag(tag.symbol),
        });
        let model = match (found.map(|bound| bound.value), definition.tag) {
            (Some(Tag::Record(other)), Some(tag)) => {
                let previous = self.program.types.records[other].span;
                self.wrong_tag_kind(tag, previous);
                return self.known.error;
            }
            (Some(Tag::Enum(model)), Some(tag)) => {
                let known = &self.program.types.enums[model];
                if known.is_complete && definition.enumerators.is_some() {
                    let previous = known.span;
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, format!("`{}` is defined twice", tag.symbol))
                            .label(tag.span, "defined again here")
                            .label(previous, "first defined here"),
                    );
                }
                model
            }
            (_, tag) => {
                let model = self.types().enums.push(Enum {
                    tag: tag.map(|tag| tag.symbol),
                    span: tag.map_or(definition.span, |tag| tag.span),
                    underlying: IntKind::UInt,
                    is_complete: false,
                    enumerators: Vec::new(),
                });
                if let Some(tag) = tag {
                    self.names.bind_tag(tag.symbol, Tag::Enum(model), tag.span);
                }
                model
            }
        };
        let fixed = definition.underlying.map(|ty| self.type_of_name(ty).ty);
        let ty = self.types().intern(Type::Enum(model));
        if let Some(enumerators) = definition.enumerators {
            self.enums.insert(id, model);
            let mut attributes = Attributes::default();
            self.attributes(definition.attributes, &mut attributes);
            self.enumerators(model, enumerators, attributes.is_packed, ty);
        }
        match fixed.map(|ty| (self.ty(ty).clone(), self.type_name(ty))) {
            Some((Type::Int(kind), name)) => {
                self.types().enums[model].underlying = kind;
                self.types().enums[model].is_complete = true;
                let format = self.int_format(kind);
                let is_inside = |value: &i128| format.min() <= *value && *value <= format.max();
                let outside =
                    self.types().enums[model].enumerators.iter().find(|(_, value)| !is_inside(value)).copied();
                if let Some((enumerator, value)) = outside {
                    let text = format!("`{enumerator}` is {value}, which `{name}` cannot hold");
                    self.error(
                        codes::INCOMPATIBLE_TYPES,
                        text,
                        definition.span,
                        "the type of this enumeration is fixed",
                    );
                }
            }
            Some((Type::Float(_) | Type::Pointer(_) | Type::Record(_) | Type::Void, name)) => {
                let text = format!("an enumeration cannot have the type `{name}`");
                self.error(codes::INCOMPATIBLE_TYPES, text, definition.span, "an integer type is needed");
            }
            _ => {}
        }
        ty
    }

    fn enumerators(&mut self, model: EnumId, list: ast::List<ast::EnumeratorId>, is_packed: bool, ty: TypeId) {
        let unit = self.unit;
        let mut next: i128 = 0;
        let mut values = Vec::with_capacity(list.len());
        for id in unit.list(list) {
            let enumerator = &unit[id];
            let value = match enumerator.value {
                Some(expr) => self.integer_constant(expr).unwrap_or(next),
                None => next,
            };
            next = value.wrapping_add(1);
            let name = enumerator.name;
            self.check_redeclaration_of_name(name, "enumerator");
            let constant = self.int_type_for(value);
            self.names.bind(name.symbol, Binding::Enumerator { value, ty: constant }, name.span);
            values.push((name.symbol, value, name.span));
        }
        let least = values.iter().map(|each| each.1).min().unwrap_or(0);
        let greatest = values.iter().map(|each| each.1).max().unwrap_or(0);
        let candidates: &[IntKind] = match (is_packed, least < 0) {
            (false, false) => &[IntKind::UInt, IntKind::ULong, IntKind::ULongLong, IntKind::UInt128],
            (false, true) => &[IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128],
            (true, false) => &[IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULongLong],
            (true, true) => &[IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::LongLong],
        };
        let holds = |kind: &IntKind| {
            let format = self.int_format(*kind);
            format.min() <= least && greatest <= format.max()
        };
        let underlying = candidates.iter().copied().find(holds).unwrap_or(IntKind::LongLong);
        // Enumerators that do not fit an `int` have the type of the enumeration.
        let is_wide = self.int_format(underlying).bits > 32;
        if is_wide {
            for &(name, value, span) in &values {
                if self.int_type_for(value) != self.known.int {
                    self.names.bind(name, Binding::Enumerator { value, ty }, span);
                }
            }
        }
        let target = &mut self.types().enums[model];
        target.underlying = underlying;
        target.is_complete = true;
        target.enumerators = values.into_iter().map(|(name, value, _)| (name, value)).collect();
    }

    /// `int` if it can hold the value, else the first larger type that can.
    fn int_type_for(&mut self, value: i128) -> TypeId {
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong];
        let fits = |kind: &IntKind| {
            let format = self.int_format(*kind);
            format.min() <= value && value <= format.max()
        };
        let kind = kinds.into_iter().find(fits).unwrap_or(IntKind::Int128);
        self.types().intern(Type::Int(kind))
    }

    /// The way to a member, through anonymous ones: a field index a step.
    pub(crate) fn find_member(&mut self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        if let Some(found) = self.members.get(&(record, name)) {
            return found.clone();
        }
        let found = self.search_member(record, name);
        if self.program.types.records[record].fields.is_some() {
            self.members.insert((record, name), found.clone());
        }
        found
    }

    fn search_member(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.search_member_inner(record, name))
    }

    fn search_member_inner(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let fields = self.program.types.records[record].fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index as u32]);
        }
        for (index, field) in fields.iter().enumerate() {
            if field.name.is_none()
                && let Type::Record(inner) = *self.ty(field.ty.ty)
                && let Some(mut path) = self.search_member(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }

    /// All names of members, for "did you mean".
    pub(crate) fn similar_member(&self, record: RecordId, name: Symbol) -> Option<Symbol> {
        let fields = self.program.types.records[record].fields.as_ref()?;
        let limit = (name.as_str().len() / 3).clamp(1, 3);
        fields
            .iter()
            .filter_map(|field| field.name)
            .filter(|other| other.as_str().len() > 1 && name.as_str().len() > 1)
            .map(|other| (quod_base::edit_distance(name.as_str(), other.as_str()), other))
            .filter(|&(distance, _)| distance <= limit)
            .min_by_key(|&(distance, other)| (distance, other.as_str()))
            .map(|(_, other)| other)
    }

    pub(crate) fn field_type(&self, record: RecordId, index: u32) -> QualType {
        let fields = self.program.types.records[record].fields.as_deref().unwrap_or_default();
        fields.get(index as usize).map_or(plain(self.known.error), |field| field.ty)
    }
}
