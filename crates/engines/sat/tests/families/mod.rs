//! Families of circuits of any size, with a bad that cannot be reached unless `broken`.

use circuit::{Circuit, Lit, Reset, Word};
use sat::predicates::{Number, Predicate, comparisons};
use sat::{Options, Tuning};

/// Something that must not be reached.
pub(crate) struct Case {
    /// The circuit.
    pub(crate) circuit: Circuit,
    /// What must not be reached.
    pub(crate) bad: Lit,
    /// The numbers in it of which an invariant should speak.
    pub(crate) numbers: Vec<Number>,
    /// What the property compares.
    pub(crate) compared: Vec<Predicate>,
}

fn case(circuit: Circuit, bad: Lit) -> Case {
    Case {
        circuit,
        bad,
        numbers: Vec::new(),
        compared: Vec::new(),
    }
}

impl Case {
    /// How to look for a proof: with comparisons of its numbers, if there are any.
    pub(crate) fn options(&mut self) -> (Options, Vec<Predicate>) {
        // All comparisons of many numbers are too many; those of the property come along.
        let few = self.numbers.len() <= 4;
        let numbers = if few { &self.numbers[..] } else { &[] };
        let mut predicates = comparisons(&mut self.circuit, numbers, true);
        predicates.extend(self.compared.iter().cloned());
        let options = Options {
            predicates: predicates.iter().map(|predicate| predicate.lit).collect(),
            data: self
                .numbers
                .iter()
                .flat_map(|n| n.word.bits().to_vec())
                .collect(),
            first_depth: 0,
            induction_depth: 0,
            tuning: Tuning::subset(u64::MAX),
            ..Options::default()
        };
        (options, predicates)
    }
}

fn named(numbers: &[(&str, &Word)]) -> Vec<Number> {
    let numbers = numbers.iter();
    numbers
        .map(|(name, word)| Number {
            name: (*name).to_owned(),
            word: (*word).clone(),
        })
        .collect()
}

fn register(circuit: &mut Circuit, name: &str, width: usize) -> Word {
    let bits = (0..width).map(|bit| circuit.latch(format!("{name}.{bit}"), Reset::Zero));
    Word::new(bits.collect(), false)
}

fn choice(circuit: &mut Circuit, name: &str, width: usize) -> Word {
    let bits = (0..width).map(|bit| circuit.input(format!("{name}.{bit}")));
    Word::new(bits.collect(), false)
}

fn set(circuit: &mut Circuit, register: &Word, next: &Word) {
    let next = next.low(register.width());
    for (&bit, next) in register.bits().iter().zip(next) {
        circuit.set_next(bit, next);
    }
}

/// A counter that goes round at three quarters of its range, and when told to; one value beyond
/// is bad.
pub(crate) fn counter(width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let reset = circuit.input("reset");
    let count = register(&mut circuit, "count", width);
    let limit = 3i128 << (width - 2);
    let aig = &mut circuit.aig;
    let last = aig.eq(&count, &Word::constant(limit));
    let back = aig.or(reset, last);
    let more = aig.add(&count, &Word::constant(1));
    let next = aig.mux_word(back, &Word::constant(0), &more);
    let beyond = if broken { 30 } else { limit + 5 };
    let bad = aig.eq(&count, &Word::constant(beyond));
    set(&mut circuit, &count, &next);
    case(circuit, bad)
}

