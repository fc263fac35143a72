//! A report of each language: it opens where the run goes wrong, and its reader steps, jumps and filters.

use crate::browser::{browser, folder, page, seen, seen_in};

/// Examples that fail: the file with options, and what the headline says.
const EXAMPLES: &[(&str, &str, &[&str], &str)] = &[
    (
        "lsl",
        "examples/lsl/tip-jar/tip-jar.lsl",
        &[],
        "Line 77, llGiveMoney(dj, llRound(amount * DJ_SHARE / 100.0)): left becomes -1, and always left >= 0 does not hold.",
    ),
    (
        "promela",
        "examples/promela/alternating-bit/any-acknowledgement.pml",
        &[],
        "Line 40, assert(message == got) in Receiver (pid 1): assert(message == got) does not hold.",
    ),
    (
        "smv",
        "examples/smv/counter.smv",
        &[],
        "n becomes 7, and n < 7 does not hold.",
    ),
    (
        "tscript",
        "examples/tscript/auction/original.tb",
        &[],
        "Line 107, + rec-disconnect(Bid) . delta: ",
    ),
    (
        "mobile",
        "examples/mobile/shopping/agent.c",
        &[
            "--policy",
            "examples/mobile/shopping/sa-c.policy",
            "--net",
            "examples/mobile/shopping/sa.locnet",
        ],
        "the policy denies this call: ",
    ),
    (
        "tvm",
        "examples/tvm/mutex/broken.tvm",
        &[],
        "Line 71, takeGlobal (gl_seen to gl_2) in threads#2: mutualExclusion reports \"two threads are inside\".",
    ),
    ("java", "examples/java/counter/Broken.java", &[], "Line 6, "),
    (
        "wasm",
        "examples/wasm/update.wasm",
        &[
            "--policy",
            "examples/wasm/sandbox.policy",
            "--net",
            "examples/wasm/home.locnet",
        ],
        "in module (pid 0): the policy denies this call: ",
    ),
    (
        "aiger",
        "examples/aiger/arbiter/arbiter.aag",
        &[],
        "After step 1, steps 2 to 3 repeat for ever: left_never_again stays true.",
    ),
    (
        "nodegraph",
        "examples/nodegraph/event-mode/bug.json",
        &[],
        "If \u{25b8} False leads nowhere: EventMode stays true.",
    ),
];

/// Uses a report by keys alone, and compares what is shown with what the page was given.
const USE: &str = "
    say(document.getElementById('headline').textContent);
    const story = player.run.story;
    const number = () => document.querySelector('.steps [aria-current] .no').textContent;
    const shows = () => {
      const at = player.step() - 1;
      const changes = at < 0 ? [] : player.run.changes(at).filter((one) => !one.variable.detail).map((one) => one.before + ' \u{2192} ' + one.after);
      const cells = [...document.querySelectorAll('tr.changed td:last-child')].map((cell) => cell.textContent);
      return cells.every((cell) => changes.includes(cell)) && number().startsWith(String(player.step()));
    };
    say(player.step() === story.opens_at && story.opens_at > 0);
    say(document.querySelector('.culprit') !== null || story.culprit.line === null);
    say(shows());
    press('Home'); say(where().startsWith('beginning of '));
    let steps = 0, told = true;
    while (player.at < player.frames.count - 1) { press('ArrowRight'); steps += 1; told = told && shows(); }
    say(steps === player.run.shown); say(told);
    press('ArrowLeft'); say(shows());
    press('o'); say(player.step() === story.opens_at);
    const variable = player.run.variables.find((one) => !one.detail && one.steps.length > 0);
    press('e'); say(document.activeElement.id); type('watch', variable.name); document.activeElement.blur();
    press('Home'); press('n'); say(player.step() === variable.steps[0] + 1);
    press('End'); press('p'); say(player.step() - 1 <= variable.steps[variable.steps.length - 1]);
    press('f'); say(document.activeElement.id); type('filter', variable.name); document.activeElement.blur();
    press('Home'); const listed = [];
    while (player.at < player.frames.count - 1) { press('ArrowRight'); listed.push(player.step() - 1); }
    const matching = player.run.variables.filter((one) => one.name.toLowerCase().includes(variable.name.toLowerCase()));
    say(listed.length > 0 && listed.every((step) => matching.some((one) => one.steps.includes(step))));
    type('filter', ''); press('Home');
    press('c'); say(player.chart ? document.querySelectorAll('.said').length > 0 : 'no messages'); press('c');
    say(getComputedStyle(document.body).backgroundColor);";

