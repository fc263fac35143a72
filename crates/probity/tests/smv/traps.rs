//! What is easy to get wrong, each with what NuSMV 2.6.0 answers.

use crate::{check, read_verdicts, refused, says};

#[test]
fn names_may_contain_a_minus() {
    says(
        "MODULE main VAR a-b : boolean; a : 0..3; b : 0..3; INVARSPEC a-b | !a-b",
        &["holds"],
    );
}

#[test]
fn names_may_be_quoted_and_have_numbers_for_parts() {
    // As flattened models have them. The quotation marks are part of the name.
    says(
        "MODULE main VAR _PC.0 : boolean; _PC.0.x : 0..3; \"a b\" : 0..3; a : 0..1; \"a\" : 0..7; \
         ASSIGN init(_PC.0) := FALSE; next(_PC.0) := !_PC.0; init(\"a b\") := 2; \
         INVARSPEC \"a b\" <= 2 INVARSPEC _PC.0 = _PC.0 & _PC.0.x < 4 & a < 2 INVARSPEC \"a\" < 2",
        &["fails", "holds", "fails"],
    );
    refused(
        "MODULE main VAR \"a : boolean; INVARSPEC TRUE",
        "SMV0102",
        "expected",
    );
}

#[test]
fn rows_of_arrays_are_picked_by_expressions() {
    says(
        "MODULE main VAR a : array 0..3 of array 1..2 of boolean; i : 0..3; j : 1..2; \
         ASSIGN a[3][2] := TRUE; \
         INVARSPEC i = 3 & j = 2 -> a[i][j] INVARSPEC a[i][j] INVARSPEC a[3][j] | j = 1 INVARSPEC a[i][2] | i != 3",
        &["holds", "fails", "holds", "holds"],
    );
    says(
        "MODULE main VAR i : 0..1; j : 0..2; \
         DEFINE t := [[1, 2, 3], [4, 5, 6]]; k := i + 1; \
         INVARSPEC t[i][j] = 1 + 3 * i + j INVARSPEC t[i][j] < 6 INVARSPEC t[k - 1][j] = t[i][j]",
        &["holds", "fails", "holds"],
    );
}

#[test]
fn truth_values_and_numbers_are_converted() {
    says(
        "MODULE main VAR b : boolean; INVARSPEC toint(b) < 2 INVARSPEC bool(1) & count(b, !b) = 1",
        &["holds", "holds"],
    );
}

#[test]
fn cases_may_be_exhaustive_together() {
    says(
        "MODULE main VAR n : 0..9; up : boolean; \
         ASSIGN init(n) := 0; next(n) := case up & n < 9 : n + 1; !up : n; n = 9 : 0; esac; \
         INVARSPEC n < 9",
        &["fails"],
    );
}

#[test]
fn conditions_around_a_value_count() {
    says(
        "MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := case x < 7 : x + 1; TRUE : x; esac; \
         CTLSPEC AF x = 7",
        &["holds"],
    );
    says(
        "MODULE main VAR a : array 1..3 of 0..2; i : 1..3; \
         ASSIGN a[1] := 0; a[2] := 1; a[3] := 2; INVARSPEC a[i] = i - 1 INVARSPEC a[i] < 2",
        &["holds", "fails"],
    );
}

#[test]
fn the_next_value_of_one_may_depend_on_that_of_the_other() {
    // The next value of one may depend on the next value of the other, in either order.
    says(
        "MODULE main VAR a : 0..3; b : 0..3; \
         ASSIGN next(b) := next(a); next(a) := (a + 1) mod 4; init(b) := a; \
         INVARSPEC a = b INVARSPEC a < 3",
        &["holds", "fails"],
    );
}

#[test]
fn a_set_that_has_a_name_is_chosen_from_at_each_use() {
    says(
        "MODULE main VAR x : boolean; y : boolean; DEFINE d := {TRUE, FALSE}; \
         ASSIGN init(x) := d; init(y) := d; next(x) := x; next(y) := y; INVARSPEC x = y",
        &["fails"],
    );
    // Operators are applied to every member.
    says(
        "MODULE main VAR n : 0..9; ASSIGN init(n) := {1, 3} + {0, 4}; next(n) := n; \
         INVARSPEC n in {1, 3, 5, 7} CTLSPEC EF n = 5 INVARSPEC n != 7",
        &["holds", "fails", "fails"],
    );
}

