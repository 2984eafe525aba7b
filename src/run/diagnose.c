/* What is found of the draws that are judged: R-hat, effective sizes and
 * errors of log p and of every coordinate that is shown, and in words what is
 * wrong with them. */
#include "run/diagnose.h"
#include "base/memory.h"
#include "base/page.h"
#include "probe/rows.h"
#include "run/chosen.h"
#include "run/internal.h"
#include "run/size_errors.h"
#include "stat/homogeneity.h"
#include "stat/weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char no_memory[] = "out of memory"; /* as stat/ says it */
static const char no_logp[] = "the kernel has no log p";
enum { NAME = 64, LEAST_DRAWS = 16, JOB = 8 };

/* Whether what is shown are sites of a discrete state. */
static bool has_sites(const cs_target *t)
{
    return t->space.kind & CS_DISCRETE && !t->outputs.n;
}

static cs_diagnosis find(const cs_chosen *g, size_t scalar, double *room,
                         cs_scores *scores)
{
    cs_draws d = {room, g->draws, g->n};
    if (g->why)
        return cs_no_diagnosis(g->why);
    if (scalar == 0 && g->view->logp == CS_LOGP_NONE)
        return cs_no_diagnosis(no_logp);
    cs_chosen_copy(g, scalar, room);
    if (g->w)
        return cs_diagnose_weighted(d, g->w);
    cs_diagnosis found = cs_diagnose_with(d, scores);
    const cs_space *space = &g->target->space;
    if (scalar && has_sites(g->target))
        found.alike = cs_homogeneity_of(d, space->low, (size_t)space->values);
    return found;
}

/* What is said of all sites together. */
typedef struct sites {
    double alike;        /* the smallest p times their number; NAN: not known */
    size_t least;        /* which scalar has it */
    double never, apart; /* never changed: in any chain; in none of them, and
                            they differ */
} sites;

