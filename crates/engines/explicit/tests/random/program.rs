//! Random small programs that use everything the engine has.

mod expression;
mod numbers;
mod statement;

use std::collections::BTreeSet;

use model::*;
use source::Span;

pub(crate) use numbers::Random;

const INT8: Type = Type::Int {
    bits: 8,
    signed: true,
};
const NIBBLE: Type = Type::Int {
    bits: 3,
    signed: false,
};
const SMALL: Type = Type::Range { lo: 0, hi: 2 };
const SHIFTED: Type = Type::Range { lo: -1, hi: 2 };

/// A program and what it is made of.
pub(crate) struct Generated {
    pub(crate) program: Program,
    pub(crate) constructs: BTreeSet<&'static str>,
    /// Truth expressions over global things.
    pub(crate) atoms: Vec<ExprId>,
    /// Sets of steps, each with the step variable that says that one was taken.
    pub(crate) sets: Vec<(Vec<(ProcessId, StepId)>, ExprId)>,
}

/// Which places can be used somewhere.
#[derive(Clone)]
struct Here {
    process: Option<ProcessId>,
    procedure: bool,
    arguments: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    p: Program,
    constructs: BTreeSet<&'static str>,
    numbers: Vec<(GlobalId, Type)>,
    flags: Vec<GlobalId>,
    array: GlobalId,
    record: GlobalId,
    text: GlobalId,
    step_number: GlobalId,
    runner: GlobalId,
    taken: Vec<GlobalId>,
    event: EventId,
    spell: FunctionId,
    queues: Vec<ChannelId>,
    meets: Vec<ChannelId>,
    templates: usize,
    /// What comes and goes at run time, if anything does.
    dynamic: Option<Dynamic>,
    wild: bool,
}

/// What programs need in which instances and channels come and go.
#[derive(Clone)]
struct Dynamic {
    /// Is started at run time.
    child: ProcessId,
    /// A reference for everybody, and whether its channel has been made.
    link: GlobalId,
    made: GlobalId,
    /// Where the reference of a child's channel is kept before it is started.
    given: GlobalId,
    /// Channels that are made at run time.
    fresh: Vec<ChannelId>,
}

/// Spells a number; 3 cannot be spelled.
fn spell(rich: &RichTable, args: &[Value]) -> Result<Value, FaultId> {
    match args[0].number() {
        3 => Err(FaultId(0)),
        n => Ok(rich.text(if n.rem_euclid(2) == 0 { "even" } else { "odd" })),
    }
}

