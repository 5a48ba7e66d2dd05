#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Python package (tests/python), installed by pip where there is one, with the generator and the library of an installation.
# Usage: python.sh BUILD PYTHON
set -uo pipefail
. tests/program/lib.sh
build=$1
python=$2
prefix=$work/prefix
site=$work/site

expect 0 '' cmake --install "$build" --prefix "$prefix"
cp -r python "$work/python" # pip builds where the sources are
if "$python" -c 'import setuptools, pip, wheel' 2>/dev/null; then
  expect 0 '' "$python" -m pip install --quiet --no-deps --no-index --no-build-isolation --no-compile --target "$site" "$work/python"
  true_that 'the C that models are compiled with is installed' test -e "$site/sidewinder/shim.c"
  true_that 'the mark of a package with types is installed' test -e "$site/sidewinder/py.typed"
else
  site=$work/python
fi
export PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 SIDEWINDER=$prefix/bin/sidewinder XDG_CACHE_HOME=$work/cache
# Outside of this tree nothing else can be meant by "sidewinder".
expect 0 "^$site/sidewinder/" "$python" -c 'import sidewinder; print(sidewinder.__file__)'
expect 0 ' passed' "$python" -m pytest -q -p no:cacheprovider tests/python
tail -1 "$work/output"
true_that 'one version' grep -q "SW_VERSION \"$("$python" -c 'import sidewinder; print(sidewinder.__version__)')\"" runtime/include/sidewinder/version.h
finish
