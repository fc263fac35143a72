//! Operations on what is not known to the letter.
//!
//! Most stay terms. Truth values and numbers cannot: the model's are what they are. Where the
//! operation's arguments do not determine one, it is chosen among all that the operation could
//! give. A run that chooses so need not exist, because two such choices about one text may
//! contradict each other. The first about a text that is new in this macro step can always be met
//! (if the operations are such that endlessly many texts give each result, see
//! [`flow`](super::flow)), and then the choice counts as decided.

use model::{
    Choice, Expr, ExprId, GlobalId, Lifetime, Place, Stmt, Type as ModelType, ValueSet,
    VariableKind,
};
use source::Span;

use super::code::{Coder, Unit};
use super::{Build, Lowered};
use crate::ast;
use crate::environment::sample;
use crate::facts;
use crate::library::{self, PureEntry};
use crate::types::Type;

/// What an operation is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Subject {
    span: Span,
    class: Option<usize>,
    plain: bool,
}

/// What an operation may give.
enum Outcomes {
    Truth,
    /// Numbers of an interval.
    Range(i32, i32),
    /// A position in the list that is the first argument, or -1.
    Position,
}

impl Coder<'_> {
    /// Says what the next operation is about: some operands.
    pub(crate) fn about(&mut self, operands: &[ast::ExprId]) {
        let flow = &self.build.flow;
        let ast = &self.input.checked.ast;
        let spans = operands.iter().map(|&id| ast.expr(id).span);
        self.subject = Subject {
            span: spans.reduce(Span::to).unwrap_or(Span::NONE),
            class: operands.iter().find_map(|&id| flow.of_expr(id)),
            plain: operands
                .iter()
                .all(|&id| flow.of_expr(id).is_none_or(|class| flow.is_plain(class))),
        };
    }

    /// Where the operation at hand stands.
    pub(crate) fn subject_span(&self) -> Span {
        self.subject.span
    }

    /// Whether the texts at hand are equal only if they are the same term.
    pub(crate) fn is_plain(&self) -> bool {
        self.subject.plain
    }

    /// A pure operation on values of the given LSL types. A number that depends on what the
    /// world decides is chosen.
    pub(crate) fn operation(
        &mut self,
        entry: &'static PureEntry,
        args: &[ExprId],
        types: &[Type],
    ) -> ExprId {
        self.may_divide_by_zero(entry, args, types);
        let result = self.build.apply(entry, args);
        let open = entry.result == Type::Integer
            && !self.is_known_length(entry, types)
            && args
                .iter()
                .zip(types)
                .any(|(&arg, &ty)| self.may_be_unknown(arg, ty));
        if !open {
            return result;
        }
        let determined = self.build.determined(entry, args);
        if let Some(model::Value::Bool(true)) = self.build.program.exprs.constant(determined) {
            return result;
        }
        if !self.temporaries.allowed() {
            let subject = self.subject;
            return self
                .build
                .undecided_in_property(entry, result, determined, types, subject);
        }
        let subject = self.subject;
        let determined = self.save(determined);
        let place = self.temporary(&ModelType::INT32);
        let target = place.clone();
        self.straight_if(
            determined,
            |coder| coder.emit(Stmt::Assign(target.clone(), result)),
            |coder| coder.decide(entry, args, types, &target, subject),
        );
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// Whether the operation asks for nothing but the lengths of lists, and these are known. What a
    /// property calls has not been looked over.
    fn is_known_length(&self, entry: &'static PureEntry, types: &[Type]) -> bool {
        types.iter().all(|&ty| ty == Type::List)
            && ["llGetListLength", "truth of", "==", "!="].contains(&entry.name)
            && !matches!(self.unit, Unit::Pure)
            && !self.input.survey.lists_of_any_length
    }

    /// A number that is not known to the letter may be zero: then dividing by it is an error.
    fn may_divide_by_zero(&mut self, entry: &'static PureEntry, args: &[ExprId], types: &[Type]) {
        let [_, divisor] = *args else { return };
        let floats = entry.name == "/" && types.get(1) == Some(&Type::Float);
        if !floats || !self.temporaries.allowed() || !self.may_be_unknown(divisor, Type::Float) {
            return;
        }
        // One that is known raises the error by itself.
        let truth = self.operation(library::truth(Type::Float), &[divisor], &[Type::Float]);
        let truth = self.build.as_bool(truth);
        let zero = self.build.not(truth);
        self.emit(Stmt::If(
            zero,
            vec![Stmt::Raise(library::MATH_ERROR)],
            Vec::new(),
        ));
    }

    /// Any value of a type, which nobody follows.
    pub(super) fn undecided_value(&mut self, id: ast::ExprId, ty: Type, truth: bool) -> ExprId {
        let what = "a value that is not followed";
        let span = self.input.checked.ast.expr(id).span;
        if ty != Type::Integer {
            let rich = &self.build.program.rich;
            let shunned = library::none_of(rich, &[], false);
            let value = library::something(rich, what, &shunned);
            return self.build.program.exprs.value(value, ModelType::Rich);
        }
        if !self.temporaries.allowed() {
            return self.build.int(0);
        }
        let place = self.temporary(&ModelType::INT32);
        let outside = self.build.outside(what, span, Lifetime::Reading, false);
        let choice = if truth {
            let (no, yes) = (self.build.int(0), self.build.int(1));
            Choice {
                place: place.clone(),
                set: ValueSet::Union(vec![ValueSet::One(no), ValueSet::One(yes)]),
                sample: None,
                what: what.to_owned(),
                outside: Some(outside),
            }
        } else {
            let (least, most) = (i32::MIN, i32::MAX);
            let survey = self.input.survey;
            let met = (survey, survey.met_by_undecided.get(&id));
            let target = place.clone();
            let mut choice =
                sample::integer_choice_beside(self.build, met, target, what, least, most);
            if choice.sample.is_some() {
                // Few are tried: there may be many such values, and other engines take them all.
                let few = [0, 1, -1].map(|number| self.build.int(number));
                choice.sample = Some(few.to_vec());
            }
            choice.outside = Some(outside);
            choice
        };
        self.emit(Stmt::Choose(choice));
        self.build.program.exprs.load(place, ModelType::INT32)
    }

    /// Chooses what an operation gives.
    fn decide(
        &mut self,
        entry: &'static PureEntry,
        args: &[ExprId],
        types: &[Type],
        place: &Place,
        subject: Subject,
    ) {
        let flow = &self.build.flow;
        let may_be_met = subject
            .class
            .is_some_and(|class| flow.get(class).reaches_all());
        let guess = self.choice_of(entry, args, types, place, subject, false);
        let Some(class) = subject.class.filter(|_| may_be_met) else {
            return self.choose_all(guess);
        };
        let exact = self.choice_of(entry, args, types, place, subject, true);
        let decided = self.build.decided_flag(class);
        let before = self.build.read(decided);
        let set = self.build.set_flag(decided, true);
        self.straight_if(
            before,
            |coder| coder.choose_all(guess),
            |coder| {
                coder.emit(set);
                coder.choose_all(exact);
            },
        );
    }

    fn choose_all(&mut self, choices: Vec<Stmt>) {
        for stmt in choices {
            self.emit(stmt);
        }
    }

    /// The choice of what an operation gives, as statements.
    fn choice_of(
        &mut self,
        entry: &'static PureEntry,
        args: &[ExprId],
        types: &[Type],
        place: &Place,
        subject: Subject,
        exact: bool,
    ) -> Vec<Stmt> {
        let what = format!("what `{}` gives of a value from outside", entry.name);
        let outside = self
            .build
            .outside(what.clone(), subject.span, Lifetime::Reading, exact);
        let mut choice = Choice {
            place: place.clone(),
            set: ValueSet::All(ModelType::INT32),
            sample: None,
            what,
            outside: Some(outside),
        };
        match outcomes(entry, types) {
            Outcomes::Truth => {
                let (no, yes) = (self.build.int(0), self.build.int(1));
                choice.set = ValueSet::Union(vec![ValueSet::One(no), ValueSet::One(yes)]);
                vec![Stmt::Choose(choice)]
            }
            Outcomes::Range(least, greatest) => {
                let survey = self.input.survey;
                let mut choice = Choice {
                    outside: choice.outside,
                    ..sample::integer_choice(
                        self.build,
                        survey,
                        choice.place,
                        &choice.what,
                        least,
                        greatest,
                    )
                };
                if i64::from(greatest) - i64::from(least) < 64 {
                    choice.sample = None;
                }
                vec![Stmt::Choose(choice)]
            }
            Outcomes::Position => {
                let Some(length) = library::pure("llGetListLength") else {
                    return vec![Stmt::Choose(choice)];
                };
                let known = self.build.determined(length, &args[..1]);
                let length = self.build.apply(length, &args[..1]);
                let one = self.build.int(1);
                let last = self.build.arithmetic(model::Binary::Sub, length, one);
                let none = self.build.int(-1);
                let survey = self.input.survey;
                let any = Choice {
                    outside: choice.outside,
                    ..sample::integer_choice(
                        self.build,
                        survey,
                        place.clone(),
                        &choice.what,
                        -1,
                        i32::MAX,
                    )
                };
                choice.set = ValueSet::Between(none, last);
                vec![Stmt::If(
                    known,
                    vec![Stmt::Choose(choice)],
                    vec![Stmt::Choose(any)],
                )]
            }
        }
    }

    fn may_be_unknown(&self, arg: ExprId, ty: Type) -> bool {
        let constant = self.build.program.exprs.constant(arg);
        match constant {
            Some(value) => !library::known(&self.build.program.rich, value),
            None => ty != Type::Integer && self.input.survey.unknown.contains(&ty),
        }
    }
}

