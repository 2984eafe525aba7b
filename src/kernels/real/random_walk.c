/* random_walk: Metropolis with a symmetric proposal, on every space.
 *
 *   real         y = x + step L z, z ~ N(0, I), S = L L' the metric
 *   ordinal      y_i = x_i + a uniform integer on -radius .. radius, for each i
 *   binary       `flips` distinct sites are flipped, all sets equally likely
 *   categorical  one uniform site takes one of its other values, uniformly
 *
 *   accept with probability min(1, pi(y) / pi(x))
 *
 * Metropolis, Rosenbluth, Rosenbluth, Teller and Teller, "Equation of state
 * calculations by fast computing machines" (1953). An ordinal proposal outside
 * the range is rejected (clamping it would break the symmetry). The target is
 * then evaluated at the nearest point in range, and the result is not used. */
#include "kernel/accept.h"
#include "kernel/metric_lanes.h"
#include "kernels/real/walk.h"

#include <math.h>

enum { STEP, RADIUS, FLIPS };

/* Returns the scratch size in doubles per lane. Layout: y[dim], then
 * uniforms[dim + 2], or y[dim] clamped to the range. For a single chain: y,
 * then x and y packed. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 2 * t->space.dim + 2 + cs_packed_words(t, 3);
}

static void propose_ordinal(cs_move *m, double *y)
{
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l++) {
        double radius = floor(cs_move_param(m, RADIUS)[l]);
        double n = 2 * radius + 1;
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            y[at] = m->x[at] + fmin(floor(y[at] * n), n - 1) - radius;
    }
}

static void copy_state(const cs_move *m, double *y)
{
    for (size_t at = 0; at < m->dim * m->lanes; at += CS_VECTOR)
        cs_store(y + at, cs_load(m->x + at));
}

static size_t flips_of(double wanted, size_t dim)
{
    return wanted < (double)dim ? (size_t)wanted : dim;
}

/* Draws sites without replacement by Floyd's algorithm: for each j from dim -
 * flips to dim - 1, a uniform site of 0 .. j is taken, or site j if the uniform
 * site was already taken. */
static void propose_binary(cs_move *m, double *y)
{
    size_t flips = flips_of(cs_move_param(m, FLIPS)[0], m->dim);
    double *uniform = y + m->dim * m->lanes;
    cs_fill_uniform(&m->streams, CS_FOR_SITE, flips, uniform);
    copy_state(m, y);
    for (size_t k = 0; k < flips; k++) {
        size_t j = m->dim - flips + k;
        for (size_t l = 0; l < m->lanes; l++) {
            double preference = uniform[k * m->lanes + l] * (double)(j + 1);
            size_t site = preference < (double)j ? (size_t)preference : j;
            size_t at = site * m->lanes + l;
            at = y[at] != m->x[at] ? j * m->lanes + l : at;
            y[at] = 1 - y[at];
        }
    }
}

static void propose_categorical(cs_move *m, double *y)
{
    double *uniform = y + m->dim * m->lanes;
    double dim = (double)m->dim, others = m->space->values - 1.0;
    cs_fill_uniform(&m->streams, CS_FOR_SITE, 1, uniform);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, uniform + m->lanes);
    copy_state(m, y);
    for (size_t l = 0; l < m->lanes && others > 0; l++) {
        double site = fmin(floor(uniform[l] * dim), dim - 1);
        double other = fmin(floor(uniform[m->lanes + l] * others), others - 1) +
                       m->space->low;
        size_t at = (size_t)site * m->lanes + l;
        y[at] = other < m->x[at] ? other : other + 1;
    }
}

/* Evaluates the proposal, clamped to the range. Rejects a proposal that was
 * outside the range. */
static void evaluate_in_range(cs_move *m, const double *y)
{
    double *held = m->scratch + m->dim * m->lanes;
    double low = m->space->low, high = low + m->space->values - 1;
    for (size_t at = 0; at < m->dim * m->lanes; at++)
        held[at] = y[at] < low ? low : y[at] > high ? high : y[at];
    cs_eval_log_density(m->eval, CS_NEXT, held, m->info.logp_proposal);
    for (size_t at = 0; at < m->dim * m->lanes; at++)
        if (held[at] != y[at])
            m->info.logp_proposal[at % m->lanes] = -HUGE_VAL;
}

/* Replaces z, stored in y, by the proposal. `scratch` has space for an
 * array. */
static void propose_real(const cs_move *m, cs_span span, const double *x,
                         double *y, double *scratch)
{
    if (m->metric) {
        memcpy(scratch, y, span.end * sizeof *scratch);
        cs_metric_product(m->metric, span, scratch, y);
    }
    cs_walk_shift(m, span, x, y);
}

