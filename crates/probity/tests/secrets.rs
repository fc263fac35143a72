//! Where secrets get to in C programs: explicit ways, ways by control flow, and none.

use probity::{InMemory, run};

/// A program whose `key` is secret, and what may be said of `deny ... function send high`.
struct Case {
    name: &'static str,
    /// What stands before `main`.
    file: &'static str,
    main: &'static str,
    status: u8,
}

const HOLDS: u8 = 0;
const FAILS: u8 = 1;
const UNKNOWN: u8 = 3;

const fn case(name: &'static str, file: &'static str, main: &'static str, status: u8) -> Case {
    Case {
        name,
        file,
        main,
        status,
    }
}

const CASES: &[Case] = &[
    case("nothing secret is sent", "", "send(1); key = 2;", HOLDS),
    case("a copy", "", "int x = key; send(x);", FAILS),
    case(
        "a copy of a copy",
        "",
        "int x = key, y = x; send(y);",
        FAILS,
    ),
    case("a sum", "", "int x = 3 + (key & 7); send(x - 1);", FAILS),
    case("overwritten", "", "int x = key; x = 0; send(x);", HOLDS),
    case(
        "overwritten on one way",
        "",
        "int x = key; if (in()) x = 0; send(x);",
        FAILS,
    ),
    case(
        "the other variable",
        "",
        "int x = key, y = 1; x = x + 1; send(y);",
        HOLDS,
    ),
    case(
        "through a function",
        "int id(int v) { return v; }",
        "send(id(key));",
        FAILS,
    ),
    case(
        "a function called twice",
        "int id(int v) { return v; }",
        "int x = id(key), y = id(1); x = 0; send(y + x);",
        HOLDS,
    ),
    case(
        "through a pointer",
        "",
        "int x = 0, *p = &x; *p = key; send(x);",
        FAILS,
    ),
    case(
        "through one of two pointers",
        "",
        "int x = 0, y = 0, *p = in() ? &x : &y; *p = key; send(y);",
        FAILS,
    ),
    case(
        "by control flow",
        "",
        "int x = 0; if (key) x = 1; send(x);",
        FAILS,
    ),
    case(
        "by control flow, nothing assigned",
        "",
        "int x = 0; if (!key) x = 1; x = 2; send(x);",
        HOLDS,
    ),
    case("whether it is sent", "", "if (key) send(1);", UNKNOWN),
    case(
        "which is sent",
        "",
        "if (key) send(1); else send(2);",
        UNKNOWN,
    ),
    case(
        "whether it is sent again",
        "",
        "for (int i = 0; i < (key & 3); i++) send(1);",
        UNKNOWN,
    ),
    case(
        "behind the branch",
        "",
        "int x = 0; if (key) { } else { } x = 2; send(x);",
        HOLDS,
    ),
    case(
        "by a loop",
        "",
        "int x = 0, k = key & 7; while (k > 0) { k--; x++; } send(x);",
        FAILS,
    ),
    case(
        "behind the loop",
        "",
        "int x = 0, k = key & 7; while (k > 0) { k--; } x = 5; send(x);",
        HOLDS,
    ),
    case(
        "by a conditional expression",
        "",
        "int x = key ? 1 : 2; send(x);",
        FAILS,
    ),
    case(
        "by an index",
        "int table[4];",
        "send(table[key & 3]);",
        HOLDS,
    ),
    case(
        "by the place that is written",
        "int table[4];",
        "table[key & 3] = 1; send(table[0]);",
        FAILS,
    ),
    case(
        "into an array",
        "int table[4];",
        "table[1] = key; send(table[1]);",
        FAILS,
    ),
    case(
        "beside it in an array",
        "int table[4];",
        "for (int i = 0; i < 3; i++) table[i] = key; send(table[3]);",
        HOLDS,
    ),
    case(
        "another array",
        "int table[4], other[4];",
        "table[1] = key; other[1] = 3; send(other[1]);",
        HOLDS,
    ),
    case(
        "into a structure",
        "struct s { int a, b; } v;",
        "v.a = key; send(v.a);",
        FAILS,
    ),
    case(
        "beside it in a structure",
        "struct s { int a, b; } v;",
        "v.a = key; send(v.b);",
        HOLDS,
    ),
    case(
        "by a switch",
        "",
        "int x; switch (key) { case 1: x = 4; break; default: x = 5; } send(x);",
        FAILS,
    ),
    case(
        "by going on or not",
        "",
        "int x = 1; if (key) return 0; x = 2; send(x);",
        UNKNOWN,
    ),
    case(
        "by a jump",
        "",
        "int x = 0; if (key) goto out; x = 1; out: send(x);",
        FAILS,
    ),
    case(
        "through a floating-point number",
        "",
        "double d = key; int x = (int)d; send(x);",
        UNKNOWN,
    ),
    case(
        "a secret that is no whole number",
        "",
        "int x = (int)reading; send(x);",
        UNKNOWN,
    ),
    case(
        "through a function outside",
        "int hash(int v);",
        "send(hash(key));",
        UNKNOWN,
    ),
    case(
        "a function outside that was told before",
        "int hash(int v);",
        "int x; hash(key); x = hash(1); send(x);",
        UNKNOWN,
    ),
    case(
        "a function outside that is told afterwards",
        "int hash(int v);",
        "int x = hash(1); hash(key); send(x);",
        HOLDS,
    ),
    case(
        "a function outside that is called or not",
        "int hash(int v);",
        "int x; if (key) hash(2); x = hash(1); send(x);",
        UNKNOWN,
    ),
    case(
        "a function outside that is told by the last round",
        "int hash(int v);",
        "int x; while (in()) { x = hash(1); send(x); hash(key); }",
        UNKNOWN,
    ),
    case(
        "a function outside that is told nothing",
        "int hash(int v);",
        "int x = hash(1); key = 4; send(x);",
        HOLDS,
    ),
    case(
        "through a file",
        "#include <stdio.h>\nchar b[4];",
        "FILE *f = fopen(\"a\", \"r+\"); if (!f) return 1; fputc(key, f); fread(b, 1, 4, f); send(b[0]);",
        UNKNOWN,
    ),
    case(
        "printing tells nothing back",
        "#include <stdio.h>\n",
        "printf(\"%d\", key); send(getchar());",
        HOLDS,
    ),
    case(
        "through what an argument points to",
        "void put(int *p);",
        "int x = key; put(&x);",
        FAILS,
    ),
    case(
        "the address of the secret",
        "void put(int *p);",
        "put(&key);",
        FAILS,
    ),
    case(
        "by a text",
        "#include <string.h>\nchar a[4], b[4];",
        "a[0] = key; strcpy(b, a); send(b[0]);",
        UNKNOWN,
    ),
    case(
        "by a comparison of texts",
        "#include <string.h>\nchar a[4];",
        "a[0] = key; send(strcmp(a, \"x\"));",
        FAILS,
    ),
    case(
        "what may be known",
        "int declassify(int);",
        "int x = declassify(key); send(x);",
        HOLDS,
    ),
    case(
        "through another thread",
        "#include <pthread.h>\nint shared; void *run(void *a) { shared = key; return 0; }",
        "pthread_t t; pthread_create(&t, 0, run, 0); send(shared);",
        FAILS,
    ),
    case(
        "through a thread's result",
        "#include <pthread.h>\nvoid *run(void *a) { return (void *)(long)key; }",
        "pthread_t t; void *r = 0; pthread_create(&t, 0, run, 0); pthread_join(t, &r); send(r != 0);",
        UNKNOWN,
    ),
    case(
        "through a thread's argument",
        "#include <pthread.h>\nvoid *run(void *a) { send(a != 0); return 0; }",
        "pthread_t t; pthread_create(&t, 0, run, (void *)(long)key);",
        FAILS,
    ),
    case(
        "the same on both ways",
        "",
        "int x; if (key) x = 1; else x = 1; send(x);",
        HOLDS,
    ),
    case(
        "two ways that add up",
        "",
        "int x = 0; if (key) x++; if (!key) x++; send(x);",
        HOLDS,
    ),
    case(
        "a loop that leaves nothing behind",
        "",
        "int x = 7; for (int k = key & 7; k > 0; k--) x = -x; x = x * x; send(x);",
        HOLDS,
    ),
    case(
        "an index into what differs",
        "int table[4] = { 1, 2, 1, 2 };",
        "send(table[key & 3]);",
        FAILS,
    ),
    case(
        "an index into what is the same",
        "int table[4] = { 1, 2, 1, 2 };",
        "send(table[(key & 1) * 2]);",
        HOLDS,
    ),
    case(
        "no more than what may be known",
        "int declassify(int);",
        "int d = declassify(key & 1), x = 0; if (key & 1) x = 5; send(x);",
        HOLDS,
    ),
    case(
        "more than what may be known",
        "int declassify(int);",
        "int d = declassify(key & 1), x = 0; if (key & 2) x = 5; send(x);",
        FAILS,
    ),
    case(
        "by values that the secret does not have",
        "",
        "key = key & 3; int x = 0; if (key > 10) x = 1; send(x);",
        UNKNOWN,
    ),
    case(
        "by an access outside of an array",
        "int table[4];",
        "if (key >= 0 && key < 9) table[key] = 0; send(1);",
        UNKNOWN,
    ),
    case(
        "inside of an array by a secret",
        "int table[4];",
        "int x = 0; if (key >= 0 && key < 4) { table[key] = 0; x = table[3]; } send(x);",
        HOLDS,
    ),
    case(
        "a guess that a secret confirms",
        "",
        "int x = in(); if (x != key) return 0; send(x);",
        UNKNOWN,
    ),
];

