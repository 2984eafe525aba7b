#include "run/run_facts.h"

#include "base/memory.h"
#include "chain/tally.h"
#include "run/arms/arms.h"
#include "run/draws/each_draw.h"
#include "run/draws/joint_size.h"
#include "run/draws/kept_draws.h"
#include "run/draws/sample.h"
#include "run/predict.h"
#include "run/summary/log_lik.h"
#include "run/views/reports.h"
#include "run/views/sorted.h"
#include "run/views/view.h"
#include "stat/diagnostics.h"
#include "stat/nested_rhat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page: all entries whose keys begin with the same prefix. */
typedef struct page {
    struct page *next;
    char name[CS_FLAT_KEY];
    unsigned char *base; /* [own]; NULL: none */
    size_t used;
} page;

/* The sorted draws of the whole arm. */
typedef struct in_order {
    struct in_order *next;
    size_t reference;
    bool known;
    cs_sorted sorted;
} in_order;

struct cs_run_facts {
    cs_facts facts;
    cs_run *run;
    size_t arm;
    size_t *chain, chains; /* chains that are used, possibly repeated [own] */
    /* facts of the whole arm, for a sample [borrowed]; else NULL */
    cs_run_facts *whole;
    cs_run_sample sample;
    double steps; /* step of the run */
    /* without: group that is left out of the sample; groups: number of groups,
     * or 0 */
    size_t without, groups;
    page *pages;           /* [own] */
    in_order *orders;      /* [own] only for the whole arm */
    cs_scalars *scalars;   /* [own] only for the whole arm */
    cs_run_facts **others; /* [facts.arms] [own] only for the whole arm */
};

/* ---- numbers ---- */

static bool fill_numbers(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_arm_view v = cs_run_arm(f->run, f->arm);
    const cs_target *t = cs_run_target(f->run);
    double part = (double)f->chains / (double)v.chains;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"chains", (double)f->chains},
        {"group", (double)v.group},
        {"steps", (double)v.steps},
        {"warm_up", (double)v.tuning.steps},
        {"exact", cs_kernel_is_exact(v.kernel, t)},
        {"log_densities", (double)v.work.log_densities * part},
        {"gradients", (double)v.work.gradients * part},
        {"data_terms", (double)v.work.data_terms * part},
        {"simulations", (double)v.work.simulations * part},
        {"site_updates", (double)v.work.site_updates * part},
        {"evaluations", cs_work_evaluations(&v.work, t) * part},
        {"passes", cs_work_passes(&v.work, t, v.chains)},
        {"seconds", v.seconds * part},
    };
    (void)rest;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cs_flat_number(out, numbers[i].value, "%s", numbers[i].key);
    cs_flat_text(out, v.name, "name");
    return true;
}

static bool fill_tally(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_row_tally *row = CS_FLAT_ROWS(out, cs_row_tally, f->chains, "tally");
    (void)rest;
    for (size_t i = 0; row && i < f->chains; i++) {
        cs_chain_view v = cs_run_decision(f->run, f->arm, f->chain[i]);
        row[i] = (cs_row_tally){.steps = v.tally.steps,
                                .accepted = v.tally.accepted,
                                .moved = v.tally.moved,
                                .divergent = v.tally.divergent,
                                .not_finite = v.tally.not_finite,
                                .ebfmi = cs_tally_ebfmi(&v.tally),
                                .failed = v.failed};
    }
    return row;
}

/* Reports the work of the used chains in all units, from step 0. */
static bool fill_units(cs_run_facts *f, const char *rest, cs_flat *out)
{
    size_t group = cs_run_arm(f->run, f->arm).group, n = f->chains / group;
    double *unit = cs_flat_array(out, 1, n, "units");
    (void)rest;
    for (size_t i = 0; unit && i < n; i++)
        unit[i] = (double)(f->chain[i * group] / group);
    return unit;
}

static bool fill_state(cs_run_facts *f, const char *rest, cs_flat *out)
{
    size_t dim = cs_run_target(f->run)->space.dim;
    double *x = cs_flat_array(out, f->chains, dim, "state");
    (void)rest;
    for (size_t i = 0; x && i < f->chains; i++)
        memcpy(x + i * dim, cs_run_chain(f->run, f->arm, f->chain[i]).x,
               dim * sizeof *x);
    return x;
}

/* ---- predictions ---- */

/* Computes the predictions from all chains, and the predictions with each group
 * of chains left out. */
