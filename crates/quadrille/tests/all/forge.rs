//! Snapshots made by hand, after the table in the documentation and without the library: a second opinion on the
//! format, and a way past the checksum, for tests of what is behind it.

/// Length of a snapshot without its type and content.
pub(crate) const HEADER: usize = 32;

/// A snapshot of this type with this content.
pub(crate) fn snapshot(kind: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89QDRL\r\n\x1a\x08\0\0\0\0\0\0\0".to_vec();
    bytes.extend((kind.len() as u64).to_le_bytes());
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(kind.as_bytes());
    bytes.extend(content);
    seal(&mut bytes);
    bytes
}

/// Makes the checksum right again.
pub(crate) fn seal(bytes: &mut [u8]) {
    let mut rest = u32::MAX;
    for byte in &bytes[16..] {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            rest = if rest & 1 == 0 { rest >> 1 } else { (rest >> 1) ^ 0xedb8_8320 };
        }
    }
    bytes[12..16].copy_from_slice(&(!rest).to_le_bytes());
}

/// Changes by less than this overwrite four bytes with ones instead: numbers that are none, the greatest ids and
/// lengths.
const OVERWRITES: u8 = 16;

/// The snapshot with its content changed: at each position (modulo its length) the byte becomes another, by addition,
/// or it and the next three become all ones. Sealed.
pub(crate) fn changed(snapshot: &[u8], changes: &[(u16, u8)]) -> Vec<u8> {
    let mut bytes = snapshot.to_vec();
    let content = HEADER + usize::from(bytes[16]);
    let length = bytes.len() - content;
    for &(position, by) in changes.iter().filter(|_| length > 0) {
        let changed = &mut bytes[content + usize::from(position) % length..];
        if by < OVERWRITES {
            changed.iter_mut().take(4).for_each(|byte| *byte = u8::MAX);
        } else {
            changed[0] = changed[0].wrapping_add(by);
        }
    }
    seal(&mut bytes);
    bytes
}
