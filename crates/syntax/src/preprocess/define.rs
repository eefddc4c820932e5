//! Macros and `#define`.

use super::Preprocessor;
use super::builtin::Builtin;
use crate::Punct;
use crate::lex::{PpFlags, PpKind, PpToken, TextId, known};
use quod_base::{Span, define_id};
use quod_diag::{Diagnostic, codes};
use std::rc::Rc;

define_id! {
    pub(crate) struct MacroId = "macro";
}

pub(super) struct Macro {
    pub(super) name: TextId,
    pub(super) kind: MacroKind,
    /// Without `#` and `##`: these are flags of their operands.
    pub(super) body: Rc<[PpToken]>,
    pub(super) definition: Span,
    /// Its expansion is being rescanned.
    pub(super) is_disabled: bool,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum MacroKind {
    Object,
    Function(Parameters),
    Builtin(Builtin),
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Parameters {
    /// The variable arguments count as one.
    pub(super) count: usize,
    pub(super) is_variadic: bool,
}

/// A definition was not understood; the diagnostic is out.
struct Malformed;

impl Preprocessor<'_> {
    pub(super) fn define_directive(&mut self) {
        let name = self.directive_token();
        if !self.check_macro_name(&name, "define") {
            return;
        }
        if let Ok((kind, body)) = self.definition_after_name(&name) {
            self.define(Macro { name: name.text, kind, body: body.into(), definition: name.span, is_disabled: false });
        }
    }

    pub(super) fn undef_directive(&mut self) {
        let name = self.directive_token();
        if self.check_macro_name(&name, "undef") {
            self.cx.table.entry_mut(name.text).definition = None;
            self.expect_end("undef");
        }
    }

    fn check_macro_name(&mut self, name: &PpToken, directive: &str) -> bool {
        if name.kind == PpKind::Ident && name.text != known::DEFINED {
            return true;
        }
        let message = match name.kind {
            PpKind::Ident => "`defined` cannot be a macro".to_owned(),
            PpKind::EndOfDirective => format!("`#{directive}` without a name"),
            _ => "the name of a macro must be an identifier".to_owned(),
        };
        self.cx.error(codes::BAD_DEFINE, message, name.span, "expected a name here");
        false
    }

    fn define(&mut self, definition: Macro) {
        if let Some(old) = self.cx.table.entry(definition.name).definition {
            let old = &self.macros[old];
            if !same_definition(old, &definition) {
                let text = self.cx.table.text(definition.name);
                let mut warning = Diagnostic::warning(codes::MACRO_REDEFINED, format!("macro `{text}` redefined"))
                    .label(definition.definition, "redefined here with another text");
                if !old.definition.is_none() {
                    warning = warning.label(old.definition, "defined here first");
                }
                self.cx.report(warning);
            }
        }
        let name = definition.name;
        let id = self.macros.push(definition);
        self.cx.table.entry_mut(name).definition = Some(id);
    }

    fn definition_after_name(&mut self, name: &PpToken) -> Result<(MacroKind, Vec<PpToken>), Malformed> {
        let mut first = self.directive_token();
        let mut parameters = Vec::new();
        let mut kind = MacroKind::Object;
        if first.is_punct(Punct::LeftParen) && !first.flags.is_spaced() && first.span.lo == name.span.hi {
            let is_variadic = self.parameter_list(&mut parameters)?;
            kind = MacroKind::Function(Parameters { count: parameters.len(), is_variadic });
            first = self.directive_token();
        }
        let mut body = Vec::new();
        let mut token = first;
        token.flags = token.flags.without(PpFlags::SPACE_BEFORE);
        while !token.is_end() {
            if token.kind == PpKind::Ident
                && let Some(index) = parameters.iter().position(|&parameter| parameter == token.text)
            {
                token.kind = PpKind::Parameter;
                token.text = TextId(index as u32);
            }
            body.push(token);
            token = self.directive_token();
        }
        if let MacroKind::Function(parameters) = kind {
            if parameters.is_variadic {
                self.mark_va_opt(&mut body)?;
            }
            self.mark_stringify(&mut body)?;
        }
        self.mark_paste(&mut body)?;
        Ok((kind, body))
    }

    /// Reads `a, b, ...)`; whether it is variadic.
    fn parameter_list(&mut self, parameters: &mut Vec<TextId>) -> Result<bool, Malformed> {
        let mut token = self.directive_token();
        if token.is_punct(Punct::RightParen) {
            return Ok(false);
        }
        loop {
            let is_variadic = match token.kind {
                PpKind::Punct(Punct::Ellipsis) => {
                    parameters.push(known::VA_ARGS);
                    true
                }
                PpKind::Ident => {
                    if parameters.contains(&token.text) {
                        let text = self.cx.table.text(token.text);
                        let message = format!("two parameters of the macro are called `{text}`");
                        return self.malformed(message, &token, "again here");
                    }
                    parameters.push(token.text);
                    false
                }
                _ => return self.malformed("malformed list of macro parameters", &token, "expected a parameter"),
            };
            token = self.directive_token();
            let is_named_variadic = !is_variadic && token.is_punct(Punct::Ellipsis);
            if is_named_variadic {
                token = self.directive_token();
            }
            let is_last = is_variadic || is_named_variadic;
            match token.kind {
                PpKind::Punct(Punct::RightParen) => return Ok(is_last),
                PpKind::Punct(Punct::Comma) if !is_last => token = self.directive_token(),
                _ => return self.malformed("malformed list of macro parameters", &token, "expected `)` or `,`"),
            }
        }
    }

    #[cold]
    fn malformed<T>(&mut self, message: impl Into<String>, token: &PpToken, label: &str) -> Result<T, Malformed> {
        self.cx.error(codes::BAD_DEFINE, message, token.span, label);
        Err(Malformed)
    }

    /// Turns `__VA_OPT__ ( … )` into a start and an end.
    fn mark_va_opt(&mut self, body: &mut Vec<PpToken>) -> Result<(), Malformed> {
        let mut index = 0;
        while index < body.len() {
            if !body[index].is_ident(known::VA_OPT) {
                index += 1;
                continue;
            }
            let name = body[index];
            if !body.get(index + 1).is_some_and(|token| token.is_punct(Punct::LeftParen)) {
                return self.malformed("`__VA_OPT__` without parentheses", &name, "expected `(` after this");
            }
            let mut depth = 0u32;
            let mut end = None;
            for (position, token) in body.iter().enumerate().skip(index + 1) {
                match token.kind {
                    PpKind::Punct(Punct::LeftParen) => depth += 1,
                    PpKind::Punct(Punct::RightParen) => depth -= 1,
                    PpKind::Ident if token.text == known::VA_OPT => {
                        let token = *token;
                        return self.malformed("`__VA_OPT__` inside `__VA_OPT__`", &token, "this one");
                    }
                    _ => {}
                }
                if depth == 0 {
                    end = Some(position);
                    break;
                }
            }
            let Some(end) = end else {
                return self.malformed("`__VA_OPT__` without closing parenthesis", &name, "starts here");
            };
            body.remove(index + 1);
            let end = end - 1;
            body[index].kind = PpKind::VaOptStart;
            body[end].kind = PpKind::VaOptEnd;
            index = end + 1;
        }
        Ok(())
    }

    /// Turns `# parameter` into a flag of the parameter.
    fn mark_stringify(&mut self, body: &mut Vec<PpToken>) -> Result<(), Malformed> {
        let mut kept = Vec::with_capacity(body.len());
        let mut tokens = body.iter().copied().peekable();
        while let Some(token) = tokens.next() {
            if !token.is_punct(Punct::Hash) {
                kept.push(token);
                continue;
            }
            match tokens.next() {
                Some(mut operand) if matches!(operand.kind, PpKind::Parameter | PpKind::VaOptStart) => {
                    operand.flags = operand.flags.spaced_as(token.flags).with(PpFlags::STRINGIFY);
                    kept.push(operand);
                }
                _ => return self.malformed("`#` in a macro is not followed by a parameter", &token, "this `#`"),
            }
        }
        *body = kept;
        Ok(())
    }

    /// Turns `a ## b` into a flag of `a`.
    fn mark_paste(&mut self, body: &mut Vec<PpToken>) -> Result<(), Malformed> {
        let is_paste = |token: &PpToken| token.is_punct(Punct::HashHash);
        if let Some(token) =
            body.first().filter(|token| is_paste(token)).or(body.last().filter(|token| is_paste(token)))
        {
            let token = *token;
            return self.malformed("`##` at an end of a macro", &token, "it needs an operand on both sides");
        }
        let mut kept: Vec<PpToken> = Vec::with_capacity(body.len());
        for token in body.iter() {
            if is_paste(token) {
                if let Some(left) = kept.last_mut() {
                    left.flags = left.flags.with(PpFlags::PASTE_LEFT);
                }
            } else {
                kept.push(*token);
            }
        }
        *body = kept;
        Ok(())
    }
}

fn same_definition(old: &Macro, new: &Macro) -> bool {
    old.kind == new.kind
        && old.body.len() == new.body.len()
        && old.body.iter().zip(new.body.iter()).enumerate().all(|(index, (a, b))| {
            a.kind == b.kind
                && a.text == b.text
                && a.flags.has(PpFlags::PASTE_LEFT) == b.flags.has(PpFlags::PASTE_LEFT)
                && a.flags.has(PpFlags::STRINGIFY) == b.flags.has(PpFlags::STRINGIFY)
                && (index == 0 || a.flags.is_spaced() == b.flags.is_spaced())
        })
}
