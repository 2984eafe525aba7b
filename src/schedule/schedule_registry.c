/* The list of schedules: schedules.def. A schedule is cold, so it is built
 * once, for the base instruction set. */
#include "schedule/schedule.h"

#include <string.h>

#define CS_SCHEDULE(name, file)                                                \
    extern const cs_schedule_type cs_schedule_##name##_base;
#include "schedule/schedules.def"
#undef CS_SCHEDULE

static const cs_schedule_type *const table[] = {
#define CS_SCHEDULE(name, file) &cs_schedule_##name##_base,
#include "schedule/schedules.def"
#undef CS_SCHEDULE
    NULL};

const cs_schedule_type *cs_schedule_at(size_t i)
{
    size_t n = sizeof table / sizeof *table - 1;
    return i < n ? table[i] : NULL;
}

const cs_schedule_type *cs_schedule_find(const char *name)
{
    for (size_t i = 0; table[i]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}
