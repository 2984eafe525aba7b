/* Runs the tuners of arms. They run on the owner's thread when every chain is
 * at the same step, so the results do not depend on blocks or workers. */
#include "run/tuning/tune.h"
#include "base/memory.h"
#include "chain/tally.h"
#include "kernel/member_metrics.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/ranks/chain_exchange.h"
#include "run/ranks/rank_words.h"
#include "run/tuning/chain_reach.h"
#include "run/tuning/learn.h"
#include "run/tuning/pathfinder.h"
#include "run/tuning/tuning_view.h"
#include "run/tuning/window_metrics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The words that describe a chain at the end of a trial, by which the trial is
 * evaluated. The results [cs_tuner_results] and a flag for each learned metric
 * follow: the last trajectory was cut off at its maximum depth. If a metric is
 * learned, or if chains may be moved to the states of other chains, the chain's
 * state [dim] follows. */
enum { FAILED, LOGP, RESULTS };

/* The results before the first trial. */
static const double no_result[CS_TUNER_DRIVEN] = {NAN, NAN, NAN, NAN,
                                                  NAN, NAN, NAN, NAN};

/* Returns the mean of the n results that are known, or NAN. */
static double mean_of(const double *result, size_t n)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        sum += isnan(result[i]) ? 0 : result[i];
        known += !isnan(result[i]);
    }
    return known > 0 ? sum / known : (double)NAN;
}

static size_t deep_at(const cs_tuning *g)
{
    return RESULTS + cs_tuner_results(&g->tuner);
}

static size_t state_at(const cs_tuning *g)
{
    return deep_at(g) + g->tuner.n_parts;
}

/* ---- memory ---- */

static size_t state_words(const cs_run *r, const cs_arm *a)
{
    return r->target->space.dim + 1 + r->target->cache_words +
           cs_kernel_memory_words(&a->kernel, r->target);
}

double cs_tuning_words(const cs_run *r, const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    return g ? (double)g->tuner.type->slots * (double)state_words(r, a) : 0;
}

/* Sets the target acceptance to the kernel's optimum, unless the spec gives a
 * target acceptance. */
static void aim(const cs_arm *a, size_t dim, cs_tuner *t)
{
    int row = cs_param_find(t->type->params, t->type->n_params, "acceptance");
    const cs_kernel_type *type = a->kernel.type;
    if (row >= 0 && t->values[row] == 0)
        t->values[row] = cs_kernel_acceptance(type, dim);
}

/* Finds the parameters that a tuner drives. Fails if at least one of these
 * parameters has a schedule, since the tuner would overwrite the schedule. */
static cs_status bind(const cs_run *r, cs_arm *a, cs_tuning *g, cs_error *err)
{
    cs_status s =
        cs_tuner_bind(&g->tuner, &a->kernel, r->target->space.dim, err);
    aim(a, r->target->space.dim, &g->tuner);
    for (size_t i = 0; s == CS_OK && i < g->tuner.n_driven; i++) {
        size_t k = g->tuner.param[i];
        if (!a->plan.driven[k])
            continue;
        s = cs_fail(err, CS_INPUT,
                    "%s of arm %s has both a schedule and a tuner",
                    a->kernel.type->params[k].name, a->name);
        cs_hint(err, "remove the schedule or the tuner");
    }
    return s;
}

/* Sets up a tuner that only warms up and tunes nothing. */
static cs_status warm_up(cs_run *r, cs_tuner *t, uint64_t n, cs_error *err)
{
    const cs_value steps = {
        .name = "steps", .kind = CS_PARAM_INT, .given = 1, .number = (double)n};
    r->given.warmup = n;
    return cs_tuner_init(t, cs_tuner_find("warmup"), &steps, 1, err);
}

/* Limits the number of steps of a tuner to `most` (0: the default), so that
 * enough steps remain for draws. If the spec gives the number of steps, does
 * nothing. Returns true if the number was reduced. */
