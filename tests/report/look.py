#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of `sidewinder report` in headless Chromium: they ask for nothing else, complain of nothing, move, and fit.

Usage: look.py GENERATOR [FOLDER]        leaves pictures of the pages in FOLDER, if it is given
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import browser

# The number of pixels of the canvas that are not empty, and a digest of them all.
PIXELS = """(function () {
  var canvas = document.getElementById("stage");
  var copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  var pen = copy.getContext("2d", {willReadFrequently: true});
  pen.drawImage(canvas, 0, 0);
  var bytes = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  var shown = 0, sum = 0;
  for (var i = 0; i < bytes.length; i += 4) {
    shown += bytes[i + 3] > 0;
    sum = (sum * 31 + bytes[i] + 3 * bytes[i + 1] + 7 * bytes[i + 2] + 11 * bytes[i + 3]) % 1000003;
  }
  return [shown, sum, canvas.width * canvas.height];
})()"""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
LINES = """[...document.querySelectorAll('figure svg text')].filter(e => e.textContent.trim())
  .map(e => e.getBoundingClientRect().height)"""
failed = 0


def check(what, is_so, *found):
    global failed
    if not is_so:
        failed += 1
        print(f"FAILED: {what}", *found)


def drawn_in_time(page, before):
    """What the canvas shows once it is another picture, or after two seconds."""
    for _ in range(40):
        now = page.value(PIXELS)
        if now != before:
            return now
        time.sleep(0.05)
    return before


def look(chromium, name, path, width, dark, folder):
    page = chromium.open(path.as_uri(), width=width, height=844, dark=dark)
    what = f"{name}, {width} pixels, {'dark' if dark else 'light'}"
    check(f"{what}: nothing else is asked for", page.requests() == [path.as_uri()], page.requests())
    first = page.value(PIXELS)
    check(f"{what}: there is a drawing", 200 < first[0] < first[2], first)
    check(f"{what}: it moves", drawn_in_time(page, first) != first, first)
    # Paused, it stands still, and the slider moves it.
    page.value("document.getElementById('play').click()")
    still = page.value(PIXELS)
    time.sleep(0.3)
    check(f"{what}: it can be stopped", page.value(PIXELS) == still)
    page.value("(function (s) { s.value = s.max / 2; s.dispatchEvent(new Event('input')); })(document.getElementById('at'))")
    check(f"{what}: the slider moves it", page.value(PIXELS) != still)
    if page.value("document.getElementById('stage').classList.contains('turns')"):
        still = page.value(PIXELS)
        for kind, x in (("mousePressed", 100), ("mouseMoved", 160), ("mouseReleased", 160)):
            at = page.value("(function (r) { return [r.left, r.top]; })(document.getElementById('stage').getBoundingClientRect())")
            page.ask("Input.dispatchMouseEvent", type=kind, x=at[0] + x, y=at[1] + 100, button="left", buttons=1, clickCount=1)
        check(f"{what}: it can be turned", page.value(PIXELS) != still)
    wide = page.value("document.documentElement.scrollWidth")
    check(f"{what}: no part is beside the screen", wide <= width, wide)
    numbers = page.value(LINES)
    check(f"{what}: figures can be read", numbers and min(numbers) >= 9, sorted(numbers)[:3])
    formulas = page.value("[...document.querySelectorAll('math')].map(e => e.getBoundingClientRect().height)")
    check(f"{what}: formulas are drawn", formulas and min(formulas) > 4, formulas[:3])
    paper = sum(map(int, page.value(BACKGROUND).strip("rgb()").split(",")))
    check(f"{what}: the page has the user's colours", paper < 200 if dark else paper > 600, page.value(BACKGROUND))
    check(f"{what}: nothing is complained of", page.complaints() == [], page.complaints())
    if folder:
        page.picture(os.path.join(folder, f"{name}_{width}_{'dark' if dark else 'light'}.png"))


def main():
    generator, *folder = sys.argv[1:]
    folder = folder[0] if folder else None
    if browser.find() is None:
        print("skipped: there is no Chromium (Debian: chromium), so that no page was looked at")
        return 77
    with tempfile.TemporaryDirectory() as work, browser.Browser() as chromium:
        for name in ("pendulum", "hopf", "chain", "water_box"):
            path = pathlib.Path(work, f"{name}.html")
            subprocess.run([generator, "report", f"models/{name}.sw", "-o", path], check=True, stdout=subprocess.DEVNULL)
            for width in (390, 1200):
                for dark in (False, True):
                    look(chromium, name, path, width, dark, folder)
        # A user who prefers less motion is shown a picture that stands still until it is told otherwise.
        page = chromium.open(path.as_uri(), width=390, height=844, calm=True)
        still = page.value(PIXELS)
        time.sleep(0.3)
        check("less motion: it stands still", page.value(PIXELS) == still)
        page.value("document.getElementById('play').click()")
        check("less motion: and moves when it is told to", drawn_in_time(page, still) != still)
        # These looks can see something: a page that asks for a picture, complains and is too wide.
        path.write_text("<img src='nothing.png'><div style='width:2000px'>x</div><script>console.error('x')</script>")
        page = chromium.open(path.as_uri(), width=390, height=844)
        check("a request is seen", len(page.requests()) == 2, page.requests())
        check("a complaint is seen", len(page.complaints()) >= 1)
        check("a wide page is seen", page.value("document.documentElement.scrollWidth") > 390)
    print("all is well" if not failed else f"{failed} failed")
    return 1 if failed else 0


sys.exit(main())
