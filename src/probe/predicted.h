/* A cache of predictions of single states for the held-out rows of a
 * classifier: reports ask for the same states repeatedly. */
#pragma once

#include "target/target.h"

typedef struct cs_predicted cs_predicted;

/* Creates a cache [own]; NULL: not a classifier, no held-out rows, or out of
 * memory. Cold. */
cs_predicted *cs_predicted_make(const cs_target *t);

/* Returns the fraction of the held-out rows whose class the state x[dim]
 * predicts; NAN if x is not finite. Not on two threads at once. */
double cs_predicted_accuracy(cs_predicted *p, const double *x);

/* May be NULL. */
void cs_predicted_free(cs_predicted *p);
