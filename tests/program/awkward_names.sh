#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Names that C, its headers, the runtime or the generated file use, given by a model as they are and put together
# from an array and its indices: the generated C compiles without a warning, and hides nothing of its own.
# Usage: awkward_names.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
prefix=$(dirname "$(dirname "$sw")")

words=(HUGE_VAL FP_NAN MATH_ERRNO math_errhandling signgam isnan signbit SNAN MAXFLOAT M_E M_LN2 M_2_PI offsetof
  size_t ptrdiff_t nullptr_t double_t float_t max_align_t unix linux i386 arm sun SW_PROVED SW_MODEL_ABI
  analysis hamiltonian_grad hamiltonian_hess hamiltonian_hess_row hamiltonian_hess_col constraint_jac
  constraint_jac_row constraint_jac_col constraint_scale hidden hidden_jac_row nondegeneracy coisotropy_row
  fibre_flow fibre_flow_lambda_col fibre_flow_z_row init_0 init_1 q_names p_names k_names c_names observe_names
  invariant_names k_default k_lower k_upper k_closed)
arrays=(HUGE FP MATH M SW wide math max wchar q p c hidden_jac fibre_flow_z)
labels=(VAL VALF NAN ZERO ERRNO PI PI_2 LN2 PROVED t align_t errhandling names row jac jac_col)

