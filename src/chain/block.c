#include "chain/block.h"

#include "base/memory.h"
#include "chain/bad_row.h"
#include "chain/ratios.h"
#include "chain/tally.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* INFO_ROWS, FLAG_ROWS: numbers of rows of `info` (without the kernel's stats)
 * and of `flags` that each step rewrites. */
enum { INFO_ROWS = 10, FLAG_ROWS = 4 };

static size_t info_rows(const cs_kernel *k)
{
    return INFO_ROWS + cs_kernel_count_stats(k->type);
}

/* ---- memory ---- */

size_t cs_block_probe_words(const cs_block *b)
{
    size_t words = 0;
    for (size_t i = 0; i < b->probes.n; i++)
        words += b->probes.item[i].words;
    return words;
}

/* Returns the size of the first part of the slab, in doubles per lane. This
 * part contains x, log p, failed, fault, tally and cache; see wire_slab. */
size_t cs_block_head_words(const cs_block *b)
{
    return b->target->space.dim + 2 + CS_FAULT_ROWS + CS_TALLY_ROWS +
           b->target->cache_words;
}

static size_t fixed_words(const cs_block *b)
{
    return cs_block_head_words(b) + cs_block_probe_words(b);
}

static size_t scratch_words(const cs_block *b, const cs_kernel *k)
{
    return info_rows(k) + b->target->space.dim + 1 + b->target->outputs.n +
           cs_eval_scratch_words(b->target) + b->target->cache_words +
           cs_kernel_scratch_words(k, b->target);
}

/* Grows an array from [*capacity][lanes] to [words][lanes], and updates
 * *capacity. */
static bool grow(double **at, size_t *capacity, size_t words, size_t lanes)
{
    size_t row = lanes * sizeof(double);
    if (*at && words <= *capacity)
        return true;
    if (words > SIZE_MAX / 2 / row)
        return false;
    double *next = cs_resize(*at, *capacity * row, words * row);
    if (!next)
        return false;
    *at = next;
    *capacity = words;
    return true;
}

static double *take(double **at, size_t words, size_t lanes)
{
    double *mine = *at;
    *at += words * lanes;
    return mine;
}

static void wire_slab(cs_block *b)
{
    size_t n = b->lanes, dim = b->target->space.dim;
    double *at = b->slab;
    b->move.x = take(&at, dim, n);
    b->move.info.logp = take(&at, 1, n);
    b->failed = take(&at, 1, n);
    b->fault = take(&at, CS_FAULT_ROWS, n);
    b->tally = take(&at, CS_TALLY_ROWS, n);
    double *cache = take(&at, b->target->cache_words, n);
    for (size_t i = 0; i < b->probes.n; i++)
        b->probes.memory[i] = take(&at, b->probes.item[i].words, n);
    b->move.memory = at;
    cs_work work = b->eval.work;
    double *scratch = b->scratch + (info_rows(b->kernel) + dim + 1) * n;
    b->shown = b->target->outputs.n ? take(&scratch, b->target->outputs.n, n)
                                    : b->move.x;
    double *next = take(&scratch, b->target->cache_words, n);
    cs_eval_open(&b->eval, b->target, n, b->live, cache, scratch);
    b->eval.cache[CS_NEXT] = next; /* a step never reads the NEXT cache of the
                                      previous step */
    b->eval.work = work;
    b->eval.now = b->move.x;
    b->move.scratch = scratch + cs_eval_scratch_words(b->target) * n;
    assert(cs_is_aligned(b->slab) && cs_is_aligned(b->scratch));
}

