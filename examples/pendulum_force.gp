# SPDX-License-Identifier: BSD-3-Clause
# The force of the rod on the bob of a pendulum, -lambda dg/dq with g = |q|^2 - l^2, at states of a run.
# gnuplot -e "folder='DIR'" pendulum_force.gp reads DIR/pendulum_force.csv and writes DIR/multiplier.svg:
# sidewinder run models/pendulum.sw --step 0.05 --steps 64 --every 8 --columns q,multiplier --out DIR/pendulum_force.csv
load "examples/style.gp"
set terminal svg size 640,430 font "sans-serif,14" background "white"
set output folder . "/multiplier.svg"
set datafile separator ","
set datafile columnheaders
set title "Pendulum: -lambda dg/dq on the bob, and gravity, at equal times" noenhanced
set xlabel "q.x" noenhanced
set ylabel "q.y" noenhanced
set size ratio -1
set key bottom center outside horizontal
set xrange [-1.25:1.25]
set yrange [-1.35:0.1]
set parametric
set trange [-pi:0]
file = folder . "/pendulum_force.csv"
scale = 0.25
plot cos(t), sin(t) with lines lc rgb "#bbbbbb" title "g = 0", \
  file using "q.x":"q.y":(-scale*2*column("multiplier.rod")*column("q.x")):(-scale*2*column("multiplier.rod")*column("q.y")) \
  with vectors lw 2 title "-lambda dg/dq, lambda > 0" noenhanced, \
  file using "q.x":"q.y":(0):(-scale) with vectors lw 1 title "-dV/dq" noenhanced, \
  file using "q.x":"q.y" with points pt 7 ps 0.6 lc rgb "#333333" notitle
