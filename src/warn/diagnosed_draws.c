/* Warnings found from the diagnosed draws. */
#include "warn/diagnosed_draws.h"

#include "stat/worst.h"
#include "warn/kinds.h"

#include "base/count.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Probability that a run that has converged gets a false warning about any of
 * its scalars. */
static const double false_alarms = 0.001;

/* The factor by which to lengthen a run for 100 effective draws per chain, as
 * text, rounded up to two digits. ESS is assumed to grow in proportion to the
 * run. */
typedef struct factor {
    char text[24];
} factor;

static factor times_longer(const cs_warn_draws *d, double size)
{
    factor f;
    double times = 100 * (double)d->chains / fmax(size, 1);
    double unit = times < 10 ? 0.1 : pow(10, floor(log10(times)) - 1);
    snprintf(f.text, sizeof f.text, "%.6g", unit * ceil(times / unit));
    return f;
}

/* ---- missing draws ------------------------------------------------------- */

/* Returns the number of quantities with a finite number of values. */
static size_t count_sites(const cs_warn_draws *d)
{
    size_t n = 0;
    for (size_t k = 1; k < d->scalars; k++)
        n += d->d[k].alike.values > 0;
    return n;
}

static bool is_known(const cs_warn_draws *d)
{
    size_t known = 0;
    for (size_t k = 0; k < d->scalars; k++)
        known += !d->d[k].why;
    return known > 0;
}

bool cs_warn_draws_failed(const cs_warn_draws *d, cs_page *p)
{
    if (d->failed && d->failed == d->all)
        cs_page_put(p, "all %zu chains failed; chain %zu failed last\n", d->all,
                    d->failed_last);
    else if (d->failed)
        cs_page_put(p, "%zu of %zu chains failed and are left out\n", d->failed,
                    d->all);
    return d->failed > 0;
}

bool cs_warn_draws_stuck(const cs_warn_draws *d, cs_page *p)
{
    if (!d->stuck || d->chains < 2 || !(is_known(d) || d->weighted))
        return false;
    cs_page_put(p, "chain %zu is stuck: all its draws are equal\n", d->stuck);
    return true;
}

/* Reports an arm without figures. Figures are computed only if every chain has
 * draws. */
bool cs_warn_draws_none(const cs_warn_draws *d, cs_page *p)
{
    if (d->draws > 0)
        return false;
    if (d->most)
        cs_page_put(p,
                    "chain %zu has no draws, others have up to %zu: no results "
                    "until every chain has draws\n",
                    d->without, d->most);
    else
        cs_page_put(p, "there are no draws\n");
    return true;
}

/* Reports a quantity with a draw that is not finite. Such a quantity has no
 * figures, even if other quantities have figures. */
bool cs_warn_draws_infinite(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    size_t n = 0, first = 0;
    for (size_t k = d->scalars; k-- > 0;)
        if (d->d[k].why == cs_why_not_finite) {
            n++;
            first = k;
        }
    if (!n || d->draws == 0)
        return false;
    d->name(d->self, first, name);
    cs_page_put(p,
                "%zu of %zu draws of %s%s are infinite or NaN, in %zu of %zu "
                "chains, so the quantity has no results: keep the state, or "
                "the quantity computed from the state, finite\n",
                d->infinite, d->chains * d->draws, name,
                n > 1 ? " (the first of several quantities)" : "",
                d->infinite_in, d->chains);
    return true;
}

/* Reports an ESS that has reached its maximum: the estimate from S draws is at
 * most S log10(S). */
bool cs_warn_draws_capped(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    double size = (double)d->chains * (double)d->draws;
    double cap = size * log10(size), least = 0.999 * cap;
    for (size_t k = 0; k < d->scalars; k++) {
        if (!(d->d[k].figures.ess > least))
            continue;
        d->name(d->self, k, name);
        cs_page_put(
            p,
            "ESS of %s is %s, the largest value reported for %s draws: the "
            "draws are antithetic, and the error of the mean may be smaller\n",
            name, cs_count(round(d->d[k].figures.ess)).text,
            cs_count(size).text);
        return true;
    }
    return false;
}

/* Returns true if the draws are weighted and no scalar could be diagnosed. */
static bool is_weighted(const cs_warn_draws *d)
{
    return d->weighted && d->draws > 0 && !is_known(d);
}

bool cs_warn_draws_weighted(const cs_warn_draws *d, cs_page *p)
{
    if (!is_weighted(d))
        return false;
    cs_page_put(p, "%s\n", d->d[d->d[0].why == d->no_logp].why);
    return true;
}

/* Reports a quantity without a diagnosis. Skips constants that are expected:
 * outputs (such as the upper triangle of a factor), and lattice sites, which
 * may keep a value for a long time. */
