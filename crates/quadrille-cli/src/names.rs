//! Names and numbers on the command line. An error about an unknown name lists the known ones and suggests the nearest.

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use quadrille::structures::{AnyOptions, StructureKind};
use quadrille_advise::parameters::read_structure;

/// Reads a whole number as people write them: `1000000`, `1_000_000`, `1e6`.
pub(crate) fn number(range: RangeInclusive<u32>) -> impl TypedValueParser<Value = u32> {
    move |text: &str| match whole(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from {} to {}", range.start(), range.end())),
    }
}

/// Reads any whole number.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// A number without what divides its digits: `1_000_000`. Only thousands are divided: what is divided otherwise, as
/// `1_0`, is more likely a slip.
pub(crate) fn without_separators(text: &str) -> Option<String> {
    let whole = text.find(|letter: char| !letter.is_ascii_digit() && letter != '_').unwrap_or(text.len());
    let (whole, rest) = text.split_at(whole);
    let (first, thousands) = whole.split_once('_').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let are_thousands = thousands.is_none_or(|groups| groups.split('_').all(|group| group.len() == 3));
    let is_first = thousands.is_none() || (1..=3).contains(&first.len());
    (are_thousands && is_first && !rest.contains('_')).then(|| text.replace('_', ""))
}

pub(crate) fn whole(text: &str) -> Option<u32> {
    let digits = without_separators(text)?;
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((&digits, "0"));
    let factor = 10_u32.checked_pow(exponent.parse().ok()?)?;
    mantissa.parse::<u32>().ok()?.checked_mul(factor)
}

/// Reads an answer.
pub(crate) fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no"),
    }
}

/// Reads an amount of memory: `512M`, `4G`, `1.5GiB`, `4GB`.
pub(crate) fn bytes(text: &str) -> Result<u64, &'static str> {
    const EXPECTED: &str = "expected an amount of memory, such as 512M or 4G";
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1_048_576.0,
        "g" | "gib" => 1_073_741_824.0,
        "t" | "tib" => 1_099_511_627_776.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(EXPECTED),
    };
    let number: f64 = without_separators(digits.trim()).and_then(|digits| digits.parse().ok()).ok_or(EXPECTED)?;
    // Casts: it saturates, and is not negative.
    if number >= 0.0 { Ok((number * unit) as u64) } else { Err(EXPECTED) }
}

/// Reads one of some names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |found: String| *all.iter().find(|one| name(**one) == found).expect("it is one of them");
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).map(named)
}

/// Reads a structure with its parameters: `quadtree`, `quadtree:capacity=8`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Structure;

impl TypedValueParser for Structure {
    type Value = AnyOptions;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, value: &OsStr) -> Result<AnyOptions, clap::Error> {
        let text = value.to_string_lossy();
        let name = text.split(':').next().unwrap_or_default();
        let kind = one_of(StructureKind::ALL, StructureKind::name).parse_ref(command, option, name.as_ref())?;
        if name.len() == text.len() { Ok(kind.into()) } else { read_structure.parse_ref(command, option, value) }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(StructureKind::ALL.iter().map(|kind| PossibleValue::new(kind.name()))))
    }
}
