/* Shared by kernels that follow an estimate of the gradient: from a batch of
 * the rows of data, or with added (declared) noise.
 *
 * Let log p(x) = prior(x) + sum_i term_i(x), with N rows i. With a batch B of n
 * rows,
 *
 *     g(x) = grad prior(x) + N/n sum_B grad term_i(x),
 *
 * and, with control variates at a fixed point c (Baker, Fearnhead, Fox and
 * Nemeth, "Control variates for stochastic gradient MCMC", 2019, section 3),
 *
 *     g(x) = grad prior(x) + sum_all grad term_i(c)
 *            + N/n sum_B [grad term_i(x) - grad term_i(c)].
 *
 * log p is estimated by the same sums over the terms. Without a batch, log p
 * and gradient are exact. In both cases `gradient_noise` times a standard
 * normal is added to each coordinate of the gradient.
 *
 * The gradient is estimated on arrival at a state, with the batch of that step,
 * and stored: a step costs one evaluation, which gives the gradient and log p
 * of the state. Declared noise is drawn when the gradient is used. A move out
 * of the support, or of the box low .. high, is rejected: the chain stays, and
 * its gradient is estimated again. The states of a chain that starts outside
 * the box are not draws until the chain enters the box. */
#pragma once

#include "kernel/accept.h"
#include "kernel/step_trace.h"
#include "kernels/real/batch.h"

#include <string.h>

/* Parameters of all kernels with a stochastic gradient, in this order. */
enum {
    CS_SG_RATE,
    CS_SG_BATCH,
    CS_SG_ORDER,
    CS_SG_CONTROL_VARIATES,
    CS_SG_GRADIENT_NOISE,
    CS_SG_WEIGHT,
    CS_SG_LOW,
    CS_SG_HIGH,
    CS_SG_PARAMS
};

/* Layout of the memory, in rows of the size of x: `next` rows that are computed
 * on arrival at a state (the gradient, then the kernel's own); `kept` rows that
 * change in each step, even if the chain does not move. With control variates,
 * these rows follow: the fixed point, the gradient of all terms there, and a
 * row with the sum of all terms there. */
typedef struct cs_sg_layout {
    size_t next, kept;
    bool batch_mean; /* true: the second `next` row is the mean gradient of the
                        batch's terms at the state; without rows of data, the
                        gradient */
} cs_sg_layout;

extern const char *const cs_sg_orders[];

