# SPDX-License-Identifier: BSD-3-Clause
# The angular velocity of a body that flips.
load "gallery/style.gp"
set title "A rigid body spins about its middle axis, and flips"
set xlabel "t"
set ylabel "angular velocity"
set bmargin at screen 0.33
set key at screen 0.52,0.07 center center horizontal maxcols 2 samplen 1.5 width -2
set yrange [-1.3:1.3]
set xrange [0:60]
plot data index 1 using 1:(-1.3):(0):(2.6) with vectors nohead dt 2 lw 1.5 lc rgb grey title "known flips", \
     data index 0 using 1:2 with lines lw 1.8 lc rgb green title "ω_1", \
     data index 0 using 1:3 with lines lw 1.8 lc rgb blue title "ω_2", \
     data index 0 using 1:4 with lines lw 1.8 lc rgb orange title "ω_3"
