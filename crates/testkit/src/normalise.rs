//! Makes output the same on every machine: paths of the repository, the version, times, statistics.

use std::path::Path;

pub fn text(text: &str, root: &Path) -> String {
    let mut out = text.replace("\r\n", "\n");
    if let Some(root) = root.to_str().filter(|root| root.len() > 1) {
        out = out.replace(root, "$ROOT");
    }
    let version = concat!("quod ", env!("CARGO_PKG_VERSION"));
    out = out.replace(version, "quod $VERSION");
    out = out.replace(concat!('"', env!("CARGO_PKG_VERSION"), '"'), "\"$VERSION\"");
    out.split_inclusive('\n').map(|line| statistic(line).unwrap_or_else(|| times(line))).collect()
}

/// A line of statistics, `  states saved      : 25`, without its number: how much work it was is no promise.
fn statistic(line: &str) -> Option<String> {
    let (name, number) = line.split_once(" : ")?;
    let is_number = !number.trim().is_empty() && number.trim().chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_name = name.strip_prefix("  ").is_some_and(|name| name.starts_with(char::is_alphabetic));
    (is_name && is_number).then(|| format!("{name} : $NUMBER\n"))
}

/// `12.34 s` and `56 ms` become `$TIME`.
fn times(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        out.push_str(before);
        let length = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (digits, after) = number.split_at(length);
        let unit = [" ms", " s"].into_iter().find(|unit| {
            let is_word = |text: &str| text.chars().next().is_none_or(|c| !c.is_alphanumeric());
            after.strip_prefix(unit).is_some_and(is_word)
        });
        let stands_alone = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match unit.filter(|_| stands_alone) {
            Some(unit) => {
                out.push_str("$TIME");
                rest = &after[unit.len()..];
            }
            None => {
                out.push_str(digits);
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_leave_no_trace() {
        let root = Path::new("/somewhere/quod");
        let shown = text("/somewhere/quod/a.c:12:3 took 1.25 s, then 30 ms for 2 steps\n", root);
        assert_eq!(shown, "$ROOT/a.c:12:3 took $TIME, then $TIME for 2 steps\n");
    }
}
