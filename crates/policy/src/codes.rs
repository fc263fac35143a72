//! MOB03..: policies and location nets.

source::code_table! { "c";
    POLICY = "MOB0301", "policy not understood",
        what: "Refuses a policy that is not written in the language of policies.",
        why: "A rule that is misread protects nobody.",
        example: "deny to everybody-but-me",
        fix: "Write rules as in `docs/mobile.md`.";
    NET = "MOB0302", "location net not understood",
        what: "Refuses a location net that is not written as it should be, or an agent at a location that the net does not have.",
        why: "Where code runs and where it comes from decides which rules are about it.",
        example: "location net: (here",
        fix: "Write the net as in `docs/mobile.md`.";
    OPERATION = "MOB0303", "unknown operation",
        what: "Finds a permission for an operation that the policy does not define.",
        why: "It stands for no function, so the rule would never apply.",
        example: "deny to public { permission operation talk }",
        fix: "Define it, as in `operation talk { send, write }`.";
    VARIABLE = "MOB0304", "unknown variable",
        what: "Finds variables that a policy calls secret, or names behind `args`, and that the program does not have.",
        why: "What nobody has cannot get anywhere, so that a rule about it holds.",
        example: "High = { kye }",
        fix: "Write a global variable as in the program, and a variable of a function as `function::variable`.";
}
