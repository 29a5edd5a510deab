//! Tracks that are played: where everything is at the present time, and which encounters are in progress.

use quadrille::Aabb;
use quadrille_files::Fixes;
use quadrille_tracks::{Encounter, FlatMap, Found, Position, Tracks, Units};

use super::meet::Meet;
use super::moments::Moments;
use crate::flat::Flat;

/// Seconds in which a file is played from beginning to end, unless another rate is chosen.
const WHOLE: f64 = 60.0;
/// Seconds on screen for which an encounter glows after its end: long enough to see short ones.
const GLOW: f64 = 0.8;
/// Parts of the time line for which encounters are counted.
const PARTS: usize = 400;

/// A track: of which file, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Who {
    /// 0, or 1 for a track of the second file.
    pub file: usize,
    /// Its position among the names of that file.
    pub track: u32,
}

/// A track at the present time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Present {
    /// Which one.
    pub who: Who,
    /// Where it is on the map.
    pub position: [f32; 2],
}

/// An encounter in progress, or just over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lit {
    /// The encounter.
    pub met: Encounter,
    /// 1 while it is in progress, then down to 0.
    pub glow: f32,
}

/// Tracks on the screen.
#[derive(Clone, Debug)]
pub struct Player {
    /// The names of the files.
    pub title: String,
    /// What the tracks of each file are called.
    names: Vec<Vec<String>>,
    /// How many fixes the files have.
    pub fixes: usize,
    units: Units,
    /// How times are shown.
    pub moments: Moments,
    /// Whether heights are known.
    pub has_heights: bool,
    /// What counts as an encounter.
    pub meet: Meet,
    tracks: Tracks,
    /// What was found.
    pub found: Found,
    /// Encounters by the time at which they are closest, as positions in `found`.
    by_time: Vec<usize>,
    /// The same by least distance.
    by_distance: Vec<usize>,
    /// How many encounters are in progress in each part of the time line.
    pub traffic: Vec<u32>,
    map: FlatMap,
    flat: Flat,
    /// Tracks as lines on the map, each in pieces if it is interrupted.
    pub paths: Vec<(Who, Vec<[f32; 2]>)>,
    /// The first and the last time.
    pub span: [f64; 2],
    /// The present time.
    pub at: f64,
    /// Time of the tracks per second on screen.
    pub rate: f64,
    /// The encounter that was jumped to.
    focus: Option<usize>,
    /// Tracks that were clicked.
    pub picked: Vec<Who>,
}

