//! The auction of the ToolBus: what is found in it, and what each repair mends.

use std::collections::BTreeMap;

use probity::{InMemory, run};

const ORIGINAL: &str = include_str!("../../../examples/tscript/auction/original.tb");
const STEPS: &str = include_str!("../../../examples/tscript/auction/steps.tb");

/// The verdicts by property: whether it holds.
fn verdicts(text: &str, options: &[&str]) -> BTreeMap<String, bool> {
    let system = InMemory::default().with_file("auction.tb", text);
    let mut words = [
        "probity",
        "check",
        "auction.tb",
        "--readings",
        "one",
        "--closed",
    ]
    .map(str::to_owned)
    .to_vec();
    words.extend(options.iter().map(|word| (*word).to_owned()));
    let status = run(&words, &system);
    assert!(status <= 1, "{}{}", system.err(), system.out());
    let mut found = BTreeMap::new();
    for line in system.out().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["holds", name, ..] if line.starts_with("  holds") => {
                found.insert((*name).to_owned(), true);
            }
            ["fails", name, ..] if line.starts_with("  fails") => {
                found.insert((*name).to_owned(), false);
            }
            _ => {}
        }
    }
    found
}

/// The verdicts on the findings, in this order.
const FINDINGS: [&str; 7] = [
    "deadlock",
    "wedge-Auction",
    "unsubscribed",
    "F2-again",
    "F3",
    "F3-answer",
    "F5",
];

fn row(options: &[&str]) -> String {
    let verdicts = verdicts(STEPS, options);
    let letter = |name: &&str| if verdicts[*name] { 'T' } else { 'F' };
    FINDINGS.iter().map(letter).collect()
}

