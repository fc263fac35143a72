//! From a program to code for the [machine](crate::vm::machine).
//!
//! Code is made for each instance on its own, so that its variables have fixed addresses and its
//! known parameters are constants: for each [instance slot](crate::ir::capacity::InstanceSlot) that there is room for.
//! Addresses of constants and temporaries
//! depend on how many there are, so the program is compiled twice: once to count, once for good.

mod address;
mod analysis;
mod choice;
mod communicate;
mod demand;
mod expr;
mod irrelevant_choice;
mod known_values;
mod moves;
mod priority_order;
mod region;
mod spawn;
mod stmt;

use std::collections::HashMap;

use model::{Composition, ExprId, FaultId, LocId, ProcedureId, Program, Type};

use crate::Technique;
use crate::ir::capacity::Capacity;
use crate::ir::instruction::EventSite;
use crate::ir::instruction::{
    ApplySite, ChannelSite, Code, InstanceInfo, LASTING, MakeSite, MoveInfo, Op, Pc, Slot,
    StartSite, SwitchTable,
};
use crate::ir::layout::{ENDED, GONE, HALTED, Layout, Unsupported, unsupported};
use crate::ir::number::as_i64;
use analysis::Analysis;

pub(crate) use demand::{Demand, FairSet, Observed, View};

/// How deep observers may emit within observers.
const EMIT_DEPTH: usize = 16;
/// How deep expressions and statements may nest.
const DEPTH: u32 = 3_000;
/// How large they may be.
const WRITTEN_OUT: u32 = 1 << 20;
/// The most instructions.
const MOST_OPS: usize = 1 << 22;
/// Stack for the compiler's thread, which walks expressions recursively.
const STACK: usize = 256 << 20;

type Result<T> = std::result::Result<T, Unsupported>;

/// A jump target that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Label(u32);

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// The instance, by its instance slot.
    me: Option<usize>,
    procedure: Option<ProcedureId>,
    arguments: &'a [(Slot, Type)],
    /// Where faults go.
    fault: Label,
    /// Where they are raised: tells failing places apart.
    site: u32,
}

impl Scope<'_> {
    /// The same, with faults raised there.
    fn at_site(self, site: u32) -> Self {
        Scope { site, ..self }
    }
}

/// How many slots each part of the memory gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sizes {
    constants: usize,
    temporaries: usize,
    lasting: usize,
}

struct Compiler<'p> {
    program: &'p Program,
    layout: &'p Layout,
    room: &'p Capacity,
    demand: &'p Demand,
    analysis: &'p Analysis,
    sizes: Sizes,
    ops: Vec<Op>,
    labels: Vec<Option<Pc>>,
    constants: Vec<i64>,
    constant_slots: HashMap<i64, Slot>,
    next_temporary: usize,
    most_temporaries: usize,
    next_lasting: usize,
    most_lasting: usize,
    next_list: usize,
    most_lists: usize,
    /// Temporaries that hold a procedure's result on its way.
    results: usize,
    apply: Vec<ApplySite>,
    happens: Vec<EventSite>,
    channel: Vec<ChannelSite>,
    switches: Vec<SwitchTable>,
    starts: Vec<StartSite>,
    makes: Vec<MakeSite>,
    /// For each channel, who may receive from it.
    receivers: Vec<Vec<moves::At>>,
    select: Vec<Vec<(Slot, Pc)>>,
    landings: Vec<Label>,
    landing_sites: HashMap<(usize, usize), usize>,
    unemitted_landings: Vec<(usize, usize, Label)>,
    reasons: Vec<String>,
    types: Vec<Type>,
    faults: Vec<FaultId>,
    /// Fault, site, where it goes, where it is raised.
    fault_stubs: Vec<(FaultId, u32, Label, Label)>,
    fault_stub_of: HashMap<(FaultId, u32, Label), Label>,
    /// Labels that faults go to.
    fault_targets: std::collections::HashSet<Label>,
    stop_stubs: Vec<(usize, Label)>,
    entries: HashMap<(usize, usize), Label>,
    wanted_entries: Vec<(usize, usize)>,
    bodies: HashMap<moves::BodyKey, (Label, bool)>,
    handlers: HashMap<(usize, Option<usize>), Label>,
    wanted_handlers: Vec<(usize, Option<usize>)>,
    moves: Vec<MoveInfo>,
    move_labels: Vec<Label>,
    /// The moves of single instances.
    moves_by_step: HashMap<(usize, usize, model::StepId), u32>,
    /// Yields of the move being made: with so many choices made, go on there.
    resumptions: Vec<(usize, Label)>,
    /// Where a label was bound last.
    last_bound: Option<Pc>,
    /// Whether something may have been noted in the move being made.
    may_note: bool,
    /// Whether the step being made can be taken again within the macro step.
    in_loop: bool,
    /// Variables whose values may be passed over.
    runners: std::collections::HashSet<Slot>,
    emit_depth: usize,
    nesting: u32,
}

