//! `quadrille view`: starts the viewer, a program of its own.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;

/// Open the viewer: watch any structure split, merge and answer, and query it with the mouse.
///
/// The viewer is the program quadrille-view. It is installed separately, because it needs a window system.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct View {
    /// Passed on to quadrille-view: a state as the window shows it, a map, options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille view
  quadrille view -- --help     the options of quadrille-view";

const PROGRAM: &str = "quadrille-view";

impl View {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let status = Command::new(program()).args(&self.arguments).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::Bad(format!("{PROGRAM} ended with {status}"))),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::Bad(format!(
                "{PROGRAM} is not installed; install it from a checkout with `cargo install --path crates/quadrille-view`"
            ))),
            Err(error) => Err(Failure::Bad(format!("cannot start {PROGRAM}: {error}"))),
        }
    }
}

/// The viewer beside this program, if there is one, otherwise the one on the PATH.
fn program() -> PathBuf {
    let file = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|this| this.with_file_name(&file));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| file.into())
}
