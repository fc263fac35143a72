//! Footprints: what of a state a move can read and write, found in its code.
//!
//! Most moves touch a few variables of many. Unpacking those alone before a move, and packing
//! those alone after it into a copy of the state it began in, costs a fraction of going through
//! the whole state; and there is nothing to put back afterwards, as each move fetches what it
//! needs. A move whose code leaves decisions to the [driver](crate::expand) has no footprint: it
//! runs on the whole state.

use std::collections::BTreeSet;

use crate::code::{ChannelSite, Code, Ladder, Op, Pc, Slot};
use crate::layout::{Field, Layout, Packing};

/// What a move touches.
#[derive(Clone, Debug)]
pub(crate) struct Footprint {
    /// What is unpacked before.
    pub(crate) fetched: Box<[Field]>,
    /// What is not stored, with its value before each move.
    pub(crate) reset: Box<[(Slot, i64)]>,
    /// What is packed after it.
    pub(crate) written: Box<[Field]>,
    /// Whether it can change what is asked for at the end of macro steps.
    pub(crate) outcomes: bool,
    /// Whether it can be made in several ways, so that its enumeration goes on.
    pub(crate) several: bool,
}

/// What is touched where.
#[derive(Clone, Debug)]
pub(crate) struct Footprints {
    /// For each move.
    pub(crate) moves: Vec<Option<Footprint>>,
    /// What the outcomes read: unpacked before they are evaluated; nothing if that may be all.
    pub(crate) finish: Option<Footprint>,
    /// The location of each instance,
    pub(crate) locations: Vec<Field>,
    /// and what begins there.
    pub(crate) ladders: Vec<Vec<Ladder>>,
    /// The priority classes of moves, highest first.
    pub(crate) classes: Vec<u8>,
}

/// Slots of the working state that some code touches.
#[derive(Default)]
struct Touched {
    read: BTreeSet<usize>,
    written: BTreeSet<usize>,
    several: bool,
}

impl Footprints {
    /// Footprints of all moves; nothing if trying moves does not tell what is enabled.
    pub(crate) fn of(code: &Code, layout: &Layout, packing: &Packing) -> Option<Footprints> {
        let ladders: Option<Vec<Vec<Ladder>>> = code
            .instances
            .iter()
            .map(|info| info.ladders.clone())
            .collect();
        let ladders = ladders.filter(|_| code.by_trying)?;
        let mut field_of = vec![None; layout.len()];
        for field in packing.fields() {
            field_of[usize::from(field.slot)] = Some(*field);
        }
        let walk = Walk {
            code,
            variables: layout.variables(),
        };
        let finish = walk.from(code.finish);
        let observed = finish.as_ref().map(|touched| touched.read.clone());
        let footprint = |touched: Touched| {
            let all = touched.read.union(&touched.written);
            let (fetched, other): (Vec<usize>, Vec<usize>) =
                all.partition(|&&slot| field_of[slot].is_some());
            let address = |slot: usize| {
                Slot::try_from(code.state + slot).expect("the compiler has checked the size")
            };
            let at = |slot: usize| field_of[slot].map(|field| field.unpacked_to(address(slot)));
            let outcomes = observed.as_ref().is_none_or(|observed| {
                let unstored = |slot: &usize| field_of[*slot].is_none() && *slot < layout.changing;
                observed.iter().any(unstored) || !observed.is_disjoint(&touched.written)
            });
            Footprint {
                fetched: fetched.into_iter().filter_map(at).collect(),
                reset: other
                    .into_iter()
                    .map(|slot| (address(slot), packing.base[slot]))
                    .collect(),
                written: touched.written.iter().copied().filter_map(at).collect(),
                outcomes,
                several: touched.several,
            }
        };
        let locations: Option<Vec<Field>> = layout
            .instances
            .iter()
            .map(|instance| field_of[instance.location])
            .collect();
        let classes: BTreeSet<u8> = code.moves.iter().map(|info| info.class).collect();
        Some(Footprints {
            moves: code
                .moves
                .iter()
                .map(|info| walk.from(info.enumerate).map(footprint))
                .collect(),
            finish: finish.map(footprint),
            locations: locations?,
            ladders,
            classes: classes.into_iter().rev().collect(),
        })
    }
}

