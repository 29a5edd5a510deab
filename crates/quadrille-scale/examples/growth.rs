//! How the time of a join grows with the number of boxes: with the disk and, as long as they fit, in memory.
//!
//! `cargo run --release -p quadrille-scale --example growth -- 1e6 1e7` joins that many uniform boxes, which cover a
//! fifth of a square, within 2 GiB (`MEMORY_MIB` says otherwise) and with temporary files in the system's folder
//! (`TMPDIR`). Times are seconds of the processor, of all threads and of the system, as Linux counts them: divide by
//! the cores for what a clock shows where the disk keeps up.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use quadrille::internals::Random;
use quadrille::{Aabb, FrameTree, Index};
use quadrille_scale::{Error, Join, Pair, Settings, Spool, Usage};

/// With their structure they take some 6 GiB; joins of more boxes are not repeated in memory.
const MAX_IN_MEMORY: u32 = 100_000_000;

fn main() -> Result<(), Error> {
    let memory = std::env::var("MEMORY_MIB").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(2048) << 20;
    println!("boxes,pairs,tiles,disk_mib,spool_s,join_s,peak_mib,in_memory_s");
    let counts = std::env::args().skip(1).filter_map(|text| text.parse::<f64>().ok());
    counts.map(|count| count as u32).try_for_each(|count| measure(count, memory))
}

fn measure(count: u32, memory: u64) -> Result<(), Error> {
    let settings = Settings::new(memory, std::env::temp_dir())?;
    let start = cpu_seconds();
    let mut spool = Spool::new(&settings)?;
    (0..count).try_for_each(|row| spool.push(row, scattered(row, count)))?;
    let spooled = cpu_seconds() - start;

    let start = cpu_seconds();
    let join = Join::new(&settings, spool, None, 0.0)?;
    let Usage { tiles, disk, .. } = join.usage();
    let disk = disk >> 20;
    let (mut pairs, mut sum) = (0, 0);
    join.run(
        false,
        |_, _| Some(0.0),
        summed,
        |(more, hash)| {
            pairs += more;
            sum = hash.wrapping_add(sum);
            Ok::<_, Error>(())
        },
    )?;
    let joined = cpu_seconds() - start;
    let peak = peak_mib();

    let in_memory = (count <= MAX_IN_MEMORY).then(|| {
        let boxes: Vec<_> = (0..count).map(|row| single(&scattered(row, count))).collect();
        let start = cpu_seconds();
        let index = Index::<FrameTree>::from_boxes(&boxes).expect("boxes are valid");
        let (mut same, mut check) = (0_u64, 0_u64);
        index.pairs().for_each(|(a, b)| {
            same += 1;
            check = check.wrapping_add(hash(a, b));
        });
        assert_eq!((same, check), (pairs, sum), "both ways find the same pairs");
        cpu_seconds() - start
    });
    let in_memory = in_memory.map_or(String::new(), |seconds| format!("{seconds:.2}"));
    println!("{count},{pairs},{tiles},{disk},{spooled:.2},{joined:.2},{peak},{in_memory}");
    Ok(())
}

/// Box `row` of a set that covers a fifth of a square; `f32` holds it.
fn scattered(row: u32, count: u32) -> Aabb<f64> {
    let at = |salt: u64| (mixed(u64::from(row) * 4 + salt) >> 40) as f32 / (1_u64 << 24) as f32;
    let side = (f64::from(count) * 5.0).sqrt() as f32;
    let (x, y) = (at(0) * side, at(1) * side);
    // As long as wide, 1 on average.
    Aabb { min: [x, y].map(f64::from), max: [x + 0.5 + at(2), y + 0.5 + at(3)].map(f64::from) }
}

fn single(bounds: &Aabb<f64>) -> Aabb<f32> {
    Aabb { min: bounds.min.map(|edge| edge as f32), max: bounds.max.map(|edge| edge as f32) }
}

/// How many pairs, and a sum that does not depend on their order.
fn summed(pairs: &[Pair<f64>]) -> (u64, u64) {
    (pairs.len() as u64, pairs.iter().fold(0, |sum, pair| hash(pair.a, pair.b).wrapping_add(sum)))
}

fn hash(a: u32, b: u32) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    mixed(u64::from(low) << 32 | u64::from(high))
}

/// The same number, scattered.
fn mixed(number: u64) -> u64 {
    Random::new(number).bits()
}

/// Seconds that this process has computed, and the system for it; hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may have blanks, these are the twelfth and the thirteenth.
    let behind = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    behind.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that the process has used, where the system reports it (Linux).
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    kibibytes.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) >> 10
}
