fn main() {
    let f = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(&f).unwrap();
    let l = tscript::load(
        "x.tb",
        &t,
        &tscript::Options {
            bounds: std::env::args()
                .skip(2)
                .map(|b| {
                    let (a, c) = b.split_once("=").unwrap();
                    (a.to_owned(), c.to_owned())
                })
                .collect(),
            ..tscript::Options::default()
        },
    );
    for a in l.program.unwrap().assumptions {
        println!("{:?} {}", a.origin, a.text);
    }
}
