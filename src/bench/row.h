/* One figure of the bench, and how it is printed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The requirement on a figure: a ratio to the peer, a share of the limit, an
 * upper or a lower bound. */
typedef enum cs_bench_ask {
    CS_ASK_RATIO,
    CS_ASK_SHARE,
    CS_ASK_MOST,
    CS_ASK_LEAST
} cs_bench_ask;

/* Figures that a case has not are NAN. */
typedef struct cs_bench_row {
    const char *id, *title, *unit;
    double ours, peer;
    double ratio; /* median of peer / ours, round by round */
    double draws; /* the random numbers of `ours` by themselves */
    double limit; /* what the machine allows */
    cs_bench_ask ask;
    double must;
} cs_bench_row;

/* A row that has nothing yet. */
cs_bench_row cs_bench_row_of(const char *id, const char *title,
                             const char *unit);

/* Lines beside a text; comma-separated; one object of JSON, whose "rows" have
 * all fields of a row, null where a case has none. */
typedef enum cs_bench_format {
    CS_BENCH_TEXT,
    CS_BENCH_CSV,
    CS_BENCH_JSON
} cs_bench_format;

typedef struct cs_bench_count {
    size_t rows;
    size_t missed;        /* ratios to a peer below their bar */
    char cases[400];      /* their ids: "B02a, W1a" */
    const char *left_out; /* the beginning of rows that take minutes, or NULL */
} cs_bench_count;

/* The selection of cases and the output format. */
enum { CS_BENCH_ROUNDS = 31 };
typedef struct cs_bench_plan {
    size_t rounds;           /* 1 .. CS_BENCH_ROUNDS turns of ours and the
                                peer's */
    const char *const *name; /* [n_names] the beginnings of the cases wanted;
                                none: all */
    size_t n_names;
    double gflops; /* of double precision that the processor can do at most:
                      cs_bench_main finds it */
    cs_bench_format format;
    cs_bench_count *count; /* of what was printed */
} cs_bench_plan;

/* Text before and after the rows. */
void cs_bench_head(const cs_bench_plan *plan);
void cs_bench_tail(const cs_bench_plan *plan);

/* Prints the row with its requirement on the instruction set in use: `must` is
 * that of AVX-512; row.c has AVX2's where it differs. Plain C has no
 * requirement. */
void cs_bench_print(const cs_bench_row *row, const cs_bench_plan *plan);

/* The median; sorts values[n]. */
double cs_bench_median(double *values, size_t n);
