//! Makes random programs: their variables, functions and threads.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;
use crate::rules::{self, Rules};

/// A program with its policy and net, as texts and as the monitor's table.
pub(crate) struct Sample {
    /// The program, with `main`.
    pub(crate) text: String,
    /// The policy.
    pub(crate) policy: String,
    /// The net, if one is given.
    pub(crate) net: Option<String>,
    /// The policy and the net as initial values in C.
    pub(crate) table: String,
    /// What the program has.
    pub(crate) features: BTreeSet<&'static str>,
}

/// The functions that are outside of every program.
pub(crate) const PRELUDE: &str = "#include <pthread.h>\n#include <assert.h>\n#include <mobile.h>\n\
#include <stddef.h>\n\
int in_int(void); unsigned in_uint(void); long in_long(void); const char *in_text(void);\n\
void act(int); int send(const char *, int); int open_at(const char *, const char *);\n\
void mangle(int *); int strcmp(const char *, const char *); void exit(int);\n";

/// The types of integer variables.
pub(crate) const INTEGERS: &[&str] = &[
    "int",
    "int",
    "int",
    "unsigned",
    "signed char",
    "unsigned char",
    "short",
    "long",
    "_Bool",
];

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// An integer of one of `INTEGERS`.
    Integer,
    /// `int` of so many elements.
    Array(usize),
    /// `int` of so many rows of two.
    Matrix(usize),
    /// `char` of so many elements.
    Buffer(usize),
    /// The structure.
    Structure,
    /// So many structures.
    Structures(usize),
    /// The union.
    Union,
    /// `int *`.
    Pointer,
    /// `const char *`.
    Text,
    /// A pointer to the structure.
    Link,
    /// A pointer to a function of one number.
    Function,
}

/// A variable that statements may use.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// `int`, so that its address is an `int *`.
    pub(crate) plain: bool,
    /// Whether it lasts for the whole run.
    pub(crate) global: bool,
    /// A counter of a loop: only the loop writes it, and nobody has its address.
    pub(crate) counter: bool,
}

/// Makes one program.
pub(crate) struct Maker {
    pub(crate) random: Random,
    /// The end of all names, so that many programs fit into one file.
    pub(crate) tag: usize,
    pub(crate) out: String,
    pub(crate) variables: Vec<Variable>,
    /// Functions of one number.
    pub(crate) helpers: Vec<String>,
    pub(crate) features: BTreeSet<&'static str>,
    pub(crate) names: usize,
    pub(crate) loops: usize,
    /// How many statements the body of the function has.
    pub(crate) size: usize,
    /// The result type of the function is a number.
    pub(crate) returns: bool,
    /// Whether nothing in the program is undefined: numbers are kept small before they are added,
    /// pointers point to something that lasts, and indices are taken modulo.
    pub(crate) careful: bool,
    workers: Vec<String>,
}

