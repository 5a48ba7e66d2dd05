# SPDX-License-Identifier: BSD-3-Clause
# Paper 000, Fig. 3: a fibre of the three-sphere meets M^H in four points, two on each of two orbits.
load "examples/style.gp"
set terminal svg size 620,520 font "sans-serif,14" background "white"
set output folder . "/000_fig3.svg"
data = folder . "/000_fig3.dat"
set title "{/*0.9 A fibre of |q|^2 + |p|^2 = 1, and the orbits of H = |p|^2/2 through it}" offset 0,-1
set view 60,30,1.7
set view equal xyz
set lmargin 0
set rmargin 0
set tmargin 0
set bmargin 0
set xyplane 0
unset border
unset tics
set key at screen 0.97,0.22 samplen 1.5
splot data index 0 with lines lw 2 lc rgb "black" title "a fibre", \
      data index 1 with linespoints pt 7 ps 0.25 lw 1 lc rgb blue title "RATTLE, |q| > |p|", \
      data index 2 with linespoints pt 7 ps 0.25 lw 1 lc rgb red title "RATTLE, |q| < |p|", \
      data index 3 with points pt 7 ps 0.9 lc rgb "black" title "M^H on the fibre" noenhanced
