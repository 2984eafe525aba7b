/* Checks that a kernel reaches all states of positive probability. The states
 * that it can propose depend only on which states are possible, not on their
 * probabilities. The kernel is therefore run on the uniform distribution over
 * the possible states, which it explores quickly. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "check/state_graph.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 12, AGAIN = 4, SHOWN = 12 };

/* LEFT: sufficient mean number of departures per state. TRIED: sufficient mean
 * number of tries per state. LEAST: minimum number of steps. TURNS: number of
 * passes over all states that is always sufficient. */
enum { LEFT = 64, TRIED = 1024, LEAST = 1 << 19, TURNS = 160 };

/* ---- the uniform distribution -------------------------------------------- */

/* Sets logp to 0 for possible states and to -HUGE_VAL for other states. The
 * scratch memory belongs to the inner target and its cache. */
static void flat_density(const cs_target *t, const cs_point *at, double *logp)
{
    const cs_target *inner = t->self;
    cs_point in = *at;
    in.cache = inner->cache_words
                   ? at->scratch + inner->scratch_words * at->lanes
                   : NULL;
    inner->type->log_density(inner, &in, logp);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = logp[l] > -HUGE_VAL ? 0 : logp[l];
}

static void flat_gradient(const cs_target *t, const cs_point *at, double *logp,
                          double *g)
{
    flat_density(t, at, logp);
    memset(g, 0, t->space.dim * at->lanes * sizeof *g);
}

static cs_status flat_create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)t, (void)v, (void)err;
    return CS_OK;
}

static void flat_destroy(cs_target *t)
{
    cs_target_release(t->self);
}

static const cs_target_type flat_type = {.name = "flat",
                                         .flags = CS_TARGET_HIDDEN,
                                         .create = flat_create,
                                         .destroy = flat_destroy,
                                         .log_density = flat_density,
                                         .gradient = flat_gradient};

/* Creates the uniform target over the possible states. Returns NULL if memory
 * is exhausted. */
static cs_target *flat_of(cs_target *inner)
{
    cs_target *t;
    if (cs_target_create(&flat_type, NULL, 0, &t, NULL))
        return NULL;
    t->self = cs_target_hold(inner);
    t->space = inner->space;
    t->flags |= inner->flags & CS_TARGET_MAIN_THREAD;
    t->scratch_words = inner->scratch_words + inner->cache_words;
    return t;
}

/* ---- spaces that can be enumerated --------------------------------------- */

/* Possible states with their indices, and the observed transitions. */
typedef struct map {
    const cs_enumeration *truth;
    uint32_t *number; /* [truth->n] index of the state among the possible
                       * states; NOWHERE: the state is impossible [own] */
    size_t possible, starts, steps, moves;
    cs_state_graph graph;
    bool both; /* true: moves are symmetric, so one edge covers both
                  directions */
    bool full; /* true: memory is exhausted */
} map;

static const uint32_t nowhere = UINT32_MAX;

static bool open_map(map *m, const cs_enumeration *truth, bool both)
{
    *m = (map){.truth = truth, .both = both};
    m->number = cs_alloc(truth->n, sizeof *m->number);
    for (size_t k = 0; m->number && k < truth->n; k++)
        m->number[k] =
            truth->logp[k] > -HUGE_VAL ? (uint32_t)m->possible++ : nowhere;
    return m->number && cs_state_graph_open(&m->graph, m->possible);
}

static void close_map(map *m)
{
    cs_state_graph_close(&m->graph);
    cs_free(m->number);
}

/* Returns the index of lane l's state among the possible states; NOWHERE if the
 * state is impossible. */
static uint32_t place_of(const map *m, const cs_block *b, size_t l, double *x)
{
    cs_block_state(b, l, x);
    if (b->failed[l] != 0 || !cs_space_contains(&b->target->space, x, 1))
        return nowhere;
    return m->number[cs_space_index(&b->target->space, x, 1)];
}

static void note_step(map *m, uint32_t from, uint32_t to)
{
    m->steps++;
    if (from == to || from == nowhere || to == nowhere)
        return;
    m->moves++;
    m->full |= !cs_state_graph_add(&m->graph, from, to) ||
               (m->both && !cs_state_graph_add(&m->graph, to, from));
}

/* Collects the next possible states outside part `but` in x[..][dim], up to
 * LANES states. Returns the number of states that were collected. */
