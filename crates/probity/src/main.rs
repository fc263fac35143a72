//! The program: the command line on the real machine.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The exit status after a defect of the program itself: nothing is known.
const INTERNAL_ERROR: u8 = 3;

/// The stack of the main thread, in bytes.
const STACK: usize = 256 << 20;

fn main() -> std::process::ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        use std::io::Write as _;
        let what = panic.payload_as_str().unwrap_or("unknown");
        let place = panic.location().map(ToString::to_string);
        // Nobody is left to be told if this fails.
        let _ = writeln!(
            std::io::stderr(),
            "internal error at {}: {what}\n\
             This is a defect of Probity, not of your script. Please report it, with the command \
             and the script.",
            place.as_deref().unwrap_or("an unknown place"),
        );
    }));
    let system = probity::Machine::new();
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    // Whatever walks over nested expressions has room; what is never used takes no memory. Where the
    // system has no such room to give, the first thread's has to do.
    let run = || catch_unwind(AssertUnwindSafe(|| probity::run(&arguments, &system))).ok();
    let status = std::thread::scope(|scope| {
        let main = std::thread::Builder::new()
            .name("main".into())
            .stack_size(STACK);
        match main.spawn_scoped(scope, run) {
            Ok(main) => main.join().ok().flatten(),
            Err(_) => run(),
        }
    });
    status.unwrap_or(INTERNAL_ERROR).into()
}
