/* Warnings of trajectories that diverged, were cut off, or met values that are
 * not finite. */
#include "base/count.h"
#include "warn/kinds.h"

static const double low_ebfmi = 0.3; /* as in Stan */

bool cs_warn_divergent(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->divergent > 0))
        return false;
    cs_page_put(p,
                "! %s of %s steps diverged (%.3g %%): a part of the "
                "target may be out of reach, and the figures wrong; take a "
                "smaller step (a higher acceptance of the tuner: 0.95), or "
                "other coordinates\n",
                cs_count(c->divergent).text, cs_count(c->steps).text,
                100 * c->divergent / c->steps);
    return true;
}

/* Trajectories that are cut off leave the target invariant: the draws are as
 * good as R-hat says, and cost more. */
bool cs_warn_deep(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->deep > 0))
        return false;
    cs_page_put(p,
                "%s of %s trajectories were cut off at max_depth (%.3g %%): %s"
                "give the warm-up more steps, scale the coordinates alike, or "
                "raise max_depth\n",
                cs_count(c->deep).text, cs_count(c->trajectories).text,
                100 * c->deep / c->trajectories,
                f->worst.rhat > CS_RHAT_MOST ? ""
                                             : "draws are right and dear; ");
    return true;
}

bool cs_warn_energy(const cs_warn_facts *f, cs_page *p)
{
    if (!(f->counts.ebfmi < low_ebfmi))
        return false;
    cs_page_put(p,
                "! E-BFMI is %.2g in some chain, below %g: momenta change "
                "the energy too little to reach the tails; take other "
                "coordinates (a hierarchy not centred), or run longer\n",
                f->counts.ebfmi, low_ebfmi);
    return true;
}

bool cs_warn_not_finite(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!(c->not_finite > 0))
        return false;
    cs_page_put(p,
                "! %s of %s steps met a log density or gradient that "
                "is not a number, and were refused: mend the density "
                "there, take a smaller step, or find the place with strict "
                "= true\n",
                cs_count(c->not_finite).text, cs_count(c->steps).text);
    if (c->why_refused)
        cs_page_put(p, "  why, the last time: %s\n", c->why_refused);
    return true;
}
