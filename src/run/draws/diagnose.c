/* Diagnoses the draws: R-hat, ESS and standard errors of log p and all
 * quantities, and the warnings about them. */
#include "run/draws/diagnose.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/spill.h"
#include "probe/rows.h"
#include "run/arms/run_state.h"
#include "run/arms/workers.h"
#include "run/draws/chosen.h"
#include "run/draws/diagnosed.h"
#include "run/draws/exchangeable.h"
#include "run/draws/joint_size.h"
#include "run/draws/sample.h"
#include "run/draws/size_errors.h"
#include "stat/constant_chains.h"
#include "stat/homogeneity.h"
#include "stat/weighted.h"
#include "stat/worst.h"
#include "target/parameters.h"
#include "warn/warnings.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* the same message as in src/stat */
static const char no_memory[] = "out of memory";
static const char no_logp[] = "the kernel has no log p";
enum { NAME = 64, LEAST_DRAWS = 16, JOB = 8, WORKSPACES = 64 };

/* Returns true if the quantities are sites of a discrete state. */
static bool has_sites(const cs_target *t)
{
    return cs_space_is_discrete(&t->space) && !t->outputs.n;
}

static size_t count_at(cs_draws d, double value)
{
    size_t n = 0;
    for (size_t i = 0; i < d.n * d.chains; i++)
        n += d.x[i] == value;
    return n;
}

/* Counts the draws of a count at its largest value, and the chains in which a
 * coordinate of a named parameter never changes. If
 * the others change, by more than chance, the chains do not agree: R-hat is
 * infinite, whatever the variances are. */
static void find_constant(const cs_chosen *g, size_t scalar, cs_draws d,
                          cs_diagnosis *found)
{
    const cs_target *t = g->target;
    if (!scalar || !t->named || d.n < LEAST_DRAWS)
        return;
    size_t i = cs_target_shown_coordinate(t, scalar - 1);
    if (i >= t->space.dim)
        return;
    const cs_part *part = cs_target_parameter(t, i);
    if (part->open)
        found->at_end = count_at(d, part->low + part->values - 1);
    found->constant = cs_constant_chains_of(d);
    if (found->constant.apart) {
        found->figures.rhat = HUGE_VAL;
        found->why = NULL;
    }
}

/* Diagnoses the draws x[g->n][g->draws] of a scalar. */
static cs_diagnosis find_of(const cs_chosen *g, size_t scalar, const double *x,
                            cs_scores *scores)
{
    cs_draws d = {x, g->draws, g->n};
    if (g->why)
        return cs_no_diagnosis(g->why);
    if (scalar == 0 && g->view->logp == CS_LOGP_NONE)
        return cs_no_diagnosis(no_logp);
    if (g->w)
        return cs_diagnose_weighted(d, g->w, &g->view->quantiles);
    cs_diagnosis found = cs_diagnose_with(d, &g->view->quantiles, scores);
    cs_part part;
    if (scalar && cs_target_shown_part(g->target, scalar - 1, &part))
        found.alike = cs_homogeneity_of(d, part.low, (size_t)part.values);
    find_constant(g, scalar, d, &found);
    return found;
}

static cs_diagnosis find(const cs_chosen *g, size_t scalar, double *scratch,
                         cs_scores *scores)
{
    if (!g->why)
        cs_chosen_copy(g, scalar, scratch);
    return find_of(g, scalar, scratch, scores);
}

/* Returns true if all draws of a chain are equal; first[width] is scratch. */
static bool is_stuck(const cs_chosen *g, size_t chain, double *first)
{
    size_t width = g->view->width, lead = g->view->lead, k = 1;
    cs_row_reader r;
    bool same = cs_rows_begin(&r, g->view, &g->view->chain[chain]);
    if (same)
        memcpy(first, cs_rows_at(&r, 0), width * sizeof *first);
    for (; same && k < g->draws; k++) {
        const double *x = cs_rows_at(&r, k);
        same = memcmp(first, x, sizeof *x) == 0 &&
               memcmp(first + lead, x + lead, (width - lead) * sizeof *x) == 0;
    }
    cs_rows_end(&r);
    return same;
}

/* Returns the first chain whose draws are all equal; g->n: none. */
static size_t find_stuck(const cs_chosen *g)
{
    double *scratch = cs_alloc(g->view->width, sizeof *scratch);
    size_t i = scratch && g->draws >= LEAST_DRAWS ? 0 : g->n;
    while (i < g->n && !is_stuck(g, i, scratch))
        i++;
    cs_free(scratch);
    return i;
}

