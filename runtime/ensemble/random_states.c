/* SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/random_states.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "sidewinder/ensemble.h"

enum { LONGEST_WORD = 200 };

static const char *const kinds[] = {"normal", "uniform"};

/* A parser: the text and the current position in it. */
typedef struct reader {
  const char *text;
  const char *at;
  const char **names; /* 2d names: q, then p */
  size_t count;
  char *message;
} reader;

static sw_status random_states_refuse(const reader *in, const char *wanted)
{
  snprintf(in->message, SW_TEXT_MESSAGE,
           "'%.160s': character %d: wanted is %s, such as q ~ normal(0, 0.1), p ~ uniform(-1, 1)",
           in->text, (int)(in->at - in->text) + 1, wanted);
  return SW_ERR_ARGUMENT;
}

static void skip_blanks(reader *in)
{
  while (isspace((unsigned char)*in->at)) {
    in->at++;
  }
}

/* Consumes the character c if it comes next.  Returns 1 on success. */
static int random_states_take(reader *in, char c)
{
  skip_blanks(in);
  const int found = *in->at == c;
  in->at += found;
  return found;
}

/* Copies the text before the next character of `ends`, without surrounding blanks.  Returns 0 if
 * the text is empty, too long or not terminated. */
static int take_word(reader *in, const char *ends, char word[LONGEST_WORD])
{
  skip_blanks(in);
  size_t length = strcspn(in->at, ends);
  if (length == 0 || length >= LONGEST_WORD || in->at[length] == '\0') {
    return 0;
  }
  memcpy(word, in->at, length);
  in->at += length;
  while (length > 0 && isspace((unsigned char)word[length - 1])) {
    length--;
  }
  word[length] = '\0';
  return length > 0;
}

/* Reports an unknown name.  If the name has no index, suggests names of whole arrays. */
static sw_status refuse_name(reader *in, const char *name)
{
  size_t kept = 0;
  for (size_t i = 0; i < in->count; i++) {
    /* in->names is writable: sw_names_create allocated it */
    char *own = (char *)(void *)in->names[i];
    if (strchr(name, '.') == NULL) {
      own[strcspn(own, ".")] = '\0';
    }
    if (kept == 0 || strcmp(in->names[kept - 1], own) != 0) {
      in->names[kept++] = own;
    }
  }
  sw_text_unknown("coordinate or momentum", name, in->names, kept, in->message);
  return SW_ERR_ARGUMENT;
}

/* Sets the distribution of all entries with this name. */
static sw_status random_states_assign(reader *in, const char *name, sw_sample_entry of,
                                      sw_sample_entry entry[])
{
  const size_t length = strlen(name);
  size_t found = 0;
  for (size_t i = 0; i < in->count; i++) {
    const char *own = in->names[i];
    if (strncmp(own, name, length) == 0 && (own[length] == '\0' || own[length] == '.')) {
      entry[i] = of;
      found++;
    }
  }
  return found > 0 ? SW_OK : refuse_name(in, name);
}

/* Parses a number and the character `end`; restores the position on failure. */
static int random_states_take_number(reader *in, const char *end, double *value)
{
  char word[LONGEST_WORD];
  const char *start = in->at;
  const int good =
      take_word(in, end, word) && sw_text_real(word, value) && random_states_take(in, *end);
  in->at = good ? in->at : start;
  return good;
}