static void wire_info(cs_block *b)
{
    size_t n = b->lanes;
    double *at = b->scratch;
    cs_info *i = &b->move.info;
    i->logp_proposal = take(&at, 1, n);
    i->logp_change = take(&at, 1, n);
    i->log_q_forward = take(&at, 1, n);
    i->log_q_back = take(&at, 1, n);
    i->log_aux = take(&at, 1, n);
    i->log_ratio = take(&at, 1, n);
    i->log_uniform = take(&at, 1, n);
    i->stat = take(&at, cs_kernel_count_stats(b->kernel->type), n);
    unsigned flags = b->kernel->type->flags;
    i->log_weight = take(&at, 1, n);
    if (!(flags & CS_KERNEL_WEIGHS))
        i->log_weight = NULL;
    if (!(flags & CS_KERNEL_ESTIMATES))
        i->log_aux = NULL;
    b->weights.are_numbers = i->log_weight && !(flags & CS_KERNEL_SELECTS);
    b->weights.log = take(&at, 1, n);
    b->accept_stat = take(&at, 1, n);
    i->accept_stat = flags & CS_KERNEL_ACCEPT_STAT ? b->accept_stat : NULL;
    i->proposal = i->aux_proposal = NULL;
    b->frozen = at;
    i->accepted = b->flags;
    i->moved = b->flags + n;
    b->move.failed = b->flags + 2 * n;
    b->left_out = b->flags + 3 * n;
    b->eval.failed = b->move.failed;
}

static void wire(cs_block *b)
{
    b->slab_words =
        fixed_words(b) + cs_kernel_memory_words(b->kernel, b->target);
    wire_slab(b);
    wire_info(b);
    b->logp_kind = cs_kernel_logp(b->kernel, b->target);
    b->move.eval = &b->eval;
    b->move.space = &b->target->space;
    b->move.dim = b->target->space.dim;
    b->move.lanes = b->move.streams.lanes = b->lanes;
    b->move.live = b->move.streams.live = b->live;
    b->move.streams.chain = b->chain;
    b->move.streams.ahead = b->ahead;
    b->move.param = b->param;
    b->move.why = b->why;
    b->move.self = b->kernel->self;
    size_t first = cs_kernel_aux_first(b->kernel, b->target);
    b->aux_rows = cs_kernel_aux_rows(b->kernel, b->target);
    b->aux = b->aux_rows ? b->move.memory + first * b->lanes : NULL;
    assert(b->aux_rows == 0 || first + b->aux_rows <= b->slab_words);
    cs_block_wire_recorders(b);
}

size_t cs_block_lane_words(cs_target *target, const cs_kernel *kernel,
                           cs_probe *probes, size_t n_probes)
{
    const cs_block b = {.target = target,
                        .probes = {.item = probes, .n = n_probes}};
    return fixed_words(&b) + cs_kernel_memory_words(kernel, target) +
           scratch_words(&b, kernel);
}

/* Allocates the numbers that are drawn in advance for a single chain. */
static bool grow_ahead(cs_block *b, const cs_kernel *k)
{
    size_t n = cs_kernel_count_ahead(k);
    if (b->live > 1 || n <= b->capacity.ahead)
        return true;
    cs_ahead *next = cs_alloc(n, sizeof *next);
    if (!next)
        return false;
    cs_free(b->ahead);
    b->ahead = next;
    b->capacity.ahead = n;
    return true;
}

cs_status cs_block_reserve(cs_block *b, const cs_kernel *kernel, cs_error *err)
{
    assert(b && kernel && kernel->type);
    cs_status s = cs_kernel_prepare(kernel, b->target, err);
    if (s)
        return s;
    size_t slab = fixed_words(b) + cs_kernel_memory_words(kernel, b->target);
    size_t scratch = scratch_words(b, kernel);
    bool fits = grow(&b->slab, &b->capacity.slab, slab, b->lanes) &&
                grow(&b->scratch, &b->capacity.scratch, scratch, b->lanes) &&
                grow(&b->param, &b->capacity.params, kernel->type->n_params + 1,
                     b->lanes) &&
                grow_ahead(b, kernel);
    if (b->move.x) /* arrays may have moved even if only one of them was
                      grown */
        wire(b);
    return fits ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for %zu chains",
                          b->live);
}

static void init_probes(cs_block *b)
{
    for (size_t i = 0; i < b->probes.n; i++)
        if (b->probes.item[i].type->init)
            b->probes.item[i].type->init(&b->probes.item[i],
                                         b->probes.memory[i], b->lanes);
}

/* Selects the probes for which a single chain stores steps, and allocates the
 * stored values. */
