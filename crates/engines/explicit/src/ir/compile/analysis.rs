//! Facts about a program that its code depends on.

use logic::scc::components;
use model::{
    Binary, ChannelId, Comm, Expr, ExprId, LocId, Mode, ProcedureId, Program, Projection, Root,
    StepId, Stmt, Target, Type, Value,
};

use super::DEPTH;
use crate::ir::layout::{Unsupported, is_always_there, size, unsupported};
use crate::ir::write_set::Written;

/// The facts.
#[derive(Debug)]
pub(super) struct Analysis {
    /// For each expression, whether it can fault.
    pub(super) can_fault: Vec<bool>,
    /// For each expression, how deep it is.
    pub(super) depth: Vec<u32>,
    pub(super) processes: Vec<ProcessFacts>,
    /// Slots of the widest result of a procedure.
    pub(super) widest_result: usize,
    /// Whether several instances can be inside regions at once.
    pub(super) many_inside: bool,
    pub(super) no_priorities: bool,
    /// Whether something runs on in several ways inside an observer.
    pub(super) observers_choose: bool,
    /// No step excludes a sibling by rank or precedence.
    pub(super) one_urgency: bool,
}

/// Facts about one process.
#[derive(Debug, Default)]
pub(super) struct ProcessFacts {
    /// The procedure that each location belongs to.
    pub(super) procedure: Vec<Option<ProcedureId>>,
    /// The steps offered at each location, each with its precedence.
    pub(super) offered: Vec<Vec<(StepId, u16)>>,
    /// The locations that every loop passes one of.
    pub(super) loop_head: Vec<bool>,
    /// For each step, whether one macro step may take it twice. Only ways of this process are
    /// looked at; the machine is on its guard against others.
    pub(super) step_loops: Vec<bool>,
    /// Whether instances can go away.
    pub(super) ends: bool,
}

impl Analysis {
    pub(super) fn of(program: &Program) -> Result<Analysis, Unsupported> {
        let written = Written::of(program);
        let (can_fault, depth) = expressions(program, &written);
        let mut processes = Vec::new();
        let mut widest_result = 1;
        let mut one_urgency = true;
        for process in &program.processes {
            let facts = ProcessFacts::of(process)?;
            for offered in &facts.offered {
                let urgency = |&(step, precedence): &(StepId, u16)| {
                    (precedence, process.steps[step.index()].rank)
                };
                one_urgency &= offered.windows(2).all(|o| urgency(&o[0]) == urgency(&o[1]));
            }
            for step in &process.steps {
                if let Target::Return(Some(value)) = step.target {
                    widest_result = widest_result.max(size(program, program.exprs.ty(value))?);
                }
            }
            processes.push(facts);
        }
        let inside = |process: &model::Process, location: LocId| {
            process.locations[location.index()].mode == Mode::Region
        };
        let run = |process: &usize| {
            written.spawned[*process] || program.start.iter().any(|s| s.process.index() == *process)
        };
        let several = program.start.len() > 1 || written.spawned.contains(&true);
        // A part of a joint move that is not the last, as a receiver is, can be left inside.
        let early = |step: &model::Step| match &step.comm {
            Some(Comm::Barrier(_)) => true,
            Some(Comm::Send { .. }) => program.channels.iter().any(|c| c.capacity == Some(0)),
            Some(Comm::Receive { .. }) | None => false,
        };
        let many_inside = several
            && (0..program.processes.len()).filter(run).any(|process| {
                let process = &program.processes[process];
                inside(process, process.entry)
                    || process.steps.iter().filter(|step| early(step)).any(|step| {
                        process.on_fault.is_some_and(|to| inside(process, to))
                            || match &step.target {
                                Target::Goto(to) => inside(process, *to),
                                Target::Call { .. } | Target::Return(_) => true,
                                Target::End => false,
                            }
                    })
            });
        Ok(Analysis {
            can_fault,
            depth,
            processes,
            widest_result,
            many_inside,
            observers_choose: program.observers.iter().any(|o| chooses(&o.body)),
            no_priorities: program.processes.iter().all(|p| p.priority.is_none()),
            one_urgency,
        })
    }
}

