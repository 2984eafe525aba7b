/* Checks that a kernel reaches all states of positive probability. The states
 * that it can propose depend only on which states are possible, not on their
 * probabilities. The kernel is therefore run on the uniform distribution over
 * the possible states, which it explores quickly. In a space with real
 * coordinates it is run on the target itself, and the states are the values of
 * the other coordinates that are possible with the real ones of a start. Spaces
 * with too many states are searched by reach_search.c. */
#include "check/reach.h"
#include "base/clock.h"
#include "base/memory.h"
#include "check/apart.h"
#include "check/laws.h"
#include "check/state_graph.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* STEPS: steps from each state; LONG_STEPS: the same in a space with real
 * coordinates, which have to move as well. */
enum { LANES = CS_CHECK_LANES, STEPS = 12, LONG_STEPS = 120, AGAIN = 4 };

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
    const cs_site_list *sites;
    size_t states;    /* number of states */
    uint32_t *number; /* [states] index of the state among the possible
                       * states; NOWHERE: the state is impossible [own] */
    size_t possible, starts, steps, moves;
    bool mixed;   /* true: some coordinates are real */
    size_t split; /* number of parts that the members' moves do not connect; 0:
                     not known */
    cs_state_graph graph;
    bool both; /* true: moves are symmetric, so one edge covers both
                  directions */
    bool full; /* true: memory is exhausted */
} map;

static const uint32_t nowhere = UINT32_MAX;