static void name_of(const cs_target *t, size_t scalar, char name[NAME])
{
    if (scalar)
        cs_target_coordinate(t, scalar - 1, name, NAME);
    else
        snprintf(name, NAME, "lp__"); /* the same name as in files of draws */
}

/* ---- warnings ---- */

static void name_scalar(const void *self, size_t k, char name[CS_WARN_NAME])
{
    name_of(self, k, name);
}

/* Finds a chain without draws, and the largest number of draws of a chain. */
static void count_draws(const cs_chosen *g, cs_warn_draws *out)
{
    size_t without = 0;
    for (size_t i = g->n; i-- > 0;) {
        size_t draws = g->view->chain[i].draws;
        without = draws ? without : i;
        out->most = draws > out->most ? draws : out->most;
    }
    if (g->n)
        out->without = g->view->chain[without].number;
}

/* Finds the first scalar with infinite or NaN draws, and counts these draws. */
static void count_infinite(const cs_chosen *g, const cs_diagnosis *d,
                           cs_warn_draws *out)
{
    size_t k = 0;
    while (k < out->scalars && d[k].why != cs_why_not_finite)
        k++;
    for (size_t i = 0; k < out->scalars && i < g->n; i++) {
        size_t some = 0, column = k ? g->view->lead - 1 + k : 0;
        cs_row_reader r;
        bool good = cs_rows_begin(&r, g->view, &g->view->chain[i]);
        for (size_t j = 0; good && j < g->draws; j++)
            some += isfinite(
                        cs_diagnosed_number(g->view, cs_rows_at(&r, j), column))
                        ? 0
                        : 1;
        cs_rows_end(&r);
        out->infinite += some;
        out->infinite_in += some > 0;
    }
}

static cs_warn_draws draws_of(const cs_chosen *g, const cs_diagnosis *d)
{
    const cs_space *space = &g->target->space;
    size_t stuck = find_stuck(g);
    cs_warn_draws out = {
        .d = d,
        .scalars = cs_chosen_scalars(g->view),
        .chains = g->n,
        .draws = g->draws,
        .failed = g->failed,
        .all = g->all,
        .failed_last = g->n ? g->view->chain[g->n - 1].number : 0,
        .stuck = stuck < g->n ? g->view->chain[stuck].number : 0,
        .weighted = g->w,
        .real = cs_space_is_real(space),
        .constants = g->target->outputs.n || !cs_space_is_real(space),
        .kish = g->kish,
        .no_logp = no_logp,
        .name = name_scalar,
        .self = g->target,
    };
    count_draws(g, &out);
    count_infinite(g, d, &out);
    return out;
}

static cs_warnings find_warnings(const cs_chosen *g, const cs_diagnosis *d)
{
    cs_warnings w = {0};
    cs_warn_labels labels;
    cs_warn_draws draws = draws_of(g, d);
    if (cs_exchangeable_find(g, d, &labels))
        draws.labels = &labels;
    cs_warnings_find_draws(&w, &draws);
    return w;
}

/* ---- the report ---- */

/* Returns a row of the table. `all` contains the figures computed from all
 * steps. `all` is NULL if these figures are unknown, or if every step is a
 * diagnosed draw. Scalar 0 is log p in the table, but -log p in `all`. */
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

/* The results to report. */
typedef struct findings {
    const cs_target *target;
    const cs_diagnosed_view *view;
    const cs_diagnosis *found;
    const cs_warnings *warnings; /* NULL if memory ran out */
    size_t draws;
    double kish;             /* NAN: equal weights */
    cs_joint_size joint;     /* of all quantities */
    const cs_row_steps *all; /* [known] figures from all steps */
    size_t known;
} findings;

/* Returns true if every scalar has figures computed from all steps. If it
 * returns false, no such figures are used: a minimum over figures from
 * different draws is meaningless. */
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

/* Reports the quantiles and, for weighted draws, the ESS of the weights
 * (Kish). */
static void put_quantiles(const findings *o, const char *prefix, cs_flat *out)
{
    const cs_probabilities *p = &o->view->quantiles;
    size_t n = cs_chosen_scalars(o->view), width = CS_QUANTILE_WORDS * p->n;
    if (!isnan(o->kish))
        cs_flat_number(out, o->kish, "%skish", prefix);
    double *of = cs_flat_array(out, 1, p->n, "%sprobabilities", prefix);
    double *to = cs_flat_array(out, n, width, "%squantiles", prefix);
    if (of)
        memcpy(of, p->p, p->n * sizeof *of);
    for (size_t k = 0; to && k < n; k++)
        memcpy(to + k * width, o->found[k].quantile, width * sizeof *to);
}

