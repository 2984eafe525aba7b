#include "run/report_view.h"

#include "base/memory.h"

#include <stdio.h>

enum { REPORT = 1 << 20, COORDINATE = 256 };

cs_look cs_look_at(cs_run *run, size_t arm, const char *probe,
                   const cs_flat *told)
{
    cs_look l = {.memory = NULL};
    size_t shown = cs_target_shown(cs_run_target(run));
    size_t bytes = REPORT + COORDINATE * shown;
    if (told) {
        l.flat = *told;
        snprintf(l.prefix, sizeof l.prefix, "arm/%zu/%s/", arm, probe);
        return l;
    }
    l.memory = cs_alloc(1, bytes);
    if (l.memory)
        cs_flat_begin(&l.flat, l.memory, bytes);
    if (l.memory && !cs_run_report_one(run, arm, probe, "", &l.flat))
        l.flat.used = 0;
    return l;
}

bool cs_look_for(const cs_look *l, const char *key, cs_flat_entry *e)
{
    return l->flat.base &&
           cs_flat_find(l->flat.base, l->flat.used, e, "%s%s", l->prefix, key);
}

void cs_look_end(cs_look *l)
{
    cs_free(l->memory);
    *l = (cs_look){.memory = NULL};
}
