//! Parts of the language, each with an answer that follows from what it means.

use crate::{check, says};

/// A counter from 0 to 3 and round again, and properties of it.
fn counter(properties: &str) -> String {
    format!(
        "MODULE main\nVAR n : 0..3;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 4;\n{properties}"
    )
}

/// Expects what is said of each of some formulas of PSL about the counter.
fn psl(formulas: &[(&str, &str)]) {
    let text: Vec<String> = formulas
        .iter()
        .map(|(formula, _)| format!("PSLSPEC {formula};"))
        .collect();
    let expected: Vec<&str> = formulas.iter().map(|(_, word)| *word).collect();
    says(&counter(&text.join("\n")), &expected);
}

#[test]
fn psl_has_operators_of_its_own() {
    psl(&[
        ("always (n = 1 -> next n = 2)", "holds"),
        ("always n = 1 -> next n = 2", "holds"),
        ("never (n = 2 & n = 3)", "holds"),
        ("never n = 3", "fails"),
        ("eventually! n = 3", "holds"),
        ("n = 0 until! n = 1", "holds"),
        ("n = 0 until n = 5 - 3", "fails"),
        ("n < 2 until!_ n = 1", "holds"),
        ("n = 0 until!_ n = 1", "fails"),
        ("n < 4 until n > 7", "holds"),
        ("n < 4 until! n > 7", "fails"),
        ("n = 1 before! n = 2", "holds"),
        ("n = 2 before! n = 1", "fails"),
        ("n = 2 before n = 2", "fails"),
        ("n = 2 before_ n = 2", "holds"),
        ("next[3](n = 3)", "holds"),
        ("next_a[1:3](n > 0)", "holds"),
        ("next_a[1:4](n > 0)", "fails"),
        ("next_e[1:3](n = 3)", "holds"),
        ("next_e[1:3](n = 0)", "fails"),
        ("next_event(n > 1)(n = 2)", "holds"),
        ("next_event!(n > 1)[2](n = 3)", "holds"),
        ("next_event_a(n > 1)[1:2](n = 3)", "fails"),
        ("next_event_e(n > 1)[1:2](n = 3)", "holds"),
        ("next_event(n > 7)(FALSE)", "holds"),
        ("next_event!(n > 7)(TRUE)", "fails"),
        ("[n < 3 U n = 3] & [n < 4 W n = 7]", "holds"),
        ("forall i in {0, 2:3} : eventually! n = i", "holds"),
        ("forall b in boolean : always (n = 0 -> b)", "fails"),
        ("AG (n = 3 -> AX n = 0)", "holds"),
        ("E [n < 2 U n = 3]", "fails"),
        ("n == 0", "holds"),
    ]);
}

#[test]
fn psl_has_sequences() {
    psl(&[
        ("{n = 0; n = 1} |-> {n = 1; n = 2}", "holds"),
        ("{n = 0; n = 1} |=> {n = 1}", "fails"),
        ("{n = 0; n = 1} |=> {n = 2}!", "holds"),
        ("always {n = 1} |=> {n = 2; n = 3}", "holds"),
        ("{n = 0; n < 3[*]; n = 3} |=> {n = 0}", "holds"),
        ("{n < 3[*]; n = 3} |-> {n = 2}", "fails"),
        ("{n < 3[+]; n = 3} |=> {n = 0}", "holds"),
        ("{[*]; n = 2} |=> {n = 3}", "holds"),
        ("{[*2]; n = 2} |=> {n = 3}", "holds"),
        ("{[*1:2]; n = 2} |=> {n = 1}", "fails"),
        ("{n = 3[->2]} |=> {n = 0}", "holds"),
        ("{n = 3[=1]; n = 1} |=> {n = 2}", "holds"),
        ("{{n = 0; n = 1} : {n = 1; n = 2}} |=> {n = 3}", "holds"),
        ("{{n = 7} | {n = 0; n = 1}} |=> {n = 2}", "holds"),
        ("{n = 0}(next n = 1)", "holds"),
        ("never {n = 1; n = 3}", "holds"),
        ("never {n = 1; n = 2}", "fails"),
        ("eventually! {n = 3; n = 0}", "holds"),
        ("eventually! {n = 3; n = 1}", "fails"),
        ("{n = 0} |-> {n < 4[*]; n = 7}", "holds"),
        ("{n = 0} |-> {n < 4[*]; n = 7}!", "fails"),
    ]);
}

#[test]
fn linear_time_has_bounds() {
    says(
        &counter(
            "LTLSPEC n < 3 U [3,3] n = 3\nLTLSPEC n < 3 U [0,2] n = 3\n\
             LTLSPEC n < 2 V [0,1] n < 2\nLTLSPEC n = 2 V [0,3] n < 2\n\
             LTLSPEC G (n = 3 -> n > 0 S [1,2] n = 1)\nLTLSPEC G (n = 3 -> n > 1 S [0,1] n = 1)\n\
             LTLSPEC X X H [1,2] n < 2\nLTLSPEC X H [1,2] n < 2\nLTLSPEC X X O [2,2] n = 0",
        ),
        &[
            "holds", "fails", "holds", "fails", "holds", "fails", "holds", "fails", "holds",
        ],
    );
}

