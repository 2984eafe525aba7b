/* How the mean prediction of many states does on rows that were held out: what
 * models that predict share of the target's function `held_out`. */
#pragma once

#include "target/target.h"

typedef struct cs_held_model {
    size_t rows;   /* held out */
    size_t values; /* predicted of each: the response, or the probability of
                      each class */
    bool classes;
    bool fits;           /* predict fills fit */
    const double *y;     /* [rows] (response - y_mean) / y_sd, or the class */
    double y_mean, y_sd; /* of classes not used */
    /* p[rows][values][lanes] of the states at->x, responses as the table has
     * them; and fit[rows][lanes], the log of the probability, or of the density
     * at the response, of what was held out. */
    void (*predict)(const cs_target *t, const cs_point *at, double *p,
                    double *fit);
} cs_held_model;

/* out[1 + groups] as cs_target_type.held_out says; NAN where there is no memory,
 * or no state. Cold. */
void cs_held_out_of(const cs_target *t, const cs_held_model *m, const double *x,
                    const double *log_weight, size_t n, const size_t *group,
                    size_t groups, cs_held_out *out);
