//! The techniques of this engine that its answers do not depend on, as one table.

model::techniques! {
    LocalExpansion: "local-expansion",
        "runs each move on the slots that it touches; without, on the whole state, and with no transition cache and no partial-order reduction",
        "Laarman, van de Pol, Weber, LTSmin, 2010";
    TransitionCache: "transition-cache",
        "remembers what the moves of an instance led to, by the words of the state that they read",
        "Blom, van de Pol, Weber, LTSmin, 2010";
    RecordedReads: "recorded-reads",
        "writes down what moves read of which it is not known beforehand, and remembers what they led to by that; without, by whole arrays, and not at all for moves that leave decisions open",
        "Acar, Blelloch, Harper, Selective memoization, 2003";
    TransitionGroups: "transition-groups" = 1 << 14,
        "remembers what the moves at a location led to in groups, when together they have led to so many different things",
        "Blom, van de Pol, Weber, LTSmin, 2010";
    GuardTests: "guard-tests",
        "compares what guards demand of variables with stored states, a word at a time, before moves are tried",
        "";
    BatchedLookup: "batched-lookup",
        "looks into the transition cache for 64 states at once, instance by instance",
        "";
    SharedCache: "shared-cache",
        "tells other threads what one has put into its transition cache",
        "";
    ObservedBits: "observed-bits",
        "evaluates what is asked of a state once for the bits that it depends on",
        "";
    PredicateCache: "predicate-cache",
        "remembers the letters of states in searches for runs, by the bits that they depend on",
        "";
    StoredPredicates: "stored-predicates",
        "asks once for each state of a state graph what depends on nothing but what is stored of it",
        "";
    FunctionCache: "function-cache",
        "remembers the results of library functions by their arguments",
        "Michie, Memo functions, 1968";
    IrrelevantChoice: "irrelevant-choice",
        "passes over values of a choice that compare like one that has been tried",
        "";
    AdaptivePacking: "adaptive-packing" = 1 << 11,
        "packs states into the bits that the values met so far need, from so many states on",
        "Holzmann, State compression in SPIN, 1997";
    SelectiveTrace: "selective-trace" = 64,
        "where so many variables move at once, and most of them rest as a rule, moves those near which something happens, and forgets what can never be told apart any more",
        "Ulrich, Exclusive simulation of activity in digital networks, 1969";
    ParallelLevels: "parallel-levels" = 1 << 11,
        "works with several threads on levels of so many states",
        "Holzmann, Parallelizing the SPIN model checker, 2012";
    DiskBuffer: "disk-buffer" = 1 << 25,
        "collects so many states with each thread before they are written to disk, if there is memory for them, and writes blocks that are no longer",
        "Stern, Dill, Using magnetic disk instead of main memory, 1998";
    ReductionTrial: "reduction-trial" = 10_000,
        "gives a partial-order reduction up that has left hardly anything out after so many expansions",
        "";
    DepthProbe: "depth-probe",
        "looks depth-first for failures, when a search has grown by a factor",
        "Holzmann, The SPIN model checker, 2003";
    NewestFirst: "newest-first",
        "explores some of the product newest first, when a search for runs has grown by a factor",
        "";
    EarlyCycles: "early-cycles",
        "looks for accepting cycles before the product is complete",
        "Courcoubetis, Vardi, Wolper, Yannakakis, 1992";
    ChainCompression: "chain-compression",
        "takes states with one predecessor together with it, before what lies on no cycle is eliminated",
        "";
    Owcty: "owcty",
        "eliminates what lies on no cycle before it looks for components",
        "Cerna and Pelanek, 2003";
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;
