#include "run/summary/arm_failures.h"

#include "chain/tally.h"
#include "run/views/stopped.h"
#include "run/views/view.h"

#include <math.h>

enum { WHY = 256 };

cs_arm_failures cs_arm_failures_of(const cs_run *run, size_t arm)
{
    cs_arm_failures t = {.chains = cs_run_arm(run, arm).chains,
                         .ebfmi = (double)NAN};
    for (size_t c = 0; c < t.chains; c++) {
        cs_chain_view v = cs_run_decision(run, arm, c);
        t.stopped += v.failed;
        t.steps += v.tally.steps;
        t.divergent += v.tally.divergent;
        t.not_finite += v.tally.not_finite;
        t.trajectories += v.tally.trajectories;
        t.deep += v.tally.deep;
        t.acceptance += v.tally.acceptance;
        t.ebfmi = fmin(t.ebfmi, cs_tally_ebfmi(&v.tally));
    }
    t.acceptance /= t.trajectories; /* NAN if there are no trajectories */
    return t;
}

static void json_of_stops(const cs_run *run, size_t arm, size_t chains,
                          cs_page *p)
{
    char why[WHY];
    uint64_t step;
    bool more = false;
    for (size_t c = 0; c < chains; c++) {
        if (!cs_run_chain_stop(run, arm, c, &step, why, sizeof why))
            continue;
        cs_page_put(p, "%s{\"chain\": %zu, \"step\": %llu, \"why\": ",
                    more ? ", " : "", c + 1, (unsigned long long)step);
        cs_page_quoted(p, why);
        cs_page_put(p, "}");
        more = true;
    }
}

void cs_arm_failures_json(const cs_run *run, size_t arm, cs_page *p)
{
    cs_arm_failures t = cs_arm_failures_of(run, arm);
    cs_page_put(p, ", \"divergent\": %.0f, \"not_finite\": %.0f", t.divergent,
                t.not_finite);
    if (t.trajectories > 0) {
        cs_page_put(p, ", \"deep\": %.0f, \"accept_stat\": ", t.deep);
        cs_page_number(p, t.acceptance);
        cs_page_put(p, ", \"ebfmi\": ");
        cs_page_number(p, t.ebfmi);
    }
    cs_page_put(p, ", \"stopped\": [");
    json_of_stops(run, arm, t.chains, p);
    cs_page_put(p, "]");
}
