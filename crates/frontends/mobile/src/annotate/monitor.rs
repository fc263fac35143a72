//! The wrappers, and the state of agents on which rules depend.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use policy::{Arguments, Names, Origin, Permission, Provenance, Rule};
use source::Diagnostic;

use super::uses::Uses;
use super::{cannot, declared};
use crate::ctype::{CType, Signature};
use crate::lower::{Declared, Input};

pub(super) type Written<T> = Result<T, Box<Diagnostic>>;

/// How many arguments behind the last parameter a wrapper passes on.
const MORE: usize = 6;

/// A line of the net: where an agent is and comes from. Positions that are not said are chosen.
struct Line {
    site: Option<usize>,
    inner: Vec<String>,
    origin: Option<usize>,
    host: Option<usize>,
}

/// The monitor of a program.
pub(super) fn text(
    input: &Input<'_>,
    uses: &Uses,
    known: &Declared,
    played: Option<&BTreeSet<String>>,
) -> Written<String> {
    let assigned = |rule: &&Rule| rule.permissions.iter().any(|one| one.assignment);
    if let Some(rule) = input.policy.rules.iter().find(assigned) {
        return Err(cannot("rules about assignments", rule.span));
    }
    let names = Names::new(input.policy, input.net);
    let lines = lines(input, &names);
    if let Some(name) = uses.functions.iter().find(|name| name.starts_with("go_"))
        && (input.net.is_none() || lines.iter().any(|line| line.inner.len() != 1))
    {
        let what = format!("`{name}` without a net in which the agent is at a site");
        return Err(cannot(&what, source::Span::NONE));
    }
    let mut out = String::from(
        "/* What the policy asserts of calls. */\n#include <assert.h>\n#include <stdarg.h>\n",
    );
    out.push_str(
        "/* Any number: where an agent is and comes from, if it is not said. */\n\
         unsigned probity_any(void);\n\
         static _Thread_local int probity_known, probity_line, probity_site, probity_origin, probity_host, probity_from, probity_same;\n",
    );
    enter(&lines, &names, &mut out);
    out.push_str(
        "static void probity_begin(void) { if (!probity_known) probity_enter(0); }\n\
         static int probity_is(const char *text, const char *other, int prefix)\n{\n\
         \x20   if (!text) return 0;\n\
         \x20   while (*other && *text == *other) { text++; other++; }\n\
         \x20   return !*other && (prefix || !*text);\n}\n",
    );
    let _ = writeln!(
        out,
        "static int probity_remote_now(void) {{ probity_begin(); return {}; }}",
        remote(input, &names)
    );
    for name in &uses.functions {
        match name.as_str() {
            "remote" => {
                out.push_str("static int probity_remote(void) { return probity_remote_now(); }\n");
            }
            "go_in" | "go_out" => moves(name, &names, &mut out),
            _ => {}
        }
    }
    for name in &uses.functions {
        let of_agents = matches!(name.as_str(), "remote" | "go_in" | "go_out");
        if !of_agents && is_named(input, name) {
            let call = called(
                input,
                name,
                played.is_some_and(|played| played.contains(name)),
            );
            let wrapped = (name.as_str(), call.as_str(), played.is_some());
            wrapper(input, wrapped, known, (&names, &lines), &mut out)?;
        }
    }
    Ok(out)
}

/// Whether the policy names a function.
fn is_named(input: &Input<'_>, name: &str) -> bool {
    let permissions = input.policy.rules.iter().flat_map(|rule| &rule.permissions);
    permissions
        .flat_map(|permission| &permission.functions)
        .any(|function| function == name)
}

/// The name of the function that is called in the end: that of the host which plays a run, which has
/// no wrapper if the policy does not name it, or the program's own.
pub(super) fn called(input: &Input<'_>, name: &str, played: bool) -> String {
    match (played, is_named(input, name)) {
        (true, true) => format!("probity_played_{name}"),
        (true, false) => format!("probity_{name}"),
        (false, _) => name.to_owned(),
    }
}

