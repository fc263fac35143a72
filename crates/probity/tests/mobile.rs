//! C against policies from the command line: the examples, row by row, and what follows from a rule.

use probity::{InMemory, run};

const FILES: &[(&str, &str)] = &[
    (
        "shopping/agent.c",
        include_str!("../../../examples/mobile/shopping/agent.c"),
    ),
    (
        "shopping/sa.locnet",
        include_str!("../../../examples/mobile/shopping/sa.locnet"),
    ),
    (
        "shopping/sa-remote.locnet",
        include_str!("../../../examples/mobile/shopping/sa-remote.locnet"),
    ),
    (
        "shopping/sa-none.policy",
        include_str!("../../../examples/mobile/shopping/sa-none.policy"),
    ),
    (
        "shopping/sa-no_effect.policy",
        include_str!("../../../examples/mobile/shopping/sa-no_effect.policy"),
    ),
    (
        "shopping/sa-a.policy",
        include_str!("../../../examples/mobile/shopping/sa-a.policy"),
    ),
    (
        "shopping/sa-b.policy",
        include_str!("../../../examples/mobile/shopping/sa-b.policy"),
    ),
    (
        "shopping/sa-c.policy",
        include_str!("../../../examples/mobile/shopping/sa-c.policy"),
    ),
    (
        "shopping/sa-c_codeBase.policy",
        include_str!("../../../examples/mobile/shopping/sa-c_codeBase.policy"),
    ),
    (
        "updating/agent.c",
        include_str!("../../../examples/mobile/updating/agent.c"),
    ),
    (
        "updating/ua.locnet",
        include_str!("../../../examples/mobile/updating/ua.locnet"),
    ),
    (
        "updating/ua-none.policy",
        include_str!("../../../examples/mobile/updating/ua-none.policy"),
    ),
    (
        "updating/ua-a.policy",
        include_str!("../../../examples/mobile/updating/ua-a.policy"),
    ),
    (
        "updating/ua-b.policy",
        include_str!("../../../examples/mobile/updating/ua-b.policy"),
    ),
    (
        "updating/ua-c.policy",
        include_str!("../../../examples/mobile/updating/ua-c.policy"),
    ),
];

const README: &str = include_str!("../../../examples/mobile/README.md");

fn said(system: &InMemory, line: &str) -> (u8, String) {
    let line = format!("probity {line}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, system);
    (status, format!("{}{}", system.out(), system.err()))
}

fn checked(text: &str, policy: &str) -> (u8, String) {
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy);
    said(
        &system,
        "check t.c --policy t.policy --property rule-1 --timeout 60s",
    )
}

/// Each row of the table says which net and policy, which property is asked, and the exit status:
/// with any number of agents, with five and with fifty.
#[test]
fn the_rows_of_the_readme_are_true() {
    let mut rows = 0;
    for line in README.lines() {
        let cells: Vec<&str> = line
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let [_, folder, net, policy, property, exit, ..] = cells.as_slice() else {
            continue;
        };
        let Ok(exit) = exit.parse::<u8>() else {
            continue;
        };
        rows += 1;
        for agents in ["", "5", "50"] {
            let mut system = InMemory::default();
            for (name, text) in FILES {
                let text = ["flights_to_ask()", "clients_to_update()"]
                    .into_iter()
                    .filter(|_| !agents.is_empty())
                    .fold((*text).to_owned(), |text, any| {
                        text.replace(&format!("= {any}"), &format!("= {agents}"))
                    });
                system = system.with_file(*name, text);
            }
            let line = format!(
                "check {folder}/agent.c --policy {folder}/{policy} --net {folder}/{net} --property {property}"
            );
            let (status, told) = said(&system, &line);
            assert_eq!(status, exit, "{agents} {line}\n{told}");
        }
    }
    assert_eq!(rows, 11, "all rows of the table");
}

#[test]
fn a_story_is_told_in_the_lines_of_the_agent() {
    let text = "#include <mobile.h>\nint ask(void);\nint main(void)\n{\n  if (ask() == 7)\n    \
                connect_to_location(\"bad\");\n  return 0;\n}\n";
    let (status, told) = checked(
        text,
        "deny to public { permission function connect_to_location bad }",
    );
    assert_eq!(status, 1, "{told}");
    assert!(
        told.contains("calls connect_to_location(\"bad\")"),
        "{told}"
    );
    assert!(told.contains("t.c:6"), "{told}");
}

