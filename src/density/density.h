/* Log densities, distribution functions and functions of statistics, as
 * formulas over operands: a table row each, in one file per family. Callers
 * give numbers or nodes of a graph; constants fold. */
#pragma once

#include "density/calc.h"

/* A row: a density, or a function that formulas and scripts call.
 *
 * `arguments` lists "NAME DOMAIN SHAPE, ...". Domains are in domain.c. The
 * shape is `vector`, `matrix` (square), `rows` (a vector, or a matrix whose
 * rows are values) or `list` (a number or a vector, used as a whole); without a
 * shape, the function is elementwise, and numbers and vectors of equal length
 * can be combined. If the row is `whole`, vectors, lists, matrices and rows of
 * matrices must have one length.
 *
 * `formula` is an expression of the arguments (density_formula.h); if it is
 * NULL, `build` computes the value. */
typedef struct cs_density_row {
    const char *name, *arguments, *help, *formula;
    cs_arg (*build)(cs_calc *c, const cs_arg *argument);
    bool whole;  /* the density belongs to all elements together: it has no
                  * value per entry */
    bool pooled; /* one argument is used as a whole for each entry */
} cs_density_row;

typedef enum cs_density_kind {
    CS_DENSITY_LPDF,   /* cs.lpdf: log densities */
    CS_DENSITY_LCDF,   /* cs.lcdf: logs of distribution functions */
    CS_DENSITY_LCCDF,  /* cs.lccdf: logs of 1 - distribution functions */
    CS_DENSITY_WORD,   /* functions of cs.math */
    CS_DENSITY_HELPER, /* functions that only formulas call */
    CS_DENSITY_KINDS
} cs_density_kind;

/* Name of the table in scripts ("lpdf"), without "cs.". */
extern const char *const cs_density_kind_names[CS_DENSITY_KINDS];

/* One file: rows of one kind. */
typedef struct cs_density_family {
    cs_density_kind kind;
    const cs_density_row *rows;
    size_t n;
} cs_density_family;

enum { CS_DENSITY_ARGUMENTS = 8 };

/* An argument of a row, from its text. */
typedef struct cs_density_argument {
    char name[16];
    const struct cs_density_domain *domain;
    enum {
        CS_SHAPE_EACH,
        CS_SHAPE_LIST,
        CS_SHAPE_VECTOR,
        CS_SHAPE_MATRIX,
        CS_SHAPE_ROWS
    } shape;
} cs_density_argument;

/* A row that is ready to be called. */
typedef struct cs_density {
    const cs_density_row *row;
    cs_density_kind kind;
    char label[48]; /* "cs.lpdf.normal", for errors */
    size_t n;       /* number of arguments */
    cs_density_argument argument[CS_DENSITY_ARGUMENTS];
    struct cs_density_formula *formula; /* [own] NULL: not compiled yet */
} cs_density;

/* All densities, with their compiled formulas. One object may be used by one
 * thread at a time. */
typedef struct cs_densities {
    cs_density *all; /* [own] [n] by kind, in the order of the tables */
    size_t n;
} cs_densities;

/* Creates the object. [own, cs_densities_destroy] */
cs_status cs_densities_create(cs_densities **out, cs_error *err);
void cs_densities_destroy(cs_densities *d);

/* Returns the density of this kind and name, or NULL. */
cs_density *cs_densities_find(const cs_densities *d, cs_density_kind kind,
                              const char *name);

/* Returns "y, mu, sigma" in text[size]. */
const char *cs_density_arguments(const cs_density *d, char *text, size_t size);

/* Fails if the shapes of the arguments do not fit the row. If `tracing`, fails
 * also if a known argument is outside its domain; otherwise such a value gives
 * a density of -infinity. */
bool cs_density_check(cs_calc *c, const cs_density *d, const cs_arg *argument,
                      bool tracing);

/* Domains whose columns of data are checked when data are read: "count",
 * "whole", "bit" or "index"; otherwise NULL. */
const char *cs_density_column_kind(const cs_density_argument *a);
/* Records the error that element `value` in row `row` of the data is outside
 * the domain of argument i. */
void cs_density_fail_column(cs_calc *c, const cs_density *d, size_t i,
                            double value, size_t row);

/* Returns the log density for arguments that were checked: the sum of its
 * entries, or with `each` one value per entry. Outside the support it is
 * -infinity. For rows of cs.math, the value of the function. */
cs_arg cs_density_value(cs_calc *c, cs_density *d, const cs_arg *argument,
                        bool each);

/* ---- for rows ------------------------------------------------------------ */

/* Returns the value of the row's formula for its arguments, without checks and
 * without the conditions of domains. */
cs_arg cs_density_apply(cs_calc *c, cs_density *d, const cs_arg *argument);

/* Calls a row by its name: the first of this name in the order of kinds. */
cs_arg cs_density_call(cs_calc *c, const char *name, const cs_arg *argument,
                       size_t n);

/* Above this value counts and shapes are large: plain formulas are imprecise,
 * because their terms become as large as the counts and shapes. */
#define CS_DENSITY_MANY 1000.0
/* Returns true if all elements are known and at most CS_DENSITY_MANY. */
bool cs_density_few(cs_arg a);