/// Makes a program. A `wild` one may have regions that go on for ever, faults and the like at
/// every corner; a tame one is more likely to have many states.
pub(crate) fn generate(random: &mut Random, wild: bool) -> Generated {
    let mut p = Program::new("random", "none");
    let fault = p.add_fault(Fault {
        name: "oops".into(),
        message: "oops".into(),
    });
    p.division_fault = Some(fault);
    p.range_fault = Some(p.add_fault(Fault {
        name: "range".into(),
        message: "range".into(),
    }));
    p.index_fault = Some(p.add_fault(Fault {
        name: "index".into(),
        message: "index".into(),
    }));
    p.channel_fault = Some(p.add_fault(Fault {
        name: "channel".into(),
        message: "no".into(),
    }));
    p.stack_fault = Some(p.add_fault(Fault {
        name: "stack".into(),
        message: "full".into(),
    }));
    let colors = p.add_enum(EnumDecl {
        name: "color".into(),
        members: vec!["red".into(), "green".into(), "blue".into()],
    });
    let pair = p.add_record(RecordDecl {
        name: "pair".into(),
        fields: vec![("flag".into(), Type::Bool), ("n".into(), SMALL)],
    });
    let event = p.add_event(Event {
        name: "tick".into(),
        parameters: vec![("n".into(), INT8)],
        story: None,
        visibility: Visibility::Told,
    });
    let spell = p.add_function(Function {
        name: "spell".into(),
        parameters: vec![INT8],
        result: Type::Rich,
        eval: spell,
        can_fault: false,
    });
    let mut numbers = Vec::new();
    for (name, ty) in [
        ("a", SMALL),
        ("b", NIBBLE),
        ("c", SHIFTED),
        ("d", Type::Enum(colors)),
    ] {
        numbers.push((p.add_global(Variable::new(name, ty.clone())), ty));
    }
    let flags = vec![
        p.add_global(Variable::new("x", Type::Bool)),
        p.add_global(Variable::new("y", Type::Bool)),
    ];
    let array = p.add_global(Variable::new("array", Type::Array(Box::new(SMALL), 2)));
    let record = p.add_global(Variable::new("record", Type::Record(pair)));
    let text = p.add_global(Variable::new("text", Type::Rich));
    let step = |name: &str| Variable {
        kind: VariableKind::Step,
        ..Variable::new(name, SMALL)
    };
    let step_number = p.add_global(step("happened"));
    let runner = p.add_global(Variable {
        ty: NIBBLE,
        ..step("runner")
    });
    let taken = vec![
        p.add_global(Variable {
            ty: Type::Bool,
            ..step("taken 0")
        }),
        p.add_global(Variable {
            ty: Type::Bool,
            ..step("taken 1")
        }),
    ];
    let channel = |name: &str, capacity, fields| Channel {
        name: name.into(),
        capacity: Some(capacity),
        fields,
        from_start: true,
        owner: None,
    };
    let queues = vec![
        p.add_channel(channel("queue", 2, vec![SMALL, Type::Bool])),
        p.add_channel(channel("cell", 1, vec![NIBBLE])),
    ];
    let meets = vec![p.add_channel(channel("meet", 0, vec![SMALL]))];
    for name in ["first", "second"] {
        p.add_check(Check {
            name: name.into(),
            failure: name.into(),
            span: Span::NONE,
        });
    }
    let templates = 1 + random.below(2);
    let dynamic = random.chance(40).then(|| {
        let mut later = |name, capacity| {
            p.add_channel(Channel {
                from_start: false,
                ..channel(name, capacity, vec![SMALL])
            })
        };
        let fresh = vec![later("fresh cell", 1), later("fresh meet", 0)];
        Dynamic {
            child: ProcessId::new(templates),
            link: p.add_global(Variable::new("link", Type::Channel)),
            made: p.add_global(Variable::new("made", Type::Bool)),
            given: p.add_global(Variable {
                ty: Type::Channel,
                ..step("given")
            }),
            fresh,
        }
    });
    if random.chance(if dynamic.is_some() { 60 } else { 30 }) {
        p.composition = Composition::Interleaving {
            ids: IdPolicy::Stack,
        };
    }
    let maker = Maker {
        random,
        p,
        constructs: BTreeSet::new(),
        numbers,
        flags,
        array,
        record,
        text,
        step_number,
        runner,
        taken,
        event,
        spell,
        queues,
        meets,
        templates,
        dynamic,
        wild,
    };
    maker.program()
}

