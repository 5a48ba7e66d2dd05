#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Models whose graph is data, as the generator sees them: what is said of them without data, and their C against differences and against the
# table of witnesses, for a model that has everything.  (data.sh has their motions.)
# Usage: graphs.sh SIDEWINDER
set -uo pipefail
. tests/program/lib.sh
sidewinder=$1

# What is said without data, and what is not possible without.
expect 0 'proved for all data: no constraint depends on p' "$sidewinder" check tests/models/graph.sw
expect 2 'comes from data' "$sidewinder" run tests/models/graph.sw
expect 2 'cannot be unrolled' "$sidewinder" generate tests/models/graph.sw -o "$work" --lowering unrolled

# A wrong entry of the data would be seen by nobody but the reader.
expect 0 '' "$sidewinder" build tests/models/graph.sw -o "$work/graph"
expect 0 ' 0 failed' "$work/graph" verify --data tests/data/graph.json
sed 's/"low", "free"\], \["free/"low", "free"], ["fre/' tests/data/graph.json >"$work/wrong.json"
expect 2 "did you mean 'free'" "$work/graph" run --data "$work/wrong.json"
sed 's/\[1, 6\]/[1, 7]/' tests/data/graph.json >"$work/wrong.json"
expect 2 'spring' "$work/graph" run --data "$work/wrong.json"

# C that reads one array of indices in the place of another is seen.
cat >"$work/cc" <<'END'
#!/bin/sh
for file; do
  case $file in
    *.witness.c) ;;
    *.c) [ -w "$file" ] && sed -i 's/to\[e - 1\]/from[e - 1]/' "$file" ;;
  esac
done
exec cc "$@"
END
chmod +x "$work/cc"
expect 0 '' env CC="$work/cc" "$sidewinder" build tests/models/graph.sw -o "$work/wrong"
expect 1 'witness.*FAIL' "$work/wrong" verify --data tests/data/graph.json
finish
