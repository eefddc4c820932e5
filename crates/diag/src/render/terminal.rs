//! The renderer for people, in the shape of rustc's messages: source line, label, the other places, notes, help. Layout and
//! colours are those of `annotate-snippets`; here the diagnostic is divided into snippets, one a file and part of a file.

use crate::place::{MacroUse, Spot, inclusions, line_bounds, spot};
use crate::{Diagnostic, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use quod_base::SourceMap;

/// How the caller's terminal wants it.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub colour: bool,
    /// Draw with box characters rather than with ASCII.
    pub unicode: bool,
    /// Columns; long source lines are cut around their labels.
    pub width: usize,
}

impl Style {
    /// For files and pipes.
    pub const PLAIN: Style = Style { colour: false, unicode: false, width: 140 };
}

/// At most so many macros are shown on the way to a macro's body.
const MACROS_SHOWN: usize = 4;
/// Labels further apart than this many bytes become snippets of their own, so that only a part of the text is read.
const FAR: usize = 20_000;

/// All diagnostics, an empty line after each, then a line that counts them.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_one(sources, diagnostic, style));
        out.push_str("\n\n");
    }
    out
}

/// One diagnostic without a line end behind it.
pub fn render_one(sources: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    let message = clean(&diagnostic.message);
    let title = level(diagnostic.severity).primary_title(message).id(diagnostic.code.to_string());
    let labels: Vec<(Spot, &str)> = diagnostic
        .labels
        .iter()
        .filter_map(|label| spot(sources, label.span).map(|spot| (spot, label.text.as_str())))
        .collect();

    let mut group = Group::with_title(title);
    for snippet in snippets(sources, &labels) {
        group = group.element(snippet);
    }
    let primary = labels.first().map(|(spot, _)| spot);
    for note in primary.map(|spot| inclusion_notes(sources, spot)).unwrap_or_default() {
        group = group.element(Level::NOTE.message(note));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let mut groups = vec![group];
    for (spot, _) in &labels {
        groups.extend(macro_groups(sources, spot));
    }

    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    let decor = if style.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    let text = renderer.decor_style(decor).term_width(style.width.clamp(40, 400)).render(&groups);
    // Empty label columns leave blanks at the ends of lines, which nobody wants in files.
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// `error: could not …, 2 errors and 1 warning` needs the counts in words.
pub fn count_words(errors: usize, warnings: usize) -> String {
    let words = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    };
    match (words(errors, "error"), words(warnings, "warning")) {
        (Some(errors), Some(warnings)) => format!("{errors} and {warnings}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => String::new(),
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
        Severity::Help => Level::HELP,
    }
}

/// Text from programs may hold control characters; they must not reach the terminal.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && c != '\n' && c != '\t' || c >= '\u{10fe00}' { '\u{fffd}' } else { c })
        .collect()
}

/// The labels as snippets: together where they lie near each other in one part of a file, in the order of the labels.
fn snippets<'a>(sources: &'a SourceMap, labels: &'a [(Spot, &'a str)]) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for (index, (spot, _)) in labels.iter().enumerate() {
        let near = clusters.iter_mut().find(|cluster| {
            cluster.iter().any(|&other| {
                let other = &labels[other].0;
                (other.file, other.part) == (spot.file, spot.part) && other.lo.abs_diff(spot.lo) < FAR
            })
        });
        match near {
            Some(cluster) => cluster.push(index),
            None => clusters.push(vec![index]),
        }
    }
    clusters
        .into_iter()
        .map(|cluster| {
            let spots: Vec<&Spot> = cluster.iter().map(|&index| &labels[index].0).collect();
            let window = Window::around(sources, &spots);
            let annotations = cluster.iter().map(|&index| {
                let (spot, text) = &labels[index];
                let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                kind.span(window.range(spot)).label((!text.is_empty()).then(|| clean(text)))
            });
            window.snippet(spots[0]).annotations(annotations)
        })
        .collect()
}

/// The part of a file's text that a snippet needs.
struct Window<'a> {
    text: &'a str,
    start: usize,
    line: u32,
}

impl<'a> Window<'a> {
    fn around(sources: &'a SourceMap, spots: &[&Spot]) -> Self {
        let file = sources.file(spots[0].file);
        let first = spots.iter().min_by_key(|spot| spot.lo).expect("a cluster has a member");
        let lo = first.lo;
        // A label over many lines is drawn with its first and last one.
        let hi = spots.iter().map(|spot| spot.hi).max().unwrap_or(lo);
        let (start, _) = line_bounds(file, lo);
        let (_, end) = line_bounds(file, hi);
        let text = &file.text[start..end];
        Self { text, start, line: first.line }
    }

    fn range(&self, spot: &Spot) -> std::ops::Range<usize> {
        spot.lo - self.start..(spot.hi - self.start).min(self.text.len()).max(spot.lo - self.start)
    }

    fn snippet(&self, spot: &Spot) -> Snippet<'a, Annotation<'a>> {
        Snippet::source(self.text).path(spot.name.clone()).line_start(self.line as usize)
    }
}

fn inclusion_notes(sources: &SourceMap, spot: &Spot) -> Vec<String> {
    let chain = inclusions(sources, spot.file);
    let mut notes: Vec<String> =
        chain.iter().take(5).map(|from| format!("in file included from {}:{}", from.name, from.line)).collect();
    if chain.len() > 5 {
        notes.push(format!("and {} more files on the way", chain.len() - 5));
    }
    notes
}

/// A group for each macro on the way, outermost first: `note: in expansion of macro`.
fn macro_groups<'a>(sources: &'a SourceMap, spot: &'a Spot) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    // How the tool's own headers write their macros is not the reader's business.
    let is_foreign = |used: &&MacroUse| used.spot.as_ref().is_none_or(|place| !place.name.starts_with('<'));
    let macros: Vec<&MacroUse> = spot.macros.iter().filter(is_foreign).collect();
    for used in macros.iter().take(MACROS_SHOWN) {
        let title = Level::NOTE.secondary_title(format!("in expansion of macro `{}`", clean(&used.name)));
        let group = Group::with_title(title);
        groups.push(match &used.spot {
            Some(place) if sources.file(place.file).text.len() > place.lo => {
                let window = Window::around(sources, &[place]);
                let annotation = AnnotationKind::Context.span(window.range(place));
                group.element(window.snippet(place).annotation(annotation))
            }
            Some(place) => group.element(Origin::path(place.name.clone()).line(place.line as usize)),
            None => group,
        });
    }
    if macros.len() > MACROS_SHOWN {
        let rest = macros.len() - MACROS_SHOWN;
        groups.push(Group::with_title(Level::NOTE.secondary_title(format!("and {rest} more macros inside"))));
    }
    groups
}
