/* Sorts numbers in ascending order together with their original indices. */
#pragma once

#include <stddef.h>

typedef struct cs_sort_place {
    double value;
    size_t at;
} cs_sort_place;

/* Sorts in ascending order; equal values keep their order, and NaN values are
 * last. Uses a radix sort in time proportional to n, or comparisons if memory
 * is short. */
void cs_sort_places(cs_sort_place *place, size_t n);
