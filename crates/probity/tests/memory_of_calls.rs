//! What functions of the C library do to the memory that they are given: how much of it they use, and
//! what is in it afterwards.

use probity::{InMemory, run};

/// Statements, a property, and its verdict. `s` and `t.b` have eight characters, `argv` and `f` come
/// from outside.
const CALLS: &[(&str, &str, &str)] = &[
    // Texts without a limit.
    ("strcpy(s, argv[0]);", "index", "possible"),
    ("strcpy(s, \"12345678\");", "index", "fails"),
    ("strcpy(s, \"1234567\");", "policy", "holds"),
    ("strcat(s, \"abcdefgh\");", "index", "possible"),
    ("strncat(s, argv[0], 100);", "index", "possible"),
    ("gets(s);", "index", "fails"),
    ("sprintf(s, \"%d\", 123456789);", "index", "possible"),
    ("sprintf(s, \"%s\", \"abcdefgh\");", "index", "fails"),
    ("sprintf(s, \"%s\", \"abcdefg\");", "policy", "holds"),
    ("sprintf(s, \"%.7s\", argv[0]);", "index", "holds"),
    ("scanf(\"%s\", s);", "index", "fails"),
    ("scanf(\"%8s\", s);", "index", "fails"),
    ("scanf(\"%7s\", s);", "policy", "holds"),
    ("sscanf(argv[0], \"%s\", s);", "index", "possible"),
    ("scanf(argv[0], s);", "index", "possible"),
    ("realpath(argv[0], s);", "index", "possible"),
    // Texts with a limit.
    ("snprintf(s, 100, \"%s\", argv[0]);", "index", "possible"),
    ("snprintf(s, 100, \"abc\");", "policy", "holds"),
    ("snprintf(s, sizeof s, \"%s\", argv[0]);", "index", "holds"),
    ("fgets(s, 9, f);", "index", "fails"),
    ("fgets(s, sizeof s, f);", "index", "holds"),
    ("getcwd(s, 9);", "index", "fails"),
    ("gethostname(s, 9);", "index", "possible"),
    // Numbers of bytes.
    ("memset(&t, 0, sizeof t + 1);", "index", "fails"),
    ("memset(&t, 0, sizeof t);", "policy", "holds"),
    ("bzero(s, 9);", "index", "fails"),
    ("fwrite(s, 1, 9, f);", "index", "fails"),
    ("fwrite(s, 2, 4, f);", "policy", "holds"),
    ("fread(s, 1, 9, f);", "index", "fails"),
    ("fread(s, 4, 2, f);", "index", "holds"),
    ("fread(&t, sizeof t, 1, f);", "index", "holds"),
    ("readlink(\"/x\", s, 9);", "index", "fails"),
    ("read(0, t.b, 9);", "index", "fails"),
    ("write(1, s, 9);", "index", "fails"),
    ("send(1, s, 9, 0);", "index", "fails"),
    (
        "int p[2]; if (pipe(p) == 0) close(p[1]);",
        "policy",
        "holds",
    ),
    ("int p; pipe(&p);", "index", "fails"),
    (
        "char *h = malloc(4); if (h) { read(0, h, 5); }",
        "index",
        "fails",
    ),
    // What is returned tells how much came.
    (
        "long n = read(0, s, 7); if (n >= 0) s[n] = 0;",
        "index",
        "holds",
    ),
    (
        "long n = read(0, s, 8); if (n >= 0) s[n] = 0;",
        "index",
        "fails",
    ),
    (
        "long n = recv(0, s, 8, 0); if (n > 0) s[n - 1] = 1;",
        "index",
        "holds",
    ),
    (
        "long n = recv(0, s, 8, 32); if (n > 0) s[n - 1] = 1;",
        "index",
        "fails",
    ),
    (
        "long n = fread(s, 1, 8, f); if (n < 8) s[n] = 0;",
        "index",
        "holds",
    ),
    (
        "s[0] = 3; if (read(0, s, 1) <= 0) assert(s[0] == 3);",
        "assert",
        "holds",
    ),
    // What is not written stays.
    (
        "t.a = 1; read(0, t.b, 8); assert(t.a == 1);",
        "assert",
        "holds",
    ),
    (
        "t.a = 1; read(0, &t, 4); assert(t.a == 1);",
        "assert",
        "fails",
    ),
    (
        "s[1] = 1; read(0, s + 2, 6); assert(s[1] == 1);",
        "assert",
        "holds",
    ),
    (
        "s[2] = 1; read(0, s + 2, 6); assert(s[2] == 1);",
        "assert",
        "fails",
    ),
    (
        "s[4] = 1; read(0, s, 4); assert(s[4] == 1);",
        "assert",
        "holds",
    ),
    (
        "s[1] = 1; if (fgets(s, 2, f)) assert(s[1] == 0);",
        "assert",
        "holds",
    ),
    // What is computed.
    (
        "char *p = \"hello\"; assert(strlen(p) == 5);",
        "assert",
        "holds",
    ),
    (
        "char *p = \"hello\"; if (argc > 1) p++; assert(strlen(p) == 5);",
        "assert",
        "fails",
    ),
    (
        "s[0] = 'a'; s[1] = 0; assert(strlen(s) == 1);",
        "assert",
        "holds",
    ),
    (
        "for (int i = 0; i < 8; i++) s[i] = 'a'; strlen(s);",
        "index",
        "fails",
    ),
    (
        "assert(htons(0x1234) == 0x3412 && ntohl(1) == 0x1000000);",
        "policy",
        "holds",
    ),
    ("assert(isdigit('7') && !isdigit('x'));", "assert", "holds"),
    ("assert(isdigit('7') == 1);", "assert", "fails"),
    (
        "assert(toupper('a') == 'A' && tolower('Q') == 'q');",
        "policy",
        "holds",
    ),
    ("assert(abs(argc) >= 0);", "assert", "holds"),
    (
        "memset(&t, 255, sizeof t); assert(t.a == -1 && t.b[7] == -1);",
        "assert",
        "holds",
    ),
    (
        "memset(s, 'a', 3); assert(s[2] == 'a' && s[3] == 0);",
        "assert",
        "holds",
    ),
    ("memset(s, 'a', 3); assert(s[3] == 'a');", "assert", "fails"),
    // The arguments of the program.
    ("if (argc > 1) assert(argv[1] != 0);", "assert", "holds"),
    ("assert(argv[1] != 0);", "assert", "fails"),
    ("assert(argv[argc] == 0);", "assert", "holds"),
    (
        "if (argc == 2 && !strcmp(argv[1], \"x\")) assert(strcmp(argv[1], \"y\"));",
        "assert",
        "holds",
    ),
    (
        "if (argc == 2 && !strcmp(argv[1], \"x\")) assert(0);",
        "assert",
        "fails",
    ),
    ("char c = argv[1][0]; s[0] = c;", "null", "fails"),
];

/// The verdict on a property of a program with these statements.
fn verdict(statements: &str, property: &str) -> String {
    let text = format!(
        "#include <arpa/inet.h>\n#include <assert.h>\n#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #include <strings.h>\n#include <sys/socket.h>\n#include <unistd.h>\n\
         int main(int argc, char **argv)\n{{\n    char s[8] = {{ 0 }};\n    \
         struct {{ int a; char b[8]; }} t;\n    FILE *f = stdin;\n    {statements}\n    \
         return 0;\n}}\n"
    );
    let system = InMemory::default().with_file("t.c", text);
    let line = format!("probity check t.c --property {property} --format json");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    run(&words, &system);
    let json: serde_json::Value = serde_json::from_str(&system.out()).unwrap_or_default();
    let verdict = &json["files"][0]["properties"][0]["verdict"];
    match verdict.as_str() {
        Some(verdict) => verdict.to_owned(),
        None => format!("no verdict: {}{}", system.out(), system.err()),
    }
}

#[test]
fn calls_use_the_memory_that_they_are_documented_to_use() {
    let wrong: Vec<String> = CALLS
        .iter()
        .filter_map(|(statements, property, expected)| {
            let found = verdict(statements, property);
            (found != *expected).then(|| format!("{statements}: {property} {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