/// Compiles a program.
pub(crate) fn compile(
    program: &Program,
    layout: &Layout,
    room: &Capacity,
    demand: &Demand,
) -> Result<Code> {
    std::thread::scope(|threads| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(threads, || compile_here(program, layout, room, demand));
        match worker {
            Ok(worker) => match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(error) => unsupported(format!("starting a thread: {error}")),
        }
    })
}

fn compile_here(
    program: &Program,
    layout: &Layout,
    room: &Capacity,
    demand: &Demand,
) -> Result<Code> {
    if matches!(program.composition, Composition::Synchronous(_)) {
        return unsupported("synchronous composition");
    }
    if !program.relation.is_empty() {
        return unsupported("relations between states");
    }
    if let Some(channel) = program.channels.iter().find(|c| c.capacity.is_none()) {
        return unsupported(format!("the unbounded channel `{}`", channel.name));
    }
    let analysis = Analysis::of(program)?;
    let share = usize::from(Slot::MAX).saturating_sub(layout.len()) / 3;
    let first = Sizes {
        constants: share,
        temporaries: share,
        lasting: share,
    };
    let (_, used) = Compiler::new(program, layout, room, demand, &analysis, first).whole()?;
    let (code, again) = Compiler::new(program, layout, room, demand, &analysis, used).whole()?;
    debug_assert_eq!(used, again, "both passes make the same code");
    Ok(code)
}

impl<'p> Compiler<'p> {
    fn new(
        program: &'p Program,
        layout: &'p Layout,
        room: &'p Capacity,
        demand: &'p Demand,
        analysis: &'p Analysis,
        sizes: Sizes,
    ) -> Self {
        Compiler {
            program,
            layout,
            room,
            demand,
            analysis,
            sizes,
            ops: Vec::new(),
            labels: Vec::new(),
            constants: Vec::new(),
            constant_slots: HashMap::new(),
            next_temporary: 0,
            most_temporaries: 0,
            next_lasting: LASTING,
            most_lasting: LASTING,
            next_list: 0,
            most_lists: 0,
            results: 0,
            apply: Vec::new(),
            happens: Vec::new(),
            channel: Vec::new(),
            switches: Vec::new(),
            starts: Vec::new(),
            makes: Vec::new(),
            receivers: Vec::new(),
            select: Vec::new(),
            landings: Vec::new(),
            landing_sites: HashMap::new(),
            unemitted_landings: Vec::new(),
            reasons: Vec::new(),
            types: Vec::new(),
            faults: Vec::new(),
            fault_stubs: Vec::new(),
            fault_stub_of: HashMap::new(),
            fault_targets: std::collections::HashSet::new(),
            stop_stubs: Vec::new(),
            entries: HashMap::new(),
            wanted_entries: Vec::new(),
            bodies: HashMap::new(),
            handlers: HashMap::new(),
            wanted_handlers: Vec::new(),
            moves: Vec::new(),
            move_labels: Vec::new(),
            moves_by_step: HashMap::new(),
            resumptions: Vec::new(),
            last_bound: None,
            may_note: false,
            in_loop: false,
            runners: std::collections::HashSet::new(),
            emit_depth: 0,
            nesting: 0,
        }
    }

