//! Instances and channels that come at run time.
//!
//! A new instance gets the first number that nobody has, a new channel the first reference. With
//! numbers as on a stack nobody goes away below somebody who is there, so that is the number of
//! instances there are. Where a program is not laid out for who comes, that is noted as a
//! [lack](crate::room::Lack) and the run is given up: what is found out then does not count.

use crate::code::{Code, MakeSite, StartSite};
use crate::layout::GONE;
use crate::machine::as_i64;
use crate::room::{Berth, Lack, Seat};

/// Whether somebody has a number.
fn is_there(code: &Code, memory: &[i64; 65536], number: usize) -> bool {
    memory[usize::from(code.instances[number].location)] != as_i64(GONE)
}

/// How many instances there are.
pub(crate) fn count(code: &Code, memory: &[i64; 65536]) -> i64 {
    let all = 0..code.instances.len();
    as_i64(all.filter(|&n| is_there(code, memory, n)).count())
}

/// The first number that nobody has.
fn next_number(code: &Code, memory: &[i64; 65536]) -> usize {
    let count = code.instances.len();
    (0..count)
        .find(|&number| !is_there(code, memory, number))
        .unwrap_or(count)
}

/// Starts an instance; says whether there is room.
pub(crate) fn start(code: &Code, memory: &mut [i64; 65536], site: &StartSite) -> bool {
    let number = next_number(code, memory);
    let beginning = &code.beginnings[site.process.index()];
    let args = usize::from(site.args);
    let key = beginning
        .keys
        .iter()
        .flat_map(|&(from, n)| &memory[args + from..args + from + n]);
    let info = code.instances.get(number);
    let seat = info.and_then(|info| {
        let mut seats = info.seats.iter();
        seats.find(|seat| seat.process == site.process && seat.key.iter().eq(key.clone()))
    });
    let Some((info, seat, pool)) = info
        .zip(seat)
        .and_then(|(info, seat)| Some((info, seat, usize::from(seat.pool?))))
    else {
        let key = key.copied().collect();
        lacks(
            code,
            Lack::Seat(Seat {
                number,
                process: site.process,
                key,
            }),
        );
        return false;
    };
    memory[usize::from(info.location)] = seat.entry;
    memory[pool..pool + beginning.image.len()].copy_from_slice(&beginning.image);
    for &(from, to, n) in &beginning.copies {
        memory.copy_within(args + from..args + from + n, pool + to);
    }
    memory[usize::from(site.d)] = as_i64(number);
    true
}

/// Makes a channel; says whether there is room.
pub(crate) fn make(code: &Code, memory: &mut [i64; 65536], site: &MakeSite) -> bool {
    let owner = site.owned.then(|| next_number(code, memory));
    let place = code
        .places
        .iter()
        .position(|place| place.present.is_some_and(|p| memory[usize::from(p)] == 0))
        .unwrap_or(code.places.len());
    let berth = code.places.get(place).and_then(|info| {
        let mut berths = info.berths.iter();
        let found = berths.find(|(channel, o, _)| *channel == site.channel && *o == owner)?;
        Some((info.present?, found.2))
    });
    let Some((present, present_code)) = berth else {
        lacks(
            code,
            Lack::Berth(Berth {
                place,
                channel: site.channel,
                owner,
            }),
        );
        return false;
    };
    memory[usize::from(present)] = present_code;
    memory[usize::from(site.d)] = as_i64(place + 1);
    true
}

#[cold]
fn lacks(code: &Code, lack: Lack) {
    let mut lacking = match code.lacking.lock() {
        Ok(lacking) => lacking,
        Err(poisoned) => poisoned.into_inner(),
    };
    lacking.insert(lack);
}
