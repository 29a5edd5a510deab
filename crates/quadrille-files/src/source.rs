//! Opens files: name, format, and decompressed bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::error::Error;

/// Bytes read to recognize a file: enough for fifty long lines.
pub(crate) const SAMPLE: usize = 1 << 16;

/// Decompressed bytes of a file, from the first on.
pub(crate) type Bytes = BufReader<Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>>;

/// An opened file of which only the beginning has been read.
pub struct Source {
    /// As the user called it; `standard input` for `-`.
    pub(crate) name: String,
    /// The first bytes, decompressed, without a byte order mark.
    pub(crate) sample: Vec<u8>,
    rest: Box<dyn Read + Send>,
    is_packed: bool,
    /// What the text was decoded from.
    pub(crate) encoding: Option<&'static str>,
    /// Whether the first row of delimited text is a header, if that was specified.
    pub(crate) header: Option<bool>,
    /// Whether to keep the geometries themselves, and not only boxes around them.
    pub(crate) has_geometries: bool,
    /// The file itself, unless it is standard input or compressed.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only Parquet is not read from the first byte on")
    )]
    pub(crate) file: Option<File>,
    /// The path of an uncompressed file: others beside it may belong to it.
    pub(crate) path: Option<PathBuf>,
    /// The size limit, in bytes, of formats that must be read whole.
    pub(crate) most_bytes: u64,
}

impl Source {
    /// Whether a name means standard input: `-`, `/dev/stdin`, `/dev/fd/0` or `/proc/self/fd/0`. It can be read only
    /// once.
    #[must_use]
    pub fn is_stdin(path: &Path) -> bool {
        ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path.as_os_str() == *name)
    }

    /// Opens a file, or [standard input](Self::is_stdin). Compressed files (gzip, zstd) are decompressed on the way,
    /// whatever their names.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if Self::is_stdin(path) {
            let source = Self::from_reader("standard input", io::stdin())?;
            let is_empty = source.sample.is_empty();
            let what = "it is empty: perhaps the command before the pipe has failed";
            return if is_empty { Err(Error::in_file(source.name, what)) } else { Ok(source) };
        }
        let name = if path.as_os_str().is_empty() { "\"\"".into() } else { path.display().to_string() };
        let file = File::open(path).map_err(|error| Error::in_file(&name, error))?;
        let again = file.try_clone().ok().filter(|file| file.metadata().is_ok_and(|known| known.is_file()));
        let source = Self::from_reader(&name, file)?;
        let path = (!source.is_packed).then(|| path.to_owned());
        Ok(Self { file: again.filter(|_| !source.is_packed), path, ..source })
    }

    /// The same for any bytes; `name` is used in messages.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn from_reader(name: &str, bytes: impl Read + Send + 'static) -> Result<Self, Error> {
        unpacked(name, Box::new(bytes)).map_err(|error| Error::in_file(name, error))
    }

    /// The same file, and whether the first row of delimited text is a header; `None` finds out.
    #[must_use]
    pub fn with_header(self, header: Option<bool>) -> Self {
        Self { header, ..self }
    }

    /// All bytes, from the first on.
    pub(crate) fn into_bytes(self) -> Bytes {
        BufReader::with_capacity(1 << 16, Cursor::new(self.sample).chain(self.rest))
    }

    /// All bytes in memory; `format` is for messages.
    pub(crate) fn read_all(self, format: &str) -> Result<(String, Vec<u8>), Error> {
        let (mut all, rest) = (self.sample, self.rest);
        let most = self.most_bytes.saturating_add(1).saturating_sub(all.len() as u64);
        rest.take(most).read_to_end(&mut all).map_err(|error| Error::in_file(&self.name, error))?;
        if all.len() as u64 > self.most_bytes {
            let what = format!("{format} must be read as a whole and does not fit in --memory");
            return Err(Error::in_file(self.name, what));
        }
        Ok((self.name, all))
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The file of the same name beside another, with this ending in small or capital letters.
pub(crate) fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    let endings = [ending.into(), ending.to_ascii_uppercase()];
    endings.map(|ending: String| path.with_extension(ending)).into_iter().find(|path| path.exists())
}

