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
