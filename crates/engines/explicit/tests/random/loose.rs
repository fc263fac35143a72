//! Random programs of several processes that have much to do on their own.

use std::collections::BTreeSet;

use model::*;
use source::Span;

use crate::program::Random;

const SMALL: Type = Type::Int {
    bits: 2,
    signed: false,
};

/// A program, what it is made of, and what can be asked of it.
pub(crate) struct Loose {
    pub(crate) program: Program,
    pub(crate) constructs: BTreeSet<&'static str>,
    pub(crate) atoms: Vec<ExprId>,
}

struct Maker<'r> {
    random: &'r mut Random,
    p: Program,
    constructs: BTreeSet<&'static str>,
    shared: Vec<GlobalId>,
    array: GlobalId,
    queues: Vec<ChannelId>,
    meets: Vec<ChannelId>,
    /// A template that others start.
    child: Option<ProcessId>,
    /// Whether there are many meetings in the midst of atomic sequences.
    sociable: bool,
}

/// Makes a program.
pub(crate) fn generate(random: &mut Random) -> Loose {
    let mut p = Program::new("loose", "none");
    let oops = p.add_fault(Fault {
        name: "oops".into(),
        message: "oops".into(),
    });
    p.index_fault = Some(oops);
    p.channel_fault = Some(oops);
    p.division_fault = Some(oops);
    let stack = random.chance(60);
    if stack {
        p.composition = Composition::Interleaving {
            ids: IdPolicy::Stack,
        };
    }
    let shared = ["x", "y"].map(|name| p.add_global(Variable::new(name, SMALL)));
    let array = p.add_global(Variable::new("each", Type::Array(Box::new(SMALL), 4)));
    let channel = |name: &str, capacity| Channel {
        name: name.into(),
        capacity: Some(capacity),
        fields: vec![SMALL],
        from_start: true,
        owner: None,
    };
    let queues = vec![
        p.add_channel(channel("one", 1)),
        p.add_channel(channel("two", 2)),
    ];
    let meets = vec![p.add_channel(channel("meet", 0))];
    for name in ["first", "second"] {
        p.add_check(Check {
            name: name.into(),
            failure: name.into(),
            span: Span::NONE,
        });
    }
    let mut maker = Maker {
        random,
        p,
        constructs: BTreeSet::new(),
        shared: shared.to_vec(),
        array,
        queues,
        meets,
        child: None,
        sociable: false,
    };
    maker.sociable = maker.random.chance(30);
    if stack {
        maker.constructs.insert("ids as on a stack");
    }
    maker.make()
}

