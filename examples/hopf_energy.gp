# SPDX-License-Identifier: BSD-3-Clause
# Energy of SHAKE and RATTLE along the orbit from za: bounded, no drift, and not the same; and the hidden constraint,
# which SHAKE does not satisfy.  After Fig. 5 of "Geometric Generalisations of SHAKE and RATTLE".
# gnuplot -e "folder='DIR'" hopf_energy.gp reads DIR/hopf_{za,shake}.csv and writes DIR/hopf_energy.svg
load "examples/style.gp"
set terminal svg size 760,640 font "sans-serif,14" background "white"
set output folder . "/hopf_energy.svg"
set datafile separator ","
set datafile columnheaders
set multiplot layout 2,1
set xrange [0:30]
set lmargin 12
set title "Energy error from z_a, h = 0.1"
set ylabel "H(t) - H(0)"
set yrange [-0.01:0.02]
H0 = -0.2954796634418472
plot folder . "/hopf_za.csv" using (column("t")):(column("energy") - H0) with linespoints pt 7 ps 0.3 title "RATTLE", \
     folder . "/hopf_shake.csv" using (column("t")):(column("energy") - H0) with linespoints pt 7 ps 0.3 title "SHAKE"
set title "Hidden constraint"
set xlabel "t"
set ylabel "|p.(q + g)|"
set yrange [0:0.12]
plot folder . "/hopf_za.csv" using (column("t")):(column("residual_hidden")/2) with linespoints pt 7 ps 0.3 title "RATTLE", \
     folder . "/hopf_shake.csv" using (column("t")):(column("residual_hidden")/2) with linespoints pt 7 ps 0.3 title "SHAKE"
unset multiplot
