/* Previews the next step: makes it on a copy of the chain, and repeats it with
 * other step sizes. If the random numbers are the same, the proposal is
 *
 *     y(s) = x + s^2 A + s B,
 *
 * where s is the step size, or the square root of the rate. Two values of s
 * determine the drift s^2 A and the noise s B; three values are needed if a
 * velocity also moves the chain. */
#include "run/preview/step_preview.h"

#include "base/memory.h"
#include "kernels/formula.h"
#include "run/arms/run_state.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/run_timeline.h"
#include "run/preview/site_odds.h"
#include "run/preview/swaps.h"
#include "run/tuning/tune.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

/* The chain whose step is previewed. If the run went back to a step with
 * changes, the changes are made before the step, on copies. */
typedef struct subject {
    cs_run *run;
    size_t chain;
    const cs_arm *was;
    cs_arm arm;      /* arm after the changes; unchanged parts are shared */
    cs_block *block; /* the only block of `arm`: a copy of the chain */
    size_t changes;  /* number of changes */
} subject;

static void close_subject(subject *q)
{
    cs_arm_part_plan(&q->arm);
    cs_metric_let_go(q->arm.metric);
}

static void open_subject(subject *q)
{
    q->arm = *q->was;
    q->arm.held = NULL;
    q->arm.metric = cs_metric_hold(q->was->metric);
    q->arm.block = &q->block;
    q->arm.n_blocks = 1;
    q->changes = 0;
}

/* Makes a change of the arm. A new kernel gets no memory for exchanges, which
 * the preview does not need. */
static bool change(subject *q, const cs_change *c, const cs_redo *how)
{
    if (how->kind == CHANGED_STATE)
        return cs_block_place(q->block, 0, how->x, NULL) == CS_OK;
    if (how->kind != CHANGED_KERNEL)
        return cs_change_arm(&q->arm, c, how, NULL) == CS_OK;
    if (cs_block_reserve(q->block, &how->kernel, NULL) != CS_OK)
        return false;
    cs_arm_go_on(&q->arm, &how->kernel, how->plan);
    return true;
}

/* Makes all changes. Returns false if a change fails or would end a running
 * tuner. */
static bool change_all(subject *q)
{
    const cs_run *r = q->run;
    const cs_tuning *g = q->was->tuning;
    size_t arm = (size_t)(q->was - r->arm), i = r->timeline->n;
    for (; i < r->timeline->n_all && r->timeline->journal[i].step <= r->steps;
         i++) {
        const cs_redo *how = &r->timeline->redo[i];
        if (r->timeline->journal[i].arm != arm ||
            (how->kind == CHANGED_STATE && how->chain != q->chain))
            continue;
        q->changes++;
        if ((g && g->active) || !change(q, &r->timeline->journal[i], how))
            return false;
    }
    return true;
}

/* Copies the chain as it is just before the step; NULL: unknown. */
static cs_block *copy_of(subject *q)
{
    close_subject(q);
    open_subject(q);
    q->block = cs_run_copy(q->run, q->was, q->chain);
    if (!q->block)
        return NULL;
    q->block->kernel = &q->arm.kernel;
    if (change_all(q))
        return q->block;
    cs_block_destroy(q->block);
    return NULL;
}

enum { NONE = -1 };

/* Makes one step of a copy of the chain with a given value of parameter k
 * (NONE: unchanged) and records it in `notes` (or NULL). Returns NULL if the
 * step failed. */
static cs_block *step_of(subject *q, int k, double value, cs_step_trace *notes)
{
    double values[CS_DRIVEN_ROWS];
    cs_driven driven = {.n = 0, .value = values};
    cs_block *b = copy_of(q);
    cs_arm *a = &q->arm;
    if (!b || cs_arm_fill(a, a->steps + 1, 1) != 1) {
        cs_block_destroy(b);
        return NULL;
    }
    for (size_t i = 0; i < a->round.driven.n; i++)
        if ((int)a->round.driven.param[i] != k) {
            driven.param[driven.n] = a->round.driven.param[i];
            values[driven.n++] = a->round.driven.value[i];
        }
    if (k != NONE) {
        driven.param[driven.n] = (size_t)k;
        values[driven.n++] = value;
    }
    b->eval.watch = notes ? &notes->watch : NULL;
    cs_block_run(b, &driven, 1, NULL);
    b->eval.watch = NULL;
    return b;
}

