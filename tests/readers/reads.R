# SPDX-License-Identifier: BSD-3-Clause
# R reads what `run` writes as it is, and `run` reads what R writes.
# Usage: Rscript reads.R PROGRAMS
programs <- normalizePath(commandArgs(trailingOnly = TRUE)[1])
setwd(tempdir())
run <- function(...) {
  stopifnot(system2(file.path(programs, "chain"), c("run", "--quiet", "--size", "N=3", ...)) == 0)
}
run("--steps", "4", "--every", "1", "--out", "t.csv")
t <- read.csv("t.csv")
stopifnot(names(t)[1:3] == c("step", "t", "q.1.x"), nrow(t) == 5, sapply(t, is.numeric),
          is.nan(t$tension.1[1]), is.finite(t$tension.1[2:5]))
write.csv(data.frame(mass = c(1, 2, 3)), "m.csv", row.names = FALSE, quote = FALSE)
run("--steps", "1", "--set", "m=@m.csv")
cat("R", as.character(getRversion()), "reads and is read\n")
