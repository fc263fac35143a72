//! Expansion by trying moves one after the other, each on its [footprint](crate::successors::read_write_sets) only.

use crate::ir::instruction::{NOTED, Slot};
use crate::ir::state_width::{Width, with_width};
use crate::reduction::partial_order::ExplorationResult;
use crate::store::packing::Field;
use crate::successors::cache_cursor::{AT_ONCE, Remembered};
use crate::successors::expander::{
    After, Driver, EnabledMode, End, Expanded, Halt, OutcomeMode, Result, Sink,
};
use crate::successors::read_write_sets::{Footprint, Footprints, GuardedMove};
use crate::successors::transition_cache::{Moves, copy_words};
use crate::vm::dependencies::Tracking;
use crate::vm::machine::{Exit, Machine};

/// In which order instances are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    FirstFirst,
    LastFirst,
}

/// What has been explored of a state, where it is explored location by location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Nothing: no move is possible any more.
    Nothing,
    /// Moves of one location; so many locations are left to try.
    Left(usize),
    /// A stubborn set, which suffices if somebody sees to what is put off. All that can happen comes
    /// with so many locations left.
    Stubborn { all: usize },
}

impl Next {
    /// After all moves have been tried.
    fn after_all(expanded: Expanded) -> Next {
        match expanded {
            Expanded { reduced: true, .. } => Next::Stubborn { all: 1 },
            Expanded { moves: true, .. } => Next::Left(0),
            _ => Next::Nothing,
        }
    }
}

impl<'c> Driver<'c> {
    /// Everything that can happen from a stable state, but for what a stubborn set makes
    /// unnecessary, class by class, where trying tells what is enabled.
    #[inline(never)]
    pub(crate) fn expand_by_trying(
        &mut self,
        footprints: &'c Footprints,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<Expanded> {
        let mut ready = self.outcome_mode == OutcomeMode::Always || self.chooser.is_some();
        if ready {
            self.make_ready(stored);
        }
        self.outcomes_before(footprints)?;
        let (mut some, mut enabled) = (false, 0);
        let mut tried = 0;
        match self.expand_stubborn_first(footprints, stored, sink)? {
            None => {}
            Some(ExplorationResult::Enough) => {
                return Ok(Expanded {
                    moves: true,
                    enabled: 0,
                    reduced: true,
                });
            }
            Some(ExplorationResult::Only {
                tried: those,
                some: any,
            }) => (tried, some) = (those, any),
        }
        for number in 0..footprints.classes.len() {
            for position in 0..footprints.stations.len() {
                if number == 0 && position < 64 && tried >> position & 1 != 0 {
                    continue;
                }
                let (taken, sets) =
                    self.try_location(footprints, position, number, stored, &mut ready, sink)?;
                some |= taken;
                enabled |= sets;
            }
            if !some && footprints.some_wait {
                (some, enabled) = self.try_waiting(footprints, number, stored, &mut ready, sink)?;
            }
            if some {
                break;
            }
        }
        if !some {
            self.load(stored);
        }
        Ok(Expanded {
            moves: some,
            enabled,
            reduced: false,
        })
    }

    /// Everything that can happen from a stable state that has this number among those whose
    /// remembered moves were looked for: tries the moves of those instances of which nothing was found.
    #[inline(never)]
    fn expand_partly_found(
        &mut self,
        width: impl Width,
        number: usize,
        footprints: &'c Footprints,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<Expanded> {
        let (mut some, mut enabled) = (self.found.is_possible(number), 0);
        let mut ready = false;
        for position in 0..footprints.stations.len() {
            match self.found.of(position, number) {
                Remembered::Nothing => {}
                Remembered::At(place) => {
                    enabled |= self.tell_remembered(width, place, stored, sink)?;
                }
                Remembered::Unknown => {
                    let (taken, sets) =
                        self.try_not_found(footprints, position, stored, &mut ready, sink)?;
                    some |= taken;
                    enabled |= sets;
                }
            }
        }
        if !some && footprints.some_wait {
            (some, enabled) = self.try_waiting(footprints, 0, stored, &mut ready, sink)?;
        }
        if !some {
            self.load(stored);
        }
        Ok(Expanded {
            moves: some,
            enabled,
            reduced: false,
        })
    }