/* Copies the proposal of lane 0. Returns false if the kernel proposes
 * nothing. */
static bool proposal_of(const cs_block *b, double *y)
{
    const double *from = b->move.info.proposal;
    for (size_t d = 0; from && d < b->move.dim; d++)
        y[d] = from[d * b->lanes];
    return from != NULL;
}

/* ---- drift and noise ----------------------------------------------------- */

static int scale_of(const cs_arm *a, const cs_formula *f, double *root)
{
    const cs_kernel_type *t = a->kernel.type;
    *root = f && f->scale && strcmp(f->scale, "rate") == 0 ? 2 : 1;
    return f && f->scale ? cs_param_find(t->params, t->n_params, f->scale)
                         : NONE;
}

/* Computes the proposal of the step with another value of the parameter.
 * Returns false if this proposal is unknown. */
static bool lead_of(subject *q, int k, double value, double *y)
{
    cs_block *b = step_of(q, k, value, NULL);
    bool known = b && proposal_of(b, y);
    cs_block_destroy(b);
    return known;
}

/* Computes noise and drift from y(s) = x + s^2 A + s B at s and s / 2:
 * s B = 4 y(s / 2) - y(s) - 3 x. */
static void part_two(const cs_step_preview *c, const double *half)
{
    for (size_t d = 0; d < c->dim; d++) {
        c->noise[d] = 4 * half[d] - c->y[d] - 3 * c->x[d];
        c->drift[d] = c->y[d] - c->x[d] - c->noise[d];
    }
}

/* Computes noise, drift and the contribution P of the velocity from
 * y = x + P + s^2 A + s B at s^2, s^2 / 2 and s^2 / 4. Let y(f) be the value at
 * f s^2; P cancels in differences:
 * [y(1) - y(1/2)] - 2 [y(1/2) - y(1/4)] = (2 - 3 / sqrt 2) s B. */
static void part_three(const cs_step_preview *c, const double *half,
                       const double *quarter)
{
    const double by = 2 - 3 / sqrt(2);
    for (size_t d = 0; d < c->dim; d++) {
        double first = c->y[d] - half[d], second = half[d] - quarter[d];
        c->noise[d] = (first - 2 * second) / by;
        c->drift[d] = 2 * (first - (1 - sqrt(0.5)) * c->noise[d]);
        c->carried[d] = c->y[d] - c->x[d] - c->drift[d] - c->noise[d];
    }
}

static void find_drift(subject *q, int k, double root, double value,
                       bool carried, cs_step_preview *out)
{
    size_t n = out->dim;
    double *part = cs_alloc(5 * n, sizeof *part);
    double *half = part + 3 * n, *quarter = half + n;
    double least = carried ? 0.5 : pow(0.5, root);
    if (!part || !lead_of(q, k, value * least, half) ||
        (carried && !lead_of(q, k, value / 4, quarter))) {
        cs_free(part);
        return;
    }
    out->drift = part;
    out->noise = part + n;
    out->carried = carried ? part + 2 * n : NULL;
    if (carried)
        part_three(out, half, quarter);
    else
        part_two(out, half);
}

/* ---- signs --------------------------------------------------------------- */

/* Reads the gradient from the start of the kernel's memory. With a metric this
 * gradient is in other coordinates, so it is not used. */
static void find_slope(const cs_block *before, cs_step_preview *out)
{
    double *to = before->move.metric ? NULL : cs_alloc(out->dim, sizeof *to);
    for (size_t d = 0; to && d < out->dim; d++)
        to[d] = before->move.memory[d * before->lanes];
    out->slope = to;
}

/* ---- step trace ---------------------------------------------------------- */

static bool open_notes(cs_step_preview *c)
{
    cs_step_trace *n = &c->notes;
    n->row = cs_alloc(CS_PREVIEW_ROWS, sizeof *n->row);
    n->swap = cs_alloc(CS_PREVIEW_SWAPS, sizeof *n->swap);
    n->slope = cs_alloc(c->dim, sizeof *n->slope);
    n->row_capacity = n->row ? CS_PREVIEW_ROWS : 0;
    n->swap_capacity = n->swap ? CS_PREVIEW_SWAPS : 0;
    return n->row && n->swap && n->slope;
}

/* Reads the step trace recorded by the kernel. The swaps are computed
 * separately, by cs_run_swaps. */
