//! Maps of free and blocked cells in files.

use std::fs;
use std::path::Path;

use quadrille_paths::movingai::TileMap;
use quadrille_paths::{Cell, Grid};

use crate::failure::Failure;
use crate::image_file;

/// Reads a map: a MovingAI file, or a PNG picture in which every pixel is a cell.
pub(super) fn read(path: &Path) -> Result<Grid, Failure> {
    let bytes = bytes(path)?;
    if bytes.starts_with(image_file::PNG_SIGNATURE) {
        return pictured(path, &bytes);
    }
    // There may be a byte order mark before it.
    if !bytes.windows(4).take(4).any(|word| word == b"type") {
        return Err(Failure::in_file(path, "is neither a PNG picture nor a MovingAI map (`type octile`)"));
    }
    let tiles = TileMap::parse(&name(path), &bytes)?;
    tiles.ground().map_err(|error| Failure::in_file(path, error))
}

/// Reads a whole file.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::in_file(path, error))
}

/// A file's name for messages.
pub(super) fn name(path: &Path) -> String {
    path.display().to_string()
}

fn pictured(path: &Path, bytes: &[u8]) -> Result<Grid, Failure> {
    let picture = image_file::decode(path, bytes)?;
    let (width, height) = picture.dimensions();
    let is_free = |cell: Cell| !is_dark(picture.get_pixel(cell.x, cell.y).0);
    Grid::from_fn(width, height, is_free).map_err(|error| Failure::in_file(path, error))
}

/// Whether a color is nearer to black than to white in perceived brightness (Rec. 601).
fn is_dark([red, green, blue]: [u8; 3]) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 1000 * 128
}