#[test]
fn a_report_of_each_language_is_used() {
    let Some(browser) = browser() else { return };
    for &(language, file, options, headline) in EXAMPLES {
        let page = page(&format!("{language}.html"), file, options);
        let mut grounds = Vec::new();
        for scheme in ["preferredColorScheme=1", "preferredColorScheme=0"] {
            let argument = format!("--blink-settings={scheme}");
            let name = format!("{language}-{scheme}.html");
            let said = seen_in(browser, &name, &page, "", USE, &[&argument]);
            assert!(said[0].contains(headline), "{language}: {}", said[0]);
            let expected = [
                "true", "true", "true", "true", "true", "true", "true", "true", "watch", "true",
                "true", "filter", "true",
            ];
            assert_eq!(said[1..14], expected, "{language}");
            let charts = ["lsl", "promela", "tscript"].contains(&language);
            assert_eq!(said[14] == "true", charts, "{language}: {}", said[14]);
            grounds.push(said[15].clone());
        }
        assert_ne!(grounds[0], grounds[1], "{language}: light and dark");
    }
}

#[test]
fn expressions_are_evaluated_as_written() {
    let Some(browser) = browser() else { return };
    let page = page("evaluated.html", "examples/smv/counter.smv", &[]);
    let cases = [
        ("n", "7"),
        ("n + 1 * 2 - 3", "6"),
        ("(n + 1) * 2 % 5", "1"),
        ("-n / 2", "-3"),
        ("n = 7 and not n < 7", "true"),
        ("n == 7 && !(n != 7) || false", "true"),
        ("not n < 3", "true"),
        ("n >= 8 -> n = 0", "true"),
        ("2147483647 * 2147483647 * n", "32281802098926944263"),
        ("1.5 + n", "8.5"),
        ("stopped = stopped", "true"),
        ("\"a b\" = n", "false"),
        ("n / 0", "this divides by zero"),
        ("n and stopped", "`stopped` is neither true nor false"),
        ("n +", "something is missing at the end"),
        ("(n", "a `)` is missing"),
        ("n n", "cannot read `n`"),
        ("constructor", "constructor"),
        ("alert(1)", "cannot read `(1)`"),
    ];
    let all: Vec<&str> = cases.iter().map(|(written, _)| *written).collect();
    let script = format!(
        "for (const text of {}) {{ type('watch', text); say(document.getElementById('result').textContent.replace(/^= /, '')); }}
         type('watch', '('.repeat(500)); say(document.getElementById('result').textContent);",
        serde_json::to_string(&all).unwrap()
    );
    let said = seen(browser, "evaluated-seen.html", &page, "", &script);
    for ((written, value), said) in cases.iter().zip(&said) {
        assert_eq!(said, value, "{written}");
    }
    assert_eq!(said[cases.len()], "this is nested too deeply");
}

#[test]
fn the_page_can_ask_for_nothing() {
    let Some(browser) = browser() else { return };
    let page = page("asks.html", "examples/smv/counter.smv", &[]);
    // The browser itself must refuse what the page tries: a picture, a script, a call.
    let script = "<script>
        document.addEventListener('securitypolicyviolation', (event) => { document.title += ' ' + event.effectiveDirective; });
        const picture = new Image(); picture.src = 'http://127.0.0.1:9/x.png'; document.body.append(picture);
        const other = document.createElement('script'); other.src = 'http://127.0.0.1:9/x.js'; document.body.append(other);
        fetch('http://127.0.0.1:9/').catch(() => { document.title += ' refused'; });</script></body>";
    let path = folder().join("asks-seen.html");
    std::fs::write(&path, page.replace("</body>", script)).unwrap();
    let dom = std::process::Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            "--virtual-time-budget=2000",
        ])
        .arg(format!("--user-data-dir={}.profile", path.display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&dom.stdout);
    let title = dom.split("<title>").nth(1).unwrap();
    let title = title.split("</title>").next().unwrap();
    for refused in ["img-src", "script-src-elem", "connect-src", "refused"] {
        assert!(title.contains(refused), "{refused}: {title}");
    }
}

#[test]
fn what_a_script_says_is_never_markup() {
    let Some(browser) = browser() else { return };
    const MEAN: &str = "<img src=x onerror=hit()></script><script>hit()</script>";
    let script = format!(
        "integer n;\n//@ property <b>: always n < 1;\ndefault {{ touch_start(integer k) {{ \
         llSay(0, \"{MEAN}\"); n = n + 1; }} }}\n"
    )
    .replace("property <b>", "property quiet");
    let file = folder().join("mean.lsl");
    std::fs::write(&file, script).unwrap();
    let graph = format!(
        r#"{{"nodegraph": 1, "flags": {{"Lamp": false}}, "nodes": [
             {{"name": "start", "kind": "ScriptStart", "title": "{MEAN}"}},
             {{"name": "on", "kind": "SetFlag", "title": "{MEAN}", "with": {{"flag": "Lamp"}}}}],
           "links": ["start.Out -> on.Enable"], "properties": {{"dark": "AG !Lamp"}}}}"#
    );
    let drawn = folder().join("mean.json");
    std::fs::write(&drawn, graph).unwrap();
    for (name, file) in [("mean-script", file), ("mean-graph", drawn)] {
        let page = page(&format!("{name}.html"), file.to_str().unwrap(), &[]);
        let said = seen(
            browser,
            &format!("{name}-seen.html"),
            &page,
            "details=1",
            "window.hit = () => say('hit');
             say(document.body.textContent.includes('<img src=x'));
             type('watch', '\"<img src=x onerror=hit()>\"'); type('filter', '<img src=x onerror=hit()>'); type('filter', '');
             press('c'); press('Home'); press('ArrowRight');
             say(document.querySelectorAll('main img, nav img, main script, nav script').length);",
        );
        assert_eq!(said, ["true", "0"], "{name}");
    }
}

