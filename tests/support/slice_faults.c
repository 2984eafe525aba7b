#include "support/slice_faults.h"

#include "kernels/real/slice.h"

enum { MOST_TRIALS = 300 };

/* ---- slices along coordinates -------------------------------------------- */

static size_t place_of(const cs_slice *s, size_t l)
{
    size_t k = (size_t)s->number[l];
    return (k < s->curves ? k : s->curves - 1) * s->m->lanes + l;
}

static void lay(cs_slice *s)
{
    for (size_t l = 0; l < s->m->lanes; l++) {
        size_t at = place_of(s, l);
        s->y[at] = s->m->x[at] + s->at[l];
        s->still[l] = s->y[at] == s->m->x[at];
    }
}

static void keep(cs_slice *s, size_t l)
{
    s->m->x[place_of(s, l)] = s->y[place_of(s, l)];
}

static void bracket(cs_slice *s, size_t l)
{
    cs_slice_place(s, l, cs_move_param(s->m, 0)[l], cs_move_param(s->m, 1)[l]);
}

static void bracket_left(cs_slice *s, size_t l)
{
    bracket(s, l);
    s->left[l] = cs_move_param(s->m, 1)[l];
    s->right[l] = 0;
    cs_slice_ask(s, l);
}

/* The bracket and the point that was tried last. Before the first trial,
 * `begins` is true. */
static _Thread_local struct {
    bool begins;
    double low, at;
} last[64];

static void bracket_anew(cs_slice *s, size_t l)
{
    last[l].begins = true;
    bracket(s, l);
}

/* Fault: if a point to the left of the state is rejected, the bracket is cut to
 * the left of this point. Then the bracket no longer contains the state. (If
 * the bracket were cut on both sides, or by a rule that does not depend on the
 * state, the moves would be symmetric and the draws exact.) If a search finds
 * no point, the search is abandoned. */
static void lay_wrong(cs_slice *s)
{
    for (size_t l = 0; l < s->m->lanes; l++) {
        if (s->phase[l] != CS_SLICE_SHRINK)
            continue;
        if (!last[l].begins && last[l].at < 0) {
            s->low[l] = last[l].low;
            s->high[l] = last[l].at;
            cs_slice_shrink(s, l);
        }
        if (s->trial > MOST_TRIALS)
            s->at[l] = 0;
        last[l].begins = false;
        last[l].low = s->low[l];
        last[l].at = s->at[l];
    }
    lay(s);
}

static void go(cs_move *m, const cs_slice_curve *axis)
{
    cs_slice s;
    cs_slice_open(&s, m, axis, m->dim);
    cs_slice_step(&s);
}

void slice_by_hand(cs_move *m)
{
    static const cs_slice_curve axis = {lay, bracket, keep};
    go(m, &axis);
}

void slice_steps_out_on_one_side(cs_move *m)
{
    static const cs_slice_curve axis = {lay, bracket_left, keep};
    go(m, &axis);
}

void slice_shrinks_to_the_wrong_side(cs_move *m)
{
    static const cs_slice_curve axis = {lay_wrong, bracket_anew, keep};
    go(m, &axis);
}

/* ---- slices along ellipses ----------------------------------------------- */

static void lay_ellipse(cs_slice *s)
{
    size_t n = s->m->lanes;
    for (size_t l = 0; l < n; l++) {
        double angle = 2 * 3.14159265358979323846 * s->at[l], sum = 0;
        s->still[l] = s->at[l] == 0;
        for (size_t at = l; at < s->m->dim * n; at += n) {
            double x = s->m->x[at];
            s->y[at] = x * cos(angle) + s->own[at] * sin(angle);
            sum += s->y[at] * s->y[at] - x * x;
        }
        s->base[l] = -sum / 2;
    }
}

static void around(cs_slice *s, size_t l)
{
    s->left[l] = s->right[l] = 0;
    s->at[l] = s->high[l] = s->place[l];
    s->low[l] = s->high[l] - 1;
    s->phase[l] = CS_SLICE_SHRINK;
}

static void half_around(cs_slice *s, size_t l)
{
    around(s, l);
    s->low[l] = 0;
}

static void go_around(cs_move *m, const cs_slice_curve *ellipse)
{
    cs_slice s;
    cs_slice_open(&s, m, ellipse, 1);
    cs_fill_normal(&m->streams, CS_FOR_SITE, m->dim, s.own);
    cs_slice_step(&s);
}

void ellipse_by_hand(cs_move *m)
{
    static const cs_slice_curve ellipse = {lay_ellipse, around,
                                           cs_slice_keep_all};
    go_around(m, &ellipse);
}

void ellipse_in_half_a_bracket(cs_move *m)
{
    static const cs_slice_curve ellipse = {lay_ellipse, half_around,
                                           cs_slice_keep_all};
    go_around(m, &ellipse);
}

double ellipse_centre = 1;

static void lay_around_a_mean(cs_slice *s)
{
    size_t n = s->m->lanes;
    for (size_t l = 0; l < n; l++) {
        double mean = s->m->param[l], sd = s->m->param[n + l];
        double angle = 2 * 3.14159265358979323846 * s->at[l], sum = 0;
        double middle = ellipse_centre * mean;
        s->still[l] = s->at[l] == 0;
        for (size_t at = l; at < s->m->dim * n; at += n) {
            double x = s->m->x[at];
            s->y[at] = middle + (x - middle) * cos(angle) +
                       sd * s->own[at] * sin(angle);
            sum +=
                (s->y[at] - mean) * (s->y[at] - mean) - (x - mean) * (x - mean);
        }
        s->base[l] = -sum / (2 * sd * sd);
    }
}

void ellipse_around_a_mean(cs_move *m)
{
    static const cs_slice_curve ellipse = {lay_around_a_mean, around,
                                           cs_slice_keep_all};
    go_around(m, &ellipse);
}
