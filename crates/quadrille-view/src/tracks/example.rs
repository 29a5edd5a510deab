//! Tracks that are always there: two hours of made-up traffic in a strait, as a file would have them.

use std::fmt::Write;

use crate::spread::spread;

/// The name shown instead of a file's.
pub const EXAMPLE: &str = "strait (example)";
/// Encounters in it within this many meters are worth a look.
pub const EXAMPLE_WITHIN: f64 = 300.0;

/// 2026-06-01 06:00:00 UTC.
const START: u32 = 1_780_293_600;
/// Seconds between two fixes, and fixes of a track.
const INTERVAL: u32 = 20;
const FIXES: u32 = 360;
/// The middle of the strait, in degrees, and degrees per meter there.
const MIDDLE: [f64; 2] = [10.8, 55.4];
const PER_METER: [f64; 2] = [1.582e-5, 8.983e-6];

const SHIPS: u32 = 24;
const FERRIES: u32 = 5;
const BOATS: u32 = 7;

/// A table of fixes: ships along two lanes, ferries across them, and boats that circle.
pub fn example() -> String {
    let mut table = String::from("name,time,lon,lat\n");
    for fix in 0..FIXES {
        let time = fix * INTERVAL;
        let moments = [("ship", SHIPS, ship as Course), ("ferry", FERRIES, ferry), ("boat", BOATS, boat)];
        for (kind, count, course) in moments {
            for number in 1..=count {
                let [east, north] = course(number, f64::from(time));
                let [lon, lat] = [MIDDLE[0] + east * PER_METER[0], MIDDLE[1] + north * PER_METER[1]];
                let _ = writeln!(table, "{kind} {number},{},{lon:.6},{lat:.6}", START + time);
            }
        }
    }
    table
}

/// Where a vessel is, in meters east and north of the middle, this many seconds after the start.
type Course = fn(u32, f64) -> [f64; 2];

/// North in the eastern lane or south in the western one.
fn ship(number: u32, time: f64) -> [f64; 2] {
    const LENGTH: f64 = 26_000.0;
    /// When ships are spread evenly over the lane.
    const HALF_TIME: f64 = 3_600.0;
    let heading = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let speed = 3.0 + 3.0 * spread(number, 1);
    let along = LENGTH * (spread(number, 0) - 0.5) + speed * (time - HALF_TIME);
    let aside = 1_200.0 * spread(number, 2) + 500.0 + 400.0 * (along / 6_000.0).sin();
    [heading * aside + along * heading * 0.2, heading * along]
}

/// From shore to shore and back, each on a line of its own.
fn ferry(number: u32, time: f64) -> [f64; 2] {
    const WIDTH: f64 = 12_000.0;
    let crossings = time * (6.0 + 2.0 * spread(number, 0)) / WIDTH + 2.0 * spread(number, 1);
    let east = 1.0 - (crossings.rem_euclid(2.0) - 1.0).abs();
    [WIDTH * (east - 0.5), 4_500.0 * (f64::from(number) - 3.0) + 900.0 * east]
}

/// Round and round.
fn boat(number: u32, time: f64) -> [f64; 2] {
    let radius = 300.0 + 900.0 * spread(number, 0);
    let (sin, cos) = (time * 2.5 / radius + 6.0 * spread(number, 1)).sin_cos();
    let middle = [9_000.0 * (spread(number, 2) - 0.5), 24_000.0 * (spread(number, 3) - 0.5)];
    [middle[0] + radius * cos, middle[1] + radius * sin]
}

#[cfg(test)]
mod tests {
    use quadrille_files::{FixChoice, Fixes, Source};

    use super::*;
    use crate::tracks::{Meet, Player};

    #[test]
    fn the_example_can_be_played_and_has_encounters() {
        let source = Source::from_reader(EXAMPLE, std::io::Cursor::new(example())).expect("bytes can be read");
        let fixes = Fixes::from_source(source, &FixChoice::default()).expect("these are fixes");
        let meet = Meet { within: Some(EXAMPLE_WITHIN), ..Meet::default() };
        let player = Player::new(&[fixes], meet).expect("it can be played");
        assert_eq!(player.count(), (SHIPS + FERRIES + BOATS) as usize);
        assert_eq!(player.fixes, player.count() * FIXES as usize);
        assert_eq!(player.moments.show(player.span[0]), "2026-06-01 06:00:00");
        let met = player.found.encounters.len();
        assert!((10..300).contains(&met), "{met} encounters");
    }
}
