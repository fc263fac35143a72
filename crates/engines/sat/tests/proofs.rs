//! Small members of each family: proved when right, refuted when broken.

mod families;

use families::Case;
use model::{Budget, Silent};
use sat::predicates::tell;
use sat::{Answer, Technique, check};

fn both(make: impl Fn(bool) -> Case) {
    let settings = [
        (Technique::SignalCorrespondence, 0),
        (Technique::SignalCorrespondence, 1),
        (Technique::Ic3First, 1),
    ];
    let all = [false, true]
        .into_iter()
        .flat_map(|broken| settings.map(|setting| (broken, setting)));
    for (broken, (technique, value)) in all {
        let mut case = make(broken);
        let (mut options, _) = case.options();
        options.tuning = options.tuning.with(technique, value);
        let answer = check(
            &case.circuit,
            case.bad,
            &options,
            &Budget::default(),
            &Silent,
        );
        match answer {
            Answer::Proved { .. } if !broken => {}
            Answer::Refuted { .. } if broken => {}
            answer => panic!("broken: {broken}, but {answer:?}"),
        }
    }
}

#[test]
fn counter() {
    both(|broken| families::counter(8, broken));
}

#[test]
fn token_ring() {
    both(|broken| families::token_ring(4, broken));
}

#[test]
fn fifo() {
    both(|broken| families::fifo(4, 2, broken));
    both(|broken| families::fifo_and_shift_register(3, 2, broken));
}

#[test]
fn arbiter() {
    both(|broken| families::arbiter(5, broken));
}

#[test]
fn sorted_list() {
    both(|broken| families::sorted_list(4, 4, broken));
}

#[test]
fn accounts() {
    both(|broken| families::accounts(16, broken));
}

#[test]
fn auction() {
    both(|broken| families::auction(8, broken));
}

#[test]
fn till() {
    both(|broken| families::till(8, broken));
}

/// The reason is told in words.
#[test]
fn invariants_speak_of_numbers() {
    let told = |mut case: Case| {
        let (options, predicates) = case.options();
        let answer = check(
            &case.circuit,
            case.bad,
            &options,
            &Budget::default(),
            &Silent,
        );
        let Answer::Proved { invariant, .. } = answer else {
            panic!("not proved: {answer:?}");
        };
        tell(&case.circuit, &invariant, &predicates)
    };
    assert_eq!(told(families::accounts(32, false)), "received >= paid\n");
    assert_eq!(told(families::auction(32, false)), "high_bid == held\n");
    assert_eq!(
        told(families::till(12, false)),
        "received >= held\npaid + held == received\n"
    );
}
