/* Finds where the draws of two runs first differ. */
#pragma once

#include "io/draw_files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_draws_differ {
    bool known;         /* true if both runs have files of this arm */
    bool other_columns; /* true if the files have no quantity in common, so that
                         * no draw was compared */
    size_t shared; /* number of quantities that were compared, since the files
                    * have different quantities; 0: all */
    bool unplaced; /* true if no draw was compared, because one run was
                         * resumed and the position of its draws is unknown */
    bool differ;   /* false: all common draws are equal bit for bit */
    /* draw: the earliest draw that differs; chain: the chain to which it
     * belongs; both are counted from 1 */
    uint64_t draw, chain;
    uint64_t step; /* step of this draw, counted from the end of the
                    * warm-up */
    /* number of draws per chain that one run lacks because it started later */
    uint64_t before;
    uint64_t same; /* number of equal draws, the minimum over chains */
    size_t chains; /* number of chains that are in both runs */
    size_t alone;  /* number of chains in only one of the runs */
} cs_draws_differ;

/* Returns true if any draws were compared. */
static inline bool cs_draws_compared(const cs_draws_differ *d)
{
    return d->known && !d->other_columns && !d->unplaced &&
           (d->differ || d->same > 0);
}

/* Compares the draws of arm `name` in the folders a and b. */
cs_status cs_draws_compare(const cs_draw_folder *a, const cs_draw_folder *b,
                           const char *name, cs_draws_differ *d, cs_error *err);
