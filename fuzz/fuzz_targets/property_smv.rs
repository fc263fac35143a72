//! The reader `property-smv`, see `crates/fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let target = fuzzing::Target::named("property-smv").expect("it is one of the targets");
    if (target.read)(input).accepted {
        (target.whole)(input);
    }
});
