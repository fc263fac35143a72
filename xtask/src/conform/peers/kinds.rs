//! The kinds of nodes that random graphs are made of, by peer: pins and types, no meaning.
//!
//! What stands here is the shape of each kind, after the two formats' own documents: the text of
//! KHR_interactivity, and the sources of behave-graph 0.9.13. What a kind does is what is
//! compared, so nothing here says it. Pins that depend on a node's settings (the outputs of a
//! sequence, the inputs of a join) are made with the node.

use super::Peer;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Int,
    Float,
    /// Two floats: a control point.
    Pair,
    /// Three floats: a place.
    Triple,
    /// The animation of the scene.
    Animation,
    /// A delay that runs.
    Delay,
    Text,
}

/// What makes a node run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// The engine.
    Event,
    /// A signal.
    Flow,
    /// Somebody reads its value.
    Value,
}

/// A kind of node.
#[derive(Debug)]
pub(crate) struct Kind {
    /// As the format writes it.
    pub(crate) name: &'static str,
    /// The extension that has it.
    pub(crate) extension: Option<&'static str>,
    pub(crate) sort: Sort,
    /// Where signals enter.
    pub(crate) enters: &'static [&'static str],
    /// Where signals leave.
    pub(crate) leaves: &'static [&'static str],
    /// Values that it reads.
    pub(crate) reads: &'static [(&'static str, Type)],
    /// Values that it has.
    pub(crate) has: &'static [(&'static str, Type)],
}

const fn event(name: &'static str, out: &'static [&'static str]) -> Kind {
    Kind {
        name,
        extension: None,
        sort: Sort::Event,
        enters: &[],
        leaves: out,
        reads: &[],
        has: &[],
    }
}

const fn flow(
    name: &'static str,
    enters: &'static [&'static str],
    leaves: &'static [&'static str],
    reads: &'static [(&'static str, Type)],
) -> Kind {
    Kind {
        name,
        extension: None,
        sort: Sort::Flow,
        enters,
        leaves,
        reads,
        has: &[],
    }
}

const fn value(
    name: &'static str,
    reads: &'static [(&'static str, Type)],
    has: &'static [(&'static str, Type)],
) -> Kind {
    Kind {
        name,
        extension: None,
        sort: Sort::Value,
        enters: &[],
        leaves: &[],
        reads,
        has,
    }
}

impl Kind {
    const fn having(self, has: &'static [(&'static str, Type)]) -> Kind {
        Kind { has, ..self }
    }

    const fn of(self, extension: &'static str) -> Kind {
        Kind {
            extension: Some(extension),
            ..self
        }
    }
}

use Type::{Animation, Bool, Delay, Float, Int, Pair, Text, Triple};

const B: &[(&str, Type)] = &[("a", Bool)];
const BB: &[(&str, Type)] = &[("a", Bool), ("b", Bool)];
const I: &[(&str, Type)] = &[("a", Int)];
const II: &[(&str, Type)] = &[("a", Int), ("b", Int)];
const F: &[(&str, Type)] = &[("a", Float)];
const FF: &[(&str, Type)] = &[("a", Float), ("b", Float)];
const TT: &[(&str, Type)] = &[("a", Text), ("b", Text)];
const TO_B: &[(&str, Type)] = &[("value", Bool)];
const TO_I: &[(&str, Type)] = &[("value", Int)];
const TO_F: &[(&str, Type)] = &[("value", Float)];
const EASED: [(&str, Type); 3] = [("duration", Float), ("p1", Pair), ("p2", Pair)];