#[test]
fn arguments_are_compared_by_contents() {
    let policy = "deny to public { permission function open \"ab\" }";
    for (body, exit) in [
        ("char b[3] = \"ab\"; open(b);", 1),
        ("char b[3] = { 'a', 0, 0 }; b[1] = 'b'; open(b);", 1),
        ("const char *p = \"xab\"; open(p + 1);", 1),
        ("open(\"abc\");", 0),
        ("open(get());", 1),
        ("int b[1] = { 0x6261 }; open((char *)b);", 3),
    ] {
        let text = format!(
            "int open(const char *); char *get(void); int main(void) {{ {body} return 0; }}"
        );
        let (status, told) = checked(&text, policy);
        assert_eq!(status, exit, "{body}\n{told}");
    }
}

#[test]
fn an_agent_that_asks_whether_it_is_remote_is_proved_in_every_net() {
    let text = "#include <mobile.h>\nint main(void) { if (!remote()) connect_to_location(\"a\"); return 0; }";
    let policy = "deny to public codeOrigin remote { permission function connect_to_location }";
    let (status, told) = checked(text, policy);
    assert_eq!(status, 0, "{told}");
    let careless = text.replace("!remote()", "remote()");
    assert_eq!(checked(&careless, policy).0, 1);
}

#[test]
fn what_another_thread_writes_is_not_passed_over() {
    let text = "#include <pthread.h>\nint flag; int open(const char *);\n\
                static void *set(void *a) { flag = 1; return NULL; }\n\
                int main(void) { pthread_t t; pthread_create(&t, NULL, set, NULL);\n\
                if (flag) open(\"bad\"); return 0; }";
    let policy = "deny to public { permission function open bad }";
    let (status, told) = checked(text, policy);
    assert_eq!(status, 1, "{told}");
    let other = text.replace("flag = 1", "flag = 0");
    let (status, told) = checked(&other, policy);
    assert_ne!(
        status, 0,
        "the values of interference are not followed: {told}"
    );
}

#[test]
fn a_call_through_a_pointer_is_a_call() {
    let text = "int open(const char *); int close(const char *); int ask(void);\n\
                int main(void) { int (*f)(const char *) = ask() ? open : close; return f(\"bad\"); }";
    let (status, told) = checked(text, "deny to public { permission function open bad }");
    assert_eq!(status, 1, "{told}");
}

#[test]
fn what_is_not_followed_leaves_the_answer_open_only_where_a_run_comes() {
    let policy = "deny to public { permission function open }";
    let text = "int open(void); int main(void) { __asm__(\"nop\"); return 0; }";
    assert_eq!(checked(text, policy).0, 3);
    let text =
        "int open(void); int main(void) { int x = 1; if (x == 2) __asm__(\"nop\"); return 0; }";
    assert_eq!(checked(text, policy).0, 0);
}

/// The exit status for a program under a policy, all properties asked.
fn status(text: &str, policy: &str) -> (u8, String) {
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy);
    said(&system, "check t.c --policy t.policy --timeout 60s")
}

const BAD: &str = "deny to public { permission function open bad }";

#[test]
fn all_orders_of_evaluation_are_considered() {
    for (value, what) in [("0", "before"), ("1", "after")] {
        let text = format!(
            "int x, a[1]; int open(const char *); static int f(void) {{ x = 1; return 0; }}\n\
             int main(void) {{ a[f()] = x; if (a[0] == {value}) open(\"bad\"); return 0; }}"
        );
        let (status, told) = checked(&text, BAD);
        assert_eq!(status, 1, "`x` may be read {what} the call: {told}");
    }
    let text = "struct s { int a; } x; int open(const char *);\n\
                static int set(void) { x.a = 1; return 0; }\n\
                static int of(struct s y, int n) { return y.a + n; }\n\
                int main(void) { if (of(x, set())) open(\"bad\"); return 0; }";
    assert_ne!(checked(text, BAD).0, 0);
}

#[test]
fn what_is_inside_of_a_text_from_outside_may_be_any_text() {
    for argument in ["&get()[1]", "get() + 1", "&get()->t[0]"] {
        let ty = if argument.contains("->") {
            "struct s"
        } else {
            "char"
        };
        let text = format!(
            "struct s {{ int n; char t[8]; }}; int open(const char *); {ty} *get(void);\n\
             int main(void) {{ open({argument}); return 0; }}"
        );
        let (status, told) = checked(&text, BAD);
        assert_ne!(status, 0, "{argument}: {told}");
    }
}

#[test]
fn an_array_ends_where_the_next_begins() {
    let of = |body: &str| {
        let text = format!(
            "int ask(void); struct s {{ int a[2]; int b; }} x; int m[2][2];\n\
             int main(void) {{ int i = ask(); if (i < 0 || i > 2) return 0; {body} return 0; }}"
        );
        let system = InMemory::default().with_file("t.c", text);
        said(&system, "check t.c --property index --timeout 60s").0
    };
    assert_eq!(of("x.a[i] = 1;"), 1, "the member behind is another object");
    assert_eq!(of("m[0][i] = 1;"), 1, "the next row is another array");
    assert_eq!(of("int *p = m[0]; p[i] = 1;"), 1);
    assert_eq!(of("if (i < 2) { x.a[i] = 1; m[1][i] = 1; }"), 0);
}