impl Build {
    /// Whether this macro step has decided something about a text of the class.
    fn decided_flag(&mut self, class: usize) -> GlobalId {
        if let Some(&flag) = self.decided.get(&class) {
            return flag;
        }
        let flag = self.variable(
            format!("decided {}", self.decided.len() + 1),
            ModelType::Bool,
            VariableKind::Step,
            None,
            Span::NONE,
        );
        self.decided.insert(class, flag);
        flag
    }

    /// What an operation gives in a property, which can choose nothing: where that cannot be told,
    /// what a variable says that is set before (see [`Lowered::guessing`]).
    fn undecided_in_property(
        &mut self,
        entry: &'static PureEntry,
        result: ExprId,
        determined: ExprId,
        types: &[Type],
        subject: Subject,
    ) -> ExprId {
        let (least, greatest) = match outcomes(entry, types) {
            Outcomes::Truth => (0, 1),
            Outcomes::Range(least, greatest) => (least, greatest),
            Outcomes::Position => (-1, i32::MAX),
        };
        let what = format!("what `{}` gives of a value from outside", entry.name);
        let guess = self.guess(what, subject.span, determined, least, greatest);
        let ty = ModelType::INT32;
        self.program
            .exprs
            .add(Expr::Ite(determined, result, guess), ty)
    }

