# SPDX-License-Identifier: BSD-3-Clause
# Paper 002, sections 7.1 and 8: the energy of RATTLE where its equations are not solved to round-off.
load "examples/style.gp"
set output folder . "/002_inexact.svg"
set title "H - H_0 of RATTLE on six nodes, h = 0.05"
set ylabel "H - H_0"
set xlabel "t"
data = folder . "/002_inexact.dat"
plot data index 0 using 1:2 with lines lw 0.8 lc rgb red title "1 iteration", \
     data index 1 using 1:2 with lines lw 0.8 lc rgb orange title "2 iterations", \
     data index 2 using 1:2 with lines lw 0.8 lc rgb blue title "3, round-off"
