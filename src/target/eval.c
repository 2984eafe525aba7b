#include "target/eval.h"

#include "base/contract.h"
#include "base/memory.h"
#include "target/check_finite.h"
#include "target/part_window.h"

#include <math.h>
#include <string.h>

/* Returns true if site differences are computed by whole evaluations, because a
 * target with discrete coordinates has no hook for them. These evaluations need
 * scratch for a trial state, its log p, and a cache. */
static bool needs_trial(const cs_target *t)
{
    return !cs_space_is_real(&t->space) && cs_space_sites(&t->space) &&
           !t->type->sites.site;
}

/* Returns true if the cache must be computed again after each change. This is
 * the case if site differences read the cache and the target has no hook that
 * updates it. */
static bool needs_renewal(const cs_target *t)
{
    return t->cache_words && t->type->sites.site && !t->type->sites.moved;
}

static size_t trial_words(const cs_target *t)
{
    if (needs_trial(t))
        return t->space.dim + 1 + t->cache_words;
    return needs_renewal(t) ? 1 : 0;
}

/* Returns the number of scratch rows that cs_eval_neighbours needs. One row is
 * for the index of a site. Two more rows are for the differences in log p, one
 * row for each value of a bit. */
static size_t pair_words(const cs_target *t)
{
    return cs_space_is_discrete(&t->space) ? 3 : 0;
}

size_t cs_eval_cache_words(const cs_target *target)
{
    return 2 * target->cache_words;
}

size_t cs_eval_scratch_words(const cs_target *target)
{
    return target->scratch_words + trial_words(target) + pair_words(target);
}

void cs_eval_open(cs_eval *e, const cs_target *target, size_t lanes,
                  size_t live, double *cache, double *scratch)
{
    assert(target && live >= 1 && live <= lanes);
    assert(lanes == 1 || lanes % CS_LEAST_LANES == 0);
    size_t words = target->cache_words;
    *e = (cs_eval){.target = target,
                   .lanes = lanes,
                   .live = live,
                   .cache = {cache, words ? cache + words * lanes : cache},
                   .scratch = scratch};
    scratch += target->scratch_words * lanes;
    if (trial_words(target))
        e->trial = scratch;
    if (pair_words(target))
        e->pair = scratch + trial_words(target) * lanes;
}

/* Returns whether an array has the alignment of a block's vectors: the size of
 * one row of doubles, at most CS_ALIGN. */
CS_CONTRACT bool is_aligned(const cs_eval *e, const void *array)
{
    size_t bytes = (e->lanes & -e->lanes) * sizeof(double);
    return (uintptr_t)array % (bytes < CS_ALIGN ? bytes : CS_ALIGN) == 0;
}

CS_CONTRACT bool is_packed(const cs_eval *e)
{
    return e->live == 1 && (e->target->type->flags & CS_TARGET_PACKED);
}

/* Returns whether b holds rows of the table, in the order of lanes. */
CS_CONTRACT bool is_batch(const cs_eval *e, const cs_batch *b)
{
    bool good = b && b->first && !b->first[0];
    for (size_t l = 0; good && l < e->live; l++)
        good = b->first[l] <= b->first[l + 1];
    for (size_t i = 0; good && i < b->first[e->live]; i++)
        good = b->row[i] < e->target->n_rows;
    return good;
}

CS_CONTRACT bool is_simulation(const cs_eval *e, const cs_simulation *s)
{
    return e->target->n_data && s && s->streams && s->data && s->updates &&
           s->past && s->left && is_aligned(e, s->data);
}

CS_CONTRACT bool are_sites(const cs_eval *e, const uint32_t *site)
{
    for (size_t l = 0; l < e->live; l++)
        if (site[l] >= e->target->space.dim ||
            !cs_space_is_whole(&e->target->space, site[l]))
            return false;
    return true;
}

/* Returns a cs_point for the states x. A debug build checks the alignment at
 * each call: a target reads and writes whole vectors, and an array that is
 * aligned only by chance may fail in the next build. For a packed state the
 * single log p is not checked. */
static cs_point point_of(const cs_eval *e, cs_which which, const double *x)
{
    assert(x && (which == CS_NOW || which == CS_NEXT));
    bool caches = e->target->cache_words, next = which == CS_NEXT;
    assert(is_aligned(e, x) && is_aligned(e, e->scratch));
    assert(!caches || is_aligned(e, e->cache[which]));
    return (cs_point){.x = x,
                      .cache = caches ? e->cache[which] : NULL,
                      .from = next && caches ? e->now : NULL,
                      .from_cache =
                          next && caches && e->now ? e->cache[CS_NOW] : NULL,
                      .scratch = e->scratch,
                      .lanes = e->lanes,
                      .live = e->live,
                      .failed = e->failed,
                      .around = e->around,
                      .back = e->work.gradients % 2};
}

