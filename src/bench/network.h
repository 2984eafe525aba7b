/* B13: DMALA on a Bayesian network of signs. */
#ifndef CS_BENCH_NETWORK_H
#define CS_BENCH_NETWORK_H

#include "bench/cases.h"

/* Measures and prints it if the plan wants it, beside a processor that does so
 * many GFLOP/s of double precision. */
cs_status cs_bench_network(const cs_bench_plan *plan, double gflops,
                           cs_error *err);

#endif