/// Goes through code.
struct Walk<'c> {
    code: &'c Code,
    /// For each slot of the state, the slots of the variable that it is part of.
    variables: Vec<std::ops::Range<usize>>,
}

impl Walk<'_> {
    /// What all code that can be reached from here touches; nothing if it leaves decisions to the
    /// driver.
    fn from(&self, start: Pc) -> Option<Touched> {
        let mut touched = Touched::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(pc) = waiting.pop() {
            if !seen.insert(pc) {
                continue;
            }
            let op = self.code.ops[pc as usize];
            self.touch(op, &mut touched);
            match op {
                Op::Jump { to } | Op::Fault { to, .. } => waiting.push(to),
                Op::Select { table, .. } => {
                    waiting.push(pc + 1);
                    let alternatives = &self.code.select[usize::from(table)];
                    waiting.extend(alternatives.iter().map(|(_, to)| *to));
                }
                Op::Apply { site } => {
                    waiting.push(pc + 1);
                    waiting.push(self.code.apply[usize::from(site)].to);
                }
                Op::Return { .. } => waiting.extend_from_slice(&self.code.landings),
                Op::Yield { resume } => {
                    waiting.extend([pc + 1, resume]);
                    touched.several |= !self.ends_at_once(resume);
                }
                Op::NoMore | Op::Prune | Op::Stop { .. } | Op::Blocked | Op::Stable => {}
                Op::Enabled { .. }
                | Op::NothingEnabled { .. }
                | Op::Inner { .. }
                | Op::Settle { .. } => return None,
                mut other => {
                    waiting.push(pc + 1);
                    waiting.extend(other.target().map(|to| *to));
                }
            }
        }
        Some(touched)
    }

    /// Whether there is nothing more to enumerate.
    fn ends_at_once(&self, pc: Pc) -> bool {
        match self.code.ops[pc as usize] {
            Op::NoMore => true,
            Op::Jump { to } => matches!(self.code.ops[to as usize], Op::NoMore),
            _ => false,
        }
    }

    /// The slot of the state at an address.
    fn slot(&self, address: Slot) -> Option<usize> {
        let slot = usize::from(address).checked_sub(self.code.state)?;
        (slot < self.code.state_len).then_some(slot)
    }

    fn touch(&self, op: Op, touched: &mut Touched) {
        let one = |address: Slot, n: usize| {
            let first = self.slot(address);
            first.into_iter().flat_map(move |first| first..first + n)
        };
        // An index stays inside the variable.
        let all = |base: Slot| {
            let slot = self.slot(base);
            slot.into_iter()
                .flat_map(|slot| self.variables[slot].clone())
        };
        match op {
            Op::CopyMany { d, a, n } => {
                touched.read.extend(one(a, n.into()));
                touched.written.extend(one(d, n.into()));
            }
            Op::LoadAt { base, .. } => touched.read.extend(all(base)),
            Op::StoreAt { base, .. } => touched.written.extend(all(base)),
            Op::Apply { site } => {
                let site = &self.code.apply[usize::from(site)];
                for (address, _) in &site.args {
                    touched.read.extend(all(*address));
                }
                touched.written.extend(all(site.d));
            }
            Op::Channel { site } => match &self.code.channel[usize::from(site)] {
                ChannelSite::Put {
                    len,
                    message,
                    width,
                    ..
                } => {
                    touched.written.extend(all(*len));
                    touched.read.extend(one(*message, *width));
                }
                ChannelSite::Find { len, wanted, d, .. } => {
                    touched.read.extend(all(*len));
                    for (_, address) in wanted {
                        touched.read.extend(one(*address, 1));
                    }
                    touched.written.extend(one(*d, 1));
                }
                ChannelSite::Take {
                    len,
                    at,
                    message,
                    width,
                    ..
                } => {
                    touched.written.extend(all(*len));
                    touched.read.extend(one(*at, 1));
                    touched.written.extend(one(*message, *width));
                }
            },
            _ => {}
        }
        for address in op.operands().into_iter().flatten() {
            touched.read.extend(one(address, 1));
        }
        if let Some(address) = op.result() {
            touched.written.extend(one(address, 1));
        }
    }
}
