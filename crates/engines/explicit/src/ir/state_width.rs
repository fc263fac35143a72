//! How many words a state has, known to the compiler where there are few.
//!
//! Most programs' states have a few words. Loops over those that end after a number of rounds that
//! the compiler knows become straight code; whoever goes through many states asks once for their
//! width, and what is inlined there sees it.

/// Up to so many words are known to the compiler.
pub(crate) const FEW: usize = 6;

/// A number of words.
pub(crate) trait Width: Copy + Sync {
    /// Whether the compiler knows it.
    const KNOWN: bool;
    fn get(self) -> usize;
}

/// One that the compiler knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<const WORDS: usize>;

impl<const WORDS: usize> Width for Known<WORDS> {
    const KNOWN: bool = true;

    #[inline(always)]
    fn get(self) -> usize {
        WORDS
    }
}

/// Any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Any(pub(crate) usize);

impl Width for Any {
    const KNOWN: bool = false;

    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }
}

/// Evaluates an expression in which a name stands for the width of so many words.
macro_rules! with_width {
    ($words:expr, $width:ident => $body:expr) => {
        match $words {
            1 => {
                let $width = $crate::ir::state_width::Known::<1>;
                $body
            }
            2 => {
                let $width = $crate::ir::state_width::Known::<2>;
                $body
            }
            3 => {
                let $width = $crate::ir::state_width::Known::<3>;
                $body
            }
            4 => {
                let $width = $crate::ir::state_width::Known::<4>;
                $body
            }
            5 => {
                let $width = $crate::ir::state_width::Known::<5>;
                $body
            }
            6 => {
                let $width = $crate::ir::state_width::Known::<6>;
                $body
            }
            more => {
                let $width = $crate::ir::state_width::Any(more);
                $body
            }
        }
    };
}
pub(crate) use with_width;
