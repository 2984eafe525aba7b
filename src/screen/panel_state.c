/* The chosen chain: its coordinates, its proposal, and the last decision by
 * factors. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct looked {
    const double *x, *y, *step;
    size_t dim, arm, chain, coordinate;
} looked;

static bool find_look(const cs_shot *s, looked *l)
{
    size_t r, c, n;
    const double *at = cs_shot_array(s, &r, &c, "look/at");
    *l = (looked){0};
    if (!at || r * c != 3)
        return false;
    size_t *to[] = {&l->arm, &l->chain, &l->coordinate};
    for (int i = 0; i < 3; i++)
        *to[i] = at[i] >= 0 && at[i] < 1e9 ? (size_t)at[i] : 0;
    l->x = cs_shot_array(s, &r, &c, "look/x");
    l->dim = r * c;
    l->y = cs_shot_array(s, &r, &n, "look/proposal");
    if (r * n != l->dim)
        l->y = NULL;
    l->step = cs_shot_array(s, &r, &n, "look/step");
    if (r * n != 9)
        l->step = NULL;
    return l->x != NULL;
}

/* A signed bar from the middle, on a log scale: factors differ by powers. */
static void factor(const cs_area *a, int y, const char *name, double value)
{
    if (y >= a->h)
        return;
    cs_print(a, 0, y, CS_ROLE_LABEL, "%s", name);
    cs_print(a, 21, y, CS_ROLE_VALUE, "%+9.3f", value);
    int room = (a->w - 32) / 2;
    if (room < 3 || !isfinite(value))
        return;
    int n = (int)(fmin(log1p(fabs(value)) / log(100), 1) * room + 0.5);
    cs_put(a, 31 + room, y, CS_ROLE_FAINT, 0x2502);
    for (int i = 1; i <= n; i++)
        cs_put(a, 31 + room + (value < 0 ? -i : i), y,
               value < 0 ? CS_ROLE_REJECT : CS_ROLE_ACCEPT, 0x2588);
}

static int draw_factors(const cs_area *a, const double *v)
{
    factor(a, 0, "U(x') - U(x)", v[2]);
    factor(a, 1, "log q(x|x')", v[4]);
    factor(a, 2, "- log q(x'|x)", -v[3]);
    factor(a, 3, "log accept ratio", v[5]);
    bool accepted = v[7] != 0, moved = v[8] != 0;
    int x = cs_print(a, 0, 4, accepted ? CS_ROLE_ACCEPT : CS_ROLE_REJECT, "%s",
                     !accepted ? "\u25BC rejected"
                     : moved   ? "\u25B2 accepted"
                               : "\u25CB accepted, same state");
    cs_print(a, x, 4, CS_ROLE_LABEL, "  prob %.3g, u = %.3g, U now %s",
             exp(fmin(v[5], 0)), exp(v[6]), cs_num(v[0]).text);
    return 5;
}

static bool whole_bits(const looked *l)
{
    for (size_t i = 0; i < l->dim; i++)
        if (l->x[i] != 0 && l->x[i] != 1)
            return false;
    return l->dim > 4;
}

/* The widest power that lets a square of sites stand as one. */
static size_t row_of_bits(const looked *l, int width)
{
    size_t side = (size_t)(sqrt((double)l->dim) + 0.5);
    if (side * side == l->dim && side >= 3 && (int)side <= width)
        return side;
    return (size_t)(width > 0 ? width : 1);
}

static void draw_bits(const cs_area *a, const looked *l)
{
    size_t row = row_of_bits(l, a->w);
    int wide = (int)row * 2 <= a->w && row * row == l->dim ? 2 : 1;
    for (size_t i = 0; i < l->dim; i++) {
        int x = (int)(i % row) * wide, y = (int)(i / row);
        bool on = l->x[i] != 0, flips = l->y && l->y[i] != l->x[i];
        for (int k = 0; k < wide; k++)
            cs_put(a, x + k, y, flips ? CS_ROLE_REJECT : CS_ROLE_ACCEPT,
                   on      ? flips ? 0x2593 : 0x2588
                   : flips ? 0x2591
                           : 0xB7);
        if (i == l->coordinate)
            cs_attribute(a, x, y, wide, CS_REVERSE);
    }
}

static void draw_numbers(const cs_area *a, const cs_shot *s, const looked *l)
{
    const char *names = cs_shot_text(s, "coordinates");
    size_t room = a->h > 1 ? (size_t)a->h - 1 : 0;
    size_t first = l->coordinate >= room ? l->coordinate + 1 - room : 0;
    cs_print(a, 0, 0, CS_ROLE_LABEL, "%-10s %11s%s", "coordinate", "x",
             l->y ? "    proposed" : "");
    for (size_t i = 0; i < room && first + i < l->dim; i++) {
        char name[32];
        size_t k = first + i;
        if (!cs_shot_word(names, k, name, sizeof name))
            snprintf(name, sizeof name, "x%zu", k + 1);
        int x = cs_print(a, 0, (int)i + 1,
                         k == l->coordinate ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                         "%-10.10s %11.5g", name, l->x[k]);
        if (l->y)
            cs_print(a, x, (int)i + 1,
                     l->y[k] == l->x[k] ? CS_ROLE_FAINT : CS_ROLE_REJECT,
                     " %11.5g", l->y[k]);
    }
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    looked l;
    (void)at;
    if (!find_look(s, &l)) {
        cs_panel_empty(a, s, "No chain is being looked at.",
                       "Choose one with c and C.");
        return;
    }
    cs_print(a, 0, 0, cs_theme_chain(l.chain), "%c chain %zu of %s",
             cs_theme_glyph(l.chain), l.chain + 1, cs_shot_arm(s, l.arm));
    int used = 1;
    if (l.step && a->h >= 10) {
        cs_area top = cs_area_part(a, 0, 1, a->w, a->h - 1);
        used += draw_factors(&top, l.step);
    } else if (l.step && a->h >= 3) {
        cs_print(a, 0, 1, l.step[7] != 0 ? CS_ROLE_ACCEPT : CS_ROLE_REJECT,
                 "%s  log ratio %+.3f",
                 l.step[7] != 0 ? "accepted" : "rejected", l.step[5]);
        used++;
    }
    cs_area rest = cs_area_part(a, 0, used, a->w, a->h - used);
    if (whole_bits(&l))
        draw_bits(&rest, &l);
    else
        draw_numbers(&rest, s, &l);
}

const cs_panel_type cs_panel_state = {
    .name = "state",
    .title = "state and last step",
    .help = "One chain: its last step by factors, in nats (change of the log "
            "density, proposal densities there and back, their sum, and the "
            "uniform number it was compared with), then its coordinates and "
            "the proposal. Bits that the proposal would flip are drawn half. "
            "c and C choose the chain, n and N the coordinate.",
    .width = 30,
    .height = 6,
    .weight = 1.1,
    .draw = draw,
};
