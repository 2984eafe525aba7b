/* What a probe, or the kernel, of an arm has reported: made for whoever looks,
 * or found among reports that were made already. */
#pragma once

#include "run/run.h"

typedef struct cs_report_view {
    unsigned char *memory; /* [own], NULL: it was told, or memory was wanting */
    cs_flat flat;
    char prefix[48];
} cs_report_view;

/* `told`: reports under "arm/<i>/<probe>/", NULL: none yet. End it with
 * cs_report_view_close. */
cs_report_view cs_report_view_open(cs_run *run, size_t arm, const char *probe,
                                   const cs_flat *told);
bool cs_report_view_find(const cs_report_view *l, const char *key,
                         cs_flat_entry *e);
void cs_report_view_close(cs_report_view *l);
