//! What happens when the user stops the command: Ctrl-C, `kill`, a closed terminal.

/// From now on, a signal that ends the process removes its drafts first. Then the process ends as if the signal had not
/// been caught. Without signals, drafts of a killed process stay.
#[cfg(unix)]
pub(crate) fn watch() {
    use std::sync::Arc;

    use signal_hook::consts::signal::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let ignored = ignored().unwrap_or(0);
    let caught = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Writing beyond the limit of a file's size is then an error like any other.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    // So is memory that cannot be allocated, of which a message was printed.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 2, Arc::new(true.into()));
    let Ok(mut signals) = Signals::new(caught.clone()) else { return };
    let listener = std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            crate::output::abandon();
            // Does not return: the default of these three is to end.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    if listener.is_err() {
        // The system has no more threads: signals end the process at once.
        for signal in caught {
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::new(true.into()));
        }
    }
}

/// Signals that were ignored when the process began, signal 1 in the lowest bit: `nohup` ignores the end of the
/// terminal, and so should we. Only Linux reports it.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(not(unix))]
pub(crate) fn watch() {}