bool cs_warn_draws_undefined(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    if (d->draws == 0 || is_weighted(d))
        return false;
    if (!is_known(d)) {
        for (size_t k = 0; k < d->scalars; k++)
            if (d->d[k].why == cs_why_not_finite)
                return false; /* reported by cs_warn_draws_infinite */
        cs_page_put(p, "%s\n", d->d[d->d[0].why == d->no_logp].why);
        return true;
    }
    for (size_t k = 0; k < d->scalars; k++) {
        bool constant = d->d[k].figures.sd == 0;
        if (!d->d[k].why || d->d[k].why == d->no_logp ||
            d->d[k].why == cs_why_not_finite || d->d[k].constant.chains > 0 ||
            (k && d->constants && constant))
            continue;
        d->name(d->self, k, name);
        cs_page_put(p, "%s: %s\n", name, d->d[k].why);
        return true;
    }
    return false;
}

/* ---- sites --------------------------------------------------------------- */

cs_sites cs_sites_of(const cs_diagnosis *d, size_t scalars)
{
    cs_sites s = {(double)NAN, scalars, 0, 0};
    double known = 0;
    for (size_t k = 1; k < scalars; k++) {
        const cs_homogeneity *h = &d[k].alike;
        s.never += h->values == 1;
        s.apart += h->chi2 == HUGE_VAL;
        known += !isnan(h->p);
        if (!isnan(h->p) && (s.least == scalars || h->p < d[s.least].alike.p))
            s.least = k;
    }
    if (known > 0)
        s.alike = fmin(1, known * d[s.least].alike.p);
    return s;
}

bool cs_warn_draws_sites_apart(const cs_warn_draws *d, cs_page *p)
{
    const cs_sites s = cs_sites_of(d->d, d->scalars);
    char name[CS_WARN_NAME];
    if (!(s.alike < false_alarms) || !(s.apart > 0))
        return false;
    d->name(d->self, s.least, name);
    cs_page_put(p,
                "%.0f of %zu sites (%s first) never change in any chain, but "
                "differ between chains: each chain stays in one mode; temper "
                "the kernel, or move more sites at once\n",
                s.apart, count_sites(d), name);
    return true;
}

/* Reports sites that differ by the chi-square test although R-hat is small. */
bool cs_warn_draws_sites_differ(const cs_warn_draws *d, cs_page *p)
{
    const cs_sites s = cs_sites_of(d->d, d->scalars);
    char name[CS_WARN_NAME];
    if (!(s.alike < false_alarms) || s.apart > 0 ||
        d->d[s.least].figures.rhat > CS_RHAT_MOST)
        return false;
    d->name(d->self, s.least, name);
    cs_page_put(p,
                "the values of %s differ between chains (chi-square %.3g, %.3g "
                "degrees of freedom, corrected for autocorrelation; the "
                "largest of %zu sites): run longer\n",
                name, d->d[s.least].alike.chi2, d->d[s.least].alike.freedom,
                d->scalars - 1);
    return true;
}

/* ---- weights ------------------------------------------------------------- */

bool cs_warn_draws_weights(const cs_warn_draws *d, cs_page *p)
{
    double draws = (double)d->chains * (double)d->draws;
    if (!d->weighted || !(d->kish < 0.1 * draws))
        return false;
    cs_page_put(
        p,
        "the weights are uneven: %s draws have an effective sample size "
        "(Kish) of %s, and a few draws dominate every estimate\n",
        cs_count(draws).text, cs_count(round(d->kish)).text);
    return true;
}

/* Returns the scalar with the worst value in a column. If all values are
 * missing, returns 0. */
static size_t worst_by(const cs_warn_draws *d, cs_figures_column column,
                       bool largest)
{
    size_t worst = cs_diagnoses_worst(d->d, d->scalars, column, largest);
    return worst < d->scalars ? worst : 0;
}

bool cs_warn_draws_ess(const cs_warn_draws *d, cs_page *p)
{
    size_t fewest = worst_by(d, CS_COLUMN_ESS, false);
    char name[CS_WARN_NAME];
    if (!d->weighted || !(d->d[fewest].figures.ess < 100 * (double)d->chains))
        return false;
    d->name(d->self, fewest, name);
    cs_page_put(p,
                "ESS of %s is %s, below 100 per chain: run %s times as long\n",
                name, cs_count(round(d->d[fewest].figures.ess)).text,
                times_longer(d, d->d[fewest].figures.ess).text);
    return true;
}

/* ---- agreement of chains ------------------------------------------------- */

static size_t find_worst(const cs_warn_draws *d)
{
    return worst_by(d, CS_COLUMN_RHAT, true);
}

static size_t find_fewest(const cs_warn_draws *d)
{
    return worst_by(d, CS_COLUMN_BULK, false);
}

static bool is_few(const cs_warn_draws *d)
{
    return d->d[find_fewest(d)].figures.bulk < 100 * (double)d->chains;
}

