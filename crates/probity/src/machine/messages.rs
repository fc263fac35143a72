//! Messages of an editor: lines that say how long one is, an empty line, and so many bytes.
//!
//! This is the base protocol of the Language Server Protocol. Whatever a header says, no more memory is
//! taken than there are bytes.

use std::io::{self, BufRead, Read as _};

/// The longest message, in bytes.
const LONGEST: u64 = 1 << 30;
/// The longest line of a header, in bytes.
const LONGEST_LINE: u64 = 1 << 13;

/// The next message; `None` behind the last.
///
/// # Errors
/// If there is no header, or a message ends early or is too long.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err(bad("the header of a message has no end"));
        }
        is_first = false;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            match length {
                Some(length) => return body(input, length).map(Some),
                // Empty lines between messages say nothing.
                None => continue,
            }
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(bad("a line is no header of a message"));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().ok();
            let value = value.filter(|value| *value <= LONGEST);
            length = Some(value.ok_or_else(|| bad("the length of a message is none"))?);
        }
    }
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    match body.len() as u64 == length {
        true => Ok(body),
        false => Err(bad("a message ends early")),
    }
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut all = Vec::new();
        while let Some(message) = next(&mut input)? {
            all.push(message);
        }
        Ok(all)
    }

    #[test]
    fn messages_are_as_long_as_their_header_says() {
        let input = "Content-Length: 2\r\nContent-Type: x\r\n\r\n{}content-length:3\n\n\u{e9}!";
        let messages = all(input.as_bytes()).unwrap();
        assert_eq!(messages, [b"{}".to_vec(), "\u{e9}!".as_bytes().to_vec()]);
        assert_eq!(all(b"").unwrap(), Vec::<Vec<u8>>::new());
        for broken in [
            "Content-Length: 5\r\n\r\n{}",
            "Content-Length: 99999999999999999999\r\n\r\n{}",
            "Content-Length: 1073741825\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n",
            "Content-Length",
            "hello\n",
        ] {
            assert!(all(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(all(&vec![b'x'; 1 << 20]).is_err());
    }
}