#define CS_SG_ROWS(rate_help, rate_ref)                                        \
    [CS_SG_RATE] = {.name = "rate",                                            \
                    .flags = CS_PARAM_LOG | CS_PARAM_SIZE,                     \
                    .min = 1e-300,                                             \
                    .max = 1e100,                                              \
                    .def = 0.01,                                               \
                    .help = rate_help,                                         \
                    .ref = rate_ref},                                          \
    [CS_SG_BATCH] = {.name = "batch",                                          \
                     .unit = "rows",                                           \
                     .kind = CS_PARAM_INT,                                     \
                     .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED, \
                     .max = 1e9,                                               \
                     .help = "number of data rows used in each step; 0: "      \
                             "all rows"},                                      \
    [CS_SG_ORDER] =                                                            \
        {.name = "order",                                                      \
         .kind = CS_PARAM_CHOICE,                                              \
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                            \
         .max = CS_BATCH_WITH_REPLACEMENT,                                     \
         .choices = cs_sg_orders,                                              \
         .help =                                                               \
             "how batches are drawn. epochs: in epochs that use each row "     \
             "once; without_replacement, with_replacement: independently in "  \
             "each step"},                                                     \
    [CS_SG_CONTROL_VARIATES] =                                                 \
        {.name = "control_variates",                                           \
         .kind = CS_PARAM_BOOL,                                                \
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                            \
         .max = 1,                                                             \
         .help = "true: the batch estimates only the change of the "           \
                 "gradient since the initial state, so the chain should "      \
                 "start near the mode; each step evaluates every row of the "  \
                 "batch at two states",                                        \
         .ref = "Baker et al. 2019, section 3"},                               \
    [CS_SG_GRADIENT_NOISE] =                                                   \
        {.name = "gradient_noise",                                             \
         .flags = CS_PARAM_LOG,                                                \
         .max = 1e100,                                                         \
         .help = "standard deviation of the normal noise that is added to "    \
                 "each coordinate of the gradient",                            \
         .ref = "Deng, Lin and Liang 2020, section 4.1"},                      \
    [CS_SG_WEIGHT] = {.name = "weight",                                        \
                      .flags = CS_PARAM_LOG,                                   \
                      .max = 1e300,                                            \
                      .def = 1,                                                \
                      .help =                                                  \
                          "weight of each draw. With a schedule `stage`, "     \
                          "draws from the exploration part of a cycle have "   \
                          "weight 0. The same schedule as for the rate "       \
                          "gives the weights of Welling and Teh",              \
                      .ref = "Zhang et al. 2020, Algorithm 1; Welling and "    \
                             "Teh 2011, section 3"},                           \
    [CS_SG_LOW] = {.name = "low",                                              \
                   .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                  \
                   .min = -1e300,                                              \
                   .max = 1e300,                                               \
                   .help =                                                     \
                       "lower bound of every coordinate; a move that takes a " \
                       "coordinate below this bound is rejected"},             \
    [CS_SG_HIGH] = {.name = "high",                                            \
                    .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                 \
                    .min = -1e300,                                             \
                    .max = 1e300,                                              \
                    .help = "upper bound of every coordinate; a move that "    \
                            "takes a coordinate above this bound is "          \
                            "rejected. If only one of `low` and `high` is "    \
                            "given, the other side is unbounded; if `low` "    \
                            "and `high` are equal, there are no bounds"}

/* ---- functions for the kernel's table ------------------------------------ */

size_t cs_sg_memory_words(const cs_target *t, const double *values,
                          cs_sg_layout layout);
size_t cs_sg_scratch_words(const cs_target *t, const double *values,
                           cs_sg_layout layout);
cs_status cs_sg_check(const char *kernel, const cs_target *t,
                      const double *values, cs_error *err);
cs_logp_kind cs_sg_logp(const cs_target *t, const double *values);
/* Implements `arrange`. If only one end of the box `low` .. `high` is given,
 * the box is open on the other side. */
cs_status cs_sg_arrange(const cs_value *given, double *values, cs_error *err);
void cs_sg_explain(const cs_reason *why, char *text, size_t size);
/* Flags and other members that the types of these kernels share. */
#define CS_SG_FLAGS (CS_KERNEL_GRADIENT | CS_KERNEL_WEIGHS | CS_KERNEL_PARTS)
#define CS_SG_MEMBERS                                                          \
    .spaces = CS_CONTINUOUS, .arrange = cs_sg_arrange, .logp = cs_sg_logp,     \
    .explain = cs_sg_explain
/* Fills the output members of `at` for a step of `rate` times the gradient,
 * with noise at temperature `heat`. */
bool cs_sg_noise_of_step(const cs_noise *at, cs_sg_layout layout, double rate,
                         double heat);
/* Fills the output members of `at` for a step along the metric at temperature
 * `heat`. The members are the covariance S C S, and the variances of L z. */
bool cs_sg_noise_along(const cs_noise *at, cs_sg_layout layout, double rate,
                       double heat);

/* Reasons why a chain failed. Each defines the meaning of `row`, `value` and
 * `bound` in cs_reason. */
enum {
    CS_SG_STATE = 1, /* a coordinate is not finite. row: index of the
                      * coordinate; value: its value */
    CS_SG_RUNAWAY,   /* a coordinate is beyond `bound`; row and value as for
                        CS_SG_STATE */
    CS_SG_GRADIENT,  /* an element of the gradient is not finite; row and value
                        as for CS_SG_STATE */
    CS_SG_FRICTION   /* the friction `value` is less than `bound` */
};

