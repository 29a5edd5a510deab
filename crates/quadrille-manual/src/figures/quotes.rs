//! Figures in sentences and in tables written by hand. A file of its own quotes the page, which so stays plain text:
//!
//! ```text
//! # README.md
//!
//! boxes touch, in {} ms
//!     ms 2026-11-29-frames-all.csv: frames; uniform; 100000; frame-tree
//! takes {} to {} times as long
//!     range 2026-11-29-frames-all.csv: frames; *; 100000; best rival / frames; *; 100000; frame-tree
//! ```
//!
//! A quotation fits in one place of the page, whatever the figures in its braces are; a space in it is any space, a line
//! break or the mark of a documentation comment. The lines below it are the sources of its figures:
//!
//! ```text
//! FIGURE                     a figure, with as many digits as the page has
//! range FIGURE               two: the least and the most
//! made FILE                  date, clock and machine of a file
//! version FILE PACKAGE       the version of a package that was measured
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Fault, Figure, Sources, numbers};

/// A quotation of a page, with the sources of its figures.
#[derive(Debug, Default)]
pub struct Quotation {
    text: String,
    sources: Vec<String>,
}

/// A page with its figures as they should be.
#[derive(Debug)]
pub struct Renewed {
    /// The page.
    pub text: String,
    /// Which figures it had instead.
    pub stale: Vec<String>,
    /// Quotations that do not fit, or whose sources do not.
    pub faults: Vec<Fault>,
}

/// The quotations of each page, by its path.
pub fn parse(text: &str) -> Result<BTreeMap<String, Vec<Quotation>>, Fault> {
    let mut pages: BTreeMap<String, Vec<Quotation>> = BTreeMap::new();
    let mut page = None;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("# ") {
            page = Some(pages.entry(name.to_owned()).or_default());
            continue;
        }
        let quotations = page.as_deref_mut().ok_or_else(|| format!("{line}: in no page"))?;
        match line.strip_prefix("    ") {
            None => quotations.push(Quotation { text: line.to_owned(), ..Quotation::default() }),
            Some(source) => quotations.last_mut().ok_or_else(|| format!("{line}: no quotation"))?.add(source),
        }
    }
    Ok(pages)
}

/// The page with its figures as the sources have them.
pub fn renewed(page: &str, quotations: &[Quotation], sources: &mut Sources) -> Renewed {
    let spaced = Spaced::new(page);
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for quotation in quotations {
        for (at, source) in quotation.places(&spaced).unwrap_or_default().into_iter().zip(&quotation.sources) {
            match Found::new(quotation, source, at, &spaced, sources) {
                Ok(figure) => found.push(figure),
                Err(fault) => faults.push(format!("`{}`: {source}: {fault}", quotation.text)),
            }
        }
    }
    found.sort_by_key(|figure| figure.at.start);
    let known: Vec<&Found<'_>> = found.iter().filter(|figure| figure.family.is_some()).collect();
    faults.extend(known.windows(2).filter_map(|pair| mixed(pair[0], pair[1], &spaced)));
    found.retain(|figure| figure.value != spaced.text[figure.at.clone()]);
    found.dedup_by_key(|figure| figure.at.start);
    let stale = found.iter().map(|figure| figure.stale(&spaced)).collect();
    let text = spaced.with(page, found.into_iter().map(|figure| (figure.at, figure.value)));
    let spaced = Spaced::new(&text);
    faults.extend(quotations.iter().filter_map(|quotation| quotation.places(&spaced).err()));
    if text.contains("<!--=") || text.contains("<!--/-->") {
        faults.push("`<!--= … -->`: quote its figure in docs/figures.txt instead, the source below".into());
    }
    Renewed { text, stale, faults }
}

/// The page with braces around the figures that are quoted.
pub fn braced(page: &str, quotations: &[Quotation]) -> String {
    let spaced = Spaced::new(page);
    let mut places: Vec<_> = quotations.iter().flat_map(|quotation| quotation.places(&spaced)).flatten().collect();
    places.sort_by_key(|at| at.start);
    spaced.with(page, places.into_iter().map(|at| (at.clone(), format!("{{{}}}", &spaced.text[at]))))
}

impl Quotation {
    fn add(&mut self, source: &str) {
        match source.strip_prefix("range ") {
            Some(named) => self.sources.extend([format!("least {named}"), format!("most {named}")]),
            None => self.sources.push(source.to_owned()),
        }
    }

