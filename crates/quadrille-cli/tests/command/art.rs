//! `quadrille art`: stills, animations, and bad input.

use crate::room::Room;
use image::{Rgb, RgbImage};

/// A sky that darkens upward over dark hills, with a sun.
fn landscape(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let [u, v] = [x as f32 / width as f32, y as f32 / height as f32];
        let is_sun = (u - 0.7).hypot(v - 0.4) < 0.08;
        let is_hill = v > 0.7 + 0.1 * (9.0 * u).sin();
        let shade = |low: f32, high: f32| (low + (high - low) * v) as u8;
        match (is_hill, is_sun) {
            (true, _) => Rgb([shade(10.0, 60.0), 40, 60]),
            (_, true) => Rgb([255, 245, 220]),
            _ => Rgb([shade(60.0, 250.0), shade(80.0, 180.0), shade(150.0, 140.0)]),
        }
    })
}

fn room(name: &str) -> Room {
    let room = Room::new(name);
    landscape(300, 200).save(room.path("land.png")).unwrap();
    room
}

/// How many of a hundred pixels are about as in the landscape.
fn share_near(art: &RgbImage) -> usize {
    let (width, height) = art.dimensions();
    let original = landscape(width, height);
    let is_near = |(art, original): (&Rgb<u8>, &Rgb<u8>)| (0..3).all(|at| art.0[at].abs_diff(original.0[at]) < 24);
    art.pixels().zip(original.pixels()).filter(|pair| is_near(*pair)).count() * 100 / (width * height) as usize
}

#[test]
fn a_still_is_near_its_picture_and_the_same_for_every_run() {
    let room = room("art-still");
    let figures = room.json(&["art", "land.png", "--out", "art.png", "--quads", "900"]);
    assert_eq!((&figures["width"], &figures["height"]), (&300.into(), &200.into()));
    assert!((900..904).contains(&figures["quads"].as_u64().unwrap()));
    let deviation = figures["deviation"].as_f64().unwrap();
    assert!(deviation > 0.0);
    assert!(figures["ms"].as_f64().unwrap() > 0.0);

    let drawn = room.read("art.png");
    let art = image::load_from_memory(&drawn).unwrap().into_rgb8();
    assert_eq!(art.dimensions(), (1080, 720));
    assert!(share_near(&art) > 70, "the rest are gaps and edges");

    room.good(&["art", "land.png", "--out", "again.png", "--quads", "900"]);
    assert_eq!(room.read("again.png"), drawn);
    room.good(&["art", "land.png", "--out", "round.png", "--quads", "900", "--shape", "circle"]);
    assert_ne!(room.read("round.png"), drawn);
    assert!(
        room.json(&["art", "land.png", "--out", "fine.png", "--quads", "3000"])["deviation"].as_f64() < Some(deviation)
    );
}

#[test]
fn the_ending_says_what_is_written_and_the_size_is_as_asked() {
    let room = room("art-endings");
    for (file, format) in [("a.png", image::ImageFormat::Png), ("a.JPG", image::ImageFormat::Jpeg)] {
        room.good(&["art", "land.png", "--out", file, "--quads", "400", "--size", "150"]);
        let bytes = room.read(file);
        assert_eq!(image::guess_format(&bytes).unwrap(), format, "{file}");
        let art = image::load_from_memory(&bytes).unwrap().into_rgb8();
        assert_eq!(art.dimensions(), (150, 100), "{file}");
        assert!(share_near(&art) > 60, "{file}");
    }
    room.good(&["art", "land.png", "--out", "plain", "--quads", "4"]);
    assert!(room.read("plain").starts_with(b"\x89PNG"), "without an ending");
    room.bad(&["art", "land.png", "--out", "a.bmp"], &["a.bmp", ".png, .jpg or .gif"]);
    for size in ["0", "16385", "-3"] {
        room.bad(&["art", "land.png", "--out", "b.png", &format!("--size={size}")], &["--size", size]);
        room.bad(&["art", "land.png", "--out", "b.png", "--size", size], &["--size", size]);
    }
}

