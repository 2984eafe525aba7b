/* B04: an Ising model at its critical point, resampled in bits; wide: ten thousand
 * sites and a thousand chains. */
#ifndef CS_BENCH_LATTICE_H
#define CS_BENCH_LATTICE_H

#include "bench/cases.h"

cs_status cs_bench_lattice(const cs_bench_plan *plan, cs_error *err);

#endif
