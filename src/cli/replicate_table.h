/* What `chainscope replicate` found, claim by claim, as text, Markdown or
 * JSON. */
#pragma once

#include "base/page.h"

#include <stdbool.h>
#include <stddef.h>

/* A scenario whose claims were judged, or that failed. */
typedef struct cs_replica {
    const char *name, *folder, *title, *source; /* "" where not known */
    const unsigned char *claims;                /* cs_flat table, [size] */
    size_t size;
    double seconds, seeds; /* that it took; how many were run */
    const char *failure;   /* NULL: none */
} cs_replica;

typedef struct cs_verdicts {
    size_t hold, fail, open; /* claims that do, do not, cannot be told */
    size_t size;             /* on the side that is claimed, of another size */
    size_t idle;             /* not run: there are no data */
    size_t loose;            /* hold, by a bound that cannot fail */
    size_t left;             /* of the full setting alone: not judged here */
    size_t surprises;        /* not as their scenario says */
    size_t broken;           /* scenarios that failed */
} cs_verdicts;

typedef struct cs_replicate_head {
    const char *what; /* the paper, or "" */
    bool quick;
    size_t scenarios, done;    /* to be run; in the end, that were */
    const char *const *absent; /* [n_absent] what has no scenario */
    size_t n_absent;
} cs_replicate_head;

/* A format: what comes first, what a scenario adds, and the end. */
typedef struct cs_replicate_format {
    const char *name, *suffix;
    void (*head)(cs_page *p, const cs_replicate_head *h);
    void (*one)(cs_page *p, const cs_replica *r, size_t i);
    void (*tail)(cs_page *p, const cs_replicate_head *h, const cs_verdicts *v);
} cs_replicate_format;

/* Format number i, NULL past the last: text, markdown, json. */
const cs_replicate_format *cs_replicate_format_at(size_t i);

/* Adds the verdicts of a scenario. */
void cs_replicate_count(const cs_replica *r, cs_verdicts *v);
