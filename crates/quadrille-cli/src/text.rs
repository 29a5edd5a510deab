//! Words from outside (files, arguments, names) in messages: on one line, not too long, and harmless to a terminal.

/// The text with control characters as escapes; of a very long one, its beginning and its end.
pub(crate) fn one_line(text: &str) -> String {
    const BEGINNING: usize = 600;
    const END: usize = 200;
    let shown = text.char_indices().map(|(start, _)| start);
    let count = shown.clone().count();
    let start_of = |character: usize| shown.clone().nth(character).unwrap_or(text.len());
    if count <= BEGINNING + END {
        return escaped(text);
    }
    let (beginning, end) = (&text[..start_of(BEGINNING)], &text[start_of(count - END)..]);
    format!("{} … {}", escaped(beginning), escaped(end))
}

fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_harmful(character) { line.extend(character.escape_default()) } else { line.push(character) }
    }
    line
}

/// Control characters, Unicode line ends, and characters that change the writing direction.
fn is_harmful(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A number and its noun: `1 step`, `1,000 steps`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = match number {
        1 => "",
        _ if noun.ends_with('x') => "es",
        _ => "s",
    };
    format!("{} {noun}{plural}", indicatif::HumanCount(number))
}

/// A number for people: four digits, or whole if it has more.
pub(crate) fn figure(number: f64) -> String {
    let magnitude = number.abs();
    if !number.is_finite() || magnitude == 0.0 {
        return number.to_string();
    }
    if (999.95..1e15).contains(&magnitude) {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", indicatif::HumanCount(magnitude.round() as u64));
    }
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    if (1e-4..1e15).contains(&magnitude) { rounded.to_string() } else { format!("{rounded:e}") }
}

/// A whole number that is written with an exponent or a fraction of zeros: `3.3400000e+02` is 334.
pub(crate) fn whole(text: &str) -> Option<String> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    let number: f64 = text.parse().ok().filter(|_| text.contains(['.', 'e', 'E']))?;
    (number.fract() == 0.0 && number.abs() < EXACT).then(|| number.to_string())
}
