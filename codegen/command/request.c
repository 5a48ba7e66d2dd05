/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/request.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "command/waiting.h"
#include "common/files.h"
#include "common/user_text.h"
#include "model/model_limits.h"
#include "report/page.h"
#include "sidewinder/sim.h"
#include "sidewinder/tableau.h"

const char *request_size(request *r, arena *a, const char *text)
{
  const char *equals = strchr(text, '=');
  long value = 0;
  if (equals && equals != text && sw_text_is_too_large(equals + 1)) {
    return arena_printf(a, "--size %s is too large: a size is an integer from 0 to %ld", text,
                        MODEL_MAX_SIZE);
  }
  if (!equals || equals == text || !sw_text_integer(equals + 1, LONG_MIN, &value)) {
    return arena_printf(a, "--size wants NAME=INTEGER, not '%s'", text);
  }
  const char *name = arena_strndup(a, text, (size_t)(equals - text));
  for (int i = 0; i < r->n_sizes; i++) {
    if (!strcmp(r->sizes[i].name, name)) {
      return arena_printf(a, "--size gives '%s' twice", name);
    }
  }
  if (r->n_sizes == REQUEST_SIZES) {
    return arena_printf(a, "more than %d sizes", REQUEST_SIZES);
  }
  r->sizes[r->n_sizes++] = (model_size_setting){.name = name, .value = value};
  return NULL;
}

const char *request_lowering(request *r, arena *a, const char *text)
{
  static const char *const names[] = {"auto", "unrolled", "looped"};
  const int place = sw_text_place(text, names, 3);
  if (place >= 0) {
    r->how = (lowering)place;
    return NULL;
  }
  return arena_printf(a, "--lowering wants unrolled, looped or auto, not '%s'", text);
}

const char *request_with(request *r, arena *a, const char *text)
{
  static const char *const names[] = {"discrete", "variational", "parameters"};
  int *const wanted[] = {&r->discrete, &r->variational, &r->parameters};
  const int place = sw_text_place(text, names, 3);
  if (place < 0) {
    return arena_printf(a, "--with wants discrete, variational or parameters, not '%s'", text);
  }
  *wanted[place] = 1;
  return NULL;
}

/* NULL if text is in the NULL-terminated list of names, else an error message. */
static const char *choose(arena *a, const char *what, const char *const names[], const char *text)
{
  const char *list = "";
  for (int i = 0; names[i]; i++) {
    if (!strcmp(names[i], text)) {
      return NULL;
    }
    list = arena_printf(a, "%s%s%s", list, i ? ", " : "", names[i]);
  }
  return arena_printf(a, "--%s wants one of %s, not '%s'", what, list, text);
}

const char *request_method(request *r, arena *a, const char *text)
{
  r->method = text;
  return choose(a, "method", sw_method_names(), text);
}

const char *request_base(request *r, arena *a, const char *text)
{
  r->base = text;
  return choose(a, "base", sw_base_choices(), text);
}

const char *request_compensated(request *r, arena *a, const char *text)
{
  static const char *const answers[] = {"yes", "no", NULL};
  r->compensated = text && !strcmp(text, "no") ? -1 : 1;
  return text ? choose(a, "compensated", answers, text) : NULL;
}

const char *request_compile_limit(request *r, arena *a, const char *text)
{
  return sw_text_integer(text, 1, &r->compile_limit)
             ? NULL
             : arena_printf(a, "--compile-limit wants seconds, an integer from 1, not '%s'", text);
}

const char *request_format(request *r, int key)
{
  report_format format = key == KEY_ASCII      ? REPORT_ASCII
                         : key == KEY_JSON     ? REPORT_JSON
                         : key == KEY_DOCUMENT ? REPORT_DOCUMENT
                                               : REPORT_LATEX;
  if (r->has_format && r->format != format) {
    return "--ascii, --json, --latex and --document exclude each other";
  }
  r->has_format = 1;
  r->format = format;
  return NULL;
}

int request_is_model(const request *r, const char *path)
{
  if (!file_same(r->model, path)) {
    return 0;
  }
  fprintf(stderr, "sidewinder: '%s' is the model '%s' itself; write to another file\n", path,
          r->model);
  return 1;
}

compile_settings request_settings(const request *r)
{
  return (compile_settings){.n_sizes = r->n_sizes,
                            .sizes = r->sizes,
                            .how = r->how,
                            .at_own_sizes = r->at_own_sizes,
                            .discrete = r->discrete,
                            .variational = r->variational,
                            .parameters = r->parameters,
                            .method = r->method,
                            .base = r->base,
                            .compensated = r->compensated};
}

/* Refuses the method that is asked for, after a message, if the model lacks functions which are
 * too long for it. */
static int refuse_method(const request *r, const compilation *c)
{
  const char *method = r->method ? r->method : c->model->run.method ? c->model->run.method : "";
  const int discrete = r->discrete || !strcmp(method, "energy-momentum");
  const int variational = r->variational || !strcmp(method, "variational");
  if (c->undiscrete && discrete) {
    fprintf(stderr,
            "sidewinder: the method energy-momentum does not take '%s': it needs discrete "
            "gradients, and %s; use --method rattle --base gauss-4\n",
            r->model, c->undiscrete);
    return 1;
  }
  if (!c->unaccelerated || !variational) {
    return 0;
  }
  fprintf(stderr,
          "sidewinder: the method variational does not take '%s': it needs second derivatives of "
          "accelerations, and %s; use --method rattle --base gauss-4, or take coordinates with a "
          "simpler mass matrix\n",
          r->model, c->unaccelerated);
  return 1;
}

outcome request_compile(arena *a, const request *r, compilation *c)
{
  waiting_for("analysing", r->model);
  const compile_settings settings = request_settings(r);
  outcome result = compile_model(a, r->model, &settings, c);
  waiting_over();
  if (result == OUTCOME_NO) {
    fprintf(stderr, "sidewinder: '%s' is refused: %s", r->model, c->refusal);
  }
  const char *warning = result == OUTCOME_GOOD ? page_warning(c) : "";
  if (*warning) {
    fprintf(stderr, "sidewinder: warning: '%s' has %s", r->model, warning);
  }
  return result == OUTCOME_GOOD && refuse_method(r, c) ? OUTCOME_WRONG : result;
}
