/* The tables of rows, one per file. */
#pragma once

#include "density/density.h"

extern const cs_density_family cs_density_line;     /* on all real numbers */
extern const cs_density_family cs_density_positive; /* on positive numbers */
extern const cs_density_family cs_density_bounded;  /* on an interval */
extern const cs_density_family cs_density_counts;
extern const cs_density_family cs_density_categories;
extern const cs_density_family cs_density_multivariate;
extern const cs_density_family cs_density_spatial;
extern const cs_density_family
    cs_density_cumulative; /* distribution functions */
extern const cs_density_family cs_density_complements; /* their complements */
extern const cs_density_family cs_density_math;
extern const cs_density_family cs_density_helpers;
extern const cs_density_family cs_density_tails;