static sw_status read_distribution(reader *in, sw_sample_entry *of)
{
  char word[LONGEST_WORD];
  if (!take_word(in, "(", word)) {
    return random_states_refuse(in, "normal(mean, deviation) or uniform(lowest, highest)");
  }
  const int kind = sw_text_place(word, kinds, 2);
  if (kind < 0) {
    sw_text_unknown("distribution", word, kinds, 2, in->message);
    return SW_ERR_ARGUMENT;
  }
  of->kind = kind == 0 ? SW_NORMAL : SW_UNIFORM;
  in->at++; /* "(" */
  if (!random_states_take_number(in, ",", &of->a)) {
    return random_states_refuse(in, "a finite number and a comma");
  }
  if (!random_states_take_number(in, ")", &of->b)) {
    return random_states_refuse(in, "a finite number and ')'");
  }
  if (of->kind == SW_NORMAL && of->b < 0.0) {
    snprintf(in->message, SW_TEXT_MESSAGE, "normal(%.15g, %.15g): the deviation is negative", of->a,
             of->b);
    return SW_ERR_ARGUMENT;
  }
  if (of->kind == SW_UNIFORM && of->b < of->a) {
    snprintf(in->message, SW_TEXT_MESSAGE, "uniform(%.15g, %.15g): write the smaller one first",
             of->a, of->b);
    return SW_ERR_ARGUMENT;
  }
  return SW_OK;
}

static sw_status read_items(reader *in, sw_sample_entry entry[])
{
  do {
    char name[LONGEST_WORD];
    sw_sample_entry of = {SW_FIXED, 0.0, 0.0};
    if (!take_word(in, "~()", name) || !random_states_take(in, '~')) {
      return random_states_refuse(in, "a name and '~'");
    }
    sw_text_with_dots(name);
    sw_status status = read_distribution(in, &of);
    status = status == SW_OK ? random_states_assign(in, name, of, entry) : status;
    if (status != SW_OK) {
      return status;
    }
  } while (random_states_take(in, ','));
  skip_blanks(in);
  return *in->at == '\0' ? SW_OK : random_states_refuse(in, "a comma, or the end");
}

/* The i-th name for sw_names_create: q, then p. */
static const char *name_entry(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_system *system = context;
  const size_t d = (size_t)system->nq;
  return sw_system_name(system, i < d ? SW_Q : SW_P, (int)(i < d ? i : i - d), buffer);
}

sw_status sw_sample_read(const sw_system *system, const char *text, sw_sample_entry entry[],
                         char message[SW_TEXT_MESSAGE])
{
  reader in = {.text = text, .at = text, .count = 2 * (size_t)system->nq, .message = message};
  message[0] = '\0';
  in.names = sw_names_create(in.count, name_entry, system);
  sw_status status = in.names == NULL ? SW_ERR_MEMORY : read_items(&in, entry);
  free(in.names);
  return status;
}

/* ---- random numbers ---- */

/* Random numbers as functions of the seed, the trajectory and the coordinate.  Three rounds of
 * SplitMix64: each round adds the next of these numbers to the output of the previous round. */
static uint64_t state_at(uint64_t seed, uint64_t i, uint64_t c)
{
  uint64_t state = seed;
  state = sw_random_bits(&state) + i;
  state = sw_random_bits(&state) + c;
  return sw_random_bits(&state);
}

/* A number in (0, 1): the midpoint of one of 2^52 intervals, so 0 and 1 cannot occur. */
static double uniform(uint64_t *state)
{
  return ((double)(sw_random_bits(state) >> 12) + 0.5) * 0x1p-52;
}

double sw_draw_uniform(uint64_t seed, uint64_t i, uint64_t c)
{
  uint64_t state = state_at(seed, i, c);
  return uniform(&state);
}

/* The method of G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29 (1958). */
double sw_draw_normal(uint64_t seed, uint64_t i, uint64_t c)
{
  const double two_pi = 6.283185307179586;
  uint64_t state = state_at(seed, i, c);
  const double radius = sqrt(-2.0 * log(uniform(&state)));
  return radius * cos(two_pi * uniform(&state));
}

void sw_sample_draw(const sw_sample_entry entry[], int dim, uint64_t seed, uint64_t i,
                    const double z0[], double z[])
{
  for (int c = 0; c < dim; c++) {
    const sw_sample_entry *of = &entry[c];
    const uint64_t place = (uint64_t)c;
    z[c] = z0[c] + (of->kind == SW_NORMAL ? of->a + of->b * sw_draw_normal(seed, i, place)
                    : of->kind == SW_UNIFORM
                        ? of->a + (of->b - of->a) * sw_draw_uniform(seed, i, place)
                        : 0.0);
  }
}
