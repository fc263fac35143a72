//! What is known of a memory: the bytes that are put into it at first, in zones. A zone that nobody
//! writes keeps them.

use crate::link::Memory;

/// Bytes that stand together in a memory at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    /// Its first address.
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

/// The first contents of a memory, as far as they are looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Image {
    /// Apart from each other, in the order of addresses.
    pub(crate) zones: Vec<Zone>,
}

/// How the bytes at an address compare with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Different,
    /// The zone ends before that is decided.
    Open,
}

/// Addresses of one zone at which a text begins, and at which that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// The position of the zone.
    pub(crate) zone: usize,
    /// Ranges of addresses, both ends included.
    pub(crate) equal: Vec<(u64, u64)>,
    pub(crate) open: Vec<(u64, u64)>,
}

/// How many bytes of all zones are looked at; zones beyond are not known.
const MAX_BYTES: u64 = 1 << 20;
/// How many zones are told apart; more are joined.
const MAX_ZONES: usize = 24;
/// Into how many places a text is looked for; more are not told apart.
const MAX_PLACES: usize = 64;

impl Zone {
    /// The address behind it.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// The bytes at an address, if all of them are in the zone.
    pub(crate) fn at(&self, address: u64, width: u64) -> Option<&[u8]> {
        let from = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes
            .get(from..from.checked_add(usize::try_from(width).ok()?)?)
    }

    fn compare(&self, from: usize, text: &[u8], terminated: bool) -> Comparison {
        for (at, expected) in text.iter().chain(terminated.then_some(&0)).enumerate() {
            match self.bytes.get(from + at) {
                Some(byte) if byte == expected => {}
                Some(_) => return Comparison::Different,
                None => return Comparison::Open,
            }
        }
        Comparison::Equal
    }
}

impl Image {
    /// Of a memory at first.
    pub(crate) fn of(memory: &Memory<'_>) -> Image {
        let mut image = Image::default();
        let size = memory.least * 65_536;
        let total: u64 = memory
            .segments
            .iter()
            .map(|(_, bytes)| bytes.len() as u64)
            .sum();
        let fits = |(start, bytes): &(u64, &[u8])| start + bytes.len() as u64 <= size;
        if memory.unknown || total > MAX_BYTES || !memory.segments.iter().all(fits) {
            return image;
        }
        for (start, bytes) in &memory.segments {
            if !bytes.is_empty() {
                image.add(*start, bytes);
            }
        }
        image.terminate(size);
        while image.zones.len() > MAX_ZONES {
            image.join_nearest();
        }
        image
    }

    /// Writes bytes over what is there.
    fn add(&mut self, start: u64, bytes: &[u8]) {
        let end = start + bytes.len() as u64;
        let overlaps = |zone: &Zone| zone.start < end && start < zone.end();
        let (near, mut rest): (Vec<Zone>, Vec<Zone>) = self.zones.drain(..).partition(overlaps);
        let new = Zone {
            start,
            bytes: bytes.to_vec(),
        };
        let first = near.iter().map(|zone| zone.start).chain([start]).min();
        let last = near.iter().map(Zone::end).chain([end]).max();
        let (first, last) = (first.unwrap_or(start), last.unwrap_or(end));
        let mut all = vec![0; usize::try_from(last - first).unwrap_or(0)];
        for zone in near.iter().chain([&new]) {
            let from = usize::try_from(zone.start - first).unwrap_or(0);
            all[from..from + zone.bytes.len()].copy_from_slice(&zone.bytes);
        }
        rest.push(Zone {
            start: first,
            bytes: all,
        });
        rest.sort_by_key(|zone| zone.start);
        self.zones = rest;
    }

    /// Behind a zone there is a zero at first, which ends a text.
    fn terminate(&mut self, size: u64) {
        let starts: Vec<u64> = self.zones.iter().map(|zone| zone.start).collect();
        let behind = starts.into_iter().skip(1).chain([size]);
        for (zone, next) in self.zones.iter_mut().zip(behind) {
            if zone.end() < next {
                zone.bytes.push(0);
            }
        }
    }

