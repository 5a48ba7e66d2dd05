#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A wheel for `pip install` with generator, library, headers, documentation, and the libraries that they need, from Debian's
# packages alone: python3-pip, python3-setuptools, python3-wheel, patchelf. If auditwheel is installed, it makes the wheel a
# manylinux one; otherwise its tag is that of this platform.
# Usage: wheel.sh BUILD FOLDER [PYTHON]
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
python=$(command -v "${3:-/usr/bin/python3}") # Debian's
python=$(realpath -s "$python")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The package of Python, unpacked.
mkdir "$work/python"
cp -r python/sidewinder python/pyproject.toml python/README.md "$work/python"
"$python" -m pip wheel --quiet --no-index --no-deps --no-build-isolation -w "$work" "$work/python"
"$python" -m wheel unpack -d "$work" "$work"/sidewinder-*.whl >/dev/null
rm "$work"/sidewinder-*.whl
wheel=$(echo "$work"/sidewinder-*)
name=$(basename "$wheel")
information=$wheel/$name.dist-info
licenses=$information/licenses

# What pip puts below the environment's prefix. The programs of models link the shared library, since there is no static one.
prefix=$wheel/$name.data/data
cmake --install "$build" --prefix "$prefix" --strip >/dev/null
library=$(find "$prefix" -name libsidewinder.so)
folder=$(dirname "$library")
rm -r "$folder/cmake" "$folder/pkgconfig" "$folder/libsidewinder.a"
# Wheels have no links, so the library has one name.
cp --remove-destination "$(realpath "$library")" "$library"
rm "$library".*
patchelf --set-soname libsidewinder.so "$library"
patchelf --set-rpath '$ORIGIN/sidewinder' "$library" # patchelf 0.14 confuses the two names in one call

# The libraries of others, except those that every system with a compiler has.
mkdir -p "$folder/sidewinder" "$licenses"
cp LICENSES/* "$licenses"
cp /usr/share/doc/librandom123-dev/copyright "$licenses/librandom123-dev.txt" # its headers are compiled into the library
ldd "$prefix/bin/sidewinder" "$library" | awk '$2 == "=>" {print $3}' | sort -u |
  grep -vE '/(libc|libm|libpthread|libgcc_s|libstdc\+\+)\.so' | while read -r path; do
  file=$(realpath "$path")
  cp "$file" "$folder/sidewinder/$(basename "$path")"
  patchelf --set-rpath '$ORIGIN' "$folder/sidewinder/$(basename "$path")"
  package=$(dpkg -S "$file" | head -n 1 | cut -d: -f1)
  cp "/usr/share/doc/$package/copyright" "$licenses/$package.txt"
  dpkg-query -W -f "$(basename "$path"): Debian package \${Package} \${Version}, source \${source:Package} \${source:Version}\n" \
    "$package" | head -n 1 >>"$licenses/libraries.txt"
done
patchelf --set-rpath "\$ORIGIN/../${folder#"$prefix/"}/sidewinder" "$prefix/bin/sidewinder"

platform=$("$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))')
sed -i "s/^Root-Is-Purelib:.*/Root-Is-Purelib: false/; s/^Tag:.*/Tag: py3-none-$platform/" "$information/WHEEL"
sed -i 's/^License:.*/License: BSD-3-Clause, generator GPL-2.0-or-later, libraries as in licenses/' "$information/METADATA"
grep -q "^Tag: py3-none-$platform" "$information/WHEEL" # as the wheel of setuptools has these lines
grep -q '^License: BSD-3-Clause, generator' "$information/METADATA"
"$python" -m wheel pack -d "$work" "$wheel" >/dev/null
if ! command -v auditwheel >/dev/null; then
  cp "$work"/*.whl "$out"
elif ! auditwheel repair -w "$out" "$work"/*.whl; then
  echo "wheel.sh: auditwheel failed (it needs patchelf 0.14.5 or later); the wheel keeps the tag of this platform" >&2
  cp "$work"/*.whl "$out"
fi
ls "$out"/sidewinder-*.whl
