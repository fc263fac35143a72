//! Whether a set of structures is all that can be reached, and none of them gives a message.
//!
//! Each action is applied to each structure anew: values that are to be known are made so by cases, one
//! unknown value at a time, rules are applied, and what comes out must be what some structure of the set
//! stands for. Formulas are evaluated by the plain definition, for many individuals at once (`planes`,
//! `terms`). Nothing is shared with the engine that found the set but the program.

use std::collections::HashMap;
use std::hash::BuildHasher;

use model::predicates::{Kleene, Onward, PredicateAction, PredicateProgram, Structure};
use model::{Budget, MessageId, PredicateId};
use rapidhash::fast::RandomState;

use crate::Rejected;
use crate::conditions::Condition;
use crate::crowd::{Crowd, Many, Those, WORD};
use crate::differences::{Defined, Differences, Update};
use crate::individuals::{Part, Questions, parts};
use crate::planes::{Line, Packed, Place, Places, Planes, too_many};
use crate::rules::{MOST_VARIABLES, Rules};
use crate::sharpening::{Change, sharpened};
use crate::terms::Term;
use crate::ways_after::closure;

struct Audit<'a> {
    program: &'a PredicateProgram,
    places: Places,
    rules: Rules,
    actions: Vec<Action<'a>>,
    defined: Vec<Defined>,
    /// The lines of the predicates that keep individuals apart.
    apart: Vec<usize>,
    /// The lines of the predicates that keep individuals or structures apart.
    names: Vec<usize>,
    budget: &'a Budget,
    /// The structures, by their canonical abstractions.
    known: HashMap<Packed, u32, RandomState>,
    /// The structures that are canonical abstractions, by hashes of what keeps individuals and structures
    /// apart: those whose hashes are the same are compared.
    named: HashMap<u64, Vec<u32>, RandomState>,
    hasher: RandomState,
    structures: &'a [Structure],
}

/// An action as it is looked at.
struct Action<'a> {
    action: &'a PredicateAction,
    condition: Condition,
    questions: Questions,
    reports: Vec<(MessageId, Term)>,
    reports_after: Vec<(MessageId, Term)>,
    updates: Vec<Update>,
    /// The predicates that it may change, and the definitions of some of them that read what does.
    changed: Vec<PredicateId>,
    redefined: Vec<usize>,
}

/// A set of structures that stands for every configuration that can be reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Closed<'a> {
    pub(crate) program: &'a PredicateProgram,
    pub(crate) structures: &'a [Structure],
    /// Those that stand for initial configurations.
    pub(crate) initial: Vec<usize>,
    /// Where actions that are steps of runs lead from each.
    pub(crate) steps: Vec<Vec<(usize, usize)>>,
    /// Which actions may happen in a configuration that some of them stands for.
    happening: Vec<bool>,
}

impl Closed<'_> {
    /// Whether an action that could give a message may happen at all. If it may not, that nothing gives the
    /// message says little: it holds *vacuously*.
    #[must_use]
    pub fn may_give(&self, message: MessageId) -> bool {
        let actions = self.program.actions.iter().zip(&self.happening);
        let mut happening = actions.filter(|(_, happens)| **happens);
        happening.any(|(action, _)| {
            let mut all = action.reports.iter().chain(&action.reports_after);
            all.any(|(given, _)| *given == message)
        })
    }
}