#[test]
fn a_script_without_properties_has_some_proposed() {
    let Some(browser) = browser() else { return };
    let file = folder().join("shop.lsl");
    let script = "default { money(key id, integer amount) { llGiveMoney(id, amount - 10); } }";
    std::fs::write(&file, script).unwrap();
    let page = page("proposed.html", file.to_str().unwrap(), &[]);
    let said = seen(
        browser,
        "proposed-seen.html",
        &page,
        "",
        "const proposed = document.querySelector('nav .proposals');
         say(proposed.querySelector('pre').textContent.split('\\n')
           .every((line) => line.startsWith('//@ property ')));",
    );
    assert_eq!(said, ["true"]);
}

#[test]
fn messages_go_between_those_who_take_part() {
    let Some(browser) = browser() else { return };
    let meeting = folder().join("meeting.pml");
    let model = "chan c = [0] of { byte };\nactive proctype A() { c!7 }\nactive proctype B() { byte b; c?b; assert(b == 1) }\n";
    std::fs::write(&meeting, model).unwrap();
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (
            "meeting",
            meeting.to_str().unwrap(),
            "A (pid 0), B (pid 1)",
            &["step 1: A (pid 0) \u{2192} B (pid 1): 7"],
        ),
        (
            "buffered",
            "examples/promela/alternating-bit/any-acknowledgement.pml",
            "Sender (pid 0), there, Receiver (pid 1), back",
            &[
                "step 1: Sender (pid 0) \u{2192} there: data,0,1",
                "step 2: there \u{2192} Receiver (pid 1): data,0,1",
            ],
        ),
        (
            "tools",
            "examples/tscript/auction/original.tb",
            "Auction, bidder(1), Bidder",
            &[
                "step 2: bidder(1) \u{2192} Auction: rec-connect(bidder(1))",
                "step 9: bidder(1) \u{2192} Bidder: rec-disconnect(bidder(1))",
            ],
        ),
        (
            "payments",
            "examples/lsl/tip-jar/tip-jar.lsl",
            "the script, the owner, the world, Alice",
            &[
                "step 1: the script \u{2192} the owner: llRequestPermissions(the owner, PERMISSION_DEBIT)",
                "step 3: Alice \u{2192} the script: Alice pays L$5",
                "step 3: the script \u{2192} Alice: llGiveMoney(Alice, 4)",
            ],
        ),
    ];
    for (name, file, lanes, messages) in cases {
        let page = page(&format!("chart-{name}.html"), file, &[]);
        let said = seen(
            browser,
            &format!("chart-{name}-seen.html"),
            &page,
            "",
            "press('c'); say([...document.querySelectorAll('.lane-name')].map((one) => one.textContent).join(', '));
             const titles = [...document.querySelectorAll('.said title')];
             for (const one of titles) say(one.textContent);
             titles[0].parentNode.dispatchEvent(new Event('click')); say(where());",
        );
        assert_eq!(said[0], *lanes, "{name}");
        for message in *messages {
            assert!(
                said.iter().any(|one| one == message),
                "{name}: {message}: {said:?}"
            );
        }
        let at = said.last().unwrap();
        assert!(at.starts_with("step 1 of "), "{name}: {at}");
    }
}

#[test]
fn loops_are_marked_and_steps_in_which_nothing_happens_are_one() {
    let Some(browser) = browser() else { return };
    let look = "say([...document.querySelectorAll('.steps > li')].map((one) => (one.classList.contains('looped') ? '* ' : '') + one.textContent).join(' | '));
         press('End'); say(where()); press('ArrowLeft'); say(where());";
    let graph = page("stops.html", "examples/nodegraph/event-mode/bug.json", &[]);
    let said = seen(browser, "stops-seen.html", &graph, "", look);
    let stops = "* 3\u{2013}4\u{27f2} nothing more happens, for ever | So this run violates";
    assert!(said[0].contains(stops), "{}", said[0]);
    assert_eq!(said[1..], ["step 3 of 4", "step 2 of 4"]);
    let door = page("round.html", "examples/lsl/door/door-faulty.lsl", &[]);
    let said = seen(browser, "round-seen.html", &door, "", look);
    assert!(
        said[0].contains("\u{27f2} from here on steps 6 to 7 repeat for ever | * 6"),
        "{}",
        said[0]
    );
    assert!(said[0].contains("\u{27f2} back to step 6"), "{}", said[0]);
    assert_eq!(said[0].matches("* ").count(), 2, "{}", said[0]);
    assert_eq!(said[1], "step 7 of 7, in the loop");
}
