"""How the documentation site is built: ``make site``. It loads nothing from anywhere, while built or when read."""

from __future__ import annotations

import acpinspect

project = "acpinspect"
author = "The acpinspect authors"
copyright = author  # noqa: A001  (Sphinx's name)
version = release = acpinspect.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["**/.ipynb_checkpoints"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
default_role = "py:obj"  # docstrings say `name`, as Markdown does: a link where it is a public name
show_warning_types = True

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # `make site` has run the notebooks
nb_ipywidgets_js: dict[str, dict[str, str]] = {}

autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_typehints = "signature"
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
suppress_warnings = ["ref.python"]  # `.boundaries` is a name of several classes

html_theme = "pydata_sphinx_theme"
html_title = "acpinspect"
html_static_path = ["_static"]
html_extra_path = ["../build/sample"]  # a report, which `make site` has written
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
    "footer_start": ["copyright"],
    "footer_end": [],
}
