/* Draws that are kept, and those that go to a sink. */
#pragma once

#include "run/run.h"

typedef struct cs_arm cs_arm;

/* What a draw that is kept or judged begins with: the first so many of these. */
extern const char *const cs_draws_lead[];
size_t cs_arm_lead(const cs_arm *a);
double cs_draws_words(const cs_run *r, const cs_arm *a); /* a chain's */
cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_draws_touch(cs_run *r);           /* the first time: see there */
void cs_draws_flush(cs_run *r);           /* hands what is new to the sink */
void cs_draws_end_warmups(cs_run *r);     /* tells it of those that are over */
uint64_t cs_draws_steps(const cs_run *r); /* so many at most until then */