void cs_eval_ask(cs_eval *e, const bool *lanes)
{
    e->unasked = 0;
    for (size_t l = 0; lanes && l < e->live; l++)
        e->unasked += !lanes[l];
}

/* Records the point of the first chain, x[d * stride], unless the chain is
 * excluded. */
static void note(const cs_eval *e, const double *x, size_t stride)
{
    cs_eval_watch *w = e->watch;
    size_t dim = e->target->space.dim;
    if (!w || e->unasked == e->live || w->n++ >= w->capacity)
        return;
    for (size_t d = 0; d < dim; d++)
        w->point[(w->n - 1) * dim + d] = x[d * stride];
}

static uint64_t asked(const cs_eval *e)
{
    return e->live - e->unasked;
}

static void count_data(cs_eval *e)
{
    e->work.data_terms += asked(e) * e->target->data_terms;
}

/* Multiplies the rows of a result by the inverse temperature of each lane. */
static void temper(const cs_eval *e, size_t rows, double *answer)
{
    if (!e->power)
        return;
    for (size_t r = 0; r < rows; r++, answer += e->lanes)
        for (size_t l = 0; l < e->lanes; l++)
            answer[l] *= e->power[l];
}

static void temper_single(const cs_eval *e, float *answer)
{
    if (!e->power)
        return;
    for (size_t r = 0; r < e->target->space.dim; r++, answer += e->lanes)
        for (size_t l = 0; l < e->lanes; l++)
            answer[l] *= (float)e->power[l];
}

void cs_eval_log_density(cs_eval *e, cs_which which, const double *x,
                         double *logp)
{
    assert(logp && is_aligned(e, logp));
    assert(e->cache[which] || !e->target->cache_words);
    assert(e->scratch || !e->target->scratch_words);
    note(e, x, e->lanes);
    cs_point at = point_of(e, which, x);
    e->work.log_densities += asked(e);
    count_data(e);
    e->target->type->log_density(e->target, &at, logp);
    e->around_is_now = which == CS_NOW;
    temper(e, 1, logp);
}

void cs_eval_log_density_packed(cs_eval *e, const double *x, double *logp)
{
    assert(is_packed(e) && x && logp);
    note(e, x, 1);
    cs_point at = point_of(e, CS_NEXT, x);
    at.lanes = 1;
    e->work.log_densities += asked(e);
    count_data(e);
    e->target->type->log_density(e->target, &at, logp);
    if (e->power)
        logp[0] *= e->power[0];
}

void cs_eval_renew(cs_eval *e, const bool *lanes, const double *x, double *logp)
{
    assert(lanes && logp);
    cs_eval new = *e; /* evaluates the new states. The cache NOW of these
                       * states does not exist yet */
    new.now = NULL;
    cs_eval_ask(&new, lanes);
    cs_eval_log_density(&new, CS_NEXT, x, logp);
    e->work = new.work;
    cs_eval_accept(e, lanes);
}

static const cs_finite *look(void)
{
    static const cs_finite *const variant[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_finite_gradients)};
    return variant[0][cs_simd_level()];
}

void cs_eval_gradient(cs_eval *e, cs_which which, const double *x, double *logp,
                      double *g)
{
    assert(e->target->type->gradient && logp && g);
    assert((is_aligned(e, logp)) && is_aligned(e, g));
    note(e, x, e->lanes);
    cs_point at = point_of(e, which, x);
    e->work.gradients += asked(e);
    e->work.log_densities += asked(e) * e->target->gradient.calls;
    count_data(e);
    e->target->type->gradient(e->target, &at, logp, g);
    e->around_is_now = which == CS_NOW;
    look()->mark(g, e->target->space.dim, e->lanes, logp);
    temper(e, 1, logp);
    temper(e, e->target->space.dim, g);
}

bool cs_eval_gradient_alone(cs_eval *e, const double *x, double *g)
{
    assert(e->target->type->gradient_alone && g);
    assert(is_aligned(e, g));
    note(e, x, e->lanes);
    cs_point at = point_of(e, CS_NEXT, x);
    at.cache = NULL;
    e->work.gradients += asked(e);
    count_data(e);
    e->target->type->gradient_alone(e->target, &at, g);
    e->around_is_now = false;
    temper(e, e->target->space.dim, g);
    return look()->all(g, e->target->space.dim, e->lanes);
}

