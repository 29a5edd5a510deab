//! *Why is this slow?* What `quadrille bench` says about the boxes on screen.

use quadrille::Aabb;
use quadrille_advise::{Advice, Operation, Search};
use quadrille_scenes::sim::Simulation;
use web_time::{Duration, Instant};

/// Frames that are measured. More: steadier figures, and a longer wait.
const FRAMES: usize = 4;

/// Time for measurements per frame of the window, which stays responsive. A measurement that takes longer runs anyway,
/// one per frame.
const BUDGET: Duration = Duration::from_millis(30);

/// Measures between the frames of the window, because a page in a browser has no threads.
#[derive(Debug, Default)]
pub struct Advisor {
    search: Option<Search<'static>>,
    /// The last results: the time per step that each structure takes for the scene on screen.
    pub verdict: Option<Result<Advice, String>>,
}

impl Advisor {
    /// Starts measuring the next steps of a simulation, unless it already is.
    pub fn ask(&mut self, simulation: &Simulation) {
        if self.search.is_some() {
            return;
        }
        self.verdict = None;
        match Search::new(next_frames(simulation.clone()), &[Operation::Update, Operation::Pairs]) {
            Ok(search) => self.search = Some(search),
            Err(error) => self.verdict = Some(Err(error.to_string())),
        }
    }

    /// The share that has been measured; `None` if it is not measuring.
    pub fn progress(&self) -> Option<f32> {
        let (done, all) = self.search.as_ref()?.turns();
        Some(done as f32 / all as f32)
    }

    /// Measures for a while, if there is something to measure. Call it once per frame.
    pub fn go_on(&mut self) {
        let start = Instant::now();
        while let Some(search) = self.search.as_mut().filter(|_| start.elapsed() < BUDGET) {
            if let Some(result) = search.turn().transpose() {
                self.verdict = Some(result.map_err(|error| error.to_string()));
                self.search = None;
            }
        }
    }
}

/// The boxes of the next steps.
fn next_frames(mut simulation: Simulation) -> Vec<Vec<Aabb>> {
    let mut next = || {
        simulation.step();
        simulation.index().iter().map(|(_, bounds)| bounds).collect()
    };
    (0..FRAMES).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_scenes::{Scene, SceneKind};

    #[test]
    fn every_structure_is_measured_and_the_fastest_comes_first() {
        let simulation =
            Simulation::new(&Scene::new(SceneKind::Uniform, 300, 1), quadrille::structures::AnyOptions::default())
                .expect("default options are valid");
        let mut advisor = Advisor::default();
        advisor.go_on();
        assert!(advisor.progress().is_none() && advisor.verdict.is_none(), "nobody has asked");
        advisor.ask(&simulation);
        assert_eq!(advisor.progress(), Some(0.0));
        while advisor.progress().is_some() {
            advisor.go_on();
        }
        let verdict = advisor.verdict.expect("it has ended").expect("a scene can be measured");
        assert!(verdict.rows.len() >= quadrille::structures::StructureKind::ALL.len());
        assert!(verdict.rows.is_sorted_by(|one, other| one.ms.total() <= other.ms.total()));
        assert!((verdict.rows[0].ratio - 1.0).abs() < 1e-9);
    }
}
