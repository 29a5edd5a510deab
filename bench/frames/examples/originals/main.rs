//! Two claims of the original about grids and quadtrees, measured with nothing but what it describes, as lines of a
//! table:
//!
//! `cargo run --release -p frames --example originals`, or `bench/all originals`

mod cleanup;
mod packets;

use cpu_time::ThreadTime;

fn main() {
    println!("claim,contender,frames,median_ms,worst_ms");
    cleanup::measure();
    packets::measure();
}

/// Milliseconds of processor time.
fn time(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

/// A line of the table.
fn report(claim: &str, contender: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{claim},{contender},{},{median:.3},{worst:.3}", times.len());
}
