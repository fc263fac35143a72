//! Room: the instances and channels that a program is laid out for.
//!
//! Code is made for each instance on its own, so the instances have to be known before a program
//! is run. Those that run from the start are; what is started or made at run time is found out by
//! running: where there is no room, the machine notes what [lacks](Lack), and the program is laid
//! out and compiled again with more room. Who asks often gets twice as much each time, so that a
//! program that goes on starting instances is not compiled again for each of them.
//!
//! A parameter that nothing assigns to has one value as long as the instance is there. It is part
//! of what the room is for: a *seat* is a number, a template and the values of such parameters.
//! Code made for a seat has them as constants, channels above all.

use std::collections::HashMap;

use model::{ChannelId, Expr, ExprId, ProcessId, Program, Type, Value, ValueSet};

use crate::layout::{flat_value, flatten};
use crate::written::Written;

/// Parameters wider than this are not worth a seat of their own.
const WIDE: usize = 8;
/// So many different values of one process's parameters are worth seats of their own; and so many
/// if only channels are looked at.
const VARIANTS: [usize; 2] = [24, 48];

/// Room for an instance.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Seat {
    /// Its number.
    pub(crate) number: usize,
    pub(crate) process: ProcessId,
    /// The values of its known parameters, one after the other.
    pub(crate) key: Vec<i64>,
}

/// Room for a channel.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Berth {
    /// Its reference less one.
    pub(crate) place: usize,
    pub(crate) channel: ChannelId,
    /// The number of the instance with which it goes away.
    pub(crate) owner: Option<usize>,
}

/// What there was no room for.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Lack {
    Seat(Seat),
    Berth(Berth),
}

/// What is known of a local for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    No,
    /// So many values of the key.
    Key(usize),
    /// These values.
    Always(Vec<i64>),
}

/// The room.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    pub(crate) seats: Vec<Seat>,
    pub(crate) berths: Vec<Berth>,
    /// For each process and local.
    pub(crate) known: Vec<Vec<Known>>,
    /// For each process: how much of it is left unknown, as an index into [`VARIANTS`].
    level: Vec<usize>,
    /// How often each process and each channel lacked room.
    asked: HashMap<(bool, u32), usize>,
    /// Restarts so far.
    pub(crate) rounds: u32,
}

impl Room {
    /// Room for what is there from the start.
    pub(crate) fn new(program: &Program) -> Room {
        let mut room = Room {
            seats: Vec::new(),
            berths: Vec::new(),
            known: Vec::new(),
            level: vec![0; program.processes.len()],
            asked: HashMap::new(),
            rounds: 0,
        };
        room.begin(program);
        room
    }

    /// Forgets all seats but those from the start.
    fn begin(&mut self, program: &Program) {
        let written = Written::of(program);
        self.known = (0..program.processes.len())
            .map(|process| known_locals(program, &written, process, self.level[process]))
            .collect();
        self.seats.clear();
        self.berths.clear();
        for (number, start) in program.start.iter().enumerate() {
            let mut key = Vec::new();
            let known = &self.known[start.process.index()];
            for (&arg, known) in start.args.iter().zip(known) {
                if matches!(known, Known::Key(_)) {
                    constant(program, arg, &mut key);
                }
            }
            self.seats.push(Seat {
                number,
                process: start.process,
                key,
            });
        }
        let from_start = (0..program.channels.len())
            .map(ChannelId::new)
            .filter(|id| program.channels[id.index()].from_start);
        for (place, channel) in from_start.enumerate() {
            self.berths.push(Berth {
                place,
                channel,
                owner: program.channels[channel.index()].owner.map(|n| n as usize),
            });
        }
    }