/// Stations in a ring; the token is held or on its way to the next one. Two stations working is
/// bad.
pub(crate) fn token_ring(stations: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let mut held = Vec::new();
    let mut sent = Vec::new();
    let mut works = Vec::new();
    for n in 0..stations {
        let reset = if n == 0 { Reset::One } else { Reset::Zero };
        held.push(circuit.latch(format!("held{n}"), reset));
        sent.push(circuit.latch(format!("sent{n}"), Reset::Zero));
        works.push(circuit.latch(format!("works{n}"), Reset::Zero));
    }
    let mut choices = |what: &str| -> Vec<Lit> {
        let each = (0..stations).map(|n| circuit.input(format!("{what}{n}")));
        each.collect()
    };
    let (pass, take, want) = (choices("pass"), choices("take"), choices("want"));
    for n in 0..stations {
        let (before, after) = ((n + stations - 1) % stations, (n + 1) % stations);
        let aig = &mut circuit.aig;
        let taken = aig.and(sent[before], take[n]);
        // Broken: the last station goes on working when its token is gone.
        let careless = broken && n + 1 == stations;
        let idle = if careless { Lit::TRUE } else { !works[n] };
        let passing = aig.all(&[held[n], pass[n], idle]);
        let keeps = aig.and(held[n], !passing);
        let next_held = aig.or(keeps, taken);
        let may = if careless {
            aig.or(keeps, works[n])
        } else {
            keeps
        };
        let next_works = aig.and(may, want[n]);
        let stays = aig.and(sent[n], !take[after]);
        let next_sent = aig.or(stays, passing);
        circuit.set_next(held[n], next_held);
        circuit.set_next(works[n], next_works);
        circuit.set_next(sent[n], next_sent);
    }
    let bad = !circuit.aig.at_most_one(&works);
    case(circuit, bad)
}

/// A ring buffer that knows its head and its length, against a reference with a head and a tail
/// that each go round twice; that the oldest entries differ, or who is empty or full, is bad.
/// `entries` is a power of two.
pub(crate) fn fifo(entries: usize, width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let place = entries.trailing_zeros() as usize;
    let (push, pop) = (circuit.input("push"), circuit.input("pop"));
    let data = choice(&mut circuit, "data", width);
    let mut memory = |name: &str| -> Vec<Word> {
        let words = (0..entries).map(|n| register(&mut circuit, &format!("{name}{n}"), width));
        words.collect()
    };
    let (own, reference) = (memory("own"), memory("reference"));
    let head = register(&mut circuit, "head", place);
    let count = register(&mut circuit, "count", place + 1);
    let read = register(&mut circuit, "read", place + 1);
    let write = register(&mut circuit, "write", place + 1);
    let aig = &mut circuit.aig;
    let one = Word::constant(1);
    let step = |aig: &mut circuit::Aig, at: &Word, moves: Lit| {
        let more = aig.add(at, &one).wrapped(at.width(), false);
        aig.mux_word(moves, &more, at)
    };
    let put = |aig: &mut circuit::Aig, memory: &[Word], at: &Word, moves: Lit| -> Vec<Word> {
        let here = aig.decoded(at, entries);
        let words = memory.iter().zip(here);
        words
            .map(|(word, here)| {
                let here = aig.and(here, moves);
                aig.mux_word(here, &data, word)
            })
            .collect()
    };
    let get = |aig: &mut circuit::Aig, memory: &[Word], at: &Word| {
        let here = aig.decoded(at, entries);
        let mut found = Word::constant(0);
        for (word, here) in memory.iter().zip(here) {
            found = aig.mux_word(here, word, &found);
        }
        found
    };
    // The design.
    let full = aig.eq(&count, &Word::constant(entries as i128));
    let empty = aig.eq(&count, &Word::constant(0));
    let pushing = if broken { push } else { aig.and(push, !full) };
    let popping = aig.and(pop, !empty);
    let end = aig.add(&head, &count).wrapped(place, false);
    let next_own = put(aig, &own, &end, pushing);
    let next_head = step(aig, &head, popping);
    let more = aig.add(&count, &one);
    let less = aig.sub(&count, &one);
    let (up, down) = (aig.and(pushing, !popping), aig.and(popping, !pushing));
    let next_count = aig.mux_word(up, &more, &count);
    let next_count = aig.mux_word(down, &less, &next_count);
    let oldest = get(aig, &own, &head);
    // The reference.
    let low = |word: &Word| Word::new(word.low(place), false);
    let none = aig.eq(&read, &write);
    let same_place = aig.eq(&low(&read), &low(&write));
    let all = aig.and(same_place, !none);
    let adds = aig.and(push, !all);
    let drops = aig.and(pop, !none);
    let next_reference = put(aig, &reference, &low(&write), adds);
    let next_write = step(aig, &write, adds);
    let next_read = step(aig, &read, drops);
    let first = get(aig, &reference, &low(&read));
    let same = aig.eq(&oldest, &first);
    let differs = aig.and(!none, !same);
    let emptiness = aig.xor(none, empty);
    let fullness = aig.xor(all, full);
    let bad = aig.any(&[differs, emptiness, fullness]);
    for (own, next) in [
        (&head, &next_head),
        (&count, &next_count),
        (&read, &next_read),
        (&write, &next_write),
    ] {
        set(&mut circuit, own, next);
    }
    for n in 0..entries {
        set(&mut circuit, &own[n], &next_own[n]);
        set(&mut circuit, &reference[n], &next_reference[n]);
    }
    // The head goes round once where the reference goes round twice: it is left to its bits.
    Case {
        numbers: named(&[("count", &count), ("read", &read), ("write", &write)]),
        ..case(circuit, bad)
    }
}

