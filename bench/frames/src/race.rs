//! Running contenders round by round on the same input.

use std::fmt::Debug;
use std::time::Duration;

use crate::clock::Clock;
use crate::conditions::Conditions;
use crate::contenders::{Entry, Library, Side};
use crate::memory;

/// One contender's laps.
pub struct Runner<T: ?Sized> {
    pub name: &'static str,
    pub side: Side,
    pub touching: bool,
    contender: Box<T>,
    laps: Vec<Duration>,
    bytes: usize,
    fault: Option<String>,
}

/// The outcome.
pub struct Figures {
    pub name: &'static str,
    pub side: Side,
    pub laps: usize,
    /// Nanoseconds per unit of work.
    pub median: f64,
    pub least: f64,
    pub p95: f64,
    pub p99: f64,
    /// The slowest one that is measured.
    pub worst: f64,
    /// The slowest of all, those before measuring included.
    pub longest: Duration,
    pub bytes: usize,
}

/// Laps before measuring begins.
pub const WARM_UP: usize = 5;

impl<T: ?Sized> Runner<T> {
    pub fn new(entry: &Entry<T>, boxes: &[quadrille::Aabb]) -> Self {
        Self::of(entry.name, entry.side, entry.touching, || (entry.make)(boxes))
    }

    pub fn of(name: &'static str, side: Side, touching: bool, make: impl FnOnce() -> Box<T>) -> Self {
        let before = memory::held();
        let contender = make();
        // The threads of a pool that was dropped may still be giving memory back.
        let bytes = memory::held().saturating_sub(before);
        Self { name, side, touching, contender, laps: Vec::new(), bytes, fault: None }
    }

    /// Its answers are wrong: it has no more laps, and no figures.
    pub fn disqualify(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    /// Adds what its contender can tell about a fault.
    pub fn explain(&mut self, explain: impl FnOnce(&mut T) -> Option<String>) {
        if let Some(fault) = &mut self.fault
            && let Some(more) = explain(&mut self.contender)
        {
            *fault += &format!(": {more}");
        }
    }

    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Runs a lap and returns what `work` does, or `None` if this contender has used up its time or is disqualified.
    ///
    /// A contender that has run for longer than `budget` in all is left out, so that those that take a hundred times as
    /// long as others do not hold them up; it has at least one lap.
    pub fn lap<R>(&mut self, clock: Clock, budget: Duration, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if self.fault.is_some() || self.laps.iter().sum::<Duration>() > budget {
            return None;
        }
        let before = memory::held();
        let (took, result) = clock.time(|| work(&mut self.contender));
        self.bytes = (self.bytes + memory::held()).saturating_sub(before);
        self.laps.push(took);
        Some(result)
    }

    /// Does what is not to be measured.
    pub fn beside_the_clock(&mut self, work: impl FnOnce(&mut T)) {
        work(&mut self.contender);
    }

    /// Figures per unit of work; a lap has `units` of them. Of a contender that did not get beyond warming up, the last
    /// lap counts.
    pub fn figures(&self, units: usize) -> Figures {
        let from = WARM_UP.min(self.laps.len().saturating_sub(1));
        let mut laps: Vec<f64> = self.laps[from..].iter().map(|lap| lap.as_nanos() as f64 / units as f64).collect();
        laps.sort_by(f64::total_cmp);
        let at =
            |share: f64| laps.get((laps.len() as f64 * share) as usize).or(laps.last()).copied().unwrap_or(f64::NAN);
        Figures {
            name: self.name,
            side: self.side,
            laps: laps.len(),
            median: at(0.5),
            least: at(0.0),
            p95: at(0.95),
            p99: at(0.99),
            worst: at(1.0),
            longest: self.laps.iter().copied().max().unwrap_or_default(),
            bytes: self.bytes,
        }
    }
}

/// Has every contender do its lap, each time a different one first, so that none always follows the same one. `lap`
/// fills in what was found, and returns `None` if it did not take part; then `check` is not called.
pub fn round<T: ?Sized, F: Default>(
    runners: &mut [Runner<T>],
    mut lap: impl FnMut(&mut Runner<T>, &mut F) -> Option<()>,
    mut check: impl FnMut(&mut Runner<T>, F),
) {
    let next = usize::from(runners.len() > 1);
    runners.rotate_left(next);
    for runner in runners {
        let mut found = F::default();
        if lap(runner, &mut found).is_some() {
            check(runner, found);
        }
    }
}

/// The same, and all that count touching find what is expected, or what most of them find. Returns that.
pub fn round_alike<T: ?Sized, F: Copy + Debug + Default + PartialEq>(
    runners: &mut [Runner<T>],
    expected: Option<F>,
    lap: impl FnMut(&mut Runner<T>, &mut F) -> Option<()>,
) -> Option<F> {
    let mut all: Vec<(&str, F)> = Vec::new();
    round(runners, lap, |runner, found| all.extend(runner.touching.then_some((runner.name, found))));
    let alike = |one: &F| all.iter().filter(|(_, other)| other == one).count();
    let expected = expected.or_else(|| all.iter().map(|(_, found)| *found).max_by_key(alike))?;
    for (name, found) in all.iter().filter(|(_, found)| *found != expected) {
        let is_meant = |runner: &&mut Runner<T>| runner.name == *name;
        let wrong = runners.iter_mut().find(is_meant).expect("it has had a lap");
        wrong.disqualify(format!("finds {found:?}, the others {expected:?}"));
    }
    Some(expected)
}

/// Those and the entrants that can do the task.
pub fn with_entrants<T: ?Sized>(
    entries: &[Entry<T>],
    on: &Conditions,
    boxes: &[quadrille::Aabb],
    takes_part: fn(&Library) -> bool,
    enter: impl Fn(&'static Library) -> Box<T>,
) -> Vec<Runner<T>> {
    let mut runners = runners(entries, on, boxes);
    let takes_part = |one: &&&'static Library| takes_part(one) && !on.aside.contains(&one.name);
    let entered = on.entrants.iter().filter(takes_part);
    runners.extend(entered.map(|one| Runner::of(one.name, Side::Rival, one.touching, || enter(one))));
    runners
}

/// All contenders that take part, at the start.
pub fn runners<T: ?Sized>(entries: &[Entry<T>], on: &Conditions, boxes: &[quadrille::Aabb]) -> Vec<Runner<T>> {
    let is_wanted = |name: &str| on.only.is_empty() || on.only.iter().any(|wanted| name.contains(wanted.as_str()));
    let takes_part = |entry: &&Entry<T>| is_wanted(entry.name) && !on.aside.contains(&entry.name);
    entries.iter().filter(takes_part).map(|entry| Runner::new(entry, boxes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_finds_something_else_is_wrong_wherever_it_stands() {
        for wrong in ["a", "b", "c"] {
            let runner = |name| Runner::of(name, Side::Ours, true, || Box::new(u32::from(name == wrong)));
            let mut runners = ["a", "b", "c"].map(runner);
            let lap = |runner: &mut Runner<u32>, found: &mut u32| {
                runner.lap(Clock::Wall, Duration::MAX, |contender| *found = *contender)
            };
            assert_eq!(round_alike(&mut runners, None, lap), Some(0));
            assert!(runners.iter().all(|runner| runner.fault().is_some() == (runner.name == wrong)), "{wrong}");
        }
    }
}
