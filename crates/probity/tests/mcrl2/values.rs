//! What is computed, matched and named in scripts, and how everything is shut down, in both.

use tscript::Dialect;

use crate::compare;

/// Takes all messages that others send.
const TAKES_ALL: &str = "process Z is let X : term in rec-msg(X?) * delta endlet\n";

const SCRIPTS: [(&str, &str); 13] = [
    (
        "numbers",
        "process A is let I : int, J : int in I := -7 . J := 2 . snd-msg(I) . I := div(I, J) . snd-msg(I) .\n\
         I := mod(-7, J) . snd-msg(I) . I := abs(I) . snd-msg(I) . I := mul(2147483647, J) . snd-msg(I) .\n\
         I := div(I, 0) . snd-msg(never) endlet\n\
         toolbus(A, Z)",
    ),
    (
        "lists",
        "process A is let L : list, T : term, I : int in L := join([1], [2, 3]) . snd-msg(a(L)) .\n\
         L := next(L) . snd-msg(L) . T := first(L) . snd-msg(T) . I := size(L) . snd-msg(I) .\n\
         T := index(L, 2) . snd-msg(T) . L := replace(L, 1, x) . snd-msg(L) . L := delete(L, x) . snd-msg(L) .\n\
         L := diff([1, 2, 3], [2]) . snd-msg(L) . L := inter([1, 2, 3], [2]) . snd-msg(L) .\n\
         L := put(L, k, 3) . snd-msg(L) . T := get(L, k) . snd-msg(T) .\n\
         if member(2, L) then snd-msg(yes) else snd-msg(no) fi .\n\
         if subset([2, 2], L) then snd-msg(yes) else snd-msg(no) fi .\n\
         T := first([]) . snd-msg(T) . T := index(L, 9) . snd-msg(never) endlet\n\
         toolbus(A, Z)",
    ),
    (
        "kinds",
        "process A is let T : term in ( T := 1 + T := \"a\" + T := [] + T := w + T := f(1) + T := true ) .\n\
         if is-int(T) then snd-msg(int) fi + if is-str(T) then snd-msg(str) fi\n\
         + if is-list(T) then snd-msg(list) fi + if is-empty(T) then snd-msg(empty) fi\n\
         + if is-appl(T) then snd-msg(appl) fi + if is-bool(T) then snd-msg(bool) fi\n\
         + if is-var(T) then snd-msg(var) fi + if is-real(T) then snd-msg(real) fi endlet\n\
         toolbus(A, Z)",
    ),
    (
        "quote",
        "process A is let T : term in T := quote(add(1, 2)) . snd-msg(T) .\n\
         if equal(T, quote(add(1, 2))) then snd-msg(same) fi endlet\n\
         toolbus(A, Z)",
    ),
    (
        "types",
        "process A is snd-msg([1, 2]) . snd-msg([1, x]) . snd-msg([]) . snd-msg(f(1)) . snd-msg(f(x))\n\
         process B is let L : list(int), M : list, N : [int, int], F : f(int), G : f in\n\
           ( rec-msg(L?) . snd-msg(got(L)) + rec-msg(N?) + rec-msg(F?) + rec-msg(G?) . snd-msg(any(G))\n\
           + rec-msg(M?) ) * delta endlet\n\
         process C is let X : term, I : int in ( rec-msg(got(X?)) + rec-msg(any(f(I?))) ) * delta endlet\n\
         toolbus(A, B, C)",
    ),
    (
        "notes-of-lists",
        "process A is let L : list, I : int, J : int in subscribe(n(<list>)) . subscribe([<int>, <int>]) .\n\
           ( rec-note(n(L?)) . snd-msg(L) + rec-note([I?, J?]) . snd-msg(s(I, J)) ) * delta endlet\n\
         process B is snd-note(n([1])) . snd-note([1, 2]) . snd-note([1, x]) . snd-note(n(1))\n\
         toolbus(A, B, Z)",
    ),
    (
        "names",
        "process A is snd-msg(x(1)) . snd-msg(x-1(2)) . snd-msg(x_1(3)) . snd-msg(x_1) . snd-msg(x_1(f(1)))\n\
         process B is let X : term in\n\
           ( rec-msg(x-1(X?)) + rec-msg(x_1(X?)) . snd-msg(y(X)) + rec-msg(X?) ) * delta endlet\n\
         process C is let X : term in rec-msg(y(X?)) * delta endlet\n\
         toolbus(A, B, C)",
    ),
    (
        "no-value",
        "process A is let X : int, Y : int in ( X := add(Y, 1) . snd-msg(a) + snd-msg(b) ) .\n\
           if less(Y, 1) then snd-msg(c) else snd-msg(d) fi endlet\n\
         process C is let Y : int in if less(Y, 1) then snd-note(c) else subscribe(d) fi endlet\n\
         toolbus(A, C, Z)",
    ),
    (
        "shutdowns",
        "process A is tau . ( snd-msg(a) + shutdown(\"a\") )\n\
         process B is ( rec-msg(a) . shutdown(\"b\") ) * delta\n\
         process D is subscribe(n) . rec-note(n)\n\
         process E is snd-note(n)\n\
         toolbus(A, B, D, E)",
    ),
    (
        "shutdown-alone",
        "process A is tau . shutdown(\"x\")\ntoolbus(A)",
    ),
    ("nothing", "process A is delta\ntoolbus(A)"),
    ("silent", "process A is tau * delta\ntoolbus(A)"),
    (
        "created",
        "process P(N : int) is let T : int, M : int in\n\
           if less(N, 3) then M := add(N, 1) . create(P(M), T?) fi endlet\n\
         toolbus(P(0))",
    ),
];

#[test]
fn each_value_is_the_same_in_both() {
    for (name, text) in SCRIPTS {
        let text = match text.contains(", Z)") {
            true => format!("{TAKES_ALL}{text}"),
            false => text.to_owned(),
        };
        for dialect in [Dialect::Ng, Dialect::C] {
            compare(&format!("values-{name}"), &text, &[], dialect);
        }
    }
}
