//! The pieces in `examples/lsl/library`: in a few seconds, no promise of theirs is broken or empty, and
//! most are kept.

use probity::{InMemory, run};

const PIECES: [(&str, &str); 11] = [
    (
        "access-door",
        include_str!("../../../examples/lsl/library/access-door.lsl"),
    ),
    (
        "auction",
        include_str!("../../../examples/lsl/library/auction.lsl"),
    ),
    (
        "dialog",
        include_str!("../../../examples/lsl/library/dialog.lsl"),
    ),
    (
        "giveaway",
        include_str!("../../../examples/lsl/library/giveaway.lsl"),
    ),
    (
        "http-retry",
        include_str!("../../../examples/lsl/library/http-retry.lsl"),
    ),
    (
        "notecard",
        include_str!("../../../examples/lsl/library/notecard.lsl"),
    ),
    (
        "raffle",
        include_str!("../../../examples/lsl/library/raffle.lsl"),
    ),
    (
        "rental",
        include_str!("../../../examples/lsl/library/rental.lsl"),
    ),
    (
        "splitter",
        include_str!("../../../examples/lsl/library/splitter.lsl"),
    ),
    (
        "tip-jar",
        include_str!("../../../examples/lsl/library/tip-jar.lsl"),
    ),
    (
        "vendor",
        include_str!("../../../examples/lsl/library/vendor.lsl"),
    ),
];

#[test]
fn no_promise_is_broken_or_empty() {
    let (mut all, mut kept) = (0, 0);
    for (name, text) in PIECES {
        let system = InMemory::default().with_file("s.lsl", text);
        let words = ["probity", "check", "--timeout", "4s", "s.lsl"];
        run(&words.map(str::to_owned), &system);
        let out = system.out();
        let count = |word: &str| out.lines().filter(|line| line.starts_with(word)).count();
        assert_eq!(count("  fails") + count("  vacuous"), 0, "{name}: {out}");
        kept += count("  holds");
        all += count("  holds") + count("  not known");
    }
    assert!(all >= 60 && kept * 4 >= all * 3, "{kept} of {all} hold");
}
