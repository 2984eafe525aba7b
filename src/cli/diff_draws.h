/* Where the files of draws of two runs begin to differ. */
#pragma once

#include "io/draw_files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_draws_differ {
    bool known;         /* both have files of this arm */
    bool other_columns; /* ... with other quantities: no draw was compared */
    bool unplaced;      /* ... begun on the way, of whose draws it is not known
                           which they are: none was compared */
    bool differ;        /* else all that both have are the same bits */
    uint64_t draw,
        chain;       /* the earliest that differs, from 1; of which chain */
    uint64_t step;   /* after the warm-up */
    uint64_t before; /* draws of a chain that one of them has not: it was begun
                        later */
    uint64_t same;   /* the draws of a chain that are the same at least */
    size_t chains;   /* compared: those of one number */
    size_t alone;    /* that one of them has, and the other has not */
} cs_draws_differ;

/* Whether any draw was held against another. */
static inline bool cs_draws_compared(const cs_draws_differ *d)
{
    return d->known && !d->other_columns && !d->unplaced &&
           (d->differ || d->same > 0);
}

/* Of the arm `name` in the folders a and b. */
cs_status cs_draws_compare(const cs_draw_folder *a, const cs_draw_folder *b,
                           const char *name, cs_draws_differ *d, cs_error *err);
