//! The store against a map.

use std::collections::{HashMap, HashSet};

use super::*;

/// States of three halves, many of them twice.
fn states(seed: u64, count: usize) -> Vec<[u64; 2]> {
    let mut seed = seed;
    let mut states = Vec::new();
    for _ in 0..count {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let low = (seed >> 33) % 400;
        states.push([low | (low & 1) << 40, (seed >> 45) % 300]);
    }
    states
}

#[test]
fn one_worker_numbers_states_in_the_order_of_discovery() {
    let (store, mut workers) = Store::new(&Shape::halves(3), Storage::Plain, 1);
    let states = states(1, 150_000);
    let mut answers = Vec::new();
    let flat: Vec<u64> = states.iter().flatten().copied().collect();
    for part in flat.chunks(2 * 777) {
        store
            .insert_all(&mut workers[0], part, &mut answers)
            .unwrap();
    }
    let mut map: HashMap<[u64; 2], u32> = HashMap::new();
    for (state, answer) in states.iter().zip(&answers) {
        let next = u32::try_from(map.len()).unwrap();
        let known = map.contains_key(state);
        let id = *map.entry(*state).or_insert(next);
        assert_eq!((answer.id, answer.new), (StateId(id), !known));
    }
    assert_eq!(store.len() as usize, map.len());
    assert!(map.len() > 50_000, "the index has grown: {}", map.len());
    let all = 0..store.len();
    assert_eq!(workers[0].take_fresh(), std::slice::from_ref(&all));
    for (state, id) in map {
        let mut back = [0; 2];
        store.read(StateId(id), &mut back);
        assert_eq!(back, state);
    }
}

