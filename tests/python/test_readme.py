# SPDX-License-Identifier: BSD-3-Clause
"""The Python code of README.md, with the model of README.md."""
import pathlib
import re

README = pathlib.Path(__file__).parents[2] / "README.md"


def test_code_of_the_readme(tmp_path, monkeypatch, capsys):
    text = README.read_text(encoding="utf-8")
    model = re.search(r"^    model pendulum .*?^    run .*?$", text, re.M | re.S)[0]
    code = re.search(r"^```python\n(.*?)^```", text, re.M | re.S)[1]
    monkeypatch.chdir(tmp_path)
    pathlib.Path("pendulum.sw").write_text(re.sub("^    ", "", model, flags=re.M) + "\n", encoding="utf-8")
    exec(code, {})
    printed = float(capsys.readouterr().out)
    quoted = float(re.search(r"^print.*# (\S+)$", code, re.M)[1])
    assert abs(printed - quoted) < 1e-12
    assert pathlib.Path("pendulum.svg").stat().st_size > 1000
