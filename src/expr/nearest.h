/* The element that an index selects. */
#pragma once

#include <stddef.h>

/* Returns the number from 0 of the element that an index from 1 selects; an
 * index outside 1 .. size selects the nearest element. */
static inline __attribute__((always_inline)) size_t
cs_nearest_element(double index, size_t size)
{
    return index >= 1 ? (index < (double)size ? (size_t)index - 1 : size - 1)
                      : 0;
}