/// # Life
impl Player {
    /// Plays one file, or the encounters between two.
    ///
    /// # Errors
    /// Returns an error if there are no fixes, or a limit cannot be used.
    pub fn new(files: &[Fixes], meet: Meet) -> Result<Self, String> {
        let first = first_of_its_kind(files)?;
        let units = first.coordinates;
        let title = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" and ");
        let span = span_of(files).ok_or_else(|| format!("{title}: there are no fixes"))?;
        let tracks = first.tracks(files.get(1), &meet.rules(units)).map_err(|error| error.to_string())?;
        let map = FlatMap::new(units, &files.iter().map(Fixes::columns).collect::<Vec<_>>());
        let [min, max] = map.bounds();
        let mut player = Self {
            title,
            names: files.iter().map(|file| file.ids.clone()).collect(),
            fixes: files.iter().map(|file| file.time.len()).sum(),
            units,
            moments: Moments::new(first.times),
            has_heights: files.iter().all(|file| file.z.is_some()),
            meet: Meet { within: None, ..meet },
            tracks,
            found: Found::default(),
            by_time: Vec::new(),
            by_distance: Vec::new(),
            traffic: Vec::new(),
            map,
            flat: Flat::of(&Aabb::new(min, max)),
            paths: Vec::new(),
            span,
            at: span[0],
            rate: usual_rate(span),
            focus: None,
            picked: Vec::new(),
        };
        player.paths = player.all_paths();
        player.ask(meet)?;
        Ok(player)
    }

    /// Looks for encounters within other limits. Rules of tracks stay as they are.
    ///
    /// # Errors
    /// Returns an error if a limit cannot be used: then nothing changes.
    pub fn ask(&mut self, meet: Meet) -> Result<(), String> {
        let found = match meet.limits() {
            Some(limits) => self.tracks.encounters(&limits).map_err(|error| error.to_string())?,
            None => Found::default(),
        };
        (self.meet, self.found, self.focus) = (meet, found, None);
        self.by_time = sorted_positions(&self.found, |met| met.closest_time);
        self.by_distance = sorted_positions(&self.found, |met| met.closest_distance);
        self.traffic = self.count_traffic();
        Ok(())
    }

    fn count_traffic(&self) -> Vec<u32> {
        // Changes of the count from part to part, then their running sums.
        let mut changes = vec![0_i64; PARTS + 1];
        for met in &self.found.encounters {
            changes[self.part(met.start)] += 1;
            changes[self.part(met.end) + 1] -= 1;
        }
        let sums = changes[..PARTS].iter().scan(0, |sum, change| {
            *sum += change;
            Some(u32::try_from(*sum).unwrap_or(u32::MAX))
        });
        sums.collect()
    }

    fn part(&self, time: f64) -> usize {
        ((self.share(time) * PARTS as f64) as usize).min(PARTS - 1)
    }

    fn all_paths(&self) -> Vec<(Who, Vec<[f32; 2]>)> {
        let whos = self.whos();
        whos.flat_map(|who| self.paths_of(who, f64::NEG_INFINITY, f64::INFINITY).into_iter().map(move |way| (who, way)))
            .collect()
    }

    /// Time passes on the screen. `false` if the end has been reached.
    pub fn advance(&mut self, seconds: f64) -> bool {
        self.at = if self.at >= self.span[1] { self.span[0] } else { self.at + seconds * self.rate };
        self.at = self.at.min(self.span[1]);
        self.at < self.span[1]
    }

    /// Jumps to a time.
    pub fn seek(&mut self, at: f64) {
        self.at = at.clamp(self.span[0], self.span[1]);
    }

    /// Jumps to the time at which the next or the previous encounter is closest. Returns its place.
    pub fn seek_encounter(&mut self, is_next: bool) -> Option<[f32; 2]> {
        let time = |position: &usize| self.found.encounters[*position].closest_time;
        let position = if is_next {
            self.by_time.get(self.by_time.partition_point(|position| time(position) <= self.at))
        } else {
            self.by_time.partition_point(|position| time(position) < self.at).checked_sub(1).map(|at| &self.by_time[at])
        };
        position.copied().and_then(|position| self.show_encounter(position))
    }

    /// Jumps to the time at which an encounter is closest, and keeps it lit. Returns its place.
    pub fn show_encounter(&mut self, position: usize) -> Option<[f32; 2]> {
        let met = *self.found.encounters.get(position)?;
        (self.at, self.focus) = (met.closest_time, Some(position));
        self.position(self.ends(&met)[0])
    }

    /// Marks or unmarks a track.
    pub fn pick(&mut self, who: Who) {
        match self.picked.iter().position(|picked| *picked == who) {
            Some(position) => {
                self.picked.remove(position);
            }
            None => self.picked.push(who),
        }
    }
}

/// # Looking
impl Player {
    /// How many files are played.
    pub fn files(&self) -> usize {
        self.names.len()
    }

    /// How many tracks there are.
    pub fn count(&self) -> usize {
        self.names.iter().map(Vec::len).sum()
    }

    /// What a track is called.
    pub fn name(&self, who: Who) -> &str {
        &self.names[who.file][who.track as usize]
    }

    /// All tracks.
    pub fn whos(&self) -> impl Iterator<Item = Who> {
        let files = self.names.iter().enumerate();
        files.flat_map(|(file, names)| (0..).take(names.len()).map(move |track| Who { file, track }))
    }

