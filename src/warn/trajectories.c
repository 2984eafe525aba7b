/* Warnings about trajectories that diverged, were cut off, or met values that
 * are not finite. */
#include "base/count.h"
#include "warn/kinds.h"

static const double low_ebfmi = 0.3; /* the limit that Stan uses */

bool cs_warn_divergent(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->divergent > 0))
        return false;
    cs_page_put(
        p,
        "%s of %s steps diverged (%.3g %%): the chains may not reach a part "
        "of the target, and the results may be wrong; use a smaller step (a "
        "higher acceptance of the tuner: 0.95), or other coordinates\n",
        cs_count(c->divergent).text, cs_count(c->steps).text,
        100 * c->divergent / c->steps);
    return true;
}

/* Trajectories that are cut off still leave the target invariant. The draws are
 * therefore correct if R-hat is small, but they cost more. */
bool cs_warn_deep(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->deep > 0))
        return false;
    cs_page_put(p,
                "%s of %s trajectories were cut off at max_depth (%.3g %%): "
                "%sgive the warm-up more steps, use similar scales for the "
                "coordinates, or raise max_depth\n",
                cs_count(c->deep).text, cs_count(c->trajectories).text,
                100 * c->deep / c->trajectories,
                f->worst.rhat > CS_RHAT_MOST
                    ? ""
                    : "the draws are correct but expensive; ");
    return true;
}

bool cs_warn_energy(const cs_warn_facts *f, cs_page *p)
{
    if (!(f->counts.ebfmi < low_ebfmi))
        return false;
    cs_page_put(p,
                "E-BFMI is %.2g in some chain, below %g: momenta change the "
                "energy too little to reach the tails; use other coordinates "
                "(a non-centred hierarchy), or run longer\n",
                f->counts.ebfmi, low_ebfmi);
    return true;
}

bool cs_warn_not_finite(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->not_finite > 0))
        return false;
    cs_page_put(p,
                "%s of %s steps met a NaN log density or gradient and were "
                "rejected: correct the density there, use a smaller step, or "
                "find the state with strict = true\n",
                cs_count(c->not_finite).text, cs_count(c->steps).text);
    if (c->why_refused)
        cs_page_put(p, "  reason, the last time: %s\n", c->why_refused);
    return true;
}