const KHR: &[Kind] = &[
    event("event/onStart", &["out"]),
    event("event/onTick", &["out"]).having(&[("timeSinceLastTick", Float)]),
    event("event/receive", &["out"]),
    event("event/onSelect", &["out"]).of("KHR_node_selectability"),
    event("event/onHoverIn", &["out"]).of("KHR_node_hoverability"),
    event("event/onHoverOut", &["out"]).of("KHR_node_hoverability"),
    flow("event/send", &["in"], &["out"], &[]),
    flow("variable/set", &["in"], &["out"], &[]),
    flow(
        "variable/interpolate",
        &["in"],
        &["out", "err", "done"],
        &[("value", Float), EASED[0], EASED[1], EASED[2]],
    ),
    flow(
        "pointer/set",
        &["in"],
        &["out", "err"],
        &[("value", Triple)],
    ),
    flow(
        "pointer/interpolate",
        &["in"],
        &["out", "err", "done"],
        &[("value", Triple), EASED[0], EASED[1], EASED[2]],
    ),
    flow(
        "animation/start",
        &["in"],
        &["out", "err", "done"],
        &[
            ("animation", Animation),
            ("startTime", Float),
            ("endTime", Float),
            ("speed", Float),
        ],
    ),
    flow(
        "animation/stop",
        &["in"],
        &["out", "err"],
        &[("animation", Animation)],
    ),
    flow(
        "animation/stopAt",
        &["in"],
        &["out", "err", "done"],
        &[("animation", Animation), ("stopTime", Float)],
    ),
    flow("debug/log", &["in"], &["out"], &[]),
    flow(
        "flow/branch",
        &["in"],
        &["true", "false"],
        &[("condition", Bool)],
    ),
    flow("flow/switch", &["in"], &["default"], &[("selection", Int)]),
    flow("flow/sequence", &["in"], &[], &[]),
    flow(
        "flow/while",
        &["in"],
        &["loopBody", "completed"],
        &[("condition", Bool)],
    ),
    flow(
        "flow/for",
        &["in"],
        &["loopBody", "completed"],
        &[("startIndex", Int), ("endIndex", Int)],
    )
    .having(&[("index", Int)]),
    flow("flow/doN", &["in", "reset"], &["out"], &[("n", Int)]).having(&[("currentCount", Int)]),
    flow("flow/multiGate", &["in", "reset"], &[], &[]).having(&[("lastIndex", Int)]),
    flow("flow/waitAll", &["reset"], &["out", "completed"], &[])
        .having(&[("remainingInputs", Int)]),
    flow(
        "flow/throttle",
        &["in", "reset"],
        &["out", "err"],
        &[("duration", Float)],
    ),
    flow(
        "flow/setDelay",
        &["in", "cancel"],
        &["out", "err", "done"],
        &[("duration", Float)],
    )
    .having(&[("lastDelay", Delay)]),
    flow("flow/cancelDelay", &["in"], &["out"], &[("delay", Delay)]),
    value("variable/get", &[], &[]),
    value("math/not", B, TO_B),
    value("math/and", BB, TO_B),
    value("math/or", BB, TO_B),
    value("math/xor", BB, TO_B),
    value("math/eq", II, TO_B),
    value("math/lt", II, TO_B),
    value("math/le", II, TO_B),
    value("math/gt", II, TO_B),
    value("math/ge", II, TO_B),
    value("math/lt", FF, TO_B),
    value("math/gt", FF, TO_B),
    value("math/isNaN", F, TO_B),
    value("math/add", II, TO_I),
    value("math/sub", II, TO_I),
    value("math/mul", II, TO_I),
    value("math/div", II, TO_I),
    value("math/rem", II, TO_I),
    value("math/neg", I, TO_I),
    value("math/abs", I, TO_I),
    value("math/min", II, TO_I),
    value("math/max", II, TO_I),
    value("math/and", II, TO_I),
    value("math/or", II, TO_I),
    value("math/not", I, TO_I),
    value("math/add", FF, TO_F),
    value("math/random", &[], TO_F),
    value("type/boolToInt", B, TO_I),
    value("type/intToBool", I, TO_B),
    value("type/intToFloat", I, TO_F),
];

const FLOW: &[&str] = &["flow"];
const FLOW_RESET: &[&str] = &["flow", "reset"];
const FLOW_CANCEL: &[&str] = &["flow", "cancel"];
const AS_B: &[(&str, Type)] = &[("result", Bool)];
const AS_I: &[(&str, Type)] = &[("result", Int)];
const AS_F: &[(&str, Type)] = &[("result", Float)];

