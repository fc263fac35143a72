//! The front end for Promela, SPIN's modelling language.
pub mod ast;
mod codes;
pub mod flow;
pub mod lexer;
mod load;
mod lower;
pub mod parser;
pub mod preprocess;
pub mod token;

pub use codes::TABLES as CODES;
pub use load::{Loaded, NeverClaim, Options, load};
