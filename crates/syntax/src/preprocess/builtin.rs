//! Macros that the preprocessor computes: `__LINE__`, `__FILE__`, `__COUNTER__`, `__has_include`, `_Pragma` …

use super::Preprocessor;
use super::define::{Macro, MacroKind};
use crate::lex::{PpKind, PpToken};
use crate::{Encoding, Punct};
use quod_base::Span;

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    FileName,
    BaseFile,
    Date,
    Time,
    Timestamp,
    IncludeLevel,
    Counter,
    Pragma,
    HasInclude,
    HasIncludeNext,
    HasAttribute,
    HasStandardAttribute,
    HasBuiltinFunction,
    HasEmbed,
}

const BUILTINS: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__FILE_NAME__", Builtin::FileName),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("_Pragma", Builtin::Pragma),
    ("__pragma", Builtin::Pragma),
    ("__has_include", Builtin::HasInclude),
    ("__has_include_next", Builtin::HasIncludeNext),
    ("__has_attribute", Builtin::HasAttribute),
    ("__has_c_attribute", Builtin::HasStandardAttribute),
    ("__has_cpp_attribute", Builtin::HasStandardAttribute),
    ("__has_builtin", Builtin::HasBuiltinFunction),
    ("__has_embed", Builtin::HasEmbed),
];

impl Preprocessor<'_> {
    pub(super) fn install_builtins(&mut self) {
        for &(text, builtin) in BUILTINS {
            let name = self.cx.table.intern(text);
            let id = self.macros.push(Macro {
                name,
                kind: MacroKind::Builtin(builtin),
                body: [].into(),
                definition: Span::NONE,
                is_disabled: false,
            });
            self.cx.table.entry_mut(name).definition = Some(id);
        }
    }

    /// Replaces the name of a built-in macro; false if it stays as it is.
    pub(super) fn expand_builtin(&mut self, builtin: Builtin, token: &PpToken) -> bool {
        let (kind, text) = match builtin {
            Builtin::Line => (PpKind::Number, self.presumed_line(token.span).to_string()),
            Builtin::File => (PpKind::Str(Encoding::Plain), escaped(&self.presumed_name())),
            Builtin::FileName => {
                let name = self.presumed_name();
                let last = name.rsplit('/').next().unwrap_or_default();
                (PpKind::Str(Encoding::Plain), escaped(last))
            }
            Builtin::BaseFile => (PpKind::Str(Encoding::Plain), escaped(&self.base_file)),
            Builtin::Date => (PpKind::Str(Encoding::Plain), Clock::at(self.options.build_time).date()),
            Builtin::Time => (PpKind::Str(Encoding::Plain), Clock::at(self.options.build_time).time()),
            Builtin::Timestamp => (PpKind::Str(Encoding::Plain), Clock::at(self.options.build_time).timestamp()),
            Builtin::IncludeLevel => (PpKind::Number, self.files.len().saturating_sub(1).to_string()),
            Builtin::Counter => {
                let value = self.counter;
                self.counter = self.counter.wrapping_add(1);
                (PpKind::Number, value.to_string())
            }
            Builtin::Pragma => return self.pragma_operator(token),
            Builtin::HasInclude
            | Builtin::HasIncludeNext
            | Builtin::HasAttribute
            | Builtin::HasStandardAttribute
            | Builtin::HasBuiltinFunction
            | Builtin::HasEmbed => return false,
        };
        let text = self.cx.table.intern(&text);
        self.push_context(&[PpToken { kind, text, ..*token }]);
        true
    }

    /// The line that the outermost macro call stands on, as `#line` wants it.
    fn presumed_line(&self, span: Span) -> u32 {
        let position = self.source_map.use_site(span).lo;
        let Some(place) = self.source_map.place(position) else { return 1 };
        let file = self.source_map.file(place.file);
        let offset = position - file.start;
        let after = file.line_markers.partition_point(|marker| marker.offset <= offset);
        match after.checked_sub(1).map(|index| &file.line_markers[index]) {
            Some(marker) => {
                let marker_line = file.line_starts.partition_point(|&start| start <= marker.offset) as u32;
                (place.line + marker.line).saturating_sub(marker_line + 1)
            }
            None => place.line,
        }
    }

    /// The name of the file that is being read, as `#line` wants it.
    fn presumed_name(&self) -> String {
        let Some(open) = self.files.last() else { return self.base_file.clone() };
        let file = self.source_map.file(open.id);
        match file.line_markers.iter().rev().find_map(|marker| marker.file) {
            Some(name) => name.as_str().to_owned(),
            None => file.name.clone(),
        }
    }

    /// `__has_include(…)` and its relatives in `#if`, whose name was just read. `None` if the name is another one.
    pub(super) fn has_operator(&mut self, token: &PpToken) -> Option<Result<i64, ()>> {
        let id = self.cx.table.entry(token.text).definition?;
        let MacroKind::Builtin(builtin) = self.macros[id].kind else { return None };
        let value = match builtin {
            Builtin::HasInclude | Builtin::HasIncludeNext | Builtin::HasEmbed => {
                if !self.next_token().is_punct(Punct::LeftParen) {
                    return Some(Err(()));
                }
                let Some(header) = self.header_name() else { return Some(Err(())) };
                match builtin {
                    Builtin::HasEmbed => 0,
                    Builtin::HasIncludeNext => i64::from(self.find_header(&header, true).is_some()),
                    _ => i64::from(self.find_header(&header, false).is_some()),
                }
            }
            Builtin::HasAttribute | Builtin::HasStandardAttribute | Builtin::HasBuiltinFunction => {
                let Some(name) = self.operand_name() else { return Some(Err(())) };
                match builtin {
                    Builtin::HasAttribute => i64::from(has_attribute(&name)),
                    Builtin::HasBuiltinFunction => i64::from(has_builtin(&name)),
                    _ => standard_attribute(&name),
                }
            }
            _ => return None,
        };
        Some(if self.next_token().is_punct(Punct::RightParen) { Ok(value) } else { Err(()) })
    }

    /// `( name`, or `( scope :: name`.
    fn operand_name(&mut self) -> Option<String> {
        if !self.next_token().is_punct(Punct::LeftParen) {
            return None;
        }
        let token = self.next_token();
        if token.kind != PpKind::Ident {
            return None;
        }
        let mut name = self.cx.table.text(token.text).to_owned();
        // Only standard attributes have a scope; look for the colons without reading what may follow.
        while self.peek_colon() {
            self.next_token();
            if self.peek_colon() {
                self.next_token();
            }
            let part = self.next_token();
            name = format!("{name}::{}", self.cx.table.text(part.text));
        }
        Some(name)
    }

    fn peek_colon(&self) -> bool {
        self.contexts.is_empty()
            && self.files.last().is_some_and(|file| {
                let rest = &file.lexer.text()[file.lexer.offset()..];
                rest.trim_start_matches([' ', '\t']).starts_with(':')
            })
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn has_attribute(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "access",
        "alias",
        "aligned",
        "alloc_align",
        "alloc_size",
        "always_inline",
        "artificial",
        "assume_aligned",
        "cleanup",
        "cold",
        "common",
        "const",
        "constructor",
        "copy",
        "deprecated",
        "designated_init",
        "destructor",
        "error",
        "externally_visible",
        "fallthrough",
        "fastcall",
        "flatten",
        "format",
        "format_arg",
        "gnu_inline",
        "hot",
        "ifunc",
        "leaf",
        "malloc",
        "may_alias",
        "mode",
        "naked",
        "no_icf",
        "no_instrument_function",
        "no_profile_instrument_function",
        "no_reorder",
        "no_sanitize",
        "no_sanitize_address",
        "no_split_stack",
        "no_stack_limit",
        "noclone",
        "nocommon",
        "noinit",
        "noinline",
        "noipa",
        "nonnull",
        "nonstring",
        "noplt",
        "noreturn",
        "nothrow",
        "optimize",
        "packed",
        "patchable_function_entry",
        "pure",
        "regparm",
        "retain",
        "returns_nonnull",
        "returns_twice",
        "scalar_storage_order",
        "section",
        "sentinel",
        "simd",
        "stack_protect",
        "stdcall",
        "symver",
        "target",
        "target_clones",
        "tls_model",
        "transparent_union",
        "unused",
        "used",
        "vector_size",
        "visibility",
        "warn_if_not_aligned",
        "warn_unused_result",
        "warning",
        "weak",
        "weakref",
    ];
    let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
    KNOWN.contains(&name)
}

