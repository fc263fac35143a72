//! The host that plays a run: functions outside answer as they do in it.
//!
//! What a run says is what the world decided, in order ([`Decision`]). Each function outside for which
//! there are decisions is put in the place of the one of its name; it gives back and writes what it
//! does in the run, call by call. Threads begin at once or never, as in the run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use language::Decision;
use model::{Type, Value};
use source::Span;

use super::cannot;
use super::declared::declaration;
use super::monitor::Written;
use crate::ctype::{CType, Signature};
use crate::headers::HEADERS;
use crate::lower::{Declared, written_behind};

/// What one call does.
#[derive(Clone, PartialEq, Debug, Default)]
struct Call {
    returns: Option<i128>,
    /// It returns null in place of its first argument.
    returns_null: bool,
    /// Values with their sizes in bytes.
    writes: Vec<(u32, i128)>,
}

/// What the functions outside do in a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Host {
    /// By function, in the order of calls.
    calls: BTreeMap<String, Vec<Call>>,
    /// Whether there is no memory, in the order of requests.
    memory: Vec<i128>,
    /// Of each thread whether it cannot be created, and whether it begins at once.
    threads: Vec<i128>,
    /// What is chosen for each agent.
    agents: Vec<BTreeMap<usize, i128>>,
    arguments: i128,
}

/// What is chosen for an agent, in the order in which the wrappers ask for it.
const OF_AGENTS: &[&str] = &[
    "where the agent is",
    "where the code comes from",
    "the address of the host of the code",
    "the site where the code comes from",
    "whether two sites are the same",
];
/// These are asked for in any case.
const ALWAYS_ASKED: usize = 3;

/// The functions that allocate memory.
const ALLOCATING: &[&str] = &["calloc", "malloc", "realloc"];

impl Host {
    pub(super) fn new(decisions: &[Decision], known: &Declared) -> Host {
        let mut host = Host::default();
        for decision in decisions {
            let Some(value) = number(&decision.value) else {
                continue;
            };
            let fact = decision.fact.as_str();
            if let Some(at) = OF_AGENTS.iter().position(|known| *known == fact) {
                host.of_agent(at, value);
                continue;
            }
            match fact {
                "whether there is memory" => host.memory.push(value),
                "whether a thread can be created" | "whether a thread begins at once" => {
                    host.threads.push(value);
                }
                "the number of arguments" => host.arguments = value,
                _ => host.of_function(decision, value, known),
            }
        }
        host
    }

    /// A fact that the last agent has already is one of the next agent.
    fn of_agent(&mut self, at: usize, value: i128) {
        match self.agents.last_mut() {
            Some(agent) if !agent.contains_key(&at) => {
                agent.insert(at, value);
            }
            _ => self.agents.push(BTreeMap::from([(at, value)])),
        }
    }

    fn of_function(&mut self, decision: &Decision, value: i128, known: &Declared) {
        let quoted: Vec<&str> = decision.fact.split('`').collect();
        let [before, name, behind] = quoted[..] else {
            return;
        };
        if !known.functions.contains_key(name) {
            return;
        }
        let calls = self.calls.entry(name.to_owned()).or_default();
        let returned_last = calls.last().is_some_and(|call| call.returns.is_some());
        match (before, behind) {
            ("what ", " returns") if !is_filling(name) => match calls.last_mut() {
                Some(call) if !returned_last => call.returns = Some(value),
                _ => calls.push(Call {
                    returns: Some(value),
                    ..Call::default()
                }),
            },
            ("what ", " returns") => calls.push(Call {
                returns: Some(value),
                ..Call::default()
            }),
            ("whether ", " returns null") => calls.push(Call {
                returns_null: value != 0,
                ..Call::default()
            }),
            ("what ", " writes") => {
                let bytes = size(&decision.ty);
                match calls.last_mut() {
                    Some(call) if is_filling(name) || !returned_last => {
                        call.writes.push((bytes, value));
                    }
                    _ => calls.push(Call {
                        writes: vec![(bytes, value)],
                        ..Call::default()
                    }),
                }
            }
            _ => {}
        }
    }

    /// The functions that it defines, of those that are used.
    pub(super) fn defines(&self, known: &Declared) -> BTreeSet<String> {
        let is_of_library = |name: &str| {
            let declared = format!("{name}(");
            let mut headers = HEADERS.iter().filter(|(header, _)| *header != "mobile.h");
            headers.any(|(_, text)| text.contains(&declared))
        };
        let is_defined = |name: &str| match name {
            "go_in" | "go_out" | "remote" => false,
            "pthread_create" | "pthread_join" => true,
            _ if ALLOCATING.contains(&name) => !self.memory.is_empty(),
            _ => self.calls.contains_key(name) || !is_of_library(name),
        };
        let outside = known.outside.iter();
        outside.filter(|name| is_defined(name)).cloned().collect()
    }

