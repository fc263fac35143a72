//! `probity diff-policy`: calls and texts that an update gains and loses, and the exit status.

use probity::{InMemory, run};

fn compared(old: &str, new: &str, options: &str) -> (u8, String) {
    let system = InMemory::default()
        .with_file("old.c", old)
        .with_file("new.c", new)
        .with_file(
            "p.policy",
            "deny to public { permission function put arg 1 bad }",
        );
    let line = format!("probity diff-policy old.c new.c --timeout 20s {options}");
    let words: Vec<&str> = line.split_whitespace().collect();
    let status = run(&words, &system);
    (status, format!("{}{}", system.out(), system.err()))
}

const BEFORE: &str = "int put(const char *text); int get(void);
int main(void) { if (get() == 3) put(\"good\"); return 0; }";

#[test]
fn an_update_that_does_the_same_gains_nothing() {
    let other = BEFORE.replace("get() == 3", "3 == get()");
    let (status, said) = compared(BEFORE, &other, "--policy p.policy");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("rule-1     holds -> holds"), "{said}");
}

#[test]
fn a_function_that_is_called_now_is_gained_and_one_that_is_not_is_lost() {
    let other = BEFORE.replace("put(\"good\")", "drop(1)");
    let other = other.replace("int get(void);", "int get(void); int drop(int n);");
    let (status, said) = compared(BEFORE, &other, "");
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("gained     drop  new.c:2"), "{said}");
    assert!(said.contains("lost       put"), "{said}");
    // The other way round.
    let (status, said) = compared(&other, BEFORE, "");
    assert!(status == 1 && said.contains("gained     put"), "{said}");
}

#[test]
fn a_call_that_no_run_comes_to_is_not_gained() {
    let other = BEFORE.replace(
        "return 0;",
        "if (get() * 0) { put(\"bad\"); drop(); } return 0;",
    );
    let other = other.replace("int get(void);", "int get(void); int drop(void);");
    let (status, said) = compared(BEFORE, &other, "--policy p.policy");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_text_that_is_passed_now_is_gained_and_breaks_a_rule() {
    let other = BEFORE.replace("put(\"good\")", "put(get() ? \"good\" : \"bad\")");
    let (status, said) = compared(BEFORE, &other, "--policy p.policy");
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("gained     put(\"bad\")"), "{said}");
    assert!(said.contains("rule-1     holds -> fails"), "{said}");
    assert!(!said.contains("put(\"good\")"), "{said}");
}

#[test]
fn a_text_from_elsewhere_is_not_overlooked() {
    let other = BEFORE.replace("put(\"good\")", "put(name())");
    let other = other.replace("int get(void);", "int get(void); const char *name(void);");
    let (status, said) = compared(BEFORE, &other, "");
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains("put(a text that is in neither file)"),
        "{said}"
    );
}

#[test]
fn what_is_not_followed_is_not_known() {
    let other = BEFORE.replace("return 0;", "if (get() == 4) __asm__(\"nop\"); return 0;");
    let (status, said) = compared(BEFORE, &other, "");
    assert_eq!(status, 3, "{said}");
    assert!(
        said.contains("not known  calls that are not followed"),
        "{said}"
    );
}

#[test]
fn the_comparison_is_written_as_json() {
    let other = BEFORE.replace("\"good\"", "\"bad\"");
    let (status, said) = compared(BEFORE, &other, "--policy p.policy --format json");
    assert_eq!(status, 1, "{said}");
    let diff: serde_json::Value = serde_json::from_str(&said).expect(&said);
    assert_eq!(diff["status"], 1);
    assert_eq!(diff["rules"][0]["new"], "happen");
    assert_eq!(diff["rules"][0]["line"]["line"], 2);
}

#[test]
fn two_files_are_needed_and_a_language_with_policies() {
    let system = InMemory::default().with_file("a.pml", "init { skip }");
    assert_eq!(run(&["probity", "diff-policy", "a.pml"], &system), 2);
    let status = run(&["probity", "diff-policy", "a.pml", "a.pml"], &system);
    assert_eq!(status, 2);
    assert!(system.err().contains("CLI0006"), "{}", system.err());
}
