//! From a script's text to a program with its properties: the front end as one function.

use model::Program;
use source::{Diagnostics, Preprocessor, SourceMap, command_line_title};

use crate::bounds::Bounds;
use crate::codes::{names, syntax};
use crate::part::Part;
use crate::{annotations, inline, lexer, lower, parser};

/// Which implementation of the ToolBus is meant, where they differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// The first, in C: a process that ends takes its subscriptions with it; `unsubscribe` also
    /// throws away the notes that wait; `+>` binds less than `+`; nothing can be sent to a tool that
    /// has vanished.
    C,
    /// The second, in Java: a process that has ended stays subscribed; `unsubscribe` leaves what
    /// waits; what is sent to a tool that has vanished is lost.
    #[default]
    Ng,
}

/// When processes listen to tools.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Schedule {
    /// At any time: steps of processes and messages of tools come in any order.
    #[default]
    Free,
    /// Only when no process can do anything else, as the bus in C does.
    Prompt,
}

/// Whether delays are counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Time {
    /// They are not: a delay may be over at any moment.
    #[default]
    Untimed,
    /// In ticks of a second, which come at any time.
    Discrete,
    /// In ticks that come only when no process can do anything else; nor do processes listen to tools
    /// before that, since a tool that can always say something would stop the clock.
    Maximal,
}

/// How much of a system a script is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Extent {
    /// A part, if what is missing in it says so; with a schedule or a clock that only whole systems have, all.
    Guessed,
    /// A part: others may send what its processes wait for, take what they send, and define what they call.
    Part,
    /// All of it.
    #[default]
    Whole,
}

/// What the caller adds to a script.
pub struct Options<'a> {
    /// Macros, as with `-D`: name and value.
    pub defines: Vec<(String, String)>,
    /// Gives the text of an included file.
    pub include: &'a dyn Fn(&str) -> Option<String>,
    /// Bounds as name and value; they override those of the file.
    pub bounds: Vec<(String, String)>,
    /// More properties: `NAME: formula`, or a formula alone.
    pub extra_properties: Vec<String>,
    /// Which implementation is meant.
    pub dialect: Dialect,
    /// When processes listen to tools.
    pub schedule: Schedule,
    /// Whether delays are counted.
    pub time: Time,
    /// Whether the script is a part of a system.
    pub extent: Extent,
    /// Whether tools disconnect only when a process is ready to hear of it.
    pub polite_tools: bool,
    /// Keeps states apart that nobody can tell apart: many more of them, and the same verdicts. To
    /// compare with.
    pub plain: bool,
    /// Assumes few processes where nobody says how many are created: for who writes each of them down.
    pub few_processes: bool,
}

impl Default for Options<'_> {
    /// No macros, bounds and properties, no file can be included; dialect ng, free schedule, and
    /// tools that may vanish. States that nobody can tell apart are one.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            include: &|_| None,
            bounds: Vec::new(),
            extra_properties: Vec::new(),
            dialect: Dialect::default(),
            schedule: Schedule::default(),
            time: Time::default(),
            extent: Extent::default(),
            polite_tools: false,
            plain: false,
            few_processes: false,
        }
    }
}

impl Options<'_> {
    /// Whether others may take part in what processes do.
    pub(crate) fn open(&self) -> bool {
        self.extent == Extent::Part
    }

    /// The same, for a script of this extent.
    fn to_extent(&self, extent: Extent) -> Options<'_> {
        Options {
            defines: self.defines.clone(),
            bounds: self.bounds.clone(),
            extra_properties: self.extra_properties.clone(),
            extent,
            ..*self
        }
    }
}

/// Lines of the preprocessor are obeyed wherever they stand.
pub(crate) const TSCRIPT: source::Dialect = source::Dialect {
    lex: lexer::lex,
    directive: syntax::DIRECTIVE,
    include: syntax::INCLUDE,
    macros: syntax::MACRO,
};

