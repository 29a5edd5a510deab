//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `length` things of a kind, such as "steps"; indicatif shows it on terminals only.
pub(crate) fn bar(length: u64, things: &'static str) -> ProgressBar {
    const TEMPLATE: &str = "{bar:40} {human_pos} of {human_len} {msg}, {eta} left";
    let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_message(things)
}