    /// Tells of the ends at a place that was found, which are nothing but states; gives the fairness
    /// sets of which some step is enabled.
    #[inline(always)]
    fn tell_remembered(
        &mut self,
        width: impl Width,
        place: u32,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<u64> {
        let Some(entry) = self.transition_cache.entry(width, place) else {
            return Ok(0);
        };
        for ended in entry.ends() {
            if sink.remembered(stored, &ended, &mut self.stored).is_break() {
                return Err(Halt::Enough);
            }
        }
        Ok(entry.enabled)
    }

    /// Explores a stubborn set, if moves may be left out.
    fn expand_stubborn_first(
        &mut self,
        footprints: &'c Footprints,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<Option<ExplorationResult>> {
        let Some(mut chooser) = self.chooser.take() else {
            return Ok(None);
        };
        let explored = self.expand_stubborn(&mut chooser, footprints, stored, sink);
        self.chooser = Some(chooser);
        explored.map(Some)
    }

    /// Finds what is remembered of states that are expanded in order, of some at a time: to be
    /// called for each of them. Gives the number that the one at a place has among those.
    #[inline(always)]
    pub(crate) fn find(&mut self, width: impl Width, states: &[u64], place: usize) -> usize {
        let number = place % AT_ONCE;
        if number == 0 {
            self.find_some(width, &states[place * width.get()..]);
        }
        number
    }

    /// Finds what is remembered of the first of some states.
    #[inline(always)]
    fn find_some(&mut self, width: impl Width, states: &[u64]) {
        match self.footprints {
            // Nothing is left out, waited for, or to be known beside the ends.
            Some(footprints)
                if self.plain && self.chooser.is_none() && footprints.classes.len() == 1 =>
            {
                self.found
                    .find(width, &self.transition_cache, &footprints.stations, states);
            }
            _ => self.found.forget(),
        }
    }

    /// Everything that can happen from a stable state that has this number among those whose
    /// remembered moves were looked for.
    #[inline(always)]
    pub(crate) fn expand_found(
        &mut self,
        width: impl Width,
        number: usize,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<Expanded> {
        // Nothing, unless all moves are remembered and one is possible.
        let Some(places) = self.found.places(number) else {
            return match self.footprints {
                Some(footprints) if self.found.is_incomplete(number) => {
                    self.expand_partly_found(width, number, footprints, stored, sink)
                }
                _ => self.expand(stored, sink),
            };
        };
        let mut enabled = 0;
        for entry in places.filter_map(|place| self.transition_cache.entry(width, place)) {
            enabled |= entry.enabled;
            for ended in entry.ends() {
                if sink.remembered(stored, &ended, &mut self.stored).is_break() {
                    return Err(Halt::Enough);
                }
            }
        }
        Ok(Expanded::in_full(enabled))
    }

    /// The next of what can happen from a stable state: the locations that are left (all, where
    /// nothing has been tried) are tried in order up to one with a possible move. A stubborn set that
    /// suffices goes first.
    ///
    /// Where moves are not of one class, or cannot be tried one by one, all is explored at once.
    pub(crate) fn expand_next(
        &mut self,
        stored: &[u64],
        left: Option<usize>,
        order: Order,
        sink: &mut impl Sink,
    ) -> Result<Next> {
        let Some(footprints) = self.footprints.filter(|all| all.classes.len() == 1) else {
            let expanded = match left {
                None => self.expand(stored, sink)?,
                Some(_) => self.expand_fully(stored, sink)?,
            };
            return Ok(Next::after_all(expanded));
        };
        self.recording.on = false;
        let chooses = left.is_none() && self.chooser.is_some();
        let mut ready = self.outcome_mode == OutcomeMode::Always || chooses;
        if ready {
            self.make_ready(stored);
        }
        self.outcomes_before(footprints)?;
        let all = footprints.stations.len();
        let first = left.is_none();
        if chooses {
            match self.expand_stubborn_first(footprints, stored, sink)? {
                Some(ExplorationResult::Enough) => return Ok(Next::Stubborn { all }),
                // Those that have been tried come again.
                Some(ExplorationResult::Only { some: true, .. }) => return Ok(Next::Left(all)),
                Some(ExplorationResult::Only { some: false, .. }) | None => {}
            }
        }
        for left in (0..left.unwrap_or(all)).rev() {
            let position = match order {
                Order::FirstFirst => all - 1 - left,
                Order::LastFirst => left,
            };
            let (taken, _) =
                self.try_location(footprints, position, 0, stored, &mut ready, sink)?;
            if taken {
                return Ok(Next::Left(left));
            }
        }
        // Where something was possible, nothing has waited for the contrary.
        if first && footprints.some_wait {
            let (some, _) = self.try_waiting(footprints, 0, stored, &mut ready, sink)?;
            if some {
                return Ok(Next::Left(0));
            }
        }
        if first {
            self.load(stored);
        }
        Ok(Next::Nothing)
    }

    /// Tries the moves of the class with a number that wait for nothing else to be possible, when
    /// nothing else is; says whether there are any, and the fairness sets of those.
    fn try_waiting(
        &mut self,
        footprints: &'c Footprints,
        number: usize,
        stored: &[u64],
        ready: &mut bool,
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        if !std::mem::replace(ready, true) {
            self.make_ready(stored);
        }
        let class = footprints.classes[number];
        let (mut some, mut enabled) = (false, 0);
        for location_lists in &footprints.stations {
            let mut taken = false;
            for guarded_move in footprints.priority_list(location_lists.priority_list(stored)) {
                if guarded_move.less_urgent && taken {
                    break;
                }
                if guarded_move.class == class
                    && guarded_move.waits
                    && self.try_move(footprints, guarded_move, sink)?
                {
                    taken = true;
                    enabled |= guarded_move.fair;
                }
            }
            some |= taken;
        }
        Ok((some, enabled))
    }

    /// Tries the moves of the class with a number from where somebody is, but for those that wait;
    /// says whether there are any, and the fairness sets of those.
    pub(crate) fn try_location(
        &mut self,
        footprints: &'c Footprints,
        position: usize,
        number: usize,
        stored: &[u64],
        ready: &mut bool,
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        let location_lists = footprints.stations[position];
        let priority_list = location_lists.priority_list(stored);
        let table = number * footprints.priority_list_count() + priority_list;
        let moves = || Moves {
            footprints,
            location_lists,
            class: footprints.classes[number],
            all: footprints.priority_list(priority_list),
        };
        if self.transition_cache.is_split(table) {
            return self.try_groups(moves(), table, stored, ready, sink);
        }
        if let Some(place) = self.recall(table, stored) {
            return self.tell_ends(place, stored, sink);
        }
        self.try_list(moves(), table, stored, ready, sink)
    }

    /// The same where nothing was found of those moves.
    fn try_not_found(
        &mut self,
        footprints: &'c Footprints,
        position: usize,
        stored: &[u64],
        ready: &mut bool,
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        let location_lists = footprints.stations[position];
        let table = location_lists.priority_list(stored);
        if self.transition_cache.is_split(table) || self.transition_cache.learns(table) {
            // It may have been learnt since.
            return self.try_location(footprints, position, 0, stored, ready, sink);
        }
        let moves = Moves {
            footprints,
            location_lists,
            class: footprints.classes[0],
            all: footprints.priority_list(table),
        };
        self.recording.begin(self.transition_cache.miss(table));
        self.try_list(moves, table, stored, ready, sink)
    }

    /// Tries all moves at a location of which nothing is remembered.
    fn try_list(
        &mut self,
        moves: Moves<'c>,
        table: usize,
        stored: &[u64],
        ready: &mut bool,
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        if !std::mem::replace(ready, true) {
            self.make_ready(stored);
        }
        let footprints = moves.footprints;
        if footprints.touches_all(moves.location_lists.priority_list(stored)) {
            self.fetch(footprints, None);
        }
        self.try_moves(moves, moves.all, table, stored, sink)
    }

    /// Where it stands what the moves that a table is about lead to; nothing if that is not known.
    #[inline(always)]
    fn recall(&mut self, table: usize, stored: &[u64]) -> Option<u32> {
        let forgotten =
            self.outcome_mode != OutcomeMode::Never && self.transition_cache.is_observed(table);
        let found = if forgotten {
            None
        } else {
            with_width!(stored.len(), width => {
                let view = self.transition_cache.view(width, table);
                view.and_then(|view| self.transition_cache.look_up(view, table, stored))
            })
        };
        if found.is_none() {
            self.recording
                .begin(!forgotten && self.transition_cache.miss(table));
        }
        found
    }

    /// Tries the moves at a location that are remembered in groups.
    #[inline(never)]
    fn try_groups(
        &mut self,
        moves: Moves<'c>,
        table: usize,
        stored: &[u64],
        ready: &mut bool,
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        self.transition_cache.split(table, moves);
        let (mut some, mut sets) = (false, 0);
        let mut number = 0;
        while let Some((group, (first, end))) = self.transition_cache.group(table, number) {
            let these = &moves.all[first as usize..end as usize];
            if !these
                .iter()
                .any(|it| moves.footprints.may_be_possible(it, stored))
            {
                number += 1;
                continue;
            }
            if self.transition_cache.is_split(group) {
                self.transition_cache.halve(table, number, moves);
                continue;
            }
            let (taken, enabled) = match self.recall(group, stored) {
                Some(place) => self.tell_ends(place, stored, sink)?,
                None => {
                    if !std::mem::replace(ready, true) {
                        self.make_ready(stored);
                    }
                    self.try_moves(moves, these, group, stored, sink)?
                }
            };
            some |= taken;
            sets |= enabled;
            number += 1;
        }
        Ok((some, sets))
    }

    /// Tries some moves at a location of which nothing is remembered, and has them remembered in a
    /// table if that has been begun.
    #[inline(never)]
    fn try_moves(
        &mut self,
        moves: Moves<'c>,
        these: &'c [GuardedMove],
        table: usize,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        self.machine.tracking = match self.recording.on {
            true => self.transition_cache.tracking(table),
            false => Tracking::Nothing,
        };
        self.machine.dependencies.clear();
        let tried = self.try_each(moves, these, sink);
        self.machine.tracking = Tracking::Nothing;
        let outcome = tried?;
        let machine = &self.machine;
        let complete = !machine.dependencies.incomplete && machine.violations.is_empty();
        if std::mem::take(&mut self.recording.on) && complete {
            let state = (stored.len(), self.machine.code.state);
            self.recording
                .touched_by(&self.machine.dependencies, moves.footprints, state);
            self.transition_cache
                .learn(table, stored, outcome, &self.recording);
        }
        Ok(outcome)
    }

    fn try_each(
        &mut self,
        moves: Moves<'c>,
        these: &'c [GuardedMove],
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        let (mut taken, mut sets) = (false, 0);
        for guarded_move in these {
            if guarded_move.less_urgent && taken {
                break;
            }
            if guarded_move.class == moves.class && !guarded_move.waits {
                let possible = self.try_move(moves.footprints, guarded_move, sink)?;
                if possible {
                    sets |= match self.enabled_mode {
                        EnabledMode::Instances => guarded_move.parts.unwrap_or_default(),
                        _ => guarded_move.fair,
                    };
                }
                taken |= possible;
            }
        }
        Ok((taken, sets))
    }

    /// Makes the machine ready for the moves of a state: the expansion before may have been broken
    /// off.
    fn make_ready(&mut self, stored: &[u64]) {
        copy_words(&mut self.from, stored);
        self.holds_all = false;
        self.machine.list_base = 0;
        self.machine.through = false;
        self.machine.violations.clear();
        self.machine.log.clear();
        for stack in &mut self.machine.stacks {
            stack.close();
        }
    }

    /// Tells of all ends at a place that was found; says whether a move is possible, and the fairness
    /// sets of those.
    #[inline(never)]
    fn tell_ends(
        &mut self,
        place: u32,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        with_width!(stored.len(), width => self.tell_ends_in(width, place, stored, sink))
    }

    #[inline(always)]
    fn tell_ends_in(
        &mut self,
        width: impl Width,
        place: u32,
        stored: &[u64],
        sink: &mut impl Sink,
    ) -> Result<(bool, u64)> {
        let next = &mut self.stored;
        let Some(entry) = self.transition_cache.entry(width, place) else {
            return Ok((false, 0));
        };
        for ended in entry.ends() {
            let (taken, label) = match u32::try_from(ended.mark) {
                Ok(label) if self.labels => (0, label),
                _ => (ended.mark, 0),
            };
            ended.write(stored, next);
            if let Some(symmetry) = &mut self.symmetry {
                symmetry.sort(next);
            }
            self.ends += 1;
            let end = End {
                stored: next,
                outcomes: if self.outcome_mode == OutcomeMode::Always {
                    &self.before[self.constraints..]
                } else {
                    &[]
                },
                taken,
                label,
                log: 0,
            };
            if sink.successor(&end).is_break() {
                return Err(Halt::Enough);
            }
        }
        Ok((entry.is_possible, entry.enabled))
    }

    /// Makes a move in all ways there are; says whether there are any.
    #[inline]
    pub(crate) fn try_move(
        &mut self,
        footprints: &'c Footprints,
        guarded_move: &'c GuardedMove,
        sink: &mut impl Sink,
    ) -> Result<bool> {
        let code = self.machine.code;
        let footprint = guarded_move.footprint.as_ref();
        // What is read of a state by moves without a footprint is to be written down.
        if footprint.is_some() && !footprints.may_be_possible(guarded_move, &self.from) {
            return Ok(false);
        }
        self.touched = footprint;
        let mut any = false;
        let mut pc = guarded_move.enumerate;
        loop {
            self.fetch(footprints, footprint);
            self.machine.through = true;
            let (mut exit, mut here) = self.machine.run(pc);
            if std::mem::take(&mut self.machine.through) {
                // It has not come to a move.
                self.holds_all &= !guarded_move.writes;
                if exit == Exit::Stop {
                    return Err(self.machine.stopped().into());
                }
                break;
            }
            any = true;
            self.holds_all &= footprint.is_some();
            pc = self.machine.resume;
            while footprint.is_some()
                && let Exit::Settle(last) = exit
                && self.machine.is_straight()
            {
                match self.settle(last)? {
                    After::Stable => exit = Exit::Stable,
                    After::Code(next) => (exit, here) = self.machine.run(next),
                    After::Moves(_) => unreachable!("a move with a footprint asks for none"),
                }
            }
            if exit == Exit::Stable && self.machine.is_straight() {
                self.finish(sink)?;
            } else {
                self.macro_step(exit, here, sink)?;
            }
            if let Some(footprint) = footprint
                && self.holds_all
            {
                // Undo its changes for the next move.
                unpack(&mut self.machine, footprints.written(footprint), &self.from);
                reset(&mut self.machine, footprints.reset(footprint));
            }
            self.machine.list_base -= code.lists;
            self.machine.log.go_back(0);
            // A run that was removed may have left calls open.
            for stack in &mut self.machine.stacks {
                stack.close();
            }
            if footprint.is_some_and(|footprint| !footprint.several) {
                break;
            }
        }
        self.machine.log.go_back(0);
        self.touched = None;
        Ok(any)
    }

    /// Unpacks what a move touches, or the whole state if that is not known; nothing if the machine holds it.
    #[inline]
    fn fetch(&mut self, footprints: &Footprints, footprint: Option<&Footprint>) {
        let machine = &mut self.machine;
        let code = machine.code;
        let clean = std::mem::replace(&mut self.clean, footprint.is_some_and(|f| !f.lasting));
        if !clean || *machine.shared(NOTED) != 0 {
            machine.memory[code.lasting..code.state].fill(0);
        }
        let Some(footprint) = footprint else {
            if !std::mem::replace(&mut self.holds_all, true) {
                let state = code.state..code.state + code.state_len;
                self.packing.unpack(&self.from, &mut machine.memory[state]);
            }
            return;
        };
        if !self.holds_all {
            unpack(machine, footprints.fetched(footprint), &self.from);
        }
        reset(machine, footprints.reset(footprint));
        if self.outcome_mode != OutcomeMode::Never {
            reset(machine, footprints.reset_for_outcomes());
        }
    }

    /// What is asked for, in a stored state; the state constraints come first.
    pub(crate) fn outcomes_at(&mut self, stored: &[u64]) -> Result<&[i64]> {
        match self.footprints {
            Some(footprints) if footprints.finish.is_some() => {
                copy_words(&mut self.from, stored);
                self.holds_all = false;
                self.machine.list_base = 0;
                self.machine.through = false;
                self.fetch(footprints, footprints.finish.as_ref());
            }
            _ => self.load(stored),
        }
        self.outcomes_here()
    }

    /// What is asked for, in the state to be expanded: most moves do not change it.
    fn outcomes_before(&mut self, footprints: &'c Footprints) -> Result<()> {
        if self.outcome_mode != OutcomeMode::Always {
            return Ok(());
        }
        self.fetch(footprints, footprints.finish.as_ref());
        let outcomes = self.outcomes_here()?.to_vec();
        self.holds_all = false;
        self.before = outcomes;
        Ok(())
    }

    /// Packs the state that a move with a footprint has led to. Says whether what is asked for may
    /// have changed; then everything is in place to evaluate it.
    #[inline]
    pub(crate) fn pack_touched(&mut self, footprint: &Footprint) -> Result<bool> {
        let machine = &mut self.machine;
        let Some(footprints) = self.footprints else {
            unreachable!("a footprint is one of all");
        };
        copy_words(&mut self.stored, &self.from);
        let written = footprints.written(footprint);
        let mut excess = 0;
        for field in written {
            excess |= field.set(&mut self.stored, machine.memory[usize::from(field.slot)]);
        }
        if excess != 0 && self.packing.is_fitted() {
            // What is not touched is where it was.
            let state = machine.code.state..machine.code.state + machine.code.state_len;
            let now: Vec<_> = written
                .iter()
                .map(|field| machine.memory[usize::from(field.slot)])
                .collect();
            self.packing
                .unpack(&self.from, &mut machine.memory[state.clone()]);
            for (field, now) in written.iter().zip(now) {
                machine.memory[usize::from(field.slot)] = now;
            }
            self.packing.outgrow(&machine.memory[state]);
            return Err(Halt::FieldOverflow);
        }
        if self.outcome_mode == OutcomeMode::Never || !footprint.outcomes {
            return Ok(false);
        }
        self.holds_all = false;
        match &footprints.finish {
            Some(finish) => unpack(machine, footprints.fetched(finish), &self.stored),
            None => {
                // What the move has left in step variables counts, too.
                let state = machine.code.state..machine.code.state + machine.code.state_len;
                self.packing
                    .unpack_stored(&self.stored, &mut machine.memory[state]);
            }
        }
        Ok(true)
    }
}

#[inline]
fn unpack(machine: &mut Machine<'_>, fields: &[Field], stored: &[u64]) {
    for field in fields {
        machine.memory[usize::from(field.slot)] = field.get(stored);
    }
}

/// Resets slots that are not stored to their values before each move.
#[inline]
fn reset(machine: &mut Machine<'_>, slots: &[(Slot, i64)]) {
    for &(slot, value) in slots {
        machine.memory[usize::from(slot)] = value;
    }
}