static sites sites_of(const cs_diagnosis *d, size_t scalars)
{
    sites s = {(double)NAN, scalars, 0, 0};
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

/* The first chain that has never moved, as draws tell; g->n: none. */
static size_t find_stuck(const cs_chosen *g)
{
    size_t width = g->view->width, lead = g->view->lead;
    for (size_t i = 0; i < g->n && g->draws >= LEAST_DRAWS; i++) {
        const double *x = g->view->chain[i].row;
        size_t k = 1;
        while (k < g->draws && memcmp(x, x + k * width, sizeof *x) == 0 &&
               memcmp(x + lead, x + k * width + lead,
                      (width - lead) * sizeof *x) == 0)
            k++;
        if (k == g->draws)
            return i;
    }
    return g->n;
}

static void name_of(const cs_target *t, size_t scalar, char name[NAME])
{
    if (scalar)
        cs_target_coordinate(t, scalar - 1, name, NAME);
    else
        snprintf(name, NAME, "lp__"); /* as in the files of draws */
}

/* ---- what is wrong, in words ---- */

/* Of a thousand runs that mix one is to be called bad by chance, however many
 * scalars are looked at. */
static const double false_alarms = 0.001;

/* How much longer a run has 100 effective draws a chain, rounded up to two digits:
 * sizes grow with the run. */
typedef struct factor {
    char text[24];
} factor;

static factor times_longer(const cs_chosen *g, double size)
{
    factor f;
    double times = 100 * (double)g->n / fmax(size, 1);
    double unit = times < 10 ? 0.1 : pow(10, floor(log10(times)) - 1);
    snprintf(f.text, sizeof f.text, "%.6g", unit * ceil(times / unit));
    return f;
}

/* Where the bulk is known well enough and the tails are not. */
static void put_tails(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t fewest = 0;
    char name[NAME];
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        if (d[k].figures.tail < d[fewest].figures.tail ||
            isnan(d[fewest].figures.tail))
            fewest = k;
    if (!(d[fewest].figures.tail < 100 * (double)g->n))
        return;
    name_of(g->target, fewest, name);
    cs_page_put(p,
                "tail ESS of %s is %.0f, below 100 a chain: run %s times as "
                "long\n",
                name, d[fewest].figures.tail,
                times_longer(g, d[fewest].figures.tail).text);
}

/* Means without a variance, or that do not exist: of reals, for what has a most and
 * a least value has both. */
static void put_heavy(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t worst = 0;
    char name[NAME];
    if (g->target->space.kind & CS_DISCRETE)
        return;
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        if (d[k].heavy > d[worst].heavy || isnan(d[worst].heavy))
            worst = k;
    if (!(d[worst].heavy > CS_HEAVY_MOST))
        return;
    name_of(g->target, worst, name);
    cs_page_put(p,
                "the tails of %s are heavy (index %.2g): its mean, sd and "
                "their errors may not exist; take quantiles\n",
                name, d[worst].heavy);
}

static void put_agreement(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t scalars = cs_chosen_scalars(g->view);
    size_t worst = 0, fewest = 0;
    double least = 1;
    char name[NAME], other[NAME];
    for (size_t k = 0; k < scalars; k++) {
        if (d[k].figures.rhat > d[worst].figures.rhat ||
            isnan(d[worst].figures.rhat))
            worst = k;
        if (d[k].figures.bulk < d[fewest].figures.bulk ||
            isnan(d[fewest].figures.bulk))
            fewest = k;
        least = fmin(least, d[k].chance);
    }
    name_of(g->target, worst, name);
    name_of(g->target, fewest, other);
    if (d[worst].figures.rhat > CS_RHAT_MOST &&
        least * (double)scalars < false_alarms)
        cs_page_put(p,
                    "R-hat of %s is %.4g: the chains do not agree; run longer "
                    "or change the kernel\n",
                    name, d[worst].figures.rhat);
    else if (d[worst].figures.rhat > CS_RHAT_MOST)
        cs_page_put(p,
                    "R-hat of %s is %.4g, perhaps by chance, for draws are "
                    "few (bulk ESS of %s %.0f): run longer\n",
                    name, d[worst].figures.rhat, other, d[fewest].figures.bulk);
    if (d[fewest].figures.bulk < 100 * (double)g->n)
        cs_page_put(p,
                    "bulk ESS of %s is %.0f, below 100 a chain: run %s times "
                    "as long\n",
                    other, d[fewest].figures.bulk,
                    times_longer(g, d[fewest].figures.bulk).text);
    else
        put_tails(g, d, p);
}

/* Chains that stay where they are, which R-hat of log p may not see; or sites whose
 * R-hat does not tell, and the chi-square does. */
static void put_sites(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t scalars = cs_chosen_scalars(g->view);
    const sites s = sites_of(d, scalars);
    char name[NAME];
    if (!(s.alike < false_alarms))
        return;
    name_of(g->target, s.least, name);
    if (s.apart > 0)
        cs_page_put(p,
                    "%.0f of %zu sites (%s first) change in no chain, and "
                    "differ between chains: each stays in a mode of its own; "
                    "temper the kernel, or move more sites at once\n",
                    s.apart, scalars - 1, name);
    else if (!(d[s.least].figures.rhat > CS_RHAT_MOST))
        cs_page_put(p,
                    "the values of %s are not alike in all chains (chi-square "
                    "%.3g of %.3g degrees of freedom, corrected for "
                    "autocorrelation; the most of %zu sites): run longer\n",
                    name, d[s.least].alike.chi2, d[s.least].alike.freedom,
                    scalars - 1);
}

/* The way in from far off. */
static void put_drift(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t worst = 0, scalars = cs_chosen_scalars(g->view);
    char name[NAME];
    for (size_t k = 0; k < scalars; k++)
        if (d[k].drift_chance < d[worst].drift_chance ||
            (d[k].drift_chance == d[worst].drift_chance &&
             fabs(d[k].drift) > fabs(d[worst].drift)))
            worst = k;
    if (!(d[worst].drift_chance * (double)scalars < false_alarms))
        return;
    name_of(g->target, worst, name);
    cs_page_put(p,
                "the first quarter of the draws of %s differs from the last "
                "(by %.0f errors): leave out a longer warm-up\n",
                name, fabs(d[worst].drift));
}

/* Kish: what the weights alone leave of the draws. */
static void put_weights(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t fewest = 0;
    double draws = (double)g->n * (double)g->draws;
    char name[NAME];
    if (g->kish < 0.1 * draws)
        cs_page_put(p,
                    "the weights are uneven: %.0f draws are worth %.0f that "
                    "count alike (Kish's size), and few carry every estimate\n",
                    draws, g->kish);
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        if (d[k].figures.ess < d[fewest].figures.ess ||
            isnan(d[fewest].figures.ess))
            fewest = k;
    name_of(g->target, fewest, name);
    if (d[fewest].figures.ess < 100 * (double)g->n)
        cs_page_put(p,
                    "ESS of %s is %.0f, below 100 a chain: run %s times as "
                    "long\n",
                    name, d[fewest].figures.ess,
                    times_longer(g, d[fewest].figures.ess).text);
}

static bool is_constant(const cs_diagnosis *d)
{
    return d->figures.sd == 0;
}

/* What cannot be judged: not of constants, which outputs may be (the upper
 * triangle of a factor) and sites of a lattice for long. */
static void put_undefined(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    char name[NAME];
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++) {
        bool free =
            g->target->outputs.n || (g->target->space.kind & CS_DISCRETE);
        if (!d[k].why || d[k].why == no_logp ||
            (k && free && is_constant(&d[k])))
            continue;
        name_of(g->target, k, name);
        cs_page_put(p, "%s: %s\n", name, d[k].why);
        return;
    }
}