static void take_notes(cs_run *r, size_t arm, size_t chain,
                       cs_step_preview *out)
{
    cs_step_trace *n = &out->notes;
    if (n->has_slope) {
        out->slope = n->slope;
        n->slope = NULL;
    }
    if (isnan(out->rows) && n->rows > 0)
        out->rows = (double)n->rows;
    cs_step_trace swaps = {.swap = n->swap, .swap_capacity = n->swap_capacity};
    cs_run_swaps(r, arm, chain, &swaps, &out->swap_step, &out->swap_within);
    n->swaps = swaps.swaps;
}

/* ---- other step sizes ---------------------------------------------------- */

/* Returns the parameter that sets the size of the kernel's moves on a space, or
 * NONE. */
static int size_of_moves(const cs_kernel_type *t, const cs_space *space)
{
    for (size_t i = 0; i < t->n_params; i++) {
        const cs_param *row = &t->params[i];
        bool acts = !row->spaces || (row->spaces & (unsigned)space->kind);
        if (acts && (row->flags & CS_PARAM_SIZE) &&
            !(row->flags & CS_PARAM_FIXED))
            return (int)i;
    }
    return NONE;
}

/* Returns the distance between the state x[dim] and the state that lane 0
 * proposes. If lane 0 has proposed nothing, uses its new state. */
static double distance_from(const double *x, const cs_block *b)
{
    double sum = 0;
    size_t n = b->move.dim;
    double *y = cs_alloc(n, sizeof *y);
    if (!y)
        return (double)NAN;
    if (!proposal_of(b, y))
        cs_block_state(b, 0, y);
    for (size_t d = 0; d < n; d++)
        sum += (y[d] - x[d]) * (y[d] - x[d]);
    cs_free(y);
    return sqrt(sum);
}

static void find_others(subject *q, int k, double value, cs_step_preview *out)
{
    static const double factor[CS_PREVIEW_OTHERS] = {0.25, 0.5, 1, 2, 4};
    const cs_kernel_type *t = q->arm.kernel.type;
    const cs_param *row = &t->params[k];
    bool accepts = t->flags & CS_KERNEL_ACCEPTS;
    double last = NAN;
    if (!(value > 0))
        return;
    out->scaled = row->name;
    for (size_t i = 0; i < CS_PREVIEW_OTHERS; i++) {
        double as = factor[i] * value;
        as = row->kind == CS_PARAM_REAL ? as : round(as);
        bool fits = as >= row->min && as <= row->max && as != last;
        cs_block *b = fits ? step_of(q, k, as, NULL) : NULL;
        if (b && b->failed[0] == 0) {
            last = as;
            out->other[out->n_others++] = (cs_other_step){
                factor[i], as,
                accepts ? b->move.info.log_ratio[0] : (double)NAN,
                distance_from(out->x, b)};
        }
        cs_block_destroy(b);
    }
}

/* ---- coupled auxiliary variables ----------------------------------------- */

/* Returns -|x - a|^2 / (2 variance). a has one number per coordinate, or one
 * number for each value of each site. In the second case a site of x is
 * represented by the number 1 for its value and 0 for all other values. */
static double coupling(const cs_space *s, const double *x, const double *a,
                       size_t rows, double variance)
{
    double sum = 0;
    size_t values = rows / s->dim;
    for (size_t i = 0; i < rows; i++) {
        double at =
            values == 1 ? x[i] : x[i / values] == s->low + (double)(i % values);
        sum += (at - a[i]) * (at - a[i]);
    }
    return -0.5 * sum / variance;
}

static void find_coupled(const cs_arm *a, const cs_space *space,
                         const cs_block *b, const cs_formula *f,
                         const cs_step_ends *q, cs_step_preview *out)
{
    const cs_kernel_type *t = a->kernel.type;
    int k = f && f->coupled ? cs_param_find(t->params, t->n_params, f->coupled)
                            : NONE;
    if (k < 0 || !q->aux || q->aux % space->dim)
        return;
    double variance = b->param[(size_t)k * b->lanes];
    out->coupled = coupling(space, q->x, q->x + space->dim, q->aux, variance);
    out->coupled_there =
        coupling(space, q->y, q->y + space->dim, q->aux, variance);
}

/* ---- preview ------------------------------------------------------------- */

/* Copies rows of auxiliary variables, present or proposed, of lane 0. */
static void take_aux(const cs_block *b, const double *rows, size_t n,
                     double *to)
{
    for (size_t i = 0; rows && i < n; i++)
        to[i] = rows[i * b->lanes];
}