static bool cut(cs_run *r, cs_tuner *t, uint64_t most)
{
    int row = cs_param_find(t->type->params, t->type->n_params, "steps");
    if (!most || !t->usual || row < 0 || !(t->values[row] > (double)most))
        return false;
    t->values[row] = (double)most;
    r->given.max_warmup = most;
    return true;
}

/* Reserves the memory of a tuner that is bound. */
static cs_status reserve(const cs_run *r, cs_arm *a, cs_error *err)
{
    cs_tuning *g = a->tuning;
    const cs_tuner_type *type = g->tuner.type;
    size_t row = state_at(g) + r->target->space.dim;
    g->words = state_words(r, a);
    g->capacity = type->trials(g->tuner.values) + 1;
    size_t results = cs_tuning_results(a, g->capacity);
    cs_window_place(a);
    g->row = cs_alloc(g->capacity, sizeof *g->row);
    g->result = cs_alloc(results, sizeof *g->result);
    g->read = cs_alloc(results, sizeof *g->read);
    g->memory = cs_alloc(1, type->memory);
    g->spare = cs_alloc(1, type->memory);
    g->x = cs_alloc(row, sizeof(double));
    g->part = cs_alloc(r->target->space.dim, sizeof(double));
    g->order = cs_alloc(a->chains, sizeof *g->order);
    g->reached = cs_alloc(a->chains, sizeof *g->reached);
    if (r->ranks)
        g->met = cs_alloc(a->chains * row, sizeof *g->met);
    g->state = cs_alloc(type->slots * a->chains * g->words + g->n_moments + 1,
                        sizeof(double));
    if (g->x && g->part && g->order && g->reached && (g->met || !r->ranks) &&
        g->row && g->result && g->read && g->memory && g->spare && g->state)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for the tuner");
}

cs_status cs_tuning_create(cs_run *r, cs_arm *a, const cs_tuner *tuner,
                           uint64_t warmup, uint64_t most, cs_error *err)
{
    cs_tuner aux = *tuner;
    cs_status s = !aux.type && warmup ? warm_up(r, &aux, warmup, err) : CS_OK;
    const cs_tuner_type *type = aux.type;
    if (s || !type)
        return s;
    if (type->slots && r->target->n_learned &&
        !(r->target->flags & CS_TARGET_LEARNS))
        return cs_fail(err, CS_UNSUPPORTED,
                       "tuner %s revisits earlier states, which a target that "
                       "learns does not allow",
                       type->name);
    cs_tuning *g = a->tuning = cs_alloc(1, sizeof *g);
    if (!g)
        return cs_fail(err, CS_MEMORY, "out of memory for the tuner");
    g->cut = cut(r, &aux, most);
    g->tuner = aux;
    g->active = true;
    s = bind(r, a, g, err);
    return s ? s : reserve(r, a, err);
}

void cs_tuning_free(cs_arm *a)
{
    cs_tuning *g = a->tuning;
    if (!g)
        return;
    CS_FREE_ALL(g->row, g->result, g->read, g->memory, g->spare, g->state, g->x,
                g->part, g->order, g->reached, g->met, g);
    a->tuning = NULL;
}

/* ---- states ---- */

double *cs_tuning_slot(const cs_arm *a, size_t slot, size_t chain)
{
    const cs_tuning *g = a->tuning;
    return g->state + (slot * a->chains + chain) * g->words;
}

size_t cs_tuning_held(const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    size_t slots = g ? g->tuner.type->slots : 0;
    return g && g->active ? slots * a->chains * g->words + g->n_moments : 0;
}

size_t cs_tuning_results(const cs_arm *a, size_t trials)
{
    return trials * cs_tuner_results(&a->tuning->tuner);
}

double *cs_tuning_moments(const cs_arm *a)
{
    return cs_tuning_slot(a, a->tuning->tuner.type->slots, 0);
}

