/* Visits to modes: rows modes, columns time, with first visits; or, with the
 * option, modes x chains. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct visits {
    const double *visits, *first, *weight, *shares;
    size_t chains, modes, bins;
} visits;

static bool find_visits(const cs_shot *s, size_t arm, visits *v)
{
    size_t r, c;
    *v = (visits){0};
    v->visits =
        cs_shot_array(s, &v->chains, &v->modes, "arm/%zu/modes/visits", arm);
    if (!v->visits)
        return false;
    v->first = cs_shot_array(s, &r, &c, "arm/%zu/modes/first", arm);
    if (r != v->chains || c != v->modes)
        v->first = NULL;
    v->weight = cs_shot_array(s, &r, &c, "arm/%zu/modes/weight", arm);
    if (r * c != v->modes)
        v->weight = NULL;
    v->shares = cs_shot_array(s, &r, &v->bins, "arm/%zu/modes/shares", arm);
    if (r != v->modes)
        v->shares = NULL;
    return true;
}

static double sum_of(const visits *v, size_t mode)
{
    double sum = 0;
    for (size_t c = 0; c < v->chains; c++)
        sum += v->visits[c * v->modes + mode];
    return sum;
}

static double first_of(const visits *v, size_t mode)
{
    double first = NAN;
    for (size_t c = 0; v->first && c < v->chains; c++)
        first = fmin(first, v->first[c * v->modes + mode]); /* skips NAN */
    return first;
}

/* One cell a chain: its share of visits, its glyph where it came first. */
static void draw_chains(const cs_area *a, int y, const visits *v, size_t mode)
{
    for (size_t c = 0; c < v->chains; c++) {
        double total = 0, here = v->visits[c * v->modes + mode];
        for (size_t m = 0; m < v->modes; m++)
            total += v->visits[c * v->modes + m];
        double share = total > 0 ? here / total : 0;
        int w = a->w >= 2 * (int)v->chains ? 2 : 1;
        for (int i = 0; i < w; i++)
            cs_put(a, (int)c * w + i, y, cs_theme_ramp(sqrt(share)),
                   cs_theme_shade(sqrt(share)));
    }
}

static void draw_row(const cs_area *a, const visits *v, size_t mode, int y,
                     double total, bool chains)
{
    double sum = sum_of(v, mode), first = first_of(v, mode);
    int x = cs_print(a, 0, y, CS_ROLE_LABEL, "%3zu ", mode + 1);
    int room = a->w - x - 20;
    cs_area strip = cs_area_part(a, x, y, room, 1);
    if (v->shares && !chains) {
        const double *row = v->shares + mode * v->bins;
        cs_heat(&strip, row, 1, v->bins, 1);
    } else {
        draw_chains(&strip, 0, v, mode);
    }
    x = a->w - 19;
    if (total > 0)
        x = cs_print(a, x, y, CS_ROLE_VALUE, "%5.1f%%", 100 * sum / total);
    if (v->weight)
        cs_print(a, x, y, CS_ROLE_TRUTH, "/%4.1f%%", 100 * v->weight[mode]);
    if (isfinite(first))
        cs_print_right(a, y, CS_ROLE_LABEL, " %s", cs_num(first).text);
    else
        cs_print_right(a, y, CS_ROLE_FAINT, v->first ? " never" : "");
}

/* Modes in more rows than there are: the rest is counted. */
static void draw_arm(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                     size_t arm)
{
    visits v;
    if (!find_visits(s, arm, &v)) {
        cs_panel_empty(a, s, "This target names no modes.",
                       "Targets with known modes have them; or give the "
                       "scenario a list of modes.");
        return;
    }
    double total = 0;
    size_t seen = 0;
    for (size_t m = 0; m < v.modes; m++) {
        total += sum_of(&v, m);
        seen += sum_of(&v, m) > 0;
    }
    bool chains = at->option % 2 || !v.shares;
    cs_print(a, 0, 0, CS_ROLE_LABEL, "mode %s",
             chains ? "by chain" : "time ->");
    cs_print_right(a, 0, CS_ROLE_LABEL, "share%s first",
                   v.weight ? " /exact" : "");
    int rows = a->h - 2;
    for (int y = 0; y < rows && (size_t)y < v.modes; y++)
        draw_row(a, &v, (size_t)y, y + 1, total, chains);
    int x = cs_print(a, 0, a->h - 1, CS_ROLE_VALUE, "%zu of %zu modes", seen,
                     v.modes);
    if (v.modes > (size_t)rows)
        x = cs_print(a, x, a->h - 1, CS_ROLE_FAINT, ", %zu below",
                     v.modes - (size_t)rows);
    double jumps = 0;
    size_t r, c;
    const double *j = cs_shot_array(s, &r, &c, "arm/%zu/modes/jumps", arm);
    for (size_t i = 0; j && i < r * c; i++)
        jumps += j[i];
    if (j)
        cs_print(a, x + 2, a->h - 1, CS_ROLE_LABEL, "jumps %s",
                 cs_count(jumps).text);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    cs_panel_arms(a, s, at, (cs_tile){30, 5, 2}, draw_arm);
}

static void caption(const cs_shot *s, const cs_look_at *at, char *out,
                    size_t size)
{
    visits v;
    size_t seen = 0;
    if (!find_visits(s, at->arm, &v))
        return;
    for (size_t m = 0; m < v.modes; m++)
        seen += sum_of(&v, m) > 0;
    snprintf(out, size, "%zu/%zu", seen, v.modes);
}

const cs_panel_type cs_panel_visits = {
    .name = "visits",
    .title = "modes",
    .help = "One row a mode, time to the right: the darker, the larger its "
            "share of the visits in that time. Then its share of all visits, "
            "the exact share where it is known, and the step of the first "
            "visit by any chain. o shows chains instead of time.",
    .width = 32,
    .height = 4,
    .weight = 1.2,
    .draw = draw,
    .caption = caption,
};
