//! Selective trace: of variables that all move at once, only those are moved near which something happens.
//!
//! Simulators of circuits evaluate the gates of which an input has changed (Ulrich 1969). Here variables are
//! divided into regions, each with a flag that says whether it is at [rest](crate::rest). The one step of the
//! program passes over a region that is at rest, if all regions that it reads are: nothing in it would change.
//! Regions are gone through against the direction in which they read each other, so that what is read still has its
//! old value when it is read, and variables need no copies but where they read each other in circles.
//!
//! What can never be told apart any more is made the same. When a region and all that it reads, and what those
//! read, are at rest, none of them will ever move again. Variables in it that nobody asks about, and
//! of which no other region can tell values of the rest apart, then get the first of these values: what a node
//! remembers that no signal can reach any more. States that differ in this only have the same future, step by
//! step (they are bisimilar), so that every query about stored states is preserved, with fairness and counting of steps.
//!
//! Choices are not those of the program that all move at once: [`Selective::run_of`] finds them.

use model::interp::{Interp, State};
use model::{
    Binary, Choice, Composition, Expr, ExprId, FairnessKind, GlobalId, IdPolicy, MacroStep, Mode,
    Move, Place, Process, Program, PropertyId, Root, Start, Step, Stmt, Trace, Type, ValueSet,
    Variable, VariableKind,
};
use source::Span;

use crate::observed::Observed;
use crate::rest::{Rest, Values, bits, has};

/// A region ends when it has so many variables, or half as many as a program has to have at least.
const REGION: usize = 24;
/// At most one variable in so many may move always: else too little is ever passed over.
const RESTLESS: usize = 8;

/// A program whose variables all move at once as one process that moves some of them.
#[derive(Clone, Debug)]
pub struct Selective {
    /// The process. The variables of the program that it was made of come first.
    pub program: Program,
    /// Of each of those whose value may be another one where it makes no difference, the values that are alike.
    forgotten: Vec<Option<Values>>,
}

/// Variables that are moved together.
#[derive(Default)]
struct Region {
    components: Vec<Vec<u32>>,
    /// The regions that it reads.
    reads: Vec<usize>,
    /// Whether some variable in it may move at any time.
    moves: bool,
    /// Says whether it is not at rest, if it ever is.
    flag: Option<GlobalId>,
}

/// The program as one process that passes over what is at rest, if it has at least so many variables and most of them
/// ever rest. Runs are the same for these properties.
#[must_use]
pub fn selective(program: &Program, properties: &[PropertyId], least: usize) -> Option<Selective> {
    if program.globals.len() < least {
        return None;
    }
    let rest = Rest::of(program)?;
    let moving = rest.moves.iter().filter(|&&moves| moves).count();
    if moving * RESTLESS > program.globals.len() {
        return None;
    }
    let mut regions = divided(&rest, (least / 2).clamp(1, REGION));
    let mut made = program.clone();
    made.composition = Composition::Interleaving {
        ids: IdPolicy::Fresh,
    };
    for (number, region) in regions.iter_mut().enumerate() {
        let mut vars = region.components.iter().flatten();
        if vars.any(|&at| rest.of[at as usize] != rest.all[at as usize]) {
            let moves = made.exprs.bool(true);
            region.flag = Some(made.add_global(Variable {
                init: Some(ValueSet::One(moves)),
                ..Variable::new(format!("region {number} moves"), Type::Bool)
            }));
        }
    }
    let seen = seen(program, properties);
    let mut forgotten = vec![false; program.globals.len()];
    for (at, is_forgotten) in forgotten.iter_mut().enumerate() {
        *is_forgotten = rest.of[at].count_ones() > 1 && rest.next[at].is_some() && !seen[at];
    }
    let region_of = region_of(&regions, program.globals.len());
    for reader in 0..program.globals.len() {
        for &read in &rest.reads[reader] {
            let read = read as usize;
            if forgotten[read]
                && region_of[reader] != region_of[read]
                && rest.is_told_apart(program, read, reader)
            {
                forgotten[read] = false;
            }
        }
    }
    let mut body = Vec::new();
    for (number, region) in regions.iter().enumerate().rev() {
        moved(&mut made, &rest, (&regions, number), region, &mut body);
    }
    forget(&mut made, &rest, &regions, &forgotten, &mut body);
    let mut process = Process::new("main");
    let here = process.add_location("main", Mode::Open, Span::NONE);
    process.add_step(Step {
        body,
        ..Step::new(here, here, Span::NONE)
    });
    let process = made.add_process(process);
    made.start.push(Start {
        process,
        args: Vec::new(),
    });
    let alike = forgotten.iter().zip(&rest.of);
    let alike = alike.map(|(is_forgotten, values)| is_forgotten.then_some(*values));
    Some(Selective {
        program: made,
        forgotten: alike.collect(),
    })
}

