//! Numbers as people write them.

/// With as many digits behind the point as another, and with commas between thousands.
pub(super) fn like(number: f64, other: &str) -> String {
    written(number, other.trim().split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// Two or three digits, or all before the point; behind it no more than there are.
pub(super) fn short(number: f64, there_are: usize) -> String {
    let digits = match number.abs() {
        n if n < 0.0995 => 3,
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    written(number, digits.min(there_are))
}

/// Rounded as people do it: halves away from zero.
fn written(number: f64, digits: usize) -> String {
    let unit = 10_f64.powi(i32::try_from(digits).expect("few digits"));
    grouped(&format!("{:.digits$}", (number * unit).round() / unit))
}

/// `1,000,000`, `0.01`.
pub(crate) fn grouped(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').map_or((text, String::new()), |(w, f)| (w, format!(".{f}")));
    let letters: Vec<char> = whole.chars().collect();
    let groups: Vec<String> = letters.rchunks(3).rev().map(|group| group.iter().collect()).collect();
    groups.join(",") + &fraction
}