/// Checks that structures stand for every configuration that can be reached, and that none of them
/// gives one of these messages.
///
/// # Errors
/// Why that is not so, as far as can be told.
pub fn check_structures<'a>(
    program: &'a PredicateProgram,
    structures: &'a [Structure],
    silent: &[MessageId],
    budget: &Budget,
) -> Result<Closed<'a>, Rejected> {
    let places = Places::new(&program.predicates)?;
    // Rules that are made of definitions have twice as many and two more.
    let rules = program.constraints.iter().map(|rule| rule.variables);
    let actions = program.actions.iter().map(|one| one.variables.len());
    let variables = rules.chain(actions).max().unwrap_or(0);
    if variables.max(program.slots()) > MOST_VARIABLES / 2 - 2 {
        return Err(Rejected::unsupported("a formula of so many variables"));
    }
    let defined = defined(program, &places);
    let action = |action| Action::new((program, &places), &defined, (action, silent));
    let named = |holds: &dyn Fn(usize) -> bool| {
        let all = program.predicates.iter().zip(places.all());
        let all = all.filter(|(one, _)| one.abstraction && holds(one.arity));
        let lines = all.filter_map(|(_, place)| match place {
            Place::Fact(line) | Place::One(line) => Some(line),
            Place::Two(_) => None,
        });
        lines.collect()
    };
    let mut audit = Audit {
        program,
        rules: Rules::new(program, &places),
        actions: program.actions.iter().map(action).collect(),
        apart: named(&|arity| arity == 1),
        names: named(&|arity| arity < 2),
        places,
        defined,
        budget,
        known: HashMap::default(),
        named: HashMap::default(),
        hasher: RandomState::default(),
        structures,
    };
    for (number, structure) in structures.iter().enumerate() {
        let (packed, name) = audit.abstracted(structure)?;
        if packed.size == structure.size() {
            let number = u32::try_from(number).map_err(|_| Rejected::Limit)?;
            audit.named.entry(name).or_default().push(number);
            audit.known.insert(packed, number);
        }
    }
    let mut closed = Closed {
        program,
        structures,
        initial: Vec::new(),
        steps: Vec::new(),
        happening: vec![false; program.actions.len()],
    };
    for initial in &program.initial {
        let covered = match audit.begins::<u64>(initial) {
            Err(rejected) if rejected == too_many() => audit.begins::<Many>(initial),
            covered => covered,
        };
        closed.initial.extend(covered?);
    }
    for structure in structures {
        let steps = match audit.steps::<u64>(structure) {
            // Some have more individuals, or an action makes more of them.
            Err(rejected) if rejected == too_many() => audit.steps::<Many>(structure),
            steps => steps,
        };
        let mut leads = Vec::new();
        for (number, happens, to) in steps? {
            closed.happening[number] |= happens;
            if !program.is_observer(&program.actions[number]) {
                leads.extend(to.into_iter().map(|to| (number, to)));
            }
        }
        closed.steps.push(leads);
    }
    Ok(closed)
}

