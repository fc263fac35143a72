//! Members of unions share their memory, and bit-fields are packed as compilers do it.

use probity::{InMemory, run};

/// Statements, and whether their assertions and accesses hold.
const PROGRAMS: &[(&str, &str)] = &[
    // Members share their bits, the lowest byte first.
    (
        "union u { uint32_t w; uint8_t b[4]; } u; u.w = 0x01020304; assert(u.b[0] == 4 && u.b[3] == 1);",
        "holds",
    ),
    (
        "union u { uint32_t w; uint8_t b[4]; } u; u.w = 0x01020304; u.b[1] = 0xff; assert(u.w == 0x0102ff04);",
        "holds",
    ),
    (
        "union u { uint32_t w; uint8_t b[4]; } u = {0}; int c = getchar() & 3; u.b[c] = 1; assert(u.w == 1u << 8 * c);",
        "holds",
    ),
    (
        "union u { uint32_t w; uint8_t b[4]; } u = {0}; int c = getchar() & 3; u.b[c] = 1; assert(u.w != 0x10000);",
        "fails",
    ),
    (
        "union { uint64_t l; uint32_t h[2]; } u; u.l = 0x8000000100000002; assert(u.h[0] == 2 && u.h[1] == 0x80000001); u.h[1] = 0xffffffff; assert(u.l == 0xffffffff00000002);",
        "holds",
    ),
    (
        "union { int8_t s; uint8_t u; } u; u.s = -1; assert(u.u == 255); u.u = 128; assert(u.s == -128);",
        "holds",
    ),
    (
        "struct { int t; union { int a; unsigned char c; }; } s; s.a = 0x141; assert(s.c == 0x41);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; assert((u.w & 255) == u.b[0]);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0x01010101; int n = 0; for (uint8_t *p = u.b; p < u.b + 4; p++) n += *p; assert(n == 4);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0; assert(u.b[getchar() & 7] == 0);",
        "fails",
    ),
    ("assert(sizeof(union { char a[5]; int b; }) == 8);", "holds"),
    // Pointers and floating-point numbers are carried over as far as they are followed.
    (
        "struct { int tag; union { int i; char *s; } v; } x; x.tag = 0; x.v.i = 7; if (x.tag) puts(x.v.s); assert(x.v.i == 7);",
        "holds",
    ),
    (
        "union { int i; char *s; } v; v.s = \"a\"; v.i = 1; assert(*v.s == 'a');",
        "possible",
    ),
    (
        "union { long i; char *s; } v; v.i = 0; assert(v.s == 0);",
        "holds",
    ),
    (
        "union { long i; char *s; } v; v.s = 0; assert(v.i == 0);",
        "holds",
    ),
    (
        "union { float f; uint32_t i; } v; v.i = 5; assert(v.i == 5); v.f = 1;",
        "holds",
    ),
    (
        "union { float f; uint32_t i; } v; v.f = 1; assert(v.i == 5);",
        "possible",
    ),
    // Copies.
    (
        "union u { uint32_t w; uint8_t b[4]; } u, v; u.w = 77; v = u; assert(v.b[0] == 77 && v.w == 77);",
        "holds",
    ),
    (
        "struct { int tag; union { double d; int i; char *s; } v; } x, y; x.tag = 1; x.v.i = 9; y = x; assert(y.v.i == 9);",
        "holds",
    ),
    (
        "struct p { uint16_t a, b; }; union { struct p p; uint32_t w; } u; struct p q = { 1, 2 }; u.w = 0; u.p = q; assert(u.w == 0x20001);",
        "holds",
    ),
    (
        "struct { int t; union { int i; char c; } v; } st[3] = { { 1, { 5 } } }; int k = getchar() & 1; st[k].v.i = 65; assert(st[k].v.c == 65);",
        "holds",
    ),
    // Through pointers, and in part.
    (
        "union x { uint32_t w; uint8_t b[4]; } u, *p = &u; p->w = 0x01020304; p->b[0] = 9; assert(u.w == 0x01020309);",
        "holds",
    ),
    (
        "struct p { uint8_t a, b; }; union { struct p p[2]; uint32_t w; } u; u.w = 0x04030201; struct p q = u.p[1]; assert(q.a == 3 && q.b == 4);",
        "holds",
    ),
    (
        "struct p { uint8_t a, b; }; union { struct p p[2]; uint32_t w; } u; u.w = 0x04030201; u.p[0] = u.p[1]; assert(u.w == 0x04030403);",
        "holds",
    ),
    (
        "union v { int i; char c[4]; } a, b, t; a.i = 1; b.i = 2; t = a; a = b; b = t; assert(a.c[0] == 2 && b.c[0] == 1);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0; *(uint8_t *)&u = 5; assert(u.w == 0);",
        "possible",
    ),
    (
        "struct { unsigned a : 7, b : 9; int c : 5; } s = { 1, 2, -3 }; s.b += 600; assert(s.a == 1 && s.b == 90 && s.c == -3);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0; long n = read(0, u.b + 1, 2); assert(u.w < 0x10000);",
        "possible",
    ),
    (
        "union { int *p; int *q; } u; int i = 3; u.q = &i; *u.p = 4; assert(i == 3);",
        "fails",
    ),
    // First values.
    (
        "union { uint16_t w; uint8_t b[2]; } u = { .b = { 1, 2 } }; assert(u.w == 0x201);",
        "holds",
    ),
    (
        "static union { uint16_t w; uint8_t b[2]; } u = { 0x201 }; assert(u.b[1] == 2);",
        "holds",
    ),
    (
        "static union { uint32_t w; uint8_t b[2]; } u = { .b = { 3, 4 } }; assert(u.w == 0x403);",
        "holds",
    ),
    (
        "static union { char *s; int i; } u = { .i = 0 }; assert(u.s == 0);",
        "holds",
    ),
    // Memory.
    (
        "union { uint32_t w; uint8_t b[4]; } u; memset(&u, 0, sizeof u); assert(u.w == 0 && u.b[2] == 0);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; memset(&u, 1, sizeof u); assert(u.w == 0x01010101);",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0; read(0, &u, 4); assert(u.b[1] == 0);",
        "possible",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; u.w = 0; read(0, u.b + 1, 2); assert((u.w & 255) == 0);",
        "holds",
    ),
    (
        "union { int a; char c; } *p = malloc(sizeof *p); if (p) { p->a = 66; assert(p->c == 66); }",
        "holds",
    ),
    (
        "union { int a; char c; } *p = calloc(1, sizeof *p); if (p) { assert(p->c == 0 && p->a == 0); }",
        "holds",
    ),
    (
        "union { uint32_t w; uint8_t b[4]; } u; assert((void *)&u.w != (void *)u.b);",
        "possible",
    ),
    // One that is too large is not followed.
    (
        "union { char b[3000]; int i; } u; memset(&u, 0, sizeof u); u.i = 3; assert(u.i == 3);",
        "possible",
    ),
    // Structures of a computed number: their bytes are not those of so many first members.
    (
        "struct s { long a; char b, c; }; int n = getchar(); if (n < 1 || n > 3) return 0; \
         struct s *p = malloc(n * sizeof(struct s)); if (p) memset(p, 0, n * 24);",
        "possible",
    ),
    // Bit-fields.
    (
        "struct { unsigned a : 3; unsigned b : 5; } s; s.a = 9; s.b = 31; assert(s.a == 1 && s.b == 31);",
        "holds",
    ),
    (
        "struct { int a : 3; } s; s.a = 7; assert(s.a == -1);",
        "holds",
    ),
    (
        "union { struct { uint8_t lo : 4, hi : 4; } n; uint8_t b; } u; u.b = 0xa5; assert(u.n.lo == 5 && u.n.hi == 10);",
        "holds",
    ),
    (
        "union { struct { uint8_t lo : 4, hi : 4; } n; uint8_t b; } u; u.b = 0; u.n.hi = 3; assert(u.b == 0x30);",
        "holds",
    ),
    (
        "union { struct { uint16_t a : 6, b : 7, c : 3; } n; uint16_t w; uint8_t b[2]; } u; u.w = 0; u.n.b = 127; assert(u.b[0] == 0xc0 && u.b[1] == 0x1f && u.w == 0x1fc0);",
        "holds",
    ),
    (
        "struct { _Bool a : 1; unsigned b : 1; } s; s.a = 6; s.b = 6; assert(s.a == 1 && s.b == 0);",
        "holds",
    ),
    (
        "struct { unsigned a : 2; } s = { 3 }; s.a++; assert(s.a == 0);",
        "holds",
    ),
    (
        "enum e { A, B, C } ; struct { enum e k : 2; } s; s.k = C; assert(s.k == C);",
        "holds",
    ),
    (
        "struct { unsigned a : 3, b : 9; } s; memset(&s, 255, sizeof s); assert(s.a == 7 && s.b == 511);",
        "holds",
    ),
    (
        "struct { unsigned a : 3, b : 9; } s; memset(&s, 0x55, sizeof s); assert(s.a == 0);",
        "possible",
    ),
];

/// What is said of a program with these statements: the worst of its properties.
fn verdict(statements: &str) -> String {
    let text = format!(
        "#include <assert.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <unistd.h>\n\
         int main(void)\n{{\n    {statements}\n    return 0;\n}}\n"
    );
    let system = InMemory::default().with_file("t.c", text);
    let line = "probity check t.c --format json";
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    run(&words, &system);
    let json: serde_json::Value = serde_json::from_str(&system.out()).unwrap_or_default();
    let properties = json["files"][0]["properties"].as_array();
    let all: Vec<&str> = properties
        .into_iter()
        .flatten()
        .filter_map(|property| property["verdict"].as_str())
        .collect();
    let worst = ["fails", "possible", "not-known", "holds"]
        .into_iter()
        .find(|verdict| all.contains(verdict));
    worst.map_or_else(
        || format!("no verdict: {}{}", system.out(), system.err()),
        str::to_owned,
    )
}

#[test]
fn unions_and_bit_fields_are_followed_bit_by_bit() {
    let wrong: Vec<String> = PROGRAMS
        .iter()
        .filter_map(|(statements, expected)| {
            let found = verdict(statements);
            (found != *expected).then(|| format!("{statements}: {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
