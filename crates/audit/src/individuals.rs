//! Individuals that an action makes and lets vanish, for the audit of sets of structures.
//!
//! For each individual there are two questions at most for each creation and for what stays; where the
//! answer is not known, both are followed, and for an individual that stands for several also that
//! they differ in it.

use model::predicates::{Kleene, PredicateAction, PredicateProgram, Var};

use crate::Rejected;
use crate::crowd::{Crowd, Those};
use crate::planes::{Line, Place, Places, Planes};
use crate::terms::Term;

/// A structure with the new individuals of an action.
pub(crate) struct Part<C> {
    pub(crate) before: Planes<C>,
    /// Whom the variables stand for.
    pub(crate) of: Vec<usize>,
    /// Who was there before the action; the others are new.
    pub(crate) was: C,
    /// Who is there after the action.
    pub(crate) staying: C,
}

/// For whom an action makes individuals, and which stay: its questions.
pub(crate) struct Questions(Vec<(Var, Term)>);

impl Questions {
    pub(crate) fn new(action: &PredicateAction, places: &Places) -> Questions {
        let made = action.creates.iter();
        let made = made.filter_map(|creation| creation.each.as_ref());
        let all = made.chain(&action.retains);
        Questions(
            all.map(|(variable, formula)| (*variable, Term::new(formula, places)))
                .collect(),
        )
    }
}

/// A structure, an assignment to variables of which the first ones are free, and answers to questions: for
/// each question, that of each individual.
#[derive(Clone)]
struct Answered<C> {
    structure: Planes<C>,
    of: Vec<usize>,
    free: usize,
    answers: Vec<Line<C>>,
}

/// Says if a limit is reached.
type Within<'w> = &'w dyn Fn() -> Result<(), Rejected>;

/// All ways in which an action makes individuals and lets others vanish.
///
/// # Errors
/// If there are too many individuals.
pub(crate) fn parts<C: Crowd>(
    (program, places): (&PredicateProgram, &Places),
    structure: &Planes<C>,
    (action, questions): (&PredicateAction, &Questions),
    of: &[usize],
    within: Within<'_>,
) -> Result<Vec<Part<C>>, Rejected> {
    let mut of = of.to_vec();
    let answers = questions.0.iter();
    let answers = answers.map(|(variable, term)| structure.line(term, Some(*variable), &mut of));
    let answers = answers.collect();
    let first = Answered {
        structure: structure.clone(),
        of,
        free: action.free,
        answers,
    };
    let mut all = Vec::new();
    first.known(&mut all, within)?;
    all.into_iter()
        .map(|case| case.part((program, places), action))
        .collect()
}

impl<C: Crowd> Answered<C> {
    /// The cases in which every answer is known.
    fn known(self, all: &mut Vec<Answered<C>>, within: Within<'_>) -> Result<(), Rejected> {
        within()?;
        let open = self
            .answers
            .iter()
            .enumerate()
            .find_map(|(question, line)| {
                let one = Those(line.open()).next()?;
                Some((question, one))
            });
        let Some((question, one)) = open else {
            all.push(self);
            return Ok(());
        };
        for value in [Kleene::False, Kleene::True] {
            let mut case = self.clone();
            case.answers[question].put(one, value);
            case.known(all, within)?;
        }
        if self.structure.several.has(one) {
            let copy = self.structure.size;
            for mut case in self.doubled(one)? {
                case.answers[question].put(one, Kleene::True);
                case.answers[question].put(copy, Kleene::False);
                case.known(all, within)?;
            }
        }
        Ok(())
    }

    /// An individual twice; a variable that stands for it may stand for either.
    fn doubled(&self, one: usize) -> Result<Vec<Answered<C>>, Rejected> {
        let copy = self.structure.size;
        let structure = self.structure.doubled(one)?;
        let mut answers = self.answers.clone();
        answers
            .iter_mut()
            .for_each(|line| line.put(copy, line.at(one)));
        let mut assignments = vec![self.of.clone()];
        for variable in (0..self.free).filter(|&variable| self.of[variable] == one) {
            let mut others = assignments.clone();
            others.iter_mut().for_each(|of| of[variable] = copy);
            assignments.append(&mut others);
        }
        let cases = assignments.into_iter().map(|of| Answered {
            structure: structure.clone(),
            of,
            free: self.free,
            answers: answers.clone(),
        });
        Ok(cases.collect())
    }

    fn part(
        self,
        (program, places): (&PredicateProgram, &Places),
        action: &PredicateAction,
    ) -> Result<Part<C>, Rejected> {
        let was = self.structure.everybody();
        let mut before = self.structure;
        let mut answers = self.answers.into_iter();
        for creation in &action.creates {
            // Whom each new one is made for.
            let made: Vec<Option<usize>> = match &creation.each {
                None => vec![None],
                Some(_) => {
                    let answer = answers.next().unwrap_or_default();
                    Those(answer.sure()).map(Some).collect()
                }
            };
            let first = before.size;
            for origin in &made {
                let new = before.size;
                before = before.enlarged(places)?;
                let several = origin.is_some_and(|origin| before.several.has(origin));
                before.several |= C::one(new).when(several);
                for &holds in program.is_new.iter().chain(&creation.holds) {
                    before.set(places.of(holds), [new, 0], Kleene::True);
                }
                if let (Some(instance), Some(origin)) = (program.instance, *origin) {
                    let value = if several {
                        Kleene::Unknown
                    } else {
                        Kleene::True
                    };
                    before.set(places.of(instance), [new, origin], value);
                }
            }
            if creation.copies {
                copy((program, places), &mut before, first, &made);
            }
        }
        let mut staying = before.everybody();
        if action.retains.is_some() {
            let kept = answers.next().unwrap_or_default();
            staying &= kept.sure() | !was;
        }
        Ok(Part {
            before,
            of: self.of,
            was,
            staying,
        })
    }
}

/// Gives the individuals from `first` on the values of their origins.
fn copy<C: Crowd>(
    (program, places): (&PredicateProgram, &Places),
    structure: &mut Planes<C>,
    first: usize,
    made: &[Option<usize>],
) {
    let origin = |one: usize| made[one - first].unwrap_or(one);
    let marks = [program.is_new, program.instance];
    let marks = marks.map(|mark| mark.map(|mark| places.of(mark)));
    for place in places.all().filter(|place| !marks.contains(&Some(*place))) {
        let seconds = match place {
            Place::Fact(_) => continue,
            Place::One(_) => 0..1,
            Place::Two(_) => first..structure.size,
        };
        for one in first..structure.size {
            for other in seconds.clone() {
                let from = match place {
                    Place::Two(_) => [origin(one), origin(other)],
                    Place::Fact(_) | Place::One(_) => [origin(one), 0],
                };
                let value = structure.get(place, from);
                structure.set(place, [one, other], value);
            }
        }
    }
}
