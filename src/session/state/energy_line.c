/* The energy -log p along a line through the space of the target, for the panel
 * `line`. There are three kinds of line: along a coordinate through the state
 * of the selected chain, through two known modes, and through the states of two
 * chains. The energy is computed between steps, by an evaluator whose calls are
 * not counted as work of any arm. While the run advances, this computation uses
 * at most 2 % of the time. */
#include "session/state/energy_line.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/state/session_state.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EIGHT = 8, LEAST = 41 };
#define REST 0.25    /* minimum seconds between lines while the run advances */
#define SHARE 0.02   /* maximum share of the time for computing lines */
#define PATIENCE 0.1 /* approximate seconds to evaluate one line */
/* length of the part of the line beyond each of the two points, as a fraction
 * of their distance */
static const double margin = 0.15;

/* ---- ends of the line ---------------------------------------------------- */

/* The two ends of a line, and a description of the line. */
typedef struct ends {
    double *from, *to;  /* [dim] the two end points, in one allocation [own:
                         * from] */
    double first, last; /* values on the axis at the two ends */
    double mark[2];
    size_t marks;
    char name[80], through[96];
} ends;

/* Finds the range of coordinate k. It is the display range of the target. If
 * the target has none, it is the range that the chains have visited, with a
 * margin. */
static void find_reach(cs_session *s, size_t k, double *low, double *high)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    const double *view = t->exact.view;
    cs_line *l = &s->line;
    bool viewed =
        t->space.dim <= 2 && !t->outputs.n && view[2 * k + 1] > view[2 * k];
    if (l->of != k) {
        l->of = k;
        l->low = HUGE_VAL;
        l->high = -HUGE_VAL;
    }
    for (size_t arm = 0; arm < cs_run_arms(r) && !viewed; arm++)
        for (size_t c = 0, n = cs_run_arm(r, arm).chains; c < n; c++) {
            double x = cs_run_chain(r, arm, c).x[k];
            l->low = isfinite(x) ? fmin(l->low, x) : l->low;
            l->high = isfinite(x) ? fmax(l->high, x) : l->high;
        }
    *low = viewed ? view[2 * k] : l->low;
    *high = viewed ? view[2 * k + 1] : l->high;
    if (!viewed && *high > *low) {
        double pad = (*high - *low) * margin;
        *low -= pad;
        *high += pad;
    } else if (!(*high > *low)) {
        *low -= 1;
        *high += 1;
    }
}

static void along_coordinate(cs_session *s, ends *e)
{
    const cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    const cs_line *l = &s->line;
    size_t dim = t->space.dim,
           k = l->kind == CS_LINE_LOOK ? s->look.coordinate : l->a;
    k = k < dim ? k : 0;
    double low = l->range[0], high = l->range[1];
    if (l->kind == CS_LINE_LOOK || !(high > low))
        find_reach(s, k, &low, &high);
    cs_chain_view v = cs_run_chain(s->open.run, s->look.arm, s->look.chain);
    memcpy(e->from, v.x, dim * sizeof *e->from);
    memcpy(e->to, v.x, dim * sizeof *e->to);
    e->from[k] = e->first = low;
    e->to[k] = e->last = high;
    e->mark[0] = v.x[k];
    e->marks = 1;
    if (t->outputs.n)
        snprintf(e->name, sizeof e->name, "x.%zu, as moved", k + 1);
    else
        cs_target_coordinate(t, k, e->name, sizeof e->name);
    if (dim > 1)
        snprintf(e->through, sizeof e->through, "through chain %zu of %.60s",
                 s->look.chain + 1, cs_run_arm_name(r, s->look.arm));
}

/* Sets the line through points a and b, extended beyond both points. The
 * axis shows the distance from a. */
static void between(ends *e, const double *a, const double *b, size_t dim)
{
    double square = 0;
    for (size_t d = 0; d < dim; d++) {
        double by = b[d] - a[d];
        square += by * by;
        e->from[d] = a[d] - margin * by;
        e->to[d] = b[d] + margin * by;
    }
    double length = sqrt(square);
    e->first = -margin * length;
    e->last = (1 + margin) * length;
    e->mark[0] = 0;
    e->mark[1] = length;
    e->marks = 2;
}

/* Finds the ends of the line. If there is no line, returns the reason;
 * otherwise returns NULL. */
static const char *find_ends(cs_session *s, ends *e)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    const cs_line *l = &s->line;
    size_t dim = t->space.dim;
    if (cs_space_is_discrete(&t->space))
        return "a discrete space has no line";
    if (!cs_space_is_real(&t->space))
        return "a space with discrete parts has no line";
    e->from = cs_alloc(2 * dim, sizeof *e->from);
    if (!e->from)
        return "out of memory for the line";
    e->to = e->from + dim;
    if (l->kind == CS_LINE_MODES) {
        const double *modes = t->exact.modes;
        between(e, modes + l->a * dim, modes + l->b * dim, dim);
        snprintf(e->name, sizeof e->name, "distance from mode %zu to mode %zu",
                 l->a + 1, l->b + 1);
    } else if (l->kind == CS_LINE_CHAINS) {
        size_t arm = s->look.arm, n = cs_run_arm(r, arm).chains;
        if (l->a >= n || l->b >= n)
            return "this arm has fewer chains";
        double *a = cs_alloc(dim, sizeof *a);
        if (!a)
            return "out of memory for the line";
        memcpy(a, cs_run_chain(r, arm, l->a).x, dim * sizeof *a);
        between(e, a, cs_run_chain(r, arm, l->b).x, dim);
        cs_free(a);
        snprintf(e->name, sizeof e->name,
                 "distance from chain %zu to chain %zu", l->a + 1, l->b + 1);
        snprintf(e->through, sizeof e->through, "of %.60s",
                 cs_run_arm_name(r, arm));
    } else {
        along_coordinate(s, e);
    }
    return e->last > e->first && isfinite(e->last - e->first)
               ? NULL
               : "both ends are the same point";
}

