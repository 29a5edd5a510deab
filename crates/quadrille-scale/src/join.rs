//! The join: a sample determines the tiles, boxes are distributed over them, and pairs are found tile by tile.

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};

use quadrille::Aabb;

use crate::block::Width;
use crate::deal::{Dealt, Goes, start};
use crate::found::{Asked, Found, Pair, Stop, ended};
use crate::queue::Queue;
use crate::spool::Spool;
use crate::tile::{Chunk, Table, chunks};
use crate::tiles::{MAX_COPIES, Tiles, Weighed};
use crate::wide::{Role, Wide};
use crate::{Error, Settings, Usage};

/// Boxes of one set or two, ready to be joined.
#[derive(Debug)]
pub struct Join {
    settings: Settings,
    first: Spool,
    second: Option<Spool>,
    margin: f64,
    tiles: Tiles,
    disk: u64,
}

impl Join {
    /// Divides the plane into tiles for a join of one set with itself, or of two sets. Boxes that overlap when both are
    /// grown by `margin` on every side are candidates.
    ///
    /// # Errors
    /// Returns an error if the disk is full, or would not suffice.
    pub fn new(settings: &Settings, mut first: Spool, mut second: Option<Spool>, margin: f64) -> Result<Self, Error> {
        first.flush()?;
        second.as_mut().map_or(Ok(()), Spool::flush)?;
        let sets = || [Some(&first), second.as_ref()].into_iter().flatten();
        let width = sets().map(Spool::width).max().unwrap_or(Width::Single);
        let joined = if margin == 0.0 { width } else { Width::Double };
        let sample: Vec<Weighed> = sets()
            .flat_map(|set| set.sample.weighed().map(|(bounds, weight)| (bounds.grown(margin), weight)))
            .collect();
        let most = settings.most_tiles(sample.len());
        let tiles = Tiles::new(sample.clone(), settings.target(joined) as f64, most);
        let written: u64 = sets().map(|set| set.spill.size()).sum();
        let to_come = copies(&tiles, &sample) * width.bytes() as f64;
        let disk = written + to_come as u64;
        require_room(&settings.folder, to_come as u64)?;
        Ok(Self { settings: settings.clone(), first, second, margin, tiles, disk })
    }

    /// What it will use.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage { disk: self.disk, tiles: self.tiles.len(), threads: self.settings.threads }
    }

    /// Finds all pairs, each once, in no particular order.
    ///
    /// `judge` decides whether two candidates are a pair, and returns a value for it, such as their distance. Within
    /// one set it is called with (lower row, higher row), and if the join `is_directed`, also with the two swapped.
    /// `prepare` converts a batch of pairs on the thread that found them; `take` receives the result on the calling
    /// thread.
    ///
    /// # Errors
    /// Returns an error if the disk is full or damaged, or if `take` fails.
    pub fn run<V, T: Send, E: From<Error>>(
        self,
        is_directed: bool,
        judge: impl Fn(&Aabb<f64>, &Aabb<f64>) -> Option<V> + Sync,
        prepare: impl Fn(&[Pair<V>]) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { settings, first, second, tiles, .. } = &self;
        let margin = self.margin;
        let deal = |spool: &Spool| Dealt::new(settings, spool, tiles, Goes::Touched(margin));
        let dealt = deal(first)?;
        let dealt_second = second.as_ref().map(deal).transpose()?;
        let asked = Asked { is_one_set: second.is_none(), is_directed, judge };
        let new = |to| Found::new(&asked, &prepare, to);

        let table = Table { settings, tiles, first: &dealt, second: dealt_second.as_ref(), margin };
        let queue = Queue::new(tiles.len());
        on_threads(settings.threads, &mut take, |to| {
            let mut found = new(to);
            table.find_each(&queue, |first, second| found.judge(first, second))?;
            ended(found.hand_on())
        })?;

        let wide = |from, others, role| Wide { tiles, from, others, role, margin };
        let wides = match (second, &dealt_second) {
            (Some(second), Some(dealt_second)) => {
                vec![wide(&dealt, second, Role::First), wide(dealt_second, first, Role::Second)]
            }
            _ => vec![wide(&dealt, first, Role::Only)],
        };
        for wide in wides {
            for range in chunks(&wide.from.wide, settings.wide) {
                let chunk = Chunk::read(&wide.from.spill, &wide.from.wide[range], margin)?;
                let queue = Queue::new(wide.others.pieces.len());
                on_threads(settings.threads, &mut take, |to| {
                    let mut found = new(to);
                    wide.find(&chunk, &queue, |first, second| found.judge(first, second))?;
                    ended(found.hand_on())
                })?;
            }
        }
        Ok(())
    }
}

/// Runs the work on all threads and receives their results here. The first failure ends all of it.
fn on_threads<T: Send, E: From<Error>>(
    threads: usize,
    take: &mut impl FnMut(T) -> Result<(), E>,
    work: impl Fn(SyncSender<T>) -> Result<(), Stop> + Sync,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        // Results that wait here take memory.
        let (to, from) = sync_channel(threads);
        let work = &work;
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                let to = to.clone();
                start(scope, move || work(to))
            })
            .collect::<Result<_, _>>()?;
        drop(to);
        let taken = from.iter().try_for_each(&mut *take);
        // From now on, senders learn that the receiver is gone.
        drop(from);
        let ended: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect();
        taken?;
        ended.into_iter().try_for_each(|end| match end {
            Err(Stop::Failed(error)) => Err(error.into()),
            Ok(()) | Err(Stop::Unwanted) => Ok(()),
        })
    })
}

/// How many boxes will be written, estimated from the sample.
fn copies(tiles: &Tiles, sample: &[Weighed]) -> f64 {
    let mut touched = Vec::with_capacity(MAX_COPIES + 1);
    let mut count = |bounds| if tiles.touched(bounds, &mut touched) { touched.len() as f64 } else { 1.0 };
    sample.iter().map(|(bounds, weight)| weight * count(bounds)).sum()
}

/// Fails before long work if a folder has no room.
pub(crate) fn require_room(folder: &Path, needed: u64) -> Result<(), Error> {
    free(folder).map_or(Ok(()), |free| check_room(folder, needed, free))
}

fn check_room(folder: &Path, needed: u64, free: u64) -> Result<(), Error> {
    if needed <= free {
        return Ok(());
    }
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let (folder, needed, free) = (folder.display(), mebibytes(needed), mebibytes(free));
    Err(Error::new(format!(
        "{folder}: {needed} MiB of temporary files are still to be written, and {free} MiB are free"
    )))
}

/// Free bytes that this process may use, if the system reports them.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_beforehand() {
        let folder = Path::new("here");
        assert_eq!(check_room(folder, 7 << 20, 7 << 20), Ok(()));
        let told = check_room(folder, (7 << 20) + 1, 7 << 20).expect_err("there is no room").to_string();
        assert_eq!(told, "here: 8 MiB of temporary files are still to be written, and 7 MiB are free");
    }
}
