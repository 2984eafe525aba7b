/* B05, B06, B14: discrete samplers on a restricted Boltzmann machine. */
#ifndef CS_BENCH_RBM_H
#define CS_BENCH_RBM_H

#include "bench/cases.h"

/* Measures and prints those that the plan wants, beside a processor that does
 * so many GFLOP/s of double precision. */
cs_status cs_bench_rbm(const cs_bench_plan *plan, double gflops, cs_error *err);

#endif