static bool fill_held_out(cs_run_facts *f, const char *rest, cs_flat *out)
{
    size_t n, r, g = f->without < CS_RUN_GROUPS ? 1 + f->without : 0;
    (void)rest;
    if (f->whole) {
        const double *all =
            cs_fact_array(&f->whole->facts, f->arm, &r, &n, "held_out");
        if (all && g < n)
            cs_flat_number(out, all[g], "held_out");
        return all && g < n;
    }
    cs_held_out found[1 + CS_RUN_GROUPS];
    if (!cs_run_held_out(f->run, f->arm, f->groups, found))
        return false;
    double *to = cs_flat_array(out, 1, 1 + f->groups, "held_out");
    for (size_t i = 0; to && i <= f->groups; i++)
        to[i] = found[i].rmse;
    return to;
}

static bool fill_predictions(cs_run_facts *f, const char *rest, cs_flat *out)
{
    size_t n = 0;
    const cs_row_predictions *all =
        f->whole ? CS_FACT_ROWS(&f->whole->facts, f->arm, cs_row_predictions,
                                &n, "predictions")
                 : NULL;
    (void)rest;
    if ((f->whole && !all) || !cs_run_target(f->run)->type->held_out)
        return false;
    cs_row_predictions *row =
        CS_FLAT_ROWS(out, cs_row_predictions, f->chains, "predictions");
    for (size_t i = 0; row && i < f->chains; i++) {
        size_t c = f->chain[i];
        cs_held_out h = {(double)NAN, (double)NAN, (double)NAN};
        size_t draws = all ? 0 : cs_run_draws(f->run, f->arm, c, NULL, NULL);
        if (!all && cs_run_predict(f->run, f->arm, c, 0, draws, &h,
                                   f->facts.err) != CS_OK)
            return false;
        row[i] = all ? all[c]
                     : (cs_row_predictions){h.rmse, h.accuracy, h.log_score};
    }
    return row;
}

/* ---- draws ---- */

static in_order *order_of(cs_run_facts *f, size_t reference)
{
    in_order *o = f->orders;
    while (o && o->reference != reference)
        o = o->next;
    if (o || !(o = cs_alloc(1, sizeof *o)))
        return o;
    o->next = f->orders;
    o->reference = reference;
    f->orders = o;
    cs_error err;
    o->known =
        cs_sorted_make(&o->sorted, f->run, f->arm, reference, &err) == CS_OK;
    return o;
}

/* Reports a distance for each coordinate: from the exact distribution ("ks"),
 * or from the draws of another arm ("ks/ARM"). */
static bool fill_ks(cs_run_facts *f, const char *rest, cs_flat *out)
{
    size_t reference = *rest ? strtoul(rest + 1, NULL, 10) : CS_NO_ARM;
    const in_order *o = order_of(f->whole ? f->whole : f, reference);
    if (!o || !o->known)
        return false;
    double *times = cs_alloc(o->sorted.chains, sizeof *times);
    double *ks = cs_flat_array(out, 1, o->sorted.coordinates, "ks%s", rest);
    for (size_t i = 0; times && i < f->chains; i++)
        if (f->chain[i] < o->sorted.chains)
            times[f->chain[i]]++;
    if (times && ks)
        cs_sorted_distance(&o->sorted, times, ks);
    cs_free(times);
    return times && ks;
}

/* Copies the draws of scalar k for the chains of the sample. */
static bool pick(cs_run_facts *f, size_t k, cs_derived *out)
{
    cs_run_facts *whole = f->whole ? f->whole : f;
    const cs_derived *d = cs_scalars_find(&whole->scalars, f->run, f->arm, k);
    return d && cs_derived_pick(d, f->chain, f->chains, out);
}

/* Reads "/K/P": the scalar and a number. NAN: the number is missing. */
static size_t read_scalar(const char *rest, double *number)
{
    char *end;
    size_t k = *rest ? strtoul(rest + 1, &end, 10) : 0;
    *number = *rest && *end == '/' ? strtod(end + 1, NULL) : (double)NAN;
    return k;
}

/* Diagnoses a function of the draws. */
static bool diagnose_derived(cs_run_facts *f, size_t k, cs_figures *figures)
{
    cs_derived d;
    if (!pick(f, k, &d))
        return false;
    *figures = cs_derived_figures(&d);
    cs_derived_free(&d);
    return true;
}

static bool fill_row(cs_run_facts *f, const char *key, const char *rest,
                     bool alike, cs_flat *out)
{
    cs_figures figures;
    double none;
    size_t k = read_scalar(rest, &none);
    if (k >= CS_FACTS_DERIVED
            ? !diagnose_derived(f, k, &figures)
            : !cs_run_diagnosis(f->run, f->arm, k, f->whole ? &f->sample : NULL,
                                alike, &figures))
        return false;
    cs_figures *to = CS_FLAT_ROWS(out, cs_figures, 1, "%s%s", key, rest);
    if (to)
        *to = figures;
    return to;
}