const BEHAVE: &[Kind] = &[
    event("lifecycle/onStart", FLOW),
    event("lifecycle/onTick", FLOW).having(&[("deltaSeconds", Float)]),
    event("lifecycle/onEnd", FLOW),
    event("customEvent/onTriggered", FLOW),
    flow("customEvent/trigger", FLOW, FLOW, &[]),
    flow("variable/set", FLOW, FLOW, &[]),
    flow("debug/log", FLOW, FLOW, &[("text", Text)]),
    flow(
        "debug/expectTrue",
        FLOW,
        FLOW,
        &[("condition", Bool), ("description", Text)],
    ),
    flow(
        "flow/branch",
        FLOW,
        &["true", "false"],
        &[("condition", Bool)],
    ),
    flow(
        "flow/switch/integer",
        FLOW,
        &["default"],
        &[("selection", Int)],
    ),
    flow(
        "flow/switch/string",
        FLOW,
        &["default"],
        &[("selection", Text)],
    ),
    flow("flow/sequence", FLOW, &[], &[]),
    flow(
        "flow/forLoop",
        FLOW,
        &["loopBody", "completed"],
        &[("startIndex", Int), ("endIndex", Int)],
    )
    .having(&[("index", Int)]),
    flow("flow/doOnce", FLOW_RESET, FLOW, &[]),
    flow("flow/doN", FLOW_RESET, FLOW, &[("n", Int)]).having(&[("count", Int)]),
    flow("flow/counter", FLOW_RESET, FLOW, &[]),
    flow("flow/flipFlop", FLOW, &["on", "off"], &[]).having(&[("isOn", Bool)]),
    flow(
        "flow/gate",
        &["flow", "open", "close", "toggle"],
        FLOW,
        &[("startClosed", Bool)],
    ),
    flow(
        "flow/multiGate",
        FLOW_RESET,
        &["1", "2", "3"],
        &[("loop", Bool), ("startIndex", Int)],
    ),
    flow("flow/waitAll", &["reset"], FLOW, &[("autoReset", Bool)]),
    flow("time/delay", FLOW, FLOW, &[("duration", Float)]),
    flow("flow/throttle", FLOW_CANCEL, FLOW, &[("duration", Float)]),
    flow(
        "flow/debounce",
        FLOW_CANCEL,
        FLOW,
        &[("waitDuration", Float)],
    ),
    value("variable/get", &[], &[]),
    value("math/boolean", B, AS_B),
    value("math/negate/boolean", B, AS_B),
    value("math/and/boolean", BB, AS_B),
    value("math/or/boolean", BB, AS_B),
    value("math/equal/boolean", BB, AS_B),
    value("math/equal/integer", II, AS_B),
    value("math/lessThan/integer", II, AS_B),
    value("math/lessThanOrEqual/integer", II, AS_B),
    value("math/greaterThan/integer", II, AS_B),
    value("math/greaterThanOrEqual/integer", II, AS_B),
    value("math/equal/float", FF, AS_B),
    value("math/equal/string", TT, AS_B),
    value("math/lessThan/float", FF, AS_B),
    value("math/lessThanOrEqual/float", FF, AS_B),
    value("math/greaterThan/float", FF, AS_B),
    value("math/greaterThanOrEqual/float", FF, AS_B),
    value("math/toBoolean/integer", I, AS_B),
    value("math/toInteger/boolean", B, AS_I),
    value("math/add/integer", II, AS_I),
    value("math/subtract/integer", II, AS_I),
    value("math/multiply/integer", II, AS_I),
    value("math/divide/integer", II, AS_I),
    value("math/modulus/integer", II, AS_I),
    value("math/negate/integer", I, AS_I),
    value("math/integer", I, AS_I),
    value("math/min/integer", II, AS_I),
    value("math/max/integer", II, AS_I),
    value("math/toFloat/integer", I, AS_F),
    value("math/float", F, AS_F),
    value("math/add/float", FF, AS_F),
    value("math/subtract/float", FF, AS_F),
    value("math/multiply/float", FF, AS_F),
    value("math/divide/float", FF, AS_F),
    value("math/modulus/float", FF, AS_F),
    value("math/random/float", &[], AS_F),
];

/// All kinds of a peer.
pub(crate) fn of(peer: Peer) -> &'static [Kind] {
    match peer {
        Peer::Babylon => KHR,
        Peer::Behave => BEHAVE,
    }
}

/// Kinds of our tables that the peer does not have.
pub(crate) fn absent(peer: Peer) -> &'static [(&'static str, &'static str)] {
    match peer {
        Peer::Babylon => &[(
            "variable/setMultiple",
            "an operation of a draft; the text has variable/set with several inputs",
        )],
        Peer::Behave => &[
            ("flow/whileLoop", "not in 0.9.13"),
            ("flow/delay", "time/delay in 0.9.13"),
            ("logic/not/boolean", "math/negate/boolean in 0.9.13"),
            ("logic/negate/boolean", "math/negate/boolean in 0.9.13"),
            ("logic/and/boolean", "math/and/boolean in 0.9.13"),
            ("logic/or/boolean", "math/or/boolean in 0.9.13"),
        ],
    }
}
