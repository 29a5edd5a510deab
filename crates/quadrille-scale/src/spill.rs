//! Blocks on disk: one file without a name, to which all threads append, and which vanishes with the process.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;
use crate::block::{Block, Held, Width};

/// A file of blocks.
#[derive(Debug)]
pub(crate) struct Spill {
    file: File,
    folder: PathBuf,
    end: AtomicU64,
}

/// Where a block is, and its checksum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    offset: u64,
    pub(crate) count: u32,
    checksum: u32,
    pub(crate) width: Width,
}

impl Spill {
    pub(crate) fn new(folder: &Path) -> Result<Self, Error> {
        Ok(Self { file: nameless(folder)?, folder: folder.into(), end: AtomicU64::new(0) })
    }

    /// Bytes written so far.
    pub(crate) fn size(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// Writes a block; `bytes` is a scratch buffer.
    pub(crate) fn write(&self, block: &Block, bytes: &mut Vec<u8>) -> Result<Piece, Error> {
        let width = block.encode(bytes);
        let offset = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        write_at(&self.file, bytes, offset).map_err(|error| Error::in_folder(&self.folder, &error))?;
        let count = u32::try_from(block.len()).expect("blocks are small");
        Ok(Piece { offset, count, checksum: crc32fast::hash(bytes), width })
    }

    /// Adds the boxes of a piece to a block.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not what was written.
    pub(crate) fn read<S: Held>(&self, piece: &Piece, to: &mut Block<S>, bytes: &mut Vec<u8>) -> Result<(), Error> {
        bytes.resize(piece.count as usize * piece.width.bytes(), 0);
        read_at(&self.file, bytes, piece.offset).map_err(|error| Error::in_folder(&self.folder, &error))?;
        if crc32fast::hash(bytes) != piece.checksum {
            let damaged = format!("damaged: checksum mismatch in the block at byte {}", piece.offset);
            return Err(Error::in_folder(&self.folder, &io::Error::new(io::ErrorKind::InvalidData, damaged)));
        }
        to.extend(bytes, piece.width);
        Ok(())
    }
}

/// A file that vanishes with the process.
pub(crate) fn nameless(folder: &Path) -> Result<File, Error> {
    tempfile::tempfile_in(folder).map_err(|error| Error::in_folder(folder, &plain(error)))
}

/// The system's error, without the name of a temporary file, which means nothing to users.
fn plain(error: io::Error) -> io::Error {
    error.raw_os_error().map_or(error, io::Error::from_raw_os_error)
}

#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quadrille::Aabb;

    use super::*;

    #[test]
    fn a_damaged_or_cut_file_is_an_error() {
        let folder = std::env::temp_dir();
        let spill = Spill::new(&folder).expect("the folder can be written");
        let mut block = Block::new();
        (0..100).for_each(|row| block.push(row, Aabb::from_point([f64::from(row), 0.5])));
        let mut bytes = Vec::new();
        let pieces = [0, 1].map(|_| spill.write(&block, &mut bytes).expect("there is room"));
        let read = |piece| {
            let mut back = Block::<f64>::new();
            spill.read(&piece, &mut back, &mut Vec::new()).map(|()| back.rows)
        };
        assert_eq!(read(pieces[1]), Ok(block.rows.clone()));
        write_at(&spill.file, &[7], pieces[1].offset + 99).expect("there is room");
        assert_eq!(read(pieces[0]), Ok(block.rows));
        let damaged = read(pieces[1]).expect_err("it is damaged").to_string();
        assert!(damaged.contains("temporary file: damaged: checksum mismatch in the block at byte 2000"), "{damaged}");
        spill.file.set_len(3000).expect("it can be cut");
        assert!(read(pieces[1]).expect_err("it is cut").to_string().contains("temporary file"));
    }
}
