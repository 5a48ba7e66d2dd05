#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The format and the habits that clang-format 14 and clang-tidy 14 can see.
# Usage: lint.sh BUILD
set -uo pipefail
build=$1
status=0
mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cpp' | grep -vE '^(generated|tests/models)/')
clang-format --dry-run --Werror "${sources[@]}" || status=1
mapfile -t units < <(git ls-files 'codegen/*.c' 'codegen/*.cpp' 'runtime/*.c')
printf '%s\0' "${units[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy --quiet -p "$build" 2>/dev/null || status=1
[ $status -eq 0 ] && echo "lint: nothing to say about ${#sources[@]} files"
exit $status
