//! The program: the command line on the real machine.

fn main() -> std::process::ExitCode {
    let system = probity::Machine::new();
    let arguments: Vec<String> = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    probity::run(&arguments, &system).into()
}
