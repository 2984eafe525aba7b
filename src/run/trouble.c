/* What a summary says of chains that stopped, of trajectories that diverged and
 * of proposals that were no numbers: with it the figures beside it may be
 * wrong, whatever they look like. */
#include "run/trouble.h"

#include "base/count.h"
#include "chain/tally.h"

#include <math.h>
#include <stdio.h>

enum { WHY = 256, NAMED = 8 };

static const double low_ebfmi = 0.3; /* as in Stan */

cs_trouble cs_trouble_of(const cs_run *run, size_t arm)
{
    cs_trouble t = {.chains = cs_run_arm(run, arm).chains,
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
    t.acceptance /= t.trajectories; /* NAN of none */
    return t;
}

static void text_of_stops(const cs_run *run, size_t arm, const cs_trouble *t,
                          cs_page *p)
{
    char why[WHY];
    uint64_t step;
    size_t told = 0;
    cs_page_put(p,
                "! %zu of %zu chains stopped; nothing after the stop is "
                "recorded\n",
                t->stopped, t->chains);
    for (size_t c = 0; c < t->chains && told < NAMED; c++)
        if (cs_run_chain_stop(run, arm, c, &step, why, sizeof why)) {
            cs_page_put(p, "  chain %zu at step %llu: %s\n", c + 1,
                        (unsigned long long)step, why);
            told++;
        }
    if (told < t->stopped)
        cs_page_put(p, "  and %zu more\n", t->stopped - told);
}

static void words_of_trajectories(const cs_trouble *t, cs_page *p)
{
    if (t->deep > 0)
        cs_page_put(
            p,
            "! %s of %s trajectories were cut off at max_depth "
            "(%.3g %%): draws are right and dear; give the warm-up more "
            "steps, scale the coordinates alike, or raise max_depth\n",
            cs_count(t->deep).text, cs_count(t->trajectories).text,
            100 * t->deep / t->trajectories);
    if (t->ebfmi < low_ebfmi)
        cs_page_put(p,
                    "! E-BFMI is %.2g in some chain, below %g: momenta change "
                    "the energy too little to reach the tails; take other "
                    "coordinates (a hierarchy not centred), or run longer\n",
                    t->ebfmi, low_ebfmi);
}

void cs_trouble_words(const cs_run *run, size_t arm, cs_page *p)
{
    cs_trouble t = cs_trouble_of(run, arm);
    if (t.stopped)
        text_of_stops(run, arm, &t, p);
    if (t.divergent > 0)
        cs_page_put(p,
                    "! %s of %s steps diverged (%.3g %%): a part of the "
                    "target may be out of reach, and the figures wrong; take a "
                    "smaller step (a higher acceptance of the tuner: 0.95), or "
                    "other coordinates\n",
                    cs_count(t.divergent).text, cs_count(t.steps).text,
                    100 * t.divergent / t.steps);
    words_of_trajectories(&t, p);
    if (t.not_finite > 0)
        cs_page_put(p,
                    "! %s of %s steps met a log density or gradient that "
                    "is not a number, and were refused: mend the density "
                    "there, take a smaller step, or find the place with strict "
                    "= true\n",
                    cs_count(t.not_finite).text, cs_count(t.steps).text);
    const cs_target *target = cs_run_target(run);
    char why[WHY];
    if (t.not_finite > 0 && target->type->why &&
        target->type->why(target, why, sizeof why))
        cs_page_put(p, "  why, the last time: %s\n", why);
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

void cs_trouble_json(const cs_run *run, size_t arm, cs_page *p)
{
    cs_trouble t = cs_trouble_of(run, arm);
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
