/* hmc: Hamiltonian Monte Carlo.
 *
 *   p ~ N(0, I), S = L L' is the metric;  `leapfrogs` times:
 *     p += step/2 L' grad log p(x);  x += step L p;
 *     p += step/2 L' grad log p(x)
 *   log A = log p(x') - log p(x) - |p'|^2/2 + |p|^2/2
 *
 * (p is L' times the usual momentum, whose covariance is S^-1.) With `jitter`
 * j, the step size of a trajectory is `step` times a uniform number on 1 - j ..
 * 1 + j (Neal, section 3.2), so the length varies too. The number is drawn
 * first and does not depend on the state.
 *
 * Duane, Kennedy, Pendleton and Roweth, "Hybrid Monte Carlo" (1987); Neal,
 * "MCMC using Hamiltonian dynamics" (2011), section 3. The program released
 * with "MCMC without Evaluating the Target" uses one gradient for both half
 * kicks. Its map is neither reversible nor volume preserving; this kernel uses
 * the true leapfrog. `info` stores the log densities of p and p' as log q.
 *
 * With gradient_precision = float, the gradient at the points between the two
 * ends is the target's approximate gradient. Each kick still adds to p a
 * function of x only, and each drift adds to x a function of p only. The map
 * therefore preserves the volume of phase space. The kicks are the same in both
 * directions (exact at the ends, float between), so the map followed by p -> -p
 * is its own inverse. The proof of the accept step needs only these two
 * properties (Neal, section 3.1): even with a poor gradient the draws are
 * exact, and only the acceptance decreases. */
#include "kernel/step_row.h"
#include "kernels/real/gradient_step.h"
#include "kernels/real/trajectory.h"

#include <math.h>

enum { STEP, LEAPFROGS, GRADIENT_PRECISION, JITTER };
enum { N_LEAPFROG, DIVERGENT, ENERGY };

/* Returns the scratch size in doubles per lane. Layout: y, p, the gradient at y
 * and, for a metric, L' times the gradient and L p. For a single chain: y, then
 * packed copies of all these arrays, and x. The last row holds the step sizes
 * of this trajectory. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 1 + 5 * t->space.dim + cs_packed_words(t, 6);
}

static double *row_of_steps(const cs_move *m)
{
    size_t words = scratch_words(m->eval->target, NULL) - 1;
    return m->scratch + words * m->lanes;
}

/* Returns the step sizes [lanes] of this trajectory. */
static const double *steps_of(const cs_move *m)
{
    return cs_move_param(m, JITTER)[0] > 0 ? row_of_steps(m)
                                           : cs_move_param(m, STEP);
}

static void draw_steps(cs_move *m)
{
    const double *step = cs_move_param(m, STEP), *jitter;
    double *to = row_of_steps(m);
    jitter = cs_move_param(m, JITTER);
    if (jitter[0] == 0)
        return;
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, 1, to);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd off = cs_load(jitter + l) * (2 * cs_load(to + l) - 1);
        cs_store(to + l, cs_load(step + l) * (1 + off));
    }
}

static inline cs_vd squared(cs_vd a)
{
    return a * a;
}

/* Computes log N(p; 0, I) of every lane, up to a constant. */
static void kinetic(cs_span s, const double *p, double *out)
{
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd sum;
        CS_SPAN_SUM(sum, s, l, squared(cs_load(p + at)));
        cs_store(out + l, -0.5 * sum);
    }
}

/* Computes log N(p + step/2 g; 0, I) of every lane, up to a constant. Here p +
 * step/2 g is the momentum at the end of a trajectory. */
static void kinetic_at_end(const cs_move *m, cs_span s, const double *p,
                           const double *g, double *out)
{
    const double *step = steps_of(m);
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd f = 0.5 * cs_load(step + l), sum;
        CS_SPAN_SUM(sum, s, l, squared(cs_load(p + at) + f * cs_load(g + at)));
        cs_store(out + l, -0.5 * sum);
    }
}

/* Computes p += kick step g and then y = x + step p, in one pass. g holds
 * doubles, or floats if `single`. */
static inline __attribute__((always_inline)) void
kick_and_drift(const cs_move *m, cs_span s, double kick, const double *g,
               bool single, double *p, const double *x, double *y)
{
    const double *step = steps_of(m);
    const float *f = (const float *)(const void *)g;
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd drift = cs_load(step + l), push = kick * drift;
        for (size_t at = l; at < s.end; at += s.by) {
            cs_vd by = single ? cs_vwiden(f + at) : cs_load(g + at);
            cs_vd faster = cs_load(p + at) + push * by;
            cs_store(p + at, faster);
            cs_store(y + at, cs_load(x + at) + drift * faster);
        }
    }
}

static bool is_finite(const cs_move *m, size_t lanes, size_t l, const double *g)
{
    double sum = 0;
    for (size_t d = 0; d < m->dim; d++)
        sum += g[d * lanes + l] * 0.0;
    return sum == 0;
}

/* Stops a trajectory where the gradient is not finite (sets p = g = 0). The end
 * of the trajectory is rejected, because log p is -HUGE_VAL or NaN there. */
