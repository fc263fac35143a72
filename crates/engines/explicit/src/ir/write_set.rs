//! What statements write, start and make: what has to be kept from state to state.

use model::{Pattern, Place, ProcessId, Program, Root, Stmt};

/// Which variables some statement writes, and what comes and goes.
pub(crate) struct Written {
    pub(crate) globals: Vec<bool>,
    pub(crate) locals: Vec<Vec<bool>>,
    /// Whether instances of the process can go away.
    pub(crate) ends: Vec<bool>,
    /// Whether instances of the process are started at run time.
    pub(crate) spawned: Vec<bool>,
}

impl Written {
    pub(crate) fn of(program: &Program) -> Written {
        let mut written = Written {
            globals: vec![false; program.globals.len()],
            locals: program
                .processes
                .iter()
                .map(|p| vec![false; p.locals.len()])
                .collect(),
            ends: vec![false; program.processes.len()],
            spawned: vec![false; program.processes.len()],
        };
        for (index, process) in program.processes.iter().enumerate() {
            let id = ProcessId::new(index);
            for step in &process.steps {
                for bind in &step.binds {
                    written.place(id, &bind.place);
                }
                if let Some(model::Comm::Receive { patterns, .. }) = &step.comm {
                    for pattern in patterns {
                        if let Pattern::Bind(place) = pattern {
                            written.place(id, place);
                        }
                    }
                }
                written.block(&[id], &step.body);
                match &step.target {
                    model::Target::Call {
                        result: Some(place),
                        ..
                    } => written.place(id, place),
                    model::Target::End => written.ends[index] = true,
                    _ => {}
                }
            }
        }
        for global in program.leaver.iter().chain(&program.per_instance) {
            written.globals[global.index()] = true;
        }
        for (index, process) in program.processes.iter().enumerate() {
            written.ends[index] |= process.starts_ended;
        }
        // Whoever emits an event runs its observers.
        let all: Vec<ProcessId> = (0..program.processes.len()).map(ProcessId::new).collect();
        for observer in &program.observers {
            written.block(&all, &observer.body);
        }
        written
    }

    fn place(&mut self, process: ProcessId, place: &Place) {
        match place.root {
            Root::Global(id) => self.globals[id.index()] = true,
            Root::Own(local) => {
                if let Some(written) = self.locals[process.index()].get_mut(local as usize) {
                    *written = true;
                }
            }
            _ => {}
        }
    }

    /// What a body writes that instances of these processes run.
    fn block(&mut self, processes: &[ProcessId], body: &[Stmt]) {
        let mut waiting: Vec<&Stmt> = body.iter().collect();
        while let Some(stmt) = waiting.pop() {
            let place = match stmt {
                Stmt::Assign(place, _) => Some(place),
                Stmt::Choose(choice) => Some(&choice.place),
                Stmt::If(_, a, b) => {
                    waiting.extend(a.iter().chain(b));
                    None
                }
                Stmt::Spawn {
                    process, result, ..
                } => {
                    self.spawned[process.index()] = true;
                    result.as_ref()
                }
                Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => Some(result),
                Stmt::Assert { .. }
                | Stmt::Assume(_)
                | Stmt::Raise(_)
                | Stmt::Emit { .. }
                | Stmt::Free(_) => None,
            };
            for &process in processes {
                if let Some(place) = place {
                    self.place(process, place);
                }
            }
        }
    }
}
