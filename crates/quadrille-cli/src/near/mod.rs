//! `quadrille near`: which tracks came near each other, when, how near and for how long.

mod asked;
mod frame;
mod picture;
mod query;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;
use quadrille_files::{Fixes, Kind};
use quadrille_tracks::{Encounter, Found, Tracks, Units};
use serde::{Serialize, Serializer};

pub(crate) use self::asked::Asked;
pub(crate) use self::query::of as query;
use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::quantity::{self, Quantity};
use crate::records::{Format, Record, Records};
use crate::{progress, table, text};

/// Find encounters: which tracks of ships, aircraft, animals or people came near each other, when, how near, and for
/// how long.
///
/// Each row of a file is one fix: track id, time and position. Files are what `quadrille pairs` reads (CSV and similar,
/// GeoJSON and others), optionally compressed with gzip or zstd; `-` is standard input. Common column names are
/// recognized; the report says which columns were used. Times are dates (UTC unless a zone is given), seconds,
/// milliseconds, microseconds or nanoseconds since 1970, or plain numbers. Between two fixes a track moves straight at
/// constant speed. So encounters can begin and end between fixes, and encounters entirely between fixes are found too.
///
/// If coordinates are degrees of longitude and latitude, distances are meters on the earth (WGS 84), and tracks follow
/// great circles. On a plane, distances are in the units of the file.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Near {
    /// File of fixes, or `-`
    file: PathBuf,
    /// A second file: find encounters of a track in FILE with a track in FILE2, instead of those within FILE
    file2: Option<PathBuf>,
    /// Largest distance: 500m, 5km, 5nm, 1mi or 90ft for degrees; a number in the units of the file on a plane
    #[arg(long, value_name = "DISTANCE", value_parser = quantity::length, allow_hyphen_values = true)]
    within: Quantity,
    #[command(flatten)]
    asked: Asked,
    /// Write the encounters in order of time, as CSV, or by the extension of FILE (.ndjson, .jsonl, .parquet); `-` is
    /// standard output
    #[arg(long, value_name = "FILE")]
    out: Option<Target>,
    /// Draw the tracks and the encounters as a PNG file, with the ten closest labeled
    #[arg(long, value_name = "FILE", value_parser = output::picture("png"))]
    png: Option<Target>,
    /// Write statistics as JSON; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille near ships.csv --within 500m --max-gap 10min --max-speed 60kn --out met.csv
  quadrille near aircraft.csv.gz --within 5nm --vertical 1000ft --out -
  quadrille near aircraft.csv --within 5nm --vertical 1000ft --png met.png
  quadrille near boats.csv whales.csv --within 100m --for 2min --gap 30s --id mmsi,tag --out met.csv
  quadrille near people.txt --id 2 --time 1 --x 3 --y 4 --within 0.5 --json -";

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    taken: String,
    taken2: Option<String>,
    units: &'static str,
    tracks: usize,
    fixes: usize,
    pieces: usize,
    longest_gap: f64,
    #[serde(serialize_with = "by_reason")]
    skipped: Skipped,
    pairs: usize,
    encounters: usize,
    ms: Times,
}

/// Why fixes are skipped, by name and in words, and how many.
type Skipped = [(&'static str, &'static str, u64); 7];

fn by_reason<S: Serializer>(skipped: &Skipped, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(skipped.iter().map(|(name, _, count)| (name, count)))
}

#[derive(Debug, Serialize)]
struct Times {
    read: f64,
    find: f64,
    write: f64,
}

/// How many of the closest encounters are printed, and labeled in the picture.
const CLOSEST: usize = 10;

impl Near {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let targets = [&self.out, &self.png, &self.json];
        self.check(&targets)?;

        let bar = progress::spinner("reading");
        let (read, files) = timed(|| self.asked.read(&self.inputs()));
        let files = files?;
        let (rules, limits) = query::of(&self.asked, Some(&self.within), &files)?;
        bar.set_message("finding encounters");
        let (find, found) = timed(|| {
            let tracks = files[0].tracks(files.get(1), &rules)?;
            Ok::<_, quadrille_tracks::Error>((tracks.encounters(&limits)?, tracks))
        });
        let (found, tracks) = found?;
        progress::go_on(&bar, "writing", &self.out);
        let answer = Answer { files: &files, found: &found };
        let (write, written) = timed(|| self.write(answer, &tracks));
        written?;
        bar.finish_and_clear();