/* ---- evaluation ---------------------------------------------------------- */

static uint64_t place_of(const ends *e, const cs_target *t)
{
    uint64_t h = cs_hash_word(1, t->generation);
    for (size_t d = 0; d < 2 * t->space.dim; d++) {
        uint64_t word;
        memcpy(&word, &e->from[d], sizeof word);
        h = cs_hash_word(h, word);
    }
    return h;
}

/* Evaluates points i .. i + 7 of n in one call of the target. */
static bool evaluate_eight(const cs_target *t, const ends *e, size_t n,
                           size_t i, double *x, double *energy)
{
    double logp[EIGHT];
    size_t dim = t->space.dim, some = n - i < EIGHT ? n - i : EIGHT;
    for (size_t k = 0; k < some; k++) {
        double part = (double)(i + k) / (double)(n - 1);
        for (size_t d = 0; d < dim; d++)
            x[k * dim + d] = e->from[d] + part * (e->to[d] - e->from[d]);
    }
    for (size_t k = 0; k < some; k++)
        logp[k] = (double)NAN;
    cs_enumeration_evaluate(t, x, some, logp);
    for (size_t k = 0; k < some; k++)
        energy[k] = -logp[k];
    return !cs_enumeration_note(t);
}

/* Evaluates the line. The time limit determines the number of points. If the
 * evaluation fails, returns the reason; otherwise returns NULL. */
static const char *evaluate(cs_line *l, const cs_target *t, const ends *e)
{
    double *x = cs_alloc(EIGHT * t->space.dim, sizeof *x), begun = cs_clock();
    if (!x)
        return "out of memory for the line";
    bool good = evaluate_eight(t, e, EIGHT, 0, x, l->energy);
    double each = (cs_clock() - begun) / EIGHT, room = PATIENCE / each;
    l->n = room > CS_LINE_POINTS ? CS_LINE_POINTS
           : room > LEAST        ? (size_t)room
                                 : LEAST;
    for (size_t i = 0; good && i < l->n; i += EIGHT)
        good = evaluate_eight(t, e, l->n, i, x, l->energy + i);
    cs_free(x);
    l->made = cs_clock();
    l->took = l->made - begun;
    if (good)
        return NULL;
    l->n = 0;
    return cs_enumeration_note(t);
}

static void follow(cs_session *s)
{
    cs_line *l = &s->line;
    ends e = {.from = NULL};
    const cs_target *t = cs_run_target(s->open.run);
    double rest = fmax(REST, l->took / SHARE);
    if (s->move.running && l->known && cs_clock() < l->made + rest)
        return;
    l->why = find_ends(s, &e);
    uint64_t place = l->why ? 0 : place_of(&e, t);
    if (!l->why && !(l->known && place == l->place)) {
        l->why = evaluate(l, t, &e);
        l->step = cs_run_steps(s->open.run);
    }
    l->known = true;
    l->place = place;
    l->first = e.first;
    l->last = e.last;
    l->marks = e.marks;
    memcpy(l->mark, e.mark, sizeof l->mark);
    memcpy(l->name, e.name, sizeof l->name);
    memcpy(l->through, e.through, sizeof l->through);
    cs_free(e.from);
}

void cs_session_put_line(cs_session *s, cs_flat *f)
{
    _Static_assert(sizeof(((ends *)0)->name) == sizeof(((cs_line *)0)->name) &&
                       sizeof(((ends *)0)->through) ==
                           sizeof(((cs_line *)0)->through),
                   "they are copied");
    cs_line *l = &s->line;
    if (!cs_session_wants(s, "line", "line"))
        return;
    follow(s);
    cs_flat_text(f, l->why ? l->why : "", "line/why");
    if (l->why || l->n == 0)
        return;
    cs_flat_text(f, l->name, "line/name");
    cs_flat_text(f, l->through, "line/through");
    cs_flat_number(f, (double)l->step, "line/step");
    double *at = cs_flat_array(f, 1, l->n, "line/at");
    double *energy = cs_flat_array(f, 1, l->n, "line/energy");
    double *mark = cs_flat_array(f, 1, l->marks, "line/marks");
    for (size_t i = 0; at && i < l->n; i++)
        at[i] =
            l->first + (l->last - l->first) * (double)i / (double)(l->n - 1);
    if (energy)
        memcpy(energy, l->energy, l->n * sizeof *energy);
    if (mark)
        memcpy(mark, l->mark, l->marks * sizeof *mark);
}
