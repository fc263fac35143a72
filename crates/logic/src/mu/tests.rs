//! Formulas of the mu-calculus: what texts mean, what becomes of them, and what is refused.

use std::cmp::Ordering;

use super::*;

/// Actions, constants and propositions are their texts; numbers are ordered, terms are texts with
/// parentheses.
pub(super) struct Words;

impl Vocabulary for Words {
    type Atom = String;
    type Event = String;
    type Value = String;
    type Error = String;

    fn proposition(&mut self, text: &str, _: usize) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn event(&mut self, name: &str, _: usize, _: usize) -> Result<String, String> {
        match name {
            "unknown" => Err("there is no such action".to_owned()),
            name => Ok(name.to_owned()),
        }
    }

    fn constant(
        &mut self,
        text: &str,
        _: Option<(&String, usize)>,
        _: usize,
    ) -> Result<String, String> {
        Ok(text.to_owned())
    }
}

impl Values for Words {
    type Value = String;

    fn compare(&self, a: &String, b: &String) -> Option<Ordering> {
        let number = |text: &String| text.parse::<i64>().ok();
        Some(number(a)?.cmp(&number(b)?))
    }

    fn term(&self, value: &String) -> Option<(String, Vec<String>)> {
        let (functor, rest) = value.split_once('(')?;
        let args = rest.strip_suffix(')')?.split(',').map(str::to_owned);
        Some((functor.to_owned(), args.collect()))
    }

    fn number(&self, value: &String) -> Option<i128> {
        value.parse().ok()
    }

    fn like(&self, _: &String, number: i128) -> Option<String> {
        Some(number.to_string())
    }

    fn truth(&self, value: &String) -> Option<bool> {
        value.parse().ok()
    }
}

pub(super) type Text = Mu<String, String, String>;