# Every other word is a momentum instead of a position; the arrays are parameters.  All are read everywhere.
positions=()
momenta=()
for word in "${words[@]}"; do
  other=other${#positions[@]}
  if [ $((${#positions[@]} % 2)) -eq 0 ]; then
    positions+=("$word")
    momenta+=("$other")
  else
    positions+=("$other")
    momenta+=("$word")
  fi
done
{
  echo 'model awkward'
  echo "set ends = {$(IFS=,; echo "${labels[*]}")}"
  weight=0
  for array in "${arrays[@]}"; do
    echo "param $array[ends] = 1 in [0, 2]"
    weight="$weight + $array[e]"
  done
  echo "let weight = sum(e in ends: $weight)"
  energy=0
  for i in "${!positions[@]}"; do
    echo "coord ${positions[i]} momentum ${momenta[i]}"
    energy="$energy + ${momenta[i]}^2 + cos(${positions[i]})"
  done
  echo "hamiltonian H = weight*($energy)/2"
  echo "constraint first: ${positions[0]}^2 + ${positions[1]}^2 == 1"
  echo "constraint second: ${positions[2]}*weight == ${positions[3]}"
  echo "observe pull = multiplier(first)*${momenta[1]}"
  echo 'invariant energy = H'
  for state in one two; do
    for i in "${!positions[@]}"; do
      echo "init $state: ${positions[i]} = $((i == 0))"
      echo "init $state: ${momenta[i]} = 0"
    done
  done
} >"$work/awkward.sw"
expect 0 'awkward\.c' "$sw" generate "$work/awkward.sw" -o "$work"

# Rows of a model with names of other columns are read as states again: the coordinate t is not the time of a row.
cat >"$work/columns.sw" <<'END'
model columns
set s = {a, b}
coord t momentum step
coord impulse[s] momentum p
coord det_N momentum e
hamiltonian H = (step^2 + e^2 + sum(i in s: p[i]^2))/2
constraint a: t == 0.25
init t = 0.25
init step = 0
init impulse[i in s] = 1
init p[i in s] = 2
init det_N = 3
init e = 4
END
expect 0 '' "$sw" run "$work/columns.sw" --step 0.1 --steps 3 --quiet --out "$work/columns.csv"
true_that 'columns have their groups' grep -q '^step,t,state\.t,state\.impulse\.a,state\.impulse\.b,state\.det_N,state\.step,p\.a,p\.b,e,' "$work/columns.csv"
if "$sw" ensemble "$work/columns.sw" --init-from "$work/columns.csv" --step 0.1 --steps 2 --out "$work/columns.h5" >"$work/output" 2>&1; then
  true_that 'their rows are states' grep -q '4, of which 0 failed' "$work/output"
else
  true_that 'ensembles need HDF5' grep -q HDF5 "$work/output"
fi

# What macros would break, compilers see; what locals hide only behind their functions, this sees.
grep -oE '[A-Za-z_0-9]+ = [zk]\[[0-9]+\]' "$work/awkward.c" | sed 's/ = .*//' | sort -u >"$work/locals"
grep -E '^static ' "$work/awkward.c" | sed -E 's/^([^[(]*[ *])?([A-Za-z_0-9]+)[[(].*/\2/' | sort -u >"$work/statics"
true_that 'every entry has a name' test "$(wc -l <"$work/locals")" -eq \
  $((2 * ${#words[@]} + ${#arrays[@]} * ${#labels[@]}))
true_that 'the tables and functions are found' test "$(wc -l <"$work/statics")" -ge 40
true_that 'none hides a table or function' test -z "$(comm -12 "$work/locals" "$work/statics")"
comm -12 "$work/locals" "$work/statics"

warnings='-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror'
for compiler in gcc clang; do
  for standard in '-std=c99' '-std=c11' '-std=gnu11' '-std=gnu11 -D_GNU_SOURCE' '-std=gnu2x'; do
    # shellcheck disable=SC2086
    expect 0 '' $compiler $standard $warnings -I"$prefix/include" -c "$work/awkward.c" -o "$work/awkward.o"
  done
done
expect 0 '' "$sw" run "$work/awkward.sw" --init one --step 0.01 --steps 2

# What a step keeps for itself: the members of its structs that are there whatever the model's names are.
stepped() { # POSITION MOMENTUM BASE
  cat >"$work/stepped.sw" <<END
model stepped
coord x momentum px
coord y momentum py
coord z momentum pz
coord $1 momentum $2
hamiltonian H = (px^2 + py^2 + pz^2 + x^4 + $2^2)/2 + $1^4 + x*$1
constraint ring: x^2 + y^2 + px^2 + py^2 == 2
constraint arc: z^2 + $1^2 == 1
init x = 1
init y = 0
init z = 1
init pz = 0
init $1 = 0
init px = 1
init py = 0
init $2 = 0
run base = $3, step = 0.01, steps = 10
END
  expect 0 'stepped_step\.c' "$sw" generate "$work/stepped.sw" -o "$work"
}
for base in verlet midpoint; do
  stepped one two $base
  sed -n '/^typedef struct/,/^}/p' "$work/stepped_step.c" | grep -oE ' [a-z][a-z_0-9]*[,;]' | tr -d ' ,;' | sort -u >"$work/members_$base"
  stepped three four $base
  sed -n '/^typedef struct/,/^}/p' "$work/stepped_step.c" | grep -oE ' [a-z][a-z_0-9]*[,;]' | tr -d ' ,;' | sort -u |
    comm -12 - "$work/members_$base" >"$work/own_$base"
  while read -r word && read -r other; do
    stepped "$word" "$other" $base
    # shellcheck disable=SC2086
    expect 0 '' gcc -std=c99 $warnings -I"$prefix/include" -fsyntax-only "$work/stepped_step.c"
  done < <(grep -vE '[xyz]|ring|arc' "$work/own_$base")
done
true_that 'members of steps are found' grep -qx first_1_1 "$work/own_verlet"

# Names of models: files and symbols of their own, or refused with the reason.
oscillator() { # NAME
  printf 'model %s\ncoord x momentum y\nhamiltonian H = (x^2 + y^2)/2\ninit x = 1\ninit y = 0\n' "$1" >"$work/model.sw"
}
for name in _ __ a_ _A int lambda sw models t0 H out NULL SIDEWINDER_ABI \
  a23456789_123456789_123456789_123456789_123456789_123456789_123; do
  oscillator "$name"
  expect 0 'steps' "$sw" run "$work/model.sw" --step 0.01 --steps 2
done
for name in main math Math stdlib sw_ sw_main; do
  oscillator "$name"
  expect 2 "model.sw:1:7: error: a model cannot have the name '$name': .*; use another name" "$sw" check "$work/model.sw"
done
functions=$(nm -g --defined-only "$(find "$prefix" -name libsidewinder.a | head -1)" | sed -n 's/.* T sw_model_//p')
true_that 'the runtime has functions called sw_model_...' test -n "$functions"
for name in $functions; do
  oscillator "$name"
  expect 2 "cannot have the name '$name': its constant would be sw_model_$name" "$sw" generate "$work/model.sw" -o "$work"
done
finish