/// Fills the buffer. Of an end that comes too early, the library says that it did not.
pub(crate) fn fill(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<()> {
    let told =
        |error: io::Error| if error.kind() == io::ErrorKind::UnexpectedEof { error.kind().into() } else { error };
    bytes.read_exact(buffer).map_err(told)
}

/// Passes over as many bytes.
pub(crate) fn skip(bytes: &mut impl Read, count: u64) -> io::Result<()> {
    let skipped = io::copy(&mut bytes.by_ref().take(count), &mut io::sink())?;
    if skipped == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// How many layers of compression and encoding are removed at most. One is usual.
const MAX_PACKINGS: u32 = 8;

/// Decompresses and decodes until plain bytes remain.
fn unpacked(name: &str, mut bytes: Box<dyn Read + Send>) -> io::Result<Source> {
    let (mut packings, mut encoding) = (0, None);
    loop {
        let mut sample = Vec::new();
        bytes.by_ref().take(SAMPLE as u64).read_to_end(&mut sample)?;
        let packing = Packing::of(&sample);
        packings += u32::from(matches!(packing, Some(Packing::Gzip | Packing::Zstandard)));
        if packings > MAX_PACKINGS {
            return Err(io::Error::other(format!(
                "it is packed more than {MAX_PACKINGS} times, one packing in another"
            )));
        }
        let all = Cursor::new(sample);
        bytes = match packing {
            Some(Packing::Gzip) => Box::new(MultiGzDecoder::new(all.chain(bytes))),
            Some(Packing::Zstandard) => Box::new(Frames::new(all.chain(bytes))),
            Some(Packing::Utf16(of)) => {
                encoding = Some("UTF-16");
                Box::new(DecodeReaderBytesBuilder::new().encoding(Some(of)).build(all.chain(bytes)))
            }
            None => {
                let mut sample = all.into_inner();
                let mark = if sample.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
                sample.drain(..mark);
                return Ok(Source {
                    name: name.into(),
                    sample,
                    rest: bytes,
                    is_packed: packings > 0 || encoding.is_some(),
                    encoding,
                    header: None,
                    has_geometries: false,
                    file: None,
                    path: None,
                    most_bytes: u64::MAX,
                });
            }
        };
    }
}

/// A compression or an encoding that is removed before a file is read.
enum Packing {
    Gzip,
    Zstandard,
    /// Text in UTF-16.
    Utf16(&'static Encoding),
}

impl Packing {
    /// The one of a file that begins with these bytes.
    fn of(beginning: &[u8]) -> Option<Self> {
        match beginning {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            // The latter is a frame with a comment.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstandard),
            // That is UTF-32, which is not read.
            [0xFF, 0xFE, 0, 0, ..] => None,
            [0xFF, 0xFE, ..] => Some(Self::Utf16(UTF_16LE)),
            [0xFE, 0xFF, ..] => Some(Self::Utf16(UTF_16BE)),
            // Some programs write no byte order mark: the first characters are those of ASCII.
            [first, 0, second, 0, ..] if *first > 0 && *second > 0 => Some(Self::Utf16(UTF_16LE)),
            [0, first, 0, second, ..] if *first > 0 && *second > 0 => Some(Self::Utf16(UTF_16BE)),
            _ => None,
        }
    }
}

/// All frames of a zstd file: the library reads only one, and no comments.
struct Frames<R: Read> {
    bytes: BufReader<R>,
    frame: FrameDecoder,
}

impl<R: Read> Frames<R> {
    fn new(bytes: R) -> Self {
        Self { bytes: BufReader::new(bytes), frame: FrameDecoder::new() }
    }

    /// Begins the next frame that is no comment; returns whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.bytes.fill_buf()?.is_empty() {
            self.frame = FrameDecoder::new();
            match self.frame.init(&mut self.bytes) {
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    skip(&mut self.bytes, length.into())?;
                }
                begun => return begun.map(|()| true).map_err(of_frame),
            }
        }
        Ok(false)
    }

    /// Unpacks blocks until so many bytes can be read, or to the end of the frame.
    fn unpack(&mut self, count: usize) -> io::Result<()> {
        while self.frame.can_collect() < count && !self.frame.is_finished() {
            let missing = BlockDecodingStrategy::UptoBytes(count - self.frame.can_collect());
            self.frame.decode_blocks(&mut self.bytes, missing).map_err(of_frame)?;
        }
        Ok(())
    }
}

/// The library words an end that comes too early as programmers do.
fn of_frame(error: FrameDecoderError) -> io::Error {
    let words = error.to_string();
    if words.contains("UnexpectedEof") || words.contains("fill whole buffer") {
        io::ErrorKind::UnexpectedEof.into()
    } else {
        io::Error::other(error)
    }
}

/// Compares the checksum at the end of a frame, if it has one, after its last byte.
fn check_sum(frame: &FrameDecoder) -> io::Result<()> {
    let is_read = frame.is_finished() && frame.can_collect() == 0;
    match frame.get_checksum_from_data().filter(|_| is_read) {
        Some(sum) if frame.get_calculated_checksum() != Some(sum) => {
            Err(io::Error::other("its checksum is wrong: it is damaged"))
        }
        _ => Ok(()),
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.unpack(buffer.len())?;
            let count = self.frame.read(buffer)?;
            check_sum(&self.frame)?;
            if count > 0 || buffer.is_empty() || !self.begin()? {
                return Ok(count);
            }
        }
    }
}