        let times = Times { read: ms(read), find: ms(find), write: ms(write) };
        let figures = answer.figures(times);
        output::report(&self.report(&figures, answer), &figures, &self.json, &targets)
    }

    /// Checks what can be checked before anything is read.
    fn check(&self, targets: &[&Option<Target>]) -> Result<(), Failure> {
        let inputs = self.inputs();
        self.asked.check(&inputs)?;
        if let Some(out) = &self.out {
            Format::of(None, out, "")?;
        }
        output::check(targets, &inputs)
    }

    fn inputs(&self) -> Vec<&Path> {
        [Some(&self.file), self.file2.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn write(&self, answer: Answer<'_>, tracks: &Tracks) -> Result<(), Failure> {
        if let Some(out) = &self.out {
            let format = Format::of(None, out, "")?;
            out.write(|file| answer.write_records(file, format, self.asked.vertical.is_some()))?;
        }
        if let Some(png) = &self.png {
            let picture = picture::draw(answer, tracks);
            png.write(|file| quadrille_draw::write_png(&picture, file))?;
        }
        Ok(())
    }

    fn report(&self, figures: &Figures, answer: Answer<'_>) -> String {
        let described = |fixes: &Fixes| {
            let comments = match fixes.comments {
                0 => String::new(),
                comments => format!("; {}", text::count(comments, "comment line")),
            };
            let count = text::count(fixes.track.len() as u64, "fix");
            format!("{count} in {} ({}): {}{comments}", fixes.name, fixes.format, fixes.taken)
        };
        let Times { read, find, write } = figures.ms;
        let second = answer.files.get(1).map(|second| ("", described(second)));
        let (tracks, pieces) = (figures.tracks as u64, figures.pieces as u64);
        let rest = [
            (
                "tracks",
                format!(
                    "{} of {}{}",
                    text::count(tracks, "track"),
                    text::count(pieces, "straight piece"),
                    self.gap_in_words(answer)
                ),
            ),
            ("skipped", in_words(&figures.skipped)),
            ("", answer.first_invalid()),
            ("encounters", self.encounters_in_words(figures, answer)),
            ("time", format!("{read:.1} ms to read, {find:.1} ms to find, {write:.1} ms to write")),
        ];
        let rest = rest.into_iter().filter(|(_, words)| !words.is_empty());
        table::facts([("fixes", described(&answer.files[0]))].into_iter().chain(second).chain(rest))
            + &answer.closest_in_words()
    }

    /// A track that moves straight for hours between two fixes meets others where it may never have been.
    fn gap_in_words(&self, answer: Answer<'_>) -> String {
        let (gap, unit) = (answer.found.longest_gap, answer.unit_of_times());
        match &self.asked.max_gap {
            Some(most) => format!("; gaps longer than {} break them", most.in_words(unit)),
            None if gap > 0.0 => {
                format!("; the longest gap between two fixes is {}{unit} (--max-gap breaks tracks)", text::figure(gap))
            }
            None => String::new(),
        }
    }

    fn encounters_in_words(&self, figures: &Figures, answer: Answer<'_>) -> String {
        let vertical =
            self.asked.vertical.as_ref().map_or(String::new(), |vertical| format!(" and {vertical} in height"));
        let lasting = self.asked.lasting.as_ref().map(|lasting| lasting.in_words(answer.unit_of_times()));
        let lasting = lasting.map_or(String::new(), |lasting| format!(", for {lasting} or longer"));
        let pairs = text::count(figures.pairs as u64, "pair");
        format!(
            "{} of {pairs} of tracks, within {}{vertical}{lasting}",
            HumanCount(figures.encounters as u64),
            self.within.in_words(answer.unit_of_lengths())
        )
    }
}

/// Empty if none are skipped.
fn in_words(skipped: &Skipped) -> String {
    let reasons = skipped.iter().filter(|(_, _, count)| *count > 0);
    reasons.map(|(_, why, count)| format!("{} {why}", HumanCount(*count))).collect::<Vec<_>>().join(", ")
}

/// What was found in which files.
#[derive(Clone, Copy)]
struct Answer<'a> {
    files: &'a [Fixes],
    found: &'a Found,
}