/* Nothing is known of chains beside one without draws. */
static void put_none(const cs_chosen *g, cs_page *p)
{
    size_t without = 0, most = 0;
    for (size_t i = g->n; i-- > 0;) {
        size_t draws = g->view->chain[i].draws;
        without = draws ? without : i;
        most = draws > most ? draws : most;
    }
    if (most)
        cs_page_put(p,
                    "chain %zu has no draws, others have up to %zu: nothing is "
                    "said of any before each has some\n",
                    g->view->chain[without].number, most);
    else
        cs_page_put(p, "there are no draws\n");
}

/* How many draws of a scalar are infinite or no number, of chain i. */
static size_t not_finite(const cs_chosen *g, size_t scalar, size_t i)
{
    size_t n = 0, width = g->view->width;
    const double *x =
        g->view->chain[i].row + (scalar ? g->view->lead - 1 + scalar : 0);
    for (size_t k = 0; k < g->draws; k++)
        n += isfinite(x[k * width]) ? 0 : 1;
    return n;
}

/* One infinity makes a mean infinite: how many there are tells an overflow in a few
 * draws from a quantity that is never finite. */
static void put_not_finite(const cs_chosen *g, const cs_diagnosis *d,
                           cs_page *p)
{
    char name[NAME];
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++) {
        size_t n = 0, chains = 0;
        if (!d[k].why || d[k].why == no_logp || is_constant(&d[k]))
            continue;
        for (size_t i = 0; i < g->n; i++) {
            size_t some = not_finite(g, k, i);
            n += some;
            chains += some > 0;
        }
        if (!n)
            continue;
        name_of(g->target, k, name);
        cs_page_put(p,
                    "%zu of %zu draws of %s are infinite or NaN, in %zu of %zu "
                    "chains: its figures are undefined\n",
                    n, g->n * g->draws, name, chains, g->n);
    }
}

/* Why nothing is known: of the first quantity that is not constant, if there is
 * one. */
static const char *why_none(const cs_chosen *g, const cs_diagnosis *d)
{
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        if (d[k].why != no_logp && !is_constant(&d[k]))
            return d[k].why;
    return d[d[0].why == no_logp].why;
}

