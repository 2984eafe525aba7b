#include "run/views/report_view.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/views/reports.h"

#include <stdio.h>

enum { REPORT = 1 << 20, COORDINATE = 256 };

cs_report_view cs_report_view_open(cs_run *run, size_t arm, const char *probe,
                                   const cs_flat *reported)
{
    cs_report_view l = {.memory = NULL};
    size_t shown = cs_target_shown(cs_run_target(run));
    size_t bytes = REPORT + COORDINATE * shown;
    if (reported) {
        l.flat = *reported;
        snprintf(l.prefix, sizeof l.prefix, "arm/%zu/%s/", arm, probe);
        return l;
    }
    size_t capacity = 0; /* not zeroed, since reports fill only a part */
    if (CS_EXTEND(l.memory, 0, capacity, bytes))
        cs_flat_begin(&l.flat, l.memory, bytes);
    if (l.memory && !cs_run_report_one(run, arm, probe, "", &l.flat))
        l.flat.used = 0;
    return l;
}

bool cs_report_view_find(const cs_report_view *l, const char *key,
                         cs_flat_entry *e)
{
    return l->flat.base &&
           cs_flat_find(l->flat.base, l->flat.used, e, "%s%s", l->prefix, key);
}

void cs_report_view_close(cs_report_view *l)
{
    cs_free(l->memory);
    *l = (cs_report_view){.memory = NULL};
}
