//! Files on a disk in memory, sorted states, and their like in a slow and obvious way.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex};

use model::Budget;

use super::candidates::{Candidates, Sizes};
use super::files::{Disk, DiskFile, Room};
use super::merge::{Known, Merge, Runs};
use super::sorted::{Coding, Reader, Sorted, Writer};

/// A disk in memory, with room for so many bytes in each file.
#[derive(Debug)]
struct InMemory(usize);

#[derive(Debug)]
struct Bytes(Mutex<Vec<u8>>, usize);

impl Disk for InMemory {
    fn file(&self) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(Bytes(Mutex::default(), self.0)))
    }
}

impl DiskFile for Bytes {
    fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        let mut all = self.0.lock().unwrap();
        let place = usize::try_from(place).unwrap();
        let end = place + bytes.len();
        if end > self.1 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let length = all.len().max(end);
        all.resize(length, 0);
        all[place..end].copy_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        let all = self.0.lock().unwrap();
        let place = usize::try_from(place).unwrap();
        let there = all.get(place..place + bytes.len());
        bytes.copy_from_slice(there.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

fn states(random: &mut fastrand::Rng, bits: &[u32], count: usize) -> BTreeSet<Vec<u64>> {
    let mut state = || {
        let words = bits.iter().map(|bits| {
            let word = random.u64(..) >> (64 - bits);
            if random.bool() { word } else { word & 3 }
        });
        words.collect()
    };
    (0..count).map(|_| state()).collect()
}

fn written(coding: &Arc<Coding>, states: &BTreeSet<Vec<u64>>, room: &Room<'_>) -> Arc<Sorted> {
    let mut writer = Writer::new(coding, &room.pile().unwrap());
    for state in states {
        writer.push(state).unwrap();
    }
    Arc::new(writer.end().unwrap())
}

const SHAPES: [&[u32]; 6] = [&[5], &[64], &[13, 64], &[64, 1, 33], &[8; 9], &[40; 40]];

#[test]
fn what_is_written_is_read_and_found() {
    let budget = Budget::default();
    let disk = InMemory(1 << 24);
    let room = Room::new(&disk, &budget);
    let mut random = fastrand::Rng::with_seed(1);
    for bits in SHAPES {
        for (block, count) in [(1, 50), (100, 1), (100, 0), (200, 700), (1 << 15, 3000)] {
            let coding = Coding::of_bits(bits, block);
            let mut there = states(&mut random, bits, count);
            there.insert(vec![0; bits.len()]);
            let file = written(&coding, &there, &room);
            assert_eq!(file.len(), there.len() as u64);
            let mut reader = Reader::new(Arc::clone(&file)).unwrap();
            for state in &there {
                assert_eq!(reader.state(), Some(&**state));
                reader.advance().unwrap();
            }
            assert_eq!(reader.state(), None);
            let (mut bytes, mut block_states, mut all) = (Vec::new(), Vec::new(), Vec::new());
            for block in 0..file.blocks() {
                file.read(block, &mut bytes, &mut block_states).unwrap();
                all.extend_from_slice(&block_states);
            }
            let flat: Vec<u64> = there.iter().flatten().copied().collect();
            assert_eq!(all, flat);
            // Some of those that are there, and some that are not.
            let mut asked = states(&mut random, bits, 40);
            asked.extend(there.iter().filter(|_| random.u8(..) < 20).cloned());
            let mut reader = Reader::new(file).unwrap();
            for state in asked {
                assert_eq!(reader.seek(&state).unwrap(), there.contains(&state));
            }
        }
    }
}

#[test]
fn few_blocks_are_read_to_find_little() {
    #[derive(Debug)]
    struct Counting(InMemory, Arc<Mutex<usize>>);
    #[derive(Debug)]
    struct Counted(Box<dyn DiskFile>, Arc<Mutex<usize>>);
    impl Disk for Counting {
        fn file(&self) -> io::Result<Box<dyn DiskFile>> {
            Ok(Box::new(Counted(self.0.file()?, Arc::clone(&self.1))))
        }
    }
    impl DiskFile for Counted {
        fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
            self.0.write_at(bytes, place)
        }
        fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
            *self.1.lock().unwrap() += 1;
            self.0.read_at(bytes, place)
        }
    }
    let budget = Budget::default();
    let reads = Arc::new(Mutex::new(0));
    let disk = Counting(InMemory(1 << 24), Arc::clone(&reads));
    let room = Room::new(&disk, &budget);
    let coding = Coding::of_bits(&[64], 64);
    let all: BTreeSet<Vec<u64>> = (0..100_000).map(|number| vec![number * 7]).collect();
    let file = written(&coding, &all, &room);
    assert!(file.blocks() > 1000);
    let mut reader = Reader::new(file).unwrap();
    for number in [5, 7 * 30_000, 7 * 30_001, 7 * 90_000 + 1] {
        assert_eq!(reader.seek(&[number]).unwrap(), number % 7 == 0);
    }
    assert!(*reads.lock().unwrap() <= 6);
}