static void put_words(const cs_chosen *g, const cs_diagnosis *d, cs_page *p)
{
    size_t stuck = find_stuck(g), known = 0;
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        known += !d[k].why;
    if (g->failed && g->failed == g->all)
        cs_page_put(p, "all %zu chains failed, chain %zu last\n", g->all,
                    g->view->chain[g->n - 1].number);
    else if (g->failed)
        cs_page_put(p, "%zu of %zu chains failed; left out\n", g->failed,
                    g->all);
    if (stuck < g->n && g->n > 1 && (known || g->w))
        cs_page_put(p, "chain %zu is stuck: all its draws are equal\n",
                    g->view->chain[stuck].number);
    if (g->draws == 0)
        put_none(g, p);
    else if (!known)
        cs_page_put(p, "%s\n", why_none(g, d));
    else
        put_undefined(g, d, p);
    put_not_finite(g, d, p);
    put_sites(g, d, p);
    if (g->w)
        put_weights(g, d, p);
    if (known) {
        put_agreement(g, d, p);
        put_drift(g, d, p);
        put_heavy(g, d, p);
    }
}

/* ---- the report ---- */

/* A row of the table. `all` is what is known of all steps, NULL: nothing, or
 * the draws are all steps. The first scalar is log p; the probe has -log p. */
static cs_figures row_of(const cs_diagnosis *d, const cs_row_steps *all,
                         size_t scalar)
{
    cs_figures row = d->figures;
    if (all) {
        row.mean = scalar ? all->mean : -all->mean;
        row.sd = all->sd;
        row.mcse = all->mcse;
        row.ess = all->ess;
    }
    return row;
}

/* What there is to report. */
typedef struct findings {
    const cs_target *target;
    const cs_judged_view *view;
    const cs_diagnosis *found;
    const char *words;
    size_t draws;
    double kish;             /* NAN: the draws count alike */
    const cs_row_steps *all; /* [known] */
    size_t known;
} findings;

/* Whether all scalars are known of all steps: else none are, for the least of
 * figures of different draws is that of none. */
static bool are_known(const findings *o)
{
    return o->known == cs_chosen_scalars(o->view);
}

static const cs_row_steps *row_of_all(const findings *o, size_t k,
                                      const cs_diagnosis *d)
{
    bool all = k < o->known && d->why != cs_why_no_weight &&
               (!o->view->whole || isnan(d->figures.mean));
    return all ? o->all + k : NULL;
}

static void put_table(const findings *o, const char *prefix, cs_flat *out)
{
    size_t n = cs_chosen_scalars(o->view);
    cs_page names = {0};
    char name[NAME];
    cs_figures *to = CS_FLAT_ROWS(out, cs_figures, n, "%stable", prefix);
    for (size_t k = 0; to && k < n; k++) {
        const cs_diagnosis *d = &o->found[k];
        to[k] = row_of(d, are_known(o) ? row_of_all(o, k, d) : NULL, k);
        name_of(o->target, k, name);
        cs_page_put(&names, "%s%s", k ? " " : "", name);
    }
    cs_flat_text(out, names.text ? names.text : "", "%snames", prefix);
    cs_free(names.text);
}

/* Where draws have weights. */
static void put_kish(const findings *o, const char *prefix, cs_flat *out)
{
    size_t n = cs_chosen_scalars(o->view);
    if (isnan(o->kish))
        return;
    cs_flat_number(out, o->kish, "%skish", prefix);
    cs_quantiles *to =
        CS_FLAT_ROWS(out, cs_quantiles, n, "%squantiles", prefix);
    for (size_t k = 0; to && k < n; k++)
        to[k] = o->found[k].quantiles;
}

/* Of a discrete state: each site, and all together. */
static void put_homogeneity(const findings *o, const char *prefix, cs_flat *out)
{
    size_t n = cs_chosen_scalars(o->view);
    if (!has_sites(o->target) || !isnan(o->kish) || n < 2)
        return;
    const sites s = sites_of(o->found, n);
    cs_homogeneity *to =
        CS_FLAT_ROWS(out, cs_homogeneity, n - 1, "%ssites", prefix);
    for (size_t k = 1; to && k < n; k++)
        to[k - 1] = o->found[k].alike;
    cs_flat_number(out, s.alike, "%salike", prefix);
    cs_flat_number(out, (double)s.least, "%sleast", prefix);
    cs_flat_number(out, s.never, "%snever", prefix);
    cs_flat_number(out, s.apart, "%sapart", prefix);
}

/* The reason is the first of the words. */
static void put_reason(const char *words, const char *prefix, cs_flat *out)
{
    size_t n = strcspn(words, "\n");
    cs_flat_text(out, words, "%swords", prefix);
    char *room = cs_flat_room(out, n, "%sreason", prefix);
    if (room)
        memcpy(room, words, n);
}

