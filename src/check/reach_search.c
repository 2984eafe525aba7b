/* The law `reach` in spaces whose states cannot be listed. Chains show which
 * coordinates change. A search of limited size finds the possible states that
 * steps of the members connect with a start, and the nearest possible state
 * outside them: the sites in which it differs must change together. In a space
 * with real coordinates these keep the values of the start in the search. */
#include "base/clock.h"
#include "check/reach.h"
#include "check/state_search.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STARTS = 3 };

/* Many chains, and whether they have left their starting states. */
typedef struct chains {
    size_t dim, n;
    const double *start;   /* [n][dim] starting states, all distinct
                              [borrowed] */
    bool *changed, *moved; /* changed: [dim] coordinate changed in some chain;
                            * moved: [n] chain moved */
    double *x;             /* [dim] scratch [own] */
    cs_block *block;
    uint64_t steps;
    bool left; /* some chain left the states that a search connected */
} chains;

static bool open_chains(chains *s, const cs_check *c, cs_target *t,
                        const cs_arm_view *arm, uint64_t seed)
{
    *s = (chains){.dim = t->space.dim, .start = c->place, .n = c->places};
    s->changed = cs_alloc(s->dim + LANES, sizeof *s->changed);
    s->x = cs_alloc(s->dim, sizeof *s->x);
    if (!s->changed || !s->x)
        return false;
    s->moved = s->changed + s->dim;
    s->block = cs_check_block(t, arm, seed, s->start, s->n);
    return s->block != NULL;
}

static void close_chains(chains *s)
{
    cs_block_destroy(s->block);
    CS_FREE_ALL(s->changed, s->x);
}

static void note_changes(chains *s)
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

/* Notes whether a chain that started in the states that the search connected has
 * left them. */
static void note_left(chains *s, const cs_state_search *found)
{
    for (size_t l = 0; l < s->n && !s->left; l++) {
        cs_block_state(s->block, l, s->x);
        s->left = s->block->failed[l] == 0 &&
                  cs_space_contains(s->block->move.space, s->x, 1) &&
                  cs_state_search_has(found, s->start + l * s->dim) &&
                  !cs_state_search_has(found, s->x);
    }
}

uint64_t cs_reach_steps(size_t dim)
{
    return 20 * (uint64_t)dim + 1000;
}

/* Makes steps until every coordinate should have changed. `found`: the result of
 * a search that the chains may refute, or NULL. */
static void run_chains(chains *s, const cs_arm_view *arm,
                       const cs_state_search *found, double end)
{
    while (s->steps < cs_reach_steps(s->dim) && !s->left &&
           cs_clock_work() < end) {
        cs_check_steps(s->block, arm, ++s->steps, 1);
        note_changes(s);
        if (found)
            note_left(s, found);
    }
}

/* Returns true if chains started at different values of coordinate i and no
 * chain changed it. */
static bool is_stuck(const chains *s, size_t i)
{
    bool differs = false;
    for (size_t l = 1; l < s->n; l++)
        differs |= s->start[l * s->dim + i] != s->start[i];
    return differs && !s->changed[i] &&
           cs_space_is_whole(s->block->move.space, i);
}

/* ---- findings ------------------------------------------------------------- */

/* Reports the sites that a search found. */
static void say_found(cs_check *c, const char *arm, const chains *s,
                      const cs_state_search *f)
{
    char why[240];
    cs_reach_together_text(&f->sites, &f->moves, f->from, f->to, why,
                           sizeof why);
    char where[80] = "changed them";
    if (f->closed && f->connected == 1)
        snprintf(where, sizeof where, "left its start");
    else if (f->closed)
        snprintf(where, sizeof where, "left the %zu states around its start",
                 f->connected);
    cs_check_say(c, arm, "reach", CS_BROKEN, "in %zu steps no chain %s: %s",
                 (size_t)s->steps, where, why);
}

/* Writes the extent of the search. */
static void search_text(const cs_state_search *f, char *text, size_t size)
{
    if (!f->closed)
        snprintf(text, size,
                 "a search for sites that must change together stopped at its "
                 "limit, after %zu states",
                 f->tried);
    else
        snprintf(text, size,
                 "a search of %zu states found no other possible state within "
                 "%zu changes of %zu connected ones",
                 f->tried, f->far, f->connected);
}

