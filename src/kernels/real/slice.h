/* Slice sampling along a curve through the state, for all lanes at once. Shared
 * by `slice`, `slice_direction` and `elliptical_slice`.
 *
 *   level     log p(x) + log u, u ~ U(0, 1): a point with log p of at least
 *             this level is in the slice
 *   bracket   low < 0 < high, points t of the curve; t = 0 is x
 *   stepping  while the end at low is in the slice, low -= width, at most
 *   out       `left` times; then the same at high, at most `right` times
 *   shrinking t is uniform on the bracket; if it is in the slice it is the new
 *             state, otherwise the end on its side of 0 becomes t
 *
 * Neal, "Slice sampling" (2003), section 4, figures 3 and 5; Murray, Adams and
 * MacKay, "Elliptical slice sampling" (2010), figure 2, which compares log p
 * minus the log density of a Gaussian, `base`, instead of log p.
 *
 * Lanes need different numbers of evaluations. Each lane requests one point at
 * a time, and all requested points are evaluated together. A lane that has
 * finished a curve continues with its next curve. After its last curve a lane
 * waits for the others and is no longer evaluated. Trial k of a step is one
 * evaluation of the block, for all lanes that take part in it. In trial k, each
 * lane shrinks with random number k of its own stream. No lane therefore
 * depends on the other lanes.
 *
 * A point where log p is NaN is outside the slice, and counts as a
 * rejection. */
#pragma once

#include "kernel/lanes.h"

#include <math.h>
#include <string.h>

/* Next request of a lane: the end at low, the end at high, a point between the
 * ends, or nothing. */
enum { CS_SLICE_LEFT, CS_SLICE_RIGHT, CS_SLICE_SHRINK, CS_SLICE_DONE };

enum {
    CS_SLICE_BATCH = 16 /* number of random numbers for shrinking that are drawn
                           together */
};

typedef struct cs_slice cs_slice;

/* Functions by which a kernel defines its curves. */
typedef struct cs_slice_curve {
    /* Sets y to the points `at` of the curves. Sets `still` in lanes where the
     * point is x itself. Sets `base` unless `base` is always 0. In lanes that
     * have finished, y = x. */
    void (*lay)(cs_slice *s);
    /* Sets the bracket and the first point of lane l, on the curve with index
     * number[l]. */
    void (*bracket)(cs_slice *s, size_t l);
    /* Sets x of lane l to y. */
    void (*keep)(cs_slice *s, size_t l);
} cs_slice_curve;

/* State of one step. Rows are [lanes], one number per lane. */
struct cs_slice {
    cs_move *m;
    const cs_slice_curve *curve;
    size_t curves;         /* number of curves per step, one after another */
    size_t trial;          /* number of evaluations of the block so far */
    double *y, *met;       /* [dim][lanes]; met: a point where log p was NaN or
                              HUGE_VAL */
    double *before;        /* [dim][lanes] states before the step */
    double *log_u, *place; /* log_u[curves][lanes]: log uniforms for the level;
                              place[2 curves][lanes]: uniforms for the
                              bracket */
    double *uniform;       /* [CS_SLICE_BATCH][lanes] uniforms for shrinking */
    double *at, *low, *high, *width; /* at: current point; low, high: bracket;
                                      * width: width of one step out; all in
                                      * units of t */
    double *left, *right;            /* left, right: numbers of outward steps
                                      * that remain at the low end and at the
                                      * high end */
    double *level, *base, *logp, *phase, *number, *asked;
    double *own;                     /* scratch of the kernel itself */
    bool *rest, *asks, *still, *odd; /* [lanes] masks; odd: a point with invalid
                                        log p was evaluated */
    bool *moves;                     /* [lanes] mask: x changes in this trial */
};

enum { CS_SLICE_ROWS = 12, CS_SLICE_MASKS = 1 };

/* Returns the scratch size in doubles per lane, including `own` doubles per
 * lane for the kernel itself. */
