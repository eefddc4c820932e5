//! The expressions of `#if`: integers of the greatest width, read and computed in one go.

use super::Preprocessor;
use super::value::{Value, parse_character, parse_integer};
use crate::lex::{PpKind, PpToken, TextId, known};
use crate::{Punct, Standard};
use quod_base::Span;
use quod_diag::codes;

/// Why an expression has no value; the diagnostic is out.
struct Invalid;

struct Evaluator<'b, 'a> {
    preprocessor: &'b mut Preprocessor<'a>,
    token: PpToken,
    depth: u32,
    /// Above zero inside operands that C does not evaluate: `0 && 1 / 0` is no error.
    unevaluated: u32,
}

const DEEPEST_EXPRESSION: u32 = 400;

impl Preprocessor<'_> {
    /// The rest of the directive as a condition; false after a diagnostic.
    pub(super) fn evaluate_condition(&mut self) -> bool {
        let token = self.next_expanded();
        let mut evaluator = Evaluator { preprocessor: self, token, depth: 0, unevaluated: 0 };
        if evaluator.token.is_end() {
            let _: Result<(), Invalid> = evaluator.fail("the condition is empty", "expected an expression here");
            return false;
        }
        let Ok(value) = evaluator.ternary() else {
            self.drop_contexts();
            return false;
        };
        if !evaluator.token.is_end() {
            let _: Result<(), Invalid> = evaluator.fail("the condition goes on after its end", "not expected here");
            self.drop_contexts();
        }
        value.is_true()
    }

    /// Forgets what macros of a directive left unread.
    pub(super) fn drop_contexts(&mut self) {
        while !self.contexts.is_empty() {
            self.pop_context();
        }
    }
}

impl Evaluator<'_, '_> {
    fn advance(&mut self) {
        self.token = self.preprocessor.next_expanded();
    }

    fn fail<T>(&mut self, message: impl Into<String>, label: &str) -> Result<T, Invalid> {
        let span = self.preprocessor.source_map.use_site(self.token.span);
        let span = if span.is_none() { self.place() } else { span };
        self.preprocessor.cx.error(codes::BAD_CONDITION, message, span, label);
        Err(Invalid)
    }

    fn place(&self) -> Span {
        let position = self.preprocessor.files.last().map_or(0, |file| file.lexer.global_position());
        Span::new(position, position)
    }

    fn ternary(&mut self) -> Result<Value, Invalid> {
        self.depth += 1;
        if self.depth > DEEPEST_EXPRESSION {
            return self.fail("the condition is nested too deeply", "here");
        }
        let mut value = self.binary(1)?;
        if self.token.is_punct(Punct::Comma) {
            self.advance();
            value = self.ternary()?;
        } else if self.token.is_punct(Punct::Question) {
            self.advance();
            let holds = value.is_true();
            let first = self.operand(holds, Self::ternary)?;
            if !self.token.is_punct(Punct::Colon) {
                return self.fail("`?` without `:`", "expected `:` here");
            }
            self.advance();
            let second = self.operand(!holds, Self::ternary)?;
            let chosen = if holds { first } else { second };
            value = Value { bits: chosen.bits, is_unsigned: first.is_unsigned || second.is_unsigned };
        }
        self.depth -= 1;
        Ok(value)
    }

    /// An operand that is evaluated only if it counts.
    fn operand(
        &mut self,
        counts: bool,
        parse: impl FnOnce(&mut Self) -> Result<Value, Invalid>,
    ) -> Result<Value, Invalid> {
        self.unevaluated += u32::from(!counts);
        let value = parse(self);
        self.unevaluated -= u32::from(!counts);
        value
    }

    fn binary(&mut self, least: u8) -> Result<Value, Invalid> {
        let mut left = self.unary()?;
        while let PpKind::Punct(punct) = self.token.kind {
            let Some(precedence) = precedence_of(punct).filter(|&precedence| precedence >= least) else { break };
            self.advance();
            let counts = match punct {
                Punct::AmpAmp => left.is_true(),
                Punct::PipePipe => !left.is_true(),
                _ => true,
            };
            let right = self.operand(counts, |this| this.binary(precedence + 1))?;
            left = self.apply(punct, left, right)?;
        }
        Ok(left)
    }