#[test]
fn memory_that_is_looked_at_as_another_type_is_not_followed() {
    for body in [
        "long a[4]; int *p = (int *)a; p = p + 2; *(long *)p = 1;",
        "struct s { int a; long b; } x[2]; struct s *p = (struct s *)&x[0].b; p->a = 1;",
        "struct s { int a, b; } x; struct t { long a; int b; } *p = (struct t *)&x; p->b = 1;",
    ] {
        let text = format!("int main(void) {{ {body} return 0; }}");
        let (status, told) = status(&text, "");
        assert_eq!(status, 3, "{body}: {told}");
    }
}

#[test]
fn two_calls_of_one_macro_have_variables_of_their_own() {
    let text = "#define PAIR of(1), of(2)\nstruct s { int a; }; int open(const char *);\n\
                static struct s of(int n) { struct s x = { n }; return x; }\n\
                static int sum(struct s x, struct s y) { return x.a * 10 + y.a; }\n\
                int main(void) { if (sum(PAIR) == 12) open(\"bad\"); return 0; }";
    assert_ne!(checked(text, BAD).0, 0);
}

#[test]
fn without_a_net_an_origin_may_be_inside_of_any_site() {
    let text = "#include <mobile.h>\nint open(const char *);\n\
                int main(void) { if (!remote()) open(\"bad\"); return 0; }";
    let policy = "deny to airc codeOrigin a0 { permission function open }";
    assert_eq!(
        checked(text, policy).0,
        1,
        "`airc:a0` is an origin at `airc`"
    );
}

#[test]
fn a_variable_of_the_file_is_never_gone() {
    let text = "int x; void write(int *); void use(int);\n\
                int main(void) { write(&x); use(x); return 0; }";
    let (status, told) = status(text, "");
    assert_eq!(status, 0, "{told}");
}

#[test]
fn unsigned_numbers_of_64_bits_have_an_order_of_their_own() {
    for (cond, exit) in [
        ("n - 1 > n", 1),
        ("n > 0 && n < 1", 0),
        ("n >> 63 > 1", 0),
        ("n >> 63 == 1", 1),
        (
            "n == 18446744073709551615u && n / 3 == 6148914691236517205u",
            1,
        ),
        ("n == 18446744073709551615u && n % 10 == 5", 1),
    ] {
        let text = format!(
            "unsigned long ask(void); int open(const char *);\n\
             int main(void) {{ unsigned long n = ask(); if ({cond}) open(\"bad\"); return 0; }}"
        );
        let (status, told) = checked(&text, BAD);
        assert_eq!(status, exit, "{cond}: {told}");
    }
}

/// What is said of the first order of a policy where the agent begins in `a0`.
fn ordered(body: &str, policy: &str) -> (u8, String) {
    let text = format!(
        "#include <mobile.h>\n#include <stddef.h>\nint ask(void); int read_it(void); int send(const int *);\n\
         int pin;\nint main(void) {{ {body} return 0; }}"
    );
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy)
        .with_file(
            "t.locnet",
            "location net: (a0 [127.0.0.1 3000] a1 [127.0.0.1 3001])\ncurrent execution location: a0:me\n",
        );
    said(
        &system,
        "check t.c --policy t.policy --net t.locnet --property order-1 --timeout 60s",
    )
}

#[test]
fn agents_keep_to_the_order_of_a_policy() {
    let route = "visit a1 before a0";
    let never = "never enter a1 after function read_it";
    let operation = "operation reads { read_it } never enter a1 after operation reads";
    let secret = "High = { pin } never enter a1 after reading High";
    let out_and_in = "go_out(\"a0\"); go_in(\"a1\");";
    let back = "go_out(\"a1\"); go_in(\"a0\");";
    let again = "go_out(\"a0\"); go_in(\"a0\");";
    let perhaps = format!("if (ask()) {{ {out_and_in} {back} }} {again}");
    let round = format!("while (ask()) {{ {out_and_in} {back} }} read_it();");
    let rows = [
        (route, out_and_in.to_owned() + back, 0),
        (route, again.to_owned(), 1),
        (route, perhaps, 1),
        (never, out_and_in.to_owned() + "read_it();", 0),
        (never, "read_it();".to_owned() + out_and_in, 1),
        (never, round, 0),
        (operation, format!("if (ask()) read_it(); {out_and_in}"), 1),
        (
            operation,
            format!("if (ask()) read_it(); else {{ {out_and_in} }}"),
            0,
        ),
        (
            secret,
            format!("{out_and_in} ask(); int x = pin; pin = x;"),
            0,
        ),
        (
            secret,
            format!("int *p = &pin; int x = *p; {out_and_in}"),
            1,
        ),
        (
            secret,
            format!("int other = 0, *p = ask() ? &pin : &other; int x = *p; {out_and_in}"),
            1,
        ),
        (secret, format!("pin = 3; {out_and_in}"), 0),
        // A function outside may read it.
        (secret, format!("send(&pin); {out_and_in}"), 3),
        (
            secret,
            format!("struct {{ int *at; }} s = {{ &pin }}; send((int *)&s); {out_and_in}"),
            3,
        ),
    ];
    for (policy, body, expected) in rows {
        let (status, told) = ordered(&body, policy);
        assert_eq!(status, expected, "{policy}: {body}\n{told}");
    }
}