    fn whole(mut self) -> Result<(Code, Sizes)> {
        self.find_runners();
        // Temporaries with fixed places: a priority, results of procedures, outcomes.
        let result = self.temporary(1)?;
        self.results = usize::from(self.temporary(self.analysis.widest_result.max(1))?);
        let outcomes = self.temporary(self.demand.outcomes.len().max(1))?;

        let initial = self.here();
        self.initial_states()?;
        let finish = self.here();
        self.finish(outcomes)?;
        let mut priorities = Vec::new();
        for instance_slot in 0..self.layout.instances.len() {
            priorities.push(self.priority(instance_slot, result)?);
        }
        let moves = self.all_moves()?;
        self.remaining()?;
        let instances = self.instance_infos(&moves, &priorities);
        let used = Sizes {
            constants: self.constants.len(),
            temporaries: self.most_temporaries,
            lasting: self.most_lasting,
        };
        self.patch();
        let uniform = self.analysis.no_priorities
            && self.moves.windows(2).all(|m| m[0].class == m[1].class)
            && self.analysis.one_urgency;
        let by_trying =
            self.analysis.no_priorities && instances.iter().all(|i| i.priority_lists.is_some());
        let (beginnings, places) = (self.beginnings()?, self.place_infos());
        let landings = self.landings.iter().map(|&l| self.resolved(l)).collect();
        let state = self.sizes.constants + self.sizes.temporaries + self.sizes.lasting;
        let memos = crate::vm::pure_functions::share_memories(&mut self.apply);
        let code = Code {
            lasting: self.sizes.constants + self.sizes.temporaries,
            state,
            state_len: self.layout.len(),
            changing: self.layout.changing,
            temporaries: self.sizes.constants..self.sizes.constants + self.sizes.temporaries,
            outcomes,
            result,
            lists: self.most_lists.max(1),
            stacks: self
                .layout
                .instances
                .iter()
                .filter(|i| i.stack.is_some())
                .count(),
            moves: self.moves,
            instances,
            apply: self.apply,
            memos,
            remembers_results: self.demand.tuning.has(Technique::FunctionCache),
            happens: self.happens,
            channel: self.channel,
            switches: self.switches,
            starts: self.starts,
            beginnings,
            makes: self.makes,
            places,
            exceeded: std::sync::Arc::default(),
            select: self.select,
            landings,
            reasons: self.reasons,
            types: self.types,
            faults: self.faults,
            initial,
            finish,
            no_priorities: self.analysis.no_priorities,
            uniform,
            by_trying,
            constants: self.constants,
            ops: self.ops,
        };
        Ok((code, used))
    }

