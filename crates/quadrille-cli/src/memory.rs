//! Memory of this process.

use indicatif::BinaryBytes;
use quadrille::internals::is_free;

use crate::failure::Failure;

/// The peak memory of this process in bytes, as the system counts it. Linux only.
pub(crate) fn peak_rss() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    Some(kibibytes.parse::<u64>().ok()? * 1024)
}

/// Fails if `what` (`100,000 agents need`) takes about `bytes` that cannot be allocated: before long work, and with a
/// message, whereas a failed allocation would end the program without one.
pub(crate) fn require(bytes: u64, what: &str) -> Result<(), Failure> {
    if usize::try_from(bytes).is_ok_and(is_free) {
        return Ok(());
    }
    Err(Failure::Bad(format!("{what} about {} of memory, which is not available", BinaryBytes(bytes))))
}
