#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One model, two lowerings: which one is taken, what is said about a model whose sizes are run-time values, and
# that its C has the same bytes in every process and the same length at every size.
# Usage: lowering.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

looped='hamiltonian_hess_places'
cat >"$work/chain.sw" <<'END'
model chain "Inextensible chain of N nodes"
size  N = 64
set   node = 1 .. N
set   link = 1 .. N-1
set   xyz  = {x, y, z}
param m[i in node] = 1/N
param a = 1/(N-1)
param gravity = 9.81
coord q[node, xyz] momentum p
hamiltonian H = sum(i in node, k in xyz: p[i,k]^2/(2*m[i])) + sum(i in node: m[i]*gravity*q[i,z])
constraint pin[k in xyz]:     q[1,k] == 0
constraint length[i in link]: sum(k in xyz: (q[i+1,k] - q[i,k])^2) == a^2
observe   tension[i in link] = multiplier(length[i])
invariant energy = H
init q[i in node, x] = (i-1)*a
init q[i in node, y] = 0
init q[i in node, z] = 0
init p[i in node, k in xyz] = 0
END

# ---- which one ----

lowered() { # looped or unrolled, arguments
  local kind=$1
  shift
  rm -rf "$work/out"
  expect 0 '' "$sw" generate "$@" -o "$work/out"
  if [ "$kind" = looped ]; then
    true_that "looped: $*" grep -q -- "$looped" "$work/out"/*.c
  else
    true_that "unrolled: $*" test -z "$(grep -l -- "$looped" "$work/out"/*.c)"
  fi
}
lowered looped "$work/chain.sw"
lowered unrolled "$work/chain.sw" --size N=6
lowered looped "$work/chain.sw" --size N=6 --lowering looped
lowered unrolled "$work/chain.sw" --size N=30 --lowering unrolled
lowered unrolled "$work/chain.sw" --size N=6 --lowering=auto
lowered unrolled models/lj7.sw
lowered looped models/pendulum.sw -l looped
expect 2 "wants unrolled, looped or auto, not 'both'" "$sw" check "$work/chain.sw" --lowering both
expect 2 "wants unrolled, looped or auto, not 'both'" "$sw" run --lowering both "$work/chain.sw"
expect 2 "wants unrolled, looped or auto, not ''" "$sw" run "$work/chain.sw" --lowering

# What cannot be looped is unrolled, unless it was asked for or is too large for that.
cat >"$work/norm.sw" <<'END'
model norm
size N = 80
set s = 1 .. N
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2) + sqrt(1 + sum(i in s: q[i]^2))
constraint c: sum(i in s: q[i]^2) == 1
init q[i in s] = sqrt(1/N)
init p[i in s] = 0
END
lowered unrolled "$work/norm.sw" --size N=60
expect 2 'norm.sw:5:.*error' "$sw" check "$work/norm.sw" --lowering looped
expect 2 'norm.sw:5:.*error' "$sw" check "$work/norm.sw" --size N=1000000

# Sizes at which nothing moves make no model, in either.
cat >"$work/still.sw" <<'END'
model still
size N = 1
set link = 1 .. N-1
coord q[link] momentum p
hamiltonian H = sum(i in link: p[i]^2/2 + q[i]^2/2)
init q[i in link] = 1
init p[i in link] = 0
END
for kind in looped unrolled auto; do
  expect 2 'still.sw:4:7: error: .* no degrees of freedom' "$sw" check "$work/still.sw" --lowering $kind
  expect 0 'There are no constraints: all base methods apply' "$sw" check "$work/still.sw" --lowering $kind --size N=2
done

# ---- what is said ----

expect 0 'coisotropic   proved for all sizes' "$sw" check "$work/chain.sw"
expect 0 'nondegenerate at N = 2: proved: N is invertible where' "$sw" check "$work/chain.sw"
expect 0 'each step checks N' "$sw" check "$work/chain.sw"
expect 0 'invariant     at N = 2: energy: proved' "$sw" check "$work/chain.sw"
expect 0 'd = 3000000 degrees of freedom' "$sw" check "$work/chain.sw" --size N=1000000

# refused PATTERN, the rest of the model on standard input
refused() {
  { echo "model refused"; echo "size N = 1000"; echo "set s = 1 .. N"; cat; } >"$work/refused.sw"
  expect 1 "$1" "$sw" check "$work/refused.sw"
  expect 1 "$1" "$sw" generate "$work/refused.sw" -o "$work/refused"
  true_that 'nothing is generated' test ! -e "$work/refused/refused.c"
}
refused "at N = 2: the derivative of constraint 'c\[1\]' vanishes" <<'END'
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2)
constraint c[i in s]: (q[i] - 1)^2 == 0
END
refused 'at N = 2: N = \{\{g,H\},g\} is singular' <<'END'
coord q[s] momentum p
coord r[s] momentum w
hamiltonian H = sum(i in s: p[i]^2/2)
constraint c[i in s]: r[i] == 0
END

# Sizes that were not examined may be good: N is regular, and the brackets vanish, from N = 3 on, which is too large.
wide() { # H, constraint
  cat >"$work/wide.sw" <<END
model wide
size N = 64
set node = 1 .. N
set comp = 1 .. 80
coord q[node, comp] momentum p
hamiltonian H = sum(i in node, k in comp: $1)
constraint c[i in node]: $2
END
}
wide '(N-2)*p[i,k]^2/2 + q[i,k]^2/2' 'q[i,1] == 1'
expect 1 'Nothing is concluded, since the sizes of a run decide' "$sw" check "$work/wide.sw"
expect 1 'not decided: at N = 2, N is singular on all of M.H, which may be so' "$sw" check "$work/wide.sw"
expect 0 'warning: .* has sizes without a verdict: at N = 2, N is singular' "$sw" generate "$work/wide.sw" -o "$work/wide"
wide 'p[i,k]^2/2' 'p[i,1] == (N-2)*q[i,1]'
expect 1 'Nothing is concluded, since the sizes of a run decide' "$sw" check "$work/wide.sw" --size N=3

# Small sizes without a point, or with a fault that is not proved, give no verdict: the next ones are tried.
hung() { # LENGTH N: a chain between two points at the distance 0.6
  cat >"$work/hung.sw" <<END
model hung
size N = $2
set node = 1 .. N
set link = 1 .. N-1
set xy = {x, y}
param a = $1
coord q[node, xy] momentum p
hamiltonian H = sum(i in node, k in xy: p[i,k]^2)/2 + sum(i in node: q[i,y])
constraint left[k in xy]: q[1,k] == 0
constraint right[k in xy]: q[N,k] == (if k == x then 0.6 else 0)
constraint bar[i in link]: sum(k in xy: (q[i+1,k] - q[i,k])^2) == a^2
init q[i in node, x] = 0.6*(i-1)/(N-1)
init q[i in node, y] = (i-1)*(i-N)/N^2
init p[i in node, k in xy] = 0
END
}
hung 0.35 8 # more constraints than coordinates at N = 2
expect 0 'nondegenerate at N = 3: proved' "$sw" check "$work/hung.sw" --lowering looped
hung 0.3 8 # straight at N = 3
expect 0 'nondegenerate at N = 4: proved' "$sw" check "$work/hung.sw" --lowering looped
hung 0.13 8
expect 0 'at N = 3, M is empty; at N = 4, no point of M was found; also at N = 5, which may' "$sw" check "$work/hung.sw" --lowering looped
expect 0 '"size": "N = 5"' "$sw" check "$work/hung.sw" --lowering looped --json
expect 0 '"reason": "M is empty"' "$sw" check "$work/hung.sw" --lowering looped --json
hung 0.055 12 # too short at all small sizes, but not at its own
expect 0 'nondegenerate at N = 12: proved' "$sw" check "$work/hung.sw" --lowering looped
hung 0.05 12
expect 1 'Nothing is concluded, since no point of M.H was shown to exist' "$sw" check "$work/hung.sw" --lowering looped
# No point was found, but nothing proves that there is none: a run may start.
expect 0 '' "$sw" generate "$work/hung.sw" -o "$work/hung"
# Small sizes without the family at fault do not hide its fault: M is empty at all sizes from 3 on.
for family in 'constraint d: q[1] == 1' 'invariant energy = H'; do
  cat >"$work/hidden.sw" <<END
model hidden
size N = 1000
set s = 1 .. N
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2 + q[i]^2)/2
constraint c[i in 3 .. N]: q[i]^2 == -1
$family
init q[i in s] = 1
init p[i in s] = 0
END
  expect 1 'Nothing is concluded, since the sizes of a run decide' "$sw" check "$work/hidden.sw"
done
imaginary() {
  cat <<END
model imaginary
size N = $1
set s = 1 .. N
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2)
constraint c[i in s]: q[i]^2 == -1
END
}
imaginary 10 >"$work/imaginary.sw"
expect 1 "at N = 10: no state satisfies all constraints, proved: M is empty" "$sw" check "$work/imaginary.sw" --lowering looped
imaginary 1000 >"$work/imaginary.sw"
expect 1 'not decided: at N = 2, M is empty; also at N = 3' "$sw" check "$work/imaginary.sw"

# A fault that is proved at some small sizes only is a warning.
at_60() { { echo 'model at_60'; echo 'size N = 60'; echo 'set s = 1 .. N'; echo 'coord q[s] momentum p'; cat; } >"$work/at_60.sw"; }
at_60 <<'END'
hamiltonian H = sum(i in s: (i-2)*p[i]^2/2 + q[i]^2/2)
constraint c: q[N] == 1
END
expect 0 'at N = 2, N is singular on all of M.H, which may be so of small sizes alone' "$sw" check "$work/at_60.sw"
expect 0 'nondegenerate at N = 3: proved' "$sw" check "$work/at_60.sw"
expect 0 'warning: .* has sizes without a verdict: at N = 2, N is singular' "$sw" generate "$work/at_60.sw" -o "$work/at_60"
# Sizes with more constraints than coordinates do not make constraints redundant.
at_60 <<'END'
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2)
constraint c[j in 1 .. 5]: sum(i in s: i^j*q[i]) == 1
END
expect 0 'nondegenerate at N = 5: proved' "$sw" check "$work/at_60.sw"
expect 0 'At N = 5: SHAKE and RATTLE apply\. Each run checks its own sizes\.' "$sw" check "$work/at_60.sw"
# A family without an instance at the smallest sizes is examined at larger ones; a family that was not examined is named.
at_60 <<'END'
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2)
constraint c[i in 20 .. N]: q[i]^2 == -1
constraint d: q[1] == 1
END
expect 1 'at N = 60: no state satisfies all constraints' "$sw" check "$work/at_60.sw"
sed -i 's/20 .. N/100 .. N/' "$work/at_60.sw"
expect 1 "not examined  at N = 2: 'c': no instance" "$sw" check "$work/at_60.sw"
expect 1 "Nothing is concluded: 'c' has no instance at the examined sizes, N = 2" "$sw" check "$work/at_60.sw" --json
expect 0 '' "$sw" generate "$work/at_60.sw" -o "$work/at_60"
expect 0 "not examined  'c': no instance" "$sw" check "$work/at_60.sw" --size N=10
# So are sums of H and invariants; the conclusion is that of the examined sizes.
at_60 <<'END'
set far = 100 .. N
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2) - sum(i in far: p[i]^2/2)
constraint c[i in s]: q[i] == 1
invariant I[i in far] = p[i]
END
expect 0 "not examined  at N = 2: the term '-sum\(i in far: p\[i\]\^2/2\)' of H, 'I': no instance" "$sw" check "$work/at_60.sw"
expect 0 'At N = 2: SHAKE and RATTLE apply\.' "$sw" check "$work/at_60.sw"

# ---- variational integrators, of which models with loops have derivatives along directions ----

expect 0 '' "$sw" build tests/models/beads.sw -o "$work/beads"
expect 0 'witness hamiltonian_fourth .*PASS' "$work/beads" verify --size N=2 --only 'witness hamiltonian_fourth'
expect 0 'witness constraint_fourth .*PASS' "$work/beads" verify --size N=2 --only 'witness constraint_fourth'
expect 0 'VARIATIONAL keeps its form .*PASS' "$work/beads" verify --size N=2 --only 'VARIATIONAL keeps'
expect 0 'too large: take smaller sizes' "$work/beads" verify --only 'VARIATIONAL keeps'
expect 0 'symplectic volume: .*PASS' "$work/beads" lyapunov --size N=2 --project=9 --steps 20
expect 0 '' "$work/beads" run --size N=5 --project=9 --steps 5
# Accelerations that are too long make an unrolled model looped. Its program then serves all sizes: it has one digest.
cat >"$work/cubes.sw" <<'END'
model cubes
size N = 20
set s = 1 .. N
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2)/2 + sum(i in s, j in s, k in s where i < j and j < k: sin(q[i]*q[j]*q[k]))
init q[i in s] = 0.1*i
init p[i in s] = 0
run method = variational, base = rk4, step = 0.01, steps = 2
END
for n in 16 18; do
  expect 0 'steps +2' "$sw" run "$work/cubes.sw" --size N=$n --out "$work/cubes_$n.csv"
done
true_that 'two sizes have one digest' test "$(grep '"digest"' "$work/cubes_16.csv.json")" = "$(grep '"digest"' "$work/cubes_18.csv.json")"
# What verify compares is seen: a kernel whose fourth derivatives are wrong.
cat >"$work/cc" <<'END'
#!/usr/bin/env bash
for file; do
  case $file in */beads.c) sed -i '/^static void hamiltonian_fourth(/,/^}/s/= heavy \* u_q_i_x \* w_q_i_x/= 2.0 * heavy * u_q_i_x * w_q_i_x/' "$file" ;; esac
