//! Answers for the properties of an SMV model by decision diagrams alone, with what it took:
//! `cargo run --release -p symbolic --example smv -- MODEL [SECONDS] [PROPERTY]`.

#![expect(clippy::print_stdout, reason = "this is a program that prints")]

use std::time::{Duration, Instant};

use circuit::{LatchId, encode};
use model::{Budget, Claim, Silent, VariableKind};
use symbolic::{Options, Query, Technique, Tuning, Verdict, check};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a model is given");
    let seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(60);
    let wanted = arguments.next();
    let text = std::fs::read_to_string(&path).expect("the model can be read");
    let begin = Instant::now();
    let loaded = smv::load(&path, &text, &smv::Options::default());
    let Some(program) = loaded.program else {
        println!("rejected: {:?}", loaded.diagnostics.first());
        return;
    };
    let loading = begin.elapsed();
    let mut encoding = match encode(&program) {
        Ok(encoding) => encoding,
        Err(error) => {
            println!("failed to {error}");
            return;
        }
    };
    let mut queries = Vec::new();
    let mut names = Vec::new();
    for property in &program.properties {
        if wanted.as_ref().is_some_and(|name| *name != property.name) {
            continue;
        }
        let query = match &property.claim {
            Claim::Always(expr) => encoding.atom(*expr).map(|lit| Query::Never(!lit)),
            Claim::Ctl(formula) => {
                let mut failed = None;
                let formula = formula.map(&mut |expr| {
                    encoding.atom(*expr).unwrap_or_else(|error| {
                        failed = Some(error);
                        circuit::Lit::FALSE
                    })
                });
                failed.map_or(Ok(Query::Branching(formula)), Err)
            }
            Claim::Ltl(formula) => {
                let mut failed = None;
                let formula = formula.map(|expr| {
                    encoding.atom(*expr).unwrap_or_else(|error| {
                        failed = Some(error);
                        circuit::Lit::FALSE
                    })
                });
                failed.map_or(Ok(Query::Linear(formula)), Err)
            }
            other => {
                println!("{}: {other:?}", property.name);
                continue;
            }
        };
        match query {
            Ok(query) => {
                queries.push(query);
                names.push(property.name.clone());
            }
            Err(error) => println!("{}: failed to {error}", property.name),
        }
    }
    if wanted.is_none() || wanted.as_deref() == Some("count") {
        let mut latches = Vec::new();
        for slot in encoding
            .slots
            .iter()
            .filter(|slot| slot.kind == VariableKind::State)
        {
            slot.bits
                .each(&mut |lit| latches.extend(encoding.circuit.latch_of(lit)));
        }
        names.push("reachable".into());
        queries.push(Query::Count(latches.into_iter().collect::<Vec<LatchId>>()));
    }
    let circuit = &encoding.circuit;
    println!(
        "{} latches, {} inputs, {} gates, {} justice, constraints {} {} {}; loaded in {loading:.2?}, encoded {:.2?}",
        circuit.latches.len(),
        circuit.inputs.len(),
        circuit.aig.gate_count(),
        circuit.justice.len(),
        circuit.initial.len(),
        circuit.state_constraints.len(),
        circuit.step_constraints.len(),
        begin.elapsed() - loading,
    );
    let budget = Budget {
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        memory: Some(2 << 30),
        ..Budget::default()
    };
    let begin = Instant::now();
    let options = Options {
        tuning: match std::env::var_os("NO_REORDER") {
            None => Tuning::usual(),
            Some(_) => Tuning::usual().without(Technique::Reordering),
        },
    };
    let answers = check(circuit, &queries, options, &budget, &Silent);
    for (name, answer) in names.iter().zip(&answers) {
        let verdict = match &answer.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Vacuous => "vacuous".to_owned(),
            Verdict::Fails(run) => {
                let states = circuit.states(run).map(|states| states.len());
                if std::env::var_os("TRACE").is_some() {
                    let mut latches = run.initial.clone();
                    for inputs in run.steps.iter().chain([&run.last]) {
                        println!(
                            "{:?} {:?} {inputs:?}",
                            encoding.state(&latches, inputs).globals,
                            latches.iter().map(|b| u8::from(*b)).collect::<Vec<_>>()
                        );
                        latches = circuit.evaluate(&latches, inputs).next_state();
                    }
                }
                format!("fails: {states:?} states, loop {:?}", run.loop_start)
            }
            Verdict::Counted(count) => format!("{} (2^{:.2})", count.value(), count.log2()),
            Verdict::Distance(distance) => format!("{distance:?}"),
            Verdict::Undefined => "undefined".to_owned(),
            Verdict::Unknown(reason) => format!("unknown: {reason:?}"),
        };
        println!("{name}: {verdict}; depth {}", answer.statistics.depth);
    }
    println!("{:.2?}", begin.elapsed());
}