static bool plan_series(cs_block *b)
{
    enum { WIDE = 1024, PROBES = 64 };
    size_t most = 0;
    for (size_t i = 0; b->live == 1 && i < b->probes.n && i < PROBES; i++) {
        const cs_probe *p = &b->probes.item[i];
        if (!p->type->observe_series || p->every != 1 || p->true_logp ||
            p->first > WIDE || b->target->outputs.n)
            continue;
        b->probes.later |= UINT64_C(1) << i;
        most = p->first > most ? p->first : most;
    }
    b->probes.series_width = (most / CS_SERIES_PAD + 1) * CS_SERIES_PAD;
    if (b->probes.later)
        b->probes.series = cs_alloc(CS_SERIES_ROWS * b->probes.series_width,
                                    sizeof *b->probes.series);
    return !b->probes.later || b->probes.series;
}

static cs_status fill_in(cs_block *b, uint64_t first, cs_error *err)
{
    size_t n = b->lanes;
    b->chain = cs_alloc(n, sizeof *b->chain);
    b->flags = cs_alloc(FLAG_ROWS * n, sizeof(bool));
    b->why = cs_alloc(n, sizeof *b->why);
    b->probes.memory = cs_alloc(b->probes.n, sizeof *b->probes.memory);
    if (!b->chain || !b->flags || !b->why || !b->probes.memory ||
        !plan_series(b))
        return cs_fail(err, CS_MEMORY, "out of memory for %zu chains", b->live);
    for (size_t l = 0; l < n; l++)
        b->chain[l] = first + (l < b->live ? l : b->live - 1);
    cs_status s = cs_block_reserve(b, b->kernel, err);
    for (size_t i = 0; s == CS_OK && i < b->probes.n; i++)
        if (b->probes.item[i].true_logp)
            s = cs_block_reserve_observer(b, err);
    if (s != CS_OK)
        return s;
    wire(b);
    init_probes(b);
    cs_block_set_values(b);
    return CS_OK;
}

cs_status cs_block_create(cs_block **out, cs_target *target,
                          const cs_kernel *kernel, uint64_t seed,
                          uint64_t first, size_t live, cs_probe *probes,
                          size_t n_probes, cs_error *err)
{
    assert(out && target && kernel && kernel->type && live >= 1);
    assert(probes || !n_probes);
    *out = NULL;
    cs_block *b = cs_alloc(1, sizeof *b);
    if (!b)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu chains", live);
    b->target = cs_target_hold(target);
    b->kernel = kernel;
    b->live = live;
    b->lanes = cs_target_lanes(target, live);
    b->probes.item = probes;
    b->probes.n = n_probes;
    b->move.streams = cs_streams_of(seed, 0, NULL, b->lanes, live);
    cs_status s = fill_in(b, first, err);
    if (s != CS_OK)
        cs_block_destroy(b);
    else
        *out = b;
    return s;
}

void cs_block_destroy(cs_block *b)
{
    assert(!b || !b->move.multi_step);
    if (!b)
        return;
    cs_target_release(b->target);
    CS_FREE_ALL(b->chain, b->param, b->flags, b->why, b->ahead);
    cs_free((void *)b->probes.memory);
    cs_free(b->probes.series);
    cs_free(b->slab);
    cs_free(b->capacity.spare);
    cs_free(b->scratch);
    cs_free(b->true_logp);
    cs_ratios_destroy(b->ratios);
    cs_free(b);
}

/* ---- states ---- */

void cs_block_set_values(cs_block *b)
{
    const cs_kernel *kernel = b->kernel;
    for (size_t k = 0; k < kernel->type->n_params; k++)
        for (size_t l = 0; l < b->lanes; l++)
            b->param[k * b->lanes + l] = kernel->values[k];
}

void cs_block_set_metric(cs_block *b, const cs_metric *metric)
{
    b->move.metric = metric;
}

static void put(cs_block *b, size_t lane, const double *x)
{
    size_t end = lane + 1 == b->live ? b->lanes : lane + 1;
    for (size_t l = lane; l < end; l++)
        for (size_t d = 0; d < b->move.dim; d++)
            b->move.x[d * b->lanes + l] = x[d];
}

void cs_block_state(const cs_block *b, size_t lane, double *x)
{
    assert(lane < b->lanes && x);
    for (size_t d = 0; d < b->move.dim; d++)
        x[d] = b->move.x[d * b->lanes + lane];
}

/* Evaluates log p of all lanes at the states and caches it as NOW. For a target
 * that lacks a factor, evaluates the prior instead. The evaluation counts as
 * work of the kernel only if the kernel uses log p. Otherwise it only checks
 * the states. */
