//! Programs as the engine reads them: predicates by their place among those of their arity,
//! conjunctions cut where variables become known.

use model::predicates::{Creation, Focus, Formula, Head, Kleene, PredicateProgram, Var};
use model::{MessageId, PredicateId};

use crate::Unsupported;
use crate::consequences;
use crate::pending::Readers;

/// Where values of predicates stand.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The place of each predicate among those of its arity.
    pub(crate) places: Vec<Place>,
    /// The predicates of no individual.
    pub(crate) none: Vec<usize>,
    /// Those of one.
    pub(crate) one: Vec<usize>,
    /// Those of two.
    pub(crate) two: Vec<usize>,
    /// The predicates of one individual that keep individuals apart, by their places.
    pub(crate) names: Vec<usize>,
    /// The predicates of none that keep structures apart, by their places.
    pub(crate) apart: Vec<usize>,
    /// Which predicates of one individual hold for at most one.
    pub(crate) uniques: Vec<bool>,
    /// Which predicates of two are functions.
    pub(crate) functions: Vec<bool>,
    /// The predicates that are closures of others: of which, which, and whether each individual is
    /// related to itself.
    ways: Vec<(PredicateId, usize, bool)>,
}

/// The place of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    None(usize),
    One(usize),
    Two(usize),
}

impl Place {
    /// The place among predicates of one.
    fn one(self) -> Option<usize> {
        match self {
            Place::One(place) => Some(place),
            Place::None(_) | Place::Two(_) => None,
        }
    }
}

/// A formula.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Value(Kleene),
    None(usize),
    One(usize, Var),
    Two(usize, Var, Var),
    Equal(Var, Var),
    Not(Box<Code>),
    And(Vec<Code>),
    Or(Vec<Code>),
    If(Box<[Code; 3]>),
    Exists(Var, Box<Code>),
    Forall(Var, Box<Code>),
    Closure(Box<Closure>),
}

impl Code {
    /// Whether it reads one value, or its opposite.
    pub(crate) fn is_atom(&self) -> bool {
        match self {
            Code::Not(inner) => inner.is_atom(),
            Code::Value(_) | Code::None(_) | Code::One(..) | Code::Two(..) | Code::Equal(..) => {
                true
            }
            _ => false,
        }
    }

    /// How long it takes to evaluate, more or less: how many values it looks at, as a power of how many
    /// individuals there are, and then how many atoms it has.
    fn cost(&self) -> (usize, usize) {
        let most = |parts: &[Code]| {
            let costs = parts.iter().map(Code::cost);
            costs.fold((0, 0), |(power, atoms), (more, others)| {
                (power.max(more), atoms + others)
            })
        };
        match self {
            Code::Value(_) | Code::None(_) | Code::One(..) | Code::Two(..) | Code::Equal(..) => {
                (0, 1)
            }
            Code::Not(inner) => inner.cost(),
            Code::And(parts) | Code::Or(parts) => most(parts),
            Code::If(parts) => most(&**parts),
            Code::Exists(_, inner) | Code::Forall(_, inner) => {
                let (power, atoms) = inner.cost();
                (power + 1, atoms)
            }
            Code::Closure(way) => (way.edge.cost().0 + 1, 1),
        }
    }
}

/// Whether there is a way.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// From where to where.
    pub(crate) ends: [Var; 2],
    /// A step goes from the first of these to the second.
    pub(crate) step: [Var; 2],
    /// If that holds.
    pub(crate) edge: Code,
    /// The predicate that says it, and whether it relates each individual to itself, if one does.
    pub(crate) kept: Option<(usize, bool)>,
}

impl Closure {
    /// Whether the values for all individuals that a variable may stand for are a row: it is the
    /// second end only, and steps are those of a predicate.
    pub(crate) fn is_row(&self, variable: Var) -> bool {
        self.place().is_some() && self.ends[1] == variable && self.ends[0] != variable
    }

    /// The place of the predicate that steps are of, if they are those of one.
    pub(crate) fn place(&self) -> Option<usize> {
        match self.edge {
            Code::Two(place, a, b) if [a, b] == self.step => Some(place),
            _ => None,
        }
    }
}

