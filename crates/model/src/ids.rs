//! Typed indices.
//!
//! Every table of a [`Program`](crate::Program) is a vector, and every reference into one is an
//! id of its own type, so that a step cannot be looked up among the locations.

/// Declares index types over `u32`.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that this id belongs to.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the entry at `index`.
            ///
            /// # Panics
            /// If a table has more than 2^32 entries, which no program of ours has.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a table holds fewer than 2^32 entries"))
            }
        }
    )*};
}

ids! {
    /// An expression in the pool of its program.
    ExprId;
    /// A global variable.
    GlobalId;
    /// A process template.
    ProcessId;
    /// A location of one process template.
    LocId;
    /// A step of one process template.
    StepId;
    /// A procedure of one process template.
    ProcedureId;
    /// A channel declaration.
    ChannelId;
    /// A barrier: an action that several instances take together.
    BarrierId;
    /// A kind of micro event.
    EventId;
    /// An observer.
    ObserverId;
    /// A check: what an `Assert` is about.
    CheckId;
    /// A property.
    PropertyId;
    /// An assumption.
    AssumptionId;
    /// A value that the world decides.
    OutsideId;
    /// A named pure function.
    FunctionId;
    /// A kind of fault.
    FaultId;
    /// An enumeration declaration.
    EnumId;
    /// A record declaration.
    RecordId;
    /// A type of objects created at run time.
    ObjectTypeId;
    /// A predicate of a program over logical structures.
    PredicateId;
    /// A message of a program over logical structures.
    MessageId;
}
