/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entries.c -- the expected values of a file (io/source.h): their names and their number.
 */
#include "io/source.h"

sw_entries sw_entries_of_state(const sw_system *system)
{
  return (sw_entries){.system = system, .count = 2 * (size_t)system->nq};
}

/* Contents beside z: a second state (the previous one or the carry), and the step size. */
static int has_second(sw_contents contents)
{
  return contents == SW_CONTENTS_BDF2 || contents == SW_CONTENTS_CARRY;
}

static int has_step(sw_contents contents)
{
  return contents == SW_CONTENTS_BDF2 || contents == SW_CONTENTS_LEAPFROG;
}

/* Prefixes of the names of values beside z; no name in a model contains a colon. */
static const char *const prefixes[] = {"", "leapfrog:", "bdf2:", "carry:"};

sw_entries sw_entries_of_contents(const sw_system *system, sw_contents contents)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t count = dim + (has_second(contents) ? dim : 0) + (has_step(contents) ? 1 : 0);

  return (sw_entries){.system = system, .count = count, .contents = contents};
}

const char *sw_contents_words(sw_contents contents)
{
  static const char *const words[] = {
      "a state z = (q, p)",
      "the state of leapfrog: z with momenta of half a step before, and the size of the step",
      "the state of bdf2: z, z of the step before, and the size of the step",
      "the state of a compensated run: z and its carry"};

  return words[contents];
}

const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES])
{
  const size_t d = (size_t)entries->system->nq;
  char name[SW_NAME_BYTES];

  if (entries->parameter != NULL) {
    return sw_system_name(entries->system, SW_K, (int)(entries->first + i), buffer);
  }
  if (i < 2 * d) {
    return sw_system_name(entries->system, i < d ? SW_Q : SW_P, (int)(i % d), buffer);
  }
  if (has_step(entries->contents) && i + 1 == entries->count) {
    snprintf(name, sizeof name, "step");
  } else {
    sw_system_name(entries->system, i < 3 * d ? SW_Q : SW_P, (int)(i % d), name);
  }
  snprintf(buffer, SW_NAME_BYTES, "%s%.600s", prefixes[entries->contents], name);
  return buffer;
}

const char *sw_name_entry(const void *entries, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_entries_name(entries, i, buffer);
}

const char *sw_entries_kind(const sw_entries *entries)
{
  return entries->parameter != NULL ? "parameter" : "model";
}

const char *sw_entries_owner(const sw_entries *entries)
{
  return entries->parameter != NULL ? entries->parameter : entries->system->model->name;
}

sw_status sw_source_refuse_count(const sw_source *source, size_t count, const char *detail)
{
  const sw_entries *wanted = source->wanted;
  return sw_source_refuse(source, " has %zu value%s; %s '%s' needs %zu%s%s", count,
                          count == 1 ? "" : "s", sw_entries_kind(wanted), sw_entries_owner(wanted),
                          wanted->count, wanted->parameter != NULL ? "" : " (q then p)", detail);
}