/// The next values of a predicate.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) place: Place,
    pub(crate) parameters: Vec<Var>,
    pub(crate) value: Code,
    /// The same where the predicate does not hold for the parameters, and where it does.
    pub(crate) of: [Code; 2],
}

/// The values of a predicate of two for one individual: as the first of the two, or as the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) place: usize,
    pub(crate) back: bool,
}

/// A conjunction, cut by the last of the free variables that each part reads: first what reads none.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) parts: Vec<Vec<Code>>,
    pub(crate) slots: usize,
}

/// An action.
#[derive(Debug)]
pub(crate) struct Action {
    /// Predicates whose values are to be known, and functions that lead on from there.
    pub(crate) focus: Vec<(Place, Vec<Line>)>,
    pub(crate) precondition: Condition,
    pub(crate) reports: Vec<(MessageId, Code)>,
    pub(crate) creates: Vec<Birth>,
    /// What old individuals have to satisfy to stay.
    pub(crate) retains: Option<(Var, Code)>,
    pub(crate) reports_after: Vec<(MessageId, Code)>,
    pub(crate) updates: Vec<Update>,
    /// The definitions that have to be evaluated anew, by their positions.
    pub(crate) touched: Vec<usize>,
    pub(crate) slots: usize,
}

/// New individuals.
#[derive(Debug)]
pub(crate) struct Birth {
    pub(crate) each: Option<(Var, Code)>,
    pub(crate) copies: bool,
    /// The places of predicates of one that hold from the beginning.
    pub(crate) holds: Vec<usize>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) body: Condition,
    pub(crate) head: Conclusion,
}

/// What a rule says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conclusion {
    Never,
    None(usize, bool),
    One(usize, Var, bool),
    Two(usize, [Var; 2], bool),
    Equal([Var; 2], bool),
}

/// A program.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) layout: Layout,
    pub(crate) actions: Vec<Action>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) readers: Readers,
    pub(crate) definitions: Vec<(Place, Code)>,
    pub(crate) definition_slots: usize,
    /// The place of the predicate of new individuals.
    pub(crate) is_new: Option<usize>,
    /// The place of the predicate that says whom a new individual was made for.
    pub(crate) instance: Option<usize>,
}

impl Layout {
    fn new(program: &PredicateProgram) -> Result<Layout, Unsupported> {
        let mut layout = Layout::default();
        for (index, predicate) in program.predicates.iter().enumerate() {
            layout.places.push(match predicate.arity {
                0 => {
                    if predicate.abstraction {
                        layout.apart.push(layout.none.len());
                    }
                    layout.none.push(index);
                    Place::None(layout.none.len() - 1)
                }
                1 => {
                    layout.one.push(index);
                    layout.uniques.push(predicate.unique);
                    if predicate.abstraction {
                        layout.names.push(layout.one.len() - 1);
                    }
                    Place::One(layout.one.len() - 1)
                }
                2 => {
                    layout.two.push(index);
                    layout.functions.push(predicate.unique);
                    Place::Two(layout.two.len() - 1)
                }
                _ => return Err(Unsupported::Arity(predicate.name.clone())),
            });
        }
        for way in consequences::ways(program) {
            if let Place::Two(place) = layout.place(way.predicate) {
                layout.ways.push((way.step, place, way.reflexive));
            }
        }
        Ok(layout)
    }

    fn place(&self, predicate: PredicateId) -> Place {
        self.places[predicate.index()]
    }

    fn atom(&self, predicate: PredicateId, variables: &[Var]) -> Code {
        match self.place(predicate) {
            Place::None(place) => Code::None(place),
            Place::One(place) => Code::One(place, variables[0]),
            Place::Two(place) => Code::Two(place, variables[0], variables[1]),
        }
    }