    /// Where its figures are.
    fn places(&self, page: &Spaced) -> Result<Vec<Range<usize>>, Fault> {
        let parts: Vec<&str> = self.text.split("{}").collect();
        if self.sources.is_empty() || parts.len() != self.sources.len() + 1 {
            return Err(format!("`{}`: {} figures, {} sources", self.text, parts.len() - 1, self.sources.len()));
        }
        let starts = page.text.match_indices(parts[0]);
        let mut fits =
            starts.filter_map(|(start, first)| self.places_from(start + first.len(), &parts[1..], &page.text));
        match (fits.next(), fits.count()) {
            (Some(places), 0) => Ok(places),
            (first, more) => {
                let times = usize::from(first.is_some()) + more;
                Err(format!("`{}`: fits in {times} places, not in one: quote what is there now", self.text))
            }
        }
    }

    /// Where its figures are if the first one begins here.
    fn places_from(&self, mut at: usize, parts: &[&str], page: &str) -> Option<Vec<Range<usize>>> {
        let figures = parts.iter().zip(&self.sources).map(|(part, source)| {
            let (before, rest) = page.split_at(at);
            let length = if source.starts_with("made ") { date(rest, part) } else { digits(rest) };
            let figure = at..at + length;
            at = figure.end + part.len();
            let is_whole = length > 0 && !before.ends_with(is_of_number);
            (is_whole && rest[length..].starts_with(part)).then_some(figure)
        });
        figures.collect()
    }
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || c == '.' || c == ','
}

/// The length of a number or version at the beginning.
fn digits(text: &str) -> usize {
    let length = text.find(|c| !is_of_number(c)).unwrap_or(text.len());
    text[..length].trim_end_matches(['.', ',']).len()
}

/// The length of a date at the beginning, with what follows in its sentence up to a mark.
fn date(text: &str, mark: &str) -> usize {
    let length = text.find(mark).unwrap_or(0);
    if text[..length].contains(". ") || text.get(4..5) != Some("-") { 0 } else { length }
}

/// A figure of a page.
struct Found<'a> {
    quotation: &'a Quotation,
    at: Range<usize>,
    value: String,
    /// The family of the processor, if it is recorded.
    family: Option<String>,
}

impl<'a> Found<'a> {
    fn new(
        quotation: &'a Quotation,
        source: &str,
        at: Range<usize>,
        page: &Spaced,
        sources: &mut Sources,
    ) -> Result<Self, Fault> {
        let words: Vec<&str> = source.split(' ').collect();
        let file = words.iter().map(|word| word.trim_end_matches(':')).find(|word| word.ends_with(".csv"));
        let results = sources.file(file.ok_or("names no file of results")?)?;
        let value = match words[..] {
            ["made", _] => results.made.clone(),
            ["version", _, package] => results.version(package)?,
            _ => numbers::like(Figure::parse(source)?.of(&[], sources)?, &page.text[at.clone()]),
        };
        let family = results
            .made
            .split_once("(family ")
            .map(|(_, family)| family.chars().take_while(char::is_ascii_digit).collect());
        Ok(Self { quotation, at, value, family })
    }

    fn stale(&self, page: &Spaced) -> String {
        format!("`{}`: {} should be {}", self.quotation.text, &page.text[self.at.clone()], self.value)
    }
}

/// What is wrong with neighbors in one sentence or row that were measured on two processors.
fn mixed(a: &Found<'_>, b: &Found<'_>, page: &Spaced) -> Option<Fault> {
    let between = page.text.get(a.at.end..b.at.start)?;
    let is_one = !between.contains(". ") && !between.contains("| |");
    (is_one && a.family != b.family).then(|| format!("`{}`: a sentence of two machines", b.quotation.text))
}

/// A page with single spaces between words, without the marks of documentation comments, and where its bytes are there.
struct Spaced {
    text: String,
    places: Vec<usize>,
}

impl Spaced {
    fn new(page: &str) -> Self {
        let mut spaced = Self { text: String::new(), places: Vec::new() };
        for word in page.split_whitespace().filter(|word| !matches!(*word, "//!" | "///")) {
            let start = word.as_ptr().addr() - page.as_ptr().addr();
            spaced.text += &format!("{word} ");
            spaced.places.extend(start..=start + word.len());
        }
        spaced
    }

    /// The page with other texts at some places, which are in order.
    fn with(&self, page: &str, edits: impl DoubleEndedIterator<Item = (Range<usize>, String)>) -> String {
        let mut page = page.to_owned();
        for (at, text) in edits.rev() {
            page.replace_range(self.places[at.start]..self.places[at.end], &text);
        }
        page
    }
}
