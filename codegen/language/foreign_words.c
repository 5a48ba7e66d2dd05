/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/foreign_words.h"

#include <stddef.h>
#include <strings.h>

typedef struct foreign {
  const char *word;
  const char *remedy;
} foreign;

#define AS_FORCE "write 'force NAME on p = ...', with the momentum p that the force changes"
#define AS_EVENT "write 'event NAME: expression == value', with 'stop' if it ends a run"
#define NO_INEQUALITIES                                                                            \
  "inequalities, contacts and stops are not supported: a constraint reads 'left == right'"

/* The comparison ignores case. */
static const foreign functions[] = {
    {"ln", "write log(x) for the natural logarithm"},
    {"log10", "write log(x)/log(10)"},
    {"log2", "write log(x)/log(2)"},
    {"pow", "write x^y"},
    {"power", "write x^y"},
    {"square", "write x^2"},
    {"sqr", "write x^2"},
    {"fabs", "write abs(x)"},
    {"arcsin", "write asin(x)"},
    {"arccos", "write acos(x)"},
    {"arctan", "write atan(x)"},
    {"arctan2", "write atan2(y, x)"},
    {"cot", "write 1/tan(x)"},
    {"sec", "write 1/cos(x)"},
    {"csc", "write 1/sin(x)"},
    {"norm", "write norm2(x) for the length of a vector"},
    {"length", "write norm2(x) for the length of a vector"},
    {"prod", "write product(k in set: expression)"},
    {"diff", "write bracket(f, H) for the rate of change of f along H"},
    {"ddt", "write bracket(f, H) for the rate of change of f along H"},
    {NULL, NULL}};

static const foreign statements[] = {{"friction", AS_FORCE},
                                     {"damping", AS_FORCE},
                                     {"drag", AS_FORCE},
                                     {"dissipation", AS_FORCE},
                                     {"rayleigh", AS_FORCE},
                                     {"torque", AS_FORCE},
                                     {"actuator", AS_FORCE},
                                     {"bath", "write 'bath kT = ..., friction = ...'"},
                                     {"thermostat", "write 'bath kT = ..., friction = ...'"},
                                     {"trigger", AS_EVENT},
                                     {"crossing", AS_EVENT},
                                     {"section", AS_EVENT},
                                     {"inequality", NO_INEQUALITIES},
                                     {"contact", NO_INEQUALITIES},
                                     {"parameter", "write 'param'"},
                                     {"const", "write 'param'"},
                                     {"constant", "write 'param'"},
                                     {"variable", "write 'coord q momentum p'"},
                                     {"var", "write 'coord q momentum p'"},
                                     {"coordinate", "write 'coord q momentum p'"},
                                     {"coordinates", "write 'coord q momentum p'"},
                                     {"potential", "write 'let V = ...', and V in the Hamiltonian"},
                                     {"kinetic", "write 'let T = ...', and T in the Hamiltonian"},
                                     {"energy", "write 'hamiltonian H = ...'"},
                                     {"def", "write 'let'"},
                                     {"define", "write 'let'"},
                                     {"index", "write 'set ax = 1 .. 3'"},
                                     {"initial", "write 'init'"},
                                     {"output", "write 'observe'"},
                                     {"subject", "write 'constraint NAME: left == right'"},
                                     {NULL, NULL}};

static const foreign constants[] = {{"e", "write exp(1)"},
                                    {"infinity", "write 'inf', which is only allowed in bounds"},
                                    {"math", "write the function alone, such as sin(x)"},
                                    {NULL, NULL}};

static const char *remedy(const foreign table[], const char *word)
{
  for (int i = 0; table[i].word; i++) {
    if (strcasecmp(table[i].word, word) == 0) {
      return table[i].remedy;
    }
  }
  return NULL;
}

const char *foreign_function(const char *word)
{
  return remedy(functions, word);
}

const char *foreign_statement(const char *word)
{
  return remedy(statements, word);
}

const char *foreign_constant(const char *word)
{
  return remedy(constants, word);
}
