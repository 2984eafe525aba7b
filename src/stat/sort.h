/* Numbers in ascending order, with where they came from. */
#pragma once

#include <stddef.h>

typedef struct cs_sort_place {
    double value;
    size_t at;
} cs_sort_place;

/* Sorts upwards, equal values in the order they came; NaN go last. In time
 * that grows with n alone (by digits), or by comparisons where memory is
 * short. */
void cs_sort_places(cs_sort_place *place, size_t n);
