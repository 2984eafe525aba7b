/* Creates and destroys runs. */
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/run_state.h"
#include "run/arms/workers.h"
#include "run/draws/diagnosed.h"
#include "run/draws/draw_store.h"
#include "run/draws/quantities.h"
#include "run/draws/sample.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/ranks/chain_exchange.h"
#include "run/ranks/rank_words.h"
#include "run/rounds.h"
#include "run/run.h"
#include "run/save_arm.h"
#include "run/share_out.h"
#include "run/summary/witnesses.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"
#include "run/views/bin_truth.h"
#include "run/views/fingerprint.h"
#include "run/views/report_scratch.h"
#include "simd/simd.h"

#include <string.h>
#include <unistd.h>

enum {
    MOST_LANES = 64,
    LANES = 32, /* lanes per block, except for narrow states */
    NARROW = 16,
    LIMIT = 1024, /* maximum lanes per block that a caller may request */
    WORKERS = 64, /* maximum workers considered when lanes are chosen */
    CHAINS = 4,
    /* size of an array in doubles; about six such arrays fit in 1 MB */
    NEAR_CACHE = 1 << 14
};

/* ---- arms ---- */

static size_t workers_of(const cs_run_spec *spec)
{
    if (spec->workers)
        return spec->workers;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

static size_t blocks_for(const cs_run *r, size_t lanes)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_arms; i++)
        n += (r->arm[i].chains + lanes - 1) / lanes;
    return n;
}

/* Returns true if the states of a block and the arrays of its kernel do not fit
 * in the near cache. Returns false if a block reads the target's data only once
 * for all lanes. A site with unordered values takes one row per value. */
static bool is_too_wide(const cs_target *t, size_t lanes)
{
    size_t rows = t->space.dim;
    if (t->space.kind == CS_CATEGORICAL)
        rows *= (size_t)t->space.values;
    return cs_space_is_discrete(&t->space) && !t->data_terms &&
           rows * lanes > NEAR_CACHE && t->shared_words < rows * lanes;
}

/* Returns the cost of a step of a block in units of lanes: the number of lanes
 * plus one for the function calls. */
static size_t cost_of(const cs_target *t, size_t chains)
{
    unsigned alone = CS_TARGET_PACKED | CS_TARGET_ALONE;
    if (chains == 1 && t->flags & alone)
        return 2;
    return cs_target_lanes(t, chains) + 1;
}

/* Returns the work of the worker with the most work, if each idle worker takes
 * the next block. */
static size_t max_work(const cs_run *r, size_t lanes, size_t workers)
{
    size_t work[WORKERS] = {0}, most = 0;
    workers = workers < WORKERS ? workers : WORKERS;
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t first = 0; first < r->arm[i].chains; first += lanes) {
            size_t left = r->arm[i].chains - first, free = 0;
            for (size_t w = 1; w < workers; w++)
                free = work[w] < work[free] ? w : free;
            work[free] += cost_of(r->target, left < lanes ? left : lanes);
            most = work[free] > most ? work[free] : most;
        }
    return most;
}

/* Returns true if there is an arm whose chains wait for each other within a
 * step. */
static bool is_uneven(const cs_run *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_arms; i++)
        any |= (r->arm[i].kernel.type->flags & CS_KERNEL_UNEVEN) != 0;
    return any;
}

/* Chooses the number of lanes per block. Blocks with narrow states get more
 * lanes, because a step of a narrow state takes little time compared with the
 * function calls. The number is changed if another number divides the work more
 * evenly among the workers. */
static size_t choose_lanes(const cs_run *r, const cs_run_spec *spec)
{
    size_t lanes = r->target->space.dim <= NARROW ? MOST_LANES : LANES;
    size_t workers = workers_of(spec);
    if (spec->block_lanes)
        return spec->block_lanes;
    if (is_uneven(r))
        /* uses one vector of lanes, because chains that have finished a step
         * wait for the other lanes */
        return cs_whole_vectors(2);
    while (lanes > CS_PAD && is_too_wide(r->target, lanes))
        lanes /= 2;
    size_t least = max_work(r, lanes, workers);
    for (size_t n = MOST_LANES; n >= CS_PAD; n -= CS_PAD) {
        size_t most = max_work(r, n, workers);
        if (most >= least - least / 16 || is_too_wide(r->target, n))
            continue;
        lanes = n;
        least = most;
    }
    return lanes;
}

