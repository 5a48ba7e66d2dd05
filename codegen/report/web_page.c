/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/web_page.h"

#include <stdlib.h>
#include <string.h>

#include "common/text_writer.h"
#include "report/page.h"
#include "sidewinder/version.h"

/* The files in report/web, which the build turns into texts. */
extern const char web_template[];
extern const char web_style[];
extern const char web_script[];

json_t *web_text(arena *a, const char *text)
{
  return json_string(page_utf8(a, text));
}

/* The object of a section, inside another one. */
typedef struct scope {
  const json_t *object;
  const struct scope *outer;
} scope;

static const json_t *find(const scope *s, const char *key)
{
  const json_t *found = NULL;
  for (; s && !found; s = s->outer) {
    found = json_object_get(s->object, key);
  }
  return found;
}

static void put_value(writer *w, const json_t *value, int is_raw)
{
  const char *text = json_string_value(value);
  if (text) {
    writer_printf(w, "%s", is_raw ? text : page_words(writer_memory(w), SPELL_MATHML, text));
  } else if (value) {
    char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
    writer_printf(w, "%s", json ? json : "null");
    free(json);
  }
}

/* Fills the template from `at` to the end of its section or of the text, and returns what follows.
 * s: NULL for a section that is left out. */
static const char *fill(writer *w, const char *at, const scope *s)
{
  for (const char *tag = strstr(at, "{{"); tag; tag = strstr(at, "{{")) {
    const char kind = tag[2];
    const char *key = tag + 2 + (strchr("{#/", kind) != NULL);
    const size_t length = strcspn(key, "}");
    const json_t *value = find(s, arena_strndup(writer_memory(w), key, length));
    writer_append(w, at, s ? (size_t)(tag - at) : 0);
    at = key + length + (kind == '{' ? 3 : 2);
    if (kind == '/') {
      return at;
    }
    if (kind != '#') {
      put_value(w, value, kind == '{');
      continue;
    }
    const char *begin = at;
    const char *text = json_string_value(value);
    const size_t n = json_is_array(value) ? json_array_size(value) : value && (!text || *text);
    at = n ? at : fill(w, begin, NULL);
    for (size_t i = 0; i < n; i++) {
      const scope inner = {json_is_array(value) ? json_array_get(value, i) : value, s};
      at = fill(w, begin, &inner);
    }
  }
  writer_append(w, at, strlen(at));
  return at + strlen(at);
}

const char *web_page(arena *a, const compilation *c, json_t *run)
{
  const model *m = c->model;
  writer *w = writer_create(a);
  json_t *page = json_pack(
      "{so ss ss so ss so ss so so so}", "title", web_text(a, *m->title ? m->title : m->name),
      "version", SW_VERSION, "style", web_style, "name", web_text(a, m->name), "answer",
      page_answer_name(c), "conclusion", web_text(a, page_conclusion(c)), "script", web_script,
      "text", web_text(a, m->text), "digest", web_text(a, arena_printf(a, "%.16s", c->digest)),
      "facts", web_text(a, page_write(c, SPELL_MATHML, 0)));
  if (run) {
    json_object_set_new(page, "run", run);
  }
  const scope all = {page, NULL};
  fill(w, web_template, &all);
  json_decref(page);
  return writer_text(w);
}