    /// A number that a property cannot know, unless it is `determined`.
    pub(crate) fn guess(
        &mut self,
        what: String,
        span: Span,
        determined: ExprId,
        least: i32,
        greatest: i32,
    ) -> ExprId {
        let outside = self.outside(what.clone(), span, Lifetime::Reading, false);
        let place = self.variable(
            format!("(guess {})", self.guess_count + 1),
            ModelType::INT32,
            VariableKind::Step,
            None,
            Span::NONE,
        );
        self.guess_count += 1;
        let (lo, hi) = (self.int(least), self.int(greatest));
        let sample: Vec<ExprId> = [-1, 0, 1, 2, least, greatest]
            .into_iter()
            .filter(|n| (least..=greatest).contains(n))
            .map(|n| self.int(n))
            .collect();
        let wide = i64::from(greatest) - i64::from(least) > 64;
        self.guesses.push(Guess {
            determined,
            choice: Choice {
                place: Place::global(place),
                set: ValueSet::Between(lo, hi),
                sample: wide.then_some(sample),
                what,
                outside: Some(outside),
            },
        });
        self.read(place)
    }
}

impl Lowered {
    /// Whether two texts that a property compares are equal.
    pub fn same_text(&mut self, sides: [ast::ExprId; 2], left: ExprId, right: ExprId) -> ExprId {
        let plain = sides.iter().all(|&side| {
            let flow = &self.build.flow;
            flow.of_expr(side).is_none_or(|class| flow.is_plain(class))
        });
        std::mem::swap(&mut self.build.program, &mut self.program);
        let same = match library::binary("==", Type::String, Type::String) {
            Some(entry) if !plain => {
                let (args, types) = ([left, right], [Type::String; 2]);
                let result = self.build.apply(entry, &args);
                let determined = self.build.determined(entry, &args);
                let value = match self.build.program.exprs.constant(determined) {
                    Some(model::Value::Bool(true)) => result,
                    _ => self.build.undecided_in_property(
                        entry,
                        result,
                        determined,
                        &types,
                        Subject::default(),
                    ),
                };
                self.build.as_bool(value)
            }
            _ => self.build.equal(left, right),
        };
        std::mem::swap(&mut self.build.program, &mut self.program);
        same
    }