/* Returns the number of rows of data in a batch; 0 means that there is no batch
 * and the target's own gradient, over all rows, is used. */
static inline size_t cs_sg_rows(const cs_target *t, const double *values)
{
    double n = values[CS_SG_BATCH];
    bool all = n >= (double)t->n_rows &&
               values[CS_SG_ORDER] != CS_BATCH_WITH_REPLACEMENT;
    return t->n_rows && !all ? (size_t)n : 0;
}

/* ---- one step, performance-critical -------------------------------------- */

typedef struct cs_sg_step {
    cs_sg_layout layout;
    size_t n; /* number of rows in a batch; 0: all rows are used */
    bool control;
    double low, high; /* ends of the box; low = high: no box */
    double *y;        /* [dim][lanes] the new state */
    double *next;     /* [layout.next * dim][lanes] the `next` rows at the new
                         state */
    double *noise;    /* [dim][lanes] normals of the declared noise; later
                         overwritten */
    double *logp;     /* [1][lanes] scratch for log p */
    bool *mask;       /* [lanes] scratch for a mask */
    double *scratch;  /* scratch for drawing the rows of the batch */
    double *term;     /* [n * live] terms of the batch: see cs_sg_estimate */
    double *at_point; /* [n * live] terms at the fixed point, with control
                         variates */
    cs_batch batch;   /* the batch, if n > 0 */
} cs_sg_step;

static inline cs_sg_step cs_sg_step_of(cs_move *m, cs_sg_layout layout)
{
    double values[CS_SG_PARAMS], *at = m->scratch;
    size_t rows = m->dim * m->lanes;
    for (size_t k = 0; k < CS_SG_PARAMS; k++)
        values[k] = cs_move_param(m, k)[0];
    cs_sg_step s = {.layout = layout};
    s.n = cs_sg_rows(m->eval->target, values);
    s.control = s.n && values[CS_SG_CONTROL_VARIATES] != 0;
    s.low = values[CS_SG_LOW];
    s.high = values[CS_SG_HIGH];
    s.y = at;
    s.noise = s.y + rows;
    s.next = s.noise + rows;
    s.logp = s.next + layout.next * rows;
    s.mask = (bool *)(void *)(s.logp + m->lanes);
    s.scratch = s.logp + 2 * m->lanes;
    s.term = s.scratch + cs_batch_words(s.n) * m->lanes;
    s.at_point = s.term + s.n * m->lanes;
    return s;
}

/* Returns the kernel's own scratch, which follows the common part. */
static inline double *cs_sg_own_scratch(const cs_move *m, const cs_sg_step *s)
{
    return s->at_point + (s->control ? s->n : 0) * m->lanes;
}

/* Returns the fixed point of control variates, [dim][lanes]. In memory it is
 * followed by the gradient of all terms at the point and the sum of these
 * terms. */
static inline double *cs_sg_point(const cs_move *m, const cs_sg_step *s)
{
    return m->memory + (s->layout.next + s->layout.kept) * m->dim * m->lanes;
}

/* Drops the batch's rows in lanes that are not marked in `wanted`. */
static inline void cs_sg_keep_lanes(const cs_move *m, cs_sg_step *s,
                                    const bool *wanted)
{
    uint32_t *row = (uint32_t *)(void *)s->scratch;
    size_t *first = (size_t *)(void *)(s->scratch + (s->n / 2 + 1) * m->lanes);
    size_t used = 0;
    for (size_t l = 0; l < m->live; l++) {
        size_t from = first[l], n = first[l + 1] - from;
        first[l] = used;
        if (!wanted[l])
            continue;
        memmove(row + used, row + from, n * sizeof *row);
        used += n;
    }
    first[m->live] = used;
}

/* For each chain that has not failed, draws a batch and prefetches the rows of
 * the batch. */
