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

/// `count` processes that count to `most` and end, each step in a critical section of several moves.
pub(crate) fn locked(count: u32, most: u32) -> String {
    let done: Vec<String> = (0..count)
        .map(|number| format!("x[{number}] == {most}"))
        .collect();
    format!(
        "byte x[{count}];\nbool taken;\n\
         active [{count}] proctype counter() {{\n\
         \tbyte t;\n\
         \tdo\n\
         \t:: atomic {{ !taken && x[_pid] < {most} -> taken = true }}\n\
         \t   t = x[_pid]; t = t + 1; x[_pid] = t; t = 0; taken = false\n\
         \t:: atomic {{ !taken && x[_pid] == {most} -> break }}\n\
         \tod\n\
         }}\n\
         ltl done {{ <> ({}) }}\n",
        done.join(" && ")
    )
}

/// Two shift registers of `length` bits that are fed the same bits: their last bits agree, or, with
/// `all`, all of them.
pub(crate) fn shift_registers(length: u32, all: bool) -> String {
    let mut text = "MODULE main\nIVAR fed : boolean;\n".to_owned();
    for name in ["a", "b"] {
        for place in 0..length {
            let before = match place {
                0 => "fed".to_owned(),
                _ => format!("{name}{}", place - 1),
            };
            text += &format!(
                "VAR {name}{place} : boolean; \
                 ASSIGN init({name}{place}) := FALSE; next({name}{place}) := {before};\n"
            );
        }
    }
    let first = if all { 0 } else { length - 1 };
    let agree: Vec<String> = (first..length)
        .map(|place| format!("(a{place} <-> b{place})"))
        .collect();
    format!("{text}CTLSPEC AG ({})\n", agree.join(" & "))
}

/// A number that is multiplied by three or by five `steps` times, and may then be 4243.
pub(crate) fn scrambled(steps: u32) -> String {
    format!(
        "MODULE main\n\
         VAR at : 0..{steps}; x : unsigned word[16];\n\
         IVAR five : boolean;\n\
         ASSIGN init(at) := 0; next(at) := case at = {steps} : at; TRUE : at + 1; esac;\n\
         init(x) := 0ud16_1;\n\
         next(x) := case\n\
         \tat = {steps} : x;\n\
         \tfive : x * 0ud16_5 + 0ud16_77;\n\
         \tTRUE : x * 0ud16_3 + 0ud16_1;\n\
         esac;\n\
         INVARSPEC !(at = {steps} & x = 0ud16_4243)\n"
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

/// `count` processes that count to `most`, each in turns of its own: the failure, an assertion or what
/// a formula forbids, is where all have come there, `count` times `most` steps deep.
pub(crate) fn together(count: u32, most: u32, formula: bool) -> String {
    let done: Vec<String> = (0..count)
        .map(|number| format!("x[{number}] == {most}"))
        .collect();
    let done = done.join(" && ");
    let wanted = match formula {
        true => format!("ltl never_all {{ [] !({done}) }}\n"),
        false => {
            format!("active proctype watch() {{ end: atomic {{ {done} -> assert(false) }} }}\n")
        }
    };
    format!(
        "short x[{count}];\n\
         active [{count}] proctype counter() {{\n\
         end:\tdo :: atomic {{ x[_pid] < {most} -> x[_pid]++ }} od\n\
         }}\n\
         {wanted}"
    )
}

/// Three clocks of a hundred hours that tick beside what is asked about.
const CLOCKS: &str = "byte hour[3];\n\
    active [3] proctype clock() { do :: hour[_pid] = (hour[_pid] + 1) % 100 od }\n";

/// What is never so, and depends on all of them.
const MIDNIGHT: &str = "hour[0] + hour[1] + hour[2] == 300";

/// The alternating bit protocol over channels that lose messages, with clocks beside it: the failure
/// is where `most` messages have arrived.
pub(crate) fn transfer(most: u32) -> String {
    format!(
        "{CLOCKS}\
         chan data = [1] of {{ bit }};\n\
         chan reply = [1] of {{ bit }};\n\
         int arrived;\n\
         active proctype sender() {{\n\
         \tbit tag;\n\
         \tdo\n\
         \t:: data!tag\n\
         \t:: reply?eval(tag) -> tag = 1 - tag\n\
         \t:: reply?eval(1 - tag)\n\
         \tod\n\
         }}\n\
         active proctype receiver() {{\n\
         \tbit tag;\n\
         \tdo\n\
         \t:: data?eval(tag) -> arrived++; assert(arrived < {most} || {MIDNIGHT}); reply!tag; tag = 1 - tag\n\
         \t:: data?eval(1 - tag) -> reply!(1 - tag)\n\
         \tod\n\
         }}\n\
         active proctype loss() {{ do :: data?_ :: reply?_ od }}\n"
    )
}

/// A process that counts to `most`, with clocks beside it: the failure is where it has come there.
pub(crate) fn counted(most: u32) -> String {
    format!(
        "{CLOCKS}\
         int n;\n\
         active proctype counter() {{\n\
         \tdo :: atomic {{ n < {most} -> n++ }} :: atomic {{ n == {most} -> assert({MIDNIGHT}) }} od\n\
         }}\n"
    )
}