/* Reports the multivariate effective size, or the reason why it is missing. */
static void put_joint(const findings *o, const char *prefix, cs_flat *out)
{
    double *to =
        cs_flat_array(out, 1, CS_JOINT_WORDS, "%smultivariate", prefix);
    if (to)
        memcpy(to, (double[]){o->joint.size, o->joint.error, o->joint.used},
               CS_JOINT_WORDS * sizeof *to);
    cs_flat_text(out, o->joint.why ? o->joint.why : "", "%smultivariate_reason",
                 prefix);
}

/* Reports homogeneity tests of a discrete state, for each site and for all
 * sites together. */
static void put_homogeneity(const findings *o, const char *prefix, cs_flat *out)
{
    size_t n = cs_chosen_scalars(o->view);
    if (!has_sites(o->target) || !isnan(o->kish) || n < 2)
        return;
    const cs_sites s = cs_sites_of(o->found, n);
    cs_homogeneity *to =
        CS_FLAT_ROWS(out, cs_homogeneity, n - 1, "%ssites", prefix);
    for (size_t k = 1; to && k < n; k++)
        to[k - 1] = o->found[k].alike;
    cs_flat_number(out, s.alike, "%salike", prefix);
    cs_flat_number(out, (double)s.least, "%sleast", prefix);
    cs_flat_number(out, s.never, "%snever", prefix);
    cs_flat_number(out, s.apart, "%sapart", prefix);
}

/* Reports each warning as a line, with the kind of the line. If figures are
 * missing, also reports the reason: the warning about weighted draws or, if
 * there is no such warning, the first line. */
static void put_warnings(const cs_warnings *w, const char *prefix, cs_flat *out)
{
    cs_page lines = {0}, names = {0};
    if (w)
        cs_warnings_put(w, &lines, &names);
    bool good = w && !w->full && !lines.full && !names.full;
    const char *words = !good ? no_memory : lines.text ? lines.text : "";
    const char *why = good ? cs_warnings_text(w, "weighted") : NULL;
    why = why ? why : words;
    size_t n = strcspn(why, "\n");
    cs_flat_text(out, words, "%swords", prefix);
    cs_flat_text(out, good && names.text ? names.text : "", "%swarned", prefix);
    char *scratch = cs_flat_room(out, n, "%sreason", prefix);
    if (scratch)
        memcpy(scratch, why, n);
    cs_free(lines.text);
    cs_free(names.text);
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
        {"diagnosed", (double)cs_chosen_scalars(o->view)},
        {"chains", (double)o->view->chains},
        {"of_chains", (double)o->view->of},
        {"of", (double)(1 + cs_target_shown(o->target))},
    };
    put_table(o, prefix, out);
    put_quantiles(o, prefix, out);
    put_homogeneity(o, prefix, out);
    put_joint(o, prefix, out);
    put_warnings(o->warnings, prefix, out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cs_flat_number(out, numbers[i].value, "%s%s", prefix, numbers[i].key);
}

/* Memory of a job, which the thread's next job uses again: copies of the
 * draws, and normal scores. */
typedef struct workspace {
    atomic_flag busy;
    double *x; /* [words] [own] */
    size_t words;
    cs_spill columns; /* columns of large draws [own] */
    cs_scores scores;
} workspace;

typedef struct search {
    const cs_chosen *g;
    cs_diagnosis *d;
    workspace workspace[WORKSPACES];
} search;

/* Returns a workspace that no other thread uses, or NULL. */
static workspace *take_workspace(search *s)
{
    for (size_t i = 0; i < WORKSPACES; i++)
        if (!atomic_flag_test_and_set(&s->workspace[i].busy))
            return &s->workspace[i];
    return NULL;
}

/* Returns x[words] of the workspace; NULL if memory is short. */
static double *workspace_words(workspace *d, size_t words)
{
    if (!d->x || words > d->words) {
        cs_free(d->x);
        d->x = cs_alloc(words, sizeof *d->x);
        d->words = d->x ? words : 0;
    }
    return d->x;
}

static void clear_workspace(workspace *d)
{
    cs_scores_free(&d->scores);
    cs_spill_end(&d->columns);
    cs_free(d->x);
    d->x = NULL;
    d->words = 0;
}

