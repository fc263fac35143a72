//! Results of operations, remembered as long as their place is not needed for others.

use super::Edge;

/// Which operation; never 0, so that an empty entry answers nothing.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    And = 1,
    Xor = 2,
    Exists = 3,
    AndExists = 4,
    Shift = 5,
    Restrict = 6,
}

/// Bits that are left for an edge beside the operation.
pub(super) const EDGE_BITS: u32 = 29;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: [u32; 3],
    result: u32,
}

/// A direct-mapped table.
pub(super) struct Cache {
    entries: Vec<Entry>,
}

impl Cache {
    pub(super) fn new(bits: u32) -> Cache {
        Cache {
            entries: vec![Entry::default(); 1 << bits],
        }
    }

    fn key(operation: Operation, f: Edge, g: Edge, h: Edge) -> [u32; 3] {
        [f.0 | (operation as u32) << EDGE_BITS, g.0, h.0]
    }

    fn slot(&self, key: [u32; 3]) -> usize {
        let mixed = (u64::from(key[0]) << 32 | u64::from(key[1]))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(key[2]))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 32) as usize & (self.entries.len() - 1)
    }

    pub(super) fn get(&self, operation: Operation, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        let key = Self::key(operation, f, g, h);
        let entry = &self.entries[self.slot(key)];
        (entry.key == key).then_some(Edge(entry.result))
    }

    pub(super) fn put(&mut self, operation: Operation, f: Edge, g: Edge, h: Edge, result: Edge) {
        let key = Self::key(operation, f, g, h);
        let slot = self.slot(key);
        self.entries[slot] = Entry {
            key,
            result: result.0,
        };
    }

    /// Forgets what is about nodes that are gone.
    pub(super) fn retain(&mut self, live: &[bool]) {
        let mask = (1u32 << EDGE_BITS) - 1;
        for entry in &mut self.entries {
            let is_live = |edge: u32| live[(edge >> 1) as usize];
            let key = entry.key;
            if key[0] >> EDGE_BITS != 0
                && !(is_live(key[0] & mask)
                    && is_live(key[1])
                    && is_live(key[2])
                    && is_live(entry.result))
            {
                *entry = Entry::default();
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Makes room for more; keeps what is there.
    pub(super) fn grow(&mut self, entries: usize) {
        if entries <= self.entries.len() {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); entries]);
        for entry in old {
            if entry.key[0] >> EDGE_BITS != 0 {
                let slot = self.slot(entry.key);
                self.entries[slot] = entry;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}
