//! The bus in Java, where it is installed.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::script::Script;

/// How long a script may run there.
const LONGEST: Duration = Duration::from_secs(2);

/// The bus in Java.
pub(crate) struct Bus {
    classes: String,
}

impl Bus {
    /// The one that `PROBITY_TOOLBUS` names.
    pub(crate) fn named() -> Option<Bus> {
        let classes = std::env::var("PROBITY_TOOLBUS").ok()?;
        Some(Bus { classes })
    }

    /// The labels that a script prints there, and whether the bus halts with an error.
    pub(crate) fn run(&self, script: &Script) -> (Vec<usize>, bool) {
        let file = std::env::temp_dir().join(format!("probity-{}.tb", std::process::id()));
        std::fs::write(&file, script.text("\\n")).unwrap();
        let mut child = Command::new("java")
            .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"])
            .args([&self.classes, "toolbus.Main"])
            .arg(format!("-S{}", file.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < LONGEST {
            std::thread::sleep(Duration::from_millis(20));
        }
        // It is over, or waits for ever.
        let _ = child.kill();
        let (mut printed, mut said) = (Vec::new(), Vec::new());
        child
            .stdout
            .take()
            .unwrap()
            .read_to_end(&mut printed)
            .unwrap();
        child.stderr.take().unwrap().read_to_end(&mut said).unwrap();
        let _ = child.wait();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let said = String::from_utf8_lossy(&said).into_owned();
        let labels = printed
            .lines()
            .filter_map(|line| line.strip_prefix('L')?.parse().ok());
        (
            labels.collect(),
            said.contains("exception occured in process"),
        )
    }
}
