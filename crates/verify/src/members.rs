//! Who takes part in the portfolio: what each can answer, when it starts, and how it is asked.
//!
//! [`MEMBERS`] is the list that the scheduler goes through, in the order in which members are let in.
//! A new engine is one more row of it.

use std::time::Duration;

use model::{Budget, Claim, Composition, OfEngine, Program, Progress, PropertyId, Type};

use crate::checkpoint_sections::Sections;
use crate::common_fragment::{has_runs_for_it, is_settled, prove_tree};
use crate::diagrams::check_sets;
use crate::engine::Engine;
use crate::enumerate::enumerate;
use crate::options::{Options, Storage};
use crate::outcome::Outcome;
use crate::portfolio::{Board, Contender};
use crate::proof::is_asked;
use crate::round_robin::Lead;
use crate::structures::check_predicates;
use crate::time_slices::ask_in_turns;

/// A circuit with more variables than this usually has too many states to enumerate.
const FEW: usize = 64;

/// What is to be answered, and by what means.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) progress: &'a dyn Progress,
    /// Where searches are saved.
    pub(crate) file: Option<&'a Sections<'a>>,
}

impl Job<'_> {
    /// Whether all variables move at once.
    fn is_synchronous(&self) -> bool {
        matches!(self.program.composition, Composition::Synchronous(_))
    }

    /// Whether this is a synchronous program of many Boolean variables, and the SAT engine can answer
    /// every selected property.
    fn is_for_proofs(&self, selected: &[PropertyId]) -> bool {
        let globals = &self.program.globals;
        self.is_synchronous()
            && globals.len() > FEW
            && globals.iter().all(|variable| variable.ty == Type::Bool)
            && asked(self, &Proofs, selected).len() == selected.len()
    }

    /// Whether there is one process, and nothing beside it.
    fn is_alone(&self) -> bool {
        let program = self.program;
        program.start.len() == 1 && program.channels.is_empty() && !self.is_synchronous()
    }

    fn claim(&self, property: PropertyId) -> &Claim {
        &self.program.properties[property.index()].claim
    }

    /// Whether the user asks for what only a search through states does.
    fn needs_states(&self) -> bool {
        self.file.is_some() || self.options.all_errors || self.options.storage != Storage::Auto
    }

    /// Who has most of a processor core that all share.
    pub(crate) fn lead(&self, selected: &[PropertyId]) -> Lead {
        // Where all variables move at once, sets of states are as a rule better than states.
        let (engine, part) = match (self.is_for_proofs(selected), self.is_synchronous()) {
            (true, _) => (Engine::Sat, 2),
            (false, true) => (Engine::Symbolic, 2),
            (false, false) => (Engine::Explicit, 12),
        };
        Lead { engine, part }
    }
}

/// When a member starts, and what it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    /// It starts after so many milliseconds, or when all before it have ended.
    after: u64,
    /// The part of the memory that it may use, in percent.
    share: u64,
}

/// How a verification's questions lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mix {
    /// All that is asked is whether there are runs.
    only_existence: bool,
    /// Decision diagrams are built beside other work.
    with_diagrams: bool,
    /// A process runs alone.
    alone: bool,
    /// It is a circuit with many variables, and proofs answer all that is asked.
    for_proofs: bool,
}

/// One that takes part.
pub(crate) trait Member: Sync {
    /// Its engines: `--engine` lets in those who are the one that is named.
    fn engines(&self) -> &'static [Engine];

    /// Whether it can read such a program at all: one of processes or of equations, unless it says
    /// otherwise.
    fn reads(&self, program: &Program) -> bool {
        program.predicates.is_none()
    }

    /// Whether it answers such a claim as this one of its engines.
    fn answers(&self, job: &Job<'_>, engine: Engine, claim: &Claim) -> bool;

    /// Whether it can do what only a search through states does: save itself, find all failures, store
    /// states in another way.
    fn searches_states(&self) -> bool {
        false
    }

    /// When it starts, and what it may have.
    fn terms(&self, mix: Mix) -> Terms;

    /// Answers: keeps to the budget, and puts outcomes on the board.
    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>);
}

/// All members, in the order in which they are let in.
const MEMBERS: &[&dyn Member] = &[
    &Existence,
    &Enumeration,
    &DepthFirst,
    &Diagrams,
    &Proofs,
    &LateDiagrams,
    &Structures,
];

