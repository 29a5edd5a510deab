//! A position in a JSON text that only moves forward: all that it has passed is valid JSON.
//!
//! It understands plain JSON only. For anything else it returns `None` without a reason; then the complete parser reads
//! the text, or says what is wrong with it.

use std::ops::Range;

/// The deepest nesting: the complete parser accepts no more than 128 either.
const MAX_DEPTH: usize = 100;

/// Powers of ten that `f64` represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Digits that always fit in 64 bits.
const DIGITS: usize = 19;

#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is not white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Takes this byte, after blanks.
    #[inline]
    pub(super) fn take(&mut self, wanted: u8) -> Option<()> {
        self.takes(wanted).then_some(())
    }

    /// Takes this byte, after blanks, if it is next.
    #[inline]
    pub(super) fn takes(&mut self, wanted: u8) -> bool {
        let comes = self.peek() == Some(wanted);
        self.at += usize::from(comes);
        comes
    }

    /// Reads the values of an array by `each`.
    #[inline]
    pub(super) fn elements(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.takes(b']') {
            return Some(());
        }
        loop {
            each(self)?;
            if !self.takes(b',') {
                return self.take(b']');
            }
        }
    }

    /// Reads the members of an object by `each`, which is given their names, as they are written, and reads their values.
    pub(super) fn members(&mut self, mut each: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.takes(b'}') {
            return Some(());
        }
        loop {
            let name = self.name()?;
            self.take(b':')?;
            each(self, name)?;
            if !self.takes(b',') {
                return self.take(b'}');
            }
        }
    }

    /// A text without escapes.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let start = self.at;
        while !matches!(*self.bytes.get(self.at)?, b'"' | b'\\' | ..b' ') {
            self.at += 1;
        }
        let name = &self.text[start..self.at];
        (self.bytes[self.at] == b'"').then_some(())?;
        self.at += 1;
        Some(name)
    }

    /// Skips any value, and returns its range.
    pub(super) fn skip(&mut self) -> Option<Range<usize>> {
        self.peek()?;
        let start = self.at;
        self.skip_within(MAX_DEPTH)?;
        Some(start..self.at)
    }

    fn skip_within(&mut self, deepest: usize) -> Option<()> {
        let below = deepest.checked_sub(1)?;
        match self.peek()? {
            b'{' => self.members(|cursor, _| cursor.skip_within(below)),
            b'[' => self.elements(|cursor| cursor.skip_within(below)),
            b'"' => self.skip_text(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.digits().map(drop),
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    fn skip_text(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                ..b' ' => return None,
                b'\\' => {
                    let escape = *self.bytes.get(self.at)?;
                    self.at += 1;
                    match escape {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'u' => {
                            let digits = self.bytes.get(self.at..self.at + 4)?;
                            self.at += digits.iter().all(u8::is_ascii_hexdigit).then_some(4)?;
                        }
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
    }

    /// The next number, correctly rounded.
    #[inline]
    pub(super) fn number(&mut self) -> Option<f64> {
        self.peek()?;
        let start = self.at;
        let Digits { whole, count, decimals, is_negative, is_plain } = self.digits()?;
        // Both are exact then, and a quotient is rounded once (W. D. Clinger, 1990).
        let is_exact = is_plain && count <= DIGITS && whole <= 1 << f64::MANTISSA_DIGITS && decimals < POWERS.len();
        if !is_exact {
            return self.text[start..self.at].parse().ok().filter(|number: &f64| number.is_finite());
        }
        #[expect(clippy::cast_precision_loss, reason = "it has been looked at")]
        let number = whole as f64 / POWERS[decimals];
        Some(if is_negative { -number } else { number })
    }

    #[inline]
    fn digits(&mut self) -> Option<Digits> {
        let is_negative = self.bytes.get(self.at) == Some(&b'-');
        self.at += usize::from(is_negative);
        let start = self.at;
        let whole = self.run_of_digits(0);
        let mut count = self.at - start;
        if count == 0 || count > 1 && self.bytes[start] == b'0' {
            return None;
        }
        let mut digits = Digits { whole, count, decimals: 0, is_negative, is_plain: true };
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            let start = self.at;
            digits.whole = self.run_of_digits(whole);
            digits.decimals = self.at - start;
            count += digits.decimals;
            (digits.decimals > 0).then_some(())?;
        }
        digits.count = count;
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(self.bytes.get(self.at), Some(b'+' | b'-')));
            let start = self.at;
            self.run_of_digits(0);
            (self.at > start).then_some(())?;
            digits.is_plain = false;
        }
        Some(digits)
    }

    /// The number formed by more digits after a number; wrong if there are too many.
    #[inline]
    fn run_of_digits(&mut self, mut before: u64) -> u64 {
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            before = before.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        before
    }
}

/// A number as it is written.
struct Digits {
    /// The digits without the point.
    whole: u64,
    count: usize,
    /// Digits behind the point.
    decimals: usize,
    is_negative: bool,
    /// Whether it has no exponent.
    is_plain: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_the_standard_library_reads() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..100_000 {
            let digits = |random: &mut fastrand::Rng, most| -> String { (0..random.usize(1..most)).map(|_| random.digit(10)).collect() };
            let mut text = digits(&mut random, if round % 2 == 0 { 4 } else { 22 }).trim_start_matches('0').to_owned();
            if text.is_empty() {
                text.push('0');
            }
            if random.bool() {
                text = format!("-{text}");
            }
            if random.u8(..4) > 0 {
                text = format!("{text}.{}", digits(&mut random, if round % 3 == 0 { 26 } else { 12 }));
            }
            if random.u8(..8) == 0 {
                text += &format!("{}{}", ["e", "E-", "e+"][random.usize(..3)], random.u8(..30));
            }
            let number = Cursor::new(&text, 0).number().unwrap();
            assert_eq!(number.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
        for bad in ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "NaN", "1e999"] {
            let mut cursor = Cursor::new(bad, 0);
            assert!(cursor.number().is_none() || cursor.peek().is_some(), "{bad}");
        }
    }

    /// It may accept less than the complete parser, but never more.
    #[test]
    fn what_is_passed_over_is_json() {
        let good = r#" {"a":[1,-2.5e3,{"b":null}],"c":"d\u00e9\"\n","e":[],"f":{},"g":[true , false]} "#;
        let mut random = fastrand::Rng::with_seed(2);
        let mut passed = 0;
        for _ in 0..50_000 {
            let mut bytes = good.as_bytes().to_vec();
            for _ in 0..random.usize(..4) {
                let at = random.usize(..bytes.len());
                bytes[at] = *random.choice(b"{}[],:\"\\ 019.-eEu\ntnf").unwrap();
            }
            let text = String::from_utf8(bytes).unwrap();
            let mut cursor = Cursor::new(&text, 0);
            if let Some(range) = cursor.skip() {
                let is_json = serde_json::from_str::<&serde_json::value::RawValue>(&text[range]).is_ok();
                assert!(is_json, "{text}");
                passed += 1;
            }
        }
        assert!(passed > 10_000);
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(Cursor::new(&deep, 0).skip().is_none());
    }
}