    /// The two tracks of an encounter.
    pub fn ends(&self, met: &Encounter) -> [Who; 2] {
        [Who { file: 0, track: met.a }, Who { file: self.files() - 1, track: met.b }]
    }

    /// The unit of distances, with a space before it; empty if it is not known.
    pub fn unit(&self) -> &'static str {
        if self.units == Units::Degrees { " m" } else { "" }
    }

    /// A distance with its unit, in four digits or as many as its whole part has.
    pub fn distance(&self, distance: f64) -> String {
        format!("{}{}", in_four_digits(distance), self.unit())
    }

    /// The slowest and the fastest rate that are offered.
    pub fn rates(&self) -> std::ops::RangeInclusive<f64> {
        let usual = usual_rate(self.span);
        usual / 100.0..=usual * 10.0
    }

    /// A time as a share of the whole span, from 0 to 1.
    pub fn share(&self, time: f64) -> f64 {
        let [from, to] = self.span;
        if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// All of the map.
    pub fn bounds(&self) -> Aabb {
        let [min, max] = self.map.bounds();
        self.flat.rect(&Aabb::new(min, max))
    }

    /// The way of a track from a time to a time, in pieces if it is interrupted.
    pub fn paths_of(&self, who: Who, from: f64, to: f64) -> Vec<Vec<[f32; 2]>> {
        let mut ways = Vec::new();
        for positions in self.tracks.path(who.track, who.file > 0, from, to) {
            let flat = |position: &Position| self.map.project([position.x, position.y]);
            let whole: Vec<_> = positions.iter().map(flat).collect();
            let pieces = whole.chunk_by(|from, to| !self.map.is_torn(*from, *to));
            ways.extend(
                pieces.map(|piece| piece.iter().map(|position| self.flat.project(*position)).collect::<Vec<_>>()),
            );
        }
        ways
    }

    /// Where a track is now; `None` if it has no position at this time.
    pub fn position(&self, who: Who) -> Option<[f32; 2]> {
        self.paths_of(who, self.at, self.at).first()?.first().copied()
    }

    /// All tracks that have a position at this time.
    pub fn present(&self) -> impl Iterator<Item = Present> {
        self.whos().filter_map(|who| Some(Present { who, position: self.position(who)? }))
    }

    /// Encounters in progress and those that are just over.
    pub fn lit(&self) -> Vec<Lit> {
        let glow = GLOW * self.rate;
        // They are sorted by their beginnings.
        let begun = self.found.encounters.partition_point(|met| met.start <= self.at);
        let lit = self.found.encounters[..begun].iter().filter_map(|met| {
            let left = 1.0 - ((self.at - met.end) / glow).max(0.0);
            (left > 0.0).then_some(Lit { met: *met, glow: left as f32 })
        });
        lit.collect()
    }

    /// The encounter that was jumped to.
    pub fn focus(&self) -> Option<&Encounter> {
        self.found.encounters.get(self.focus?)
    }

    /// The closest encounters: their positions among those found.
    pub fn closest(&self, most: usize) -> &[usize] {
        &self.by_distance[..most.min(self.by_distance.len())]
    }
}

/// The first file, if all others have the same kinds of coordinates, times and heights.
fn first_of_its_kind(files: &[Fixes]) -> Result<&Fixes, String> {
    let first = files.first().ok_or("there is no file")?;
    let kind = |file: &Fixes| (file.coordinates, file.times.is_calendar(), file.height_unit);
    match files.iter().find(|other| kind(other) != kind(first)) {
        Some(other) => Err(format!("{} and {} differ in coordinates, times or heights", first.name, other.name)),
        None => Ok(first),
    }
}

/// A number rounded to four digits, but not to tens, and not finer than a thousandth.
fn in_four_digits(number: f64) -> f64 {
    let whole = number.abs().max(1.0).log10().floor() as i32;
    let scale = 10_f64.powi((3 - whole).clamp(0, 3));
    (number * scale).round() / scale
}

