//! A language comes in through one door: the [toy](toy) is registered by one line, and is checked,
//! explained, simulated, translated and reported like any other.

mod toy;

use language::FrontEnd;
use probity::{InMemory, Languages, run_with};

const LAMPS: &str = "lamp hall # by the door\nlamp attic\nnever hall attic\n";

/// The line.
const LANGUAGES: &[&dyn FrontEnd] = &[&toy::Toy];

fn run(line: &str) -> (u8, InMemory) {
    let system = InMemory::default()
        .with_file("house.toy", LAMPS)
        .with_file("wrong.toy", "lmap hall\n");
    let words: Vec<&str> = line.split(' ').collect();
    let status = run_with(&words, Languages::only(LANGUAGES), &system);
    (status, system)
}

#[test]
fn it_is_checked() {
    let (status, system) = run("probity check house.toy");
    assert_eq!(status, 1, "{}{}", system.out(), system.err());
    for told in [
        "fails",
        "hall-attic",
        "hall false -> true, attic false -> true",
        "--property hall-attic",
    ] {
        assert!(system.out().contains(told), "{told}: {}", system.out());
    }
    let (status, system) = run("probity check house.toy --dark");
    assert_eq!(status, 0, "{}", system.out());
    let (status, system) = run("probity check house.toy --format json");
    assert_eq!(status, 1);
    assert!(
        system.out().contains("\"language\": \"Toy\""),
        "{}",
        system.out()
    );
}

#[test]
fn what_is_wrong_is_said_and_explained() {
    let (status, system) = run("probity check wrong.toy");
    assert_eq!(status, 2);
    assert!(system.err().contains("error[TOY0001]"), "{}", system.err());
    let (status, system) = run("probity explain TOY0001");
    assert_eq!(status, 0);
    assert!(system.out().contains("Write `lamp hall`."));
    let (status, _) = run("probity explain LSL0001");
    assert_eq!(status, 2, "the languages of the program are not there");
}

#[test]
fn it_is_simulated_and_translated() {
    let (status, system) = run("probity simulate house.toy --seed 3 --steps 5");
    assert_eq!(status, 0, "{}", system.err());
    assert!(system.out().contains("hall"), "{}", system.out());
    let (status, system) = run("probity translate house.toy --to lamps");
    assert_eq!((status, system.out().as_str()), (0, "hall\nattic\n"));
    let (status, system) = run("probity translate house.toy --to smv");
    assert_eq!(status, 0, "{}", system.err());
    assert!(system.out().contains("MODULE main"));
}
