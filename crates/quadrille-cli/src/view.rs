//! `quadrille view`: starts the viewer, a program of its own.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use clap::Args;
use quadrille_files::{Choice, FixChoice, Fixes, Shapes, Source, Table};

use crate::failure::Failure;
use crate::near::{self, Asked};
use crate::quantity::{self, Quantity};

/// Open the viewer: watch any structure split, merge and answer, query it with the mouse, paint maps, play tracks, and
/// look at the boxes of a file.
///
/// The viewer is the program quadrille-view. It is installed separately, because it needs a window system.
///
/// A file with columns of tracks, times and places is played: a slider runs through its time, and encounters are highlighted.
/// Such a file takes the options of `quadrille near`. For any other file, the viewer shows the boxes, points or shapes,
/// colored by how many others each overlaps, and reads it as `quadrille pairs` does. You can paint on a map (.map, .png).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct View {
    /// File of fixes, boxes or shapes, map, or a view as text, such as scene=mixed,n=20000
    shown: Option<OsString>,
    /// A second file of fixes: encounters of a track in the first with a track in this one
    file2: Option<PathBuf>,
    /// Highlight encounters up to this distance: 500m, 5km, 5nm, 1mi or 90ft for degrees; a number in the units of the file
    /// on a plane
    #[arg(long, value_name = "DISTANCE", value_parser = quantity::length, allow_negative_numbers = true)]
    within: Option<Quantity>,
    /// Show the boxes of the file, even if it could be played as tracks
    #[arg(long)]
    boxes: bool,
    /// Columns of boxes, by name or by number from 1: two for points, four for boxes, three for circles, or one for
    /// geometries
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    asked: Asked,
    /// Options passed on to quadrille-view unchanged
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille view
  quadrille view scene=clustered,n=100000,structure=loose-grid
  quadrille view aircraft.csv --within 5nm --vertical 1000ft --max-gap 1min
  quadrille view people.txt --id 2 --time 1 --x 3 --y 4 --within 0.5
  quadrille view buildings.csv
  quadrille view counties.geojson --id NAME -- structure=quadtree,beside=loose-grid
  quadrille view city.map
  quadrille view -- --help     the options of quadrille-view";

const NO_INPUT: &str = "the viewer cannot read standard input (`-`): give it a file";

const PROGRAM: &str = "quadrille-view";

