//! Circles of imports: files of a crate that use each other, directly or by way of others.
//!
//! Who reads one file of a circle has to know all of them. Three together may be one idea; more are
//! a tangle. What stands in the crate's root is everybody's and makes no circle, nor does a `mod`
//! line. [`TANGLED`] lists what is still to be mended.

use std::collections::{BTreeMap, BTreeSet};

/// The most files of a circle.
const MOST: usize = 3;

/// Crates with larger circles, and how many files the largest has: a number here may only fall.
const TANGLED: &[(&str, usize)] = &[
    ("crates/circuit", 12),
    ("crates/engines/symbolic", 5),
    ("crates/frontends/lsl", 28),
    ("crates/frontends/mobile", 9),
    ("crates/frontends/nodegraph", 10),
    ("crates/frontends/promela", 6),
    ("crates/frontends/tscript", 14),
    ("crates/model", 16),
    ("crates/verify", 9),
];

/// The modules of a crate, by their paths below `src`, and whom each uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// What is wrong with the circles of all crates, given the texts of all their files.
pub(super) fn findings(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut crates: BTreeMap<&str, BTreeMap<String, &str>> = BTreeMap::new();
    for (file, text) in files {
        if let Some((name, inside)) = file.split_once("/src/")
            && name.starts_with("crates/")
        {
            let modules = crates.entry(name).or_default();
            modules.insert(module(inside), text);
        }
    }
    crates
        .iter()
        .filter_map(|(name, modules)| finding(name, &uses(modules)))
        .collect()
}

fn finding(name: &str, uses: &Uses) -> Option<String> {
    let largest = largest_circle(uses);
    let tangled = TANGLED.iter().find(|(tangled, _)| *tangled == name);
    let most = tangled.map_or(MOST, |(_, most)| *most);
    if largest.len() > most {
        let files = largest.join(", ");
        return Some(format!(
            "{name}: {} files use each other, more than {most}: {files}",
            largest.len()
        ));
    }
    let is_better = tangled.is_some() && largest.len() < most;
    is_better.then(|| {
        format!(
            "{name}: the largest circle has {} files: say so in the list of tangled crates",
            largest.len()
        )
    })
}

/// The module that a file below `src` is; empty for the root.
fn module(file: &str) -> String {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => String::new(),
        path => path.to_owned(),
    }
}

fn uses(modules: &BTreeMap<String, &str>) -> Uses {
    let is_of_tests = |module: &str| module.split('/').any(|part| part == "tests");
    let own = modules
        .iter()
        .filter(|(module, _)| !module.is_empty() && !is_of_tests(module));
    own.map(|(module, text)| {
        let code = code(text);
        let paths = used_paths(&code);
        let mut used: BTreeSet<String> = paths
            .iter()
            .filter_map(|path| resolved(module, path, modules))
            .collect();
        used.remove("");
        used.remove(module);
        (module.clone(), used)
    })
    .collect()
}

/// A file's text without comments and tests.
fn code(text: &str) -> String {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next());
    lines.flatten().collect::<Vec<_>>().join("\n")
}

/// All paths that begin inside the crate: those of `use`, and those that stand elsewhere.
fn used_paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for item in code.split("use ").skip(1) {
        if let Some((tree, _)) = item.split_once(';') {
            let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
            spread("", &tree, &mut paths);
        }
    }
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let path = code[at..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            paths.extend(path.take(1).map(str::to_owned));
        }
    }
    paths
}

/// The paths of a tree of imports.
fn spread(before: &str, tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        paths.push(format!("{before}{}", path.trim()));
        return;
    };
    let before = format!("{before}{}", head.trim());
    let (mut depth, mut start) = (0, 0);
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                spread(&before, &rest[start..at], paths);
                start = at + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
}

/// The module of the crate that a path leads to, seen from a module; nothing if it leads elsewhere.
fn resolved(from: &str, path: &str, modules: &BTreeMap<String, &str>) -> Option<String> {
    let mut parts = path.split("::").peekable();
    let mut at: Vec<&str> = from.split('/').collect();
    let is_module = |at: &[&str]| modules.contains_key(&at.join("/"));
    match *parts.peek()? {
        "crate" => at.clear(),
        "super" | "self" => {}
        first => {
            let child = [at.as_slice(), &[first]].concat();
            is_module(&child).then_some(())?;
        }
    }
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => _ = at.pop(),
            part => {
                at.push(part);
                if !is_module(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    Some(at.join("/"))
}

/// The modules of the largest circle, or of none.
fn largest_circle(uses: &Uses) -> Vec<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|from| (from, reach(uses, from))).collect();
    let circle = |from: &String| -> Vec<String> {
        let all = reached[from].iter().copied();
        let back = all.filter(|to| reached.get(to).is_some_and(|back| back.contains(from)));
        back.cloned().collect()
    };
    let circles = uses.keys().map(circle);
    circles.max_by_key(Vec::len).unwrap_or_default()
}

/// All that a module uses, directly or by way of others.
fn reach<'u>(uses: &'u Uses, from: &String) -> BTreeSet<&'u String> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&String> = uses[from].iter().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(uses.get(next).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(files: &[(&str, &str)]) -> Vec<String> {
        let modules = files.iter().map(|(file, text)| (module(file), *text));
        largest_circle(&uses(&modules.collect()))
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let files = [
            ("lib.rs", "mod a;"),
            (
                "a.rs",
                "use crate::b::{B, c::{self, C}};\nuse crate::Root;\n",
            ),
            ("b/mod.rs", "pub(crate) use d::D;\n// use crate::a::A;\n"),
            ("b/c.rs", "use super::d;\nfn f() -> crate::a::A {}\n"),
            (
                "b/d.rs",
                "use std::a;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            ),
        ];
        assert_eq!(circle(&files), ["a", "b/c"]);
        assert!(circle(&files[..3]).is_empty());
        let longer = [
            files[0],
            files[1],
            files[2],
            files[3],
            ("b/d.rs", "use super::c::C;\n"),
        ];
        assert_eq!(circle(&longer), ["a", "b", "b/c", "b/d"]);
    }

    #[test]
    fn what_is_tangled_may_only_be_mended() {
        let around = |count: usize| -> Uses {
            let name = |n: usize| format!("m{}", n % count);
            (0..count)
                .map(|n| (name(n), BTreeSet::from([name(n + 1)])))
                .collect()
        };
        assert!(finding("crates/a", &around(3)).is_none());
        assert!(finding("crates/a", &around(4)).is_some_and(|text| text.contains("m3")));
        assert!(finding("crates/frontends/promela", &around(6)).is_none());
        assert!(finding("crates/frontends/promela", &around(7)).is_some());
        assert!(
            finding("crates/frontends/promela", &around(5)).is_some(),
            "the list is out of date"
        );
    }
}
