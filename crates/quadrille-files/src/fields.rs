//! Rows of text, divided into fields.

use std::io::{self, BufRead};

use csv_core::ReadRecordResult;

/// What separates the fields of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One character; fields may be quoted.
    Byte(u8),
    /// Blanks and tabs, any number of them; fields may be quoted within a line.
    Blanks,
}

/// Reads one row at a time into the same memory.
pub(crate) struct Fields<R> {
    bytes: R,
    separator: Separator,
    parser: csv_core::Reader,
    /// Lines read, except those that the parser counted.
    lines: u64,
    /// Whether the last byte read was `\r`: with a `\n` after it, it is one end of a line.
    is_returned: bool,
    /// The line in which the row begins, from 1.
    line: u64,
    /// All fields joined, and where each ends.
    text: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// Whether the row begins with a quote.
    is_quoted: bool,
}

/// The most fields of a row. A file of only commas would need eight times its size in memory.
const MAX_FIELDS: usize = 1 << 16;

impl<R: BufRead> Fields<R> {
    pub(crate) fn new(bytes: R, separator: Separator) -> Self {
        let delimiter = if let Separator::Byte(byte) = separator { byte } else { b' ' };
        let parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Self {
            bytes,
            separator,
            parser,
            lines: 0,
            is_returned: false,
            line: 0,
            text: vec![0; 1024],
            ends: vec![0; 64],
            count: 0,
            is_quoted: false,
        }
    }

    /// Reads the next row that is not blank; `false` at the end.
    pub(crate) fn read(&mut self) -> io::Result<bool> {
        loop {
            self.skip_line_ends()?;
            self.line = self.lines + self.parser.line();
            self.is_quoted = self.has_quotes() && self.bytes.fill_buf()?.starts_with(b"\"");
            let is_row = match self.separator {
                Separator::Byte(_) => self.read_record()?,
                Separator::Blanks => self.read_line()?,
            };
            // `""` is an empty value.
            let is_blank = self.count == 0 || (self.count == 1 && self.get(0).is_empty() && !self.is_quoted);
            if !is_row || !is_blank {
                return Ok(is_row);
            }
        }
    }

    /// Fields of the row.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A field of the row without blanks around it, and without quotes.
    pub(crate) fn get(&self, column: usize) -> &[u8] {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        let field = self.text[start..self.ends[column]].trim_ascii();
        let inside = if self.has_quotes() { None } else { field.strip_prefix(b"\"") };
        inside.and_then(|inside| inside.strip_suffix(b"\"")).unwrap_or(field)
    }

    /// The line in which the row begins, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Whether the row begins with `#`, or is the first and names the separator, as Excel writes it: `sep=;`.
    pub(crate) fn is_comment(&self) -> bool {
        let starts = |with: &[u8]| {
            self.count > 0 && self.get(0).get(..with.len()).is_some_and(|own| own.eq_ignore_ascii_case(with))
        };
        starts(b"#") || (self.line == 1 && self.count <= 2 && starts(b"sep="))
    }

    /// Whether a quote after the beginning of the row makes it go on in another line. What is quoted from the beginning
    /// is a cell of a spreadsheet, whatever it holds.
    pub(crate) fn goes_on_in_quotes(&self) -> bool {
        let end = self.count.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.has_quotes() && !self.is_quoted && self.text[..end].iter().any(|byte| matches!(byte, b'\r' | b'\n'))
    }