    /// Joins the two zones that are nearest to each other.
    fn join_nearest(&mut self) {
        let gap = |at: &usize| self.zones[at + 1].start - self.zones[*at].end();
        let Some(at) = (0..self.zones.len().saturating_sub(1)).min_by_key(gap) else {
            return;
        };
        let next = self.zones.remove(at + 1);
        if self.zones[at].bytes.len() as u64 + gap_of(&self.zones[at], &next) > MAX_BYTES {
            // What is far apart is not known any more.
            return;
        }
        let zone = &mut self.zones[at];
        let length = usize::try_from(next.start - zone.start).unwrap_or(zone.bytes.len());
        zone.bytes.resize(length, 0);
        zone.bytes.extend(next.bytes);
    }

    /// Where a text begins.
    pub(crate) fn places(&self, text: &[u8], terminated: bool) -> Vec<Places> {
        let zones = self.zones.iter().enumerate();
        zones
            .map(|(at, zone)| {
                source::limits::check();
                let mut places = Places {
                    zone: at,
                    equal: Vec::new(),
                    open: Vec::new(),
                };
                for from in 0..zone.bytes.len() {
                    let address = zone.start + from as u64;
                    match zone.compare(from, text, terminated) {
                        Comparison::Equal => extend(&mut places.equal, address),
                        Comparison::Different => {}
                        Comparison::Open => extend(&mut places.open, address),
                    }
                }
                if places.equal.len() > MAX_PLACES {
                    places.equal.clear();
                    places.open = vec![(zone.start, zone.end() - 1)];
                }
                places
            })
            .collect()
    }

    /// The text at an address, for people.
    pub(crate) fn shown(&self, address: u64) -> Option<String> {
        let zone = self
            .zones
            .iter()
            .find(|zone| zone.at(address, 1).is_some())?;
        let from = usize::try_from(address - zone.start).ok()?;
        let rest = &zone.bytes[from..];
        let end = rest
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(rest.len());
        let text = std::str::from_utf8(&rest[..end.min(60)]).ok()?;
        let plain =
            !text.is_empty() && !text.contains(|c: char| c.is_control() || "\"{}".contains(c));
        plain.then(|| text.to_owned())
    }
}

fn gap_of(zone: &Zone, next: &Zone) -> u64 {
    next.start.saturating_sub(zone.end()) + next.bytes.len() as u64
}

/// Adds an address to ranges that are in order.
fn extend(ranges: &mut Vec<(u64, u64)>, address: u64) {
    match ranges.last_mut() {
        Some((_, last)) if *last + 1 == address => *last = address,
        _ => ranges.push((address, address)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(segments: Vec<(u64, &[u8])>) -> Image {
        Image::of(&Memory {
            least: 1,
            most: 1,
            open: false,
            unknown: false,
            segments,
        })
    }

    #[test]
    fn later_segments_are_written_over_earlier_ones() {
        let image = image(vec![(16, b"good"), (16, b"b"), (400, b"x")]);
        assert_eq!(image.zones.len(), 2);
        assert_eq!(image.zones[0].bytes, b"bood\0");
        assert_eq!(image.shown(16).as_deref(), Some("bood"));
        assert_eq!(image.shown(100), None);
    }

    #[test]
    fn texts_are_found_where_they_are() {
        let image = image(vec![(16, b"a/etc/x")]);
        let whole = image.places(b"x", true);
        assert_eq!(whole[0].equal, [(22, 22)]);
        let prefix = image.places(b"/etc/", false);
        assert_eq!(prefix[0].equal, [(17, 17)]);
        // Near the end of the zone it is not known what comes behind it.
        assert_eq!(image.places(b"\0\0", false)[0].open, [(23, 23)]);
    }

    #[test]
    fn segments_behind_the_end_leave_nothing_known() {
        assert!(image(vec![(65_535, b"ab")]).zones.is_empty());
    }
}