    /// What an observer does, with what its conditions cannot tell set before.
    #[must_use]
    pub fn guessing(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut all: Vec<Stmt> = self
            .build
            .guesses
            .iter()
            .map(|guess| guess.unless_determined())
            .collect();
        let guesses = std::mem::take(&mut self.build.guesses);
        let exprs = &self.program.exprs;
        let of_states = guesses
            .into_iter()
            .filter(|guess| !reads_arguments(exprs, guess.determined));
        self.build.state_guesses.extend(of_states);
        all.extend(body);
        all
    }

    /// Sets what properties of stable states cannot tell at the end of each macro step.
    pub fn guess_at_the_end(&mut self) {
        let mut guesses = std::mem::take(&mut self.build.state_guesses);
        guesses.append(&mut self.build.guesses);
        if guesses.is_empty() {
            return;
        }
        for process in &mut self.program.processes {
            let modes: Vec<model::Mode> = process.locations.iter().map(|l| l.mode).collect();
            for step in &mut process.steps {
                let ends = match step.target {
                    model::Target::Goto(to) => modes[to.index()] == model::Mode::Open,
                    _ => false,
                };
                // What the world says, the script still has to handle.
                if ends && !matches!(step.comm, Some(model::Comm::Send { .. })) {
                    let stmts = guesses.iter().map(Guess::unless_determined);
                    step.body.extend(stmts);
                }
            }
        }
    }
}

/// A number that a property cannot know.
#[derive(Clone, Debug)]
pub(crate) struct Guess {
    /// When it need not be guessed.
    determined: ExprId,
    choice: Choice,
}

impl Guess {
    fn unless_determined(&self) -> Stmt {
        Stmt::If(
            self.determined,
            Vec::new(),
            vec![Stmt::Choose(self.choice.clone())],
        )
    }
}

/// Whether the expression is about the arguments of an event.
fn reads_arguments(exprs: &model::ExprPool, expr: ExprId) -> bool {
    let mut pending = vec![expr];
    while let Some(id) = pending.pop() {
        if let Expr::Load(place) = exprs.get(id)
            && matches!(place.root, model::Root::Argument(_))
        {
            return true;
        }
        exprs.operands(id, |operand| pending.push(operand));
    }
    false
}

/// What an operation gives, of whatever.
fn outcomes(entry: &PureEntry, types: &[Type]) -> Outcomes {
    if entry.name == "!=" && types.contains(&Type::List) {
        // How much longer the left one is.
        return Outcomes::Range(i32::MIN, i32::MAX);
    }
    if matches!(
        entry.name,
        "truth of" | "==" | "!=" | "<" | "<=" | ">" | ">="
    ) || facts::function(entry.name).is_some_and(|f| f.boolean)
    {
        return Outcomes::Truth;
    }
    match entry.name {
        "llListFindList" | "llListFindListNext" | "llListFindStrided" => Outcomes::Position,
        "llStringLength" | "llGetListLength" => Outcomes::Range(0, i32::MAX),
        "llSubStringIndex" => Outcomes::Range(-1, i32::MAX),
        "llOrd" => Outcomes::Range(0, 0x0010_FFFF),
        "llGetListEntryType" => Outcomes::Range(0, 6),
        _ => Outcomes::Range(i32::MIN, i32::MAX),
    }
}
