/* Functions of the counting run that concern files of draws. The draws of a
 * counting run are never read from files. */
#pragma once

#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/draws/recorded.h"
#include "run/recorded_open.h"

/* Returns false: no counting run is read from files. */
bool cs_run_is_recorded(const cs_run *r)
{
    (void)r;
    return false;
}

cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *arm, size_t n,
                           const char *model, uint64_t seed, cs_error *err)
{
    (void)out, (void)arm, (void)n, (void)seed;
    return cs_fail(err, CS_UNSUPPORTED, "%s cannot be read", model);
}

const char *cs_run_data_lines(const cs_run *r)
{
    (void)r;
    return NULL;
}

bool cs_run_set_data_lines(cs_run *r, const char *text)
{
    (void)r;
    return !text;
}

void cs_run_keep_all(cs_run *r)
{
    (void)r;
}

void cs_run_read_once(cs_run *r)
{
    (void)r;
}

const cs_probabilities *cs_run_quantiles(const cs_run *r)
{
    (void)r;
    return &cs_usual_quantiles;
}

void cs_run_set_quantiles(cs_run *r, const cs_probabilities *p)
{
    (void)r;
    (void)p;
}

void cs_run_judge_all(cs_run *r, uint64_t thin)
{
    (void)r, (void)thin;
}

uint64_t cs_run_recall(cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return 0;
}

void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row)
{
    (void)r, (void)arm, (void)chain, (void)i, (void)row;
}

void cs_run_recalled(cs_run *r, size_t arm)
{
    (void)r, (void)arm;
}
