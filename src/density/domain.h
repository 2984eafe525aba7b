/* Domains of arguments: tests of known numbers, and conditions on nodes. */
#pragma once

#include "density/density.h"

typedef struct cs_density_domain {
    const char *name;
    const char *text; /* "above 0", for errors; NULL: any value */
    bool (*has)(double x);
    /* Returns 1 where elements are in the domain, else 0; NULL: nodes are not
     * tested. */
    cs_arg (*inside)(cs_calc *c, cs_arg x);
    const char *column; /* kind of data columns that are checked when they are
                         * read: "count", "whole", "bit" or "index" */
    bool to_1;          /* known elements sum to 1, up to rounding */
} cs_density_domain;

/* Returns the sum of a known argument, 1 if it is 1 up to rounding. */
double cs_density_sum(cs_arg x);

/* Returns the domain of this name, or NULL. */
const cs_density_domain *cs_density_domain_find(const char *name);
