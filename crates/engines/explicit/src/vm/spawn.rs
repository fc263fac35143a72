//! Instances and channels that come at run time.
//!
//! A new instance gets the first number that nobody has, a new channel the first reference. With
//! numbers as on a stack nobody goes away below somebody who is there, so that is the number of
//! instances there are. Where a program is not laid out for who comes, that is noted as
//! [what was exceeded](crate::ir::capacity::CapacityExceeded) and the run is given up: what is found out then does not count.

use crate::ir::capacity::{CapacityExceeded, ChannelSlot, InstanceSlot};
use crate::ir::instruction::{Code, MakeSite, StartSite};
use crate::ir::layout::GONE;
use crate::ir::number::as_i64;

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
    let instance_slot = info.and_then(|info| {
        let mut instance_slots = info.instance_slots.iter();
        instance_slots.find(|instance_slot| {
            instance_slot.process == site.process && instance_slot.key.iter().eq(key.clone())
        })
    });
    let Some((info, instance_slot, pool)) =
        info.zip(instance_slot).and_then(|(info, instance_slot)| {
            Some((info, instance_slot, usize::from(instance_slot.pool?)))
        })
    else {
        let key = key.copied().collect();
        note_exceeded(
            code,
            CapacityExceeded::InstanceSlot(InstanceSlot {
                number,
                process: site.process,
                key,
            }),
        );
        return false;
    };
    memory[usize::from(info.location)] = instance_slot.entry;
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
    let channel_slot = code.places.get(place).and_then(|info| {
        let mut channel_slots = info.channel_slots.iter();
        let found =
            channel_slots.find(|(channel, o, _)| *channel == site.channel && *o == owner)?;
        Some((info.present?, found.2))
    });
    let Some((present, present_code)) = channel_slot else {
        note_exceeded(
            code,
            CapacityExceeded::ChannelSlot(ChannelSlot {
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
fn note_exceeded(code: &Code, what: CapacityExceeded) {
    let mut exceeded = match code.exceeded.lock() {
        Ok(exceeded) => exceeded,
        Err(poisoned) => poisoned.into_inner(),
    };
    exceeded.insert(what);
}