#[test]
fn what_is_collected_comes_out_in_order_and_once() {
    let budget = Budget::default();
    let disk = InMemory(1 << 24);
    let room = Room::new(&disk, &budget);
    let mut random = fastrand::Rng::with_seed(2);
    for bits in SHAPES {
        for (most, recent, count) in [(1, 0, 6000), (4, 100, 2000), (64, 1 << 12, 2000)] {
            let coding = Coding::of_bits(bits, 64);
            let sizes = Sizes {
                states: most,
                recent,
            };
            let mut candidates = Candidates::new(&coding, sizes);
            let mut known = Runs::by_states();
            let mut all: BTreeSet<Vec<u64>> = BTreeSet::new();
            for _ in 0..5 {
                let pool: Vec<Vec<u64>> = states(&mut random, bits, 100).into_iter().collect();
                let mut expected = BTreeSet::new();
                for _ in 0..count {
                    let state = &pool[random.usize(..pool.len())];
                    candidates.push_written(state.len(), |to| to.copy_from_slice(state));
                    if candidates.is_full() {
                        candidates.make_room(&room).unwrap();
                    }
                    if !all.contains(state) {
                        expected.insert(state.clone());
                    }
                }
                let mut writer = Writer::new(&coding, &room.pile().unwrap());
                let mut lookup = Known::new(&known).unwrap();
                let merge = Merge::new(candidates.sources().unwrap());
                let mut found = Vec::new();
                let each = merge.each(&room, |state| {
                    if !lookup.has(state)? {
                        writer.push(state)?;
                        found.push(state.to_vec());
                    }
                    Ok(())
                });
                each.unwrap();
                assert!(found.iter().eq(expected.iter()));
                candidates.clear();
                known.add(Arc::new(writer.end().unwrap()), &room).unwrap();
                all.extend(expected);
            }
            assert!(most > 1 || bits == [5] || candidates.written() > 64);
            assert_eq!(
                known.files().map(|file| file.len()).sum::<u64>(),
                all.len() as u64
            );
        }
    }
}

#[test]
fn a_file_that_was_changed_is_noticed() {
    let budget = Budget::default();
    let disk = InMemory(1 << 20);
    let room = Room::new(&disk, &budget);
    let pile = room.pile().unwrap();
    let coding = Coding::of_bits(&[20, 20], 1 << 10);
    let mut writer = Writer::new(&coding, &pile);
    for number in 0..100 {
        writer.push(&[number / 10, number % 10]).unwrap();
    }
    let file = Arc::new(writer.end().unwrap());
    let mut bytes = vec![0; 30];
    pile.read(&mut bytes, 0).unwrap();
    bytes[17] ^= 1;
    // Over what is there already.
    pile.overwrite(&bytes, 0).unwrap();
    let error = Reader::new(file).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}
