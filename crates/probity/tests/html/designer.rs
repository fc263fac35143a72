//! A designer's test: of graphs that fail, the headline names the node and the pin to change.

use std::path::PathBuf;

use crate::browser::{folder, page, root};

/// A file beside the paper's graph, what is changed in it, a property that fails then, the pin to change,
/// and words of the headline.
type Case = (
    &'static str,
    Option<(&'static str, &'static str)>,
    &'static str,
    &'static str,
    &'static str,
);

/// The headline of a property in a page.
fn headline(page: &str, property: &str) -> (String, Vec<String>) {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).unwrap();
    let properties = data["files"][0]["properties"].as_array().unwrap();
    let found = properties.iter().find(|one| one["name"] == property);
    let story = &found.unwrap()["story"];
    let pins = story["culprit"]["pins"].as_array().unwrap();
    let pins = pins.iter().map(|pin| pin.as_str().unwrap().to_owned());
    let text = story["headline"].as_str().unwrap().replace('`', "");
    (text, pins.collect())
}

#[test]
fn the_headline_names_the_pin_to_change() {
    // The paper's graph in four forms, and graphs of which a line was lost.
    let event_mode = "examples/nodegraph/event-mode";
    let cases: &[Case] = &[
        (
            "bug.json",
            None,
            "event_mode_ends",
            "If5.False",
            "If \u{25b8} False leads nowhere: EventMode stays true",
        ),
        (
            "bug.t3d",
            None,
            "flag-left-set.EventMode",
            "Branch.else",
            "Branch \u{25b8} false leads nowhere: EventMode stays true",
        ),
        (
            "bug.gltf",
            None,
            "flag-left-set.EventMode",
            "branch_4.false",
            "false leads nowhere: EventMode stays true",
        ),
        (
            "bug.scriptcanvas",
            None,
            "flag-left-set.EventMode",
            "Gate.False",
            "False leads nowhere: EventMode stays true",
        ),
        (
            "../boss-fight/boss-fight.json",
            None,
            "value-left-changed.Music",
            "Both.InA",
            "Music and gate waits for InA, where no signal comes: Music stays boss",
        ),
        (
            "../elevator/elevator.json",
            Some(("\"Travel.Finished -> StopMoving.Disable\",", "")),
            "flag-left-set.Moving",
            "Travel.Finished",
            "leads nowhere: Moving stays true",
        ),
        (
            "../elevator/elevator.json",
            Some(("\"Hold.Finished -> CloseDoor.Disable\",", "")),
            "flag-left-set.DoorOpen",
            "Hold.Finished",
            "leads nowhere: DoorOpen stays true",
        ),
        (
            "../quest/quest.json",
            Some((
                "\"quest_can_be_done\": \"AG EF QuestLog == done\"",
                "\"never_letter\": \"AG !HasLetter\"",
            )),
            "never_letter",
            "GiveLetter.Enable",
            "Enable: HasLetter becomes true, and AG !HasLetter does not hold",
        ),
    ];
    for (at, (file, change, property, pin, told)) in cases.iter().enumerate() {
        let mut path = root().join(event_mode).join(file);
        if let Some((from, to)) = change {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{file}: {from}");
            path = folder().join(format!("designed-{at}.json"));
            std::fs::write(&path, text.replace(from, to)).unwrap();
        }
        let page = page(&format!("designed-{at}.html"), path.to_str().unwrap(), &[]);
        let (text, pins) = headline(&page, property);
        assert!(text.contains(told), "{file}: {text}");
        assert_eq!(pins, [*pin], "{file}: {text}");
    }
}

#[test]
fn the_headline_names_the_pin_to_change_in_public_graphs() {
    // Models of the Khronos Group's test assets for KHR_interactivity, with the parts of binary
    // files that are JSON in files of their own; and `graphs/core/flow/WaitAll.json` of behave-graph.
    let Some(folder) = std::env::var_os("PROBITY_KHRONOS") else {
        eprintln!("skipped: PROBITY_KHRONOS is not set");
        return;
    };
    let folder = PathBuf::from(folder);
    for (file, property, pin, told) in [
        (
            "TrafficLight.gltf",
            "retrigger-while-waiting",
            "setDelay_5.in",
            "the node is started anew while it waits",
        ),
        (
            "WaitAll.json",
            "join-never-arrives.waitAll_7",
            "waitAll_7.1",
            "flow/waitAll waits for 1, where no signal comes",
        ),
        (
            "waitAll.gltf",
            "join-never-arrives.waitAll_22",
            "waitAll_22.2",
            "waits for 2, where no signal comes",
        ),
        // Whoever hits a mole while it waits has a second wait begin for it: its turns come twice as often from then on.
        (
            "WhackAMole.gltf",
            "retrigger-while-waiting",
            "setDelay_69.in",
            "a signal enters flow/setDelay (setDelay_69) \u{25b8} in",
        ),
    ] {
        let path = folder.join(file);
        let only = ["--property", property];
        let page = page(&format!("{file}.html"), path.to_str().unwrap(), &only);
        let (text, pins) = headline(&page, property);
        assert!(text.contains(told), "{file}: {text}");
        assert_eq!(pins, [pin], "{file}: {text}");
    }
}