#[test]
fn circles_are_circles_on_pictures_of_any_shape() {
    let room = Room::new("art-circle");
    RgbImage::from_pixel(300, 100, Rgb([200, 30, 30])).save(room.path("wide.png")).unwrap();
    room.good(&["art", "wide.png", "--out", "disc.png", "--quads", "1", "--shape", "circle"]);
    let art = image::load_from_memory(&room.read("disc.png")).unwrap().into_rgb8();
    let is_red = |x, y| art.get_pixel(x, y).0 == [200, 30, 30];
    let (width, height) = art.dimensions();
    let across = (0..width).filter(|x| is_red(*x, height / 2)).count();
    let down = (0..height).filter(|y| is_red(width / 2, *y)).count();
    assert!(across.abs_diff(down) <= 2 && down > 300, "{across} x {down}");
}

/// The frames of an animation as they are seen.
fn frames(film: &[u8]) -> Vec<RgbImage> {
    let mut decoder = gif::DecodeOptions::new().read_info(film).unwrap();
    let colors = decoder.palette().unwrap().to_vec();
    let mut shown = RgbImage::new(decoder.width().into(), decoder.height().into());
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (pixel, &index) in shown.pixels_mut().zip(&*frame.buffer) {
            if Some(index) != frame.transparent {
                pixel.0.copy_from_slice(&colors[3 * usize::from(index)..][..3]);
            }
        }
        frames.push(shown.clone());
    }
    frames
}

#[test]
fn a_film_comes_nearer_to_its_picture_and_rests_there() {
    let room = room("art-film");
    let figures = room.json(&["art", "land.png", "--out", "art.GIF", "--quads", "900"]);
    assert!((900..904).contains(&figures["quads"].as_u64().unwrap()));
    let film = room.read("art.GIF");
    assert!(film.len() < 2_000_000);
    let frames = frames(&film);
    assert_eq!(frames.len(), 120);
    assert_eq!(frames[0].dimensions(), (540, 360));
    assert!(share_near(&frames[0]) < share_near(&frames[45]) && share_near(&frames[45]) < share_near(&frames[89]));
    assert!(share_near(&frames[89]) > 70);
    assert!(frames[90..].iter().all(|frame| *frame == frames[89]));
    room.good(&["art", "land.png", "--out", "again.gif", "--quads", "900"]);
    assert_eq!(room.read("again.gif"), film);
}

#[test]
fn photographs_and_pictures_of_any_shape_are_read() {
    let room = Room::new("art-shapes");
    landscape(64, 48).save(room.path("photo.jpg")).unwrap();
    let figures = room.json(&["art", "photo.jpg", "--out", "photo.png"]);
    assert_eq!((&figures["width"], &figures["height"]), (&64.into(), &48.into()));
    for (width, height) in [(1, 1), (700, 1), (3, 2500)] {
        landscape(width, height).save(room.path("odd.png")).unwrap();
        for out in ["odd-art.png", "odd-art.gif"] {
            let figures = room.json(&["art", "odd.png", "--out", out, "--quads", "50"]);
            assert_eq!((&figures["width"], &figures["height"]), (&width.into(), &height.into()));
        }
    }
    RgbImage::from_pixel(40, 40, Rgb([9, 9, 9])).save(room.path("plain.png")).unwrap();
    let figures = room.json(&["art", "plain.png", "--out", "plain-art.png"]);
    assert_eq!((&figures["quads"], &figures["deviation"]), (&1.into(), &0.0.into()), "nothing varies, nothing splits");
}

#[test]
fn bad_input_is_told_in_one_line() {
    let room =
        room("art-bad").with("words.txt", "no picture").with("empty.png", "").with("cut.jpg", b"\xFF\xD8\xFF\xE0\0");
    let land = room.read("land.png");
    let room = room.with("cut.png", &land[..land.len() / 2]);
    for file in ["words.txt", "empty.png", "cut.jpg", "cut.png", "absent.png"] {
        for out in ["out.png", "out.gif"] {
            room.bad(&["art", file, "--out", out], &[file]);
        }
    }
    room.bad(&["art", "land.png"], &["--out"]);
    room.bad(&["art", "land.png", "--out", "no/such/place.gif"], &["no/such/place.gif", "cannot be written"]);
    room.bad(&["art", "land.png", "--out", "o.png", "--quads", "0"], &["--quads"]);
    room.bad(&["art", "land.png", "--out", "o.png", "--shape", "circel"], &["circel", "circle"]);
    room.bad(&["art", "land.png", "--out", "-", "--json", "-"], &["standard output"]);
}
