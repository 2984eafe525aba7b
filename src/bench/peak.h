/* The multiply-adds that the processor can do at most. */
#pragma once

/* GFLOP/s of multiply-adds on registers, that no product can pass: the best
 * of some tries; 0 without vectors. */
double cs_bench_peak(void);
