#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands as a user types them: exit codes, messages, files.
# Usage: commands.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

# Help and wrong usage.
expect 0 'Usage: sidewinder \[OPTION\.\.\.\] COMMAND MODEL' "$sw" --help
expect 0 'sidewinder 0\.1\.0' "$sw" --version
expect 2 'Usage: sidewinder \[OPTION\.\.\.\] COMMAND' "$sw"
expect 2 "there is no command 'chekc'" "$sw" chekc models/hopf.sw
expect 0 'Analyse MODEL' "$sw" check --help
expect 0 'NAME\.c and NAME\.h' "$sw" generate --help
for asked in --help -h help '-?'; do
  expect 0 '^  sidewinder plot     FILE' "$sw" "$asked"
done
for command in check generate build plot report; do
  for asked in --help -h; do
    expect 0 "^Usage: sidewinder $command " "$sw" $command $asked
    cp "$work/output" "$work/help"
    expect 0 '' "$sw" help $command
    true_that "help $command is $command $asked" cmp "$work/output" "$work/help"
  done
done
for command in run ensemble merge verify converge lyapunov fibre info; do
  expect 0 'MODEL is the first word' "$sw" help $command
  expect 0 'MODEL is the first word' "$sw" $command -h
  expect 0 "^Usage: pendulum $command " "$sw" $command models/pendulum.sw -h
  expect 0 "^Usage: pendulum $command " "$sw" $command models/pendulum.sw --help
done
expect 2 "there is no command 'rnu'; did you mean 'run'\?" "$sw" rnu models/hopf.sw
expect 2 "there is no command 'chekc'; did you mean 'check'\?" "$sw" help chekc
expect 2 'MODEL is missing' "$sw" check
expect 2 '[-]o is missing' "$sw" generate models/hopf.sw
expect 2 '[-]o is missing' "$sw" build models/hopf.sw
expect 2 'more than one MODEL' "$sw" check models/hopf.sw models/pendulum.sw
expect 2 "cannot read 'nowhere.sw': No such file" "$sw" check nowhere.sw
expect 2 "cannot read 'models': Is a directory" "$sw" check models
expect 2 "cannot read '/dev/zero': it is not a regular file" "$sw" check /dev/zero
truncate -s 4194305 "$work/large.sw"
expect 2 "large.sw': it has more than 4 MiB" "$sw" check "$work/large.sw"
expect 0 'steps          2, ' "$sw" run --method rattle --step 0.1 --steps 2 models/hopf.sw
expect 0 'steps          2, ' "$sw" run --step=0.1 models/hopf.sw --steps 2
expect 2 "unknown option '--stepp'; did you mean '--steps'" "$sw" run models/hopf.sw --stepp 0.1
expect 2 "unknown option '--jsn'; did you mean '--json'" "$sw" check models/hopf.sw --jsn
expect 2 "unrecognized option '--zebra'" "$sw" check models/hopf.sw --zebra
expect 2 'MODEL is the first word' "$sw" run
expect 2 'MODEL is the first word' "$sw" run --
expect 0 'MODEL is the first word' "$sw" run --help
expect 0 '^ +--checkpoint=FILE' "$sw" run -h
expect 2 "size wants NAME=INTEGER, not 'N'" "$sw" check models/chain6.sw --size N
expect 2 "size wants NAME=INTEGER, not 'N=1e3'" "$sw" check models/chain6.sw --size N=1e3
expect 2 "size N=9223372036854775808 is too large: a size is an integer from 0 to 1000000000" "$sw" check models/chain6.sw --size N=9223372036854775808
expect 2 "size wants NAME=INTEGER, not ''" "$sw" run models/chain6.sw --size
expect 2 "model 'hopf' has no size 'N' \(its sizes: none\)" "$sw" check models/hopf.sw --size N=3
expect 2 "size wants NAME=INTEGER, not 'N=x'" "$sw" run models/hopf.sw --size N=x