/* Returns the end of the block that begins with chain `first`. A block never
 * contains both chains of this process and chains of other processes. */
static size_t end_of_block(const cs_arm *a, size_t lanes, size_t first)
{
    size_t end = first + lanes < a->chains ? first + lanes : a->chains;
    if (first < a->share.own.first && end > a->share.own.first)
        return a->share.own.first;
    return first < a->share.own.end && end > a->share.own.end ? a->share.own.end
                                                              : end;
}

static cs_status make_blocks(cs_run *r, cs_arm *a, size_t lanes, cs_error *err)
{
    a->item = r->item + r->n_items;
    for (size_t first = 0, end; first < a->chains; first = end) {
        end = end_of_block(a, lanes, first);
        cs_status s = cs_block_create(&a->block[a->n_blocks], a->target,
                                      &a->kernel, a->seed, first, end - first,
                                      r->probe, r->n_probes, err);
        if (s != CS_OK)
            return s;
        for (size_t c = first; c < end; c++)
            a->block_of[c] = a->n_blocks;
        if (first == 0 || first == a->share.own.first)
            a->front = a->block[a->n_blocks];
        a->block[a->n_blocks]->move.strict = r->given.strict;
        cs_block_set_metric(a->block[a->n_blocks], a->metric);
        r->item[r->n_items++] =
            (cs_item){.block = a->block[a->n_blocks++], .arm = a};
    }
    return CS_OK;
}

/* Returns block i of an earlier arm with the same chains and the same random
 * numbers in block i as this arm. Such arms have equal starts. NULL: no such
 * arm. */
static const cs_block *twin_of(const cs_run *r, const cs_arm *a, size_t i)
{
    for (const cs_arm *other = r->arm; other < a; other++)
        if (i < other->n_blocks && !a->learns && !other->learns &&
            other->seed == a->seed &&
            cs_arm_first(other, i) == cs_arm_first(a, i) &&
            other->block[i]->live == a->block[i]->live)
            return other->block[i];
    return NULL;
}

/* Checks the starts of chains that use each other's states, because such chains
 * never leave the affine space that their starts span. */
static cs_status check_starts(const cs_run *r, const cs_run_spec *spec,
                              const cs_arm *a, cs_error *err)
{
    size_t least = cs_kernel_least(&a->kernel, r->target);
    if (!spec->start || spec->n_starts >= least)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "chains of %s use each other's states: arm %s has %zu starts but "
            "needs %zu",
            a->kernel.type->name, a->name, spec->n_starts, least);
    cs_hint(err, "omit 'start', or give one start per chain");
    return CS_INPUT;
}

/* Sets x[live] to the given starts of the block's chains. Returns x, or NULL if
 * no starts are given. */
static const double *const *given_starts(const cs_run_spec *spec,
                                         const cs_arm *a, const cs_block *b,
                                         const double **x)
{
    size_t i = 0, dim = spec->target->space.dim;
    while (a->block[i] != b)
        i++;
    for (size_t l = 0; spec->start && l < b->live; l++)
        x[l] = spec->start + (cs_arm_first(a, i) + l) % spec->n_starts * dim;
    return spec->start ? x : NULL;
}

static cs_status seat_arm(const cs_run *r, const cs_run_spec *spec,
                          const cs_arm *a, cs_error *err)
{
    const double *x[LIMIT];
    cs_status starts = check_starts(r, spec, a, err);
    if (starts)
        return starts;
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        cs_status s = cs_block_seat(block, given_starts(spec, a, block, x),
                                    twin_of(r, a, b), err);
        if (s != CS_OK)
            return s;
    }
    return CS_OK;
}

/* Starts the arms. Arms with equal starts share one evaluation of log p. */
static cs_status start_arms(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    const double *x[LIMIT];
    cs_status s = CS_OK;
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++)
        s = seat_arm(r, spec, &r->arm[i], err);
    for (size_t i = 0; i < r->n_items && s == CS_OK; i++) {
        cs_block *b = r->item[i].block;
        s = cs_block_begin(b, given_starts(spec, r->item[i].arm, b, x), err);
    }
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++) {
        cs_learns_begin(r, &r->arm[i]);
        cs_tuning_begin(&r->arm[i]);
    }
    return s;
}

