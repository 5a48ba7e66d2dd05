# SPDX-License-Identifier: BSD-3-Clause
# Paper 001, Fig. 3: the velocity constraints.
load "examples/style.gp"
set output folder . "/001_fig3.svg"
set title "Velocities along the rods, h = 0.01"
set ylabel "velocity along a rod"
set xlabel "t"
set format y "%.1e"
data = folder . "/001_fig3.dat"
plot data using 1:2 with lines lw 1 lc rgb blue title "1, 2", \
     data using 1:3 with lines lw 1 lc rgb orange title "3, 4"
