//! The techniques of this engine that its answers do not depend on, as one table.

model::techniques! {
    Ic3First: "ic3-first" = 10_000,
        "tries IC3 for a second and a half before facts are looked for in circuits of so many gates",
        "";
    SignalCorrespondence: "signal-correspondence",
        "looks for clauses of one or two signals that hold in all reachable states, for induction and IC3",
        "van Eijk, 2000";
    Preconditions: "preconditions",
        "adds predicates from weakest preconditions where an abstract counterexample is spurious",
        "Graf, Saidi, 1997; Henzinger, Jhala, Majumdar, Sutre, 2002";
    Unwinding: "unwinding",
        "lays out the runs of a program along its control flow, each loop as often as runs go round it",
        "Clarke, Kroening, Lerda, 2004";
    BmcBesideIc3: "bmc-beside-ic3",
        "looks for longer runs in a thread of its own while IC3 runs",
        "";
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;