static void hold_bad(const cs_move *m, cs_span s, double *p, double *g)
{
    size_t lanes = s.packed ? 1 : m->lanes;
    for (size_t l = 0; l < lanes; l++) {
        double logp = m->info.logp_proposal[l];
        if (logp > -HUGE_VAL || is_finite(m, lanes, l, g))
            continue;
        for (size_t d = 0; d < m->dim; d++)
            p[d * lanes + l] = g[d * lanes + l] = 0;
    }
}

/* Fills the columns of a draw. The energy is the energy of the state after the
 * step and of the momentum at that state, as E-BFMI requires. */
static void put_stats(cs_move *m, size_t leapfrogs)
{
    const cs_info *i = &m->info;
    double *stat = i->stat;
    for (size_t l = 0; l < m->lanes; l++) {
        double kinetic =
            i->accepted[l] ? i->log_q_back[l] : i->log_q_forward[l];
        stat[N_LEAPFROG * m->lanes + l] = (double)leapfrogs;
        stat[DIVERGENT * m->lanes + l] =
            !(i->log_ratio[l] > -cs_trajectory_max_error);
        stat[ENERGY * m->lanes + l] = -i->logp[l] - kinetic;
    }
}

/* Evaluates log p and the gradient at y. */
static void exact(cs_move *m, cs_span s, const double *y, double *p, double *g)
{
    double *logp = m->info.logp_proposal;
    if (s.packed)
        cs_packed_gradient(m, y, logp, g);
    else
        cs_eval_gradient(m->eval, CS_NEXT, y, logp, g);
    hold_bad(m, s, p, g);
}

/* Processes a point between the two ends of a trajectory: evaluates the
 * gradient, then makes a kick and a drift. */
typedef void pass_function(cs_move *m, cs_span s, double *y, double *p,
                           double *g);

static void pass_single(cs_move *m, cs_span s, double *y, double *p, double *g)
{
    float *f = (float *)(void *)g;
    if (s.packed)
        cs_eval_force_packed(m->eval, y, f);
    else
        cs_eval_low_gradient(m->eval, y, f);
    kick_and_drift(m, s, 1, g, true, p, y, y);
}

static void pass_exact(cs_move *m, cs_span s, double *y, double *p, double *g)
{
    exact(m, s, y, p, g);
    kick_and_drift(m, s, 1, g, false, p, y, y);
}

/* Processes a point without evaluating log p, which is needed only at the end
 * of the trajectory. If the gradient is not finite, evaluates the point again
 * with log p, because log p shows the reason. The two evaluations count as one,
 * so that the counts of a chain do not depend on the other lanes. */
static void pass_alone(cs_move *m, cs_span s, double *y, double *p, double *g)
{
    const cs_work before = m->eval->work;
    if (!cs_eval_gradient_alone(m->eval, y, g)) {
        m->eval->work = before;
        exact(m, s, y, p, g);
    }
    kick_and_drift(m, s, 1, g, false, p, y, y);
}

/* Selects how points between the ends are processed. If the target has no
 * gradient in single precision, the exact gradient is used. */
static pass_function *pass_of(const cs_move *m, cs_span s)
{
    const cs_target_type *type = m->eval->target->type;
    if (cs_move_param(m, GRADIENT_PRECISION)[0] == CS_GRADIENT_FLOAT &&
        type->force)
        return pass_single;
    return type->gradient_alone && !s.packed ? pass_alone : pass_exact;
}

/* Computes slope = L' times the gradient at a point between the ends. */
static void slope_between(cs_move *m, cs_span s, const double *y, double *p,
                          double *g, double *slope, double *scratch)
{
    bool low = pass_of(m, s) == pass_single;
    float *f = (float *)(void *)g;
    if (low && s.packed)
        cs_eval_force_packed(m->eval, y, f);
    else if (low)
        cs_eval_low_gradient(m->eval, y, f);
    else
        exact(m, s, y, p, g);
    for (size_t at = 0; low && at < s.end; at += CS_VECTOR)
        cs_store(scratch + at, cs_vwiden(f + at));
    cs_trajectory_slope(m->metric, s, low ? scratch : g, slope);
}

/* Returns whether the step must be abandoned between two leapfrogs, and sets
 * gave_up. */
static bool gives_up(cs_move *m)
{
    return m->gave_up = cs_trajectory_is_stopped(m);
}

/* Computes the trajectory as `glide` does, but with a metric. After the
 * gradient, g has space for two more arrays. */
static void glide_by_metric(cs_move *m, cs_span s, size_t n, const double *x,
                            const double *now, double *y, double *p, double *g)
{
    const cs_metric *metric = m->metric;
    const double *step = steps_of(m);
    double *slope = g + s.end, *room = slope + s.end;
    kinetic(s, p, m->info.log_q_forward);
    cs_trajectory_slope(metric, s, now, slope);
    cs_trajectory_kick(s, 0.5, step, slope, p);
    cs_trajectory_drift(metric, s, step, p, room, x, y);
    for (size_t k = 1; k < n; k++) {
        if (gives_up(m))
            return;
        slope_between(m, s, y, p, g, slope, room);
        cs_trajectory_kick(s, 1, step, slope, p);
        cs_trajectory_drift(metric, s, step, p, room, y, y);
    }
    exact(m, s, y, p, g);
    cs_trajectory_slope(metric, s, g, slope);
    kinetic_at_end(m, s, p, slope, m->info.log_q_back);
}