static void say_stuck(cs_check *c, const char *arm, const chains *s,
                      size_t stuck, size_t still, size_t first)
{
    char which[40] = "";
    bool real = !cs_space_is_countable(s->block->move.space);
    if (stuck)
        snprintf(which, sizeof which, ", the first x.%zu", first);
    if (still && s->n == 1)
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "the only known state is the one where chains start, and "
                     "no other was reached");
    else if (s->steps < cs_reach_steps(s->dim))
        cs_check_say(c, arm, "reach", CS_UNTRIED,
                     "time ran out after %zu steps, with %zu chains and %zu "
                     "coordinates that did not move: increase --seconds",
                     (size_t)s->steps, still, stuck);
    else
        cs_check_say(c, arm, "reach", real ? CS_UNTRIED : CS_BROKEN,
                     "in %zu steps %zu of %zu chains did not move%s, and %zu "
                     "coordinates in which they differ did not change%s",
                     (size_t)s->steps, still, s->n,
                     real ? " in the discrete coordinates" : "", stuck, which);
}

static void say_chains(cs_check *c, const char *arm, const chains *s,
                       const cs_state_search *f)
{
    size_t stuck = 0, still = 0, first = 0;
    char text[200];
    bool real = !cs_space_is_countable(s->block->move.space);
    for (size_t i = s->dim; i-- > 0;)
        if (is_stuck(s, i)) {
            stuck++;
            first = i + 1;
        }
    for (size_t l = 0; l < s->n; l++)
        still += !s->moved[l];
    if (stuck || still) {
        say_stuck(c, arm, s, stuck, still, first);
        return;
    }
    search_text(f, text, sizeof text);
    cs_check_say(c, arm, "reach", CS_UNTRIED,
                 "too many %s to list; every %scoordinate changed in %zu "
                 "chains; %s",
                 real ? "values of the discrete coordinates" : "states",
                 real ? "discrete " : "", s->n, text);
}

/* ---- the law -------------------------------------------------------------- */

/* Searches among the sites that no chain has changed, from several states.
 * Returns false if memory is exhausted. */
static bool search_unchanged(const cs_check *c, const cs_target *t,
                             const cs_arm_view *arm, const chains *s,
                             cs_state_search *f)
{
    for (size_t k = 0; k < s->n && k < STARTS; k++) {
        double end = cs_clock_work() + 0.1 * c->seconds;
        cs_state_search_close(f);
        if (!cs_state_search_open(f, t, arm->kernel, arm->plan->driven,
                                  s->start + k * s->dim))
            return false;
        cs_state_search_run(f, s->changed, end);
        if (f->found)
            return true;
    }
    return true;
}

/* Makes the searches and the steps, and reports. Returns false if memory is
 * exhausted. */
static bool look(cs_check *c, const cs_target *t, const cs_arm_view *arm,
                 chains *s, cs_state_search *all, cs_state_search *some)
{
    double begin = cs_clock_work();
    if (!cs_state_search_open(all, t, arm->kernel, arm->plan->driven, s->start))
        return false;
    cs_state_search_run(all, NULL, begin + 0.25 * c->seconds);
    bool found = all->found;
    run_chains(s, arm, found ? all : NULL, begin + 0.7 * c->seconds);
    bool enough = s->steps == cs_reach_steps(s->dim);
    if (found && enough && !s->left) {
        say_found(c, arm->name, s, all);
        return true;
    }
    if (!search_unchanged(c, t, arm, s, some))
        return false;
    some->closed = false; /* the other sites were not searched */
    if (some->found && enough)
        say_found(c, arm->name, s, some);
    else
        say_chains(c, arm->name, s, all);
    return true;
}

bool cs_check_reach_search(cs_check *c, const cs_target *t, cs_target *on,
                           const cs_arm_view *arm, uint64_t seed)
{
    chains s;
    cs_state_search all = {0}, some = {0};
    bool good =
        open_chains(&s, c, on, arm, seed) && look(c, t, arm, &s, &all, &some);
    cs_state_search_close(&all);
    cs_state_search_close(&some);
    close_chains(&s);
    return good;
}
