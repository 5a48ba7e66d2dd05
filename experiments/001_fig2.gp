# SPDX-License-Identifier: BSD-3-Clause
# Paper 001, Fig. 2: the two rods after each 100 steps.
load "examples/style.gp"
set output folder . "/001_fig2.svg"
set title "Two rods in 10 seconds, seen along y"
set xlabel "x"
set ylabel "z"
data = folder . "/001_fig2.dat"
plot for [i=0:20:2] data index i using 1:3 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb blue title (i == 0 ? "1, 2" : ""), \
     for [i=1:21:2] data index i using 1:3 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb orange title (i == 1 ? "3, 4" : "")
