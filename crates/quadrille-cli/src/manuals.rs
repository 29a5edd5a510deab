//! `quadrille completions` and `quadrille man`: input for shells and `man`, generated from the definitions that
//! `--help` shows.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Print a shell completion script.
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  quadrille completions bash > ~/.local/share/bash-completion/completions/quadrille
  quadrille completions zsh > ~/.zfunc/_quadrille
  quadrille completions fish > ~/.config/fish/completions/quadrille.fish";

/// Print the man page of the command or of a subcommand.
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// The subcommand [default: the command itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const MAN: &str = "\
Examples:
  quadrille man > quadrille.1
  quadrille man pairs > quadrille-pairs.1
  quadrille man pairs | man -l -";

impl Completions {
    pub(crate) fn run(self, mut command: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "quadrille", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}

impl Man {
    pub(crate) fn run(self, mut command: Command) -> Result<(), Failure> {
        command.build();
        let command = match &self.command {
            None => command,
            Some(name) => command
                .find_subcommand(name)
                .ok_or_else(|| Failure::Bad(format!("there is no subcommand {name:?}; `quadrille help` lists them")))?
                .clone(),
        };
        let name = command.get_display_name().unwrap_or("quadrille").to_owned();
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .title(name.to_uppercase())
            .render(&mut page)
            .map_err(|error| Failure::Bad(error.to_string()))?;
        output::print(&String::from_utf8_lossy(&page))
    }
}
