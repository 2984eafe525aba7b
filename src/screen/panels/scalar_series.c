#include "screen/panels/scalar_series.h"

#include "screen/panels/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Finds the values at random steps. */
static void find_random(const cs_shot *s, size_t arm, bool recent,
                        cs_series *out)
{
    size_t r, c;
    out->drawn = cs_shot_array(s, &r, &out->draws, "arm/%zu/trace/%zu/drawn",
                               arm, out->scalar);
    out->drawn_time = cs_shot_array(s, &c, &c, "arm/%zu/trace/drawn", arm);
    if (recent || r != out->chains || c != out->draws || !out->drawn_time)
        out->drawn = NULL;
}

/* Finds the chosen scalar (0: the energy, then the coordinates), for all steps
 * or for the newest steps. */
bool cs_series_find(const cs_shot *s, const cs_selection *at, size_t arm,
                    bool recent, cs_series *out)
{
    size_t r, c, names = 0;
    char word[64];
    const char *list = cs_shot_text(s, "arm/%zu/trace/names", arm);
    while (cs_shot_word(list, names, word, sizeof word))
        names++;
    const char *low = recent ? "recent" : "low";
    const char *high = recent ? "recent" : "high";
    out->scalar = cs_panel_choice(at, list, names);
    out->axis = cs_axis_of(s, arm, at->unit);
    out->low = cs_shot_array(s, &out->chains, &out->bins,
                             "arm/%zu/trace/%zu/%s", arm, out->scalar, low);
    out->high = cs_shot_array(s, &r, &c, "arm/%zu/trace/%zu/%s", arm,
                              out->scalar, high);
    if (!out->low || !out->high || r != out->chains || c != out->bins)
        return false;
    out->time = cs_shot_array(s, &r, &c, "arm/%zu/trace/%s", arm,
                              recent ? "recent" : "time");
    if (!out->time || r * c != out->bins || !out->bins)
        return false;
    find_random(s, arm, recent, out);
    out->window = at->window;
    out->begin = cs_axis_at(&out->axis, out->time[0]);
    out->end = cs_axis_at(&out->axis, out->time[out->bins - 1]);
    return true;
}

void cs_series_name(const cs_shot *s, size_t arm, size_t scalar, char *word,
                    size_t size)
{
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/trace/names", arm), scalar, word,
                      size))
        snprintf(word, size, "energy");
    if (scalar == 0 &&
        strcmp(cs_shot_text(s, "arm/%zu/trace/logp", arm), "estimate") == 0)
        snprintf(word, size, "energy (estimate)");
}

/* ---- a part of the axis --------------------------------------------------- */

static double step_at(const cs_axis *axis, double place)
{
    return place / axis->each - axis->warmup;
}

/* Writes the argument with which the command `reports` requests the draws in
 * the window. The range of steps covers the windows of all arms. */
void cs_series_ask(const cs_shot *s, const cs_selection *at, char *word,
                   size_t size)
{
    char name[64];
    double from = HUGE_VAL, to = 0;
    cs_series t;
    for (size_t arm = 0; at->window.on && arm < cs_shot_arms(s); arm++) {
        if (!cs_series_find(s, at, arm, false, &t))
            continue;
        from = fmin(from, step_at(&t.axis, at->window.from));
        to = fmax(to, step_at(&t.axis, at->window.to));
        cs_series_name(s, arm, t.scalar, name, sizeof name);
        if (t.scalar == 0)
            snprintf(name, sizeof name, "energy");
    }
    if (from < to && to < 1e15)
        snprintf(word, size, "series=%s@%.0f..%.0f", name, fmax(floor(from), 0),
                 ceil(to));
}

/* Finds the requested draws of each chain, and stores them in the row with the
 * chain's number. */
static bool find_drawn(const cs_shot *s, const cs_selection *at, size_t arm,
                       cs_series *t)
{
    char word[160] = "";
    size_t r, c, k;
    cs_series d = *t;
    cs_series_ask(s, at, word, sizeof word);
    if (!*word || (k = cs_quantity_there(s, arm, word)) == CS_QUANTITY_NONE)
        return false;
    d.time = cs_shot_array(s, &r, &d.bins, "arm/%zu/draws/%zu/time", arm, k);
    d.low = cs_shot_array(s, &d.chains, &c, "arm/%zu/draws/%zu/low", arm, k);
    d.high = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/high", arm, k);
    d.drawn = cs_shot_array(s, &r, &d.draws, "arm/%zu/draws/%zu/drawn", arm, k);
    d.drawn_time = d.time;
    if (r != d.chains || d.draws != d.bins)
        d.drawn = NULL;
    if (!d.time || !d.low || !d.high || c != d.bins || d.chains != t->chains ||
        d.bins < 2)
        return false;
    for (size_t i = 0; i < d.chains; i++)
        if (cs_quantity_chain(s, arm, i) != i)
            return false;
    *t = d;
    return true;
}

/* Returns the steps per bin. */
static double width_of(const cs_series *t)
{
    return t->bins > 1 ? t->time[t->bins - 1] - t->time[t->bins - 2] : 1;
}

typedef enum cs_grade { BINS_OF, DRAWS_OF, EVERY_STEP } cs_grade;

/* Finds the finest series that covers the window. */
static cs_grade find_finest(const cs_shot *s, const cs_selection *at,
                            size_t arm, cs_series *t)
{
    cs_series newest, drawn = *t;
    if (!at->window.on)
        return BINS_OF;
    if (cs_series_find(s, at, arm, true, &newest) && newest.bins > 1 &&
        at->window.from >= cs_axis_at(&t->axis, newest.time[0])) {
        *t = newest;
        return EVERY_STEP;
    }
    if (!find_drawn(s, at, arm, &drawn) || width_of(&drawn) >= width_of(t))
        return BINS_OF;
    *t = drawn;
    return DRAWS_OF;
}