# Output that cannot be written.
full() { "$sw" "$@" >/dev/full; }
for command in --help --version 'check models/hopf.sw' 'check --help'; do
  # shellcheck disable=SC2086
  expect 3 'cannot write to standard output: No space left' full $command
done

# check
expect 0 'SHAKE and RATTLE apply' "$sw" check models/hopf.sw
expect 0 'closed form: quadratic: rotation' "$sw" check models/hopf.sw
expect 0 'every \{g_i,g_j\} is 0' "$sw" check models/chain6.sw
expect 0 'not separable' "$sw" check models/spherical.sw
expect 0 'za +max \|g\| = 0' "$sw" check models/hopf.sw

printf 'model free\ncoord q momentum p\nhamiltonian H = p^2/2\ninit q = 0\ninit p = 1\n' >"$work/free.sw"
expect 0 'There are no constraints: all base methods apply' "$sw" check "$work/free.sw"
printf '%s\n' 'model pair' 'set ax = {x, y}' 'coord q[ax] momentum p' \
  'hamiltonian H = p[x]^2/2 + p[y]^2/2 + q[x]*q[y]' 'constraint first: q[x] == 0' \
  'constraint second: p[x] + q[y]*p[y] == 0' 'init q[k in ax] = 0' 'init p[k in ax] = 0' >"$work/pair.sw"
expect 1 'Eliminate the two as a conjugate pair' "$sw" check "$work/pair.sw"
sed -i 's/p\[x\] + q\[y\]\*p\[y\]/2*p[x]/' "$work/pair.sw"
expect 1 "Remove 'second': it is the hidden constraint" "$sw" check "$work/pair.sw"
printf '1\n\nAr 0 0 0\n' >"$work/e.xyz"
expect 2 'holds positions by atom, and is no table' "$sw" plot "$work/e.xyz"

# generate
expect 0 'hopf\.c' "$sw" generate models/hopf.sw -o "$work/new/deep"
true_that 'the .c is there' test -s "$work/new/deep/hopf.c"
true_that 'the .h is there' test -s "$work/new/deep/hopf.h"
touch -d '2001-01-01' "$work/new/deep/hopf.c"
expect 0 '' "$sw" generate models/hopf.sw -o "$work/new/deep"
true_that 'a file that would not change is left alone' test "$work/new/deep/hopf.c" -ot models/hopf.sw
touch "$work/file"
expect 3 'cannot write below' "$sw" generate models/hopf.sw -o "$work/file"

# A decimal comma in the user's locale reaches neither C nor numbers.
german() { LC_ALL=de_DE.UTF-8 LOCPATH=$GERMAN "$@"; }
true_that 'there is such a locale' test "$(german locale decimal_point)" = ,
for model in hopf chain; do
  expect 0 '' german "$sw" generate models/$model.sw -o "$work/german"
  true_that "the same C of $model" cmp "$work/german/$model.c" generated/$model.c
done
expect 0 '^2,0\.2' german "$sw" run models/hopf.sw --step 0.1 --steps 2 --out -

# build
expect 0 '' "$sw" build models/pendulum.sw -o "$work/pendulum"
expect 0 'Usage' "$work/pendulum" --help
expect 0 'pendulum' "$work/pendulum" info
expect 0 '0 failed' "$work/pendulum" verify
expect 0 'order' "$work/pendulum" converge --base verlet --step 0.1 --t-end 1 --levels 3
expect 3 'cannot start the C compiler' env CC="$work/no-such-compiler" "$sw" build models/hopf.sw -o "$work/hopf"
expect 3 'failed on the generated code' env CC=false "$sw" build models/hopf.sw -o "$work/hopf"
true_that 'no program is left of a failed build' test ! -e "$work/hopf"
expect 3 "the C compiler 'true' made no program" env CC=true "$sw" build models/hopf.sw -o "$work/hopf"
refused_target() { # PATTERN PROGRAM: refused before any compiler starts
  expect 3 "cannot write '.*': $1" env CC="$work/no-such-compiler" "$sw" build models/hopf.sw -o "$2"
}
refused_target 'Is a directory' .
refused_target 'Is a directory' "$work/"
refused_target 'No such file' "$work/nowhere/hopf"
refused_target 'No such file' "$work/nowhere/"
refused_target 'No such file' ''
refused_target 'Not a directory' "$work/file/hopf"
refused_target 'File exists' /dev/null

