//! The page of `check --html` in a real browser: a run is stepped through, forwards and back, jumped along
//! and filtered, in each language, at several sizes, and at any length.
//!
//! The browser is Chromium, without a window; where there is none the tests say so and pass. A
//! script at the end of the page uses it as a reader would, and leaves what it sees in the
//! document, which the browser prints.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(
    clippy::print_stderr,
    reason = "what is skipped is said, and what is measured"
)]

mod browser;
mod designer;
mod languages;
mod layout;
mod long;

use browser::{browser, page, seen};

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

#[test]
fn a_run_of_a_graph_is_stepped_through_on_its_drawing() {
    let Some(browser) = browser() else { return };
    for file in [
        "bug.json",
        "bug.t3d",
        "bug.gltf",
        "bug.scriptcanvas",
        "bug.asset",
        "bug.torch",
    ] {
        let page = page(
            &format!("{file}.html"),
            &format!("examples/nodegraph/event-mode/{file}"),
            &[],
        );
        let said = seen(
            browser,
            &format!("{file}-steps.html"),
            &page,
            "step=0",
            "const now = () => document.querySelectorAll('.box.now').length;
             const lines = () => document.querySelectorAll('.line.now').length;
             const changed = () => [...document.querySelectorAll('tr.changed td')].map((cell) => cell.textContent).join(' ');
             say(now() + ' ' + lines());
             press('ArrowRight'); say(where()); say(now() > 1); say(lines() > 0); say(changed());
             say(document.querySelectorAll('.box.changed').length > 0);
             press('ArrowRight'); press('ArrowLeft'); say(where()); say(changed());
             document.getElementById('signals').click();
             say(now()); press('ArrowRight'); say(now()); say(where());
             const boxes = [...document.querySelectorAll('.box rect.body')].map((box) => box.getBBox());
             const over = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
             say(boxes.some((a, i) => boxes.some((b, j) => i < j && over(a, b))));",
        );
        assert_eq!(said[0], "0 0", "{file}: nothing happens at the beginning");
        assert!(said[1].starts_with("step 1 of "), "{file}: {said:?}");
        assert_eq!(
            said[2..4],
            ["true", "true"],
            "{file}: boxes and lines are marked"
        );
        assert_eq!(said[4], "EventMode false \u{2192} true", "{file}");
        assert_eq!(said[5], "true", "{file}: a box shows its new state");
        assert_eq!(said[6], said[1], "{file}: forwards and back");
        assert_eq!(said[7], said[4], "{file}");
        assert_eq!(said[8], "1", "{file}: signal by signal, one box at a time");
        assert_eq!(said[9], "1", "{file}");
        assert_eq!(said[10], said[1], "{file}: still in the same step");
        assert_eq!(said[11], "false", "{file}: boxes do not cover each other");
    }
}

#[test]
fn a_very_large_graph_is_drawn_as_it_is_seen() {
    let Some(browser) = browser() else { return };
    // A sound after the other, and a wait after each nine of them.
    const NODES: usize = 1_300;
    let is_wait = |at: usize| at.is_multiple_of(10);
    let node = |at: usize| {
        let kind = if is_wait(at) { "Delay" } else { "PlaySE" };
        format!(r#"{{"name": "n{at}", "kind": "{kind}"}}"#)
    };
    let into = |at: usize| if is_wait(at) { "Start" } else { "In" };
    let out = |at: usize| if is_wait(at) { "Finished" } else { "Out" };
    let link = |at: usize| format!(r#""n{at}.{} -> n{}.{}""#, out(at), at + 1, into(at + 1));
    let script = format!(
        r#"{{"nodegraph": 1, "flags": {{"Lamp": false}}, "nodes": [
             {{"name": "start", "kind": "ScriptStart"}},
             {{"name": "on", "kind": "SetFlag", "with": {{"flag": "Lamp"}}}},
             {}],
           "links": ["start.Out -> n1.In", "n{NODES}.Finished -> on.Enable", {}],
           "properties": {{"dark": "AG !Lamp"}}}}"#,
        (1..=NODES).map(node).collect::<Vec<_>>().join(",\n"),
        (1..NODES).map(link).collect::<Vec<_>>().join(",\n"),
    );
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.json");
    std::fs::write(&file, script).unwrap();
    let page = page("large.html", file.to_str().unwrap(), &[]);
    let said = seen(
        browser,
        "large-steps.html",
        &page,
        "step=2",
        "const boxes = () => document.querySelectorAll('.box').length;
         const now = () => [...document.querySelectorAll('.box.now title')].map((title) => title.textContent.split(':')[0]).sort().join(' ');
         say(where()); say(now()); say(boxes() < 400);
         press('End'); say(where()); say(now()); say(document.querySelectorAll('.line.now').length > 0);
         say([...document.querySelectorAll('tr.changed td')].map((cell) => cell.textContent).join(' '));
         press('ArrowLeft'); say(now()); say(boxes() < 800);
         press('Home'); press('ArrowRight'); press('ArrowRight'); say(now());",
    );
    assert_eq!(said[0], "step 2 of 131");
    let second = "n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20";
    assert_eq!(said[1], second, "{said:?}");
    assert_eq!(said[2], "true", "what is out of sight is not drawn");
    assert_eq!(said[3], "step 131 of 131");
    assert_eq!(said[4], "n1300 on", "{said:?}");
    assert_eq!(said[5], "true", "lines come with their boxes");
    assert_eq!(said[6], "Lamp false \u{2192} true");
    let last_but_one = "n1290 n1291 n1292 n1293 n1294 n1295 n1296 n1297 n1298 n1299 n1300";
    assert_eq!(said[7], last_but_one, "{said:?}");
    assert_eq!(said[8], "true", "nor is what lies between");
    assert_eq!(said[9], second, "{said:?}");
}
