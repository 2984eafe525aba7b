/* What `chainscope sbc` found: ranks of quantities, whether they are uniform, as
 * text, Markdown, HTML, SVG or JSON. */
#pragma once

#include "base/page.h"
#include "base/status.h"
#include "stat/uniformity.h"

#include <stdbool.h>
#include <stddef.h>

/* A quantity of an arm. */
typedef struct cs_sbc_row {
    char arm[64], quantity[64];
    double *rank; /* [n] [own] */
    size_t n;
    double effective; /* draws, the mean over replicates */
    double used;      /* draws that a rank was found among, the mean */
    size_t poor;      /* replicates with too few of them to tell much */
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
    size_t replicates, failed; /* data sets; runs of them that failed */
    char failure[300];         /* of the first of these */
    size_t draws;              /* that ranks are among, at most */
    double level;              /* pointwise, of the bands */
    cs_sbc_row *row;           /* [rows] [own] */
    size_t rows;
} cs_sbc;

void cs_sbc_fini(cs_sbc *s);

/* Works out what the rows say. False: no memory. */
bool cs_sbc_judge(cs_sbc *s);

/* Of one arm: nobody can tell where more than one replicate of twenty has too few
 * effective draws, or failed; else it fails where the least p of its quantities,
 * times how many there are (Bonferroni), is below CS_SBC_LEVEL. *p: that
 * product. */
#define CS_SBC_LEVEL 0.01
cs_sbc_verdict cs_sbc_verdict_of(const cs_sbc *s, const char *arm, double *p);

typedef struct cs_sbc_format {
    const char *name, *suffix;
    cs_status (*put)(const cs_sbc *s, cs_page *p, cs_error *err);
} cs_sbc_format;

/* Format number i, NULL past the last; the first is text. */
const cs_sbc_format *cs_sbc_format_at(size_t i);
