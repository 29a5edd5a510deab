//! Single functions of the command, in files of its source that are compiled here again.

use image::{Rgb, RgbImage};
use quadrille_draw::Color;

use crate::names::{bytes, whole as whole_number};
use crate::quads::Quads;
use crate::quantity::{duration, length, speed};
use crate::swatches::{MAX_COLORS, of};
use crate::text::{count, figure, one_line, whole};

#[test]
fn amounts_of_memory_are_read_with_their_units() {
    let good = ["512M", "4G", "1.5 GiB", "4GB", "1_000_000", "64m", "0"];
    let expected = [512 << 20, 4 << 30, 3 << 29, 4_000_000_000, 1_000_000, 64 << 20, 0];
    assert_eq!(good.map(bytes), expected.map(Ok));
    for bad in ["", "G", "-1G", "4X", "nan", "four", "1_0G", "_9", "9_", "1_000_00"] {
        assert!(bytes(bad).is_err(), "{bad}");
    }
}

#[test]
fn whole_numbers_are_read_as_people_write_them() {
    let numbers = ["7", "1_000_000", "1e6", "25E3", "4294967295", "1e0"];
    assert_eq!(numbers.map(whole_number), [7, 1_000_000, 1_000_000, 25_000, u32::MAX, 1].map(Some));
    let others = [
        "", "-5", "1.5", "1e", "e6", "1e10", "4294967296", "5e9", "1e-1", "0x10", "one", "1_0", "_9", "9_", "1__000",
        "1000_000", "1_0000", "1e1_0",
    ];
    assert_eq!(others.map(whole_number), [None; 18]);
}

#[test]
fn quantities_are_read_with_their_units() {
    let lengths = ["500", "0.5km", "2 nm", "1mi", "90ft", "1e3 m", "1_000m", "2 NM"];
    let meters = [500.0, 500.0, 3704.0, 1609.344, 90.0 * 0.3048, 1000.0, 1000.0, 3704.0];
    assert_eq!(lengths.map(|text| length(text).map(|length| length.value())), meters.map(Ok));
    assert_eq!(
        lengths.map(|text| length(text).is_ok_and(|length| length.has_unit())).iter().filter(|has| **has).count(),
        7
    );
    let durations = ["90", "90s", "1.5 min", "10m", "500ms", "2h", "1d"];
    let seconds = [90.0, 90.0, 90.0, 600.0, 0.5, 7200.0, 86_400.0];
    assert_eq!(durations.map(|text| duration(text).map(|duration| duration.value())), seconds.map(Ok));
    assert_eq!(speed("36km/h").map(|speed| speed.value()), Ok(10.0));
    assert!((speed("3600kn").unwrap().value() - 1852.0).abs() < 1e-9);
}

#[test]
fn what_is_no_quantity_is_refused() {
    for bad in [
        "", "m", "five", "-1", "-1m", "inf", "nan", "1e999", "5 parsec", "1e", "5m5", "2/", "1_0", "_9", "9_",
        "1__000", "1.000_5", "1_000_0m", "-1_000", "5M", "5 M",
    ] {
        assert!(length(bad).is_err() && duration(bad).is_err() && speed(bad).is_err(), "{bad}");
    }
}

#[test]
fn what_could_steer_a_terminal_is_escaped() {
    assert_eq!(one_line("a\u{1b}[31m\r\nb\u{9b}\u{202e}ü"), "a\\u{1b}[31m\\r\\nb\\u{9b}\\u{202e}ü");
}

#[test]
fn long_texts_keep_beginning_and_end() {
    let line = one_line(&format!("file: {} at line 7", "ü".repeat(1_000_000)));
    assert!(line.starts_with("file: ü") && line.ends_with("at line 7") && line.chars().count() < 1000, "{line}");
}

#[test]
fn one_is_not_many() {
    assert_eq!([count(1, "step"), count(0, "box"), count(1000, "step")], ["1 step", "0 boxes", "1,000 steps"]);
}