impl ProcessFacts {
    fn of(process: &model::Process) -> Result<ProcessFacts, Unsupported> {
        let count = process.locations.len();
        let mut offered: Vec<Vec<(StepId, u16)>> = vec![Vec::new(); count];
        let mut escaping = vec![false; process.steps.len()];
        for escape in &process.escapes {
            for step in &escape.steps {
                escaping[step.index()] = true;
            }
        }
        for (index, step) in process.steps.iter().enumerate() {
            if !escaping[index] {
                offered[step.from.index()].push((StepId::new(index), 0));
            }
        }
        for escape in &process.escapes {
            for covered in &escape.covers {
                let here = &mut offered[covered.index()];
                for &step in &escape.steps {
                    // Offered twice, it has the precedence of the first.
                    if !here.iter().any(|(other, _)| *other == step) {
                        here.push((step, escape.precedence));
                    }
                }
            }
        }
        let mut edges: Vec<Vec<LocId>> = vec![Vec::new(); count];
        for (location, steps) in offered.iter().enumerate() {
            for (step, _) in steps {
                match process.steps[step.index()].target {
                    Target::Goto(to) | Target::Call { then: to, .. } => edges[location].push(to),
                    Target::Return(_) | Target::End => {}
                }
            }
        }
        let mut procedure: Vec<Option<Option<ProcedureId>>> = vec![None; count];
        let main =
            std::iter::once((process.entry, None)).chain(process.on_fault.map(|to| (to, None)));
        let inner = process
            .procedures
            .iter()
            .enumerate()
            .map(|(index, p)| (p.entry, Some(ProcedureId::new(index))));
        let mut waiting: Vec<(LocId, Option<ProcedureId>)> = main.chain(inner).collect();
        let roots: Vec<LocId> = waiting.iter().map(|(location, _)| *location).collect();
        while let Some((location, owner)) = waiting.pop() {
            match procedure[location.index()] {
                None => {
                    procedure[location.index()] = Some(owner);
                    waiting.extend(edges[location.index()].iter().map(|&to| (to, owner)));
                }
                Some(other) if other == owner => {}
                Some(_) => return unsupported("locations that two procedures share"),
            }
        }
        // Nobody is ever where no way leads, and what is there may belong to no procedure.
        for (location, owner) in procedure.iter().enumerate() {
            if owner.is_none() {
                offered[location].clear();
            }
        }
        if let Some(aftermath) = process.on_fault {
            for from in &mut edges {
                from.push(aftermath);
            }
        }
        let step_loops = step_loops(process, &offered);
        Ok(ProcessFacts {
            step_loops,
            procedure: procedure.into_iter().map(Option::flatten).collect(),
            loop_head: loop_heads(&edges, &roots),
            offered,
            ends: process.starts_ended || process.steps.iter().any(|s| s.target == Target::End),
        })
    }
}

/// Which steps lie on a cycle through locations that are inside macro steps. A return may lead to
/// wherever a call leads on.
fn step_loops(process: &model::Process, offered: &[Vec<(StepId, u16)>]) -> Vec<bool> {
    let entries: Vec<LocId> = process.procedures.iter().map(|p| p.entry).collect();
    let returns: Vec<LocId> = process
        .steps
        .iter()
        .filter_map(|step| match step.target {
            Target::Call { then, .. } => Some(then),
            _ => None,
        })
        .collect();
    let inside = |at: usize| process.locations[at].mode != Mode::Open;
    let ways = |step: &StepId| -> Vec<LocId> {
        let mut ways: Vec<LocId> = match &process.steps[step.index()].target {
            Target::Goto(to) => vec![*to],
            Target::Call { then, .. } => entries
                .iter()
                .copied()
                .chain(std::iter::once(*then))
                .collect(),
            Target::Return(_) => returns.clone(),
            Target::End => Vec::new(),
        };
        ways.extend(process.on_fault);
        ways
    };
    let successors = |(at, steps): (usize, &Vec<(StepId, u16)>)| {
        let steps = steps.iter().filter(|_| inside(at));
        let to = steps.flat_map(|(step, _)| ways(step)).map(LocId::index);
        to.filter(|&to| inside(to)).map(|to| to as u32).collect()
    };
    let successors: Vec<Vec<u32>> = offered.iter().enumerate().map(successors).collect();
    let found = components(&successors);
    let mut loops = vec![false; process.steps.len()];
    for (at, steps) in offered.iter().enumerate().filter(|(at, _)| inside(*at)) {
        for (step, _) in steps {
            loops[step.index()] |= ways(step)
                .iter()
                .any(|to| inside(to.index()) && found.join(to.index(), at));
        }
    }
    loops
}