# A model is not overwritten by what is made of it.
cp models/pendulum.sw "$work/kept.sw"
ln "$work/kept.sw" "$work/pendulum.c"
refused_model() {
  expect 2 "$@"
  true_that 'the model is as it was' cmp models/pendulum.sw "$work/kept.sw"
}
refused_model "kept.sw' is the model '.*kept.sw' itself" "$sw" build "$work/kept.sw" -o "$work/kept.sw"
refused_model "pendulum.c' is the model '.*kept.sw' itself" "$sw" generate "$work/kept.sw" -o "$work"
for option in --out --save-state --checkpoint; do
  cp models/pendulum.sw "$work/kept.csv"
  expect 2 "the model '.*kept.csv' and $option '.*kept.csv' are the same file" \
    "$sw" run "$work/kept.csv" --steps 2 $option "$work/kept.csv"
  true_that 'the model is as it was' cmp models/pendulum.sw "$work/kept.csv"
done
rm "$work/pendulum.c"

# Models whose files have awkward names compile all the same: the driver is in sw_main.c.
for name in status program sidewinder; do
  sed "s/^model pendulum/model $name/" models/pendulum.sw >"$work/$name.sw"
  expect 0 '' "$sw" build "$work/$name.sw" -o "$work/$name"
  expect 0 "$name" "$work/$name" info
done

# A generator without its runtime beside it.
mkdir -p "$work/moved/bin" "$work/moved/include/sidewinder"
cp "$sw" "$work/moved/bin/sidewinder"
expect 3 'the runtime is not beside this program: .*/moved/include/sidewinder/model\.h is missing' \
  "$work/moved/bin/sidewinder" build models/hopf.sw -o "$work/hopf"
touch "$work/moved/include/sidewinder/model.h"
expect 3 'not beside this program: .*/moved/.*libsidewinder\.a is missing' \
  "$work/moved/bin/sidewinder" build models/hopf.sw -o "$work/hopf"

export XDG_CACHE_HOME=$work/cache

# The trajectory.
expect 0 '' "$sw" run models/hopf.sw --method rattle --base midpoint --step 0.1 --steps 20 --every 5 \
  --init zb --out "$work/t.csv"
true_that 'the header' test "$(head -1 "$work/t.csv")" = \
  step,t,q.1,q.2,p.1,p.2,hopf_re,hopf_im,hopf_ax,energy,residual_g,residual_hidden
