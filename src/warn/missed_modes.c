/* Warnings about missed modes, and about temperature ladders without round
 * trips. */
#include "warn/kinds.h"

#include <math.h>

/* A mode is assessed if its expected number of visits is at least EXPECTED. It
 * has too few visits if it has fewer than 1/SHORT of the expected number. */
enum { EXPECTED = 100, SHORT = 10 };

static double visits_to(const cs_warn_modes *m, size_t mode)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        sum += m->visits[c * m->n + mode];
    return sum;
}

/* Returns the number of visited modes; *all: the total number of visits. */
static size_t visited(const cs_warn_modes *m, double *all)
{
    size_t n = 0;
    *all = 0;
    for (size_t k = 0; k < m->n; k++) {
        double v = visits_to(m, k);
        n += v > 0;
        *all += v;
    }
    return n;
}

bool cs_warn_modes_missed(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_modes *m = &f->modes;
    double all, missed = 0;
    size_t n = visited(m, &all);
    if (n == m->n || !(all > 0))
        return false;
    for (size_t k = 0; k < m->n && m->weight; k++)
        missed += visits_to(m, k) > 0 ? 0 : m->weight[k];
    cs_page_put(p, "%zu of %zu known modes were never visited", m->n - n, m->n);
    if (m->weight)
        cs_page_put(p, ", with %.3g of the mass", missed);
    cs_page_put(p, "; all estimates describe only the other modes\n");
    return true;
}

/* Reports modes with less than 1/SHORT of their exact share of visits. A single
 * step that ended in a mode counts as a visit. */
bool cs_warn_modes_short(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_modes *m = &f->modes;
    size_t few = 0, worst = 0;
    double all, least = 1.0 / SHORT;
    visited(m, &all);
    for (size_t k = 0; k < m->n && m->weight; k++) {
        double want = m->weight[k] * all, part = visits_to(m, k) / want;
        if (want < EXPECTED || !(part > 0) || !(part < 1.0 / SHORT))
            continue;
        few++;
        worst = part < least ? k : worst;
        least = fmin(part, least);
    }
    if (few)
        cs_page_put(
            p,
            "%zu of %zu known modes have less than a tenth of their mass: mode "
            "%zu has %.3g %% of the visits; its exact share is %.3g %%\n",
            few, m->n, worst + 1, 100 * visits_to(m, worst) / all,
            100 * m->weight[worst]);
    return few > 0;
}

/* Returns the number of chains with enough visits to mode k. Chains that are
 * too short to expect EXPECTED visits are counted as well. */
static size_t chains_long_at(const cs_warn_modes *m, size_t k)
{
    size_t n = 0;
    for (size_t c = 0; c < m->chains; c++) {
        const double *row = m->visits + c * m->n;
        double want = 0;
        for (size_t i = 0; i < m->n; i++)
            want += row[i] * (m->weight ? m->weight[k] : 1 / (double)m->n);
        n += want < EXPECTED || !(row[k] < want / SHORT);
    }
    return n;
}

/* All chains together may have visited every mode even if no chain left the
 * mode in which it started. In this case the shares of the modes depend on the
 * starts of the chains. */
bool cs_warn_modes_apart(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_modes *m = &f->modes;
    size_t apart = 0, worst = 0, fewest = m->chains;
    for (size_t k = 0; k < m->n; k++) {
        size_t n = chains_long_at(m, k);
        if (n == 0 || n == m->chains)
            continue;
        apart++;
        worst = n < fewest ? k : worst;
        fewest = n < fewest ? n : fewest;
    }
    if (apart)
        cs_page_put(p,
                    "%zu of %zu known modes were rarely or never visited by "
                    "some chains, mode %zu by %zu of %zu: chains seldom change "
                    "modes, and the shares depend on the starts\n",
                    apart, m->n, worst + 1, m->chains - fewest, m->chains);
    return apart > 0;
}

/* ---- ladders ------------------------------------------------------------- */

enum { LEAST = 1000 }; /* no ladder is assessed after fewer steps */
static const double fewest_swaps = 0.01;

/* Returns the index of the pair of neighbouring temperatures with the smallest
 * share of accepted swaps. */
static size_t worst_rung(const cs_warn_ladder *l)
{
    size_t worst = 0;
    for (size_t k = 1; k < l->n; k++)
        worst = l->swaps[k] < l->swaps[worst] ? k : worst;
    return worst;
}

bool cs_warn_ladder_gap(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_ladder *l = &f->ladder;
    size_t k = worst_rung(l);
    if (!l->n || f->steps < LEAST || !(l->swaps[k] < fewest_swaps))
        return false;
    cs_page_put(p,
                "%.3g %% of the swaps between temperatures %.4g and %.4g were "
                "accepted: add temperatures between them\n",
                100 * l->swaps[k], l->temperature[k], l->temperature[k + 1]);
    return true;
}

bool cs_warn_ladder_idle(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_ladder *l = &f->ladder;
    if (!l->n || f->steps < LEAST || l->swaps[worst_rung(l)] < fewest_swaps ||
        l->trips > 0)
        return false;
    cs_page_put(p, "no state has been to the hot end and back, so the hot "
                   "chains have not helped: run longer, or add temperatures\n");
    return true;
}
