// ---- expressions over the variables of a run -------------------------------------------------

const LONGEST_EXPRESSION = 1000;
const DEEPEST_EXPRESSION = 60;
/** Operators from the weakest to the strongest, each level with what they are also written as. */
const OPERATORS = [
  { "->": "implies", implies: "implies" },
  { "||": "or", "|": "or", or: "or" },
  { "&&": "and", "&": "and", and: "and" },
  { "==": "=", "!=": "!=", "<>": "!=", "<=": "<=", ">=": ">=", "=": "=", "<": "<", ">": ">" },
  { "+": "+", "-": "-" },
  { "*": "*", "/": "/", "%": "%", mod: "%" },
];

/** The level of comparisons. */
const COMPARISON = 3;

/** A value as the run prints it: a truth value, a whole number, another number, or a name. */
function readValue(text) {
  if (/^(true|TRUE)$/.test(text)) return true;
  if (/^(false|FALSE)$/.test(text)) return false;
  if (/^-?\d{1,400}$/.test(text)) return BigInt(text);
  if (/^-?\d+\.\d+(e[-+]?\d+)?$/.test(text)) return Number(text);
  const quoted = /^"(.*)"$/s.exec(text);
  return quoted ? quoted[1] : text;
}

/** An expression, read once and evaluated at any step. Errors are thrown as Error with a sentence. */
class Expression {
  constructor(text, names) {
    if (text.length > LONGEST_EXPRESSION) throw new Error("this is too long");
    this.text = text;
    this.at = 0;
    this.depth = 0;
    /** The variables that it reads. */
    this.reads = new Set();
    this.names = new Map();
    for (const [name, index] of names) {
      const first = name.charAt(0);
      if (!this.names.has(first)) this.names.set(first, []);
      this.names.get(first).push([name, index]);
    }
    for (const list of this.names.values()) list.sort((a, b) => b[0].length - a[0].length);
    this.tree = this.binary(0);
    this.blank();
    if (this.at < text.length) throw new Error(`cannot read \`${text.slice(this.at, this.at + 12)}\``);
  }
  blank() { while (/\s/.test(this.text.charAt(this.at))) this.at += 1; }
  operator(level) {
    this.blank();
    for (const [sign, meaning] of Object.entries(OPERATORS[level])) {
      if (!this.text.startsWith(sign, this.at)) continue;
      const next = this.text.charAt(this.at + sign.length);
      if (/\w/.test(sign) && /[\w.]/.test(next)) continue;
      if (sign === "-" && next === ">") continue;
      this.at += sign.length;
      return meaning;
    }
    return null;
  }
  binary(level) {
    if (level === OPERATORS.length) return this.unary();
    // Written as a word, *not* is weaker than a comparison; written as a sign, it is stronger than all else.
    this.blank();
    if (level === COMPARISON && /^not\b/.test(this.text.slice(this.at)) && !this.variable()) {
      this.at += 3;
      return { sign: "not", left: this.nested(() => this.binary(level)) };
    }
    let left = this.binary(level + 1);
    // An implication is read from the right.
    for (let sign = this.operator(level); sign; sign = this.operator(level)) {
      const right = this.nested(() => this.binary(level === 0 ? 0 : level + 1));
      left = { sign, left, right };
    }
    return left;
  }
  nested(read) {
    this.depth += 1;
    if (this.depth > DEEPEST_EXPRESSION) throw new Error("this is nested too deeply");
    const tree = read();
    this.depth -= 1;
    return tree;
  }
  unary() {
    this.blank();
    const rest = this.text.slice(this.at);
    if (/^!(?!=)/.test(rest)) {
      this.at += 1;
      return { sign: "not", left: this.nested(() => this.unary()) };
    }
    if (rest.startsWith("-")) {
      this.at += 1;
      return { sign: "negative", left: this.nested(() => this.unary()) };
    }
    return this.atom();
  }
  /** The longest variable whose name stands here. */
  variable() {
    for (const [name, index] of this.names.get(this.text.charAt(this.at)) || []) {
      if (!this.text.startsWith(name, this.at)) continue;
      if (/\w$/.test(name) && /\w/.test(this.text.charAt(this.at + name.length))) continue;
      return [name, index];
    }
    return null;
  }
  atom() {
    const found = this.variable();
    if (found) {
      this.at += found[0].length;
      this.reads.add(found[1]);
      return { variable: found[1] };
    }
    const rest = this.text.slice(this.at);
    if (rest.startsWith("(")) {
      this.at += 1;
      const inside = this.nested(() => this.binary(0));
      this.blank();
      if (this.text.charAt(this.at) !== ")") throw new Error("a `)` is missing");
      this.at += 1;
      return inside;
    }
    const token = /^(\d+\.\d+|\d+|"[^"]*"|[A-Za-z_][\w.]*)/.exec(rest);
    if (!token) throw new Error(rest ? `cannot read \`${rest.slice(0, 12)}\`` : "something is missing at the end");
    this.at += token[0].length;
    return { value: readValue(token[0]) };
  }
  /** Its value, where `read` gives the text of a variable's value. */
  evaluate(read, tree = this.tree) {
    if (tree.variable !== undefined) return readValue(read(tree.variable));
    if (tree.value !== undefined) return tree.value;
    const left = this.evaluate(read, tree.left);
    if (tree.sign === "not") return !truth(left);
    if (tree.sign === "negative") return -number(left);
    if (tree.sign === "and" && !truth(left)) return false;
    if (tree.sign === "or" && truth(left)) return true;
    if (tree.sign === "implies" && !truth(left)) return true;
    return combine(tree.sign, left, this.evaluate(read, tree.right));
  }
}

function truth(value) {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint" || typeof value === "number") return value != 0;
  throw new Error(`\`${value}\` is neither true nor false`);
}
function number(value) {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  throw new Error(`\`${value}\` is not a number`);
}
function combine(sign, left, right) {
  if (["and", "or", "implies"].includes(sign)) return truth(right);
  if (sign === "=" || sign === "!=") {
    const same = typeof left === "string" || typeof right === "string" ? String(left) === String(right) : number(left) == number(right);
    return same === (sign === "=");
  }
  let a = number(left), b = number(right);
  if (sign === "<") return a < b;
  if (sign === "<=") return a <= b;
  if (sign === ">") return a > b;
  if (sign === ">=") return a >= b;
  if (typeof a !== typeof b) [a, b] = [Number(a), Number(b)];
  if ((sign === "/" || sign === "%") && b == 0) throw new Error("this divides by zero");
  if (sign === "+") return a + b;
  if (sign === "-") return a - b;
  if (sign === "*") return a * b;
  return sign === "/" ? a / b : a % b;
}

/** An expression's value at a step as text, or what is wrong with it. */
function valueAt(expression, run, step) {
  try {
    return String(expression.evaluate((index) => run.value(index, step)));
  } catch (error) {
    return error.message;
  }
}