/* Copies the states of all chains to a slot. If `in` is true, copies them from
 * the slot to the chains. Chains that have failed are not changed. */
static void copy_states(cs_arm *a, int slot, bool in)
{
    for (size_t c = a->share.own.first;
         slot != CS_NO_SLOT && c < a->share.own.end; c++) {
        cs_block *b = cs_arm_block(a, c);
        size_t lane = cs_arm_lane(a, c);
        if (!in || b->failed[lane] == 0)
            cs_lane_state(b, lane, a->tuning->words,
                          cs_tuning_slot(a, (size_t)slot, c), in);
    }
}

/* ---- trials ---- */

void cs_arm_tell_blocks(cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    bool tunes = g && g->active;
    for (size_t i = 0; i < a->n_blocks; i++) {
        cs_block *b = a->block[i];
        b->warmup_steps = a->warmup_steps;
        b->in_warmup = tunes || cs_learns_now(a);
        b->unadjusted = tunes ? g->trial.unadjusted : cs_learns_unadjusted(a);
    }
}

/* Sets the counters of an arm's members to 0. */
static void clear_members(cs_arm *a)
{
    const cs_composed *c = cs_composed_of(&a->kernel);
    for (size_t i = 0; c && i < a->n_blocks; i++)
        cs_composed_forget(c, a->block[i]->move.memory, a->block[i]->lanes);
}

static void clear_tally(cs_arm *a, size_t first)
{
    for (size_t i = 0; i < a->n_blocks; i++) {
        cs_block *b = a->block[i];
        memset(b->tally + first * b->lanes, 0,
               (CS_TALLY_KEPT - first) * b->lanes * sizeof(double));
    }
}

/* Marks the best trial of the last round, and records the present trial. */
static void note(cs_tuning *g, size_t number, bool more)
{
    const cs_trial *t = &g->trial;
    if (t->taken < number)
        g->row[t->taken].taken = true;
    if (!more)
        return;
    cs_trial_view *row = &g->row[number];
    *row = (cs_trial_view){
        .acceptance = (double)NAN, .steps = t->steps, .phase = t->phase};
    memcpy(row->value, t->value, sizeof row->value);
}

/* Starts the draws. From now on, counts belong to the draws, not to the
 * warm-up. */
static void end(cs_arm *a)
{
    a->tuning->active = false;
    if (!cs_learns_now(a))
        a->warmup_steps = a->steps;
    cs_arm_begin_draws(a);
    for (size_t i = 0; i < a->n_blocks; i++)
        cs_block_set_values(a->block[i]);
}

void cs_arm_begin_draws(cs_arm *a)
{
    clear_tally(a, 0);
    clear_members(a);
}

static double in_range(const cs_param *row, double x)
{
    return fmin(fmax(x, row->min), row->max);
}

static void freeze(cs_arm *a)
{
    const cs_tuner *t = &a->tuning->tuner;
    cs_schedule found[CS_TUNER_DRIVEN];
    t->type->freeze(t, a->tuning->memory, found);
    cs_arm_part_plan(a);
    for (size_t i = 0; i < t->n_driven; i++) {
        size_t k = t->param[i];
        bool constant = found[i].type == cs_schedule_find("constant");
        a->plan.driven[k] = false;
        if (!constant)
            (void)cs_plan_drive(&a->plan, k, &found[i]);
        if (constant)
            a->kernel.values[k] =
                in_range(&a->kernel.type->params[k], found[i].values[0]);
    }
    end(a);
}

static void begin_trial(cs_arm *a, bool more)
{
    cs_tuning *g = a->tuning;
    g->trial_steps = 0;
    note(g, g->n_results, more);
    copy_states(a, g->trial.keep, false);
    copy_states(a, g->trial.from, true);
    clear_tally(a, CS_TALLY_TRIAL);
    clear_members(a);
    if (!more)
        freeze(a);
    assert(!more || (g->n_results + 1 < g->capacity && g->trial.steps > 0));
    cs_arm_tell_blocks(a);
}