true_that 'the rows' test "$(tail -n +2 "$work/t.csv" | cut -d, -f1 | tr '\n' ' ')" = '0 5 10 15 20 '
true_that 'metadata beside it' grep -q '"init": "zb"' "$work/t.csv.json"
true_that 'row 0 is the initial state' test "$(grep '^0,' "$work/t.csv" | cut -d, -f3)" = -0.49636249488240131
expect 0 '^20,2,' "$sw" run models/hopf.sw --step 0.1 --steps 20 --every 20 --out -
expect 3 'full|space' "$sw" run models/hopf.sw --step 0.1 --steps 20000 --every 1 --out /dev/full
expect 0 'steps +20,' "$sw" run models/hopf.sw --step 0.1 --t-end 2
expect 0 '' "$sw" run models/hopf.sw --step 0.1 --steps 3 --quiet
true_that 'quiet is quiet' test ! -s "$work/output"
expect 0 '' "$sw" run models/hopf.sw --step 0.1 --steps 3 --json
true_that 'the summary is JSON' python3 -c "
import json, sys
s = json.load(open(sys.argv[1]))
assert s['end'] == 'complete' and s['steps'] == 3 and s['message'] is None and s['projection'] is None
assert s['energy']['lowest'] <= s['energy']['first'] <= s['energy']['highest']
assert s['invariants']['energy'] == s['energy'] and 0 < s['residual_g'] < 1e-14" "$work/output"
# The summary does not repeat H, and prints no change relative to round-off.
cat >"$work/springs.sw" <<'END'
model springs
set i = 1 .. 3
coord q[i] momentum p
hamiltonian H = sum(k in i: p[k]^2)/2 + (q[1] - q[2])^2/2 + (q[2] - q[3])^2/2
invariant total = p[1] + p[2] + p[3]
invariant energy = H
invariant other = 1 + H
init q[k in i] = {0, 1, 3}
init p[k in i] = {0.1, 0.2, -0.3}
run base = verlet, step = 0.1, steps = 100
END
expect 0 '^               change within \[-[0-9.]+e-1[5-7], [0-9.e-]+\] from about 0$' "$sw" run "$work/springs.sw"
true_that 'the energy is not repeated' grep -q '^invariant      energy: the same values as the energy$' "$work/output"
true_that 'other changes are relative' test "$(grep -c ', relative 0\.00' "$work/output")" = 2
"$sw" run models/hopf.sw --step 0.31 --steps 100 --json >"$work/output" 2>/dev/null
true_that 'JSON after a failure' python3 -c "
import json, sys
s = json.load(open(sys.argv[1]))
assert s['end'] == 'failed' and s['message'].startswith('step failed at t = ')" "$work/output"

# Wrong options of a program.
expect 2 "hammer" "$sw" run models/hopf.sw --method hammer
expect 2 "rattle" "$sw" run models/hopf.sw --method ratle
expect 2 "verlett" "$sw" run models/hopf.sw --base verlett
expect 2 "init" "$sw" run models/hopf.sw --init zz
expect 2 "gravitty" "$sw" run models/pendulum.sw --set gravitty=2
expect 2 "" "$sw" run models/pendulum.sw --set length=-1
expect 2 "" "$sw" run models/hopf.sw --step 0
expect 2 "" "$sw" run models/hopf.sw --step nan
expect 2 "" "$sw" run models/hopf.sw --steps 10 --t-end 1
expect 2 "" "$sw" run models/hopf.sw --step 0.1 --t-end 0.25

# States off M, and steps that are too large.
expect 2 "not on M: constraint '[a-z]+' is -?[0-9.e-]+ .*--project" "$sw" run models/two_constraints.sw --set l=0.2
expect 2 'its projection moves positions by 0\.252 \(33\.6 % of 0\.751\), momenta by 0\.0781 \(48\.3 % of 0\.162\), more than 10 %' \
  "$sw" run models/two_constraints.sw --set l=0.2 --project --steps 10
expect 0 '^projection +moves positions by' "$sw" run models/two_constraints.sw --set l=0.2 --project=0.9 --steps 10
expect 0 '^projection +moves positions by' "$sw" converge models/two_constraints.sw --set l=0.2 --project=0.9 --step 0.1 --t-end 1
expect 2 'far from the constraint manifold' "$sw" lyapunov models/two_constraints.sw --set l=0.2 --project --steps 10
expect 0 ' 0 failed' "$sw" verify models/two_constraints.sw --set l=0.2 --only 'RATTLE keeps omega'
expect 3 'step failed at t = ' "$sw" run models/hopf.sw --step 0.31 --steps 100
expect 3 'the energy leaves its scale' "$sw" run models/lj7.sw --step 2 --steps 100

