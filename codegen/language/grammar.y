/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grammar.y -- from tokens to the syntax tree.
 *
 * Every error is handled by the single rule with `error`, which skips the rest of the statement and
 * continues with the next one. Right recursion and brackets pass through `deeper`, which bounds the
 * parser's stack.
 */
%define api.pure full
%define api.prefix {language_}
%define api.token.prefix {TOKEN_}
%define api.location.type {span}
%define parse.error custom
%define parse.lac full
%locations
%param {parse *p}

%code requires {
#include "language/parse.h"
}

%code {
#include <string.h>

#include "common/user_text.h"
#include "language/foreign_words.h"

#define YYLLOC_DEFAULT(current, right, n)                                                          \
  ((current) = (n) ? (span){YYRHSLOC(right, 1).begin, YYRHSLOC(right, n).end}                      \
                   : (span){YYRHSLOC(right, 0).end, YYRHSLOC(right, 0).end})
#define ADD(what, ...)                                                                             \
  statement_add(p, (syntax_statement){.kind = STATEMENT_##what, __VA_ARGS__})
#define CHECK(e, where)                                                                            \
  if (too_deep(p, (e).depth, where)) {                                                             \
    YYERROR;                                                                                       \
  }

int language_lex(LANGUAGE_STYPE *value, LANGUAGE_LTYPE *where, parse *p);
static void language_error(const span *where, parse *p, const char *text);
static bool begins_line(const parse *p, span where);
static const char *statement_remedy(parse *p, span where);
}

%union {
  const char *text;
  deep_expr expr;
  deep_condition condition;
  syntax_condition_kind relation;
  name_list names;
  expr_list exprs;
  deep_binder item;
  deep_set set;
  binder_list items;
  syntax_binders binders;
  const syntax_value *value;
  entry_list entries;
  setting_list settings;
  syntax_name name;
  syntax_bounds bounds;
  int flag;
}

%token MODEL "'model'" SIZE "'size'" SET "'set'" PARAM "'param'" COORD "'coord'"
%token ALGEBRAIC "'algebraic'" MOMENTUM "'momentum'" VELOCITY "'velocity'" LET "'let'"
%token HAMILTONIAN "'hamiltonian'" LAGRANGIAN "'lagrangian'" CONSTRAINT "'constraint'"
%token OBSERVE "'observe'" INVARIANT "'invariant'" FORCE "'force'" INPUT "'input'"
%token EVENT "'event'" BATH "'bath'"
%token INIT "'init'" RUN "'run'"
%token SUM "'sum'" PRODUCT "'product'" WHERE "'where'" IN "'in'" AND "'and'" OR "'or'" NOT "'not'"
%token IF "'if'" THEN "'then'" ELSE "'else'"
%token BRACKET "'bracket'" MULTIPLIER "'multiplier'" IMPULSE "'impulse'" PI "'pi'" INF "'inf'"
%token RANGE "'..'" EQ "'=='" NE "'!='" LE "'<='" GE "'>='"
%token <text> NAME "a name" NUMBER "a number" TITLE "a title"
%token YYEOF 0 "end of file"

%precedence ELSE
%left OR
%left AND
%precedence NOT
%left '+' '-'
%left '*' '/'
%precedence MINUS
%right '^'

%type <name> name setting_name momentum energy
%type <text> title
%type <names> names arguments
%type <expr> expr setting_value call limit lower upper
%type <set> set
%type <exprs> exprs
%type <item> item range
%type <items> items ranges
%type <binders> binders
%type <condition> condition where
%type <relation> relation
%type <value> value
%type <entries> entries
%type <settings> settings
%type <bounds> bounds
%type <flag> opening closing event_words

%%

file:
  %empty
| file statement
| file error
    {
      /* Either the lookahead token begins the next statement, or the lexer must search for one. */
      bool resumes = yychar > TOKEN_LANGUAGE_UNDEF && starts_statement(p, yylloc);
      if (yychar != TOKEN_YYEOF && !resumes) {
        yyclearin;
        p->skip = true;
      }
      p->depth = 0;
      yyerrok;
    }
;

statement:
  MODEL name title
    { ADD(MODEL, .where = @1, .name = $2, .title = $3, .title_where = @3); }
| SIZE name '=' expr
    { ADD(SIZE, .where = @1, .name = $2, .a = $4.at, .text_where = @4); }
| SET name '=' expr RANGE expr
    { ADD(RANGE, .where = @1, .name = $2, .a = $4.at, .b = $6.at,
          .text_where = {@4.begin, @6.end}); }
| SET name '=' '{' names '}'
    { ADD(LABELS, .where = @1, .name = $2, .n_labels = (int)$5.n, .labels = $5.at,
          .text_where = {@4.begin, @6.end}); }
| SET name '=' expr
    {
      check_data(p, $4.at);
      ADD(DATA, .where = @1, .name = $2, .text_where = @4);
    }
| SET name '=' expr IN expr
    {
      check_data(p, $4.at);
      ADD(DATA, .where = @1, .name = $2, .a = $6.at, .text_where = {@4.begin, @6.end});
    }
| PARAM name binders '=' value bounds
    { ADD(PARAM, .where = @1, .name = $2, .binders = $3, .value = $5, .bounds = $6,
          .text_where = @5); }
| PARAM name binders bounds
    { ADD(PARAM, .where = @1, .name = $2, .binders = $3, .bounds = $4, .text_where = @$); }
| PARAM name binders IN name
    { ADD(INDICES, .where = @1, .name = $2, .binders = $3, .second = $5, .text_where = @5); }
| INPUT name binders '=' value bounds
    { ADD(PARAM, .where = @1, .name = $2, .binders = $3, .value = $5, .bounds = $6,
          .is_input = 1, .text_where = @5); }
| INPUT name binders bounds
    { ADD(PARAM, .where = @1, .name = $2, .binders = $3, .bounds = $4, .is_input = 1,
          .text_where = @$); }
| COORD name binders MOMENTUM name
    { ADD(COORD, .where = @1, .name = $2, .binders = $3, .second = $5); }
| COORD name binders VELOCITY name momentum
    { ADD(COORD, .where = @1, .name = $2, .binders = $3, .velocity = $5, .second = $6); }
| ALGEBRAIC name binders momentum
    { ADD(ALGEBRAIC, .where = @1, .name = $2, .binders = $3, .second = $4); }
| LET name arguments '=' expr
    { ADD(LET, .where = @1, .name = $2, .n_labels = (int)$3.n, .labels = $3.at, .a = $5.at,
          .text_where = @5); }
| HAMILTONIAN name '=' expr
    { ADD(HAMILTONIAN, .where = @1, .name = $2, .a = $4.at, .text_where = @4); }
| LAGRANGIAN name energy '=' expr
    { ADD(LAGRANGIAN, .where = @1, .name = $2, .second = $3, .a = $5.at, .text_where = @5); }
| CONSTRAINT name binders ':' expr equality expr
    { ADD(CONSTRAINT, .where = @1, .name = $2, .binders = $3, .a = $5.at, .b = $7.at,
          .text_where = {@5.begin, @7.end}); }
| OBSERVE name binders '=' expr
    { ADD(OBSERVE, .where = @1, .name = $2, .binders = $3, .a = $5.at, .text_where = @5); }
| INVARIANT name binders '=' expr
    { ADD(INVARIANT, .where = @1, .name = $2, .binders = $3, .a = $5.at, .text_where = @5); }
| FORCE name binders name expr '=' expr
    {
      check_on(p, $4);
      ADD(FORCE, .where = @1, .name = $2, .binders = $3, .a = $7.at, .b = $5.at,
          .text_where = @7);
    }
| EVENT name binders ':' expr event_words
    { ADD(EVENT, .where = @1, .name = $2, .binders = $3, .a = $5.at, .event = $6,
          .text_where = @5); }
| EVENT name binders ':' expr equality expr event_words
    { ADD(EVENT, .where = @1, .name = $2, .binders = $3, .a = $5.at, .b = $7.at, .event = $8,
          .text_where = {@5.begin, @7.end}); }
| BATH name '=' expr ',' name '=' expr
    {
      check_bath(p, $2, $6);
      ADD(BATH, .where = @1, .a = $4.at, .b = $8.at, .text_where = {@2.begin, @8.end});
    }
| BATH name binders ':' name '=' expr ',' name '=' expr
    {
      check_bath(p, $5, $9);
      ADD(BATH, .where = @1, .name = $2, .binders = $3, .a = $7.at, .b = $11.at,
          .text_where = {@5.begin, @11.end});
    }
| INIT name binders '=' value
    { ADD(INIT, .where = @1, .name = $2, .binders = $3, .value = $5, .text_where = @5); }
| INIT name ':' name binders '=' value
    { ADD(INIT, .where = @1, .name = $4, .second = $2, .binders = $5, .value = $7,
          .text_where = @7); }
| RUN settings
    { ADD(RUN, .where = @1, .n_settings = (int)$2.n, .settings = $2.at, .text_where = @2); }
;

event_words:
  %empty            { $$ = 0; }
| event_words NAME
    {
      if (begins_line(p, @2)) {
        diagnostics_error(p->errors, @2, "unexpected '%s'%s", $2, statement_remedy(p, @2));
        YYERROR;
      }
      if (!event_word(p, (syntax_name){$2, @2}, $1, &$$)) {
        YYERROR;
      }
    }
;

name:
  NAME  { $$ = (syntax_name){$1, @1}; }
;

momentum:
  %empty         { $$ = (syntax_name){0}; }
| MOMENTUM name  { $$ = $2; }
;

energy:
  %empty            { $$ = (syntax_name){0}; }
| HAMILTONIAN name  { $$ = $2; }
;

title:
  %empty  { $$ = NULL; }
| TITLE
;

arguments:
  %empty         { $$ = (name_list){0}; }
| '(' names ')'  { $$ = $2; }
;

names:
  name            { $$ = names_add(p, (name_list){0}, $1); }
| names ',' name  { $$ = names_add(p, $1, $3); }
;

equality:
  relation
    {
      if ($1 != SYNTAX_EQ) {
        diagnostics_error(p->errors, @1,
                          "a constraint reads 'left == right'; inequalities, contacts and stops "
                          "are not supported");
      }
    }
| '='  { diagnostics_error(p->errors, @1, "a constraint reads 'left == right'; write '=='"); }
;

relation:
  EQ   { $$ = SYNTAX_EQ; }
| NE   { $$ = SYNTAX_NE; }
| '<'  { $$ = SYNTAX_LT; }
| LE   { $$ = SYNTAX_LE; }
| '>'  { $$ = SYNTAX_GT; }
| GE   { $$ = SYNTAX_GE; }
;

settings:
  setting_name '=' setting_value
    { $$ = settings_add(p, (setting_list){0}, $1, $3, @3); }
| settings ',' setting_name '=' setting_value
    { $$ = settings_add(p, $1, $3, $5, @5); }
;

/* A reserved word may be part of a method's name, for example energy-momentum. */
setting_value:
  expr
| expr '-' MOMENTUM
    {
      $$ = expr_binary(p, SYNTAX_SUB, $1, expr_leaf(p, SYNTAX_NAME, "momentum", @3), @$);
      CHECK($$, @2);
    }
;

setting_name:
  name
| INIT  { $$ = (syntax_name){"init", @1}; }
;

/* ---- binders and conditions ---- */

binders:
  %empty                       { $$ = (syntax_binders){0}; }
| '[' deeper items where ']'   { $$ = binders_make($3, $4, @$); unnest(p); }
;

items:
  item            { $$ = binders_add(p, (binder_list){0}, $1); }
| items ',' item  { $$ = binders_add(p, $1, $3); }
;

item:
  range
| expr                     { $$ = (deep_binder){{.index = $1.at, .where = @1}, $1.depth}; }
| expr RANGE expr
    { $$ = binder_over((syntax_name){0}, set_range($1, $3, @$), @$); }
| '{' deeper exprs '}'
    { $$ = binder_over((syntax_name){0}, set_list($3, @$), @$); unnest(p); }
;

ranges:
  range             { $$ = binders_add(p, (binder_list){0}, $1); }
| ranges ',' range  { $$ = binders_add(p, $1, $3); }
;

range:
  name IN set  { $$ = binder_over($1, $3, @$); }
| '(' deeper name ',' names ')' IN set
    { $$ = binder_over_parts(p, $3, $5, $8, @$); unnest(p); }
;

set:
  expr                  { $$ = set_named(p, $1, @1); }
| expr RANGE expr       { $$ = set_range($1, $3, @$); }
| '{' deeper exprs '}'  { $$ = set_list($3, @$); unnest(p); }
;

where:
  %empty           { $$ = (deep_condition){0}; }
| WHERE condition  { $$ = $2; }
;

condition:
  expr relation expr
    { $$ = condition_compare(p, $2, $1, $3, @$); CHECK($$, @2); }
| expr '=' expr
    {
      diagnostics_error(p->errors, @2, "write '==' to compare");
      $$ = condition_compare(p, SYNTAX_EQ, $1, $3, @$);
      CHECK($$, @2);
    }
| condition AND condition
    { $$ = condition_join(p, SYNTAX_AND, $1, $3, @$); CHECK($$, @2); }
| condition OR condition
    { $$ = condition_join(p, SYNTAX_OR, $1, $3, @$); CHECK($$, @2); }
| NOT deeper condition %prec NOT
    { $$ = condition_join(p, SYNTAX_NOT, $3, (deep_condition){0}, @$); unnest(p); CHECK($$, @1); }
| '(' deeper condition ')'
    { $$ = $3; unnest(p); }
;

/* ---- expressions ---- */

deeper:
  %empty
    {
      if (!nest(p, @0)) {
        YYERROR;
      }
    }
;

expr:
  NUMBER  { $$ = expr_leaf(p, SYNTAX_NUMBER, $1, @$); }
| PI      { $$ = expr_leaf(p, SYNTAX_PI, "pi", @$); }
| name    { $$ = expr_leaf(p, SYNTAX_NAME, $1.text, @$); }
| name '[' deeper exprs ']'
    { $$ = expr_apply(p, SYNTAX_REFERENCE, $1, $4, @$); unnest(p); CHECK($$, @1); }
| call
| call '[' deeper exprs ']'
    { $$ = expr_component(p, $1, $4, @$); unnest(p); CHECK($$, @1); }
| IF deeper condition THEN expr ELSE expr
    { $$ = expr_if(p, $3, $5, $7, @$); unnest(p); CHECK($$, @1); }
| '(' deeper expr ')'
    { $$ = $3; unnest(p); }
| '-' deeper expr %prec MINUS
    { $$ = expr_unary(p, SYNTAX_NEG, $3, @$); unnest(p); CHECK($$, @1); }
| expr '+' expr
    { $$ = expr_binary(p, SYNTAX_ADD, $1, $3, @$); CHECK($$, @2); }
| expr '-' expr
    { $$ = expr_binary(p, SYNTAX_SUB, $1, $3, @$); CHECK($$, @2); }
| expr '*' expr
    { $$ = expr_binary(p, SYNTAX_MUL, $1, $3, @$); CHECK($$, @2); }
| expr '/' expr
    { $$ = expr_binary(p, SYNTAX_DIV, $1, $3, @$); CHECK($$, @2); }
| expr '^' deeper expr %prec '^'
    { $$ = expr_binary(p, SYNTAX_POW, $1, $4, @$); unnest(p); CHECK($$, @2); }
| SUM '(' deeper ranges where ':' expr ')'
    { $$ = expr_reduce(p, SYNTAX_SUM, $4, $5, $7, @$); unnest(p); CHECK($$, @1); }
| PRODUCT '(' deeper ranges where ':' expr ')'
    { $$ = expr_reduce(p, SYNTAX_PRODUCT, $4, $5, $7, @$); unnest(p); CHECK($$, @1); }
| BRACKET '(' deeper expr ',' expr ')'
    { $$ = expr_binary(p, SYNTAX_BRACKET, $4, $6, @$); unnest(p); CHECK($$, @1); }
| MULTIPLIER '(' deeper expr ')'
    { $$ = expr_unary(p, SYNTAX_MULTIPLIER, $4, @$); unnest(p); CHECK($$, @1); }
| IMPULSE '(' deeper expr ')'
    { $$ = expr_unary(p, SYNTAX_IMPULSE, $4, @$); unnest(p); CHECK($$, @1); }
;

call:
  name '(' deeper exprs ')'
    { $$ = expr_apply(p, SYNTAX_CALL, $1, $4, @$); unnest(p); CHECK($$, @1); }
;

exprs:
  expr            { $$ = exprs_add(p, (expr_list){0}, $1); }
| exprs ',' expr  { $$ = exprs_add(p, $1, $3); }
;

/* ---- values and bounds ---- */

value:
  expr                    { $$ = value_expr(p, $1, @1); }
| '{' deeper entries '}'  { $$ = value_table(p, $3, @$); unnest(p); }
;

entries:
  value                       { $$ = entries_add(p, (entry_list){0}, NULL, $1); }
| expr ':' value              { $$ = entries_add(p, (entry_list){0}, $1.at, $3); }
| entries ',' value           { $$ = entries_add(p, $1, NULL, $3); }
| entries ',' expr ':' value  { $$ = entries_add(p, $1, $3.at, $5); }
;

bounds:
  %empty  { $$ = (syntax_bounds){0}; }
| IN opening lower ',' upper closing
    {
      $$ = (syntax_bounds){1, $2, $6, $3.at, $5.at, @$};
      if ($2 && !$3.at) {
        diagnostics_error(p->errors, @2, "infinity is no value; write '(' for an infinite bound");
      }
      if ($6 && !$5.at) {
        diagnostics_error(p->errors, @6, "infinity is no value; write ')' for an infinite bound");
      }
    }
;

opening:
  '('  { $$ = 0; }
| '['  { $$ = 1; }
;

closing:
  ')'  { $$ = 0; }
| ']'  { $$ = 1; }
;

lower:
  limit
| '-' INF  { $$ = (deep_expr){0}; }
| INF
    {
      diagnostics_error(p->errors, @1, "the lower bound is a number or '-inf'");
      $$ = (deep_expr){0};
    }
;

upper:
  limit
| INF  { $$ = (deep_expr){0}; }
| '-' INF
    {
      diagnostics_error(p->errors, @$, "the upper bound is a number or 'inf'");
      $$ = (deep_expr){0};
    }
;

limit:
  NUMBER      { $$ = expr_leaf(p, SYNTAX_NUMBER, $1, @1); }
| '-' NUMBER  { $$ = expr_unary(p, SYNTAX_NEG, expr_leaf(p, SYNTAX_NUMBER, $2, @2), @$); }
;

%%

/* ---- messages ---- */

/* Called only if memory is exhausted: syntax errors go to yyreport_syntax_error. */
static void language_error(const span *where, parse *p, const char *text)
{
  diagnostics_error(p->errors, *where, "%s", text);
}

/* Tokens that are expected together, and a name for the group. If both `signs` of a group are
 * expected, its name replaces all of its members in the message. 0 ends the list of members. */
typedef struct token_group {
  const char *text;
  int signs[2];
  int members[20];
} token_group;

static const token_group groups[] = {
    {"an expression",
     {TOKEN_NUMBER, TOKEN_PI},
     {TOKEN_NUMBER, TOKEN_PI, TOKEN_NAME, TOKEN_SUM, TOKEN_PRODUCT, TOKEN_BRACKET, TOKEN_MULTIPLIER,
      TOKEN_IMPULSE, TOKEN_IF, '(', '-'}},
    {"an operator", {'*', '^'}, {'+', '-', '*', '/', '^', '(', '['}},
    {"a comparison such as '=='",
     {TOKEN_EQ, '='},
     {TOKEN_EQ, TOKEN_NE, TOKEN_LE, TOKEN_GE, '<', '>', '='}},
    {"a statement",
     {TOKEN_MODEL, TOKEN_SIZE},
     {TOKEN_MODEL, TOKEN_SIZE, TOKEN_SET, TOKEN_PARAM, TOKEN_COORD, TOKEN_ALGEBRAIC, TOKEN_LET,
      TOKEN_HAMILTONIAN, TOKEN_LAGRANGIAN, TOKEN_CONSTRAINT, TOKEN_OBSERVE, TOKEN_INVARIANT,
      TOKEN_FORCE, TOKEN_INPUT, TOKEN_EVENT, TOKEN_BATH, TOKEN_INIT, TOKEN_RUN}},
};

#define N_GROUPS (sizeof groups / sizeof groups[0])
#define MAX_EXPECTED 6 /* longer lists do not help */

/* ", expected a, b or c", or "" if the list is empty or too long. */
static const char *expectation(parse *p, const bool expected[])
{
  const char *names[N_GROUPS + YYNTOKENS];
  int n = 0;
  bool rest[YYNTOKENS];
  memcpy(rest, expected, sizeof rest);
  for (size_t i = 0; i < N_GROUPS; i++) {
    if (expected[YYTRANSLATE(groups[i].signs[0])] && expected[YYTRANSLATE(groups[i].signs[1])]) {
      names[n++] = groups[i].text;
      for (int k = 0; groups[i].members[k] != 0; k++) {
        rest[YYTRANSLATE(groups[i].members[k])] = false;
      }
    }
  }
  for (int i = 0; i < YYNTOKENS; i++) {
    if (rest[i] && i != YYSYMBOL_YYEOF) {
      names[n++] = yysymbol_name((yysymbol_kind_t)i);
    }
  }
  const char *text = "";
  for (int i = 0; i < n && n <= MAX_EXPECTED; i++) {
    const char *glue = i == 0 ? "; expected " : i == n - 1 ? " or " : ", ";
    text = arena_printf(p->memory, "%s%s%s", text, glue, names[i]);
  }
  return text;
}

/* 1 if only blanks precede this position on its line. */
static bool begins_line(const parse *p, span where)
{
  int before = where.begin;
  while (before > 0 && (p->text[before - 1] == ' ' || p->text[before - 1] == '\t')) {
    before--;
  }
  return before == 0 || p->text[before - 1] == '\n';
}

/* Suggests a replacement for a first word that begins no statement; "" if nothing is known. */
static const char *statement_remedy(parse *p, span where)
{
  static const char *const statements[] = {
      "model",       "size",       "set",        "param",   "coord",     "algebraic", "let",
      "hamiltonian", "lagrangian", "constraint", "observe", "invariant", "force",     "input",
      "event",       "init",       "run"};
  const char *word =
      arena_strndup(p->memory, p->text + where.begin, (size_t)(where.end - where.begin));
  const char *remedy = foreign_statement(word);
  const char *near =
      sw_text_nearest(word, statements, sizeof statements / sizeof statements[0]);
  return remedy ? arena_printf(p->memory, "; %s", remedy)
         : near ? arena_printf(p->memory, "; did you mean '%s'?", near)
                : "";
}

/* Suggests a remedy for a mistake that the token and the expected tokens reveal: a missing '*', a
 * word that begins no statement, a sum in the syntax of another language. Returns NULL if there is
 * none. */
static const char *special_remedy(parse *p, yysymbol_kind_t found, span where, int n,
                                  const bool expected[])
{
  bool is_operand = found == YYSYMBOL_NAME || found == YYSYMBOL_NUMBER || found == YYSYMBOL_PI ||
                    found == YYSYMBOL_SUM || found == YYSYMBOL_PRODUCT;
  if (begins_line(p, where)) {
    const char *remedy = found == YYSYMBOL_NAME ? statement_remedy(p, where) : "";
    return *remedy ? remedy : NULL;
  }
  if (is_operand && expected[YYTRANSLATE('*')] && !expected[YYTRANSLATE(',')]) {
    return "; a product needs '*' between its factors";
  }
  if ((n == 1 && expected[YYSYMBOL_IN]) ||
      (n == 2 && expected[YYSYMBOL_NAME] && expected[YYTRANSLATE('(')])) {
    return "; a sum reads 'sum(k in set: expression)'";
  }
  return NULL;
}

static int yyreport_syntax_error(const yypcontext_t *context, parse *p)
{
  yysymbol_kind_t list[YYNTOKENS];
  int n = yypcontext_expected_tokens(context, list, YYNTOKENS);
  if (n < 0) {
    return n;
  }
  if (p->stop) {
    return 0; /* the lexer ended the file early because of a limit, which is reported already */
  }
  bool expected[YYNTOKENS] = {false};
  for (int i = 0; i < n; i++) {
    expected[list[i]] = true;
  }
  yysymbol_kind_t found = yypcontext_token(context);
  span where = *yypcontext_location(context);
  const char *special = special_remedy(p, found, where, n, expected);
  const char *remedy = special ? special : expectation(p, expected);
  if (found == YYSYMBOL_YYEOF) {
    diagnostics_error(p->errors, where, "unexpected end of file%s", remedy);
  } else if (found >= YYSYMBOL_MODEL && found <= YYSYMBOL_INF && expected[YYSYMBOL_NAME]) {
    diagnostics_error(p->errors, where, "unexpected reserved word '%s'%s", quoted(p, where),
                      remedy);
  } else {
    diagnostics_error(p->errors, where, "unexpected '%s'%s", quoted(p, where), remedy);
  }
  return 0;
}