void cs_eval_low_gradient(cs_eval *e, const double *x, float *g)
{
    assert(e->target->type->force && g);
    assert(is_aligned(e, g));
    note(e, x, e->lanes);
    cs_point at = point_of(e, CS_NEXT, x);
    at.cache = NULL;
    e->work.gradients += asked(e);
    count_data(e);
    e->target->type->force(e->target, &at, g);
    e->around_is_now = false;
    temper_single(e, g);
}

void cs_eval_low_gradient_of(cs_eval *e, cs_which which, const double *x,
                             float *g)
{
    assert(e->target->type->force && g);
    assert(is_aligned(e, g));
    cs_point at = point_of(e, which, x);
    e->work.gradients += asked(e);
    count_data(e);
    e->target->type->force(e->target, &at, g);
    e->around_is_now = which == CS_NOW;
    temper_single(e, g);
}

void cs_eval_hessian_times(cs_eval *e, const double *x, const double *v,
                           double *scratch, double *h)
{
    assert(e->target->type->hessian_times && e->target->hessian_words);
    assert(scratch && v && h);
    assert(is_aligned(e, v) && is_aligned(e, h));
    cs_point at = point_of(e, CS_NEXT, x);
    at.cache = NULL;
    at.scratch = scratch;
    e->work.gradients += 2 * asked(e);
    count_data(e);
    count_data(e);
    e->target->type->hessian_times(e->target, &at, v, h);
    temper(e, e->target->space.dim, h);
}

void cs_eval_gradient_packed(cs_eval *e, const double *x, double *logp,
                             double *g)
{
    assert(is_packed(e));
    cs_eval one = *e;
    size_t dim = e->target->space.dim;
    one.lanes = 1;
    for (size_t i = dim; i < cs_pad_lanes(dim); i++)
        g[i] = 0;
    cs_eval_gradient(&one, CS_NEXT, x, logp, g);
    e->work = one.work;
}

void cs_eval_force_packed(cs_eval *e, const double *x, float *g)
{
    assert(is_packed(e));
    cs_eval one = *e;
    size_t dim = e->target->space.dim;
    one.lanes = 1;
    for (size_t i = dim; i < cs_pad_lanes(dim); i++)
        g[i] = 0;
    cs_eval_low_gradient(&one, x, g);
    e->work = one.work;
}

void cs_eval_prior(cs_eval *e, const double *x, double *logp, double *g)
{
    assert(logp);
    assert((is_aligned(e, logp)) && is_aligned(e, g));
    cs_point at = point_of(e, CS_NEXT, x);
    if (e->target->type->prior) {
        e->target->type->prior(e->target, &at, logp, g);
        return;
    }
    memset(logp, 0, e->lanes * sizeof *logp);
    if (g)
        memset(g, 0, e->target->space.dim * e->lanes * sizeof *g);
}

void cs_eval_terms(cs_eval *e, const double *x, const cs_batch *b, double *logp)
{
    assert(e->target->type->rows.terms && is_batch(e, b));
    assert(logp);
    cs_point at = point_of(e, CS_NEXT, x);
    e->work.data_terms += b->first[e->live];
    e->target->type->rows.terms(e->target, &at, b, logp);
}

void cs_eval_slope(cs_eval *e, const double *x, const cs_batch *b, double *logp,
                   double *g)
{
    assert(e->target->type->rows.slope && is_batch(e, b));
    assert(g);
    assert(is_aligned(e, g));
    cs_point at = point_of(e, CS_NEXT, x);
    e->work.data_terms += b->first[e->live];
    e->target->type->rows.slope(e->target, &at, b, logp, g);
}

void cs_eval_lower_terms(cs_eval *e, const double *x, const cs_batch *b,
                         double *logp, double *log_b)
{
    assert(e->target->type->rows.lower_terms && e->target->lower);
    assert(is_batch(e, b) && logp && log_b);
    cs_point at = point_of(e, CS_NEXT, x);
    e->work.data_terms += b->first[e->live];
    e->target->type->rows.lower_terms(e->target, &at, b, logp, log_b);
}

