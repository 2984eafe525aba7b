/* What single states of a target that tells classes apart predict of its rows
 * held out, remembered: reports ask for the same states again and again. */
#pragma once

#include "target/target.h"

typedef struct cs_predicted cs_predicted;

/* [own] NULL: it tells no classes apart, holds nothing out, or there is no
 * memory. Cold. */
cs_predicted *cs_predicted_make(const cs_target *t);

/* The share of the rows held out whose class the state x[dim] finds; NAN where
 * that is not finite. Not on two threads at once. */
double cs_predicted_accuracy(cs_predicted *p, const double *x);

/* NULL is fine. */
void cs_predicted_free(cs_predicted *p);
