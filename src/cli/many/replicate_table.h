/* Prints the results of `chainscope replicate`, claim by claim, as text,
 * Markdown, JSON or CSV. */
#pragma once

#include "base/page.h"

#include <stdbool.h>
#include <stddef.h>

/* A scenario whose claims were judged, or that failed. */
typedef struct cs_replica {
    const char *name, *folder, *title, *source; /* descriptions of the scenario;
                                                 * "" if unknown */
    const unsigned char *claims;                /* [size] a cs_flat table */
    size_t size;
    double seconds, seeds; /* elapsed time in s; number of seeds run */
    const char *failure;   /* reason for the failure; NULL: no failure */
} cs_replica;

typedef struct cs_verdicts {
    size_t hold, fail,
        open;         /* numbers of claims: `hold` and `fail` are decided,
                       * `open` cannot be decided */
    size_t size;      /* number of claims whose direction is right but whose
                       * size is not */
    size_t idle;      /* number of claims not tested because their data are
                       * missing */
    size_t loose;     /* number of claims that hold, but whose bound is so loose
                       * that they cannot fail */
    size_t left;      /* number of claims not judged because they are tested
                       * only in the full setting */
    size_t surprises; /* number of claims whose verdict differs from the
                       * scenario's expectation */
    size_t broken;    /* number of scenarios that failed */
} cs_verdicts;

typedef struct cs_replicate_head {
    const char *what; /* name of the paper; "": none */
    bool quick;
    size_t scenarios, done;    /* number of scenarios to run, and number of
                                * completed scenarios */
    const char *const *absent; /* [n_absent] results of the paper without a
                                * scenario */
    size_t n_absent;
} cs_replicate_head;

/* The functions of a format: print its head, the rows of a scenario, and its
 * end. */
typedef struct cs_replicate_format {
    const char *name, *suffix;
    void (*head)(cs_page *p, const cs_replicate_head *h);
    void (*one)(cs_page *p, const cs_replica *r, size_t i);
    void (*tail)(cs_page *p, const cs_replicate_head *h, const cs_verdicts *v);
} cs_replicate_format;

/* Returns format number i, or NULL past the last format. Format 0 is text. */
const cs_replicate_format *cs_replicate_format_at(size_t i);

/* Adds the verdicts of a scenario to the counts. */
void cs_replicate_count(const cs_replica *r, cs_verdicts *v);
