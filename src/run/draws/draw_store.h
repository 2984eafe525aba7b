/* Draws that are kept, and those that go to a sink. */
#pragma once

#include "run/draws/kept_draws.h"

/* Where the draws of a run go. */
typedef struct cs_draw_store {
    bool touched; /* cs_draws_touch */
    size_t keep;  /* draws of a chain that the spec asks for */
    cs_draw_sink sink;
    void *self;
    uint64_t thin;
    cs_warmup_sink warmup_sink; /* NULL: it wants no warm-ups */
    size_t room;                /* draws of a chain between two flushes */
} cs_draw_store;

/* Those of an arm. */
typedef struct cs_arm_draws {
    double *kept;         /* [chains][room][lead + shown + aux] [own] */
    double *written;      /* [chains][sink's room][lead + dim + aux] [own] */
    size_t *written_rows; /* [chains] of draws that have weights [own] */
    bool warmup_told;     /* the sink knows that the warm-up is over */
    const char *lead_name[CS_LEAD];
    size_t lead; /* columns before x of a written draw */
} cs_arm_draws;

/* What a draw that is kept or judged begins with: the first so many of these. */
extern const char *const cs_draws_lead[];
size_t cs_arm_lead(const cs_arm *a);
double cs_draws_words(const cs_run *r, const cs_arm *a); /* a chain's */
cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_draws_touch(cs_run *r);           /* the first time: see there */
void cs_draws_flush(cs_run *r);           /* hands what is new to the sink */
void cs_draws_end_warmups(cs_run *r);     /* tells it of those that are over */
uint64_t cs_draws_steps(const cs_run *r); /* so many at most until then */

void cs_draws_free(cs_arm *a);
