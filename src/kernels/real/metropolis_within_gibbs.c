/* metropolis_within_gibbs: a random walk that moves one coordinate at a time.
 *
 *   y = x + step z L e_i,  z ~ N(0, 1),  S = L L' the metric
 *
 *   accept with probability min(1, pi(y) / pi(x))
 *
 * e_i is the unit vector of coordinate i. A metric of variances gives each
 * coordinate its own step size, `step` times sd_i. With a dense metric a move
 * is along a column of L, and changes one coordinate of L^-1 x. Metropolis,
 * Rosenbluth, Rosenbluth, Teller and Teller (1953), who moved one particle at a
 * time; as a part of a Gibbs sampler: Tierney, "Markov chains for exploring
 * posterior distributions" (1994). Individual step sizes: Roberts and
 * Rosenthal, "Examples of adaptive MCMC" (2009). There each step size follows
 * the acceptance of its coordinate and keeps changing; here the step sizes come
 * from the metric of the arm, which is frozen before the draws.
 *
 * A step moves one coordinate and costs one evaluation of the complete log
 * density: dim steps are a sweep. Random scan draws a uniform coordinate and is
 * reversible; systematic scan takes coordinate (step - 1) mod dim, which leaves
 * the target invariant but is not reversible. */
#include "kernel/accept.h"
#include "kernel/metric_lanes.h"
#include "kernel/step_row.h"
#include "kernels/real/walk.h"

#include <math.h>

enum { STEP, SCAN };
enum { RANDOM, SYSTEMATIC };

/* Returns the scratch size in doubles per lane. Layout: y[dim], z, the index of
 * the coordinate that moves. log_q stores a move [dim] in the scratch. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2;
}

/* Fills site[lanes] with the coordinate that each chain moves. */
static void choose(const cs_move *m, double *site)
{
    double d = (double)m->dim;
    if (cs_move_param(m, SCAN)[0] == SYSTEMATIC) {
        for (size_t l = 0; l < m->lanes; l++)
            site[l] = (double)((m->streams.step - 1) % m->dim);
        return;
    }
    cs_fill_uniform(&m->streams, CS_FOR_SITE, 1, site);
    for (size_t l = 0; l < m->lanes; l++)
        site[l] = fmin(floor(site[l] * d), d - 1);
}

/* Moves y of lane l by the distance `far` along column i of L. */
static void move_along(const cs_move *m, double *y, size_t l, size_t i,
                       double far)
{
    const cs_metric *g = m->metric;
    if (cs_metric_kind_of(g) != CS_METRIC_DENSE) {
        y[i * m->lanes + l] += g ? far * g->sd[i] : far;
        return;
    }
    const double *column = g->upper + i * g->stride;
    for (size_t j = i; j < m->dim; j++)
        y[j * m->lanes + l] += far * column[j];
}

static void step(cs_move *m)
{
    double *y = m->scratch, *z = y + m->dim * m->lanes, *site = z + m->lanes;
    const double *width = cs_move_param(m, STEP);
    m->info.proposal = y;
    choose(m, site);
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, 1, z);
    for (size_t at = 0; at < m->dim * m->lanes; at += CS_VECTOR)
        cs_store(y + at, cs_load(m->x + at));
    for (size_t l = 0; l < m->lanes; l++)
        move_along(m, y, l, (size_t)site[l], width[l] * z[l]);
    cs_eval_log_density(m->eval, CS_NEXT, y, m->info.logp_proposal);
    cs_accept(m);
}

/* ---- density of the proposal --------------------------------------------- */

/* Returns the log density of z, given move = L^-1 (to - from). The density is
 * -HUGE_VAL if more than one coordinate of `move` differs from 0 by more than
 * the rounding of L^-1. */
static double log_q_of(const cs_move *m, const double *move, size_t l)
{
    double longest = 0, sum = 0, s = cs_move_param(m, STEP)[l];
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        longest = fmax(longest, fabs(move[at]));
        sum += fabs(move[at]);
    }
    if (sum > longest * (1 + 1e-9))
        return -HUGE_VAL;
    double chosen =
        cs_move_param(m, SCAN)[0] == RANDOM ? log((double)m->dim) : 0;
    return -0.5 * (longest / s) * (longest / s) -
           log(s * 2.5066282746310005024) - chosen;
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *move = m->scratch;
    for (size_t at = 0; at < m->dim * m->lanes; at++)
        move[at] = to[at] - from[at];
    if (m->metric)
        cs_metric_solve(m->metric, cs_span_of(m), move);
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = log_q_of(m, move, l);
}

static bool is_reversible(const double *values)
{
    return values[SCAN] == RANDOM;
}

static const char *const scans[] = {"random", "systematic", NULL};

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(1, "standard deviation of the move of a coordinate"),
    [SCAN] = {.name = "scan",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED,
              .max = SYSTEMATIC,
              .choices = scans,
              .help = "choice of the next coordinate: at random, or each "
                      "coordinate in turn"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_metropolis_within_gibbs) = {
    .name = "metropolis_within_gibbs",
    .title = "Metropolis within Gibbs",
    .ref = "Tierney, Markov chains for exploring posterior distributions, 1994",
    .help = "Proposes a random move of one coordinate per step, and accepts or "
            "rejects it. With a metric of variances, each coordinate has its "
            "own step size.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    .acceptance = 0.44,
    .is_reversible = is_reversible,
    .scratch_words = scratch_words,
    .init = cs_walk_init,
    .step = step,
    .log_q = log_q,
};
