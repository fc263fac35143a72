//! The front end for Java: concurrent programs with any number of threads and objects.
//!
//! [`load`] reads a file and turns it into a program over logical structures ([`model::predicates`]):
//! classes with fields of references and flags, threads, monitors, `wait` and `notify`. Numbers and
//! texts are not followed: a condition on them may be either. What may have effects that are not known
//! is said, and then nothing is reported to hold.
//!
//! Without being asked, it is verified that null is not dereferenced, that no field is accessed by two
//! threads at once if one writes, that monitors and threads are used as they may be, and that no
//! threads are blocked for ever; and each `assert`.
//!
//! ```
//! let script = "
//!     class Client implements Runnable {
//!         static int count;
//!         static final Object lock = new Object();
//!         public void run() { synchronized (lock) { count++; } }
//!     }
//!     class Main {
//!         public static void main(String[] args) {
//!             while (true) { new Thread(new Client()).start(); }
//!         }
//!     }";
//! let loaded = java::load("Main.java", script);
//! let program = loaded.program.expect("it has no errors");
//! assert!(program.properties.iter().any(|one| one.name == "race-Client.count"));
//! ```

mod classes;
mod code;
mod codes;
mod contract;
mod door;
mod flow;
mod lex;
mod live;
mod lower;
mod parse;
mod tree;
mod tvm;
mod walk;

use model::{Assumption, Cut, CutBy, Origin, Program};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use classes::Classes;

pub use codes::TABLES as CODES;
pub use door::Java;

/// A program that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a file and lowers it.
#[must_use]
pub fn load(name: &str, text: &str) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let id = sources.add(name, text);
    let tokens = lex::tokens(sources.file(id), &mut diagnostics);
    let mut parser = parse::Parser::new(tokens);
    // What is wrong has been said.
    let _: parse::Read<()> = parser.read();
    diagnostics.append(parser.diagnostics);
    let mut program = None;
    if !diagnostics.has_errors() {
        let built_in = classes::built_in();
        let classes = Classes::new(&built_in, &parser.file);
        if let Some(class) = classes.extends_itself() {
            let message = format!("the class `{class}` extends itself");
            diagnostics.push(Diagnostic::error(codes::SYNTAX, message));
            return Loaded::new(sources, diagnostics, None);
        }
        let (mut code, may_throw) = flow::code(&classes, text, &mut diagnostics);
        if !diagnostics.has_errors() {
            contract::contract(&mut code);
            let mut lowered = lower::lower(name, text, &code);
            assume(&mut lowered, may_throw, &diagnostics);
            program = Some(lowered);
        }
    }
    Loaded::new(sources, diagnostics, program)
}

/// Writes a file as a model in TVM.
#[must_use]
pub fn translate(name: &str, text: &str) -> source::Loaded<String> {
    let loaded = load(name, text);
    let written = loaded.program.and_then(|program| {
        let predicates = program.predicates.as_ref()?;
        Some(tvm::write(name, &program, predicates))
    });
    source::Loaded {
        sources: loaded.sources,
        diagnostics: loaded.diagnostics,
        program: written,
    }
}

/// States what verdicts rest on.
fn assume(program: &mut Program, may_throw: bool, diagnostics: &Diagnostics) {
    let mut assume = |text: &str, origin| {
        program.add_assumption(Assumption {
            text: text.to_owned(),
            origin,
            properties: None,
            span: Span::NONE,
        });
    };
    let semantics = "assertions are enabled, and classes are loaded before `main` begins";
    assume(semantics, Origin::Semantics);
    if may_throw {
        let text = "arithmetic, arrays, casts and the library throw no exceptions";
        assume(text, Origin::Stated);
    }
    let mut outside = diagnostics.iter().filter(|one| one.code == codes::OUTSIDE);
    if let Some(first) = outside.next() {
        program.cut(Cut {
            text: "what is not understood has no effect".to_owned(),
            by: CutBy::Default,
            span: first.span,
            properties: None,
        });
    }
}
