/* Caches the accuracy of single states on the held-out rows of a classifier.
 * Reports request the accuracy of the same states repeatedly. */
#pragma once

#include "target/target.h"

typedef struct cs_predicted cs_predicted;

/* Creates a cache [own]. Returns NULL if the target is not a classifier, has no
 * held-out rows, or memory is exhausted. Not performance-critical. */
cs_predicted *cs_predicted_make(const cs_target *t);

/* Returns the fraction of held-out rows whose class is predicted correctly by
 * the state x[dim], or NAN if x is not finite. Two threads must not call the
 * function at the same time. */
double cs_predicted_accuracy(cs_predicted *p, const double *x);

/* Frees the cache; p may be NULL. */
void cs_predicted_free(cs_predicted *p);
