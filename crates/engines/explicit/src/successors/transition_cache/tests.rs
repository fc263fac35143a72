//! What is remembered is what came out, and what was read decides.

use super::*;
use crate::ir::state_width::with_width;

/// One table, for moves that read and write these bits.
fn one_table(read: &[u64], written: &[u64]) -> TransitionCache {
    let mut transition_cache = TransitionCache::empty(WORDS);
    transition_cache.add(&Touched {
        bits: read.to_vec(),
        read: read.to_vec(),
        written: written.to_vec(),
        outcomes: false,
        wider: false,
        tracking: Tracking::Nothing,
        known: true,
    });
    transition_cache.common = 1;
    transition_cache
}

#[test]
fn what_one_has_learnt_all_know() {
    let mut all = [(); 3].map(|()| one_table(&[0xf, 0xf0], &[0xff, 0]));
    let mut recording = Recording::default();
    let mut seed = 5u64;
    let mut states = Vec::new();
    for round in 0..20 {
        for _ in 0..30 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let state = [seed >> 33 & 0xff, seed >> 41 & 0xff];
            let transition_cache = &mut all[usize::try_from(seed >> 60).unwrap() % 3];
            let view = transition_cache.view(Any(2), 0).unwrap();
            if transition_cache.look_up(view, 0, &state).is_some() {
                continue;
            }
            recording.begin(true);
            for end in 0..state[0] & 3 {
                recording.end(end, &[(state[0] + end) & 0xff, state[1]]);
            }
            let outcome = (state[0] & 3 > 0, state[1] & 0xf0);
            transition_cache.learn(0, &state, outcome, &recording);
            states.push(state);
        }
        if round % 2 == 0 {
            continue;
        }
        TransitionCache::tell_each_other(&mut all.each_mut());
        all.iter_mut().for_each(TransitionCache::take_over);
        for transition_cache in &all {
            for state in &states {
                let view = transition_cache.view(Any(2), 0).unwrap();
                let place = transition_cache
                    .look_up(view, 0, state)
                    .expect("all know it");
                let entry = transition_cache.entry(Any(2), place).unwrap();
                let marks: Vec<u64> = entry.ends().map(|end| end.mark).collect();
                assert!(marks.into_iter().eq(0..state[0] & 3));
                assert_eq!(entry.is_possible, state[0] & 3 > 0);
                assert_eq!(entry.enabled, state[1] & 0xf0);
            }
        }
    }
    // Nothing is learnt twice.
    let keys = states.iter().map(|[a, b]| (a & 0xf, b & 0xf0));
    let keys: std::collections::HashSet<_> = keys.collect();
    for transition_cache in &all {
        assert_eq!(transition_cache.tables[0].entries as usize, keys.len());
    }
}

#[test]
fn what_is_remembered_is_what_came_out() {
    let few = [0xf, 0xf0, 0, 0];
    let many = [0x3, 0x30, 0x3, 0x300];
    let spread = [0xf, 0, 0, 0, 0, 0, 0, 0xf];
    let other = [0, 0xf, 0, 0, 0x3, 0, 0, 0x3];
    let narrow: [[&[u64]; 2]; 4] = [[&few, &few], [&few, &many], [&many, &few], [&many, &many]];
    let wide: [[&[u64]; 2]; 2] = [[&spread, &other], [&spread, &spread]];
    for [read, written] in narrow.into_iter().chain(wide) {
        let words = read.len();
        let mut transition_cache = one_table(read, written);
        let mut recording = Recording::default();
        let mut seed = 5u64;
        let mut hits = 0;
        for _ in 0..20_000 {
            let state: Vec<u64> = std::iter::repeat_with(|| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed >> 32
            })
            .take(words)
            .collect();
            // What comes out depends on what is read, and takes the place of what was there.
            let key = state.iter().zip(read).map(|(word, mask)| word & mask);
            let key = key.fold(0, mix);
            let count = key >> 62;
            let end = |number: u64| {
                let new = mix(key, number);
                let mut end = state.clone();
                for (word, mask) in end.iter_mut().zip(written) {
                    *word = *word & !mask | new & mask;
                }
                end
            };
            let view = transition_cache.view(Any(words), 0).unwrap();
            let Some(place) = transition_cache.look_up(view, 0, &state) else {
                assert!(transition_cache.miss(0));
                recording.begin(true);
                (0..count).for_each(|number| recording.end(number, &end(number)));
                transition_cache.learn(0, &state, (count > 1, key), &recording);
                continue;
            };
            hits += 1;
            let all: Vec<_> = (0..count).map(|number| (number, end(number))).collect();
            // Whether the compiler knows the width or not.
            with_width!(words, width => {
                let view = transition_cache.view(width, 0).unwrap();
                assert_eq!(transition_cache.look_up(view, 0, &state), Some(place));
                let entry = transition_cache.entry(width, place).unwrap();
                assert_eq!((entry.is_possible, entry.enabled), (count > 1, key));
                let told = entry.ends().map(|ended| {
                    let mut to = vec![0; words];
                    ended.write(&state, &mut to);
                    (ended.mark, to)
                });
                assert_eq!(told.collect::<Vec<_>>(), all);
            });
        }
        assert!(hits > 18_000, "there are 256 parts that decide: {hits}");
    }
}

