//! Wrong scripts: one mistake is one error, which says what was probably meant.

use tscript::{Options, load};

/// A script, and all that is said of it: the code, the line, the message and the help.
const WRONG: &[(&str, &[&str])] = &[
    (
        "proces A is tau\ntoolbus(A)\nprocess B is tau",
        &[
            "TB0103 1 found `proces` instead of `process`, `tool` or `toolbus`; \
           `process` was probably meant",
        ],
    ),
    // What could not be read is there all the same.
    (
        "process A is tau . .\nprocess B is A\ntoolbus(A, B)",
        &["TB0103 1 found `.` instead of a process or an action"],
    ),
    (
        "process A is\n snd-msg(f(1 .\n rec-msg(b)\ntoolbus(A)",
        &["TB0103 2 found `.` instead of `,` or `)`"],
    ),
    // Nobody knows whom it would have started.
    (
        "process A is create(B, X?) . ( tau\nprocess B is tau\ntoolbus(A)",
        &["TB0103 2 found `process` instead of `)`; \
           processes are joined by `.`, `+`, `+>`, `*`, `||` or `>>`"],
    ),
    // Behind a word that is no action, reading goes on.
    (
        "process A is let X : int in send-msg(a(X)) . snd-nte(X) . nothing . Y := 1 endlet\n\
         toolbus(A, C)",
        &[
            "TB0109 1 there is no action `send-msg`; `snd-msg` was probably meant",
            "TB0109 1 there is no action `snd-nte`; `snd-note` was probably meant",
            "TB0109 1 there is no action `nothing`; \
             a process of that name would begin with a capital letter",
            "TB0202 1 there is no variable `Y`; declare it: `let Y : ... in`",
            "TB0201 2 there is no process `C`",
        ],
    ),
    (
        "process A is\n if true then tau . fi\ntoolbus(A)",
        &["TB0103 2 found `fi` instead of a process or an action"],
    ),
    // What actions say is no action.
    (
        "%%@ property p: [true* . bid(_)] false\nprocess A is snd-msg(f(1), bid(2)) . snd-note(ok)\n\
         process B is subscribe(ok) . rec-note(ok) . rec-msg(f(1), bid(2))\ntoolbus(A, B)\n%%@ property q: [ok] false",
        &[
            "TB0404 1 property `p`: there is no action `bid`; \
             it is what actions say, as in `msg(_, bid(_))`; at `bid`",
            "TB0404 5 property `q`: there is no action `ok`; \
             it is what actions say, as in `snd-note(ok)`; at `ok`",
        ],
    ),
    (
        "process Auction is tau\ntoolbus(Aution)",
        &[
            "TB0304 1 process `Auction` is never started",
            "TB0201 2 there is no process `Aution`; `Auction` was probably meant",
        ],
    ),
];

#[test]
fn one_mistake_is_one_error() {
    for (text, expected) in WRONG {
        let loaded = load("t.tb", text, &Options::default());
        let said: Vec<String> = loaded
            .diagnostics
            .iter()
            .map(|diagnostic| {
                let before = &text[..diagnostic.span.start as usize];
                let line = before.matches('\n').count() + 1;
                let help = diagnostic.help.iter().map(|help| format!("; {help}"));
                let help: String = help.collect();
                format!("{} {line} {}{help}", diagnostic.code, diagnostic.message)
            })
            .collect();
        assert_eq!(said, *expected, "{text}");
    }
}
