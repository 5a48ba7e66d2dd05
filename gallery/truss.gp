# SPDX-License-Identifier: BSD-3-Clause
# The bridge that has lost its right bearing, at five times.
load "gallery/style.gp"
set title "A bridge without its right bearing: forces in its bars"
set size ratio -1
unset key
unset border
unset tics
unset grid
set cbtics textcolor rgb "black"
set cblabel "pull (+), push (-); weight = 1"
set palette defined (-1 "#053061", -0.3 "#2b83ba", 0 "#b0b0b0", 0.3 "#e6704f", 1 "#a50026")
set cbrange [-1.5:1.5]
set xrange [-4.3:4.3]
set yrange [-4.3:2.4]
set object 1 polygon from 0,0 to -0.18,0.3 to 0.18,0.3 to 0,0 fc rgb grey fs solid
plot for [i = 0:8:2] data index i using 1:2:3 with lines lw 4 lc palette, \
     for [i = 1:9:2] data index i using 1:2 with points pt 7 ps 0.5 lc rgb "#333333"
