//! Runs the command in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A file of real data by its path in the folder of shared data, or `None`, with a message, if it is absent.
pub(crate) fn shared(file: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let there = path.is_file();
    if !there {
        // Past the harness, which keeps what passing tests print.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {} is absent", path.display());
    }
    there.then_some(path)
}

/// A folder for the files of one test, empty at first.
#[derive(Debug)]
pub(crate) struct Room(PathBuf);

impl Room {
    /// `name` must be the test's own.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn with(self, file: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.join(file), content).unwrap();
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what must go well, and returns what it printed.
    pub(crate) fn good(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The JSON object of a good run.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.good(&[arguments, &["--json", "-"]].concat());
        serde_json::from_str(&printed).unwrap()
    }

    /// Runs what must fail: exit code 2, one line on standard error that contains all of `told`, nothing printed, no
    /// file left.
    pub(crate) fn bad(&self, arguments: &[&str], told: &[&str]) {
        let before = self.files();
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        for part in told {
            assert!(errors.contains(part), "{arguments:?}: {part:?} is missing from: {errors}");
        }
        assert!(output.stdout.is_empty(), "{arguments:?} printed {:?}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(self.files(), before, "{arguments:?} left files");
    }

    /// Where a file of this name is.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.0.join(file)).unwrap()
    }

    /// Names of all files, hidden ones too.
    pub(crate) fn files(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(&self.0).unwrap().map(name).collect();
        names.sort();
        names
    }
}
