/* Finds where the draws of two runs first differ. */
#pragma once

#include "io/draw_files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_draws_differ {
    bool known;           /* both runs have files of this arm */
    bool other_columns;   /* the quantities differ: no draw was compared */
    bool unplaced;        /* one run was resumed and the numbers of its draws
                         * are unknown: none was compared */
    bool differ;          /* else all common draws are equal bit for bit */
    uint64_t draw, chain; /* the earliest differing draw, from 1; its chain */
    uint64_t step;        /* after the warm-up */
    uint64_t before; /* draws of a chain that one run lacks since it started
                      * later */
    uint64_t same;   /* draws equal in every chain, at least */
    size_t chains;   /* chains in both runs, compared by number */
    size_t alone;    /* chains in only one of the runs */
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