impl View {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut viewer = Command::new(program());
        match run_in_place(viewer.args(self.first()?).args(&self.arguments)) {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::Bad(format!("{PROGRAM} ended with {status}"))),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::Bad(format!(
                "{PROGRAM} is not installed; install it from a checkout with `cargo install --path crates/quadrille-view`"
            ))),
            Err(error) => Err(Failure::Bad(format!("cannot start {PROGRAM}: {error}"))),
        }
    }

    /// What is passed on first: a view as text, a map, or files of fixes.
    fn first(&self) -> Result<Vec<OsString>, Failure> {
        let Some(shown) = &self.shown else { return self.without_fixes(Vec::new()) };
        let path = Path::new(shown);
        let ends_in = |ending: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        if !means_file(shown) {
            self.without_fixes(vec![shown.clone()])
        } else if ends_in("map") || ends_in("png") {
            self.without_fixes(vec!["--map".into(), shown.clone()])
        } else if self.is_for_boxes(path)? {
            self.boxes(path)
        } else {
            self.fixes(path)
        }
    }

    /// Whether to show boxes: if requested, or if no option belongs to tracks and the file lacks a column of tracks,
    /// times or positions.
    fn is_for_boxes(&self, path: &Path) -> Result<bool, Failure> {
        if self.boxes || !self.columns.is_empty() {
            return Ok(true);
        }
        if Source::is_stdin(path) || self.file2.is_some() || self.within.is_some() || self.asked.is_of_tracks() {
            return Ok(false);
        }
        let choice = FixChoice { id: None, ..self.asked.choice(0) };
        let table = Table::from_source(Source::open(path)?.with_header(choice.header))?;
        Ok(!Fixes::are_in(&table, &choice))
    }

    /// Reads the file, so that errors are reported here and not in a window.
    fn boxes(&self, path: &Path) -> Result<Vec<OsString>, Failure> {
        if Source::is_stdin(path) {
            return Err(Failure::Bad(NO_INPUT.into()));
        }
        if self.file2.is_some() || self.within.is_some() || self.asked.is_of_tracks() {
            return Err(Failure::Bad(
                "--boxes takes one file, without columns of tracks or limits of encounters".into(),
            ));
        }
        let fixes = self.asked.choice(0);
        let choice = Choice {
            columns: self.columns.clone(),
            keep: fixes.id.clone().into_iter().collect(),
            header: fixes.header,
            has_geometries: true,
            skips_invalid: fixes.skip_invalid,
            ..Choice::default()
        };
        if Shapes::read(path, &choice)?.boxes.is_empty() {
            return Err(Failure::in_file(path, "there are no boxes in it"));
        }
        let mut passed = vec!["--boxes".into(), path.into()];
        if !self.columns.is_empty() {
            passed.extend(["--columns".into(), self.columns.join(",").into()]);
        }
        passed.extend(self.asked.columns(0));
        Ok(passed)
    }

    /// Limits and columns belong to files of fixes or boxes.
    fn without_fixes(&self, passed: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
        if self.boxes || !self.columns.is_empty() {
            return Err(Failure::Bad("--boxes and --columns need a file of boxes".into()));
        }
        if self.file2.is_some() || self.within.is_some() || self.asked.is_set() {
            return Err(Failure::Bad("a second file, columns and limits of encounters need a file of fixes".into()));
        }
        Ok(passed)
    }

    /// What is wrong with a file of fixes, and how to see its boxes, if no option belongs to tracks.
    fn with_hint(&self, failure: Failure) -> Failure {
        let is_of_tracks = self.file2.is_some() || self.within.is_some() || self.asked.is_of_tracks();
        match failure {
            Failure::Bad(what) if !is_of_tracks => Failure::Bad(format!("{what}; --boxes shows the file as boxes")),
            failure => failure,
        }
    }

    /// Reads the files, so that errors are reported here and not in a window, and converts the limits to their units.
    fn fixes(&self, first: &Path) -> Result<Vec<OsString>, Failure> {
        let inputs: Vec<_> = [Some(first), self.file2.as_deref()].into_iter().flatten().collect();
        if inputs.iter().any(|input| Source::is_stdin(input)) {
            return Err(Failure::Bad(NO_INPUT.into()));
        }
        self.asked.check(&inputs)?;
        let files = self.asked.read(&inputs).map_err(|failure| self.with_hint(failure))?;
        if files.windows(2).any(|two| two[0].height_unit != two[1].height_unit) {
            return Err(Failure::Bad("the viewer needs the heights of both files in the same unit".into()));
        }
        let (rules, limits) = near::query(&self.asked, self.within.as_ref(), &files)?;
        let set = |length: f64| (length > 0.0).then_some(length);
        let view = [
            ("within", self.within.as_ref().map(|_| limits.within)),
            ("vertical", limits.vertical),
            ("for", set(limits.lasting)),
            ("gap", set(limits.gap)),
            ("max-gap", rules.max_gap),
            ("max-speed", rules.max_speed),
        ];
        let view: Vec<_> = view.into_iter().filter_map(|(key, number)| Some(format!("{key}={}", number?))).collect();
        let mut passed = Vec::new();
        if !view.is_empty() {
            passed.push(view.join(",").into());
        }
        for (number, path) in inputs.into_iter().enumerate() {
            passed.extend(["--tracks".into(), path.into()]);
            passed.extend(self.asked.columns(number));
        }
        Ok(passed)
    }
}

/// The viewer takes over this process, so whatever ends `quadrille view`, such as SIGTERM, ends the window.
#[cfg(unix)]
fn run_in_place(viewer: &mut Command) -> io::Result<ExitStatus> {
    Err(std::os::unix::process::CommandExt::exec(viewer))
}

/// Waits for the viewer. A process cannot be replaced here.
#[cfg(not(unix))]
fn run_in_place(viewer: &mut Command) -> io::Result<ExitStatus> {
    viewer.status()
}

/// Whether a word names a file rather than a view: a file that is there, or a name with an ending or a folder.
fn means_file(word: &OsStr) -> bool {
    let is_view =
        word.to_str().is_some_and(|text| text.contains('=') || !text.contains(['.', '/', '\\']) && text != "-");
    Path::new(word).is_file() || !is_view
}

/// The viewer beside this program, if there is one, otherwise the one on the PATH.
fn program() -> PathBuf {
    let file = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|this| this.with_file_name(&file));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| file.into())
}
