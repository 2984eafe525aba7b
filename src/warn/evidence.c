#include "warn/evidence.h"

#include "base/count.h"
#include "warn/kinds.h"

#include <math.h>

bool cs_evidence_differs(double first, double second)
{
    const double rounding = 1e-9;
    if (isnan(first) || isnan(second) || first == second)
        return false;
    return isinf(first) || isinf(second) ||
           fabs(first - second) > rounding * (1 + fabs(first) + fabs(second));
}

bool cs_evidence_is_wrong_slope(double slope, double wide, double narrow)
{
    const double part = 0.01, least = 1e-4;
    double size = fmax(fabs(wide), fabs(narrow));
    if (!isfinite(slope) || !isfinite(wide) || !isfinite(narrow))
        return false;
    return fabs(wide - narrow) <= (part * size + least) / 4 &&
           fabs(slope - narrow) > part * fmax(size, fabs(slope)) + least;
}

bool cs_evidence_is_flat(double fall, double times)
{
    return isfinite(fall) && fall < log(times);
}

bool cs_evidence_returns(const cs_evidence_path *p)
{
    const double near = 0.1, far = 0.5;
    return fmin(p->apart, p->mirrored) < near * p->deviation &&
           p->farthest > far * p->deviation;
}

/* ---- warnings ------------------------------------------------------------ */

bool cs_warn_random(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    if (!e->random)
        return false;
    cs_page_put(p,
                "two calls at one state gave log densities %.10g and %.10g: "
                "let the log density depend only on the state (no random "
                "numbers, no values kept between calls)\n",
                e->first, e->second);
    return true;
}

bool cs_warn_slope(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    if (!e->slope.found)
        return false;
    cs_page_put(p,
                "the gradient of %s is %.6g where differences of the log "
                "density give %.6g: correct the gradient, or omit it\n",
                e->slope.name, e->slope.value, e->difference);
    return true;
}

/* Reports a density that is set to zero in code. Does this only if trajectories
 * diverge or if ESS is small. */
bool cs_warn_edge(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    const cs_warn_counts *c = &f->counts;
    double few = 100 * (double)f->chains / (double)f->group;
    if (!e->edge.found || !(c->divergent > 0 || f->worst.size < few))
        return false;
    cs_page_put(p, "near the draws the density is zero (%s = %.4g)",
                e->edge.name, e->edge.value);
    if (c->divergent > 0)
        cs_page_put(p, ", and %s of %s steps ended there",
                    cs_count(c->divergent).text, cs_count(c->steps).text);
    cs_page_put(p, ": declare the bounds of the parameter (cs.positive(), "
                   "cs.interval()) instead of log p = -infinity\n");
    return true;
}

bool cs_warn_improper(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    if (e->far.found)
        cs_page_put(p, "%s has reached %.3g: ", e->far.name, e->far.value);
    else if (e->flat.found)
        cs_page_put(p,
                    "the log density does not decrease along a line on which "
                    "%s changes most, over %s times the spread of the chains: ",
                    e->flat.name, cs_count(e->flat.value).text);
    else
        return false;
    cs_page_put(p, "the density may have no finite integral; give each "
                   "parameter a prior\n");
    return true;
}

bool cs_warn_resonance(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    if (!e->turns.found)
        return false;
    cs_page_put(p,
                "trajectories of fixed length return to their start, or to its "
                "mirror image, in %s: vary their length (:set %s.jitter 0.2)\n",
                e->turns.name, f->arm);
    return true;
}

/* Reports trajectories that are cut off because the metric ignores
 * correlations. */
bool cs_warn_metric(const cs_warn_facts *f, cs_page *p)
{
    const cs_evidence *e = &f->evidence;
    const cs_warn_counts *c = &f->counts;
    const double share = 0.01, strong = 0.9;
    if (!(c->deep > share * c->trajectories) || !(e->correlation > strong))
        return false;
    cs_page_put(p,
                "%s of %s trajectories were cut off at max_depth, and %s and "
                "%s have correlation %.3g: use a dense metric (tuner = "
                "cs.tuner.window_adaptation { metric = \"dense\" })\n",
                cs_count(c->deep).text, cs_count(c->trajectories).text,
                e->pair[0], e->pair[1], e->correlation);
    return true;
}
