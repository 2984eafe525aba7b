/* The machine's multiply-adds, and what a product of ours makes of them. */
#ifndef CS_BENCH_PRODUCT_H
#define CS_BENCH_PRODUCT_H

/* GFLOP/s of multiply-adds on registers, that no product can pass: the best
 * of some tries; 0 without vectors. */
double cs_bench_peak(void);

#endif
