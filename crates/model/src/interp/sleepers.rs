//! Who cannot move, remembered from one state to the next.
//!
//! What is possible is found by asking everybody. Of very many instances most wait, each for a few
//! variables that few steps write. So those are remembered all of whose steps have guards that are
//! false and look at variables only; such an instance sleeps until one of these variables, or where
//! it stands, is another (the condition queues of monitors, Hoare 1974). It is a memory of the state
//! that was asked about last: whatever state comes next, what differs is looked at again, and what
//! does not cannot have woken anybody. Nothing is decided here; those awake are asked as ever.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::TryLockError;

use super::Interp;
use super::eval::Scope;
use super::state::{Instance, State};
use crate::expr::{Binary, Expr, Place, Projection, Root};
use crate::ids::{ExprId, GlobalId, LocId, StepId};
use crate::process::{Mode, Process};
use crate::program::Program;

/// Steps, with their precedence.
pub(super) type Offers = Vec<(StepId, u16)>;

/// From how many instances on it is worth it to remember who sleeps.
pub(super) const MANY: usize = 24;

/// What is offered at each location of each process.
pub(super) struct Control {
    offers: Vec<Vec<Offers>>,
    waits: Vec<Vec<Option<Wait>>>,
}

/// What closes all steps at a location, and what that looks at.
#[derive(Default)]
struct Wait {
    guards: Vec<ExprId>,
    looked_at: BTreeSet<LookedAt>,
}

/// What a guard looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum LookedAt {
    Global(GlobalId),
    /// The instance's own parameters and locals.
    Own,
}

/// Where a sleeper would notice a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Watched {
    Global(usize),
    Frame(usize),
}

/// Who sleeps in a state.
#[derive(Default)]
pub(super) struct Sleepers {
    state: State,
    awake: BTreeSet<u32>,
    /// Those that stand in a region.
    within: BTreeSet<u32>,
    watchers: HashMap<Watched, BTreeSet<u32>>,
}

impl Control {
    pub(super) fn of(program: &Program) -> Control {
        let offers: Vec<Vec<Offers>> = program.processes.iter().map(offers_of).collect();
        let waits = program.processes.iter().zip(&offers);
        let waits = waits.map(|(process, offers)| {
            let wait = |offers: &Offers| wait_at(program, process, offers);
            offers.iter().map(wait).collect()
        });
        Control {
            waits: waits.collect(),
            offers,
        }
    }

    /// The steps offered to an instance where it is.
    pub(super) fn offered(&self, instance: &Instance) -> &[(StepId, u16)] {
        let offered = |at: LocId| self.offers[instance.process.index()].get(at.index());
        let offered = instance.location.and_then(offered);
        offered.map_or(&[], Vec::as_slice)
    }

    fn wait(&self, instance: &Instance) -> Option<&Wait> {
        let at = instance.location?;
        self.waits[instance.process.index()][at.index()].as_ref()
    }
}

/// For each location, the steps offered there: its own, then those of the escapes that cover it.
fn offers_of(process: &Process) -> Vec<Offers> {
    let mut all = vec![Offers::new(); process.locations.len()];
    let escaping: HashSet<StepId> = process
        .escapes
        .iter()
        .flat_map(|escape| escape.steps.iter().copied())
        .collect();
    for (number, step) in process.steps.iter().enumerate() {
        let id = StepId::new(number);
        if !escaping.contains(&id) {
            all[step.from.index()].push((id, 0));
        }
    }
    for escape in &process.escapes {
        let covered: HashSet<LocId> = escape.covers.iter().copied().collect();
        for covered in covered {
            let steps = escape.steps.iter();
            all[covered.index()].extend(steps.map(|&step| (step, escape.precedence)));
        }
    }
    all
}

/// What closes the steps; `None` if that may be something else than their guards.
fn wait_at(program: &Program, process: &Process, offers: &Offers) -> Option<Wait> {
    let mut wait = Wait::default();
    for (id, _) in offers {
        let step = &process.steps[id.index()];
        if !step.binds.is_empty() || step.comm.is_some() || process.provided_for(step).is_some() {
            return None;
        }
        let guard = step.guard?;
        look(program, guard, &mut wait.looked_at)?;
        wait.guards.push(guard);
    }
    Some(wait)
}

