//! `#include`: finding headers, the stack of files, guards and `#pragma once`.

use super::headers::{header_names, header_text};
use super::{LoadError, Preprocessor, decode};
use crate::lex::{Lexer, PpKind, TextId, known, spelling};
use crate::{Dialect, Punct};
use quod_base::{FileId, Span, edit_distance};
use quod_diag::{Diagnostic, codes};
use std::sync::Arc;

/// A file that is being read.
pub(super) struct OpenFile {
    pub(super) lexer: Lexer,
    pub(super) id: FileId,
    /// Where `#include "…"` looks first: the path up to and with its last slash.
    directory: String,
    /// Its key in the cache.
    path: String,
    /// Where in the search path it was found: `#include_next` goes on behind it.
    search_index: usize,
    /// How many conditions were open when it was entered.
    pub(super) condition_base: usize,
}

/// What is known of a file that was read before.
pub(super) struct CachedFile {
    text: Arc<str>,
    /// The whole file lies in `#ifndef GUARD`: nothing comes of it while `GUARD` is defined.
    guard: Option<TextId>,
    pub(super) is_once: bool,
}

pub(super) struct HeaderName {
    name: String,
    is_angled: bool,
    span: Span,
}

/// Where a header was found.
pub(super) struct Found {
    path: String,
    search_index: usize,
}

/// As deep as gcc allows.
const DEEPEST_INCLUDE: usize = 200;

/// The directory that headers of the tool seem to lie in.
const BUILTIN_DIRECTORY: &str = "<quod>/";