/// The members that have something to answer, ready to start, in the order in which they do.
pub(crate) fn contenders<'a>(job: Job<'a>, selected: &[PropertyId]) -> Vec<Contender<'a>> {
    let mix = Mix {
        only_existence: asked(&job, &Existence, selected).len() == selected.len(),
        with_diagrams: !asked(&job, &Diagrams, selected).is_empty(),
        alone: job.is_alone(),
        for_proofs: job.is_for_proofs(selected),
    };
    // On one core, many small questions are answered before a second engine has begun.
    let slowly = if job.options.jobs == 1 { 5 } else { 1 };
    let members = MEMBERS
        .iter()
        .map(|&member| (member, asked(&job, member, selected)));
    let mut contenders: Vec<Contender<'a>> = members
        .filter(|(_, asked)| !asked.is_empty())
        .map(|(member, asked)| {
            let terms = member.terms(mix);
            let properties = asked.clone();
            Contender {
                after: Duration::from_millis(terms.after * slowly),
                share: terms.share,
                asked: (member.engines()[0], asked),
                run: Box::new(move |budget, board| {
                    let progress = OfEngine::begin(member.engines()[0].name(), job.progress);
                    let progress = &progress;
                    member.run(&Job { progress, ..job }, &properties, budget, board);
                }),
            }
        })
        .collect();
    contenders.sort_by_key(|contender| contender.after);
    contenders
}

/// What a member is asked of the selected properties.
fn asked(job: &Job<'_>, member: &dyn Member, selected: &[PropertyId]) -> Vec<PropertyId> {
    if !member.reads(job.program) {
        return Vec::new();
    }
    let engines = member.engines().iter().copied();
    let engines: Vec<Engine> = engines
        .filter(|&engine| match job.options.engine {
            Some(only) => only == engine,
            None => member.searches_states() || !job.needs_states(),
        })
        .collect();
    let answered = |&id: &PropertyId| {
        let claim = job.claim(id);
        let mut engines = engines.iter();
        engines.any(|&engine| member.answers(job, engine, claim))
    };
    selected.iter().copied().filter(answered).collect()
}

/// Claims of branching time of which nothing is left to ask but whether there are runs: one that repeats
/// is all that is needed.
struct Existence;

impl Member for Existence {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Sat]
    }

    fn answers(&self, job: &Job<'_>, _: Engine, claim: &Claim) -> bool {
        is_settled(job.program, claim)
    }

    fn terms(&self, _: Mix) -> Terms {
        Terms {
            after: 0,
            share: 25,
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        prove(job, asked, budget, board);
    }
}

/// States one by one: along runs, and on the graph of all of them.
struct Enumeration;

impl Member for Enumeration {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Explicit, Engine::Games]
    }

    fn answers(&self, _: &Job<'_>, engine: Engine, claim: &Claim) -> bool {
        match engine {
            Engine::Games => is_branching(claim),
            _ => !is_branching(claim) && !matches!(claim, Claim::Distance { .. }),
        }
    }

    fn searches_states(&self) -> bool {
        true
    }

    fn terms(&self, mix: Mix) -> Terms {
        Terms {
            after: match mix.only_existence || mix.for_proofs {
                true => 2_000,
                false => 0,
            },
            share: if mix.with_diagrams { 50 } else { 100 },
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        let (trees, paths): (Vec<PropertyId>, Vec<PropertyId>) =
            asked.iter().partition(|&&id| is_branching(job.claim(id)));
        enumerate(
            job.program,
            (&paths, &trees),
            job.options,
            (budget, job.progress, job.file),
            board,
        );
    }
}

/// States one by one, depth-first: only if it is asked for. In the portfolio, the breadth-first search
/// looks into the depth now and then.
struct DepthFirst;

impl Member for DepthFirst {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Dfs]
    }

    fn answers(&self, job: &Job<'_>, engine: Engine, claim: &Claim) -> bool {
        job.options.engine == Some(engine) && Enumeration.answers(job, Engine::Explicit, claim)
    }

    fn searches_states(&self) -> bool {
        true
    }

    fn terms(&self, mix: Mix) -> Terms {
        Enumeration.terms(mix)
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        Enumeration.run(job, asked, budget, board);
    }
}

/// Sets of states as decision diagrams.
struct Diagrams;

impl Member for Diagrams {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Symbolic]
    }

    fn answers(&self, job: &Job<'_>, _: Engine, claim: &Claim) -> bool {
        let wanted = job.options.engine.is_some();
        job.is_synchronous() || wanted || matches!(claim, Claim::Distance { .. })
    }

    fn terms(&self, mix: Mix) -> Terms {
        Terms {
            // What has few states, or an easy proof, is answered before.
            after: match (mix.only_existence, mix.for_proofs) {
                (true, _) => 2_060,
                (_, true) => 500,
                _ => 60,
            },
            share: 50,
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        let options = symbolic::Options {
            tuning: job.options.tuning.symbolic,
        };
        let means = (budget, job.progress);
        check_sets(job.program, asked, options, means, board);
    }
}