#[test]
fn several_workers_agree_with_a_map() {
    for (storage, threads) in [Storage::Plain, Storage::Compressed, Storage::Auto]
        .into_iter()
        .flat_map(|storage| [2, 4].map(|threads| (storage, threads)))
    {
        let (store, mut workers) = Store::new(&Shape::halves(3), storage, threads);
        store.prepare_for(threads);
        if storage == Storage::Auto {
            store.set_limit(1 << 21);
        }
        let news: Vec<Vec<(u32, [u64; 2])>> = std::thread::scope(|scope| {
            let running: Vec<_> = (1..)
                .zip(&mut workers)
                .map(|(number, worker)| {
                    let store = &store;
                    scope.spawn(move || {
                        let mine = states(number % 3, 60_000);
                        let mut news = Vec::new();
                        let mut answers = Vec::new();
                        for part in mine.chunks(97) {
                            answers.clear();
                            let flat: Vec<u64> = part.iter().flatten().copied().collect();
                            store.insert_all(worker, &flat, &mut answers).unwrap();
                            for (state, answer) in part.iter().zip(&answers) {
                                let mut back = [0; 2];
                                store.read(answer.id, &mut back);
                                assert_eq!(back, *state);
                                if answer.new {
                                    news.push((answer.id.0, *state));
                                }
                            }
                        }
                        news
                    })
                })
                .collect();
            running.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let expected: HashSet<[u64; 2]> = (0..3.min(threads as u64))
            .flat_map(|seed| states((seed + 1) % 3, 60_000))
            .collect();
        let found: HashMap<[u64; 2], u32> = news
            .iter()
            .flatten()
            .map(|&(id, state)| (state, id))
            .collect();
        assert_eq!(found.len(), expected.len());
        assert_eq!(store.storage() == Storage::Plain, storage == Storage::Plain);
        assert_eq!(news.iter().map(Vec::len).sum::<usize>(), expected.len());
        assert_eq!(store.len() as usize, expected.len());
        for (news, worker) in news.iter().zip(&mut workers) {
            let fresh: Vec<u32> = worker.take_fresh().into_iter().flatten().collect();
            let ids: Vec<u32> = news.iter().map(|(id, _)| *id).collect();
            assert_eq!(fresh, ids);
        }
    }
}

#[test]
fn of_several_workers_with_the_same_states_one_adds_each() {
    let states = states(11, 3_000);
    let different: HashSet<&[u64; 2]> = states.iter().collect();
    // What is looked up together is looked up by one in order, by the other the other way round.
    let turned = states.chunks(BATCH).flat_map(|part| part.iter().rev());
    let orders = [
        states.as_flattened().to_vec(),
        turned.copied().flatten().collect(),
    ];
    for _ in 0..500 {
        let (store, mut workers) = Store::new(&Shape::halves(3), Storage::Plain, 2);
        store.prepare_for(2);
        let begin = std::sync::Barrier::new(2);
        let new = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for (worker, states) in workers.iter_mut().zip(&orders) {
                let (store, begin, new) = (&store, &begin, &new);
                scope.spawn(move || {
                    let mut answers = Vec::new();
                    begin.wait();
                    store.insert_all(worker, states, &mut answers).unwrap();
                    let mine = answers.iter().map(|answer| u32::from(answer.new)).sum();
                    new.fetch_add(mine, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(new.into_inner() as usize, different.len());
        assert_eq!(store.len() as usize, different.len());
    }
}

#[test]
fn a_limit_is_kept_and_what_is_there_stays() {
    let (store, mut workers) = Store::new(&Shape::halves(3), Storage::Plain, 1);
    store.set_limit(1 << 20);
    let mut answers = Vec::new();
    let flat: Vec<u64> = (0..200_000u64).flat_map(|n| [n, n % 7]).collect();
    let full = store.insert_all(&mut workers[0], &flat, &mut answers);
    assert_eq!(full, Err(Full));
    assert_eq!(answers.len(), store.len() as usize);
    assert!(store.bytes() <= 1 << 20);
    assert!(
        u64::from(store.len()) * 24 > 1 << 20,
        "most of it is used: {}",
        store.len()
    );
    let known = flat[..2 * answers.len()].to_vec();
    answers.clear();
    store
        .insert_all(&mut workers[0], &known, &mut answers)
        .unwrap();
    assert!(answers.iter().all(|answer| !answer.new));
}

#[test]
fn all_kinds_of_storage_find_the_same_states() {
    let mut counts = Vec::new();
    for storage in [
        Storage::Plain,
        Storage::Compressed,
        Storage::HashCompact,
        Storage::Bitstate,
    ] {
        let (store, mut workers) = Store::new(&Shape::halves(3), storage, 1);
        let states = states(5, 100_000);
        let flat: Vec<u64> = states.iter().flatten().copied().collect();
        let mut answers = Vec::new();
        store
            .insert_all(&mut workers[0], &flat, &mut answers)
            .unwrap();
        assert_eq!(store.storage(), storage);
        for (state, answer) in states.iter().zip(&answers) {
            if answer.new || storage != Storage::Bitstate {
                assert!(store.may_be(answer.id, state));
            }
        }
        assert_eq!(store.omitted() > 0.0, !store.is_exact());
        counts.push(store.len());
    }
    assert_eq!(
        counts, [counts[0]; 4],
        "nothing is lost where there is so much room"
    );
}

#[test]
fn states_of_any_width_are_compressed_through_growth() {
    for halves in [1, 2, 5, 8, 17, 40] {
        let (store, mut workers) = Store::new(&Shape::halves(halves), Storage::Compressed, 1);
        let words = halves.div_ceil(2);
        let mut flat = Vec::new();
        let mut seed = 1u64;
        for _ in 0..10_000 {
            for word in 0..words {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let low = (seed >> 40) % 9;
                let both = low | ((seed >> 45) % 5) << 50;
                let is_half = word + 1 == words && halves % 2 == 1;
                flat.push(if is_half { low } else { both });
            }
        }
        let mut answers = Vec::new();
        store
            .insert_all(&mut workers[0], &flat, &mut answers)
            .unwrap();
        let expected: HashSet<&[u64]> = flat.chunks(words).collect();
        assert_eq!(store.len() as usize, expected.len(), "{halves} halves");
        let mut back = vec![0; words];
        for (state, answer) in flat.chunks(words).zip(&answers) {
            store.read(answer.id, &mut back);
            assert_eq!(back, state);
        }
    }
}

#[test]
fn tight_memory_makes_states_smaller_and_states_that_cannot_be_are_left() {
    for compressible in [true, false] {
        let (store, mut workers) = Store::new(&Shape::halves(8), Storage::Auto, 1);
        store.set_limit(6 << 20);
        let mut flat = Vec::new();
        for n in 0..400_000u64 {
            let noise = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            flat.extend(if compressible {
                [n % 100, n / 100 % 100, n / 10_000, 7]
            } else {
                [noise, noise.rotate_left(20) ^ n, !noise, n]
            });
        }
        let mut answers = Vec::new();
        let done = store.insert_all(&mut workers[0], &flat, &mut answers);
        assert_eq!(done.is_ok(), compressible);
        assert_eq!(store.storage() == Storage::Compressed, compressible);
        assert!(answers.iter().all(|answer| answer.new));
        assert!(store.bytes() <= 6 << 20);
        for answer in answers.iter().step_by(1001) {
            let mut back = [0; 4];
            store.read(answer.id, &mut back);
            assert_eq!(back, flat[answer.id.0 as usize * 4..][..4]);
        }
    }
}

#[test]
fn what_is_not_written_is_not_found_when_the_index_has_grown() {
    let (store, mut workers) = Store::new(&Shape::halves(2), Storage::Plain, 2);
    let mut answers = Vec::new();
    // The second worker has rows that it has not written.
    store
        .insert_all(&mut workers[1], &[u64::MAX], &mut answers)
        .unwrap();
    let many: Vec<u64> = (1..50_000).collect();
    store
        .insert_all(&mut workers[0], &many, &mut answers)
        .unwrap();
    answers.clear();
    store
        .insert_all(&mut workers[0], &[0], &mut answers)
        .unwrap();
    assert!(answers[0].new);
    assert_eq!(store.len(), 50_001);
}

#[test]
fn a_worker_that_leaves_takes_no_row_with_it_and_leaves_none_twice() {
    // As many states as fill runs to the last row, and a few more or less.
    for filled in [15, 16, 17, 32] {
        let (store, mut workers) = Store::new(&Shape::halves(2), Storage::Plain, 2);
        let mut answers = Vec::new();
        let second = workers.pop().unwrap();
        let mut first = workers.pop().unwrap();
        let states: Vec<u64> = (0..filled).collect();
        store.insert_all(&mut first, &states, &mut answers).unwrap();
        store.give_back(first);
        let mut second = second;
        let more: Vec<u64> = (filled..200).collect();
        store.insert_all(&mut second, &more, &mut answers).unwrap();
        let ids: HashSet<u32> = answers.iter().map(|answer| answer.id.0).collect();
        assert_eq!(ids.len(), 200, "{filled} states before");
        assert_eq!(store.len(), 200);
        for (state, answer) in (0..).zip(&answers) {
            let mut back = [0];
            store.read(answer.id, &mut back);
            assert_eq!(back, [state]);
        }
    }
}

/// Turns pairs of a number and its remainder into one word each.
fn in_one(pair: &[u64], one: &mut [u64]) {
    one[0] = pair[0] | pair[1] << 32;
}

#[test]
fn states_that_are_turned_keep_their_numbers() {
    for storage in [Storage::Plain, Storage::Compressed] {
        let (mut store, mut workers) = Store::new(&Shape::halves(4), storage, 2);
        let pairs: Vec<u64> = (0..50_000u64).flat_map(|n| [n, n % 7]).collect();
        let mut answers = Vec::new();
        // Both workers leave rows that they have not written.
        let (few, many) = pairs.split_at(2 * 77);
        for (worker, part) in workers.iter_mut().zip([few, many]) {
            store.insert_all(worker, part, &mut answers).unwrap();
        }
        let plain = store.bytes();
        store.turn(&Shape::halves(2), &mut workers, in_one).unwrap();
        assert_eq!(store.words(), 1);
        assert_eq!(store.storage(), storage);
        assert!(storage == Storage::Compressed || store.bytes() < plain);
        let turned: Vec<u64> = (0..50_000u64).map(|n| n | (n % 7) << 32).collect();
        for (state, answer) in turned.iter().zip(&answers) {
            let mut back = [0];
            store.read(answer.id, &mut back);
            assert_eq!(back, [*state]);
        }
        let mut all = Vec::new();
        store.for_each(|state| all.push(state[0]));
        all.sort_unstable();
        let mut sorted = turned.clone();
        sorted.sort_unstable();
        assert_eq!(all, sorted);
        let mut again = Vec::new();
        store
            .insert_all(&mut workers[0], &turned, &mut again)
            .unwrap();
        assert!(
            again
                .iter()
                .zip(&answers)
                .all(|(a, b)| a.id == b.id && !a.new)
        );
        again.clear();
        store
            .insert_all(&mut workers[1], &[7 << 32], &mut again)
            .unwrap();
        assert!(again[0].new);
        assert_eq!(store.len(), 50_001);
    }
}

#[test]
fn states_are_compressed_before_they_are_turned_where_both_do_not_fit() {
    for compressible in [true, false] {
        let (mut store, mut workers) = Store::new(&Shape::halves(8), Storage::Auto, 1);
        let flat: Vec<u64> = (0..40_000u64)
            .flat_map(|n| {
                let noise = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                match compressible {
                    true => [n % 100, n / 100 % 100, n / 10_000, 7],
                    false => [noise, noise.rotate_left(20) ^ n, !noise, n],
                }
            })
            .collect();
        let mut answers = Vec::new();
        store
            .insert_all(&mut workers[0], &flat, &mut answers)
            .unwrap();
        store.set_limit(store.bytes() * 3 / 2);
        let turned = store.turn(&Shape::halves(7), &mut workers, |from, to| {
            to.copy_from_slice(from);
            to[3] &= u64::from(u32::MAX);
        });
        assert_eq!(turned.is_ok(), compressible);
        assert_eq!(store.storage() == Storage::Compressed, compressible);
        for (state, answer) in flat.chunks(4).zip(&answers) {
            let mut back = [0; 4];
            store.read(answer.id, &mut back);
            assert_eq!(back, state);
        }
    }
}