static inline void cs_sg_draw(cs_move *m, cs_sg_step *s)
{
    if (s->n == 0)
        return;
    bool failed = false;
    s->batch = cs_batch_draw(
        m, (cs_batch_order)cs_move_param(m, CS_SG_ORDER)[0], s->n, s->scratch);
    for (size_t l = 0; l < m->live; l++) {
        s->mask[l] = !m->failed[l];
        failed |= m->failed[l];
    }
    if (failed)
        cs_sg_keep_lanes(m, s, s->mask);
    cs_eval_fetch(m->eval, s->batch.row, s->batch.first[m->live]);
}

/* Sums the terms. Adds eight terms at a time for every vector width, so that
 * all instruction sets give equal bits. */
static inline double cs_sg_sum(const double *term, size_t n)
{
    cs_vd sum[CS_PAD / CS_VECTOR];
    double rest = 0;
    size_t i = 0;
    for (size_t p = 0; p < CS_PAD / CS_VECTOR; p++)
        sum[p] = cs_vset(0);
    for (; i + CS_PAD <= n; i += CS_PAD)
        for (size_t p = 0; p < CS_PAD / CS_VECTOR; p++) {
            cs_vd some;
            memcpy(&some, term + i + p * CS_VECTOR, sizeof some);
            sum[p] += some;
        }
    for (; i < n; i++)
        rest += term[i];
    for (size_t k = 0; k < CS_PAD; k++)
        rest += sum[k / CS_VECTOR][k % CS_VECTOR];
    return rest;
}

/* Copies the rows of the last live lane to the padding lanes. */
static inline void cs_sg_pad(const cs_move *m, size_t rows, double *array)
{
    for (size_t r = 0; r < rows && m->live < m->lanes; r++)
        for (size_t l = m->live; l < m->lanes; l++)
            array[r * m->lanes + l] = array[r * m->lanes + m->live - 1];
}

/* Adds sign * N / n times the batch's sums at x to logp and g. Sets `mean`,
 * unless it is NULL, to the mean gradient. */
static inline void cs_sg_add_batch(cs_move *m, const cs_sg_step *s, double sign,
                                   const double *x, double *logp, double *g,
                                   double *mean)
{
    double scale = sign * (double)m->eval->target->n_rows / (double)s->n;
    double *sum = s->noise, each = 1 / (double)s->n;
    size_t rows = m->dim * m->lanes;
    cs_eval_slope(m->eval, x, &s->batch, s->term, sum);
    cs_sg_pad(m, m->dim, sum);
    for (size_t l = 0; l < m->live; l++) {
        size_t first = s->batch.first[l];
        logp[l] +=
            scale * cs_sg_sum(s->term + first, s->batch.first[l + 1] - first);
    }
    for (size_t at = 0; at < rows; at += CS_VECTOR)
        cs_store(g + at, cs_load(g + at) + scale * cs_load(sum + at));
    for (size_t at = 0; mean && at < rows; at += CS_VECTOR)
        cs_store(mean + at, each * cs_load(sum + at));
}

/* Let D be the sum of all terms at the fixed point minus the batch's estimate
 * of this sum. Adds D to logp and the gradient of D to g. Stores the batch's
 * terms at the fixed point in s->at_point. */
static inline void cs_sg_add_point(cs_move *m, const cs_sg_step *s,
                                   double *logp, double *g)
{
    size_t rows = m->dim * m->lanes;
    const double *point = cs_sg_point(m, s), *all = point + rows;
    cs_sg_add_batch(m, s, -1, point, logp, g, NULL);
    for (size_t at = 0; at < rows; at += CS_VECTOR)
        cs_store(g + at, cs_load(g + at) + cs_load(all + at));
    for (size_t l = 0; l < m->lanes; l++)
        logp[l] += all[rows + l];
    memcpy(s->at_point, s->term, s->batch.first[m->live] * sizeof *s->term);
}

