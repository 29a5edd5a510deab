//! The viewer in its own window.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eframe::egui::{self, ViewportBuilder};
use quadrille_files::{Choice, FixChoice, Fixes, Source};
use web_time::{Duration, Instant};

use crate::App;
use crate::boxes::Sheet;
use crate::state::View;

const USAGE: &str = "\
See quadtrees and grids work under moving agents.

Usage: quadrille-view [VIEW] [--map FILE] [--tracks FILE [COLUMNS]]... [--boxes FILE [COLUMNS]] [--report FILE]
                      [--seconds N]

  VIEW           what to show, such as scene=mixed,n=20000,structure=quadtree:capacity=4,beside=grid;
                 the window gives such a text for what it shows (Copy this view as text)
  --map FILE     show this map: MovingAI's format, or a PNG picture whose dark pixels are walls
  --tracks FILE  play this file of fixes; a second one for encounters between the two. After it, if the file has no
                 telling header: --id, --time, --x, --y, --z COLUMN (name, or number from 1), --units plane|degrees,
                 --time-format FORMAT (as strftime has it), --header yes|no, --skip invalid (rows that cannot be read)
  --boxes FILE   show the boxes, points or shapes in this file. After it, if need be: --columns NAMES (with commas; by
                 name, or number from 1), --header yes|no, --id COLUMN (what a box is called), --skip invalid
  --report FILE  write the figures as JSON twice a second
  --seconds N    close the window after so long

Examples:
  quadrille-view
  quadrille-view scene=clustered,n=100000,structure=loose-grid
  quadrille-view n=20000,beside=grid,tool=ray,light
  quadrille-view within=500,max-gap=600 --tracks ships.csv
  quadrille-view structure=quadtree --boxes buildings.csv --columns xmin,ymin,xmax,ymax";

/// What the command line says.
#[derive(Clone, Debug, Default, PartialEq)]
struct Arguments {
    view: String,
    map: Option<PathBuf>,
    tracks: Vec<(PathBuf, FixChoice)>,
    boxes: Option<(PathBuf, Choice)>,
    report: Option<PathBuf>,
    seconds: Option<u32>,
    wants_help: bool,
}

/// Opens the window and waits until it is closed.
pub fn main() -> ExitCode {
    match read(std::env::args_os().skip(1)) {
        Ok(Arguments { wants_help: true, .. }) => {
            // Its reader may be gone.
            let _ = writeln!(std::io::stdout(), "{USAGE}");
            ExitCode::SUCCESS
        }
        Ok(arguments) => match Files::read(&arguments) {
            Ok(files) => open(arguments, files).map_or_else(
                |error| {
                    eprintln!("quadrille-view: cannot open a window: {error}{}", remedy(&error));
                    ExitCode::FAILURE
                },
                |()| ExitCode::SUCCESS,
            ),
            Err(what) => refuse(&what),
        },
        Err(what) => refuse(&what),
    }
}

/// Files, read before a window opens so that the command line can refuse those that cannot be shown.
struct Files {
    /// The map's name and bytes.
    map: Option<(String, Vec<u8>)>,
    tracks: Vec<Fixes>,
    boxes: Option<Sheet>,
}

impl Files {
    fn read(arguments: &Arguments) -> Result<Self, String> {
        let (view, _) = View::read(&arguments.view);
        Ok(Self {
            map: arguments.map.as_deref().map(map).transpose()?,
            tracks: fixes(arguments, &view)?,
            boxes: arguments.boxes.as_ref().map(|(path, choice)| sheet(path, choice, &view)).transpose()?,
        })
    }
}

/// The boxes of a file, in the structures of a view.
fn sheet(path: &Path, choice: &Choice, view: &View) -> Result<Sheet, String> {
    let source = Source::open(path).map_err(|error| error.to_string())?;
    Sheet::from_source(source, choice, view.structure, view.beside)
}

