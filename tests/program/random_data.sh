#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Random models that take random data, with filters, tuples, indices of indices, labels, dependent sums and lets: the same states as models
# where every sum, family and index is written out; derivatives and witnesses with that data; and no access outside of an array.
# Usage: random_data.sh SIDEWINDER SEED...
set -uo pipefail
sidewinder=$1
source tests/program/lib.sh
random() {
  python3 tests/program/random_data.py "$@"
}
run() { # MODEL WORD...
  local model=$1
  shift
  timeout 300 "$sidewinder" run "$work/$model.sw" --project=inf "$@"
}

for seed in "${@:2}"; do
  random make "$seed" "$work"
  expect 0 '^steps +3' run data --data "$work/data.json" --out "$work/data.csv"
  expect 0 '^steps +3' run spelled --out "$work/spelled.csv"
  expect 0 '' random compare "$work/data.csv" "$work/spelled.csv" 3e-14
done

# Other indices are another solution: the comparison can fail.
random make 1 "$work"
expect 0 '' run spelled --out "$work/spelled.csv"
python3 - "$work/data.json" <<'END'
import json, sys
with open(sys.argv[1]) as file:
    data = json.load(file)
data["a"] = data["a"][1:] + data["a"][:1]
with open(sys.argv[1], "w") as file:
    json.dump(data, file)
END
expect 0 '' run data --data "$work/data.json" --out "$work/data.csv"
expect 1 'apart' random compare "$work/data.csv" "$work/spelled.csv" 3e-14

printf '#!/bin/sh\nexec cc -fsanitize=address,undefined -fno-sanitize-recover=all "$@"\n' >"$work/cc"
chmod +x "$work/cc"
for seed in 5 12; do
  random make "$seed" "$work"
  expect 0 '' env CC="$work/cc" "$sidewinder" build "$work/data.sw" -o "$work/program"
  expect 0 ' 0 failed' "$work/program" verify --data "$work/data.json"
done
finish
