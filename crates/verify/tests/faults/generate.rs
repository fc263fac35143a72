//! Random small programs in which something can be seen directly before and behind what can fault.

use std::collections::BTreeSet;

use model::*;
use source::Span;

/// A number from 0 to 3 that nothing else may be stored in.
const SMALL: Type = Type::Range { lo: 0, hi: 3 };
/// A number of two bits.
const BITS: Type = Type::Int {
    bits: 2,
    signed: false,
};

/// The kinds of faults, in the order of the program's table.
pub(crate) const FAULTS: [&str; 4] = ["division", "range", "index", "unset"];

/// A program and what is in it.
pub(crate) struct Generated {
    pub(crate) program: Program,
    /// The event that formulas are about.
    pub(crate) event: EventId,
    /// Kinds of what can be seen, of what faults, and where.
    pub(crate) constructs: BTreeSet<&'static str>,
}

struct Maker {
    random: fastrand::Rng,
    p: Program,
    constructs: BTreeSet<&'static str>,
    a: Place,
    b: Place,
    cells: GlobalId,
    unused: Place,
    is_set: Place,
    event: EventId,
    partial: FunctionId,
    queue: ChannelId,
    /// Whether library functions may be called, which not every engine can.
    calls: bool,
}

/// Has no value where nothing is set.
fn partial(_: &RichTable, args: &[Value]) -> Result<Value, FaultId> {
    match args[0].number() {
        0 => Err(FaultId(3)),
        n => Ok(Value::Int(3 - n)),
    }
}

/// Makes a program.
pub(crate) fn generate(seed: u64) -> Generated {
    let mut p = Program::new("random", "none");
    for name in FAULTS {
        p.add_fault(Fault {
            name: name.into(),
            message: name.into(),
        });
    }
    p.division_fault = Some(FaultId(0));
    p.range_fault = Some(FaultId(1));
    p.index_fault = Some(FaultId(2));
    for name in ["first", "second"] {
        p.add_check(Check {
            name: name.into(),
            failure: name.into(),
            span: Span::NONE,
        });
    }
    let event = p.add_event(Event {
        name: "said".into(),
        parameters: vec![("n".into(), BITS)],
        story: None,
        visibility: Visibility::Told,
    });
    let partial = p.add_function(Function {
        name: "partial".into(),
        parameters: vec![BITS],
        result: BITS,
        eval: partial,
        can_fault: true,
    });
    let queue = p.add_channel(Channel {
        name: "queue".into(),
        capacity: Some(1),
        fields: vec![BITS, BITS],
        from_start: true,
        owner: None,
    });
    p.stack_fault = Some(FaultId(3));
    let a = p.add_global(Variable::new("a", SMALL));
    let [zero, one] = [0, 1].map(|n| p.exprs.int(n, BITS));
    let first = ValueSet::Between(zero, one);
    let b = p.add_global(Variable {
        init: Some(first),
        ..Variable::new("b", BITS)
    });
    let cells = p.add_global(Variable::new("cells", Type::Array(Box::new(SMALL), 2)));
    let unused = p.add_global(Variable::new("unused", SMALL));
    let is_set = p.add_global(Variable::new("is set", Type::Bool));
    let happened = p.add_global(Variable {
        kind: VariableKind::Step,
        ..Variable::new("happened", Type::Bool)
    });
    let told = p.add_global(Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("told", Type::Bool)
    });
    let mut maker = Maker {
        random: fastrand::Rng::with_seed(seed),
        p,
        constructs: BTreeSet::new(),
        a: Place::global(a),
        b: Place::global(b),
        cells,
        unused: Place::global(unused),
        is_set: Place::global(is_set),
        event,
        partial,
        queue,
        calls: false,
    };
    maker.calls = maker.chance(25);
    maker.observer(happened, told);
    for _ in 0..1 + usize::from(maker.chance(60)) {
        maker.process();
    }
    maker.properties(happened, told);
    Generated {
        program: maker.p,
        event,
        constructs: maker.constructs,
    }
}