static inline size_t cs_slice_words(size_t dim, size_t curves, size_t own)
{
    return 3 * dim + 3 * curves + CS_SLICE_BATCH + CS_SLICE_ROWS +
           CS_SLICE_MASKS + own;
}

static inline double *cs_slice_take(const cs_move *m, double **at, size_t rows)
{
    double *row = *at;
    *at += rows * m->lanes;
    return row;
}

/* Places the arrays in the scratch for `curves` curves per step. */
static inline void cs_slice_open(cs_slice *s, cs_move *m,
                                 const cs_slice_curve *curve, size_t curves)
{
    double *at = m->scratch;
    *s = (cs_slice){.m = m, .curve = curve, .curves = curves};
    s->y = cs_slice_take(m, &at, m->dim);
    s->met = cs_slice_take(m, &at, m->dim);
    s->before = cs_slice_take(m, &at, m->dim);
    s->log_u = cs_slice_take(m, &at, curves);
    s->place = cs_slice_take(m, &at, 2 * curves);
    s->uniform = cs_slice_take(m, &at, CS_SLICE_BATCH);
    double **const row[CS_SLICE_ROWS] = {
        &s->at,    &s->low,  &s->high, &s->width, &s->left,   &s->right,
        &s->level, &s->base, &s->logp, &s->phase, &s->number, &s->asked};
    for (size_t k = 0; k < CS_SLICE_ROWS; k++)
        *row[k] = cs_slice_take(m, &at, 1);
    s->rest = (bool *)(void *)cs_slice_take(m, &at, CS_SLICE_MASKS);
    s->asks = s->rest + m->lanes;
    s->still = s->asks + m->lanes;
    s->odd = s->still + m->lanes;
    s->moves = s->odd + m->lanes;
    s->own = at;
}

/* ---- one lane ------------------------------------------------------------ */

static inline void cs_slice_shrink(cs_slice *s, size_t l)
{
    double u = s->uniform[s->trial % CS_SLICE_BATCH * s->m->lanes + l];
    s->at[l] = s->low[l] + u * (s->high[l] - s->low[l]);
    s->phase[l] = CS_SLICE_SHRINK;
}

/* Requests a point for lane l: the next end that may step out or, if neither
 * may, a point between the ends. */
static inline void cs_slice_ask(cs_slice *s, size_t l)
{
    if (s->left[l] > 0) {
        s->phase[l] = CS_SLICE_LEFT;
        s->at[l] = s->low[l];
    } else if (s->right[l] > 0) {
        s->phase[l] = CS_SLICE_RIGHT;
        s->at[l] = s->high[l];
    } else {
        cs_slice_shrink(s, l);
    }
}

/* Implements the usual part of `bracket`. Places a bracket of one width at
 * random around x, and divides `most` steps out between the two sides at
 * random. */
static inline void cs_slice_place(cs_slice *s, size_t l, double width,
                                  double most)
{
    size_t n = s->m->lanes, row = 2 * (size_t)s->number[l] * n + l;
    s->width[l] = width;
    s->low[l] = -width * s->place[row];
    s->high[l] = s->low[l] + width;
    s->left[l] = fmin(floor((most + 1) * s->place[row + n]), most);
    s->right[l] = most - s->left[l];
    cs_slice_ask(s, l);
}

static inline void cs_slice_begin(cs_slice *s, size_t l)
{
    size_t k = (size_t)s->number[l];
    s->at[l] = 0;
    s->phase[l] = CS_SLICE_DONE;
    if (k == s->curves || s->m->failed[l])
        return;
    s->level[l] = s->m->info.logp[l] + s->log_u[k * s->m->lanes + l];
    s->curve->bracket(s, l);
}

/* Restores lane l to its state before the step, when its chain fails. */
static inline void cs_slice_go_back(cs_slice *s, size_t l)
{
    cs_move *m = s->m;
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        m->x[at] = s->before[at];
    m->info.logp[l] = m->info.logp_change[l];
    m->info.moved[l] = false;
}

