//! A sample of a stream: a fixed number of its boxes, each set of them equally likely.
//!
//! Kim-Hung Li, *Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n)))*, 1994 (algorithm L): once the
//! sample is full, a random number decides how many boxes to skip until the next one replaces a random one.

use quadrille::Aabb;
use quadrille::internals::Random;

use crate::tiles::Weighed;

/// Boxes of a stream.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) boxes: Vec<Aabb<f64>>,
    most: usize,
    seen: u64,
    /// The number of the box that is taken next, once the sample is full.
    next: u64,
    /// The greatest of the random numbers that the sampled boxes would have been drawn with.
    greatest: f64,
    random: Random,
}

impl Sample {
    pub(crate) fn new(most: usize) -> Self {
        Self { boxes: Vec::new(), most, seen: 0, next: 0, greatest: 1.0, random: Random::new(0) }
    }

    pub(crate) fn push(&mut self, bounds: &Aabb<f64>) {
        if self.boxes.len() < self.most {
            self.boxes.push(*bounds);
            if self.boxes.len() == self.most {
                self.pass();
            }
        } else if self.seen == self.next {
            let slot = self.random.bits() % self.most as u64;
            self.boxes[slot as usize] = *bounds;
            self.pass();
        }
        self.seen += 1;
    }

    /// The boxes, each with the number of boxes that it stands for.
    pub(crate) fn weighed(&self) -> impl Iterator<Item = Weighed> {
        self.boxes.iter().map(|bounds| (*bounds, self.weight()))
    }

    /// Boxes that each of the sample stands for.
    fn weight(&self) -> f64 {
        self.seen as f64 / self.boxes.len().max(1) as f64
    }

    /// Decides which box is taken next.
    fn pass(&mut self) {
        self.greatest *= (self.fraction().ln() / self.most as f64).exp();
        let passed = (self.fraction().ln() / (-self.greatest).ln_1p()).floor();
        self.next = self.seen.saturating_add(1).saturating_add(passed as u64);
    }

    /// In (0, 1].
    fn fraction(&mut self) -> f64 {
        ((self.random.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_stream_is_in_the_sample() {
        let mut sample = Sample::new(1000);
        (0..100_000).for_each(|number| sample.push(&Aabb::from_point([f64::from(number), 0.0])));
        assert_eq!((sample.boxes.len(), sample.weight()), (1000, 100.0));
        let in_tenth = |tenth: u32| sample.boxes.iter().filter(|one| (one.min[0] / 1e4) as u32 == tenth).count();
        // A hundred of each tenth are expected, give or take ten.
        assert!(
            (0..10).map(in_tenth).all(|count| (60..140).contains(&count)),
            "{:?}",
            (0..10).map(in_tenth).collect::<Vec<_>>()
        );
    }
}
