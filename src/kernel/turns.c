/* Notes on the turns of members, made while a step is repeated. */
#include "kernel/turns.h"

#include "base/memory.h"
#include "target/part_window.h"

#include <string.h>

bool cs_turns_begin(cs_turns *t, const cs_composed *root, size_t dim,
                    size_t capacity, size_t coordinate)
{
    assert(t && root && dim && capacity);
    *t = (cs_turns){.root = root,
                    .dim = dim,
                    .capacity = capacity,
                    .coordinate = coordinate};
    t->note = cs_alloc(capacity, sizeof *t->note);
    t->before = cs_alloc(3 * capacity * dim, sizeof *t->before);
    t->at = cs_alloc(2 * dim, sizeof *t->at);
    if (!t->note || !t->before || !t->at) {
        cs_turns_end(t);
        return false;
    }
    t->after = t->before + capacity * dim;
    t->proposal = t->after + capacity * dim;
    t->scratch = t->at + dim;
    return true;
}

void cs_turns_end(cs_turns *t)
{
    CS_FREE_ALL(t->note, t->before, t->at);
    *t = (cs_turns){.n = 0};
}

/* Writes to to[dim] the state of the whole in which the member's coordinates are
 * those of the rows x. */
static void state_of(const cs_member *member, const cs_move *whole,
                     const double *x, double *to)
{
    const cs_part_window *w = cs_part_window_of(member->target);
    size_t lanes = whole->lanes;
    for (size_t d = 0; d < whole->dim; d++)
        to[d] = w ? whole->x[d * lanes] : x[d * lanes];
    for (size_t i = 0; w && i < w->n; i++)
        to[cs_part_window_coordinate(w, i)] = x[i * lanes];
}

/* Returns the index of a member among those that are not composed; *at is the
 * number of members before c. */
static bool find_index(const cs_composed *c, const cs_member *member,
                       size_t *at)
{
    for (size_t k = 0; k < c->n; k++) {
        const cs_composed *inner = cs_composed_of(&c->member[k].kernel);
        if (&c->member[k] == member)
            return true;
        if (inner && find_index(inner, member, at))
            return true;
        *at += !inner;
    }
    return false;
}

/* Returns a column of the member's stats; NAN: it has no such column. */
static double stat_of(const cs_member *member, const cs_move *move,
                      const char *name)
{
    const char *const *names = member->kernel.type->stats;
    for (size_t i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return move->info.stat[i * move->lanes];
    return (double)NAN;
}

void cs_turns_before(cs_turns *t, const cs_member *member, uint64_t number,
                     const cs_move *whole, const cs_move *move)
{
    size_t index = 0;
    cs_step_trace_of(move)->has_site = false;
    state_of(member, whole, move->x, t->scratch);
    t->n += number == 0;
    if (number || t->n > t->capacity)
        return;
    bool known = find_index(t->root, member, &index);
    t->note[t->n - 1] = (cs_turn_note){
        .member = known ? (double)index : (double)NAN,
        .accepts = (member->kernel.type->flags & CS_KERNEL_ACCEPTS) != 0 &&
                   !(member->kernel.type->flags & CS_KERNEL_ACCEPT_STAT)};
    memcpy(t->before + (t->n - 1) * t->dim, t->scratch,
           t->dim * sizeof *t->scratch);
}

/* Returns true if the member can move the coordinate. */
static bool has_coordinate(const cs_member *member, size_t coordinate)
{
    const cs_part_window *w = cs_part_window_of(member->target);
    for (size_t i = 0; w && i < w->n; i++)
        if (cs_part_window_coordinate(w, i) == coordinate)
            return true;
    return !w;
}

/* Returns true if the step was a draw of the chosen coordinate: it is the site
 * that the kernel noted, or its value or proposal changed. Without a note, the
 * first step of the member counts as well. */
static bool is_drawn(const cs_turns *t, const cs_member *member,
                     const cs_step_trace *trace, const double *after,
                     const double *proposal)
{
    const cs_part_window *w = cs_part_window_of(member->target);
    size_t c = t->coordinate;
    if (c >= t->dim || !has_coordinate(member, c))
        return false;
    if (trace->has_site)
        return (w ? cs_part_window_coordinate(w, trace->site) : trace->site) ==
               c;
    return after[c] != t->scratch[c] ||
           (proposal && proposal[c] != t->scratch[c]) || t->drawn != t->n;
}

/* Notes a draw of the chosen coordinate, from the state in `scratch`. */
static void note_draw(cs_turns *t, const double *after)
{
    t->drawn = t->n;
    memcpy(t->at, t->scratch, t->dim * sizeof *t->at);
    t->from = t->scratch[t->coordinate];
    t->to = after[t->coordinate];
}

void cs_turns_after(cs_turns *t, const cs_member *member, const cs_move *whole,
                    const cs_move *move)
{
    const cs_info *i = &move->info;
    if (t->n > t->capacity)
        return;
    cs_turn_note *note = &t->note[t->n - 1];
    double *after = t->after + (t->n - 1) * t->dim,
           *proposal = t->proposal + (t->n - 1) * t->dim;
    bool tells = member->kernel.type->flags & CS_KERNEL_ACCEPT_STAT;
    note->steps++;
    note->moves += i->moved[0];
    note->proposes = i->proposal != NULL;
    note->logp_change = i->logp_change[0];
    note->log_ratio = note->accepts != 0 ? i->log_ratio[0] : (double)NAN;
    note->log_uniform = note->accepts != 0 ? i->log_uniform[0] : (double)NAN;
    note->accepted = i->accepted[0];
    note->accept_stat = tells ? i->accept_stat[0] : (double)NAN;
    note->depth = stat_of(member, move, "treedepth__");
    note->leapfrogs = stat_of(member, move, "n_leapfrog__");
    note->divergent = stat_of(member, move, "divergent__");
    state_of(member, whole, move->x, after);
    if (i->proposal)
        state_of(member, whole, i->proposal, proposal);
    if (!is_drawn(t, member, cs_step_trace_of(move), after,
                  i->proposal ? proposal : NULL))
        return;
    note_draw(t, after);
}

static void copy_state(const cs_move *whole, double *to)
{
    for (size_t d = 0; d < whole->dim; d++)
        to[d] = whole->x[d * whole->lanes];
}

void cs_turns_before_draw(cs_turns *t, const cs_move *whole)
{
    copy_state(whole, t->scratch);
}

void cs_turns_after_draw(cs_turns *t, const cs_member *draws,
                         const cs_move *whole)
{
    if (!t->n || t->n > t->capacity)
        return;
    double *after = t->after + (t->n - 1) * t->dim;
    copy_state(whole, after);
    if (t->coordinate >= t->dim || !has_coordinate(draws, t->coordinate))
        return;
    note_draw(t, after);
}
