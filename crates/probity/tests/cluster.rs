//! `probity check --cluster`, as it is run: real processes on this machine.
//!
//! A process is killed a few times here; `cargo xtask conform kills --random COUNT` does so that often in each way.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stdout, reason = "how many processes were lost is told")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Options that make searches comparable: nothing is left out, and nothing looked for in the depth.
const COMPARABLE: &[&str] = &[
    "--engine",
    "explicit",
    "--reduce",
    "none",
    "--tune",
    "depth-probe=off",
    "--no-cache",
    "--format",
    "json",
];

/// Three counters of so many values, all of which can be reached, and an assertion that holds.
fn counters(most: u32) -> String {
    format!(
        "byte a, b, c;\n\
         active proctype A() {{ do :: a < {most} -> a++ :: a == {most} -> a = 0 od }}\n\
         active proctype B() {{ do :: b < {most} -> b++ :: b == {most} -> b = 0 od }}\n\
         active proctype C() {{ do :: c < {most} -> c++; assert(c <= {most}) :: c == {most} -> c = 0 od }}\n"
    )
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn check(model: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.arg("check").arg(model).args(COMPARABLE);
    command.stderr(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// What is said of each property: its verdict, how long its run is, and counts where no failure ended the search.
type Said = Vec<(String, String, Option<String>, Option<(u64, u64)>)>;

fn said(out: &[u8]) -> Said {
    let report: Value = serde_json::from_slice(out)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(out)));
    let properties = report["files"][0]["properties"].as_array().unwrap();
    let fails = |property: &Value| property["verdict"] == "fails";
    let some_fail = properties.iter().any(fails);
    let one = |property: &Value| {
        let text = |name: &str| property[name].as_str().unwrap_or("").to_owned();
        let number = |name: &str| property["statistics"][name].as_u64();
        let ends = fails(property) || some_fail && number("shared_by") != Some(1);
        let why = text("why");
        let verdict = match why.contains("(`--cluster`)") {
            true => "refused".to_owned(),
            false => text("verdict"),
        };
        let counts = number("states").zip(number("transitions"));
        let steps = property["story"]["steps"].as_array();
        // Which loop is found first is not the same for searches of different kinds.
        let length = steps.map(|steps| match property["story"]["repeats_from"].is_u64() {
            true => "a loop".to_owned(),
            false => steps.len().to_string(),
        });
        (text("name"), verdict, length, counts.filter(|_| !ends))
    };
    properties.iter().map(one).collect()
}

#[test]
fn clusters_of_any_size_say_what_one_process_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let (mut compared, mut counted) = (0, 0);
    for model in [
        "lock/lock.pml",
        "lock/peterson.pml",
        "dining/dining.pml",
        "transfer/transfer.pml",
        "alternating-bit/alternating-bit.pml",
        // These make terms while they run.
        "../tscript/request/request.tb",
        "../tscript/auction/repaired.tb",
    ] {
        let model = root.join(model);
        let alone = said(&check(&model).output().unwrap().stdout);
        for count in 1..=4 {
            let out = check(&model)
                .args(["--cluster", &format!("local:{count}")])
                .output();
            let out = out.unwrap();
            let together = said(&out.stdout);
            assert_eq!(together.len(), alone.len());
            for (one, other) in alone.iter().zip(&together) {
                if other.1 != "refused" {
                    let comparable = |said: &(String, String, Option<String>, _)| {
                        (said.0.clone(), said.1.clone(), said.2.clone())
                    };
                    let about = format!("{} {count}", model.display());
                    assert_eq!(comparable(one), comparable(other), "{about}");
                    if let (Some(one), Some(other)) = (one.3, other.3) {
                        assert_eq!(one, other, "{about}");
                        counted += 1;
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 40 && counted >= 16, "{compared} {counted}");
}

/// Two that take turns, formulas about them, some of which hold only if both are treated fairly, and one that waits
/// for a message that never comes.
const TURNS: &str = "byte x, y; chan c = [1] of { byte };\n\
    active proctype P() { do :: x = 1 - x; progress: skip od }\n\
    active proctype Q() { do :: y < 3 -> y++ :: else -> y = 0 od }\n\
    active proctype R() { c?1 }\n\
    ltl never_always { <>[] (x == 1) }\n\
    ltl again { []<> (x == 1) }\n\
    ltl answered { [] (y == 2 -> <> (y == 0)) }\n\
    ltl stays { [] (y <= 3) }\n\
    ltl bounded { <>[] (y < 5) }\n";

#[test]
fn runs_for_ever_are_found_and_ruled_out() {
    let folder = folder("cluster-ltl");
    let model = folder.join("turns.pml");
    std::fs::write(&model, TURNS).unwrap();
    let mut verdicts = std::collections::BTreeSet::new();
    for options in [&["--fair", "weak"] as &[&str], &[]] {
        let check = || {
            let mut command = check(&model);
            command.args(options);
            command
        };
        let alone = said(&check().output().unwrap().stdout);
        for count in 1..=3 {
            let cluster = format!("local:{count}");
            let out = check().args(["--cluster", &cluster]).output().unwrap();
            let together = said(&out.stdout);
            assert_eq!(together, alone, "{options:?} {count}");
            let each = together.iter().map(|it| (it.1.clone(), it.2.clone()));
            verdicts.extend(each);
        }
    }
    let looped = ("fails".to_owned(), Some("a loop".to_owned()));
    assert!(verdicts.contains(&looped) && verdicts.contains(&("holds".to_owned(), None)));
}

#[test]
fn what_no_cluster_searches_for_is_refused_and_not_said_to_hold() {
    let folder = folder("cluster-ctl");
    let model = folder.join("turns.smv");
    let text = "MODULE main\nVAR x : boolean;\nASSIGN next(x) := !x;\nCTLSPEC AG EF x\n";
    std::fs::write(&model, text).unwrap();
    let out = check(&model)
        .args(["--cluster", "local:2"])
        .output()
        .unwrap();
    let said = said(&out.stdout);
    assert_eq!(
        said.iter().map(|it| &*it.1).collect::<Vec<_>>(),
        ["refused"]
    );
    assert_eq!(out.status.code(), Some(3));
}

/// The processes that this one has started, by their numbers.
fn children(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(number) = process.file_name().to_string_lossy().parse() else {
            continue;
        };
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // Behind the name, which may hold anything: the state, and who has started it.
        let parent = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(1));
        if parent == Some(&of.to_string()) {
            found.push(number);
        }
    }
    found.sort_unstable();
    found
}

fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.is_ok());
}