static void look_at(subject *s, const cs_block *before, cs_block *b,
                    cs_step_preview *out)
{
    const cs_arm *a = &s->arm;
    const cs_space *space = &s->run->target->space;
    const cs_formula *f = cs_formula_of(a->kernel.type->name, NULL);
    size_t n = out->dim, aux = b->aux_rows;
    double *scratch = cs_alloc(2 * (n + aux), sizeof *scratch), root;
    if (!scratch)
        return;
    cs_step_ends q = {.aux = aux, .x = scratch, .y = scratch + n + aux};
    memcpy(q.x, out->x, n * sizeof *q.x);
    memcpy(q.y, out->y, n * sizeof *q.y);
    take_aux(before, before->aux, aux, q.x + n);
    memcpy(q.y + n, q.x + n, aux * sizeof *q.y);
    take_aux(b, b->move.info.aux_proposal, aux, q.y + n);
    find_coupled(a, space, b, f, &q, out);
    bool scored = f && (!f->ratio || f->back);
    if (scored && cs_space_is_discrete(space))
        out->site = cs_site_odds_find(before, b, &q, &out->odds);
    int k = scale_of(a, f, &root);
    if (k >= 0)
        find_drift(s, k, root, b->param[(size_t)k * b->lanes], f->carried, out);
    if (f && f->turned)
        find_slope(before, out);
    if (b->stat.rows_drawn)
        out->rows = b->stat.rows_drawn[0];
    if (b->stat.rows_kept)
        out->kept = b->stat.rows_kept[0];
    if (b->stat.multiplier)
        out->multiplier = b->stat.multiplier[0];
    cs_free(scratch);
}

static void look_on(subject *q, const cs_block *before, cs_block *b,
                    cs_step_preview *out)
{
    cs_run *r = q->run;
    const cs_kernel_type *t = q->arm.kernel.type;
    cs_block_state(before, 0, out->x);
    out->step = cs_decision_of(b, 0, b->failed[0]);
    out->kernel = t;
    out->changes = q->changes;
    out->y = out->x + out->dim;
    if (!proposal_of(b, out->y))
        out->y = NULL;
    else
        look_at(q, before, b, out);
    take_notes(r, (size_t)(q->was - r->arm), q->chain, out);
    int k = t->composes ? NONE : size_of_moves(t, &r->target->space);
    if (k != NONE)
        find_others(q, k, b->param[(size_t)k * b->lanes], out);
}

bool cs_run_preview(cs_run *r, size_t arm, size_t chain, cs_step_preview *out)
{
    subject q = {.run = r, .chain = chain, .was = &r->arm[arm]};
    size_t n = r->target->space.dim;
    const double nan = (double)NAN;
    *out = (cs_step_preview){.dim = n,
                             .rows = nan,
                             .kept = nan,
                             .multiplier = nan,
                             .coupled = nan,
                             .coupled_there = nan};
    cs_block *before = copy_of(&q);
    cs_block *b =
        before && open_notes(out) ? step_of(&q, NONE, 0, &out->notes) : NULL;
    out->x = b ? cs_alloc(2 * n, sizeof *out->x) : NULL;
    if (out->x)
        look_on(&q, before, b, out);
    cs_block_destroy(b);
    cs_block_destroy(before);
    close_subject(&q);
    return out->x != NULL;
}

/* ---- members ------------------------------------------------------------- */

bool cs_run_turns(cs_run *r, size_t arm, size_t chain, size_t coordinate,
                  cs_turns *out)
{
    subject q = {.run = r, .chain = chain, .was = &r->arm[arm]};
    const cs_kernel *k = &r->arm[arm].kernel;
    cs_step_trace notes = {.turns = out};
    *out = (cs_turns){.n = 0};
    if (!cs_composed_of(k) ||
        !cs_turns_begin(out, cs_composed_of(k), r->target->space.dim,
                        CS_PREVIEW_TURNS, coordinate))
        return false;
    cs_block *b = step_of(&q, NONE, 0, &notes);
    bool good = b && b->failed[0] == 0 && out->n > 0;
    cs_block_destroy(b);
    close_subject(&q);
    if (!good)
        cs_turns_end(out);
    return good;
}

void cs_step_preview_clear(cs_step_preview *c)
{
    CS_FREE_ALL(c->x, c->drift, c->slope, c->notes.row, c->notes.swap,
                c->notes.slope, c->site);
    *c = (cs_step_preview){0};
}
