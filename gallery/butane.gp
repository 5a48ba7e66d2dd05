# SPDX-License-Identifier: BSD-3-Clause
# Orbits of butane's torsion.
load "gallery/style.gp"
stats data using 3 nooutput
orbits = STATS_blocks
array energy[orbits]
do for [i = 1:orbits] {
  stats data index i - 1 using 3 nooutput
  energy[i] = STATS_mean
}
set title "Butane: its torsion, coloured by the energy"
set xlabel "torsion angle / degrees"
set ylabel "angular velocity / (rad/ps)"
set cblabel "energy / (kJ/mol)"
set xrange [-180:180]
set yrange [-40:40]
set cbrange [0:45]
set xtics 60
unset key
set palette defined (0 blue, 0.3 green, 0.6 orange, 1 red)
set label "trans" at 0,0 center front
set label "gauche" at -118,0 center front
set label "gauche" at 118,0 center front
plot for [i = 1:orbits] data index i - 1 using 1:2 with lines lw 1.8 lc palette cb energy[i], \
     NaN with lines lc palette