    /// What the driver knows of the instances, by number: what each instance slot has, side by side.
    fn instance_infos(
        &self,
        moves: &[Vec<Vec<u32>>],
        priorities: &[Option<Pc>],
    ) -> Vec<InstanceInfo> {
        let mut infos: Vec<InstanceInfo> = Vec::new();
        for position in &self.layout.positions {
            infos.push(InstanceInfo {
                location: self.state_slot(position.location),
                modes: vec![None; position.codes],
                moves: vec![Vec::new(); position.codes],
                priority_lists: Some(vec![Vec::new(); position.codes]),
                ends: vec![true; position.codes],
                entries: vec![None; position.codes],
                priorities: vec![None; position.codes],
                instance_slots: Vec::new(),
            });
        }
        for (instance_slot, slots) in self.layout.instances.iter().enumerate() {
            let process = self.template(instance_slot);
            let info = &mut infos[slots.number];
            let priority_lists = self.priority_lists(instance_slot, &moves[instance_slot]);
            if priority_lists.is_none() {
                info.priority_lists = None;
            }
            for (location, declaration) in process.locations.iter().enumerate() {
                let code = slots.base + location;
                info.modes[code] = Some(declaration.mode);
                info.ends[code] = declaration.end;
                let entry = self.entries.get(&(instance_slot, location));
                info.entries[code] = entry.map(|&label| self.resolved(label));
                info.priorities[code] = priorities[instance_slot];
            }
            info.priorities[slots.base + process.locations.len() + ENDED] =
                priorities[instance_slot];
            for (at, here) in moves[instance_slot].iter().enumerate() {
                info.moves[slots.base + at].clone_from(here);
            }
            if let (Some(all), Some(mine)) = (&mut info.priority_lists, priority_lists) {
                for (at, priority_list) in mine.into_iter().enumerate() {
                    all[slots.base + at] = priority_list;
                }
            }
            info.instance_slots
                .push(self.instance_slot_info(instance_slot));
        }
        infos
    }

    /// Makes what has been asked for while making the rest, until nothing is missing.
    fn remaining(&mut self) -> Result<()> {
        loop {
            if let Some((instance, location)) = self.wanted_entries.pop() {
                self.entry_code(instance, location)?;
            } else if let Some((instance, last)) = self.wanted_handlers.pop() {
                self.handler_code(instance, last)?;
            } else if let Some((instance, step, label)) = self.unemitted_landings.pop() {
                self.landing_code(instance, step, label)?;
            } else {
                break;
            }
        }
        for (fault, site, to, label) in std::mem::take(&mut self.fault_stubs) {
            self.bind(label);
            let index = self
                .faults
                .iter()
                .position(|&f| f == fault)
                .unwrap_or_else(|| {
                    self.faults.push(fault);
                    self.faults.len() - 1
                });
            let fault = small(index, "kinds of faults")?;
            let to = to.0;
            self.emit(Op::Fault { fault, site, to });
        }
        for (reason, label) in std::mem::take(&mut self.stop_stubs) {
            self.bind(label);
            self.emit(Op::Stop {
                reason: small(reason, "reasons")?,
            });
        }
        Ok(())
    }

    fn patch(&mut self) {
        let labels = &self.labels;
        let place = |label: u32| labels[label as usize].expect("every label that is used is bound");
        for op in &mut self.ops {
            if let Some(to) = op.target() {
                *to = place(*to);
            }
        }
        for site in &mut self.apply {
            site.to = place(site.to);
        }
        for table in &mut self.switches {
            for to in table.to.iter_mut().chain([&mut table.otherwise]) {
                *to = place(*to);
            }
        }
        for table in &mut self.select {
            for (_, to) in table {
                *to = place(*to);
            }
        }
        for (info, label) in self.moves.iter_mut().zip(&self.move_labels) {
            info.enumerate = place(label.0);
        }
    }

    fn resolved(&self, label: Label) -> Pc {
        self.labels[label.0 as usize].expect("every label that is used is bound")
    }

    fn emit(&mut self, op: Op) {
        self.watch_runners(op);
        self.ops.push(op);
    }

    fn here(&self) -> Pc {
        Pc::try_from(self.ops.len()).expect("fewer than 2^32 instructions")
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(u32::try_from(self.labels.len() - 1).expect("fewer than 2^32 labels"))
    }

    fn bind(&mut self, label: Label) {
        debug_assert!(
            self.labels[label.0 as usize].is_none(),
            "a label has one place"
        );
        let here = self.here();
        self.labels[label.0 as usize] = Some(here);
        self.last_bound = Some(here);
    }

    fn jump(&mut self, to: Label) {
        self.emit(Op::Jump { to: to.0 });
    }

