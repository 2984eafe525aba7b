#include "run/arms/world.h"

#include "base/clock.h"
#include "run/arms/run_state.h"

const cs_world *cs_run_ranks(const cs_run *r)
{
    return r->ranks;
}

bool cs_run_is_split(const cs_run *r)
{
    return r->ranks && !r->together;
}

bool cs_run_follows(const cs_run *r)
{
    return r->ranks && r->ranks->rank > 0;
}

double cs_run_clock(const cs_run *r)
{
    return cs_run_is_split(r) ? cs_clock_thread() : cs_clock();
}