impl Preprocessor<'_> {
    pub(super) fn enter_main(&mut self, main: FileId) {
        let file = self.source_map.file(main);
        let (path, text, start) = (file.name.clone(), file.text.clone(), file.start);
        self.base_file.clone_from(&path);
        self.bytes_read += text.len() as u64;
        self.output.reserve(text.len() / 4);
        let file = OpenFile {
            lexer: Lexer::new(text, start),
            id: main,
            directory: directory_of(&path),
            path,
            search_index: 0,
            condition_base: self.conditions.len(),
        };
        self.files.push(file);
    }

    /// `-include FILE`, each read to its end before the main file. CIVL-C programs see their basic library always: most
    /// of the old ones use it without a word.
    pub(super) fn run_force_includes(&mut self) {
        if self.options.dialect == Dialect::Civl {
            let header = HeaderName { name: "civlc.cvh".to_owned(), is_angled: true, span: Span::NONE };
            self.include(&header, known::INCLUDE);
            self.run();
        }
        for name in &self.options.force_includes {
            let header = HeaderName { name: name.clone(), is_angled: false, span: Span::NONE };
            self.include(&header, known::INCLUDE);
            self.run();
        }
    }

    /// Reads text of the tool's own (definitions of the command line) as a file.
    pub(super) fn run_internal(&mut self, name: &str, text: &str) {
        match self.source_map.add_file(name.to_owned(), text.into(), Span::NONE) {
            Ok(id) => {
                let file = self.source_map.file(id);
                let lexer = Lexer::new(file.text.clone(), file.start);
                self.files.push(OpenFile {
                    lexer,
                    id,
                    directory: String::new(),
                    path: name.to_owned(),
                    search_index: 0,
                    condition_base: self.conditions.len(),
                });
                self.run();
            }
            Err(_) => self.too_much_text(Span::NONE),
        }
    }

    pub(super) fn leave_file(&mut self) {
        if let Some(file) = self.files.pop() {
            self.close_conditions(file.condition_base);
        }
    }

    pub(super) fn include_directive(&mut self, kind: TextId, span: Span) {
        let Some(header) = self.header_name() else {
            self.drop_contexts();
            let message = "`#include` names no file";
            self.cx.error(codes::BAD_INCLUDE, message, span, "expected `\"name\"` or `<name>` after this");
            self.finish_directive();
            return;
        };
        self.finish_directive();
        if kind == known::IMPORT {
            if let Some(found) = self.find_header(&header, false)
                && self.cache.contains_key(&found.path)
            {
                return;
            }
            self.include(&header, known::INCLUDE);
        } else {
            self.include(&header, kind);
        }
    }

    /// `<name>`, `"name"`, or what macros make of the line.
    pub(super) fn header_name(&mut self) -> Option<HeaderName> {
        if self.contexts.is_empty()
            && let Some((name, span)) = self.lexer()?.angled_header_name()
        {
            return Some(HeaderName { name, is_angled: true, span });
        }
        let token = self.next_expanded();
        let span = self.source_map.use_site(token.span);
        match token.kind {
            PpKind::Str(_) => {
                let name = self.cx.table.text(token.text).to_owned();
                Some(HeaderName { name, is_angled: false, span })
            }
            PpKind::Punct(Punct::Less) => {
                let mut name = String::new();
                loop {
                    let part = self.next_expanded();
                    match part.kind {
                        PpKind::Punct(Punct::Greater) => return Some(HeaderName { name, is_angled: true, span }),
                        _ if part.is_end() => return None,
                        _ => {
                            if part.flags.is_spaced() && !name.is_empty() {
                                name.push(' ');
                            }
                            spelling(&part, &self.cx.table, &mut name);
                        }
                    }
                }
            }
            _ => None,
        }
    }

    /// Looks for a header: beside the including file, in the directories of the command line, among the tool's own.
    pub(super) fn find_header(&self, header: &HeaderName, is_next: bool) -> Option<Found> {
        let name = header.name.as_str();
        let current = self.files.last();
        if name.starts_with('/') {
            return self.is_there(name).then(|| Found { path: name.to_owned(), search_index: 0 });
        }
        let mut first = 0;
        if is_next && self.files.len() > 1 {
            first = current.map_or(0, |file| file.search_index);
        } else if !header.is_angled {
            let directory = current.map_or("", |file| file.directory.as_str());
            let path = format!("{directory}{name}");
            if !directory.starts_with(BUILTIN_DIRECTORY) && self.is_there(&path) {
                return Some(Found { path, search_index: 0 });
            }
        }
        for (index, directory) in self.options.include_dirs.iter().enumerate().skip(first) {
            let path = match directory.as_str() {
                "" | "." => name.to_owned(),
                directory if directory.ends_with('/') => format!("{directory}{name}"),
                directory => format!("{directory}/{name}"),
            };
            if self.is_there(&path) {
                return Some(Found { path, search_index: index + 1 });
            }
        }
        let count = self.options.include_dirs.len();
        (first <= count && header_text(name).is_some())
            .then(|| Found { path: format!("{BUILTIN_DIRECTORY}{name}"), search_index: count + 1 })
    }

    fn is_there(&self, path: &str) -> bool {
        self.cache.contains_key(path) || self.loader.exists(path)
    }

    fn include(&mut self, header: &HeaderName, kind: TextId) {
        if self.is_abandoned {
            return;
        }
        let Some(found) = self.find_header(header, kind == known::INCLUDE_NEXT) else {
            self.header_not_found(header);
            return;
        };
        if let Some(cached) = self.cache.get(&found.path) {
            let is_guarded = cached.guard.is_some_and(|guard| self.cx.table.entry(guard).definition.is_some());
            if cached.is_once || is_guarded {
                return;
            }
        }
        if self.files.len() >= DEEPEST_INCLUDE {
            self.include_too_deep(&found.path, header.span);
            return;
        }
        let Some(text) = self.load(&found.path, header) else { return };
        let Ok(id) = self.source_map.add_file(found.path.clone(), text.clone(), header.span) else {
            return self.too_much_text(header.span);
        };
        self.bytes_read += text.len() as u64;
        let start = self.source_map.file(id).start;
        self.files.push(OpenFile {
            lexer: Lexer::new(text, start),
            id,
            directory: directory_of(&found.path),
            path: found.path,
            search_index: found.search_index,
            condition_base: self.conditions.len(),
        });
    }

    /// The text of a file, from the cache if it was read before.
    fn load(&mut self, path: &str, header: &HeaderName) -> Option<Arc<str>> {
        if let Some(cached) = self.cache.get(path) {
            return Some(cached.text.clone());
        }
        let text = if let Some(text) = path.strip_prefix(BUILTIN_DIRECTORY).and_then(header_text) {
            text.into()
        } else {
            match self.loader.load(path) {
                Ok(bytes) => {
                    let (text, first_invalid) = decode(&bytes);
                    if first_invalid.is_some() {
                        let message = format!("`{path}` is not UTF-8");
                        self.cx.report(
                            Diagnostic::warning(codes::NOT_UTF8, message)
                                .label(header.span, "included here")
                                .note("each byte that is none was replaced"),
                        );
                    }
                    text
                }
                Err(LoadError::NotFound) => {
                    self.header_not_found(header);
                    return None;
                }
                Err(LoadError::Unreadable(reason)) => {
                    let message = format!("`{path}` cannot be read: {reason}");
                    self.cx.error(codes::INCLUDE_NOT_FOUND, message, header.span, "included here");
                    return None;
                }
            }
        };
        let guard = self.guard_of(&text);
        let cached = CachedFile { text: Arc::clone(&text), guard, is_once: false };
        self.cache.insert(path.to_owned(), cached);
        Some(text)
    }

    /// The macro `X` of a file that is `#ifndef X … #endif` and nothing else.
    fn guard_of(&mut self, text: &Arc<str>) -> Option<TextId> {
        let before = self.cx.diagnostics.len();
        let guard = self.guard_candidate(text);
        self.cx.diagnostics.truncate(before);
        guard
    }

    fn guard_candidate(&mut self, text: &Arc<str>) -> Option<TextId> {
        let mut lexer = Lexer::new(text.clone(), 0);
        if !lexer.next(&mut self.cx).is_punct(Punct::Hash) {
            return None;
        }
        lexer.in_directive = true;
        if !lexer.next(&mut self.cx).is_ident(known::IFNDEF) {
            return None;
        }
        let name = lexer.next(&mut self.cx);
        if name.kind != PpKind::Ident {
            return None;
        }
        lexer.in_directive = false;
        let mut depth = 1u32;
        while lexer.skip_to_directive() {
            lexer.in_directive = true;
            let directive = lexer.next(&mut self.cx);
            if directive.kind == PpKind::Ident {
                match directive.text {
                    known::IF | known::IFDEF | known::IFNDEF => depth += 1,
                    known::ENDIF => depth -= 1,
                    known::ELSE | known::ELIF | known::ELIFDEF | known::ELIFNDEF if depth == 1 => return None,
                    _ => {}
                }
            }
            if depth == 0 {
                lexer.finish_directive(&mut self.cx);
                return (lexer.next(&mut self.cx).kind == PpKind::Eof).then_some(name.text);
            }
            lexer.in_directive = false;
        }
        None
    }

    /// `#pragma once` in the file that is being read.
    pub(super) fn mark_once(&mut self) {
        if let Some(file) = self.files.last()
            && let Some(cached) = self.cache.get_mut(&file.path)
        {
            cached.is_once = true;
        }
    }

    #[cold]
    fn header_not_found(&mut self, header: &HeaderName) {
        let name = &header.name;
        let mut error = Diagnostic::error(codes::INCLUDE_NOT_FOUND, format!("header `{name}` not found"))
            .label(header.span, "included here");
        error = if header.span.is_none() {
            error.note("asked for by `-include`")
        } else if let Some(similar) = similar_header(name) {
            error.help(format!("did you mean `<{similar}>`?"))
        } else {
            error.help("give its directory with `-I DIRECTORY`")
        };
        self.cx.report(error);
    }

    #[cold]
    fn include_too_deep(&mut self, path: &str, span: Span) {
        let is_cycle = self.files.iter().any(|file| file.path == path);
        let mut error = Diagnostic::error(
            codes::INCLUDE_TOO_DEEP,
            format!("files include each other more than {DEEPEST_INCLUDE} deep"),
        )
        .label(span, "nothing more is read from here on");
        if is_cycle {
            error = error
                .note(format!("`{path}` includes itself, directly or through others"))
                .help("put `#pragma once` or an include guard into it");
        }
        self.cx.report(error);
        self.abandon();
    }

    #[cold]
    fn too_much_text(&mut self, span: Span) {
        let message = "the program is larger than 4 GiB with all that it includes";
        self.cx.error(codes::TOO_MUCH_TEXT, message, span, "nothing more is read from here on");
        self.abandon();
    }
}

fn directory_of(path: &str) -> String {
    path.rfind('/').map_or(String::new(), |slash| path[..=slash].to_owned())
}

/// The standard header whose name is nearly the same.
fn similar_header(name: &str) -> Option<&'static str> {
    let limit = (name.len() / 4).clamp(1, 3);
    let near = header_names().filter(|header| header.ends_with(".h"));
    let distances = near.map(|header| (edit_distance(name, header), header));
    distances.filter(|(distance, _)| *distance <= limit).min().map(|(_, header)| header)
}
