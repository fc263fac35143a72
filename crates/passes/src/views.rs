//! Views: what an observed expression looks at while an instance is at a location.
//!
//! An expression about another instance's variables rarely depends on all of them everywhere:
//! where a flag is known to be down, `flag && amount > limit` is false whatever the amount. With
//! what is [known](crate::constants) at a location put in for the variables of the instance that is
//! there, what is left to read is all that the expression can see of it. So a variable is kept
//! only where it is seen (Gal-Ezer-like "relevance" of slicing criteria, location by location),
//! and a step is invisible if the expression is, after it, what it was before.
//!
//! This needs references that name their instance by a constant, or as the first of its kind; what
//! is read otherwise is seen everywhere.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{Expr, ExprId, LocId, ProcessId, Program, Root, Target, Value};

use crate::access::{Frames, Var};
use crate::constants::{Known, Values, seen_from_outside};
use crate::dead::canonical;
use crate::fold::specialize;
use crate::observed::Observed;
use crate::rewrite::is_disabled;

/// How a reference names an instance. Which one it is when the program runs does not matter: any
/// instance of the process may be the one that is meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Name {
    /// By this number.
    Number(Value),
    /// As the first of its process.
    First,
}

impl Name {
    fn of(program: &Program, process: ProcessId, instance: ExprId) -> Option<Self> {
        match program.exprs.get(instance) {
            Expr::Const(number) => Some(Name::Number(number.clone())),
            Expr::First(of) if *of == process => Some(Name::First),
            _ => None,
        }
    }
}

/// What is observed of each process.
pub(crate) struct Views<'p> {
    program: &'p Program,
    exprs: &'p [ExprId],
    /// For each process and name of an instance of it: the references to its variables.
    reads: HashMap<(ProcessId, Name), Vec<(ExprId, u32)>>,
    /// References to whether it is at a location.
    places: HashMap<(ProcessId, Name), Vec<(ExprId, LocId)>>,
    /// What is seen everywhere, as the instance is not named by a constant.
    everywhere: HashSet<Var>,
    /// Locations where instances that are not named by a constant are asked for.
    anyone_at: HashSet<(ProcessId, LocId)>,
    known: Vec<Option<Known>>,
    scratch: Program,
}

