/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fibre_points.c -- paper 000: the three cases of section 5.4.2, by the command `fibre`, and how far SHAKE's manifold is from
 * M^H.
 *
 * Reference numbers: roots of (28) with the right signs, and of its derivative, with 40 digits.
 */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;

/* Columns of the command. */
enum { SIGMA, KIND, DET, DISTANCE };

/* A state as --init-file reads it. */
static void write_state(const page *p, const char *name, const double z[4])
{
  static const char *const names[4] = {"q.1", "q.2", "p.1", "p.2"};
  FILE *file = page_data(p, name, "name,value");

  for (int i = 0; i < 4; i++) {
    fprintf(file, "%s,%.17g\n", names[i], z[i]);
  }
  page_close_data(file);
}

typedef struct known_point {
  double theta;
  double slope; /* N/4 */
  double distance;
} known_point;

static void put_points(page *p, const char *of, int n, const known_point known[],
                       const command_table *found)
{
  page_row(p, "%s: points on M^H", of);
  page_compare(p, n, found->rows, 1);
  for (int i = 0; i < 4; i++) {
    page_none(p);
  }
  page_end_row(p);
  if (found->rows != n) {
    page_die("%s: %d points", of, found->rows);
  }
  for (int i = 0; i < n; i++) {
    const double *at = found->at[i];
    page_row(p, "... %s", i == found->starred ? "RATTLE's point" : "another point");
    if (known[i].distance == 0.0) {
      page_cell(p, "0");
      page_below(p, fabs(at[SIGMA]), 1e-7);
      page_cell(p, "0");
      page_below(p, fabs(at[DET]), 1e-7);
      page_cell(p, "0");
      page_below(p, at[DISTANCE], 1e-14);
    } else {
      if (known[i].theta == 0.0) {
        page_cell(p, "0");
        page_below(p, fabs(at[SIGMA]), 1e-14);
      } else {
        page_compare(p, known[i].theta, 2.0 * at[SIGMA], 12);
      }
      page_compare(p, known[i].slope, at[DET] / 4.0, 6);
      page_compare(p, known[i].distance, 2.0 * at[DISTANCE], 6);
    }
    page_end_row(p);
  }
}

void table_fibre_kinds(page *p)
{
  static const known_point four[] = {{-2.30891269117310518, -0.273346117776061, 0.219709822623561},
                                     {-1.87109717154180297, 0.277495570984264, 0.218105697007741},
                                     {0.0693529085072089321, -1.12270047884837, 0.792518929459096},
                                     {2.13698684061494745, 1.05773781229112, 0.750358249581312}};
  static const known_point two[] = {{0.0, -0.968722253767389, 0.778320709424781},
                                    {2.19449918295210582, 1.03311820791788, 0.818919090198925}};
  static const known_point three[] = {{-2.37951666287515961, -1.37872340425532, 0.88593931106011},
                                      {0.0, 0.0, 0.0},
                                      {1.75363146378780536, 0.945454545454545, 0.638086262106141}};
  static const double touching[4] = {0.7493997598078077847, 0.28, 0.41569219381653055045,
                                     0.43266615305567871517};
  command_table found;

  page_head(p, "fibre through | theta, reference | sidewinder | N/4, reference | sidewinder | "
               "distance in theta to N = 0, reference | sidewinder");
  command_run(p, &found,
              "run models/hopf.sw --method shake --base midpoint --step 0.1 --steps 1 --quiet "
              "--save-state '%s/000_shake.csv'",
              p->folder);
  command_run(p, &found, "fibre models/hopf.sw --init-file '%s/000_shake.csv'", p->folder);
  put_points(p, "(i) the first point of SHAKE", 4, four, &found);
  command_run(p, &found, "fibre models/hopf.sw --init za");
  put_points(p, "(ii) z_a", 2, two, &found);
  write_state(p, "000_touching.csv", touching);
  command_run(p, &found, "fibre models/hopf.sw --init-file '%s/000_touching.csv'", p->folder);
  put_points(p, "(iii) a state with H' = H'' = 0", 3, three, &found);
}

/* The slide from SHAKE's first point to M^H, by the angle theta. */
void table_offset(page *p)
{
  static const double known[] = {0.0693529085072089, 0.0377962522290417, 0.0198455927991346,
                                 0.0101850413734043, 0.00516159967301934};
  double before = 0.0;

  page_head(p, "h | slide to M^H, reference | sidewinder | order");
  for (int i = 0; i < 5; i++) {
    command_table found;
    const double h = 0.1 / (1 << i);
    command_run(p, &found,
                "run models/hopf.sw --method shake --base midpoint --step %.17g --steps 1 --quiet "
                "--save-state '%s/000_offset.csv'",
                h, p->folder);
    command_run(p, &found, "fibre models/hopf.sw --init-file '%s/000_offset.csv'", p->folder);
    if (found.starred < 0) {
      page_die("no slide");
    }
    const double slide = 2.0 * found.at[found.starred][SIGMA];
    page_row(p, "0.1/%d", 1 << i);
    page_compare(p, known[i], slide, 10);
    if (i == 0) {
      page_none(p);
    } else {
      page_number(p, log2(before / slide), 3);
    }
    page_end_row(p);
    before = slide;
  }
}