#[test]
fn the_past_may_speak_of_the_future() {
    says(
        &counter(
            "LTLSPEC G (n = 2 -> O (n = 1 & X n = 2))\nLTLSPEC G (n = 2 -> Y X n = 1)\n\
             LTLSPEC G H F n = 3\nLTLSPEC F O G n = 3",
        ),
        &["holds", "fails", "holds", "fails"],
    );
}

#[test]
fn properties_may_be_about_an_instance() {
    says(
        "MODULE main\nVAR c : cell(FALSE); d : cell(TRUE);\n\
         LTLSPEC G s IN c\nINVARSPEC s IN d\n\
         MODULE cell(x)\nVAR s : boolean;\nASSIGN s := x;",
        &["fails", "holds"],
    );
}

#[test]
fn lines_of_the_preprocessor_are_obeyed() {
    says(
        "#define TOP 3\n#define up(x) ((x + 1) mod (TOP + 1))\nMODULE main\nVAR n : 0..TOP;\n\
         #if TOP > 2 && !defined(OTHER) -- a remark\nASSIGN init(n) := 0; next(n) := up(n);\n\
         #else\nbroken\n#endif\nINVARSPEC n <= TOP\nINVARSPEC n < TOP",
        &["holds", "fails"],
    );
}

#[test]
fn cases_over_what_is_chosen_elsewhere_are_seen_to_be_exhaustive() {
    // More combinations than can be tried, but few values of what is compared.
    let wide: String = (0..24).map(|n| format!("v{n} : 0..15; ")).collect();
    let sum: Vec<String> = (0..24).map(|n| format!("v{n}")).collect();
    let model = |last: &str| {
        format!(
            "MODULE main\nVAR {wide} x : 0..1;\nCONSTANTS idle;\nDEFINE s := {} > 99;\n\
             p := case s : idle; v0 = v1 : 0; TRUE : 1; esac;\n\
             ASSIGN init(x) := 0; next(x) := case p = idle : 0; p = 0 : 1; {last} esac;\n\
             INVARSPEC x < 2",
            sum.join(" + ")
        )
    };
    let loaded = |text: &str| smv::load("wide.smv", text, &smv::Options::default());
    let read = loaded(&model("p = 1 : 0;"));
    assert!(read.program.is_some(), "{:?}", read.diagnostics);
    let refused = loaded(&model(""));
    assert!(refused.program.is_none());
    assert!(refused.diagnostics.iter().any(|d| d.code == "SMV0302"));
}

/// A circuit with a definition for each gate: every engine has room for what nests so deeply.
#[test]
fn definitions_may_stand_on_each_other_thousands_high() {
    let gates: String = (1..6000)
        .map(|gate| format!("g{gate} := !(g{} & b) | c;\n", gate - 1))
        .collect();
    let text = format!(
        "MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nASSIGN init(a) := FALSE; \
         next(a) := g5999; init(b) := FALSE; next(b) := !b; init(c) := TRUE; next(c) := c & g5999;\n\
         DEFINE g0 := a;\n{gates}INVARSPEC g5999\nCTLSPEC AG (EF a & g5999)\nLTLSPEC G F !a"
    );
    for (engine, words) in [
        ("auto", ["holds", "holds", "fails"]),
        ("symbolic", ["holds", "holds", "fails"]),
        ("sat", ["holds", "not known", "fails"]),
        ("games", ["not known", "holds", "not known"]),
    ] {
        let (_, out, err) = check(&text, &format!("--engine {engine}"));
        let found = crate::read_verdicts(&out);
        let found: Vec<&str> = found.iter().map(|(_, word)| *word).collect();
        assert_eq!(found, words, "{engine}: {err}");
    }
}

/// Conditions that become true one after the other, more of them than an automaton has room for the orders of.
#[test]
fn formulas_may_have_many_atoms() {
    let mut text = "MODULE main\n".to_owned();
    let mut before = "TRUE".to_owned();
    for number in 0..70 {
        text += &format!(
            "VAR a{number} : boolean; ASSIGN init(a{number}) := FALSE; next(a{number}) := {before};\n"
        );
        before = format!("a{number}");
    }
    for (atoms, wrong) in [(40, "a20"), (70, "a50")] {
        let ordered: Vec<String> = (1..atoms)
            .map(|n| format!("(!a{n} U a{})", n - 1))
            .collect();
        let ordered = ordered.join(" & ");
        text += &format!("LTLSPEC {ordered}\nLTLSPEC {ordered} & (!a3 U {wrong})\n");
    }
    let expected = ["holds", "fails", "holds", "fails"];
    says(&text, &expected);
}
