/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data_reading.c -- times the reading and checking of graph data in each format: N bonds between N
 * + 1 atoms, each bond with two indices and a length, and each atom with a kind and three
 * coordinates.
 *
 * Usage: bench_data_reading [N]     (default 1000000; temporary files are in TMPDIR)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/hdf5_file.h"
#include "loops.h"
#include "sidewinder/data.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double coordinate(long i, int k)
{
  return (double)(i * 3 + k) / 7.0;
}

static double length_of(long e)
{
  return 1.0 + (double)e / 3e7;
}

static FILE *begin(const char *path)
{
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static void write_json(const char *path, long n)
{
  FILE *file = begin(path);
  for (int end = 0; end < 2; end++) {
    fprintf(file, "%s", end == 0 ? "{\"a\": [1" : "], \"b\": [2");
    for (long e = 1; e < n; e++) {
      fprintf(file, ", %ld", e + 1 + end);
    }
  }
  fputs("], \"length\": [1", file);
  for (long e = 1; e < n; e++) {
    fprintf(file, ", %.17g", length_of(e));
  }
  fputs("], \"kind\": [0", file);
  for (long i = 1; i <= n; i++) {
    fprintf(file, ", %ld", i % 2);
  }
  fputs("], \"x\": [", file);
  for (long i = 0; i <= n; i++) {
    fprintf(file, "%s[%.17g, %.17g, %.17g]", i == 0 ? "" : ", ", coordinate(i, 0), coordinate(i, 1),
            coordinate(i, 2));
  }
  fputs("]}\n", file);
  fclose(file);
}

static void write_csv(const char *atoms, const char *bonds, long n)
{
  FILE *file = begin(bonds);
  fputs("a,b,length\n", file);
  for (long e = 0; e < n; e++) {
    fprintf(file, "%ld,%ld,%.17g\n", e + 1, e + 2, length_of(e));
  }
  fclose(file);
  file = begin(atoms);
  fputs("kind,x.x,x.y,x.z\n", file);
  for (long i = 0; i <= n; i++) {
    fprintf(file, "%ld,%.17g,%.17g,%.17g\n", i % 2, coordinate(i, 0), coordinate(i, 1),
            coordinate(i, 2));
  }
  fclose(file);
}

static int write_hdf5(const char *path, long n)
{
  const size_t bonds = (size_t)n;
  const sw_h5_shape of_bonds = {1, {bonds}};
  const sw_h5_shape of_atoms = {2, {bonds + 1, 3}};
  long *indices = calloc(bonds + 2, sizeof *indices);
  double *values = calloc(3 * (bonds + 1), sizeof *values);
  sw_h5 *file = NULL;
  int good = indices != NULL && values != NULL && sw_h5_create(path, &file) == SW_OK;
  for (long i = 0; good && i <= n; i++) {
    indices[i] = i + 1;
    values[i] = length_of(i);
  }
  good = good && sw_h5_put_integers(file, "a", bonds, indices) &&
         sw_h5_put_integers(file, "b", bonds, indices + 1) &&
         sw_h5_put_reals(file, "length", &of_bonds, values);
  for (long i = 0; good && i <= n; i++) {
    indices[i] = i % 2;
    for (int k = 0; k < 3; k++) {
      values[3 * i + k] = coordinate(i, k);
    }
  }
  good = good && sw_h5_put_integers(file, "kind", bonds + 1, indices) &&
         sw_h5_put_reals(file, "x", &of_atoms, values);
  good = sw_h5_close(&file) && good;
  free(indices);
  free(values);
  return good;
}

static void measure(const char *what, const char *path)
{
  char message[SW_DATA_MESSAGE];
  double best = 0.0;
  for (int round = 0; round < 3; round++) {
    sw_data *data = NULL;
    const double start = now();
    if (sw_data_read(&sw_fixture_loops_bonds, path, 0, NULL, &data, message) != SW_OK) {
      fprintf(stderr, "%s\n", message);
      exit(1);
    }
    const double took = now() - start;
    best = round == 0 || took < best ? took : best;
    sw_data_free(&data);
  }
  printf("%-6s %8.3f s\n", what, best);
}

int main(int argc, char **argv)
{
  const long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
  const char *place = getenv("TMPDIR");
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/bench_data-XXXXXX", place != NULL ? place : "/tmp");
  if (n < 1 || n > 100000000 || mkdtemp(folder) == NULL || chdir(folder) != 0 ||
      mkdir("csv", 0700) != 0) {
    fprintf(stderr, "no folder, or no number of bonds\n");
    return 1;
  }
  printf("%ld bonds, %ld atoms; seconds of one processor, best of 3\n", n, n + 1);
  write_json("data.json", n);
  measure("JSON", "data.json");
  write_csv("csv/atom.csv", "csv/bond.csv", n);
  measure("CSV", "csv");
  if (write_hdf5("data.h5", n)) {
    measure("HDF5", "data.h5");
  }
  remove("data.json");
  remove("data.h5");
  remove("csv/atom.csv");
  remove("csv/bond.csv");
  remove("csv");
  return chdir("/") != 0 || rmdir(folder) != 0;
}