    fn apply(&mut self, punct: Punct, left: Value, right: Value) -> Result<Value, Invalid> {
        let is_unsigned = left.is_unsigned || right.is_unsigned;
        let (a, b) = (left.bits, right.bits);
        let (sa, sb) = (a as i64, b as i64);
        let number = |bits: u64| Value { bits, is_unsigned };
        let less = if is_unsigned { a < b } else { sa < sb };
        Ok(match punct {
            Punct::Star => number(a.wrapping_mul(b)),
            Punct::Slash | Punct::Percent if b == 0 => {
                if self.unevaluated == 0 {
                    return self.fail("division by zero in a condition", "near here");
                }
                number(0)
            }
            Punct::Slash => number(if is_unsigned { a / b } else { sa.wrapping_div(sb) as u64 }),
            Punct::Percent => number(if is_unsigned { a % b } else { sa.wrapping_rem(sb) as u64 }),
            Punct::Plus => number(a.wrapping_add(b)),
            Punct::Minus => number(a.wrapping_sub(b)),
            Punct::LessLess => shift(left, if right.is_unsigned { i64::try_from(b).unwrap_or(i64::MAX) } else { sb }),
            Punct::GreaterGreater => shift(
                left,
                if right.is_unsigned {
                    i64::try_from(b).unwrap_or(i64::MAX).saturating_neg()
                } else {
                    sb.saturating_neg()
                },
            ),
            Punct::Less => Value::truth(less),
            Punct::GreaterEqual => Value::truth(!less),
            Punct::Greater => Value::truth(if is_unsigned { a > b } else { sa > sb }),
            Punct::LessEqual => Value::truth(if is_unsigned { a <= b } else { sa <= sb }),
            Punct::EqualEqual => Value::truth(a == b),
            Punct::BangEqual => Value::truth(a != b),
            Punct::Amp => number(a & b),
            Punct::Caret => number(a ^ b),
            Punct::Pipe => number(a | b),
            Punct::AmpAmp => Value::truth(left.is_true() && right.is_true()),
            _ => Value::truth(left.is_true() || right.is_true()),
        })
    }

    fn unary(&mut self) -> Result<Value, Invalid> {
        let mut operators = Vec::new();
        while let PpKind::Punct(punct @ (Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang)) = self.token.kind {
            operators.push(punct);
            self.advance();
        }
        let mut value = self.primary()?;
        for punct in operators.into_iter().rev() {
            value = match punct {
                Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Punct::Tilde => Value { bits: !value.bits, ..value },
                Punct::Bang => Value::truth(!value.is_true()),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Value, Invalid> {
        let token = self.token;
        let value = match token.kind {
            PpKind::Number => match parse_integer(self.preprocessor.cx.table.text(token.text)) {
                Some(value) => value,
                None => {
                    let text = self.preprocessor.cx.table.text(token.text);
                    return self.fail(format!("`{text}` is not an integer constant"), "conditions are of integers");
                }
            },
            PpKind::Char(prefix) => match parse_character(self.preprocessor.cx.table.text(token.text), prefix) {
                Some(value) => value,
                None => return self.fail("malformed character constant", "here"),
            },
            PpKind::Punct(Punct::LeftParen) => {
                self.advance();
                let value = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.ternary())?;
                if !self.token.is_punct(Punct::RightParen) {
                    return self.fail("a parenthesis is not closed in the condition", "expected `)` here");
                }
                value
            }
            PpKind::Ident => match token.text {
                known::DEFINED => Value::truth(self.defined()?),
                known::TRUE if self.preprocessor.options.standard == Standard::C23 => Value::signed(1),
                _ => match self.preprocessor.has_operator(&token) {
                    Some(Ok(value)) => Value::signed(value),
                    Some(Err(())) => return self.fail("malformed operand", "expected a name in parentheses"),
                    None => Value::signed(0),
                },
            },
            _ if token.is_end() => return self.fail("the condition ends too early", "expected an operand here"),
            _ => return self.fail("not an operand of a condition", "not expected here"),
        };
        self.advance();
        Ok(value)
    }

    /// `defined X` or `defined(X)`.
    fn defined(&mut self) -> Result<bool, Invalid> {
        let mut name = self.preprocessor.next_token();
        let has_paren = name.is_punct(Punct::LeftParen);
        if has_paren {
            name = self.preprocessor.next_token();
        }
        self.token = name;
        if name.kind != PpKind::Ident {
            return self.fail("`defined` names no macro", "expected a name here");
        }
        let is_defined = self.preprocessor.is_defined(name.text);
        if has_paren {
            self.token = self.preprocessor.next_token();
            if !self.token.is_punct(Punct::RightParen) {
                return self.fail("`defined(` is not closed", "expected `)` here");
            }
        }
        Ok(is_defined)
    }
}

impl Preprocessor<'_> {
    fn is_defined(&self, name: TextId) -> bool {
        self.cx.table.entry(name).definition.is_some()
    }
}

/// To the left by `count`, to the right if it is negative.
fn shift(value: Value, count: i64) -> Value {
    let distance = count.unsigned_abs();
    let bits = match (count >= 0, value.is_unsigned) {
        (true, _) => value.bits.checked_shl(u32::try_from(distance).unwrap_or(u32::MAX)).unwrap_or(0),
        (false, true) => value.bits.checked_shr(u32::try_from(distance).unwrap_or(u32::MAX)).unwrap_or(0),
        (false, false) => ((value.bits as i64) >> distance.min(63)) as u64,
    };
    Value { bits, ..value }
}

fn precedence_of(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::PipePipe => 1,
        Punct::AmpAmp => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqualEqual | Punct::BangEqual => 6,
        Punct::Less | Punct::LessEqual | Punct::Greater | Punct::GreaterEqual => 7,
        Punct::LessLess | Punct::GreaterGreater => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}
