//! What has been painted on a map, as text for a shared view: the lengths of runs of cells, row by row, which by turns
//! are as they were and changed. A number is written in digits of five bits, the lowest first; a digit's sixth bit says
//! that another follows. Digits are those of base64 for addresses (RFC 4648, section 5).

use quadrille_paths::Grid;

/// Most letters of such a text: some dozen strokes. Programs that pass addresses on cut longer ones.
pub const MOST_LETTERS: usize = 4_000;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Bits of a number in a digit.
const BITS: u32 = 5;
const MORE: u32 = 1 << BITS;

/// Lengths of runs of cells, by turns as they were and changed; none if nothing has changed. Both maps have the same
/// sides.
pub fn difference(before: &Grid, now: &Grid) -> Vec<u32> {
    let mut runs = Vec::new();
    let (mut is_changed, mut length) = (false, 0);
    for cell in before.bounds().cells() {
        if (before.is_free(cell) != now.is_free(cell)) != is_changed {
            runs.push(length);
            (is_changed, length) = (!is_changed, 0);
        }
        length += 1;
    }
    // The cells after the last change are implied.
    if is_changed {
        runs.push(length);
    }
    runs
}

/// The map with the changes of [`difference`] applied. Anything beyond the last cell is left out.
pub fn change(before: &Grid, runs: &[u32]) -> Grid {
    let mut now = before.clone();
    let mut cells = before.bounds().cells();
    for (number, &run) in runs.iter().enumerate() {
        for cell in cells.by_ref().take(run as usize) {
            now.set(cell, before.is_free(cell) != (number % 2 == 1));
        }
    }
    now
}

/// The text of some runs; `None` if it is longer than [`MOST_LETTERS`].
pub fn write_runs(runs: &[u32]) -> Option<String> {
    let mut text = String::new();
    for &run in runs {
        let mut rest = run;
        while rest >= MORE {
            text.push(letter(rest % MORE + MORE));
            rest /= MORE;
        }
        text.push(letter(rest));
    }
    (text.len() <= MOST_LETTERS).then_some(text)
}

fn letter(digit: u32) -> char {
    DIGITS[digit as usize].into()
}

/// Reads what [`write_runs`] writes.
///
/// # Errors
/// Returns an error if it is too long, or has a letter that is not a digit, or a number that does not end or is too
/// large.
pub fn read_runs(text: &str) -> Result<Vec<u32>, String> {
    if text.len() > MOST_LETTERS {
        return Err(format!("longer than {MOST_LETTERS} letters"));
    }
    let mut runs = Vec::new();
    let mut digits = text.bytes();
    while digits.len() > 0 {
        let run = read_run(&mut digits).ok_or("must be runs of cells as the viewer writes them")?;
        runs.push(run);
    }
    Ok(runs)
}

fn read_run(digits: &mut impl Iterator<Item = u8>) -> Option<u32> {
    let (mut run, mut shift) = (0, 0);
    loop {
        let next = digits.next()?;
        let digit = u32::try_from(DIGITS.iter().position(|&digit| digit == next)?).ok()?;
        // Four digits are a million cells, as many as the largest built-in map has.
        if shift >= 4 * BITS {
            return None;
        }
        run |= (digit % MORE) << shift;
        shift += BITS;
        if digit < MORE {
            return Some(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_paths::Cell;
    use quadrille_scenes::Random;

    use super::*;

    fn are_equal(one: &Grid, other: &Grid) -> bool {
        one.bounds() == other.bounds() && one.bounds().cells().all(|cell| one.is_free(cell) == other.is_free(cell))
    }

    #[test]
    fn what_is_painted_is_read_again_from_its_text() {
        let mut random = Random::new(3);
        for cells in [0, 1, 2, 40, 400] {
            let before = Grid::from_fn(37, 29, |cell| (cell.x ^ cell.y) % 3 != 0).expect("a legal side");
            let mut now = before.clone();
            for _ in 0..cells {
                let cell = Cell::new(random.below(37), random.below(29));
                now.set(cell, !before.is_free(cell));
            }
            let text = write_runs(&difference(&before, &now)).expect("it is short");
            assert_eq!(text.is_empty(), cells == 0);
            let again = change(&before, &read_runs(&text).expect("it was just written"));
            assert!(are_equal(&again, &now), "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_cell_count() {
        let before = Grid::open(64, 2).expect("a legal side");
        let mut now = before.clone();
        for cell in [Cell::new(0, 0), Cell::new(63, 1)] {
            now.set(cell, false);
        }
        let runs = difference(&before, &now);
        assert_eq!(runs, [0, 1, 126, 1]);
        assert_eq!(write_runs(&runs).as_deref(), Some("AB-DB"));
        assert!(are_equal(&change(&before, &runs), &now));
        assert_eq!(change(&before, &[0, 1_000_000, 5]).count_free(), 0);
    }

    #[test]
    fn what_is_no_such_text_is_refused() {
        for wrong in ["A!", "é", "-", "_____", "AAA-", "____A"] {
            assert!(read_runs(wrong).is_err(), "{wrong}");
        }
        assert!(read_runs(&"A".repeat(MOST_LETTERS + 1)).is_err());
        assert_eq!(write_runs(&vec![1; MOST_LETTERS + 1]), None);
        assert_eq!(read_runs("").expect("nothing is painted"), [0; 0]);
    }
}