void cs_eval_log_factor(cs_eval *e, const double *x, const double *data,
                        double *log_f)
{
    assert(e->target->type->factor.log_factor && data && log_f);
    assert(is_aligned(e, data) && is_aligned(e, log_f));
    cs_point at = point_of(e, CS_NEXT, x);
    e->work.log_densities += asked(e);
    e->target->type->factor.log_factor(e->target, &at, data, log_f);
}

static cs_point simulating(const cs_eval *e, const double *x,
                           const bool *failed, double *scratch)
{
    cs_point at = point_of(e, CS_NEXT, x);
    at.cache = NULL;
    at.scratch = scratch;
    at.failed = failed;
    return at;
}

static void count_updates(cs_eval *e, const bool *failed,
                          const cs_simulation *s, bool whole)
{
    for (size_t l = 0; l < e->live; l++) {
        if (failed && failed[l])
            continue;
        e->work.simulations += whole;
        e->work.site_updates += (uint64_t)s->updates[l];
    }
}

void cs_eval_simulate(cs_eval *e, const double *x, const bool *failed,
                      double *scratch, const cs_simulation *s)
{
    assert(e->target->type->factor.simulate && is_simulation(e, s));
    assert(scratch || !e->target->simulate_words);
    cs_point at = simulating(e, x, failed, scratch);
    e->target->type->factor.simulate(e->target, &at, s);
    count_updates(e, failed, s, true);
}

void cs_eval_sweep(cs_eval *e, const double *x, const bool *failed,
                   double *scratch, const cs_simulation *s)
{
    assert(e->target->type->factor.sweep && is_simulation(e, s));
    assert(scratch || !e->target->simulate_words);
    cs_point at = simulating(e, x, failed, scratch);
    e->target->type->factor.sweep(e->target, &at, s);
    count_updates(e, failed, s, false);
}

void cs_eval_fetch(const cs_eval *e, const uint32_t *row, size_t n)
{
    if (e->target->type->rows.fetch)
        e->target->type->rows.fetch(e->target, row, n);
}

/* Returns the index of the value k places after x_i, modulo the number of
 * values. */
static size_t shifted(const cs_part *part, double value, size_t k)
{
    size_t v = (size_t)(value - part->low) + k;
    return v % (size_t)part->values;
}

/* Returns the part of a coordinate; `same` is the part of a space of one
 * kind. */
static inline cs_part part_of(const cs_space *space, const cs_part *same,
                              uint32_t coordinate)
{
    return space->kind == CS_MIXED ? cs_space_part(space, coordinate) : *same;
}

/* Computes site differences by values - 1 evaluations. Trial k moves the site
 * of each lane to the value k places after its current value. The state itself
 * is therefore never evaluated again. In a mixed space, a site with fewer
 * values than another lane's repeats values. */
static void site_by_trials(cs_eval *e, const double *x, const double *logp,
                           const uint32_t *site, double *d)
{
    assert(e->trial && logp);
    const cs_space *space = &e->target->space;
    size_t lanes = e->lanes, dim = space->dim;
    double *trial = e->trial, *logp_trial = trial + dim * lanes;
    cs_point at = point_of(e, CS_NEXT, trial);
    at.cache = e->target->cache_words ? logp_trial + lanes : NULL;
    memcpy(trial, x, dim * lanes * sizeof *x);
    const cs_part same = cs_space_part(space, 0);
    for (size_t l = 0; l < lanes; l++) {
        cs_part part = part_of(space, &same, site[l]);
        d[shifted(&part, x[site[l] * lanes + l], 0) * lanes + l] = 0;
    }
    for (size_t k = 1; k < (size_t)cs_space_most_values(space); k++) {
        for (size_t l = 0; l < lanes; l++) {
            cs_part part = part_of(space, &same, site[l]);
            size_t i = site[l] * lanes + l;
            trial[i] = part.low + (double)shifted(&part, x[i], k);
        }
        e->work.log_densities += asked(e);
        count_data(e);
        e->target->type->log_density(e->target, &at, logp_trial);
        e->around_is_now = false;
        temper(e, 1, logp_trial);
        for (size_t l = 0; l < lanes; l++) {
            cs_part part = part_of(space, &same, site[l]);
            size_t v = shifted(&part, x[site[l] * lanes + l], k);
            bool outside = logp_trial[l] == -HUGE_VAL; /* if the proposal is
                                                        * outside, d is
                                                        * -HUGE_VAL, even if
                                                        * logp[l] is, too */
            d[v * lanes + l] = outside ? -HUGE_VAL : logp_trial[l] - logp[l];
        }
    }
}