# A size of the model.
cat >"$work/chain.sw" <<'END'
model chain
size N = 3
set node = 1 .. N
set link = 1 .. N-1
set xy = {x, y}
coord q[node, xy] momentum p
let d2(i) = sum(k in xy: (q[i+1,k] - q[i,k])^2)
hamiltonian H = sum(i in node, k in xy: p[i,k]^2/2) + sum(i in node: q[i,y])
constraint pin[k in xy]: q[1,k] == 0
constraint length[i in link]: d2(i) == 1
observe tension[i in link] = multiplier(length[i])
observe height = sum(i in node: q[i,y])
init q[i in node, x] = i - 1
init q[i in node, y] = 0
init p[i in node, k in xy] = 0
run method = rattle, base = verlet, step = 0.01, steps = 10
END
expect 0 'd = 6 degrees of freedom, m = 4' "$sw" check "$work/chain.sw"
expect 0 'd = 20 degrees of freedom, m = 11' "$sw" check "$work/chain.sw" --size N=10
expect 0 '' "$sw" run "$work/chain.sw" --size N=5 --out "$work/c.csv"
true_that 'five nodes' grep -q 'q\.5\.y,.*tension\.4,' "$work/c.csv"
# One observable alone, beside others that read multipliers.
for lowering in unrolled looped; do
  expect 0 '^0$' "$sw" run "$work/chain.sw" --lowering $lowering --steps 1 --columns height --out - --quiet
done
expect 0 '0 failed' "$sw" verify "$work/chain.sw" --size N=2
# impulse(c) is the column impulse.c, and 0 before the first step.
for lowering in unrolled looped; do
  expect 0 '' "$sw" run tests/models/jolts.sw --lowering $lowering --columns step,observe.impulse,impulse.pin,still,mixed --out "$work/i.csv" --quiet
  true_that "$lowering: impulses of observables" awk -F, 'NR == 2 { bad += $2 != 0 || $3 != 0 || $4 != "NaN" || $8 != $6 }
    NR > 2 { bad += $2 != $4 || $3 != $5 || !($3 < -0.0009) || !($6 < -0.9) } END { exit bad > 0 || NR != 6 }' "$work/i.csv"
  expect 0 '0 failed' "$sw" verify tests/models/jolts.sw --lowering $lowering
done
expect 0 '10 degrees of freedom' "$sw" info --size N=5 "$work/chain.sw"
expect 0 '10 degrees of freedom' "$sw" info "$work/chain.sw" -s N=5
expect 0 '10 degrees of freedom' "$sw" info -sN=5 -- "$work/chain.sw"
expect 2 "size gives 'N' twice" "$sw" check "$work/chain.sw" --size N=5 -s N=6
expect 2 "size gives 'N' twice" "$sw" run --size N=5 "$work/chain.sw" --size N=5
expect 2 "size M=3: model 'chain' has no size 'M' \(its sizes: N\)" "$sw" check "$work/chain.sw" --size M=3
cp "$work/chain.sw" "$work/-k.sw"
expect 0 '6 degrees of freedom' env -C "$work" "$sw" info -- -k.sw
expect 0 'd = 6 degrees' env -C "$work" "$sw" check -- -k.sw

expect 2 'x.csv.json, where metadata would go, cannot be read: Not a directory' "$sw" run models/pendulum.sw --steps 1 --out /dev/null/x.csv

# The report shows brackets as they are written, and says where a family is empty.
cat >"$work/filter.sw" <<'END'
model filter
size N = 3
set node = 1 .. N
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2/2)
constraint pair[i in node,  j in node   # each pair once
                where i < j and j < 3]: q[i] - q[j] == 0
END
expect 0 '^  pair\[i in node, j in node where i < j and j < 3\]: q\[i\] - q\[j\] == 0$' "$sw" check "$work/filter.sw"
expect 0 '^      1 instance, reads q\[i\], q\[j\]$' "$sw" check "$work/filter.sw"
expect 0 '^      no instance$' "$sw" check "$work/filter.sw" --size N=1
finish
