# SPDX-License-Identifier: BSD-3-Clause
"""The Python code of README.md, with the model of README.md."""
import pathlib
import os
import re
import subprocess

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


def test_the_c_program_of_the_readme_says_why_it_fails(tmp_path):
    text = README.read_text(encoding="utf-8")
    model = re.search(r"^    model pendulum .*?^    run .*?$", text, re.M | re.S)[0]
    build = re.search(r"^    (cc .*?-lm)$", text, re.M | re.S)[1]
    sidewinder = os.path.abspath(os.environ["SIDEWINDER"])
    (tmp_path / "build").symlink_to(pathlib.Path(sidewinder).parents[1])
    (tmp_path / "example.c").write_text(re.search(r"^```c\n(.*?)^```", text, re.M | re.S)[1], encoding="utf-8")
    for x, code, out, said in (("0.6", 0, "q = (", ""), ("0.7", 1, "", "the state is not on M: constraint 'rod'")):
        (tmp_path / "pendulum.sw").write_text(re.sub("^    ", "", model.replace("x: 0.6", f"x: {x}"), flags=re.M) + "\n", encoding="utf-8")
        subprocess.run([sidewinder, "generate", "pendulum.sw", "-o", "."], cwd=tmp_path, check=True)
        subprocess.run(build, shell=True, cwd=tmp_path, check=True)
        done = subprocess.run("./a.out", cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == code and out in done.stdout and said in done.stderr
