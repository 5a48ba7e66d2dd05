# SPDX-License-Identifier: BSD-3-Clause
# Where in wave number and frequency the motion of small random tilts is.
load "gallery/style.gp"
set title "64 spins with small random tilts: spectrum of the motion"
set xlabel "turn from spin to spin, k"
set ylabel "angular velocity"
set xrange [-pi:pi]
set yrange [-0.3:4.6]
set xtics ("-π" -pi, "-π/2" -pi/2, "0" 0, "π/2" pi/2, "π" pi)
set key inside top center
unset colorbox
unset grid
set palette defined (0 "#ffffff", 0.4 "#c6dbef", 0.7 "#4292c6", 1 "#08306b")
set cbrange [-5:0]
plot data using 1:2:3 with image notitle, \
     2*(1 - cos(x)) with lines dt 2 lw 2 lc rgb orange title "Bloch: 2 J (1 - cos k)"
