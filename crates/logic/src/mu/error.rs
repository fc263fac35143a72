//! Why a formula cannot be made concrete.

use thiserror::Error;

/// Why there is no system.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InstantiateError {
    /// Quantifiers over many values inside each other, or parameters that go on and on.
    #[error("the quantifiers or the parameters of the formula have too many values")]
    TooLarge,
    /// A variable is used in a way that tells values apart of which one was to stand for all.
    #[error(
        "`{0}` has values without end, and the formula tells them apart that occur in no step: \
         limit it, as in `{0} in 0..9`"
    )]
    Unfollowed(String),
    /// It took too long, or too much memory.
    #[error("it was given up")]
    GivenUp,
    /// An expression means nothing.
    #[error(
        "an expression of the formula has no value: it counts with what is no number, divides by \
         what is not positive, or is too large"
    )]
    NoValue,
}