bool cs_series_shown(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, cs_series *t)
{
    bool found = cs_series_find(s, at, arm, recent, t);
    if (found && !recent)
        find_finest(s, at, arm, t);
    return found;
}

/* Writes the resolution of the displayed part, and the reason why it is not
 * finer. The text follows the word "zoomed". */
void cs_series_grade(const cs_shot *s, const cs_selection *at, size_t arm,
                     char *out, size_t size)
{
    char word[160] = "";
    cs_series t;
    *out = 0;
    if (!at->window.on || !cs_series_find(s, at, arm, false, &t))
        return;
    double every = cs_shot_number(s, 1, "arm/%zu/draws/every", arm);
    double missing = cs_shot_number(s, 0, "arm/%zu/draws/missing", arm);
    cs_series_ask(s, at, word, sizeof word);
    size_t k = *word ? cs_quantity_there(s, arm, word) : CS_QUANTITY_NONE;
    bool there = k != CS_QUANTITY_NONE;
    const char *why =
        there ? cs_shot_text(s, "arm/%zu/draws/%zu/why", arm, k) : "";
    cs_grade grade = find_finest(s, at, arm, &t);
    if (grade == EVERY_STEP || (grade == DRAWS_OF && every <= 1))
        snprintf(out, size, "every step");
    else if (grade == DRAWS_OF)
        snprintf(out, size, "one draw in %s steps", cs_count(every).text);
    else if (step_at(&t.axis, at->window.from) < missing * every)
        snprintf(out, size, "bins of %s steps: draws not kept",
                 cs_count(width_of(&t)).text);
    else
        snprintf(out, size, "bins of %s steps%s%s", cs_count(width_of(&t)).text,
                 *why ? ": " : "", why);
}

/* Returns true if a bin is displayed. */
static bool is_shown(const cs_series *t, size_t i)
{
    const cs_window *w = &t->window;
    double at = cs_axis_at(&t->axis, t->time[i]);
    return !w->on || (at >= w->from && at <= w->to);
}

/* Finds the smallest and the largest value of a chain in bins first .. end - 1.
 * Returns false if the chain has no values in these bins. */
static bool chain_extremes(const cs_series *t, size_t c, size_t first,
                           size_t end, double *low, double *high)
{
    const double *l = t->low + c * t->bins, *h = t->high + c * t->bins;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = first; i < end; i++) {
        least = l[i] < least && l[i] > -HUGE_VAL ? l[i] : least;
        most = h[i] > most && h[i] < HUGE_VAL ? h[i] : most;
    }
    *low = least;
    *high = most;
    return least < HUGE_VAL && most > -HUGE_VAL;
}

/* Finds the smallest and the largest displayed value from bin `first` on.
 * Leaves out chains whose range is smaller than `range`. *widest is the largest
 * range of a chain. */
static bool find_extremes(const cs_series *t, size_t first, double range,
                          double *low, double *high, double *widest)
{
    size_t end = t->bins;
    double l, h;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    *widest = 0;
    while (first < end && !is_shown(t, first))
        first++;
    while (end > first && !is_shown(t, end - 1))
        end--;
    for (size_t c = 0; c < t->chains; c++) {
        if (!chain_extremes(t, c, first, end, &l, &h) || !(h - l >= range))
            continue;
        *low = fmin(*low, l);
        *high = fmax(*high, h);
        *widest = fmax(*widest, h - l);
    }
    return *low<HUGE_VAL && * high> - HUGE_VAL;
}

/* Finds the vertical range. The range contains all values, with two exceptions:
 * values far away at the start, and values of a chain that hardly moves. They
 * are left out if they would compress the other values. Values beyond the range
 * are marked. */
static bool range_of(const cs_series *t, double *low, double *high)
{
    const double stuck = 0.01; /* share of the widest chain's range */
    double a, b, widest;
    size_t skip = t->window.on ? 0 : t->bins / 8;
    if (!find_extremes(t, 0, -HUGE_VAL, low, high, &widest))
        return false;
    *high = *high > *low ? *high : *low;
    if (skip && find_extremes(t, skip, -HUGE_VAL, &a, &b, &widest) && b > a &&
        find_extremes(t, skip, stuck * widest, &a, &b, &widest) && b > a &&
        *high - *low > 3 * (b - a)) {
        double pad = (b - a) / 20;
        *low = fmax(*low, a - pad);
        *high = fmin(*high, b + pad);
    }
    return true;
}

/* Finds the common axis of all arms shown side by side. */
bool cs_series_range(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, double *low, double *high)
{
    double l, h;
    cs_series t;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if ((cs_panel_shows(at, i) || i == arm) &&
            cs_series_shown(s, at, i, recent, &t) && range_of(&t, &l, &h)) {
            *low = fmin(*low, l);
            *high = fmax(*high, h);
        }
    /* a round number close to an end replaces the end */
    double room = (*high - *low) / 8;
    cs_ticks ticks = cs_ticks_make(*low - room, *high + room, 5);
    double last = ticks.first + (ticks.n - 1) * ticks.step;
    if (ticks.n > 1 && ticks.first < *low)
        *low = ticks.first;
    if (ticks.n > 1 && last > *high)
        *high = last;
    return *low <= *high;
}