static cs_status fill_arm(cs_run *r, cs_arm *a, size_t lanes, cs_error *err)
{
    a->block = cs_alloc(a->chains / lanes + 3, sizeof(cs_block *));
    a->block_of = cs_alloc(a->chains, sizeof *a->block_of);
    a->reported.reported = cs_alloc(a->chains, sizeof *a->reported.reported);
    a->round.driven.value =
        cs_alloc(CS_DRIVEN_ROWS * CS_QUANTUM, sizeof(double));
    if (!a->block || !a->block_of || !a->reported.reported ||
        !a->round.driven.value)
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    cs_status s = make_blocks(r, a, lanes, err);
    if (s == CS_OK)
        s = cs_exchange_reserve(a, r->target, &a->kernel, err);
    if (s == CS_OK)
        s = cs_draws_create(r, a, err);
    if (s == CS_OK)
        s = cs_diagnosed_create(r, a, err);
    return s;
}

static cs_status take_metric(cs_run *r, cs_arm *a, const cs_arm_spec *from,
                             cs_error *err)
{
    cs_status s = cs_metric_fits(&a->kernel, r->target, err);
    if (s == CS_OK)
        s = cs_metric_make(&a->metric, from->metric, r->target->space.dim,
                           from->covariance, err);
    return s ? s : cs_metric_set_centre(a->metric, from->centre, err);
}

static uint64_t seed_of(const cs_run *r, const cs_arm_spec *from)
{
    const char *name = from->stream;
    return name ? r->seed ^ cs_digest(CS_DIGEST, name, strlen(name)) : r->seed;
}

static cs_status name_arms(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    for (size_t i = 0; i < spec->n_arms; i++) {
        const cs_arm_spec *from = &spec->arms[i];
        cs_arm *a = &r->arm[i];
        r->n_arms++;
        a->name =
            cs_copy_text(from->name ? from->name : from->kernel.type->name);
        a->chosen = cs_copy_text(from->chosen);
        a->seed = seed_of(r, from);
        a->target = cs_target_hold(r->target);
        a->kernel = from->kernel;
        a->plan = from->plan;
        a->first = a->kernel;
        a->aux = cs_kernel_aux_recorded(&a->kernel, r->target);
        a->chains = spec->chains ? spec->chains : CHAINS;
        a->chains = from->chains ? from->chains
                                 : a->chains * cs_kernel_group(&a->kernel);
        a->share.before = r->n_chains;
        r->n_chains += a->chains;
        if (!a->name || (from->chosen && !a->chosen))
            return cs_fail(err, CS_MEMORY, "out of memory for the arms");
        cs_status s = cs_arm_fits(r, a, &a->kernel, err);
        if (s == CS_OK && from->metric != CS_METRIC_UNIT)
            s = take_metric(r, a, from, err);
        if (s == CS_OK)
            s = cs_tuning_create(r, a, &from->tuner,
                                 from->learner.type ? 0 : spec->warmup,
                                 spec->max_warmup, err);
        if (s == CS_OK)
            s = cs_learns_create(r, a, &from->learner, err);
        if (s != CS_OK)
            return s;
    }
    return CS_OK;
}

/* Passes the numbers of chains to the probes before the memory of the probes is
 * allocated. */
static void fit_probes(cs_run *r)
{
    size_t most = 0;
    for (size_t i = 0; i < r->n_arms; i++)
        most = r->arm[i].chains > most ? r->arm[i].chains : most;
    for (size_t i = 0; i < r->n_probes; i++)
        if (r->probe[i].type->fit)
            r->probe[i].type->fit(&r->probe[i], most);
}

/* Rejects a run that needs more memory than is available, so that it does not
 * fail after hours. */
static cs_status check_memory(const cs_run *r, cs_error *err)
{
    double bytes = 0, most = cs_memory_max(), chains = 0;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        double words = (double)cs_block_lane_words(r->target, &a->kernel,
                                                   r->probe, r->n_probes);
        words += cs_draws_words(r, a) + cs_tuning_words(r, a) +
                 cs_diagnosed_words(r, a);
        bytes += (double)a->chains * words * sizeof(double) +
                 cs_learns_words(a) * sizeof(double);
        chains += (double)a->chains;
    }
    if (bytes <= most)
        return CS_OK;
    cs_fail(
        err, CS_MEMORY,
        "%.0f chains in %zu dimensions need %.3g GiB; %.3g GiB are available",
        chains, r->target->space.dim, bytes / (1 << 30), most / (1 << 30));
    size_t limit;
    cs_memory_held(&limit);
    cs_hint(err,
            "use fewer chains or dimensions, keep fewer draws (keep = 100), or "
            "use fewer probes%s",
            limit ? ", or raise the limit with --memory" : "");
    return CS_MEMORY;
}

