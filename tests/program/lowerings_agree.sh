#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Both lowerings of the shipped models agree in every function, and so do their derivatives with differences:
# the looped C at several sizes against the C that is unrolled at each of them (tests/random/compare.c).
# Usage: lowerings_agree.sh GENERATOR COMPARE
set -uo pipefail
sw=$1
compare=$2
source tests/program/lib.sh

# Two families whose filters select nothing at N = 1, and of which one has a single instance at N = 2.
cat >"$work/filters.sw" <<'END'
model filters
size N = 4
set s = 1 .. N
set xy = {x, y}
coord q[s, xy] momentum p
coord r[s] momentum w
hamiltonian H = sum(i in s, k in xy: p[i,k]^2/2) + sum(i in s: w[i]^2/2 + r[i]^4/4)
    + sum(i in s, j in s where i < j: 1/(1 + sum(k in xy: (q[i,k] - q[j,k])^2)))
    + sum(i in s where i > N: q[i,x]^2)
constraint rod[i in s where 2*i <= N]: sum(k in xy: q[i,k]^2) == 1
constraint shell[i in s where 2*i > N + 1]: r[i]^2 + w[i]^2 == 1
observe pull[i in s where i >= 2 and i < N] = p[i,x]*q[i,y]
invariant energy = H
invariant far[i in s where i > 5] = q[i,x]
init q[i in s, x] = 1
init q[i in s, y] = 0
init p[i in s, x] = 0
init p[i in s, y] = 1
init r[i in s] = 1
init w[i in s] = 0
END

# No closed flow for all sizes: numerical against closed at the same sizes, of constraints that share all, and some
# that have no closed flow at any size.
cat >"$work/swarm.sw" <<'END'
model swarm
size N = 3
set s = 1 .. N
set ax = {x, y}
coord q[s, ax] momentum p
coord r[s] momentum w
hamiltonian H = sum(i in s, k in ax: p[i,k]^2/2 + i*q[i,k]^2/2) + sum(i in s: w[i]^2/2 + r[i]^2/2 + i*q[i,x]*q[i,y]/3)
constraint shell: sum(i in s, k in ax: q[i,k]^2 + p[i,k]^2) == 1
constraint spin: sum(i in s: q[i,x]*p[i,y] - q[i,y]*p[i,x]) == 0.1
invariant energy = H
END
sed -e 's/^model swarm/model bent/' -e 's/^invariant.*/constraint bend[i in s]: r[i]^3*w[i] + w[i] + r[i]^2 == 0.2/' \
  "$work/swarm.sw" >"$work/bent.sw"

# By L: velocities of one instance are coupled, terms read one label or all, and velocities that an initial state gives
# become momenta by way of positions, which it gives in ranges, in a table, and for all labels.
cat >"$work/charges.sw" <<'END'
model charges
size N = 3
set s = 1 .. N
set ax = {x, y}
param m[i in s] = 1 + i/N in (0, inf)
param B = 2
coord q[s, ax] velocity v
coord r[s] velocity w momentum u
coord c velocity turn
lagrangian L = sum(i in s, k in ax: m[i]*(1 + q[i,k]^2)*v[i,k]^2/2 - q[i,k]^2/2) + sum(i in s: w[i]^2/(2*m[i]))
    + sum(i in s: B*(q[i,x]*v[i,y] - r[i]*v[i,x])/2 + cos(q[i,x] - q[i,y])*v[i,x]*v[i,y]/3)
    - sum(i in s, j in s where i < j: 1/(1 + sum(k in ax: (q[i,k] - q[j,k])^2))) + turn^2/2 + r[N]*c
observe all[i in s, k in ax] = v[i,k]
observe first[k in ax] = v[1,k]*w[N] + turn
observe action = L
invariant energy = H
init q[1, k in ax] = {x: 1, y: 0.5}
init q[i in 2 .. N, x] = i
init q[i in 2 .. N, y] = -i/3
init v[i in s, x] = 0.25*i
init v[i in s, y] = 0.5
init r[i in s] = i/7
init w[i in s] = cos(i)
init c = 0.5
init turn = 0.125
init pushed: q[i in s, k in ax] = 1/i
init pushed: p_q[i in s, k in ax] = i
init pushed: r[i in s] = 0
init pushed: u[i in s] = 1
init pushed: c = 0
init pushed: p_c = 1
END

