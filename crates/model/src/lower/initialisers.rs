//! Initialisers: scalars, strings, and braced lists with designators, ranges and elided braces.
//!
//! An aggregate is zeroed first and then gets its written elements one by one. A stack of frames walks the sub-objects in
//! order, so that a list without inner braces fills nested aggregates; a designator moves the walk.

use super::Lowerer;
use super::expressions::{Operand, Purpose};
use super::types::plain;
use crate::ir::*;
use quod_base::Span;
use quod_diag::codes;
use quod_syntax::ast::{self, DesignatorKind, InitializerKind};

/// A literal this much shorter than its array is written element by element, so that the string table stays small.
const MOST_PADDING: u64 = 256;

/// An aggregate that is being filled, and the next part of it.
#[derive(Clone, Debug)]
struct Frame {
    place: PlaceId,
    ty: TypeId,
    next: u64,
}

impl Lowerer<'_> {
    /// Initialises a place; gives its type, completed where it was an array of unknown length.
    pub(crate) fn initialise(&mut self, place: PlaceId, ty: QualType, initializer: ast::InitializerId) -> TypeId {
        if self.is_error(ty.ty) {
            return ty.ty;
        }
        let node = self.unit[initializer];
        match node.kind {
            InitializerKind::Expr(expr) => {
                if self.initialise_string(place, ty.ty, expr) {
                    return self.complete_string(place, ty.ty, expr);
                }
                match self.ty(ty.ty) {
                    Type::Array { .. } => return self.initialise_array_value(place, ty.ty, expr, node.span),
                    _ => self.initialise_scalar(place, ty.ty, expr),
                }
                ty.ty
            }
            // `($domain)` may be left out.
            InitializerKind::List(_) if matches!(self.ty(ty.ty), Type::Domain(_)) => {
                let domain = self.domain_literal(ty.ty, initializer, node.span);
                self.initialise_with(place, ty.ty, domain);
                ty.ty
            }
            InitializerKind::List(list) => self.initialise_list(place, ty.ty, list, node.span),
        }
    }

    fn initialise_list(
        &mut self,
        place: PlaceId,
        ty: TypeId,
        list: ast::List<ast::InitializerId>,
        span: Span,
    ) -> TypeId {
        let first = self.unit.get(list, 0);
        if !self.is_aggregate(ty) {
            return self.initialise_braced_scalar(place, ty, list, span);
        }
        // `char a[] = { "text" }`
        if let (Some(first), 1) = (first, list.len())
            && self.unit[first].designators.is_empty()
            && let InitializerKind::Expr(expr) = self.unit[first].kind
            && self.initialise_string(place, ty, expr)
        {
            return self.complete_string(place, ty, expr);
        }
        if let Type::Record(record) = *self.ty(ty)
            && self.unsupported_records.contains(&record)
        {
            self.unsupported("a record with `scalar_storage_order`", span);
        }
        self.b().emit(Step::Zero(place), span);
        let longest = self.fill(place, ty, list);
        let completed = match *self.ty(ty) {
            Type::Array { element, length: ArrayLength::Incomplete } => {
                self.types().intern(Type::Array { element, length: ArrayLength::Fixed(longest) })
            }
            Type::Record(_) => return self.grown_record(place, ty, longest),
            _ => ty,
        };
        self.b().body.places[place].ty = completed;
        completed
    }

    /// A flexible array member that got elements makes the object larger than its type.
    fn grown_record(&mut self, place: PlaceId, ty: TypeId, flexible: u64) -> TypeId {
        let Type::Record(id) = *self.ty(ty) else { return ty };
        let is_flexible = self.flexible_member(ty).is_some();
        if !is_flexible || flexible == 0 {
            return ty;
        }
        let mut record = self.program.types.records[id].clone();
        record.layout = Default::default();
        if let Some(last) = record.fields.as_mut().and_then(|fields| fields.last_mut())
            && let Type::Array { element, .. } = *self.ty(last.ty.ty)
        {
            last.ty.ty = self.types().intern(Type::Array { element, length: ArrayLength::Fixed(flexible) });
        }
        let grown = self.types().records.push(record);
        let grown = self.types().intern(Type::Record(grown));
        self.b().body.places[place].ty = grown;
        grown
    }

    fn flexible_member(&self, ty: TypeId) -> Option<u32> {
        let Type::Record(id) = *self.ty(ty) else { return None };
        let fields = self.program.types.records[id].fields.as_ref()?;
        let last = fields.last()?;
        let is_open =
            matches!(self.ty(last.ty.ty), Type::Array { length: ArrayLength::Incomplete | ArrayLength::Fixed(0), .. });
        is_open.then_some(fields.len() as u32 - 1)
    }

    fn initialise_braced_scalar(
        &mut self,
        place: PlaceId,
        ty: TypeId,
        list: ast::List<ast::InitializerId>,
        span: Span,
    ) -> TypeId {
        match self.unit.get(list, 0) {
            None => {
                self.b().emit(Step::Zero(place), span);
            }
            Some(first) => {
                if list.len() > 1 {
                    self.excess(self.unit.get(list, 1));
                }
                match self.unit[first].kind {
                    InitializerKind::Expr(expr) => self.initialise_scalar(place, ty, expr),
                    InitializerKind::List(inner) => {
                        stacker::maybe_grow(64 << 10, 1 << 20, || self.initialise_list(place, ty, inner, span));
                    }
                }
            }
        }
        ty
    }

    fn excess(&mut self, initializer: Option<ast::InitializerId>) {
        if let Some(initializer) = initializer {
            let span = self.unit[initializer].span;
            self.warning(codes::BAD_INITIALISER, "more initialisers than elements", span, "ignored");
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Type::Array { .. } | Type::Record(_) | Type::Vector { .. })
    }

    fn initialise_scalar(&mut self, place: PlaceId, ty: TypeId, expr: ast::ExprId) {
        let operand = self.operand(expr);
        self.initialise_with(place, ty, operand);
    }

    fn initialise_with(&mut self, place: PlaceId, ty: TypeId, operand: Operand) {
        let span = operand.span;
        let value = self.to_value(operand);
        let value = self.convert_for(value, ty, Purpose::Initialisation, span);
        if self.is_error(self.type_of(value)) {
            return;
        }
        if self.active == 0 && !self.is_civl() && !self.is_load_time_constant(value) {
            self.error(
                codes::NOT_CONSTANT,
                "the initialiser of a static object is not constant",
                span,
                "not a constant",
            );
            return;
        }
        self.b().emit(Step::Assign { place, value }, span);
    }

    /// CIVL-C assigns arrays; C has only compound literals and strings here.
    fn initialise_array_value(&mut self, place: PlaceId, ty: TypeId, expr: ast::ExprId, span: Span) -> TypeId {
        let value = self.array_value(expr);
        let source = self.type_of(value);
        let is_literal =
            matches!(self.unit[self.unit.without_parentheses(expr)].kind, ast::ExprKind::CompoundLiteral { .. });
        if self.is_error(source) {
            return self.known.error;
        }
        if !matches!(self.ty(source), Type::Array { .. }) || !(self.is_civl() || is_literal) {
            self.error(codes::BAD_INITIALISER, "an array needs a braced initialiser", span, "expected `{ … }`");
            return self.known.error;
        }
        let completed = match (self.ty(ty).clone(), self.ty(source).clone()) {
            // In CIVL-C a variable without a length keeps it open: it may become longer.
            (Type::Array { length: ArrayLength::Incomplete, .. }, Type::Array { .. })
                if is_literal || !self.is_civl() =>
            {
                source
            }
            _ => ty,
        };
        self.b().body.places[place].ty = completed;
        let value = self.convert_for(value, completed, Purpose::Initialisation, span);
        if !self.is_error(self.type_of(value)) {
            self.b().emit(Step::Assign { place, value }, span);
        }
        completed
    }

    fn string_of(&self, expr: ast::ExprId) -> Option<ast::StringId> {
        match self.unit[self.unit.without_parentheses(expr)].kind {
            ast::ExprKind::String(id) => Some(id),
            _ => None,
        }
    }

    /// `char a[10] = "text"`: whether the expression is a string that fills this array.
    fn initialise_string(&mut self, place: PlaceId, ty: TypeId, expr: ast::ExprId) -> bool {
        let Type::Array { element, length } = *self.ty(ty) else { return false };
        let Some(id) = self.string_of(expr) else { return false };
        let own = self.string_element(id);
        let same_size = self.program.types.size_of(own) == self.program.types.size_of(element.ty);
        if !same_size || self.int_kind(element.ty).is_none() {
            return false;
        }
        let span = self.unit[expr].span;
        let mut elements = self.string_elements(id);
        let written = elements.len() as u64 + 1;
        let length = match length {
            ArrayLength::Fixed(length) => length,
            _ => written,
        };
        if length < written - 1 {
            self.warning(codes::BAD_INITIALISER, "this string is longer than its array", span, "cut at the end");
        }
        if length > written + MOST_PADDING {
            self.b().emit(Step::Zero(place), span);
            for (index, value) in elements.into_iter().enumerate() {
                let difference = self.known.difference;
                let index = self.int_value(index as i128, difference, span);
                let part = self.b().place(PlaceKind::Index(place, index), element.ty, span);
                let value = self.int_value(i128::from(value), self.known.unsigned, span);
                let value = self.convert(value, element.ty, span);
                self.b().emit(Step::Assign { place: part, value }, span);
            }
            return true;
        }
        elements.resize(length as usize, 0);
        let completed =
            self.types().intern(Type::Array { element: plain(element.ty), length: ArrayLength::Fixed(length) });
        let string = self.pool_string(elements, completed, span);
        let source = self.b().place(PlaceKind::String(string), completed, span);
        let mut value = self.b().load(source, span);
        let target = self.types().intern(Type::Array { element, length: ArrayLength::Fixed(length) });
        self.b().body.places[place].ty = target;
        if target != completed {
            value = self.b().expr(ExprKind::Load(source), target, span);
        }
        self.b().emit(Step::Assign { place, value }, span);
        true
    }

    fn complete_string(&mut self, place: PlaceId, ty: TypeId, _expr: ast::ExprId) -> TypeId {
        match *self.ty(ty) {
            Type::Array { length: ArrayLength::Incomplete, .. } => self.b().body.places[place].ty,
            _ => ty,
        }
    }

    /// How many parts an aggregate has; `None` without a limit.
    fn part_count(&self, ty: TypeId) -> Option<u64> {
        match *self.ty(ty) {
            Type::Array { length: ArrayLength::Fixed(length), .. } => Some(length),
            Type::Array { .. } => None,
            Type::Vector { lanes, .. } => Some(lanes),
            Type::Record(id) => {
                let record = &self.program.types.records[id];
                let fields = record.fields.as_ref().map_or(0, Vec::len) as u64;
                Some(fields)
            }
            _ => Some(0),
        }
    }

    /// Moves a frame over members that cannot be initialised; in a union only the first counts.
    fn skip_unnamed(&self, frame: &mut Frame) {
        let Type::Record(id) = *self.ty(frame.ty) else { return };
        let record = &self.program.types.records[id];
        let fields = record.fields.as_deref().unwrap_or_default();
        while let Some(field) = fields.get(frame.next as usize) {
            if field.name.is_none() && field.bits.is_some() {
                frame.next += 1;
            } else {
                break;
            }
        }
    }

    /// After a part was written, the next one; a union is full after any.
    fn advance(&self, frame: &mut Frame) {
        match *self.ty(frame.ty) {
            Type::Record(id) if self.program.types.records[id].kind == RecordKind::Union => frame.next = u64::MAX,
            _ => frame.next += 1,
        }
    }

    fn part(&mut self, frame: &Frame, span: Span) -> Option<(PlaceId, TypeId)> {
        match *self.ty(frame.ty) {
            Type::Array { element, .. } => {
                let difference = self.known.difference;
                let index = self.int_value(i128::from(frame.next), difference, span);
                let place = self.b().place(PlaceKind::Index(frame.place, index), element.ty, span);
                Some((place, element.ty))
            }
            Type::Vector { element, .. } => {
                let difference = self.known.difference;
                let index = self.int_value(i128::from(frame.next), difference, span);
                let place = self.b().place(PlaceKind::Index(frame.place, index), element, span);
                Some((place, element))
            }
            Type::Record(id) => {
                let index = u32::try_from(frame.next).ok()?;
                let fields = self.program.types.records[id].fields.as_ref()?;
                let ty = fields.get(index as usize)?.ty.ty;
                let place = self.b().place(PlaceKind::Field(frame.place, index), ty, span);
                Some((place, ty))
            }
            _ => None,
        }
    }

    /// Fills an aggregate from a braced list; gives the number of elements that the outermost array, or the flexible
    /// member of the outermost record, must have.
    fn fill(&mut self, place: PlaceId, ty: TypeId, list: ast::List<ast::InitializerId>) -> u64 {
        let unit = self.unit;
        let mut stack = vec![Frame { place, ty, next: 0 }];
        let mut longest = 0;
        let flexible = self.flexible_member(ty);
        for id in unit.list(list) {
            let node = unit[id];
            let mut last = 0;
            if !node.designators.is_empty() {
                stack.truncate(1);
                match self.designate(&mut stack, node.designators, node.span) {
                    Some(count) => last = count,
                    None => continue,
                }
            }
            let before = stack.clone();
            for repeat in 0..=last {
                if repeat > 0 {
                    stack.clone_from(&before);
                    if let Some(frame) = stack.last_mut() {
                        frame.next += repeat;
                    }
                }
                if !self.fill_one(&mut stack, id, &mut longest, flexible) {
                    break;
                }
            }
        }
        longest
    }

    /// Follows designators from the outermost frame; gives how many further elements a range has.
    fn designate(
        &mut self,
        stack: &mut Vec<Frame>,
        designators: ast::List<ast::DesignatorId>,
        span: Span,
    ) -> Option<u64> {
        let unit = self.unit;
        let count = designators.len();
        let mut further = 0;
        for (position, id) in unit.list(designators).enumerate() {
            let designator = unit[id];
            let ty = stack.last()?.ty;
            let path = match (designator.kind, self.ty(ty).clone()) {
                (DesignatorKind::Field(name), Type::Record(record)) => {
                    let Some(path) = self.find_member(record, name.symbol) else {
                        let operand = self.error_operand(designator.span);
                        self.member_of(Operand { ty, ..operand }, name, designator.span);
                        return None;
                    };
                    path.into_iter().map(u64::from).collect::<Vec<_>>()
                }
                (DesignatorKind::Index(expr), Type::Array { .. } | Type::Vector { .. }) => {
                    vec![self.designated_index(expr, ty)?]
                }
                (DesignatorKind::Range { low, high }, Type::Array { .. } | Type::Vector { .. }) => {
                    let low_index = self.designated_index(low, ty)?;
                    let high_index = self.designated_index(high, ty)?;
                    further = high_index.saturating_sub(low_index);
                    vec![low_index]
                }
                (_, Type::Error) => return None,
                _ => {
                    let name = self.type_name(ty);
                    self.error(
                        codes::BAD_INITIALISER,
                        format!("this designator does not fit `{name}`"),
                        designator.span,
                        "no such part",
                    );
                    return None;
                }
            };
            let steps = path.len();
            for (step, index) in path.into_iter().enumerate() {
                stack.last_mut()?.next = index;
                if position + 1 < count || step + 1 < steps {
                    let frame = stack.last()?.clone();
                    let (place, ty) = self.part(&frame, span)?;
                    stack.push(Frame { place, ty, next: 0 });
                }
            }
        }
        Some(further)
    }

    fn designated_index(&mut self, expr: ast::ExprId, ty: TypeId) -> Option<u64> {
        let span = self.unit[expr].span;
        let index = self.integer_constant(expr)?;
        let limit = self.part_count(ty);
        let is_inside = index >= 0 && limit.is_none_or(|limit| (index as u128) < u128::from(limit));
        if !is_inside || index > 1 << 40 {
            self.error(
                codes::BAD_INITIALISER,
                "this designator is outside the array",
                span,
                format!("this is {index}"),
            );
            return None;
        }
        Some(index as u64)
    }

    /// Puts one initialiser where the walk stands. False if there is no room.
    fn fill_one(
        &mut self,
        stack: &mut Vec<Frame>,
        id: ast::InitializerId,
        longest: &mut u64,
        flexible: Option<u32>,
    ) -> bool {
        let node = self.unit[id];
        let is_designated = !node.designators.is_empty();
        let mut operand: Option<Operand> = None;
        loop {
            // Go up from aggregates that are full.
            while let Some(frame) = stack.last_mut() {
                let mut copy = frame.clone();
                self.skip_unnamed(&mut copy);
                frame.next = copy.next;
                let is_full = self.part_count(copy.ty).is_some_and(|count| copy.next >= count)
                    && !(stack.len() == 2
                        && flexible.is_some_and(|field| stack[0].next == u64::from(field))
                        && copy.next != u64::MAX);
                if !is_full {
                    break;
                }
                stack.pop();
                match stack.last_mut() {
                    Some(outer) => {
                        let mut copy = outer.clone();
                        self.advance(&mut copy);
                        outer.next = copy.next;
                    }
                    None => {
                        self.excess(Some(id));
                        return false;
                    }
                }
            }
            let Some(frame) = stack.last().cloned() else { return false };
            self.note_length(stack, longest, flexible);
            let Some((place, ty)) = self.part(&frame, node.span) else { return false };
            let done = match node.kind {
                InitializerKind::List(inner) => {
                    self.fill_braced(place, ty, inner, node.span, is_designated, longest, flexible, stack);
                    true
                }
                InitializerKind::Expr(expr) => {
                    if !self.is_aggregate(ty) {
                        let value = match operand {
                            Some(operand) => operand,
                            None => self.operand(expr),
                        };
                        self.initialise_with(place, ty, value);
                        true
                    } else if self.fill_string(place, ty, expr, longest, flexible, stack) {
                        true
                    } else if self.string_of(expr).is_some() {
                        // It belongs to an array further inside, or to a pointer.
                        false
                    } else {
                        let value = match operand {
                            Some(operand) => operand,
                            None => self.operand(expr),
                        };
                        operand = Some(value);
                        let is_whole = match self.ty(ty) {
                            Type::Array { .. } => {
                                self.is_civl()
                                    && matches!(self.ty(value.ty), Type::Array { .. })
                                    && self.compatible(value.ty, ty)
                            }
                            _ => self.compatible(value.ty, ty) || self.is_error(value.ty),
                        };
                        if is_whole {
                            self.initialise_with(place, ty, value);
                        }
                        is_whole
                    }
                }
            };
            if done {
                if let Some(frame) = stack.last_mut() {
                    let mut copy = frame.clone();
                    self.advance(&mut copy);
                    frame.next = copy.next;
                }
                return true;
            }
            if stack.len() > 500 {
                return false;
            }
            stack.push(Frame { place, ty, next: 0 });
        }
    }

    /// An aggregate inside the list with braces of its own.
    #[allow(clippy::too_many_arguments)]
    fn fill_braced(
        &mut self,
        place: PlaceId,
        ty: TypeId,
        list: ast::List<ast::InitializerId>,
        span: Span,
        is_designated: bool,
        longest: &mut u64,
        flexible: Option<u32>,
        stack: &[Frame],
    ) {
        if !self.is_aggregate(ty) {
            self.initialise_braced_scalar(place, ty, list, span);
            return;
        }
        if let (Some(first), 1) = (self.unit.get(list, 0), list.len())
            && let InitializerKind::Expr(expr) = self.unit[first].kind
            && self.unit[first].designators.is_empty()
            && self.initialise_string(place, ty, expr)
        {
            return;
        }
        let is_open =
            matches!(self.ty(ty), Type::Array { length: ArrayLength::Incomplete | ArrayLength::Fixed(0), .. });
        if is_designated && !is_open {
            // It may have been written before: what is not written now is zero again.
            self.b().emit(Step::Zero(place), span);
        }
        let count = stacker::maybe_grow(64 << 10, 1 << 20, || self.fill(place, ty, list));
        if stack.len() == 1 && flexible.is_some_and(|field| stack[0].next == u64::from(field)) {
            *longest = (*longest).max(count);
        }
    }

    fn fill_string(
        &mut self,
        place: PlaceId,
        ty: TypeId,
        expr: ast::ExprId,
        longest: &mut u64,
        flexible: Option<u32>,
        stack: &[Frame],
    ) -> bool {
        if !self.initialise_string(place, ty, expr) {
            return false;
        }
        if stack.len() == 1
            && flexible.is_some_and(|field| stack[0].next == u64::from(field))
            && let Some(id) = self.string_of(expr)
        {
            *longest = (*longest).max(self.unit[id].len() as u64 + 1);
        }
        true
    }

    /// Keeps count of how long an open array has become.
    fn note_length(&self, stack: &[Frame], longest: &mut u64, flexible: Option<u32>) {
        match flexible {
            Some(field) => {
                if stack.len() == 2 && stack[0].next == u64::from(field) {
                    *longest = (*longest).max(stack[1].next + 1);
                }
            }
            None => *longest = (*longest).max(stack[0].next.saturating_add(1)),
        }
    }
}