/* Writes the rows of the first chain's batch to the step trace, and replaces
 * the earlier trace. Also writes the terms of these rows: at the state if
 * `here` is true, else at the new state. Not performance-critical. */
void cs_sg_tell(const cs_move *m, const cs_sg_step *s, bool here);

/* Estimates log p[lanes] and the gradient g[dim][lanes] at x from the batch.
 * Without a batch, computes them exactly; `which` is then the cache that the
 * evaluation fills. Then computes the batch mean, if the layout has one. Sets
 * s->term to the terms of the batch's rows, minus the terms at the fixed
 * point. */
static inline void cs_sg_estimate(cs_move *m, const cs_sg_step *s,
                                  cs_which which, const double *x, double *logp,
                                  double *g)
{
    size_t rows = m->dim * m->lanes;
    double *mean = s->layout.batch_mean ? g + rows : NULL;
    if (s->n) {
        cs_eval_prior(m->eval, x, logp, g);
        if (s->control)
            cs_sg_add_point(m, s, logp, g);
        cs_sg_add_batch(m, s, 1, x, logp, g, mean);
        for (size_t i = 0; s->control && i < s->batch.first[m->live]; i++)
            s->term[i] -= s->at_point[i];
        cs_sg_pad(m, 1, logp);
        if (cs_step_trace_of(m) && s->batch.first[1] > 0)
            cs_sg_tell(m, s, x == m->x);
        return;
    }
    cs_eval_gradient(m->eval, which, x, logp, g);
    if (!mean)
        return;
    double each = 1;
    for (size_t at = 0; at < rows; at += CS_VECTOR)
        cs_store(s->noise + at, cs_vset(0));
    if (m->eval->target->n_rows) {
        cs_eval_prior(m->eval, x, s->logp, s->noise);
        each /= (double)m->eval->target->n_rows;
    }
    for (size_t at = 0; at < rows; at += CS_VECTOR)
        cs_store(mean + at, each * (cs_load(g + at) - cs_load(s->noise + at)));
}

/* Draws the normals of a step: z[dim][lanes] in s->y, followed by the normals
 * of the declared noise. Returns the normals of the declared noise; NULL if no
 * noise is declared. */
static inline const double *cs_sg_normals(cs_move *m, const cs_sg_step *s)
{
    const double *sd = cs_move_param(m, CS_SG_GRADIENT_NOISE);
    cs_vi any = {0};
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        any |= cs_vless(cs_vset(0), cs_load(sd + l));
    bool noisy = cs_vbits(any) != 0;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, (1 + noisy) * m->dim, s->y);
    return noisy ? s->noise : NULL;
}

/* Returns the gradient plus its declared noise at index `at`, for the lanes
 * from l on. */
static inline cs_vd cs_sg_gradient(const cs_move *m, const double *noise,
                                   size_t l, size_t at)
{
    cs_vd g = cs_load(m->memory + at);
    if (noise)
        g += cs_load(cs_move_param(m, CS_SG_GRADIENT_NOISE) + l) *
             cs_load(noise + at);
    return g;
}

/* Makes the Langevin move of eight lanes, s->y = x + rate g + sqrt(2 rate heat)
 * z, where s->y holds z on entry. */
static inline void cs_sg_langevin(const cs_move *m, const cs_sg_step *s,
                                  const double *noise, size_t l, cs_vd rate,
                                  cs_vd heat)
{
    cs_vd sd = cs_vsqrt(2 * rate * heat);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        cs_store(s->y + at, cs_load(m->x + at) +
                                rate * cs_sg_gradient(m, noise, l, at) +
                                sd * cs_load(s->y + at));
}

static inline void cs_sg_give_up(cs_move *m, size_t l, int code, double row,
                                 double value, double bound)
{
    if (m->failed[l])
        return;
    m->failed[l] = true;
    m->why[l] = (cs_reason){code, row, value, bound};
}

/* Largest magnitude of a coordinate. A chain with a coordinate beyond this
 * value has diverged, and would soon overflow. */