/* From this number of bytes per scalar on, jobs run one after the other, since
 * a job needs about ten times this memory. */
enum { LARGE = 6 << 20 };

/* Copies scalars k to k + n of large draws to the file of the workspace, so that
 * each row is read once per job. Returns false if this is not possible. */
static bool store_columns(const cs_chosen *g, workspace *w, size_t k, size_t n)
{
    size_t bytes = JOB * g->n * g->draws * sizeof(double);
    if (g->why || g->view->tiles || g->n * g->draws <= LARGE / sizeof(double))
        return false;
    if (!w->columns.at && !cs_spill_begin(&w->columns, bytes, 1, 0))
        return false;
    return cs_chosen_store_some(g, k, n, &w->columns);
}

/* Sets x to the next n scalars from k on, which are columns from number `at` of
 * the file if `stored` is true. Returns false after an error of the disk. */
static bool take_columns(const cs_chosen *g, const workspace *w, bool stored,
                         size_t at, size_t k, size_t n, double *x)
{
    size_t bytes = g->n * g->draws * sizeof *x;
    if (stored)
        return cs_spill_read(&w->columns, at * bytes, x, n * bytes);
    if (!g->why)
        cs_chosen_copy_some(g, k, n, x);
    return true;
}

/* One job: diagnoses the next eight scalars, or all that remain. Neighbouring
 * scalars share cache lines and are copied together: large ones to a file, others
 * as far as they fit in 16 MiB. */
static void find_some(void *self, size_t job)
{
    enum { BYTES = 16 << 20 };
    search *s = self;
    workspace own = {.words = 0}, *at = take_workspace(s),
              *use = at ? at : &own;
    const cs_chosen *g = s->g;
    size_t size = g->n * g->draws, all = cs_chosen_scalars(g->view);
    size_t first = job * JOB, end = first + JOB < all ? first + JOB : all;
    bool stored = store_columns(g, use, first, end - first);
    size_t some = stored || g->view->tiles ? 1
                  : size                   ? BYTES / sizeof(double) / size
                                           : JOB;
    some = some < 1 ? 1 : some < JOB ? some : JOB;
    double *scratch = workspace_words(use, size * some);
    for (size_t k = first; k < end; k += some) {
        size_t n = end - k < some ? end - k : some;
        bool good =
            scratch && take_columns(g, use, stored, k - first, k, n, scratch);
        for (size_t i = 0; i < n; i++)
            s->d[k + i] =
                good ? find_of(g, k + i, scratch + i * size, &use->scores)
                     : cs_no_diagnosis(no_memory);
    }
    clear_workspace(&own);
    if (at)
        atomic_flag_clear(&at->busy);
}

/* Diagnoses all scalars and finds the warnings [own]. Uses the threads of the
 * pool if there is a pool. Returns false if memory runs out. */
static bool find_all(const cs_chosen *g, cs_pool *pool, cs_diagnosis *d,
                     cs_warnings *warnings)
{
    search s = {.g = g, .d = d};
    size_t jobs = (cs_chosen_scalars(g->view) + JOB - 1) / JOB;
    bool good = true;
    bool large = g->n * g->draws > LARGE / sizeof(double);
    cs_share_jobs(large ? NULL : pool, find_some, &s, jobs);
    for (size_t i = 0; i < WORKSPACES; i++)
        clear_workspace(&s.workspace[i]);
    for (size_t k = 0; k < cs_chosen_scalars(g->view); k++)
        good &= !d[k].why || strcmp(d[k].why, no_memory) != 0;
    *warnings = find_warnings(g, d);
    return good && !warnings->full;
}

