//! Writing: all results or none.
//!
//! A file is written in its folder under a temporary name, as a *draft*. Drafts get their names together, when everything
//! is written and reported; until then, any failure or any signal that ends the process removes them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::builder::{OsStringValueParser, TypedValueParser};
use serde::{Serialize, Serializer};
use tempfile::{NamedTempFile, TempPath};

use crate::failure::Failure;

/// Where a result goes: a file, or standard output if it is named `-`.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl From<OsString> for Target {
    fn from(name: OsString) -> Self {
        // By its other names, a file that a shell has put there would be replaced under the shell.
        const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        if STDOUT.iter().any(|stdout| name == *stdout) { Self::Stdout } else { Self::File(name.into()) }
    }
}

/// Reads where a picture goes that is always written in one format: a name must not say that it is in another.
pub(crate) fn picture(ending: &'static str) -> impl TypedValueParser<Value = Target> {
    OsStringValueParser::new().try_map(move |name| match Target::from(name) {
        Target::File(path) if path.extension().is_some_and(|own| !own.eq_ignore_ascii_case(ending)) => {
            Err(format!("it is written as .{ending}"))
        }
        target => Ok(target),
    })
}

impl Target {
    /// Checks, before long work, whether the file can be written.
    fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(()),
            Self::File(path) => try_out(path).map_err(|error| cannot_write(path, error)),
        }
    }

    /// Writes what `content` writes; a file appears under its name when the [report](report) is out. An error that holds
    /// a [`Failure`] is not one of this file.
    pub(crate) fn write<R>(
        &self,
        content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<R>,
    ) -> Result<R, Failure> {
        match self {
            Self::Stdout => {
                let mut stdout = BufWriter::new(Stdout(io::stdout()));
                let written = content(&mut stdout)?;
                stdout.flush()?;
                Ok(written)
            }
            Self::File(path) => write_file(path, content).map_err(|error| cannot_write(path, error)),
        }
    }

    /// Writes one JSON object and a line end.
    fn write_json(&self, object: &impl Serialize) -> Result<(), Failure> {
        self.write(|file| {
            serde_json::to_writer_pretty(&mut *file, object)?;
            writeln!(file)
        })
    }
}

/// Whether results go to files, too.
static HAS_FILES: AtomicBool = AtomicBool::new(false);

/// Standard output. Its reader may be gone, as after `| head`: that ends the run, unless results go to files, which are
/// then made as if somebody read on.
struct Stdout(io::Stdout);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        or_unread(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        or_unread(self.0.flush(), ())
    }
}

fn or_unread<T>(written: io::Result<T>, all: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && HAS_FILES.load(Ordering::Relaxed) => Ok(all),
        written => written,
    }
}

fn cannot_write(path: &Path, error: io::Error) -> Failure {
    error.downcast().unwrap_or_else(|error| Failure::in_file(path, format_args!("cannot be written: {error}")))
}

fn try_out(path: &Path) -> io::Result<()> {
    match Writing::of(path)? {
        Writing::Replaced { path, .. } => draft_beside(&path).map(drop),
        // Opening a named pipe would wait for its reader, and closing it again would send the reader away.
        Writing::Opened => Ok(()),
    }
}

fn write_file<R>(path: &Path, content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<R>) -> io::Result<R> {
    match Writing::of(path)? {
        // At its end, where whatever has the file open would write.
        Writing::Opened => fill(&OpenOptions::new().append(true).open(path)?, content),
        Writing::Replaced { path, permissions } => {
            let draft = Draft::begin(path)?;
            let written = fill(&draft.file, content)?;
            permissions.map_or(Ok(()), |permissions| draft.file.set_permissions(permissions))?;
            draft.complete();
            Ok(written)
        }
    }
}

fn fill<R>(file: &File, content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<R>) -> io::Result<R> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    let written = content(&mut file)?;
    file.flush()?;
    Ok(written)
}