static const double cs_sg_far = 1e50;

static __attribute__((noinline)) void
cs_sg_judge_lane(cs_move *m, const cs_sg_step *s, size_t l)
{
    double logp = m->info.logp_proposal[l];
    for (size_t d = 0; d < m->dim; d++) {
        double y = s->y[d * m->lanes + l], g = s->next[d * m->lanes + l];
        if (!isfinite(y))
            cs_sg_give_up(m, l, CS_SG_STATE, (double)d, y, 0);
        else if (fabs(y) >= cs_sg_far)
            cs_sg_give_up(m, l, CS_SG_RUNAWAY, (double)d, y, cs_sg_far);
        else if (!isfinite(g) && logp != -HUGE_VAL && !cs_is_bad_gradient(logp))
            cs_sg_give_up(m, l, CS_SG_GRADIENT, (double)d, g, 0);
    }
    if (isnan(logp) || logp == HUGE_VAL) /* the chain fails because of log p */
        m->failed[l] = true;
}

/* Marks as failed each chain whose new state, gradient or log p is not
 * finite. */
static inline void cs_sg_judge(cs_move *m, const cs_sg_step *s)
{
    const cs_vd far = cs_vset(cs_sg_far), end = cs_vset(CS_VM_INF);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi good = cs_vless(cs_vabs(cs_load(m->info.logp_proposal + l)), end);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            good &= cs_vless(cs_vabs(cs_load(s->y + at)), far) &
                    cs_vless(cs_vabs(cs_load(s->next + at)), end);
        if (cs_vbits(~good))
            for (size_t k = l; k < l + CS_VECTOR; k++)
                cs_sg_judge_lane(m, s, k);
    }
}

/* For rejected chains, estimates the gradient and log p again on this step's
 * batch. The batch of the old estimate must not be used twice. */
static inline void cs_sg_stay(cs_move *m, cs_sg_step *s, const bool *stayed)
{
    if (s->n == 0)
        return;
    cs_sg_keep_lanes(m, s, stayed);
    cs_sg_estimate(m, s, CS_NEXT, m->x, s->logp, s->next);
    cs_sg_pad(m, m->dim * (1 + s->layout.batch_mean), s->next);
    for (size_t l = 0; l < m->lanes; l++)
        if (stayed[l])
            m->info.logp[l] = s->logp[l];
    cs_commit_moved(stayed, m->lanes,
                    m->dim * (1 + (size_t)s->layout.batch_mean), s->next,
                    m->memory);
}

static inline void cs_sg_weigh(cs_move *m)
{
    const double *weight = cs_move_param(m, CS_SG_WEIGHT);
    double *to = m->info.log_weight;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd w = cs_load(weight + l), one = cs_vset(1);
        bool alike = cs_vbits(cs_vless(w, one) | cs_vless(one, w)) == 0;
        cs_store(to + l, cs_vset(0));
        for (size_t k = l; !alike && k < l + CS_VECTOR; k++)
            to[k] = log(weight[k]);
    }
}

/* Sets log p to -HUGE_VAL outside the box, so that the box acts as a limit of
 * the support. */
static __attribute__((noinline, unused)) void cs_sg_wall_in(cs_move *m,
                                                            const cs_sg_step *s)
{
    const cs_vd low = cs_vset(s->low), high = cs_vset(s->high);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        double *logp = m->info.logp_proposal + l;
        cs_vi out = {0};
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
            cs_vd y = cs_load(s->y + at);
            out |= cs_vless(y, low) | cs_vless(high, y);
        }
        cs_store(logp, cs_vselect(out, -cs_vset(CS_VM_INF), cs_load(logp)));
    }
}

/* Sets the weight of states outside the box to 0. */
static __attribute__((noinline, unused)) void
cs_sg_leave_out(cs_move *m, const cs_sg_step *s)
{
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            if (m->x[at] < s->low || m->x[at] > s->high)
                m->info.log_weight[l] = -HUGE_VAL;
}

