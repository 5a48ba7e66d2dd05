# SPDX-License-Identifier: BSD-3-Clause
"""Small errors in generated C: every one that `verify` has to find, or cannot.

`Mutants(text)` lists them, those in functions first.  Those in functions and in arrays of numbers and names are all compiled into one
program, `schemata(chosen)`, in which the global `sw_mutant` says which of them is there (0: none) and
`sw_reached` becomes 1 where the place is reached.  Those in other tables, `tables()`, are texts of their own.
"""
import re

TOKEN = re.compile(r"""/\*.*?\*/ | "(?:[^"\\]|\\.)*" | \d+\.?\d*(?:[eE][+-]?\d+)? | [A-Za-z_]\w*
                       | ->|<=|>=|==|!=|&&|\|\||[-+*/&|^]=|\+\+|--|[-+*/%<>=!&|^?:;,.(){}\[\]] | \s+""", re.VERBOSE | re.DOTALL)
# A function of the file, from its head to the brace in the first column.
FUNCTION = re.compile(r"^static (?:void|long|int) (\w+)\([^)]*\)\n(\{\n.*?^\})$", re.MULTILINE | re.DOTALL)
# An array of numbers or names.
ARRAY = re.compile(r"^static const (int|long|double|unsigned char|char \*const) (\w+)\[\] = \{(.*?)\};", re.MULTILINE | re.DOTALL)
# Any other table.
TABLE = re.compile(r"^(?:static )?const sw_(?!model\b)\w+ (\w+)(?:\[\])? = \{.*?^\};|^const sw_model \w+ = \{.*?^\};",
                   re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d")
NAME = re.compile(r"[A-Za-z_]\w*$")
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "&=", "|=", "^="}
TYPES = {"const", "long", "int", "double", "size_t"}
OPERATORS = {"+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "<": ["<="], "<=": ["<"], ">": [">="],
             ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"]}
FUNCTIONS = {"sin": "cos", "cos": "sin", "tan": "sin", "asin": "atan", "acos": "asin", "atan": "tanh", "sinh": "cosh",
             "cosh": "sinh", "tanh": "atan", "exp": "expm1", "expm1": "exp", "log": "log1p", "log1p": "log",
             "sqrt": "cbrt", "cbrt": "sqrt", "fabs": "", "pow": "fmax"}
# Members of sw_model that no function of the model depends on.
SAID_ELSEWHERE = (".title", ".analysis", ".digest", ".abi", ".fibre =", ".degree_")
HEAD = """int sw_mutant;
int sw_reached;
#define sw_is(n) (sw_mutant == (n) && (sw_reached = 1))
"""


def tokens_of(text):
    """All tokens but blanks and comments."""
    return [t for t in TOKEN.findall(text) if not t.isspace() and not t.startswith("/*")]


def joined(tokens):
    return " ".join(tokens)


def split_at(tokens, separator):
    """The parts between separators that stand in no bracket."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += token in ("(", "[", "{")
        depth -= token in (")", "]", "}")
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def closing(tokens, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += tokens[i] in ("(", "[", "{")
        depth -= tokens[i] in (")", "]", "}")
        if depth == 0:
            return i
    raise ValueError("brackets do not match")


def other_numbers(token):
    if "." in token or "e" in token:
        value = float(token)
        return [repr(1.25 * value if value else 0.001)]
    return [str(int(token) + 1)] + ([str(int(token) - 1)] if int(token) else [])


class Mutants:
    """All small errors of a file; `all` has what each of them is, by its number less 1."""

    # What is changed; a kind of file may have more of it.
    function_pattern, types, operators, functions, head = FUNCTION, TYPES, OPERATORS, FUNCTIONS, HEAD

    def __init__(self, text):
        self.text = text
        self.all = []
        self.chosen = None
        self.pokes = []
        self.template = self.rewrite()

    def rewrite(self):
        """The file with every mutant in it, when self.chosen is None or has its number."""
        self.all, self.pokes = [], []
        text = self.function_pattern.sub(self.function, self.text)
        self.in_functions = len(self.all)
        text = ARRAY.sub(self.array, text)
        pokes = "".join(f"  case {n}: {what}; break;\n" for n, what in self.pokes)
        return f"{self.head}{text}\nvoid sw_apply(void);\nvoid sw_apply(void)\n{{\n  switch (sw_mutant) {{\n{pokes}  default: break;\n  }}\n}}\n"

    def schemata(self, chosen):
        """The file with the mutants of these numbers."""
        self.chosen = set(chosen)
        text = self.rewrite()
        self.chosen = None
        return text

    def alone(self, n, trap=False):
        """The file with one mutant of a function; or with a trap at its place, which says whether it is reached."""
        text = self.schemata([n]).replace("int sw_mutant;", f"static int sw_mutant = {n};")
        text = text.replace("int sw_reached;", "static int sw_reached;").replace("void sw_apply", "static void sw_apply")
        return text.replace("(sw_reached = 1))", "(__builtin_trap(), 1))") if trap else text

    def number(self, where, what):
        """Registers a mutant: its number, or 0 where it is not wanted."""
        self.all.append(f"{where}: {what}")
        n = len(self.all)
        return n if self.chosen is None or n in self.chosen else 0

    # ---- functions ----

    def function(self, match):
        self.where = match.group(1)
        self.names = [{}]
        self.counter = {}
        head = match.group(0)[:match.start(2) - match.start(0)]
        return head + self.block(tokens_of(match.group(2)))

    def block(self, tokens):
        out, i = [], 0
        while i < len(tokens):
            token = tokens[i]
            if token in "{}":
                out.append(token + "\n")
                i += 1
                if token == "{":
                    self.names.append({**self.names[-1], **self.counter})
                    self.counter = {}
                else:
                    self.names.pop()
            elif token in ("for", "if"):
                end = closing(tokens, i + 1)
                inside = tokens[i + 2:end]
                out.append(self.loop(inside) if token == "for" else f"if ({self.expression(inside, True)})")
                i = end + 1
            elif token == "else":
                out.append("else ")
                i += 1
            else:
                end = i
                while tokens[end] != ";":
                    end = closing(tokens, end) + 1 if tokens[end] in ("(", "[", "{") else end + 1
                out.append(self.statement(tokens[i:end]) + "\n")
                i = end + 1
        return "".join(out)

    def loop(self, tokens):
        start, condition, step = split_at(tokens, ";")
        if not start:
            return f"for (; {self.expression(condition, True)}; {joined(step)})"
        at = start.index("=")
        begin = self.expression(start[at + 1:])
        self.counter = {start[at - 1]: "long"}
        self.names.append({**self.names[-1], **self.counter})
        end = self.expression(condition, True)
        self.names.pop()
        return f"for ({joined(start[:at + 1])} {begin}; {end}; {joined(step)})"

    def statement(self, tokens):
        text = joined(tokens)
        if tokens[0] == "(" or tokens[0] == "enum":
            return text + ";"
        if tokens[0] == "return":
            return f"return {self.expression(tokens[1:])};"
        if tokens[0] in self.types:
            return self.declaration(tokens)
        places = [i for i, t in enumerate(tokens) if t in ASSIGNMENTS]
        delete = self.number(self.where, f"without `{text}`")
        deleted = f"if (sw_is({delete})) {{ }} else " if delete else ""
        if not places:
            return f"{deleted}{{ {text}; }}"
        left, operator, right = tokens[:places[0]], tokens[places[0]], tokens[places[0] + 1:]
        changed = []
        for what, other in self.variants(left) if "[" in left else ():
            n = self.number(self.where, f"`{text}`: {what}")
            if n:
                changed.append(f"if (sw_is({n})) {{ {joined(other)} {operator} {joined(right)}; }} else ")
        return f"{deleted}{''.join(changed)}{{ {joined(left)} {operator} {self.expression(right)}; }}"

    def declaration(self, tokens):
        parts = split_at(tokens, ",")
        out = []
        is_pointer = "*" in tokens[:tokens.index("=")] if "=" in tokens else False
        for part in parts:
            if "=" not in part:
                out.append(joined(part))
                continue
            at = part.index("=")
            keeps = is_pointer or part[at + 1] == "{"
            value = joined(part[at + 1:]) if keeps else self.expression(part[at + 1:])
            out.append(f"{joined(part[:at])} = {value}")
            if not is_pointer:
                self.names[-1][part[at - 1]] = next((t for t in ("double", "number", "truth") if t in tokens), "long")
        return ", ".join(out) + ";"

    def expression(self, tokens, is_condition=False):
        """With its mutants, of which each is a branch."""
        text = joined(tokens)
        branches = []
        for what, other in self.variants(tokens):
            n = self.number(self.where, f"`{text}`: {what}")
            if n:
                branches.append(f"sw_is({n}) ? ({joined(other)}) : ")
        if is_condition:
            n = self.number(self.where, f"`{text}`: never")
            branches += [f"sw_is({n}) ? 0 : "] if n else []
        return f"({''.join(branches)}({text}))" if branches else text

    def variants(self, tokens):
        """Pairs of what was changed and the tokens after it."""
        for i, token in enumerate(tokens):
            after_value = i > 0 and (NUMBER.match(tokens[i - 1]) or NAME.match(tokens[i - 1]) or tokens[i - 1] in ")]")
            is_cast = i > 0 and tokens[i - 1] == "(" and i + 1 < len(tokens) and tokens[i + 1] == ")" and token in self.types
            others = []
            if NUMBER.match(token):
                others = other_numbers(token)
            elif token in self.operators and (after_value or token == "!"):
                others = self.operators[token]
            elif token == "-" and not after_value:
                others = [""]
            elif token in self.functions and tokens[i + 1] == "(":
                others = [self.functions[token]]
            elif token in self.names[-1] and not is_cast and self.swappable(tokens, i):
                others = [name for name in sorted(self.names[-1]) if name != token and self.alike(name, token)][:2]
            for other in others:
                yield f"{token} -> {other or 'nothing'} at {i}", tokens[:i] + [other] * (other != "") + tokens[i + 1:]

    def swappable(self, tokens, i):
        """Whether the name there is a variable."""
        return True

    def alike(self, a, b):
        """Names that could be mixed up: of one type, and with the same first letter or the same length."""
        types = self.names[-1]
        return types[a] == types[b] and (a[0] == b[0] or len(a) == len(b))

    # ---- tables ----

    def array(self, match):
        kind, name, inside = match.groups()
        items = [joined(item) for item in split_at(tokens_of(inside), ",")]
        for i, item in enumerate(items):
            if name == "reference_texts":
                continue
            if kind == "char *const":
                changes = ['"mutant"']
            elif kind == "double":
                changes = [f"{item} * 1.25 + 0.001" if "INF" not in item else "1.5"]
            elif kind == "unsigned char":
                changes = [f"{item} ^ 1", f"{item} ^ 2"]
            else:
                changes = [f"{item} + 1"] + ([f"{item} - 1"] if item != "0" else [])
            for change in changes:
                n = self.number(name, f"number {i}, {item} -> {change}")
                if n:
                    self.pokes.append((n, f"{name}[{i}] = {change}"))
        kind = "char *" if kind == "char *const" else kind
        return match.group(0).replace(f"static const {match.group(1)} ", f"static {'const ' if kind == 'char *' else ''}{kind} ", 1)

    def tables(self):
        """Pairs of what is wrong and the text with it, for tables that are no arrays of numbers or names."""
        for match in TABLE.finditer(self.text):
            name = match.group(1) or "sw_model"
            body = match.start() + match.group(0).index("{")
            for line in re.finditer(r"[^\n]+", self.text[body:match.end()]):
                said = line.group(0)
                if any(word in said for word in SAID_ELSEWHERE):
                    continue
                for token in re.finditer(r'"[^"]*"|(?<![\w.])\d+\.?\d*(?:e[+-]?\d+)?|\bSW_[A-Z_]+\b|-?INFINITY|\bNULL\b', said):
                    for other in self.other_entries(token.group(0)):
                        start = body + line.start() + token.start()
                        text = self.text[:start] + other + self.text[start + len(token.group(0)):]
                        yield f"{name}: `{said.strip()}`: {token.group(0)} -> {other}", text

    @staticmethod
    def other_entries(token):
        if token[0] == '"':
            return ['"mutant"']
        if NUMBER.match(token):
            return other_numbers(token)
        enumerations = (["SW_FIBRE_SHIFT_P", "SW_FIBRE_SHIFT_Q", "SW_FIBRE_FLOW"],
                        ["SW_MASS_GENERAL", "SW_MASS_CONSTANT", "SW_MASS_CONSTANT_DIAGONAL"])
        for words in enumerations:
            if token in words:
                return [word for word in words if word != token]
        return ["1.5"] if "INFINITY" in token else []
