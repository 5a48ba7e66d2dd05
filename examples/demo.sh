#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The main job, from model files to pictures, saying in plain words what is proved and what is measured.
# Usage: demo.sh GENERATOR FOLDER
set -euo pipefail
sidewinder=$1
folder=$2
mkdir -p "$folder"
XDG_CACHE_HOME=$(cd "$folder" && pwd)/cache
export XDG_CACHE_HOME

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

for model in pendulum hopf chain6; do
  say "=== $model: what the model file says, and what the analysis proves"
  "$sidewinder" check "models/$model.sw"

  say "$model: the C that is made from it"
  "$sidewinder" generate "models/$model.sw" -o "$folder/c"
  wc -lc "$folder/c/$model.c"

  say "$model: every generated function measured against differences and identities"
  "$sidewinder" verify "models/$model.sw"

  say "$model: run as the model file's last line says"
  "$sidewinder" run "models/$model.sw" --out "$folder/$model.csv"

  say "$model: the change of its energy, its residuals and an orbit"
  "$sidewinder" plot "$folder/$model.csv"
done

say "=== the orbits of paper 000, Fig. 4, and the energies of Fig. 5"
for start in za zb zc; do
  "$sidewinder" run models/hopf.sw --method rattle --base midpoint --step 0.1 --steps 600 --init $start \
    --out "$folder/hopf_$start.csv" --quiet
done
"$sidewinder" run models/hopf.sw --method shake --base midpoint --step 0.1 --steps 600 --init za \
  --out "$folder/hopf_shake.csv" --quiet
gnuplot -e "folder='$folder'" examples/hopf_orbits.gp
gnuplot -e "folder='$folder'" examples/hopf_energy.gp

say "=== chain: a model whose size is set when its program runs"
"$sidewinder" check models/chain.sw
"$sidewinder" build models/chain.sw -o "$folder/chain"

say "chain: of 6 nodes, every generated function measured against differences and identities"
"$folder/chain" verify --size N=6

say "chain: 1000 nodes, hanging, with a push"
"$folder/chain" run --size N=1000 --init hanging --set swing=5 --set turn=0 --step 1e-4 --t-end 1 \
  --every 1000 --out "$folder/chain.csv"
# x and z of the nodes, in a block for each row of the trajectory.
awk -F, '!n { n = split($0, name); next }
         { for (i = 1; i <= n; i++) if (name[i] ~ /^q\..*\.x$/) print $i, $(i + 2)
           printf "\n\n" }' "$folder/chain.csv" >"$folder/chain.dat"
gnuplot -e "folder='$folder'" examples/chain.gp

say "chain: 100000 nodes, by the same program"
"$folder/chain" run --size N=100000 --init hanging --step 1e-6 --steps 20

cat <<END

What was proved, and what was measured

  Proved by algebra, in \`check\`: that the constraints commute ({g_i,g_j} = 0), so that SHAKE and RATTLE are
  well defined and symplectic; the closed form of the fibre flow; that H is conserved by the exact motion.
  Measured, in \`verify\`: every derivative in the C against finite differences; that the fibre flow keeps the
  constraints; that RATTLE is reversible and has the order that theory gives.
  Measured, in \`run\`: how well the constraints hold and how far the energy strays, printed above.

  $folder/hopf_orbits.svg   orbits are closed curves, as those of the exact solution are
  $folder/hopf_energy.svg   the energy error is bounded and does not drift
  $folder/pendulum.svg      of each model that was run: the change of its energy, residuals, an orbit
  $folder/chain.svg         a chain of 1000 nodes swings; links keep their length to round-off
END