static size_t next_states(const map *m, const cs_space *space, uint32_t but,
                          size_t *next, uint32_t *at, double *x)
{
    size_t some = 0;
    for (; *next < m->truth->n && some < LANES; ++*next)
        if (m->number[*next] != nowhere &&
            m->graph.part[m->number[*next]] != but) {
            cs_space_state(space, *next, x + some * space->dim);
            at[some++] = m->number[*next];
        }
    return some;
}

/* Makes some steps from each possible state outside part `but`, LANES states at
 * a time. */
static void explore(map *m, cs_block *b, const cs_arm_view *arm, uint32_t but,
                    double *x, double end)
{
    const cs_space *space = &b->target->space;
    uint32_t at[LANES];
    size_t next = 0, some;
    while (m->graph.parts > 1 && cs_clock() < end && !m->full &&
           (some = next_states(m, space, but, &next, at, x)) > 0) {
        if (!cs_check_repeat(b, ++m->starts, x, some))
            return;
        for (uint64_t k = 1; k <= STEPS; k++) {
            cs_check_steps(b, arm, m->starts * STEPS + k, 1);
            for (size_t l = 0; l < some; l++) {
                uint32_t from = at[l];
                at[l] = place_of(m, b, l, x);
                note_step(m, from, at[l]);
            }
        }
    }
    cs_state_graph_merge(&m->graph);
}

/* Finds the largest part. Returns false if memory is exhausted. */
static bool largest(const map *m, uint32_t *part)
{
    uint32_t *size = cs_alloc(m->graph.parts, sizeof *size);
    *part = 0;
    for (size_t k = 0; size && k < m->possible; k++)
        if (++size[m->graph.part[k]] > size[*part])
            *part = m->graph.part[k];
    cs_free(size);
    return size != NULL;
}

/* Explores all states once, and then several times only the states outside the
 * largest part. A chain that moves from such a state to a neighbour soon
 * returns, so that steps in both directions are observed. */
static void explore_all(map *m, cs_block *b, const cs_arm_view *arm, double *x,
                        double end)
{
    uint32_t most = nowhere;
    explore(m, b, arm, nowhere, x, end);
    for (int k = 0; k < AGAIN && m->graph.parts > 1 && !m->full; k++) {
        m->full |= !largest(m, &most);
        explore(m, b, arm, most, x, end);
    }
}

/* Returns true if unobserved transitions are ruled out: the numbers of
 * departures or of tries per state are sufficient. */
static bool is_enough(const map *m, uint64_t turns)
{
    size_t tried = m->moves ? TRIED * m->possible : 0;
    return (turns >= 4 && m->moves >= LEFT * m->possible) ||
           m->steps >= (tried > LEAST ? tried : LEAST);
}

static void state_text(const cs_target *t, size_t k, double *x, char *text,
                       size_t size)
{
    size_t used = 0, dim = t->space.dim;
    cs_space_state(&t->space, k, x);
    for (size_t i = 0; i < dim && i < SHOWN; i++) {
        int n = snprintf(text + used, size - used, "%s%g", i ? " " : "", x[i]);
        used += n > 0 && used + (size_t)n < size ? (size_t)n : 0;
    }
    if (dim > SHOWN)
        snprintf(text + used, size - used, " ...");
}

/* Writes the first possible state of part `part` to text[size]. */
static void part_text(const map *m, const cs_target *t, uint32_t part,
                      double *x, char *text, size_t size)
{
    size_t k = 0;
    while (m->number[k] == nowhere || m->graph.part[m->number[k]] != part)
        k++;
    state_text(t, k, x, text, size);
}

/* Returns true if an observed step leaves the part. (The edges of the graph are
 * sorted by their origins.) */
static bool is_left(const cs_state_graph *g, uint32_t part)
{
    size_t low = 0, high = g->edges;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (g->edge[mid] >> 32 < part)
            low = mid + 1;
        else
            high = mid;
    }
    return low < g->edges && g->edge[low] >> 32 == part;
}

static void say_together_parts(cs_check *c, const map *m,
                               const cs_arm_view *arm, const char *why)
{
    cs_check_say(c, arm->name, "reach", CS_BROKEN,
                 "the %zu possible states form %zu parts with no observed "
                 "step between them: %s",
                 m->possible, m->graph.parts, why);
}

