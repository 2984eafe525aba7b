/* The tables of rows, one per file. */
#pragma once

#include "density/density.h"

extern const cs_density_family cs_density_line;     /* on all real numbers */
extern const cs_density_family cs_density_positive; /* on positive numbers */
extern const cs_density_family cs_density_bounded;  /* on an interval */
extern const cs_density_family cs_density_counts;
extern const cs_density_family cs_density_categories;
extern const cs_density_family cs_density_multivariate;
extern const cs_density_family cs_density_helpers;