impl<'p> Views<'p> {
    pub(crate) fn new(program: &'p Program, frames: &Frames, observed: &'p Observed) -> Self {
        let mut views = Views {
            program,
            exprs: &observed.exprs,
            reads: HashMap::new(),
            places: HashMap::new(),
            everywhere: HashSet::new(),
            anyone_at: HashSet::new(),
            known: Vec::new(),
            scratch: program.clone(),
        };
        let mut seen = HashSet::new();
        let mut waiting = observed.exprs.clone();
        while let Some(id) = waiting.pop() {
            source::limits::check();
            if !seen.insert(id) {
                continue;
            }
            views.note(id);
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
        let mut named: HashSet<ProcessId> = HashSet::new();
        named.extend(views.reads.keys().map(|(process, _)| *process));
        named.extend(views.places.keys().map(|(process, _)| *process));
        views.known = (0..program.processes.len())
            .map(ProcessId::new)
            .map(|id| named.contains(&id).then(|| Known::of(program, frames, id)))
            .collect();
        views
    }

    fn note(&mut self, id: ExprId) {
        let program = self.program;
        match program.exprs.get(id) {
            Expr::Load(place) => match place.root {
                Root::Remote {
                    instance,
                    process,
                    local,
                } => match Name::of(program, process, instance) {
                    Some(name) => {
                        let key = (process, name);
                        self.reads.entry(key).or_default().push((id, local));
                    }
                    None => {
                        self.everywhere.insert(Var::Own(process, local));
                    }
                },
                Root::Own(local) => {
                    for process in 0..program.processes.len() {
                        self.everywhere
                            .insert(Var::Own(ProcessId::new(process), local));
                    }
                }
                _ => {}
            },
            Expr::At {
                instance,
                process,
                location,
            } => {
                if let Some(name) = Name::of(program, *process, *instance) {
                    let key = (*process, name);
                    self.places.entry(key).or_default().push((id, *location));
                } else {
                    self.anyone_at.insert((*process, *location));
                }
            }
            Expr::AnyAt(places) => self.anyone_at.extend(places),
            _ => {}
        }
    }

    /// Whether a variable is seen only through references that name its instance.
    pub(crate) fn is_named(&self, var: Var) -> bool {
        matches!(var, Var::Own(..)) && !self.everywhere.contains(&var)
    }

    /// Whether some expression asks whether an instance that is not named by a constant is there.
    pub(crate) fn names_anyone_at(&self, process: ProcessId, at: LocId) -> bool {
        self.anyone_at.contains(&(process, at))
    }

    /// The variables of an instance of a process that are seen while it is at a location.
    pub(crate) fn seen_at(&mut self, process: ProcessId, at: LocId) -> BTreeSet<u32> {
        let Some(Some(known)) = self.known.get(process.index()) else {
            return BTreeSet::new();
        };
        match known.at(at).cloned() {
            Some(values) => self.seen_with(process, Some(at), &values),
            None => BTreeSet::new(),
        }
    }

    /// The variables of an instance of a process that are seen when it has ended.
    pub(crate) fn seen_ended(&mut self, process: ProcessId) -> BTreeSet<u32> {
        let known = self.known.get(process.index()).and_then(Option::as_ref);
        match known.and_then(|known| known.ended.clone()) {
            Some(values) => self.seen_with(process, None, &values),
            None => BTreeSet::new(),
        }
    }

    /// The variables of an instance that are seen when a fault in one of these steps has stopped it
    /// where it was.
    pub(crate) fn seen_halted(
        &mut self,
        process: ProcessId,
        at: LocId,
        steps: &[usize],
    ) -> BTreeSet<u32> {
        let known = self.known.get(process.index()).and_then(Option::as_ref);
        let Some(mut values) = known.and_then(|known| known.at(at).cloned()) else {
            return BTreeSet::new();
        };
        // Part of the step may have been done.
        for &step in steps {
            for local in self.written(process, step) {
                values[local as usize] = None;
            }
        }
        self.seen_with(process, None, &values)
    }

    /// The variables of its instance that a step writes.
    fn written(&self, process: ProcessId, step: usize) -> HashSet<u32> {
        let mut written = HashSet::new();
        let step = &self.program.processes[process.index()].steps[step];
        crate::rewrite::places_of_step(step, &mut |place| {
            if let Root::Own(local) = place.root {
                written.insert(local);
            }
        });
        written
    }

    fn seen_with(
        &mut self,
        process: ProcessId,
        at: Option<LocId>,
        values: &Values,
    ) -> BTreeSet<u32> {
        let mut seen = BTreeSet::new();
        for name in self.names(process) {
            let reads = self
                .reads
                .get(&(process, name.clone()))
                .cloned()
                .unwrap_or_default();
            let left = self.left(process, &name, at, values);
            let still = self.reached(&left);
            for &(id, local) in &reads {
                // A known value may be put in only if it is also what a dead variable is set to.
                let variable = &self.program.processes[process.index()].locals[local as usize];
                let differs = values[local as usize]
                    .as_ref()
                    .is_some_and(|value| *value != canonical(self.program, variable));
                if still.contains(&id) || differs {
                    seen.insert(local);
                }
            }
        }
        seen
    }

    /// Whether no observed expression tells a state before the step from the one after it.
    pub(crate) fn is_invisible(&mut self, process: ProcessId, from: LocId, step: usize) -> bool {
        let Some(Some(known)) = self.known.get(process.index()) else {
            return true;
        };
        let Target::Goto(to) = self.program.processes[process.index()].steps[step].target else {
            return false;
        };
        if is_disabled(
            self.program,
            &self.program.processes[process.index()].steps[step],
        ) {
            return true;
        }
        let (Some(before), Some(after)) = (known.at(from).cloned(), known.after(step).cloned())
        else {
            return true;
        };
        let written = self.written(process, step);
        for name in self.names(process) {
            let left = self.left(process, &name, Some(from), &before);
            if left != self.left(process, &name, Some(to), &after) {
                return false;
            }
            let still = self.reached(&left);
            let reads = self.reads.get(&(process, name));
            let touched =
                |&(id, local): &(ExprId, u32)| written.contains(&local) && still.contains(&id);
            if reads.is_some_and(|reads| reads.iter().any(touched)) {
                return false;
            }
        }
        true
    }

    fn names(&self, process: ProcessId) -> Vec<Name> {
        let keys = self.reads.keys().chain(self.places.keys());
        let mut names: Vec<Name> = keys
            .filter(|(id, _)| *id == process)
            .map(|(_, name)| name.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What is left of the observed expressions.
    fn left(
        &mut self,
        process: ProcessId,
        name: &Name,
        at: Option<LocId>,
        values: &Values,
    ) -> Vec<ExprId> {
        let key = (process, name.clone());
        let reads = self.reads.get(&key).map_or(&[][..], Vec::as_slice);
        let mut put_in = seen_from_outside(self.program, reads, values);
        for &(id, location) in self.places.get(&key).into_iter().flatten() {
            put_in.insert(id, Value::Bool(at == Some(location)));
        }
        specialize(&mut self.scratch, self.exprs, &put_in)
    }

    /// The expressions that some of these are made of.
    fn reached(&self, roots: &[ExprId]) -> HashSet<ExprId> {
        let mut seen = HashSet::new();
        let mut waiting = roots.to_vec();
        while let Some(id) = waiting.pop() {
            source::limits::check();
            if seen.insert(id) {
                self.scratch
                    .exprs
                    .operands(id, |operand| waiting.push(operand));
            }
        }
        seen
    }
}
