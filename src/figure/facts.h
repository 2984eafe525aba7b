/* Facts: named entries about a run and its arms, namely the numbers of an arm
 * and the reports of its probes. Figures are computed only from facts. The same
 * code therefore works for an open run (run/run_facts.h), with all of its
 * chains or a sample of them, and for a published table (cs_facts_of_table). */
#pragma once

#include "base/flat_index.h"
#include "base/status.h"

/* Passed instead of an arm: the entry belongs to the run. */
#define CS_FACTS_RUN ((size_t)-1)

/* The first number of a quantity that a script computes from the draws; smaller
 * numbers are coordinates. Only the facts of an open run have such quantities. */
enum { CS_FACTS_DERIVED = 1 << 30 };

/* An arm has numbers under the names of its kinds of work (gradients, seconds
 * ...) and under "chains", "group", "steps" (of one chain) and "warm_up".
 * Reports of probes are under "PROBE/...". If the facts are about a sample of
 * the chains, these numbers are for the sample. */
typedef struct cs_facts cs_facts;
struct cs_facts {
    /* Finds an arm's entry under `key`. The entry is valid until the facts are
     * freed. Returns false if there is no such entry. */
    bool (*find)(const cs_facts *f, size_t arm, const char *key,
                 cs_flat_entry *entry);
    void *self; /* private data of the implementation [borrowed]; may be NULL */
    size_t arms;
    cs_error *err; /* receives errors in queries [borrowed]; may be NULL */
};

/* Returns the first number of an entry, or `fallback` if there is no such
 * entry. */
double cs_fact(const cs_facts *f, size_t arm, double fallback, const char *key,
               ...) __attribute__((format(printf, 4, 5)));
/* Returns the text of an entry, or "" if there is no such entry. */
const char *cs_fact_text(const cs_facts *f, size_t arm, const char *key);
/* Returns the array of an entry and its shape, or NULL if there is no such
 * entry. */
const double *cs_fact_array(const cs_facts *f, size_t arm, size_t *rows,
                            size_t *cols, const char *key, ...)
    __attribute__((format(printf, 5, 6)));
/* Returns the array of an entry with n rows of `cols` numbers. Returns NULL and
 * sets *n = 0 if no entry has that width. */
const double *cs_fact_rows(const cs_facts *f, size_t arm, size_t cols,
                           size_t *n, const char *key, ...)
    __attribute__((format(printf, 5, 6)));
#define CS_FACT_ROWS(f, arm, type, n, ...)                                     \
    ((const type *)(const void *)cs_fact_rows(                                 \
        f, arm, sizeof(type) / sizeof(double), n, __VA_ARGS__))

/* Copies word number i of a blank-separated list into out[size]. Returns false
 * past the last word. */
bool cs_fact_word(const char *words, size_t i, char *out, size_t size);

/* Facts in a flat table. Entries of the run are under "run/KEY", entries of arm
 * i under "arm/i/KEY". The index may be NULL. */
typedef struct cs_table_facts {
    cs_facts facts; /* must be the first member */
    const unsigned char *base;
    size_t used;
    const cs_flat_index *index;
} cs_table_facts;
cs_table_facts cs_facts_of_table(const unsigned char *base, size_t used,
                                 const cs_flat_index *index);

/* A row of "tally": one chain of the sample. */
typedef struct cs_row_tally {
    double steps, accepted, moved;
    double divergent, not_finite; /* numbers of such steps */
    double ebfmi;                 /* NAN: unknown */
    double failed;                /* 1: the chain has stopped */
} cs_row_tally;

/* A row of "predictions": scores of a prediction for held-out data. The
 * prediction is the average over a chain's kept draws. */
typedef struct cs_row_predictions {
    double rmse, accuracy, log_score;
} cs_row_predictions;