static void say_parts(cs_check *c, const map *m, const cs_target *t,
                      const cs_arm_view *arm, double *x)
{
    const cs_state_graph *g = &m->graph;
    char a[80] = "", b[80] = "", why[200] = "";
    uint32_t first = g->part[0], other = first;
    size_t left = 0;
    for (size_t k = 0; k < m->possible; k++) {
        bool gone = is_left(g, g->part[k]);
        left += gone;
        if (g->edges ? gone != is_left(g, first) : g->part[k] != first)
            other = g->part[k];
    }
    bool swap = g->edges && !is_left(g, first);
    part_text(m, t, swap ? other : first, x, a, sizeof a);
    part_text(m, t, swap ? first : other, x, b, sizeof b);
    cs_check_together(t, c->place, NULL, why, sizeof why);
    if (why[0])
        say_together_parts(c, m, arm, why);
    else if (left)
        cs_check_say(c, arm->name, "reach", CS_BROKEN,
                     "%zu of the %zu possible states %s left for good: no "
                     "chain returned to (%s) from (%s)",
                     left, m->possible, left == 1 ? "is" : "are", a, b);
    else
        cs_check_say(c, arm->name, "reach", CS_BROKEN,
                     "the %zu possible states form %zu parts with no observed "
                     "step between them: (%s) and (%s)",
                     m->possible, g->parts, a, b);
}

static void say_reach(cs_check *c, const map *m, const cs_target *t,
                      const cs_arm_view *arm, uint64_t turns, double *x)
{
    static const cs_detects any = {0, "that makes a state unreachable", 1};
    bool tried = is_enough(m, turns) || (turns >= TURNS && m->moves);
    char why[200];
    if (m->graph.parts > 1 && !m->moves && m->steps >= LEFT * m->possible &&
        cs_check_together(t, c->place, NULL, why, sizeof why))
        say_together_parts(c, m, arm, why);
    else if (m->graph.parts > 1 && !tried)
        cs_check_say(c, arm->name, "reach", CS_UNTRIED,
                     "time ran out with %zu possible states still in %zu "
                     "parts: increase --seconds",
                     m->possible, m->graph.parts);
    else if (m->graph.parts > 1 && m->moves && m->moves < LEFT * m->possible)
        cs_check_say(c, arm->name, "reach", CS_UNTRIED,
                     "in %zu steps chains moved %zu times: too seldom to tell "
                     "which of %zu possible states they reach",
                     m->steps, m->moves, m->possible);
    else if (m->graph.parts > 1)
        say_parts(c, m, t, arm, x);
    else if (m->both)
        cs_check_hold(c, arm->name, "reach", any,
                      "all %zu possible states of %zu are connected, by steps "
                      "in at least one direction",
                      m->possible, m->truth->n);
    else
        cs_check_hold(c, arm->name, "reach", any,
                      "all %zu possible states of %zu reach each other",
                      m->possible, m->truth->n);
}

/* Checks a space that can be enumerated. If the kernel runs on the target
 * itself, the reverse of a step may be too rare to be observed; each observed
 * step then counts in both directions. */
static cs_status reach_listed(cs_check *c, cs_target *t, cs_target *on,
                              const cs_arm_view *arm, uint64_t seed,
                              cs_error *err)
{
    map m = {0};
    double *x = cs_alloc(LANES * t->space.dim, sizeof *x);
    double end = cs_clock() + c->seconds;
    uint64_t turns = 0;
    cs_block *b = x ? cs_check_block(on, arm, seed, c->place, c->places) : NULL;
    bool good = b && open_map(&m, c->states, on == t);
    while (good && m.graph.parts > 1 && cs_clock() < end &&
           !is_enough(&m, turns)) {
        explore_all(&m, b, arm, x, end);
        turns += cs_clock() < end;
        good = !m.full;
    }
    if (good)
        say_reach(c, &m, t, arm, turns, x);
    cs_block_destroy(b);
    close_map(&m);
    cs_free(x);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'reach'");
}

/* ---- spaces that cannot be enumerated ------------------------------------ */

/* Many chains, and whether they have left their starting states. */
typedef struct search {
    size_t dim, n;
    const double *start;   /* [n][dim] starting states, all distinct
                              [borrowed] */
    bool *changed, *moved; /* changed: [dim] coordinate changed in some chain;
                            * moved: [n] chain moved */
    cs_block *block;
    uint64_t steps;
} search;

