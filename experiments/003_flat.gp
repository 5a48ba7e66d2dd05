# SPDX-License-Identifier: BSD-3-Clause
# Paper 003: the left crank of a four-bar linkage that is flat at t = 1.
load "examples/style.gp"
set output folder . "/003_flat.svg"
set title "Angle of the left crank; flat at t = 1"
set ylabel "angle / rad"
set xlabel "t"
data = folder . "/003_flat.dat"
plot data index 1 using 1:2 with linespoints pt 7 ps 0.5 lw 1.2 lc rgb blue title "min-norm", \
     data index 0 using 1:2 with points pt 6 ps 1.1 lw 1.2 lc rgb "black" title "error, to step 9", \
     data index 3 using 1:2 with points pt 2 ps 0.7 lc rgb green title "A + eps I", \
     data index 6 using 1:2 with linespoints pt 7 ps 0.4 lw 1 lc rgb orange title "friction 0.1", \
     data index 7 using 1:2 with linespoints pt 7 ps 0.4 lw 1 lc rgb red title "projected Verlet"