/* Reports "quantile/K/P": quantile P of scalar K. */
static bool fill_quantile(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_derived d;
    double p, value;
    size_t k = read_scalar(rest, &p);
    if (!*rest || (k >= CS_FACTS_DERIVED && !pick(f, k, &d)))
        return false;
    if (k >= CS_FACTS_DERIVED) {
        value = cs_derived_quantile(&d, p);
        cs_derived_free(&d);
    } else {
        value =
            cs_run_quantile(f->run, f->arm, k, f->whole ? &f->sample : NULL, p);
    }
    cs_flat_number(out, value, "quantile%s", rest);
    return true;
}

/* Reports "moment/K": mean and standard deviation of scalar K. */
static bool fill_moment(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_derived d;
    double none, *to;
    if (!*rest || !pick(f, read_scalar(rest, &none), &d))
        return false;
    if ((to = cs_flat_array(out, 1, 2, "moment%s", rest)))
        cs_derived_moments(&d, &to[0], &to[1]);
    cs_derived_free(&d);
    return to;
}

/* Reports "autocorrelation/K/LAG" of scalar K. */
static bool fill_lag(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_derived d;
    double lag;
    size_t k = read_scalar(rest, &lag);
    if (!(lag >= 0) || !pick(f, k, &d))
        return false;
    cs_draws draws = {d.x, d.draws, d.n};
    if (!d.w)
        cs_flat_number(out, cs_autocorrelation(draws, (size_t)lag, NULL),
                       "autocorrelation%s", rest);
    cs_derived_free(&d);
    return true;
}

/* Reports "rhat_nested/K/S" of scalar K: chains that move together, numbers u, u
 * + S, u + 2 S ..., are superchain u of S. */
static bool fill_nested(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_derived d;
    double superchains;
    size_t k = read_scalar(rest, &superchains);
    size_t group = cs_run_arm(f->run, f->arm).group;
    if (!(superchains >= 2) || !pick(f, k, &d))
        return false;
    for (size_t i = 0; i < d.n; i++)
        d.chain[i] = d.chain[i] / group % (size_t)superchains;
    cs_draws draws = {d.x, d.draws, d.n};
    if (!d.w)
        cs_flat_number(out, cs_nested_rhat(draws, d.chain, NULL),
                       "rhat_nested%s", rest);
    cs_derived_free(&d);
    return true;
}

/* Reports "ess_multivariate": a row of cs_joint_size. */
static bool fill_joint(cs_run_facts *f, const char *rest, cs_flat *out)
{
    (void)rest;
    cs_joint_size j =
        cs_run_joint_size(f->run, f->arm, f->whole ? &f->sample : NULL);
    double *to = cs_flat_array(out, 1, CS_JOINT_WORDS, "ess_multivariate");
    if (to)
        memcpy(to, (double[]){j.size, j.error, j.used},
               CS_JOINT_WORDS * sizeof *to);
    if (j.why)
        cs_flat_text(out, j.why, "ess_multivariate/reason");
    return to;
}

/* Reports "elpd_loo": the leave-one-out log predictive density. */
static bool fill_elpd(cs_run_facts *f, const char *rest, cs_flat *out)
{
    (void)rest;
    cs_run_loo l;
    const cs_loo_ask ask = {.sample = f->whole ? &f->sample : NULL};
    bool good = cs_run_loo_find(f->run, f->arm, &ask, &l, NULL) == CS_OK;
    if (good)
        cs_flat_number(out, cs_loo_total(l.point, l.of.n).elpd, "elpd_loo");
    cs_run_loo_free(&l);
    return good;
}

/* Reports "sensitivity/K": the sensitivities of scalar K to the power of the
 * prior and the likelihood. */
static bool fill_sensitivity(cs_run_facts *f, const char *rest, cs_flat *out)
{
    cs_run_power p;
    const cs_power_ask ask = {.alpha = CS_POWER,
                              .sample = f->whole ? &f->sample : NULL,
                              .only = *rest ? strtoul(rest + 1, NULL, 10) : 0};
    bool good =
        ask.only && cs_run_power_find(f->run, f->arm, &ask, &p, NULL) == CS_OK;
    if (!ask.only)
        return false;
    double *to =
        good && p.n ? cs_flat_array(out, 1, 2, "sensitivity%s", rest) : NULL;
    if (to)
        memcpy(to, (double[]){p.prior[0], p.likelihood[0]}, 2 * sizeof *to);
    cs_run_power_free(&p);
    return to;
}