impl Audit<'_> {
    /// A structure of the set that stands for an initial one, if any rule lets that be.
    fn begins<C: Crowd>(&self, initial: &Structure) -> Result<Option<usize>, Rejected> {
        let initial = Planes::<C>::read(initial, &self.places)?;
        let Some(initial) = sharpened(&self.rules, initial, vec![Change::Any]) else {
            return Ok(None);
        };
        let covered = self.covering(&initial)?;
        let covered = covered.ok_or_else(|| not_covered("an initial configuration"))?;
        Ok(Some(covered))
    }

    /// Of each action, by its number, whether it may happen in a structure, and the structures of the set that
    /// it leads to.
    fn steps<C: Crowd>(&self, structure: &Structure) -> Result<Vec<Steps>, Rejected> {
        let structure = Planes::<C>::read(structure, &self.places)?;
        let all = self.actions.iter().enumerate();
        let steps = all.map(|(number, action)| {
            let (happens, mut to) = self.action(&structure, action)?;
            to.sort_unstable();
            to.dedup();
            Ok((number, happens, to))
        });
        steps.collect()
    }

    /// The structure in which individuals with the same values of what keeps them apart are one, in the
    /// order of these values (canonical abstraction, Sagiv, Reps and Wilhelm 2002, section 4.3).
    fn blurred<C: Crowd>(&self, structure: &Planes<C>) -> Planes<C> {
        // Two bits a value; the words of an individual stand side by side.
        let words = self.apart.len().div_ceil(32);
        let mut own = vec![0_u64; structure.size * words];
        for (word, lines) in self.apart.chunks(32).enumerate() {
            for line in lines.iter().map(|&line| structure.few(line)) {
                for (one, own) in own.iter_mut().skip(word).step_by(words).enumerate() {
                    let (yes, no) = (line.yes.has(one), line.no.has(one));
                    *own = *own << 2 | u64::from(yes) << 1 | u64::from(no);
                }
            }
        }
        let own = |one: usize| &own[one * words..][..words];
        let mut firsts: Vec<usize> = (0..structure.size).collect();
        firsts.sort_by(|&one, &other| own(one).cmp(own(other)));
        firsts.dedup_by(|one, other| own(*one) == own(*other));
        if firsts.len() == structure.size {
            return structure.chosen(&firsts);
        }
        let image = |one: usize| {
            let found = firsts.binary_search_by(|&first| own(first).cmp(own(one)));
            found.unwrap_or_default()
        };
        let images: Vec<usize> = (0..structure.size).map(image).collect();
        structure.merged(&images, &firsts, &self.places)
    }

    /// A hash of the values in a canonical abstraction of the predicates that keep individuals and structures
    /// apart.
    fn name<C: Crowd>(&self, blurred: &Planes<C>) -> u64 {
        // How much room there is for more individuals makes no difference.
        let words = blurred.size.div_ceil(WORD).max(1);
        let mut all = Vec::with_capacity(self.names.len() * words * 2);
        for line in self.names.iter().map(|&line| blurred.few(line)) {
            all.extend((0..words).map(|word| line.yes.word(word)));
            all.extend((0..words).map(|word| line.no.word(word)));
        }
        self.hasher.hash_one(all)
    }

    /// The canonical abstraction of a structure, and the hash that it is found by.
    fn abstracted(&self, structure: &Structure) -> Result<(Packed, u64), Rejected> {
        if structure.size() > u64::ROOM {
            return self.abstracted_in::<Many>(structure);
        }
        self.abstracted_in::<u64>(structure)
    }

    fn abstracted_in<C: Crowd>(&self, structure: &Structure) -> Result<(Packed, u64), Rejected> {
        let blurred = self.blurred(&Planes::<C>::read(structure, &self.places)?);
        Ok((blurred.packed(), self.name(&blurred)))
    }

    /// A structure of the set that stands for all that this one stands for. As a rule it is its canonical
    /// abstraction, or one with the same individuals; in another one less is known.
    fn covering<C: Crowd>(&self, structure: &Planes<C>) -> Result<Option<usize>, Rejected> {
        let blurred = self.blurred(structure);
        let packed = blurred.packed();
        if let Some(&same) = self.known.get(&packed) {
            return Ok(Some(same as usize));
        }
        for &alike in self.named.get(&self.name(&blurred)).into_iter().flatten() {
            let (canonical, _) = self.abstracted(&self.structures[alike as usize])?;
            if canonical.covers(&packed) {
                return Ok(Some(alike as usize));
            }
        }
        let predicates = &self.program.predicates;
        let written = structure.written(&self.places, predicates);
        let found = (0..self.structures.len())
            .find(|&one| self.structures[one].stands_for(&written, predicates));
        Ok(found)
    }

    /// Whether an action may happen in a structure, and the structures of the set that it leads to. Where rules have more to say of it, less
    /// is known than could be, and more structures must cover what it leads to.
    fn action<C: Crowd>(
        &self,
        structure: &Planes<C>,
        asked: &Action<'_>,
    ) -> Result<(bool, Vec<usize>), Rejected> {
        let (action, condition) = (asked.action, &asked.condition);
        let (mut happens, mut leads) = (false, Vec::new());
        if !condition.may_hold(structure) {
            return Ok((happens, leads));
        }
        let mut cases: Vec<Planes<C>> = vec![structure.clone()];
        for focus in &action.focus {
            cases = self.known(cases, condition, &|_| Some((focus.of.into(), None)))?;
            for (step, &onward) in focus.then.iter().enumerate() {
                if !onward.is_unique(self.program) {
                    break;
                }
                let way = &focus.then[..step];
                cases = self.known(cases, condition, &|case| {
                    let from = self.led(case, focus.of, way)?;
                    Some((onward, Some(from)))
                })?;
            }
        }
        for case in cases {
            for assignment in condition.assignments(&case) {
                self.within()?;
                happens = true;
                let mut of = assignment;
                of.resize(action.variables.len(), 0);
                silence(&case, &asked.reports, &mut of)?;
                let made = (action, &asked.questions);
                let within = || self.within();
                for mut part in parts((self.program, &self.places), &case, made, &of, &within)? {
                    self.within()?;
                    let after = self.after(&mut part, asked);
                    let after = after.and_then(|(after, mut changes)| {
                        if part.was != case.everybody() {
                            // What was one individual is two, of which no rule has been asked.
                            changes.push(Change::Any);
                        }
                        sharpened(&self.rules, after, changes)
                    });
                    let Some(after) = after else {
                        continue;
                    };
                    silence(&after, &asked.reports_after, &mut of)?;
                    let covered = self.covering(&after)?;
                    leads.push(
                        covered.ok_or_else(|| {
                            not_covered(&format!("what `{}` leads to", action.name))
                        })?,
                    );
                }
            }
        }
        Ok((happens, leads))
    }

    /// Says if a limit is reached.
    fn within(&self) -> Result<(), Rejected> {
        match self.budget.exhausted(0) {
            Some(_) => Err(Rejected::Limit),
            None => Ok(()),
        }
    }

    /// Structures by cases in which what is asked is known, and a condition may hold; `None`: nothing is
    /// asked of one.
    fn known<C: Crowd>(
        &self,
        all: Vec<Planes<C>>,
        condition: &Condition,
        asked: Asked<'_, C>,
    ) -> Result<Vec<Planes<C>>, Rejected> {
        let mut known = Vec::new();
        for structure in all {
            match asked(&structure) {
                Some((onward, given)) => {
                    self.cases(structure, condition, (onward, given), &mut known)?;
                }
                None => known.push(structure),
            }
        }
        Ok(known)
    }

    /// A structure by cases in which a predicate is known for any individual beside the given one, or
    /// a predicate of none is. Where the condition does not hold it never does when more is known.
    fn cases<C: Crowd>(
        &self,
        structure: Planes<C>,
        condition: &Condition,
        asked: (Onward, Option<usize>),
        known: &mut Vec<Planes<C>>,
    ) -> Result<(), Rejected> {
        self.within()?;
        let (Onward { predicate, back }, given) = asked;
        let place = self.places.of(predicate);
        let tuple = |other: usize| match (back, given) {
            (true, Some(given)) => [other, given],
            (false, Some(given)) => [given, other],
            (_, None) => [other, 0],
        };
        let line = match (place, given) {
            (Place::Fact(line) | Place::One(line), None) => structure.few(line),
            (Place::Two(number), Some(given)) if back => structure.column(number, given),
            (Place::Two(_), Some(given)) => structure.of(place, given),
            _ => Line::default(),
        };
        let Some(other) = Those(line.open()).next() else {
            known.push(structure);
            return Ok(());
        };
        let mut case = |structure: Planes<C>, changes: Vec<Change>| {
            if !condition.may_hold(&structure) {
                return Ok(());
            }
            match sharpened(&self.rules, structure, changes) {
                Some(case) => self.cases(case, condition, asked, known),
                None => Ok(()),
            }
        };
        for value in [Kleene::False, Kleene::True] {
            let mut next = structure.clone();
            next.set(place, tuple(other), value);
            case(next, vec![Change::Value(predicate, tuple(other))])?;
        }
        let one_of_several = structure.several.has(other);
        if one_of_several && !matches!(place, Place::Fact(_)) {
            let copy = structure.size;
            let mut next = structure.doubled(other)?;
            next.set(place, tuple(other), Kleene::False);
            next.set(place, tuple(copy), Kleene::True);
            let values = [other, copy].map(|one| Change::Value(predicate, tuple(one)));
            // Of two that were one it is known now that they are not the same.
            let apart = [[other, copy], [copy, other]].map(Change::Identity);
            case(next, [values, apart].concat())?;
        }
        Ok(())
    }

    /// Where an action leads, and what changes; `None`: nowhere. A definition that reads what may have
    /// changed is looked at anew.
    fn after<C: Crowd>(
        &self,
        part: &mut Part<C>,
        asked: &Action<'_>,
    ) -> Option<(Planes<C>, Vec<Change>)> {
        let action = asked.action;
        let mut of = std::mem::take(&mut part.of);
        let part = &*part;
        let before = &part.before;
        let everybody = before.everybody();
        let mut after = before.clone();
        let marks = [self.program.is_new, self.program.instance];
        for place in marks.into_iter().flatten().map(|mark| self.places.of(mark)) {
            let nobody = Line::filled(Kleene::False, everybody);
            for first in 0..firsts(place, before) {
                *after.pair_mut(place, first) = nobody;
            }
        }
        for update in &asked.updates {
            let place = update.place;
            for first in 0..firsts(place, before) {
                let over = match place {
                    Place::Fact(_) => None,
                    Place::One(_) => Some(update.parameters[0]),
                    Place::Two(_) => {
                        of[update.parameters[0]] = first;
                        Some(update.parameters[1])
                    }
                };
                *after.pair_mut(place, first) = before.line(&update.value, over, &mut of);
            }
        }
        if !asked.redefined.is_empty() {
            let program = (self.program, &self.places);
            let mut differences =
                Differences::new(program, &self.defined, part, &asked.updates, &mut of);
            for &number in &asked.redefined {
                differences.define(&self.defined[number], &mut after)?;
            }
        }
        let mut changes = Vec::new();
        // Where an individual is after the action.
        let place_of = |one: usize| (part.staying & C::up_to(one)).number();
        for &predicate in &asked.changed {
            let place = self.places.of(predicate);
            for first in 0..firsts(place, before) {
                let (was, is) = (before.of(place, first), after.of(place, first));
                let changed = (was.yes ^ is.yes) | (was.no ^ is.no);
                match place {
                    Place::Fact(_) if !changed.is_nobody() => {
                        changes.push(Change::Value(predicate, [0, 0]));
                    }
                    Place::Fact(_) => {}
                    Place::One(_) => {
                        let changed = Those(changed & part.staying);
                        let value = |one| Change::Value(predicate, [place_of(one), 0]);
                        changes.extend(changed.map(value));
                    }
                    Place::Two(_) if !part.staying.has(first) => {}
                    Place::Two(_) => {
                        let changed = Those(changed & part.staying);
                        let both = |one| [place_of(first), place_of(one)];
                        changes.extend(changed.map(|one| Change::Value(predicate, both(one))));
                    }
                }
            }
        }
        if !action.creates.is_empty() || action.retains.is_some() {
            changes.push(Change::Others);
            let new = Those(part.staying & !part.was);
            changes.extend(new.map(|one| Change::New(place_of(one))));
            let staying: Vec<usize> = Those(part.staying).collect();
            after = after.chosen(&staying);
        }
        Some((after, changes))
    }

    /// The individual that functions lead to from the one that has a predicate, if that is known.
    fn led<C: Crowd>(
        &self,
        structure: &Planes<C>,
        from: PredicateId,
        way: &[Onward],
    ) -> Option<usize> {
        let only = |line: Line<C>| {
            let one = line.sure();
            let single = one.number() == 1 && line.yes == one;
            let alone = single && (one & structure.several).is_nobody();
            Those(one).next().filter(|_| alone)
        };
        let Place::One(line) = self.places.of(from) else {
            return None;
        };
        way.iter()
            .try_fold(only(structure.few(line))?, |at, onward| {
                let place = self.places.of(onward.predicate);
                only(match place {
                    Place::Two(number) if onward.back => structure.column(number, at),
                    _ => structure.of(place, at),
                })
            })
    }
}

