//! Faults in the table of what LSL's functions are to a script, and in the world that is made from
//! it: each makes the world narrower than Second Life, so that something is said to hold which a
//! concrete run breaks.

use super::Mutant;

/// The faults: those of the table, by class and lifetime, and those of the lowering.
pub(super) const MUTANTS: &[Mutant] = &[
    table(
        "llGetFreeMemory\treads\tmemory of the script\treading",
        "llGetFreeMemory\treads\tmemory of the script\trun",
        "memory stays as it is",
    ),
    table(
        "llSetObjectName\tcauses\tsets name of this object 0",
        "llSetObjectName\tnone\t-",
        "a name that is set is not read back",
    ),
    table(
        "llSetObjectDesc\tcauses\tsets description of this object 0",
        "llSetObjectDesc\tnone\t-",
        "a description that is set is not read back",
    ),
    table(
        "llLinksetDataReset\tcauses\tchanges linkset data, changes protected linkset data, changes amount of linkset data, event",
        "llLinksetDataReset\tcauses\tevent",
        "a reset of linkset data leaves it",
    ),
    table(
        "llGetNotecardLine\tcauses\tanswer dataserver",
        "llGetNotecardLine\tcauses\tgives key",
        "a notecard is never read",
    ),
    table(
        "llHTTPRequest\tcauses\tanswer http_response",
        "llHTTPRequest\tcauses\tgives key",
        "a request by HTTP is never answered",
    ),
    table(
        "llTransferLindenDollars\tcauses\tanswer transaction_result",
        "llTransferLindenDollars\tcauses\tgives key",
        "a transfer has no result",
    ),
    table(
        "llRequestURL\tcauses\tanswer http_request, on http_request",
        "llRequestURL\tcauses\tgives key",
        "nobody gives a URL",
    ),
    table(
        "llSensor\tcauses\tevent sensor, event no_sensor, on sensor",
        "llSensor\tnone\t-",
        "a sensor finds nothing and says nothing",
    ),
    table(
        "llTarget\tcauses\tevent at_target, event not_at_target, on target",
        "llTarget\tcauses\tgives result",
        "a target is never reached",
    ),
    table(
        "llRezObject\tcauses\tevent object_rez, on object_rez",
        "llRezObject\tnone\t-",
        "nothing is rezzed",
    ),
    world(
        "(_, Some(event)) => Holder::Requests(event),",
        "(_, Some(_)) => Holder::Fact(\"requests\"),",
        "keys of requests are compared with nothing that events bring",
    ),
    world(
        "BinaryOp::Remainder => self.build.arithmetic(Binary::Rem, left, right),",
        "BinaryOp::Remainder => self.build.arithmetic(Binary::BitAnd, left, right),",
        "exact: a remainder is computed wrongly",
    ),
    world(
        "creators.extend(&identities);",
        "",
        "for ever: the creator is none of those who act",
    ),
    world(
        "step.body = vec![build.set_flag(known, false)];",
        "step.body = vec![build.set_flag(known, true)];",
        "until an event: a start parameter is given once",
    ),
    world(
        "            let all = self.build.readings_of(None);\n            self.forget(&all);",
        "            let all = self.build.readings_of(None);\n            self.forget(&all[..0]);",
        "until the script sleeps: others change nothing meanwhile",
    ),
    world(
        "|what: String, ty| build.variable(what, ty, VariableKind::Step, None, Span::NONE);",
        "|what: String, ty| build.variable(what, ty, VariableKind::World, None, Span::NONE);",
        "until the next event: others change nothing in between",
    ),
    world(
        "            set: ValueSet::Between(last, latest),",
        "            set: ValueSet::One(last),",
        "the clock stands still",
    ),
    world(
        "            least,\n            f64::INFINITY,\n        ))",
        "            least,\n            least + 1.0,\n        ))",
        "the script's own clock is slow",
    ),
    world(
        "let members = vec![zero, middle, last, other];",
        "let members = vec![zero, middle];",
        "fresh: a random number is small",
    ),
    world(
        "            let free = self.build.not(kept);\n            key = self.build.choose_by(free, other, key);\n        }\n        self.save(key)",
        "            key = self.build.choose_by(kept, other, key);\n        }\n        self.save(key)",
        "fresh: a new key is one that is kept",
    ),
    world(
        "members.extend(self.echoes(class));",
        "",
        "nobody says what the script has made up",
    ),
    linkset(
        "numbers.extend((!own).then_some(LINK_ALL_OTHERS));",
        "",
        "`LINK_ALL_OTHERS` means nobody",
    ),
    linkset(
        ".add_location(\"others may act\", Mode::Open, span);",
        ".add_location(\"others may act\", Mode::Region, span);",
        "no other script acts where a handler is cut",
    ),
    linkset(
        "for stmt in self.restored.clone() {\n            self.emit(stmt);\n        }",
        "",
        "a handler that goes on has lost what its event has brought",
    ),
    linkset(
        "let from = self.lose_messages(from, span);",
        "",
        "messages that wait are kept when the state changes",
    ),
    notecard(
        "let alone = self.build.not(already);",
        "let alone = self.build.bool(true);",
        "the line of a notecard that was asked for last comes first",
    ),
    notecard(
        "(self.build.bool(false), empty)",
        "(self.build.bool(true), empty)",
        "what nobody knows of a notecard is empty",
    ),
    world(
        "for number in 1..=strangers {",
        "for number in 2..=strangers {",
        "nobody says what the script does not know",
    ),
    world(
        "let asked = class.literals.iter().filter(|_| class.asked);\n                asked.cloned().collect()",
        "let asked = class.literals.iter().filter(|_| !class.asked);\n                asked.cloned().collect()",
        "no text from outside is one that the script writes",
    ),
    world(
        "(STRANGER | SOMETHING, _) => shuns(table, args, other),",
        "(STRANGER | SOMETHING, _) => true,",
        "a text from outside equals no other",
    ),
    world(
        "vec![asked, refused],",
        "vec![asked, asked],",
        "permissions are never refused",
    ),
    world(
        "let without_debit = build.int(!permissions::DEBIT);",
        "let without_debit = build.int(-1);",
        "a new owner has allowed what the old one has",
    ),
    world(
        "let earlier = self.build.set_flag(self.build.world.earlier, true);",
        "let earlier = self.build.set_flag(self.build.world.earlier, false);",
        "of two requests for permissions one is answered",
    ),
    world(
        "let set = self.build.set(self.build.world.armed, on);",
        "let off = self.build.bool(false);\n        let _ = on;\n        let set = self.build.set(self.build.world.armed, off);",
        "a timer never fires",
    ),
    world(
        "            let set = self.build.set_flag(others, true);\n            self.straight_if(another, |coder| coder.emit(set), |_| {});",
        "            let set = self.build.set_flag(others, false);\n            self.straight_if(another, |coder| coder.emit(set), |_| {});",
        "of several listens of a call the last is open",
    ),
    world(
        "let kept_or_taken = self.build.or(kept, taken);",
        "let kept_or_taken = self.build.and(kept, taken);",
        "two listens have the same handle",
    ),
    world(
        "                let more = self.build.set_flag(again, true);\n                self.straight_if(already",
        "                let more = self.build.set_flag(again, false);\n                self.straight_if(already",
        "two calls that ask for an event lead to one",
    ),
    world(
        "        events: &[\"object_rez\"],\n        once: true,\n        until_state_change: false,",
        "        events: &[\"object_rez\"],\n        once: true,\n        until_state_change: true,",
        "what is rezzed does not appear in the next state",
    ),
    world(
        "_ => self.somebody(place, \"whose that is\", class),",
        "_ => Build::one_of(place, \"whose that is\", vec![who]),",
        "only avatars collide",
    ),
    world(
        "let choice = self.build.chosen(place, what, vec![yes, no], outside);",
        "let choice = self.build.chosen(place, what, vec![yes, yes], outside);",
        "everybody stays in the region",
    ),
    world(
        "people.push(self.build.text(super::outside::NULL_KEY));",
        "",
        "somebody always sits",
    ),
    world(
        "(0_u32..1 << others.len())",
        "(0_u32..1)",
        "an event tells of one change",
    ),
    world(
        "members.push(self.text(outside::NULL_KEY));\n                members",
        "members",
        "nothing that is attached is taken off",
    ),
    world(
        "Some((&[200, 404, 499, 503], 0, 999))",
        "Some((&[200], 200, 200))",
        "a request by HTTP succeeds",
    ),
    world(
        "vec![granted, denied],",
        "vec![granted],",
        "a URL is never denied",
    ),
    world(
        "if perhaps {\n                        coder.emit(Stmt::Choose(super::Build::one_of(\n                            place,\n                            \"whether the item can be copied\",\n                            vec![present, gone],",
        "if perhaps {\n                        coder.emit(Stmt::Choose(super::Build::one_of(\n                            place,\n                            \"whether the item can be copied\",\n                            vec![present, present],",
        "what is given away is still there",
    ),
    world(
        "(\"transaction_result\", \"success\") => Some(&[0, 1]),",
        "(\"transaction_result\", \"success\") => Some(&[1]),",
        "a transfer succeeds",
    ),
    world(
        "pub(crate) const MOST_DETECTED: i32 = 32;",
        "pub(crate) const MOST_DETECTED: i32 = 1;",
        "nobody touches while another does",
    ),
    world(
        "            if self.build.can_fault(*arg) {\n                *arg = self.save(*arg);",
        "            if false {\n                *arg = self.save(*arg);",
        "errors in arguments are overlooked",
    ),
];

const fn table(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        folder: "crates/frontends/lsl/tables",
        ..world(search, replacement, breaks)
    }
}

/// A fault that scripts which send each other messages show.
const fn linkset(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "lsl",
        tests: &["linksets", "linkset_runs"],
        ..world(search, replacement, breaks)
    }
}

/// A fault that scripts with a given notecard show.
const fn notecard(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        tests: &["notecards"],
        ..world(search, replacement, breaks)
    }
}

const fn world(search: &'static str, replacement: &'static str, breaks: &'static str) -> Mutant {
    Mutant {
        package: "lsl-concrete",
        tests: &["conform"],
        folder: "crates/frontends/lsl/src",
        search,
        replacement,
        breaks,
    }
}