/// The name and the bytes of a file that is a map.
fn map(path: &Path) -> Result<(String, Vec<u8>), String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    crate::maps::read(&name, &bytes).map_err(|error| error.to_string())?;
    Ok((name, bytes))
}

fn refuse(what: &str) -> ExitCode {
    eprintln!("quadrille-view: {what}");
    ExitCode::from(2)
}

/// What helps against an error, on a line of its own.
const fn remedy(error: &eframe::Error) -> &'static str {
    match error {
        eframe::Error::Wgpu(_) => {
            "
There is neither a GPU with a driver nor a software one. Mesa's draws on any processor:
  Debian, Ubuntu: apt install mesa-vulkan-drivers libgl1-mesa-dri
  Fedora:         dnf install mesa-vulkan-drivers mesa-dri-drivers"
        }
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
            "
A window needs a display: on Linux, WAYLAND_DISPLAY or DISPLAY names it."
        }
        eframe::Error::AppCreation(_) => "",
    }
}

fn read(mut words: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let mut are_boxes_last = false;
    while let Some(word) = words.next() {
        let word = text(word)?;
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--help" | "-h" => arguments.wants_help = true,
            "--tracks" if arguments.tracks.len() == 2 => return Err("--tracks: two files at most".into()),
            "--tracks" => {
                arguments.tracks.push((value()?.into(), FixChoice::default()));
                are_boxes_last = false;
            }
            "--boxes" => {
                once(&mut arguments.boxes, &word, (value()?.into(), Choice::default()))?;
                are_boxes_last = true;
            }
            "--columns" | "--id" | "--header" | "--skip" if are_boxes_last => {
                let value = text(value()?)?;
                arguments.boxes.iter_mut().try_for_each(|(_, choice)| choose_boxes(choice, &word, &value))?;
            }
            "--columns" => return Err("--columns belongs after --boxes".into()),
            "--id" | "--time" | "--time-format" | "--x" | "--y" | "--z" | "--units" | "--header" | "--skip" => {
                let value = text(value()?)?;
                let (_, choice) =
                    arguments.tracks.last_mut().ok_or_else(|| format!("{word} belongs after --tracks"))?;
                choose(choice, &word, value)?;
            }
            "--map" => once(&mut arguments.map, &word, value()?.into())?,
            "--report" => once(&mut arguments.report, &word, value()?.into())?,
            "--seconds" => {
                let seconds = text(value()?)?;
                let number = seconds.parse().map_err(|_| format!("--seconds {seconds}: not a whole number"))?;
                once(&mut arguments.seconds, &word, number)?;
            }
            option if option.starts_with('-') => return Err(format!("there is no option {option}; see --help")),
            // Several are one: `quadrille view` writes limits before what its user has said.
            view => arguments.view.extend([view, ","]),
        }
    }
    let are_places = |(_, choice): &(PathBuf, FixChoice)| !choice.position.iter().flatten().any(String::is_empty);
    let are_complete = arguments.tracks.iter().all(are_places);
    are_complete.then_some(arguments).ok_or_else(|| "--x and --y belong together".into())
}

/// What is not the name of a file.
fn text(word: OsString) -> Result<String, String> {
    word.into_string().map_err(|word| format!("{} is not Unicode", word.display()))
}

fn once<T>(place: &mut Option<T>, option: &str, value: T) -> Result<(), String> {
    place.replace(value).map_or(Ok(()), |_| Err(format!("{option} is given twice")))
}

/// Sets what a column of a file of boxes is used for.
fn choose_boxes(choice: &mut Choice, option: &str, value: &str) -> Result<(), String> {
    match option {
        "--columns" => choice.columns = value.split(',').map(String::from).collect(),
        "--id" => choice.keep = vec![value.into()],
        "--header" => choice.header = Some(is_header(value)?),
        _ => choice.skips_invalid = skips(value)?,
    }
    Ok(())
}

fn is_header(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("--header {value}: yes or no")),
    }
}

fn skips(value: &str) -> Result<bool, String> {
    if value == "invalid" {
        Ok(true)
    } else {
        Err(format!("--skip {value}: only rows that are invalid can be left out"))
    }
}