static void put_all(const findings *o, const char *prefix, cs_flat *out)
{
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"n", (double)o->draws},
        {"every", (double)o->view->every},
        {"whole", o->view->whole},
        {"missing", (double)o->view->missing},
        {"known", o->view->whole || !are_known(o) ? 0 : (double)o->known},
        {"judged", (double)cs_chosen_scalars(o->view)},
        {"chains", (double)o->view->chains},
        {"of_chains", (double)o->view->of},
        {"of", (double)(1 + cs_target_shown(o->target))},
    };
    put_table(o, prefix, out);
    put_kish(o, prefix, out);
    put_homogeneity(o, prefix, out);
    put_reason(o->words ? o->words : "", prefix, out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cs_flat_number(out, numbers[i].value, "%s%s", prefix, numbers[i].key);
}

typedef struct search {
    const cs_chosen *g;
    cs_diagnosis *d;
} search;

/* Eight scalars, or what is left: a job. */
static void find_some(void *self, size_t job)
{
    const search *s = self;
    const cs_chosen *g = s->g;
    double *room = cs_alloc(g->n * g->draws, sizeof *room);
    size_t end = (job + 1) * JOB, all = cs_chosen_scalars(g->view);
    cs_scores scores = {0};
    for (size_t k = job * JOB; k < end && k < all; k++)
        s->d[k] = room ? find(g, k, room, &scores) : cs_no_diagnosis(no_memory);
    cs_scores_free(&scores);
    cs_free(room);
}

/* All scalars, and in words [own] what is wrong; false: memory was wanting. By
 * the pool, where there is one. */
static bool find_all(const cs_chosen *g, cs_pool *pool, cs_diagnosis *d,
                     char **words)
{
    cs_page p = {0};
    search s = {g, d};
    size_t jobs = (cs_chosen_scalars(g->view) + JOB - 1) / JOB;
    bool good = true;
    if (pool && jobs > 1)
        cs_pool_run(pool, find_some, &s, jobs);
    for (size_t i = 0; !(pool && jobs > 1) && i < jobs; i++)
        find_some(&s, i);
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        good &= !d[k].why || strcmp(d[k].why, no_memory) != 0;
    put_words(g, d, &p);
    *words = p.text;
    return good && !p.full;
}

/* What the probe has reported before, of all steps. */
static bool begin(const cs_target *t, const cs_judged_view *v,
                  const char *prefix, const cs_flat *out, findings *o)
{
    cs_flat_entry e;
    if (!cs_flat_find(out->base, out->used, &e, "%sall", prefix))
        return false;
    *o = (findings){.target = t, .view = v, .known = e.rows};
    o->all = CS_ENTRY_ROWS(e, cs_row_steps);
    o->known =
        o->known < cs_chosen_scalars(v) ? o->known : cs_chosen_scalars(v);
    return true;
}

/* Finds and reports; the words [own]. False: memory was wanting. */
static bool report(cs_chosen *g, cs_pool *pool, cs_diagnosis *d, findings *o,
                   const char *prefix, cs_flat *out, char **words)
{
    cs_chosen_weigh(g);
    bool good = find_all(g, pool, d, words);
    o->found = d;
    o->words = good ? *words : no_memory;
    o->draws = g->draws;
    o->kish = g->kish;
    put_all(o, prefix, out);
    cs_free(g->w);
    g->w = NULL;
    return good;
}

bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, bool alike,
                     const cs_flat *all, cs_figures *figures)
{
    findings o;
    cs_judged_view v;
    bool good = scalar <= a->judged.coordinates && a->judged.rows &&
                cs_judged_look(a, sample, &v);
    if (!good || !begin(r->target, &v, "", all, &o)) {
        if (good)
            cs_judged_end(&v);
        return false;
    }
    cs_chosen g = cs_choose(r->target, &v);
    cs_chosen_weigh(&g);
    double *room = cs_alloc(g.n * g.draws, sizeof *room);
    cs_scores scores = {0};
    cs_diagnosis d =
        room ? find(&g, scalar, room, &scores) : cs_no_diagnosis(no_memory);
    cs_scores_free(&scores);
    bool steps = !alike || are_known(&o);
    *figures = row_of(&d, steps ? row_of_all(&o, scalar, &d) : NULL, scalar);
    cs_free(room);
    cs_free(g.w);
    cs_judged_end(&v);
    return true;
}