    /// The definitions of functions, each under a name of its own.
    pub(super) fn text(
        &self,
        names: &BTreeMap<String, String>,
        known: &Declared,
    ) -> Written<String> {
        let mut out = String::from(
            "/* What functions outside do in the run. */\n#include <pthread.h>\n#include <stdlib.h>\n\
             static _Thread_local int probity_agent, probity_asked;\n\
             static char probity_some[64];\n\
             static void probity_put(unsigned char **to, int bytes, long long value)\n{\n\
             \x20   while ((unsigned long)*to % bytes) ++*to;\n\
             \x20   for (int i = 0; i < bytes; i++) *(*to)++ = value >> 8 * i;\n}\n",
        );
        self.agents(&mut out);
        for (name, as_name) in names {
            let signature = &known.functions[name];
            match name.as_str() {
                "pthread_create" => self.create(as_name, &mut out),
                "pthread_join" => {
                    let _ = writeln!(
                        out,
                        "static int {as_name}(pthread_t thread, void **result) {{ (void)thread; (void)result; return 0; }}"
                    );
                }
                _ => self.function(name, as_name, signature, known, &mut out)?,
            }
        }
        Ok(out)
    }

    /// What is chosen for agents.
    fn agents(&self, out: &mut String) {
        let rows = self.agents.iter().map(|agent| {
            let asked = (0..OF_AGENTS.len()).filter_map(|at| match agent.get(&at) {
                Some(value) => Some(*value),
                None => (at >= ALWAYS_ASKED).then_some(0),
            });
            let asked: Vec<String> = asked.map(|value| value.to_string()).collect();
            format!("    {{ {} }},\n", asked.join(", "))
        });
        let rows: String = rows.collect();
        let count = self.agents.len();
        let _ = write!(
            out,
            "static const unsigned probity_agents[][{}] = {{\n{rows}    {{ 0 }}\n}};\n\
             unsigned probity_any(void)\n{{\n\
             \x20   return probity_agents[probity_agent < {count} ? probity_agent : {count}][probity_asked++];\n}}\n",
            OF_AGENTS.len() + 1,
        );
    }

    fn create(&self, as_name: &str, out: &mut String) {
        let list: Vec<String> = self.threads.iter().map(ToString::to_string).collect();
        let _ = write!(
            out,
            "static void *(*probity_start)(void *);\nstatic int probity_agent_count;\n\
             static void *probity_thread(void *argument)\n{{\n\
             \x20   probity_agent = ++probity_agent_count;\n    return probity_start(argument);\n}}\n\
             static int {as_name}(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *argument)\n{{\n\
             \x20   static const int failed_and_at_once[] = {{ {}0 }};\n    static unsigned at;\n    (void)how;\n\
             \x20   if (at + 1 >= sizeof failed_and_at_once / sizeof(int)) return 0;\n\
             \x20   int failed = failed_and_at_once[at++], at_once = failed_and_at_once[at++];\n\
             \x20   if (failed) return 11;\n\
             \x20   if (!at_once) return 0; /* It begins when the run is over. */\n\
             \x20   probity_start = start;\n\
             \x20   if (pthread_create(thread, 0, probity_thread, argument)) return 11;\n\
             \x20   return pthread_join(*thread, 0);\n}}\n",
            list.iter()
                .map(|one| format!("{one}, "))
                .collect::<String>(),
        );
    }

    fn function(
        &self,
        name: &str,
        as_name: &str,
        signature: &Signature,
        known: &Declared,
        out: &mut String,
    ) -> Written<()> {
        let nameless = || {
            cannot(
                &format!("a host's `{name}`, which has a type without a name"),
                Span::NONE,
            )
        };
        let mut parameters = Vec::new();
        for (at, (_, ty)) in signature.parameters.iter().enumerate() {
            let written = declaration(ty, &format!("a{at}"), &known.records);
            parameters.push(written.ok_or_else(nameless)?);
        }
        match (signature.open, parameters.is_empty()) {
            (true, false) => parameters.push("...".to_owned()),
            (false, true) => parameters.push("void".to_owned()),
            _ => {}
        }
        let head = format!("{as_name}({})", parameters.join(", "));
        let head = declaration(&signature.result, &head, &known.records).ok_or_else(nameless)?;
        let cast = declaration(&signature.result, "", &known.records).ok_or_else(nameless)?;
        let _ = writeln!(out, "static {head}\n{{");
        if ALLOCATING.contains(&name) {
            self.allocating(name, signature, out);
            return Ok(());
        }
        let target = written_behind(name).unwrap_or_else(|| {
            let is_pointer = |(_, ty): &(_, CType)| matches!(ty, CType::Pointer(_));
            signature
                .parameters
                .iter()
                .position(is_pointer)
                .unwrap_or(0)
        });
        let calls = self.calls.get(name).map(Vec::as_slice).unwrap_or_default();
        let _ = writeln!(out, "    static int call;\n    switch (call++) {{");
        for (number, call) in calls.iter().enumerate() {
            let _ = writeln!(out, "    case {number}: {{");
            if !call.writes.is_empty() && target < signature.parameters.len() {
                let _ = writeln!(
                    out,
                    "        unsigned char *to = (unsigned char *)a{target};"
                );
                for (bytes, value) in &call.writes {
                    let _ = writeln!(
                        out,
                        "        probity_put(&to, {bytes}, {});",
                        literal(*value)
                    );
                }
                if call.returns.is_none() && is_text(name) && !call.returns_null {
                    let _ = writeln!(out, "        probity_put(&to, 1, 0);");
                }
            }
            let _ = writeln!(
                out,
                "        {}\n    }}",
                returned(name, signature, call, &cast)
            );
        }
        let nothing = Call {
            returns: Some(0),
            ..Call::default()
        };
        let _ = writeln!(
            out,
            "    }}\n    {}\n}}",
            returned(name, signature, &nothing, &cast)
        );
        Ok(())
    }