/* Begins the first trial. */
static void begin_first(cs_arm *a)
{
    cs_tuning *g = a->tuning;
    begin_trial(
        a, g->tuner.type->next(&g->tuner, g->memory, no_result, &g->trial));
}

void cs_tuning_begin(cs_arm *a)
{
    cs_tuning *g = a->tuning;
    if (!g)
        return;
    for (size_t i = 0; i < g->tuner.type->slots; i++)
        copy_states(a, (int)i, false);
    begin_first(a);
}

void cs_tuning_again(cs_arm *a)
{
    cs_tuning *g = a->tuning;
    if (g->tuner.type->remember)
        g->tuner.type->remember(&g->tuner, g->memory);
    cs_arm_part_plan(a);
    for (size_t i = 0; i < g->tuner.n_driven; i++)
        a->plan.driven[g->tuner.param[i]] = false;
    g->active = true;
    g->n_results = 0;
    memset(g->memory, 0, g->tuner.type->memory);
    for (size_t i = 0; i < g->tuner.type->slots; i++)
        copy_states(a, (int)i, false);
    memset(cs_tuning_moments(a), 0, g->n_moments * sizeof(double));
    begin_first(a);
}

bool cs_tuning_start(cs_arm *a, size_t param, double value)
{
    cs_tuning *g = a->tuning;
    size_t i = 0;
    if (!g || !g->active || a->steps)
        return false;
    while (i < g->tuner.n_driven && g->tuner.param[i] != param)
        i++;
    if (i == g->tuner.n_driven)
        return false;
    g->tuner.start[i] = value;
    memset(g->memory, 0, g->tuner.type->memory);
    begin_first(a);
    return true;
}

/* ---- learning from the chains ---- */

static size_t width_of(const cs_tuning *g)
{
    bool states = g->trial.gathers || g->trial.brings;
    return state_at(g) + (states ? g->tuner.dim : 0);
}

/* Returns result i of a chain: the sum of the acceptance over the steps of the
 * trial. For a composed kernel this is the acceptance of the member with tuned
 * parameter i; NAN if the member made no step. */
static double acceptance_of(const cs_arm *a, const cs_block *b, size_t l,
                            size_t i)
{
    const cs_tuning *g = a->tuning;
    const cs_composed *c = cs_composed_of(&a->kernel);
    if (!c || !g->tuner.n_driven)
        return b->tally[CS_TALLY_TRIAL * b->lanes + l];
    size_t at = cs_composed_owner(c, g->tuner.param[i]);
    const double *counter = b->move.memory + at * b->lanes + l;
    double steps = counter[CS_MEMBER_STEPS * b->lanes];
    double mean = steps > 0 ? counter[CS_MEMBER_ACCEPTED * b->lanes] / steps
                            : (double)NAN;
    return isnan(mean) ? mean : fmin(mean, 1) * (double)g->trial.steps;
}

/* Returns whether the last trajectory of metric p was cut off. */
static bool is_deep(const cs_arm *a, const cs_block *b, size_t l, size_t p)
{
    const cs_tuner_part *part = &a->tuning->tuner.part[p];
    if (part->depth == CS_NO_ROW)
        return false;
    return b->move.info.stat[part->depth * b->lanes + l] >=
           b->param[part->max_depth * b->lanes + l];
}

static void look(const cs_arm *a, size_t c, double *row)
{
    const cs_tuning *g = a->tuning;
    const cs_block *b = cs_arm_block(a, c);
    size_t l = cs_arm_lane(a, c);
    row[FAILED] = b->failed[l];
    row[LOGP] = b->move.info.logp[l];
    for (size_t i = 0; i < cs_tuner_results(&g->tuner); i++)
        row[RESULTS + i] = acceptance_of(a, b, l, i);
    for (size_t p = 0; p < g->tuner.n_parts; p++)
        row[deep_at(g) + p] = is_deep(a, b, l, p);
    if (width_of(g) > state_at(g))
        cs_block_state(b, l, row + state_at(g));
}

