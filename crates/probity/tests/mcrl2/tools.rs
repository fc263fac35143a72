//! mCRL2's own tools, where `PROBITY_MCRL2` names the folder with `mcrl22lps`, `lps2lts`, `ltscompare`,
//! `lps2pbes` and `pbessolve`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Words;
use crate::explore::{Graph, Happens, Value};
use crate::read::{Expr, label};

/// The tools.
pub(crate) struct Tools(PathBuf);

impl Tools {
    /// The tools, if they are named; otherwise it is said that they are not.
    pub(crate) fn found() -> Option<Tools> {
        let folder = std::env::var_os("PROBITY_MCRL2");
        if folder.is_none() {
            println!("mCRL2's own tools are skipped, for PROBITY_MCRL2 does not name their folder");
        }
        folder.map(|folder| Tools(folder.into()))
    }

    /// Makes the tools read a model; it must be accepted.
    pub(crate) fn read(&self, name: &str, text: &str) -> Linear<'_> {
        let folder = folder();
        let model = folder.join(format!("{name}.mcrl2"));
        std::fs::write(&model, text).expect("the model is written");
        let linear = model.with_extension("lps");
        self.run("mcrl22lps", &["--quiet"], &[&model, &linear]);
        Linear {
            tools: self,
            path: linear,
        }
    }

    /// Has `ltscompare` say that the two graphs in one are branching bisimilar; the first has so many
    /// states.
    pub(crate) fn compare(&self, name: &str, (both, first): &(model::Graph<Words>, usize)) {
        let folder = folder();
        let files = ["ours", "theirs"].map(|whose| folder.join(format!("{name}.{whose}.aut")));
        for (file, from, to) in [(&files[0], 0, *first), (&files[1], *first, both.len())] {
            let mut lines = String::new();
            let mut count = 0;
            for (start, label, end) in both.all_edges() {
                if !(from..to).contains(&(start as usize)) {
                    continue;
                }
                let words = &both.table()[label as usize];
                let label = match words.is_empty() {
                    true => "tau".to_owned(),
                    false => words.join(" ").replace('"', "'"),
                };
                let place = |state: u32| state as usize - from;
                let _ = writeln!(lines, "({},\"{label}\",{})", place(start), place(end));
                count += 1;
            }
            let text = format!("des (0,{count},{})\n{lines}", to - from);
            std::fs::write(file, text).expect("the graph is written");
        }
        let options = ["--quiet", "--equivalence=branching-bisim"];
        let told = self.run("ltscompare", &options, &[&files[0], &files[1]]);
        assert_eq!(told.trim(), "true", "{name}: {files:?}");
    }

    /// Runs a tool, which must succeed; what it prints.
    fn run(&self, tool: &str, options: &[&str], files: &[&Path]) -> String {
        let mut command = Command::new(self.0.join(tool));
        command.args(options).args(files);
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {told}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// A folder for what the tools read.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcrl2");
    std::fs::create_dir_all(&folder).expect("a folder for what the tools read");
    folder
}

/// A model that the tools have read.
pub(crate) struct Linear<'t> {
    tools: &'t Tools,
    path: PathBuf,
}

impl Linear<'_> {
    /// The graph that the tools find.
    pub(crate) fn graph(&self) -> Graph {
        let out = self.path.with_extension("aut");
        self.tools.run("lps2lts", &["--quiet"], &[&self.path, &out]);
        graph(&std::fs::read_to_string(&out).expect("the graph is written"))
    }

    /// Whether a formula holds of it.
    pub(crate) fn holds(&self, name: &str, formula: &str) -> bool {
        let file = self.path.with_extension(format!("{name}.mcf"));
        std::fs::write(&file, formula).expect("the formula is written");
        let equations = self.path.with_extension(format!("{name}.pbes"));
        let option = format!("--formula={}", file.display());
        let tools = self.tools;
        tools.run("lps2pbes", &["--quiet", &option], &[&self.path, &equations]);
        let told = tools.run("pbessolve", &["--quiet", "-s2"], &[&equations]);
        match told.trim() {
            "true" => true,
            "false" => false,
            other => panic!("{name}: {other}"),
        }
    }
}

/// Reads a graph in the Aldebaran format.
fn graph(text: &str) -> Graph {
    let mut lines = text.lines();
    let first = lines.next().expect("there is a first line");
    let sizes: Vec<usize> = first
        .trim()
        .trim_start_matches("des (")
        .trim_end_matches(')')
        .split(',')
        .map(|size| size.trim().parse().expect("it is a number"))
        .collect();
    let [0, edges, states] = sizes[..] else {
        panic!("{first}");
    };
    let mut graph: Graph = vec![Vec::new(); states];
    for line in lines {
        let (from, rest) = line
            .trim()
            .trim_start_matches('(')
            .split_once(",\"")
            .expect("an edge begins in a state");
        let (label, to) = rest.rsplit_once("\",").expect("it has a label");
        let number = |text: &str| -> usize { text.trim().parse().expect("it is a number") };
        let to = number(to.trim_end_matches(')'));
        graph[number(from)].push((happens(label), to));
    }
    assert_eq!(graph.iter().map(Vec::len).sum::<usize>(), edges);
    graph
}

/// The actions of a label.
fn happens(text: &str) -> Happens {
    let actions = label(text).into_iter();
    actions
        .filter(|(name, _)| name != "tau")
        .map(|(name, args)| (name, args.iter().map(value).collect()))
        .collect()
}

/// What is written of data in a label.
fn value(expr: &Expr) -> Value {
    match expr {
        Expr::Number(number) => Value::Number(*number),
        Expr::Unary("-", inner) => match value(inner) {
            Value::Number(number) => Value::Number(-number),
            other => panic!("-{other:?}"),
        },
        Expr::Apply(name, args) if args.is_empty() && name == "true" => Value::Bool(true),
        Expr::Apply(name, args) if args.is_empty() && name == "false" => Value::Bool(false),
        Expr::Apply(name, args) => Value::Term(name.clone(), args.iter().map(value).collect()),
        Expr::List(items) => Value::List(items.iter().map(value).collect()),
        other => panic!("{other:?}"),
    }
}