/// How a file is written.
#[derive(Debug)]
enum Writing {
    /// An ordinary file, or none yet: a complete draft replaces it and takes over its permissions.
    Replaced { path: PathBuf, permissions: Option<fs::Permissions> },
    /// What cannot be replaced: `/dev/null`, a named pipe, and what another process has opened: `/dev/fd/3`.
    Opened,
}

impl Writing {
    fn of(target: &Path) -> io::Result<Self> {
        match fs::metadata(target) {
            Ok(known) if known.is_file() && is_descriptor(target) => Ok(Self::Opened),
            Ok(known) if known.is_file() => {
                // A file that may not be written may not be replaced either.
                OpenOptions::new().write(true).open(target)?;
                Ok(Self::Replaced { path: target.canonicalize()?, permissions: Some(known.permissions()) })
            }
            Ok(known) if known.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => Ok(Self::Opened),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self::Replaced { path: end_of_links(target), permissions: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether it is a name of what this process has open, in `/dev/fd` or `/proc/self/fd`.
fn is_descriptor(path: &Path) -> bool {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| folder.ends_with("fd") && (folder.starts_with("/proc") || folder.starts_with("/dev")))
}

/// The end of a chain of symbolic links to a file that does not exist yet, so that the links stay. The system has
/// already rejected loops.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_path_buf();
    while let Ok(next) = fs::read_link(&end) {
        end = end.with_file_name("").join(next);
    }
    end
}

/// An empty file in the folder of `target`, with the permissions of any new file.
fn draft_beside(target: &Path) -> io::Result<NamedTempFile> {
    if target.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is not a file name"));
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())));
    }
    let mut names = tempfile::Builder::new();
    names.prefix(".quadrille-").suffix(".part");
    #[cfg(unix)]
    names.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Without the name of the draft, which means nothing to the user.
    names.tempfile_in(folder).map_err(|error| {
        let what = error.to_string();
        io::Error::new(error.kind(), what.split(" at path ").next().unwrap_or_default())
    })
}

/// Drafts of this process: one being written, and those that wait for their names.
static DRAFTS: Mutex<Vec<(TempPath, PathBuf)>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<(TempPath, PathBuf)>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A draft being written. Dropped before it is complete, it leaves nothing behind.
#[derive(Debug)]
struct Draft {
    file: File,
    is_complete: bool,
}

impl Draft {
    fn begin(target: PathBuf) -> io::Result<Self> {
        // The process must not end between creating the file and listing it.
        let mut drafts = drafts();
        let (file, path) = draft_beside(&target)?.into_parts();
        drafts.push((path, target));
        Ok(Self { file, is_complete: false })
    }

    fn complete(mut self) {
        self.is_complete = true;
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_complete {
            drafts().pop();
        }
    }
}

/// Removes all drafts, for good: the process is about to end.
pub(crate) fn abandon() {
    let mut drafts = drafts();
    drafts.clear();
    // Other threads wait here before they start another draft.
    std::mem::forget(drafts);
}

/// Gives all drafts their names.
fn publish() -> Result<(), Failure> {
    for (draft, target) in drafts().drain(..) {
        draft.persist(&target).map_err(|error| cannot_write(&target, error.error))?;
    }
    Ok(())
}

/// Prints words for people to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    Target::Stdout.write(|stdout| stdout.write_all(text.as_bytes()))
}

/// Writes the figures to `json`, prints the report for people, then gives all files that were written their names.
///
/// The report goes to standard output, or to standard error if a target takes the former. Nobody has to listen: a
/// closed pipe is no reason to lose a file, and neither is a standard error that cannot be written.
pub(crate) fn report(
    text: &str,
    figures: &impl Serialize,
    json: &Option<Target>,
    targets: &[&Option<Target>],
) -> Result<(), Failure> {
    if let Some(json) = json {
        json.write_json(figures)?;
    }
    if taken(targets) == 0 {
        print(text)?;
    } else {
        complain(text);
    }
    publish()
}

