//! Random small programs that use most of the vocabulary, with random properties.

mod expression;
mod numbers;
mod properties;

pub(crate) use numbers::Rng;

use model::{
    Assumption, Callee, Channel, Check, CheckId, Choice, Comm, Composition, Escape, Event,
    Fairness, FairnessKind, Fault, GlobalId, IdPolicy, LocId, Mode, Observer, Pattern, Place,
    Procedure, ProcedureId, Process, ProcessId, Program, PropertyId, Start, Step, StepId, Stmt,
    Target, Type, ValueSet, Variable, VariableKind, Visibility,
};
use source::Span;

/// The features that a program uses, by name.
pub(crate) type Features = std::collections::BTreeSet<&'static str>;

/// A variable in reach: where, its type.
#[derive(Clone)]
struct InReach {
    place: Place,
    ty: Type,
}

pub(crate) struct Generator {
    pub(crate) rng: Rng,
    pub(crate) program: Program,
    pub(crate) features: Features,
    division: model::FaultId,
    check: CheckId,
    channels: Vec<(u32, u32)>,
    event: model::EventId,
}

const TINY: Type = Type::Range { lo: 0, hi: 2 };
const TWO_BITS: Type = Type::Int {
    bits: 2,
    signed: false,
};

/// A program and its properties.
pub(crate) fn generate(seed: u64) -> (Program, Vec<PropertyId>, Features) {
    let mut program = Program::new(format!("random {seed}"), "random");
    let division = program.add_fault(Fault {
        name: "division".into(),
        message: "division by zero".into(),
    });
    program.division_fault = Some(division);
    let range = program.add_fault(Fault {
        name: "range".into(),
        message: "out of range".into(),
    });
    program.range_fault = Some(range);
    program.stack_fault = Some(range);
    let check = program.add_check(Check {
        name: "check".into(),
        failure: "it fails".into(),
        span: Span::NONE,
    });
    let event = program.add_event(Event {
        name: "event".into(),
        parameters: vec![("a".into(), TWO_BITS), ("b".into(), TWO_BITS)],
        story: None,
        visibility: Visibility::Told,
    });
    let mut generator = Generator {
        rng: Rng::new(seed),
        program,
        features: Features::new(),
        division,
        check,
        channels: Vec::new(),
        event,
    };
    generator.build();
    let properties = generator.properties();
    (generator.program, properties, generator.features)
}

