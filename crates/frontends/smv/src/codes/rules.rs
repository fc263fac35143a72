//! SMV03..: types and the rules of the language.

codes! {
    TYPES = "SMV0301", "types do not fit",
        what: "Finds operators on operands of the wrong types. There is no conversion between integers and booleans: `0` and `1` are integers.",
        why: "It has no meaning.",
        example: "MODULE main\nVAR x : {0, 1}; b : boolean;\nINVARSPEC x = b",
        fix: "Use `toint`, `bool` or `word1`, or declare the variable with another type.";
    CASES = "SMV0302", "cases are not exhaustive",
        what: "Finds `case` where for some values of the variables no condition holds.",
        why: "It has no value then. The check is about all values, not only about those that are reached.",
        example: "MODULE main\nVAR x : {p, q, r};\nASSIGN next(x) := case x = p : q; x = q : r; esac;",
        fix: "Add a last branch `TRUE : ...;`.";
    RANGE = "SMV0303", "value outside of the type",
        what: "Finds assignments of values that the variable cannot have. The check is about all values of the variables, not only about those that are reached.",
        why: "The variable has no such value.",
        example: "MODULE main\nVAR x : 0..7; a : boolean;\nASSIGN next(x) := case a : x + 1; TRUE : x; esac;",
        fix: "Widen the type, or guard the assignment.";
    TWICE = "SMV0304", "assigned twice",
        what: "Finds variables that are assigned more than once for the same time.",
        why: "The assignments may contradict each other.",
        example: "MODULE main\nVAR x : boolean;\nASSIGN x := TRUE; init(x) := FALSE;",
        fix: "Join the assignments into one.";
    CIRCULAR = "SMV0305", "defined by itself",
        what: "Finds assignments and definitions that depend on themselves at the same time, and modules that contain themselves.",
        why: "Which value comes first cannot be told.",
        example: "MODULE main\nVAR a : boolean; b : boolean;\nASSIGN next(a) := next(b); next(b) := next(a);",
        fix: "State the relation with TRANS or INVAR instead.";
    INDEX = "SMV0306", "index outside of the array",
        what: "Finds array indices, and positions of bits, that can be out of bounds.",
        why: "There is no such element.",
        example: "MODULE main\nVAR a : array 0..2 of boolean; i : 0..3;\nINVARSPEC a[i]",
        fix: "Restrict the type of the index.";
    INPUT = "SMV0307", "input where none may be",
        what: "Finds input variables in initial conditions, invariants, CTL and inside `next`.",
        why: "An input belongs to a transition, not to a state.",
        example: "MODULE main\nIVAR i : boolean;\nCTLSPEC AG i",
        fix: "Use a state variable, or LTL.";
    NEXT = "SMV0308", "`next` where it may not be",
        what: "Finds `next` inside of `next`, in initial conditions and invariants, in branching-time formulas and fairness.",
        why: "There is only one next state to speak of, or none.",
        example: "MODULE main\nVAR x : boolean;\nINIT next(x)",
        fix: "Use TRANS, or temporal operators.";
    SEVERAL = "SMV0309", "several values at once",
        what: "Finds sets where one value is needed.",
        why: "A set stands for one of its values, chosen where it is assigned; here it would have to be chosen, but nothing is assigned.",
        example: "MODULE main\nVAR x : 0..3;\nINIT x + 1 = {1, 2}",
        fix: "Use `in` instead of `=`.";
    TARGET = "SMV0310", "cannot be assigned",
        what: "Finds assignments to what is no variable, to inputs, and of next values to frozen variables.",
        why: "It has no value of its own that could be set, or keeps it.",
        example: "MODULE main\nDEFINE d := TRUE;\nASSIGN d := FALSE;",
        fix: "Assign to a variable.";
    TEMPORAL = "SMV0311", "temporal operator where it may not be",
        what: "Finds temporal operators inside of ordinary expressions, and those of one logic in a formula of the other.",
        why: "Linear and branching time do not mix.",
        example: "MODULE main\nVAR x : boolean;\nLTLSPEC G EF x",
        fix: "Use CTLSPEC for formulas with `A` and `E`, LTLSPEC for those without.";
    CONSTANT = "SMV0312", "constant needed",
        what: "Finds widths, bounds of ranges, arrays and formulas that are not constant.",
        why: "The type would depend on the state.",
        example: "MODULE main\nVAR n : 0..3; x : 0..n;\nINVARSPEC TRUE",
        fix: "Use a number, or a definition that stands for one.";
    INFINITE = "SMV0313", "infinite type",
        what: "Refuses `integer`, `real` and arrays that they index, which are not part of NuSMV's language, and types of too many values.",
        why: "Models must be finite.",
        example: "MODULE main\nVAR x : integer;",
        fix: "Use a range or a word.";
    DIVISION = "SMV0314", "division by zero",
        what: "Finds divisors that can be zero.",
        why: "The result is not defined. The check is about all values, whatever guards the division.",
        example: "MODULE main\nVAR x : 0..3;\nINVARSPEC 3 / x < 4",
        fix: "Divide by something that is never zero.";
}