impl Maker {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    fn used(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    fn number(&mut self, n: i128) -> ExprId {
        self.p.exprs.int(n, BITS)
    }

    /// Sees each event: its argument decides what is remembered.
    fn observer(&mut self, happened: GlobalId, told: GlobalId) {
        let yes = self.p.exprs.bool(true);
        let argument = self.p.exprs.load(Root::Argument(0).into(), BITS);
        let least = self.random.i128(0..2);
        let least = self.number(least);
        let enough = self.p.exprs.binary(Binary::Le, least, argument);
        self.p.add_observer(Observer {
            name: "listener".into(),
            event: self.event,
            body: vec![
                Stmt::Assign(Place::global(happened), yes),
                Stmt::If(
                    enough,
                    vec![Stmt::Assign(Place::global(told), yes)],
                    Vec::new(),
                ),
            ],
        });
    }

    fn process(&mut self) {
        let mut process = Process::new("process");
        let first = self.number(1);
        process.locals = vec![
            Variable::new("l", SMALL),
            Variable {
                init: Some(ValueSet::One(first)),
                ..Variable::new("scratch", BITS)
            },
        ];
        process.max_frames = 2;
        let count = 3 + self.random.usize(..3);
        let mut open = Vec::new();
        for index in 0..count {
            let mode = match self.random.u32(..10) {
                0..3 if index > 0 => {
                    self.used("region");
                    Mode::Region
                }
                3 | 4 if index > 0 => {
                    self.used("atomic");
                    Mode::Atomic
                }
                _ => Mode::Open,
            };
            let at = process.add_location(format!("l{index}"), mode, Span::NONE);
            process.locations[index].end = self.chance(30);
            if mode == Mode::Open {
                open.push(at);
            }
        }
        if self.chance(35) {
            self.used("aftermath");
            process.on_fault = Some(open[self.random.usize(..open.len())]);
        }
        let procedure = self.chance(25).then(|| self.procedure(&mut process));
        for from in 0..count {
            let mode = process.locations[from].mode;
            let target = |maker: &mut Self| {
                // Macro steps end: inside of them, control goes forward or to the entry.
                let to = match mode {
                    Mode::Open => maker.random.usize(..count),
                    _ => maker.random.usize(from + 1..=count) % count,
                };
                Step::new(LocId::new(from), LocId::new(to), Span::NONE)
            };
            let steps = match self.random.u32(..13) {
                0 if mode == Mode::Open => Vec::new(),
                10..13 if mode == Mode::Open => vec![Step {
                    comm: Some(self.communication()),
                    ..target(self)
                }],
                0..4 => {
                    let cond = self.condition();
                    let other = self.p.exprs.not(cond);
                    [cond, other]
                        .map(|guard| Step {
                            guard: Some(guard),
                            ..target(self)
                        })
                        .into()
                }
                4 if mode == Mode::Open => vec![Step {
                    guard: Some(self.condition()),
                    ..target(self)
                }],
                5 => vec![target(self), target(self)],
                _ => vec![target(self)],
            };
            for mut step in steps {
                step.body = self.body();
                if let (Some(callee), Target::Goto(then), true) = (
                    procedure,
                    &step.target,
                    mode == Mode::Open && self.chance(40),
                ) {
                    self.used("a call");
                    step.target = Target::Call {
                        callee: Callee::Known(callee),
                        args: vec![self.risky(), self.plain()],
                        result: self.chance(50).then(|| Place::own(1)),
                        then: *then,
                    };
                }
                process.add_step(step);
            }
        }
        let process = self.p.add_process(process);
        self.p.start.push(Start {
            process,
            args: Vec::new(),
        });
    }

    /// A procedure that does not read its first parameter.
    fn procedure(&mut self, process: &mut Process) -> ProcedureId {
        let at = process.add_location("inside", Mode::Region, Span::NONE);
        let mut step = Step::new(at, at, Span::NONE);
        step.body = self.body();
        step.target = Target::Return(Some(if self.chance(30) {
            self.used("a result");
            self.risky()
        } else {
            self.p.exprs.load(Place::frame(1), BITS)
        }));
        process.add_step(step);
        process.add_procedure(Procedure {
            name: "procedure".into(),
            locals: vec![Variable::new("n", BITS), Variable::new("m", BITS)],
            parameters: 2,
            entry: at,
            span: Span::NONE,
        })
    }

    /// A message of which the second part is never read.
    fn communication(&mut self) -> Comm {
        let channel = i128::from(self.queue.0) + 1;
        let channel = self.p.exprs.int(channel, Type::Channel);
        if self.chance(50) {
            self.used("a message");
            return Comm::Send {
                channel,
                message: vec![self.plain(), self.risky()],
                sorted: false,
                lossy: self.chance(50),
            };
        }
        let first = match self.random.u32(..4) {
            0 | 1 => {
                self.used("what is waited for");
                Pattern::Match(self.risky())
            }
            2 => Pattern::Bind(self.b.clone()),
            _ => Pattern::Bind(Place::own(0)),
        };
        Comm::Receive {
            channel,
            patterns: vec![first, Pattern::Any],
            anywhere: false,
            keep: self.chance(20),
        }
    }

    /// What can be seen, what can fault, and what can be seen.
    fn body(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.random.u32(..3) {
            body.push(self.seen());
        }
        if self.chance(50) {
            body.push(self.risk());
        }
        if self.chance(40) {
            body.push(self.seen());
        }
        if self.chance(15) {
            body.push(self.risk());
        }
        body
    }

    /// Something that properties can see.
    fn seen(&mut self) -> Stmt {
        let value = self.plain();
        match self.random.u32(..10) {
            0..4 => Stmt::Emit {
                event: self.event,
                args: vec![value],
                span: Span::NONE,
            },
            4 | 5 => {
                let b = self.p.exprs.load(self.b.clone(), BITS);
                let cond = self.p.exprs.binary(Binary::Ne, b, value);
                Stmt::Assert {
                    cond,
                    check: CheckId(0),
                    span: Span::NONE,
                }
            }
            6 => {
                let truth = self.random.bool();
                let truth = self.p.exprs.bool(truth);
                Stmt::Assign(self.is_set.clone(), truth)
            }
            7 => Stmt::Assign(Place::own(self.random.usize(..2)), value),
            8 => Stmt::Assign(self.a.clone(), value),
            _ => Stmt::Assign(self.b.clone(), value),
        }
    }

    /// A value of two bits that no fault comes before.
    fn plain(&mut self) -> ExprId {
        match self.random.u32(..8) {
            0..2 => self.p.exprs.load(self.b.clone(), BITS),
            2..4 => self.p.exprs.load(Place::own(1), BITS),
            4 => {
                let b = self.p.exprs.load(self.b.clone(), BITS);
                let one = self.number(1);
                self.p.exprs.binary(Binary::Add, b, one)
            }
            _ => {
                // Mostly not what faults.
                let least = i128::from(self.chance(75));
                let n = self.random.i128(least..4);
                self.number(n)
            }
        }
    }

    /// A value whose computation may fault.
    fn risky(&mut self) -> ExprId {
        let (one, other) = (self.plain(), self.plain());
        match self.random.u32(..if self.calls { 4 } else { 3 }) {
            0 => {
                self.used("a quotient");
                self.p.exprs.binary(Binary::Div, one, other)
            }
            1 => {
                self.used("a remainder");
                self.p.exprs.binary(Binary::Rem, one, other)
            }
            2 => {
                self.used("an element");
                let place = self.cell(other);
                self.p.exprs.load(place, SMALL)
            }
            _ => {
                self.used("a partial function");
                let call = Expr::Apply(self.partial, vec![one]);
                self.p.exprs.add(call, BITS)
            }
        }
    }

    fn cell(&self, index: ExprId) -> Place {
        let mut place = Place::global(self.cells);
        place.path.push(Projection::Index(index));
        place
    }

    /// A condition that may fault.
    fn condition(&mut self) -> ExprId {
        let value = match self.chance(40) {
            true => {
                self.used("a condition that may fault");
                self.risky()
            }
            false => self.plain(),
        };
        let other = self.plain();
        let op = [Binary::Lt, Binary::Eq, Binary::Ne][self.random.usize(..3)];
        let cond = self.p.exprs.binary(op, value, other);
        if !self.chance(25) {
            return cond;
        }
        self.used("a condition that may not be looked at");
        let set = self.p.exprs.load(self.is_set.clone(), Type::Bool);
        match self.random.bool() {
            true => self.p.exprs.binary(Binary::And, set, cond),
            false => self.p.exprs.binary(Binary::Or, cond, set),
        }
    }

    /// A statement that may fault.
    fn risk(&mut self) -> Stmt {
        match self.random.u32(..12) {
            0..2 => {
                self.used("a value that nobody reads");
                let value = self.risky();
                // What does not fit faults, too.
                Stmt::Assign(self.unused.clone(), value)
            }
            2 => {
                let value = self.risky();
                Stmt::Assign(Place::own(1), value)
            }
            3 => {
                let value = self.risky();
                Stmt::Assign(self.b.clone(), value)
            }
            4..6 => {
                self.used("a value out of range");
                let a = self.p.exprs.load(self.a.clone(), SMALL);
                let value = self.plain();
                let sum = Expr::Binary(Binary::Add, a, value);
                let sum = self.p.exprs.add(sum, Type::Mathint);
                let place = match self.random.u32(..3) {
                    0 => self.unused.clone(),
                    1 => Place::own(0),
                    _ => self.a.clone(),
                };
                Stmt::Assign(place, sum)
            }
            6 => {
                self.used("a place that is missing");
                let index = self.plain();
                let value = self.risky();
                Stmt::Assign(self.cell(index), value)
            }
            7 => {
                self.used("an argument");
                Stmt::Emit {
                    event: self.event,
                    args: vec![self.risky()],
                    span: Span::NONE,
                }
            }
            8 => {
                self.used("an assertion");
                Stmt::Assert {
                    cond: self.condition(),
                    check: CheckId(1),
                    span: Span::NONE,
                }
            }
            9 => {
                self.used("a branch");
                let cond = self.condition();
                let then = (0..self.random.u32(..2)).map(|_| self.seen()).collect();
                Stmt::If(cond, then, Vec::new())
            }
            10 => {
                self.used("a choice");
                let (lo, hi) = (self.number(0), self.risky());
                Stmt::Choose(Choice {
                    place: self.b.clone(),
                    set: ValueSet::Between(lo, hi),
                    sample: None,
                    what: "value".into(),
                    outside: None,
                })
            }
            _ => {
                self.used("nothing is set");
                let set = self.p.exprs.load(self.is_set.clone(), Type::Bool);
                Stmt::If(set, Vec::new(), vec![Stmt::Raise(FaultId(3))])
            }
        }
    }

    fn properties(&mut self, happened: GlobalId, told: GlobalId) {
        use logic::Ltl;
        let mut claims = vec![
            Claim::Check(CheckId(0)),
            Claim::Check(CheckId(1)),
            Claim::NoDeadlock,
        ];
        claims.extend((0..FAULTS.len()).map(|kind| Claim::NoFault(vec![FaultId::new(kind)])));
        let [happened, told, set] = [
            Place::global(happened),
            Place::global(told),
            self.is_set.clone(),
        ]
        .map(|place| self.p.exprs.load(place, Type::Bool));
        let silent = self.p.exprs.not(told);
        claims.push(Claim::Always(silent));
        let b = self.p.exprs.load(self.b.clone(), BITS);
        let n = self.random.i128(2..4);
        let n = self.number(n);
        claims.push(Claim::Always(self.p.exprs.binary(Binary::Ne, b, n)));
        let [event, told, set] = [happened, told, set].map(Ltl::atom);
        claims.push(Claim::Ltl(Ltl::always(Ltl::not(event.clone()))));
        claims.push(Claim::Ltl(Ltl::always(Ltl::implies(
            event,
            Ltl::eventually(set),
        ))));
        claims.push(Claim::Ltl(Ltl::eventually(told)));
        for (number, claim) in claims.into_iter().enumerate() {
            self.property(format!("p{number}"), claim);
        }
        for (name, text) in MU {
            let proposition = |_: &mut Program, text: &str, _| Err::<ExprId, _>(text.to_owned());
            let mut vocabulary = ProgramVocabulary {
                program: &mut self.p,
                proposition,
            };
            let formula = logic::mu::parse(text, &mut vocabulary);
            let formula = formula.unwrap_or_else(|error| panic!("{text}: {error:?}"));
            self.property(name.to_owned(), Claim::Mu(formula));
        }
    }

    fn property(&mut self, name: String, claim: Claim) {
        self.p.add_property(Property {
            name,
            text: String::new(),
            span: Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
    }
}

/// Formulas over the event: it never happens; where it has happened, something can follow.
pub(crate) const MU: [(&str, &str); 2] = [
    ("never", "[true* . said] false"),
    ("goes on", "[true* . said] <true> true"),
];
