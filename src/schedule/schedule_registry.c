/* Lists the schedules of schedules.def. Schedules are not performance-critical,
 * so they are compiled only once, for the base instruction set. */
#include "base/registry.h"
#include "schedule/schedule.h"

#define CS_SCHEDULE(name, file)                                                \
    extern const cs_schedule_type cs_schedule_##name##_base;
#include "schedule/schedules.def"
#undef CS_SCHEDULE

static const cs_schedule_type *const table[][1] = {
#define CS_SCHEDULE(name, file) CS_SINGLE_ROW(cs_schedule_##name##_base)
#include "schedule/schedules.def"
#undef CS_SCHEDULE
    {NULL}};

CS_REGISTRY(cs_schedule_type, cs_schedule)