/* `again`: this is not the first question about the states x, so that a window
 * need not write them once more. */
static void site_of(cs_eval *e, cs_which which, const double *x,
                    const double *logp, const uint32_t *site, bool again,
                    double *d)
{
    assert(are_sites(e, site));
    assert(is_aligned(e, d));
    if (!e->target->type->sites.site) {
        site_by_trials(e, x, logp, site, d);
        return;
    }
    cs_point at = point_of(e, which, x);
    at.around_is_x = again || (which == CS_NOW && e->around_is_now);
    e->work.site_differences += asked(e);
    count_data(e);
    e->target->type->sites.site(e->target, &at, site, d);
    e->around_is_now = which == CS_NOW;
    const cs_space *space = &e->target->space;
    temper(
        e,
        (size_t)(space->values ? space->values : cs_space_most_values(space)),
        d);
}

void cs_eval_site(cs_eval *e, const double *x, const double *logp,
                  const uint32_t *site, double *d)
{
    site_of(e, CS_NOW, x, logp, site, false, d);
}

/* Computes the differences of all sites by one call. */
static void several_of(cs_eval *e, cs_which which, const double *x, double *d)
{
    const cs_space *space = &e->target->space;
    bool bits = space->kind == CS_BINARY;
    cs_point at = point_of(e, which, x);
    at.around_is_x = which == CS_NOW && e->around_is_now;
    e->work.site_differences += asked(e) * space->dim;
    e->work.data_terms += asked(e) * space->dim * e->target->data_terms;
    e->target->type->sites.several(e->target, &at, NULL, 0, space->dim, bits,
                                   d);
    e->around_is_now = which == CS_NOW;
    temper(e, space->dim * (bits ? 1 : (size_t)space->values), d);
}

void cs_eval_neighbours(cs_eval *e, cs_which which, const double *x,
                        const double *logp, double *d)
{
    assert(cs_space_is_discrete(&e->target->space) && e->pair);
    assert(is_aligned(e, d));
    const cs_space *space = &e->target->space;
    size_t lanes = e->lanes, values = (size_t)space->values;
    bool bits = space->kind == CS_BINARY;
    uint32_t *site = (uint32_t *)(void *)e->pair;
    double *both = e->pair + lanes;
    if (e->target->type->sites.neighbours) {
        cs_point at = point_of(e, which, x);
        e->work.site_differences += asked(e) * space->dim;
        e->target->type->sites.neighbours(e->target, &at, d);
        temper(e, space->dim * (bits ? 1 : values), d);
        return;
    }
    if (e->target->type->sites.several) {
        several_of(e, which, x, d);
        return;
    }
    for (uint32_t i = 0; i < space->dim; i++) {
        for (size_t l = 0; l < lanes; l++)
            site[l] = i;
        site_of(e, which, x, logp, site, i > 0,
                bits ? both : d + i * values * lanes);
        for (size_t l = 0; bits && l < lanes; l++)
            d[i * lanes + l] =
                x[i * lanes + l] == 0 ? both[lanes + l] : both[l];
    }
}

void cs_eval_one_hot(cs_eval *e, cs_which which, const double *x, double *logp,
                     double *d)
{
    assert(e->target->space.kind == CS_CATEGORICAL && logp);
    assert(is_aligned(e, d));
    const cs_space *space = &e->target->space;
    double *fresh = which == CS_NEXT ? logp : NULL;
    if (!e->target->type->sites.one_hot) {
        if (fresh)
            cs_eval_log_density(e, which, x, fresh);
        cs_eval_neighbours(e, which, x, logp, d);
        return;
    }
    note(e, x, e->lanes);
    cs_point at = point_of(e, which, x);
    e->work.gradients += asked(e);
    count_data(e);
    e->target->type->sites.one_hot(e->target, &at, fresh, d);
    if (fresh)
        temper(e, 1, fresh);
    temper(e, space->dim * (size_t)space->values, d);
}

void cs_eval_resample(cs_eval *e, const cs_streams *s, size_t times,
                      double *scratch, double *x, bool *moved)
{
    assert(e->target->type->sites.resample && x && moved);
    cs_point at = point_of(e, CS_NOW, x);
    at.cache = NULL;
    at.scratch = scratch;
    e->work.site_differences += asked(e) * times * e->target->space.dim;
    e->target->type->sites.resample(e->target, &at, s, times, x, moved);
}