library=
sources=()
pairs=$work/pairs

variant() { # FOLDER NAME: a source that gives the model of this folder the name sw_model_NAME_FOLDER
  printf '#define sw_model_%s sw_model_%s_%s\n#include "%s/%s.c"\n' "$2" "$2" "$1" "$1" "$2" >"$work/$1_$2.c"
  sources+=("$work/$1_$2.c")
}

agree() { # MODEL SIZE...: each SIZE as in "N=2", or "" for a model without sizes
  local model=$1 name size folder
  name=$(basename "$model" .sw)
  shift
  expect 0 '' "$sw" generate "$model" --lowering looped -o "$work/looped"
  true_that "$name has loops" grep -q 'hamiltonian_hess_places' "$work/looped/$name.c"
  variant looped "$name"
  for size in "$@"; do
    folder=unrolled${size//[^A-Za-z0-9]/_}
    expect 0 '' "$sw" generate "$model" --lowering unrolled ${size:+--size "$size"} -o "$work/$folder"
    true_that "$name at $size has none" test -z "$(grep -l 'hamiltonian_hess_places' "$work/$folder/$name.c")"
    variant "$folder" "$name"
    echo "$name@$size sw_model_${name}_$folder sw_model_${name}_looped $size" >>"$pairs"
  done
}

# One node of a chain has no length, and at one site the spin chain sets its state twice.
agree models/chain.sw N=2 N=3 N=5
agree models/net.sw N=2 N=3
agree models/spin_chain.sw N=2 N=3 N=5
agree models/water_box.sw W=1 W=2 W=3
agree "$work/filters.sw" N=1 N=2 N=3 N=6
agree tests/forms/ring.sw N=3 N=4 N=7
agree tests/forms/vectors.sw N=4 N=5
agree tests/forms/sums.sw N=2 N=3 N=6
agree "$work/swarm.sw" N=2 N=3
agree "$work/bent.sw" N=2 N=3
agree "$work/charges.sw" N=1 N=2 N=4
agree tests/models/chain_lagrangian.sw N=3
agree tests/models/jolts.sw N=2 N=5
# The two constraints of the last share all of their degrees of freedom: looped, their flow is numerical.
for model in pendulum charge_lagrangian pendulum_angles spherical hopf hopf_free double_pendulum chain6 lj7 two_constraints; do
  agree "models/$model.sw" ''
done
for size in chain:N=1 net:N=1 spin_chain:N=1 chain:N=0 net:N=0 water_box:W=0; do
  for lowering in looped unrolled; do
    expect 2 'error: ' "$sw" check "models/${size%:*}.sw" --lowering "$lowering" --size "${size#*:}"
  done
done

library=$work/models.so
expect 0 '' ${CC:-cc} ${SW_BUILD_FLAGS:-} -std=c99 -O0 -w -shared -fPIC -Iruntime/include -o "$library" \
  "${sources[@]}" -lm
"$compare" "$library" <"$pairs" >"$work/found" 2>&1
code=$?
cat "$work/found"
true_that 'every pair agrees' test "$code" -eq 0
true_that 'all of them were compared' grep -qx "$(wc -l <"$pairs") pairs, 0 differ" "$work/found"

# The comparison can fail: at another size, and with another potential in the looped C.
failing() { # PATTERN
  expect 1 "$1" bash -c "'$compare' '$library' <'$pairs'"
}
echo 'wrong sw_model_chain_unrolledN_3 sw_model_chain_looped N=5' >"$pairs"
failing 'degrees of freedom: 9 and 15'
echo 'wrong sw_model_pendulum_unrolled sw_model_pendulum_looped' >"$pairs"
sed -i 's/gravity \*/1.0001 * gravity */' "$work/looped/pendulum.c"
library=$work/wrong.so
expect 0 '' ${CC:-cc} ${SW_BUILD_FLAGS:-} -std=c99 -O0 -w -shared -fPIC -Iruntime/include -o "$library" \
  "$work/looped_pendulum.c" "$work/unrolled_pendulum.c" -lm
failing '^wrong: H\('
finish
