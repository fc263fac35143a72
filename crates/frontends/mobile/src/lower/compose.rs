//! Whether two runs that differ in a secret alone pass different arguments: type-directed
//! self-composition (T. Terauchi, A. Aiken: *Secure information flow as a safety problem*, 2005).
//!
//! What may carry a secret is kept twice, once for each run; all else is the same in both and kept
//! once. The runs go side by side. Where a secret decides which way is taken, the first run goes on
//! alone until all ways meet, then the second does the same with its own variables. Where an
//! argument is looked at while both go side by side, it tells the secret if it differs.
//!
//! What a secret variable holds in the second run is any value of its type, from the beginning and
//! after each write. That loses no run, so that arguments that never differ tell nothing. A
//! difference is certain where nothing limits what is written to the variable in the first run
//! either; elsewhere it rests on a value that need not occur.
//!
//! A call that itself is decided by a secret is left open, as are programs with threads, and those
//! in which a run goes on only where a secret allows it.

use std::collections::{HashMap, HashSet};

use model::{
    Binary, Choice, Expr, ExprId, LocId, Place, Process, Program, Root, Step, Stmt, Target, Type,
    ValueSet,
};
use source::Span;

use super::control::Regions;
use super::second_run::{Refused, SecondRun};
use super::secrecy::{Levels, Sources, World};

/// The most steps that two runs may have together.
const MAX_STEPS: usize = 20_000;

/// What is compared at which question, and what belongs to the first run alone.
pub(super) struct Asked {
    /// By variable of the answer, the arguments.
    pub(super) answers: HashMap<Root, Sources>,
    /// Truth values that say what the first run carries, and answers to other questions.
    pub(super) first_only: HashSet<Root>,
}

/// How far two runs are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Mode {
    /// Side by side.
    Both,
    /// The first goes alone from a branch on.
    First(LocId),
    /// The second follows it from there.
    Second(LocId),
}

/// Makes two runs of a process with one secret; leaves it as it is where that is not followed, or
/// answers nothing.
pub(super) fn compose(
    program: &mut Program,
    process: &mut Process,
    (levels, world): (&Levels, &World),
    regions: &Regions,
    asked: &Asked,
) {
    let before = program.clone();
    let composition = Composition {
        any: any_values(program, process),
        second: SecondRun::new(program, process, levels, &asked.first_only),
        world,
        asked,
        answered: false,
    };
    match composition.run(process, regions) {
        Ok(Some(new)) => *process = new,
        Ok(None) | Err(Refused) => *program = before,
    }
}

/// Variables of the lowering that hold any value of their type whenever they are read.
fn any_values(program: &Program, process: &Process) -> HashSet<Root> {
    let (mut chosen, mut other) = (HashSet::new(), HashSet::new());
    let mut waiting: Vec<&Stmt> = process.steps.iter().flat_map(|step| &step.body).collect();
    while let Some(stmt) = waiting.pop() {
        match stmt {
            Stmt::Choose(Choice {
                place,
                set: ValueSet::All(_),
                outside,
                ..
            }) if place.path.is_empty() && !program.is_undecided(*outside) => {
                chosen.insert(place.root);
            }
            Stmt::Choose(Choice { place, .. }) | Stmt::Assign(place, _) => {
                other.insert(place.root);
            }
            Stmt::If(_, yes, no) => waiting.extend(yes.iter().chain(no)),
            _ => {}
        }
    }
    chosen.retain(|root| !other.contains(root));
    chosen
}

struct Composition<'a> {
    second: SecondRun<'a>,
    world: &'a World,
    asked: &'a Asked,
    /// Variables that hold any value of their type.
    any: HashSet<Root>,
    /// Whether a question was answered.
    answered: bool,
}