/* Handles a point whose log p is NaN or HUGE_VAL. The chain fails if log p is
 * HUGE_VAL; it also fails for a NaN in strict mode, or if the NaN marks a
 * broken density. Returns true if the chain fails. */
static inline bool cs_slice_meet(cs_slice *s, size_t l)
{
    cs_move *m = s->m;
    s->odd[l] = true;
    m->info.logp_proposal[l] = s->logp[l];
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        s->met[at] = s->y[at];
    m->failed[l] = !isnan(s->logp[l]);
    bool ends = m->failed[l] || m->strict || cs_is_broken(s->logp[l]);
    if (ends)
        cs_slice_go_back(s, l);
    return ends;
}

/* Ends the curve: moves x to y, and starts the next curve. */
static inline void cs_slice_end(cs_slice *s, size_t l)
{
    if (!s->still[l]) {
        s->curve->keep(s, l);
        s->m->info.logp[l] = s->logp[l];
        s->m->info.moved[l] = s->moves[l] = true;
    }
    s->number[l]++;
    cs_slice_begin(s, l);
}

static inline void cs_slice_step_out(cs_slice *s, size_t l, bool inside)
{
    bool is_left = s->phase[l] == CS_SLICE_LEFT;
    double *end = is_left ? s->low : s->high;
    double *steps = is_left ? s->left : s->right;
    double width = is_left ? -s->width[l] : s->width[l];
    end[l] += inside ? width : 0;
    steps[l] = inside ? steps[l] - 1 : 0;
    cs_slice_ask(s, l);
}

/* Updates the bracket of lane l, given log p at the current point of the
 * lane. */
static inline void cs_slice_answer(cs_slice *s, size_t l)
{
    double logp = s->logp[l];
    bool inside = logp - s->base[l] >= s->level[l] && logp > -HUGE_VAL;
    s->asked[l]++;
    if (!(logp < HUGE_VAL) && cs_slice_meet(s, l))
        s->phase[l] = CS_SLICE_DONE;
    else if (s->phase[l] != CS_SLICE_SHRINK)
        cs_slice_step_out(s, l, inside);
    else if (inside || s->still[l])
        cs_slice_end(s, l);
    else {
        (s->at[l] < 0 ? s->low : s->high)[l] = s->at[l];
        cs_slice_shrink(s, l);
    }
}

/* ---- the block ----------------------------------------------------------- */

/* Draws the random numbers of CS_SLICE_BATCH trials from the current trial
 * on. */
static inline void cs_slice_draw(cs_slice *s)
{
    cs_streams streams = s->m->streams;
    streams.skip = s->trial;
    cs_fill_uniform(&streams, CS_FOR_PROPOSAL, CS_SLICE_BATCH, s->uniform);
}

static inline void cs_slice_start(cs_slice *s)
{
    cs_move *m = s->m;
    size_t n = m->lanes;
    cs_fill_log_uniform(&m->streams, CS_FOR_ACCEPT, s->curves, s->log_u);
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, 2 * s->curves, s->place);
    cs_slice_draw(s);
    memcpy(m->info.logp_change, m->info.logp, n * sizeof *m->info.logp);
    memcpy(s->y, m->x, m->dim * n * sizeof *m->x);
    memcpy(s->before, m->x, m->dim * n * sizeof *m->x);
    for (size_t l = 0; l < n; l++) {
        m->info.moved[l] = s->odd[l] = s->still[l] = false;
        s->number[l] = s->asked[l] = s->base[l] = 0;
        cs_slice_begin(s, l);
    }
}

/* Marks the lanes that request a point. Returns false if all lanes have
 * finished. */
