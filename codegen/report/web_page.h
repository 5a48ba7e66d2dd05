/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_page.h -- the page of a report: the template web/page.html, filled with a JSON object.
 *
 * {{key}} is a text, escaped for HTML; {{{key}}} is HTML, or any other value as JSON.
 * {{#key}}...{{/key}} is left out if the key is missing or its text empty, is repeated for each
 * element of an array, and appears once otherwise.  Keys are looked up in the element or object
 * of the innermost section that has them.
 */
#ifndef SIDEWINDER_REPORT_WEB_PAGE_H
#define SIDEWINDER_REPORT_WEB_PAGE_H

#include <jansson.h>

#include "compilation.h"

/* A JSON string; invalid UTF-8 is replaced. */
json_t *web_text(arena *a, const char *text);

/* Returns the page, one file that needs no network.  run: the keys of the section `run` in the
 * template, which the page takes over; NULL without a run, for example if the model is refused.
 * c->summary must be set. */
const char *web_page(arena *a, const compilation *c, json_t *run);

#endif
