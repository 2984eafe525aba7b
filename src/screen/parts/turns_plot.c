/* Draws the turns of members, each in its own terms: the decision of an accept
 * step, the trajectory of a kernel that draws a point from one, or the number of
 * draws from conditional distributions. */
#include "base/count.h"
#include "kernel/composed.h"
#include "screen/parts/turns_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 12, NUMBER = 11 };

/* ---- the decision of a turn ------------------------------------------------ */

static int draw_accept_step(const cs_area *a, int y, const cs_turn_note *n)
{
    double chance = exp(fmin(n->log_ratio, 0)), u = exp(n->log_uniform);
    bool accepted = n->accepted != 0;
    int x = cs_print(a, 2, y, accepted ? CS_ROLE_ACCEPT : CS_ROLE_REJECT,
                     accepted ? "\u25B2 accepted" : "\u25BC rejected");
    if (isnan(n->log_ratio)) {
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ": log a is NaN");
        return 1;
    }
    int end =
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                     ": u = %.3g is %s min(1, e^%.3g) = %.3g", u,
                     u < chance ? "below" : "not below", n->log_ratio, chance);
    if (end == x)
        end = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                           ": u %.3g, probability %.3g", u, chance);
    if (n->steps > 1)
        cs_print_fit(a, end, y, a->w - end, CS_ROLE_LABEL,
                     "; the last of %.0f steps", n->steps);
    return 1;
}

static int draw_trajectory(const cs_area *a, int y, const cs_turn_note *n)
{
    bool moved = n->moves > 0;
    int x = cs_print(a, 2, y, moved ? CS_ROLE_ACCEPT : CS_ROLE_REJECT, "%s",
                     moved ? "\u25B2 moved" : "\u25CB same point");
    if (isfinite(n->leapfrogs) && isfinite(n->depth))
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                         ": one of %.0f points (%.0f doubling%s)",
                         n->leapfrogs + 1, n->depth, n->depth == 1 ? "" : "s");
    if (isfinite(n->accept_stat))
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                         "; mean acceptance %.3g", n->accept_stat);
    if (n->divergent > 0)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_WARN, ", diverged");
    return 1;
}

/* A kernel without an accept step draws from conditional distributions, or moves
 * always. */
static int draw_draws(const cs_area *a, int y, const cs_turn_note *n)
{
    bool moved = n->moves > 0;
    int x = cs_print(a, 2, y, moved ? CS_ROLE_ACCEPT : CS_ROLE_LABEL, "%s",
                     moved ? "\u25B2 moved" : "\u25CB same value");
    if (n->steps > 1)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                     ": %.0f of %.0f draws changed the state; no accept step",
                     n->moves, n->steps);
    else
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", no accept step");
    return 1;
}

static int draw_decision(const cs_area *a, int y, const cs_turn_note *n)
{
    if (n->accepts != 0)
        return draw_accept_step(a, y, n);
    if (isfinite(n->accept_stat))
        return draw_trajectory(a, y, n);
    return draw_draws(a, y, n);
}

/* ---- the quantities of a turn ---------------------------------------------- */

/* A list of the quantities that a turn moves. */
typedef struct list {
    const cs_shown_kinds *k;
    const cs_turns_view *t;
    size_t turn, chosen;
    bool proposes;
} list;

/* Returns the number of quantities from i on that are elements of one vector of
 * discrete numbers. */
static size_t vector_of(const list *l, size_t i)
{
    if (!cs_shown_is_discrete(l->k, i) || l->k->row[i].n < 2)
        return 1;
    size_t n = cs_shot_whole(l->k->row[i].first + l->k->row[i].n, l->t->shown);
    return n > i ? n - i : 1;
}

/* Returns true if quantity i is a coordinate that the turn's member moves. */
static bool is_listed(const list *l, size_t i)
{
    return i < l->k->n && l->k->row[i].coordinate >= 0 &&
           cs_turn_moves(l->t, l->k, l->turn, i);
}

/* Returns the only quantity of the turn, if it is a number; shown: there are
 * several, or a vector. */
static size_t single_of(const list *l)
{
    size_t found = l->t->shown;
    for (size_t i = 0, n; i < l->t->shown; i += n) {
        bool listed = is_listed(l, i);
        n = listed ? vector_of(l, i) : 1;
        if (listed && (n > 1 || found < l->t->shown))
            return l->t->shown;
        found = listed ? i : found;
    }
    return found;
}