/// Sets what a column of a file of fixes is used for.
fn choose(choice: &mut FixChoice, option: &str, value: String) -> Result<(), String> {
    let place = |axis: usize, old: Option<[String; 2]>| {
        let mut place = old.unwrap_or_default();
        place[axis] = value.clone();
        Some(place)
    };
    match option {
        "--id" => choice.id = Some(value),
        "--time" => choice.time = Some(value),
        "--time-format" => choice.time_format = Some(value),
        "--x" => choice.position = place(0, choice.position.take()),
        "--y" => choice.position = place(1, choice.position.take()),
        "--z" => choice.height = Some(value),
        "--header" => choice.header = Some(is_header(&value)?),
        "--skip" => choice.skip_invalid = skips(&value)?,
        _ => choice.coordinates = Some(value.parse().map_err(|unknown| format!("--units: {unknown}"))?),
    }
    Ok(())
}

/// The fixes in the files.
fn fixes(arguments: &Arguments, view: &View) -> Result<Vec<Fixes>, String> {
    let with_heights = view.meet.vertical.is_some();
    let read = |(path, choice): &(PathBuf, FixChoice)| {
        Fixes::read(path, &FixChoice { with_heights, ..choice.clone() }).map_err(|error| error.to_string())
    };
    arguments.tracks.iter().map(read).collect()
}

/// The smallest window whose panels can be used, in points.
const SMALLEST: [f32; 2] = [320.0, 400.0];

fn open(arguments: Arguments, Files { map, tracks, boxes }: Files) -> eframe::Result {
    let viewport = ViewportBuilder::default().with_title("quadrille").with_inner_size([1440.0, 900.0]);
    let viewport = viewport.with_min_inner_size(SMALLEST);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let make = move |context: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        let mut app = App::new(context, &arguments.view);
        let camera = app.view.camera;
        if let Some((name, bytes)) = &map {
            app.show_map(name, bytes);
        }
        if !tracks.is_empty() {
            app.show_tracks(&tracks);
        }
        if let Some(sheet) = boxes {
            app.show_sheet(sheet);
        }
        app.view.camera = camera;
        Ok(Box::new(Window {
            app,
            report: arguments.report,
            seconds: arguments.seconds,
            opened: Instant::now(),
            reported: None,
        }))
    };
    eframe::run_native("quadrille", options, Box::new(make))
}

/// The program with what only a window can do.
struct Window {
    app: App,
    report: Option<PathBuf>,
    seconds: Option<u32>,
    opened: Instant,
    reported: Option<Instant>,
}

/// How often figures are written.
const REPORT_EVERY: Duration = Duration::from_millis(500);

