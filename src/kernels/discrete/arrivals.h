/* Draws k of n items without replacement, one after another, with given
 * weights. Item i arrives after an exponential time of rate w_i; the first k
 * items to arrive are drawn, in the order of their arrival. Item i is the first
 * with probability w_i / sum w. The next item is distributed in this way among
 * the remaining items, and so on. */
#pragma once

#include <stddef.h>

/* Restores the heap order (latest arrival on top) after the item at `top` was
 * replaced. time[] and heap[] have a stride of `by`. */
static inline void cs_arrivals_sink(const double *time, size_t by, size_t top,
                                    size_t n, double *heap)
{
#define CS_TIME(k) time[(size_t)heap[(k)*by] * by]
    double place = heap[top * by], its = time[(size_t)place * by];
    size_t at = top;
    for (size_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && CS_TIME(child) < CS_TIME(child + 1))
            child++;
        if (!(its < CS_TIME(child)))
            break;
        heap[at * by] = heap[child * by];
        at = child;
    }
    heap[at * by] = place;
#undef CS_TIME
}

/* Fills first[k] with the indices of the k smallest elements of time[n], in
 * increasing order of time; k <= n. */
static inline void cs_arrivals(const double *time, size_t by, size_t n,
                               size_t k, double *first)
{
    for (size_t j = 0; j < k; j++)
        first[j * by] = (double)j;
    for (size_t j = k / 2; j-- > 0;)
        cs_arrivals_sink(time, by, j, k, first);
    for (size_t i = k; k && i < n; i++)
        if (time[i * by] < time[(size_t)first[0] * by]) {
            first[0] = (double)i;
            cs_arrivals_sink(time, by, 0, k, first);
        }
    for (size_t end = k; end-- > 1;) {
        double last = first[0];
        first[0] = first[end * by];
        first[end * by] = last;
        cs_arrivals_sink(time, by, 0, end, first);
    }
}
