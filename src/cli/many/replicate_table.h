/* The results of `chainscope replicate`, claim by claim, as text, Markdown,
 * JSON or CSV. */
#pragma once

#include "base/page.h"

#include <stdbool.h>
#include <stddef.h>

/* A scenario whose claims were judged, or that failed. */
typedef struct cs_replica {
    const char *name, *folder, *title, *source; /* "" if unknown */
    const unsigned char *claims;                /* cs_flat table, [size] */
    size_t size;
    double seconds, seeds; /* elapsed time; number of seeds run */
    const char *failure;   /* reason of the failure; NULL: none */
} cs_replica;

typedef struct cs_verdicts {
    size_t hold, fail,
        open;         /* claims that hold, do not hold, cannot be decided */
    size_t size;      /* right direction, other size */
    size_t idle;      /* not run for lack of data */
    size_t loose;     /* hold, by a bound that cannot fail */
    size_t left;      /* only in the full setting: not judged here */
    size_t surprises; /* different from the scenario's expectation */
    size_t broken;    /* scenarios that failed */
} cs_verdicts;

typedef struct cs_replicate_head {
    const char *what; /* name of the paper, or "" */
    bool quick;
    size_t scenarios, done;    /* to run; run at the end */
    const char *const *absent; /* [n_absent] results without a scenario */
    size_t n_absent;
} cs_replicate_head;

/* A format: its head, the rows of a scenario, and its end. */
typedef struct cs_replicate_format {
    const char *name, *suffix;
    void (*head)(cs_page *p, const cs_replicate_head *h);
    void (*one)(cs_page *p, const cs_replica *r, size_t i);
    void (*tail)(cs_page *p, const cs_replicate_head *h, const cs_verdicts *v);
} cs_replicate_format;

/* Returns format number i, NULL past the last: text, markdown, json. */
const cs_replicate_format *cs_replicate_format_at(size_t i);

/* Adds the verdicts of a scenario. */
void cs_replicate_count(const cs_replica *r, cs_verdicts *v);