impl Generator {
    fn note(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn build(&mut self) {
        if self.rng.chance(10) {
            self.note("stack ids");
            self.program.composition = Composition::Interleaving {
                ids: IdPolicy::Stack,
            };
        }
        for index in 0..3 + self.rng.below(4) {
            let ty = self
                .rng
                .pick(&[Type::Bool, TINY, TWO_BITS, Type::Mathint])
                .clone();
            let mut variable = Variable::new(format!("g{index}"), ty.clone());
            if self.rng.chance(15) {
                self.note("step variable");
                variable.kind = VariableKind::Step;
            } else if self.rng.chance(20) {
                variable.kind = VariableKind::Ghost;
            }
            if self.rng.chance(15) && ty != Type::Mathint {
                self.note("first choice");
                variable.init = Some(ValueSet::All(ty));
            } else if self.rng.chance(30) {
                let one = self.constant(&ty, 1);
                variable.init = Some(ValueSet::One(one));
            }
            self.program.add_global(variable);
        }
        for _ in 0..self.rng.below(2) {
            let capacity = self.rng.below(2) as u32;
            self.note(if capacity == 0 {
                "rendezvous"
            } else {
                "buffer"
            });
            let id = self.program.add_channel(Channel {
                name: "c".into(),
                capacity: Some(capacity),
                fields: vec![TWO_BITS, TWO_BITS],
                from_start: true,
                owner: None,
            });
            self.channels.push((id.0, capacity));
        }
        if self.rng.chance(50) {
            self.note("observer");
            let mut reach = self.globals();
            for argument in 0..2 {
                reach.push(InReach {
                    place: model::Root::Argument(argument).into(),
                    ty: TWO_BITS,
                });
            }
            let targets = self.globals();
            let body = self.body(&reach, &targets, 1, false);
            let event = self.event;
            self.program.add_observer(Observer {
                name: "watch".into(),
                event,
                body,
            });
        }
        let processes = 1 + self.rng.below(2) + self.rng.below(2);
        for index in 0..processes {
            let process = self.process(index);
            let id = self.program.add_process(process);
            let parameters = self.program.processes[id.index()].parameters;
            let instances = if self.rng.chance(15) { 2 } else { 1 };
            if instances > 1 {
                self.note("two instances");
            }
            for _ in 0..instances {
                let args = (0..parameters)
                    .map(|_| {
                        let value = self.rng.below(3) as i128;
                        self.program.exprs.int(value, TINY)
                    })
                    .collect();
                self.program.start.push(Start { process: id, args });
            }
        }
        if self.rng.chance(40) {
            self.note("weak fairness");
            let process = self.rng.below(self.program.processes.len());
            let steps = (0..self.program.processes[process].steps.len())
                .filter(|&step| {
                    let template = &self.program.processes[process];
                    template.locations[template.steps[step].from.index()].mode == Mode::Open
                        && template.escapes.is_empty()
                })
                .map(|step| (ProcessId::new(process), StepId::new(step)))
                .collect();
            self.program.fairness.push(Fairness {
                name: "weak".into(),
                kind: FairnessKind::Weak(steps),
                assumption: None,
            });
        }
        if self.rng.chance(20) {
            let assumption = self.program.add_assumption(Assumption {
                text: "nothing".into(),
                origin: model::Origin::Semantics,
                properties: None,
                span: Span::NONE,
            });
            self.program.fairness.push(Fairness {
                name: "not named".into(),
                kind: FairnessKind::Weak(vec![(ProcessId(0), StepId(0))]),
                assumption: Some(assumption),
            });
        }
    }

    fn globals(&self) -> Vec<InReach> {
        self.program
            .globals
            .iter()
            .enumerate()
            .map(|(index, variable)| InReach {
                place: Place::global(GlobalId::new(index)),
                ty: variable.ty.clone(),
            })
            .collect()
    }

    fn process(&mut self, index: usize) -> Process {
        let mut process = Process::new(format!("p{index}"));
        let mut reach = self.globals();
        process.parameters = self.rng.below(2);
        for local in 0..1 + self.rng.below(2) {
            let mut variable = Variable::new(format!("x{local}"), TINY);
            if local >= process.parameters && self.rng.chance(20) {
                variable.init = Some(ValueSet::All(TINY));
            }
            process.locals.push(variable);
            reach.push(InReach {
                place: Place::own(local),
                ty: TINY,
            });
        }
        process.parameters = process.parameters.min(process.locals.len());
        let count = 2 + self.rng.below(4);
        let atomic = self.rng.chance(15);
        for location in 0..count {
            let mode = match self.rng.below(100) {
                _ if location == 0 => Mode::Open,
                0..40 => Mode::Region,
                40..50 if atomic => {
                    self.note("atomic");
                    Mode::Atomic
                }
                _ => Mode::Open,
            };
            if mode == Mode::Region {
                self.note("region");
            }
            let id = process.add_location(format!("l{location}"), mode, Span::NONE);
            process.locations[id.index()].end = self.rng.chance(60);
        }
        let main = count;
        if self.rng.chance(20) {
            self.note("procedure");
            process.max_frames = 2;
            let body = process.add_location("inner", Mode::Region, Span::NONE);
            let last = process.add_location("return", Mode::Region, Span::NONE);
            process.add_procedure(Procedure {
                name: "f".into(),
                locals: vec![Variable::new("a", TWO_BITS), Variable::new("b", TWO_BITS)],
                parameters: 1,
                entry: body,
                span: Span::NONE,
            });
            let mut inner = reach.clone();
            for local in 0..2 {
                inner.push(InReach {
                    place: Place::frame(local),
                    ty: TWO_BITS,
                });
            }
            let statements = self.body(&inner, &inner, 1, true);
            process.add_step(Step {
                body: statements,
                ..Step::new(body, last, Span::NONE)
            });
            let value = self.number(&inner, 2);
            process.add_step(Step {
                target: Target::Return(Some(value)),
                ..Step::new(last, last, Span::NONE)
            });
        }
        for from in 0..main {
            self.steps_from(&mut process, from, main, &reach);
        }
        if self.rng.chance(35) {
            self.note("on fault");
            process.on_fault = Some(LocId::new(self.rng.below(main)));
        }
        if self.rng.chance(8) {
            self.note("provided");
            process.provided = Some(self.truth(&self.globals(), 1));
        }
        if self.rng.chance(8) && process.procedures.is_empty() {
            self.note("escape");
            let step = process.add_step(Step {
                guard: Some(self.truth(&reach, 1)),
                ..Step::new(LocId(0), LocId::new(self.rng.below(main)), Span::NONE)
            });
            let covers = vec![LocId::new(self.rng.below(main))];
            process.escapes.push(Escape {
                covers,
                steps: vec![step],
                precedence: 1,
            });
        }
        process
    }

    fn steps_from(&mut self, process: &mut Process, from: usize, main: usize, reach: &[InReach]) {
        let at = LocId::new(from);
        let mode = process.locations[from].mode;
        let locals: Vec<InReach> = reach.to_vec();
        match self.rng.below(100) {
            // Nothing: the end.
            0..6 if mode == Mode::Open => {}
            // A branch.
            6..35 => {
                let cond = self.truth(reach, 2);
                let negated = self.program.exprs.not(cond);
                for guard in [cond, negated] {
                    let to = LocId::new(self.rng.below(main));
                    let body = if self.rng.chance(50) {
                        self.body(reach, &locals, 0, true)
                    } else {
                        Vec::new()
                    };
                    process.add_step(Step {
                        guard: Some(guard),
                        body,
                        ..Step::new(at, to, Span::NONE)
                    });
                }
            }
            // A free loop with a way out.
            35..45 => {
                self.note("free loop");
                let to = LocId::new(self.rng.below(main));
                let body = self.body(reach, &locals, 0, true);
                process.add_step(Step {
                    body,
                    ..Step::new(at, at, Span::NONE)
                });
                process.add_step(Step::new(at, to, Span::NONE));
            }
            // A single plain step.
            45..65 => {
                let to = LocId::new(self.rng.below(main));
                let body = self.body(reach, &locals, 1, true);
                process.add_step(Step {
                    body,
                    ..Step::new(at, to, Span::NONE)
                });
            }
            // Anything.
            _ => {
                for _ in 0..1 + self.rng.below(3) {
                    let to = LocId::new(self.rng.below(main));
                    let mut step = Step::new(at, to, Span::NONE);
                    if self.rng.chance(50) {
                        self.note("arguments");
                        for _ in 0..1 + self.rng.below(2) {
                            let choice = self.choice(reach, &locals);
                            step.binds.push(choice);
                        }
                    }
                    if self.rng.chance(50) {
                        step.guard = Some(self.truth(reach, 2));
                    }
                    if self.rng.chance(12) {
                        self.note("rank");
                        step.rank = 1;
                    }
                    if self.rng.chance(5) {
                        self.note("class");
                        step.class = self.rng.below(3) as u8;
                    }
                    if !self.channels.is_empty() && self.rng.chance(40) {
                        step.comm = Some(self.comm(reach, &locals));
                    }
                    step.body = self.body(reach, &locals, 1, true);
                    if !process.procedures.is_empty() && self.rng.chance(40) {
                        let result = self
                            .rng
                            .chance(70)
                            .then(|| self.rng.pick(reach).clone())
                            .filter(|target| target.ty.is_integer());
                        let argument = self.number(reach, 1);
                        step.target = Target::Call {
                            callee: Callee::Known(ProcedureId(0)),
                            args: vec![argument],
                            result: result.map(|target| target.place),
                            then: to,
                        };
                    } else if mode == Mode::Open && self.rng.chance(4) {
                        self.note("end");
                        step.target = Target::End;
                    }
                    process.add_step(step);
                }
            }
        }
    }

    fn comm(&mut self, reach: &[InReach], targets: &[InReach]) -> Comm {
        let (channel, _) = *self.rng.pick(&self.channels.clone());
        let channel = self
            .program
            .exprs
            .int(i128::from(channel) + 1, Type::Channel);
        if self.rng.chance(50) {
            Comm::Send {
                channel,
                message: vec![self.number(reach, 1), self.number(reach, 1)],
                sorted: false,
                lossy: self.rng.chance(20),
            }
        } else {
            let patterns = (0..2)
                .map(|_| match self.rng.below(4) {
                    0 => Pattern::Any,
                    1 => Pattern::Match(self.number(reach, 1)),
                    _ => {
                        let wide: Vec<_> = targets
                            .iter()
                            .filter(|t| t.ty == TWO_BITS)
                            .cloned()
                            .collect();
                        if wide.is_empty() {
                            Pattern::Any
                        } else {
                            Pattern::Bind(self.rng.pick(&wide).place.clone())
                        }
                    }
                })
                .collect();
            Comm::Receive {
                channel,
                patterns,
                anywhere: false,
                keep: self.rng.chance(10),
            }
        }
    }

    fn choice(&mut self, reach: &[InReach], targets: &[InReach]) -> Choice {
        let target = self.rng.pick(targets).clone();
        let set = match self.rng.below(5) {
            0 if target.ty.is_integer() => {
                // May be empty.
                let zero = self.constant(&target.ty, 0);
                let end = self.number(reach, 1);
                ValueSet::Between(zero, end)
            }
            1 => {
                let value = self.of_type(&target.ty, reach, 1);
                ValueSet::One(value)
            }
            _ if target.ty == Type::Mathint => {
                let zero = self.constant(&target.ty, 0);
                let two = self.constant(&target.ty, 2);
                ValueSet::Between(zero, two)
            }
            _ => ValueSet::All(target.ty.clone()),
        };
        Choice {
            place: target.place,
            set,
            sample: None,
            what: "a value".into(),
            outside: None,
        }
    }

    fn body(
        &mut self,
        reach: &[InReach],
        targets: &[InReach],
        depth: usize,
        in_process: bool,
    ) -> Vec<Stmt> {
        (0..self.rng.below(4))
            .map(|_| self.stmt(reach, targets, depth, in_process))
            .collect()
    }

    fn stmt(
        &mut self,
        reach: &[InReach],
        targets: &[InReach],
        depth: usize,
        in_process: bool,
    ) -> Stmt {
        match self.rng.below(100) {
            0..6 => {
                self.note("assertion");
                Stmt::Assert {
                    cond: self.truth(reach, 2),
                    check: self.check,
                    span: Span::NONE,
                }
            }
            6..9 => {
                self.note("assumption");
                Stmt::Assume(self.truth(reach, 1))
            }
            9..11 => {
                self.note("raise");
                Stmt::Raise(self.division)
            }
            11..21 if in_process => {
                self.note("event");
                Stmt::Emit {
                    event: self.event,
                    args: vec![self.number(reach, 1), self.number(reach, 1)],
                    span: Span::NONE,
                }
            }
            21..35 if depth > 0 => Stmt::If(
                self.truth(reach, 2),
                self.body(reach, targets, depth - 1, in_process),
                self.body(reach, targets, depth - 1, in_process),
            ),
            35..45 => {
                self.note("choice");
                Stmt::Choose(self.choice(reach, targets))
            }
            _ => {
                let target = self.rng.pick(targets).clone();
                // Mostly values that fit.
                let value = if self.rng.chance(70) && target.ty.is_integer() {
                    if self.rng.chance(50) {
                        let value = self.rng.below(3) as i128;
                        self.constant(&target.ty, value)
                    } else {
                        let same: Vec<_> = reach
                            .iter()
                            .filter(|r| r.ty == target.ty)
                            .cloned()
                            .collect();
                        let source = self.rng.pick(&same).clone();
                        self.program.exprs.load(source.place, source.ty)
                    }
                } else {
                    self.of_type(&target.ty, reach, 2)
                };
                let value = if target.ty == Type::Mathint {
                    self.reduced(value)
                } else {
                    value
                };
                Stmt::Assign(target.place, value)
            }
        }
    }
}
