# SPDX-License-Identifier: BSD-3-Clause
# Orbits of the Hopf model on the sphere of fibres, stereographically projected: w = (q1 + i p1)/(q2 + i p2).
# After Fig. 4 of "Geometric Generalisations of SHAKE and RATTLE".
# gnuplot -e "folder='DIR'" hopf_orbits.gp reads DIR/hopf_z{a,b,c}.csv and writes DIR/hopf_orbits.svg
load "examples/style.gp"
set terminal svg size 720,430 font "sans-serif,14" background "white"
set output folder . "/hopf_orbits.svg"
set datafile separator ","
set datafile columnheaders
set title "RATTLE over implicit midpoint, h = 0.1: |q|^2 + |p|^2 = 1, H = |p|^2/2 + q_2" noenhanced
set xlabel "Re w"
set ylabel "Im w"
set size ratio -1
set yrange [-2:2]
set xrange [-3.6:3.6]
square(a, b) = a**2 + b**2
re(q1, q2, p1, p2) = (q1*q2 + p1*p2)/square(q2, p2)
im(q1, q2, p1, p2) = (p1*q2 - q1*p2)/square(q2, p2)
orbit(name) = folder . "/hopf_" . name . ".csv"
plot for [name in "za zb zc"] orbit(name) \
  using (re(column("q.1"), column("q.2"), column("p.1"), column("p.2"))): \
        (im(column("q.1"), column("q.2"), column("p.1"), column("p.2"))) \
  with points pt 7 ps 0.3 title name