/// Divides variables into regions, none of which reads a later one, of about so many at most.
fn divided(rest: &Rest, most: usize) -> Vec<Region> {
    let mut regions = vec![Region::default()];
    let mut size = 0;
    for component in &rest.components {
        let moves = component.iter().any(|&at| rest.moves[at as usize]);
        let last = regions.last().expect("there is a first one");
        let is_full = size + component.len() > most && size > 0;
        if is_full || last.moves != moves && size > 0 {
            regions.push(Region::default());
            size = 0;
        }
        size += component.len();
        let last = regions.last_mut().expect("there is a first one");
        last.moves = moves;
        last.components.push(component.clone());
    }
    let region_of = region_of(&regions, rest.of.len());
    for (number, region) in regions.iter_mut().enumerate() {
        let vars = region.components.iter().flatten();
        let read = vars.flat_map(|&at| &rest.reads[at as usize]);
        let mut reads: Vec<usize> = read.map(|&at| region_of[at as usize]).collect();
        reads.sort_unstable();
        reads.dedup();
        reads.retain(|&other| other != number);
        region.reads = reads;
    }
    regions
}

fn region_of(regions: &[Region], variables: usize) -> Vec<usize> {
    let mut of = vec![0; variables];
    for (number, region) in regions.iter().enumerate() {
        for &at in region.components.iter().flatten() {
            of[at as usize] = number;
        }
    }
    of
}