    /// Memory is allocated unless there is none in the run.
    fn allocating(&self, name: &str, signature: &Signature, out: &mut String) {
        let none: Vec<String> = self.memory.iter().map(ToString::to_string).collect();
        let arguments = (0..signature.parameters.len()).map(|at| format!("a{at}"));
        let arguments: Vec<String> = arguments.collect();
        let _ = writeln!(
            out,
            "    static const int none[] = {{ {}, 0 }};\n    extern unsigned probity_requests;\n\
             \x20   unsigned at = probity_requests++;\n\
             \x20   return at < sizeof none / sizeof(int) && none[at] ? 0 : {name}({});\n}}",
            none.join(", "),
            arguments.join(", ")
        );
    }

    /// What follows the program: its beginning, where it is given arguments.
    pub(super) fn end(&self, known: &Declared) -> String {
        let mut out = String::new();
        if !self.memory.is_empty() {
            out.push_str("unsigned probity_requests;\n");
        }
        if self.takes_arguments(known) {
            let count = self.arguments.max(0);
            let arguments = (0..count).map(|_| "\"\", ").collect::<String>();
            let _ = writeln!(
                out,
                "#undef main\nint main(void)\n{{\n    static char *arguments[] = {{ {arguments}0 }};\n    \
                 return probity_program({count}, arguments);\n}}"
            );
        }
        out
    }

    /// What stands in front of the program.
    pub(super) fn beginning(&self, known: &Declared) -> String {
        let mut out = String::from(
            "/* A run of a program, with a host that answers as in the run. Compile it with\n\
             \x20* cc -g -pthread -fsanitize=address,undefined -fno-sanitize-recover=undefined */\n",
        );
        if self.takes_arguments(known) {
            out.push_str("#define main probity_program\n");
        }
        out
    }

    fn takes_arguments(&self, known: &Declared) -> bool {
        let main = known.functions.get("main");
        main.is_some_and(|main| main.parameters.len() == 2)
    }
}

/// Whether what it returns comes before what it writes.
fn is_filling(name: &str) -> bool {
    crate::lower::is_filling(name)
}

fn is_text(name: &str) -> bool {
    matches!(name, "fgets" | "getcwd")
}

/// The statement that ends a call.
fn returned(name: &str, signature: &Signature, call: &Call, cast: &str) -> String {
    let value = call.returns.unwrap_or(0);
    match &signature.result {
        CType::Void => "return;".to_owned(),
        _ if name == "declassify" => "return a0;".to_owned(),
        _ if is_text(name) => match call.returns_null || call.returns.is_some() {
            true => "return 0;".to_owned(),
            false => "return a0;".to_owned(),
        },
        CType::Pointer(_) if value != 0 => match cast.replace(' ', "").as_str() {
            "FILE*" => "return tmpfile();".to_owned(),
            _ => format!("return ({cast})probity_some;"),
        },
        CType::Record(_) => format!("{{ {cast} none = {{ 0 }}; return none; }}"),
        _ => format!("return ({cast}){};", literal(value)),
    }
}

/// The bytes of a value of a type.
fn size(ty: &Type) -> u32 {
    match ty {
        Type::Int { bits, .. } if *bits == 45 => 8,
        Type::Int { bits, .. } => u32::from(*bits).div_ceil(8).next_power_of_two(),
        _ => 1,
    }
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(truth) => Some(i128::from(*truth)),
        _ => None,
    }
}

/// A number as C reads it.
fn literal(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(value) => format!("{value}LL"),
        Err(_) => format!("(long long){value}ULL"),
    }
}