/// Writes to standard error, if there is one.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Whether an input is standard input. What is left without `full` reads none.
fn is_stdin(input: &Path) -> bool {
    #[cfg(feature = "full")]
    let is_stdin = quadrille_files::Source::is_stdin(input);
    #[cfg(not(feature = "full"))]
    let is_stdin = input == Path::new("-");
    is_stdin
}

/// Checks all files before long work: each target can be written, no two are one file, none is one of the `inputs`, at
/// most one is standard output, which is no input, and at most one input is standard input.
pub(crate) fn check(targets: &[&Option<Target>], inputs: &[&Path]) -> Result<(), Failure> {
    if inputs.iter().filter(|input| is_stdin(input)).count() > 1 {
        return Err(Failure::Bad("only one file can be standard input (`-`)".into()));
    }
    if taken(targets) > 1 {
        return Err(Failure::Bad("only one result can go to standard output (`-`)".into()));
    }
    inputs.iter().try_for_each(|input| check_input(input))?;
    targets.iter().copied().flatten().try_for_each(Target::check)?;
    let has_files = targets.iter().any(|target| matches!(target, Some(Target::File(_))));
    HAS_FILES.store(has_files, Ordering::Relaxed);
    let mut known: Vec<_> = inputs.iter().filter_map(|input| input.canonicalize().ok()).collect();
    let inputs_known = known.len();
    let piped = inputs.iter().any(|input| is_stdin(input)).then(|| same_file::Handle::stdin().ok()).flatten();
    let standard = [
        ("standard input", piped),
        ("standard output, which `-` names", same_file::Handle::stdout().ok()),
        ("standard error", same_file::Handle::stderr().ok()),
    ];
    for target in targets.iter().copied().flatten() {
        let Target::File(path) = target else { continue };
        let Ok(Writing::Replaced { path: resolved, .. }) = Writing::of(path) else { continue };
        let resolved = in_real_folder(resolved);
        let opened = same_file::Handle::from_path(&resolved).ok();
        if let Some((what, _)) = standard.iter().find(|(_, handle)| handle.is_some() && *handle == opened) {
            return Err(Failure::in_file(path, format_args!("is {what}: write to another file")));
        }
        match known.iter().position(|known| *known == resolved) {
            Some(input) if input < inputs_known => {
                return Err(Failure::in_file(path, "is an input of this run: write to another file"));
            }
            Some(_) => return Err(Failure::in_file(path, "only one result can go to this file")),
            None => known.push(resolved),
        }
    }
    Ok(())
}

/// Fails if standard output is a file, and the input is the same: whatever is printed would be added to it.
fn check_input(input: &Path) -> Result<(), Failure> {
    let is_file = |handle: &same_file::Handle| handle.as_file().metadata().is_ok_and(|known| known.is_file());
    // Opening a named pipe would wait for its writer.
    let opened = if is_stdin(input) {
        same_file::Handle::stdin().ok()
    } else {
        input.is_file().then(|| same_file::Handle::from_path(input).ok()).flatten()
    };
    match (opened, same_file::Handle::stdout().ok().filter(is_file)) {
        (Some(opened), Some(stdout)) if opened == stdout => {
            Err(Failure::in_file(input, "is standard output as well: write to another file"))
        }
        _ => Ok(()),
    }
}

/// The path of a file that may not exist yet, with its folder free of links.
fn in_real_folder(path: PathBuf) -> PathBuf {
    let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    match (folder.and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

fn taken(targets: &[&Option<Target>]) -> usize {
    targets.iter().filter(|target| matches!(target, Some(Target::Stdout))).count()
}

/// Writes figures as an object, each under its name.
pub(crate) fn by_name<T: Serialize, S: Serializer>(
    figures: &[(&'static str, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(name, figure)| (name, figure)))
}

/// The terminal's columns, or a comfortable width if there is no terminal.
pub(crate) fn width() -> u16 {
    const COMFORTABLE: u16 = 110;
    if io::stdout().is_terminal() { console::Term::stdout().size().1 } else { COMFORTABLE }
}
