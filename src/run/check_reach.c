/* Whether a kernel reaches all states that have a chance. What it can propose
 * does not depend on how likely states are, only on which are possible: so it
 * is let loose on the flat law of those, on which it gets about at once. */
#include "base/clock.h"
#include "base/memory.h"
#include "model/truth.h"
#include "run/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 32, SHOWN = 12 };

/* ---- the flat law -------------------------------------------------------- */

/* scratch: the inner target's, and its cache. */
static void flat_density(const cs_target *t, const cs_point *at, double *u)
{
    const cs_target *inner = t->self;
    cs_point in = *at;
    in.cache = inner->cache_words
                   ? at->scratch + inner->scratch_words * at->lanes
                   : NULL;
    inner->type->log_density(inner, &in, u);
    for (size_t l = 0; l < at->lanes; l++)
        u[l] = u[l] > -HUGE_VAL ? 0 : u[l];
}

static void flat_gradient(const cs_target *t, const cs_point *at, double *u,
                          double *g)
{
    flat_density(t, at, u);
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

/* NULL when out of memory. */
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

/* ---- components ---------------------------------------------------------- */

/* States that some step led between belong together. */
typedef struct map {
    const cs_truth *truth;
    uint32_t *parent; /* [n] [own] */
    size_t n, possible, parts;
} map;

static uint32_t root_of(const map *m, uint32_t i)
{
    while (m->parent[i] != i)
        i = m->parent[i] = m->parent[m->parent[i]];
    return i;
}

static void join(map *m, size_t a, size_t b)
{
    uint32_t i = root_of(m, (uint32_t)a), j = root_of(m, (uint32_t)b);
    if (i == j)
        return;
    m->parent[i > j ? i : j] = i > j ? j : i;
    m->parts--;
}

static bool is_possible(const map *m, size_t k)
{
    return m->truth->u[k] > -HUGE_VAL;
}

static bool open_map(map *m, const cs_truth *truth)
{
    *m = (map){.truth = truth, .n = truth->n};
    m->parent = cs_alloc(m->n, sizeof *m->parent);
    for (size_t k = 0; m->parent && k < m->n; k++) {
        m->parent[k] = (uint32_t)k;
        m->possible += is_possible(m, k);
    }
    m->parts = m->possible;
    return m->parent != NULL;
}

/* Every possible state in turn, `lanes` at a time: some steps from each. */
static void explore(map *m, cs_block *b, const cs_arm_view *arm, uint64_t turn,
                    double *x, double end)
{
    size_t dim = b->move.dim, from[LANES], next = 0;
    while (next < m->n && m->parts > 1 && cs_clock() < end) {
        size_t some = 0;
        for (; next < m->n && some < LANES; next++)
            if (is_possible(m, next)) {
                from[some] = next;
                cs_space_state(&b->target->space, next, x + some++ * dim);
            }
        if (!some || !cs_check_again(b, turn * m->n + next, x, some))
            return;
        for (uint64_t k = 1; k <= STEPS; k++) {
            cs_check_steps(b, arm, turn * STEPS + k, 1);
            for (size_t l = 0; l < some; l++) {
                cs_block_state(b, l, x);
                if (cs_space_contains(&b->target->space, x, 1))
                    join(m, from[l], cs_space_index(&b->target->space, x));
            }
        }
    }
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

static void say_parts(cs_check *c, const map *m, const cs_target *t,
                      const cs_arm_view *arm, double *x)
{
    char a[80] = "", b[80] = "";
    size_t first = 0, other = 0;
    while (!is_possible(m, first))
        first++;
    for (size_t k = first; k < m->n && !other; k++)
        if (is_possible(m, k) &&
            root_of(m, (uint32_t)k) != root_of(m, (uint32_t)first))
            other = k;
    state_text(t, first, x, a, sizeof a);
    state_text(t, other, x, b, sizeof b);
    cs_check_say(c, arm->name, "reach", CS_BROKEN,
                 "the %zu possible states fall into %zu parts between which no "
                 "step was seen: (%s) and (%s)",
                 m->possible, m->parts, a, b);
}

static cs_status reach_listed(cs_check *c, cs_target *t, cs_target *flat,
                              const cs_arm_view *arm, uint64_t seed,
                              cs_error *err)
{
    map m = {0};
    const cs_truth *truth = cs_truth_of(t);
    double *x = cs_alloc(LANES * t->space.dim, sizeof *x);
    double end = cs_clock() + c->seconds;
    cs_block *b =
        x ? cs_check_block(flat, arm, seed, c->place, c->places) : NULL;
    bool good = b && open_map(&m, truth);
    for (uint64_t turn = 0; good && turn < 64 && m.parts > 1; turn++)
        explore(&m, b, arm, turn, x, end);
    if (good && m.parts > 1 && cs_clock() >= end)
        cs_check_say(c, arm->name, "reach", CS_UNTRIED,
                     "the time was over: give it more with --seconds");
    else if (good && m.parts > 1)
        say_parts(c, &m, t, arm, x);
    else if (good)
        cs_check_say(c, arm->name, "reach", CS_HOLDS,
                     "all %zu possible states of %zu, from each other",
                     m.possible, m.n);
    cs_block_destroy(b);
    cs_free(m.parent);
    cs_free(x);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
}

/* ---- spaces that cannot be listed ---------------------------------------- */

/* Many chains, and what has become of the places where they began. */
typedef struct search {
    size_t dim, n;
    const double *start;   /* [n][dim], all different [borrowed] */
    bool *changed, *moved; /* [dim] in any chain, [n] */
    cs_block *block;
    uint64_t steps;
} search;

/* False when out of memory. */
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
        for (size_t l = 0; l < s->n; l++) {
            double now = s->block->move.x[i * s->block->lanes + l];
            bool other = now != s->start[l * s->dim + i];
            s->changed[i] |= other;
            s->moved[l] |= other;
        }
}

/* Whether chains began at different values of coordinate i and none of them
 * has changed it. */
static bool is_stuck(const search *s, size_t i)
{
    bool differs = false;
    for (size_t l = 1; l < s->n; l++)
        differs |= s->start[l * s->dim + i] != s->start[i];
    return differs && !s->changed[i];
}

static void say_search(cs_check *c, const char *arm, const search *s)
{
    size_t stuck = 0, still = 0, first = 0;
    char which[40] = "";
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
                     "no other state is known than that where chains begin, "
                     "and none was reached");
    else if (stuck || still)
        cs_check_say(c, arm, "reach", CS_BROKEN,
                     "in %zu steps %zu of %zu chains did not move, and %zu "
                     "coordinates in which they differ did not change%s",
                     (size_t)s->steps, still, s->n, stuck, which);
    else
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "too many states to list; every coordinate of %zu chains "
                     "got about",
                     s->n);
}

