//! The picture of tracks: all of them thin, those of the present time as discs, encounters bold.

use eframe::egui::Color32;
use quadrille::Aabb;

use super::player::{Lit, Player, Present, Who};
use crate::render::{Disc, Picture, add_way};
use crate::theme::{ORANGE, Theme, VERMILION};

/// Segments shorter than this, in points of the screen, are merged with the next one.
const STEP: f32 = 0.7;
/// Radius of a track at the present time, and of one that meets another; in points of the screen.
const DISC: f32 = 2.6;
const MET: f32 = 4.5;
/// Length of the tail behind a track, in seconds on screen.
const TAIL: f64 = 0.3;

/// Adds the ways of all tracks, thin; then those that were picked, tails, and encounters up to the present time, bold.
/// `shown` is what is seen of the map, `points` how long a unit of it is on the screen.
pub fn add_tracks(picture: &mut Picture, player: &Player, lit: &[Lit], theme: Theme, shown: &Aabb, points: f32) {
    let mut line = |way: &[[f32; 2]], width: f32, color: Color32| {
        add_way(&mut picture.lines, way, (width, color), shown, STEP / points);
    };
    for (who, way) in &player.paths {
        line(way, 1.0, color(*who, theme).gamma_multiply(0.22));
    }
    for who in &player.picked {
        player.paths.iter().filter(|way| way.0 == *who).for_each(|way| line(&way.1, 2.0, theme.answer()));
    }
    let tail = player.at - TAIL * player.rate;
    for who in player.whos() {
        player.paths_of(who, tail, player.at).iter().for_each(|way| line(way, 1.5, color(who, theme)));
    }
    for Lit { met, glow } in lit {
        for who in player.ends(met) {
            let ways = player.paths_of(who, met.start, met.end.min(player.at));
            ways.iter().for_each(|way| line(way, 3.5, VERMILION.gamma_multiply(*glow)));
        }
        // Encounters in progress.
        if *glow >= 1.0
            && let [Some(from), Some(to)] = player.ends(met).map(|who| player.position(who))
        {
            line(&[from, to], 1.5, theme.ink());
        }
    }
}

/// Adds every track that is somewhere at the present time.
pub fn add_present(
    picture: &mut Picture,
    player: &Player,
    present: &[Present],
    lit: &[Lit],
    theme: Theme,
    points: f32,
) {
    let mut meeting: Vec<Who> =
        lit.iter().filter(|lit| lit.glow >= 1.0).flat_map(|lit| player.ends(&lit.met)).collect();
    meeting.sort_unstable();
    for Present { who, position } in present {
        let (radius, color) = match meeting.binary_search(who) {
            Ok(_) => (MET, VERMILION),
            Err(_) => (DISC, color(*who, theme)),
        };
        picture.discs.push(Disc { center: *position, radius: radius / points, color });
    }
}

/// The second file has a color of its own.
const fn color(who: Who, theme: Theme) -> Color32 {
    if who.file == 0 { theme.agent() } else { ORANGE }
}
