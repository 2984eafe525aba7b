/* Quantities that a script computes from the draws of an arm, and the draws of
 * one scalar for a list of chains. */
#pragma once

#include "run/draws/each_draw.h"
#include "stat/diagnostics.h"

/* Sets *value to the value for a draw: x[0] is log p, x[1 + i] is quantity i of
 * `quantities`. Returns false to stop. */
typedef bool cs_draw_value(void *self, const double *x, size_t quantities,
                           double *value);

/* The draws of a scalar. */
typedef struct cs_derived {
    double *x;     /* [n][draws] [own] */
    double *w;     /* [n][draws] weights; NULL: equal [own] */
    size_t *chain; /* [n] numbers of the chains, from 0 [own] */
    size_t n, draws;
} cs_derived;

/* Computes a value for each draw of the chains that did not fail. Sets *stopped
 * to true if `value` has returned false. Fails if the arm has no draws or memory
 * runs out. */
cs_status cs_derived_make(cs_derived *d, cs_run *r, size_t arm,
                          cs_draw_value *value, void *self, bool *stopped,
                          cs_error *err);

/* Copies the draws of chains[n], of which some may be repeated or absent.
 * Returns false if memory runs out. */
bool cs_derived_pick(const cs_derived *d, const size_t *chain, size_t n,
                     cs_derived *out);

/* Diagnoses the draws. */
cs_figures cs_derived_figures(const cs_derived *d);
/* Computes the mean and the standard deviation, with weights. */
void cs_derived_moments(const cs_derived *d, double *mean, double *sd);
/* Returns quantile p; NAN: no draws, or no memory. */
double cs_derived_quantile(const cs_derived *d, double p);

void cs_derived_free(cs_derived *d);

/* ---- the scalars of an arm ---- */

/* A list of scalars, each with its number: a coordinate, 0 for log p, or from
 * CS_FACTS_DERIVED (figure/facts.h) on the value of a function. */
typedef struct cs_scalars {
    struct cs_scalars *next;
    size_t k;
    cs_derived d;
} cs_scalars;

/* Returns the draws of scalar k of an arm; those of a coordinate are copied at
 * first use. NULL: no such scalar or no draws. [borrowed] */
const cs_derived *cs_scalars_find(cs_scalars **list, cs_run *r, size_t arm,
                                  size_t k);
/* Adds a function; see cs_derived_make. Returns its number, or 0 after an
 * error. */
size_t cs_scalars_add(cs_scalars **list, cs_run *r, size_t arm,
                      cs_draw_value *value, void *self, bool *stopped,
                      cs_error *err);
void cs_scalars_free(cs_scalars *list);
