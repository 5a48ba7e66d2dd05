# SPDX-License-Identifier: BSD-3-Clause
"""The site of the documentation: `./dev docs` runs Sphinx with this file and writes build/docs/html.

The source folder is the root of the repository, so that links between README.md, docs/ and source files work as in the repository.
Doxygen reads the public headers before Sphinx starts (docs/site/Doxyfile); Breathe shows what Doxygen found.
"""
import importlib.util
import json
import pathlib
import re
import sys

from docutils.nodes import literal_block
from pygments.lexer import RegexLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Text

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

project = "sidewinder"
author = "the sidewinder authors"
release = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
copyright = "the sidewinder authors"

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
root_doc = "docs/site/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "docs/*.md", "docs/site/*.md"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 5
# Files in the repository that are not pages, such as headers, become downloads.
suppress_warnings = ["myst.header"]

breathe_projects = {"sidewinder": str(ROOT / "build/docs/xml")}
breathe_default_project = "sidewinder"
breathe_domain_by_extension = {"h": "c"}
primary_domain = None
nitpicky = False
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_mock_imports = [name for name in ("numpy", "parmed") if importlib.util.find_spec(name) is None]
autodoc_type_aliases = {name: name for name in ("npt.ArrayLike", "npt.NDArray", "Names", "Parameters", "Path", "Progress", "Source")}

html_theme = "furo"
html_title = f"sidewinder {release}"
html_static_path = ["static"]
html_copy_source = False


KINDS = {  # by the start of the name that the grammar for VS Code gives
    "comment": Comment, "string": String, "keyword.operator.word": Keyword, "keyword.operator": Operator, "keyword": Keyword,
    "constant.numeric": Number, "constant.language": Name.Constant, "support.function": Name.Builtin,
}


def model_rules():
    """The rules of the grammar for VS Code; lines that start with "$ " are commands."""
    grammar = json.loads((ROOT / "editors/vscode/syntaxes/sidewinder.tmLanguage.json").read_text())
    rules = [(r"^\$ .*$", Generic.Prompt)]
    for pattern in grammar["patterns"]:
        kind = next(kind for start, kind in KINDS.items() if pattern["name"].startswith(start))
        rules.append((pattern["match"], kind))
    return rules + [(r"[^\W\d]\w*", Name), (r"\s+", Text), (r".", Text)]


class ModelLexer(RegexLexer):
    """The model language."""

    name = "sidewinder"
    aliases = ["sidewinder"]
    tokens = {"root": model_rules()}


MODEL_LINE = re.compile(r"^(model|coord|hamiltonian|lagrangian|constraint|param|set|run|init|\$ )", re.M)


def name_languages(app, doctree):
    """Indented blocks have no language: those with a line of a model, or a command, get the lexer of the model language."""
    for block in doctree.findall(literal_block):
        if block.get("language", "none") == "none" and MODEL_LINE.search(block.astext()):
            block["language"] = "sidewinder"


def remove_import(app, exception):
    """Debian's style sheet of the theme imports another one from a web server; pages must work as files."""
    path = pathlib.Path(app.outdir, "_static/styles/furo.css")
    if exception is None:
        path.write_text(re.sub(r"@import url\(/javascript/[^)]*\);", "", path.read_text()))


def setup(app):
    """Registers the lexer of the model language, and what completes the pages."""
    app.add_lexer("sidewinder", ModelLexer)
    app.connect("build-finished", remove_import)
    app.connect("doctree-read", name_languages)