#[test]
fn figures_have_three_or_four_digits() {
    let figures = [0.0, 0.079_594_492, 12.345_67, 30.0, 999.99, 11_411.614_5, -2.0, 0.000_012_34, 1e30].map(figure);
    assert_eq!(figures, ["0", "0.07959", "12.35", "30", "1,000", "11,412", "-2", "1.234e-5", "1e30"]);
}

#[test]
fn names_that_are_whole_numbers_have_no_exponent() {
    let names = ["3.3400000e+02", "17.0", "0.5", "9007199254740993.0", "007", "1e400", "nan", "e"].map(whole);
    let expected = [Some("334"), Some("17"), None, None, None, None, None, None];
    assert_eq!(names, expected.map(|name| name.map(String::from)));
}

const GROUND: Color = Color([1, 2, 3]);

#[test]
fn few_colors_stay_as_they_are() {
    let colors = [Color([0; 3]), Color([255; 3]), Color([9, 90, 200])];
    let mut swatches = of(colors.iter().map(|color| (*color, 5)), GROUND);
    assert_eq!(swatches.remove(0), GROUND);
    assert_eq!(swatches.len(), 3);
    assert!(colors.iter().all(|color| swatches.contains(color)));
    assert_eq!(of([].into_iter(), GROUND), [GROUND]);
}

#[test]
fn many_colors_are_each_near_one_that_is_left() {
    let ramp = || (0..4096_u32).map(|number| Color([number / 16, number % 16 * 16, 128].map(|value| value as u8)));
    let swatches = of(ramp().map(|color| (color, 1)), GROUND);
    assert_eq!(swatches.len(), MAX_COLORS);
    for color in ramp() {
        let off = |other: &Color| (0..3).map(|channel| color.0[channel].abs_diff(other.0[channel])).max();
        assert!(swatches.iter().map(off).min().flatten() <= Some(20), "{color:?}");
    }
}

/// Black, with one white pixel.
fn night(width: u32, height: u32, star: [u32; 2]) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| Rgb([if [x, y] == star { 255 } else { 0 }; 3]))
}

#[test]
fn quads_tile_the_picture_and_end_when_they_are_as_it_is() {
    for (width, height) in [(16, 16), (13, 9), (40, 3), (1, 7), (1, 1)] {
        let picture = night(width, height, [width - 1, height / 2]);
        let mut quads = Quads::new(&picture).unwrap();
        quads.split_to(usize::MAX);
        let mut covered = RgbImage::from_pixel(width, height, Rgb([7; 3]));
        for quad in quads.all() {
            for y in quad.rect.min[1]..=quad.rect.max[1] {
                for x in quad.rect.min[0]..=quad.rect.max[0] {
                    let pixel = covered.get_pixel_mut(x.unsigned_abs(), y.unsigned_abs());
                    assert_eq!(pixel.0, [7; 3], "covered twice");
                    pixel.0 = quad.color.0;
                }
            }
        }
        assert_eq!(covered, picture, "{width} x {height}");
        assert_eq!(quads.deviation(), 0.0);
    }
}

#[test]
fn only_what_varies_splits_and_each_split_comes_nearer() {
    let picture = night(64, 64, [50, 10]);
    let mut quads = Quads::new(&picture).unwrap();
    let mut before = quads.deviation();
    for depth in 1..=6 {
        assert_eq!(quads.split().len(), 4);
        assert_eq!(quads.count(), 1 + 3 * depth, "one of four holds the star");
        assert!(quads.deviation() < before);
        before = quads.deviation();
    }
    assert!(quads.split().is_empty());
}

#[test]
fn the_color_is_the_mean_and_the_error_its_variance() {
    let picture = RgbImage::from_fn(2, 1, |x, _| Rgb([if x == 0 { 10 } else { 30 }, 5, 5]));
    let quads = Quads::new(&picture).unwrap();
    let quad = quads.all().next().unwrap();
    assert_eq!(quad.color, Color([20, 5, 5]));
    assert_eq!(quad.error, 0.299 * 200.0);
}
