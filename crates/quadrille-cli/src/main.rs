//! The `quadrille` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_cli::main()
}
