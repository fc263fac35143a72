//! Individuals that an action makes and lets vanish, for the audit of sets of structures.
//!
//! For each individual there are two questions at most for each creation and for what stays; where the
//! answer is not known, both are followed, and for an individual that stands for several also that
//! they differ in it.

use model::PredicateId;
use model::predicates::{Formula, Kleene, PredicateAction, PredicateProgram, Structure, Var};

/// A structure with the new individuals of an action.
pub(crate) struct Part {
    pub(crate) before: Structure,
    pub(crate) assignment: Vec<usize>,
    /// How many individuals were there before the action; the others are new.
    pub(crate) old: usize,
    /// Which of its individuals are there after the action.
    pub(crate) staying: Vec<usize>,
}

/// A structure, an assignment to free variables, and answers to questions: for each question, that of
/// each individual.
#[derive(Clone)]
struct Answered {
    structure: Structure,
    assignment: Vec<usize>,
    answers: Vec<Vec<Kleene>>,
}

/// All ways in which an action makes individuals and lets others vanish.
pub(crate) fn parts(
    program: &PredicateProgram,
    structure: &Structure,
    action: &PredicateAction,
    assignment: &[usize],
) -> Vec<Part> {
    let asked = action
        .creates
        .iter()
        .filter_map(|creation| creation.each.as_ref());
    let asked: Vec<&(Var, Formula)> = asked.chain(&action.retains).collect();
    let answers = asked.iter().map(|(variable, formula)| {
        let answer = |one| {
            let mut variables = assignment.to_vec();
            variables.resize(action.variables.len(), 0);
            variables[*variable] = one;
            structure.value(formula, &mut variables)
        };
        (0..structure.size()).map(answer).collect()
    });
    let first = Answered {
        structure: structure.clone(),
        assignment: assignment.to_vec(),
        answers: answers.collect(),
    };
    let all = first.known(program);
    all.into_iter()
        .map(|case| case.part(program, action))
        .collect()
}

impl Answered {
    /// The cases in which every answer is known.
    fn known(self, program: &PredicateProgram) -> Vec<Answered> {
        let open = self.answers.iter().enumerate().find_map(|(question, all)| {
            let one = all.iter().position(|answer| *answer == Kleene::Unknown)?;
            Some((question, one))
        });
        let Some((question, one)) = open else {
            return vec![self];
        };
        let mut all = Vec::new();
        for value in [Kleene::False, Kleene::True] {
            let mut case = self.clone();
            case.answers[question][one] = value;
            all.extend(case.known(program));
        }
        if self.structure.summary[one] {
            for case in self.doubled(program, one) {
                let mut case = case;
                let copy = case.structure.size() - 1;
                case.answers[question][one] = Kleene::True;
                case.answers[question][copy] = Kleene::False;
                all.extend(case.known(program));
            }
        }
        all
    }

    /// An individual twice; a variable that stands for it may stand for either.
    fn doubled(&self, program: &PredicateProgram, one: usize) -> Vec<Answered> {
        let copy = self.structure.size();
        let individuals: Vec<usize> = (0..copy).chain([one]).collect();
        let mut answers = self.answers.clone();
        answers.iter_mut().for_each(|all| all.push(all[one]));
        let mut assignments = vec![Vec::new()];
        for &value in &self.assignment {
            let choices: &[usize] = if value == one { &[one, copy] } else { &[value] };
            assignments = assignments
                .iter()
                .flat_map(|before: &Vec<usize>| {
                    choices
                        .iter()
                        .map(move |&choice| [before.as_slice(), &[choice]].concat())
                })
                .collect();
        }
        let structure = self.structure.picked(&program.predicates, &individuals);
        let cases = assignments.into_iter().map(|assignment| Answered {
            structure: structure.clone(),
            assignment,
            answers: answers.clone(),
        });
        cases.collect()
    }

    fn part(self, program: &PredicateProgram, action: &PredicateAction) -> Part {
        let old = self.structure.size();
        let mut before = self.structure;
        let mut answers = self.answers.into_iter();
        for creation in &action.creates {
            // Whom each new one is made for.
            let made: Vec<Option<usize>> = match &creation.each {
                None => vec![None],
                Some(_) => {
                    let answer = answers.next().unwrap_or_default();
                    let whom = answer.into_iter().enumerate();
                    whom.filter(|(_, value)| *value == Kleene::True)
                        .map(|(one, _)| Some(one))
                        .collect()
                }
            };
            let first = before.size();
            for origin in &made {
                before = before.enlarged(&program.predicates);
                let new = before.size() - 1;
                if let Some(origin) = *origin {
                    before.summary[new] = before.summary[origin];
                }
                for &holds in program.is_new.iter().chain(&creation.holds) {
                    before.set(holds, &[new], Kleene::True);
                }
                if let (Some(instance), Some(origin)) = (program.instance, *origin) {
                    let several = before.summary[origin];
                    let value = if several {
                        Kleene::Unknown
                    } else {
                        Kleene::True
                    };
                    before.set(instance, &[new, origin], value);
                }
            }
            if creation.copies {
                copy(program, &mut before, first, &made);
            }
        }
        let kept = match action.retains {
            Some(_) => answers.next().unwrap_or_default(),
            None => vec![Kleene::True; old],
        };
        let stays = |one: &usize| kept.get(*one).is_none_or(|value| *value == Kleene::True);
        Part {
            old,
            staying: (0..before.size()).filter(stays).collect(),
            before,
            assignment: self.assignment,
        }
    }
}

/// Gives the individuals from `first` on the values of their origins.
fn copy(
    program: &PredicateProgram,
    structure: &mut Structure,
    first: usize,
    made: &[Option<usize>],
) {
    let origin = |one: usize| made[one - first].unwrap_or(one);
    for (index, predicate) in program.predicates.iter().enumerate() {
        let id = PredicateId::new(index);
        if [program.is_new, program.instance].contains(&Some(id)) {
            continue;
        }
        for place in 0..structure.values[index].len() {
            let tuple = structure.arguments(place, predicate.arity);
            if !tuple.is_empty() && tuple.iter().all(|&one| one >= first) {
                let from: Vec<usize> = tuple.iter().map(|&one| origin(one)).collect();
                structure.values[index][place] = structure.get(id, &from);
            }
        }
    }
}
