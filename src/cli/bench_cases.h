/* The figures of the bench. */
#ifndef CS_CLI_BENCH_CASES_H
#define CS_CLI_BENCH_CASES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_BENCH_ROUNDS = 31 };

typedef struct cs_bench_plan {
    size_t rounds;           /* 1 .. CS_BENCH_ROUNDS turns of ours and the
                                peer's */
    const char *const *name; /* [n_names] the beginnings of the cases wanted;
                                none: all */
    size_t n_names;
    bool csv;
} cs_bench_plan;

/* Whether one of the names is the beginning of this id; no names: all. */
bool cs_bench_wants(const cs_bench_plan *plan, const char *id);

/* Measures and prints the cases. Fails when one cannot be run; a figure that
 * misses what is asked of it is no failure. */
cs_status cs_bench_main(const cs_bench_plan *plan, cs_error *err);

#endif