#[test]
fn what_is_not_assigned_is_free() {
    says(
        "MODULE main VAR x : 0..2; y : 0..2; ASSIGN next(x) := x; \
         INVARSPEC x = 1 CTLSPEC AG EF y = 2 CTLSPEC AG (x = 1 -> AG x = 1)",
        &["fails", "holds", "holds"],
    );
}

#[test]
fn a_formula_must_hold_in_all_initial_states() {
    says(
        "MODULE main VAR b : boolean; TRANS next(b) = b CTLSPEC EF b CTLSPEC !(EF b)",
        &["fails", "fails"],
    );
}

#[test]
fn where_no_run_is_fair_nothing_is_said() {
    // NuSMV says true of all but the last; it only warns.
    says(
        "MODULE main VAR x : {p, q}; ASSIGN init(x) := p; next(x) := q; FAIRNESS x = p \
         CTLSPEC AG FALSE CTLSPEC EF x = q LTLSPEC G x = p LTLSPEC FALSE INVARSPEC x = p",
        &["vacuous", "vacuous", "vacuous", "vacuous", "fails"],
    );
    says(
        "MODULE main VAR x : 0..3; INVAR x = 1 INIT x = 2 CTLSPEC FALSE",
        &["vacuous"],
    );
}

#[test]
fn only_infinite_runs_count_but_invariants_are_about_states() {
    says(
        "MODULE main VAR n : 0..3; INIT n = 0 TRANS n < 2 & next(n) = n + 1 \
         CTLSPEC AG n < 2 LTLSPEC G n < 2 INVARSPEC n < 2",
        &["vacuous", "vacuous", "fails"],
    );
    // One branch ends, the other goes on: the first is no run.
    says(
        "MODULE main VAR n : 0..2; INIT n = 0 TRANS n != 1 & (next(n) = n + 1 | n = 2 & next(n) = 2 | n = 0 & next(n) = 2) \
         CTLSPEC EF n = 1 CTLSPEC AG n != 1 LTLSPEC X n = 2 INVARSPEC n != 1",
        &["fails", "holds", "holds", "fails"],
    );
}

#[test]
fn compassion_is_for_linear_time_only() {
    says(
        "MODULE main VAR p : boolean; q : boolean; COMPASSION (p, q) \
         CTLSPEC AG AF q LTLSPEC G F p -> G F q LTLSPEC G F q",
        &["fails", "holds", "fails"],
    );
}

#[test]
fn inputs_belong_to_steps() {
    let model = "MODULE main IVAR i : boolean; VAR s : boolean; \
                 ASSIGN init(s) := FALSE; next(s) := i; ";
    says(
        &format!(
            "{model} LTLSPEC G (i -> X s) LTLSPEC G (s -> Y i) LTLSPEC G (s -> i) \
             CTLSPEC EX s CTLSPEC EX !s CTLSPEC AX s"
        ),
        &["holds", "holds", "fails", "holds", "holds", "fails"],
    );
}

#[test]
fn parameters_are_references() {
    says(
        "MODULE flip(x) ASSIGN init(x) := FALSE; next(x) := !x; \
         MODULE main VAR a : boolean; f : flip(a); \
         LTLSPEC G (a -> X !a) & G (!a -> X a) INVARSPEC !a",
        &["holds", "fails"],
    );
    // An argument may be an expression, also one about the next state.
    says(
        "MODULE watch(now, later) VAR seen : boolean; ASSIGN init(seen) := FALSE; next(seen) := later & !now; \
         MODULE main VAR b : boolean; w : watch(b, next(b)); \
         LTLSPEC G (w.seen -> b & Y !b) LTLSPEC G !w.seen",
        &["holds", "fails"],
    );
    says(
        "MODULE base VAR n : 0..3; ASSIGN init(n) := 0; \
         MODULE more ISA base ASSIGN next(n) := (n + 1) mod 4; DEFINE me := self.n; \
         MODULE main VAR m : more; INVARSPEC m.me = m.n CTLSPEC AF m.n = 3",
        &["holds", "holds"],
    );
}

#[test]
fn a_module_may_define_what_belongs_to_another() {
    says(
        "MODULE left(b) DEFINE out := !b; MODULE right(l) DEFINE l.twice := !l.out; \
         MODULE main VAR b : boolean; l : left(b); r : right(l); INVARSPEC l.twice = b",
        &["holds"],
    );
}

