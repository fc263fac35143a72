//! Logs, and the runs that they are of.

use probity::{InMemory, run};

/// What `simulate --log` says of a script and a log: the exit status, and all of it.
fn told(file: &str, text: &str, log: &str, more: &str) -> (u8, String) {
    let system = InMemory::default()
        .with_file(file, text)
        .with_file("a.log", log);
    let words = ["probity", "simulate", file, "--log", "a.log"];
    let words: Vec<&str> = words.into_iter().chain(more.split_whitespace()).collect();
    let status = run(&words, &system);
    (status, format!("{}{}", system.out(), system.err()))
}

const PIPE: &str = "\
chan c = [2] of { byte };
active proctype Sender() { byte i;
    do :: i < 3 -> c!i; printf(\"sent %d\\n\", i); i++ :: i == 3 -> break od }
active proctype Receiver() { byte x;
    do :: c?x -> printf(\"got %d\\n\", x) od }
";

/// All logs of three numbers sent and three received, against what can be by the text: a number is received when
/// the one before it has been told as sent, and sent when at most two are on their way.
#[test]
fn logs_are_possible_or_not_as_the_script_says() {
    let (mut possible, mut broken) = (0, 0);
    for choice in 0_u32..1 << 6 {
        if choice.count_ones() != 3 {
            continue;
        }
        let (mut sent, mut got, mut stops) = (0, 0, None);
        let mut lines = Vec::new();
        for at in 0..6 {
            let is_possible = if choice >> at & 1 == 1 {
                lines.push(format!("12:00:0{at} sent {sent}"));
                sent += 1;
                got + 3 >= sent
            } else {
                lines.push(format!("12:00:0{at} got {got}"));
                got += 1;
                sent + 1 >= got
            };
            if !is_possible && stops.is_none() {
                stops = Some(lines.len());
            }
        }
        let (status, said) = told("pipe.pml", PIPE, &lines.join("\n"), "");
        match stops {
            None => {
                possible += 1;
                assert_eq!(status, 0, "{lines:?}\n{said}");
                assert!(said.starts_with("A run with the 6 lines"), "{said}");
            }
            Some(line) => {
                broken += 1;
                assert_eq!(status, 1, "{lines:?}\n{said}");
                let first = format!("No run has line {line} of a.log where it stands");
                assert!(said.starts_with(&first), "{lines:?}\n{said}");
            }
        }
    }
    assert!(possible >= 5 && broken >= 5, "{possible}, {broken}");
}

#[test]
fn a_partial_log_leaves_events_out() {
    let log = "got 1\nnothing of it\nsent 2\n";
    let (status, said) = told("pipe.pml", PIPE, log, "");
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with("No run has line 1 "), "{said}");
    let (status, said) = told("pipe.pml", PIPE, log, "--partial");
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("A run with the 2 lines"), "{said}");
    let other = "warning: --log: 1 line of `a.log` tells no event of the script";
    assert!(said.contains(other), "{said}");
    let (status, said) = told("pipe.pml", PIPE, "got 1\ngot 0\n", "--partial");
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with("No run has line 2 "), "{said}");
}

#[test]
fn a_log_shows_which_properties_were_violated() {
    let jar = "\
//@ property fair: when call llGiveMoney(to, amount) require amount <= 2;
//@ bound amount = 0..100;
default
{
    state_entry() { llRequestPermissions(llGetOwner(), PERMISSION_DEBIT); }
    money(key who, integer amount) { llGiveMoney(who, amount / 10); }
}
";
    let paid =
        |back: u32| format!("Alice pays L$37\nthe script calls llGiveMoney(Alice, {back})\n");
    let (status, said) = told("jar.lsl", jar, &paid(3), "");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("=> fair is violated"), "{said}");
    let (status, said) = told("jar.lsl", jar, &paid(4), "");
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with("No run has line 2 "), "{said}");
    assert!(said.contains("Assuming that"), "{said}");
}

#[test]
fn what_is_no_log_is_refused() {
    let (status, said) = told("pipe.pml", PIPE, "\nhello\n", "");
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("no line of `a.log` tells an event"), "{said}");
    assert!(
        said.contains("help: lines look like `prints \"sent …\"`"),
        "{said}"
    );
    let system = InMemory::default().with_file("pipe.pml", PIPE);
    let status = run(
        &["probity", "simulate", "pipe.pml", "--log", "b.log"],
        &system,
    );
    assert_eq!(status, 2, "{}", system.err());
    let status = run(&["probity", "simulate", "pipe.pml", "--partial"], &system);
    assert_eq!(status, 2, "{}", system.err());
    let (status, said) = told("pipe.pml", PIPE, "sent 0\n", "--timeout 0s");
    assert!(status == 3 || status == 0, "{said}");
}
