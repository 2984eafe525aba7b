/* Families of sites: sites whose terms are computed by the same operations,
 * from other coordinates and other constants. A family has one program, and
 * each of its sites has its own inputs: coordinates, and the constants that
 * differ in the family. */
#pragma once

#include "tape/sparsity.h"

/* The terms of one site as words: operations, positions of arguments, factors,
 * but not the values of constants. Two sites with equal words differ in inputs
 * and constants only. */
typedef struct cs_site_shape {
    uint64_t *word; /* [n] */
    size_t n;
    double *constant; /* [n_constants] values of constants, in order */
    size_t n_constants;
} cs_site_shape;

typedef struct cs_site_family {
    cs_site_shape shape; /* the shape of the first site [own] */
    uint64_t hash;
    uint32_t first; /* first site of the family */
    size_t sites;
    bool *varies; /* [n_constants] [own] constants that differ */
} cs_site_family;

/* All families that were found, in a hash table. */
typedef struct cs_site_families {
    cs_site_family *item; /* [n] [own] */
    size_t n, capacity;
    uint32_t *table; /* [table_capacity] [own] 1 + index in `item`; 0: empty */
    size_t table_capacity;
} cs_site_families;

/* Enters a site. *family is the index of its family. A new shape is copied; the
 * family of a known shape marks the constants that differ. Returns false if out
 * of memory. */
bool cs_site_families_enter(cs_site_families *f, uint32_t site,
                            const cs_site_shape *shape, uint32_t *family);
void cs_site_families_free(cs_site_families *f);