#[test]
fn exhaustive_cases_of_many_variables_are_seen() {
    let names: Vec<String> = (0..40).map(|n| format!("v{n}")).collect();
    let declared: String = names.iter().map(|n| format!("{n} : boolean; ")).collect();
    let branches: String = names.iter().map(|n| format!("{n} : TRUE; ")).collect();
    let none = names
        .iter()
        .map(|n| format!("!{n}"))
        .collect::<Vec<_>>()
        .join(" & ");
    let model = |last: &str| {
        format!(
            "MODULE main VAR {declared} x : boolean; ASSIGN next(x) := case {branches} {last} esac;"
        )
    };
    let (status, _, err) = check(&model(&format!("{none} : FALSE;")), "");
    assert!(!err.contains("error"), "{status} {err}");
    refused(&model(""), "SMV0302", "none holds for v0 = FALSE");
}

#[test]
fn processes_interleave_what_they_assign_next() {
    let model = "MODULE inc(x) ASSIGN next(x) := (x + 1) mod 4; \
                 MODULE main VAR a : 0..3; b : 0..3; p : process inc(a); q : process inc(b); \
                 ASSIGN init(a) := 0; init(b) := 0; ";
    // Either moves, or none (while `main` runs), never both.
    says(
        &format!(
            "{model} LTLSPEC G (X (a = 0 & b = 0) | a != 0 | b != 0 | X (a = 1 & b = 0) | X (a = 0 & b = 1)) \
             CTLSPEC EX (a = 0 & b = 0) CTLSPEC AF a = 3"
        ),
        &["holds", "holds", "fails"],
    );
    says(
        &format!("{model} FAIRNESS p.running CTLSPEC AF a = 3 LTLSPEC G F a = 0"),
        &["holds", "holds"],
    );
    says(
        &format!(
            "{model} LTLSPEC G (p.running & a = 0 -> X a = 1) LTLSPEC G (running -> X a = 1 | a != 1)"
        ),
        &["holds", "holds"],
    );
}

#[test]
fn words_wrap_and_division_truncates() {
    says(
        "MODULE main VAR x : unsigned word[4]; y : signed word[4]; \
         ASSIGN init(x) := 0ud4_15; next(x) := x + 0ud4_1; init(y) := 0sd4_7; next(y) := y + 0sd4_1; \
         INVARSPEC x != 0ud4_0 LTLSPEC X (y = -0sd4_8) INVARSPEC toint(y) < 8 \
         INVARSPEC -7 mod 5 = -2 & -7 / 5 = -1",
        &["fails", "holds", "holds", "holds"],
    );
    says(
        "MODULE main VAR w : word[8]; i : 0..8; ASSIGN init(w) := 0h_a5; next(w) := w; init(i) := 0; next(i) := i; \
         INVARSPEC w[7:4] = 0b4_1010 & w[0:0] = 0b1_1 & w[3:0] :: w[7:4] = 0h8_5a \
         INVARSPEC (w << 4) = 0h8_50 & (w >> i) = w & (w << 8) = 0h8_0 \
         INVARSPEC (signed(w) >> 4) = signed(0h8_fa) & toint(signed(w)) = -91 \
         INVARSPEC extend(w, 4) = 0h12_0a5 & extend(signed(w), 4) = signed(0h12_fa5) \
         INVARSPEC resize(w, 4) = 0h4_5 & resize(signed(w), 4) = signed(0h4_d) & sizeof(w) = 8 \
         INVARSPEC !w = 0h8_5a & (w xor 0h8_ff) = 0h8_5a & (w & 0h8_0f) = 0h8_05 \
         INVARSPEC word1(TRUE) = 0b1_1 & bool(w[0:0]) & uwconst(3, 8) = 0ud8_3 & swconst(-1, 8) = signed(0h8_ff) \
         INVARSPEC w / 0ud8_2 = 0ud8_82 & w mod 0ud8_10 = 0ud8_5 & w * 0ud8_2 = 0ud8_74",
        &["holds"; 8],
    );
}

