//! Text to model: expressions and places of one body.

use super::derive::{self, Parts};
use super::lexer::Token;
use super::parse::{Cursor, Parsed};
use super::print_expr::{BINARY_WORDS, QUANTIFIER_WORDS, UNARY_WORDS};
use crate::ir::*;
use quod_base::Span;

pub(super) struct BodyParser<'p> {
    pub(super) program: &'p mut Program,
    pub(super) body: Body,
}

impl BodyParser<'_> {
    /// `(a, b, …)`
    pub(super) fn list<T>(
        &mut self,
        cursor: &mut Cursor,
        mut item: impl FnMut(&mut Self, &mut Cursor) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        cursor.expect("(")?;
        let mut items = Vec::new();
        while !cursor.is_punct(")") {
            items.push(item(self, cursor)?);
            if !cursor.eat(",") {
                break;
            }
        }
        cursor.expect(")")?;
        Ok(items)
    }

    pub(super) fn ty(&mut self, cursor: &mut Cursor) -> Parsed<TypeId> {
        cursor.ty(&mut self.program.types)
    }

    pub(super) fn expr(&mut self, cursor: &mut Cursor) -> Parsed<ExprId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(cursor))
    }

    fn expr_here(&mut self, cursor: &mut Cursor) -> Parsed<ExprId> {
        let (kind, ty) = self.typed(cursor)?;
        let ty = match ty {
            Some(ty) => ty,
            None => derive::expr_type(self, &kind).ok_or("the type of this expression is expected: `(e : type)`")?,
        };
        Ok(self.body.exprs.push(Expr { kind, ty, span: Span::NONE }))
    }

    /// An expression and the type that is written with it, if any.
    fn typed(&mut self, cursor: &mut Cursor) -> Parsed<(ExprKind, Option<TypeId>)> {
        if !cursor.eat("(") {
            return Ok((self.primary(cursor)?, None));
        }
        // `(- e)`, `(a + b)`, `(c ? a : b)`, or `(e : type)` around any of these or a primary.
        for &(op, word) in UNARY_WORDS {
            if cursor.eat(word) {
                let operand = self.expr(cursor)?;
                cursor.expect(")")?;
                return Ok((ExprKind::Unary(op, operand), None));
            }
        }
        let (kind, inner) = self.typed(cursor)?;
        if inner.is_none() && cursor.eat(":") {
            let ty = self.ty(cursor)?;
            cursor.expect(")")?;
            return Ok((kind, Some(ty)));
        }
        let ty = inner.or_else(|| derive::expr_type(self, &kind)).ok_or("the type of this expression is expected")?;
        let left = self.body.exprs.push(Expr { kind, ty, span: Span::NONE });
        let kind = self.operator(cursor, left)?;
        cursor.expect(")")?;
        Ok((kind, None))
    }

    fn operator(&mut self, cursor: &mut Cursor, left: ExprId) -> Parsed<ExprKind> {
        if cursor.eat("&&") {
            return Ok(ExprKind::LogicalAnd(left, self.expr(cursor)?));
        }
        if cursor.eat("||") {
            return Ok(ExprKind::LogicalOr(left, self.expr(cursor)?));
        }
        if cursor.eat("=>") {
            return Ok(ExprKind::Implies(left, self.expr(cursor)?));
        }
        if cursor.eat("?") {
            let then = self.expr(cursor)?;
            cursor.expect(":")?;
            return Ok(ExprKind::Conditional { condition: left, then, otherwise: self.expr(cursor)? });
        }
        let op = self.binary_operator(cursor)?;
        Ok(ExprKind::Binary(op, left, self.expr(cursor)?))
    }

    fn binary_operator(&mut self, cursor: &mut Cursor) -> Parsed<BinaryOp> {
        let row = BINARY_WORDS.iter().find(|row| cursor.is_punct(row.1) || cursor.is_word(row.1));
        let op = row.ok_or("an operator is expected")?.0;
        cursor.advance();
        Ok(op)
    }

    fn primary(&mut self, cursor: &mut Cursor) -> Parsed<ExprKind> {
        match cursor.peek() {
            Token::Number(_) => return Ok(ExprKind::Int(cursor.number()?)),
            Token::Punct("&") => {
                cursor.advance();
                return Ok(ExprKind::AddressOf(self.place(cursor)?));
            }
            Token::Punct("{") => {
                cursor.advance();
                let mut parts = Vec::new();
                while !cursor.is_punct("}") {
                    parts.push(self.expr(cursor)?);
                    if !cursor.eat(",") {
                        break;
                    }
                }
                cursor.expect("}")?;
                return Ok(ExprKind::Aggregate(parts));
            }
            Token::Word(word) if *cursor.peek_second() == Token::Punct("(") => {
                let word = word.clone();
                if let Some(kind) = self.function_form(cursor, &word)? {
                    return Ok(kind);
                }
            }
            _ => {}
        }
        Ok(ExprKind::Load(self.place(cursor)?))
    }

    /// `word(…)`; `None` where the word begins a place.
    fn function_form(&mut self, cursor: &mut Cursor, word: &str) -> Parsed<Option<ExprKind>> {
        if matches!(word, "outer" | "string" | "real" | "imaginary" | "temporary") {
            return Ok(None);
        }
        cursor.advance();
        cursor.expect("(")?;
        let kind = match word {
            "float" => match cursor.advance() {
                Token::Bits(bits) => ExprKind::Float { bits, text: cursor.string()? },
                _ => return Err("bits in hexadecimal are expected".into()),
            },
            "function" => ExprKind::Function(cursor.named()?.1),
            "label" => {
                let function = cursor.named()?.1;
                ExprKind::Label { function, label: cursor.id()? }
            }
            "convert" => ExprKind::Convert(self.expr(cursor)?),
            "add" => {
                let (pointer, index) = self.pair(cursor)?;
                ExprKind::PointerAdd { pointer, index }
            }
            "difference" => {
                let (left, right) = self.pair(cursor)?;
                ExprKind::PointerDifference(left, right)
            }
            "real_of" => ExprKind::RealPart(self.expr(cursor)?),
            "imaginary_of" => ExprKind::ImaginaryPart(self.expr(cursor)?),
            "complex" => {
                let (real, imaginary) = self.pair(cursor)?;
                ExprKind::MakeComplex { real, imaginary }
            }
            "builtin" => ExprKind::Builtin { name: cursor.string()?, arguments: self.tail(cursor)? },
            "sizeof" => ExprKind::SizeOf(self.ty(cursor)?),
            _ => match self.predicate(cursor, word)? {
                Some(predicate) => ExprKind::Predicate(predicate),
                None => ExprKind::Civl(self.civl(cursor, word)?),
            },
        };
        cursor.expect(")")?;
        Ok(Some(kind))
    }

    fn pair(&mut self, cursor: &mut Cursor) -> Parsed<(ExprId, ExprId)> {
        let left = self.expr(cursor)?;
        cursor.expect(",")?;
        Ok((left, self.expr(cursor)?))
    }

    /// `, e, e` up to the closing parenthesis.
    fn tail(&mut self, cursor: &mut Cursor) -> Parsed<Vec<ExprId>> {
        let mut items = Vec::new();
        while cursor.eat(",") {
            items.push(self.expr(cursor)?);
        }
        Ok(items)
    }

    fn predicate(&mut self, cursor: &mut Cursor, word: &str) -> Parsed<Option<Predicate>> {
        Ok(Some(match word {
            "valid_read" | "valid_write" => {
                let (pointer, size) = self.pair(cursor)?;
                let access = if word == "valid_read" { Access::Read } else { Access::Write };
                Predicate::ValidAccess { pointer, size, access }
            }
            "valid_free" => Predicate::ValidFree(self.expr(cursor)?),
            "valid_add" => {
                let (pointer, index) = self.pair(cursor)?;
                Predicate::ValidPointerAdd { pointer, index }
            }
            "same_object" => {
                let (left, right) = self.pair(cursor)?;
                Predicate::SameObject(left, right)
            }
            "initialised" => Predicate::Initialised(self.place(cursor)?),
            "fits" | "valid_shift" => {
                let left = self.expr(cursor)?;
                let op = self.binary_operator(cursor)?;
                let right = self.expr(cursor)?;
                if word == "fits" {
                    Predicate::FitsBinary(op, left, right)
                } else {
                    Predicate::ValidShift(op, left, right)
                }
            }
            "fits_unary" => {
                let row = UNARY_WORDS.iter().find(|row| cursor.is_punct(row.1)).ok_or("an operator is expected")?;
                cursor.advance();
                Predicate::FitsUnary(row.0, self.expr(cursor)?)
            }
            "fits_in" | "is_aligned" | "callable" => {
                let value = self.expr(cursor)?;
                cursor.expect(",")?;
                let ty = self.ty(cursor)?;
                match word {
                    "fits_in" => Predicate::FitsConversion { value, target: ty },
                    "is_aligned" => Predicate::Aligned { pointer: value, ty },
                    _ => Predicate::Callable { pointer: value, ty },
                }
            }
            "union_member" => Predicate::UnionMember(self.place(cursor)?),
            _ => return Ok(None),
        }))
    }

    fn civl(&mut self, cursor: &mut Cursor, word: &str) -> Parsed<CivlExpr> {
        if let Some(row) = QUANTIFIER_WORDS.iter().find(|row| row.1 == word) {
            return self.quantified(cursor, row.0);
        }
        Ok(match word {
            "self" => CivlExpr::SelfProcess,
            "null_process" => CivlExpr::NullProcess,
            "here" => CivlExpr::Here,
            "root" => CivlExpr::Root,
            "scope_of" => CivlExpr::ScopeOf(self.place(cursor)?),
            "range" => {
                let (low, high) = self.pair(cursor)?;
                CivlExpr::Range { low, high, step: self.tail(cursor)?.first().copied() }
            }
            "make_domain" => {
                let mut ranges = Vec::new();
                while !cursor.is_punct(")") {
                    ranges.push(self.expr(cursor)?);
                    if !cursor.eat(",") {
                        break;
                    }
                }
                CivlExpr::Domain(ranges)
            }
            "lambda" => {
                let bound = cursor.named()?.1;
                cursor.expect_word("do")?;
                CivlExpr::Lambda { bound, body: self.expr(cursor)? }
            }
            "apply" => CivlExpr::Abstract { function: cursor.named()?.1, arguments: self.tail(cursor)? },
            "derivative" => {
                let function = cursor.named()?.1;
                let mut orders = Vec::new();
                cursor.expect("[")?;
                while !cursor.is_punct("]") {
                    orders.push((cursor.string()?, cursor.natural()? as u32));
                    cursor.eat(",");
                }
                cursor.expect("]")?;
                CivlExpr::Derivative { function, orders, arguments: self.tail(cursor)? }
            }
            "big_o" => CivlExpr::BigO(self.expr(cursor)?),
            "library" => CivlExpr::Library { name: cursor.string()?, arguments: self.tail(cursor)? },
            _ => return cursor.reject(format!("`{word}` is not an expression")),
        })
    }

    fn quantified(&mut self, cursor: &mut Cursor, kind: Quantifier) -> Parsed<CivlExpr> {
        let mut bound = Vec::new();
        loop {
            let variable = cursor.named()?.1;
            let range = if cursor.eat_word("in") { Some(self.expr(cursor)?) } else { None };
            bound.push(BoundVariable { variable, range });
            if !cursor.eat(",") {
                break;
            }
        }
        let restriction = if cursor.eat_word("where") { Some(self.expr(cursor)?) } else { None };
        cursor.expect_word("do")?;
        Ok(CivlExpr::Quantified { kind, bound, restriction, body: self.expr(cursor)? })
    }

    pub(super) fn place(&mut self, cursor: &mut Cursor) -> Parsed<PlaceId> {
        let mut place = self.place_start(cursor)?;
        loop {
            let kind = if cursor.eat(".") {
                let (_, index): (_, LocalId) = cursor.named()?;
                PlaceKind::Field(place, quod_base::Id::index(index) as u32)
            } else if cursor.eat("[") {
                let index = self.expr(cursor)?;
                cursor.expect("]")?;
                PlaceKind::Index(place, index)
            } else {
                return Ok(place);
            };
            place = self.push_place(kind)?;
        }
    }

    fn push_place(&mut self, kind: PlaceKind) -> Parsed<PlaceId> {
        let ty = derive::place_type(self, &kind).ok_or("the type of this place is expected: `<place : type>`")?;
        Ok(self.body.places.push(Place { kind, ty, span: Span::NONE }))
    }

    fn place_start(&mut self, cursor: &mut Cursor) -> Parsed<PlaceId> {
        if cursor.eat("<") {
            let kind = self.place_kind_in_brackets(cursor)?;
            cursor.expect(":")?;
            let ty = self.ty(cursor)?;
            cursor.expect(">")?;
            return Ok(self.body.places.push(Place { kind, ty, span: Span::NONE }));
        }
        let kind = self.simple_place(cursor)?;
        self.push_place(kind)
    }

    /// The last projection is the one whose type is written behind it.
    fn place_kind_in_brackets(&mut self, cursor: &mut Cursor) -> Parsed<PlaceKind> {
        let mut kind = if cursor.is_punct("<") {
            let inner = self.place_start(cursor)?;
            self.projection(cursor, inner)?
        } else {
            self.simple_place(cursor)?
        };
        while !cursor.is_punct(":") {
            let base = self.push_place(kind)?;
            kind = self.projection(cursor, base)?;
        }
        Ok(kind)
    }

    fn projection(&mut self, cursor: &mut Cursor, base: PlaceId) -> Parsed<PlaceKind> {
        if cursor.eat(".") {
            let (_, index): (_, LocalId) = cursor.named()?;
            return Ok(PlaceKind::Field(base, quod_base::Id::index(index) as u32));
        }
        cursor.expect("[")?;
        let index = self.expr(cursor)?;
        cursor.expect("]")?;
        Ok(PlaceKind::Index(base, index))
    }

    fn simple_place(&mut self, cursor: &mut Cursor) -> Parsed<PlaceKind> {
        if cursor.eat("*") {
            cursor.expect("(")?;
            let pointer = self.expr(cursor)?;
            cursor.expect(")")?;
            return Ok(PlaceKind::Deref(pointer));
        }
        if cursor.eat("@") {
            return Ok(PlaceKind::Variable(VariableRef::Global(cursor.named()?.1)));
        }
        if *cursor.peek_second() != Token::Punct("(") {
            return Ok(PlaceKind::Variable(VariableRef::Local(cursor.named()?.1)));
        }
        let word = cursor.word()?;
        cursor.expect("(")?;
        let kind = match word.as_str() {
            "outer" => {
                let levels = cursor.natural()? as u32;
                PlaceKind::Variable(VariableRef::Enclosing { levels, local: cursor.id()? })
            }
            "string" => PlaceKind::String(cursor.id()?),
            "real" => PlaceKind::RealPart(self.place(cursor)?),
            "imaginary" => PlaceKind::ImaginaryPart(self.place(cursor)?),
            "temporary" => PlaceKind::Temporary(cursor.id()?),
            _ => return cursor.reject(format!("`{word}` is not a place")),
        };
        cursor.expect(")")?;
        Ok(kind)
    }
}

impl Parts for BodyParser<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn body(&self) -> &Body {
        &self.body
    }
    fn intern(&mut self, ty: Type) -> Option<TypeId> {
        Some(self.program.types.intern(ty))
    }
}
