//! The agents themselves, and what they do.

use eframe::egui::Color32;
use quadrille::Aabb;
use quadrille_scenes::sim::Simulation;

use super::{Overlay, Overlays, fade};
use crate::render::{Disc, Line, Picture, Rectangle};
use crate::theme::{ORANGE, Theme, VERMILION};

/// How many steps ahead velocity is shown.
const STEPS_AHEAD: f32 = 10.0;

/// Why an agent may have another color.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks<'a> {
    /// Boxes that are the answer to a query.
    pub found: &'a [u32],
    /// The agent that is being dragged.
    pub grabbed: Option<u32>,
}

/// Adds the agents, and what `overlays` show of them. Discs are drawn in the order of ids, marked ones last.
pub fn add_agents(
    picture: &mut Picture,
    simulation: &Simulation,
    overlays: Overlays,
    marks: Marks<'_>,
    theme: Theme,
    shown: &Aabb,
    points: f32,
) {
    let colors = colors(simulation, overlays, marks, theme);
    let mut last = Vec::new();
    for (agent, &color) in simulation.agents().zip(&colors).filter(|(agent, _)| agent.bounds().intersects(shown)) {
        let disc = Disc { center: agent.position, radius: agent.radius, color };
        let layer = if color == theme.agent() { &mut picture.discs } else { &mut last };
        layer.push(disc);
        let opacity = fade(agent.radius * 2.0 * points);
        if overlays.has(Overlay::Boxes) && opacity > 0.0 {
            let stroke = theme.ink().gamma_multiply(0.5 * opacity);
            picture.over.push(Rectangle::new(agent.bounds(), Color32::TRANSPARENT, stroke));
        }
        if overlays.has(Overlay::Velocity) && agent.velocity != [0.0; 2] {
            let to = [0, 1].map(|axis| agent.position[axis] + agent.velocity[axis] * STEPS_AHEAD);
            let color = theme.ink().gamma_multiply(0.75);
            picture.lines.push(Line { from: agent.position, to, width: 1.0, color });
        }
    }
    picture.discs.append(&mut last);
    if overlays.has(Overlay::Contacts) {
        add_contacts(picture, simulation, theme, shown);
    }
}

/// The color of each agent.
fn colors(simulation: &Simulation, overlays: Overlays, marks: Marks<'_>, theme: Theme) -> Vec<Color32> {
    let mut colors = vec![theme.agent(); simulation.len()];
    let mut paint = |id: u32, color| {
        if let Some(place) = colors.get_mut(id as usize) {
            *place = color;
        }
    };
    if overlays.has(Overlay::Contacts) {
        simulation.contacts().iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|id| paint(id, VERMILION)));
    }
    marks.found.iter().for_each(|&id| paint(id, theme.answer()));
    marks.grabbed.into_iter().for_each(|id| paint(id, ORANGE));
    colors
}

/// A line between the centers of any two that touch.
fn add_contacts(picture: &mut Picture, simulation: &Simulation, theme: Theme, shown: &Aabb) {
    let places: Vec<[f32; 2]> = simulation.agents().map(|agent| agent.position).collect();
    let color = theme.ink().gamma_multiply(0.8);
    let lines = simulation.contacts().iter().map(|&(a, b)| {
        let [from, to] = [a, b].map(|id| places[id as usize]);
        Line { from, to, width: 1.0, color }
    });
    picture.lines.extend(lines.filter(|line| Aabb::from_corners(line.from, line.to).intersects(shown)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_scenes::{Scene, SceneKind};

    fn drawn(overlays: &[Overlay], marks: Marks<'_>) -> (Picture, Simulation) {
        let scene = Scene::new(SceneKind::Uniform, 400, 5);
        let mut simulation =
            Simulation::new(&scene, quadrille::structures::AnyOptions::default()).expect("default options are valid");
        simulation.step();
        let mut picture = Picture::default();
        let (overlays, shown) = (overlays.iter().copied().collect(), simulation.world());
        add_agents(&mut picture, &simulation, overlays, marks, Theme::Light, &shown, 20.0);
        (picture, simulation)
    }

    #[test]
    fn every_agent_is_a_disc_where_the_simulation_says() {
        let (picture, simulation) = drawn(&[], Marks::default());
        let expected: Vec<_> = simulation.agents().map(|agent| (agent.position, agent.radius)).collect();
        assert_eq!(picture.discs.iter().map(|disc| (disc.center, disc.radius)).collect::<Vec<_>>(), expected);
        assert!(picture.lines.is_empty() && picture.over.is_empty());
    }

    #[test]
    fn contacts_are_lines_and_colour_both() {
        let (picture, simulation) = drawn(&[Overlay::Contacts], Marks::default());
        assert!(!simulation.contacts().is_empty());
        assert_eq!(picture.lines.len(), simulation.contacts().len());
        let mut touching: Vec<u32> = simulation.contacts().iter().flat_map(|&(a, b)| [a, b]).collect();
        touching.sort_unstable();
        touching.dedup();
        let red = picture.discs.iter().filter(|disc| disc.color == VERMILION).count();
        assert_eq!(red, touching.len());
    }

    #[test]
    fn answers_stand_out_and_come_last() {
        let (picture, simulation) = drawn(&[], Marks { found: &[7, 3, 4_000], grabbed: Some(9) });
        let marked: Vec<_> = picture.discs.iter().rev().take(3).map(|disc| disc.center).collect();
        let expected: Vec<_> = [9, 7, 3].map(|id| simulation.agents().nth(id).expect("there are 400").position).into();
        assert_eq!(marked, expected);
        assert_eq!(picture.discs.len(), 400);
    }

    #[test]
    fn boxes_and_velocities_are_drawn_for_all() {
        let (picture, simulation) = drawn(&[Overlay::Boxes, Overlay::Velocity], Marks::default());
        assert_eq!((picture.over.len(), picture.lines.len()), (simulation.len(), simulation.len()));
    }
}