fn status(case: &Case) -> (u8, String) {
    let Case { file, main, .. } = case;
    let text = format!(
        "int in(void); int secret(void); void send(int v); int key; double reading;\n{file}\nint main(void) {{ key = secret(); {main} return 0; }}"
    );
    let policy = "High = { key, reading }\ndeny to public { permission function send high, permission function put high }";
    let system = InMemory::default()
        .with_file("t.c", text)
        .with_file("t.policy", policy);
    let line = "probity check t.c --policy t.policy --property rule-1 --timeout 20s";
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, &system);
    (status, format!("{}{}", system.out(), system.err()))
}

/// Statements, and what is said of a policy that denies assigning the secret to other variables.
const ASSIGNMENTS: &[(&str, u8)] = &[
    ("key = key + 1; int x = 1; send(x);", HOLDS),
    ("int x = key;", FAILS),
    ("int x; x = key & 1;", FAILS),
    ("int x = 1, *p = &x; *p = 2;", HOLDS),
    ("int x = 1, *p = in() ? &x : &key; *p = 2;", UNKNOWN),
    ("int x = 1, *p = in() ? &x : &key; *p = key;", FAILS),
    ("int x = 1; if (x == 2) x = key;", HOLDS),
    ("int x = 0; if (key) x = 1;", UNKNOWN),
    ("send(key);", HOLDS),
    ("id(key);", FAILS),
    ("double d = key;", UNKNOWN),
];

#[test]
fn secrets_are_not_assigned() {
    let mut wrong = Vec::new();
    for (statements, expected) in ASSIGNMENTS {
        let text = format!(
            "int in(void); int secret(void); void send(int v); int key;\n\
             int id(int v) {{ return v; }}\n\
             int main(void) {{ key = secret(); {statements} return 0; }}"
        );
        let policy = "High = { key }\ndeny to public { permission assignment high }";
        let system = InMemory::default()
            .with_file("t.c", text)
            .with_file("t.policy", policy);
        let line = "probity check t.c --policy t.policy --property rule-1 --timeout 20s";
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let status = run(&words, &system);
        if status != *expected {
            let said = format!("{}{}", system.out(), system.err());
            wrong.push(format!(
                "{statements}: {status} instead of {expected}\n{said}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn secrets_are_followed() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (status, said) = status(case);
        if status != case.status {
            wrong.push(format!(
                "{}: {status} instead of {}\n{said}",
                case.name, case.status
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