static inline bool cs_slice_asks(cs_slice *s)
{
    bool any = false;
    for (size_t l = 0; l < s->m->lanes; l++) {
        s->asks[l] = s->phase[l] != CS_SLICE_DONE;
        s->rest[l] = !s->asks[l];
        s->moves[l] = false;
        any |= s->asks[l];
    }
    return any;
}

static inline void cs_slice_trial(cs_slice *s)
{
    cs_eval *e = s->m->eval;
    cs_eval_ask(e, s->asks);
    s->curve->lay(s);
    cs_eval_log_density(e, CS_NEXT, s->y, s->logp);
    s->trial++;
    if (s->trial % CS_SLICE_BATCH == 0)
        cs_slice_draw(s);
    for (size_t l = 0; l < s->m->lanes; l++)
        if (s->asks[l])
            cs_slice_answer(s, l);
    if (cs_eval_follows(e))
        cs_eval_accept(e, s->moves);
}

/* Fills info. If an invalid point was evaluated, it becomes the proposal;
 * otherwise the new state is the proposal. */
static inline void cs_slice_close(cs_slice *s)
{
    cs_info *i = &s->m->info;
    size_t n = s->m->lanes;
    i->proposal = s->met;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vi odd = cs_load_bool(s->odd + l);
        cs_vd logp = cs_load(i->logp + l), met = cs_load(i->logp_proposal + l);
        met = cs_vselect(odd, met, logp);
        cs_store(i->logp_proposal + l, met);
        cs_store(i->logp_change + l, logp - cs_load(i->logp_change + l));
        cs_store(i->log_ratio + l, cs_vselect(met != met, met, cs_vset(0)));
        cs_store(i->log_q_forward + l, cs_vset(0));
        cs_store(i->log_q_back + l, cs_vset(0));
        cs_store(i->log_uniform + l, cs_vset(0));
        cs_store_bool(i->accepted + l, ~odd);
        cs_store(i->stat + l, cs_load(s->asked + l));
        for (size_t at = l; at < s->m->dim * n; at += n)
            cs_store(s->met + at, cs_vselect(odd, cs_load(s->met + at),
                                             cs_load(s->m->x + at)));
    }
}

/* Makes one step of all lanes. Before the call, the kernel must place the
 * arrays in the scratch and fill its own part. */
static inline void cs_slice_step(cs_slice *s)
{
    cs_eval *e = s->m->eval;
    const bool *failed = e->failed;
    cs_slice_start(s);
    e->failed = s->rest;
    while (cs_slice_asks(s))
        cs_slice_trial(s);
    cs_eval_ask(e, NULL);
    e->failed = failed;
    cs_slice_close(s);
}

/* Implements `keep` for a curve along which all coordinates change. */
static inline void cs_slice_keep_all(cs_slice *s, size_t l)
{
    for (size_t at = l; at < s->m->dim * s->m->lanes; at += s->m->lanes)
        s->m->x[at] = s->y[at];
}

/* ---- tables of the kernels ----------------------------------------------- */

#define CS_SLICE_WIDTH(of_what)                                                \
    {                                                                          \
        .name = "width", .flags = CS_PARAM_LOG | CS_PARAM_SIZE, .min = 1e-12,  \
        .max = 1e100, .def = 1,                                                \
        .help = "first width " of_what                                         \
                "; each step that extends the bracket has this length",        \
        .ref = "Neal 2003, figure 3",                                          \
    }

#define CS_SLICE_STEPS_OUT                                                     \
    {                                                                          \
        .name = "max_steps_out", .unit = "evaluations", .kind = CS_PARAM_INT,  \
        .min = 0, .max = 1e6, .def = 100,                                      \
        .help =                                                                \
            "maximum number of steps by which the bracket is extended, for "   \
            "both sides together",                                             \
        .ref = "Neal 2003, figure 3: m - 1",                                   \
    }

/* Names of the columns that these kernels add to the draws. */
static const char *const cs_slice_stats[] = {"n_evaluations__", NULL};