/// The first and the last time; `None` without fixes.
fn span_of(files: &[Fixes]) -> Option<[f64; 2]> {
    let times = files.iter().flat_map(|file| &file.time).copied();
    let span = times.fold([f64::INFINITY, f64::NEG_INFINITY], |[from, to], time| [from.min(time), to.max(time)]);
    (span[0] <= span[1]).then_some(span)
}

/// Indices of encounters, sorted by a number of each; ties in the order in which they were found.
fn sorted_positions(found: &Found, number: impl Fn(&Encounter) -> f64) -> Vec<usize> {
    let mut positions: Vec<_> = (0..found.encounters.len()).collect();
    positions.sort_by(|one, other| number(&found.encounters[*one]).total_cmp(&number(&found.encounters[*other])));
    positions
}

/// The rate that plays everything in about a minute, rounded to 1, 2 or 5 times a power of ten.
fn usual_rate([from, to]: [f64; 2]) -> f64 {
    let rate = (to - from) / WHOLE;
    if !(rate > 0.0 && rate.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(rate.log10().floor());
    let round = [1.0, 2.0, 5.0].map(|part| part * power);
    round.into_iter().rfind(|round| *round <= rate).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use quadrille_files::{FixChoice, Source};

    use super::*;

    fn fixes(text: &'static str) -> Fixes {
        let source = Source::from_reader("f.csv", text.as_bytes()).expect("bytes can be read");
        Fixes::from_source(source, &FixChoice::default()).expect("these are fixes")
    }

    /// Two pass each other at 10 at time 5, and a third one stands far away, but only later.
    const PASSING: &str = "id,t,x,y\na,0,0,0\nb,0,100,10\na,10,100,0\nb,10,0,10\nc,8,50,900\nc,20,50,900\n";

    fn within(within: f64) -> Meet {
        Meet { within: Some(within), ..Meet::default() }
    }

    fn names(player: &Player) -> Vec<&str> {
        player.present().map(|present| player.name(present.who)).collect()
    }

    #[test]
    fn people_get_four_digits() {
        let numbers = [0.079_594, 4.515_4, 107.826, 9_260.4, 123_456.7].map(in_four_digits);
        assert_eq!(numbers, [0.08, 4.515, 107.8, 9_260.0, 123_457.0]);
    }

    #[test]
    fn everything_is_where_it_is_at_the_present_time() {
        let mut player = Player::new(&[fixes(PASSING)], Meet::default()).expect("it can be played");
        assert_eq!((player.span, names(&player)), ([0.0, 20.0], vec!["a", "b"]));
        player.seek(9.0);
        assert_eq!(names(&player), ["a", "b", "c"]);
        let [a, c] = [0, 2].map(|track| player.position(Who { file: 0, track }).expect("it is there"));
        // The middle of the map is its origin.
        assert_eq!((a, c), ([40.0, -450.0], [0.0, 450.0]));
        player.seek(100.0);
        assert_eq!((player.at, names(&player)), (20.0, vec!["c"]));
    }

    #[test]
    fn places_differ_however_small_or_large_the_coordinates_are() {
        for text in ["id,t,x,y\na,0,0,0\na,9,1e-60,0\n", "id,t,x,y\na,0,-1e30,0\na,9,1e30,0\n"] {
            let player = Player::new(&[fixes(text)], Meet::default()).expect("it can be played");
            let Aabb { min, max } = player.bounds();
            assert_eq!(player.paths[0].1, [min, max]);
            assert!((512.0..=1024.0).contains(&(max[0] - min[0])), "{text}: {min:?} {max:?}");
        }
    }

    #[test]
    fn an_encounter_is_lit_while_it_lasts_and_glows_for_a_moment() {
        let mut player = Player::new(&[fixes(PASSING)], within(10.0_f64.hypot(20.0))).expect("it can be played");
        let met = player.found.encounters[0];
        assert!((met.start - 4.0).abs() < 1e-9 && (met.end - 6.0).abs() < 1e-9, "{met:?}");
        let mut glow = |at| {
            player.seek(at);
            player.lit().first().map(|lit| lit.glow)
        };
        assert_eq!([3.9, 4.1, 5.9].map(&mut glow), [None, Some(1.0), Some(1.0)]);
        assert!(glow(6.1).is_some_and(|glow| glow < 1.0));
        assert_eq!(glow(7.0), None);
        let parts = player.traffic.iter().filter(|count| **count == 1).count();
        assert!((40..=42).contains(&parts), "a tenth of the time line: {parts}");
    }

    #[test]
    fn encounters_are_jumped_to_one_after_the_other() {
        let mut player = Player::new(&[fixes(PASSING)], within(15.0)).expect("it can be played");
        assert_eq!(player.seek_encounter(false), None);
        let position = player.seek_encounter(true).expect("there is one");
        assert!((player.at - 5.0).abs() < 1e-9, "{}", player.at);
        assert_eq!((position, player.focus().is_some()), ([0.0, -450.0], true));
        assert_eq!(player.seek_encounter(true), None);
        player.seek(20.0);
        assert!(player.seek_encounter(false).is_some());
        assert_eq!(player.closest(7), [0]);
    }

    #[test]
    fn other_limits_are_answered_at_once_and_wrong_ones_change_nothing() {
        let mut player = Player::new(&[fixes(PASSING)], Meet::default()).expect("it can be played");
        assert!(player.found.encounters.is_empty());
        player.ask(within(15.0)).expect("it is a distance");
        assert_eq!(player.found.pairs, 1);
        let error = player.ask(Meet { vertical: Some(1.0), ..within(15.0) }).expect_err("there are no heights");
        assert!(error.contains("height"), "{error}");
        assert_eq!((player.found.pairs, player.meet), (1, within(15.0)));
    }

    #[test]
    fn time_passes_at_its_rate_and_begins_again_at_the_end() {
        let mut player = Player::new(&[fixes(PASSING)], Meet::default()).expect("it can be played");
        player.rate = 8.0;
        assert!(player.advance(1.0) && player.advance(1.0));
        assert_eq!(player.at, 16.0);
        assert!(!player.advance(1.0));
        assert_eq!(player.at, 20.0);
        assert!(player.advance(1.0));
        assert_eq!(player.at, 0.0);
    }

    #[test]
    fn two_files_meet_each_other_if_they_can_be_compared() {
        let (boats, whales) = (fixes("id,t,x,y\n1,0,0,0\n1,9,9,0\n2,0,0,0\n"), fixes("id,t,x,y\n1,0,5,1\n1,9,5,1\n"));
        let player = Player::new(&[boats.clone(), whales], within(1.0)).expect("it can be played");
        let [met] = player.found.encounters[..] else { panic!("one boat meets the whale") };
        assert_eq!(player.ends(&met).map(|who| who.file), [0, 1]);
        assert_eq!((player.count(), player.fixes), (3, 5));
        let error = Player::new(&[boats, fixes("id,t,lon,lat\n1,0,5,1\n")], within(1.0)).expect_err("they differ");
        assert!(error.contains("differ"), "{error}");
        assert!(Player::new(&[fixes("id,t,x,y\n")], within(1.0)).expect_err("it is empty").contains("no fixes"));
    }

    #[test]
    fn ways_are_in_one_piece_across_the_antimeridian() {
        let text = "id,t,lon,lat\na,0,179,0\na,10,-179,0\nb,0,10,0\nb,10,12,0\n";
        let player = Player::new(&[fixes(text)], Meet::default()).expect("it can be played");
        let longest = player.paths.iter().flat_map(|way| way.1.windows(2)).map(|ends| (ends[1][0] - ends[0][0]).abs());
        assert!(longest.fold(0.0, f32::max) < player.bounds().width() / 72.0);
        assert_eq!(player.paths.len(), 2);
    }
}
