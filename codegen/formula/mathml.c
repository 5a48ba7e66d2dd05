/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formula/mathml.h"

#include <ctype.h>
#include <string.h>

const char *greek_letter(const char *name, size_t length)
{
  static const struct {
    const char *name;
    const char *letter;
  } greek[] = {{"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"},
               {"zeta", "ζ"},  {"eta", "η"},     {"theta", "θ"}, {"iota", "ι"},   {"kappa", "κ"},
               {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},    {"pi", "π"},     {"sigma", "σ"},
               {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},
               {"omega", "ω"}, {"Delta", "Δ"},   {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},
               {"Pi", "Π"},    {"Sigma", "Σ"},   {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"}};
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
    if (strlen(greek[i].name) == length && !strncmp(greek[i].name, name, length)) {
      return greek[i].letter;
    }
  }
  return NULL;
}

/* A parser state.  In a name '_' is a letter; elsewhere it starts a subscript. */
typedef struct reader {
  arena *memory;
  const char *begin;
  const char *at;
  int is_name;
} reader;

static const char *sequence(reader *r, const char *ends);

static int is_letter(const reader *r, char c)
{
  return isalnum((unsigned char)c) || (r->is_name && c == '_');
}

/* Words of a formula such as "sin" or "on" become text; "N" becomes a variable.  In names of a
 * model, every identifier is a variable. */
static const char *mathml_identifier(reader *r)
{
  size_t n = 1;
  while (is_letter(r, r->at[n])) {
    n++;
  }
  const char *text = arena_strndup(r->memory, r->at, n);
  const char *greek = greek_letter(text, n);
  if (r->is_name || n == 1 || greek) {
    r->at += n;
    return arena_printf(r->memory, "<mi>%s</mi>", greek ? greek : text);
  }
  const int is_behind = r->at > r->begin && r->at[-1] == ' ';
  r->at += n;
  return arena_printf(r->memory, "<mtext>%s%s%s</mtext>", is_behind ? "\u00a0" : "", text,
                      *r->at == ' ' ? "\u00a0" : "");
}

static const char *mathml_number(reader *r)
{
  size_t n = strspn(r->at, "0123456789");
  if (r->at[n] == '.' && isdigit((unsigned char)r->at[n + 1])) {
    n += 1 + strspn(r->at + n + 1, "0123456789");
  }
  if (r->at[n] == 'e' && (r->at[n + 1] == '-' || r->at[n + 1] == '+')) {
    n += 2 + strspn(r->at + n + 2, "0123456789");
  }
  const char *text = arena_strndup(r->memory, r->at, n);
  r->at += n;
  return arena_printf(r->memory, "<mn>%s</mn>", text);
}

/* A command: "\rho" and other letters of the theory, functions such as "\exp", or the brace
 * "\{". */
static const char *command(reader *r)
{
  static const char *const theory[][2] = {{"rho", "<mi>ρ</mi>"},
                                          {"lambda", "<mi>λ</mi>"},
                                          {"Gamma", "<mi>Γ</mi>"},
                                          {"sum", "<mo>∑</mo>"}};
  size_t n = 0;
  r->at++;
  while (isalpha((unsigned char)r->at[n])) {
    n++;
  }
  const char *text = arena_strndup(r->memory, r->at, n > 0 ? n : 1);
  r->at += n > 0 ? n : 1;
  for (size_t i = 0; i < sizeof theory / sizeof *theory; i++) {
    if (!strcmp(text, theory[i][0])) {
      return theory[i][1];
    }
  }
  return arena_printf(r->memory, n > 0 ? "<mi>%s</mi>" : "<mo stretchy=\"false\">%s</mo>", text);
}

static const char *mathml_operation(reader *r)
{
  size_t n = 1;
  while (((unsigned char)r->at[n] & 0xC0) == 0x80) {
    n++;
  }
  const char *text = arena_strndup(r->memory, r->at, n);
  if (!strncmp(r->at, "..", 2)) {
    n = strspn(r->at, ".");
    text = "…";
  } else if (*text == '-') {
    text = "−";
  }
  r->at += n;
  return arena_printf(r->memory,
                      strchr("()[]{}|", *text) ? "<mo stretchy=\"false\">%s</mo>" : "<mo>%s</mo>",
                      markup_escaped(r->memory, text));
}

static const char *simple(reader *r)
{
  if (isdigit((unsigned char)*r->at)) {
    return mathml_number(r);
  }
  if (isalpha((unsigned char)*r->at) || (r->is_name && *r->at == '_')) {
    return mathml_identifier(r);
  }
  return *r->at == '\\' && r->at[1] ? command(r) : mathml_operation(r);
}

/* A subscript or superscript: "{...}", or a single element. */
static const char *attached(reader *r)
{
  if (*r->at != '{') {
    return *r->at ? simple(r) : "";
  }
  r->at++;
  const char *inside = sequence(r, "}");
  r->at += *r->at == '}';
  return inside;
}

static const char *mathml_element(reader *r)
{
  const int is_base = isalpha((unsigned char)*r->at) || *r->at == '\\' || *r->at == '_';
  const char *text = simple(r);
  if (is_base && *r->at == '[') {
    r->at++;
    text = arena_printf(r->memory, "<msub>%s<mrow>%s</mrow></msub>", text, sequence(r, "]"));
    r->at += *r->at == ']';
  } else if (is_base && (*r->at == '_' || *r->at == '^')) {
    const char *tag = *r->at == '_' ? "msub" : "msup";
    r->at++;
    text = arena_printf(r->memory, "<%s>%s<mrow>%s</mrow></%s>", tag, text, attached(r), tag);
  }
  return text;
}

/* All elements up to one of these characters. */
static const char *sequence(reader *r, const char *ends)
{
  writer *w = writer_create(r->memory);
  while (*r->at && !strchr(ends, *r->at)) {
    if (*r->at == ' ') {
      r->at++;
    } else {
      writer_printf(w, "%s", mathml_element(r));
    }
  }
  return writer_text(w);
}

const char *mathml_name(arena *a, const char *name)
{
  reader r = {a, name, name, 1};
  return sequence(&r, "");
}

/* The length of an element whose content is text (<mi>, <mn>, <mo> or <mtext>); for others, of the
 * tag. */
static size_t markup_length(const char *text)
{
  static const char *const tokens[] = {"<mi", "<mn>", "<mo>", "<mo ", "<mtext>"};
  const char *end = strchr(text, '>');
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
    if (!strncmp(text, tokens[i], strlen(tokens[i]))) {
      const char *close = strstr(text, "</");
      end = close ? strchr(close, '>') : end;
    }
  }
  return end ? (size_t)(end - text) + 1 : strlen(text);
}

static int is_tag(const char *text)
{
  return *text == '<' && (isalpha((unsigned char)text[1]) || text[1] == '/');
}

const char *mathml_mixed(arena *a, const char *text)
{
  writer *w = writer_create(a);
  while (*text) {
    if (is_tag(text)) {
      const size_t n = markup_length(text);
      writer_append(w, text, n);
      text += n;
    } else {
      size_t n = 1;
      while (text[n] && !is_tag(text + n)) {
        n++;
      }
      const char *piece = arena_strndup(a, text, n);
      reader r = {a, piece, piece, 0};
      writer_printf(w, "%s", sequence(&r, ""));
      text += n;
    }
  }
  return writer_text(w);
}

const char *markup_escaped(arena *a, const char *text)
{
  writer *w = writer_create(a);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (strchr("<>&\"'", c)) {
      writer_printf(w, "&#%d;", c);
    } else if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\t') {
      writer_append(w, text, 1);
    }
  }
  return writer_text(w);
}

int markup_columns(const char *text)
{
  int n = 0;
  int in_tag = 0;
  for (; *text; text++) {
    in_tag |= *text == '<';
    n += !in_tag && ((unsigned char)*text & 0xC0) != 0x80;
    in_tag &= *text != '>';
  }
  return n;
}
