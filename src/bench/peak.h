/* Peak rate of multiply-adds of the processor. */
#pragma once

/* Returns the peak rate of multiply-adds between registers in GFLOP/s, the best
 * of several tries. No matrix product can exceed this rate. Returns 0 if the
 * processor has no vector instructions. */
double cs_bench_peak(void);
