//! What an editor shows of a script: the names that it defines, where they are used, and the words that
//! it need not define.

mod documentation;
mod names;
mod words;

pub(crate) use names::outline;
pub(crate) use words::words;
