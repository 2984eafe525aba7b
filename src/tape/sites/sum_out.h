/* A traced density with discrete coordinates summed out, and draws of these
 * coordinates given the others. */
#pragma once

#include "rng/stream.h"
#include "tape/program.h"
#include "target/target.h"

/* For z = site[n], discrete coordinates with the same values, and x, all other
 * coordinates, such that
 *
 *   log p(x, z) = t(x) + sum_i t_i(x, z_i),
 *
 * the target has the space of p(x, z) and the log density
 *
 *   log sum_z p(x, z) = t(x) + sum_i log sum_v exp t_i(x, v).
 *
 * It ignores the values of z in a state. Given x, the coordinates of z are
 * independent, with P(z_i = v) proportional to exp t_i(x, v). */
typedef struct cs_sum_out {
    cs_target *target; /* [held] */
    cs_program *draw;  /* roots: t, t_i(x, v) in [values][n], and P(z_i = v) in
                          [values][n] [own] */
    uint32_t *site;    /* [n] in ascending order [own] */
    size_t n;
    cs_part part; /* the values of the sites */
} cs_sum_out;

/* Sums out the coordinates site[n], in ascending order, of `whole`. The time of
 * an evaluation grows with the number of values. Fails with CS_UNSUPPORTED if
 * `whole` is not a traced density, if the values of the sites differ, if a term
 * reads two of the sites, so that they are not independent, or if there are too
 * many sites and values. [own, cs_sum_out_destroy] Cold. */
cs_status cs_sum_out_create(const cs_target *whole, const uint32_t *site,
                            size_t n, cs_sum_out **out, cs_error *err);
void cs_sum_out_destroy(cs_sum_out *s);

/* Returns the cost of a gradient relative to that of `whole`. */
double cs_sum_out_cost(const cs_sum_out *s, const cs_target *whole);

/* Returns the scratch size of cs_sum_out_draw in doubles per lane. */
size_t cs_sum_out_scratch(const cs_sum_out *s);

/* A draw of z in the chains of a block. */
typedef struct cs_sum_draw {
    const cs_streams *streams;
    size_t lanes, live;
    double *x;       /* [dim][lanes] the sites are written */
    double *logp;    /* [lanes] becomes log p(x, z) */
    bool *failed;    /* [lanes] these lanes are not changed. True is written if
                        the probabilities of a site are NaN; all sites of the
                        chain then keep their values */
    bool *moved;     /* [lanes] true is written if a site has changed */
    double *scratch; /* [cs_sum_out_scratch][lanes] */
} cs_sum_draw;

/* Draws the sites. The draw of a chain depends on its stream only. */
void cs_sum_out_draw(const cs_sum_out *s, const cs_sum_draw *d);

/* Why the sites of a chain cannot be drawn: t_i(x, value) is NaN. */
typedef struct cs_sum_fault {
    uint32_t site; /* the first coordinate without probabilities */
    double value;  /* its first value of this kind */
} cs_sum_fault;

/* Returns the fault of lane l, which failed in cs_sum_out_draw. The state must
 * not have changed since. Cold. */
cs_sum_fault cs_sum_out_fault(const cs_sum_out *s, const cs_sum_draw *d,
                              size_t l);
