/* What a probe, or the kernel, of an arm has reported: made for whoever looks,
 * or found among reports that were made already. */
#ifndef CS_RUN_REPORT_VIEW_H
#define CS_RUN_REPORT_VIEW_H

#include "run/run.h"

typedef struct cs_look {
    unsigned char *memory; /* [own], NULL: it was told, or memory was wanting */
    cs_flat flat;
    char prefix[48];
} cs_look;

/* `told`: reports under "arm/<i>/<probe>/", NULL: none yet. End it with
 * cs_look_end. */
cs_look cs_look_at(cs_run *run, size_t arm, const char *probe,
                   const cs_flat *told);
bool cs_look_for(const cs_look *l, const char *key, cs_flat_entry *e);
void cs_look_end(cs_look *l);

#endif