#[test]
fn the_past_begins_at_the_first_state() {
    says(
        "MODULE main VAR s : boolean; ASSIGN init(s) := FALSE; next(s) := TRUE; \
         LTLSPEC Z FALSE LTLSPEC Y TRUE LTLSPEC G (s -> O !s) LTLSPEC G (s S s | !s) \
         LTLSPEC X (s & H (s | Z FALSE)) LTLSPEC X X O [2,2] !s LTLSPEC X X O [0,1] !s \
         LTLSPEC G (Y s -> s T s) LTLSPEC X (TRUE S !s) LTLSPEC F (s & Y !s)",
        &[
            "holds", "fails", "holds", "holds", "holds", "holds", "fails", "holds", "holds",
            "holds",
        ],
    );
}

#[test]
fn one_value_is_allowed() {
    // NuSMV refuses the assignment; the variable is one all the same.
    says(
        "MODULE main VAR x : {only}; ASSIGN next(x) := only; CTLSPEC AG x = only",
        &["holds"],
    );
}

#[test]
fn operators_bind_as_the_manual_says() {
    says(
        "MODULE main VAR a : boolean; b : boolean; c : boolean; \
         INVARSPEC (a -> b <-> c) = (a -> (b <-> c)) \
         INVARSPEC (a -> b -> c) = (a -> (b -> c)) \
         INVARSPEC (a <-> b -> c) = ((a <-> b) -> c) \
         INVARSPEC (a | b & c) = (a | (b & c)) \
         INVARSPEC (a xor b | c) = ((a xor b) | c) \
         INVARSPEC (a -> b ? c : a) = (a -> (b ? c : a)) \
         INVARSPEC (a -> b -> c) = ((a -> b) -> c)",
        &[
            "holds", "holds", "holds", "holds", "holds", "holds", "fails",
        ],
    );
    says(
        "MODULE main VAR x : {a, b}; y : {b, c}; n : {1, 5, z}; \
         INVARSPEC x = y -> y = b INVARSPEC x in {a, c} <-> x = a INVARSPEC x in a union c <-> x = a \
         CTLSPEC A [ x = a U x = b ] | EBF 0..2 x = b CTLSPEC NAME foo := AG (x = a | x = b); \
         INVARSPEC NAME bar.1 := TRUE INVARSPEC n = 5 -> n != z & n in 2..7 INVARSPEC n in {1, z}",
        &[
            "holds", "holds", "holds", "holds", "holds", "holds", "holds", "fails",
        ],
    );
}

#[test]
fn bounds_of_branching_time_count_steps() {
    says(
        "MODULE main VAR n : 0..5; ASSIGN init(n) := 0; next(n) := case n < 5 : n + 1; TRUE : n; esac; \
         CTLSPEC ABF 0..5 n = 5 CTLSPEC ABF 0..4 n = 5 CTLSPEC ABF 2..3 n = 1 CTLSPEC EBG 2..4 n in 2..4 \
         CTLSPEC ABG 2..5 n in 2..4 CTLSPEC E [ n < 3 BU 3..3 n = 3 ] CTLSPEC A [ n < 2 BU 0..9 n = 3 ]",
        &[
            "holds", "fails", "fails", "holds", "fails", "holds", "fails",
        ],
    );
}

/// NuSMV's answers to the same questions.
#[test]
fn lengths_of_paths_are_measured() {
    let (status, out, err) = check(
        "MODULE main VAR n : 0..5; b : boolean; \
         ASSIGN init(n) := 0; next(n) := case n < 5 & b : n + 1; n < 5 : n; TRUE : 5; esac; \
         COMPUTE MIN [n = 0, n = 3] COMPUTE MAX [n = 0, n = 3] COMPUTE MIN [n = 3, n = 0] \
         COMPUTE MIN [n = 0, n = 0] COMPUTE MAX [n = 0, n = 0] COMPUTE MIN [n = 4, n = 7] \
         COMPUTE MIN [n = 9, n = 2] COMPUTE MAX [n = 0, n <= 2] COMPUTE MIN [EX n = 2, n = 4]",
        "",
    );
    assert_eq!(status, 0, "{out}{err}");
    let notes: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split_once("measured")?.1.split_once("compute_"))
        .map(|(_, rest)| rest.split_whitespace().nth(1).expect("a number"))
        .collect();
    assert_eq!(
        notes,
        [
            "3", "infinite", "infinite", "0", "0", "infinite", "infinite", "0", "3"
        ],
        "{out}"
    );
    // A counter that goes round: what must happen takes as long as it can.
    let (_, out, _) = check(
        "MODULE main VAR n : 0..7; s : boolean; ASSIGN init(n) := 0; init(s) := FALSE; \
         next(s) := {TRUE, FALSE}; next(n) := s ? n : (n + 1) mod 8; FAIRNESS !s \
         COMPUTE MAX [n = 0 & !s, n = 1] COMPUTE MAX [n = 7, n = 2] COMPUTE MAX [n = 9, n = 2] \
         COMPUTE MIN [n = 6, n = 1]",
        "",
    );
    for line in ["1 step", "infinite", "vacuous", "3 steps"] {
        assert!(out.contains(line), "{line}: {out}");
    }
}