/// gcc answers yes to its own families; clang's own builtins are not gcc's.
fn has_builtin(name: &str) -> bool {
    const OF_CLANG: &[&str] = &[
        "__builtin_bitreverse",
        "__builtin_rotateleft",
        "__builtin_rotateright",
        "__builtin_debugtrap",
        "__builtin_available",
        "__builtin_nontemporal",
        "__builtin_addcb",
        "__builtin_addcs",
        "__builtin_addc",
        "__builtin_subc",
        "__builtin_elementwise",
        "__builtin_reduce",
        "__builtin_assume_separate_storage",
        "__builtin_dump_struct",
        "__builtin_unpredictable",
        "__builtin_operator_new",
        "__builtin_char_memchr",
        "__builtin_memcpy_inline",
        "__builtin_memset_inline",
        "__builtin_alloca_uninitialized",
    ];
    let is_family = name == "__builtin_assume_aligned"
        || ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix));
    is_family && name != "__builtin_assume" && !OF_CLANG.iter().any(|prefix| name.starts_with(prefix))
}

fn standard_attribute(name: &str) -> i64 {
    let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
    match name {
        "deprecated" => 201_904,
        "fallthrough" => 201_910,
        "maybe_unused" => 202_106,
        "nodiscard" => 202_003,
        "noreturn" | "_Noreturn" => 202_202,
        _ => name.strip_prefix("gnu::").map_or(0, |name| i64::from(has_attribute(name))),
    }
}

/// A time of the civil calendar, from seconds since 1970.
struct Clock {
    year: u64,
    month: usize,
    day: u64,
    weekday: usize,
    seconds: u64,
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

impl Clock {
    fn at(time: u64) -> Self {
        let mut days = time / 86_400;
        let weekday = (days % 7) as usize;
        // 400 years have 146,097 days; the loop below is over less than that.
        let mut year = 1970 + days / 146_097 * 400;
        days %= 146_097;
        let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        loop {
            let length = if is_leap(year) { 366 } else { 365 };
            if days < length {
                break;
            }
            days -= length;
            year += 1;
        }
        let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut month = 0;
        while days >= lengths[month] {
            days -= lengths[month];
            month += 1;
        }
        Self { year, month, day: days + 1, weekday, seconds: time % 86_400 }
    }
    fn date(&self) -> String {
        format!("{} {:2} {}", MONTHS[self.month], self.day, self.year)
    }
    fn time(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.seconds / 3600, self.seconds / 60 % 60, self.seconds % 60)
    }
    fn timestamp(&self) -> String {
        let Self { month, day, year, weekday, .. } = self;
        format!("{} {} {day:2} {} {year}", WEEKDAYS[*weekday], MONTHS[*month], self.time())
    }
}