fn lines(input: &Input<'_>, names: &Names) -> Vec<Line> {
    let nothing = Provenance::default();
    let general = input.net.map_or(&nothing, |net| &net.agent);
    let threads = input
        .net
        .map(|net| net.threads.as_slice())
        .unwrap_or_default();
    let own = threads.iter().map(|(_, own)| own);
    let line = |own: &Provenance| {
        let at = own.at.as_ref().or(general.at.as_ref());
        let origin = own.origin.as_ref().or(general.origin.as_ref());
        let host = own.code_base.as_ref().or(general.code_base.as_ref());
        let or_last = |found: Option<usize>, count: usize| found.unwrap_or(count);
        Line {
            site: at.map(|path| {
                let found = names.sites.iter().position(|site| *site == path[0]);
                or_last(found, names.sites.len())
            }),
            inner: at.map_or_else(|| vec![String::new()], |path| path[1..].to_vec()),
            origin: origin.map(|path| {
                let found = names.origins.iter().position(|known| known == path);
                or_last(found, names.origins.len())
            }),
            host: host.map(|host| {
                let found = names.hosts.iter().position(|known| known == host);
                or_last(found, names.hosts.len())
            }),
        }
    };
    std::iter::once(&nothing).chain(own).map(line).collect()
}

/// An agent begins.
fn enter(lines: &[Line], names: &Names, out: &mut String) {
    out.push_str("static void probity_enter(int line)\n{\n    probity_known = 1;\n    probity_line = line;\n");
    let any = |known: Option<usize>, count: usize| match known {
        Some(known) => known.to_string(),
        None => format!("probity_any() % {count}"),
    };
    for (at, line) in lines.iter().enumerate() {
        let _ = writeln!(
            out,
            "    if (line == {at}) {{ probity_site = {}; probity_origin = {}; probity_host = {}; }}",
            any(line.site, names.sites.len() + 2),
            any(line.origin, names.origins.len() + 1),
            any(line.host, names.hosts.len() + 1),
        );
    }
    let _ = writeln!(
        out,
        "    probity_from = probity_any() % {};\n    probity_same = probity_any() % 2;\n}}",
        names.sites.len() + 2
    );
}

/// Whether the code does not come from the site where it is.
fn remote(input: &Input<'_>, names: &Names) -> String {
    let outermost = names.sites.len();
    if input.net.is_none() {
        return format!(
            "probity_from != probity_site || (probity_from == {} && !probity_same) || probity_from == {outermost}",
            outermost + 1
        );
    }
    let mut local = String::from("0");
    for (at, path) in names.origins.iter().enumerate() {
        if let Some(site) = names.sites.iter().position(|site| *site == path[0]) {
            let _ = write!(
                local,
                " || (probity_origin == {at} && probity_site == {site})"
            );
        }
    }
    format!("!({local})")
}

/// A move waits until it is possible.
fn moves(name: &str, names: &Names, out: &mut String) {
    let outside = names.sites.len();
    let _ = writeln!(
        out,
        "static void probity_{name}(const char *location)\n{{\n    int site = -1;\n    probity_begin();"
    );
    for (at, site) in names.sites.iter().enumerate() {
        let _ = writeln!(
            out,
            "    if (probity_is(location, \"{site}\", 0)) site = {at};"
        );
    }
    let (must, then) = match name {
        "go_in" => (outside.to_string(), "site".to_owned()),
        _ => ("site".to_owned(), outside.to_string()),
    };
    let _ = writeln!(
        out,
        "    while (site < 0 || probity_site != {must}) {{ }}\n    probity_site = {then};\n}}"
    );
}

/// When a rule is about the agent.
fn subject(rule: &Rule, names: &Names, lines: &[Line]) -> String {
    let mut all = Vec::new();
    let mut to = Vec::new();
    for subject in &rule.to {
        for (at, line) in lines.iter().enumerate() {
            let near = match subject.subtree {
                true => 0,
                false => line.inner.len().saturating_sub(2),
            };
            let site = names
                .sites
                .iter()
                .position(|site| *site == subject.location);
            if line.inner[near..].contains(&subject.location) {
                to.push(format!("probity_line == {at}"));
            } else if let (true, Some(site)) = (subject.subtree || line.inner.len() < 2, site) {
                to.push(format!("(probity_line == {at} && probity_site == {site})"));
            }
        }
    }
    if !rule.to.is_empty() {
        to.push("0".to_owned());
        all.push(format!("({})", to.join(" || ")));
    }
    if let Some(host) = &rule.code_base {
        let at = names.hosts.iter().position(|known| known == host);
        all.push(at.map_or("0".to_owned(), |at| format!("probity_host == {at}")));
    }
    match &rule.code_origin {
        None => {}
        Some(Origin::Remote) => all.push("probity_remote_now()".to_owned()),
        Some(Origin::Path(path)) => {
            let known = names.origins.iter().enumerate();
            let mut any: Vec<String> = known
                .filter(|(_, known)| known.ends_with(path))
                .map(|(at, _)| format!("probity_origin == {at}"))
                .collect();
            any.push("0".to_owned());
            all.push(format!("({})", any.join(" || ")));
        }
    }
    match all.is_empty() {
        true => "1".to_owned(),
        false => all.join(" && "),
    }
}

