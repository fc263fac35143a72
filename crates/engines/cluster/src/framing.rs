//! Where timely's messages begin and end in the bytes of a connection.
//!
//! A message is a header of six numbers of eight bytes, the highest byte first, of which the fifth says how many bytes
//! follow. A process that ends its connection in order sends a header of a message without bytes last.

/// Bytes of a header.
const HEADER: usize = 48;
/// Where in a header the length of its message is.
const LENGTH: usize = 32;

/// What has been read of a connection.
#[derive(Debug)]
pub(crate) struct Framing {
    header: [u8; HEADER],
    /// Bytes of the header that have come.
    have: usize,
    /// Bytes of the message that are still to come.
    rest: u64,
    is_over: bool,
}

impl Framing {
    /// Nothing has been read.
    pub(crate) fn new() -> Framing {
        Framing {
            header: [0; HEADER],
            have: 0,
            rest: 0,
            is_over: false,
        }
    }

    /// Whether the last message has come.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes what has been read. Says whether nothing of it is behind the last message.
    #[must_use]
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            if self.is_over {
                return false;
            }
            if self.rest > 0 {
                let count =
                    usize::try_from(self.rest).map_or(bytes.len(), |it| it.min(bytes.len()));
                self.rest -= count as u64;
                bytes = &bytes[count..];
                continue;
            }
            let count = bytes.len().min(HEADER - self.have);
            let (now, later) = bytes.split_at(count);
            self.header[self.have..][..count].copy_from_slice(now);
            self.have += count;
            bytes = later;
            if self.have == HEADER {
                let mut length = [0; 8];
                length.copy_from_slice(&self.header[LENGTH..][..8]);
                self.rest = u64::from_be_bytes(length);
                self.is_over = self.rest == 0;
                self.have = 0;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use timely::communication::networking::MessageHeader;

    use super::*;

    /// A message of so many bytes, all of them zero.
    fn message(length: usize) -> Vec<u8> {
        let header = MessageHeader {
            channel: 1,
            source: 2,
            target_lower: 3,
            target_upper: 4,
            length,
            seqno: 5,
        };
        let mut bytes = Vec::new();
        assert!(header.write_to(&mut bytes).is_ok());
        bytes.resize(bytes.len() + length, 0);
        bytes
    }

    #[test]
    fn a_connection_is_over_behind_a_message_without_bytes_only() {
        let bytes = [message(300), message(1), message(96), message(0)].concat();
        for piece in [1, 7, 48, 1000] {
            let mut framing = Framing::new();
            let mut read = 0;
            for part in bytes.chunks(piece) {
                assert!(!framing.is_over(), "{read} of {}", bytes.len());
                assert!(framing.take(part));
                read += part.len();
            }
            assert!(framing.is_over());
            assert!(framing.take(&[]));
            assert!(!framing.take(&[0]));
        }
    }
}
