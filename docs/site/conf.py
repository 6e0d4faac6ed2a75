"""The configuration of the site that `make docs` builds."""

import os
import re
import sys
from pathlib import Path

import immutabledata
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

SITE = Path(__file__).parent
ROOT = SITE.parents[1]
sys.path.insert(0, str(SITE))

project = "immutabledata"
release = immutabledata.__version__
html_title = f"immutabledata {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe", "docstrings"]
exclude_patterns = ["README.md", "docs/site"]  # index.md begins with README.md.
nitpicky = True

html_theme = "furo"
html_static_path = [str(SITE / "static")]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
suppress_warnings = [
    "misc.highlighting_failure",  # JSON in the guide can contain "…".
    "ref.python",  # Several classes have a member type, as the builtin is called.
]
smartquotes = False  # JSON and C text in the documentation has straight quotes.

myst_heading_anchors = 4

breathe_projects = {"immutabledata": str(ROOT / ".build-docs/doxygen/xml")}
breathe_default_project = "immutabledata"
breathe_show_define_initializer = True
breathe_show_enumvalue_initializer = True
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}

autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autoclass_content = "both"
autodoc_inherit_docstrings = False
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_type_aliases = {
    name: name
    for name in (
        "Action Changes Entity Fetch HistoryOptions Id JSON Keep KeyFunction Log Observer Path "
        "Progress Reducer Trace"
    ).split()
}
add_module_names = False
python_use_unqualified_type_names = True
# Types of the standard library and of other libraries, which this site does not describe.
nitpick_ignore_regex = [
    ("py:.*", r"(?!immutabledata\.).*|immutabledata\..*\.(_\w+|State|Payload)"),
    ("py:.*", r"immutabledata\..*\.(Action_contra|KeywordCreator|Parameters)"),
    ("c(pp)?:identifier", r"(u?int\d+|size|json|ssize)_t|std(::.*)?|immutabledata|detail(::.*)?"),
]

# Files and folders of the repository that have a page of another name.
PAGES = {
    "README.md": "index.md",
    "docs/design": "design.md",
    "include/immutabledata.h": "c/index.rst",
    "include/immutabledata_log.h": "c/log/index.rst",
    "include/immutabledata_jansson.h": "c/jansson/index.rst",
    "include/immutabledata.hpp": "cpp/index.rst",
}


def adapt(app: Sphinx, page: str, source: list[str]) -> None:
    """Begins the first page with README.md, and makes links to folders links to pages."""
    if page == "index":
        source[0] = (ROOT / "README.md").read_text() + source[0]
    folder = Path(page).parent

    def replace(link: re.Match[str]) -> str:
        path = os.path.normpath(folder / link[2])
        if path in PAGES:
            return f"[{link[1]}]({os.path.relpath(PAGES[path], folder)}{link[3]})"
        if not (ROOT / path).is_dir():
            return link[0]
        is_described = (ROOT / path / "README.md").exists()
        return f"[{link[1]}]({link[2]}/README.md)" if is_described else link[1]

    source[0] = re.sub(r"\[([^][]*)\]\(([^):#\s]+)((?:#[^)\s]*)?)\)", replace, source[0])


def link_to_c(
    app: Sphinx, environment: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Finds types of the C header, which the C++ header uses."""
    if node["refdomain"] != "cpp" or not node["reftarget"].startswith("imd_"):
        return None
    c, page = environment.domains["c"], node["refdoc"]
    return c.resolve_xref(environment, page, app.builder, "type", node["reftarget"], node, content)


def setup(app: Sphinx) -> None:
    app.connect("missing-reference", link_to_c)
    app.connect("source-read", adapt)
