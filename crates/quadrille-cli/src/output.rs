//! Writing: all of a file or nothing.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::Failure;

/// Where a result goes: a file, or standard output if it is named `-`.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl From<OsString> for Target {
    fn from(name: OsString) -> Self {
        if name == "-" { Self::Stdout } else { Self::File(name.into()) }
    }
}

impl Target {
    /// Finds out before long work whether the file can be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(()),
            Self::File(path) => Draft::begin(path).map(drop).map_err(|error| cannot_write(path, &error)),
        }
    }

    /// Writes what `content` writes; a file appears under its name only when all of it is written.
    pub(crate) fn write(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match self {
            Self::Stdout => {
                let mut stdout = BufWriter::new(io::stdout().lock());
                content(&mut stdout)?;
                Ok(stdout.flush()?)
            }
            Self::File(path) => write_file(path, content).map_err(|error| cannot_write(path, &error)),
        }
    }

    /// Writes one JSON object and a line end.
    pub(crate) fn write_json(&self, object: &impl Serialize) -> Result<(), Failure> {
        self.write(|file| {
            serde_json::to_writer_pretty(&mut *file, object)?;
            writeln!(file)
        })
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::in_file(path, format_args!("cannot be written: {error}"))
}

fn write_file(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let draft = Draft::begin(path)?;
    let mut file = BufWriter::new(&draft.file);
    content(&mut file)?;
    file.flush()?;
    drop(file);
    draft.finish()
}

/// A file being written beside its target, which it replaces when it is complete. Dropped before, it leaves nothing behind.
#[derive(Debug)]
struct Draft {
    file: File,
    /// The temporary name and the final one; none for what is no ordinary file (`/dev/null`, a named pipe) and so cannot be
    /// replaced.
    names: Option<(PathBuf, PathBuf)>,
}

impl Draft {
    fn begin(target: &Path) -> io::Result<Self> {
        if fs::metadata(target).is_ok_and(|known| !known.is_file()) {
            return Ok(Self { file: OpenOptions::new().write(true).open(target)?, names: None });
        }
        // Through a symbolic link, so that the link stays one.
        let target = target.canonicalize().unwrap_or_else(|_| target.into());
        let name = target.file_name().ok_or(io::ErrorKind::NotFound)?;
        let mut draft = OsString::from(".");
        draft.push(name);
        draft.push(format!(".{}.part", std::process::id()));
        let draft = target.with_file_name(draft);
        let file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
        Ok(Self { file, names: Some((draft, target)) })
    }

    fn finish(mut self) -> io::Result<()> {
        let Some((draft, target)) = self.names.take() else { return Ok(()) };
        fs::rename(&draft, target).inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some((draft, _)) = &self.names {
            // Nothing better can be done about a temporary file that will not go.
            let _ = fs::remove_file(draft);
        }
    }
}

/// Prints words for people to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    Target::Stdout.write(|stdout| stdout.write_all(text.as_bytes()))
}

/// Prints the report for people: to standard output, or to standard error if a target takes the former.
pub(crate) fn report(text: &str, targets: &[&Option<Target>]) -> Result<(), Failure> {
    if taken(targets) == 0 {
        return print(text);
    }
    Ok(io::stderr().write_all(text.as_bytes())?)
}

/// Checks all targets before long work: each can be written, and at most one is standard output.
pub(crate) fn check(targets: &[&Option<Target>]) -> Result<(), Failure> {
    if taken(targets) > 1 {
        return Err(Failure::Bad("only one result can go to standard output (`-`)".into()));
    }
    targets.iter().copied().flatten().try_for_each(Target::check)
}

fn taken(targets: &[&Option<Target>]) -> usize {
    targets.iter().filter(|target| matches!(target, Some(Target::Stdout))).count()
}

/// Columns of the terminal, or what is comfortable to read where there is none.
pub(crate) fn width() -> u16 {
    const COMFORTABLE: u16 = 110;
    if io::stdout().is_terminal() { console::Term::stdout().size().1 } else { COMFORTABLE }
}
