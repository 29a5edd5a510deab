//! Maps from files: MovingAI's format, and pictures.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use quadrille_paths::movingai::TileMap;
use quadrille_paths::{Cell, Grid};

/// The longest side of a map in the viewer, in cells: that of the largest texture which every WebGL2 device takes.
pub const MAX_SIDE: u32 = 2048;

/// The first bytes of every PNG file.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Whether a file claims to be a map, by its name or by its first bytes.
pub fn is_map(name: &str, bytes: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    // There may be a byte order mark before it; a column of a table may be called `type of place`.
    let begins = bytes.starts_with(PNG_SIGNATURE) || bytes.windows(11).take(4).any(|words| words == b"type octile");
    begins || [".map", ".png"].into_iter().any(|end| name.ends_with(end))
}

/// Reads a map; `name` is the file's, for messages. A PNG picture has a cell for each pixel, blocked where it is dark;
/// what is transparent shows white. Everything else is read as MovingAI's `.map`: ground and swamp are free.
///
/// # Errors
/// Returns an error if the file is neither or damaged, or a side of the map has no cells or more than [`MAX_SIDE`].
pub fn read(name: &str, bytes: &[u8]) -> Result<Grid, String> {
    if bytes.starts_with(PNG_SIGNATURE) {
        return pictured(bytes).map_err(|reason| format!("{name}: {reason}"));
    }
    let tiles = TileMap::parse(name, bytes).map_err(|error| error.to_string())?;
    check_sides([tiles.width(), tiles.height()]).map_err(|reason| format!("{name}: {reason}"))?;
    tiles.ground().map_err(|error| format!("{name}: {error}"))
}

fn pictured(bytes: &[u8]) -> Result<Grid, String> {
    let reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    // Before the pixels are decoded: a small file can hold a huge picture.
    check_sides([width, height])?;
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?.into_rgba8();
    let is_free = |cell: Cell| !is_dark(picture.get_pixel(cell.x, cell.y).0);
    Grid::from_fn(width, height, is_free).map_err(|error| error.to_string())
}

fn check_sides(sides: [u32; 2]) -> Result<(), String> {
    let [width, height] = sides;
    let is_shown = sides.iter().all(|side| (1..=MAX_SIDE).contains(side));
    is_shown.then_some(()).ok_or_else(|| format!("{width} × {height} cells, but sides go from 1 to {MAX_SIDE}"))
}

/// Whether a color on white is closer to black, by its luma (Rec. 601).
fn is_dark([red, green, blue, opacity]: [u8; 4]) -> bool {
    let darkness = |part: u8| (255 - u32::from(part)) * u32::from(opacity);
    299 * darkness(red) + 587 * darkness(green) + 114 * darkness(blue) > 1000 * 127 * 255
}

#[cfg(test)]
mod tests {
    use image::RgbaImage;

    use super::*;

    fn png(picture: &RgbaImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).expect("memory takes everything");
        bytes.into_inner()
    }

    fn message(name: &str, bytes: &[u8]) -> String {
        read(name, bytes).expect_err("it is no map").to_string()
    }

    #[test]
    fn maps_are_told_from_tables() {
        assert!(is_map("a", b"type octile\nheight 2") && is_map("a", b"\xEF\xBB\xBFtype octile\n"));
        assert!(!is_map("a.csv", b"type of place,x,y\n"));
    }

    #[test]
    fn a_map_file_is_read() {
        let grid = read("small.map", b"type octile\nheight 2\nwidth 3\nmap\n.@T\nWGS\n").expect("it is a map");
        let free: Vec<bool> = grid.bounds().cells().map(|cell| grid.is_free(cell)).collect();
        assert_eq!(free, [true, false, false, false, true, true]);
    }

    #[test]
    fn dark_pixels_are_walls_and_transparent_ones_are_not() {
        let pixels = [[0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0], [90, 90, 90, 255]];
        let picture = RgbaImage::from_raw(2, 2, pixels.concat()).expect("four pixels");
        let grid = read("picture.png", &png(&picture)).expect("it is a picture");
        let free: Vec<bool> = grid.bounds().cells().map(|cell| grid.is_free(cell)).collect();
        assert_eq!(free, [false, true, true, false]);
    }

    #[test]
    fn what_is_no_map_is_named_with_a_reason() {
        for (name, bytes) in [("empty.map", &b""[..]), ("letter.txt", b"Dear Sir"), ("noise", b"\xff\xfe\x00")] {
            assert!(message(name, bytes).starts_with(name), "{}", message(name, bytes));
        }
        let whole = png(&RgbaImage::new(8, 8));
        assert!(message("cut.png", &whole[..whole.len() / 2]).starts_with("cut.png: "));
        assert!(message("head.png", PNG_SIGNATURE).starts_with("head.png: "));
    }

    #[test]
    fn what_is_too_large_to_be_shown_is_refused() {
        let side = MAX_SIDE + 1;
        assert!(message("wide.png", &png(&RgbaImage::new(side, 1))).contains("2049 × 1 cells"));
        let row = ".".repeat(side as usize);
        let text = format!("type octile\nheight 1\nwidth {side}\nmap\n{row}\n");
        assert!(message("wide.map", text.as_bytes()).contains("2049 × 1 cells"));
    }
}