/// The same for a process that runs alone, where nothing else has answered soon: what it keeps may be
/// many bits of which few ever change.
struct LateDiagrams;

impl Member for LateDiagrams {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Symbolic]
    }

    fn answers(&self, job: &Job<'_>, _: Engine, claim: &Claim) -> bool {
        let of_states = matches!(
            claim,
            Claim::Check(_) | Claim::NoFault(_) | Claim::Always(_)
        );
        job.is_alone() && of_states && job.options.engine.is_none()
    }

    fn terms(&self, _: Mix) -> Terms {
        Terms {
            after: 3_000,
            share: 25,
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        Diagrams.run(job, asked, budget, board);
    }
}

/// Satisfiability: bounded model checking, induction, IC3.
struct Proofs;

impl Member for Proofs {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Sat]
    }

    fn answers(&self, job: &Job<'_>, _: Engine, claim: &Claim) -> bool {
        (is_asked(claim) || has_runs_for_it(job.program, claim)) && !is_settled(job.program, claim)
    }

    fn terms(&self, mix: Mix) -> Terms {
        Terms {
            after: match (mix.for_proofs, mix.alone) {
                (true, _) => 0,
                // Runs of a process that runs alone are laid out in no time as a rule.
                (_, true) => 100,
                _ => 2_000,
            },
            share: 25,
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        prove(job, asked, budget, board);
    }
}

/// Three-valued structures: any number of threads and objects.
struct Structures;

impl Member for Structures {
    fn engines(&self) -> &'static [Engine] {
        &[Engine::Shape]
    }

    fn reads(&self, program: &Program) -> bool {
        program.predicates.is_some()
    }

    fn answers(&self, _: &Job<'_>, _: Engine, claim: &Claim) -> bool {
        matches!(claim, Claim::Silent(_) | Claim::Configurations(_))
    }

    fn terms(&self, _: Mix) -> Terms {
        Terms {
            after: 0,
            share: 100,
        }
    }

    fn run(&self, job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
        if let Some(predicates) = &job.program.predicates {
            check_predicates(
                job.program,
                predicates,
                asked,
                (budget, job.progress, job.options.jobs),
                board,
            );
        }
    }
}

/// Whether a claim is about the tree of runs rather than about each of them.
fn is_branching(claim: &Claim) -> bool {
    matches!(claim, Claim::Ctl(_) | Claim::Mu(_) | Claim::Bounded(_))
}

/// Asks the SAT engine about one property after the other, in turns.
fn prove(job: &Job<'_>, asked: &[PropertyId], budget: &Budget, board: &Board<'_>) {
    ask_in_turns(asked, budget, board, &|property, budget| {
        let proof = budget.within(|| {
            let means = (budget, job.progress, job.options.tuning.sat);
            prove_tree(job.program, property, means)
        });
        proof.unwrap_or_else(|reason| Outcome::unknown(property, Engine::Sat, reason))
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use logic::{Ctl, Quantifier};
    use model::{ExprId, Property, Variable};

    use super::*;

    /// The engines that take part, in the order in which they start, where so many bits move at once.
    fn order(bits: usize, claim: impl FnOnce(ExprId) -> Claim) -> Vec<Engine> {
        let mut program = Program::new("row", "none");
        for bit in 0..bits {
            let bit = Variable::new(format!("bit {bit}"), Type::Bool);
            program.add_global(bit);
        }
        program.composition = Composition::Synchronous(Vec::new());
        let condition = program.exprs.bool(true);
        let claim = claim(condition);
        let property = program.add_property(Property {
            name: "always".to_owned(),
            text: String::new(),
            span: source::Span::NONE,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        let job = Job {
            program: &program,
            options: &Options::default(),
            progress: &model::Silent,
            file: None,
        };
        let contenders = contenders(job, &[property]);
        contenders.iter().map(|one| one.asked.0).collect()
    }

    #[test]
    fn circuits_of_many_bits_are_for_the_prover_first() {
        assert_eq!(
            order(FEW, Claim::Always),
            [Engine::Explicit, Engine::Symbolic, Engine::Sat]
        );
        assert_eq!(
            order(FEW + 1, Claim::Always),
            [Engine::Sat, Engine::Symbolic, Engine::Explicit]
        );
        // What some run does is not for proofs.
        let may = |expr| {
            let eventually = Ctl::Eventually(Quantifier::Some, Arc::new(Ctl::Atom(expr)));
            Claim::Ctl(Ctl::Always(Quantifier::All, Arc::new(eventually)))
        };
        assert_eq!(order(FEW + 1, may)[0], Engine::Explicit);
    }
}
