//! Small members of each family: proved when right, refuted when broken.

mod families;

use families::Case;
use model::{Budget, Silent};
use sat::{Answer, Options, check};

fn both(make: impl Fn(bool) -> Case) {
    for (broken, facts) in [(false, false), (false, true), (true, false), (true, true)] {
        let case = make(broken);
        let options = Options {
            predicates: case.predicates.clone(),
            first_depth: 2,
            induction_depth: 0,
            facts,
            side_by_side: false,
            ..Options::default()
        };
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
    both(|broken| families::fifo(3, 2, broken));
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
