//! SMV02..: names.

codes! {
    UNDECLARED = "SMV0201", "name not declared",
        what: "Finds names that are neither variable, definition, parameter, part nor symbol.",
        why: "It stands for nothing. A minus sign without blanks around it is part of a name: `a-b` is one name.",
        example: "MODULE main\nVAR x : 0..3;\nINVARSPEC x-1 < 3",
        fix: "Declare it, or put blanks around the minus sign.";
    REDECLARED = "SMV0202", "name declared twice",
        what: "Finds a name that is declared more than once in a module, and one that is both a variable and a symbolic constant.",
        why: "It cannot be told which one is meant.",
        example: "MODULE main\nVAR x : {a, b}; a : boolean;",
        fix: "Rename one of them.";
    NO_MODULE = "SMV0203", "module not found",
        what: "Finds uses of modules that do not exist, and models without a module `main`.",
        why: "A part of the model is missing.",
        example: "MODULE other\nVAR x : boolean;",
        fix: "Write the module, or correct its name.";
    ARGUMENTS = "SMV0204", "wrong number of arguments",
        what: "Finds modules used with more or fewer arguments than they have parameters.",
        why: "It cannot be told what the parameters stand for.",
        example: "MODULE cell(x)\nDEFINE y := x;\nMODULE main\nVAR c : cell;\nINVARSPEC TRUE",
        fix: "Give one argument for each parameter.";
    NOT_A_VALUE = "SMV0205", "not a value",
        what: "Finds module instances and whole arrays where a value is needed, and values where a variable is needed.",
        why: "It has no meaning.",
        example: "MODULE cell\nVAR y : boolean;\nMODULE main\nVAR c : cell;\nINVARSPEC c",
        fix: "Name a variable inside of it.";
    PROPERTY = "SMV0206", "property named twice",
        what: "Finds two properties of one name.",
        why: "It could not be told which one is meant.",
        example: "MODULE main\nINVARSPEC NAME p := TRUE;\nINVARSPEC NAME p := TRUE;",
        fix: "Rename one of them.";
}
