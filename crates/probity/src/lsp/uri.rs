//! Names of documents and names of files (RFC 8089, RFC 3986).

use std::path::{Path, PathBuf};

/// The path that a URI names: of a file, its own; of a document that is none, what stands for a name.
pub(super) fn path_of(uri: &str) -> PathBuf {
    let (scheme, rest) = uri.split_once(':').unwrap_or(("", uri));
    let decoded = decoded(rest);
    if !scheme.eq_ignore_ascii_case("file") {
        return PathBuf::from(decoded.trim_start_matches('/'));
    }
    let path = match decoded.strip_prefix("//") {
        // The machine stands between the slashes; it is this one.
        Some(behind) => &behind[behind.find('/').unwrap_or(behind.len())..],
        None => decoded.as_str(),
    };
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    PathBuf::from(if has_drive { &path[1..] } else { path })
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> String {
    let mut out = String::from("file://");
    let text = path.to_string_lossy();
    if !text.starts_with('/') {
        out.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A text with its escapes replaced; what is no escape stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |index: usize| {
            bytes
                .get(index)
                .and_then(|byte| char::from(*byte).to_digit(16))
        };
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_go_there_and_back() {
        for path in ["/scripts/a b/[\u{e9}]#%.lsl", "/x"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Path::new(path));
        }
        assert_eq!(path_of("file:///c%3A/x.lsl"), Path::new("c:/x.lsl"));
        assert_eq!(path_of("file://localhost/x.lsl"), Path::new("/x.lsl"));
        assert_eq!(path_of("untitled:Untitled-1"), Path::new("Untitled-1"));
        for odd in [
            "",
            ":",
            "file:",
            "file://",
            "file:///%",
            "file:///%f",
            "%\u{e9}",
            "file:%C3",
        ] {
            let _ = path_of(odd);
        }
    }
}
