# SPDX-License-Identifier: BSD-3-Clause
# Paper 001, Fig. 4: the relative error of q4 at t = 0.1.
load "examples/style.gp"
set output folder . "/001_fig4.svg"
set title "Relative error of q_4 at t = 0.1"
set ylabel "relative error"
set xlabel "h"
set logscale xy
set xrange [0.0008:0.012]
set format y "10^{%T}"
data = folder . "/001_fig4.dat"
plot data using 1:2 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "energy-momentum", \
     0.2*x**2 with lines dt 3 lc rgb "#888888" title "h^2"