static cs_status make_arms(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    size_t lanes = choose_lanes(r, spec), most = 0;
    /* up to two more blocks per arm, since a share may cut one block at each
     * end */
    size_t n = blocks_for(r, lanes) + 2 * r->n_arms;
    for (size_t i = 0; i < r->n_arms; i++)
        most = r->arm[i].chains > most ? r->arm[i].chains : most;
    r->item = cs_alloc(n, sizeof *r->item);
    r->rounds->pool_item = cs_alloc(n, sizeof *r->rounds->pool_item);
    r->rounds->main_item = cs_alloc(n, sizeof *r->rounds->main_item);
    /* large enough for a sample with repeated groups; the sizes of groups may
     * differ by one chain, or by one set of chains that move together */
    r->reports->lane =
        cs_alloc(2 * most + CS_RUN_GROUPS, sizeof *r->reports->lane);
    r->reports->state =
        cs_alloc(2 * (r->target->space.dim + cs_target_shown(r->target)),
                 sizeof(double));
    if (!r->item || !r->rounds->pool_item || !r->rounds->main_item ||
        !r->reports->lane || !r->reports->state)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_status s = fill_arm(r, &r->arm[i], lanes, err);
        if (s != CS_OK)
            return s;
    }
    return start_arms(r, spec, err);
}

static cs_status make_probes(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    for (size_t i = 0; i < spec->n_probes; i++) {
        const cs_probe_spec *from = &spec->probes[i];
        cs_status s = cs_probe_init(&r->probe[i], from->type, from->given,
                                    from->n_given, r->target, err);
        if (s != CS_OK)
            return s;
        r->probe[i].every =
            from->every ? from->every : cs_probe_usual(from->type, r->target);
        r->probe[i].true_logp = from->true_logp;
        if (from->true_logp)
            s = cs_target_check_density(r->target, err);
        if (s != CS_OK)
            return s;
        r->n_probes++;
        /* computes slow exact answers now, since learning or a script may
         * change the target later */
        if (r->target->n_learned || r->target->flags & CS_TARGET_MAIN_THREAD)
            cs_probe_settle(&r->probe[i]);
    }
    return CS_OK;
}

/* ---- the whole run ---- */

static cs_status check_spec(const cs_run_spec *spec, cs_error *err)
{
    if (spec->n_arms == 0) {
        cs_fail(err, CS_INPUT, "the run has no arm");
        cs_hint(err, "give at least one kernel");
        return CS_INPUT;
    }
    if (spec->block_lanes > LIMIT)
        return cs_fail(err, CS_RANGE, "a block holds at most %d chains", LIMIT);
    if (spec->start && spec->n_starts == 0)
        return cs_fail(err, CS_INPUT, "the list of starts is empty");
    return CS_OK;
}

static cs_status fill_in(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    r->arm = cs_alloc(spec->n_arms, sizeof *r->arm);
    r->probe = cs_alloc(spec->n_probes, sizeof *r->probe);
    if (!r->arm || !r->probe)
        return cs_fail(err, CS_MEMORY, "out of memory for the run");
    cs_status s = make_probes(r, spec, err);
    if (s == CS_OK)
        s = name_arms(r, spec, err);
    fit_probes(r);
    if (s == CS_OK)
        s = cs_share_out(r, spec, err);
    if (s == CS_OK)
        s = check_memory(r, err);
    if (s == CS_OK)
        s = make_arms(r, spec, err);
    if (s == CS_OK)
        s = cs_budget_check(r, err);
    if (s != CS_OK)
        return s;
    s = cs_run_parts(r, spec, err);
    if (s != CS_OK)
        return s;
    size_t workers = workers_of(spec);
    bool spare = workers > r->n_items && !cs_run_learns(r);
    /* if no arm learns, more than one worker per block would be useless */
    r->workers = spare ? r->n_items : workers;
    return cs_pool_create(&r->pool, r->workers, err);
}

/* Takes a reference to the target. If arms learn, removes the target's exact
 * answers, which do not apply to arms that learn. */
static cs_status take_target(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    for (size_t i = 0; i < spec->n_arms; i++)
        if (spec->arms[i].learner.type &&
            !(spec->target->flags & CS_TARGET_LEARNS))
            return cs_target_learner(spec->target, &r->target, err);
    r->target = cs_target_hold(spec->target);
    return CS_OK;
}