    fn constant(&mut self, value: i64) -> Result<Slot> {
        if self.ops.len() > MOST_OPS {
            return unsupported("so large a program");
        }
        if let Some(&slot) = self.constant_slots.get(&value) {
            return Ok(slot);
        }
        if self.constants.len() >= self.sizes.constants {
            return unsupported("so large a program");
        }
        let slot = small(self.constants.len(), "constants")?;
        self.constants.push(value);
        self.constant_slots.insert(value, slot);
        Ok(slot)
    }

    /// Constants that stand side by side.
    fn constants(&mut self, values: &[i64]) -> Result<Slot> {
        if let [one] = *values {
            return self.constant(one);
        }
        if self.constants.len() + values.len() > self.sizes.constants {
            return unsupported("so large a program");
        }
        let slot = small(self.constants.len(), "constants")?;
        self.constants.extend_from_slice(values);
        Ok(slot)
    }

    fn temporary(&mut self, size: usize) -> Result<Slot> {
        if self.next_temporary + size > self.sizes.temporaries {
            return unsupported("so large a program");
        }
        let slot = self.sizes.constants + self.next_temporary;
        self.next_temporary += size;
        self.most_temporaries = self.most_temporaries.max(self.next_temporary);
        small(slot, "slots")
    }

    /// Slots that live across moves' parts, and are part of snapshots.
    fn lasting(&mut self, size: usize) -> Result<Slot> {
        if self.next_lasting + size > self.sizes.lasting {
            return unsupported("so large a program");
        }
        let slot = self.sizes.constants + self.sizes.temporaries + self.next_lasting;
        self.next_lasting += size;
        self.most_lasting = self.most_lasting.max(self.next_lasting);
        small(slot, "slots")
    }

    fn lasting_slot(&self, which: usize) -> Slot {
        let slot = self.sizes.constants + self.sizes.temporaries + which;
        Slot::try_from(slot).expect("sizes are checked")
    }

    fn list(&mut self) -> Result<u8> {
        let list = self.next_list;
        self.next_list += 1;
        self.most_lists = self.most_lists.max(self.next_list);
        match u8::try_from(list) {
            Ok(list) => Ok(list),
            Err(_) => unsupported("more than 255 choices in one move"),
        }
    }

    /// The address of a slot of the working state.
    fn state_slot(&self, offset: usize) -> Slot {
        let start = self.sizes.constants + self.sizes.temporaries + self.sizes.lasting;
        Slot::try_from(start + offset).expect("sizes are checked")
    }

    fn location_slot(&self, instance: usize) -> Slot {
        self.state_slot(self.layout.instances[instance].location)
    }

    /// The number of an instance.
    fn number(&self, instance_slot: usize) -> usize {
        self.layout.instances[instance_slot].number
    }

    /// The code of an instance slot's instance being at a location.
    fn location_code(&mut self, instance_slot: usize, location: LocId) -> Result<Slot> {
        let code = self.layout.instances[instance_slot].code_of(location);
        self.constant(as_i64(code))
    }

    /// The code of where an instance begins.
    fn beginning_code(&self, instance_slot: usize) -> i64 {
        let slots = &self.layout.instances[instance_slot];
        let process = self.template(instance_slot);
        as_i64(if process.starts_ended {
            slots.base + process.locations.len() + ENDED
        } else {
            slots.code_of(process.entry)
        })
    }

    /// A code for being without a location.
    fn absent(&mut self, instance_slot: usize, code: usize) -> Result<Slot> {
        debug_assert!(code <= HALTED);
        let count = self.template(instance_slot).locations.len();
        let base = self.layout.instances[instance_slot].base;
        self.constant(as_i64(base + count + code))
    }

    fn halted(&mut self, instance_slot: usize) -> Result<Slot> {
        self.absent(instance_slot, HALTED)
    }

    /// The code of nobody being there.
    fn gone(&mut self) -> Result<Slot> {
        self.constant(as_i64(GONE))
    }