/// Starts a search of three counters by so many processes; and what one process says.
fn started(name: &str, most: u32, more: &[&str]) -> (Child, Said) {
    let folder = folder(name);
    let model = folder.join("counters.pml");
    std::fs::write(&model, counters(most)).unwrap();
    let alone = said(&check(&model).output().unwrap().stdout);
    let kept = folder.join("kept");
    let kept = kept.to_string_lossy();
    let child = check(&model)
        .args(more)
        .args(["--checkpoint", &kept])
        .spawn()
        .unwrap();
    (child, alone)
}

/// What one or more commands that search together said, each of which has one report.
fn waited_for(commands: Vec<Child>) -> (Vec<Said>, String) {
    let outputs = commands
        .into_iter()
        .map(|it| it.wait_with_output().unwrap());
    let (mut reports, mut told) = (Vec::new(), String::new());
    for out in outputs {
        told += &String::from_utf8_lossy(&out.stderr);
        reports.push(said(&out.stdout));
    }
    (reports, told)
}

/// Searches again and again, kills a process at a random moment each time until so many were lost that way, and compares
/// what is said with what one process says. Each search has a number.
fn with_kills(model: &Path, seed: u64, begin: &dyn Fn(usize) -> Vec<Child>) {
    let count = std::env::var("PROBITY_RANDOM_COUNT").ok();
    let count = count.map_or(3, |count| count.parse().unwrap());
    let alone = said(&check(model).output().unwrap().stdout);
    let began = Instant::now();
    let (undisturbed, _) = waited_for(begin(0));
    let whole = began.elapsed();
    assert!(undisturbed.iter().all(|it| *it == alone));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut searches, mut lost) = (0, 0);
    while lost < count {
        searches += 1;
        assert!(
            searches <= 10 * count,
            "searches are over before: {lost} of {count}"
        );
        let mut commands = begin(searches);
        std::thread::sleep(whole.mul_f64(0.9 * random.f64()));
        let processes = commands.iter().flat_map(|it| children(it.id()));
        let processes: Vec<u32> = processes.collect();
        if !processes.is_empty() {
            signal(processes[random.usize(..processes.len())], "-KILL");
        }
        // Nobody ends so soon after a loss, and whoever is lost when others have ended has nobody to go on with.
        std::thread::sleep(Duration::from_millis(200));
        let mut ended = commands.iter_mut().map(|it| it.try_wait().unwrap());
        if ended.any(|status| status.is_some()) {
            for mut command in commands {
                command.kill().unwrap();
                command.wait().unwrap();
            }
            continue;
        }
        let (reports, told) = waited_for(commands);
        assert!(reports.iter().all(|it| *it == alone), "{reports:?} {told}");
        lost += usize::from(told.contains("was lost"));
    }
    println!("{lost} of {searches} searches of {whole:.1?} lost a process, and all said the same");
}

