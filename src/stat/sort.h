/* Sorts numbers in ascending order together with their original indices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_sort_place {
    double value;
    size_t at;
} cs_sort_place;

/* Sorts in ascending order; equal values keep their order, and NaN values are
 * last. Uses a radix sort in time proportional to n, or comparisons if memory
 * is short. */
void cs_sort_places(cs_sort_place *place, size_t n);

/* Draws in ascending order: value[i] is draw number at[i]. */
typedef struct cs_sort_order {
    double *value; /* [n] [borrowed] */
    uint32_t *at;  /* [n] [borrowed] */
    size_t n;
} cs_sort_order;

/* Sorts x[o->n], which must be finite, into o; equal values keep their order.
 * Sorts by a rounded value, and then repairs the order of values that are
 * rounded to the same number: takes a fraction of the time of cs_sort_places.
 * scratch[2 o->n] is scratch memory. Returns false if memory is short or n is
 * above 2^32 - 1. */
bool cs_sort_order_of(const double *x, cs_sort_order *o, double *scratch);