impl Composition<'_> {
    fn run(mut self, process: &Process, regions: &Regions) -> Result<Option<Process>, Refused> {
        let mut steps: Vec<Vec<&Step>> = vec![Vec::new(); process.locations.len()];
        for step in &process.steps {
            steps[step.from.index()].push(step);
        }
        let mut all = Vec::new();
        let mut places: HashMap<(LocId, Mode), LocId> = HashMap::new();
        let mut waiting = vec![(process.entry, Mode::Both)];
        let mut seen: HashSet<(LocId, Mode)> = waiting.iter().copied().collect();
        while let Some((at, mode)) = waiting.pop() {
            source::limits::check();
            let behind = &steps[at.index()];
            let from = self.place(&mut places, at, mode);
            let mode = match mode {
                Mode::Both if self.is_split(behind)? => Mode::First(at),
                Mode::First(_) | Mode::Second(_) if !self.is_certain(behind) => {
                    return Err(Refused);
                }
                mode => mode,
            };
            for step in behind {
                let (step, next) = self.step(step, from, mode, regions)?;
                let step = match next {
                    Some((to, mode)) => {
                        if seen.insert((to, mode)) {
                            waiting.push((to, mode));
                        }
                        let to = self.place(&mut places, to, mode);
                        let target = Target::Goto(to);
                        Step { target, ..step }
                    }
                    None => step,
                };
                all.push(step);
            }
            if all.len() > MAX_STEPS {
                return Err(Refused);
            }
        }
        self.second.process.steps = all;
        self.begin(process.entry)?;
        Ok(self.answered.then_some(self.second.process))
    }

    /// Whether a secret decides which of these steps is taken.
    fn is_split(&mut self, steps: &[&Step]) -> Result<bool, Refused> {
        let mut guards = steps.iter().filter_map(|step| step.guard);
        if !guards.any(|guard| self.second.is_high(guard)) {
            return Ok(false);
        }
        match self.is_certain(steps) {
            true => Ok(true),
            false => Err(Refused),
        }
    }

    /// Whether just one of these steps can be taken, whatever holds.
    fn is_certain(&mut self, steps: &[&Step]) -> bool {
        match steps {
            [] => true,
            [only] => only.guard.is_none(),
            [a, b] => {
                let (Some(a), Some(b)) = (a.guard, b.guard) else {
                    return false;
                };
                let exprs = &mut self.second.program.exprs;
                let (not_a, not_b) = (exprs.not(a), exprs.not(b));
                a == not_b || b == not_a
            }
            _ => false,
        }
    }

    /// Where a location is for two runs.
    fn place(
        &mut self,
        places: &mut HashMap<(LocId, Mode), LocId>,
        at: LocId,
        mode: Mode,
    ) -> LocId {
        if mode == Mode::Both {
            return at;
        }
        let known = &self.second.process.locations[at.index()];
        let (name, kind, span) = (known.name.clone(), known.mode, known.span);
        let new = &mut self.second.process;
        *places
            .entry((at, mode))
            .or_insert_with(|| new.add_location(name, kind, span))
    }

    /// A step in a mode, and where it leads; nowhere if it ends the run.
    fn step(
        &mut self,
        step: &Step,
        from: LocId,
        mode: Mode,
        regions: &Regions,
    ) -> Result<(Step, Option<(LocId, Mode)>), Refused> {
        if !step.binds.is_empty() || step.comm.is_some() {
            return Err(Refused);
        }
        let (guard, body) = match mode {
            Mode::Both => (step.guard, self.both(&step.body)?),
            Mode::First(_) => {
                self.checked(&step.body)?;
                (step.guard, step.body.clone())
            }
            Mode::Second(_) => {
                let guard = match step.guard {
                    Some(guard) => Some(self.second.second(guard)?),
                    None => None,
                };
                (guard, self.seconds(&step.body)?)
            }
        };
        let to = match step.target {
            Target::Goto(to) => Some(to),
            Target::End => None,
            _ => return Err(Refused),
        };
        let meets = |branch: LocId| regions.meets(branch);
        let next = match (mode, to) {
            // What the second run does then, a first run does, too.
            (Mode::Second(_), Some(to)) if regions.is_lost(to) => None,
            (_, Some(to)) if regions.is_lost(to) => Some((to, Mode::Both)),
            (Mode::Both, to) => to.map(|to| (to, Mode::Both)),
            (Mode::First(branch), to) if to == meets(branch) => {
                Some((branch, Mode::Second(branch)))
            }
            (Mode::First(branch), Some(to)) => Some((to, Mode::First(branch))),
            // It ends before the ways meet: the second run goes on.
            (Mode::First(branch), None) => Some((branch, Mode::Second(branch))),
            (Mode::Second(branch), Some(to)) if Some(to) == meets(branch) => Some((to, Mode::Both)),
            (Mode::Second(branch), Some(to)) => Some((to, Mode::Second(branch))),
            (Mode::Second(_), None) => None,
        };
        let step = Step {
            from,
            guard,
            body,
            target: Target::End,
            ..step.clone()
        };
        Ok((step, next))
    }

    /// Before anything happens, both runs are alike but for what is secret.
    fn begin(&mut self, entry: LocId) -> Result<(), Refused> {
        let mut body = Vec::new();
        let mut copies: Vec<(Root, Root)> =
            self.second.copies.iter().map(|(a, b)| (*a, *b)).collect();
        copies.sort_by_key(|(_, copy)| position(copy));
        for (root, copy) in copies {
            let ty = self.second.type_of(root)?;
            if self.second.levels.is_secret(&root) {
                body.extend(self.any_in(copy, root)?);
                continue;
            }
            if let (Root::Global(root), Root::Global(copy)) = (root, copy) {
                let init = self.second.program.globals[root.index()].init.clone();
                match init {
                    None | Some(ValueSet::One(_)) => {
                        self.second.program.globals[copy.index()].init = init;
                    }
                    Some(_) => {
                        let value = self.second.program.exprs.load(Place::global(root), ty);
                        body.push(Stmt::Assign(Place::global(copy), value));
                    }
                }
            }
        }
        let mode = self.second.process.locations[entry.index()].mode;
        let start = self.second.process.add_location("", mode, Span::NONE);
        let step = Step {
            body,
            ..Step::new(start, entry, Span::NONE)
        };
        self.second.process.steps.push(step);
        self.second.process.entry = start;
        Ok(())
    }

    /// Choices of any value for a secret, element by element.
    fn any_in(&mut self, copy: Root, of: Root) -> Result<Vec<Stmt>, Refused> {
        let outside = self.second.outside_of(None, true, of);
        let (places, ty) = self.second.elements(copy)?.ok_or(Refused)?;
        let all = places.into_iter();
        all.map(|place| self.second.any_value(place, &ty, outside))
            .collect()
    }

    /// The statements of both runs side by side.
    fn both(&mut self, body: &[Stmt]) -> Result<Vec<Stmt>, Refused> {
        let mut all = Vec::new();
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    if self.world.declassified.contains(&place.root) && self.second.is_high(*value)
                    {
                        // What may be known is the same in both.
                        let other = self.second.second(*value)?;
                        let same = self.second.program.exprs.binary(Binary::Eq, *value, other);
                        all.push(Stmt::Assume(same));
                    }
                    let second = self.seconds(std::slice::from_ref(stmt))?;
                    all.push(stmt.clone());
                    all.extend(second);
                }
                Stmt::Choose(choice) => {
                    if let Some(answer) = self.answer(choice)? {
                        all.push(answer);
                        continue;
                    }
                    all.push(stmt.clone());
                    let is_secret = self.second.levels.is_secret(&choice.place.root);
                    if !is_secret
                        && self.second.differs(&choice.place.root)
                        && !self.second.levels.carries(choice)
                    {
                        let ty = self.second.type_at(&choice.place)?;
                        let value = self.second.program.exprs.load(choice.place.clone(), ty);
                        all.push(Stmt::Assign(
                            self.second.second_place(&choice.place)?,
                            value,
                        ));
                    } else {
                        all.extend(self.seconds(std::slice::from_ref(stmt))?);
                    }
                }
                Stmt::If(cond, yes, no) if self.second.is_high(*cond) => {
                    self.checked(yes)?;
                    self.checked(no)?;
                    all.push(stmt.clone());
                    all.extend(self.seconds(std::slice::from_ref(stmt))?);
                }
                Stmt::If(cond, yes, no) => {
                    all.push(Stmt::If(*cond, self.both(yes)?, self.both(no)?));
                }
                Stmt::Assume(cond) if self.second.is_high(*cond) => return Err(Refused),
                Stmt::Assert { .. } | Stmt::Assume(_) | Stmt::Emit { .. } => {
                    all.push(stmt.clone());
                }
                _ => return Err(Refused),
            }
        }
        Ok(all)
    }

    /// What only the first run does is followed.
    fn checked(&self, body: &[Stmt]) -> Result<(), Refused> {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, _) | Stmt::Choose(Choice { place, .. }) => {
                    let both = !self.second.differs(&place.root);
                    if both && !self.asked.first_only.contains(&place.root) {
                        return Err(Refused);
                    }
                }
                Stmt::If(_, yes, no) => {
                    self.checked(yes)?;
                    self.checked(no)?;
                }
                Stmt::Assume(cond) if self.second.is_high(*cond) => return Err(Refused),
                Stmt::Assert { .. } | Stmt::Assume(_) | Stmt::Emit { .. } => {}
                _ => return Err(Refused),
            }
        }
        Ok(())
    }

    /// What statements do in the second run.
    fn seconds(&mut self, body: &[Stmt]) -> Result<Vec<Stmt>, Refused> {
        let mut all = Vec::new();
        for stmt in body {
            match stmt {
                Stmt::Assign(place, _) | Stmt::Choose(Choice { place, .. })
                    if !self.second.differs(&place.root) => {}
                Stmt::Assign(place, value) if self.second.levels.is_secret(&place.root) => {
                    let exact = self.is_any(*value);
                    let ty = self.second.program.exprs.ty(*value).clone();
                    all.push(self.any_secret(place, &ty, exact)?);
                }
                Stmt::Assign(place, value) => {
                    let value = self.second.second(*value)?;
                    all.push(Stmt::Assign(self.second.second_place(place)?, value));
                }
                Stmt::Choose(choice) if self.second.levels.is_secret(&choice.place.root) => {
                    let decided = self.second.program.is_undecided(choice.outside);
                    let exact = matches!(choice.set, ValueSet::All(_)) && !decided;
                    let ty = self.second.type_at(&choice.place)?;
                    all.push(self.any_secret(&choice.place, &ty, exact)?);
                }
                Stmt::Choose(choice) => {
                    let outside = self
                        .second
                        .outside_of(choice.outside, false, choice.place.root);
                    all.push(Stmt::Choose(Choice {
                        place: self.second.second_place(&choice.place)?,
                        set: self.second.second_set(&choice.set)?,
                        sample: None,
                        what: self.second.program.outside[outside.index()].fact.clone(),
                        outside: Some(outside),
                    }));
                }
                Stmt::If(cond, yes, no) => {
                    let (yes, no) = (self.seconds(yes)?, self.seconds(no)?);
                    if !yes.is_empty() || !no.is_empty() {
                        all.push(Stmt::If(self.second.second(*cond)?, yes, no));
                    }
                }
                Stmt::Assume(cond) => all.push(Stmt::Assume(self.second.second(*cond)?)),
                // What is reported is the first run.
                Stmt::Assert { .. } | Stmt::Emit { .. } => {}
                _ => return Err(Refused),
            }
        }
        Ok(all)
    }

    /// Any value for a secret that is written.
    fn any_secret(&mut self, place: &Place, ty: &Type, exact: bool) -> Result<Stmt, Refused> {
        let outside = self.second.outside_of(None, exact, place.root);
        let place = self.second.second_place(place)?;
        self.second.any_value(place, ty, outside)
    }

    /// Whether a value may be any of its type in every run.
    fn is_any(&self, value: ExprId) -> bool {
        matches!(self.second.program.exprs.get(value), Expr::Load(from)
            if from.path.is_empty() && self.any.contains(&from.root))
    }

    /// The answer to a question where both runs come to it: whether an argument differs. None if
    /// this is no question, or not all that an argument is made of can be compared.
    fn answer(&mut self, choice: &Choice) -> Result<Option<Stmt>, Refused> {
        let Some(sources) = self.asked.answers.get(&choice.place.root) else {
            return Ok(None);
        };
        if sources.other {
            return Ok(None);
        }
        let mut differ = self.second.program.exprs.bool(false);
        for &value in &sources.exprs {
            let other = self.second.second(value)?;
            if other != value {
                let here = self.second.program.exprs.binary(Binary::Ne, value, other);
                differ = self.second.program.exprs.or(differ, here);
            }
        }
        let mut roots: Vec<Root> = sources.roots.iter().copied().collect();
        roots.retain(|root| self.second.differs(root));
        roots.sort_by_key(position);
        let mut may_differ = self.second.program.exprs.bool(false);
        for root in roots {
            let Some(here) = self.root_differs(root)? else {
                return Ok(None);
            };
            let of = match sources.reached.contains(&root) {
                true => &mut differ,
                false => &mut may_differ,
            };
            *of = self.second.program.exprs.or(*of, here);
        }
        self.answered = true;
        let certain = Stmt::Assign(choice.place.clone(), differ);
        let open = vec![Stmt::Choose(choice.clone())];
        let known = vec![certain.clone()];
        let pool = &mut self.second.program.exprs;
        let unsure = pool.not(differ);
        let unsure = pool.and(may_differ, unsure);
        Ok(Some(match unsure == pool.bool(false) {
            true => certain,
            false => Stmt::If(unsure, open, known),
        }))
    }

    /// Whether what a variable holds differs; none if it has too many elements.
    fn root_differs(&mut self, root: Root) -> Result<Option<ExprId>, Refused> {
        let Some((own, ty)) = self.second.elements(root)? else {
            return Ok(None);
        };
        let copy = self.second.copy(root)?;
        let exprs = &mut self.second.program.exprs;
        let mut differ = exprs.bool(false);
        for a in own {
            let b = Place {
                root: copy,
                ..a.clone()
            };
            let (a, b) = (exprs.load(a, ty.clone()), exprs.load(b, ty.clone()));
            let here = exprs.binary(Binary::Ne, a, b);
            differ = exprs.or(differ, here);
        }
        Ok(Some(differ))
    }
}

/// An order of variables.
fn position(root: &Root) -> (u8, usize) {
    match root {
        Root::Global(id) => (0, id.index()),
        Root::Own(local) => (1, *local as usize),
        _ => (2, 0),
    }
}
