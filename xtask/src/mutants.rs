//! The faults that `cargo xtask mutate` plants.

/// A fault.
pub(crate) struct Mutant {
    /// The package whose tests have to catch it.
    pub(crate) package: &'static str,
    /// The file.
    pub(crate) file: &'static str,
    /// Text that stands in the file exactly once.
    pub(crate) search: &'static str,
    /// What stands there instead.
    pub(crate) replacement: &'static str,
    /// What it breaks.
    pub(crate) breaks: &'static str,
}

/// The faults.
pub(crate) const MUTANTS: &[Mutant] = &[];
