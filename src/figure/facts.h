/* What is known of a run and its arms, as entries with names: the numbers of an
 * arm and the reports of its probes. Figures are found from facts alone, so that
 * the same code serves a run that is open (run/facts.h), all of its chains or a
 * sample of them, and a table that was published (cs_facts_of_table). */
#pragma once

#include "base/flat_index.h"
#include "base/status.h"

/* In the place of an arm: of the run itself, and no arm at all. */
#define CS_FACTS_RUN ((size_t)-1)

/* Numbers of an arm have its work as keys (gradients, seconds ...) beside
 * "chains", "group", "steps" (of one chain), "warm_up"; reports of probes are
 * under "PROBE/...". Of a sample of chains numbers are what is due to them. */
typedef struct cs_facts cs_facts;
struct cs_facts {
    /* The entry under `key` of an arm, which stays until the facts end; false:
     * there is none. */
    bool (*find)(const cs_facts *f, size_t arm, const char *key,
                 cs_flat_entry *entry);
    void *self; /* the maker's own [borrowed]; NULL allowed */
    size_t arms;
    cs_error *err; /* what is wrong with a question [borrowed]; NULL allowed */
};

/* The first number of an entry; `fallback` where there is none. */
double cs_fact(const cs_facts *f, size_t arm, double fallback, const char *key,
               ...) __attribute__((format(printf, 4, 5)));
/* "" where there is none. */
const char *cs_fact_text(const cs_facts *f, size_t arm, const char *key);
/* The array with its shape; NULL where there is none. */
const double *cs_fact_array(const cs_facts *f, size_t arm, size_t *rows,
                            size_t *cols, const char *key, ...)
    __attribute__((format(printf, 5, 6)));
/* The rows of `cols` numbers, NULL (and *n = 0) where there are none of that
 * width. */
const double *cs_fact_rows(const cs_facts *f, size_t arm, size_t cols,
                           size_t *n, const char *key, ...)
    __attribute__((format(printf, 5, 6)));
#define CS_FACT_ROWS(f, arm, type, n, ...)                                     \
    ((const type *)(const void *)cs_fact_rows(                                 \
        f, arm, sizeof(type) / sizeof(double), n, __VA_ARGS__))

/* Word number i of a text of words, into out[size]; false past the last. */
bool cs_fact_word(const char *words, size_t i, char *out, size_t size);

/* Facts that lie in a table: of the run under "run/KEY", of arm i under
 * "arm/i/KEY". The index may be NULL. */
typedef struct cs_table_facts {
    cs_facts facts; /* the first member */
    const unsigned char *base;
    size_t used;
    const cs_flat_index *index;
} cs_table_facts;
cs_table_facts cs_facts_of_table(const unsigned char *base, size_t used,
                                 const cs_flat_index *index);

/* "tally": a chain that counts. */
typedef struct cs_row_tally {
    double steps, accepted, moved;
    double divergent, not_finite; /* steps */
    double ebfmi;                 /* NAN: not known */
    double failed;                /* 1: the chain has stopped */
} cs_row_tally;

/* "predictions": what the mean of a chain's kept draws predicts. */
typedef struct cs_row_predictions {
    double rmse, accuracy, log_score;
} cs_row_predictions;
