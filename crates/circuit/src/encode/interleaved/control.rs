//! Control as numbers: where an instance is, in which procedure, and who called it.
//!
//! Without recursion each procedure is open at most once at a time, so it has one frame, and the
//! step that called it says where it returns to.

use model::{Composition, IdPolicy, LocId, Mode, ProcedureId, Process, ProcessId, Program, StepId};
use model::{Target, Value};

use super::super::Unsupported;

/// What is known of the control of an instance before anything moves.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    pub(crate) process: ProcessId,
    /// The code of each location that can be reached.
    codes: Vec<Option<usize>>,
    /// The locations at which the instance may rest between steps of the circuit, by code.
    pub(crate) locations: Vec<LocId>,
    /// The locations that a step of the circuit runs through, each behind those that lead there.
    pub(crate) through: Vec<LocId>,
    /// In which procedure each location is.
    procedures: Vec<Option<ProcedureId>>,
    /// The steps that can be offered.
    pub(crate) steps: Vec<StepId>,
    /// For each procedure the steps that call it.
    pub(crate) sites: Vec<Vec<StepId>>,
    /// How many codes there are: locations, then ended, halted, gone.
    pub(crate) count: usize,
}

impl Control {
    pub(crate) fn new(program: &Program, id: ProcessId) -> Result<Control, Unsupported> {
        let process = &program.processes[id.index()];
        let mut control = Control {
            process: id,
            codes: vec![None; process.locations.len()],
            locations: Vec::new(),
            through: Vec::new(),
            procedures: vec![None; process.locations.len()],
            steps: Vec::new(),
            sites: vec![Vec::new(); process.procedures.len()],
            count: 0,
        };
        let dead = |step: &model::Step| {
            step.guard
                .is_some_and(|guard| program.exprs.constant(guard) == Some(&Value::Bool(false)))
        };
        let mut open = Vec::new();
        let mut taken = vec![false; process.steps.len()];
        if !process.starts_ended {
            control.reach(process.entry, None, &mut open)?;
        }
        if let Some(location) = process.on_fault {
            control.reach(location, None, &mut open)?;
        }
        while let Some((location, procedure)) = open.pop() {
            for step in offered(process, location) {
                let declared = &process.steps[step.index()];
                if dead(declared) {
                    continue;
                }
                taken[step.index()] = true;
                match &declared.target {
                    Target::Goto(to) => control.reach(*to, procedure, &mut open)?,
                    Target::Call { callee, then, .. } => {
                        let model::Callee::Known(callee) = callee else {
                            return Err(Unsupported::new("calls of procedures that are values"));
                        };
                        let entry = process.procedures[callee.index()].entry;
                        control.reach(entry, Some(*callee), &mut open)?;
                        control.reach(*then, procedure, &mut open)?;
                        let sites = &mut control.sites[callee.index()];
                        if !sites.contains(&step) {
                            sites.push(step);
                        }
                    }
                    Target::Return(_) | Target::End => {}
                }
            }
        }
        control.locations.sort_unstable();
        control.number();
        control.count = control.locations.len() + 3;
        control.steps = (0..process.steps.len())
            .map(StepId::new)
            .filter(|step| taken[step.index()])
            .collect();
        control.no_recursion(process)?;
        Ok(control)
    }

    fn number(&mut self) {
        for (code, location) in self.locations.iter().enumerate() {
            self.codes[location.index()] = Some(code);
        }
        let count = self.locations.len() + 3;
        for (code, location) in self.through.iter().enumerate() {
            self.codes[location.index()] = Some(count + code);
        }
        self.count = count;
    }

    /// Lets steps of the circuit run through these locations.
    pub(crate) fn run_through(&mut self, through: Vec<LocId>) {
        self.locations
            .retain(|location| !through.contains(location));
        self.through = through;
        self.number();
    }

    fn reach(
        &mut self,
        location: LocId,
        procedure: Option<ProcedureId>,
        open: &mut Vec<(LocId, Option<ProcedureId>)>,
    ) -> Result<(), Unsupported> {
        let index = location.index();
        if self.codes[index].is_none() {
            self.codes[index] = Some(0);
            self.procedures[index] = procedure;
            self.locations.push(location);
            open.push((location, procedure));
        } else if self.procedures[index] != procedure {
            return Err(Unsupported::new("code that several procedures share"));
        }
        Ok(())
    }

    /// Refuses procedures that may call themselves.
    fn no_recursion(&self, process: &Process) -> Result<(), Unsupported> {
        let count = process.procedures.len();
        // How many calls deep a procedure may be; more than there are procedures is a cycle.
        let mut depth = vec![0usize; count];
        for _ in 0..=count {
            for callee in 0..count {
                for &site in &self.sites[callee] {
                    let from = process.steps[site.index()].from;
                    let above = self
                        .procedure(from)
                        .map_or(0, |caller| depth[caller.index()]);
                    depth[callee] = depth[callee].max(above + 1);
                }
            }
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        if deepest > count {
            return Err(Unsupported::new("recursion"));
        }
        if deepest > process.max_frames as usize {
            return Err(Unsupported::new(
                "calls beyond the depth that the program allows",
            ));
        }
        Ok(())
    }

    /// The code of a location.
    pub(crate) fn code(&self, location: LocId) -> Option<usize> {
        self.codes[location.index()]
    }

    /// The code of having ended.
    pub(crate) fn ended(&self) -> usize {
        self.locations.len()
    }

    /// The code of having been stopped by a fault for good.
    pub(crate) fn halted(&self) -> usize {
        self.locations.len() + 1
    }

    /// The code of not being there any more.
    pub(crate) fn gone(&self) -> usize {
        self.locations.len() + 2
    }

    /// The procedure that a location is in.
    pub(crate) fn procedure(&self, location: LocId) -> Option<ProcedureId> {
        self.procedures[location.index()]
    }

    /// The codes of the locations at which control stays in one of these ways.
    pub(crate) fn codes_of(&self, process: &Process, modes: &[Mode]) -> Vec<usize> {
        let is = |location: &LocId| modes.contains(&process.locations[location.index()].mode);
        (0..self.locations.len())
            .filter(|&code| is(&self.locations[code]))
            .collect()
    }
}

/// The steps offered at a location, its own and those of escapes.
fn offered(process: &Process, location: LocId) -> Vec<StepId> {
    let of_escape = |step: &StepId| process.escapes.iter().any(|e| e.steps.contains(step));
    let own = (0..process.steps.len())
        .map(StepId::new)
        .filter(|step| process.steps[step.index()].from == location && !of_escape(step));
    let escapes = process.escapes.iter();
    own.chain(
        escapes
            .filter(|escape| escape.covers.contains(&location))
            .flat_map(|escape| escape.steps.iter().copied()),
    )
    .collect()
}

/// Whether an instance that ends goes away at once.
pub(crate) fn leaves_at_end(program: &Program) -> bool {
    program.composition
        == (Composition::Interleaving {
            ids: IdPolicy::Fresh,
        })
}