/* Returns the number of lines of the quantities below the decision. */
static int lines_of(const list *l)
{
    int lines = 0, numbers = 0;
    if (single_of(l) < l->t->shown)
        return 0;
    for (size_t i = 0, n; i < l->t->shown; i += n) {
        bool listed = is_listed(l, i);
        n = listed ? vector_of(l, i) : 1;
        lines += listed && n > 1 ? 2 : 0;
        numbers += listed && n == 1;
    }
    return lines + numbers + (numbers > 0);
}

/* Draws the elements of a vector before and after the turn; unchanged elements
 * after it are dots. Returns the number of lines used. */
static int draw_vector(const cs_area *a, int y, const list *l, size_t first,
                       size_t n)
{
    const double *was = l->t->before + l->turn * l->t->shown,
                 *now = l->t->after + l->turn * l->t->shown;
    char name[64];
    cs_shown_name(l->k, first, true, name, sizeof name);
    int x =
        cs_print(a, 2, y, CS_ROLE_NORMAL, "%-*.*s", NAME - 2, NAME - 3, name);
    cs_print(a, 4, y + 1, CS_ROLE_LABEL, "after");
    bool bits = l->k->row[first].kind == CS_BINARY;
    for (size_t i = first; i < first + n; i++) {
        char text[24];
        int wide = snprintf(text, sizeof text, "%.10g",
                            fmax(fabs(was[i]), fabs(now[i])));
        if (x + wide + 4 > a->w) {
            cs_print(a, x, y, CS_ROLE_LABEL, " %zu more", first + n - i);
            break;
        }
        bool moved = was[i] != now[i];
        cs_print(a, x, y, i == l->chosen ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                 "%*.10g", wide, was[i]);
        if (moved)
            cs_print(a, x, y + 1, CS_ROLE_ACCEPT, "%*.10g", wide, now[i]);
        else
            cs_put(a, x + wide - 1, y + 1, CS_ROLE_FAINT, 0xB7);
        x += wide + !bits;
    }
    return 2;
}

static void draw_number(const cs_area *a, int y, const list *l, size_t i)
{
    char name[64];
    size_t at = l->turn * l->t->shown + i;
    cs_shown_name(l->k, i, false, name, sizeof name);
    bool whole = cs_shown_is_discrete(l->k, i),
         moved = l->t->after[at] != l->t->before[at];
    int digits = whole ? 10 : 4;
    int x = cs_print(a, 2, y, i == l->chosen ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                     "%-*.*s", NAME - 2, NAME - 3, name);
    x = cs_print(a, x, y, CS_ROLE_NORMAL, "%*.*g", NUMBER, digits,
                 l->t->before[at]);
    if (l->proposes)
        x = cs_print(a, x, y, CS_ROLE_REJECT, "%*.*g", NUMBER, digits,
                     l->t->proposal[at]);
    cs_print(a, x, y, moved ? CS_ROLE_ACCEPT : CS_ROLE_FAINT, "%*.*g", NUMBER,
             digits, l->t->after[at]);
}

static int draw_heading(const cs_area *a, int y, const list *l)
{
    int x = cs_print(a, NAME, y, CS_ROLE_LABEL, "%*s", NUMBER, "before");
    if (l->proposes)
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%*s", NUMBER, "proposed");
    cs_print(a, x, y, CS_ROLE_LABEL, "%*s", NUMBER, "after");
    return 1;
}

/* Draws the quantities from line y on, in at most `capacity` lines. Returns the
 * number of lines used. */
static int draw_list(const cs_area *a, int y, int capacity, const list *l)
{
    int top = y;
    size_t hidden = 0;
    bool headed = false;
    if (single_of(l) < l->t->shown)
        return 0;
    for (size_t i = 0, n; i < l->t->shown; i += n) {
        n = is_listed(l, i) ? vector_of(l, i) : 1;
        if (!is_listed(l, i))
            continue;
        bool row = n > 1, room = capacity - (y - top) >= 2 + (!row && !headed);
        hidden += room ? 0 : n;
        if (!room)
            continue;
        if (row) {
            y += draw_vector(a, y, l, i, n);
            continue;
        }
        y += headed ? 0 : draw_heading(a, y, l);
        headed = true;
        draw_number(a, y++, l, i);
    }
    if (hidden)
        cs_print(a, 2, y++, CS_ROLE_LABEL, "%s more",
                 cs_count((double)hidden).text);
    return y - top;
}

/* ---- all turns ------------------------------------------------------------- */

