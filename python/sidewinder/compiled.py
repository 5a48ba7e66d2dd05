# SPDX-License-Identifier: BSD-3-Clause
"""From a model's C to a shared object, which is kept in the user's cache."""
import glob
import hashlib
import os
import platform
import re
import shutil
import stat
import subprocess
import tempfile
import time

from .errors import InstallationError

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")
LANES = {4: ["-mavx2"], 8: ["-mavx512f", "-mavx512dq", "-mavx512vl"]}
# As `sidewinder build` refuses them: programs would not compute what was verified.
FAST = re.compile(r"-Ofast|-f(fast|unsafe|associative|reciprocal|finite)-?math.*|-ffp-contract=(fast|on).*|-mrecip.*|-mdaz-ftz")


def compiler():
    """$CC, else cc, with the flags of every program."""
    words = (os.environ.get("CC") or "").split() or ["cc"]
    for word in words:
        if FAST.fullmatch(word):
            raise InstallationError(f"CC has '{word}': models would not compute what was verified; leave it out")
    if not any(word.startswith("-std=") for word in words):
        words.append("-std=c99")
    if not any(word.startswith("-O") for word in words):
        words.append("-O2")
    return words + ["-ffp-contract=off", "-fPIC"]


def cache_folder():
    """$XDG_CACHE_HOME/sidewinder/python, which must be this user's alone to write to: its files are loaded."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(home, "sidewinder", "python")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        raise InstallationError(f"there is no cache: {error}; set XDG_CACHE_HOME") from error
    about = os.stat(folder)
    if about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InstallationError(f"others can write to the cache {folder}; set XDG_CACHE_HOME, or chmod go-w")
    for left in glob.glob(os.path.join(glob.escape(folder), "build-*")):  # by processes that were killed
        if time.time() - os.stat(left).st_mtime > 86400:
            shutil.rmtree(left, ignore_errors=True)
    return folder


def _digest(parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(b"%d:" % len(part))
        total.update(part)
    return total.hexdigest()[:32]


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _run(words, name):
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise InstallationError(f"cannot start the C compiler '{words[0]}': {error}; set CC or install one") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace")[:4000]
        raise InstallationError(f"the C compiler '{words[0]}' has failed on the model {name}:\n{said}")


def _compile(words, folder, name, libraries):
    """Compiles NAME.c, NAME_step.c if it is there, and shim.c of `folder`; returns the path of the shared object."""
    source = os.path.join(folder, name + ".c")
    step = os.path.join(folder, name + "_step.c")
    inputs = [source]
    defines = [f"-DSWPY_MODEL=sw_model_{name}"]
    if os.path.exists(step):
        inputs.append(step)
        defines.append(f"-DSWPY_STEPPER=sw_stepper_{name}")
        if platform.machine() in ("x86_64", "AMD64"):
            for lanes, flags in LANES.items():
                made = os.path.join(folder, f"step_{lanes}.o")
                _run(words + flags + [f"-DSW_LANES={lanes}", "-c", step, "-o", made], name)
                inputs.append(made)
                defines.append(f"-DSWPY_LANES_{lanes}=sw_stepper_{name}_{lanes}")
    made = os.path.join(folder, "model.so")
    _run(words + defines + ["-shared", SHIM] + inputs + ["-o", made] + libraries, name)
    return made


def shared_object(installation, options, model_file, started_in=None):
    """The path of the model's shared object, of C that `sidewinder generate` writes with these options."""
    kept_in = cache_folder()
    words = compiler() + ["-I" + installation.include]
    where = os.path.dirname(installation.library)
    libraries = ["-L" + where, "-Wl,-rpath," + where, "-lsidewinder", "-lm"]
    with tempfile.TemporaryDirectory(prefix="build-", dir=kept_in) as folder:
        installation.ask("generate", "-o", folder, *options, "--", model_file, folder=started_in)
        sources = sorted(os.listdir(folder))
        headers = [name for name in sources if name.endswith(".h")]
        name = headers[0][:-2]
        parts = [_read(os.path.join(folder, source)) for source in sources]
        parts += [_read(SHIM), _read(installation.library), " ".join(words + libraries).encode()]
        kept = os.path.join(kept_in, f"{name[:100]}-{_digest(parts)}.so")
        if not os.path.exists(kept):
            os.chmod(_compile(words, folder, name, libraries), 0o500)
            shutil.move(os.path.join(folder, "model.so"), kept)
    return kept
