# SPDX-License-Identifier: BSD-3-Clause
# Where the pendulum on a shaken pivot stays upright.
load "gallery/style.gp"
set title "Kapitza's pendulum: which of 7735 runs stay upright"
set xlabel "amplitude of the pivot / length"
set ylabel "its angular frequency, √(g/l) = 1"
set xrange [0:0.6]
set yrange [2:30]
unset colorbox
set palette defined (0 "#9ecae1", 1 "#fdd0a2")
set bmargin at screen 0.27
set key at screen 0.52,0.05 center center horizontal samplen 2
set label "upright" at 0.22,20 center front
set label "falls" at 0.05,5 center front
plot data index 0 using 1:2:3 with image notitle, \
     data index 1 using 1:2 with lines lw 2 lc rgb "black" title "Mathieu", \
     data index 1 using 1:3 with lines dt 2 lw 2 lc rgb red title "Kapitza"