impl Maker {
    pub(crate) fn has(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    pub(crate) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}_{}", self.names, self.tag)
    }

    /// A variable of a shape, if there is one.
    pub(crate) fn of_shape(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all: Vec<&Variable> = self.variables.iter().filter(|v| suits(v)).collect();
        match all.is_empty() {
            true => None,
            false => Some(all[self.random.below(all.len())].clone()),
        }
    }

    /// Declares a variable with a first value; globals have constants.
    fn declare(&mut self, global: bool, indent: usize) {
        let shape = match self.random.weighted(&[7, 2, 1, 2, 2, 1, 2, 1, 1, 1, 2]) {
            0 => Shape::Integer,
            1 => Shape::Array(2 + self.random.below(3)),
            2 => Shape::Matrix(2 + self.random.below(2)),
            3 => Shape::Buffer(3 + self.random.below(3)),
            4 => Shape::Structure,
            5 => Shape::Structures(2),
            6 => Shape::Pointer,
            7 => Shape::Text,
            8 => Shape::Link,
            9 => Shape::Function,
            _ => Shape::Union,
        };
        self.declare_as(shape, global, indent);
    }

    pub(crate) fn declare_as(&mut self, shape: Shape, global: bool, indent: usize) {
        let tag = self.tag;
        let pad = " ".repeat(indent);
        let keep = if !global && self.random.chance(8) {
            "static "
        } else {
            ""
        };
        let constant = global || !keep.is_empty();
        let mut plain = true;
        let name = self.name(if global { "g" } else { "v" });
        let line = match shape {
            Shape::Integer => {
                let ty = self.random.pick(INTEGERS);
                plain = ty == "int";
                let value = match constant {
                    true => self.random.below(6).to_string(),
                    false if !self.careful && self.random.chance(12) => String::new(),
                    false => self.number(2),
                };
                match value.is_empty() {
                    true => format!("{ty} {name};"),
                    false => format!("{ty} {name} = {value};"),
                }
            }
            Shape::Array(size) => {
                self.has("array");
                let first = self.random.below(5);
                format!("int {name}[{size}] = {{ {first}, 1 }};")
            }
            Shape::Matrix(size) => {
                self.has("matrix");
                format!("int {name}[{size}][2] = {{ {{ 1 }}, {{ 2, 3 }} }};")
            }
            Shape::Buffer(size) => {
                self.has("buffer");
                let text = self.random.pick(&["a", "ab", "b", ""]);
                format!("char {name}[{size}] = \"{text}\";")
            }
            Shape::Structure => {
                self.has("structure");
                let first = if constant {
                    "1".to_owned()
                } else {
                    self.number(1)
                };
                format!("struct s_{tag} {name} = {{ {first}, 2, \"a\", {{ 3, 4 }}, 0 }};")
            }
            Shape::Structures(size) => {
                self.has("structures");
                format!("struct s_{tag} {name}[{size}] = {{ {{ 1, .b = 7 }}, {{ .t = \"ab\" }} }};")
            }
            Shape::Union => {
                self.has("union");
                let value =
                    self.random
                        .pick(&["{ 258 }", "{ .b = { 1, 2, 200 } }", "{ .f = { 9, -3 } }"]);
                format!("union u_{tag} {name} = {value};")
            }
            Shape::Pointer => {
                self.has("pointer");
                let value = self.place_address(global || constant);
                format!("int *{name} = {value};")
            }
            Shape::Text => {
                self.has("text");
                let value = match constant {
                    true => format!("\"{}\"", self.random.pick(rules::TEXTS)),
                    false => self.text(),
                };
                format!("const char *{name} = {value};")
            }
            Shape::Link => {
                self.has("link");
                let value = self.link(global || constant);
                format!("struct s_{tag} *{name} = {value};")
            }
            Shape::Function => {
                self.has("function pointer");
                let value = self.helper();
                format!("int (*{name})(int) = {value};")
            }
        };
        let _ = writeln!(self.out, "{pad}{keep}{line}");
        self.variables.push(Variable {
            name,
            shape,
            plain,
            global: constant,
            counter: false,
        });
    }

    /// The name of a function of one number.
    pub(crate) fn helper(&mut self) -> String {
        let at = self.random.below(self.helpers.len());
        self.helpers[at].clone()
    }

    /// The address of an `int`, or null.
    pub(crate) fn place_address(&mut self, lasting: bool) -> String {
        let lasting = lasting || self.careful;
        let suits = move |v: &Variable| {
            (v.global || !lasting)
                && !v.counter
                && match v.shape {
                    Shape::Integer => v.plain,
                    Shape::Array(_) | Shape::Structure | Shape::Matrix(_) | Shape::Union => true,
                    Shape::Pointer => !lasting,
                    _ => false,
                }
        };
        if !self.careful && self.random.chance(4) {
            return "0".to_owned();
        }
        match self.of_shape(suits) {
            None => format!("&z_{}", self.tag),
            Some(v) => match v.shape {
                Shape::Integer => format!("&{}", v.name),
                Shape::Pointer => v.name,
                Shape::Array(size) => match self.random.below(3) {
                    0 => v.name,
                    _ => format!("&{}[{}]", v.name, self.random.below(size)),
                },
                Shape::Matrix(size) => match self.random.below(2) {
                    0 => format!("{}[{}]", v.name, self.random.below(size)),
                    _ => format!("&{}[{}][1]", v.name, self.random.below(size)),
                },
                Shape::Union => format!("&{}.a", v.name),
                _ => match self.random.below(3) {
                    0 => format!("&{}.a", v.name),
                    1 => format!("{}.v", v.name),
                    _ => format!("&{}.v[1]", v.name),
                },
            },
        }
    }

    /// The address of a structure, or null.
    pub(crate) fn link(&mut self, lasting: bool) -> String {
        let lasting = lasting || self.careful;
        let suits = move |v: &Variable| {
            (v.global || !lasting) && matches!(v.shape, Shape::Structure | Shape::Structures(_))
        };
        if !self.careful && self.random.chance(3) {
            return "0".to_owned();
        }
        match self.of_shape(suits) {
            None => format!("&y_{}", self.tag),
            Some(v) => match v.shape {
                Shape::Structures(size) => format!("&{}[{}]", v.name, self.random.below(size)),
                _ => format!("&{}", v.name),
            },
        }
    }

    fn function(&mut self, head: &str, parameters: Vec<Variable>, returns: bool, size: usize) {
        let before = self.variables.len();
        self.variables.extend(parameters);
        self.returns = returns;
        let _ = writeln!(self.out, "{head}\n{{");
        for _ in 0..self.random.below(3) {
            self.declare(false, 4);
        }
        self.size = size;
        self.block(4, 0);
        if returns {
            let value = self.number(2);
            let _ = writeln!(self.out, "    return {value};");
        }
        self.out.push_str("}\n");
        self.variables.truncate(before);
    }

    fn helper_function(&mut self) {
        let name = self.name("f");
        let parameter = self.name("p");
        let variable = Variable {
            name: parameter.clone(),
            shape: Shape::Integer,
            plain: true,
            global: false,
            counter: false,
        };
        let head = format!("static int {name}(int {parameter})");
        if self.random.chance(15) {
            self.has("recursion");
            let body = self.number(1);
            let _ = writeln!(
                self.out,
                "{head}\n{{\n    {parameter} &= 3;\n    return {parameter} > 0 ? {name}({parameter} - 1) + 1 : {body};\n}}"
            );
        } else {
            self.function(&head, vec![variable], true, 2);
        }
        self.helpers.push(name);
    }

    fn worker(&mut self) {
        let name = self.name("w");
        let parameter = self.name("p");
        let head = format!("static void *{name}(void *{parameter}x)");
        let variable = Variable {
            name: format!("(int)(long){parameter}x"),
            shape: Shape::Integer,
            plain: false,
            global: false,
            counter: true,
        };
        let before = self.variables.len();
        self.variables.push(variable);
        self.returns = false;
        let _ = writeln!(self.out, "{head}\n{{");
        for _ in 0..self.random.below(3) {
            self.declare(false, 4);
        }
        self.size = 2 + self.random.below(2);
        self.block(4, 0);
        if self.random.chance(60) {
            let line = self.guarded();
            self.line(4, &line);
        }
        self.out.push_str("    return 0;\n}\n");
        self.variables.truncate(before);
        self.workers.push(name);
    }

    /// Uses what the mutex protects, as a rule.
    pub(crate) fn guarded(&mut self) -> String {
        self.has("mutex");
        let (tag, value) = (self.tag, 1 + self.random.below(3));
        let inside = match self.random.below(6) {
            4 if !self.careful => format!("assert(k_{tag} < 3);"),
            5 if !self.careful => return format!("k_{tag} = {value};"),
            _ => format!("k_{tag} = {value}; assert(k_{tag} == {value});"),
        };
        format!("pthread_mutex_lock(&m_{tag}); {inside} pthread_mutex_unlock(&m_{tag});")
    }

    /// The name of a function that a thread runs.
    pub(crate) fn worker_name(&mut self) -> Option<String> {
        match self.workers.is_empty() {
            true => None,
            false => Some(self.workers[self.random.below(self.workers.len())].clone()),
        }
    }
}

