//! The moves of the whole program: who can take which step when.
//!
//! The interpreter asks in each state which moves are possible and strikes out those that
//! something more urgent keeps from happening. Here both are conditions, written once for each
//! combination of instance, location and step (and partner, at a rendezvous): `can_n` says that
//! guard and communication allow move `n`, and its guard says besides that nothing takes
//! precedence.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::{Comm, ExprId, LocId, Mode, Pattern, Place, ProcedureId, Root, Step, StepId, Value};

use super::expr::{Scope, Term, all, any};
use super::walk::{asks_timeout, constant_members, is_disabled, reads};
use super::writer::{NOTHING_ENABLED, Writer};

/// Combinations of choices that a guard looks at; more are refused.
const MOST_COMBINATIONS: usize = 1_000;

/// What one instance does in a move.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) slot: usize,
    pub(super) step: StepId,
    pub(super) from: LocId,
    pub(super) procedure: Option<ProcedureId>,
    precedence: u16,
    rank: u16,
}

/// A move.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    /// None: the instance in `leaves` goes away.
    pub(super) parts: Vec<Part>,
    pub(super) leaves: Option<usize>,
    pub(super) class: u8,
    /// The choices made before the guard, where the guard looks at them.
    pub(super) fixed: Option<HashMap<Place, Value>>,
    /// When guard and communication allow it.
    pub(super) can: String,
    /// The same where `timeout` is being asked for.
    can_without_timeout: String,
}

/// All moves, and the conditions that several of them share.
pub(super) struct Moves {
    pub(super) all: Vec<Moving>,
    /// Names and texts of macros, in order.
    pub(super) macros: Vec<(String, String)>,
    /// For each move: allowed, and no sibling more urgent.
    may: Vec<String>,
}

