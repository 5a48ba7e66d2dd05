#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the site of the documentation into build/docs/html; warnings are errors. Usage: docs/site/build.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build/docs
doxygen docs/site/Doxyfile
sphinx-build -W --keep-going -q -j auto -c docs/site -b html . build/docs/html
echo "build/docs/html/docs/site/index.html"