impl Maker<'_> {
    fn make(mut self) -> Loose {
        if self.random.chance(35) {
            let process = self.process("child", false);
            self.child = Some(self.p.add_process(process));
        }
        let templates = 2 + self.random.below(2);
        for number in 0..templates {
            let process = self.process(&format!("process {number}"), true);
            let has_channel = process.parameters > 0;
            let id = self.p.add_process(process);
            for _ in 0..1 + usize::from(self.random.chance(30)) {
                let mut args = Vec::new();
                if has_channel {
                    args.push(self.reference());
                }
                self.p.start.push(Start { process: id, args });
            }
        }
        let atoms = (0..2).map(|_| self.atom()).collect();
        Loose {
            program: self.p,
            constructs: self.constructs,
            atoms,
        }
    }

    fn reference(&mut self) -> ExprId {
        let all: Vec<ChannelId> = if self.sociable && self.random.chance(60) {
            self.meets.clone()
        } else {
            self.queues.iter().chain(&self.meets).copied().collect()
        };
        let channel = self.random.pick(&all);
        let number = Value::Int(channel.index() as i128 + 1);
        self.p.exprs.value(number, Type::Channel)
    }

    /// Something seen from outside.
    fn atom(&mut self) -> ExprId {
        match self.random.below(10) {
            0..=4 => {
                let global = self.random.pick(&self.shared);
                let load = self.p.exprs.load(Place::global(global), SMALL);
                self.compare(load)
            }
            5 => {
                let index = self.random.below(4) as i128;
                let index = self.p.exprs.int(index, SMALL);
                let place = Place {
                    root: Root::Global(self.array),
                    path: vec![Projection::Index(index)],
                };
                let load = self.p.exprs.load(place, SMALL);
                self.compare(load)
            }
            6 => {
                self.constructs.insert("observed location");
                self.at()
            }
            7 => {
                self.constructs.insert("observed local");
                let load = self.remote();
                self.compare(load)
            }
            8 => {
                self.constructs.insert("observed queue");
                let queue = self.random.pick(&self.queues);
                let number = Value::Int(queue.index() as i128 + 1);
                let channel = self.p.exprs.value(number, Type::Channel);
                let len = self.p.exprs.add(Expr::ChannelLen(channel), Type::Mathint);
                let one = self.p.exprs.int(1, Type::Mathint);
                self.p.exprs.binary(Binary::Eq, len, one)
            }
            _ => {
                self.constructs.insert("observed count");
                let count = self.p.exprs.add(Expr::InstanceCount, Type::Mathint);
                let number = 2 + self.random.below(3) as i128;
                let number = self.p.exprs.int(number, Type::Mathint);
                self.p.exprs.binary(Binary::Eq, count, number)
            }
        }
    }

    fn instance(&mut self) -> (ExprId, ProcessId) {
        let number = self.random.below(self.p.start.len().max(1));
        let process = self
            .p
            .start
            .get(number)
            .map_or(ProcessId(0), |start| start.process);
        let number = self.p.exprs.int(number as i128, Type::Instance);
        (number, process)
    }

    fn at(&mut self) -> ExprId {
        let (instance, process) = self.instance();
        let count = self.p.processes[process.index()].locations.len();
        let location = LocId::new(self.random.below(count));
        let at = Expr::At {
            instance,
            process,
            location,
        };
        self.p.exprs.add(at, Type::Bool)
    }

    fn remote(&mut self) -> ExprId {
        let (instance, process) = self.instance();
        let local = self.p.processes[process.index()].parameters as u32;
        let root = Root::Remote {
            instance,
            process,
            local,
        };
        self.p.exprs.load(root.into(), SMALL)
    }

    fn compare(&mut self, value: ExprId) -> ExprId {
        let constant = self.random.below(4) as i128;
        let constant = self.p.exprs.int(constant, SMALL);
        let op = self
            .random
            .pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le]);
        self.p.exprs.binary(op, value, constant)
    }

    fn process(&mut self, name: &str, from_start: bool) -> Process {
        let mut process = Process::new(name);
        if from_start && self.random.chance(40) {
            self.constructs.insert("channel parameter");
            process.locals.push(Variable::new("c", Type::Channel));
            process.parameters = 1;
        }
        process.locals.push(Variable::new("n", SMALL));
        process.locals.push(Variable::new("m", SMALL));
        let count = 3 + self.random.below(4);
        let atomic = if self.sociable { 35 } else { 15 };
        for number in 0..count {
            let mode = if number > 0 && self.random.chance(atomic) {
                self.constructs.insert("atomic");
                Mode::Atomic
            } else {
                Mode::Open
            };
            process.add_location(format!("l{number}"), mode, Span::NONE);
        }
        for at in 0..count {
            let last = at + 1 == count;
            let steps = 1 + self.random.below(5) / 3;
            for number in 0..steps {
                let mut to = (at + 1) % count;
                if self.random.chance(25) {
                    to = self.random.below(count);
                }
                let mut step = Step::new(LocId::new(at), LocId::new(to), Span::NONE);
                self.fill(&process, &mut step);
                if number > 0 && self.random.chance(30) {
                    self.constructs.insert("else");
                    step.rank = 1;
                }
                if last && self.random.chance(50) {
                    self.constructs.insert("end");
                    step.target = Target::End;
                }
                process.add_step(step);
            }
            process.locations[at].end = self.random.chance(30);
        }
        if self.random.chance(10) {
            self.constructs.insert("unless");
            let to = self.random.below(count);
            let mut step = Step::new(LocId(0), LocId::new(to), Span::NONE);
            step.guard = Some(self.guard());
            let step = process.add_step(step);
            process.escapes.push(Escape {
                covers: vec![LocId::new(self.random.below(count))],
                steps: vec![step],
                precedence: 1,
            });
        }
        process
    }

    fn guard(&mut self) -> ExprId {
        let global = self.random.pick(&self.shared);
        let load = self.p.exprs.load(Place::global(global), SMALL);
        self.compare(load)
    }

    fn own(process: &Process, which: usize) -> Place {
        Place::own(process.parameters + which)
    }

    fn mine(&mut self) -> Place {
        let me = self.p.exprs.add(Expr::Me, Type::Instance);
        let me = self.p.exprs.add(Expr::Convert(me), SMALL);
        Place {
            root: Root::Global(self.array),
            path: vec![Projection::Index(me)],
        }
    }

    fn channel(&mut self, process: &Process) -> ExprId {
        if process.parameters > 0 && self.random.chance(60) {
            return self.p.exprs.load(Place::own(0), Type::Channel);
        }
        self.reference()
    }

    /// Gives a step something to do.
    fn fill(&mut self, process: &Process, step: &mut Step) {
        let own = |maker: &mut Self| {
            let which = maker.random.below(2);
            Self::own(process, which)
        };
        let local = own(self);
        let load = self.p.exprs.load(local.clone(), SMALL);
        let one = self.p.exprs.int(1, SMALL);
        let more = self.p.exprs.binary(Binary::Add, load, one);
        match self.random.below(100) {
            0..30 => step.body.push(Stmt::Assign(local, more)),
            30..36 => step.guard = Some(self.compare(load)),
            36..44 => {
                let place = self.mine();
                step.body.push(Stmt::Assign(place, load));
                self.constructs.insert("own element");
            }
            44..52 => {
                let global = self.random.pick(&self.shared);
                step.body.push(Stmt::Assign(Place::global(global), load));
                self.constructs.insert("shared write");
            }
            52..56 => {
                let global = self.random.pick(&self.shared);
                let value = self.p.exprs.load(Place::global(global), SMALL);
                step.body.push(Stmt::Assign(local, value));
            }
            56..60 => step.guard = Some(self.guard()),
            60..69 => {
                let channel = self.channel(process);
                let sorted = self.random.chance(10);
                let lossy = self.random.chance(10);
                step.comm = Some(Comm::Send {
                    channel,
                    message: vec![load],
                    sorted,
                    lossy,
                });
                self.constructs.insert("send");
            }
            69..79 => {
                let channel = self.channel(process);
                let pattern = match self.random.below(4) {
                    0 => Pattern::Match(load),
                    1 => Pattern::Any,
                    _ => Pattern::Bind(local),
                };
                step.comm = Some(Comm::Receive {
                    channel,
                    patterns: vec![pattern],
                    anywhere: self.random.chance(15),
                    keep: self.random.chance(10),
                });
                self.constructs.insert("receive");
            }
            79..85 => {
                let global = self.random.pick(&self.shared);
                let value = self.p.exprs.load(Place::global(global), SMALL);
                let seen = if self.random.chance(40) { load } else { value };
                let cond = self.compare(seen);
                step.body.push(Stmt::Assert {
                    cond,
                    check: CheckId(self.random.below(2) as u32),
                    span: Span::NONE,
                });
                self.constructs.insert("assert");
            }
            85..88 => {
                step.guard = Some(self.p.exprs.add(Expr::NothingEnabled, Type::Bool));
                self.constructs.insert("timeout");
            }
            88..92 => match self.child {
                Some(child) => {
                    step.body.push(Stmt::Spawn {
                        process: child,
                        args: Vec::new(),
                        result: None,
                        share_frame: false,
                    });
                    // Not for ever.
                    let count = self.p.exprs.add(Expr::InstanceCount, Type::Mathint);
                    let limit = self.p.exprs.int(5, Type::Mathint);
                    step.guard = Some(self.p.exprs.binary(Binary::Lt, count, limit));
                    self.constructs.insert("spawn");
                }
                None => step.body.push(Stmt::Assign(local, more)),
            },
            92..94 if !self.p.start.is_empty() => {
                step.guard = Some(self.at());
                self.constructs.insert("remote location");
            }
            94..96 if !self.p.start.is_empty() => {
                let value = self.remote();
                step.body.push(Stmt::Assign(local, value));
                self.constructs.insert("remote local");
            }
            96..98 => {
                let divided = self.p.exprs.binary(Binary::Div, one, load);
                step.body.push(Stmt::Assign(local, divided));
                self.constructs.insert("fault");
            }
            _ => {
                let global = self.random.pick(&self.shared);
                let value = self.p.exprs.load(Place::global(global), SMALL);
                let more = self.p.exprs.binary(Binary::Add, value, one);
                step.body.push(Stmt::Assign(Place::global(global), more));
            }
        }
    }
}
