//! The reader `unity`, see `crates/fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let target = fuzzing::Target::named("unity").expect("it is one of the targets");
    if (target.read)(input).accepted {
        (target.whole)(input);
    }
});