/// The variables that somebody asks about.
fn seen(program: &Program, properties: &[PropertyId]) -> Vec<bool> {
    let mut waiting = Observed::of(program, properties).exprs;
    for fairness in &program.fairness {
        match fairness.kind {
            FairnessKind::Justice(expr) => waiting.push(expr),
            FairnessKind::Compassion(a, b) => waiting.extend([a, b]),
            FairnessKind::Weak(_) | FairnessKind::Strong(_) | FairnessKind::WeakInstances => {}
        }
    }
    let mut seen = vec![false; program.globals.len()];
    let mut known = std::collections::HashSet::new();
    while let Some(id) = waiting.pop() {
        source::limits::check();
        if known.insert(id) {
            match program.exprs.get(id) {
                Expr::Load(place) => {
                    if let Root::Global(global) = place.root {
                        seen[global.index()] = true;
                    }
                }
                Expr::Next(global) => seen[global.index()] = true,
                _ => {}
            }
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    seen
}

fn load(program: &mut Program, at: usize) -> ExprId {
    let ty = program.globals[at].ty.clone();
    program.exprs.load(Place::global(GlobalId::new(at)), ty)
}

fn constant(program: &mut Program, at: usize, value: u32) -> ExprId {
    match program.globals[at].ty.clone() {
        Type::Bool => program.exprs.bool(value == 1),
        ty => program.exprs.int(i128::from(value), ty),
    }
}

/// Whether a variable has none of these values.
fn is_outside(program: &mut Program, at: usize, values: Values, all: Values) -> ExprId {
    let now = load(program, at);
    let others = all & !values;
    let (compared, op) = match values.count_ones() <= others.count_ones() {
        true => (values, Binary::Ne),
        false => (others, Binary::Eq),
    };
    let tests: Vec<ExprId> = bits(compared)
        .map(|value| {
            let value = constant(program, at, value);
            program.exprs.binary(op, now, value)
        })
        .collect();
    match op {
        Binary::Eq => program.exprs.any(&tests),
        _ => {
            let mut tests = tests.into_iter();
            let first = tests.next().unwrap_or_else(|| program.exprs.bool(true));
            tests.fold(first, |all, test| program.exprs.and(all, test))
        }
    }
}

/// Adds the statements that move a region.
fn moved(
    program: &mut Program,
    rest: &Rest,
    (regions, number): (&[Region], usize),
    region: &Region,
    body: &mut Vec<Stmt>,
) {
    let mut stmts = Vec::new();
    for component in region.components.iter().rev() {
        if let [at] = component[..] {
            if let Some(set) = &rest.next[at as usize] {
                let place = Place::global(GlobalId::new(at as usize));
                stmts.push(becomes(program, place, set, at as usize));
            }
            continue;
        }
        let mut copied = Vec::new();
        for &at in component {
            let at = at as usize;
            let Some(set) = &rest.next[at] else {
                continue;
            };
            let (name, ty) = (&program.globals[at].name, program.globals[at].ty.clone());
            let copy = program.add_global(Variable {
                kind: VariableKind::Step,
                ..Variable::new(format!("next({name})"), ty.clone())
            });
            stmts.push(becomes(program, Place::global(copy), set, at));
            let value = program.exprs.load(Place::global(copy), ty);
            copied.push(Stmt::Assign(Place::global(GlobalId::new(at)), value));
        }
        stmts.extend(copied);
    }
    if let Some(flag) = region.flag {
        let vars: Vec<usize> = region
            .components
            .iter()
            .flatten()
            .map(|&at| at as usize)
            .collect();
        let tests: Vec<ExprId> = vars
            .into_iter()
            .filter(|&at| rest.of[at] != rest.all[at])
            .map(|at| is_outside(program, at, rest.of[at], rest.all[at]))
            .collect();
        let moves = program.exprs.any(&tests);
        stmts.push(Stmt::Assign(Place::global(flag), moves));
    }
    if region.moves {
        body.extend(stmts);
        return;
    }
    let near = region.reads.iter().copied().chain([number]);
    let flags: Vec<GlobalId> = near.filter_map(|other| regions[other].flag).collect();
    let flags: Vec<ExprId> = flags
        .into_iter()
        .map(|flag| load(program, flag.index()))
        .collect();
    let something = program.exprs.any(&flags);
    body.push(Stmt::If(something, stmts, Vec::new()));
}

/// Gives a place one of the values of a set.
fn becomes(program: &mut Program, place: Place, set: &ValueSet, of: usize) -> Stmt {
    match one(program, set) {
        Some(value) => Stmt::Assign(place, value),
        None => Stmt::Choose(Choice {
            place,
            set: set.clone(),
            sample: None,
            what: program.globals[of].name.clone(),
            outside: None,
        }),
    }
}

/// A set as the one value that is in it.
fn one(program: &mut Program, set: &ValueSet) -> Option<ExprId> {
    match set {
        ValueSet::One(value) => Some(*value),
        ValueSet::Ite(test, then, otherwise) => {
            let (then, otherwise) = (one(program, then)?, one(program, otherwise)?);
            let ty = program.exprs.ty(then).clone();
            Some(program.exprs.add(Expr::Ite(*test, then, otherwise), ty))
        }
        ValueSet::Union(sets) => match &sets[..] {
            [alone] => one(program, alone),
            _ => None,
        },
        ValueSet::Between(..) | ValueSet::All(_) => None,
    }
}

/// Adds the statements that forget what can never be told apart any more.
fn forget(
    program: &mut Program,
    rest: &Rest,
    regions: &[Region],
    forgotten: &[bool],
    body: &mut Vec<Stmt>,
) {
    let gone = |region: &Region| -> Vec<usize> {
        let vars = region.components.iter().flatten().map(|&at| at as usize);
        vars.filter(|&at| forgotten[at]).collect()
    };
    // Whether anything that what is forgotten may depend on may move: of regions of which that is asked.
    let mut is_asked = vec![false; regions.len()];
    for (number, region) in regions.iter().enumerate().rev() {
        is_asked[number] |= !gone(region).is_empty();
        if is_asked[number] {
            region.reads.iter().for_each(|&read| is_asked[read] = true);
        }
    }
    let mut alive: Vec<ExprId> = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let never = program.exprs.bool(false);
        if !is_asked[number] {
            alive.push(never);
            continue;
        }
        if region.moves {
            alive.push(program.exprs.bool(true));
            continue;
        }
        let mut reasons: Vec<ExprId> = region.reads.iter().map(|&read| alive[read]).collect();
        reasons.extend(region.flag.map(|flag| load(program, flag.index())));
        reasons.sort_unstable();
        reasons.dedup();
        let mut may_move = program.exprs.any(&reasons);
        if reasons.len() > 1 && program.exprs.constant(may_move).is_none() {
            let name = format!("region {number} may move");
            let kept = program.add_global(Variable {
                kind: VariableKind::Step,
                ..Variable::new(name, Type::Bool)
            });
            body.push(Stmt::Assign(Place::global(kept), may_move));
            may_move = load(program, kept.index());
        }
        alive.push(may_move);
        if program.exprs.constant(may_move) == Some(&model::Value::Bool(true)) {
            continue;
        }
        let mut same = Vec::new();
        for at in gone(region) {
            let value = rest.of[at].trailing_zeros();
            let value = constant(program, at, value);
            same.push(Stmt::Assign(Place::global(GlobalId::new(at)), value));
        }
        if !same.is_empty() {
            let is_over = program.exprs.not(may_move);
            body.push(Stmt::If(is_over, same, Vec::new()));
        }
    }
}

impl Selective {
    /// The run of the program that this was made of, for one of this one; it has to be replayed.
    #[must_use]
    pub fn run_of(&self, original: &Program, trace: &Trace) -> Option<Trace> {
        let Composition::Synchronous(assigns) = &original.composition else {
            return None;
        };
        let replay = Interp::new(&self.program).replay(trace).ok()?;
        let mut assigned = vec![false; original.globals.len()];
        let mut chosen: Vec<(GlobalId, Option<&ValueSet>)> = Vec::new();
        for assign in assigns {
            assigned[assign.global.index()] = true;
            chosen.push((assign.global, Some(&assign.next)));
        }
        for (at, global) in original.globals.iter().enumerate() {
            if !assigned[at] && global.kind != VariableKind::Frozen {
                chosen.push((GlobalId::new(at), None));
            }
        }
        let interp = Interp::new(original);
        let mut run = Trace {
            initial: trace.initial.clone(),
            steps: Vec::new(),
            loop_start: None,
        };
        let mut state = interp.replay(&run).ok()?.initial;
        let mut own = Vec::new();
        for (position, step) in trace.steps.iter().enumerate() {
            source::limits::check();
            let next = replay.state(position + 1);
            let mut choices = Vec::with_capacity(chosen.len());
            for (global, set) in &chosen {
                let value = &next.globals[global.index()];
                own.clear();
                let rest = self.forgotten[global.index()];
                if let (Some(_), Some(set)) = (rest, set)
                    && members(&interp, &state, set, &mut own).is_none()
                {
                    own.clear();
                }
                // What has been forgotten in this very step is as well any other value of its rest.
                let is_rest = |own: &&model::Value| rest.is_some_and(|rest| has(rest, own));
                let value = match &own[..] {
                    [only] => only,
                    own if own.is_empty() || own.contains(value) => value,
                    own => own.iter().find(is_rest)?,
                };
                choices.push(value.clone());
            }
            let step = MacroStep {
                moves: vec![Move {
                    parts: step.moves.first()?.parts.clone(),
                    choices,
                }],
            };
            state = interp.replay_step(position, &state, &step).ok()?.0.state;
            run.steps.push(step);
        }
        run.loop_start = trace.loop_start;
        Some(run)
    }
}

/// The members of a set in a state, if they are listed; at most as many as there are branches.
fn members(
    interp: &Interp<'_>,
    state: &State,
    set: &ValueSet,
    found: &mut Vec<model::Value>,
) -> Option<()> {
    match set {
        ValueSet::One(value) => found.push(interp.value(state, *value)?),
        ValueSet::Ite(test, then, otherwise) => match interp.value(state, *test)?.truth() {
            true => members(interp, state, then, found)?,
            false => members(interp, state, otherwise, found)?,
        },
        ValueSet::Union(sets) => {
            for set in sets {
                members(interp, state, set, found)?;
            }
        }
        ValueSet::Between(..) | ValueSet::All(_) => return None,
    }
    Some(())
}
