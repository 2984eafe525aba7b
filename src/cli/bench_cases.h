/* The figures of the bench. */
#ifndef CS_CLI_BENCH_CASES_H
#define CS_CLI_BENCH_CASES_H

#include <stddef.h>

/* Prints every case (or those whose id starts with `only`, not NULL), each
 * over `rounds` (1..31, else 7) turns of ours and the peer's. Returns the exit
 * code: 0 measured, 1 a case could not run. */
int cs_bench_main(size_t rounds, const char *only);

#endif