/// Two threads, `work` and `other`, that share `count` and two mutexes.
fn threads(work: &str, other: &str) -> (u8, String) {
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\
         pthread_mutex_t lock, second; unsigned count; int ask(void); void helper(pthread_mutex_t *);\n\
         static void *work(void *a) {{ {work} return NULL; }}\n\
         static void *other(void *a) {{ {other} return NULL; }}\n\
         int main(void) {{ pthread_t s, t; count = 7; pthread_mutex_init(&lock, NULL);\n\
         pthread_create(&s, NULL, work, NULL); pthread_create(&t, NULL, other, NULL); return 0; }}"
    );
    let system = InMemory::default().with_file("t.c", text);
    said(&system, "check t.c --property assert --timeout 60s")
}

#[test]
fn what_a_mutex_protects_stays_while_it_is_held() {
    let check =
        "pthread_mutex_lock(&lock); count = 1; assert(count == 1); pthread_mutex_unlock(&lock);";
    let write = "pthread_mutex_lock(&lock); count = 2; pthread_mutex_unlock(&lock);";
    for other in ["", write, "unsigned seen = count;"] {
        let (status, told) = threads(check, other);
        assert_eq!(status, 0, "{other}\n{told}");
    }
    let unprotected = [
        "count = 2;",
        "pthread_mutex_lock(&second); count = 2; pthread_mutex_unlock(&second);",
        "if (ask()) pthread_mutex_lock(&lock); count = 2; pthread_mutex_unlock(&lock);",
        "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); count = 2;",
        // Others let go of the mutex, so that it protects nothing.
        "pthread_mutex_unlock(&lock);",
        "pthread_mutex_init(&lock, NULL);",
        "helper(&lock);",
        "pthread_mutex_t *m = ask() ? &lock : &second;\n\
         pthread_mutex_lock(m); count = 2; pthread_mutex_unlock(m);",
    ];
    for other in unprotected {
        let (status, told) = threads(check, other);
        assert_ne!(status, 0, "{other}\n{told}");
    }
    // Before the mutex is taken, and after it is released, others may write.
    for work in [
        "count = 1; pthread_mutex_lock(&lock); assert(count == 1); pthread_mutex_unlock(&lock);",
        "pthread_mutex_lock(&lock); count = 1; pthread_mutex_unlock(&lock); assert(count == 1);",
        "pthread_mutex_lock(&lock); count = 1; pthread_mutex_unlock(&lock);\n\
         pthread_mutex_lock(&lock); assert(count == 1); pthread_mutex_unlock(&lock);",
    ] {
        let (status, told) = threads(work, write);
        assert_ne!(status, 0, "{work}\n{told}");
    }
}

/// The shortest failure rests on what another thread may do, a longer one does not; whether there is a
/// division by zero (Fermat, for cubes) takes all the time there is.
#[test]
fn a_certain_failure_is_looked_for_behind_a_possible_one() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\
                unsigned ask(void); int shared;\n\
                static void *work(void *a) { shared = 3; return NULL; }\n\
                int main(void) { pthread_t t; pthread_create(&t, NULL, work, NULL);\n\
                int seen = shared; assert(seen != 9); int i = 0; while (i < 30) i++;\n\
                assert(seen != 3 || i < 30);\n\
                unsigned long x = ask(), y = ask(), z = ask();\n\
                if (x < 1 || y < 1 || z < 1 || x > 2000000 || y > 2000000 || z > 2000000) return 0;\n\
                return 1 / (x * x * x + y * y * y != z * z * z); }";
    let system = InMemory::default().with_file("t.c", text);
    let (status, told) = said(&system, "check t.c --timeout 4s");
    assert_eq!(status, 1, "{told}");
    assert!(told.contains("  fails      assert"), "{told}");
    assert!(told.contains("  not known  division"), "{told}");
}
