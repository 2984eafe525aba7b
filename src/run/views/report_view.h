/* A report on an arm by a probe or kernel. It is made on demand or found among
 * existing reports. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_report_view {
    unsigned char *memory; /* [own]; NULL: an existing report, or no memory */
    cs_flat flat;
    char prefix[48];
} cs_report_view;

/* Opens a report. `reported` contains existing reports under
 * "arm/<i>/<probe>/"; NULL: none. Close it with cs_report_view_close. */
cs_report_view cs_report_view_open(cs_run *run, size_t arm, const char *probe,
                                   const cs_flat *reported);
bool cs_report_view_find(const cs_report_view *l, const char *key,
                         cs_flat_entry *e);
void cs_report_view_close(cs_report_view *l);
