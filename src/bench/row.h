/* One result of the bench, and how it is printed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Kind of requirement: a ratio to the peer, a fraction of the limit, an upper
 * bound, or a lower bound. */
typedef enum cs_bench_ask {
    CS_ASK_RATIO,
    CS_ASK_SHARE,
    CS_ASK_MOST,
    CS_ASK_LEAST
} cs_bench_ask;

/* One row. Results that a case does not have are NAN. */
typedef struct cs_bench_row {
    const char *id, *title, *unit;
    double ours, peer;
    double ratio; /* median over rounds of peer / ours */
    double draws; /* time that the random numbers take in `ours` */
    double limit; /* smallest possible time, or largest possible rate, on this
                   * machine */
    cs_bench_ask ask;
    double must;
} cs_bench_row;

/* Returns a row without results. */
cs_bench_row cs_bench_row_of(const char *id, const char *title,
                             const char *unit);

/* Output formats: aligned lines with a heading; CSV; one JSON object. In the
 * JSON object, the member "rows" has all fields of each row; a missing result
 * is null. */
typedef enum cs_bench_format {
    CS_BENCH_TEXT,
    CS_BENCH_CSV,
    CS_BENCH_JSON
} cs_bench_format;

typedef struct cs_bench_count {
    size_t rows;
    size_t missed;        /* number of ratios to a peer that are below the
                           * requirement */
    char cases[400];      /* ids of the rows that miss the requirement, for
                           * example "B02a, W1a" */
    const char *left_out; /* prefix of the skipped rows that take minutes, or
                           * NULL */
} cs_bench_count;

/* Maximum number of rounds. */
enum { CS_BENCH_ROUNDS = 31 };
/* The cases that are selected, and the output format. */
typedef struct cs_bench_plan {
    size_t rounds;           /* number of rounds, 1 .. CS_BENCH_ROUNDS; each
                              * round runs our code and the peer's */
    const char *const *name; /* [n_names] prefixes of the selected ids; none:
                              * all cases */
    size_t n_names;
    double gflops; /* peak double-precision GFLOP/s of the processor; set by
                    * cs_bench_main */
    cs_bench_format format;
    cs_bench_count *count; /* counts of the printed rows */
} cs_bench_plan;

/* Print the text before the rows and the text after the rows. */
void cs_bench_head(const cs_bench_plan *plan);
void cs_bench_tail(const cs_bench_plan *plan);

/* Prints the row with its requirement for the instruction set in use. `must` is
 * the requirement for AVX-512. If the requirement for AVX2 differs, row.c lists
 * it. Plain C has no requirement. */
void cs_bench_print(const cs_bench_row *row, const cs_bench_plan *plan);

/* Returns the median. Sorts values[n]. */
double cs_bench_median(double *values, size_t n);