/* Draws the value of the only quantity of a turn before and after it. */
static int draw_single(const cs_area *a, int x, int y, const list *l)
{
    size_t i = single_of(l), at = l->turn * l->t->shown + i;
    if (i >= l->t->shown)
        return x;
    int digits = cs_shown_is_discrete(l->k, i) ? 10 : 4;
    double was = l->t->before[at], now = l->t->after[at],
           to = l->t->proposal[at];
    if (l->proposes && now != to)
        return cs_print_fit(a, x, y, a->w - x, CS_ROLE_NORMAL,
                            ": %.*g, proposed %.*g", digits, was, digits, to);
    return cs_print_fit(a, x, y, a->w - x, CS_ROLE_NORMAL, ": %.*g to %.*g",
                        digits, was, digits, now);
}

/* Draws at the right the acceptance of the member so far, the best rate of its
 * kind, and its share of the time. */
static void draw_rates(const cs_area *a, int x, int y, const cs_shot *s,
                       const cs_turns_view *t, size_t member)
{
    char text[80];
    size_t n, columns;
    const double *row =
        cs_shot_array(s, &n, &columns, "arm/%zu/kernel/members", t->arm);
    double aim =
        cs_shot_number(s, NAN, "arm/%zu/kernel/member/%zu/aim", t->arm, member);
    if (!row || columns != CS_MEMBER_COLUMNS || member >= n)
        return;
    row += member * CS_MEMBER_COLUMNS;
    if (isnan(row[CS_MEMBER_OF_ACCEPTANCE]))
        return;
    int used = snprintf(text, sizeof text, "accepted %.2f",
                        row[CS_MEMBER_OF_ACCEPTANCE]);
    if (!isnan(aim))
        used += snprintf(text + used, sizeof text - (size_t)used, ", best %.2f",
                         aim);
    if (!isnan(row[CS_MEMBER_OF_TIME]))
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "; %.0f %% of the time", 100 * row[CS_MEMBER_OF_TIME]);
    if (x + 2 + used <= a->w)
        cs_print(a, a->w - used, y, CS_ROLE_FAINT, "%s", text);
}

/* Draws the heading of a turn: its number, its member, the values of a single
 * quantity, and in slow motion whether it is made. */
static void draw_title(const cs_area *a, int y, const cs_shot *s, const list *l)
{
    char member[160];
    const cs_turns_view *t = l->t;
    size_t i = l->turn;
    bool current = t->slow && t->made == i + 1;
    cs_turn_member(s, t, i, member, sizeof member);
    int x = cs_print(a, 0, y, current ? CS_ROLE_FOCUS : CS_ROLE_LABEL, "%zu ",
                     i + 1);
    x = cs_print_cut(a, x, y, a->w - x, CS_ROLE_TITLE, "%s", member);
    x = draw_single(a, x, y, l);
    if (t->slow)
        cs_print_fit(a, x, y, a->w - x,
                     i < t->made ? CS_ROLE_ACCEPT : CS_ROLE_FAINT,
                     i < t->made ? ", made" : ", to come");
    if (!isnan(t->note[i].member)) /* the kernel of that time is gone */
        draw_rates(a, x, y, s, t, (size_t)t->note[i].member);
    if (current)
        cs_attribute(a, 0, y, a->w, CS_BOLD);
}

static list list_of(const cs_shown_kinds *k, const cs_turns_view *t, size_t i,
                    size_t chosen)
{
    bool proposes = t->note[i].proposes != 0 && t->note[i].accepts != 0;
    return (list){k, t, i, chosen, proposes};
}

int cs_turns_lines(const cs_shown_kinds *k, const cs_turns_view *t)
{
    int lines = t->of > t->n;
    for (size_t i = 0; i < t->n; i++) {
        const list l = list_of(k, t, i, 0);
        lines += 2 + lines_of(&l);
    }
    return lines;
}

static int draw_more(const cs_area *a, int y, size_t n)
{
    cs_print(a, 0, y, CS_ROLE_LABEL, "%zu more turn%s", n, n == 1 ? "" : "s");
    return y + 1;
}

int cs_draw_turns(const cs_area *a, const cs_shot *s, const cs_shown_kinds *k,
                  const cs_turns_view *t, size_t chosen)
{
    int y = 0;
    for (size_t i = 0; i < t->n; i++) {
        const list l = list_of(k, t, i, chosen);
        int left = (int)(t->n - i - 1) * 2;
        if (y + 2 > a->h)
            return draw_more(a, a->h - 1, t->of - i);
        draw_title(a, y++, s, &l);
        y += draw_decision(a, y, &t->note[i]);
        y += draw_list(a, y, a->h - y - left, &l);
    }
    return t->of > t->n && y < a->h ? draw_more(a, y, t->of - t->n) : y;
}
