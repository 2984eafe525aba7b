/* Ranks computed so far by simulation-based calibration. */
#pragma once

#include <stddef.h>

enum { CS_CALIBRATIONS = 500, CS_CALIBRATED_ROWS = 24 };

/* The ranks of one quantity of one arm. */
typedef struct cs_calibrated_row {
    char arm[48], quantity[48];
    size_t n;
    double rank[CS_CALIBRATIONS];
} cs_calibrated_row;

typedef struct cs_calibrated {
    /* n: data sets done; of: data sets requested, 0 if none */
    size_t n, of;
    double left; /* seconds until all data sets are done; NAN: not known */
    /* number of draws among which a true value is ranked; the largest over
     * the data sets */
    size_t draws;
    size_t rows;
    cs_calibrated_row row[CS_CALIBRATED_ROWS];
} cs_calibrated;