/* Creates the chains. Returns false if memory is exhausted. */
static bool open_search(search *s, const cs_check *c, cs_target *flat,
                        const cs_arm_view *arm, uint64_t seed)
{
    *s = (search){.dim = flat->space.dim, .start = c->place, .n = c->places};
    s->changed = cs_alloc(s->dim + LANES, sizeof *s->changed);
    if (!s->changed)
        return false;
    s->moved = s->changed + s->dim;
    s->block = cs_check_block(flat, arm, seed, s->start, s->n);
    return s->block != NULL;
}

static void close_search(search *s)
{
    cs_block_destroy(s->block);
    cs_free(s->changed);
}

static void note_changes(search *s)
{
    for (size_t i = 0; i < s->dim; i++)
        for (size_t l = 0;
             cs_space_is_whole(s->block->move.space, i) && l < s->n; l++) {
            double now = s->block->move.x[i * s->block->lanes + l];
            bool other = now != s->start[l * s->dim + i];
            s->changed[i] |= other;
            s->moved[l] |= other;
        }
}

/* Returns true if chains started at different values of coordinate i and no
 * chain changed it. */
static bool is_stuck(const search *s, size_t i)
{
    bool differs = false;
    for (size_t l = 1; l < s->n; l++)
        differs |= s->start[l * s->dim + i] != s->start[i];
    return differs && !s->changed[i];
}

/* Returns the number of steps after which every coordinate should have
 * changed. */
static uint64_t steps_of(const search *s)
{
    return 20 * (uint64_t)s->dim + 1000;
}

/* Reports coordinates that no chain has changed and that can change only
 * together. */
static bool say_together(cs_check *c, const char *arm, const search *s)
{
    char why[200];
    if (!cs_check_together(s->block->target, s->start, s->changed, why,
                           sizeof why))
        return false;
    cs_check_say(c, arm, "reach", CS_BROKEN, "in %zu steps of %zu chains %s",
                 (size_t)s->steps, s->n, why);
    return true;
}

static void say_search(cs_check *c, const char *arm, const search *s)
{
    size_t stuck = 0, still = 0, first = 0;
    char which[40] = "";
    if (say_together(c, arm, s) ||
        !cs_space_is_countable(&s->block->target->space))
        return;
    for (size_t i = s->dim; i-- > 0;)
        if (is_stuck(s, i)) {
            stuck++;
            first = i + 1;
        }
    for (size_t l = 0; l < s->n; l++)
        still += !s->moved[l];
    if (stuck)
        snprintf(which, sizeof which, ", the first x.%zu", first);
    if (still && s->n == 1)
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "the only known state is the one where chains start, and "
                     "no other was reached");
    else if ((stuck || still) && s->steps < steps_of(s))
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "time ran out after %zu steps, with %zu chains and %zu "
                     "coordinates that did not move: increase --seconds",
                     (size_t)s->steps, still, stuck);
    else if (stuck || still)
        cs_check_say(c, arm, "reach", CS_BROKEN,
                     "in %zu steps %zu of %zu chains did not move, and %zu "
                     "coordinates in which they differ did not change%s",
                     (size_t)s->steps, still, s->n, stuck, which);
    else
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "too many states to list; every coordinate changed in "
                     "%zu chains",
                     s->n);
}

/* Reports coordinates that no chain has changed, although the starting states
 * differ in these coordinates. */
static cs_status reach_by_search(cs_check *c, cs_target *flat,
                                 const cs_arm_view *arm, uint64_t seed,
                                 cs_error *err)
{
    search s;
    bool good = open_search(&s, c, flat, arm, seed);
    double end = cs_clock() + c->seconds;
    for (; good && s.steps < steps_of(&s) && cs_clock() < end; s.steps++) {
        cs_check_steps(s.block, arm, s.steps + 1, 1);
        note_changes(&s);
    }
    if (good)
        say_search(c, arm->name, &s);
    close_search(&s);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'reach'");
}

cs_status cs_check_reach(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err)
{
    if (!cs_space_is_countable(&t->space)) /* of a mixed space, only its
                                              coordinates with integer values */
        return reach_by_search(c, t, arm, seed, err);
    cs_target *flat = flat_of(t);
    if (!flat)
        return cs_fail(err, CS_MEMORY, "out of memory for the law 'reach'");
    bool fits = cs_kernel_fits(arm->kernel, flat, NULL) == CS_OK;
    cs_target *on = fits ? flat : t; /* runs on the target t itself if the
                                        kernel needs more than the uniform
                                        target offers */
    cs_status s = c->states ? reach_listed(c, t, on, arm, seed, err)
                            : reach_by_search(c, on, arm, seed, err);
    cs_target_release(flat);
    return s;
}