/// So many processes of this machine, started by one command.
fn on_this_machine(model: &Path, count: usize, kept: &Path) -> Vec<Child> {
    let mut command = check(model);
    command.args(["--cluster", &format!("local:{count}")]);
    command.arg("--checkpoint").arg(kept);
    vec![command.spawn().unwrap()]
}

#[test]
fn a_process_that_is_killed_changes_nothing() {
    let folder = folder("cluster-killed");
    let model = folder.join("counters.pml");
    std::fs::write(&model, counters(150)).unwrap();
    with_kills(&model, 1, &|number| {
        on_this_machine(&model, 3, &folder.join(number.to_string()))
    });
}

/// The processes of a list of hosts, each as it would be started on a machine of its own.
fn on_hosts(folder: &Path, count: usize, kept: &Path) -> Vec<Child> {
    let listeners: Vec<_> = (0..count)
        .map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let addresses = listeners.iter().map(|it| it.local_addr().unwrap());
    let addresses: Vec<String> = addresses.map(|it| it.to_string()).collect();
    let hosts = folder.join("hosts.txt");
    std::fs::write(&hosts, format!("# all\n{}\n", addresses.join("\n"))).unwrap();
    drop(listeners);
    let one = |process: usize| {
        let mut command = check(&folder.join("counters.pml"));
        command.arg("--cluster").arg(&hosts);
        command.arg("--checkpoint").arg(kept);
        command.args(["--process", &process.to_string()]);
        command.env("PROBITY_CLUSTER_SECRET", "a secret of these processes");
        command.spawn().unwrap()
    };
    (0..count).map(one).collect()
}

#[test]
fn machines_begin_again_by_themselves_when_one_is_lost() {
    let folder = folder("cluster-hosts");
    let model = folder.join("counters.pml");
    std::fs::write(&model, counters(130)).unwrap();
    with_kills(&model, 2, &|number| {
        on_hosts(&folder, 3, &folder.join(number.to_string()))
    });
}