/// Whether a body has a choice.
fn chooses(body: &[Stmt]) -> bool {
    let mut waiting: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = waiting.pop() {
        match stmt {
            Stmt::Choose(_) => return true,
            Stmt::If(_, a, b) => waiting.extend(a.iter().chain(b)),
            _ => {}
        }
    }
    false
}

/// The targets of the back edges of a depth-first search, and the roots.
fn loop_heads(edges: &[Vec<LocId>], roots: &[LocId]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Color {
        New,
        Open,
        Done,
    }
    let mut head = vec![false; edges.len()];
    let mut color = vec![Color::New; edges.len()];
    let starts = roots.iter().map(|root| root.index()).chain(0..edges.len());
    for start in starts {
        if color[start] != Color::New {
            continue;
        }
        color[start] = Color::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if let Some(to) = edges[at].get(*next) {
                *next += 1;
                let to = to.index();
                match color[to] {
                    Color::New => {
                        color[to] = Color::Open;
                        path.push((to, 0));
                    }
                    Color::Open => head[to] = true,
                    Color::Done => {}
                }
            } else {
                color[at] = Color::Done;
                path.pop();
            }
        }
    }
    // Recursion goes around through entries.
    for root in roots {
        head[root.index()] = true;
    }
    head
}

fn expressions(program: &Program, written: &Written) -> (Vec<bool>, Vec<u32>) {
    let pool = &program.exprs;
    let mut can_fault: Vec<bool> = Vec::with_capacity(pool.len());
    let mut depth: Vec<u32> = Vec::with_capacity(pool.len());
    for index in 0..pool.len() {
        let id = ExprId::new(index);
        let (mut faults, mut deep) = (false, 0);
        pool.operands(id, |operand| {
            // Operands stand before what they are operands of; were one behind, it is taken for
            // too deep.
            faults |= can_fault.get(operand.index()).copied().unwrap_or(true);
            deep = deep.max(depth.get(operand.index()).copied().unwrap_or(DEPTH));
        });
        let constant_channel = |channel: &ExprId| match pool.constant(*channel) {
            Some(Value::Int(n)) => usize::try_from(*n - 1).is_ok_and(|place| {
                let mut from_start = (0..program.channels.len())
                    .map(ChannelId::new)
                    .filter(|id| program.channels[id.index()].from_start);
                from_start
                    .nth(place)
                    .is_some_and(|id| is_always_there(program, written, id))
            }),
            _ => false,
        };
        faults |= match pool.get(id) {
            Expr::Binary(Binary::Div | Binary::Rem, _, divisor) => {
                !matches!(pool.constant(*divisor), Some(Value::Int(n)) if *n != 0)
            }
            Expr::Binary(Binary::Offset, ..) | Expr::Apply(..) => true,
            Expr::Load(place) => {
                let whole = match place.root {
                    Root::Global(id) => Some(&program.globals[id.index()].ty),
                    Root::Remote { process, local, .. } => {
                        Some(&program.processes[process.index()].locals[local as usize].ty)
                    }
                    _ => None,
                };
                matches!(place.root, Root::Cell(_)) || !indices_inside(program, whole, &place.path)
            }
            Expr::ChannelLen(channel)
            | Expr::ChannelCapacity(channel)
            | Expr::Poll { channel, .. } => !constant_channel(channel),
            _ => false,
        };
        can_fault.push(faults);
        depth.push(deep.saturating_add(1));
    }
    (can_fault, depth)
}

/// Whether all indices of a path are constants inside their arrays.
fn indices_inside(program: &Program, whole: Option<&Type>, path: &[Projection]) -> bool {
    let mut ty = whole;
    for projection in path {
        match projection {
            Projection::Field(field) => {
                ty = match ty {
                    Some(Type::Record(id)) => program.records[id.index()]
                        .fields
                        .get(*field as usize)
                        .map(|f| &f.1),
                    _ => None,
                };
            }
            Projection::Index(index) => {
                let Some(Type::Array(item, length)) = ty else {
                    return false;
                };
                let inside = matches!(
                    program.exprs.constant(*index),
                    Some(Value::Int(n)) if (0..i128::from(*length)).contains(n)
                );
                if !inside {
                    return false;
                }
                ty = Some(item);
            }
        }
    }
    true
}