/// Adds what an expression looks at; `None` if that is more than variables.
fn look(program: &Program, expr: ExprId, into: &mut BTreeSet<LookedAt>) -> Option<()> {
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match program.exprs.get(expr) {
            Expr::Const(_) | Expr::Me => {}
            Expr::Load(Place { root, path }) => {
                into.insert(match root {
                    Root::Global(id) => LookedAt::Global(*id),
                    Root::Own(_) => LookedAt::Own,
                    _ => return None,
                });
                left.extend(path.iter().filter_map(|projection| match projection {
                    Projection::Index(index) => Some(*index),
                    Projection::Field(_) => None,
                }));
            }
            // How long an object is stands elsewhere.
            Expr::Binary(Binary::Offset, ..) => return None,
            Expr::Unary(_, operand) | Expr::Convert(operand) => left.push(*operand),
            Expr::Binary(_, one, two) => left.extend([*one, *two]),
            Expr::Ite(cond, then, otherwise) => left.extend([*cond, *then, *otherwise]),
            Expr::Tuple(items) | Expr::Apply(_, items) => left.extend(items),
            _ => return None,
        }
    }
    Some(())
}

impl Interp<'_> {
    pub(super) fn control(&self) -> &Control {
        self.control.get_or_init(|| Control::of(self.program))
    }

    /// Those who may be able to move, in order; nobody else can.
    pub(super) fn awake(&self, state: &State) -> Vec<u32> {
        let remembered =
            self.remembered(state, |sleepers| sleepers.awake.iter().copied().collect());
        remembered.unwrap_or_else(|| state.living().map(|(number, _)| number).collect())
    }

    /// The first instance that stands in a region.
    pub(super) fn in_region(&self, state: &State) -> Option<u32> {
        let remembered = self.remembered(state, |sleepers| sleepers.within.first().copied());
        remembered.unwrap_or_else(|| {
            let mut living = state.living().map(|(number, _)| number);
            living.find(|&number| self.mode(state, number) == Some(Mode::Region))
        })
    }

    /// What is remembered of a state, once that is up to date; `None` if nothing is.
    fn remembered<R>(&self, state: &State, ask: impl FnOnce(&Sleepers) -> R) -> Option<R> {
        if state.instances.len() < self.many {
            return None;
        }
        let mut sleepers = match self.sleepers.try_lock() {
            Ok(sleepers) => sleepers,
            Err(TryLockError::WouldBlock) => return None,
            // Whoever has panicked may have left it half done.
            Err(TryLockError::Poisoned(_)) => return None,
        };
        self.look_again(&mut sleepers, state);
        Some(ask(&sleepers))
    }

    /// Brings what is remembered up to date.
    fn look_again(&self, sleepers: &mut Sleepers, state: &State) {
        let before = std::mem::replace(&mut sleepers.state, state.clone());
        let mut woken: BTreeSet<u32> = BTreeSet::new();
        let globals = state.globals.changed(&before.globals).map(Watched::Global);
        let frames = state.frames.changed(&before.frames).map(Watched::Frame);
        for changed in globals.chain(frames) {
            woken.extend(sleepers.watchers.get(&changed).into_iter().flatten());
        }
        let moved = state.instances.changed(&before.instances);
        let moved: Vec<u32> = moved
            .map(|number| u32::try_from(number).expect("fewer than 2^32 instances"))
            .collect();
        for &number in &moved {
            if self.mode(state, number) == Some(Mode::Region) {
                sleepers.within.insert(number);
            } else {
                sleepers.within.remove(&number);
            }
        }
        woken.extend(moved);
        for &number in &woken {
            if let Some(instance) = before.instance(number)
                && !sleepers.awake.contains(&number)
            {
                self.watch(sleepers, number, instance, false);
            }
            if state.instance(number).is_some() {
                sleepers.awake.insert(number);
            } else {
                sleepers.awake.remove(&number);
            }
        }
        // Somebody who was awake may have become tired.
        let tired: Vec<u32> = sleepers.awake.iter().copied().collect();
        for number in tired {
            let Some(instance) = state.instance(number) else {
                continue;
            };
            let sleeps = match self.control().wait(instance) {
                Some(wait) => wait
                    .guards
                    .iter()
                    .all(|&guard| matches!(self.truth(Scope::of(state, number), guard), Ok(false))),
                None => instance.location.is_none(),
            };
            if sleeps {
                sleepers.awake.remove(&number);
                self.watch(sleepers, number, instance, true);
            }
        }
    }

    /// Lets a sleeper notice changes, or no longer.
    fn watch(&self, sleepers: &mut Sleepers, number: u32, instance: &Instance, begin: bool) {
        let looked_at = self.control().wait(instance).into_iter();
        for &looked_at in looked_at.flat_map(|wait| &wait.looked_at) {
            let watched = match looked_at {
                LookedAt::Global(id) => Watched::Global(id.index()),
                LookedAt::Own => Watched::Frame(instance.frame),
            };
            let watchers = sleepers.watchers.entry(watched).or_default();
            if begin {
                watchers.insert(number);
            } else {
                watchers.remove(&number);
            }
        }
    }
}