static void evaluate_again(cs_block *b)
{
    cs_work work = b->eval.work;
    if (b->target->flags & CS_TARGET_UNNORMALISED)
        cs_eval_prior(&b->eval, b->move.x, b->move.info.logp, NULL);
    else
        cs_eval_log_density(&b->eval, CS_NOW, b->move.x, b->move.info.logp);
    if (b->logp_kind != CS_LOGP_EXACT)
        b->eval.work = work;
    b->generation = b->target->generation;
}

cs_status cs_block_reserve_observer(cs_block *b, cs_error *err)
{
    size_t cache = b->target->cache_words, n = b->lanes;
    size_t words = 1 + 2 * cache + cs_eval_scratch_words(b->target);
    if (b->true_logp)
        return CS_OK;
    b->true_logp = cs_alloc(words * n, sizeof(double));
    if (!b->true_logp)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu chains", b->live);
    double *at = b->true_logp + n;
    cs_eval_open(&b->observer, b->target, n, b->live, at, at + 2 * cache * n);
    b->observer.failed = b->move.failed;
    return CS_OK;
}

const double *cs_block_true_logp(cs_block *b)
{
    if (b->logp_kind == CS_LOGP_EXACT)
        return b->move.info.logp;
    assert(b->true_logp);
    cs_eval_log_density(&b->observer, CS_NOW, b->move.x, b->true_logp);
    return b->true_logp;
}

double cs_block_true_logp_of(cs_block *b, size_t lane)
{
    assert(lane < b->live);
    if (b->logp_kind == CS_LOGP_EXACT)
        return b->move.info.logp[lane];
    bool *others = b->left_out; /* left_out serves as scratch, as in
                                   cs_block_place */
    for (size_t l = 0; l < b->lanes; l++)
        others[l] = l == lane;
    cs_eval_ask(&b->observer, others);
    for (size_t l = 0; l < b->lanes; l++)
        others[l] = l != lane;
    b->observer.failed = others;
    double logp = cs_block_true_logp(b)[lane];
    b->observer.failed = b->move.failed;
    cs_eval_ask(&b->observer, NULL);
    return logp;
}

cs_logp_kind cs_block_logp_seen(const cs_block *b)
{
    unsigned seen = (unsigned)b->tally[CS_TALLY_LOGP * b->lanes];
    if (seen >> CS_LOGP_ESTIMATE & 1)
        return CS_LOGP_ESTIMATE;
    if (seen >> CS_LOGP_EXACT & 1)
        return CS_LOGP_EXACT;
    return seen ? CS_LOGP_NONE : b->logp_kind;
}

/* Evaluates all lanes after clearing their failures. */
static void evaluate(cs_block *b)
{
    memset(b->move.failed, 0, b->lanes * sizeof(bool));
    memset(b->failed, 0, b->lanes * sizeof(double));
    memset(b->fault, 0, CS_FAULT_ROWS * b->lanes * sizeof(double));
    evaluate_again(b);
}

bool cs_block_lives(const cs_block *b)
{
    for (size_t l = 0; l < b->live; l++)
        if (b->failed[l] == 0)
            return true;
    return false;
}

static cs_fault fault_of_proposal(double logp)
{
    if (logp == HUGE_VAL)
        return CS_FAULT_INFINITE;
    if (cs_is_bad_gradient(logp))
        return CS_FAULT_GRADIENT;
    return isnan(logp) ? CS_FAULT_DENSITY : CS_FAULT_RATIO;
}

/* Returns the fault of lane l. Sets *point to the point at which the chain
 * failed. */
static cs_fault find_fault(const cs_block *b, size_t l, const double **point)
{
    const cs_info *i = &b->move.info;
    double logp = i->logp[l];
    *point = b->move.x;
    if (b->why[l].code)
        return CS_FAULT_KERNEL;
    if (b->logp_kind != CS_LOGP_NONE && logp < HUGE_VAL && i->proposal) {
        *point = i->proposal;
        return fault_of_proposal(i->logp_proposal[l]);
    }
    if (b->logp_kind == CS_LOGP_NONE)
        return CS_FAULT_STATE;
    if (logp == HUGE_VAL)
        return CS_FAULT_ENDLESS;
    return cs_is_bad_gradient(logp) ? CS_FAULT_GRADIENT : CS_FAULT_STATE;
}

