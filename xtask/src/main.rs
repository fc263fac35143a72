//! Chores of the project: `cargo xtask test | tidy | pictures | bench | conform | fleet | fuzz | mutate`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore tells what it does"
)]

mod bench;
mod conform;
mod fleet;
mod fuzz;
mod gen_nodegraph;
mod mcrl2;
mod measure;
mod mutants;
mod mutate;
mod pictures;
mod random;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  test [--require-reference]     everything that has to be right before a change goes in
  tidy                           the rules of the house that a program can check
  bench auction [--runs N] [--write]
                                 the auction's figures, whole process; --write puts them into
                                 docs/benchmarks.md
  bench ablation [--runs N] [--write] [--program FILE] [--only MODEL]... [--technique NAME]...
                                 time and memory without each technique that --tune lists
  bench proofs [--limit TIME] [--write] [--program FILE] [SCRIPT...]
                                 the auctions for all amounts, property by property
  bench sat [--write] [proofs] [checks] [solvers]
                                 proofs on growing circuits; solvers beside each other
  bench spin [--runs N] [--write] [--program FILE] [--growth EXPONENT] [--only MODEL]... [PART...]
                                 ours beside SPIN's; parts: whole speed reduced growth; with --only,
                                 speed on these models of the table
  bench beem [--limit SECONDS] [--write] [--program FILE] DIR...
                                 Promela models below the folders, explored by SPIN's verifier and
                                 by us, all states and reduced
  bench circuits [--limit SECONDS] [--write] [--program FILE] DIR...
                                 circuits in AIGER's binary format, ours beside ABC's pdr
                                 (berkeley-abc, or the program that PROBITY_ABC names)
  bench nusmv [--limit SECONDS] [--engine E] [--write] [--program FILE] [DIR...]
                                 models below the folders, ours beside NuSMV's if PROBITY_NUSMV
                                 names its program
  bench nodegraph [--runs N] [--limit SECONDS] [--nodes N] [--write] [--program FILE]
                                 scripts of nodes, small and large; our translation by NuSMV too if
                                 PROBITY_NUSMV names its program
  bench tscript [--runs N] [--limit TIME] [--write] [--program FILE]
                                 the ToolBus's auction with one bidder and two
  bench mcrl2 [--limit SECONDS] [--bidders N] [--jobs N] [--write] [--program FILE]
                                 the ToolBus's auction by mCRL2's tools, whose folder PROBITY_MCRL2
                                 names, and by ours
  bench tvla [--runs N] [--limit TIME] [--write] [--program FILE] [--only MODEL]...
                                 models of threads from TVLA's tree, which PROBITY_TVLA names
  bench mobile [--limit SECONDS] [--write] [--program FILE]
                                 small programs in C, beside ESBMC if PROBITY_ESBMC names it
  bench lsp [--rounds N] [--write] [--program FILE]
                                 how long an editor waits on a script of 5,000 lines
  bench cluster [--runs N] [--size N] [--write] [--program FILE]
                                 one search by several processes, beside threads
  bench deep [--limit TIME] [--write] [--program FILE]
                                 failures that lie deep, ours beside SPIN's
  bench diagrams [--limit SECONDS] [--write] [--program FILE]
                                 queens, pigeons, adders and multipliers by decision diagrams,
                                 beside NuSMV if PROBITY_NUSMV names its program
  bench disk [--billion] [--write] [--program FILE]
                                 searches with states on disk, beside the same in memory
  pictures                       the pictures of the documents, with Chromium
  gen-nodegraph [--nodes N] [--seed N] [--side N] [--length N] [--loops] [--bug] [-o FILE]
                                 a random script of nodes
  conform lsl [--scripts N] [--runs N] [--seed S]
                                 random LSL scripts and the examples, verified, and run in a concrete
                                 world: no run may break what is said to hold
  conform spin [--random COUNT]  states, transitions and verdicts against SPIN's, on its own
                                 examples or on random models
  conform smv --random COUNT     our engines on random SMV models, beside NuSMV where
                                 PROBITY_NUSMV names it
  conform nodegraph DIR          which graphs below a folder load, and why others do not
  conform nodegraph [--graphs N] [--seed N] [--peer babylon|behave] [--jobs N] [--shrink N]
                    [--program FILE] [--keep DIR]
                                 random graphs beside the engines that run them, which npm fetches
  conform tscript [--random COUNT]
                                 random Tscripts in a concrete world, and in the bus in Java where
                                 PROBITY_TOOLBUS is its class path
  conform tscript DIR            which scripts below a folder load, and whether they print what the
                                 .out files beside them say
  conform mcrl2                  scripts of the ToolBus beside what mCRL2's tools make of them, where
                                 PROBITY_MCRL2 names the folder of these tools
  conform mcrl2 DIR              the scripts below a folder: all that have a translation are read by
                                 mCRL2's tools, and have the same graph
  conform mcrl2 DIR [--limit TIME] [--program FILE]
                                 below a folder with models of mCRL2: their formulas say of their graphs
                                 here what they say in mCRL2
  conform mobile DIR [--limit TIME] [--program FILE]
                                 C programs below a folder under the policy of a sandbox
  conform checks DIR [--limit TIME] [--write]
                                 LSL scripts beside what was found by reading them, listed in
                                 docs/lsl-corpus.tsv
  conform scripts DIR [--limit TIME]
                                 LSL scripts of a folder, without properties: whether each is read and
                                 keeps its limit, and how many of the checks are answered
  conform strangers DIR [--limit TIME] [--program FILE] [--with OPTION]... [--write]
                                 Promela, SMV, AIGER, Tscript and graphs below a folder: which are read, why others
                                 are not, what is found; beside SPIN, and NuSMV where PROBITY_NUSMV names it
  conform cluster [--limit TIME] [--program FILE] [PATH...]
                                 Promela models by clusters of one to four processes, beside one
                                 process without
  conform kills --random COUNT   searches by several processes, of which one is killed at so many points
  conform limits                 each limit in each phase, asked and taken
  conform turns                  properties beside hopeless ones, and alone
  conform stops --random COUNT   verifications stopped at so many points, killed and asked to stop
  fleet [JOBS]                   the Python package for Dask: a thousand jobs, or so many, over four
                                 workers of which two are killed
  fuzz [--minutes N] [--target T]... [--seed N] [--corpus DIR] [--found DIR]
                                 changed examples through every reader; what panics is made small
  engines [LIMIT]                every engine on every example, each with this time (default 30s):
                                 no failure is left unreplayed, no invariant rejected
  mutate [CRATE [--from N]]      plants faults (from the Nth on), sees whether the tests catch them
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match *words {
        ["test"] => test::run(false),
        ["test", "--require-reference"] => test::run(true),
        ["tidy"] => tidy::run(),
        ["pictures"] => pictures::run(),
        ["bench", "auction", ref options @ ..] => bench::run(options),
        ["bench", "ablation", ref options @ ..] => bench::ablation(options),
        ["bench", "proofs", ref options @ ..] => bench::proofs(options),
        ["bench", "sat", ref options @ ..] => bench::sat(options),
        ["bench", "spin", ref options @ ..] => bench::spin(options),
        ["bench", "tscript", ref options @ ..] => bench::tscript(options),
        ["bench", "mcrl2", ref options @ ..] => bench::mcrl2(options),
        ["bench", "tvla", ref options @ ..] => bench::tvla(options),
        ["bench", "mobile", ref options @ ..] => bench::mobile(options),
        ["bench", "beem", ref options @ ..] => bench::beem(options),
        ["bench", "circuits", ref options @ ..] => bench::circuits(options),
        ["bench", "nusmv", ref options @ ..] => bench::nusmv(options),
        ["bench", "diagrams", ref options @ ..] => bench::diagrams(options),
        ["bench", "nodegraph", ref options @ ..] => bench::nodegraph(options),
        ["bench", "lsp", ref options @ ..] => bench::lsp(options),
        ["bench", "cluster", ref options @ ..] => bench::cluster(options),
        ["bench", "deep", ref options @ ..] => bench::deep(options),
        ["bench", "disk", ref options @ ..] => bench::disk(options),
        ["gen-nodegraph", ref options @ ..] => gen_nodegraph::run(options),
        ["conform", "lsl", ref options @ ..] => conform::lsl(options),
        ["conform", "spin", ref options @ ..] => conform::spin(options),
        ["conform", "smv", ref options @ ..] => conform::smv(options),
        ["conform", "nodegraph", ref options @ ..] => conform::nodegraph(options),
        ["conform", "tscript", ref options @ ..] => conform::tscript(options),
        ["conform", "cluster", ref options @ ..] => conform::cluster(options),
        ["conform", "mcrl2", ref options @ ..] => conform::mcrl2(options),
        ["conform", "mobile", ref options @ ..] => conform::mobile(options),
        ["conform", "checks", ref options @ ..] => conform::checks(options),
        ["conform", "scripts", ref options @ ..] => conform::scripts(options),
        ["conform", "strangers", ref options @ ..] => conform::strangers(options),
        ["conform", "limits", ref options @ ..] => conform::limits(options),
        ["conform", "turns"] => conform::turns(),
        ["conform", "kills", ref options @ ..] => conform::kills(options),
        ["conform", "stops", ref options @ ..] => conform::stops(options),
        ["fleet"] => fleet::run(None),
        ["fleet", jobs] => fleet::run(Some(jobs)),
        ["fuzz", ref options @ ..] => fuzz::run(options),
        ["engines"] => test::engines("30s"),
        ["engines", limit] => test::engines(limit),
        ["mutate"] => mutate::run(None, "1"),
        ["mutate", package] => mutate::run(Some(package), "1"),
        ["mutate", package, "--from", first] => mutate::run(Some(package), first),
        // Not for people: a process of its own, so that the peak memory is one command's.
        ["measure", program, ref arguments @ ..] => measure::run(program, arguments),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: failed to {error}");
            ExitCode::FAILURE
        }
    }
}
