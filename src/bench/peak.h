/* Peak rate of multiply-adds of the processor. */
#pragma once

/* Returns the peak rate of multiply-adds on registers, in GFLOP/s, the best of
 * several tries. No matrix product can exceed it. Returns 0 without vector
 * instructions. */
double cs_bench_peak(void);