cs_reason cs_block_reason(const cs_block *b, size_t l)
{
    assert(l < b->lanes);
    const double *at = b->fault + CS_FAULT_REASON * b->lanes + l;
    size_t n = b->lanes;
    return (cs_reason){(int)at[0], at[n], at[2 * n], at[3 * n]};
}

static void note_fault(cs_block *b, size_t l)
{
    size_t n = b->lanes, dim = b->move.dim;
    const double *point;
    double *at = b->fault + l;
    const cs_reason *why = &b->why[l];
    *at = find_fault(b, l, &point);
    at += CS_FAULT_REASON * n;
    at[0] = why->code;
    at[n] = why->row;
    at[2 * n] = why->value;
    at[3 * n] = why->bound;
    at = b->fault + CS_FAULT_POINT * n + l;
    for (size_t d = 0; d < dim && d < CS_FAULT_SHOWN; d++)
        at[d * n] = point[d * n + l];
    b->why[l].code = 0;
}

bool cs_block_note_failed(cs_block *b, double now)
{
    size_t n = b->lanes;
    bool any = false;
    for (size_t l = 0; l < n; l++) {
        bool bad = b->move.failed[l] || (b->logp_kind != CS_LOGP_NONE &&
                                         !(b->move.info.logp[l] < HUGE_VAL));
        any |= bad;
        b->move.failed[l] = bad;
        if (!bad || b->failed[l] != 0)
            continue;
        b->failed[l] = now;
        note_fault(b, l);
    }
    return any;
}

static void init_kernel(cs_block *b, bool fresh)
{
    size_t words = cs_kernel_memory_words(b->kernel, b->target);
    if (fresh)
        memset(b->move.memory, 0, words * b->lanes * sizeof(double));
    b->move.fresh = fresh;
    b->move.streams.step = b->step;
    b->move.info.proposal = NULL; /* a failure in `init` is a failure at the
                                     state, because no proposal exists */
    b->move.info.aux_proposal = NULL;
    if (b->kernel->type->init)
        b->kernel->type->init(&b->move);
    assert(b->move.lanes == b->lanes && b->move.live == b->live);
    cs_block_note_failed(b, (double)(b->step ? b->step : 1));
}

void cs_block_refresh(cs_block *b)
{
    evaluate(b);
    init_kernel(b, false);
}

void cs_block_follow_target(cs_block *b)
{
    if (b->generation == b->target->generation)
        return;
    evaluate_again(b);
    init_kernel(b, false);
}

cs_status cs_block_set_kernel(cs_block *b, const cs_kernel *kernel,
                              cs_error *err)
{
    assert(!b->move.multi_step);
    cs_status s = cs_block_reserve(b, kernel, err);
    if (s != CS_OK)
        return s;
    b->kernel = kernel;
    wire(b);
    cs_block_set_values(b);
    evaluate(b);
    init_kernel(b, true);
    return CS_OK;
}

/* Largest number of random starts that are tried in each of two phases: until
 * log p is finite, and then until the gradient of log p is finite. The two
 * phases use different random numbers. */
enum { TRIES = 100 };

/* Returns true if some coordinates of the starts must be drawn: all of them if
 * x is NULL, or else those that are NAN. */
static bool has_gaps(const cs_block *b, const double *const *x)
{
    bool gaps = !x;
    for (size_t l = 0; l < b->live && !gaps; l++)
        for (size_t d = 0; d < b->move.dim; d++)
            gaps |= isnan(x[l][d]);
    return gaps;
}

/* Draws a start for each lane whose log p is not finite (or for all lanes if
 * `try` is 0), except for the given coordinates. */
static void draw_starts(cs_block *b, uint64_t try, const double *const *given,
                        double *all, double *one)
{
    const cs_target *t = b->target;
    size_t dim = b->move.dim;
    double *logp = one, *x = one + dim;
    b->move.streams.step = try;
    cs_fill_uniform(&b->move.streams, CS_FOR_START, dim, all);
    for (size_t l = 0; l < b->live; l++) {
        if (try && isfinite(b->move.info.logp[l]))
            continue;
        for (size_t d = 0; d < dim; d++)
            logp[d] = all[d * b->lanes + l];
        cs_target_start(t, logp, x);
        for (size_t d = 0; d < dim && given; d++)
            x[d] = isnan(given[l][d]) ? x[d] : given[l][d];
        put(b, l, x);
    }
}