/* Makes a step of a single chain, whose arrays are packed. */
static void step_packed(cs_move *m)
{
    const cs_span span = cs_span_packed(m);
    double *proposal = m->scratch, *x = proposal + m->dim * m->lanes;
    double *y = x + span.end;
    cs_pack_rows_once(m, m->x, x);
    cs_packed_normal(m, CS_SINGLE_NORMALS, y);
    propose_real(m, span, x, y, y + span.end);
    cs_packed_log_density(m, y, m->info.logp_proposal);
    cs_show_proposal(m, y, proposal);
    cs_accept_packed(m, &(cs_packed_proposal){x, y});
    m->packed_valid = m->multi_step;
}

/* Makes a step whose arrays are rows of lanes. */
static __attribute__((noinline)) void step_rows(cs_move *m)
{
    double *y = m->scratch;
    m->info.proposal = y;
    switch (m->space->kind) {
    case CS_CONTINUOUS:
        cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
        propose_real(m, cs_span_of(m), m->x, y, y + m->dim * m->lanes);
        break;
    case CS_ORDINAL:
        propose_ordinal(m, y);
        break;
    case CS_BINARY:
        propose_binary(m, y);
        break;
    case CS_MIXED: /* cs_kernel_fits rejects it */
    case CS_CATEGORICAL:
        propose_categorical(m, y);
        break;
    }
    if (m->space->kind == CS_ORDINAL)
        evaluate_in_range(m, y);
    else
        cs_eval_log_density(m->eval, CS_NEXT, y, m->info.logp_proposal);
    cs_accept(m);
}

/* Only chooses, so that a step of a single chain saves no registers twice. */
static void step(cs_move *m)
{
    if (cs_space_is_real(m->space) && cs_eval_is_packed(m->eval))
        step_packed(m);
    else
        step_rows(m);
}

/* ---- density of the proposal --------------------------------------------- */

static double log_q_ordinal(const cs_move *m, const double *from,
                            const double *to, size_t l)
{
    double radius = floor(cs_move_param(m, RADIUS)[l]);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        if (fabs(to[at] - from[at]) > radius)
            return -HUGE_VAL;
    return -(double)m->dim * log(2 * radius + 1);
}

static double log_q_sites(const cs_move *m, const double *from,
                          const double *to, size_t l)
{
    bool binary = m->space->kind == CS_BINARY;
    size_t wanted = binary ? flips_of(cs_move_param(m, FLIPS)[0], m->dim) : 1;
    size_t differ = 0;
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        differ += to[at] != from[at];
    if (differ != wanted)
        return -HUGE_VAL;
    double d = (double)m->dim, k = (double)wanted;
    double sets = lgamma(d + 1) - lgamma(k + 1) - lgamma(d - k + 1);
    return -sets - (binary ? 0 : log(m->space->values - 1.0));
}

/* Computes log q from L^-1 times the move. */
static void log_q_by_metric(cs_move *m, const double *from, const double *to,
                            double *out)
{
    const cs_span span = cs_span_of(m);
    double *none = m->scratch, *move = none + span.end;
    for (size_t at = 0; at < span.end; at++) {
        move[at] = to[at] - from[at];
        none[at] = 0;
    }
    cs_metric_solve(m->metric, span, move);
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = cs_walk_log_q(m, none, move, l);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    if (m->metric) {
        log_q_by_metric(m, from, to, out);
        return;
    }
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = cs_space_is_real(m->space)     ? cs_walk_log_q(m, from, to, l)
                 : m->space->kind == CS_ORDINAL ? log_q_ordinal(m, from, to, l)
                                                : log_q_sites(m, from, to, l);
}

static size_t sites_at_once(const double *values)
{
    return (size_t)values[FLIPS];
}

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG | CS_PARAM_SIZE,
              CS_PARAM_RANGE(1e-12, 1e100, 1),
              .help = "standard deviation of the move (real spaces)",
              .spaces = CS_CONTINUOUS},
    [RADIUS] = {.name = "radius",
                .unit = "values",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_LOG | CS_PARAM_SIZE,
                CS_PARAM_RANGE(1, 1e9, 1),
                .help = "largest move of a coordinate (ordinal spaces)",
                .spaces = CS_ORDINAL},
    [FLIPS] = {.name = "flips",
               .unit = "sites",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_SIZE,
               CS_PARAM_RANGE(1, 1e9, 1),
               .help = "sites flipped at once (binary spaces)",
               .spaces = CS_BINARY},
};

const cs_kernel_type CS_VARIANT(cs_kernel_random_walk) = {
    .name = "random_walk",
    .title = "Random-walk Metropolis",
    .ref = "Metropolis et al., Equation of state calculations by fast "
           "computing machines, 1953",
    .help = "Proposes a symmetric random move, which does not use the "
            "gradient, and accepts or rejects it.",
    .spaces = CS_DISCRETE | CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    .acceptance = 0.234,
    .acceptance_of_one = 0.206,
    .sites_at_once = sites_at_once,
    .scratch_words = scratch_words,
    .init = cs_walk_init,
    .step = step,
    .log_q = log_q,
};
