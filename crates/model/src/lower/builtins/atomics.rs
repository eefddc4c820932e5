//! `__atomic_*` and `__sync_*`: steps whose name says the operation; pointers first, values of the pointee's type.

use super::Lowerer;
use crate::lower::expressions::Operand;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast;

/// What an atomic built-in gives back.
enum Gives {
    Nothing,
    /// A value of the type that the first argument points to.
    Pointee,
    Truth,
}

impl Lowerer<'_> {
    pub(super) fn atomic_builtin(
        &mut self,
        name: Symbol,
        arguments: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<Operand> {
        let text = name.as_str();
        let (gives, converted) = classify(text)?;
        let boolean = self.known.boolean;
        if matches!(text, "__atomic_always_lock_free" | "__atomic_is_lock_free") {
            return Some(self.constant_operand(1, boolean, span));
        }
        let Some(mut values) = self.builtin_arguments(arguments) else { return Some(self.error_operand(span)) };
        let void = self.known.void;
        if matches!(text, "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence") {
            return Some(self.step_builtin(name, values, Vec::new(), void, span));
        }
        let pointee = values.first().and_then(|&pointer| self.pointee(self.type_of(pointer)));
        let Some(pointee) = pointee else {
            self.error(
                codes::INCOMPATIBLE_TYPES,
                format!("the first argument of `{name}` must be a pointer"),
                span,
                "not a pointer",
            );
            return Some(self.error_operand(span));
        };
        for index in converted {
            if let Some(value) = values.get_mut(*index) {
                *value = self.convert(*value, pointee.ty, span);
            }
        }
        let result = match gives {
            Gives::Nothing => void,
            Gives::Pointee => pointee.ty,
            Gives::Truth => boolean,
        };
        Some(self.step_builtin(name, values, vec![pointee.ty], result, span))
    }
}

/// The kind of result, and which arguments are values of the pointee's type.
fn classify(text: &str) -> Option<(Gives, &'static [usize])> {
    if let Some(rest) = text.strip_prefix("__atomic_") {
        return Some(match rest {
            "load_n" => (Gives::Pointee, &[]),
            "store_n" => (Gives::Nothing, &[1]),
            "exchange_n" => (Gives::Pointee, &[1]),
            "compare_exchange_n" => (Gives::Truth, &[2]),
            "load" | "store" | "exchange" => (Gives::Nothing, &[]),
            "compare_exchange" => (Gives::Truth, &[]),
            "test_and_set" => (Gives::Truth, &[]),
            "clear" => (Gives::Nothing, &[]),
            "thread_fence" | "signal_fence" => (Gives::Nothing, &[]),
            "always_lock_free" | "is_lock_free" => (Gives::Truth, &[]),
            _ => {
                let is_operation = |word: &str| matches!(word, "add" | "sub" | "and" | "or" | "xor" | "nand");
                let word = rest.strip_prefix("fetch_").or_else(|| rest.strip_suffix("_fetch"))?;
                if !is_operation(word) {
                    return None;
                }
                (Gives::Pointee, &[1])
            }
        });
    }
    let rest = text.strip_prefix("__sync_")?;
    // `__sync_fetch_and_add_4` names the size that the pointer says anyway.
    let rest = rest.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    Some(match rest {
        "bool_compare_and_swap" => (Gives::Truth, &[1, 2]),
        "val_compare_and_swap" => (Gives::Pointee, &[1, 2]),
        "lock_test_and_set" => (Gives::Pointee, &[1]),
        "lock_release" => (Gives::Nothing, &[]),
        "synchronize" => (Gives::Nothing, &[]),
        _ if rest.starts_with("fetch_and_") || rest.ends_with("_and_fetch") => (Gives::Pointee, &[1]),
        _ => return None,
    })
}
