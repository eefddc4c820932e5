//! Text to model: the cursor over tokens, types, and small parts. Declarations are in `parse_items`, expressions in
//! `parse_expr`.

use super::lexer::{Lexeme, Token, lex};
use super::parse_items;
use super::print::{FLOAT_WORDS, INT_WORDS};
use crate::ir::*;
use quod_base::{Id, Symbol};

/// What is wrong with the text, with line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct TextError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// Read a model that `print` wrote. The result is checked by the validator before it is given out.
pub fn parse(text: &str) -> Result<Program, TextError> {
    let error = |offset: usize, message: String| {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let column = 1 + before.len() - memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        TextError { line, column, message }
    };
    let tokens = lex(text).map_err(|(offset, message)| error(offset, message))?;
    let mut cursor = Cursor { tokens, at: 0 };
    let program = parse_items::program(&mut cursor).map_err(|message| error(cursor.offset(), message))?;
    crate::validate::validate(&program).map_err(|fault| error(text.len(), fault.to_string()))?;
    Ok(program)
}

/// A message; its place is where the cursor stopped.
pub(super) type Parsed<T> = Result<T, String>;

pub(super) struct Cursor {
    tokens: Vec<Lexeme>,
    at: usize,
}

impl Cursor {
    fn offset(&self) -> usize {
        self.tokens[self.at].offset
    }
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }
    pub(super) fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }
    /// Whether a name follows, `n%3`: a word with its `%` close behind. In `return %3`, `return` is none.
    pub(super) fn is_at_name(&self) -> bool {
        match (&self.tokens[self.at], self.tokens.get(self.at + 1)) {
            (Lexeme { token: Token::Word(word), offset }, Some(second)) => {
                second.token == Token::Punct("%") && second.offset == offset + word.len()
            }
            _ => false,
        }
    }
    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }
    /// The token before the cursor is the one that is wrong.
    pub(super) fn reject<T>(&mut self, message: String) -> Parsed<T> {
        self.at = self.at.saturating_sub(1);
        Err(message)
    }
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }
    pub(super) fn is_punct(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }
    pub(super) fn eat(&mut self, punct: &str) -> bool {
        let is_there = self.is_punct(punct);
        if is_there {
            self.advance();
        }
        is_there
    }
    pub(super) fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(format!("`{punct}` is expected")) }
    }
    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(format!("`{word}` is expected")) }
    }
    pub(super) fn word(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => Err("a word is expected".into()),
        }
    }
    pub(super) fn string(&mut self) -> Parsed<Symbol> {
        self.optional_string().ok_or_else(|| "a string is expected".into())
    }
    pub(super) fn optional_string(&mut self) -> Option<Symbol> {
        let Token::String(text) = self.peek() else { return None };
        let symbol = Symbol::intern(text);
        self.advance();
        Some(symbol)
    }
    pub(super) fn number(&mut self) -> Parsed<i128> {
        match *self.peek() {
            Token::Number(value) => {
                self.advance();
                Ok(value)
            }
            _ => Err("a number is expected".into()),
        }
    }
    pub(super) fn natural(&mut self) -> Parsed<u64> {
        let value = self.number()?;
        u64::try_from(value).map_err(|_| "a number from 0 is expected".into())
    }
    pub(super) fn id<I: Id>(&mut self) -> Parsed<I> {
        let value = self.natural()?;
        if value < u64::from(u32::MAX) - 1 {
            Ok(I::from_index(value as usize))
        } else {
            Err("this id is too large".into())
        }
    }
    /// `word(7)`, if it is there.
    pub(super) fn attribute(&mut self, word: &str) -> Parsed<Option<u64>> {
        if !self.eat_word(word) {
            return Ok(None);
        }
        self.expect("(")?;
        let value = self.natural()?;
        self.expect(")")?;
        Ok(Some(value))
    }
    /// `name%3`: the name and the id.
    pub(super) fn named<I: Id>(&mut self) -> Parsed<(Option<Symbol>, I)> {
        let name = match self.peek() {
            Token::Word(word) => Some(Symbol::intern(word)),
            Token::String(text) => Some(Symbol::intern(text)),
            _ => None,
        };
        if name.is_some() {
            self.advance();
        }
        self.expect("%")?;
        Ok((name, self.id()?))
    }
    /// `l12`
    pub(super) fn location(&mut self) -> Parsed<LocationId> {
        let word = self.word()?;
        let index = word.strip_prefix('l').and_then(|digits| digits.parse::<u32>().ok());
        let index = index.filter(|&index| index < u32::MAX - 1);
        index.map(|index| LocationId::from_index(index as usize)).ok_or_else(|| "a location is expected".into())
    }

    pub(super) fn ty(&mut self, types: &mut TypeTable) -> Parsed<TypeId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.ty_here(types))
    }

    fn ty_here(&mut self, types: &mut TypeTable) -> Parsed<TypeId> {
        let word = self.word()?;
        if let Some(row) = INT_WORDS.iter().find(|row| row.1 == word) {
            return Ok(types.intern(Type::Int(row.0)));
        }
        if let Some(row) = FLOAT_WORDS.iter().find(|row| row.1 == word) {
            return Ok(types.intern(Type::Float(row.0)));
        }
        let ty = match word.as_str() {
            "void" => Type::Void,
            "bool" => Type::Bool,
            "enum" => Type::Enum(self.id()?),
            "complex" => {
                let part = self.ty(types)?;
                match types[part] {
                    Type::Float(kind) => Type::Complex(kind),
                    Type::Int(kind) => Type::ComplexInt(kind),
                    _ => return Err("a complex type has parts of integer or floating type".into()),
                }
            }
            "ptr" => Type::Pointer(self.qualified(types)?),
            "array" => {
                let length = self.array_length()?;
                Type::Array { element: self.qualified(types)?, length }
            }
            "record" => Type::Record(self.id()?),
            "fn" | "oldfn" => return self.function_type(types, word == "fn"),
            "vector" => {
                self.expect("(")?;
                let lanes = self.natural()?;
                self.expect(")")?;
                Type::Vector { element: self.ty(types)?, lanes }
            }
            "va_list" => Type::VaList,
            "real" => Type::Real,
            "process" => Type::Process,
            "scope" => Type::Scope,
            "range" => Type::Range,
            "domain" => {
                self.expect("(")?;
                let dimension = if self.is_punct(")") { None } else { Some(self.natural()? as u32) };
                self.expect(")")?;
                Type::Domain(dimension)
            }
            "memory" => Type::Memory,
            "opaque" => Type::Opaque(self.string()?),
            "error" => Type::Error,
            _ => return self.reject(format!("`{word}` is not a type")),
        };
        Ok(types.intern(ty))
    }

    fn array_length(&mut self) -> Parsed<ArrayLength> {
        self.expect("(")?;
        let length = if self.is_punct(")") {
            ArrayLength::Incomplete
        } else if self.eat("*") {
            ArrayLength::Unspecified
        } else if self.eat_word("global") {
            ArrayLength::Variable(LengthVariable::Global(self.id()?))
        } else if self.eat_word("local") {
            ArrayLength::Variable(LengthVariable::Local { function: self.id()?, local: self.id()? })
        } else {
            ArrayLength::Fixed(self.natural()?)
        };
        self.expect(")")?;
        Ok(length)
    }

    fn function_type(&mut self, types: &mut TypeTable, has_prototype: bool) -> Parsed<TypeId> {
        self.expect("(")?;
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        while !self.is_punct(")") {
            if self.eat("...") {
                is_variadic = true;
                break;
            }
            parameters.push(self.ty(types)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let result = self.ty(types)?;
        Ok(types.intern_function(FunctionType { result, parameters, is_variadic, has_prototype }))
    }

    pub(super) fn qualified(&mut self, types: &mut TypeTable) -> Parsed<QualType> {
        let mut qualifiers = Qualifiers::default();
        while let Token::Word(word) = self.peek() {
            let flag = match word.as_str() {
                "const" => &mut qualifiers.is_const,
                "volatile" => &mut qualifiers.is_volatile,
                "restrict" => &mut qualifiers.is_restrict,
                "atomic" => &mut qualifiers.is_atomic,
                _ => break,
            };
            *flag = true;
            self.advance();
        }
        Ok(QualType { ty: self.ty(types)?, qualifiers })
    }
}
