//! What the user asks for, a command each.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use language::Settings;
use model::Equivalence;
use passes::Selection;
use report::Required;
use verify::Storage;

use crate::cluster::asked::Asked;
use crate::languages::Languages;

/// A verification.
#[derive(Clone, Debug)]
pub(crate) struct CheckInvocation {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) input: Input,
    /// Names or texts, as given; none: all.
    pub(crate) properties: Vec<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) jobs: Option<usize>,
    pub(crate) engine: Option<verify::Engine>,
    pub(crate) storage: Storage,
    /// Where states are, if they are on disk.
    pub(crate) storage_dir: Option<PathBuf>,
    pub(crate) swarm: Option<verify::Swarm>,
    pub(crate) checkpoint: Option<PathBuf>,
    pub(crate) resume: Option<PathBuf>,
    /// The processes that search together.
    pub(crate) cluster: Option<Asked>,
    /// Those, when this process has taken its place among them.
    pub(crate) team: Option<Arc<dyn verify::Cluster>>,
    pub(crate) required: Required,
    pub(crate) passes: Selection,
    pub(crate) explain_passes: bool,
    pub(crate) unreached: bool,
    /// Whether changes of the script are listed that no property notices.
    pub(crate) mutants: bool,
    pub(crate) all_errors: bool,
    pub(crate) first_failure: bool,
    /// Whether another run is to be shown than the one that is found first,
    pub(crate) another: bool,
    /// or than those in this file.
    pub(crate) other_than: Option<PathBuf>,
    pub(crate) strict: bool,
    /// Whether files are checked again when they are changed.
    pub(crate) watch: bool,
    /// Whether formulas of branching time are looked at while states are explored.
    pub(crate) on_the_fly: bool,
    /// What engines do without.
    pub(crate) tuning: verify::Tuning,
    pub(crate) reduce: verify::Reduce,
    pub(crate) symmetry: bool,
    pub(crate) format: Format,
    pub(crate) trace: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) overwrite: bool,
    pub(crate) verbose: bool,
    pub(crate) quiet: bool,
    pub(crate) color: Color,
    pub(crate) progress: bool,
    pub(crate) verdicts: Verdicts,
    /// Names of properties that are left out, with `*` for any text.
    pub(crate) silence: Vec<String>,
    /// The options that are given.
    pub(crate) given: Vec<&'static str>,
}

/// The time and the bytes of memory that are given; none are said: no time, and what is usual.
pub(crate) type GivenLimits = (Option<Duration>, Option<u64>);

/// Something to be certified.
#[derive(Debug)]
pub(crate) struct CertifyInvocation {
    pub(crate) path: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    /// Names or texts, as given; none: all.
    pub(crate) properties: Vec<String>,
    /// None: standard output.
    pub(crate) output: Option<PathBuf>,
    pub(crate) overwrite: bool,
    /// What checking the certificate may take, about.
    pub(crate) audit_time: Duration,
    /// The secret key to sign with,
    pub(crate) sign: Option<PathBuf>,
    /// or where a new one is to be written.
    pub(crate) new_key: Option<PathBuf>,
}

/// A certificate to be checked.
#[derive(Debug)]
pub(crate) struct AuditInvocation {
    pub(crate) certificate: PathBuf,
    pub(crate) script: PathBuf,
    pub(crate) limits: GivenLimits,
    /// The public key of whoever has to have signed it.
    pub(crate) signed_by: Option<PathBuf>,
    /// The lowest level that is accepted.
    pub(crate) level: certificate::Level,
}

/// A comparison of what two versions may call.
#[derive(Debug)]
pub(crate) struct DiffInvocation {
    pub(crate) old: PathBuf,
    pub(crate) new: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    pub(crate) json: bool,
}

/// A run to be told.
#[derive(Debug)]
pub(crate) struct SimulateInvocation {
    pub(crate) path: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    pub(crate) property: Option<String>,
    pub(crate) seed: u64,
    /// How many; none is said: a number that fits the language.
    pub(crate) steps: Option<usize>,
    pub(crate) interactive: bool,
    /// Whether the script itself is run, in a concrete world.
    pub(crate) concrete: bool,
    pub(crate) replay: Option<PathBuf>,
    /// What a run is looked for of.
    pub(crate) log: Option<PathBuf>,
    /// Whether other events of the kinds that are logged may come between.
    pub(crate) is_partial: bool,
    /// Where a run that is walked is kept.
    pub(crate) save: Option<PathBuf>,
    /// Where the messages are drawn.
    pub(crate) html: Option<PathBuf>,
    pub(crate) overwrite: bool,
    /// Whether they are drawn in text.
    pub(crate) sequence: bool,
    pub(crate) verbose: bool,
    pub(crate) color: Color,
}

/// A translation.
#[derive(Debug)]
pub(crate) struct TranslateInvocation {
    pub(crate) path: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    /// Names or texts, as given; none: all.
    pub(crate) properties: Vec<String>,
    /// The target as it is given: a language may have a form of its own for it.
    pub(crate) to: String,
    /// What is written of languages that have none; none: nothing.
    pub(crate) target: Option<Translation>,
    pub(crate) passes: Selection,
    /// None: standard output.
    pub(crate) output: Option<PathBuf>,
    pub(crate) overwrite: bool,
    /// The most states of a state graph.
    pub(crate) states: usize,
    /// Which states of a state graph are put together.
    pub(crate) equivalence: Option<Equivalence>,
    /// A run that is written with it.
    pub(crate) run: Option<PathBuf>,
}

/// What a script is translated into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Translation {
    /// A model for SPIN.
    Promela,
    /// A model for NuSMV.
    Smv,
    /// A circuit.
    Aiger,
    /// The control flow, for Graphviz.
    ControlFlow,
    /// The state graph, for Graphviz.
    States,
    /// The state graph in the Aldebaran format.
    Aldebaran,
    /// The state graph as a process of mCRL2.
    Mcrl2States,
}

/// How files are read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Input {
    /// The languages that there are.
    pub(crate) languages: Languages,
    /// The one that is named.
    pub(crate) language: Option<String>,
    /// The languages of files whose names do not tell, by what is in them.
    pub(crate) recognised: BTreeMap<PathBuf, &'static str>,
    /// The options given that mean something for some languages only.
    pub(crate) settings: Settings,
    /// In which part of the states violations of invariants are looked for, if not in all.
    pub(crate) cube: Option<verify::Cube>,
    /// Whether what bears on no property is kept all the same; no option.
    pub(crate) whole: bool,
    /// Whether what states nothing is checked for what goes wrong in many; no option.
    pub(crate) unasked: bool,
    /// Whether it must be visible which statements are executed; no option.
    pub(crate) statements: bool,
    /// Whether files in the folders of scripts and above state options, too.
    pub(crate) config: bool,
}

/// Which verdicts are taken from earlier checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdicts {
    /// Those that are kept where the user keeps such things.
    Kept,
    /// Those that are kept in this folder.
    In(PathBuf),
    /// None, and none are kept.
    New,
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    /// Annotations of a change, and the line that sums up.
    Annotations,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
