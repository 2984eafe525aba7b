/* Ranks that simulation-based calibration has found so far. */
#pragma once

#include <stddef.h>

enum { CS_CALIBRATIONS = 500, CS_CALIBRATED_ROWS = 24 };

/* A quantity of an arm. */
typedef struct cs_calibrated_row {
    char arm[48], quantity[48];
    size_t n;
    double rank[CS_CALIBRATIONS];
} cs_calibrated_row;

typedef struct cs_calibrated {
    size_t n, of; /* so many of how many are done; of 0: none are wanted */
    double left;  /* seconds until all are done, NAN: not known */
    size_t draws; /* that ranks are among, at most */
    size_t rows;
    cs_calibrated_row row[CS_CALIBRATED_ROWS];
} cs_calibrated;