/// A ring buffer against a shift register; that the oldest entries differ is bad.
pub(crate) fn fifo_and_shift_register(entries: usize, width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let place = entries.next_power_of_two().trailing_zeros() as usize;
    let (push, pop) = (circuit.input("push"), circuit.input("pop"));
    let data = choice(&mut circuit, "data", width);
    let buffer: Vec<Word> = (0..entries)
        .map(|n| register(&mut circuit, &format!("buffer{n}"), width))
        .collect();
    let head = register(&mut circuit, "head", place);
    let tail = register(&mut circuit, "tail", place);
    let count = register(&mut circuit, "count", place + 1);
    let shift: Vec<Word> = (0..entries)
        .map(|n| register(&mut circuit, &format!("shift{n}"), width))
        .collect();
    let length = register(&mut circuit, "length", place + 1);
    let aig = &mut circuit.aig;
    let one = Word::constant(1);
    let full = aig.eq(&count, &Word::constant(entries as i128));
    let empty = aig.eq(&count, &Word::constant(0));
    let pushing = if broken { push } else { aig.and(push, !full) };
    let popping = aig.and(pop, !empty);
    let round = |aig: &mut circuit::Aig, at: &Word, moves: Lit| {
        let last = aig.eq(at, &Word::constant(entries as i128 - 1));
        let more = aig.add(at, &Word::constant(1));
        let next = aig.mux_word(last, &Word::constant(0), &more);
        aig.mux_word(moves, &next, at)
    };
    let next_head = round(aig, &head, popping);
    let next_tail = round(aig, &tail, pushing);
    let change = |aig: &mut circuit::Aig, count: &Word, up: Lit, down: Lit| {
        let more = aig.add(count, &one);
        let less = aig.sub(count, &one);
        let after = aig.mux_word(down, &less, count);
        let only_up = aig.and(up, !down);
        let only_down = aig.and(down, !up);
        let up_or_same = aig.mux_word(only_up, &more, count);
        aig.mux_word(only_down, &after, &up_or_same)
    };
    let next_count = change(aig, &count, pushing, popping);
    let at_tail = aig.decoded(&tail, entries);
    let next_buffer: Vec<Word> = (0..entries)
        .map(|n| {
            let here = aig.and(pushing, at_tail[n]);
            aig.mux_word(here, &data, &buffer[n])
        })
        .collect();
    let at_head = aig.decoded(&head, entries);
    let mut oldest = Word::new(vec![Lit::FALSE; width], false);
    for n in 0..entries {
        oldest = aig.mux_word(at_head[n], &buffer[n], &oldest);
    }
    // The reference.
    let none = aig.eq(&length, &Word::constant(0));
    let all = aig.eq(&length, &Word::constant(entries as i128));
    let adds = aig.and(push, !all);
    let drops = aig.and(pop, !none);
    let next_length = change(aig, &length, adds, drops);
    let less = aig.sub(&length, &one).wrapped(place + 1, false);
    let free = aig.mux_word(drops, &less, &length);
    let at_free = aig.decoded(&free, entries);
    let next_shift: Vec<Word> = (0..entries)
        .map(|n| {
            let moved = match shift.get(n + 1) {
                Some(next) => aig.mux_word(drops, next, &shift[n]),
                None => shift[n].clone(),
            };
            let here = aig.and(adds, at_free[n]);
            aig.mux_word(here, &data, &moved)
        })
        .collect();
    let same = aig.eq(&oldest, &shift[0]);
    let both = aig.and(!empty, !none);
    let wrong = aig.and(both, !same);
    let same_length = aig.eq(&count, &length);
    let bad = aig.or(wrong, !same_length);
    for (own, next) in [
        (&head, &next_head),
        (&tail, &next_tail),
        (&count, &next_count),
    ] {
        set(&mut circuit, own, next);
    }
    set(&mut circuit, &length, &next_length);
    for n in 0..entries {
        set(&mut circuit, &buffer[n], &next_buffer[n]);
        set(&mut circuit, &shift[n], &next_shift[n]);
    }
    case(circuit, bad)
}

