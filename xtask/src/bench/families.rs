//! Models that scale: as many states as one likes.

/// `count` processes, each with a counter modulo `modulus`: `modulus` to the power of `count`
/// states, and as many transitions from each as there are processes.
pub(crate) fn counters(count: u32, modulus: u32) -> String {
    format!(
        "byte x[{count}];\n\
         active [{count}] proctype counter() {{\n\
         \tdo :: x[_pid] = (x[_pid] + 1) % {modulus} od\n\
         }}\n"
    )
}

/// `count` counters modulo `modulus` that all may take a step at once, in SMV; from everywhere all
/// of them can become 3.
pub(crate) fn synchronous(count: u32, modulus: u32) -> String {
    let counter = |number| {
        format!(
            "VAR go{number} : boolean; x{number} : 0..{};\n\
             ASSIGN init(x{number}) := 0;\n\
             next(x{number}) := go{number} ? (x{number} + 1) mod {modulus} : x{number};\n",
            modulus - 1
        )
    };
    let counters: String = (0..count).map(counter).collect();
    let threes: Vec<String> = (0..count).map(|number| format!("x{number} = 3")).collect();
    format!(
        "MODULE main\n{counters}CTLSPEC AG EF ({})\n",
        threes.join(" & ")
    )
}

/// `count` processes in a ring that pass numbers on, each number changed on its way.
pub(crate) fn ring(count: u32, modulus: u32) -> String {
    format!(
        "chan link[{count}] = [1] of {{ byte }};\n\
         active [{count}] proctype node() {{\n\
         \tbyte v = _pid % {modulus};\n\
         \tdo\n\
         \t:: link[_pid]?v\n\
         \t:: v < {modulus} - 1 -> v++\n\
         \t:: link[(_pid + 1) % {count}]!v -> v = 0\n\
         \tod\n\
         }}\n"
    )
}

/// `count` processes that count to `most` and end; in every run all of them come to their end.
pub(crate) fn ending(count: u32, most: u32) -> String {
    let done: Vec<String> = (0..count)
        .map(|number| format!("x[{number}] == {most}"))
        .collect();
    format!(
        "byte x[{count}];\n\
         active [{count}] proctype counter() {{\n\
         \tdo\n\
         \t:: atomic {{ x[_pid] < {most} -> x[_pid]++ }}\n\
         \t:: atomic {{ x[_pid] == {most} -> break }}\n\
         \tod\n\
         }}\n\
         ltl done {{ <> ({}) }}\n",
        done.join(" && ")
    )
}