    /// Makes room for what lacked.
    pub(crate) fn grow(&mut self, program: &Program, lacking: &[Lack]) {
        self.rounds += 1;
        let mut lacking = lacking.to_vec();
        lacking.sort();
        let mut again = false;
        for lack in lacking {
            match lack {
                Lack::Seat(seat) => {
                    let process = seat.process.index();
                    let times = self.asked.entry((false, seat.process.0)).or_default();
                    *times += 1;
                    let more = ahead(*times);
                    for number in seat.number..=seat.number + more {
                        let seat = Seat {
                            number,
                            ..seat.clone()
                        };
                        if !self.seats.contains(&seat) {
                            self.seats.push(seat);
                        }
                    }
                    let limit = VARIANTS.get(self.level[process]);
                    if limit.is_some_and(|&limit| self.variants(seat.process) > limit) {
                        self.level[process] += 1;
                        again = true;
                    }
                }
                Lack::Berth(berth) => {
                    let times = self.asked.entry((true, berth.channel.0)).or_default();
                    *times += 1;
                    let more = ahead(*times);
                    for step in 0..=more {
                        let berth = Berth {
                            place: berth.place + step,
                            owner: berth.owner.map(|owner| owner + step),
                            ..berth.clone()
                        };
                        if !self.berths.contains(&berth) {
                            self.berths.push(berth);
                        }
                    }
                }
            }
        }
        if again {
            // Keys have changed their shape.
            self.begin(program);
        }
    }

    /// How many different keys the seats of a process have.
    fn variants(&self, process: ProcessId) -> usize {
        let seats = self.seats.iter().filter(|seat| seat.process == process);
        let keys: std::collections::HashSet<&[i64]> =
            seats.map(|seat| seat.key.as_slice()).collect();
        keys.len()
    }
}

/// How much room to make beyond what was asked for, if this is not the first time.
fn ahead(times: usize) -> usize {
    if times > 12 {
        1 << (times - 12).min(14)
    } else {
        0
    }
}

/// What is known of the locals of a process.
fn known_locals(program: &Program, written: &Written, process: usize, level: usize) -> Vec<Known> {
    let template = &program.processes[process];
    let mut all = Vec::new();
    for (local, variable) in template.locals.iter().enumerate() {
        let mut leaves = Vec::new();
        let flat = flatten(program, &variable.ty, &mut leaves).is_ok();
        if written.locals[process][local] || !flat {
            all.push(Known::No);
            continue;
        }
        if local < template.parameters {
            let starts = program
                .start
                .iter()
                .filter(|s| s.process.index() == process);
            let fits = leaves.len() <= WIDE
                && level < VARIANTS.len()
                && (level == 0 || variable.ty == Type::Channel)
                && starts.clone().all(|start| {
                    start
                        .args
                        .get(local)
                        .is_some_and(|&arg| constant(program, arg, &mut Vec::new()))
                });
            all.push(if fits {
                Known::Key(leaves.len())
            } else {
                Known::No
            });
            continue;
        }
        let mut values = Vec::new();
        all.push(match &variable.init {
            None => Known::Always(leaves.iter().map(|leaf| leaf.zero).collect()),
            Some(ValueSet::One(value)) if constant(program, *value, &mut values) => {
                match &variable.ty {
                    Type::Int { .. } => {
                        let wrapped = variable.ty.wrap(i128::from(values[0]));
                        i64::try_from(wrapped).map_or(Known::No, |n| Known::Always(vec![n]))
                    }
                    Type::Range { lo, hi } if !(*lo..=*hi).contains(&values[0]) => Known::No,
                    _ => Known::Always(values),
                }
            }
            Some(_) => Known::No,
        });
    }
    all
}

/// The flat values of an expression that is made of constants only; says whether it is.
pub(crate) fn constant(program: &Program, id: ExprId, out: &mut Vec<i64>) -> bool {
    match program.exprs.get(id) {
        Expr::Const(value) => flat_value(value, out).is_ok(),
        Expr::Tuple(items) => items.iter().all(|&item| constant(program, item, out)),
        Expr::Convert(inner) => {
            let ty = program.exprs.ty(id);
            let Some(Value::Int(n)) = program.exprs.constant(*inner) else {
                return false;
            };
            let fine = matches!(ty, Type::Int { .. } | Type::Channel | Type::Instance);
            match i64::try_from(ty.wrap(*n)) {
                Ok(n) if fine => {
                    out.push(n);
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}
