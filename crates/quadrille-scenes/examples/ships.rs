//! A day of ships, as receivers on the coast would have heard them: fixes in order of time, as CSV on standard output.
//!
//! ```text
//! cargo run --release -p quadrille-scenes --example ships -- 10000000 > ships.csv
//! ```
//!
//! Forty harbors lie around a sea of ten by six degrees, and lanes lead from each to the others. A ship lies at a quay
//! for hours, and then sails along a lane to another harbor, on the right-hand side as rules of the road have it. Under
//! way it is heard every ten seconds or so, at a quay every three minutes, each time some meters from where it is. The
//! number of ships follows from that of fixes; the same number gives the same file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufWriter, Write};

use quadrille_scenes::Random;

const HARBOURS: usize = 40;
const SECONDS: f64 = 86_400.0;
/// Fixes of a ship in a day, on average: as counted.
const FIXES_OF_A_SHIP: f64 = 2_950.0;
/// Meters of a degree of latitude, and of one of longitude in the middle of the sea.
const METERS: [f64; 2] = [64_500.0, 111_200.0];
/// Longitude and latitude of the sea's lower left corner.
const CORNER: [f64; 2] = [0.0, 52.0];

/// Where a ship is, and until when it does what it does.
struct Ship {
    harbour: usize,
    /// Where it lies, in meters from the middle of the harbor.
    quay: [f64; 2],
    /// Whereto, if it is under way; from when on, how far aside of the lane, and at how many meters a second.
    voyage: Option<(usize, f64, f64, f64)>,
    until: f64,
}

fn main() -> io::Result<()> {
    let wanted = std::env::args().nth(1).and_then(|number| number.replace('_', "").parse::<u64>().ok());
    let Some(wanted) = wanted else {
        eprintln!("usage: ships FIXES");
        std::process::exit(2);
    };
    let mut random = Random::new(1);
    let harbours: Vec<[f64; 2]> =
        (0..HARBOURS).map(|_| [between(&mut random, 0.0, 10.0), between(&mut random, 0.0, 6.0)]).map(meters).collect();
    let count = ((wanted as f64 / FIXES_OF_A_SHIP).ceil() as usize).max(2);
    let mut ships: Vec<Ship> = (0..count).map(|_| Ship::new(&mut random, &harbours)).collect();
    // The next fix of each ship, the earliest on top. Whole milliseconds have an order.
    let mut next: BinaryHeap<_> = (0..count).map(|ship| Reverse((u64::from(random.below(180_000)), ship))).collect();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    writeln!(out, "mmsi,timestamp,longitude,latitude")?;
    let mut written = 0;
    while let Some(Reverse((time, ship))) = next.pop() {
        let seconds = time as f64 / 1e3;
        if seconds >= SECONDS || written == wanted {
            break;
        }
        ships[ship].live(seconds, &mut random, &harbours);
        let [x, y] = ships[ship].place(seconds, &harbours);
        let [x, y] = [x + between(&mut random, -8.0, 8.0), y + between(&mut random, -8.0, 8.0)];
        let [longitude, latitude] = [x / METERS[0] + CORNER[0], y / METERS[1] + CORNER[1]];
        let [hour, minute, second] = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60];
        writeln!(
            out,
            "{},2024-05-01T{hour:02}:{minute:02}:{second:02}Z,{longitude:.6},{latitude:.6}",
            200_000_000 + ship
        )?;
        written += 1;
        let pause = if ships[ship].voyage.is_some() { 8_000 + random.below(4_000) } else { 180_000 };
        next.push(Reverse((time + u64::from(pause), ship)));
    }
    out.flush()
}

impl Ship {
    /// At a quay, or already somewhere on the way.
    fn new(random: &mut Random, harbours: &[[f64; 2]]) -> Self {
        let mut ship = Self { harbour: below(random, HARBOURS), quay: quay(random), voyage: None, until: 0.0 };
        if random.below(100) < 70 {
            ship.until = between(random, 0.0, 172_800.0);
        } else {
            ship.sail(-between(random, 0.0, 20_000.0), random, harbours);
        }
        ship
    }

    /// Sails or lands when it is time to.
    fn live(&mut self, now: f64, random: &mut Random, harbours: &[[f64; 2]]) {
        while self.until <= now {
            match self.voyage.take() {
                Some((to, ..)) => {
                    self.harbour = to;
                    self.quay = quay(random);
                    self.until += between(random, 4.0, 30.0) * 3600.0;
                }
                None => self.sail(self.until, random, harbours),
            }
        }
    }

    fn sail(&mut self, from: f64, random: &mut Random, harbours: &[[f64; 2]]) {
        let to = (self.harbour + 1 + below(random, HARBOURS - 1)) % HARBOURS;
        let (aside, speed) = (between(random, 200.0, 2500.0), between(random, 4.0, 10.0));
        self.voyage = Some((to, from, aside, speed));
        self.until = from + length(between_places(harbours[self.harbour], harbours[to])) / speed;
    }

    fn place(&self, now: f64, harbours: &[[f64; 2]]) -> [f64; 2] {
        let from = harbours[self.harbour];
        let Some((to, since, aside, speed)) = self.voyage else {
            return [from[0] + self.quay[0], from[1] + self.quay[1]];
        };
        let way = between_places(from, harbours[to]);
        let all = length(way);
        let gone = ((now - since) * speed).clamp(0.0, all);
        // Lanes open behind the harbors.
        let aside = aside * (gone.min(all - gone) / 10_000.0).min(1.0);
        [0, 1].map(|axis| {
            let right = [way[1], -way[0]][axis] / all;
            from[axis] + way[axis] * gone / all + right * aside
        })
    }
}

fn quay(random: &mut Random) -> [f64; 2] {
    [between(random, -1500.0, 1500.0), between(random, -1500.0, 1500.0)]
}

fn between(random: &mut Random, least: f32, most: f32) -> f64 {
    f64::from(random.between(least, most))
}

fn below(random: &mut Random, count: usize) -> usize {
    random.below(count as u32) as usize
}

fn meters([longitude, latitude]: [f64; 2]) -> [f64; 2] {
    [longitude * METERS[0], latitude * METERS[1]]
}

fn between_places(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

fn length(way: [f64; 2]) -> f64 {
    way[0].hypot(way[1]).max(1.0)
}