/// Each repair mends what it is for, and the first try at the third finding does not mend it.
#[test]
fn each_repair_mends_its_finding() {
    const UNSUBSCRIBED: [&str; 7] = [
        "--polite-tools",
        "-D",
        "EARLY",
        "-D",
        "HANDSHAKE",
        "-D",
        "UNSUBSCRIBE",
    ];
    let with = |more: &[&'static str]| [&UNSUBSCRIBED[..], more].concat();
    assert_eq!(row(&["--polite-tools"]), "FFFTFFF", "as it was taught");
    let reconnect = ["--polite-tools", "--bound", "connections=2"];
    assert_eq!(row(&reconnect), "FFFTFFF", "bidders come back");
    assert_eq!(
        row(&UNSUBSCRIBED[..3]),
        "FFFTFFF",
        "the process comes later"
    );
    assert_eq!(row(&UNSUBSCRIBED[..5]), "TTFTFFF", "and is told what is on");
    assert_eq!(row(&UNSUBSCRIBED), "TTTTFFF", "and unsubscribes");
    assert_eq!(row(&with(&["-D", "CHOICE"])), "TTTTFFF", "first try");
    assert_eq!(
        row(&with(&["-D", "CHOICE", "-D", "CLOSED"])),
        "TTTTFTT",
        "nobody is let in late"
    );
    assert_eq!(
        row(&with(&["-D", "TAG"])),
        "TTTTTFF",
        "bids name their sale"
    );
    let all = with(&["-D", "CHOICE", "-D", "TAG", "-D", "CLOSED"]);
    assert_eq!(row(&all), "TTTTTTT", "all of it");
    // Tools that vanish: the name never comes.
    assert_eq!(row(&all[1..]), "FFTTTTT", "a bidder vanishes");
    let gone = [&all[1..], &["-D", "GONE"]].concat();
    assert_eq!(row(&gone), "TTTTTTT", "that is heard of");
}

/// A formula of linear time fails by a run: one that goes round, or one that ends before what it asks for.
#[test]
fn formulas_of_linear_time_are_about_each_run() {
    let script = |formula: &str, last: &str| {
        format!(
            "%%@ bound queue = 8\n%%@ property linear: {formula}
            process P is subscribe(a(<int>)) . rec-msg(go) . ( rec-note(a(1)) * {last} )
            process Q is snd-msg(go) . snd-note(a(1)) . snd-note(a(2))
            toolbus(P, Q)"
        )
    };
    let ends = "rec-note(a(2))";
    let cases = [
        ("[] (snd-note(a(2)) -> <> rec-note(a(2)))", ends, true),
        ("[] (snd-note(a(1)) -> <> rec-note(a(1)))", ends, false),
        ("[] (snd-note(a(_)) -> <> rec-note(a(_)))", ends, true),
        (
            "always (snd-note(a(2)) implies eventually rec-note(a(2)))",
            ends,
            true,
        ),
        ("snd-note(a(2)) leads to rec-note(_)", "tau", false),
        ("!rec-note(_) W snd-note(a(1))", ends, true),
        ("!rec-note(_) W snd-note(a(2))", ends, false),
        ("<> ends()", ends, true),
        ("[] <> printf(_)", "(printf(\"x\") * delta)", true),
        ("[] <> printf(\"y\")", "(printf(\"x\") * delta)", false),
        ("[] !(printf(\"!\"))", "printf(\"!\")", false),
        ("[] (msg(go) -> X snd-note(_))", ends, true),
        ("[] (snd-note(a(1)) -> X snd-note(_))", ends, false),
    ];
    for (formula, last, expected) in cases {
        let text = script(formula, last);
        for passes in ["all", "none"] {
            let verdict = verdicts(&text, &["--passes", passes])["linear"];
            assert_eq!(verdict, expected, "{passes}: {text}");
        }
    }
    // Each action is a step, also one that no formula names.
    let steps =
        "%%@ bound connections = 1\n%%@ property linear: [] (printf(\"a\") -> X printf(\"b\"))
        tool t is { command = \"t\" }
        process P is let X : t in
          execute(t, X?) . printf(\"a\") . snd-do(X, show) . printf(\"b\")
        endlet
        toolbus(P)";
    assert!(!verdicts(steps, &[])["linear"]);
    assert!(verdicts(&steps.replace(". snd-do(X, show)", ""), &["--polite-tools"])["linear"]);
    // A process that never rests may take all the time there is, unless that is ruled out.
    let busy = script("[] (snd-note(a(2)) -> <> rec-note(a(2)))", ends);
    let busy = busy.replace(
        "toolbus(P, Q)",
        "process R is printf(\"x\") * delta\ntoolbus(P, Q, R)",
    );
    assert!(!verdicts(&busy, &[])["linear"]);
    assert!(verdicts(&busy, &["--fair", "weak"])["linear"]);
    let wrong = [
        (
            "[] (snd-nte(a(1)) -> <> rec-note(_))",
            "`snd-note` was probably meant",
        ),
        ("[] (a(_) -> <> rec-note(_))", "as in `"),
        ("[] (snd-note(a(1)) -> <> )", "a formula is missing here"),
        ("[] (tau -> <> rec-note(_))", "speak of single actions"),
        ("[] {a > 1}", "an action is missing here"),
    ];
    for (formula, said) in wrong {
        let system = InMemory::default().with_file("linear.tb", script(formula, ends));
        let words = ["probity", "check", "linear.tb"].map(str::to_owned);
        assert_eq!(run(&words, &system), 2, "{formula}");
        assert!(system.err().contains(said), "{formula}: {}", system.err());
    }
}

/// Under a bus that listens to tools only when nothing else can happen, the race is gone.
#[test]
fn a_prompt_bus_hides_the_race() {
    let options = ["--polite-tools", "--schedule", "prompt"];
    assert_eq!(row(&options), "FFFTTTT");
}

/// The run behind the third finding is the one that was published: a bid for the first item is
/// taken as one for the second.
#[test]
fn a_late_bid_buys_the_next_item() {
    let system = InMemory::default().with_file("auction.tb", ORIGINAL);
    let words = [
        "probity",
        "check",
        "auction.tb",
        "--polite-tools",
        "--property",
        "F3-later",
    ];
    run(&words.map(str::to_owned), &system);
    let told = [
        "snd-do(bidder(1), new-item(\"new-item-1\", 1))",
        "rec-event(bidder(1), bid(2))",
        "rec-event(master(1), new-item(\"new-item-2\"))",
        "msg(bid(bidder(1), 2))",
        "snd-do(bidder(1), accept(accepted))",
        "snd-do(bidder(1), sold(1))",
    ];
    told_in_order(&system.out(), &told);
}

/// The same without any formula, once the first two findings are mended: the bid is taken from a
/// bidder who has yet to read that the item was sold.
#[test]
fn a_late_bid_is_found_without_a_formula() {
    let system = InMemory::default().with_file("auction.tb", STEPS);
    let words = "probity check auction.tb --polite-tools --property outdated-bid \
                 -D EARLY -D HANDSHAKE -D UNSUBSCRIBE";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    assert_eq!(run(&words, &system), 1, "{}", system.out());
    told_in_order(
        &system.out(),
        &[
            "snd-do(bidder(1), new-item(\"new-item-1\", 1))",
            "snd-note(sold(1))",
            "rec-event(master(1), new-item(\"new-item-2\"))",
            "rec-event(bidder(1), bid(",
            "msg(bid(bidder(1), ",
        ],
    );
}

/// What is wrong with the auction as it was taught is found with no formula given: the master that
/// is stuck, subscriptions that are left, the late bid, and notes that come too early or too late. The
/// fourth finding has a test of its own.
#[test]
fn the_findings_need_no_formula() {
    let own: String = ORIGINAL
        .lines()
        .filter(|line| !line.starts_with("%%") || line.starts_with("%%@ bound"))
        .flat_map(|line| [line, "\n"])
        .collect();
    for options in [&[][..], &["--polite-tools"]] {
        let verdicts = verdicts(&own, options);
        for finding in [
            "wedge-Auction",
            "unsubscribed",
            "outdated-bid",
            "stale-sold",
            "early-notes",
        ] {
            assert_eq!(verdicts.get(finding), Some(&false), "{finding}");
        }
    }
}

/// The checks, and what fails in the examples of their explanations.
const CHECKS: &[(&str, &str)] = &[
    ("TB0501", "deadlock"),
    ("TB0502", "wedge-P"),
    ("TB0503", "early-notes"),
    ("TB0504", "stale-price"),
    ("TB0505", "outdated-bid"),
    ("TB0506", "handled-quit"),
    ("TB0507", "acknowledged-key"),
    ("TB0508", "answered-t"),
    ("TB0509", "unsubscribed"),
    ("TB0510", "queues"),
    ("TB0511", "expressions"),
];

/// Every check finds what its explanation says it finds, and is explained by the name of the property.
#[test]
fn checks_find_what_they_explain() {
    let codes: Vec<&str> = CHECKS.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, tscript::CHECKS);
    for (code, property) in CHECKS {
        let doc = source::find_code(tscript::CODES, code).unwrap();
        let verdicts = verdicts(doc.example("tscript").unwrap(), &[]);
        assert_eq!(
            verdicts.get(*property),
            Some(&false),
            "{code}: {verdicts:?}"
        );
        let system = InMemory::default();
        let words = ["probity", "explain", property].map(str::to_owned);
        assert_eq!(run(&words, &system), 0, "{}", system.err());
        assert!(system.out().contains(code), "{}", system.out());
    }
}

/// Scripts in which what the named check looks for may seem to be, but is not.
const CLEAN: &[(&str, &str)] = &[
    // The reader has been waited for.
    (
        "early-notes",
        "process Reader is subscribe(news) . snd-msg(ready) . rec-note(news) . unsubscribe(news)
         process Main is let Pid : int in
            create(Reader, Pid?) . rec-msg(ready) . snd-note(news) endlet
         toolbus(Main)",
    ),
    // All of a round is read before the next is heard of.
    (
        "stale-price",
        "process Shop is ( rec-msg(next) . snd-note(price) . snd-note(open) ) * delta
         process Buyer is subscribe(open) . subscribe(price) .
            ( snd-msg(next) . rec-note(price) . rec-note(open) ) * delta
         toolbus(Shop, Buyer)",
    ),
    // A late note is no harm where nothing of the next round is known.
    (
        "stale-price",
        "%%@ bound queue = 2
         process Shop is ( snd-note(price) . snd-note(open) ) * delta
         process Buyer is subscribe(price) . ( rec-note(price) ) * delta
         toolbus(Shop, Buyer)",
    ),
    // The message is sent only if no note waits.
    (
        "outdated-bid",
        "%%@ bound queue = 2
         process Shop is ( snd-note(sold) . ( rec-msg(bid) + tau ) ) * delta
         process Buyer is subscribe(sold) . ( snd-msg(bid) +> rec-note(sold) ) * delta
         toolbus(Shop, Buyer)",
    ),
    (
        "handled-quit",
        "process P is let T : t in execute(t, T?) . ( rec-event(T, quit) . tau ) * delta endlet
         toolbus(P)",
    ),
    (
        "acknowledged-key",
        "process P is let T : t in execute(t, T?) .
            ( rec-event(T, key) . ( tau . tau + printf(\"x\") ) . snd-ack-event(T, key) ) * delta
            endlet
         toolbus(P)",
    ),
    (
        "answered-t",
        "%%@ bound answers = polite
         process P is let T : t, N : int in execute(t, T?) . snd-eval(T, f) .
            ( rec-value(T, v(N?)) + rec-msg(stop) . rec-value(T, v(N?)) ) endlet
         process Q is snd-msg(stop) + tau
         toolbus(P, Q)",
    ),
    (
        "unsubscribed",
        "process P is subscribe(a) . rec-note(a) . unsubscribe(a)
         process Q is snd-note(a)
         toolbus(P, Q)",
    ),
];

#[test]
fn checks_do_not_find_what_is_not_there() {
    for (check, text) in CLEAN {
        let system = InMemory::default().with_file("clean.tb", *text);
        let words = ["probity", "check", "clean.tb", "--property", check].map(str::to_owned);
        run(&words, &system);
        let out = system.out();
        // Some of them hold within a sample only.
        assert!(
            out.contains("holds ") || out.contains("not known"),
            "{check}: {}{out}",
            system.err()
        );
        assert!(!out.contains("see below"), "{check}: {out}");
    }
}

/// By default a tool answers only what some process can read. With `answers=any` an answer may stay unread.
#[test]
fn tools_answer_what_is_read_unless_they_answer_anything() {
    let script = "process P is let T : t, N : int in execute(t, T?) . snd-eval(T, f) . rec-value(T, v(N?)) endlet
        toolbus(P)";
    let all = |options: &[&str]| {
        let found = verdicts(script, options);
        ["answered-t", "wedge-P"].map(|name| found.get(name).copied())
    };
    assert_eq!(all(&["--bound", "int=1..2"]), [Some(true); 2]);
    assert_eq!(all(&["--bound", "answers=any"]), [Some(false); 2]);
}

/// Who answers one event after the other, each with one note, has no rounds: no note of his is stale.
#[test]
fn an_event_loop_has_no_rounds() {
    let script = |also: &str| {
        format!(
            "%%@ bound queue = 2
             process Desk is let T : t in execute(t, T?) .
                ( rec-event(T, a) . snd-ack-event(T, a) . snd-note(a){also}
                + rec-event(T, b) . snd-ack-event(T, b) . snd-note(b) ) * delta endlet
             process Reader is subscribe(a) . subscribe(b) . ( rec-note(a) + rec-note(b) ) * delta
             toolbus(Desk, Reader)"
        )
    };
    let found = verdicts(&script(""), &[]);
    assert!(
        !found.keys().any(|name| name.starts_with("stale-")),
        "{found:?}"
    );
    let found = verdicts(&script(" . snd-note(b)"), &[]);
    assert_eq!(found.get("stale-b"), Some(&false), "{found:?}");
}

/// What is told happens in this order.
fn told_in_order(out: &str, events: &[&str]) {
    let mut rest = out;
    for event in events {
        let (_, behind) = rest
            .split_once(event)
            .unwrap_or_else(|| panic!("{event} is not told in its place:\n{out}"));
        rest = behind;
    }
}

/// Notes pile up without bound for a bidder that does not read them; not if the bus is prompt, and
/// not if only so many items are sold.
#[test]
fn queues_grow_by_a_run_that_repeats() {
    let queues = |options: &[&str]| {
        let mut all = vec!["--polite-tools", "--property", "queues"];
        all.extend(options);
        verdicts(ORIGINAL, &all)["queues"]
    };
    assert!(!queues(&["--bound", "new-item=any"]));
    assert!(queues(&["--bound", "new-item=any", "--schedule", "prompt"]));
    assert!(queues(&["--bound", "new-item=2 distinct"]));
}

/// Growth is claimed only where it can be repeated for ever; otherwise it is possible, and the run that
/// suggests it is shown.
#[test]
fn growth_that_may_come_to_an_end_is_possible() {
    // One is asked for, and with it there is no other: never a second one.
    let asks = "%%@ bound queue = 1
        process P is subscribe(a) . ( no-note(a) . snd-note(a) ) * delta
        toolbus(P)";
    // Something else is read of the queue that grows.
    let reads = "process P is subscribe(a) . subscribe(b) . ( rec-note(a) . snd-msg(ok) ) * delta
        process Q is ( snd-note(a) . snd-note(b) . rec-msg(ok) ) * delta
        toolbus(P, Q)";
    for text in [asks, reads] {
        let system = InMemory::default().with_file("queue.tb", text);
        let words = ["probity", "check", "queue.tb", "--property", "queues"].map(str::to_owned);
        assert_eq!(run(&words, &system), 3, "{}", system.out());
        let out = system.out();
        assert!(out.contains("queues may fail"), "{out}");
        assert!(
            out.contains("has grown: whether this can be repeated"),
            "{out}"
        );
    }
    // What is read of a queue of one term only makes no difference.
    let one_term = "process P is subscribe(a) . ( rec-note(a) . snd-msg(ok) ) * delta
        process Q is ( snd-note(a) . snd-note(a) . rec-msg(ok) ) * delta
        toolbus(P, Q)";
    assert!(!verdicts(one_term, &[])["queues"]);
    // As many are read as are sent.
    let balanced = one_term.replace("rec-note(a) .", "rec-note(a) . rec-note(a) .");
    assert!(verdicts(&balanced, &[])["queues"]);
}

/// Under a bus that listens to tools only when nothing else can happen, who waits for the end of a tool
/// beside somebody who never rests waits for ever.
#[test]
fn a_prompt_bus_may_never_listen() {
    let text = "%%@ bound t = 1\n%%@ bound connections = 1\ntool t is { command = \"t\" }
        process P is let X : t in rec-connect(X?) . snd-msg(go) . rec-disconnect(X) endlet
        process Q is rec-msg(go) . ( printf(\"x\") * delta )
        toolbus(P, Q)";
    assert!(verdicts(text, &[])["wedge-P"]);
    assert!(!verdicts(text, &["--schedule", "prompt"])["wedge-P"]);
    let rests = text.replace("( printf(\"x\") * delta )", "printf(\"x\")");
    assert!(verdicts(&rests, &["--schedule", "prompt"])["wedge-P"]);
}

/// A long story says of a tool by name whether it is connected, and counts for each tool by name.
#[test]
fn tools_are_told_by_name() {
    let system = InMemory::default().with_file("auction.tb", ORIGINAL);
    let words = [
        "probity",
        "check",
        "auction.tb",
        "--property",
        "deadlock",
        "-v",
    ];
    let status = run(&words.map(str::to_owned), &system);
    let told = system.out();
    assert_eq!(status, 1, "{told}");
    for change in [
        "tools[master(1)] away -> connected",
        "tools[bidder(1)] away -> connected, connections[bidder(1)] 0 -> 1",
        "tools[bidder(1)] connected -> vanished",
    ] {
        assert!(told.contains(change), "{change} not in\n{told}");
    }
}

/// That somebody listens to another tool is of no use to one that nobody listens to.
#[test]
fn events_are_handled_of_each_tool() {
    let text = "%%@ bound t = 2\n%%@ bound connections = 1\ntool t is { command = \"t\" }
        process P is let X : t, Y : t in
          rec-connect(X?) . rec-connect(Y?) . rec-event(X, push) . ( rec-event(Y, push) * delta )
        endlet
        toolbus(P)";
    assert!(!verdicts(text, &["--polite-tools"])["handled-push"]);
    let both = text.replace("( rec-event(Y, push) * delta )", {
        "( ( rec-event(X, push) + rec-event(Y, push) ) * delta )"
    });
    assert!(verdicts(&both, &["--polite-tools"])["handled-push"]);
    // However many processes come before the one that listens.
    let many = "%%@ bound t = 1\n%%@ bound connections = 1\n%%@ bound processes = 60\n\
        tool t is { command = \"t\" }
        process Waits is rec-msg(never)
        process P is let X : t, N : int in
          rec-connect(X?) . create(Listens(X), N?) . delta
        endlet
        process Listens(X : t) is rec-event(X, push) * delta
        process First is let N : int in CREATES . snd-msg(go) endlet
        process Then is rec-msg(go) . P
        toolbus(First, Then)";
    let many = many.replace("CREATES", &["create(Waits, N?)"; 40].join(" . "));
    assert!(verdicts(&many, &["--polite-tools"])["handled-push"]);
}

/// A process with more states than another is asked for beside it: where the other is says nothing of it.
#[test]
fn each_process_numbers_its_states_for_itself() {
    let text = "process P is subscribe(a)
        process Q is snd-note(a) . printf(\"b\") . snd-note(a) . printf(\"c\") . snd-note(b)
        toolbus(Q, P)";
    // The second has no bits for terms, and says so.
    for (engine, status) in [("explicit", 1), ("sat", 3)] {
        let system = InMemory::default().with_file("two.tb", text);
        let words = ["probity", "check", "two.tb", "--property", "early-notes"];
        let words = [words.as_slice(), &["--engine", engine, "--timeout", "20s"]].concat();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        assert_eq!(run(&words, &system), status, "{engine}: {}", system.out());
    }
}

/// Of who reads no more notes the queue is not kept; it grows without bound if notes come to it in a run
/// that goes round, and only then.
#[test]
fn queues_that_nobody_reads_grow_by_a_run_that_goes_round() {
    let piles_up = "process P is subscribe(a) . subscribe(b) . rec-note(a) . rec-msg(never)
        process Q is ( snd-note(a) + snd-note(b) ) * delta
        toolbus(P, Q)";
    let system = InMemory::default().with_file("queue.tb", piles_up);
    let words = [
        "probity",
        "check",
        "queue.tb",
        "--closed",
        "--property",
        "queues",
    ];
    assert_eq!(run(&words, &system), 1, "{}", system.out());
    let out = system.out();
    let round = out.find("and then this repeats for ever").unwrap();
    assert!(out[..round].contains("rec-note(a)"), "{out}");
    assert!(out[..round].contains("-> unread"), "{out}");
    assert!(
        out[round..].contains("comes to a list that nobody reads any more"),
        "{out}"
    );
    let sending = |notes: &str| piles_up.replace("( snd-note(a) + snd-note(b) ) * delta", notes);
    // Notes that it has not subscribed to are not for it.
    assert!(verdicts(&sending("snd-note(a) . ( snd-note(c) * delta )"), &[])["queues"]);
    assert!(!verdicts(&sending("snd-note(a) . ( snd-note(b) * delta )"), &[])["queues"]);
    // What comes on the way out of a round is not what makes it grow; what comes in it is.
    for round in [
        "snd-note(b) + snd-note(a) . delta",
        "snd-note(a) . delta + snd-note(b)",
    ] {
        let sends = sending(&format!(
            "snd-note(a) . rec-msg(go) . ( ( {round} ) * delta )"
        ));
        let sends = sends.replace("rec-msg(never)", "snd-msg(go) . rec-msg(never)");
        assert!(!verdicts(&sends, &[])["queues"], "{round}");
    }
    assert!(
        verdicts(
            &sending("snd-note(a) . ( ( tau . tau ) * snd-note(b) )"),
            &[]
        )["queues"]
    );
    // What comes a few times does not grow without bound.
    assert!(verdicts(&sending("snd-note(a) . snd-note(b) . snd-note(b)"), &[])["queues"]);
    // Whether there is none can be asked as well.
    let asks = piles_up.replace("rec-msg(never)", "no-note(b) . snd-msg(none)");
    assert!(!verdicts(&asks, &[])["queues"]);
}

/// Time counted in ticks: what is due later comes later, if it has to be taken when it is due.
#[test]
fn delays_are_counted() {
    let text = "%%@ property late: [true* . printf(\"late\") . true* . printf(\"early\")] false
        process P is printf(\"late\") delay(sec(3))
        process Q is printf(\"early\") delay(sec(1))
        toolbus(P, Q)";
    assert!(!verdicts(text, &[])["late"]);
    assert!(!verdicts(text, &["--time", "discrete"])["late"]);
    assert!(verdicts(text, &["--time", "maximal"])["late"]);
    // A timeout is over whenever the ticks come.
    let text = text.replace("delay(sec(1))", "timeout(msec(1500))");
    assert!(!verdicts(&text, &[])["late"]);
    assert!(verdicts(&text, &["--time", "discrete"])["late"]);
    // Each step of a process starts its clock again.
    let text = "%%@ property soon: [true* . printf(\"go\") . tick() . printf(\"late\")] false
        process P is rec-msg(go) . printf(\"late\") delay(sec(2))
        process Q is printf(\"go\") delay(sec(2)) . snd-msg(go)
        toolbus(P, Q)";
    assert!(verdicts(text, &["--time", "discrete"])["soon"]);
}

/// The fourth finding: bids pile up as notes; not if each bidder bids once a tick, and what can be
/// done is done before the next one.
#[test]
fn a_limit_on_the_rate_bounds_the_queues() {
    const FLOOD: &str = "
        process Sale is let B : t in
            execute(t, B?) . ( rec-event(B, bid) . snd-note(update) . snd-ack-event(B, bid) ) * delta
            endlet
        process Slow is subscribe(update) . ( rec-note(update) . printf(\"x\") ) * delta
        toolbus(Sale, Slow)";
    let queues = |options: &[&str]| {
        let mut all = vec!["--property", "queues"];
        all.extend(options);
        verdicts(FLOOD, &all)["queues"]
    };
    assert!(!queues(&[]));
    assert!(!queues(&["--time", "discrete", "--bound", "rate-bid=1"]));
    assert!(queues(&["--time", "maximal", "--bound", "rate-bid=1"]));
    let auction = [
        "--polite-tools",
        "--property",
        "queues",
        "--bound",
        "new-item=any",
        "--bound",
        "rate-bid=1",
        "--time",
        "maximal",
    ];
    assert!(verdicts(ORIGINAL, &auction)["queues"]);
    let system = InMemory::default().with_file("flood.tb", FLOOD);
    let words = ["probity", "check", "flood.tb", "--bound", "rate-bid=1"].map(str::to_owned);
    assert_eq!(run(&words, &system), 2, "without a clock there is no rate");
}

/// A process may look on and object: in the file, or in one that includes the script.
#[test]
fn observers_see_what_happens() {
    const SCRIPT: &str = "
        process P is let N : int in N := 1 . snd-msg(a(N)) . snd-msg(b(2)) . snd-note(c) endlet
        process Q is let X : int in
            subscribe(c) . rec-msg(a(X?)) . rec-msg(b(X?)) . rec-note(c) . unsubscribe(c) endlet
        toolbus(P, Q)";
    const OBSERVER: &str = "
        %%@ observer Same
        %%@ bound queue = 2
        process Same is let N : int, M : int, Seen : int in
            Seen := 0 . snd-msg(a(N?)) . Seen := add(Seen, 1) . rec-msg(b(M?)) .
            if equal(sub(M, Seen), N) then snd-note(c) . shutdown(\"it is told\")
            else shutdown(\"they differ\") fi
            endlet";
    let observed = |script: &str, observer: &str| {
        let text = format!("#include \"script.tb\"\n{observer}");
        let system = InMemory::default()
            .with_file("script.tb", script)
            .with_file("observed.tb", text.as_str());
        let words = ["probity", "check", "observed.tb", "--property", "Same"].map(str::to_owned);
        (run(&words, &system), system.out(), system.err())
    };
    let (status, out, err) = observed(SCRIPT, OBSERVER);
    assert_eq!(status, 1, "{err}{out}");
    told_in_order(&out, &["msg(a(1))", "msg(b(2))", "snd-note(c)", "objects"]);
    let other = SCRIPT.replace("b(2)", "b(3)");
    let (status, out, err) = observed(&other, OBSERVER);
    assert_eq!(status, 1, "{err}{out}");
    assert!(!out.contains("snd-note(c)"), "it is told at once: {out}");
    let quiet = OBSERVER.replace("shutdown(\"it is told\")", "tau");
    let (status, out, err) = observed(SCRIPT, &quiet);
    assert_eq!(status, 0, "{err}{out}");
    let (status, _, err) = observed(SCRIPT, &quiet.replace("observer Same", "observer Sane"));
    assert_eq!(status, 2);
    assert!(err.contains("`Same` was probably meant"), "{err}");
}

/// A finding says under which other readings of the script it appears.
#[test]
fn findings_name_the_readings_in_which_they_appear() {
    let system = InMemory::default().with_file("auction.tb", ORIGINAL);
    let words =
        "probity check auction.tb --property F5 --property unsubscribed --property deadlock";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    assert_eq!(run(&words, &system), 1);
    let out = system.out();
    let told: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("it fails here"))
        .collect();
    assert_eq!(told.len(), 3, "{out}");
    let with = "as well with --schedule prompt, --dialect c, --dialect c --schedule prompt";
    assert!(told[0].ends_with(with), "deadlock: {out}");
    // Who ends in C has no subscriptions left.
    assert!(
        told[1].ends_with(
            "as well with --schedule prompt; not with --dialect c, --dialect c --schedule prompt"
        ),
        "unsubscribed: {out}"
    );
    // The race needs a free schedule.
    assert!(
        told[2].ends_with(
            "as well with --dialect c; not with --schedule prompt, --dialect c --schedule prompt"
        ),
        "F5: {out}"
    );
}

/// A run is drawn: who takes part, and what goes between them.
#[test]
fn a_run_is_drawn_as_a_sequence() {
    let text = "process P is snd-msg(a(1)) . printf(\"done\")
        process Q is let X : int in rec-msg(a(X?)) endlet
        toolbus(P, Q)";
    let system = InMemory::default().with_file("pq.tb", text);
    let words = [
        "probity",
        "simulate",
        "pq.tb",
        "--sequence",
        "--html",
        "run.html",
    ];
    assert_eq!(
        run(&words.map(str::to_owned), &system),
        0,
        "{}",
        system.err()
    );
    let out = system.out();
    assert!(
        out.contains("P               Q\n|-------------->|  msg(a(1))\n"),
        "{out}"
    );
    let page = system.file("run.html").expect("it is written");
    assert!(
        page.contains("msg(a(1))") && page.contains("class='message'"),
        "{page}"
    );
}

/// The graph of a script as a process of mCRL2: every name that is used is declared.
#[test]
fn a_script_becomes_a_process_of_mcrl2() {
    let system = InMemory::default().with_file("auction.tb", ORIGINAL);
    let words = "probity translate auction.tb --to mcrl2-states --schedule prompt --polite-tools";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    assert_eq!(run(&words, &system), 0, "{}", system.err());
    let out = system.out();
    let (declared, process) = out
        .split_once("proc S(s: Nat) =")
        .expect("there is a process");
    let names = |text: &str| -> std::collections::BTreeSet<String> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '\''))
            .filter(|name| name.contains('_'))
            .map(str::to_owned)
            .collect()
    };
    let declared = names(declared);
    for name in names(process) {
        assert!(declared.contains(&name), "{name} is not declared");
    }
    assert!(
        process.contains("rec_event_3(c_bidder_1(num(1)), c_bid_1(num(2)), c_Bidder)"),
        "{out}"
    );
    assert!(process.trim_end().ends_with("init S(0);"), "{out}");
}

#[test]
fn an_expression_without_value_undoes_nothing() {
    let text = "process A is let I : int in snd-msg(yes) . I := div(1, 0) endlet\n\
                process B is let X : term in rec-msg(X?) * delta endlet\n\
                toolbus(A, B)\n";
    let found = verdicts(text, &["--property", "[true* . msg(yes)] false"]);
    assert_eq!(found.get("property"), Some(&false));
}
