//! *Why is this slow?* What `quadrille bench` says about the boxes on screen.

use quadrille::{Aabb, AnyOptions};
use quadrille_advise::{Advice, Operation, advise};
use quadrille_sim::Simulation;

/// Frames that are measured. More: steadier figures, and a longer wait.
const FRAMES: usize = 4;

/// The time that each structure takes for the scene on screen, a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The fastest first: options, a description, milliseconds, and how many times as long as the fastest.
    pub rows: Vec<(AnyOptions, String, f64, f64)>,
}

/// Measures beside the window where there are threads, and in the middle of a frame where there are none.
#[derive(Debug, Default)]
pub struct Advisor {
    #[cfg(not(target_arch = "wasm32"))]
    running: Option<std::thread::JoinHandle<Result<Verdict, String>>>,
    /// What was found out last.
    pub verdict: Option<Result<Verdict, String>>,
}

impl Advisor {
    /// Begins to measure the next steps of a simulation, unless it is at it already.
    pub fn ask(&mut self, simulation: &Simulation) {
        if self.is_busy() {
            return;
        }
        let simulation = simulation.clone();
        self.verdict = None;
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.running = Some(std::thread::spawn(move || measure(simulation)));
        }
        #[cfg(target_arch = "wasm32")]
        {
            self.verdict = Some(measure(simulation));
        }
    }

    /// Is it measuring?
    #[must_use]
    pub fn is_busy(&self) -> bool {
        #[cfg(not(target_arch = "wasm32"))]
        return self.running.is_some();
        #[cfg(target_arch = "wasm32")]
        return false;
    }

    /// Looks whether there is a verdict.
    pub fn look(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(done) = self.running.take_if(|running| running.is_finished()) {
            self.verdict = Some(done.join().unwrap_or_else(|_| Err("the measurement has failed".into())));
        }
    }
}

fn measure(mut simulation: Simulation) -> Result<Verdict, String> {
    let frames: Vec<Vec<Aabb>> = (0..FRAMES)
        .map(|_| {
            simulation.step();
            simulation.index().iter().map(|(_, bounds)| bounds).collect()
        })
        .collect();
    let advice: Advice = advise(&frames, &[Operation::Update, Operation::Pairs]).map_err(|error| error.to_string())?;
    Ok(Verdict {
        rows: advice.rows.iter().map(|row| (row.options, row.describe(), row.ms.total(), row.ratio)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_scenes::{Scene, SceneKind};

    #[test]
    fn every_structure_is_measured_and_the_fastest_comes_first() {
        let simulation = Simulation::new(&Scene::new(SceneKind::Uniform, 300, 1), AnyOptions::default())
            .expect("default options are valid");
        let verdict = measure(simulation).expect("a scene can be measured");
        assert!(verdict.rows.len() >= quadrille::StructureKind::ALL.len());
        assert!(verdict.rows.is_sorted_by(|one, other| one.2 <= other.2));
        assert!((verdict.rows[0].3 - 1.0).abs() < 1e-9);
    }
}