/// How many lines a predicate has.
fn firsts<C: Crowd>(place: Place, structure: &Planes<C>) -> usize {
    match place {
        Place::Fact(_) | Place::One(_) => 1,
        Place::Two(_) => structure.size,
    }
}

/// Checks that no message of these may be given.
fn silence<C: Crowd>(
    structure: &Planes<C>,
    reports: &[(MessageId, Term)],
    of: &mut [usize],
) -> Result<(), Rejected> {
    let mut reports = reports.iter();
    match reports.any(|(_, said)| structure.value(said, of) != Kleene::False) {
        true => Err(Rejected::Violated),
        false => Ok(()),
    }
}

impl<'a> Action<'a> {
    fn new(
        (program, places): (&PredicateProgram, &Places),
        defined: &[Defined],
        (action, silent): (&'a PredicateAction, &[MessageId]),
    ) -> Action<'a> {
        let reports = |all: &[(MessageId, model::predicates::Formula)]| {
            let asked = all.iter().filter(|(message, _)| silent.contains(message));
            let asked = asked.map(|(message, said)| (*message, Term::new(said, places)));
            asked.collect()
        };
        let marks = [program.is_new, program.instance].into_iter().flatten();
        let updated = action.updates.iter().map(|update| update.predicate);
        let mut changed: Vec<PredicateId> = marks.chain(updated).collect();
        // A definition that reads what may have changed is looked at anew.
        let (grows, shrinks) = (!action.creates.is_empty(), action.retains.is_some());
        let mut redefined = Vec::new();
        for (number, (predicate, arity, definition)) in program.defined().enumerate() {
            let mut reads = Vec::new();
            definition.reads(&mut reads);
            let quantified = definition.is_quantified();
            let others = (grows || shrinks) && quantified || grows && arity > 0;
            if others || reads.iter().any(|one| changed.contains(one)) {
                changed.push(predicate);
                redefined.push(number);
            }
        }
        debug_assert!(redefined.iter().all(|&number| number < defined.len()));
        Action {
            action,
            condition: Condition::new(action.free, &action.precondition, places),
            questions: Questions::new(action, places),
            reports: reports(&action.reports),
            reports_after: reports(&action.reports_after),
            updates: Update::all(action, places),
            changed,
            redefined,
        }
    }
}

/// The predicates that have definitions.
fn defined(program: &PredicateProgram, places: &Places) -> Vec<Defined> {
    let all = program
        .defined()
        .map(|(predicate, arity, definition)| Defined {
            predicate,
            place: places.of(predicate),
            term: Term::new(definition, places),
            slots: definition.slots().max(arity),
            ways: closure(definition, arity),
        });
    all.collect()
}

/// A predicate and the individual that is given of two that it is about, if one is, in a structure.
type Asked<'a, C> = &'a dyn Fn(&Planes<C>) -> Option<(Onward, Option<usize>)>;

/// An action by its number, whether it may happen, and where it leads.
type Steps = (usize, bool, Vec<usize>);

fn not_covered(what: &str) -> Rejected {
    Rejected::NotInductive(format!("no structure stands for {what}"))
}
