#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The wheel, built with Debian's packages and installed without network in an empty virtual environment: generator, library and
# Python there, with nothing else from outside but a C compiler and NumPy.
# Usage: wheel.sh BUILD PYTHON
set -uo pipefail
build=$1
python=$2
for tool in "command -v patchelf" "$python -c 'import setuptools, numpy, pip, venv, wheel'"; do
  if ! eval "$tool" >/dev/null 2>&1; then
    echo "skipped: $tool fails (Debian: patchelf, python3-numpy, python3-pip, python3-setuptools, python3-venv, python3-wheel)"
    exit 77
  fi
done
. tests/program/lib.sh
export SOURCE_DATE_EPOCH=1700000000
expect 0 'sidewinder-[0-9.]+-py3-none-' packaging/wheel.sh "$build" "$work/wheels" "$python"
expect 0 '' packaging/wheel.sh "$build" "$work/again" "$python"
true_that "the same bytes again" cmp "$work"/wheels/*.whl "$work"/again/*.whl

environment=$work/environment
expect 0 '' "$python" -m venv --without-pip "$environment"
expect 0 '' "$python" -m pip --python "$environment/bin/python" install --no-index --no-deps "$work"/wheels/*.whl
packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
ln -s "$("$python" -c 'import numpy; print(*numpy.__path__)')" "$packages/numpy"
unset PYTHONPATH SIDEWINDER SW_BUILD_FLAGS
export XDG_CACHE_HOME=$work/cache
cp models/hopf.sw "$work"
cd "$work" || exit

# Every library comes from the wheel, except those of the C and C++ compilers.
outside() { ldd "$1" | awk '$2 == "=>" {print $3}' | grep -vE "^$environment|/(libc|libm|libpthread|libgcc_s|libstdc\+\+)\.so"; }
for file in "$environment"/bin/sidewinder "$environment"/lib/*.so "$environment"/lib/sidewinder/*; do
  true_that "libraries of $(basename "$file")" test -z "$(outside "$file")"
done
true_that "every library has a licence" test "$(ls "$environment"/lib/sidewinder | wc -l)" = \
  "$(grep -c 'Debian package' "$packages"/sidewinder-*/licenses/libraries.txt)"

sidewinder=$environment/bin/sidewinder
expect 0 'SHAKE and RATTLE apply' "$sidewinder" check hopf.sw
expect 0 'hopf_step.c' "$sidewinder" generate hopf.sw -o c
expect 0 '^[0-9]+ passed, 0 failed' "$sidewinder" verify hopf.sw --points 2
expect 0 '' "$sidewinder" build hopf.sw -o hopf
true_that "libraries of a program" test -z "$(outside hopf)"
expect 0 'steps +10' ./hopf run --steps 10
expect 0 "$environment/share/sidewinder/models/hopf.sw" "$sidewinder" --help
script='import sidewinder; sim = sidewinder.Model("hopf.sw").sim(); sim.run(10); print(sim.t, sidewinder.__file__)'
expect 0 "^1.0 $packages/sidewinder" env PATH=/usr/bin:/bin "$environment/bin/python" -c "$script"
finish
