//! Times of one thing that is done again and again.

/// Times in some unit.
pub struct Times(pub Vec<f64>);

impl Times {
    /// Times of which none is known yet.
    pub fn unknown(count: usize) -> Self {
        Self(vec![f64::INFINITY; count])
    }

    /// Keeps the least time of something that is done again.
    pub fn least(&mut self, at: usize, time: f64) {
        self.0[at] = self.0[at].min(time);
    }

    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The time within which this many of a hundred are: 100 for the longest.
    pub fn at(&self, hundredths: usize) -> f64 {
        let mut times = self.0.clone();
        times.sort_by(f64::total_cmp);
        times.get((times.len() * hundredths).div_ceil(100).max(1) - 1).copied().unwrap_or_default()
    }

    /// Mean, median, the time of the slowest hundredth, and the longest.
    pub fn four(&self) -> [f64; 4] {
        [self.mean(), self.at(50), self.at(99), self.at(100)]
    }
}
