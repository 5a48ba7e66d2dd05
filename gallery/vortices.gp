# SPDX-License-Identifier: BSD-3-Clause
# Two rings of six vortices on the sphere.
load "gallery/style.gp"
set terminal svg size 600,360 font "sans-serif,15" background "white"
set multiplot title "Six vortices: a ring that lasts, and one that breaks up" layout 1,2 margins 0.01,0.99,0.02,0.88 spacing 0.02
set size ratio -1
unset border
unset tics
unset grid
unset key
set xrange [-1.05:1.05]
set yrange [-1.05:1.05]
set object 1 circle at 0,0 size 1 fc rgb "#f4f7fa" fs solid border lc rgb grey behind
array colour[6] = [blue, orange, green, red, purple, word(colours, 6)]
front(x, towards) = towards > 0 ? x : NaN
do for [ring = 0:1] {
  stats data index 6*ring using 1 nooutput
  last = STATS_records - 1
  plot data index 12 using 1:(front($2, $3)) with lines lw 0.7 lc rgb "#cccccc", \
       for [i = 0:5] data index 6*ring + i using 1:(front($2, $3)) with lines lw 1.4 lc rgb colour[i + 1], \
       for [i = 0:5] data index 6*ring + i using 1:(front($2, $3)) every ::last::last with points pt 7 ps 0.9 lc rgb colour[i + 1]
}
unset multiplot