done
exec cc "$@"
END
chmod +x "$work/cc"
CC="$work/cc" expect 0 '' "$sw" build tests/models/beads.sw -o "$work/wrong"
expect 1 'witness hamiltonian_fourth .*FAIL' "$work/wrong" verify --size N=2 --only 'witness hamiltonian_fourth'

# ---- the bytes ----

"$sw" generate "$work/chain.sw" --size N=100 -o "$work/a" >/dev/null
"$sw" generate "$work/chain.sw" --size N=999999 -o "$work/b" >/dev/null
true_that 'the C is as long at every size' \
  test "$(wc -l <"$work/a/chain.c")" -eq "$(wc -l <"$work/b/chain.c")"
true_that 'the C is short' test "$(wc -c <"$work/a/chain.c")" -lt 60000
true_that 'the default size is the one that was set' \
  grep -q 'size_default\[\] = {999999}' "$work/b/chain.c"
true_that 'lines are at most 100 columns' \
  test -z "$(sed '1,/^ \*\//d; /^static const char analysis/,/;$/d' "$work/a/chain.c" | awk 'length > 100')"
for round in $(seq 20); do
  "$sw" generate "$work/chain.sw" -o "$work/same$round" >/dev/null
done
true_that 'the same bytes from 20 processes' \
  test "$(sha256sum "$work"/same*/chain.c | awk '{print $1}' | sort -u | wc -l)" -eq 1
finish