/* Receives the rows of chains on other ranks. */
static void meet(cs_run *r, cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    for (size_t c = a->share.own.first; c < a->share.own.end; c++)
        look(a, c, g->met + c * width_of(g));
    cs_ranks_gather(r, a, CS_WORDS_TUNERS, width_of(g), g->met);
}

static const double *row_of(const cs_arm *a, size_t c)
{
    const cs_tuning *g = a->tuning;
    if (a->share.of_rank && !cs_arm_owns(a, c))
        return g->met + c * width_of(g);
    look(a, c, g->x);
    return g->x;
}

static cs_chains known(const cs_arm *a)
{
    return a->share.of_rank ? (cs_chains){0, a->chains} : a->share.own;
}

/* Marks the living chains whose log p is not far below the log p of the other
 * chains. The distance below the median may be at most `far` times the distance
 * of the smallest log p within reach. Chains at different temperatures are all
 * marked, since their log p cannot be compared. */
static void find_reached(cs_arm *a, double far)
{
    cs_tuning *g = a->tuning;
    const cs_chains of = known(a);
    size_t n = 0;
    bool alike = cs_kernel_group(&a->kernel) == 1;
    for (size_t c = of.first; c < of.end; c++) {
        const double *row = row_of(a, c);
        g->reached[c] = row[FAILED] == 0;
        if (g->reached[c])
            g->order[n++] = row[LOGP];
    }
    if (!g->tuner.type->reaches || !alike)
        return;
    g->reach = cs_reach_of(g->order, n, g->tuner.dim);
    double low = g->reach.middle - far * (g->reach.middle - g->reach.least);
    for (size_t c = of.first; c < of.end; c++)
        g->reached[c] = g->reached[c] && !(row_of(a, c)[LOGP] < low);
}

/* Uses Pathfinder to move a chain whose log p is far below the log p of the
 * others, if the kernel has trajectories. The new state is a draw from an
 * approximation, so the state is not an outlier. If its log p is still too low,
 * the chain is in a mode of negligible weight. */
static bool climbs(cs_arm *a, size_t c)
{
    const unsigned follows = CS_KERNEL_METRIC | CS_KERNEL_GRADIENT;
    cs_block *b = cs_arm_block(a, c);
    size_t l = cs_arm_lane(a, c);
    double *x = a->tuning->x;
    const cs_reach *of = &a->tuning->reach;
    if ((a->kernel.type->flags & follows) != follows ||
        !cs_pathfinder_fits(a->target))
        return false;
    cs_block_state(b, l, x);
    return cs_pathfinder(a->target, a->seed, b->chain[l], x, &b->eval.work) &&
           cs_block_bring(b, l, x) &&
           b->move.info.logp[l] >= (of->middle + of->least) / 2;
}

/* Returns the first marked chain, searching cyclically from chain `from`. */
static size_t next_reached(const cs_arm *a, size_t from)
{
    const cs_chains of = known(a);
    size_t n = of.end - of.first, c = from;
    for (size_t i = 0; i < n && !a->tuning->reached[c]; i++)
        c = c + 1 < of.end ? c + 1 : of.first;
    return c;
}

/* Moves each chain whose log p is far below the log p of the others. Uses
 * Pathfinder or, in turn, the states of the other chains. Recomputes the
 * kernel's cache of the state. */
static void bring(cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    const cs_chains of = known(a);
    size_t from = of.first;
    for (size_t c = of.first; c < of.end; c++) {
        if (g->reached[c] || row_of(a, c)[FAILED] != 0)
            continue;
        from = next_reached(a, from);
        if (cs_arm_owns(a, c) && !climbs(a, c) && g->reached[from])
            cs_block_bring(cs_arm_block(a, c), cs_arm_lane(a, c),
                           row_of(a, from) + state_at(g));
        from = from + 1 < of.end ? from + 1 : of.first;
    }
}

