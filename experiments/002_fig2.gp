# SPDX-License-Identifier: BSD-3-Clause
# Paper 002, Fig. 2: the residual of the velocity constraint.
load "examples/style.gp"
set output folder . "/002_fig2.svg"
set title "|g'(q) p| of six nodes, h = 0.01, {/Symbol k} = 1"
set ylabel "|g'(q) p|"
set xlabel "t"
set logscale y
set format y "10^{%T}"
data = folder . "/002_fig2.dat"
plot data index 0 using 1:2 with lines lw 1.2 lc rgb blue title "VS", \
     data index 1 using 1:2 with lines lw 1.2 lc rgb orange title "SHAKE of 000"
