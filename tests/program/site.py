#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The site of the documentation builds without warnings, its pages fit a screen, and a broken link fails the build.

Usage: site.py [FOLDER]        leaves pictures of the pages in FOLDER, if it is given
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/report")
import browser

failed = 0


def check(what, is_so, *found):
    global failed
    if not is_so:
        failed += 1
        print(f"FAILED: {what}", *found)


def build(root):
    return subprocess.run([root / "docs/site/build.sh"], capture_output=True, text=True)


def look(root, folder):
    """Three pages in two widths: nothing beside the screen, no complaints, and colours where a page shows code."""
    pages = {"docs/site/index": "img", "docs/first_model": ".highlight .k", "docs/site/c_interface": "dt.sig"}
    with browser.Browser() as chromium:
        for name, part in pages.items():
            for width in (390, 1200):
                path = root / f"build/docs/html/{name}.html"
                page = chromium.open(path.as_uri(), width=width, height=844)
                wide = page.value("document.documentElement.scrollWidth")
                check(f"{name}, {width}: no part is beside the screen", wide <= width, wide)
                check(f"{name}, {width}: has {part}", page.value(f"document.querySelectorAll('{part}').length") > 0)
                others = [url for url in page.requests() if not url.startswith(("file:", "data:"))]
                check(f"{name}, {width}: needs no network", not others, others)
                theme = page.value("document.body.dataset.theme")
                page.value("document.querySelector('.theme-toggle').click()")
                check(f"{name}, {width}: the colours change", page.value("document.body.dataset.theme") != theme, theme)
                check(f"{name}, {width}: nothing is complained of", page.complaints() == [], page.complaints())
                if folder:
                    page.picture(str(pathlib.Path(folder, f"{pathlib.Path(name).name}_{width}.png")))


def main():
    if not all(map(shutil.which, ("sphinx-build", "doxygen"))):
        print("skipped: no Sphinx or Doxygen (Debian: python3-sphinx, python3-myst-parser, python3-breathe, furo, doxygen)")
        return 77
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work).resolve()
        for path in pathlib.Path().glob("[A-Za-z]*"):
            if path.is_file():
                shutil.copy(path, root)
            elif path.name == "docs":
                shutil.copytree(path, root / path)
            elif not path.name.startswith("build"):
                (root / path).symlink_to(path.resolve())
        built = build(root)
        check("the site builds without warnings", built.returncode == 0, built.stderr)
        if built.returncode == 0 and browser.find():
            look(root, sys.argv[1] if len(sys.argv) > 1 else None)
        with open(root / "docs/c.md", "a") as page:
            page.write("\n[nowhere](no_such_page.md)\n")
        check("a broken link fails the build", "no_such_page" in build(root).stderr)
    return 1 if failed else 0


sys.exit(main())