    fn code(&self, formula: &Formula) -> Code {
        let all = |all: &[Formula]| {
            let mut all: Vec<Code> = all.iter().map(|one| self.code(one)).collect();
            // What is cheap often decides.
            all.sort_by_key(Code::cost);
            all
        };
        let boxed = |one: &Formula| Box::new(self.code(one));
        match formula {
            Formula::Value(value) => Code::Value(*value),
            Formula::Holds(predicate, variables) => self.atom(*predicate, variables),
            Formula::Equal(a, b) => Code::Equal(*a, *b),
            Formula::Not(inner) => Code::Not(boxed(inner)),
            Formula::And(parts) => Code::And(all(parts)),
            Formula::Or(parts) => Code::Or(all(parts)),
            Formula::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let parts = [test, then, otherwise].map(|part| self.code(part));
                Code::If(Box::new(parts))
            }
            Formula::Exists(variable, inner) => Code::Exists(*variable, boxed(inner)),
            Formula::Forall(variable, inner) => Code::Forall(*variable, boxed(inner)),
            Formula::Closure { ends, step, edge } => Code::Closure(Box::new(Closure {
                ends: *ends,
                step: *step,
                edge: self.code(edge),
                kept: self.kept(*step, edge),
            })),
        }
    }

    /// The predicate that says whether there is a way by such steps.
    fn kept(&self, step: [Var; 2], edge: &Formula) -> Option<(usize, bool)> {
        let Formula::Holds(predicate, arguments) = edge else {
            return None;
        };
        let mut ways = self.ways.iter().filter(|(of, ..)| of == predicate);
        let kept = ways.next().map(|&(_, place, reflexive)| (place, reflexive));
        kept.filter(|_| arguments[..] == step[..])
    }

    fn update(&self, update: &model::predicates::Update) -> Update {
        let (predicate, parameters) = (update.predicate, &update.parameters);
        let of = [false, true].map(|value| {
            let value = update.value.given(predicate, parameters, value);
            self.code(&value)
        });
        Update {
            place: self.place(update.predicate),
            parameters: update.parameters.clone(),
            value: self.code(&update.value),
            of,
        }
    }

    fn reports(&self, all: &[(MessageId, Formula)]) -> Vec<(MessageId, Code)> {
        let all = all
            .iter()
            .map(|(message, formula)| (*message, self.code(formula)));
        all.collect()
    }

    fn focus(&self, program: &PredicateProgram, focus: &Focus) -> (Place, Vec<Line>) {
        let onwards = focus.then.iter();
        let onwards = onwards.take_while(|onward| onward.is_unique(program));
        let then = onwards.filter_map(|onward| match self.place(onward.predicate) {
            Place::Two(place) => Some(Line {
                place,
                back: onward.back,
            }),
            Place::None(_) | Place::One(_) => None,
        });
        (self.place(focus.of), then.collect())
    }

    fn birth(&self, program: &PredicateProgram, creation: &Creation) -> Birth {
        let holds = program.is_new.iter().chain(&creation.holds);
        Birth {
            each: creation
                .each
                .as_ref()
                .map(|(variable, formula)| (*variable, self.code(formula))),
            copies: creation.copies,
            holds: holds.filter_map(|&id| self.place(id).one()).collect(),
        }
    }

    /// A conjunction for assignments to the first `free` variables.
    fn condition(&self, formula: &Formula, free: usize) -> Condition {
        let mut parts: Vec<Vec<Code>> = (0..=free).map(|_| Vec::new()).collect();
        let mut conjuncts = Vec::new();
        cut(formula, &mut conjuncts);
        for conjunct in conjuncts {
            let last = last_free(conjunct, free).map_or(0, |variable| variable + 1);
            parts[last].push(self.code(conjunct));
        }
        for part in &mut parts {
            part.sort_by_key(Code::cost);
        }
        Condition {
            parts,
            slots: formula.slots().max(free),
        }
    }
}

fn cut<'f>(formula: &'f Formula, found: &mut Vec<&'f Formula>) {
    match formula {
        Formula::And(all) => all.iter().for_each(|one| cut(one, found)),
        other => found.push(other),
    }
}

/// The last of the first `free` variables that a formula reads. Bound variables come after the free
/// ones.
fn last_free(formula: &Formula, free: usize) -> Option<Var> {
    let last = |all: &[Var]| all.iter().copied().filter(|&v| v < free).max();
    match formula {
        Formula::Value(_) => None,
        Formula::Holds(_, variables) => last(variables),
        Formula::Equal(a, b) => last(&[*a, *b]),
        Formula::Not(inner) | Formula::Exists(_, inner) | Formula::Forall(_, inner) => {
            last_free(inner, free)
        }
        Formula::And(all) | Formula::Or(all) => {
            all.iter().filter_map(|one| last_free(one, free)).max()
        }
        Formula::If(all) => all.iter().filter_map(|one| last_free(one, free)).max(),
        Formula::Closure { ends, edge, .. } => last(ends).max(last_free(edge, free)),
    }
}