/* Returns true if an R-hat above the limit is unlikely to be due to chance.
 * Always returns true if R-hat is above 1.2, the limit of Gelman and Rubin
 * (1992). */
static bool is_sure(const cs_warn_draws *d)
{
    double least = 1;
    if (d->d[find_worst(d)].figures.rhat > 1.2)
        return true;
    for (size_t k = 0; k < d->scalars; k++)
        least = fmin(least, d->d[k].chance);
    return least * (double)d->scalars < false_alarms;
}

bool cs_warn_draws_rhat(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    size_t worst = find_worst(d);
    double rhat = d->d[worst].figures.rhat;
    if (!is_known(d) || !(rhat > CS_RHAT_MOST) || !is_sure(d))
        return false;
    d->name(d->self, worst, name);
    cs_page_put(p,
                "R-hat of %s is %.4g: the chains do not agree; run longer "
                "or change the kernel\n",
                name, rhat);
    return true;
}

bool cs_warn_draws_rhat_vague(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME], other[CS_WARN_NAME];
    size_t worst = find_worst(d), fewest = find_fewest(d);
    double rhat = d->d[worst].figures.rhat;
    if (!is_known(d) || !(rhat > CS_RHAT_MOST) || is_sure(d))
        return false;
    d->name(d->self, worst, name);
    d->name(d->self, fewest, other);
    cs_page_put(p,
                "R-hat of %s is %.4g, perhaps by chance, since there are few "
                "draws (bulk ESS of %s %s): run longer\n",
                name, rhat, other,
                cs_count(round(d->d[fewest].figures.bulk)).text);
    return true;
}

bool cs_warn_draws_bulk(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    size_t fewest = find_fewest(d);
    if (!is_known(d) || !is_few(d))
        return false;
    d->name(d->self, fewest, name);
    cs_page_put(
        p, "bulk ESS of %s is %s, below 100 per chain: run %s times as long\n",
        name, cs_count(round(d->d[fewest].figures.bulk)).text,
        times_longer(d, d->d[fewest].figures.bulk).text);
    return true;
}

/* Reports a low tail ESS only if the bulk ESS is large enough. */
bool cs_warn_draws_tail(const cs_warn_draws *d, cs_page *p)
{
    size_t fewest = 0;
    char name[CS_WARN_NAME];
    for (size_t k = 0; k < d->scalars; k++)
        if (d->d[k].figures.tail < d->d[fewest].figures.tail ||
            isnan(d->d[fewest].figures.tail))
            fewest = k;
    if (!is_known(d) || is_few(d) ||
        !(d->d[fewest].figures.tail < 100 * (double)d->chains))
        return false;
    d->name(d->self, fewest, name);
    cs_page_put(
        p, "tail ESS of %s is %s, below 100 per chain: run %s times as long\n",
        name, cs_count(round(d->d[fewest].figures.tail)).text,
        times_longer(d, d->d[fewest].figures.tail).text);
    return true;
}

/* ---- drift and tails ----------------------------------------------------- */

/* Reports that the chains had not yet reached the target's typical region when
 * the draws began. */
bool cs_warn_draws_drift(const cs_warn_draws *d, cs_page *p)
{
    size_t worst = 0;
    char name[CS_WARN_NAME];
    for (size_t k = 0; k < d->scalars; k++)
        if (d->d[k].drift_chance < d->d[worst].drift_chance ||
            (d->d[k].drift_chance == d->d[worst].drift_chance &&
             fabs(d->d[k].drift) > fabs(d->d[worst].drift)))
            worst = k;
    if (!is_known(d) ||
        !(d->d[worst].drift_chance * (double)d->scalars < false_alarms))
        return false;
    d->name(d->self, worst, name);
    cs_page_put(p,
                "the first quarter of the draws of %s differs from the last "
                "quarter (by %.0f standard errors): use a longer warm-up\n",
                name, fabs(d->d[worst].drift));
    return true;
}

/* Reports that the mean or the variance may not exist. Does this only for real
 * values, since bounded values always have a mean and a variance. */
bool cs_warn_draws_heavy(const cs_warn_draws *d, cs_page *p)
{
    size_t worst = 0;
    char name[CS_WARN_NAME];
    for (size_t k = 0; k < d->scalars; k++)
        if (d->d[k].heavy > d->d[worst].heavy || isnan(d->d[worst].heavy))
            worst = k;
    if (!is_known(d) || !d->real || !(d->d[worst].heavy > CS_HEAVY_MOST))
        return false;
    d->name(d->self, worst, name);
    cs_page_put(p,
                "the tails of %s are heavy (index %.2g): its mean, sd and "
                "their errors may not exist; use quantiles\n",
                name, d->d[worst].heavy);
    return true;
}