#[test]
fn a_list_of_hosts_needs_a_secret_and_addresses() {
    let folder = folder("cluster-secret");
    let hosts = folder.join("hosts.txt");
    std::fs::write(folder.join("counters.pml"), counters(3)).unwrap();
    for (list, secret, why) in [
        ("127.0.0.1:7000", None, "PROBITY_CLUSTER_SECRET"),
        ("127.0.0.1:7000\nno address", Some("a secret"), "line 2"),
        ("127.0.0.1:7000", Some("short"), "secret"),
        ("", Some("a secret of these"), "no addresses"),
    ] {
        std::fs::write(&hosts, list).unwrap();
        let mut command = check(&folder.join("counters.pml"));
        command
            .arg("--cluster")
            .arg(&hosts)
            .args(["--process", "0"]);
        command.env_remove("PROBITY_CLUSTER_SECRET");
        if let Some(secret) = secret {
            command.env("PROBITY_CLUSTER_SECRET", secret);
        }
        let out = command.output().unwrap();
        let err = String::from_utf8_lossy(&out.stderr);
        assert!(err.contains(why), "{list}: {err}");
        assert_eq!(out.status.code(), Some(2), "{err}");
    }
}

#[test]
fn a_search_for_runs_begins_again_when_a_process_is_killed() {
    let folder = folder("cluster-killed-ltl");
    let model = folder.join("counters.pml");
    let text = counters(60) + "ltl again { []<> (a < 60) }\nltl holds { <>[] (b <= 60) }\n";
    std::fs::write(&model, text).unwrap();
    with_kills(&model, 3, &|number| {
        on_this_machine(&model, 2, &folder.join(number.to_string()))
    });
}

#[test]
fn a_process_that_does_not_answer_for_a_while_changes_nothing() {
    let options = ["--cluster", "local:2", "--progress"];
    let (mut child, alone) = started("cluster-stopped", 180, &options);
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    // The processes know each other when the search has got somewhere.
    let is_at_work = |line: &String| line.contains("states,") && !line.contains("| 1 states,");
    assert!(
        told.by_ref()
            .map_while(Result::ok)
            .any(|it| is_at_work(&it))
    );
    let began = Instant::now();
    let stopped = children(child.id())[1];
    signal(stopped, "-STOP");
    std::thread::sleep(Duration::from_secs(6));
    signal(stopped, "-CONT");
    let rest: Vec<String> = told.map_while(Result::ok).collect();
    let out = child.wait_with_output().unwrap();
    assert_eq!(said(&out.stdout), alone);
    assert!(began.elapsed() >= Duration::from_secs(6));
    let told = rest.join("\n");
    assert!(told.contains("waits for process 1"), "{told}");
}

#[test]
fn what_was_saved_and_damaged_is_refused() {
    let (child, alone) = started("cluster-damaged", 150, &["--cluster", "local:2"]);
    let out = child.wait_with_output().unwrap();
    assert_eq!(said(&out.stdout), alone);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-damaged");
    let kept = folder.join("kept");
    let model = folder.join("counters.pml");
    let manifests = std::fs::read_dir(&kept)
        .unwrap()
        .map(|file| file.unwrap().path());
    let manifests = manifests.filter(|it| it.extension().is_some_and(|it| it == "manifest"));
    let whole = manifests.filter(|it| std::fs::metadata(it).unwrap().len() > 0);
    let whole: Vec<PathBuf> = whole.collect();
    assert!(
        !whole.is_empty(),
        "it takes longer than between two times of saving"
    );
    let resume = |count: &str| {
        let mut command = check(&model);
        command.args(["--cluster", count, "--resume"]).arg(&kept);
        command.output().unwrap()
    };
    assert_eq!(
        said(&resume("local:3").stdout),
        alone,
        "with another number of processes"
    );
    for manifest in &whole {
        let mut bytes = std::fs::read(manifest).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(manifest, bytes).unwrap();
    }
    let out = resume("local:2");
    assert_eq!(out.status.code(), Some(2));
    let err = String::from_utf8_lossy(&out.stderr);
    assert!(err.contains("CLI0004"), "{err}");
}