/// Follows indices through sixteen elements of four bits: from one that the first word names to the
/// one that this names, while they are odd, three times at most. Gives the bits that were read.
fn follow(state: [u64; 2]) -> (u64, [u64; 2]) {
    let mut at = state[0] & 0xf;
    let mut read = [0xf, 0];
    for _ in 0..3 {
        read[1] |= 0xf << (4 * at);
        at = state[1] >> (4 * at) & 0xf;
        if at.is_multiple_of(2) {
            break;
        }
    }
    (at, read)
}

#[test]
fn what_is_read_by_an_index_decides() {
    let mut transition_cache = TransitionCache::empty(WORDS);
    transition_cache.add(&Touched {
        bits: vec![0xf, 0],
        read: vec![0xf, 0],
        written: vec![0, 0],
        outcomes: false,
        wider: false,
        tracking: Tracking::Indices,
        known: true,
    });
    let mut seed = 7u64;
    let (mut hits, mut depths) = (0, [0; 4]);
    for _ in 0..40_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let high = seed >> 32;
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Few elements differ, so that the same ones come again.
        let state = [high & 0x1f, 0x0123_4567_89ab_cdef ^ seed >> 40 & 0x1111];
        let (at, read) = follow(state);
        depths[(read[1].count_ones() / 4) as usize] += 1;
        // One element takes the value, and the others stay as they are.
        let element = 0xf << (4 * (state[0] & 0xf));
        let end = [state[0], state[1] & !element | (element / 0xf * at)];
        let view = transition_cache.view(Any(2), 0).unwrap();
        let Some(place) = transition_cache.look_up(view, 0, &state) else {
            let mut recording = Recording::default();
            recording.begin(true);
            recording.end(at, &end);
            recording.touched = read.to_vec();
            recording.written = vec![0, element];
            transition_cache.learn(0, &state, (true, at), &recording);
            let view = transition_cache.view(Any(2), 0).unwrap();
            assert!(transition_cache.look_up(view, 0, &state).is_some());
            continue;
        };
        hits += 1;
        let entry = transition_cache.entry(Any(2), place).unwrap();
        assert_eq!(entry.enabled, at, "in {state:x?}");
        let mut told = [0; 2];
        entry
            .ends()
            .for_each(|ended| ended.write(&state, &mut told));
        assert_eq!(told, end, "in {state:x?}");
        // What agrees with the bits of the place that was found has the same end.
        let view = transition_cache.view_at(Any(2), place).unwrap();
        let other = [state[0] ^ 0x10, state[1] ^ 0x1111 & !read[1]];
        if view.agree(&state, &other) {
            assert_eq!(follow(other).0, at);
        }
    }
    assert!(hits > 35_000, "{hits}");
    assert!(depths[1..].iter().all(|&count| count > 1_000), "{depths:?}");
}
