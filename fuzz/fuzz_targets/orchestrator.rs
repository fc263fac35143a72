//! The reader `orchestrator`, see `crates/fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let target = fuzzing::Target::named("orchestrator").expect("it is one of the targets");
    if (target.read)(input).accepted {
        (target.whole)(input);
    }
});
