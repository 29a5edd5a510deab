//! Bytes of files as text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Text in UTF-8, else in Windows-1252, in which all bytes mean something; and whether it was the latter.
pub(crate) fn decoded(bytes: Cow<'_, [u8]>) -> (Cow<'_, str>, bool) {
    match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => (text.into(), false),
            Err(_) => (WINDOWS_1252.decode_without_bom_handling(bytes).0, true),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => (text.into(), false),
            Err(error) => (WINDOWS_1252.decode_without_bom_handling(error.as_bytes()).0.into_owned().into(), true),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_old_files_are_decoded() {
        for (bytes, text, is_old) in
            [(&b"M\xfcnchen"[..], "München", true), ("München".as_bytes(), "München", false), (b"\x80 5", "€ 5", true)]
        {
            assert_eq!(decoded(bytes.into()), (text.into(), is_old));
            assert_eq!(decoded(bytes.to_vec().into()), (text.into(), is_old));
        }
    }
}