/// When the arguments are those that are denied. What they carry is not seen in one run: where one is
/// played, it stops at the call.
fn denied(
    permission: &Permission,
    signature: &Signature,
    rule: &Rule,
    played: bool,
) -> Written<String> {
    match &permission.arguments {
        Arguments::Any => return Ok("1".to_owned()),
        Arguments::Text(_) | Arguments::Prefix(_) | Arguments::Except(_) => {}
        Arguments::High | Arguments::Of(_) if played => return Ok("1".to_owned()),
        Arguments::High | Arguments::Of(_) => {
            return Err(cannot("rules about what variables hold", rule.span));
        }
    }
    let mut any = vec!["0".to_owned()];
    for (at, (_, ty)) in signature.parameters.iter().enumerate() {
        let chosen = permission
            .position
            .is_none_or(|position| position == at + 1);
        let byte = matches!(ty, CType::Pointer(to) if matches!(**to, CType::Int { bits: 8, .. }));
        if chosen && byte {
            for (text, prefix) in permission.arguments.texts() {
                let text = crate::literal::quoted(text.as_bytes());
                let prefix = i32::from(prefix);
                any.push(format!("probity_is((const char *)a{at}, {text}, {prefix})"));
            }
        }
    }
    let not = match permission.arguments {
        Arguments::Except(_) => "!",
        _ => "",
    };
    Ok(format!("{not}({})", any.join(" || ")))
}

fn wrapper(
    input: &Input<'_>,
    (name, callee, played): (&str, &str, bool),
    known: &Declared,
    (names, lines): (&Names, &[Line]),
    out: &mut String,
) -> Written<()> {
    let signature = &known.functions[name];
    let nameless = || {
        cannot(
            &format!("a wrapper of `{name}`, which has a type without a name"),
            source::Span::NONE,
        )
    };
    let mut parameters = Vec::new();
    for (at, (_, ty)) in signature.parameters.iter().enumerate() {
        let written = declared::declaration(ty, &format!("a{at}"), &known.records);
        parameters.push(written.ok_or_else(nameless)?);
    }
    let mut arguments: Vec<String> = (0..parameters.len()).map(|at| format!("a{at}")).collect();
    let open = signature.open && !parameters.is_empty();
    if open {
        parameters.push("...".to_owned());
        arguments.extend((0..MORE).map(|at| format!("more[{at}]")));
    } else if parameters.is_empty() {
        parameters.push("void".to_owned());
    }
    let head = format!("probity_{name}({})", parameters.join(", "));
    let head =
        declared::declaration(&signature.result, &head, &known.records).ok_or_else(nameless)?;
    let _ = writeln!(out, "static {head}\n{{\n    probity_begin();");
    for (at, rule) in input.policy.rules.iter().enumerate() {
        for permission in &rule.permissions {
            if permission.functions.iter().any(|function| function == name) {
                let about = subject(rule, names, lines);
                let with = denied(permission, signature, rule, played)?;
                let _ = writeln!(
                    out,
                    "    if ({about} && {with})\n        assert(0); /* rule-{} */",
                    at + 1
                );
            }
        }
    }
    if open {
        let last = signature.parameters.len() - 1;
        let _ = writeln!(
            out,
            "    long more[{MORE}];\n    va_list list;\n    va_start(list, a{last});\n    \
             for (int i = 0; i < {MORE}; i++) more[i] = va_arg(list, long);\n    va_end(list);"
        );
    }
    let call = format!("{callee}({})", arguments.join(", "));
    let back = match signature.result {
        CType::Void => "",
        _ => "return ",
    };
    let _ = writeln!(out, "    {back}{call};\n}}");
    Ok(())
}
