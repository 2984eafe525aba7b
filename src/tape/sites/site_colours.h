/* Colours of sites: the sites of one colour share no term of the log density, so
 * that they are independent given all other coordinates (Besag, Spatial
 * interaction and the statistical analysis of lattice systems, 1974). */
#pragma once

#include "tape/sparsity.h"

typedef struct cs_site_colours {
    uint32_t *site; /* [end[n - 1]] sites, colour by colour, in ascending order
                       within a colour [own] */
    size_t *end;    /* [n] end of each colour in `site` [own] */
    size_t n; /* 0: no colours, because finding them would take too long */
} cs_site_colours;

/* Finds colours of all coordinates with a range or, without ranges, of all
 * coordinates. A colour is divided if its sites have several ranges. Each site
 * in turn gets the first colour that no earlier site has with which it shares a
 * term. Returns false if out of memory. */
bool cs_site_colours_find(const cs_sparsity *c, cs_site_colours *out);
void cs_site_colours_free(cs_site_colours *k);