impl Maker<'_> {
    fn program(mut self) -> Generated {
        let joint = self.random.chance(25);
        if joint {
            self.used("barrier");
            let participants = if self.templates == 2 {
                vec![ProcessId(0), ProcessId(1)]
            } else {
                vec![ProcessId(0), ProcessId(0)]
            };
            self.p.add_barrier(Barrier {
                name: "all".into(),
                participants,
            });
        }
        if self.random.chance(30) {
            self.used("initial choice");
            let (lo, hi) = (self.number(0), self.number(1));
            let first = self.numbers[0].0;
            self.p.globals[first.index()].init = Some(ValueSet::Between(lo, hi));
        }
        self.observers();
        for index in 0..self.templates {
            self.process(ProcessId::new(index), joint);
        }
        if let Some(dynamic) = self.dynamic.clone() {
            self.used("made at run time");
            self.process(dynamic.child, false);
            // It is given what others have as locals.
            self.p.processes[dynamic.child.index()].parameters = 4;
        }
        let instances = if self.dynamic.is_some() { 1 } else { 2 };
        for index in 0..instances.max(self.templates) {
            let argument = self.number(index as i128 % 2);
            self.p.start.push(Start {
                process: ProcessId::new(index % self.templates),
                args: vec![argument],
            });
        }
        if self.random.chance(10) {
            self.used("state constraint");
            let outside = Here {
                process: None,
                procedure: false,
                arguments: 0,
            };
            let a = self.truth(&outside, 1);
            let b = self.truth(&outside, 1);
            let either = self.p.exprs.or(a, b);
            self.p.state_constraint.push(either);
        }
        let atoms = (0..6)
            .map(|_| {
                let outside = Here {
                    process: None,
                    procedure: false,
                    arguments: 0,
                };
                self.truth(&outside, 2)
            })
            .collect();
        let sets = self.sets();
        Generated {
            program: self.p,
            constructs: self.constructs,
            atoms,
            sets,
        }
    }

    /// Marks some steps, so that whether they were taken can be seen at the end of a macro step.
    fn sets(&mut self) -> Vec<(Vec<(ProcessId, StepId)>, ExprId)> {
        let mut sets = Vec::new();
        for variable in self.taken.clone() {
            let yes = self.p.exprs.bool(true);
            let mut steps = Vec::new();
            for (index, process) in self.p.processes.iter_mut().enumerate() {
                for (number, step) in process.steps.iter_mut().enumerate() {
                    // A guard that faults takes the step without its body.
                    if step.guard.is_none() && step.comm.is_none() && self.random.chance(25) {
                        step.body
                            .insert(0, Stmt::Assign(Place::global(variable), yes));
                        steps.push((ProcessId::new(index), StepId::new(number)));
                    }
                }
            }
            let was = self.p.exprs.load(Place::global(variable), Type::Bool);
            sets.push((steps, was));
        }
        sets
    }

    fn used(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    fn number(&mut self, n: i128) -> ExprId {
        self.p.exprs.int(n, INT8)
    }

    fn observers(&mut self) {
        for name in ["one", "two"] {
            if self.random.chance(60) {
                let here = Here {
                    process: None,
                    procedure: false,
                    arguments: 1,
                };
                let value = self.arithmetic(&here, 1);
                let three = self.number(3);
                let value = self
                    .p
                    .exprs
                    .add(Expr::Binary(Binary::Rem, value, three), INT8);
                let zero = self.number(0);
                let low = self.p.exprs.binary(Binary::Lt, value, zero);
                let value = self.p.exprs.add(Expr::Ite(low, zero, value), INT8);
                let mut body = vec![Stmt::Assign(Place::global(self.step_number), value)];
                if self.random.chance(50) {
                    let cond = self.truth(&here, 2);
                    let check = CheckId::new(self.random.below(2));
                    body.push(Stmt::Assert {
                        cond,
                        check,
                        span: Span::NONE,
                    });
                }
                self.p.add_observer(Observer {
                    name: name.into(),
                    event: self.event,
                    body,
                });
            }
        }
    }

    fn process(&mut self, id: ProcessId, joint: bool) {
        let mut process = Process::new("process");
        process.locals = vec![
            Variable::new("parameter", NIBBLE),
            Variable::new("l", SMALL),
            Variable::new("m", NIBBLE),
            Variable::new("link", Type::Channel),
            Variable::new("first", NIBBLE),
        ];
        process.parameters = 1;
        process.max_frames = 2;
        if self.random.chance(30) {
            let one = self.number(1);
            process.locals[1].init = Some(ValueSet::One(one));
        }
        if self.random.chance(40) {
            self.used("first value that depends");
            let mine = self.p.exprs.load(Place::own(0), NIBBLE);
            let one = self.number(1);
            process.locals[4].init = Some(if self.random.chance(70) {
                ValueSet::One(mine)
            } else {
                ValueSet::Union(vec![ValueSet::One(mine), ValueSet::One(one)])
            });
        }
        self.p.processes.push(process);
        let is_child = self.dynamic.as_ref().is_some_and(|d| d.child == id);
        let count = if is_child {
            2 + self.random.below(2)
        } else {
            3 + self.random.below(4)
        };
        let has_procedure = self.random.chance(25);
        for index in 0..count {
            let mode = match self.random.below(10) {
                0 | 1 if index > 0 => {
                    self.used("region");
                    Mode::Region
                }
                2 => {
                    self.used("atomic");
                    Mode::Atomic
                }
                _ => Mode::Open,
            };
            let process = &mut self.p.processes[id.index()];
            let location = process.add_location(format!("l{index}"), mode, Span::NONE);
            process.locations[location.index()].end = self.random.chance(20);
        }
        let mut inner = Vec::new();
        if has_procedure {
            self.used("procedure");
            let process = &mut self.p.processes[id.index()];
            for index in 0..3 {
                let name = format!("p{index}");
                inner.push(process.add_location(name, Mode::Region, Span::NONE));
            }
            process.add_procedure(Procedure {
                name: "procedure".into(),
                locals: vec![Variable::new("n", SHIFTED), Variable::new("k", SMALL)],
                parameters: 1,
                entry: inner[0],
                span: Span::NONE,
            });
        }
        for from in 0..count {
            let steps = 1 + self.random.below(3);
            let mode = self.p.processes[id.index()].locations[from].mode;
            let forward = mode == Mode::Region && !self.wild;
            for number in 0..steps {
                self.step(
                    id,
                    LocId::new(from),
                    count,
                    number,
                    forward,
                    has_procedure,
                    joint,
                );
            }
        }
        if has_procedure {
            self.procedure(id, &inner);
        }
        self.extras(id, count);
    }

    #[expect(clippy::too_many_arguments, reason = "what a step depends on")]
    fn step(
        &mut self,
        id: ProcessId,
        from: LocId,
        count: usize,
        number: usize,
        forward: bool,
        calls: bool,
        joint: bool,
    ) {
        let here = Here {
            process: Some(id),
            procedure: false,
            arguments: 0,
        };
        let target = if forward || !self.wild && number == 0 {
            // Out of a region, sooner or later.
            LocId::new((from.index() + 1) % count)
        } else {
            LocId::new(self.random.below(count))
        };
        let mut step = Step::new(from, target, Span::NONE);
        // Tame programs can always go on.
        let free = !self.wild && number == 0;
        if self.random.chance(if self.wild { 40 } else { 60 }) && !free {
            self.used("guard");
            step.guard = Some(self.truth(&here, 2));
        }
        if self.random.chance(20) && !free {
            self.used("rank");
            step.rank = self.random.below(2) as u16;
        }
        if self.random.chance(8) && !free {
            self.used("class");
            step.class = 2;
        }
        for _ in 0..2 {
            if self.random.chance(20) {
                self.used("binds");
                let place = Place::own(1 + self.random.below(2));
                let set = self.set(&here);
                step.binds.push(Choice {
                    place,
                    set,
                    sample: None,
                    what: "bind".into(),
                    outside: None,
                });
            }
        }
        if self.random.chance(25) {
            self.used("long choice");
            let most = self.random.below(8) as i128;
            let (lo, hi) = (self.number(0), self.number(most));
            step.binds.push(Choice {
                place: Place::global(self.runner),
                set: ValueSet::Between(lo, hi),
                sample: None,
                what: "long".into(),
                outside: None,
            });
        }
        if !(free || forward && number == 0) {
            step.comm = self.communication(&here, joint);
        }
        step.body = self.body(&here, 2);
        if free && self.random.chance(70) {
            // Something changes on the way around.
            let place = if self.random.chance(50) {
                Place::own(1 + self.random.below(2))
            } else {
                Place::global(self.numbers[self.random.below(2)].0)
            };
            let (zero, most) = (
                self.number(0),
                self.number(1 + (self.templates as i128) % 2),
            );
            step.body.push(Stmt::Choose(Choice {
                place,
                set: ValueSet::Between(zero, most),
                sample: None,
                what: "change".into(),
                outside: None,
            }));
        }
        let is_child = self.dynamic.as_ref().is_some_and(|d| d.child == id);
        if self.random.chance(if is_child {
            40
        } else if free {
            1
        } else {
            4
        }) {
            self.used("end");
            step.target = Target::End;
        } else if calls && step.comm.is_none() && self.random.chance(30) {
            self.used("call");
            let arg = self.arithmetic(&here, 1);
            let result = self
                .random
                .chance(70)
                .then(|| Place::own(1 + self.random.below(2)));
            let callee = if self.random.chance(70) {
                Callee::Known(ProcedureId(0))
            } else {
                self.used("procedure value");
                let ty = Type::Procedure;
                Callee::Value(self.p.exprs.value(Value::Procedure(ProcedureId(0)), ty))
            };
            step.target = Target::Call {
                callee,
                args: vec![arg],
                result,
                then: target,
            };
        }
        self.p.processes[id.index()].add_step(step);
    }

    fn procedure(&mut self, id: ProcessId, inner: &[LocId]) {
        let here = Here {
            process: Some(id),
            procedure: true,
            arguments: 0,
        };
        let mut first = Step::new(inner[0], inner[1], Span::NONE);
        first.body = self.body(&here, 1);
        let value = self.arithmetic(&here, 1);
        first.body.push(Stmt::Assign(Place::frame(1), value));
        self.p.processes[id.index()].add_step(first);
        let mut back = Step::new(inner[1], inner[2], Span::NONE);
        back.body = self.body(&here, 1);
        back.target = Target::Return(Some(self.arithmetic(&here, 2)));
        let cond = self.truth(&here, 1);
        if self.random.chance(50) {
            self.used("recursion");
            let mut again = Step::new(inner[1], inner[2], Span::NONE);
            again.guard = Some(cond);
            let arg = self.arithmetic(&here, 1);
            again.target = Target::Call {
                callee: Callee::Known(ProcedureId(0)),
                args: vec![arg],
                result: Some(Place::frame(1)),
                then: inner[2],
            };
            self.p.processes[id.index()].add_step(again);
            back.guard = Some(self.p.exprs.not(cond));
        }
        self.p.processes[id.index()].add_step(back);
        let mut end = Step::new(inner[2], inner[2], Span::NONE);
        end.target = Target::Return(Some(self.arithmetic(&here, 2)));
        self.p.processes[id.index()].add_step(end);
    }

    fn extras(&mut self, id: ProcessId, count: usize) {
        let here = Here {
            process: Some(id),
            procedure: false,
            arguments: 0,
        };
        if self.random.chance(15) {
            self.used("escape");
            let steps = self.p.processes[id.index()].steps.len();
            let step = StepId::new(self.random.below(steps));
            let plain = matches!(
                self.p.processes[id.index()].steps[step.index()].target,
                Target::Goto(to) if to.index() < count
            ) && self.p.processes[id.index()].steps[step.index()]
                .from
                .index()
                < count;
            if plain {
                let covers = (0..count)
                    .filter(|_| self.random.chance(40))
                    .map(LocId::new)
                    .collect();
                let precedence = 1 + self.random.below(2) as u16;
                let escape = Escape {
                    covers,
                    steps: vec![step],
                    precedence,
                };
                self.p.processes[id.index()].escapes.push(escape);
            }
        }
        if self.random.chance(12) {
            self.used("provided");
            let (a, b) = (self.truth(&here, 1), self.truth(&here, 1));
            self.p.processes[id.index()].provided = Some(self.p.exprs.or(a, b));
        }
        if self.random.chance(12) {
            self.used("priority");
            self.p.processes[id.index()].priority = Some(self.arithmetic(&here, 1));
        }
        if self.random.chance(40) {
            self.used("aftermath");
            self.p.processes[id.index()].on_fault = Some(LocId::new(self.random.below(count)));
        }
    }
}
