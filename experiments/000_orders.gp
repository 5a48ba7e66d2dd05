# SPDX-License-Identifier: BSD-3-Clause
# Paper 000, Propositions 4.4 and 4.9: errors at t = 1 on the Hopf model.
load "examples/style.gp"
set output folder . "/000_orders.svg"
set title "Errors at t = 1 from z_a, over implicit midpoint"
set xlabel "h"
set ylabel "error"
set logscale xy
set xrange [0.001:0.2]
set format y "10^{%T}"
data = folder . "/000_orders.dat"
plot data using 1:3 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb orange title "SHAKE", \
     data using 1:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb green title "fibre of SHAKE", \
     data using 1:2 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "RATTLE", \
     3*x with lines dt 2 lc rgb "#888888" title "h", \
     0.4*x**2 with lines dt 3 lc rgb "#888888" title "h^2"
