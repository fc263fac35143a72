//! Formulas of the mu-calculus on a program, from text to run.

use games::{Answer, Checker, Walked};
use logic::mu;
use model::{
    Binary, Budget, Choice, Event, ExprId, FiniteRuns, Graph, Mode, MuFormula, Place, Process,
    Program, ProgramVocabulary, Silent, Start, StateSpace, Step, Stmt, Type, ValueSet, Variable,
    Visibility,
};
use source::Span;

/// An auction: bids of 1 or 2, each answered or forgotten, until it is sold for good.
fn auction() -> Program {
    let amount = Type::Range { lo: 0, hi: 2 };
    let mut program = Program::new("auction", "by hand");
    program.finite_runs = FiniteRuns::Maximal;
    let best = program.add_global(Variable::new("best", amount.clone()));
    let offer = program.add_global(Variable::new("offer", amount.clone()));
    let [bid, accept, sold] = ["bid", "accept", "sold"].map(|name| {
        program.add_event(Event {
            name: name.to_owned(),
            parameters: vec![("amount".to_owned(), amount.clone())],
            story: None,
            visibility: Visibility::Told,
        })
    });
    let mut process = Process::new("auctioneer");
    let open = process.add_location("open", Mode::Open, Span::NONE);
    let asked = process.add_location("asked", Mode::Open, Span::NONE);
    let closed = process.add_location("closed", Mode::Open, Span::NONE);
    let best_now = program.exprs.load(Place::global(best), amount.clone());
    let offer_now = program.exprs.load(Place::global(offer), amount);
    let [one, two] = [1, 2].map(|n| program.exprs.int(n, Type::Mathint));
    let better = program.exprs.binary(Binary::Lt, best_now, offer_now);
    let emit = |event, arg: ExprId| Stmt::Emit {
        event,
        args: vec![arg],
        span: Span::NONE,
    };

    let mut bidding = Step::new(open, asked, Span::NONE);
    bidding.binds.push(Choice {
        place: Place::global(offer),
        set: ValueSet::Between(one, two),
        sample: None,
        what: "the bid".to_owned(),
        outside: None,
    });
    bidding.body = vec![emit(bid, offer_now)];
    process.add_step(bidding);
    let mut accepting = Step::new(asked, open, Span::NONE);
    accepting.guard = Some(better);
    accepting.body = vec![
        emit(accept, offer_now),
        Stmt::Assign(Place::global(best), offer_now),
    ];
    process.add_step(accepting);
    // The fault: a bid may be forgotten.
    process.add_step(Step::new(asked, open, Span::NONE));
    let mut selling = Step::new(open, closed, Span::NONE);
    selling.body = vec![emit(sold, best_now)];
    process.add_step(selling);
    let process = program.add_process(process);
    program.start.push(Start {
        process,
        args: Vec::new(),
    });
    program
}

fn formula(program: &mut Program, text: &str) -> MuFormula {
    let proposition = |program: &mut Program, text: &str, _| match text {
        "best == 2" => {
            let ty = Type::Range { lo: 0, hi: 2 };
            let best = program
                .exprs
                .load(Place::global(model::GlobalId::new(0)), ty);
            let two = program.exprs.int(2, Type::Mathint);
            Ok(program.exprs.binary(Binary::Eq, best, two))
        }
        other => Err(format!("what is `{other}`?")),
    };
    let mut vocabulary = ProgramVocabulary {
        program,
        proposition,
    };
    mu::parse(text, &mut vocabulary).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn check(text: &str) -> Answer {
    let mut program = auction();
    let formula = formula(&mut program, text);
    let conditions: Vec<ExprId> = formula.atoms().into_iter().copied().collect();
    let budget = Budget::default();
    let walked = Walked::explore(&program, &conditions, &budget, &Silent).expect("it is small");
    let outcome = Checker::new(&program, &walked).mu(&formula, &budget);
    outcome.answer
}

#[test]
fn formulas_are_answered_with_runs() {
    assert_eq!(check("[(!sold)*]<true*.sold>true"), Answer::Clear);
    assert_eq!(
        check("[true*.sold]!<true>true"),
        Answer::Clear,
        "then it is over"
    );
    let forgotten = check("[true*] forall m. [bid(m)] mu X. [!accept(m)]X && <true>true");
    assert!(matches!(forgotten, Answer::Violated(run) if !run.steps.is_empty()));
    let cheap = check("forall m, n. val(n < m) => [true*.accept(m).(!sold)*.sold(n)]false");
    assert_eq!(cheap, Answer::Clear);
    let lost = check("forall m, n. val(n < m) => [true*.bid(m).(!sold)*.sold(n)]false");
    // Bid, forget, sell; shortest.
    assert!(matches!(lost, Answer::Violated(run) if run.steps.len() == 3));
    assert_eq!(check("[true*.accept(2)]{best == 2}"), Answer::Clear);
    let at_once = check("[true*.bid(2)]{best == 2}");
    assert!(matches!(at_once, Answer::Violated(run) if run.steps.len() == 1));
    assert!(matches!(
        check("[(!sold)*]<true>[bid]false"),
        Answer::Violated(_)
    ));
}

#[test]
fn steps_with_other_actions_stay_apart() {
    let program = auction();
    let walked = Walked::explore(&program, &[], &Budget::default(), &Silent).expect("it is small");
    let graph: &Graph = walked.graph();
    // Two bids, two acceptances, three prices, and forgetting.
    assert_eq!(graph.table().len(), 8);
    assert!(graph.table().iter().any(|label| label.is_empty()));
}