pub(super) fn read(text: &str) -> Text {
    parse(text, &mut Words).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

pub(super) fn syntax_error(text: &str) -> (MuSyntax, std::ops::Range<usize>) {
    match parse(text, &mut Words) {
        Err(MuError::Syntax { error, range }) => (error, range),
        other => panic!("{text}: {other:?}"),
    }
}

pub(super) fn labels(texts: &[&[(&str, &[&str])]]) -> Vec<Box<[Happening<String, String>]>> {
    let happening = |(event, args): &(&str, &[&str])| Happening {
        event: (*event).to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
    };
    texts
        .iter()
        .map(|label| label.iter().map(happening).collect())
        .collect()
}

/// A formula of a system, fixpoints written out once.
fn show(system: &System<String>, node: NodeId, open: &mut Vec<FixpointId>) -> String {
    let set = |id: &LabelSetId| match system.label_set(*id) {
        LabelSet::All => "*".to_owned(),
        LabelSet::These(these) => {
            let numbers = (0..these.len()).filter(|n| these[*n]);
            numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(",")
        }
    };
    match system.node(node) {
        Node::True => "true".to_owned(),
        Node::False => "false".to_owned(),
        Node::Literal(atom, true) => system.atoms[*atom as usize].clone(),
        Node::Literal(atom, false) => format!("!{}", system.atoms[*atom as usize]),
        Node::And(ps) | Node::Or(ps) => {
            let sign = if matches!(system.node(node), Node::And(_)) {
                " && "
            } else {
                " || "
            };
            let mut parts: Vec<String> = ps.iter().map(|p| show(system, *p, open)).collect();
            parts.sort();
            format!("({})", parts.join(sign))
        }
        Node::Box(labels, p) => format!("[{}]{}", set(labels), show(system, *p, open)),
        Node::Diamond(labels, p) => format!("<{}>{}", set(labels), show(system, *p, open)),
        Node::Fixpoint(id) => {
            if let Some(place) = open.iter().position(|other| other == id) {
                return format!("X{place}");
            }
            let fixpoint = system.fixpoint(*id);
            let place = open.len();
            open.push(*id);
            let body = show(system, fixpoint.body, open);
            open.truncate(place);
            format!(
                "{} X{place}.{body}",
                if fixpoint.least { "mu" } else { "nu" }
            )
        }
    }
}

/// The system of a formula, shown.
pub(super) fn show_system(text: &str, texts: &[&[(&str, &[&str])]]) -> String {
    let system = System::of(&read(text), &labels(texts), &Words).expect("it is small");
    show(&system, system.root, &mut Vec::new())
}

const PLAIN: &[&[(&str, &[&str])]] =
    &[&[], &[("a", &[])], &[("b", &[])], &[("a", &[]), ("c", &[])]];

/// An arrow between actions is loosest there, and none between formulas.
#[test]
fn an_arrow_joins_actions() {
    assert_eq!(show_system("[a => c]{p}", PLAIN), "[0,2,3]p");
    assert_eq!(show_system("<a && c => b || c>{p}", PLAIN), "<*>p");
    assert_eq!(show_system("<a => b => c>{p}", PLAIN), "<*>p");
    assert_eq!(
        show_system("<a => c>{p} => <b>{p}", PLAIN),
        "(<2>p || [0,2,3]!p)"
    );
}

#[test]
fn regular_formulas_become_fixpoints() {
    assert_eq!(
        show_system("[true*]<true*.a>true", PLAIN),
        "nu X0.([*]X0 && mu X1.(<*>X1 || <1,3>true))"
    );
    assert_eq!(show_system("[a.b+c]{p}", PLAIN), "([1,3][2]p && [3]p)");
    assert_eq!(show_system("<a+>{p}", PLAIN), "<1,3>mu X0.(<1,3>X0 || p)");
    assert_eq!(
        show_system("[(!a)*.b]false", PLAIN),
        "nu X0.([0,2]X0 && [2]false)"
    );
    assert_eq!(
        show_system("[tau]{p} && [a && c || b]{q}", PLAIN),
        "([0]p && [2,3]q)"
    );
    assert_eq!(show_system("<d>true", PLAIN), "false", "it never happens");
}

#[test]
fn negations_move_inwards() {
    assert_eq!(
        show_system("!(mu X. {p} || <true>X)", PLAIN),
        "nu X0.(!p && [*]X0)"
    );
    assert_eq!(
        show_system("({p} => [a*]{q}) => {r}", PLAIN),
        "((mu X0.(!q || <1,3>X0) && p) || r)"
    );
    assert_eq!(
        show_system("nu X. !(mu Y. !([a]X) || <b>Y)", PLAIN),
        "nu X0.nu X1.([1,3]X0 && [2]X1)"
    );
    assert_eq!(show_system("mu X. X", PLAIN), "false");
}

const BIDS: &[&[(&str, &[&str])]] = &[
    &[("bid", &["b1", "1"])],
    &[("bid", &["b1", "2"])],
    &[("sold", &["b1", "1"])],
    &[("sold", &["b1", "2"])],
    &[("note", &["sold(2)"])],
    &[("acc", &["b1", "yes"])],
];

#[test]
fn data_is_instantiated() {
    assert_eq!(
        show_system(
            "forall b: BID, m: Nat. [bid(b,m)] forall n. val(n < m) => [sold(b,n)]false",
            BIDS
        ),
        "[1][2]false"
    );
    assert_eq!(
        show_system("[exists m. val(m <= 1) && bid(_, m)]{p}", BIDS),
        "[0]p"
    );
    assert_eq!(show_system("[bid]{p}", BIDS), "[0,1]p", "any arguments");
    assert_eq!(
        show_system("exists x. <note(sold(x)) || bid(_, x)>true", BIDS),
        "(<0>true || <1,4>true)"
    );
    assert_eq!(
        show_system("forall x in 1..2. <bid(b1, x)>{p}", BIDS),
        "(<0>p && <1>p)"
    );
    assert_eq!(
        show_system("forall x in {yes, no}. [acc(_, x)]{p}", BIDS),
        "[5]p"
    );
    assert_eq!(
        show_system("[forall x in {1, 2}. !bid(_, x)]{p}", BIDS),
        "[2,3,4,5]p"
    );
}

#[test]
fn what_extends_to_the_right() {
    let a = read("[a] forall x. <b(x)>true => {p} || {q}");
    assert!(
        matches!(&a, Mu::Box(_, inner) if matches!(&**inner, Mu::ForAll(_, body)
        if matches!(&**body, Mu::Implies(..))))
    );
    let b = read("{p} && mu X. {q} || <a>X");
    assert!(
        matches!(&b, Mu::And(parts) if matches!(&parts[1], Mu::Least(_, _, body)
        if matches!(&**body, Mu::Or(_))))
    );
    let c = read("<exists c. a(c)>true -> {p} -> {q}");
    assert!(
        matches!(&c, Mu::Implies(left, right) if matches!(&**left, Mu::Diamond(..))
        && matches!(&**right, Mu::Implies(..)))
    );
    assert!(
        matches!(read("<snd-msg(a) . call f>true"), Mu::Diamond(Regular::Sequence(parts), _)
        if matches!(&parts[1], Regular::Action(Action::Happens(name, _)) if name == "call f"))
    );
}

#[test]
fn errors_and_where() {
    use MuSyntax::*;
    assert_eq!(syntax_error(""), (MissingFormula, 0..0));
    assert_eq!(syntax_error("[a]"), (MissingFormula, 3..3));
    assert_eq!(syntax_error("[a true"), (Missing("]"), 3..4));
    assert_eq!(syntax_error("[a"), (Unclosed, 0..1));
    assert_eq!(syntax_error("[a || b*]true"), (Ambiguous, 7..8));
    assert_eq!(syntax_error("[a . b && c*]true").0, Ambiguous);
    assert_eq!(syntax_error("[(a.b) || c]true"), (NotAnAction, 7..9));
    assert_eq!(syntax_error("[a => (b.c)]true"), (NotAnAction, 3..5));
    assert_eq!(syntax_error("[a => b*]true"), (Ambiguous, 7..8));
    assert_eq!(
        syntax_error("X && true"),
        (UnknownVariable("X".to_owned()), 0..1)
    );
    assert_eq!(
        syntax_error("mu X. !X"),
        (NotMonotone("X".to_owned()), 7..8)
    );
    assert_eq!(
        syntax_error("mu X. X => {p}"),
        (NotMonotone("X".to_owned()), 6..7)
    );
    assert_eq!(
        syntax_error("forall x. [a]true"),
        (NoDomain("x".to_owned()), 7..8)
    );
    assert_eq!(
        syntax_error("forall x in 3..1. [a(x)]true"),
        (BadRange, 12..16)
    );
    assert_eq!(syntax_error("[a(+)]true"), (MissingValue, 3..4));
    assert_eq!(syntax_error("val(1 + 2)"), (MissingComparison, 9..10));
    assert_eq!(syntax_error("true true"), (Stray, 5..9));
    assert_eq!(syntax_error("{p"), (Unclosed, 0..1));
    assert_eq!(
        parse("[unknown(1)]true", &mut Words),
        Err(MuError::Name {
            error: "there is no such action".to_owned(),
            range: 1..8
        })
    );
}

#[test]
fn no_text_is_too_much() {
    let n = 100_000;
    for deep in [
        "(".repeat(n),
        "!".repeat(n) + "true",
        "[a]".repeat(n) + "true",
        "<".repeat(n),
        "mu X. ".repeat(n) + "X",
        "[".to_owned() + &"(".repeat(n) + "a",
        "[".to_owned() + &"!".repeat(n) + "a]true",
        "[a(".to_owned() + &"f(".repeat(n) + ")]true",
        "val(".to_owned() + &"!".repeat(n) + "true)",
    ] {
        assert!(parse(&deep, &mut Words).is_err());
    }
    assert!(parse("[a(größe, \"ä", &mut Words).is_err());
    assert!(parse("ä => {ö", &mut Words).is_err());
    let wide = "true && ".repeat(n) + "true";
    assert!(parse(&wide, &mut Words).is_ok());
    let values = "forall a in 0..9999. forall b in 0..9999. [x(a, b)]true";
    assert_eq!(
        System::of(&read(values), &labels(PLAIN), &Words).map(|_| ()),
        Err(InstantiateError::TooLarge)
    );
}
