//! Progress bars.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Target;

/// A bar for `length` things of a kind, such as "steps"; indicatif shows it on terminals only.
pub(crate) fn bar(length: u64, things: &'static str) -> ProgressBar {
    const TEMPLATE: &str = "{bar:40} {human_pos} of {human_len} {msg}, {eta} left";
    let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_message(things)
}

/// Says what is done next. Ends first if results go to standard output: on a terminal, they would stand behind the words
/// and be erased with them.
pub(crate) fn go_on(spinner: &ProgressBar, doing: &'static str, results: &Option<Target>) {
    match results {
        Some(Target::Stdout) => spinner.finish_and_clear(),
        _ => spinner.set_message(doing),
    }
}

/// What is being done, when its length is unknown; on terminals only.
pub(crate) fn spinner(doing: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let spinner = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    spinner.set_message(doing);
    // Its thread must start, so the system must have another.
    if !spinner.is_hidden() && std::thread::Builder::new().spawn(|| {}).is_ok() {
        spinner.enable_steady_tick(Duration::from_millis(100));
    }
    spinner
}