    /// Whether the parser knows quotes, which may hold the end of a line.
    fn has_quotes(&self) -> bool {
        matches!(self.separator, Separator::Byte(_))
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.bytes.fill_buf()?;
            let ends = buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            for byte in &buffer[..ends] {
                self.lines += u64::from(*byte == b'\r' || !self.is_returned);
                self.is_returned = *byte == b'\r';
            }
            self.bytes.consume(ends);
            if ends == 0 {
                self.is_returned = false;
                return Ok(());
            }
        }
    }

    fn read_record(&mut self) -> io::Result<bool> {
        let (mut written, mut is_begun) = (0, false);
        self.count = 0;
        loop {
            let input = self.bytes.fill_buf()?;
            // The parser would end any row here. A line end does not end one that is in quotes.
            let is_over = is_begun && input.is_empty();
            let input = if is_over { b"\n" } else { input };
            let (text, ends) = (&mut self.text[written..], &mut self.ends[self.count..]);
            let (result, read, wrote, fields) = self.parser.read_record(input, text, ends);
            self.is_returned = input[..read].ends_with(b"\r");
            self.bytes.consume(if is_over { 0 } else { read });
            is_begun |= read > 0;
            // The parser counts from the position it was given to write at.
            written += wrote;
            self.count += fields;
            match result {
                ReadRecordResult::InputEmpty if is_over => return Err(io::Error::other("a quote is not closed")),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => grow(&mut self.text)?,
                ReadRecordResult::OutputEndsFull if self.ends.len() < MAX_FIELDS => grow(&mut self.ends)?,
                ReadRecordResult::OutputEndsFull => return Err(too_many()),
                ReadRecordResult::Record => {
                    // The parser counts only `\n`.
                    self.lines += u64::from(self.is_returned);
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    fn read_line(&mut self) -> io::Result<bool> {
        self.count = 0;
        let mut line = std::mem::take(&mut self.text);
        line.clear();
        self.read_to_line_end(&mut line)?;
        // Blanks become part of the fields before them, and are trimmed later.
        let (mut was_blank, mut quoted) = (true, Some(0));
        for (position, byte) in line.iter().enumerate() {
            let is_blank = byte.is_ascii_whitespace() && quoted.is_none_or(|end| end <= position);
            if was_blank && !is_blank {
                // If one is not closed, no other is.
                if *byte == b'"' && quoted.is_some() {
                    quoted = closing(&line, position + 1);
                }
                if self.count == MAX_FIELDS {
                    return Err(too_many());
                }
                if self.count == self.ends.len() {
                    grow(&mut self.ends)?;
                }
                self.count += 1;
            }
            if !is_blank {
                self.ends[self.count - 1] = position + 1;
            }
            was_blank = is_blank;
        }
        self.text = line;
        Ok(!self.text.is_empty())
    }

    fn read_to_line_end(&mut self, line: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let buffer = self.bytes.fill_buf()?;
            let end = buffer.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let read = end.unwrap_or(buffer.len());
            line.extend_from_slice(&buffer[..read]);
            self.bytes.consume(read);
            if end.is_some() || read == 0 {
                return Ok(());
            }
        }
    }
}

/// Where a quote ends: before a blank, or with the line.
fn closing(line: &[u8], start: usize) -> Option<usize> {
    let is_last = |at: &usize| line.get(at + 1).is_none_or(u8::is_ascii_whitespace);
    (start..line.len()).filter(|at| line[*at] == b'"').find(is_last)
}

fn too_many() -> io::Error {
    io::Error::other(format!("more than {MAX_FIELDS} fields in one row"))
}

/// Doubles the length, if there is memory.
fn grow<T: Clone + Default>(numbers: &mut Vec<T>) -> io::Result<()> {
    let more = numbers.len().max(1024);
    numbers.try_reserve_exact(more).map_err(|_| io::ErrorKind::OutOfMemory)?;
    numbers.resize(numbers.len() + more, T::default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, separator: Separator) -> Vec<(u64, Vec<String>)> {
        let mut fields = Fields::new(text.as_bytes(), separator);
        let mut rows = Vec::new();
        while fields.read().unwrap() {
            let texts = (0..fields.len()).map(|column| String::from_utf8_lossy(fields.get(column)).into_owned());
            rows.push((fields.line(), texts.collect()));
        }
        rows
    }

    #[test]
    fn rows_know_the_line_that_they_begin_in() {
        let text = "a, b \r\n\r\n  \n\"c\nd\",\"e \"\"f\"\"\"\n\n\n,\nlast";
        let expected = [(1, vec!["a", "b"]), (4, vec!["c\nd", "e \"f\""]), (8, vec!["", ""]), (9, vec!["last"])];
        let expected = expected.map(|(line, row)| (line, row.into_iter().map(String::from).collect::<Vec<_>>()));
        assert_eq!(rows(text, Separator::Byte(b',')), expected);
    }

    #[test]
    fn lines_may_end_with_a_return_alone() {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["a b", "1 2", "", "3 4", ""].join(end);
            let expected = [(1, "a", "b"), (2, "1", "2"), (4, "3", "4")];
            let expected = expected.map(|(line, x, y)| (line, vec![x.to_owned(), y.to_owned()]));
            for separator in [Separator::Blanks, Separator::Byte(b' ')] {
                assert_eq!(rows(&text, separator), expected, "{end:?} {separator:?}");
            }
        }
    }

    #[test]
    fn blanks_separate_in_any_number() {
        let expected = [(1, vec!["1", "2.5", "x"]), (3, vec!["3"]), (4, vec!["4", "5"])];
        let expected = expected.map(|(line, row)| (line, row.into_iter().map(String::from).collect::<Vec<_>>()));
        assert_eq!(rows("  1 2.5\t x \n \t \n3\r\n4  5", Separator::Blanks), expected);
        for (text, expected) in [
            ("\"a b\"  1 \"\" \"2\"\n", &["a b", "1", "", "2"][..]),
            ("\"a\"\" b\" c", &["a\"", "b\"", "c"]),
            ("a\"b c\" \"d\"e f\"", &["a\"b", "c\"", "d\"e f"]),
            ("\"a \"b c", &["\"a", "\"b", "c"]),
            (&"\"a ".repeat(50_000), &["\"a"; 50_000]),
        ] {
            assert_eq!(rows(text, Separator::Blanks)[0].1, expected);
        }
    }

    #[test]
    fn quotes_must_be_closed() {
        let comma = Separator::Byte(b',');
        for rest in ["abc\n2,d\n", "abc", "", "a\"\"", "abc\n2,\"\"", &"a".repeat(1023), &"a".repeat(100_000)] {
            let text = format!("id,name\n1,\"{rest}");
            let mut fields = Fields::new(text.as_bytes(), comma);
            assert!(fields.read().unwrap());
            assert_eq!((fields.read().unwrap_err().to_string().as_str(), fields.line()), ("a quote is not closed", 2));
        }
        for (last, read) in [("\"b\"", "b"), ("\"b\nc\"", "b\nc"), ("b\"", "b\""), ("\"\"", ""), ("", ""), ("b\r", "b")]
        {
            for end in ["", "\n", "\r\n"] {
                let found = rows(&format!("1,{last}{end}"), comma);
                assert_eq!(found, [(1, vec!["1".to_owned(), read.to_owned()])], "{last:?}{end:?}");
            }
        }
        for length in 1000..1050 {
            let last = "b".repeat(length);
            assert_eq!(rows(&format!("\"{last}\""), comma), [(1, vec![last])]);
        }
        assert_eq!(rows(&",".repeat(63), comma)[0].1.len(), 64);
        assert_eq!(rows("1 \"b", Separator::Blanks)[0].1, ["1", "\"b"]);
    }

    #[test]
    fn long_rows_grow_and_endless_ones_are_refused() {
        let long = format!("{},{}\n1,2", "a".repeat(100_000), "b".repeat(5_000));
        let lengths: Vec<usize> = rows(&long, Separator::Byte(b',')).iter().map(|(_, row)| row[0].len()).collect();
        assert_eq!(lengths, [100_000, 1]);
        for (separator, text) in
            [(Separator::Byte(b','), ",".repeat(100_000)), (Separator::Blanks, "1 ".repeat(100_000))]
        {
            assert!(Fields::new(text.as_bytes(), separator).read().unwrap_err().to_string().contains("65536 fields"));
        }
    }
}