    fn template(&self, instance: usize) -> &'p model::Process {
        &self.program.processes[self.layout.instances[instance].process.index()]
    }

    /// Where to jump to raise a fault that goes to `scope.fault`.
    fn fault_label(&mut self, scope: Scope<'_>, fault: Option<FaultId>) -> Label {
        let Some(fault) = fault else {
            return self.stop_label("a fault that the program does not declare");
        };
        let key = (fault, scope.site, scope.fault);
        if let Some(&label) = self.fault_stub_of.get(&key) {
            return label;
        }
        let label = self.label();
        self.fault_stub_of.insert(key, label);
        self.fault_targets.insert(scope.fault);
        self.fault_stubs
            .push((fault, scope.site, scope.fault, label));
        label
    }

    /// Where to jump to give up.
    fn stop_label(&mut self, reason: &str) -> Label {
        let index = self
            .reasons
            .iter()
            .position(|r| r == reason)
            .unwrap_or_else(|| {
                self.reasons.push(reason.to_owned());
                self.reasons.len() - 1
            });
        if let Some(&(_, label)) = self.stop_stubs.iter().find(|(r, _)| *r == index) {
            return label;
        }
        let label = self.label();
        self.stop_stubs.push((index, label));
        label
    }

    fn type_index(&mut self, ty: &Type) -> Result<u16> {
        let index = self.types.iter().position(|t| t == ty).unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        });
        small(index, "types")
    }

    /// Notes a choice in the log, if there is one.
    fn log_choice(&mut self, a: Slot, ty: &Type) -> Result<()> {
        if self.demand.log {
            let ty = self.type_index(ty)?;
            self.emit(Op::LogChoice { a, ty });
        }
        Ok(())
    }

    fn finish(&mut self, outcomes: Slot) -> Result<()> {
        for (index, &id) in self.demand.outcomes.iter().enumerate() {
            let d = outcomes + small::<u16>(index, "outcomes")?;
            self.truth_outside(id, d)?;
        }
        self.emit(Op::NoMore);
        Ok(())
    }

    /// The truth of an expression outside all instances; one that faults does not hold.
    fn truth_outside(&mut self, id: ExprId, d: Slot) -> Result<()> {
        let saved = self.next_temporary;
        let no = self.label();
        let scope = Scope {
            me: None,
            procedure: None,
            arguments: &[],
            fault: no,
            site: 0,
        };
        self.branch(scope, id, no, false)?;
        self.true_here_false_at(no, d)?;
        self.next_temporary = saved;
        Ok(())
    }

    /// Whoever comes here gets true in `d`, whoever comes to `no` false; both go on behind.
    fn true_here_false_at(&mut self, no: Label, d: Slot) -> Result<()> {
        let (zero, one) = (self.constant(0)?, self.constant(1)?);
        let end = self.label();
        self.emit(Op::Copy { d, a: one });
        self.jump(end);
        self.bind(no);
        self.emit(Op::Copy { d, a: zero });
        self.bind(end);
        Ok(())
    }

    fn priority(&mut self, instance: usize, result: Slot) -> Result<Option<Pc>> {
        let Some(expr) = self.template(instance).priority else {
            return Ok(None);
        };
        let start = self.here();
        let (faulted, end) = (self.label(), self.label());
        let scope = Scope {
            me: Some(instance),
            procedure: None,
            arguments: &[],
            fault: faulted,
            site: 0,
        };
        let saved = self.next_temporary;
        self.expr_into(scope, expr, Some(result))?;
        self.next_temporary = saved;
        self.jump(end);
        self.bind(faulted);
        let zero = self.constant(0)?;
        self.emit(Op::Copy { d: result, a: zero });
        self.bind(end);
        self.emit(Op::NoMore);
        Ok(Some(start))
    }
}

/// A number that must fit into 16 bits.
fn small<T: TryFrom<usize>>(n: usize, what: &str) -> Result<T> {
    match T::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => unsupported(format!("so many {what}")),
    }
}