/// A round-robin arbiter: the turn goes to the client after the one that was served. Two grants
/// at once are bad.
pub(crate) fn arbiter(clients: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let turn: Vec<Lit> = (0..clients)
        .map(|n| {
            let reset = if n == 0 { Reset::One } else { Reset::Zero };
            circuit.latch(format!("turn{n}"), reset)
        })
        .collect();
    let grant: Vec<Lit> = (0..clients)
        .map(|n| circuit.latch(format!("grant{n}"), Reset::Zero))
        .collect();
    let request: Vec<Lit> = (0..clients)
        .map(|n| circuit.input(format!("request{n}")))
        .collect();
    let aig = &mut circuit.aig;
    // The turn passes by whoever does not ask; those before it come in a second round.
    let mut passing = Lit::FALSE;
    let mut given = Vec::new();
    for n in 0..clients {
        let here = aig.or(passing, turn[n]);
        given.push(aig.and(here, request[n]));
        passing = aig.and(here, !request[n]);
    }
    for n in 0..clients {
        let served = aig.and(passing, request[n]);
        given[n] = aig.or(given[n], served);
        passing = aig.and(passing, !request[n]);
    }
    if broken {
        // The first and the last are served together.
        let both = aig.all(&[request[0], request[clients - 1], turn[0]]);
        given[clients - 1] = aig.or(given[clients - 1], both);
    }
    let some = aig.any(&given);
    let next_turn: Vec<Lit> = (0..clients)
        .map(|n| {
            let before = given[(n + clients - 1) % clients];
            aig.mux(some, before, turn[n])
        })
        .collect();
    let bad = !aig.at_most_one(&grant);
    for n in 0..clients {
        circuit.set_next(turn[n], next_turn[n]);
        circuit.set_next(grant[n], given[n]);
    }
    case(circuit, bad)
}

/// A list into which numbers are put in order; the last one falls out. Two neighbours out of order
/// are bad.
pub(crate) fn sorted_list(length: usize, width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let (put, clear) = (circuit.input("put"), circuit.input("clear"));
    let number = choice(&mut circuit, "number", width);
    let list: Vec<Word> = (0..length)
        .map(|n| register(&mut circuit, &format!("list{n}"), width))
        .collect();
    let aig = &mut circuit.aig;
    // Greatest first: zeroes are places that are free.
    let before: Vec<Lit> = (0..length)
        .map(|n| {
            if broken && n == length / 2 {
                let low = Word::new(list[n].low(width - 1), false);
                aig.le(&number, &low)
            } else {
                aig.le(&number, &list[n])
            }
        })
        .collect();
    let next: Vec<Word> = (0..length)
        .map(|n| {
            let pushed = match n.checked_sub(1) {
                Some(above) => aig.mux_word(before[above], &number, &list[above]),
                None => number.clone(),
            };
            let here = aig.mux_word(before[n], &list[n], &pushed);
            let kept = aig.mux_word(put, &here, &list[n]);
            aig.mux_word(clear, &Word::constant(0), &kept)
        })
        .collect();
    let wrong: Vec<Lit> = (1..length)
        .map(|n| aig.lt(&list[n - 1], &list[n]))
        .collect();
    let bad = aig.any(&wrong);
    for n in 0..length {
        set(&mut circuit, &list[n], &next[n]);
    }
    let names: Vec<String> = (0..length).map(|n| format!("list{n}")).collect();
    let pairs: Vec<(&str, &Word)> = names.iter().map(String::as_str).zip(&list).collect();
    let mut case = case(circuit, bad);
    case.numbers = named(&pairs);
    case.compared = wrong
        .into_iter()
        .enumerate()
        .map(|(n, lit)| Predicate {
            name: format!("list{n} < list{}", n + 1),
            negated: format!("list{n} >= list{}", n + 1),
            lit,
        })
        .collect();
    case
}