impl Compiled {
    /// Reads a program.
    pub(crate) fn new(program: &PredicateProgram) -> Result<Compiled, Unsupported> {
        let layout = Layout::new(program)?;
        let definitions: Vec<_> = program
            .defined()
            .map(|(predicate, _, formula)| (layout.place(predicate), layout.code(formula)))
            .collect();
        let mut rules: Vec<Rule> = Vec::new();
        for constraint in &program.constraints {
            rules.push(Rule {
                body: layout.condition(&constraint.body, constraint.free),
                head: conclusion(&layout, &constraint.head),
            });
        }
        for (predicate, arity, formula) in program.defined() {
            for positive in [true, false] {
                let variables = (0..arity).collect();
                let body = match positive {
                    true => formula.clone(),
                    false => Formula::not(formula.clone()),
                };
                let head = Head::Literal(predicate, variables, positive);
                rules.push(Rule {
                    body: layout.condition(&body, arity),
                    head: conclusion(&layout, &head),
                });
            }
        }
        let more = crate::sources::consequences(program);
        for (free, body, head) in consequences::consequences(program).into_iter().chain(more) {
            rules.push(Rule {
                body: layout.condition(&body, free),
                head: conclusion(&layout, &head),
            });
        }
        let actions = program
            .actions
            .iter()
            .map(|action| Action {
                focus: action
                    .focus
                    .iter()
                    .map(|one| layout.focus(program, one))
                    .collect(),
                precondition: layout.condition(&action.precondition, action.free),
                reports: layout.reports(&action.reports),
                creates: action
                    .creates
                    .iter()
                    .map(|creation| layout.birth(program, creation))
                    .collect(),
                retains: action
                    .retains
                    .as_ref()
                    .map(|(variable, retained)| (*variable, layout.code(retained))),
                reports_after: layout.reports(&action.reports_after),
                updates: action
                    .updates
                    .iter()
                    .map(|update| layout.update(update))
                    .collect(),
                touched: touched(program, action),
                slots: action.variables.len(),
            })
            .collect();
        let counts = [&layout.none, &layout.one, &layout.two].map(Vec::len);
        let place_of = |id: Option<PredicateId>| Some(layout.place(id?));
        Ok(Compiled {
            is_new: place_of(program.is_new).and_then(Place::one),
            instance: place_of(program.instance).and_then(|place| match place {
                Place::Two(place) => Some(place),
                Place::None(_) | Place::One(_) => None,
            }),
            layout,
            actions,
            readers: Readers::new(&rules, counts),
            rules,
            definitions,
            definition_slots: program.slots(),
        })
    }
}

/// The definitions whose values an action may change.
fn touched(program: &PredicateProgram, action: &model::predicates::PredicateAction) -> Vec<usize> {
    let updated = action.updates.iter().map(|update| update.predicate);
    let mut changed: Vec<PredicateId> = updated.collect();
    let mut found = Vec::new();
    for (number, (predicate, arity, formula)) in program.defined().enumerate() {
        let mut reads = Vec::new();
        formula.reads(&mut reads);
        let grows = !action.creates.is_empty() && (arity > 0 || formula.is_quantified());
        let shrinks = action.retains.is_some() && formula.is_quantified();
        if grows || shrinks || reads.iter().any(|one| changed.contains(one)) {
            changed.push(predicate);
            found.push(number);
        }
    }
    found
}

fn conclusion(layout: &Layout, head: &Head) -> Conclusion {
    match head {
        Head::Never => Conclusion::Never,
        Head::Equal(a, b, positive) => Conclusion::Equal([*a, *b], *positive),
        Head::Literal(predicate, variables, positive) => match layout.place(*predicate) {
            Place::None(place) => Conclusion::None(place, *positive),
            Place::One(place) => Conclusion::One(place, variables[0], *positive),
            Place::Two(place) => Conclusion::Two(place, [variables[0], variables[1]], *positive),
        },
    }
}