/// A script that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a script, checks it, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let (loaded, why) = lowered(name, text, options);
    let guesses = options.extent == Extent::Guessed
        && options.schedule == Schedule::Free
        && options.time != Time::Maximal;
    let Some(why) = why.filter(|_| guesses) else {
        return loaded;
    };
    let mut part = lowered(name, text, &options.to_extent(Extent::Part)).0;
    let starts_nothing = |found: &Loaded| {
        let mut all = found.diagnostics.iter();
        all.any(|diagnostic| diagnostic.code == names::NOTHING_STARTED)
    };
    if part.program.is_none() {
        // What is wrong with it is wrong with a part, too; where nothing starts, it is looked for in a part only.
        return match why {
            Part::StartsNothing(_) if !starts_nothing(&part) => part,
            _ => loaded,
        };
    }
    part.diagnostics.insert(0, why.told());
    part
}

/// Reads and lowers a script, and says why it may be a part of a system.
fn lowered(name: &str, text: &str, options: &Options<'_>) -> (Loaded, Option<Part>) {
    let mut why = None;
    let mut loaded = read(
        name,
        text,
        options,
        &mut why,
        |script, sources, diagnostics| {
            lower::lower(
                name,
                script.resolved,
                &script.bounds,
                &script.notes,
                options,
                sources,
                diagnostics,
            )
        },
    );
    for missing in &mut loaded.diagnostics {
        if missing.code == syntax::INCLUDE {
            let help =
                "name its folder with `-I DIR`; with `--open` it is taken for another script's";
            missing.help.push(help.to_owned());
        }
    }
    (loaded, why)
}

/// Reads a script, checks it, and writes it as a model of mCRL2, process by process. States are kept
/// apart that nobody can tell apart, as with [`Options::plain`]; properties and observers stay behind.
#[must_use]
pub fn to_mcrl2(name: &str, text: &str, options: &Options<'_>) -> source::Loaded<String> {
    let options = &Options {
        plain: true,
        few_processes: true,
        defines: options.defines.clone(),
        bounds: options.bounds.clone(),
        extra_properties: Vec::new(),
        ..*options
    };
    read(name, text, options, &mut None, |script, _, diagnostics| {
        lower::mcrl2(
            name,
            script.resolved,
            &script.bounds,
            &script.notes,
            options,
            diagnostics,
        )
    })
}

/// A script whose names are resolved.
struct Script {
    resolved: inline::Resolved,
    bounds: Bounds,
    notes: annotations::Annotations,
}

/// Reads a script; what `made` makes of it, if it has no errors.
fn read<T>(
    name: &str,
    text: &str,
    options: &Options<'_>,
    why: &mut Option<Part>,
    made: impl FnOnce(Script, &SourceMap, &mut Diagnostics) -> Option<T>,
) -> source::Loaded<T> {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut preprocessor =
        Preprocessor::new(TSCRIPT, options.include, &mut sources, &mut diagnostics);
    for (name, value) in &options.defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let tokens = preprocessor.finish(file);
    let tree = parser::parse(tokens, options.dialect == Dialect::Ng, &mut diagnostics);
    let mut notes = annotations::of_file(&sources, file, &mut diagnostics);
    for (number, text) in (1..).zip(&options.extra_properties) {
        let file = sources.add(command_line_title(number), text.as_str());
        notes.add_property(&sources, file, number);
    }
    let resolved = inline::resolve(&tree, &notes.observers, options.open(), &mut diagnostics);
    if !resolved.has_slips {
        *why = Part::of(&tree, &resolved.processes, resolved.calls_others.as_ref());
    }
    let bounds = Bounds::new(&notes, &options.bounds, &mut diagnostics);
    let mut product = None;
    if !diagnostics.has_errors() {
        let script = Script {
            resolved,
            bounds,
            notes,
        };
        product = made(script, &sources, &mut diagnostics);
    }
    source::Loaded::new(sources, diagnostics, product)
}