/* ---- how sure a size is ---- */

/* The size of a scalar without the chains of one group, a chain. */
static double size_without(const cs_chosen *g, size_t scalar, size_t groups,
                           size_t without, double *room)
{
    cs_chosen some = *g;
    cs_judged_view view = *g->view;
    cs_judged_chain *chain = cs_alloc(g->n, sizeof *chain);
    double size = NAN;
    some.view = &view;
    some.n = 0;
    for (size_t i = 0; chain && i < g->n; i++)
        if (i % groups != without)
            chain[some.n++] = g->view->chain[i];
    view.chain = chain;
    cs_scores scores = {0};
    if (chain)
        size = find(&some, scalar, room, &scores).figures.ess;
    cs_scores_free(&scores);
    cs_free(chain);
    return log(size / (double)some.n);
}

/* Of draws that count alike. */
static double error_of_size(const cs_chosen *g, size_t scalar)
{
    double without[CS_JACKKNIFE_MOST];
    size_t groups = isnan(g->kish) ? cs_jackknife_groups(g->n) : 0;
    double *room = cs_alloc(g->n * g->draws, sizeof *room);
    for (size_t i = 0; room && i < groups; i++)
        without[i] = size_without(g, scalar, groups, i, room);
    cs_free(room);
    return room ? cs_jackknife_error(without, groups) : (double)NAN;
}

static size_t find_fewest(const cs_judged_view *v, const cs_flat *out,
                          const char *prefix)
{
    cs_flat_entry e;
    size_t fewest = 0;
    bool there =
        cs_flat_find(out->base, out->used, &e, "%stable", prefix) && e.data;
    const cs_figures *row = there ? CS_ENTRY_ROWS(e, cs_figures) : NULL;
    for (size_t k = 0; row && k < e.rows && k < cs_chosen_scalars(v); k++)
        if (row[k].ess < row[fewest].ess || isnan(row[fewest].ess))
            fewest = k;
    return fewest;
}

static cs_worst find_worst(const cs_chosen *g, const findings *o,
                           const char *prefix, const cs_flat *out)
{
    cs_worst worst = {find_fewest(g->view, out, prefix), (double)NAN};
    if (!are_known(o))
        worst.error = error_of_size(g, worst.row);
    return worst;
}

cs_worst cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out)
{
    findings o;
    cs_judged_view v;
    cs_judged *j = &a->judged;
    char *words;
    bool good = cs_judged_look(a, NULL, &v);
    if (j->rows && begin(r->target, &v, prefix, out, &o)) {
        cs_chosen g = cs_choose(r->target, &v);
        if (good && j->epoch == r->epoch) {
            o.found = j->found;
            o.words = j->words;
            o.draws = g.draws;
            o.kish = j->kish;
            put_all(&o, prefix, out);
        } else {
            good &= report(&g, r->pool, j->found, &o, prefix, out, &words);
            cs_free(j->words);
            j->words = words;
            j->kish = o.kish;
            j->worst = find_worst(&g, &o, prefix, out);
            j->epoch = good ? r->epoch : 0;
        }
    }
    cs_judged_end(&v);
    return j->worst;
}

cs_worst cs_diagnose_copy(const cs_target *t, cs_judged_view *v,
                          const char *prefix, cs_flat *out)
{
    findings o;
    char *words = NULL;
    cs_worst worst = {0, (double)NAN};
    cs_diagnosis *d = cs_alloc(cs_chosen_scalars(v), sizeof *d);
    if (d && begin(t, v, prefix, out, &o)) {
        cs_chosen g = cs_choose(t, v);
        report(&g, NULL, d, &o, prefix, out, &words);
        worst = find_worst(&g, &o, prefix, out);
    }
    cs_free(words);
    cs_free(d);
    return worst;
}
