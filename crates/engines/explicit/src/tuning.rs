//! The techniques of this engine that its answers do not depend on, as one table.

use model::TuningRow as Row;

/// A technique, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// Moves run on the slots that they touch.
    LocalExpansion,
    /// What moves led to is remembered.
    TransitionCache,
    /// What is remembered is looked up for many states at once.
    BatchedLookup,
    /// Threads tell each other what they have learnt of moves.
    SharedCache,
    /// What is asked of states is evaluated once for states that agree in what it reads.
    ObservedBits,
    /// Values that are asked of states are remembered by what they depend on.
    PredicateCache,
    /// What depends on stored values is asked once for each state, not for each transition.
    StoredPredicates,
    /// Results of library functions are remembered.
    FunctionCache,
    /// Values of a choice that make no difference are passed over.
    IrrelevantChoice,
    /// States take the bits that the values met so far need.
    AdaptivePacking,
    /// Levels of so many states are worked on by several threads.
    ParallelLevels,
    /// A few threads that add mostly new states do so one at a time.
    InsertionTurns,
    /// A reduction that is of no use is given up after so many expansions.
    ReductionTrial,
    /// Large searches look depth-first for failures now and then.
    DepthProbe,
    /// Large searches for runs unfold some states newest first.
    NewestFirst,
    /// A search for runs looks for cycles before all is explored.
    EarlyCycles,
    /// States with one predecessor are one node with it when cycles are looked for.
    ChainCompression,
    /// What lies on no cycle is eliminated before components are looked for.
    Owcty,
}

impl model::Technique for Technique {
    const ROWS: &'static [Row] = &[
        Row::switch(
            "local-expansion",
            "runs each move on the slots that it touches; without, on the whole state, and with no transition cache and no partial-order reduction",
            "Laarman, van de Pol, Weber, LTSmin, 2010",
        ),
        Row::switch(
            "transition-cache",
            "remembers what the moves of an instance led to, by the words of the state that they read",
            "Blom, van de Pol, Weber, LTSmin, 2010",
        ),
        Row::switch(
            "batched-lookup",
            "looks into the transition cache for 64 states at once, instance by instance",
            "",
        ),
        Row::switch(
            "shared-cache",
            "tells other threads what one has put into its transition cache",
            "",
        ),
        Row::switch(
            "observed-bits",
            "evaluates what is asked of a state once for the bits that it depends on",
            "",
        ),
        Row::switch(
            "predicate-cache",
            "remembers the letters of states in searches for runs, by the bits that they depend on",
            "",
        ),
        Row::switch(
            "stored-predicates",
            "asks once for each state of a state graph what depends on nothing but what is stored of it",
            "",
        ),
        Row::switch(
            "function-cache",
            "remembers the results of library functions by their arguments",
            "Michie, Memo functions, 1968",
        ),
        Row::switch(
            "irrelevant-choice",
            "passes over values of a choice that compare like one that has been tried",
            "",
        ),
        Row::number(
            ("adaptive-packing", 1 << 11),
            "packs states into the bits that the values met so far need, from so many states on",
            "Holzmann, State compression in SPIN, 1997",
        ),
        Row::number(
            ("parallel-levels", 1 << 11),
            "works with several threads on levels of so many states",
            "Holzmann, Parallelizing the SPIN model checker, 2012",
        ),
        Row::switch(
            "insertion-turns",
            "lets up to four threads add states one at a time, where most are new",
            "",
        ),
        Row::number(
            ("reduction-trial", 10_000),
            "gives a partial-order reduction up that has left hardly anything out after so many expansions",
            "",
        ),
        Row::switch(
            "depth-probe",
            "looks depth-first for failures, when a search has grown by a factor",
            "Holzmann, The SPIN model checker, 2003",
        ),
        Row::switch(
            "newest-first",
            "explores some of the product newest first, when a search for runs has grown by a factor",
            "",
        ),
        Row::switch(
            "early-cycles",
            "looks for accepting cycles before the product is complete",
            "Courcoubetis, Vardi, Wolper, Yannakakis, 1992",
        ),
        Row::switch(
            "chain-compression",
            "takes states with one predecessor together with it, before what lies on no cycle is eliminated",
            "",
        ),
        Row::switch(
            "owcty",
            "eliminates what lies on no cycle before it looks for components",
            "Cerna and Pelanek, 2003",
        ),
    ];

    fn place(self) -> usize {
        self as usize
    }
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;

#[cfg(test)]
mod tests {
    use model::Technique as _;

    use super::*;

    #[test]
    fn the_table_is_in_order() {
        use Technique::{
            AdaptivePacking, BatchedLookup, ChainCompression, DepthProbe, EarlyCycles,
            FunctionCache, InsertionTurns, IrrelevantChoice, LocalExpansion, NewestFirst,
            ObservedBits, Owcty, ParallelLevels, PredicateCache, ReductionTrial, SharedCache,
            StoredPredicates, TransitionCache,
        };
        let all = [
            LocalExpansion,
            TransitionCache,
            BatchedLookup,
            SharedCache,
            ObservedBits,
            PredicateCache,
            StoredPredicates,
            FunctionCache,
            IrrelevantChoice,
            AdaptivePacking,
            ParallelLevels,
            InsertionTurns,
            ReductionTrial,
            DepthProbe,
            NewestFirst,
            EarlyCycles,
            ChainCompression,
            Owcty,
        ];
        assert_eq!(all.len(), Technique::ROWS.len());
        for technique in all {
            let name: String = Technique::ROWS[technique.place()].name.split('-').collect();
            assert_eq!(name, format!("{technique:?}").to_lowercase());
        }
    }
}