static bool open_map(map *m, const cs_site_list *sites, const double *logp,
                     bool both)
{
    *m = (map){.sites = sites,
               .states = (size_t)sites->states,
               .mixed = !cs_space_is_countable(&sites->t->space),
               .both = both};
    m->number = cs_alloc(m->states, sizeof *m->number);
    for (size_t k = 0; m->number && k < m->states; k++)
        m->number[k] = logp[k] > -HUGE_VAL ? (uint32_t)m->possible++ : nowhere;
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
    return m->number[cs_site_list_index(m->sites, x)];
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
static size_t next_states(const map *m, uint32_t but, size_t *next,
                          uint32_t *at, double *x)
{
    size_t some = 0;
    for (; *next < m->states && some < LANES; ++*next)
        if (m->number[*next] != nowhere &&
            m->graph.part[m->number[*next]] != but) {
            cs_site_list_state(m->sites, *next,
                               x + some * m->sites->t->space.dim);
            at[some++] = m->number[*next];
        }
    return some;
}

/* Makes some steps from each possible state outside part `but`, LANES states at
 * a time. */
static void explore(map *m, cs_block *b, const cs_arm_view *arm, uint32_t but,
                    double *x, double end)
{
    uint32_t at[LANES];
    size_t next = 0, some;
    uint64_t steps = m->mixed ? LONG_STEPS : STEPS;
    while (m->graph.parts > 1 && cs_clock_work() < end && !m->full &&
           (some = next_states(m, but, &next, at, x)) > 0) {
        if (!cs_check_repeat(b, ++m->starts, x, some))
            return;
        for (uint64_t k = 1; k <= steps; k++) {
            cs_check_steps(b, arm, m->starts * steps + k, 1);
            for (size_t l = 0; l < some; l++) {
                uint32_t from = at[l], to = place_of(m, b, l, x);
                note_step(m, from, to);
                /* other real coordinates allow other states */
                at[l] = m->mixed && to == nowhere ? from : to;
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

/* Writes the values of the sites of state k to text[size]. */
static void state_text(const map *m, size_t k, double *x, char *text,
                       size_t size)
{
    cs_site_list_state(m->sites, k, x);
    cs_reach_state_text(m->sites, x, text, size);
}

/* Writes the first possible state of part `part` to text[size]. */
static void part_text(const map *m, uint32_t part, double *x, char *text,
                      size_t size)
{
    size_t k = 0;
    while (m->number[k] == nowhere || m->graph.part[m->number[k]] != part)
        k++;
    state_text(m, k, x, text, size);
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

static const char *states_word(const map *m)
{
    return m->mixed ? "possible values of the discrete coordinates"
                    : "possible states";
}

/* Reports the sites in which the states of a jump differ. */
static void say_jump(cs_check *c, const map *m, const cs_site_moves *moves,
                     const char *arm, size_t parts, const cs_apart_jump *j,
                     const char *how, double *x)
{
    size_t dim = m->sites->t->space.dim;
    char a[64], b[64], why[200];
    cs_site_list_state(m->sites, j->from, x);
    cs_site_list_state(m->sites, j->to, x + dim);
    cs_reach_together_text(m->sites, moves, x, x + dim, why, sizeof why);
    cs_reach_state_text(m->sites, x, a, sizeof a);
    cs_reach_state_text(m->sites, x + dim, b, sizeof b);
    cs_check_say(c, arm, "reach", CS_BROKEN,
                 "the %zu %s form %zu parts %s: between (%s) and (%s) %s",
                 m->possible, states_word(m), parts, how, a, b, why);
}

/* Reports the widest jump between the observed parts. Returns false, and reports
 * nothing, if no part is apart by more than one site. */
static bool say_apart(cs_check *c, map *m, const cs_site_moves *moves,
                      const char *arm, double *x)
{
    cs_apart_jump j = {0, 0, 0};
    int32_t *part = cs_alloc(m->states, sizeof *part);
    for (size_t k = 0; part && k < m->states; k++)
        part[k] = m->number[k] == nowhere
                      ? CS_APART_NOWHERE
                      : (int32_t)m->graph.part[m->number[k]];
    m->full |= !part || !cs_apart_find_jump(m->sites, part, m->graph.parts, &j);
    cs_free(part);
    if (!m->full && j.sites > 1)
        say_jump(c, m, moves, arm, m->graph.parts, &j,
                 "with no observed step between them", x);
    return j.sites > 1;
}

static void say_parts(cs_check *c, map *m, const cs_site_moves *moves,
                      const cs_arm_view *arm, double *x)
{
    const cs_state_graph *g = &m->graph;
    char a[80] = "", b[80] = "";
    uint32_t first = g->part[0], other = first;
    size_t left = 0;
    for (size_t k = 0; k < m->possible; k++) {
        bool gone = is_left(g, g->part[k]);
        left += gone;
        if (g->edges ? gone != is_left(g, first) : g->part[k] != first)
            other = g->part[k];
    }
    bool swap = g->edges && !is_left(g, first);
    part_text(m, swap ? other : first, x, a, sizeof a);
    part_text(m, swap ? first : other, x, b, sizeof b);
    if (left)
        cs_check_say(c, arm->name, "reach", CS_BROKEN,
                     "%zu of the %zu %s %s left for good: no chain returned "
                     "to (%s) from (%s)",
                     left, m->possible, states_word(m),
                     left == 1 ? "is" : "are", a, b);
    else if (!say_apart(c, m, moves, arm->name, x))
        cs_check_say(c, arm->name, "reach", CS_BROKEN,
                     "the %zu %s form %zu parts with no observed step between "
                     "them: (%s) and (%s)",
                     m->possible, states_word(m), g->parts, a, b);
}

static void say_connected(cs_check *c, const map *m, const char *arm)
{
    static const cs_detects any = {0, "that makes a state unreachable", 1};
    if (m->mixed)
        cs_check_hold(c, arm, "reach", any,
                      "all %zu values of the discrete coordinates that are "
                      "possible with the real ones of a start, of %zu, are "
                      "connected",
                      m->possible, m->states);
    else
        cs_check_hold(c, arm, "reach", any,
                      m->both
                          ? "all %zu possible states of %zu are connected, "
                            "by steps in at least one direction"
                          : "all %zu possible states of %zu reach each other",
                      m->possible, m->states);
}

/* Returns true if the steps of a space with real coordinates show that its parts
 * are not connected: members whose moves do not connect them have made as many
 * steps as in a search (reach_search.c). */
static bool is_split(const map *m)
{
    return m->mixed && m->split > 1 &&
           m->steps >= LANES * cs_reach_steps(m->sites->t->space.dim);
}

static void say_reach(cs_check *c, map *m, const cs_site_moves *moves,
                      const cs_arm_view *arm, uint64_t turns, double *x)
{
    bool tried = is_enough(m, turns) || (turns >= TURNS && m->moves);
    if (m->graph.parts == 1)
        say_connected(c, m, arm->name);
    else if (is_split(m))
        say_parts(c, m, moves, arm, x);
    else if (!tried)
        cs_check_say(c, arm->name, "reach", CS_UNTRIED,
                     "time ran out with %zu %s still in %zu parts: increase "
                     "--seconds",
                     m->possible, states_word(m), m->graph.parts);
    else if (m->moves && m->moves < LEFT * m->possible)
        cs_check_say(c, arm->name, "reach", CS_UNTRIED,
                     "in %zu steps chains moved %zu times: too seldom to tell "
                     "which of %zu %s they reach",
                     m->steps, m->moves, m->possible, states_word(m));
    else
        say_parts(c, m, moves, arm, x);
}

/* Finds the parts that the members' moves do not connect. In a space without
 * real coordinates no chain can ever connect them: reports them, without a step.
 */
static void find_split(cs_check *c, map *m, const cs_site_moves *moves,
                       const char *arm, double *x)
{
    cs_apart_jump j = {0, 0, 0};
    int32_t *part = cs_alloc(m->states, sizeof *part);
    for (size_t k = 0; part && k < m->states; k++)
        part[k] = m->number[k] == nowhere ? CS_APART_NOWHERE : 0;
    m->full |=
        !part || !cs_apart_by_moves(m->sites, moves, part, &m->split) ||
        (m->split > 1 && !cs_apart_find_jump(m->sites, part, m->split, &j));
    cs_free(part);
    if (!m->full && m->split > 1 && !m->mixed)
        say_jump(c, m, moves, arm, m->split, &j, "that no step connects", x);
}

/* Observes steps until all states are connected, or it is known that they are
 * not. */
static bool observe(cs_check *c, map *m, cs_target *on,
                    const cs_site_moves *moves, const cs_arm_view *arm,
                    uint64_t seed, double *x)
{
    double end = cs_clock_work() + c->seconds;
    uint64_t turns = 0;
    cs_block *b = cs_check_block(on, arm, seed, c->place, c->places);
    while (b && m->graph.parts > 1 && cs_clock_work() < end && !is_split(m) &&
           !is_enough(m, turns) && !m->full) {
        explore_all(m, b, arm, x, end);
        turns += cs_clock_work() < end;
    }
    if (b && !m->full)
        say_reach(c, m, moves, arm, turns, x);
    cs_block_destroy(b);
    return b && !m->full;
}

/* Checks a space whose states can be listed; logp[states] tells which are
 * possible. If the kernel runs on the target itself, the reverse of a step may be
 * too rare to be observed; each observed step then counts in both directions.
 * Returns false if memory is exhausted. */
static bool reach_listed(cs_check *c, const cs_site_list *sites,
                         const double *logp, cs_target *on,
                         const cs_arm_view *arm, uint64_t seed)
{
    map m = {0};
    cs_site_moves moves = {0};
    double *x = cs_alloc((LANES + 1) * sites->t->space.dim, sizeof *x);
    bool good =
        x && open_map(&m, sites, logp, on == sites->t) &&
        cs_site_moves_open(&moves, sites, arm->kernel, arm->plan->driven);
    if (good)
        find_split(c, &m, &moves, arm->name, x);
    good = good && !m.full;
    if (good && (m.mixed || m.split <= 1))
        good = observe(c, &m, on, &moves, arm, seed, x);
    cs_site_moves_close(&moves);
    close_map(&m);
    cs_free(x);
    return good;
}

/* Runs on the target t itself if the kernel needs more than the uniform target
 * offers, or if the space has real coordinates. */
static cs_target *target_for(cs_target *t, const cs_arm_view *arm,
                             cs_target **flat)
{
    *flat = cs_space_is_countable(&t->space) ? flat_of(t) : NULL;
    return *flat && cs_kernel_fits(arm->kernel, *flat, NULL) == CS_OK ? *flat
                                                                      : t;
}

cs_status cs_check_reach(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err)
{
    cs_site_list sites = {0};
    cs_target *flat = NULL;
    double *logp = NULL;
    bool good = cs_site_list_open(&sites, t, c->place);
    cs_target *on = good ? target_for(t, arm, &flat) : NULL;
    bool listed = good && cs_check_list_sites(c, &sites, &logp);
    if (listed)
        good = reach_listed(c, &sites, logp, on, arm, seed);
    else if (good)
        good = cs_check_reach_search(c, t, on, arm, seed);
    if (flat)
        cs_target_release(flat);
    cs_site_list_close(&sites);
    cs_free(logp);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'reach'");
}
