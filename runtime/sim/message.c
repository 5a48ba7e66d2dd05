/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.c -- failures in words: a statement with numbers, and a remedy.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/reduced.h"
#include "sim/choice.h"
#include "sim/sim_internal.h"

/* A buffer for appended text, which is truncated if the buffer is full. */
typedef struct text {
  char *start;
  size_t room;
  size_t used;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(text *to, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  const int added = vsnprintf(to->start + to->used, to->room - to->used, format, arguments);
  va_end(arguments);
  to->used += added > 0 ? (size_t)added : 0;
  to->used = to->used < to->room ? to->used : to->room - 1;
}

static void put_name(text *to, const sw_sim *sim, int constraint)
{
  char name[SW_NAME_BYTES];

  put(to, "'%s'", sw_system_name(sim->system, SW_C, constraint, name));
}

/* 1 if all reported dependent constraints are proved to follow from others. */
static int follows(const sw_sim *sim, const sw_dependence *found)
{
  int all = found->dependent > 0;

  for (int r = 0; r < found->dependent && r < SW_RELATIONS_TOLD; r++) {
    all &= sw_follows(sim->system, found->relation[r].dropped);
  }
  return all;
}

/* Appends "'c.3' follows from 'c.1', 'c.2'" for the first dependent constraints; "depends on"
 * unless it is proved. */
static void put_relations(text *to, const sw_sim *sim, const sw_dependence *found)
{
  for (int r = 0; r < found->dependent && r < SW_RELATIONS_TOLD; r++) {
    const sw_told_relation *relation = &found->relation[r];
    put(to, r > 0 ? "; " : "");
    put_name(to, sim, relation->dropped);
    for (int i = 0; i < relation->n && i < SW_RELATION_MEMBERS; i++) {
      put(to, i > 0                                        ? ", "
              : sw_follows(sim->system, relation->dropped) ? " follows from "
                                                           : " depends on ");
      put_name(to, sim, relation->from[i]);
    }
    put(to, relation->n > SW_RELATION_MEMBERS ? " and others"
            : relation->n > 0                 ? ""
                                              : " has no gradient");
  }
  put(to, found->dependent > SW_RELATIONS_TOLD ? "; and so on" : "");
}

static void put_unexamined(text *to, const sw_dependence *found)
{
  put(to,
      "; whether constraints are dependent was not examined, because %d are connected, more than "
      "%d",
      found->large, found->limit);
}

/* Appends "the parameters a = 1 (default 0), ..." with the parameters that differ from their
 * defaults, and the sizes. */
static void message_put_parameters(text *to, const sw_sim *sim)
{
  enum { most = 3 };
  const sw_system *system = sim->system;
  char name[SW_NAME_BYTES];
  int changed = 0;

  for (int i = 0; i < system->nk; i++) {
    if (sim->k[i] != system->k_default[i] && changed++ < most) {
      put(to, "%s%.30s = %.6g (default %.6g)", changed > 1 ? ", " : "the parameters ",
          sw_system_name(system, SW_K, i, name), sim->k[i], system->k_default[i]);
    }
  }
  put(to, "%s%s",
      changed == 0     ? "the default parameters"
      : changed > most ? " and more"
                       : "",
      system->model->n_sizes > 0 ? " at these sizes" : "");
}

const char sw_no_clusters[] =
    "the straight-line code is for clusters of constraints that share no position, and at these "
    "sizes the model has none of them";

static const char smaller[] = "try a smaller step";
static const char redundant[] = "remove those that follow from others, or set options.redundant to "
                                "\"drop\" or \"min-norm\"";
static const char dependent[] =
    "the shape is a singular one, as that of a molecule in line, or all shapes are, as of parallel "
    "cranks: set options.redundant to \"drop\" or \"min-norm\"";

/* Appends the statement about a state off M or M^H. */
static const char *put_off(text *to, const sw_sim *sim, const sw_failure *f)
{
  const char *where = f->hidden ? "M^H" : "M";

  put(to, f->at_end ? "it would end off %s: " : "the state is not on %s: ", where);
  put(to, f->hidden ? "the hidden constraint {g,H} of " : "constraint ");
  put_name(to, sim, f->index);
  if (f->at_end) {
    put(to, " would be %.3g (scaled %.2g > %.2g, which is what the solve and round-off may leave)",
        f->value, f->relative, f->limit);
    return smaller;
  }
  put(to, " is %.3g (scaled %.2g > %.0e)", f->value, f->relative, f->limit);
  return "ask for projection (sw_sim_project)";
}

static const char *put_second_class(text *to, const sw_sim *sim, const sw_failure *f)
{
  char first[SW_NAME_BYTES];
  char second[SW_NAME_BYTES];

  put(to, "{%.100s, %.100s} is not 0 on M but %.3g at its %s (%.2g of its terms): with ",
      sw_system_name(sim->system, SW_C, f->index, first),
      sw_system_name(sim->system, SW_C, f->other, second), f->value, f->at_end ? "end" : "start",
      f->relative);
  message_put_parameters(to, sim);
  put(to, " the constraints are second class, which the theory does not cover");
  return "try others";
}

/* 1 if the failure is caused by dependent constraints. */
static int is_dependent(const sw_sim *sim, const sw_failure *f)
{
  return sim->plan->redundant == SW_REDUNDANT_ERROR && f->dependence.dependent > 0;
}

/* 1 if a dependent constraint depends on others.  A constraint without a gradient does not. */
static int depends_on_others(const sw_failure *f)
{
  int found = f->dependence.dependent > SW_RELATIONS_TOLD;

  for (int r = 0; r < f->dependence.dependent && r < SW_RELATIONS_TOLD; r++) {
    found |= f->dependence.relation[r].n > 0;
  }
  return found;
}

/* Appends the dependent constraints as the statement, or, if `is_reason` is 1, as the reason of the
 * statement.  Returns the remedy. */
static const char *put_dependent(text *to, const sw_sim *sim, const sw_failure *f, int is_reason)
{
  const sw_dependence *found = &f->dependence;
  const char *where = is_reason ? "" : f->at_end ? " at its end" : " at its start";

  if (!follows(sim, found) && depends_on_others(f)) {
    put(to, "%sdependent gradients%s: %d of %d constraints are independent, ",
        is_reason ? ", because of " : "", where, sim->system->nc - found->dependent,
        sim->system->nc);
    put_relations(to, sim, found);
    return dependent;
  }
  put(to, "%sthe constraints are dependent%s%s", is_reason ? ", because " : "", where,
      is_reason ? ": " : ", where ");
  put_relations(to, sim, found);
  return depends_on_others(f) ? redundant : "try another state";
}

static const char *put_singular(text *to, const sw_sim *sim, const sw_failure *f)
{
  if (is_dependent(sim, f)) {
    return put_dependent(to, sim, f, 0);
  }
  put(to, "N = {{g,H},g} is singular at its %s", f->at_end ? "end" : "start");
  if (f->dependence.large > 0) {
    put_unexamined(to, &f->dependence);
    return NULL;
  }
  put(to, ", so the constraints do not determine the motion there");
  return f->at_end ? "try another step size" : "try another initial state";
}

static const char *put_no_pivot(text *to, const sw_sim *sim, const sw_failure *f)
{
  put(to, "the Jacobian of the solve is singular");
  if (f->projects) {
    return NULL;
  }
  if (is_dependent(sim, f)) {
    return put_dependent(to, sim, f, 1);
  }
  if (f->dependence.large > 0) {
    put_unexamined(to, &f->dependence);
    return NULL;
  }
  put(to, " after %ld iterations", f->solve.iterations);
  return sim->system->nc == 0
             ? "try a smaller step"
             : "try a smaller step, or remove dependent constraints, where the matrix N_ij = "
               "{{g_i,H},g_j} is singular near this state";
}

static const char *put_no_solution(text *to, const sw_failure *f)
{
  put(to, "Newton %s, residual %.2g > %.2g after %ld iterations",
      f->solve.exhausted ? "did not converge" : "stalled", f->solve.residual, f->limit,
      f->solve.iterations);
  return smaller;
}

static const char *put_root(text *to, const sw_failure *f)
{
  const char *multipliers = f->hidden ? "sigma" : "lambda";

  if (f->cause == SW_CAUSE_ROOT_NOISE) {
    put(to, "its multipliers %s are round-off, and yet they move the state, with h = %.3g",
        multipliers, f->value);
    return "try a larger step";
  }
  put(to, "its multipliers %s lead to another component of M^H", multipliers);
  if (f->cause == SW_CAUSE_ROOT_SIGN) {
    put(to, " (the determinant of the solve changes its sign on the way from 0)");
  } else {
    put(to,
        ": they are %.2g times as far from the predicted ones as these are from 0, more than %g",
        f->relative, SW_JUMP_FACTOR);
  }
  return smaller;
}

/* A slide of SHAKE. */
static const char *put_slide(text *to, const sw_failure *f)
{
  if (f->cause == SW_CAUSE_SLIDE) {
    put(to, "its slide leads along the fibre past a point where det N = 0, from a start off M^H");
  } else {
    put(to,
        "its slide along the fibre, from a start off M^H, is %.3g times as long as the state is "
        "large, and N is not examined beyond %.3g",
        f->relative, f->limit);
  }
  return "project the start onto M^H";
}

static const char *put_slope(text *to, const sw_sim *sim, const sw_failure *f)
{
  const int d = sim->system->nq;
  const int of_p = f->index >= d;
  char name[SW_NAME_BYTES];

  put(to, "the derivative of H in %s is %g at its start",
      sw_system_name(sim->system, of_p ? SW_P : SW_Q, of_p ? f->index - d : f->index, name),
      f->value);
  return "check the state and the parameters";
}

static const char *put_mass(text *to, const sw_sim *sim, const sw_failure *f)
{
  char name[SW_NAME_BYTES];

  put(to,
      "the mass matrix becomes singular at %.2g of it: H_pp has a zero or a pole there, in the row "
      "of %s",
      f->value, sw_system_name(sim->system, SW_P, f->index, name));
  return "try a smaller step; `check` names surfaces where H_pp is singular, through which no "
         "motion leads";
}

static const char *put_energy(text *to, const sw_sim *sim, const sw_failure *f)
{
  put(to,
      "the energy leaves its scale: %s would be %.6g at its end and was %.6g at the start of the "
      "run, with a scale of %.3g",
      sim->plan->is_forced ? "H minus the work of the forces" : "H", f->value, f->relative,
      f->limit);
  return "try a smaller step, and see with `check` where H is singular";
}

static void put_unset(text *to, const sw_sim *sim, const sw_failure *f)
{
  char name[SW_NAME_BYTES];

  put(to, SW_UNSET_WORDS, sw_system_name(sim->system, SW_K, f->index, name), name);
}

static const char *put_kick_root(text *to)
{
  put(to, "its momenta are another solution of p1 = p0 + h F(q, (p0 + p1)/2) than the one that "
          "belongs to p0 (the determinant of the solve changes its sign on the way)");
  return smaller;
}

static const char *put_bath(text *to, const sw_sim *sim, const sw_failure *f)
{
  char name[SW_NAME_BYTES];
  char other[SW_NAME_BYTES];

  (void)sw_system_name(sim->system, SW_P, f->index, name);
  switch ((sw_noise_fault)f->other) {
  case SW_NOISE_VALUE:
    put(to, "the %s of the heat bath is negative or not finite at %s",
        f->value > 0.0 ? "friction" : "kT", name);
    return "check the parameters";
  case SW_NOISE_NO_MASS:
    put(to, "the heat bath acts on %s, which has no mass: H_pp is not positive definite in its row",
        name);
    return "set its friction to 0";
  case SW_NOISE_NOT_EVEN:
    put(to,
        "the heat bath acts on %s, and H_p is not 0 at p = 0: the velocity has another part than "
        "that of the momenta",
        name);
    return "remove the terms of H that are linear in momenta";
  case SW_NOISE_COUPLED:
    put(to,
        "%.100s and %.100s are coupled by a constraint or by H_pp, and their kT or friction differ",
        name, sw_system_name(sim->system, SW_P, (int)f->value, other));
    return "give coupled momenta the same bath";
  case SW_NOISE_BACKWARDS:
    put(to, "h is negative, and a heat bath has no way back");
    return "take h > 0";
  case SW_NOISE_GOOD:
    break;
  }
  return NULL;
}

static void put_component(text *to, const sw_failure *f)
{
  put(to, "it would end on another component of M^H (");
  if (f->cause == SW_CAUSE_EIGENVALUES) {
    put(to, "N has %d negative eigenvalues there, and %d at its start)", f->index, f->other);
  } else if (f->cause == SW_CAUSE_BLOCKS) {
    put(to, "several blocks of N change their signs)");
  } else {
    put(to, "det N changes its sign)");
  }
}

/* Appends the statement.  Returns the remedy, or NULL if there is none. */
static const char *put_statement(text *to, const sw_sim *sim, const sw_failure *f)
{
  switch (f->cause) {
  case SW_CAUSE_NONE:
    break;
  case SW_CAUSE_MEMORY:
    put(to, "out of memory");
    break;
  case SW_CAUSE_STEP_SIZE:
    put(to, "h = %g; h must be finite and not zero, and so must 1/h", f->value);
    break;
  case SW_CAUSE_PARAMETER:
    put_unset(to, sim, f);
    break;
  case SW_CAUSE_NOT_FINITE:
    put(to, "a function of the model is not finite near this state");
    return "try a smaller step, or check the state and the parameters";
  case SW_CAUSE_ENERGY:
    put(to, "H is %g at its start", f->value);
    return "check the state and the parameters";
  case SW_CAUSE_SLOPE:
    return put_slope(to, sim, f);
  case SW_CAUSE_OFF:
    return put_off(to, sim, f);
  case SW_CAUSE_SECOND_CLASS:
    return put_second_class(to, sim, f);
  case SW_CAUSE_SINGULAR:
    return put_singular(to, sim, f);
  case SW_CAUSE_SIGN:
  case SW_CAUSE_EIGENVALUES:
  case SW_CAUSE_BLOCKS:
    put_component(to, f);
    return smaller;
  case SW_CAUSE_SURFACE:
    put(to, "N becomes singular near %.2g of it: det N has one sign at both ends, but not between",
        f->value);
    return smaller;
  case SW_CAUSE_SLIDE:
  case SW_CAUSE_LONG_SLIDE:
    return put_slide(to, f);
  case SW_CAUSE_ROOT_SIGN:
  case SW_CAUSE_ROOT_FAR:
  case SW_CAUSE_ROOT_NOISE:
    return put_root(to, f);
  case SW_CAUSE_NO_PIVOT:
    return put_no_pivot(to, sim, f);
  case SW_CAUSE_NO_SOLUTION:
    return put_no_solution(to, f);
  case SW_CAUSE_NO_WAY_BACK:
    put(to, "from where it ends no step leads back (%s)", sw_status_text((sw_status)f->index));
    return smaller;
  case SW_CAUSE_OTHER_WAY:
    put(to, "the step back from its end misses its start by %.2g > %.2g of the state", f->relative,
        f->limit);
    return smaller;
  case SW_CAUSE_INDEPENDENT:
    put(to,
        "%d of the gradients of the constraints depend%s on others at its start, and not where %s "
        "evaluates constraints, so its multipliers are not determined",
        f->index, f->index == 1 ? "s" : "", sim->plan->method->name);
    return sim->system->model->follows && !sim->system->whole
               ? "set options.redundant to \"drop\", or take rattle"
               : "take rattle";
  case SW_CAUSE_NO_DERIVATIVE:
    put(to, "the Jacobian of the solve is singular at its solution, so the step has no derivative "
            "there");
    break;
  case SW_CAUSE_ALONG_PARAMETERS:
    put(to,
        "a derivative with respect to a parameter is not finite near this state, such as that of "
        "x^n along n if x <= 0; write such a parameter as a number");
    break;
  case SW_CAUSE_MASS:
    return put_mass(to, sim, f);
  case SW_CAUSE_BATH:
    return put_bath(to, sim, f);
  case SW_CAUSE_KICK_ROOT:
    return put_kick_root(to);
  case SW_CAUSE_LEAVES:
    return put_energy(to, sim, f);
  }
  return NULL;
}

/* Appends the findings of a projection.  Returns its remedy, which replaces that for steps. */
static const char *message_put_projection(text *to, const sw_sim *sim, const sw_failure *f)
{
  const char *where = f->at_end ? "where the search came to" : "at the state";

  if (f->dependence.dependent > 0) {
    put(to, "; the gradients of the constraints are dependent %s: ", where);
    put_relations(to, sim, &f->dependence);
    return !is_dependent(sim, f) || !depends_on_others(f) ? "give another state"
           : follows(sim, &f->dependence)                 ? redundant
                                                          : dependent;
  }
  if (f->dependence.degenerate > 0) {
    put(to, "; N = {{g,H},g} is singular %s", where);
  }
  return f->cause == SW_CAUSE_NOT_FINITE ? "check the state and the parameters"
                                         : "give another state, nearer to the constraint manifold";
}

/* 1 if the operation was rejected because of its start or because N is singular; 0 if it was
 * tried and failed. */
static int is_refused(const sw_failure *f)
{
  return f->cause == SW_CAUSE_STEP_SIZE || f->cause == SW_CAUSE_PARAMETER ||
         f->cause == SW_CAUSE_ENERGY || f->cause == SW_CAUSE_SLOPE ||
         f->cause == SW_CAUSE_SINGULAR || f->cause == SW_CAUSE_BATH ||
         ((f->cause == SW_CAUSE_OFF || f->cause == SW_CAUSE_SECOND_CLASS) && !f->at_end);
}

static sw_remedy remedy_of(const sw_sim *sim, const sw_failure *f)
{
  if (f->cause == SW_CAUSE_OFF && !f->at_end) {
    return SW_REMEDY_PROJECT;
  }
  const int singular = f->cause == SW_CAUSE_SINGULAR || f->cause == SW_CAUSE_NO_PIVOT;
  return !singular || !is_dependent(sim, f) || !depends_on_others(f) ? SW_REMEDY_OTHER
         : follows(sim, &f->dependence)                              ? SW_REMEDY_REDUNDANT
                                                                     : SW_REMEDY_DEPENDENT;
}

void sw_sim_message_with(const sw_sim *sim, const char *const words[], char out[SW_MESSAGE_BYTES])
{
  const sw_failure *f = &sim->failure;
  text to = {out, SW_MESSAGE_BYTES, 0};

  if (f->cause == SW_CAUSE_NONE) {
    put(&to, "%s", sim->message);
    return;
  }
  put(&to, "%s %s at t = %.6g: ", sim->failed, is_refused(f) ? "refused" : "failed",
      sw_clock_time(&sim->state.clock));
  const char *remedy = put_statement(&to, sim, f);
  if (f->projects && f->cause != SW_CAUSE_MEMORY) {
    remedy = message_put_projection(&to, sim, f);
  }
  const sw_remedy kind = remedy_of(sim, f);
  if (f->ahead != 0.0 && kind != SW_REMEDY_REDUNDANT && kind != SW_REMEDY_DEPENDENT) {
    put(&to,
        "; at its present rate of change N = {{g,H},g} is singular %.2g steps ahead, near t = "
        "%.6g: "
        "if smaller steps fail near there, too, the run comes to a surface where det N = 0, beyond "
        "which no step size leads",
        f->ahead / f->h, sw_clock_time(&sim->state.clock) + f->ahead);
    return;
  }
  const char *own = words ? words[kind] : NULL;
  if (own || remedy) {
    put(&to, "; %s", own ? own : remedy);
  }
}

sw_status sw_say(sw_sim *sim, const char *what, sw_status status)
{
  if (status == SW_ERR_MEMORY) {
    sim->failure = (sw_failure){.cause = SW_CAUSE_MEMORY};
  }
  if (status != SW_OK) {
    sim->failed = what;
    sw_sim_message_with(sim, NULL, sim->message);
  }
  return status;
}

sw_status sw_refuse(sw_sim *sim, sw_status status, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  (void)vsnprintf(sim->message, sizeof sim->message, format, arguments);
  va_end(arguments);
  sim->failure.cause = SW_CAUSE_NONE;
  return status;
}

/* ---- options ---- */

const char *sw_options_objection(const sw_model *model, const sw_options *options)
{
#define SW_OBJECTION_WORDS(name, words) words,
  static const char *const words[] = {SW_OBJECTIONS(SW_OBJECTION_WORDS)};
#undef SW_OBJECTION_WORDS
  sw_choice choice;
  const sw_objection found = sw_choose(model, options, &choice);

  return found == SW_OBJECTION_UNDIVIDED && model->undivided ? model->undivided
         : found == SW_OBJECTION_TABLEAU                     ? choice.fault
                                                             : words[found];
}

sw_status sw_refuse_parameter(sw_sim *sim, int i, double value)
{
  const sw_bounds bounds = sw_system_bounds(sim->system, i);
  char name[SW_NAME_BYTES];

  return sw_refuse(sim, SW_ERR_PARAMETER, "%s %s = %g is outside its bounds, %s%g, %g%s",
                   sw_system_is_input(sim->system, i) ? "input" : "parameter",
                   sw_system_name(sim->system, SW_K, i, name), value,
                   (bounds.closed & 1u) != 0 ? "[" : "(", bounds.lower, bounds.upper,
                   (bounds.closed & 2u) != 0 ? "]" : ")");
}
