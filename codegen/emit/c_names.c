/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/c_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "common/arena.h"
#include "emit/contract.h"
#include "model/text_set.h"

/* ---- words that C, its headers, the runtime or the generated file use ---- */

/* Except the functions of the contract (emit/contract.h). */
static const char *const reserved[] = {
    /* C, up to C23 */
    "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "constexpr",
    "continue", "default", "do", "double", "else", "enum", "extern", "false", "float", "for",
    "fortran", "goto", "if", "inline", "int", "long", "nullptr", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "struct", "switch", "thread_local",
    "true", "typedef", "typeof", "typeof_unqual", "union", "unsigned", "void", "volatile", "while",
    /* types of its headers */
    "char16_t", "char32_t", "char8_t", "double_t", "float_t", "max_align_t", "nullptr_t",
    "ptrdiff_t", "size_t", "wchar_t",
    /* macros of <math.h> and <stddef.h>, and the variable signgam */
    "INFINITY", "MAXFLOAT", "M_E", "M_El", "NAN", "NULL", "SNAN", "SNANL", "fpclassify",
    "iscanonical", "iseqsig", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless",
    "islessequal", "islessgreater", "isnan", "isnormal", "issignaling", "issubnormal",
    "isunordered", "iszero", "math_errhandling", "offsetof", "signbit", "signgam", "unreachable",
    /* macros of compilers in their GNU modes, on one machine or another */
    "arm", "hpux", "i386", "linux", "m68k", "mips", "sparc", "sun", "unix", "vax",
    /* functions that generated code calls or defines */
    "acos", "asin", "atan", "atan2", "cos", "cosh", "cut", "exp", "fabs", "fmod", "log", "pow",
    "sin", "sinh", "sqrt", "tan", "tanh", "larger", "max_of", "min_of", "modulo", "modulo_of",
    "sign_of", "smaller",
    /* functions of a generated file */
    "constraint_fourth_places", "constraint_hess_places", "constraint_jac_along",
    "constraint_jac_along_piece", "constraint_jac_piece", "constraint_jac_places",
    "constraint_piece", "constraint_scale_piece", "constraint_third_places", "family_flow",
    "family_flow_z", "family_increment", "family_flow_z_places", "hamiltonian_grad_p",
    "hamiltonian_grad_p_piece", "hamiltonian_grad_p_rest", "hamiltonian_grad_q",
    "hamiltonian_grad_q_piece", "hamiltonian_grad_q_rest", "hamiltonian_hess_places",
    "discrete_grad_next_places", "discrete_jac_next_places", "discrete_jac_places", "events",
    "force_jac_places", "force_target_places", "forces", "constraint_fourth", "hamiltonian_fourth",
    "hamiltonian_fourth_places", "hamiltonian_third", "hamiltonian_third_places",
    "parameter_values", "ranges", "references",
    /* tables */
    "MOST", "analysis", "bounds", "constraints", "init", "invariants", "momenta", "observables",
    "parameters", "parts", "positions", "reference_texts", "sets", "size_default", "size_names",
    /* arguments and local variables of the functions */
    "begin", "cols", "count", "d", "end", "first", "index", "k", "lambda", "last", "out", "piece",
    "pieces", "row", "rows", "sizes", "sum", "t", "v", "z", "z1",
    /* types of NAME_step.c and its headers */
    "number", "setup", "tally", "truth", "whole", "work",
    /* functions of NAME_step.c */
    "add_sums", "advance", "arrive", "clear_sums", "find_force", "go_between", "is_good", "judge_N",
    "keep_sums", "kick", "kick_within", "load", "load_more", "look", "look_early", "measure",
    "set_up", "set_up_flows", "step", "steps", "store", "store_more", "store_sums", "take_bias",
    "take_sizes",
    /* tables and constants of NAME_step.c */
    "CONSTRAINTS", "PARAMETERS", "POSITIONS", "clusters", "columns", "mass_of", "n_columns",
    "others", "values",
    /* arguments, local variables and fixed members of functions and structs of NAME_step.c */
    "bias", "busy", "by", "clear", "f", "far", "force", "good", "kept", "largest", "live",
    "negative", "odd", "reach", "s", "signs", "size", "small", "sum_p", "sum_q", "turn", "turned",
    "w"};

