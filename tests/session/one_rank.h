/* Functions for the counting run, which has no MPI ranks. */
#pragma once

#include "base/clock.h"
#include "run/arms/world.h"
#include "run/collect.h"
#include "run/ranks/orders.h"
#include "run/ranks/rank_words.h"

const cs_world *cs_run_ranks(const cs_run *r)
{
    (void)r;
    return NULL;
}

bool cs_run_is_split(const cs_run *r)
{
    (void)r;
    return false;
}

bool cs_run_follows(const cs_run *r)
{
    (void)r;
    return false;
}

double cs_run_clock(const cs_run *r)
{
    (void)r;
    return cs_clock();
}

void cs_run_order(const cs_run *r, cs_order order)
{
    (void)r, (void)order;
}

cs_order cs_ranks_await(const cs_world *k)
{
    (void)k;
    return (cs_order){.kind = CS_ORDER_END};
}

void cs_ranks_end(const cs_world *k)
{
    (void)k;
}

cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err)
{
    (void)k, (void)err;
    return mine;
}

void cs_run_follow(cs_run *r, uint64_t goal)
{
    (void)r, (void)goal;
}

cs_status cs_run_gather_all(cs_run *r, bool beside, cs_error *err)
{
    (void)r, (void)beside, (void)err;
    return CS_OK;
}

bool cs_run_is_gathered(const cs_run *r)
{
    (void)r;
    return true;
}

cs_status cs_run_gather(cs_run *r, cs_error *err)
{
    (void)r, (void)err;
    return CS_OK;
}

void cs_run_gather_words(cs_run *r, double *all, const size_t *n)
{
    (void)r, (void)all, (void)n;
}

void cs_ranks_words(const cs_run *r, cs_page *p)
{
    (void)r, (void)p;
}

void cs_ranks_words_sent(const cs_run *r, cs_page *p)
{
    (void)r, (void)p;
}