/* Coordinates that never change in any of many chains, though the places where
 * these start differ in them. */
static cs_status reach_by_search(cs_check *c, cs_target *flat,
                                 const cs_arm_view *arm, uint64_t seed,
                                 cs_error *err)
{
    search s;
    bool good = open_search(&s, c, flat, arm, seed);
    double end = cs_clock() + c->seconds;
    uint64_t most = 20 * (uint64_t)flat->space.dim + 1000;
    for (; good && s.steps < most && cs_clock() < end; s.steps++) {
        cs_check_steps(s.block, arm, s.steps + 1, 1);
        note_changes(&s);
    }
    if (good)
        say_search(c, arm->name, &s);
    close_search(&s);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
}

cs_status cs_check_reach(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err)
{
    if (t->space.kind == CS_CONTINUOUS)
        return CS_OK;
    cs_target *flat = flat_of(t);
    if (!flat)
        return cs_fail(err, CS_MEMORY, "out of memory");
    bool fits = cs_kernel_fits(arm->kernel, flat, NULL) == CS_OK;
    cs_target *on = fits ? flat : t; /* one that needs more of a target */
    bool listed = cs_space_states(&t->space) <= CS_CHECK_STATES;
    const cs_truth *truth = listed ? cs_truth_of(t) : NULL;
    cs_status s = truth && truth->all && truth->n
                      ? reach_listed(c, t, on, arm, seed, err)
                      : reach_by_search(c, on, arm, seed, err);
    cs_target_release(flat);
    return s;
}
