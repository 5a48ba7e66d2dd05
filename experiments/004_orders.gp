# SPDX-License-Identifier: BSD-3-Clause
# Paper 004: errors at t = 1 on the spherical pendulum.
load "examples/style.gp"
set output folder . "/004_orders.svg"
set title "Errors at t = 1 of variational integrators"
set xlabel "h"
set ylabel "error of q"
set logscale xy
set xrange [0.01:0.13]
set format y "10^{%T}"
data = folder . "/004_orders.dat"
plot data using 1:6 with linespoints pt 6 ps 0.7 lw 1.5 dt 2 lc rgb orange title "r = 1, (0,1)", \
     data using 1:2 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb orange title "r = 1, (-1/2,1/2)", \
     data using 1:7 with linespoints pt 6 ps 0.7 lw 1.5 dt 2 lc rgb green title "r = 2, (0,1)", \
     data using 1:3 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb green title "r = 2, (-1/2,1/2)", \
     data using 1:8 with linespoints pt 6 ps 0.7 lw 1.5 dt 2 lc rgb red title "r = 3, (0,1)", \
     data using 1:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red title "r = 3, (-1/2,1/2)", \
     data using 1:9 with linespoints pt 6 ps 0.7 lw 1.5 dt 2 lc rgb blue title "r = 4, (0,1)", \
     data using 1:5 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "r = 4, (-1/2,1/2)"
