//! Why files are not read.

/// Why a file is not read.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It is not valid WebAssembly, or uses a proposal that is not read.
    Invalid {
        /// What is wrong.
        message: String,
        /// The place in the file.
        offset: u64,
    },
    /// It is larger than what is read.
    TooLarge(String),
}

impl From<wasmparser::Error> for Refusal {
    fn from(error: wasmparser::Error) -> Refusal {
        Refusal::Invalid {
            message: error.message().to_string(),
            offset: error.offset(),
        }
    }
}