/* Adds the states of the marked chains after the last step to the moments of
 * the present window, in the order of the chains. */
static void gather(cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    assert(g->trial.steps == 1);
    for (size_t c = 0; c < a->chains; c++) {
        const double *row = row_of(a, c);
        if (g->reached[c])
            cs_window_add(a, c, row + state_at(g), row + deep_at(g));
    }
}

/* Computes the results of a trial: means of min(1, ratio) over the marked
 * chains. The sums are in the order of the chains. Returns the mean of the
 * results that are known, or NAN. */
static double measure(const cs_arm *a, double *result)
{
    const cs_tuning *g = a->tuning;
    cs_chains of = known(a);
    for (size_t i = 0; i < cs_tuner_results(&g->tuner); i++) {
        double sum = 0, n = 0;
        for (size_t c = of.first; c < of.end; c++) {
            double x = g->reached[c] ? row_of(a, c)[RESULTS + i] : (double)NAN;
            if (!g->reached[c] || (g->tuner.composed && isnan(x)))
                continue;
            sum += x;
            n += (double)g->trial.steps;
        }
        result[i] = n > 0 && !g->trial.unadjusted ? sum / n : (double)NAN;
    }
    return mean_of(result, cs_tuner_results(&g->tuner));
}

void cs_tuning_settle(cs_run *r, cs_arm *a, uint64_t made)
{
    cs_tuning *g = a->tuning;
    if (!g || !g->active)
        return;
    g->trial_steps += made;
    if (g->trial_steps < g->trial.steps)
        return;
    if (cs_run_is_split(r))
        meet(r, a);
    find_reached(a, 3);
    if (g->trial.gathers)
        gather(a);
    if (g->trial.closes)
        cs_window_close(a);
    size_t i = g->n_results++;
    double *result = g->result + cs_tuning_results(a, i);
    g->row[i].acceptance = measure(a, result);
    if (g->trial.brings) {
        find_reached(a, 1);
        bring(a);
    }
    begin_trial(a,
                g->tuner.type->next(&g->tuner, g->memory, result, &g->trial));
}

uint64_t cs_tuning_left(const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    return g && g->active ? g->trial.steps - g->trial_steps : UINT64_MAX;
}

/* Sets the trajectory length of tuned parameter i for n steps. A length that the
 * tuner sets is valid until another length is set. */
static void drive_length(cs_arm *a, size_t i, size_t n)
{
    const cs_tuning *g = a->tuning;
    cs_driven *to = &a->round.driven;
    size_t k = g->tuner.length[i];
    bool single = g->trial.single >> i & 1;
    if (k == CS_NO_ROW || a->plan.driven[k])
        return;
    for (size_t j = 0; j < n; j++)
        to->value[to->n * n + j] = single ? 1 : a->kernel.values[k];
    to->param[to->n++] = k;
}

/* Fills in n steps that precede one update of the learner. */
static size_t fill_update(cs_arm *a, size_t n)
{
    cs_driven *to = &a->round.driven;
    uint64_t at = cs_learns_updates(a) + 1;
    size_t sound = cs_plan_fill(&a->plan, &a->kernel, NULL, at, 1, to);
    for (size_t row = to->n; row-- > 0;) {
        double x = to->value[row];
        for (size_t j = 0; j < n; j++)
            to->value[row * n + j] = x;
    }
    return sound ? n : 0;
}

static uint64_t schedule_from(const cs_arm *a, size_t k)
{
    const cs_tuning *g = a->tuning;
    bool tuned = g && !g->active && cs_tuner_drives(&g->tuner, k);
    return tuned && a->plan.driven[k] ? a->warmup_steps : 0;
}