impl Window {
    /// Writes the figures if it is time; a file that cannot be written is reported once.
    fn write_report(&mut self) {
        let is_due = self.reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY);
        if let Some(path) = self.report.as_ref().filter(|_| is_due) {
            self.reported = Some(Instant::now());
            // A reader finds the old file or the new one, never half of it.
            let draft = path.with_added_extension("part");
            let written = std::fs::write(&draft, self.app.figures_json()).and_then(|()| std::fs::rename(&draft, path));
            if let Err(error) = written {
                self.app.say(format!("cannot write {}: {error}", path.display()));
                self.report = None;
            }
        }
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.app.ui(ui, frame);
        self.write_report();
        if self.report.is_some() || self.seconds.is_some() {
            ui.ctx().request_repaint_after(REPORT_EVERY);
        }
        if self.seconds.is_some_and(|seconds| self.opened.elapsed() >= Duration::from_secs(seconds.into())) {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_tracks::Units;

    use super::*;

    fn arguments(line: &str) -> Result<Arguments, String> {
        read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn arguments_are_a_view_and_options() {
        let expected = Arguments {
            view: "n=100,light,".into(),
            map: Some("a.map".into()),
            tracks: Vec::new(),
            boxes: None,
            report: Some("a.json".into()),
            seconds: Some(5),
            wants_help: false,
        };
        assert_eq!(arguments("--map a.map --report a.json n=100,light --seconds 5"), Ok(expected));
        assert_eq!(arguments(""), Ok(Arguments::default()));
        let (view, messages) = View::read(&arguments("within=5 --tracks f.csv dark").expect("nothing is wrong").view);
        assert_eq!((view.meet.within, view.theme, messages.len()), (Some(5.0), Some(crate::theme::Theme::Dark), 0));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_may_have_any_name() {
        use std::os::unix::ffi::OsStringExt;

        let name = OsString::from_vec(b"a \xff.map".to_vec());
        let words = |option: &str| [option.into(), name.clone()].into_iter();
        assert_eq!(read(words("--map")).expect("nothing is wrong").map, Some(name.clone().into()));
        assert!(read(words("--seconds")).expect_err("it is no number").contains("is not Unicode"));
    }

    #[test]
    fn columns_belong_to_the_file_before_them() {
        let read = arguments("--tracks a.txt --x 3 --y 4 --id 2 --units plane --tracks b.csv --time when");
        let [(first, one), (second, other)] = &read.expect("nothing is wrong").tracks[..] else { panic!("two files") };
        assert_eq!([first, second], [&PathBuf::from("a.txt"), &PathBuf::from("b.csv")]);
        assert_eq!((&one.position, &one.id), (&Some(["3", "4"].map(String::from)), &Some("2".into())));
        assert_eq!((one.coordinates, &other.time), (Some(Units::Plane), &Some("when".into())));
        assert_eq!((&other.id, &other.position), (&None, &None));
    }

    #[test]
    fn columns_of_boxes_belong_to_their_file() {
        let read = arguments(
            "structure=grid --boxes b.csv --columns a,2 --id name --header no --skip invalid --tracks t --id x",
        );
        let read = read.expect("nothing is wrong");
        let (path, choice) = read.boxes.expect("there is a file of boxes");
        assert_eq!(
            (path, choice.columns, choice.keep),
            ("b.csv".into(), vec!["a".into(), "2".into()], vec!["name".into()])
        );
        assert_eq!((choice.header, choice.skips_invalid), (Some(false), true));
        assert_eq!(read.tracks[0].1.id, Some("x".into()));
    }

    #[test]
    fn a_map_that_cannot_be_shown_is_refused_with_its_name() {
        let missing = map(Path::new("nothere.map")).expect_err("it is not there");
        assert!(missing.starts_with("nothere.map: "), "{missing}");
        let letter = map(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect_err("it is no map");
        assert!(letter.contains("Cargo.toml"), "{letter}");
    }

    #[test]
    fn who_has_nothing_that_draws_is_told_what_to_install() {
        let error = eframe::Error::Wgpu(eframe::egui_wgpu::WgpuError::NoSurfaceFormatsAvailable);
        let remedy = remedy(&error);
        for word in ["apt install mesa-vulkan-drivers", "dnf install mesa-vulkan-drivers"] {
            assert!(remedy.contains(word), "{remedy}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, named) in [
            ("--colour", "--colour"),
            ("--report", "--report"),
            ("--seconds x", "x"),
            ("--map a.map --map b.map", "--map is given twice"),
            ("--boxes b.csv --boxes c.csv", "--boxes is given twice"),
            ("--report a --seconds 5 --seconds 6", "--seconds is given twice"),
            ("--tracks a.csv --x lon", "--x and --y"),
            ("--id a", "--id"),
            ("--tracks a --units miles", "miles"),
            ("--tracks a --tracks b --tracks c", "two"),
            ("--columns a,b", "--boxes"),
            ("--boxes b.csv --header maybe", "maybe"),
            ("--boxes b.csv --skip all", "all"),
            ("--boxes", "--boxes"),
        ] {
            assert!(arguments(line).expect_err(line).contains(named), "{line}");
        }
    }
}