static bool fill_quantity(cs_run_facts *f, const char *rest, cs_flat *out)
{
    return fill_row(f, "quantity", rest, false, out);
}

static bool fill_alike(cs_run_facts *f, const char *rest, cs_flat *out)
{
    return fill_row(f, "quantity_alike", rest, true, out);
}

/* Reports the kind of log p without the full report, whose table is slow to
 * compute. */
static bool fill_logp(cs_run_facts *f, const char *rest, cs_flat *out)
{
    (void)rest;
    cs_flat_text(out, cs_logp_name(cs_run_diagnosed_logp(f->run, f->arm)),
                 "diagnostics/logp");
    return true;
}

/* Reports "observed/PROBE": 1 if the run has that probe. */
static bool fill_observed(cs_run_facts *f, const char *rest, cs_flat *out)
{
    const cs_probe_type *type;
    for (size_t i = 0; *rest && (type = cs_run_probe(f->run, i)); i++)
        if (strcmp(type->name, rest + 1) == 0)
            cs_flat_number(out, 1, "observed%s", rest);
    return true;
}

static bool fill_report(cs_run_facts *f, const char *probe, cs_flat *out)
{
    char prefix[CS_FLAT_KEY + 1];
    snprintf(prefix, sizeof prefix, "%s/", probe);
    return cs_run_report_of(f->run, f->arm, probe, f->whole ? &f->sample : NULL,
                            prefix, out);
}

/* ---- pages ---- */

/* The entries that no probe reports. `rest` is the part of the key after the
 * prefix. */
static const struct source {
    const char *key;
    bool (*fill)(cs_run_facts *f, const char *rest, cs_flat *out);
} sources[] = {
    {"tally", fill_tally},
    {"units", fill_units},
    {"state", fill_state},
    {"held_out", fill_held_out},
    {"predictions", fill_predictions},
    {"ks", fill_ks},
    {"quantile", fill_quantile},
    {"moment", fill_moment},
    {"autocorrelation", fill_lag},
    {"rhat_nested", fill_nested},
    {"ess_multivariate", fill_joint},
    {"elpd_loo", fill_elpd},
    {"sensitivity", fill_sensitivity},
    {"quantity", fill_quantity},
    {"quantity_alike", fill_alike},
    {"diagnostics/logp", fill_logp},
    {"observed", fill_observed},
};

static const struct source *source_of(const char *key, const char **rest)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        size_t n = strlen(sources[i].key);
        *rest = key + n;
        if (strncmp(key, sources[i].key, n) == 0 && (!key[n] || key[n] == '/'))
            return &sources[i];
    }
    return NULL;
}

enum { REPORT = 4 << 20 };

/* Fills a page with the entries of a source or a probe. The page named "" gets
 * the numbers that describe the arm. */
static void fill(cs_run_facts *f, const struct source *s, const char *rest,
                 page *p)
{
    cs_flat flat;
    /* the memory is not zeroed, since most of it is not used */
    unsigned char *scratch = NULL;
    const cs_target *t = cs_run_target(f->run);
    size_t rows = f->chains * (t->space.dim + 16) + 64 * cs_target_shown(t);
    size_t bytes = REPORT + rows * sizeof(double), n = 0;
    if (!CS_EXTEND(scratch, 0, n, bytes))
        return;
    cs_flat_begin(&flat, scratch, bytes);
    bool there = s          ? s->fill(f, rest, &flat)
                 : *p->name ? fill_report(f, p->name, &flat)
                            : fill_numbers(f, "", &flat);
    p->base = there ? cs_alloc(1, flat.used + 1) : NULL;
    p->used = p->base ? flat.used : 0;
    if (p->base)
        memcpy(p->base, flat.base, flat.used);
    cs_free(scratch);
}

/* Returns the page that contains a key; NULL: out of memory. */
static const page *page_of(cs_run_facts *f, const char *key)
{
    const char *rest, *slash = strchr(key, '/');
    const struct source *s = source_of(key, &rest);
    char name[CS_FLAT_KEY] = "";
    if (s)
        snprintf(name, sizeof name, "%s", key);
    else if (slash)
        snprintf(name, sizeof name, "%.*s", (int)(slash - key), key);
    page *p = f->pages;
    while (p && strcmp(p->name, name) != 0)
        p = p->next;
    if (p || !(p = cs_alloc(1, sizeof *p)))
        return p;
    memcpy(p->name, name, sizeof name);
    fill(f, s, rest, p);
    p->next = f->pages;
    f->pages = p;
    return p;
}

