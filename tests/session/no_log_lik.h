/* Replaces the results from log likelihoods: a counting run has none. */
#pragma once

#include "run/summary/log_lik.h"

cs_status cs_run_loo_find(cs_run *r, size_t arm, const cs_loo_ask *ask,
                          cs_run_loo *out, cs_error *err)
{
    (void)r, (void)arm, (void)ask;
    *out = (cs_run_loo){.point = NULL};
    return cs_fail(err, CS_UNSUPPORTED, "a counting run has no likelihood");
}

void cs_run_loo_free(cs_run_loo *l)
{
    (void)l;
}

cs_status cs_run_power_find(cs_run *r, size_t arm, const cs_power_ask *ask,
                            cs_run_power *out, cs_error *err)
{
    (void)r, (void)arm, (void)ask;
    *out = (cs_run_power){.n = 0};
    return cs_fail(err, CS_UNSUPPORTED, "a counting run has no prior");
}

void cs_run_power_free(cs_run_power *p)
{
    (void)p;
}
