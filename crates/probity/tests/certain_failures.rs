//! A failure is certain if it happens whatever the values are that are not followed, and possible if
//! it depends on one of them.

use probity::{InMemory, run};

const FAILS: u8 = 1;
const POSSIBLE: u8 = 3;

/// Statements of a program in C, and what is said of their failure. The value of a floating-point
/// number is not followed.
const PROGRAMS: &[(&str, u8)] = &[
    (
        "double d = getchar(); int x = (int)d; int y = getchar(); assert(y != 7);",
        FAILS,
    ),
    (
        "double d = getchar(); int x = (int)d; assert(x != 7);",
        POSSIBLE,
    ),
    (
        "int t[4] = {0}; double d = 1; int x = (int)d; t[1] = x; t[2] = 5; assert(t[2] == 6);",
        FAILS,
    ),
    (
        "int t[4] = {0}; double d = 1; int x = (int)d & 3; t[x] = 5; assert(t[2] == 0);",
        POSSIBLE,
    ),
    (
        "double d = 1; int y = getchar(); if (d > 0) y = 7; assert(y != 7);",
        POSSIBLE,
    ),
    (
        "double d = 1; int y = getchar(); if (d > 0) puts(\"a\"); assert(y != 7);",
        POSSIBLE,
    ),
    (
        "struct in_addr a; a.s_addr = inet_addr(\"1.2.3.4\"); int k = getchar(); char b[4]; b[k & 7] = 1;",
        FAILS,
    ),
    ("__asm__(\"nop\"); assert(0);", POSSIBLE),
    (
        "double d = 1; int x = (int)d; x = 3; assert(x == 4);",
        FAILS,
    ),
    (
        "double d = 1; int x = (int)d; int y = x; assert(y == 4);",
        POSSIBLE,
    ),
];

fn status(statements: &str) -> (u8, String) {
    let text = format!(
        "#include <arpa/inet.h>\n#include <assert.h>\n#include <stdio.h>\n\
         int main(void)\n{{\n    {statements}\n    return 0;\n}}\n"
    );
    let system = InMemory::default().with_file("t.c", text);
    let words = ["probity", "check", "t.c", "--timeout", "20s"].map(str::to_owned);
    let status = run(&words, &system);
    (status, format!("{}{}", system.out(), system.err()))
}

#[test]
fn a_failure_for_all_values_is_certain() {
    let mut wrong = Vec::new();
    for (statements, expected) in PROGRAMS {
        let (status, said) = status(statements);
        if status != *expected {
            wrong.push(format!(
                "{statements}: {status} instead of {expected}\n{said}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
