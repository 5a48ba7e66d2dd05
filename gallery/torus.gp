# SPDX-License-Identifier: BSD-3-Clause
# Samples on the torus, and the density of their angle around the tube.
load "gallery/style.gp"
set multiplot title "Uniform samples of a torus by RATTLE" layout 1,2
set lmargin at screen 0.01
set rmargin at screen 0.52
set size ratio -1
unset border
unset tics
unset grid
unset key
unset colorbox
set palette defined (0 "#c6dbef", 1 "#08519c")
plot data index 1 using 1:2:3 with points pt 7 ps 0.35 lc palette
set lmargin at screen 0.66
set rmargin at screen 0.97
set tmargin at screen 0.86
set bmargin at screen 0.18
set size noratio
set border 3 lc rgb grey
set tics nomirror out scale 0.6 textcolor rgb "black"
set xlabel "angle around the tube / °"
set xrange [0:180]
set yrange [0:0.0105]
set xtics 60 nomirror
set ytics 0.002 nomirror
set key inside top right samplen 1.5
set style fill solid 0.5 noborder
set boxwidth 4.9
plot data index 0 using 1:2 with boxes lc rgb blue title "their density", \
     (1 + 0.5*cos(x*pi/180))/180 with lines lw 2 lc rgb orange title "known density"
unset multiplot
