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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped() {
        assert_eq!(one_line("a\u{1b}[31m\r\nb\u{9b}\u{202e}ü"), "a\\u{1b}[31m\\r\\nb\\u{9b}\\u{202e}ü");
    }

    #[test]
    fn long_texts_keep_beginning_and_end() {
        let line = one_line(&format!("file: {} at line 7", "ü".repeat(1_000_000)));
        assert!(line.starts_with("file: ü") && line.ends_with("at line 7") && line.chars().count() < 1000, "{line}");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([count(1, "step"), count(0, "box"), count(1000, "step")], ["1 step", "0 boxes", "1,000 steps"]);
    }
}