/// Makes the program of a seed.
pub(crate) fn make(seed: u64, tag: usize) -> Sample {
    let mut random = Random::new(seed);
    let careful = random.chance(26);
    let mut maker = Maker {
        random,
        careful,
        tag,
        out: String::new(),
        variables: Vec::new(),
        helpers: Vec::new(),
        features: BTreeSet::new(),
        names: 0,
        loops: 0,
        size: 0,
        returns: false,
        workers: Vec::new(),
    };
    let _ = writeln!(
        maker.out,
        "struct s_{tag} {{ int a; unsigned char b; char t[4]; int v[2]; int *p; }};\n\
         union u_{tag} {{ int a; unsigned char b[4]; short h[2];\n\
         struct {{ unsigned l : 5; int m : 7; unsigned : 3; unsigned n : 9; }} f; }};\n\
         int z_{tag}, k_{tag}; struct s_{tag} y_{tag};\n\
         static int id_{tag}(int x) {{ return x; }}\n\
         static pthread_mutex_t m_{tag} = PTHREAD_MUTEX_INITIALIZER;"
    );
    maker.helpers.push(format!("id_{tag}"));
    for _ in 0..1 + maker.random.below(4) {
        maker.declare(true, 0);
    }
    for _ in 0..maker.random.below(2) {
        maker.helper_function();
    }
    if maker.random.chance(25) {
        maker.has("thread");
        maker.worker();
        if maker.random.chance(30) {
            maker.worker();
        }
    }
    if careful {
        maker.has("nothing undefined");
    }
    let size = 3 + maker.random.below(5);
    maker.function("int main(void)", Vec::new(), true, size);
    let workers = maker.workers.clone();
    let Rules {
        policy,
        net,
        table,
        features,
    } = rules::make(&mut maker.random, &workers, careful);
    maker.features.extend(features);
    Sample {
        text: maker.out,
        policy,
        net,
        table,
        features: maker.features,
    }
}