static bool all_finite(const cs_block *b)
{
    for (size_t l = 0; l < b->live; l++)
        if (!isfinite(b->move.info.logp[l]))
            return false;
    return true;
}

static cs_status no_slope(const cs_block *b, size_t l, cs_error *err)
{
    cs_fail(err, CS_RANGE,
            "chain %llu cannot start: its log density is finite, but its "
            "gradient is not",
            (unsigned long long)b->chain[l] + 1);
    cs_hint(err,
            "give a start nearer to the states of target %s that have high "
            "probability",
            b->target->name);
    return CS_RANGE;
}

static cs_status check_starts(cs_block *b, cs_error *err)
{
    size_t row;
    for (size_t l = 0; l < b->live; l++) {
        double logp = b->move.info.logp[l];
        if (isfinite(logp))
            continue;
        if (cs_is_bad_gradient(logp))
            return no_slope(b, l, err);
        cs_fail(err, CS_RANGE, "chain %llu cannot start: its log density is %s",
                (unsigned long long)b->chain[l] + 1,
                isnan(logp) ? "not a number"
                : logp > 0  ? "infinite"
                            : "-infinity");
        const cs_target *t = b->target;
        char why[240];
        if (cs_bad_row(&b->eval, b->move.x, l, &row))
            cs_hint(err,
                    "row %zu of the data has probability 0 at the start: "
                    "correct the row, or give another start",
                    row + 1);
        else if (isnan(logp) && t->type->outside.why &&
                 t->type->outside.why(t, why, sizeof why))
            cs_hint(err, "%s", why);
        else
            cs_hint(err, "give a start inside the support of target %s",
                    t->name);
        return CS_RANGE;
    }
    return CS_OK;
}

/* Evaluates log p again in the lanes where log p is not finite. In the other
 * lanes the start and log p are unchanged, so no time is spent on them: one
 * pass over many rows of data takes long. */
static void evaluate_bad(cs_block *b)
{
    double *logp = b->move.info.logp, *kept = b->accept_stat;
    bool *good = b->move.info.accepted, *bad = b->left_out; /* both arrays
                                                               serve as
                                                               scratch */
    for (size_t l = 0; l < b->lanes; l++) {
        kept[l] = logp[l];
        bad[l] = !(good[l] = isfinite(logp[l]));
    }
    b->eval.failed = good;
    cs_eval_renew(&b->eval, bad, b->move.x, logp);
    b->eval.failed = b->move.failed;
    for (size_t l = 0; l < b->lanes; l++)
        logp[l] = good[l] ? kept[l] : logp[l];
    memset(good, 0, b->lanes * sizeof *good);
}

static cs_status start_at_random(cs_block *b, const double *const *given,
                                 cs_error *err)
{
    size_t dim = b->move.dim;
    double *all = cs_alloc(dim * b->lanes + 2 * dim, sizeof(double));
    if (!all)
        return cs_fail(err, CS_MEMORY, "out of memory for the starts");
    uint64_t try = 0;
    do {
        draw_starts(b, try, given, all, all + dim * b->lanes);
        if (try)
            evaluate_bad(b);
        else
            evaluate(b);
    } while (!all_finite(b) && ++try < TRIES);
    cs_free(all);
    return CS_OK;
}

static bool is_twin(const cs_block *b, const cs_block *twin)
{
    return twin && twin->target == b->target && twin->lanes == b->lanes &&
           twin->live == b->live && twin->chain[0] == b->chain[0] &&
           !(b->target->flags & CS_TARGET_MAIN_THREAD);
}

static void copy_place(cs_block *b, const cs_block *twin)
{
    memcpy(b->slab, twin->slab,
           cs_block_head_words(b) * b->lanes * sizeof *b->slab);
    b->generation = twin->generation;
    cs_block_loaded(b);
}