/* Computes the trajectory that starts at x with momentum p, where `now` is the
 * gradient at x. Sets y to the end of the trajectory, and g to the gradient at
 * y. May abandon the step. */
static void glide(cs_move *m, cs_span s, size_t n, const double *x,
                  const double *now, double *y, double *p, double *g)
{
    pass_function *pass = pass_of(m, s);
    if (m->metric) {
        glide_by_metric(m, s, n, x, now, y, p, g);
        return;
    }
    kinetic(s, p, m->info.log_q_forward);
    kick_and_drift(m, s, 0.5, now, false, p, x, y);
    for (size_t k = 1; k < n; k++) {
        if (gives_up(m))
            return;
        pass(m, s, y, p, g);
    }
    exact(m, s, y, p, g);
    kinetic_at_end(m, s, p, g, m->info.log_q_back);
}

/* Makes a step of a single chain, whose arrays are packed. */
static void step_packed(cs_move *m, size_t n)
{
    const cs_span s = cs_span_packed(m);
    double *proposal = m->scratch, *y = proposal + m->dim * m->lanes;
    double *p = y + s.end, *g = p + s.end, *x = g + 3 * s.end;
    cs_pack_rows_once(m, m->x, x);
    cs_pack_rows(m, m->memory, g);
    cs_packed_normal(m, CS_NORMALS, p);
    glide(m, s, n, x, g, y, p, g);
    if (m->gave_up)
        return;
    cs_show_proposal(m, y, proposal);
    cs_refuse_overflow_packed(m, y);
    cs_accept_packed(m, &(cs_packed_proposal){x, y});
    if (m->info.accepted[0])
        cs_unpack_rows(m, g, m->memory);
    m->packed_valid = m->multi_step;
}

static void step_lanes(cs_move *m, size_t n)
{
    size_t size = m->dim * m->lanes;
    double *y = m->scratch, *p = y + size, *g = p + size;
    m->info.proposal = y;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, p);
    glide(m, cs_span_of(m), n, m->x, m->memory, y, p, g);
    if (m->gave_up)
        return;
    cs_refuse_overflow(m);
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}

static void step(cs_move *m)
{
    size_t n = (size_t)cs_move_param(m, LEAPFROGS)[0];
    draw_steps(m);
    if (cs_eval_is_packed(m->eval))
        step_packed(m, n);
    else
        step_lanes(m, n);
    if (!m->gave_up)
        put_stats(m, n);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    return cs_kernel_check_precision("hmc", t, values[GRADIENT_PRECISION], err);
}

static const char *const stats[] = {
    [N_LEAPFROG] = "n_leapfrog__",
    [DIVERGENT] = "divergent__",
    [ENERGY] = "energy__",
    NULL,
};

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(0.1, "step size (time) of one leapfrog"),
    [LEAPFROGS] = {.name = "leapfrogs",
                   .unit = "gradients",
                   .kind = CS_PARAM_INT,
                   .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
                   CS_PARAM_RANGE(1, 1e6, 10),
                   .help = "leapfrog steps per trajectory"},
    [GRADIENT_PRECISION] =
        {.name = "gradient_precision",
         .kind = CS_PARAM_CHOICE,
         .flags = CS_PARAM_SHARED,
         .max = CS_GRADIENT_FLOAT,
         .def = CS_GRADIENT_DOUBLE,
         .choices = cs_gradient_precision_names,
         .help = "floating-point precision of the gradient along a trajectory; "
                 "the draws are exact with single and with double precision",
         .ref = "Neal, 2011, section 3.1"},
    [JITTER] = {.name = "jitter",
                .flags = CS_PARAM_SHARED,
                .max = 0.99,
                .def = 0.3,
                .help = "largest share by which the length of each trajectory "
                        "is randomly increased or decreased; random lengths "
                        "avoid trajectories that always return to their start. "
                        "0: all trajectories have the same length",
                .ref = "Neal, 2011, section 3.2"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_hmc) = {
    .name = "hmc",
    .title = "Hamiltonian Monte Carlo",
    .ref = "Duane et al., Hybrid Monte Carlo, 1987; Neal, MCMC using "
           "Hamiltonian dynamics, 2011, section 3",
    .help =
        "Draws a random momentum, follows Hamiltonian dynamics with leapfrog "
        "steps, and accepts or rejects the end point of the trajectory.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    /* Between 0.65, the acceptance that minimises the cost, and 0.9
     * (Betancourt, Byrne and Girolami 2014). */
    .acceptance = 0.8,
    .length = "leapfrogs",
    .stats = stats,
    .memory_words = cs_gradient_memory,
    .scratch_words = scratch_words,
    .check = check,
    .init = cs_gradient_init,
    .step = step,
};