uint64_t cs_arm_cycle_from(const cs_arm *a)
{
    uint64_t last = 0;
    for (size_t k = 0; k < a->kernel.type->n_params; k++) {
        uint64_t from = schedule_from(a, k);
        last = from > last ? from : last;
    }
    return last;
}

size_t cs_arm_fill(cs_arm *a, uint64_t first, size_t n)
{
    const cs_tuning *g = a->tuning;
    cs_driven *to = &a->round.driven;
    size_t sound;
    uint64_t from[CS_KERNEL_PARAMS];
    for (size_t k = 0; k < a->kernel.type->n_params; k++)
        from[k] = schedule_from(a, k);
    if (cs_learns_by_update(a))
        sound = fill_update(a, n);
    else
        sound = cs_plan_fill(&a->plan, &a->kernel, from, first, n, to);
    for (size_t i = 0; g && g->active && i < g->tuner.n_driven; i++) {
        size_t k = g->tuner.param[i];
        double x = in_range(&a->kernel.type->params[k], g->trial.value[i]);
        for (size_t j = 0; j < n; j++)
            to->value[to->n * n + j] = x;
        to->param[to->n++] = k;
    }
    for (size_t i = 0; g && g->active && i < cs_tuner_results(&g->tuner); i++)
        drive_length(a, i, n);
    return sound;
}

void cs_tuning_change(cs_arm *a, size_t param)
{
    cs_tuning *g = a->tuning;
    if (!g || !g->active)
        return;
    bool mine = param >= a->kernel.type->n_params;
    for (size_t i = 0; i < g->tuner.n_driven; i++)
        mine |= g->tuner.param[i] == param;
    if (!mine)
        return;
    end(a);
    cs_arm_tell_blocks(a);
}

cs_tuning_view cs_tuning_look(const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    if (!g)
        return (cs_tuning_view){.part = 1};
    uint64_t most = g->tuner.type->steps(g->tuner.values), ended = 0;
    for (size_t i = 0; i < g->n_results; i++)
        ended +=
            /* number of steps in the trials that were completed since the tuner
             * last started */
            g->row[i].steps;
    return (cs_tuning_view){
        .tuner = &g->tuner,
        .active = g->active,
        .cut = g->cut,
        .part = !g->active  ? 1
                : a->learns ? fmin((double)ended / (double)most, 1)
                            : fmin((double)a->steps / (double)most, 1),
        .steps = a->learns   ? ended + g->active * g->trial_steps
                 : g->active ? a->steps
                             : a->warmup_steps,
        .trial = g->row,
        .n_trials = g->n_results + g->active};
}

/* ---- rewinding ---- */

bool cs_tuning_place(cs_arm *a, const cs_tuning_mark *m, const double *results)
{
    cs_tuning *g = a->tuning;
    if (!g && !results) {
        /* for a transferred arm, the step at which its draws begin */
        a->warmup_steps = m->warmup_steps;
        cs_arm_tell_blocks(a);
    }
    if (!g)
        return true;
    const cs_tuner *t = &g->tuner;
    void *memory = results ? g->spare : g->memory;
    cs_trial trial, *next = results ? &trial : &g->trial;
    size_t i = 0;
    memset(memory, 0, t->type->memory);
    bool more = t->type->next(t, memory, no_result, next);
    for (; i < m->trials && more && i + 1 < g->capacity; i++) {
        const double *result =
            (results ? results : g->result) + cs_tuning_results(a, i);
        if (!results) {
            note(g, i, true);
            g->row[i].acceptance = mean_of(result, cs_tuner_results(t));
        }
        more = t->type->next(t, memory, result, next);
    }
    bool sound = i == m->trials &&
                 (!m->active || (more && m->trial_steps < next->steps));
    if (results || !sound)
        return sound;
    note(g, i, m->active);
    g->n_results = i;
    g->trial_steps = m->trial_steps;
    g->active = m->active;
    a->warmup_steps = m->warmup_steps;
    cs_arm_tell_blocks(a);
    return true;
}
