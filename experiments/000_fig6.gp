# SPDX-License-Identifier: BSD-3-Clause
# Paper 000, Fig. 6: |H'| on the fibres along SHAKE's orbit from z_a, and where it vanishes: M^H.
load "examples/style.gp"
set terminal svg size 860,480 font "sans-serif,14" background "white"
set output folder . "/000_fig6.svg"
set title "|H'| on the fibres along SHAKE's orbit from z_a, which is at 0"
set xlabel "step"
set ylabel "place on the fibre"
set xrange [0:60]
set yrange [-0.5:0.5]
unset grid
set contour base
set cntrparam levels discrete -1.3, -1.1, -0.9, -0.7, -0.5, -0.3, -0.1, 0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3
unset surface
set table folder . "/000_fig6_levels.dat"
splot folder . "/000_fig6.dat" using 1:2:3 with lines
unset table
set palette defined (0 "#08306b", 0.6 "#6baed6", 1.3 "#deebf7")
set cbrange [0:1.3]
set cblabel "|H'|"
set key outside top center horizontal
levels = folder . "/000_fig6_levels.dat"
points = folder . "/000_fig6_points.dat"
plot levels using 1:2:(abs($3)) with lines lw 1 lc palette notitle, \
     levels using 1:($3 == 0 ? $2 : NaN) with lines lw 2 lc rgb "black" title "M^H, H' = 0" noenhanced, \
     points using 1:($3 == 1 ? $2 : NaN) with points pt 7 ps 0.5 lc rgb red title "RATTLE", \
     0 with lines dt 2 lw 1.5 lc rgb red title "SHAKE"