/* Reads the figures that the probe has computed from all steps. */
static bool begin(const cs_target *t, const cs_diagnosed_view *v,
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

/* Diagnoses the draws, writes the report, and finds the warnings [own]. Returns
 * false if memory runs out. */
static bool report(cs_chosen *g, cs_pool *pool, cs_diagnosis *d, findings *o,
                   const char *prefix, cs_flat *out, cs_warnings *warnings)
{
    cs_chosen_weigh(g);
    bool good = find_all(g, pool, d, warnings);
    o->joint = cs_joint_size_of(g, true);
    o->found = d;
    o->warnings = good ? warnings : NULL;
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
    cs_diagnosed_view v;
    bool good = scalar <= a->diagnosed->coordinates && a->diagnosed->rows &&
                cs_diagnosed_look(a, sample, &v);
    if (!good || !begin(r->target, &v, "", all, &o)) {
        if (good)
            cs_diagnosed_end(&v);
        return false;
    }
    cs_chosen g = cs_choose(r->target, &v);
    cs_chosen_weigh(&g);
    double *scratch = cs_alloc(g.n * g.draws, sizeof *scratch);
    cs_scores scores = {0};
    cs_diagnosis d = scratch ? find(&g, scalar, scratch, &scores)
                             : cs_no_diagnosis(no_memory);
    cs_scores_free(&scores);
    bool steps = !alike || are_known(&o);
    *figures = row_of(&d, steps ? row_of_all(&o, scalar, &d) : NULL, scalar);
    cs_free(scratch);
    cs_free(g.w);
    cs_diagnosed_end(&v);
    return true;
}

/* ---- errors of ESS ---- */

/* Returns a scalar's ESS per chain, computed with one group of chains left
 * out. */
static double size_without(const cs_chosen *g, size_t scalar, size_t groups,
                           size_t without, double *scratch)
{
    cs_chosen some = *g;
    cs_diagnosed_view view = *g->view;
    cs_diagnosed_chain *chain = cs_alloc(g->n, sizeof *chain);
    double size = NAN;
    some.view = &view;
    some.n = 0;
    for (size_t i = 0; chain && i < g->n; i++)
        if (i % groups != without)
            chain[some.n++] = g->view->chain[i];
    view.chain = chain;
    cs_scores scores = {0};
    if (chain)
        size = find(&some, scalar, scratch, &scores).figures.ess;
    cs_scores_free(&scores);
    cs_free(chain);
    return log(size / (double)some.n);
}

/* Returns the jackknife error of log ESS for unweighted draws. */
static double error_of_size(const cs_chosen *g, size_t scalar)
{
    double without[CS_JACKKNIFE_MOST];
    size_t groups = isnan(g->kish) ? cs_jackknife_groups(g->n) : 0;
    double *scratch = cs_alloc(g->n * g->draws, sizeof *scratch);
    for (size_t i = 0; scratch && i < groups; i++)
        without[i] = size_without(g, scalar, groups, i, scratch);
    cs_free(scratch);
    return scratch ? cs_jackknife_error(without, groups) : (double)NAN;
}

static size_t find_fewest(const cs_diagnosed_view *v, const cs_flat *out,
                          const char *prefix)
{
    cs_flat_entry e;
    size_t most = cs_chosen_scalars(v);
    bool there =
        cs_flat_find(out->base, out->used, &e, "%stable", prefix) && e.data;
    const cs_figures *row = there ? CS_ENTRY_ROWS(e, cs_figures) : NULL;
    size_t n = !row ? 0 : e.rows < most ? e.rows : most;
    size_t fewest = cs_figures_worst(row, n, CS_COLUMN_ESS, false);
    return fewest < n ? fewest : 0;
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
    cs_diagnosed_view v;
    cs_diagnosed *j = a->diagnosed;
    cs_warnings warnings;
    bool good = cs_diagnosed_look(a, NULL, &v);
    if (j->rows && begin(r->target, &v, prefix, out, &o)) {
        cs_chosen g = cs_choose(r->target, &v);
        if (good && j->epoch == r->epoch) {
            o.found = j->found;
            o.warnings = &j->warnings;
            o.draws = g.draws;
            o.kish = j->kish;
            o.joint = j->joint;
            put_all(&o, prefix, out);
        } else {
            good &= report(&g, r->pool, j->found, &o, prefix, out, &warnings);
            cs_warnings_free(&j->warnings);
            j->warnings = warnings;
            j->kish = o.kish;
            j->joint = o.joint;
            j->worst = find_worst(&g, &o, prefix, out);
            j->epoch = good ? r->epoch : 0;
        }
    }
    cs_diagnosed_end(&v);
    return j->worst;
}

cs_worst cs_diagnose_copy(const cs_target *t, cs_diagnosed_view *v,
                          const char *prefix, cs_flat *out)
{
    findings o;
    cs_warnings warnings = {0};
    cs_worst worst = {0, (double)NAN};
    cs_diagnosis *d = cs_alloc(cs_chosen_scalars(v), sizeof *d);
    if (d && begin(t, v, prefix, out, &o)) {
        cs_chosen g = cs_choose(t, v);
        report(&g, NULL, d, &o, prefix, out, &warnings);
        worst = find_worst(&g, &o, prefix, out);
    }
    cs_warnings_free(&warnings);
    cs_free(d);
    return worst;
}
