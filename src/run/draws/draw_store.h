/* Memory for kept draws and for draws of a sink. */
#pragma once

#include "run/draws/kept_draws.h"

/* The storage of the draws of a run. */
typedef struct cs_draw_store {
    bool touched; /* cs_draws_touch was called */
    size_t keep;  /* draws per chain, from the spec */
    cs_draw_sink sink;
    void *self;
    uint64_t thin;
    cs_warmup_sink warmup_sink; /* NULL: warm-ups are not written */
    size_t capacity;  /* draws per chain between two flushes to the sink */
    char *data_lines; /* cs_run_data_lines [own] */
} cs_draw_store;

/* The stored draws of an arm. */
typedef struct cs_arm_draws {
    /* [chains][capacity of the recorder CS_KEPT][lead + shown + aux] [own] */
    double *kept;
    double *written; /* [chains][rows of the sink][lead + dim + aux] [own] */
    /* [chains] number of rows, if draws are weighted [own] */
    size_t *written_rows;
    bool warmup_reported; /* the sink has been notified of the end of the
                           * warm-up */
    const char *lead_name[CS_LEAD];
    size_t lead; /* number of columns before x in a written draw */
} cs_arm_draws;

/* Names of the first columns (the lead) of a kept or diagnosed draw, in
 * order. */
extern const char *const cs_draws_lead[];
size_t cs_arm_lead(const cs_arm *a);
/* Returns the memory for draws per chain, in words. */
double cs_draws_words(const cs_run *r, const cs_arm *a);
cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_draws_touch(cs_run *r); /* acts only at the first call */
void cs_draws_flush(cs_run *r); /* passes new draws to the sink */
/* Notifies the sink of finished warm-ups. */
void cs_draws_end_warmups(cs_run *r);
/* Returns the maximum number of steps before the next flush. */
uint64_t cs_draws_steps(const cs_run *r);

void cs_draws_free(cs_arm *a);
