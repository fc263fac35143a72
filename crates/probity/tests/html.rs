//! The page of `check --html` in a real browser: a run is stepped through, forwards and back.
//!
//! The browser is Chromium, without a window; where there is none the tests say so and pass. A
//! script at the end of the page uses it as a reader would, and leaves what it sees in the
//! document, which the browser prints.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The browser's program.
fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let mut version = Command::new(name);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        });
    if found.is_none() {
        eprintln!("skipped: there is no chromium (Debian: apt-get install chromium)");
    }
    found
}

/// The page for a file, in a folder of this test's own.
fn page(name: &str, file: &str, options: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(root())
        .args(["check", file, "--html", out.to_str().unwrap()])
        .args(options)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code != 2), "{said}");
    std::fs::read_to_string(out).unwrap()
}

/// What the page says to a script that notes things with `say`, at a fragment.
fn seen(browser: &str, name: &str, page: &str, fragment: &str, script: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    let path = folder.join(name);
    let script = format!(
        "<script>const said = [];\n\
         const say = (what) => said.push(String(what));\n\
         const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));\n\
         const where = () => document.getElementById('where').textContent;\n\
         try {{ {script} }} catch (error) {{ say('error: ' + error); }}\n\
         document.body.dataset.said = JSON.stringify(said);</script>"
    );
    std::fs::write(&path, page.replace("</body>", &format!("{script}</body>"))).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join(format!("{name}.profile")).display()
        ))
        .arg("--dump-dom")
        .arg(format!("file://{}#{fragment}", path.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let start = dom.find("data-said=\"").expect("the script ran to its end") + "data-said=\"".len();
    let said = &dom[start..];
    let said = &said[..said.find('"').unwrap()];
    let said = said
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&said).unwrap()
}

#[test]
fn a_run_of_a_script_is_stepped_through_on_its_lines() {
    let Some(browser) = browser() else { return };
    let page = page("script.html", SCRIPT, &[]);
    let said = seen(
        browser,
        "script-steps.html",
        &page,
        "step=1",
        "say(where()); say(document.querySelectorAll('.source li.now').length > 0);
         document.getElementById('forward').click(); say(where());
         press('ArrowRight'); say(where());
         press('ArrowLeft'); say(where());
         document.getElementById('back').click(); say(where());
         press('Home'); say(where()); say(document.querySelectorAll('.source li.now').length);
         press('ArrowLeft'); say(where());
         say(location.hash.includes('step=0'));
         say(document.querySelectorAll('nav button').length > 0);
         say(document.querySelector('.steps .end') !== null);",
    );
    assert_eq!(said[1], "true", "lines are marked: {said:?}");
    let step = |text: &str| -> String { text.split(" of ").next().unwrap().to_owned() };
    let steps: Vec<String> = [0, 2, 3, 4, 5].map(|at| step(&said[at])).to_vec();
    assert_eq!(steps, ["step 1", "step 2", "step 3", "step 2", "step 1"]);
    assert_eq!(step(&said[6]), "beginning");
    assert_eq!(said[7], "0", "at the beginning no line is marked");
    assert_eq!(step(&said[8]), "beginning", "there is nothing before it");
    assert_eq!(said[9..], ["true", "true", "true"]);
}

/// A script with a run of several steps that fails.
const SCRIPT: &str = "examples/lsl/tip-jar/tip-jar.lsl";