cs_site_bonds cs_eval_bonds(cs_eval *e, size_t site)
{
    assert(e->target->type->sites.bonds && site < e->target->space.dim);
    e->work.site_differences++;
    return e->target->type->sites.bonds(e->target, site);
}

void cs_eval_set_site(cs_eval *e, double *x, const uint32_t *site,
                      const double *value)
{
    assert(are_sites(e, site) && value);
    const cs_target *t = e->target;
    const cs_part_window *w = e->around ? cs_part_window_of(t) : NULL;
    cs_point at = point_of(e, CS_NOW, x);
    at.around_is_x = e->around_is_now;
    if (t->type->sites.moved) {
        t->type->sites.moved(t, &at, site, value);
        e->around_is_now = true;
    }
    for (size_t l = 0; l < e->lanes; l++)
        x[site[l] * e->lanes + l] = value[l];
    for (size_t l = 0; w && l < e->lanes; l++)
        e->around[cs_part_window_coordinate(w, site[l]) * e->lanes + l] =
            value[l];
    if (needs_renewal(t))
        cs_eval_log_density(e, CS_NOW, x, e->trial);
}

void cs_eval_sites(cs_eval *e, const double *x, size_t lane,
                   const uint32_t *site, size_t n, size_t stride, double *d)
{
    const cs_space *space = &e->target->space;
    assert(e->target->type->sites.sites && !e->target->cache_words);
    assert(lane < e->live && n && n <= stride && stride % CS_PAD == 0);
    cs_point at = point_of(e, CS_NOW, x);
    at.around_is_x = e->around_is_now;
    e->work.site_differences += n;
    e->work.data_terms += n * e->target->data_terms;
    e->target->type->sites.sites(e->target, &at, lane, site, n, stride, d);
    e->around_is_now = true;
    size_t values = (size_t)cs_space_part(space, site[0]).values;
    for (size_t v = 0; e->power && v < values; v++)
        for (size_t i = 0; i < n; i++)
            d[v * stride + i] *= e->power[lane];
}

void cs_eval_set_sites(cs_eval *e, double *x, size_t lane, const uint32_t *site,
                       size_t n, const double *value)
{
    assert(e->target->type->sites.colour && lane < e->live && value);
    const cs_part_window *w = e->around ? cs_part_window_of(e->target) : NULL;
    size_t end = lane + 1 == e->live ? e->lanes : lane + 1;
    for (size_t i = 0; i < n; i++) {
        double *to = x + site[i] * e->lanes;
        double *around =
            w ? e->around + cs_part_window_coordinate(w, site[i]) * e->lanes
              : NULL;
        for (size_t l = lane; l < end; l++)
            to[l] = value[i];
        for (size_t l = lane; w && l < end; l++)
            around[l] = value[i];
    }
}

void cs_eval_accept(cs_eval *e, const bool *moved)
{
    assert(moved);
    e->around_is_now = false;
    if (e->target->cache_words)
        look()->keep(moved, e->target->cache_words, e->lanes, e->cache[CS_NEXT],
                     e->cache[CS_NOW]);
}

double cs_work_evaluations(const cs_work *w, const cs_target *t)
{
    double whole = (double)(w->log_densities + w->gradients);
    if (t->data_terms)
        whole = (double)w->data_terms / (double)t->data_terms;
    if (t->n_data)
        whole += (double)w->site_updates / (double)t->n_data;
    size_t sites = cs_space_sites(&t->space);
    double site = t->site_cost > 0 ? t->site_cost
                                   : 1 / (double)(sites ? sites : t->space.dim);
    return whole + (double)w->site_differences * site;
}

double cs_work_passes(const cs_work *w, const cs_target *t, size_t chains)
{
    if (!t->data_terms || !chains)
        return NAN;
    return (double)w->data_terms / (double)t->data_terms / (double)chains;
}

cs_work cs_work_add(cs_work a, cs_work b)
{
    a.log_densities += b.log_densities;
    a.gradients += b.gradients;
    a.site_differences += b.site_differences;
    a.data_terms += b.data_terms;
    a.simulations += b.simulations;
    a.site_updates += b.site_updates;
    return a;
}

void cs_eval_outputs(cs_eval *e, const cs_streams *streams, const double *x,
                     double *y)
{
    assert(e->target->outputs.n && y);
    assert(is_aligned(e, y));
    cs_point at = point_of(e, CS_NEXT, x);
    at.streams = streams;
    e->target->outputs.fill(e->target->outputs.self, &at, y);
}
