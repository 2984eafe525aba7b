/* Scores on held-out rows for the mean prediction of many states; used by all
 * targets that predict, in their function `held_out`. */
#pragma once

#include "target/target.h"

typedef struct cs_held_model {
    size_t rows;   /* number of held-out rows */
    size_t values; /* predicted values per row: the response, or the probability
                      of each class */
    bool classes;
    bool fits;           /* true: `predict` fills `fit` */
    const double *y;     /* [rows] (response - y_mean) / y_sd, or the class */
    double y_mean, y_sd; /* mean and standard deviation of the response; not
                            used for classes */
    /* Writes the predictions for the states at->x to p[rows][values][lanes].
     * Predicted responses are in the units of the table. Also writes to
     * fit[rows][lanes] the log probability of each row's held-out class, or the
     * log density of its held-out response. */
    void (*predict)(const cs_target *t, const cs_point *at, double *p,
                    double *fit);
} cs_held_model;

/* Fills out[1 + groups] as described at cs_target_type.held_out. NAN if out of
 * memory or if there are no states. Cold. */
void cs_held_out_of(const cs_target *t, const cs_held_model *m, const double *x,
                    const double *log_weight, size_t n, const size_t *group,
                    size_t groups, cs_held_out *out);