/// Two sums: what came in, and what was paid out of it. Paying more than came in is bad.
pub(crate) fn accounts(width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let pays = circuit.input("pays");
    let amount = choice(&mut circuit, "amount", width);
    let received = register(&mut circuit, "received", width);
    let paid = register(&mut circuit, "paid", width);
    let aig = &mut circuit.aig;
    let more = aig.add(&received, &amount);
    let fits = aig.lt(&more, &Word::constant(1i128 << width));
    let comes = aig.and(!pays, fits);
    let next_received = aig.mux_word(comes, &more, &received);
    let left = aig.sub(&received, &paid).wrapped(width, false);
    let enough = if broken {
        aig.le(&amount, &received)
    } else {
        aig.le(&amount, &left)
    };
    let goes = aig.and(pays, enough);
    let after = aig.add(&paid, &amount);
    let next_paid = aig.mux_word(goes, &after, &paid);
    let bad = aig.lt(&received, &paid);
    set(&mut circuit, &received, &next_received);
    set(&mut circuit, &paid, &next_paid);
    let mut case = case(circuit, bad);
    case.numbers = named(&[("received", &received), ("paid", &paid)]);
    case
}

/// An auction: a higher bid is held, and the one before it paid back out of what is held. Holding
/// less than the highest bid is bad. Why it is not so: what is held *is* the highest bid.
pub(crate) fn auction(width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let bid = choice(&mut circuit, "bid", width);
    let close = circuit.input("close");
    let open = circuit.latch("open", Reset::One);
    let high = register(&mut circuit, "high_bid", width);
    let held = register(&mut circuit, "held", width);
    let aig = &mut circuit.aig;
    let higher = aig.lt(&high, &bid);
    let taken = aig.and(open, higher);
    let next_high = aig.mux_word(taken, &bid, &high);
    let with = aig.add(&held, &bid);
    let refund = if broken {
        Word::new(high.low(width - 1), false)
    } else {
        high.clone()
    };
    let after = aig.sub(&with, &refund).wrapped(width, false);
    let bidden = aig.mux_word(taken, &after, &held);
    // What was held goes to the owner.
    let sold = aig.and(open, close);
    let next_held = aig.mux_word(sold, &Word::constant(0), &bidden);
    let next_high = aig.mux_word(sold, &Word::constant(0), &next_high);
    let next_open = aig.and(open, !close);
    let bad = aig.lt(&held, &high);
    set(&mut circuit, &high, &next_high);
    set(&mut circuit, &held, &next_held);
    circuit.set_next(open, next_open);
    let mut case = case(circuit, bad);
    case.numbers = named(&[("high_bid", &high), ("held", &held)]);
    case
}

/// A till: what came in is what was paid out and what is held. Holding more than came in is bad;
/// that it is not so follows from the sum.
pub(crate) fn till(width: usize, broken: bool) -> Case {
    let mut circuit = Circuit::default();
    let pays = circuit.input("pays");
    let amount = choice(&mut circuit, "amount", width);
    let received = register(&mut circuit, "received", width);
    let paid = register(&mut circuit, "paid", width);
    let held = register(&mut circuit, "held", width);
    let aig = &mut circuit.aig;
    let more = aig.add(&received, &amount);
    let fits = aig.lt(&more, &Word::constant(1i128 << width));
    let comes = aig.and(!pays, fits);
    let enough = aig.le(&amount, &held);
    let goes = aig.and(pays, enough);
    let next_received = aig.mux_word(comes, &more, &received);
    let after = aig.add(&paid, &amount);
    let next_paid = aig.mux_word(goes, &after, &paid);
    let kept = aig.add(&held, &amount);
    let left = aig.sub(&held, &amount).wrapped(width, false);
    let taken = if broken { Lit::FALSE } else { goes };
    let next_held = aig.mux_word(comes, &kept, &held);
    let next_held = aig.mux_word(taken, &left, &next_held);
    let bad = aig.lt(&received, &paid);
    set(&mut circuit, &received, &next_received);
    set(&mut circuit, &paid, &next_paid);
    set(&mut circuit, &held, &next_held);
    let mut case = case(circuit, bad);
    case.numbers = named(&[("received", &received), ("paid", &paid), ("held", &held)]);
    case
}
