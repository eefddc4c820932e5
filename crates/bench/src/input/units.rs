//! Time spans and memory sizes as definitions and the command line write them: `15 min`, `90s`, `7 GB`, `500 MB`.
//! Units of memory are decimal, as the competition counts them; `KiB`, `MiB`, `GiB` are binary.

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

/// Seconds. A number without unit is seconds.
pub fn parse_time(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a time span such as `15 min`, `90 s` or `2 h`");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let factor = match unit {
        "" | "s" | "sec" => 1.0,
        "ms" => 0.001,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        "d" | "day" | "days" => 86400.0,
        _ => return Err(wrong()),
    };
    positive(number * factor, text)
}

/// Bytes. A unit is required, because a bare number has meant both bytes and megabytes.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a memory size with a unit, such as `7 GB` or `500 MB`");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let factor = match unit {
        "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    positive(number * factor, text).map(|bytes| bytes as u64)
}

fn positive(value: f64, text: &str) -> Result<f64, String> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(format!("`{text}` is not a positive amount")) }
}

/// `12.3 s`, `4 min 5 s`, `1 h 2 min`: for people.
pub fn show_time(seconds: f64) -> String {
    if seconds < 0.0995 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else if seconds < 3600.0 {
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
    } else {
        format!("{:.0} h {:.0} min", (seconds / 3600.0).floor(), (seconds % 3600.0 / 60.0).floor())
    }
}

pub fn show_memory(bytes: u64) -> String {
    let bytes = bytes as f64;
    if bytes < 1e6 {
        format!("{:.0} kB", bytes / 1e3)
    } else if bytes < 1e9 {
        format!("{:.0} MB", bytes / 1e6)
    } else {
        format!("{:.2} GB", bytes / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_sizes() {
        assert_eq!(parse_time("15 min"), Ok(900.0));
        assert_eq!(parse_time("90"), Ok(90.0));
        assert_eq!(parse_time("1.5h"), Ok(5400.0));
        assert_eq!(parse_memory("15 GB"), Ok(15_000_000_000));
        assert_eq!(parse_memory("1 MiB"), Ok(1_048_576));
        for wrong in ["", "x", "-1 s", "0 s", "5 parsec", "1.2.3 s"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert!(parse_memory("15").unwrap_err().contains("unit"));
    }
}