impl Answer<'_> {
    /// What the coordinates of all files are.
    fn units(self) -> Units {
        self.files[0].coordinates
    }

    /// The unit of lengths, for people; none on a plane.
    fn unit_of_lengths(self) -> &'static str {
        if self.units() == Units::Degrees { " m" } else { "" }
    }

    /// The unit of times, for people; none if they are plain numbers.
    fn unit_of_times(self) -> &'static str {
        if self.files[0].times.is_calendar() { " s" } else { "" }
    }

    fn figures(self, ms: Times) -> Figures {
        let [first, second] = [0, 1].map(|file| self.files.get(file));
        Figures {
            taken: first.map_or(String::new(), |first| first.taken.clone()),
            taken2: second.map(|second| second.taken.clone()),
            units: self.units().name(),
            tracks: self.found.tracks,
            fixes: self.found.fixes,
            pieces: self.found.pieces,
            longest_gap: self.found.longest_gap,
            skipped: self.skipped(),
            pairs: self.found.pairs,
            encounters: self.found.encounters.len(),
            ms,
        }
    }

    fn skipped(self) -> Skipped {
        let rows = |count: fn(&Fixes) -> u64| self.files.iter().map(count).sum();
        let fixes = self.found.skipped;
        let no_position = "at latitude 91 or longitude 181, which is what AIS sends for no position";
        [
            ("incomplete", "without id, time or position", rows(|file| file.skipped)),
            ("unavailable", no_position, rows(|file| file.unavailable)),
            ("invalid", "that cannot be read", rows(|file| file.invalid)),
            ("no_height", "without height", fixes.no_height as u64),
            ("repeated", "repeated", fixes.repeated as u64),
            ("conflicting", "at another position at the same time", fixes.conflicting as u64),
            ("too_fast", "too fast to be true", fixes.too_fast as u64),
        ]
    }

    /// What the two tracks are called.
    fn ids(&self, met: &Encounter) -> [&str; 2] {
        let last = self.files.len() - 1;
        [&self.files[0].ids[met.a as usize], &self.files[last].ids[met.b as usize]]
    }

    fn write_records(self, file: &mut (dyn io::Write + Send), format: Format, with_heights: bool) -> io::Result<()> {
        let names = ["a", "b", "start", "end", "duration", "closest_time", "closest_distance", "closest_vertical"];
        let times = self.files[0].times;
        let kind = |name: &str| match name {
            "a" | "b" => Kind::Text,
            "start" | "end" | "closest_time" if times.is_date() => Kind::Text,
            _ => Kind::Number,
        };
        let names = names[..names.len() - usize::from(!with_heights)].iter();
        let columns: Vec<_> = names.map(|name| ((*name).into(), kind(name))).collect();
        let mut records = Records::new(file, format, &columns)?;
        for met in &self.found.encounters {
            let mut record = records.record();
            self.ids(met).into_iter().try_for_each(|id| record.text(id))?;
            let time = |record: &mut Record<'_, '_>, time: f64| {
                let shown = times.show(time);
                if times.is_date() { record.text(&shown) } else { record.number_as(time, shown) }
            };
            time(&mut record, met.start)?;
            time(&mut record, met.end)?;
            record.number(self.duration(met))?;
            time(&mut record, met.closest_time)?;
            record.number(self.length(met.closest_distance))?;
            met.closest_vertical.map_or(Ok(()), |height| record.number(self.length(height)))?;
            record.end()?;
        }
        records.finish()
    }

    /// Rounded to the millisecond if times are dates, because these are shown so.
    fn duration(self, met: &Encounter) -> f64 {
        if self.files[0].times.is_calendar() { thousandths(met.duration()) } else { met.duration() }
    }

    /// Rounded to the millimeter on the earth; more digits would not be accurate.
    fn length(self, length: f64) -> f64 {
        if self.units() == Units::Degrees { thousandths(length) } else { length }
    }

    /// The closest encounters, the closest first.
    fn closest(self) -> Vec<Encounter> {
        let order = |one: &Encounter, other: &Encounter| {
            one.closest_distance.total_cmp(&other.closest_distance).then(one.start.total_cmp(&other.start))
        };
        let mut closest = Vec::with_capacity(CLOSEST + 1);
        for met in &self.found.encounters {
            let position = closest.partition_point(|other| order(other, met).is_le());
            closest.insert(position, *met);
            closest.truncate(CLOSEST);
        }
        closest
    }

    fn distance_in_words(self, met: &Encounter) -> String {
        format!("{}{}", text::figure(met.closest_distance), self.unit_of_lengths())
    }

    /// What is wrong with the first row that was left out; empty if there is none.
    fn first_invalid(self) -> String {
        let first = self.files.iter().find_map(|file| file.first_invalid.as_ref());
        first.map_or(String::new(), |first| format!("the first: {first}"))
    }

    /// What the two tracks are called, for people: numbers without an exponent.
    fn names(&self, met: &Encounter) -> [String; 2] {
        self.ids(met).map(|id| text::whole(id).unwrap_or_else(|| text::one_line(id)))
    }

    /// A table of them; empty if there are none.
    fn closest_in_words(self) -> String {
        let closest = self.closest();
        if closest.is_empty() {
            return String::new();
        }
        let times = self.files[0].times;
        let rows = closest.iter().enumerate().map(|(number, met)| {
            let [a, b] = self.names(met);
            let vertical = met.closest_vertical.map_or(String::new(), text::figure);
            [
                format!("{}: {a} and {b}", number + 1),
                self.distance_in_words(met),
                vertical,
                times.show_to_people(met.closest_time),
                text::figure(self.duration(met)),
            ]
        });
        let has_heights = closest[0].closest_vertical.is_some();
        let heading = ["closest", "apart", if has_heights { "height" } else { "" }, "at", "lasted"];
        format!("\n{}", table::figures(output::width(), heading, rows))
    }
}

fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
