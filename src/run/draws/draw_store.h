/* Kept draws, and draws for a sink. */
#pragma once

#include "run/draws/kept_draws.h"

/* Where the draws of a run are stored. */
typedef struct cs_draw_store {
    bool touched; /* cs_draws_touch */
    size_t keep;  /* draws per chain, from the spec */
    cs_draw_sink sink;
    void *self;
    uint64_t thin;
    cs_warmup_sink warmup_sink; /* NULL: warm-ups are not written */
    size_t room;                /* draws per chain between two flushes */
} cs_draw_store;

/* The stored draws of an arm. */
typedef struct cs_arm_draws {
    double *kept;         /* [chains][room][lead + shown + aux] [own] */
    double *written;      /* [chains][sink's room][lead + dim + aux] [own] */
    size_t *written_rows; /* [chains] of weighted draws [own] */
    bool warmup_reported; /* the sink has been notified of the end of the
                           * warm-up */
    const char *lead_name[CS_LEAD];
    size_t lead; /* columns before x of a written draw */
} cs_arm_draws;

/* Names of the leading columns of a kept or diagnosed draw, in order. */
extern const char *const cs_draws_lead[];
size_t cs_arm_lead(const cs_arm *a);
double cs_draws_words(const cs_run *r, const cs_arm *a); /* per chain */
cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_draws_touch(cs_run *r);           /* only at the first call */
void cs_draws_flush(cs_run *r);           /* passes new draws to the sink */
void cs_draws_end_warmups(cs_run *r);     /* notifies the sink of finished
                                           * ones */
uint64_t cs_draws_steps(const cs_run *r); /* maximum steps before the next
                                           * flush */

void cs_draws_free(cs_arm *a);
