//! The techniques of this engine that its answers do not depend on, as one table.

model::techniques! {
    Reordering: "reordering" = 20_000,
        "moves variables of decision diagrams while they stand, from so many nodes on",
        "Rudell, Dynamic variable ordering, 1993";
}

/// A value for each technique.
pub type Tuning = model::Tuning<Technique>;