cs_status cs_block_seat(cs_block *b, const double *const *x,
                        const cs_block *twin, cs_error *err)
{
    assert(!twin || twin != b);
    cs_status s = CS_OK;
    b->step = 0;
    if (is_twin(b, twin)) {
        copy_place(b, twin);
        return CS_OK;
    }
    if (has_gaps(b, x)) {
        s = start_at_random(b, x, err);
    } else {
        for (size_t l = 0; l < b->live; l++)
            put(b, l, x[l]);
        evaluate(b);
    }
    return s == CS_OK ? check_starts(b, err) : s;
}

/* Draws a random start again if log p is finite there but the gradient is not
 * finite, or is too steep for any step. (cs_eval_gradient marks such a start by
 * setting log p to a value that is not finite.) As for the other tries, this
 * work is not counted. */
static cs_status draw_again(cs_block *b, const double *const *given,
                            cs_error *err)
{
    size_t dim = b->move.dim;
    double *all = cs_alloc(dim * b->lanes + 2 * dim, sizeof(double));
    cs_work work = b->eval.work;
    if (!all)
        return cs_fail(err, CS_MEMORY, "out of memory for the starts");
    for (uint64_t try = TRIES; try < 2 * TRIES && !all_finite(b); try++) {
        draw_starts(b, try, given, all, all + dim * b->lanes);
        evaluate(b);
        init_kernel(b, true);
    }
    b->eval.work = work;
    cs_free(all);
    return CS_OK;
}

cs_status cs_block_begin(cs_block *b, const double *const *x, cs_error *err)
{
    cs_status s = CS_OK;
    /* Each start counts as one evaluation, even if it was evaluated more often
     * because other lanes needed more tries. If the kernel does not use log p,
     * nothing is counted, because log p was evaluated only to check the
     * starts. */
    b->eval.work = (cs_work){0};
    if (b->logp_kind == CS_LOGP_EXACT &&
        !(b->target->flags & CS_TARGET_UNNORMALISED))
        b->eval.work = (cs_work){.log_densities = b->live,
                                 .data_terms = b->live * b->target->data_terms};
    init_kernel(b, true);
    if (b->logp_kind != CS_LOGP_EXACT ||
        cs_space_is_discrete(&b->target->space) || all_finite(b))
        return CS_OK;
    if (has_gaps(b, x))
        s = draw_again(b, x, err);
    return s == CS_OK ? check_starts(b, err) : s;
}

cs_status cs_block_start(cs_block *b, const double *const *x, cs_error *err)
{
    cs_status s = cs_block_seat(b, x, NULL, err);
    return s == CS_OK ? cs_block_begin(b, x, err) : s;
}

/* ---- states from outside ---- */

cs_status cs_block_reserve_place(cs_block *b, cs_error *err)
{
    if (grow(&b->capacity.spare, &b->capacity.spare_words, b->capacity.slab,
             b->lanes + 1))
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for a state");
}

cs_status cs_block_place(cs_block *b, size_t lane, const double *x,
                         cs_error *err)
{
    assert(lane < b->live && x && !b->move.multi_step);
    size_t words = b->slab_words;
    cs_status s = cs_block_reserve_place(b, err);
    if (s != CS_OK)
        return s;
    double *old = b->capacity.spare, *mine = old + words * b->lanes;
    cs_block_save(b, old);
    put(b, lane, x);
    for (size_t l = 0; l < b->lanes; l++)
        b->left_out[l] = l == lane; /* left_out serves as scratch: it marks
                                       the only lane that is evaluated */
    cs_eval_ask(&b->eval, b->left_out);
    evaluate(b);
    bool inside = isfinite(b->move.info.logp[lane]);
    init_kernel(b, false);
    cs_eval_ask(&b->eval, NULL);
    inside &= b->logp_kind == CS_LOGP_NONE || isfinite(b->move.info.logp[lane]);
    cs_block_save_lane(b, lane, mine);
    cs_block_load(b, old);
    if (inside) {
        cs_block_load_lane(b, lane, mine);
        return CS_OK;
    }
    return cs_fail(err, CS_RANGE, "the state is outside the support of %s",
                   b->target->name);
}

bool cs_block_bring(cs_block *b, size_t lane, const double *x)
{
    if (cs_block_place(b, lane, x, NULL) != CS_OK)
        return false;
    size_t end = lane + 1 == b->live ? b->lanes : lane + 1;
    for (size_t l = lane; l < end; l++)
        b->tally[CS_TALLY_BROUGHT * b->lanes + l] = 1;
    return true;
}
