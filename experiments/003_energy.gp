# SPDX-License-Identifier: BSD-3-Clause
# Paper 003: the energy of a pendulum by RATTLE, and by what is said to lose its structure.
load "examples/style.gp"
set output folder . "/003_energy.svg"
set title "H - H_0 of a pendulum, h = 0.1"
set ylabel "H - H_0"
set xlabel "t"
set xrange [0:200]
set yrange [-0.34:0.02]
data = folder . "/003_energy.dat"
plot data index 0 using 1:2 with lines lw 1.5 lc rgb blue title "RATTLE", \
     data index 3 using 1:2 with lines dt 2 lw 1.2 lc rgb green title "A + 10^{-2} I", \
     data index 1 using 1:2 with lines lw 1.2 lc rgb purple title "as printed", \
     data index 2 using 1:2 with lines dt 2 lw 1.2 lc rgb red title "projected Verlet", \
     data index 5 using 1:2 with lines lw 1.2 lc rgb orange title "friction 0.1"
