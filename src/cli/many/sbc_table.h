/* Prints the results of `chainscope sbc`, the ranks of quantities and tests of
 * their uniformity, as text, Markdown, HTML, SVG or JSON. */
#pragma once

#include "base/page.h"
#include "base/status.h"
#include "stat/uniformity.h"

#include <stdbool.h>
#include <stddef.h>

/* Ranks of a quantity of an arm. */
typedef struct cs_sbc_row {
    char arm[64], quantity[64];
    double *rank; /* [n] rank in each replicate [own] */
    size_t n;
    double effective; /* effective number of draws, mean over replicates */
    double used;      /* number of draws among which the rank of a parameter is
                       * computed, mean over replicates */
    size_t poor;      /* number of replicates with too few effective draws */
    bool known;
    cs_uniformity u;
} cs_sbc_row;

typedef enum cs_sbc_verdict {
    CS_SBC_HOLDS,
    CS_SBC_FAILS,
    CS_SBC_OPEN
} cs_sbc_verdict;

typedef struct cs_sbc {
    const char *file;
    size_t replicates, failed; /* number of data sets, and of failed runs */
    char failure[300];         /* reason why the first failed run failed */
    size_t draws;              /* largest number of draws among which a rank is
                                * computed */
    double level;              /* pointwise level of the confidence bands */
    cs_sbc_row *row;           /* [rows] the quantities [own] */
    size_t rows;
} cs_sbc;

void cs_sbc_fini(cs_sbc *s);

/* Tests the ranks of every row for uniformity. Returns false if memory runs
 * out. */
bool cs_sbc_judge(cs_sbc *s);

#define CS_SBC_LEVEL 0.01

/* Returns the verdict for one arm. *p is set to the smallest p-value of the
 * arm's quantities times the number of quantities (Bonferroni). The verdict is
 * undecided if more than one in twenty replicates failed or has too few
 * effective draws. Otherwise the arm fails if *p is below CS_SBC_LEVEL. */
cs_sbc_verdict cs_sbc_verdict_of(const cs_sbc *s, const char *arm, double *p);

typedef struct cs_sbc_format {
    const char *name, *suffix;
    cs_status (*put)(const cs_sbc *s, cs_page *p, cs_error *err);
} cs_sbc_format;

/* Returns format number i, or NULL past the last format. Format 0 is text. */
const cs_sbc_format *cs_sbc_format_at(size_t i);
