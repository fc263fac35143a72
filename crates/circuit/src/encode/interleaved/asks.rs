//! Expressions that ask about instances and channels.

use model::{Expr, ExprId, Place, ProcessId};

use super::super::bits::Bits;
use super::super::evaluate::{Evaluated, Memo, QueueBits, Scope, Store, sound};
use super::super::trouble::Trouble;
use super::super::{Encoding, Unsupported};
use crate::aig::Lit;
use crate::words::Word;

/// A number as a constant word.
pub(super) fn number(value: usize) -> Word {
    Word::constant(value as i128)
}

impl Encoding<'_> {
    /// Whether an instance of the present state is where a code says.
    pub(super) fn is_at(&mut self, instance: usize, code: usize) -> Lit {
        let location = self.now.instances[instance].location.clone();
        self.circuit.aig.eq(&location, &number(code))
    }

    /// Whether an instance of a state is where one of some codes says.
    pub(super) fn is_at_any(&mut self, store: &Store, instance: usize, codes: &[usize]) -> Lit {
        let location = &store.instances[instance].location;
        let aig = &mut self.circuit.aig;
        let at: Vec<Lit> = codes
            .iter()
            .map(|&code| aig.eq(location, &number(code)))
            .collect();
        aig.any(&at)
    }

    /// Whether an instance exists.
    pub(super) fn lives(&mut self, store: &Store, instance: usize) -> Lit {
        let gone = self.controls[instance].gone();
        !self.is_at_any(store, instance, &[gone])
    }

    /// For each channel that a reference may mean whether it does; and the fault of meaning none.
    pub(super) fn channel_cases(
        &mut self,
        store: &Store,
        reference: &Word,
    ) -> Result<(Vec<(usize, Lit)>, Trouble), Unsupported> {
        let mut cases = Vec::new();
        for place in 0..self.references.len() {
            let meant = self.circuit.aig.eq(reference, &number(place + 1));
            let owner = self.program.channels[self.references[place].index()].owner;
            let living = match owner {
                Some(owner) if (owner as usize) < store.instances.len() => {
                    self.lives(store, owner as usize)
                }
                _ => Lit::TRUE,
            };
            let meant = self.circuit.aig.and(meant, living);
            if meant != Lit::FALSE {
                cases.push((place, meant));
            }
        }
        let all: Vec<Lit> = cases.iter().map(|(_, meant)| *meant).collect();
        let found = self.circuit.aig.any(&all);
        let trouble = self.fault_when(Trouble::default(), self.program.channel_fault, !found)?;
        Ok((cases, trouble))
    }

    /// For each place of a channel whether the first message that matches is there.
    pub(super) fn matching(
        &mut self,
        queue: &QueueBits,
        patterns: &[Option<Bits>],
        anywhere: bool,
    ) -> Vec<Lit> {
        let aig = &mut self.circuit.aig;
        let mut none_before = Lit::TRUE;
        let mut found = Vec::new();
        let reach = if anywhere { queue.messages.len() } else { 1 };
        for (place, message) in queue.messages.iter().take(reach).enumerate() {
            let mut agree = vec![aig.lt(&number(place), &queue.length), none_before];
            for (field, pattern) in message.iter().zip(patterns) {
                if let Some(pattern) = pattern {
                    agree.push(aig.eq_value(field, pattern));
                }
            }
            let here = aig.all(&agree);
            found.push(here);
            none_before = aig.and(none_before, !here);
        }
        found
    }

    pub(in super::super) fn about_control(
        &mut self,
        scope: &Scope<'_>,
        memo: &Memo,
        id: ExprId,
    ) -> Result<Evaluated, Unsupported> {
        let program = self.program;
        let store = scope.store;
        let count = store.instances.len();
        Ok(match program.exprs.get(id) {
            Expr::Me => match scope.me {
                Some(me) => sound(Bits::Word(number(me))),
                None => return Err(Unsupported::new("an instance's number outside of it")),
            },
            Expr::At {
                instance,
                process,
                location,
            } => {
                let Evaluated { value, trouble } = memo[instance].clone();
                let wanted = value.word();
                let mut found = Vec::new();
                for other in 0..count {
                    let here = self.at_location(store, other, *process, *location);
                    let meant = self.circuit.aig.eq(&wanted, &number(other));
                    found.push(self.circuit.aig.and(here, meant));
                }
                let value = Bits::Bool(self.circuit.aig.any(&found));
                Evaluated { value, trouble }
            }
            Expr::AnyAt(places) => {
                let mut found = Vec::new();
                for other in 0..count {
                    for &(process, location) in places {
                        found.push(self.at_location(store, other, process, location));
                    }
                }
                sound(Bits::Bool(self.circuit.aig.any(&found)))
            }
            Expr::First(process) => {
                let mut first = Word::constant(-1);
                for other in (0..count).rev() {
                    if self.controls[other].process == *process {
                        let lives = self.lives(store, other);
                        first = self.circuit.aig.mux_word(lives, &number(other), &first);
                    }
                }
                sound(Bits::Word(first))
            }
            Expr::InstanceCount => {
                let mut sum = Word::default();
                for other in 0..count {
                    let lives = self.lives(store, other);
                    sum = self.circuit.aig.add(&sum, &Word::truth(lives));
                }
                sound(Bits::Word(sum))
            }
            Expr::Enabled(instance) => {
                let Evaluated { value, trouble } = memo[instance].clone();
                let Some(enabled) = scope.asked.enabled else {
                    return Err(Unsupported::new("whether an instance can move"));
                };
                let wanted = value.word();
                let aig = &mut self.circuit.aig;
                let mut found = Vec::new();
                for (other, &can) in enabled.iter().enumerate() {
                    let meant = aig.eq(&wanted, &number(other));
                    found.push(aig.and(meant, can));
                }
                let value = Bits::Bool(aig.any(&found));
                Evaluated { value, trouble }
            }
            Expr::NothingEnabled => match scope.asked.nothing {
                Some(nothing) => sound(Bits::Bool(nothing)),
                None => return Err(Unsupported::new("whether nobody can move")),
            },
            Expr::ChannelLen(channel) | Expr::ChannelCapacity(channel) => {
                let Evaluated { value, trouble } = memo[channel].clone();
                let (cases, missing) = self.channel_cases(store, &value.word())?;
                let capacity = matches!(program.exprs.get(id), Expr::ChannelCapacity(_));
                let mut result = Word::default();
                for (place, meant) in cases {
                    let one = if capacity {
                        let declared = &program.channels[self.references[place].index()];
                        Word::constant(declared.capacity.map_or(-1, i128::from))
                    } else {
                        store.channels[place].length.clone()
                    };
                    result = self.circuit.aig.mux_word(meant, &one, &result);
                }
                Evaluated {
                    value: Bits::Word(result),
                    trouble: trouble.then(&mut self.circuit.aig, &missing),
                }
            }
            Expr::Poll {
                channel,
                patterns,
                anywhere,
            } => {
                let mut trouble = Trouble::default();
                let mut wanted = Vec::new();
                for pattern in patterns {
                    wanted.push(pattern.map(|pattern| {
                        let found = memo[&pattern].clone();
                        trouble = std::mem::take(&mut trouble)
                            .then(&mut self.circuit.aig, &found.trouble);
                        found.value
                    }));
                }
                let channel = memo[channel].clone();
                let (cases, missing) = self.channel_cases(store, &channel.value.word())?;
                let mut found = Vec::new();
                for (place, meant) in cases {
                    let here = self.matching(&store.channels[place], &wanted, *anywhere);
                    let any = self.circuit.aig.any(&here);
                    found.push(self.circuit.aig.and(any, meant));
                }
                let aig = &mut self.circuit.aig;
                let trouble = trouble.then(aig, &channel.trouble).then(aig, &missing);
                Evaluated {
                    value: Bits::Bool(aig.any(&found)),
                    trouble,
                }
            }
            other => return Err(Unsupported::new(format!("the expression {other:?}"))),
        })
    }

    fn at_location(
        &mut self,
        store: &Store,
        instance: usize,
        process: ProcessId,
        location: model::LocId,
    ) -> Lit {
        let control = &self.controls[instance];
        // Locations are numbered by each process for itself.
        let code = (control.process == process).then(|| control.code(location));
        match code.flatten() {
            Some(code) => self.is_at_any(store, instance, &[code]),
            None => Lit::FALSE,
        }
    }

    /// What a place of another instance holds; zero if that is not there.
    pub(in super::super) fn remote(
        &mut self,
        scope: &Scope<'_>,
        memo: &Memo,
        place: &Place,
        (instance, process, local): (ExprId, ProcessId, u32),
    ) -> Result<Evaluated, Unsupported> {
        let program = self.program;
        let wanted = memo[&instance].clone();
        let ty = program.place_type(None, None, &place.root.into());
        let whole = program.place_type(None, None, place);
        let nothing = self.constant(&program.zero(&whole))?;
        let mut value = self.constant(&program.zero(&ty))?;
        let mut there = Vec::new();
        for other in 0..scope.store.instances.len() {
            if self.controls[other].process != process {
                continue;
            }
            let meant = self.circuit.aig.eq(&wanted.value.word(), &number(other));
            let lives = self.lives(scope.store, other);
            let aig = &mut self.circuit.aig;
            let meant = aig.and(meant, lives);
            let held = &scope.store.instances[other].frame[local as usize];
            value = aig.mux_value(meant, held, &value);
            there.push(meant);
        }
        let inner = self.project(memo, value, &place.path)?;
        let aig = &mut self.circuit.aig;
        let there = aig.any(&there);
        let reached = inner.trouble.under(aig, there);
        let trouble = wanted.trouble.then(aig, &reached);
        let value = aig.mux_value(there, &inner.value, &nothing);
        Ok(Evaluated { value, trouble })
    }
}