impl Writer<'_> {
    pub(super) fn scope_of(&self, part: &Part) -> Scope<'static> {
        Scope::of(part.slot, part.procedure)
    }

    pub(super) fn step_of(&self, part: &Part) -> &Step {
        let process = self.layout.slots[part.slot].process;
        &self.program.processes[process.index()].steps[part.step.index()]
    }

    fn offers(&self) -> Vec<Part> {
        let mut offers = Vec::new();
        for (slot, entry) in self.layout.slots.iter().enumerate() {
            let process = &self.program.processes[entry.process.index()];
            let control = &self.layout.controls[entry.process.index()];
            for (&location, &procedure) in &control.reached {
                let mut offer = |step: StepId, precedence: u16| {
                    let declared = &process.steps[step.index()];
                    if !is_disabled(self.program, declared) {
                        offers.push(Part {
                            slot,
                            step,
                            from: location,
                            procedure,
                            precedence,
                            rank: declared.rank,
                        });
                    }
                };
                for (index, step) in process.steps.iter().enumerate() {
                    let id = StepId::new(index);
                    let escapes = process.escapes.iter().any(|e| e.steps.contains(&id));
                    if step.from == location && !escapes {
                        offer(id, 0);
                    }
                }
                for escape in &process.escapes {
                    if escape.covers.contains(&location) {
                        for &id in &escape.steps {
                            offer(id, escape.precedence);
                        }
                    }
                }
            }
        }
        offers
    }

    /// Every move there can be.
    pub(super) fn moves(&self) -> Moves {
        let offers = self.offers();
        let mut moves = Vec::new();
        for part in &offers {
            let step = self.step_of(part);
            self.span.set(step.span);
            match &step.comm {
                Some(Comm::Barrier(_)) => self.refuse("steps that several processes take together"),
                Some(Comm::Send { channel, .. }) => {
                    if self.some_channel(*channel, |capacity| capacity == Some(0)) {
                        for other in &offers {
                            if other.slot != part.slot && self.may_meet(part, other) {
                                self.add(&mut moves, &[part.clone(), other.clone()]);
                            }
                        }
                    }
                    if self.some_channel(*channel, |capacity| capacity != Some(0)) {
                        self.add(&mut moves, std::slice::from_ref(part));
                    }
                }
                Some(Comm::Receive { channel, .. }) => {
                    if self.some_channel(*channel, |capacity| capacity != Some(0)) {
                        self.add(&mut moves, std::slice::from_ref(part));
                    }
                }
                None => self.add(&mut moves, std::slice::from_ref(part)),
            }
        }
        self.add_leaving(&mut moves);
        self.with_precedence(moves)
    }

    /// Ended instances go away in steps of their own, the youngest first.
    fn add_leaving(&self, moves: &mut Vec<Moving>) {
        let stays = self.program.composition
            == model::Composition::Interleaving {
                ids: model::IdPolicy::Stack,
            };
        if !stays {
            return;
        }
        for slot in 0..self.layout.slots.len() {
            if !self.may_leave(slot) {
                continue;
            }
            self.note_at(slot);
            let position = self.layout.slots[slot].position;
            let younger = (0..self.layout.slots.len())
                .filter(|&other| self.layout.slots[other].position > position)
                .map(|other| format!("!{}", self.lives(other)));
            let ended = format!("{} == {}", self.layout.at(slot), self.layout.ended(slot));
            let can = all(std::iter::once(format!("({ended})"))
                .chain(younger.map(|text| if text == "!1" { "0".into() } else { text })));
            if can != "0" {
                moves.push(Moving {
                    parts: Vec::new(),
                    leaves: Some(slot),
                    class: 1,
                    fixed: None,
                    can_without_timeout: can.clone(),
                    can,
                });
            }
        }
    }

    fn constant_channel(&self, channel: ExprId) -> Option<usize> {
        match self.program.exprs.constant(channel)? {
            Value::Int(n) => usize::try_from(n - 1).ok(),
            _ => None,
        }
    }

    fn capacity(&self, channel: usize) -> Option<u32> {
        let id = self.layout.channels[channel];
        self.program.channels[id.index()].capacity
    }

    /// Whether a reference may name a channel of such a capacity, or none.
    fn some_channel(&self, channel: ExprId, wanted: impl Fn(Option<u32>) -> bool) -> bool {
        match self.constant_channel(channel) {
            Some(place) if place < self.layout.channels.len() => wanted(self.capacity(place)),
            Some(_) => wanted(None),
            None => (0..self.layout.channels.len()).any(|place| wanted(self.capacity(place))),
        }
    }

    fn may_meet(&self, sender: &Part, receiver: &Part) -> bool {
        let (Some(Comm::Send { channel: a, .. }), Some(Comm::Receive { channel: b, .. })) =
            (&self.step_of(sender).comm, &self.step_of(receiver).comm)
        else {
            return false;
        };
        match (self.constant_channel(*a), self.constant_channel(*b)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    /// Adds a move, once for each combination of choices if a guard looks at them.
    fn add(&self, moves: &mut Vec<Moving>, parts: &[Part]) {
        let class = parts
            .iter()
            .map(|part| self.step_of(part).class)
            .max()
            .unwrap_or(1);
        for fixed in self.combinations(parts) {
            let can = self.can(parts, fixed.as_ref(), None);
            if can == "0" {
                continue;
            }
            let asks = parts.iter().any(|part| {
                let process = self.layout.slots[part.slot].process.index();
                let step = self.step_of(part);
                let provided = self.program.processes[process].provided_for(step);
                let guard = step.guard;
                let mut both = guard.into_iter().chain(provided);
                both.any(|guard| asks_timeout(self.program, guard))
            });
            let can_without_timeout = if asks {
                self.can(parts, fixed.as_ref(), Some(false))
            } else {
                can.clone()
            };
            moves.push(Moving {
                parts: parts.to_vec(),
                leaves: None,
                class,
                fixed,
                can,
                can_without_timeout,
            });
        }
    }

    /// `[None]` if no condition looks at the choices.
    fn combinations(&self, parts: &[Part]) -> Vec<Option<HashMap<Place, Value>>> {
        let mut roots: HashSet<Root> = HashSet::new();
        let mut dependent = false;
        let looks = |id: ExprId, roots: &HashSet<Root>| reads(self.program, id, roots);
        for part in parts {
            for choice in &self.step_of(part).binds {
                choice
                    .set
                    .operands(&mut |id| dependent |= looks(id, &roots));
                roots.insert(choice.place.root);
            }
        }
        if roots.is_empty() {
            return vec![None];
        }
        for part in parts {
            let process = self.layout.slots[part.slot].process.index();
            let step = self.step_of(part);
            let provided = self.program.processes[process].provided_for(step);
            for id in step.guard.into_iter().chain(provided) {
                dependent |= looks(id, &roots);
            }
            match &step.comm {
                Some(Comm::Send { channel, .. }) => dependent |= looks(*channel, &roots),
                Some(Comm::Receive {
                    channel, patterns, ..
                }) => {
                    dependent |= looks(*channel, &roots);
                    for pattern in patterns {
                        if let Pattern::Match(_) = pattern {
                            // What is matched may be what the partner has chosen.
                            dependent = true;
                        }
                    }
                }
                _ => {}
            }
        }
        if !dependent {
            return vec![None];
        }
        let mut rows: Vec<HashMap<Place, Value>> = vec![HashMap::new()];
        for part in parts {
            for choice in &self.step_of(part).binds {
                let members = constant_members(self.program, &choice.set, MOST_COMBINATIONS);
                let members = members.filter(|members| {
                    choice.sample.is_none() && rows.len() * members.len() <= MOST_COMBINATIONS
                });
                let Some(members) = members else {
                    self.refuse_choice(&choice.what);
                    return Vec::new();
                };
                rows = rows
                    .into_iter()
                    .flat_map(|row| {
                        members.iter().map(move |value| {
                            let mut row = row.clone();
                            row.insert(choice.place.clone(), value.clone());
                            row
                        })
                    })
                    .collect();
            }
        }
        rows.into_iter().map(Some).collect()
    }

    /// When guards and communication allow a move.
    fn can(
        &self,
        parts: &[Part],
        fixed: Option<&HashMap<Place, Value>>,
        timeout: Option<bool>,
    ) -> String {
        let scopes: Vec<Scope<'_>> = parts
            .iter()
            .map(|part| Scope {
                fixed,
                timeout,
                ..self.scope_of(part)
            })
            .collect();
        let mut conditions = Vec::new();
        for part in parts {
            self.note_at(part.slot);
            conditions.push(format!(
                "({} == {})",
                self.layout.at(part.slot),
                part.from.0
            ));
        }
        let mut faults = Vec::new();
        let mut rest = Vec::new();
        for (part, &scope) in parts.iter().zip(&scopes) {
            let step = self.step_of(part);
            if fixed.is_none() {
                rest.push(self.can_choose(scope, &step.binds));
            }
            for term in self.guards(part, scope) {
                let before = all(rest.clone());
                faults.extend(term.faults.iter().map(|(text, _)| self.both(&before, text)));
                rest.push(term.text);
            }
        }
        let term = self.can_communicate(parts, &scopes);
        let before = all(rest.clone());
        faults.extend(term.faults.iter().map(|(text, _)| self.both(&before, text)));
        rest.push(term.text);
        conditions.push(any(faults.into_iter().chain([all(rest)])));
        all(conditions)
    }

    /// What must hold before a step: what the process is provided with, and the guard.
    pub(super) fn guards(&self, part: &Part, scope: Scope<'_>) -> Vec<Term> {
        let process = self.layout.slots[part.slot].process.index();
        let step = self.step_of(part);
        let provided = self.program.processes[process].provided_for(step);
        let guard = step.guard;
        let both = provided.into_iter().chain(guard);
        both.map(|guard| self.expr(scope, guard)).collect()
    }

    pub(super) fn can_communicate(&self, parts: &[Part], scopes: &[Scope<'_>]) -> Term {
        let comms: Vec<&Comm> = parts
            .iter()
            .filter_map(|part| self.step_of(part).comm.as_ref())
            .collect();
        match comms.as_slice() {
            [
                Comm::Send {
                    channel, message, ..
                },
                Comm::Receive {
                    channel: other,
                    patterns,
                    ..
                },
            ] => {
                let (sender, receiver) = (scopes[0], scopes[1]);
                let mut conditions = Vec::new();
                let mut faults = Vec::new();
                if self.constant_channel(*channel).is_none()
                    || self.constant_channel(*other).is_none()
                {
                    let (a, b) = (self.expr(sender, *channel), self.expr(receiver, *other));
                    let empty = (0..self.layout.channels.len())
                        .filter(|&place| self.capacity(place) == Some(0))
                        .map(|place| format!("({} == {})", a.text, place + 1));
                    conditions.push(any(empty));
                    conditions.push(format!("({} == {})", a.text, b.text));
                    faults.extend(a.faults);
                    faults.extend(b.faults);
                }
                let fields = self.field_types(*channel);
                for (index, (&field, pattern)) in message.iter().zip(patterns).enumerate() {
                    if let Pattern::Match(wanted) = pattern {
                        let sent = self.sent(sender, field, fields.get(index));
                        let wanted = self.expr(receiver, *wanted);
                        conditions.push(format!("({} == {})", sent.text, wanted.text));
                        faults.extend(sent.faults);
                        faults.extend(wanted.faults);
                    } else {
                        faults.extend(self.sent(sender, field, fields.get(index)).faults);
                    }
                }
                Term {
                    text: all(conditions),
                    faults,
                }
            }
            [Comm::Send { channel, lossy, .. }] => self.per_channel(scopes[0], *channel, |place| {
                let text = match self.capacity(place) {
                    Some(0) => "0".to_owned(),
                    Some(_) if *lossy => "1".to_owned(),
                    Some(capacity) => format!("(len({}) < {capacity})", self.channel_name(place)),
                    None => {
                        self.refuse("queues without a bound");
                        "0".to_owned()
                    }
                };
                Term {
                    text,
                    faults: Vec::new(),
                }
            }),
            [
                Comm::Receive {
                    channel,
                    patterns,
                    anywhere,
                    ..
                },
            ] => {
                let mut faults = Vec::new();
                let fields: Vec<String> = patterns
                    .iter()
                    .map(|pattern| match pattern {
                        Pattern::Match(value) => {
                            let term = self.expr(scopes[0], *value);
                            faults.extend(term.faults);
                            format!("eval({})", term.text)
                        }
                        Pattern::Bind(_) | Pattern::Any => "_".to_owned(),
                    })
                    .collect();
                let term = self.per_channel(scopes[0], *channel, |place| Term {
                    text: if self.capacity(place) == Some(0) {
                        "0".to_owned()
                    } else {
                        self.poll(place, &fields, *anywhere)
                    },
                    faults: Vec::new(),
                });
                faults.extend(term.faults);
                Term {
                    text: term.text,
                    faults,
                }
            }
            _ => Term {
                text: "1".into(),
                faults: Vec::new(),
            },
        }
    }

    /// The types of the fields of the channels that a reference can name.
    pub(super) fn field_types(&self, channel: ExprId) -> Vec<model::Type> {
        let place = self.constant_channel(channel).unwrap_or(0);
        self.layout
            .channels
            .get(place)
            .map(|id| self.program.channels[id.index()].fields.clone())
            .unwrap_or_default()
    }

    /// A message's field as the channel holds it.
    pub(super) fn sent(&self, scope: Scope<'_>, field: ExprId, ty: Option<&model::Type>) -> Term {
        let mut term = self.expr(scope, field);
        let (lo, hi) = self.bounds(scope, field);
        match ty {
            Some(ty @ model::Type::Int { .. }) => {
                term.text = self.wrapped(ty, term.text, lo, hi);
            }
            Some(ty @ model::Type::Range { .. }) => {
                let (least, most) = super::body::type_bounds(ty);
                if (lo < least || hi > most)
                    && let Some(fault) = self.program.range_fault
                {
                    let outside = format!("({0} < {least} || {0} > {most})", term.text);
                    term.faults.push((outside, fault));
                }
            }
            _ => {}
        }
        term
    }

    /// Strikes out what a more urgent sibling, step class or process keeps from happening.
    fn with_precedence(&self, moves: Vec<Moving>) -> Moves {
        let mut macros = Vec::new();
        let mut moves = moves;
        if self.program.processes.iter().any(|p| p.priority.is_some()) {
            self.refuse("priorities of processes");
        }
        // Where several conditions mention a move, it gets a name.
        for (index, moving) in moves.iter_mut().enumerate() {
            if moving.can != moving.can_without_timeout {
                let name = format!("can_{index}_else");
                macros.push((name.clone(), moving.can_without_timeout.clone()));
                moving.can_without_timeout = name;
            } else {
                moving.can_without_timeout = format!("can_{index}");
            }
            let name = format!("can_{index}");
            macros.push((name.clone(), std::mem::replace(&mut moving.can, name)));
        }
        // Properties ask later whether they need it; see `Writer::asks_timeout`.
        let possible = any(moves.iter().map(|m| m.can_without_timeout.clone()));
        macros.push((NOTHING_ENABLED.to_owned(), format!("(!{possible})")));
        // Who stands where, for siblings.
        let mut at: BTreeMap<(usize, LocId), Vec<(usize, &Part)>> = BTreeMap::new();
        for (index, moving) in moves.iter().enumerate() {
            for part in &moving.parts {
                at.entry((part.slot, part.from))
                    .or_default()
                    .push((index, part));
            }
        }
        let mut may = Vec::new();
        for moving in &moves {
            let mut sooner: BTreeSet<usize> = BTreeSet::new();
            for part in &moving.parts {
                let siblings = at
                    .get(&(part.slot, part.from))
                    .map_or(&[][..], Vec::as_slice);
                for (index, sibling) in siblings {
                    let more_urgent = (sibling.precedence, u16::MAX - sibling.rank)
                        > (part.precedence, u16::MAX - part.rank);
                    if more_urgent {
                        sooner.insert(*index);
                    }
                }
            }
            let not_sooner = sooner
                .into_iter()
                .map(|index| format!("!{}", moves[index].can));
            may.push(all(std::iter::once(moving.can.clone()).chain(not_sooner)));
        }
        Moves {
            all: moves,
            macros,
            may,
        }
    }

    /// Whether the first part of a move begins inside: at an atomic or region location.
    pub(super) fn begins_inside(&self, moving: &Moving) -> Option<(usize, Mode)> {
        let part = moving.parts.first()?;
        let process = self.layout.slots[part.slot].process.index();
        let mode = self.program.processes[process].locations[part.from.index()].mode;
        (mode != Mode::Open).then_some((part.slot, mode))
    }

    /// For each move the guard of its option; declares the macros that they share.
    pub(super) fn option_guards(&self, moves: &mut Moves) -> Vec<String> {
        let classes: BTreeSet<u8> = moves.all.iter().map(|moving| moving.class).collect();
        let mut above = HashMap::new();
        for &class in &classes {
            let higher = moves.all.iter().zip(&moves.may);
            let higher = higher.filter(|(moving, _)| moving.class > class);
            let text = any(higher.map(|(_, may)| may.clone()));
            if text != "0" {
                let name = format!("more_urgent_than_{class}");
                moves.macros.push((name.clone(), text));
                above.insert(class, name);
            }
        }
        let mut guards = Vec::new();
        for (moving, may) in moves.all.iter().zip(&moves.may) {
            let at_rest = match above.get(&moving.class) {
                Some(name) => format!("!{name}"),
                None => "1".into(),
            };
            if !self.inside.get() {
                guards.push(all([may.clone(), at_rest]));
                continue;
            }
            let at_rest = all(["(inside == 0)".into(), at_rest]);
            guards.push(match self.begins_inside(moving) {
                None => all([at_rest, may.clone()]),
                Some((slot, mode)) => {
                    let mut goes_on = vec![format!("(inside == {})", slot + 1)];
                    let higher = moves.all.iter().zip(&moves.may).filter(|(other, _)| {
                        other.class > moving.class
                            && self.begins_inside(other).is_some_and(|(s, _)| s == slot)
                    });
                    let higher = any(higher.map(|(_, may)| may.clone()));
                    if higher != "0" {
                        goes_on.push(format!("!{higher}"));
                    }
                    let goes_on = all(goes_on);
                    let entry = moving.parts.first().is_some_and(|part| {
                        let process = self.layout.slots[part.slot].process.index();
                        part.from == self.program.processes[process].entry
                    });
                    if mode == Mode::Region && !entry {
                        all([goes_on, may.clone()])
                    } else {
                        all([any([at_rest, goes_on]), may.clone()])
                    }
                }
            });
        }
        guards
    }

    /// For each slot with atomic locations: when it is blocked at one of them.
    pub(super) fn blocked_atomics(&self, moves: &Moves) -> Vec<String> {
        let mut blocked = Vec::new();
        for slot in 0..self.layout.slots.len() {
            let locations = self.layout.locations_of(slot, &[Mode::Atomic]);
            if locations.is_empty() {
                continue;
            }
            self.note_at(slot);
            let here = any(locations
                .iter()
                .map(|location| format!("({} == {})", self.layout.at(slot), location.0)));
            let mine = moves.all.iter().zip(&moves.may);
            let mine = mine
                .filter(|(moving, _)| self.begins_inside(moving).is_some_and(|(s, _)| s == slot));
            let goes_on = any(mine.map(|(_, may)| may.clone()));
            blocked.push(all([
                format!("(inside == {})", slot + 1),
                here,
                format!("!{goes_on}"),
            ]));
        }
        blocked
    }

    /// When, in a stable state, one of some steps can be taken.
    pub(super) fn enabled(&self, moves: &Moves, steps: &[(model::ProcessId, StepId)]) -> String {
        let mut parts = Vec::new();
        for (moving, may) in moves.all.iter().zip(&moves.may) {
            let takes = moving.parts.iter().any(|part| {
                let process = self.layout.slots[part.slot].process;
                steps.contains(&(process, part.step))
            });
            if !takes {
                continue;
            }
            let name = format!("more_urgent_than_{}", moving.class);
            let at_rest = if moves.macros.iter().any(|(known, _)| *known == name) {
                format!("!{name}")
            } else {
                "1".into()
            };
            parts.push(all([may.clone(), at_rest]));
        }
        any(parts)
    }
}