/* ---- families ---- */

/* Prefixes of macros, of names of the runtime, and of the functions of parts of H and the tables of
 * their patterns. */
static const char *const beginnings[] = {
    "FP_",  "part_grad_", "part_hess_", "HUGE_",  "MATH_", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_Ef",
    "M_LN", "M_LOG",      "M_PI",       "M_SQRT", "SNANF", "SW_",    "sw_",    "SIDEWINDER_"};

/* Suffixes of functions that list the instances of a filtered family, and of functions for
 * lanes. */
static const char *const endings[] = {"_instances", "_in_lanes"};

/* Families of names that end in numbers: temporaries, initial states, labels, lists of sets; in
 * NAME_step.c also sums of multipliers, and the functions and tables of each solve. */
static const char *const numbered[] = {
    "t",        "init_",     "labels_",     "sets_",         "sum_",        "last_",    "first_",
    "signs_",   "turn_",     "after_",      "first_signs_",  "begin_",      "correct_", "columns_",
    "guess_",   "keep_",     "look_",       "moved_",        "others_",     "solve_",   "start_",
    "is_near_", "residual_", "residual_g_", "residual_rho_", "multipliers_"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* 1 for a name of a reserved family: SW_MODEL_ABI, M_PI, t0, init_1, ... */
static int emit_is_of_reserved_family(const char *name)
{
  size_t length = strlen(name);
  for (size_t i = 0; i < COUNT(beginnings); i++) {
    if (!strncmp(name, beginnings[i], strlen(beginnings[i]))) {
      return 1;
    }
  }
  for (size_t i = 0; i < COUNT(numbered); i++) {
    size_t n = strlen(numbered[i]);
    if (!strncmp(name, numbered[i], n) && isdigit((unsigned char)name[n]) &&
        strspn(name + n, "0123456789_") == length - n) {
      return 1;
    }
  }
  for (size_t i = 0; i < COUNT(endings); i++) {
    size_t n = strlen(endings[i]);
    if (length > n && !strcmp(name + length - n, endings[i])) {
      return 1;
    }
  }
  return 0;
}

/* ---- models ---- */

/* Names of the headers of C. */
static const char *const headers[] = {
    "assert", "complex", "ctype",     "errno",  "fenv",   "float",    "inttypes", "iso646",
    "limits", "locale",  "math",      "setjmp", "signal", "stdalign", "stdarg",   "stdatomic",
    "stdbit", "stdbool", "stdckdint", "stddef", "stdint", "stdio",    "stdlib",   "stdnoreturn",
    "string", "tgmath",  "threads",   "time",   "uchar",  "wchar",    "wctype"};

/* Functions of the runtime whose names begin with sw_model_. */
static const char *const functions[] = {"check", "validate"};

/* Why a model cannot have this name, because NAME.c, NAME.h and sw_model_NAME would clash with
 * other files and symbols; NULL if it can. */
const char *emit_model_name_fault(arena *a, const char *name)
{
  if (!strncmp(name, "sw_", 3)) {
    return "names that start with 'sw_' belong to the runtime";
  }
  if (!strcmp(name, "main")) {
    return "it belongs to the start of a program";
  }
  for (size_t i = 0; i < COUNT(headers); i++) {
    if (!strcasecmp(name, headers[i])) { /* some file systems ignore case */
      return arena_printf(a, "its %s.h would hide C's own <%s.h>", name, headers[i]);
    }
  }
  for (size_t i = 0; i < COUNT(functions); i++) {
    if (!strcmp(name, functions[i])) {
      return arena_printf(a, "its constant would be sw_model_%s, a function of the runtime", name);
    }
  }
  return NULL;
}

struct emit_words {
  text_set *own;
  const emit_words *outer;  /* more words in use, or NULL */
  const text_set *reserved; /* words that no name may be; no set here contains them */
};

static int is_in_use(const emit_words *words, const char *word)
{
  return text_set_contains(words->own, word) || (words->outer && is_in_use(words->outer, word));
}

void emit_words_reserve(emit_words *words, const char *word)
{
  text_set_add(words->own, word);
}

/* ---- names ---- */

/* The reserved words, with the functions of the contract and the tables of their patterns. */
static const text_set *reserved_words(arena *a)
{
  text_set *words = text_set_create(a);
  for (size_t i = 0; i < COUNT(reserved); i++) {
    text_set_add(words, reserved[i]);
  }
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const char *name = emit_contract[id].name;
    text_set_add(words, name);
    text_set_add(words, arena_printf(a, "%s_row", name));
    text_set_add(words, arena_printf(a, "%s_col", name));
  }
  return words;
}