/* Moves eight lanes to s->y. A lane stays if s->y is outside the support or if
 * its chain has failed. Returns the live lanes that stay. */
static inline cs_vi cs_sg_go(cs_move *m, const cs_sg_step *s, size_t l)
{
    cs_info *i = &m->info;
    cs_vd proposed = cs_load(i->logp_proposal + l), was = cs_load(i->logp + l);
    cs_vi failed = cs_load_bool(m->failed + l);
    cs_vi went = cs_vless(-cs_vset(CS_VM_INF), proposed) & ~failed;
    cs_vi differ = cs_commit_rows(m, l, went);
    size_t end = s->layout.next * m->dim * m->lanes;
    for (size_t at = l; at < end; at += m->lanes)
        cs_store(m->memory + at, cs_vselect(went, cs_load(s->next + at),
                                            cs_load(m->memory + at)));
    cs_store(i->logp_change + l, proposed - was);
    cs_store(i->logp + l, cs_vselect(went, proposed, was));
    cs_store(i->log_ratio + l,
             cs_vselect(went, cs_vset(0), -cs_vset(CS_VM_INF)));
    cs_store_bool(i->accepted + l, went);
    cs_store_bool(i->moved + l, went & (differ != 0));
    return ~went & ~failed;
}

/* Ends a step that moves to s->y. The caller has filled the kernel's own rows
 * of s->next. On return, s->mask marks the chains that stayed. */
static inline void cs_sg_arrive(cs_move *m, cs_sg_step *s)
{
    cs_vi any = {0};
    m->info.proposal = s->y;
    cs_sg_estimate(m, s, CS_NEXT, s->y, m->info.logp_proposal, s->next);
    if (s->low < s->high)
        cs_sg_wall_in(m, s);
    cs_sg_judge(m, s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi stay = cs_sg_go(m, s, l);
        cs_store_bool(s->mask + l, stay);
        any |= stay;
    }
    if (cs_eval_follows(m->eval))
        cs_eval_accept(m->eval, m->info.accepted);
    if (cs_vbits(any))
        cs_sg_stay(m, s, s->mask);
    cs_sg_weigh(m);
    if (s->low < s->high && cs_vbits(any))
        cs_sg_leave_out(m, s);
}

/* Computes the sum of all terms at the fixed point, and the sum of the
 * gradients of the terms. The sums are log p and its gradient minus the
 * contributions of the prior. */
static inline void cs_sg_fix_point(cs_move *m, const cs_sg_step *s)
{
    size_t rows = m->dim * m->lanes;
    double *point = cs_sg_point(m, s), *all = point + rows;
    if (m->fresh)
        memcpy(point, m->x, rows * sizeof *point);
    cs_eval_gradient(m->eval, CS_NEXT, point, all + rows, all);
    cs_eval_prior(m->eval, point, s->logp, s->noise);
    for (size_t at = 0; at < rows; at++)
        all[at] -= s->noise[at];
    for (size_t l = 0; l < m->lanes; l++)
        all[rows + l] -= s->logp[l];
}

/* Implements `init` for all kernels with a stochastic gradient: evaluates the
 * starting state and sets velocities to 0. */
static inline void cs_sg_init(cs_move *m, cs_sg_layout layout)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    size_t rows = m->dim * m->lanes;
    memset(m->memory, 0, (layout.next + layout.kept) * rows * sizeof(double));
    for (size_t l = 0; l < m->lanes; l++) /* set only once, because the steps
                                             do not write these rows */
        m->info.log_q_forward[l] = m->info.log_q_back[l] =
            m->info.log_uniform[l] = 0;
    if (s.control)
        cs_sg_fix_point(m, &s);
    cs_sg_draw(m, &s);
    cs_sg_estimate(m, &s, CS_NOW, m->x, m->info.logp, m->memory);
    cs_sg_weigh(m);
    if (s.low < s.high)
        cs_sg_leave_out(m, &s);
}
