#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A page of `sidewinder report` against the model, what `check` says of it, and the trajectory of the same run.

Usage: check_page.py PAGE MODEL CHECK.json [TRAJECTORY.csv [POINTS]]

POINTS: the columns of the animation's points in their order, as "q.1.x,q.1.y ...".  Without a trajectory the page is one of a model that
has not been run.  Exit: 0 where all is well; else an assertion says what is not.
"""
import csv
import json
import re
import sys
import xml.etree.ElementTree as tree

TOKENS = {"mi", "mn", "mo", "mtext", "mspace"}


def document(text):
    """The page as XML: what scripts contain is none."""
    scripts = []

    def take(found):
        scripts.append((found[1], found[2]))
        return f"<script{found[1]}></script>"

    text = re.sub(r"<script([^>]*)>(.*?)</script>", take, text, flags=re.S)
    assert text.startswith("<!DOCTYPE html>\n")
    return tree.fromstring(text.removeprefix("<!DOCTYPE html>\n")), scripts


def fetches_nothing(root, text):
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on"), (element.tag, name)
            if name.lower().split("}")[-1] in ("src", "href", "data", "action", "poster", "srcset"):
                assert value.startswith(("data:", "#")), (element.tag, value)
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|WebSocket|import\(", text)
    policy = [e for e in root.iter("meta") if e.get("http-equiv") == "Content-Security-Policy"]
    assert len(policy) == 1 and policy[0].get("content").startswith("default-src 'none'")


def is_readable(root):
    head = root.find("head")
    assert any(e.get("name") == "viewport" and "width=device-width" in e.get("content") for e in head.iter("meta"))
    style = head.find("style").text
    assert "prefers-color-scheme: dark" in style
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids)), ids
    for math in root.iter("math"):
        for element in math.iter():  # letters stand in tokens only
            loose = [] if element.tag in TOKENS else [element.text, *(child.tail for child in element)]
            assert not any(text and text.strip() for text in loose), tree.tostring(math)
        assert "".join(math.itertext()).strip(), tree.tostring(math)


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def says_what_check_says(root, model, check):
    assert root.find(".//pre").find("code").text.rstrip("\n") == model.rstrip("\n")
    answer = root.find(".//header/p[2]")
    assert answer.get("class") == f"answer {check['answer']}" and text_of(answer) == check["conclusion"]
    assert text_of(root.find(".//h1")) == " ".join((check["title"] or check["name"]).split())
    headings = [text_of(e) for e in root.iter("h2")]
    assert "Found by analysis" in headings, headings
    if check["refusal"]:
        assert "Refused" in headings
    # A name that stands nowhere but in a formula of H.
    formulas = ["".join(e.itertext()) for e in root.iter("math")]
    assert any(formula.startswith(check["hamiltonian"]["name"]) for formula in formulas), formulas[:3]


def shortened(text):
    return float(f"{float(text):.5g}")


def shows_the_run(root, scripts, rows, points):
    kinds = [re.search(r'type="(.*?)"', start) for start, _ in scripts]
    assert [k and k[1] for k in kinds] == ["application/json", None]
    data = json.loads(scripts[0][1])
    stride = data["stride"]
    assert len(data["frames"]) == len(data["t"]) > 1
    names = [name for point in points for name in point]
    assert len(data["kinds"]) == len(points)
    for number, (t, frame) in enumerate(zip(data["t"], data["frames"])):
        row = rows[number * stride]
        assert t == float(f"{float(row['t']):.10g}"), number
        assert frame == [shortened(row[name]) for name in names], number
    assert (len(data["frames"]) - 1) * stride < len(rows)
    table = {text_of(e.find("th")): text_of(e.find("td")) for e in root.iter("tr") if e.find("th") is not None}
    assert float(table["step h"]) == float(f"{float(rows[1]['t']) / float(rows[1]['step']):.6g}"), table
    assert table["steps"] == rows[-1]["step"], table
    assert any(name.startswith("largest change of ") for name in table), table
    if "largest change of energy" in table:  # every step is looked at, the rows have some of them
        first = float(rows[0]["energy"])
        change = max(abs(float(row["energy"]) - first) for row in rows)
        shown = float(table["largest change of energy"])
        assert shown >= 0.995 * change and (rows[1]["step"] != "1" or shown <= 1.005 * change), (shown, change)
    return data


def has_figures(root, rows):
    figures = {text_of(e.find("figcaption")): e for e in root.iter("figure")}
    for title in ("residuals", "orbit", *(["change of energy"] if "energy" in rows[0] else [])):
        assert title in figures, figures
    assert any(title.startswith("multiplier") for title in figures), figures
    for title, figure in figures.items():
        svg = figure.find("{http://www.w3.org/2000/svg}svg")
        assert svg is not None and svg.get("role") == "img" and svg.get("aria-label") == title, title
        lines = [e for e in svg.iter("{http://www.w3.org/2000/svg}path") if len(e.get("d", "")) >= 10 * min(len(rows), 500)]
        assert lines, title  # of one point for each row, at the least


def main():
    path, model, check, *run = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(model, encoding="utf-8") as file:
        model = file.read()
    with open(check, encoding="utf-8") as file:
        check = json.load(file)
    root, scripts = document(text)
    fetches_nothing(root, text)
    is_readable(root)
    says_what_check_says(root, model, check)
    assert len(text) < 3_000_000
    if not run:
        assert not scripts and root.find(".//canvas") is None and root.find(".//figure") is None
        return
    with open(run[0], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    points = [point.split(",") for point in run[1].split()]
    data = shows_the_run(root, scripts, rows, points)
    has_figures(root, rows)
    print(json.dumps({key: data[key] for key in ("axes", "bonds", "anchors", "kind_names", "stride")}))


main()