#[test]
fn branching_time_that_is_linear_is_proved_too() {
    let counter = "MODULE main VAR n : 0..3; b : boolean; ASSIGN init(n) := 0; \
                   next(n) := b ? (n + 1) mod 3 : n; SPEC ";
    let cases = [
        ("AG n < 3", "holds"),
        ("!EF n = 3", "holds"),
        ("AG n < 2", "fails"),
        ("AG (n = 1 -> AX (n = 1 | n = 2))", "holds"),
        ("AF n = 1", "fails"),
        ("AG EF n = 0", "not known"),
        ("AF n = 1 FAIRNESS b", "holds"),
        ("AG n < 3 FAIRNESS n = 3", "vacuous"),
        // A path to where it fails does not count if it cannot be gone on with.
        ("AG n < 2 INVAR n != 2", "holds"),
        (
            "AG n < 2 FAIRNESS n = 0 TRANS n = 2 -> next(n) = 2",
            "holds",
        ),
        // All that is claimed is that there are paths.
        ("AG (EX TRUE | n = 1)", "holds"),
        ("AG EX TRUE FAIRNESS n = 3", "vacuous"),
        ("AG EX TRUE TRANS b & n < 2", "vacuous"),
    ];
    for (claim, word) in cases {
        let text = format!("{counter}{claim}");
        let (_, out, err) = check(&text, "--engine sat");
        let found = read_verdicts(&out);
        assert_eq!(
            found.first().map(|(_, word)| *word),
            Some(word),
            "{text}\n{out}{err}"
        );
        if word != "not known" {
            says(&text, &[word]);
        }
    }
}

#[test]
fn properties_come_from_the_command_line_too() {
    let text = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;";
    for (property, status) in [("G F n = 3", 0), ("AG EF n = 0", 0), ("n < 3", 1)] {
        let system = probity::InMemory::default().with_file("m.smv", text);
        let words = ["probity", "check", "m.smv", "--property", property].map(str::to_owned);
        assert_eq!(
            probity::run(&words, &system),
            status,
            "{property}: {}",
            system.err()
        );
    }
}

#[test]
fn bad_input_is_refused_and_no_more() {
    let deep = format!(
        "MODULE main INIT {}TRUE{}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    refused(&deep, "SMV0103", "levels deep");
    let deep = format!("MODULE main INIT {}TRUE", "!".repeat(100_000));
    refused(&deep, "SMV0103", "levels deep");
    let chain = format!(
        "MODULE main VAR x : boolean; INVARSPEC TRUE{}",
        " | x".repeat(50_000)
    );
    says(&chain, &["holds"]);
    let mut aliases = "MODULE main VAR d0 : boolean; DEFINE\n".to_owned();
    for n in 1..2000 {
        aliases.push_str(&format!("d{n} := !d{};\n", n - 1));
    }
    says(&format!("{aliases} INVARSPEC d1999"), &["fails"]);
    let (status, _, _) = check("\u{0}\u{1}MODULE ( VAR : ; ASSIGN := ] [", "");
    assert_eq!(status, 2);
}

#[test]
fn long_files_are_read() {
    let mut text = "MODULE main\nVAR\n".to_owned();
    for n in 0..20_000 {
        text.push_str(&format!("  v{n} : boolean;\n"));
    }
    text.push_str("ASSIGN\n");
    for n in 0..20_000 {
        text.push_str(&format!("  init(v{n}) := FALSE;\n  next(v{n}) := v{n};\n"));
    }
    text.push_str("INVARSPEC !v0\n");
    let system = probity::InMemory::default().with_file("m.smv", text);
    let words = ["probity", "check", "m.smv", "--property", "invar_1"].map(str::to_owned);
    let status = probity::run(&words, &system);
    assert!(
        status == 0 || status == 3,
        "{}{}",
        system.out(),
        system.err()
    );
}