/* A run and its parts, allocated together. */
typedef struct whole {
    cs_run run; /* first member: freeing it frees all */
    cs_rank_comm comm;
    cs_rounds rounds;
    cs_draw_store draws;
    cs_report_scratch reports;
    cs_witnesses witnesses;
    cs_timeline timeline;
    cs_remembered remembered;
    cs_marks marks;
    cs_saving saving;
} whole;

static cs_run *make_parts(const cs_run_spec *spec)
{
    whole *w = cs_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->run.comm = &w->comm;
    w->run.rounds = &w->rounds;
    w->run.draws = &w->draws;
    w->run.reports = &w->reports;
    w->run.witnesses = &w->witnesses;
    w->run.timeline = &w->timeline;
    w->run.remembered = &w->remembered;
    w->run.marks = &w->marks;
    w->run.saving = &w->saving;
    w->rounds.quantum = 16;
    w->draws.keep = spec->keep;
    w->marks.limit =
        spec->rewind_bytes ? spec->rewind_bytes : UINT64_C(64) << 20;
    atomic_init(&w->rounds.stop, false);
    pthread_mutex_init(&w->reports.lock, NULL);
    return &w->run;
}

static void free_parts(cs_run *r)
{
    pthread_mutex_destroy(&r->reports->lock);
    cs_free(r);
}

/* Returns true if all chains start at one state. */
static bool has_one_start(const cs_run_spec *spec)
{
    bool one = spec->start && spec->n_starts == 1;
    for (size_t d = 0; one && d < spec->target->space.dim; d++)
        one = !isnan(spec->start[d]);
    return one;
}

cs_status cs_run_create(cs_run **out, const cs_run_spec *spec, cs_error *err)
{
    *out = NULL;
    cs_status s = check_spec(spec, err);
    if (s != CS_OK)
        return s;
    cs_run *r = make_parts(spec);
    if (!r)
        return cs_fail(err, CS_MEMORY, "out of memory for the run");
    s = take_target(r, spec, err);
    if (s != CS_OK) {
        free_parts(r);
        return s;
    }
    r->seed = spec->seed;
    r->budget = spec->budget;
    r->ranks = spec->ranks;
    r->given.one_start = has_one_start(spec);
    r->given.strict = spec->strict;
    r->epoch = 1;
    s = fill_in(r, spec, err);
    if (s != CS_OK)
        cs_run_destroy(r);
    else
        *out = r;
    return s;
}

static void destroy_arm(cs_arm *a)
{
    for (size_t b = 0; b < a->n_blocks; b++)
        cs_block_destroy(a->block[b]);
    cs_free((void *)a->block);
    cs_free(a->block_of);
    cs_free(a->name);
    cs_free(a->chosen);
    cs_free(a->reported.reported);
    cs_free(a->round.driven.value);
    cs_plan_let_go(a->held);
    cs_metric_let_go(a->metric);
    cs_exchange_free(a);
    cs_tuning_free(a);
    cs_learns_free(a);
    cs_target_release(a->target);
    cs_draws_free(a);
    cs_diagnosed_free(a);
}

void cs_run_destroy(cs_run *r)
{
    if (!r)
        return;
    cs_pool_destroy(r->pool);
    cs_ranks_free(r);
    for (size_t i = 0; i < r->n_arms; i++)
        destroy_arm(&r->arm[i]);
    for (size_t i = 0; i < r->n_probes; i++)
        cs_probe_fini(&r->probe[i]);
    cs_marks_forget(r->marks);
    cs_branch_free(r->timeline);
    cs_remembered_free(r->remembered);
    cs_change_forget(r->timeline, 0);
    cs_free(r->timeline->journal);
    cs_free(r->timeline->redo);
    cs_restored_free(r->timeline->restored);
    CS_FREE_ALL(r->arm, r->probe, r->item, r->rounds->pool_item,
                r->rounds->main_item, r->reports->lane);
    for (size_t i = 0; i < CS_BINNED; i++)
        cs_binned_clear(&r->reports->binned[i]);
    cs_quantities_free(&r->reports->wanted);
    cs_witnesses_free(r->witnesses);
    cs_free(r->reports->state);
    cs_free(r->saving->lane_words);
    cs_free(r->fingerprint);
    cs_free(r->together);
    cs_free(r->draws->data_lines);
    cs_target_release(r->target);
    free_parts(r);
}