/* ---- arms ---- */

/* Returns the facts about all chains of another arm. They are stored with the
 * facts of the whole arm. */
static cs_run_facts *other_of(cs_run_facts *f, size_t arm)
{
    cs_run_facts *keeper = f->whole ? f->whole : f;
    if (arm >= f->facts.arms || !keeper->others)
        return NULL;
    if (!keeper->others[arm])
        keeper->others[arm] = cs_run_facts_new(f->run, arm, 0);
    return keeper->others[arm];
}

/* Finds an entry about the run. */
static bool find_of_run(cs_run_facts *f, const char *key, cs_flat_entry *entry)
{
    f->steps = (double)cs_run_steps(f->run);
    *entry = (cs_flat_entry){"steps", 1, 1, &f->steps, NULL};
    return strcmp(key, "steps") == 0;
}

static bool find(const cs_facts *facts, size_t arm, const char *key,
                 cs_flat_entry *entry)
{
    cs_run_facts *f = facts->self;
    if (arm == CS_FACTS_RUN)
        return find_of_run(f, key, entry);
    if (arm != f->arm)
        f = other_of(f, arm);
    const page *p = f ? page_of(f, key) : NULL;
    return p && p->base && cs_flat_find(p->base, p->used, entry, "%s", key);
}

/* Lists the chains of `sample`, in the order of the sample's groups; NULL: all
 * chains of the arm. */
static void list_chains(cs_run_facts *f, const cs_run_sample *sample)
{
    cs_arm_view v = cs_run_arm(f->run, f->arm);
    size_t units = v.chains / v.group, groups = sample ? sample->groups : 1;
    size_t each = (units + groups - 1) / groups * v.group;
    f->chain = cs_alloc((sample ? sample->n : 1) * each, sizeof *f->chain);
    for (size_t g = 0; f->chain && g < (sample ? sample->n : 1); g++)
        for (size_t u = sample ? sample->group[g] : 0; u < units; u += groups)
            for (size_t i = 0; i < v.group; i++)
                f->chain[f->chains++] = u * v.group + i;
}

static cs_run_facts *make(cs_run *r, size_t arm, const cs_run_sample *sample)
{
    cs_run_facts *f = cs_alloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->facts = (cs_facts){.find = find, .self = f, .arms = cs_run_arms(r)};
    f->run = r;
    f->arm = arm;
    f->without = CS_RUN_GROUPS;
    list_chains(f, sample);
    if (sample)
        f->sample = *sample;
    else
        f->others = cs_alloc(f->facts.arms, sizeof *f->others);
    if (f->chain && (sample || f->others))
        return f;
    cs_run_facts_free(f);
    return NULL;
}

cs_run_facts *cs_run_facts_new(cs_run *r, size_t arm, size_t groups)
{
    cs_run_facts *f = make(r, arm, NULL);
    if (f)
        f->groups = groups;
    return f;
}

cs_run_facts *cs_run_facts_sample(cs_run_facts *whole,
                                  const cs_run_sample *sample, size_t without)
{
    cs_run_facts *f = make(whole->run, whole->arm, sample);
    if (f) {
        f->whole = whole;
        f->without = without;
    }
    return f;
}

void cs_run_facts_free(cs_run_facts *f)
{
    if (!f)
        return;
    for (page *p = f->pages, *next; p; p = next) {
        next = p->next;
        cs_free(p->base);
        cs_free(p);
    }
    for (in_order *o = f->orders, *next; o; o = next) {
        next = o->next;
        cs_sorted_end(&o->sorted);
        cs_free(o);
    }
    cs_scalars_free(f->scalars);
    for (size_t i = 0; f->others && i < f->facts.arms; i++)
        cs_run_facts_free(f->others[i]);
    cs_free(f->others);
    cs_free(f->chain);
    cs_free(f);
}

const cs_facts *cs_run_facts_of(cs_run_facts *f, cs_error *err)
{
    f->facts.err = err;
    if (f->whole)
        f->whole->facts.err = err;
    return &f->facts;
}

size_t cs_run_facts_derive(cs_run_facts *f, cs_draw_value *value, void *self,
                           bool *stopped, cs_error *err)
{
    cs_run_facts *whole = f->whole ? f->whole : f;
    return cs_scalars_add(&whole->scalars, f->run, f->arm, value, self, stopped,
                          err);
}

size_t cs_run_facts_arm(const cs_run_facts *f)
{
    return f->arm;
}