/* The letters, digits and '_' of the text. Dots, commas and opening brackets become '_', signs
 * become letters. A leading '_' gets the prefix 'v'. The buffer has space for one more character at
 * the end. */
static char *c_names_identifier(arena *a, const char *text)
{
  char *name = arena_printf(a, "%s%s ", *text == '_' ? "v" : "", text);
  char *to = name;
  for (const char *at = name; *at; at++) {
    if (strchr(".,[", *at)) {
      *to++ = '_';
    } else if (*at == '-' || *at == '*') {
      *to++ = *at == '-' ? 'm' : 'x';
    } else if (!strchr("+]() ", *at)) {
      *to++ = *at;
    }
  }
  *to = '\0';
  return name;
}

/* Appends '_' to a reserved word, with or without trailing '_'. Therefore different names stay
 * different. */
static void escape(const emit_words *words, char *name)
{
  size_t length = strlen(name);
  size_t stem = length;
  while (stem > 0 && name[stem - 1] == '_') {
    stem--;
  }
  char behind = name[stem];
  name[stem] = '\0';
  int is_reserved = text_set_contains(words->reserved, name) || emit_is_of_reserved_family(name);
  name[stem] = behind;
  if (is_reserved) {
    name[length] = '_';
    name[length + 1] = '\0';
  }
}

/* The first unused name among name, name_, name__3, name__4 and so on. */
static const char *unique(arena *a, emit_words *words, const char *name)
{
  const char *chosen = name;
  for (int n = 2; is_in_use(words, chosen); n++) {
    chosen = n == 2 ? arena_printf(a, "%s_", name) : arena_printf(a, "%s__%d", name, n);
  }
  text_set_add(words->own, chosen);
  return chosen;
}

const char *emit_words_take(arena *a, emit_words *words, const char *text)
{
  char *name = c_names_identifier(a, text);
  escape(words, name);
  return unique(a, words, name);
}

const char *emit_words_make(arena *a, emit_words *words, const char *text)
{
  return unique(a, words, c_names_identifier(a, text));
}

emit_words *emit_words_create(arena *a, const emit_words *outer)
{
  emit_words *words = ARENA_NEW(a, emit_words);
  *words = (emit_words){text_set_create(a), outer, outer ? outer->reserved : reserved_words(a)};
  return words;
}

/* The dotted name of entry i of (z, k). */
static const char *dotted(const ir_program *p, int i)
{
  return i < 2 * p->nq ? ir_program_entry_name(p, i) : p->k_names[i - 2 * p->nq];
}

emit_names emit_names_create(arena *a, const ir_program *p)
{
  int n = 2 * p->nq + p->nk;
  const char **all = ARENA_ARRAY(a, n + 1, const char *);
  const char **lambda = ARENA_ARRAY(a, p->nc + p->n_weights + 1, const char *);
  const char **next = ARENA_ARRAY(a, 2 * p->nq + 1, const char *);
  emit_words *taken = emit_words_create(a, NULL);
  /* scalars come first, so that their C names depend on nothing else */
  for (int indexed = 0; indexed < 2; indexed++) {
    for (int i = 0; i < n; i++) {
      if ((strchr(dotted(p, i), '.') != NULL) == indexed) {
        all[i] = emit_words_take(a, taken, dotted(p, i));
      }
    }
  }
  const int has_next = p->functions[IR_DISCRETE_GRAD].rows > 0;
  for (int i = 0; has_next && i < 2 * p->nq; i++) {
    next[i] = emit_words_take(a, taken, arena_printf(a, "%s.next", dotted(p, i)));
  }
  for (int i = 0; i < p->nc + p->n_weights; i++) {
    lambda[i] = arena_printf(a, "lambda[%d]", i);
  }
  return (emit_names){
      {[IR_K] = all + 2 * p->nq, [IR_LAMBDA] = lambda, [IR_Z] = all, [IR_NEXT] = next}};
}
