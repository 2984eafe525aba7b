/* Reads the summary.json of a run's folder. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stddef.h>

enum { CS_SAVED_NAME = 208 };

/* Summary statistics of a quantity; unknown values are NAN. */
typedef struct cs_saved_figure {
    char name[CS_SAVED_NAME];
    double mean, sd, mcse, rhat, ess_bulk;
} cs_saved_figure;

typedef struct cs_saved_arm_summary {
    char name[CS_SAVED_NAME], kernel[CS_SAVED_NAME];
    double chains, steps, log_densities, gradients, accepted;
    cs_saved_figure *figure; /* [n] statistics of the quantities [own] */
    size_t n, capacity;
} cs_saved_arm_summary;

typedef struct cs_saved_summary {
    char target[CS_SAVED_NAME];
    double seed;
    cs_page provenance, changes; /* lines of text [own]; text NULL: missing */
    cs_saved_arm_summary *arm;   /* [n] the arms [own] */
    size_t n, capacity;
} cs_saved_summary;

/* Reads the summary of `folder`. Call cs_saved_summary_free afterwards, also
 * after a failure. */
cs_status cs_saved_summary_read(const char *folder, cs_saved_summary *s,
                                cs_error *err);
void cs_saved_summary_free(cs_saved_summary *s);

/* cs_saved_arm_of returns the arm that has the given name. cs_saved_figure_of
 * returns the quantity of an arm; this quantity has the given name. Both
 * searches start at number `near`. Both functions return NULL if the name does
 * not exist. */
const cs_saved_arm_summary *cs_saved_arm_of(const cs_saved_summary *s,
                                            const char *name, size_t near);
const cs_saved_figure *cs_saved_figure_of(const cs_saved_arm_summary *a,
                                          const char *name, size_t near);
