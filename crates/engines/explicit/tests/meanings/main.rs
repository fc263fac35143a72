//! One small program for each word of the model that is easily got wrong. The engine must find
//! exactly the states, macro steps, failures and ends that the interpreter finds; what the test is
//! about is asserted besides, so that it is known to happen.

mod build;
mod channels;
mod instances;
mod turns;
#[path = "../random/twin.rs"]
#[expect(dead_code, reason = "liveness is compared elsewhere")]
mod twin;
mod values;
