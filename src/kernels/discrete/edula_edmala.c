/* edula, edmala and their Gibbs-like versions edula_glu, edmala_glu: discrete
 * Langevin samplers guided by local entropy. The state is x and an auxiliary
 * variable a (theta_a in the paper) in R^dim, with joint distribution
 *
 *   p(x, a) ~ exp( log p(x) - |x - a|^2 / (2 eta) )
 *
 * whose marginal in x is the target. With c = (x - a) / eta, the proposal is
 *   x'_i ~ exp( balance (g_i - c_i) (v - x_i) - (v - x_i)^2 / (2 step) )
 *   a'   = a + step_a / 2 c + sqrt(step_a) z,  z ~ N(0, I)
 * both from the old x and a; edmala accepts or rejects both together. The
 * Gibbs-like versions move x in this way with a fixed, and then draw a ~ N(x,
 * eta I).
 *
 * Mohanty, Bhattacharya and Zhang, "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces" (ICML 2025), Algorithm 1, Eqs. 5-9, and appendix B. A
 * categorical site may be coded as one bit per value, of which one is set: x
 * above then denotes the bits, a has one component per bit, and g is defined in
 * langevin.h. Differences from the paper: a starts at a draw from N(x, eta I),
 * its distribution given x, and not at x, so that exact starts give exact
 * draws; the balance need not be 1/2; and the differences described in
 * langevin.h. Eq. 9 states the normaliser of the Gaussian but expands it
 * differently; the Gaussian of Eq. 6 is meant. The accept step makes the target
 * the marginal for every eta, so edmala has no lasting preference for flat
 * modes; edula is biased by both step sizes. In the authors' program one call
 * of a Gibbs-like version is half a step: `count` = halves. (Each half is
 * reversible; a pair of halves is not.)
 *
 * In info, log_q_forward is log p(a|x) + log q(x', a' | x, a) up to a constant,
 * and log_q_back is the same for the reverse move. */
#include "kernel/accept.h"
#include "kernels/discrete/langevin.h"

#include <math.h>
#include <string.h>

enum { STEP, BALANCE, ETA, STEP_A, COUNT = STEP_A, CODING };
enum { STEPS, HALVES };

/* Returns the number of rows of the auxiliary variable a. Memory: the auxiliary
 * variable, the gradient at x. Scratch: y; a'; the uniforms, later overwritten
 * by the gradient at y; the softmax weights of eight lanes. */
static size_t aux_rows(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    return 2 * aux_rows(t, values);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    return t->space.dim + 2 * aux_rows(t, values) + (size_t)t->space.values;
}

static size_t rows_of(const cs_move *m)
{
    return cs_coding_rows(m, cs_coding_is_hot(m, CODING));
}

/* Returns row r of the quantity to which the auxiliary variable is coupled, for
 * eight lanes of the state x: a coordinate, or the bit of a site and value. */
static inline cs_vd coordinate(const cs_move *m, bool hot, const double *x,
                               size_t l, size_t r)
{
    size_t values = (size_t)m->space->values;
    if (!hot)
        return cs_load(x + r * m->lanes + l);
    cs_vd here = cs_vset(m->space->low + (double)(r % values));
    cs_vi set = cs_load(x + r / values * m->lanes + l) == here;
    return cs_vselect(set, cs_vset(1), cs_vset(0));
}

static double *gradient_of(const cs_move *m)
{
    return m->memory + rows_of(m) * m->lanes;
}

static double *scratch_gradient(const cs_move *m)
{
    size_t before = m->dim + rows_of(m);
    return m->scratch + before * m->lanes;
}

/* Computes a = x + sqrt(eta) z, where a holds z on entry. */
static void draw_auxiliary(const cs_move *m, double *a)
{
    size_t rows = rows_of(m);
    bool hot = cs_coding_is_hot(m, CODING);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd scale = cs_vsqrt(cs_load(cs_move_param(m, ETA) + l));
        double *at = a + l;
        for (size_t r = 0; r < rows; r++, at += m->lanes)
            cs_store(at, coordinate(m, hot, m->x, l, r) + scale * cs_load(at));
    }
}

/* Draws the initial auxiliary variable. In the stream CS_FOR_START, the normals
 * of this variable come after the normals of the starting point. The steps use
 * neither. */
static void init(cs_move *m)
{
    size_t rows = rows_of(m);
    double *z = m->scratch;
    cs_fill_normal(&m->streams, CS_FOR_START, m->dim + rows, z);
    memcpy(m->memory, z + m->dim * m->lanes, rows * m->lanes * sizeof *z);
    draw_auxiliary(m, m->memory);
    cs_langevin_evaluate(m, CS_NOW, cs_coding_is_hot(m, CODING), m->x,
                         m->info.logp, gradient_of(m));
}

static cs_langevin langevin(const cs_move *m, size_t l, const double *g,
                            const double *a)
{
    return (cs_langevin){.step = cs_load(cs_move_param(m, STEP) + l),
                         .balance = cs_load(cs_move_param(m, BALANCE) + l),
                         .g = g,
                         .a = a,
                         .pull = 1.0 / cs_load(cs_move_param(m, ETA) + l),
                         .weight = scratch_gradient(m) + rows_of(m) * m->lanes,
                         .hot = cs_coding_is_hot(m, CODING)};
}

/* Returns -|x - a|^2 / (2 eta) for eight lanes. */
static cs_vd coupling(const cs_move *m, size_t l, const double *x,
                      const double *a)
{
    cs_vd sum = cs_vset(0);
    bool hot = cs_coding_is_hot(m, CODING);
    size_t rows = rows_of(m);
    for (size_t r = 0; r < rows; r++) {
        cs_vd off = coordinate(m, hot, x, l, r) - cs_load(a + r * m->lanes + l);
        sum += off * off;
    }
    return -0.5 * sum / cs_load(cs_move_param(m, ETA) + l);
}

/* ---- simultaneous update of the auxiliary variable ----------------------- */

typedef struct drift {
    cs_vd rate, scale, half; /* rate = step_a / (2 eta), scale = sqrt(step_a),
                                half = 1 / (2 step_a) */
} drift;

static drift drift_of(const cs_move *m, size_t l)
{
    cs_vd step = cs_load(cs_move_param(m, STEP_A) + l);
    cs_vd eta = cs_load(cs_move_param(m, ETA) + l);
    return (drift){0.5 * step / eta, cs_vsqrt(step), 0.5 / step};
}

/* Computes b = a', where b holds the normals on entry. Returns log q_a(b | x,
 * a) for eight lanes. */
static cs_vd move_auxiliary(const cs_move *m, size_t l, double *b)
{
    drift d = drift_of(m, l);
    cs_vd sum = cs_vset(0);
    bool hot = cs_coding_is_hot(m, CODING);
    size_t rows = rows_of(m), at = l;
    for (size_t r = 0; r < rows; r++, at += m->lanes) {
        cs_vd x = coordinate(m, hot, m->x, l, r), a = cs_load(m->memory + at);
        cs_vd z = cs_load(b + at);
        sum += z * z;
        cs_store(b + at, a + d.rate * (x - a) + d.scale * z);
    }
    return -0.5 * sum;
}

/* Returns log q_a(b | x, a) for eight lanes, up to a constant. move_auxiliary
 * leaves out the same constant. */
static cs_vd log_auxiliary(const cs_move *m, size_t l, const double *x,
                           const double *a, const double *b)
{
    drift d = drift_of(m, l);
    cs_vd sum = cs_vset(0);
    bool hot = cs_coding_is_hot(m, CODING);
    size_t rows = rows_of(m), at = l;
    for (size_t r = 0; r < rows; r++, at += m->lanes) {
        cs_vd now = cs_load(a + at), pull = coordinate(m, hot, x, l, r) - now;
        cs_vd off = cs_load(b + at) - now - d.rate * pull;
        sum += off * off;
    }
    return -d.half * sum;
}

/* Where a' has become unstable, replaces a' by x. (Instability is possible only
 * if step_a is at least 4 eta.) */
static void catch_auxiliary(const cs_move *m, double *b)
{
    size_t rows = rows_of(m);
    bool hot = cs_coding_is_hot(m, CODING);
    for (size_t r = 0; r < rows; r++)
        for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
            double *at = b + r * m->lanes + l;
            cs_vd a = cs_load(at), x = coordinate(m, hot, m->x, l, r);
            cs_store(at, cs_vselect(cs_vabs(a) < 1e100, a, x));
        }
}

/* ---- steps --------------------------------------------------------------- */

/* Proposes y. Unless b is NULL, also proposes a' in b, which holds the normals
 * on entry. Evaluates y and returns the gradient at y. */
static double *propose(cs_move *m, double *b)
{
    double *y = m->scratch, *g = scratch_gradient(m), *a = m->memory;
    m->info.proposal = y;
    m->info.aux_proposal = b;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, gradient_of(m), a);
        cs_vd log_q = cs_langevin_propose(m, &q, l, y, g + l, m->lanes);
        log_q += coupling(m, l, m->x, a);
        log_q += b ? move_auxiliary(m, l, b) : cs_vset(0);
        cs_store(m->info.log_q_forward + l, log_q);
    }
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), y,
                         m->info.logp_proposal, g);
    return g;
}

/* Computes out = log p(a | from) + log q(to, b | from, a), given the gradient
 * at `from`. If b is NULL, the auxiliary variable is fixed. */
static void density(const cs_move *m, const double *from, const double *a,
                    const double *to, const double *b, const double *g,
                    double *out)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, g, a);
        cs_vd log_q = cs_langevin_log(m, &q, l, from, to);
        log_q += coupling(m, l, from, a);
        log_q += b ? log_auxiliary(m, l, from, a, b) : cs_vset(0);
        cs_store(out + l, log_q);
    }
}

static double *normals(const cs_move *m)
{
    double *b = m->scratch + m->dim * m->lanes;
    cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, rows_of(m), b);
    return b;
}

static void step_adjusted(cs_move *m)
{
    double *b = normals(m), *g = propose(m, b);
    density(m, m->info.proposal, b, m->x, m->memory, g, m->info.log_q_back);
    cs_accept(m);
    cs_commit_moved(m->info.moved, m->lanes, rows_of(m), g, gradient_of(m));
    cs_commit_moved(m->info.accepted, m->lanes, rows_of(m), b, m->memory);
}

static void step_unadjusted(cs_move *m)
{
    double *b = normals(m), *g = propose(m, b);
    catch_auxiliary(m, b);
    cs_accept_all(m);
    cs_commit_moved(m->info.moved, m->lanes, rows_of(m), g, gradient_of(m));
    for (size_t l = 0; l < m->lanes; l++)
        m->info.accepted[l] = m->info.logp_proposal[l] > -HUGE_VAL;
    cs_commit_moved(m->info.accepted, m->lanes, rows_of(m), b, m->memory);
    for (size_t l = 0; l < m->lanes; l++)
        m->info.accepted[l] = !isnan(m->info.logp_proposal[l]);
}

/* Fills info for a step that draws the auxiliary variable from its exact
 * conditional distribution. Such a step does not change x, and is always
 * accepted. */
static void hold(cs_move *m)
{
    size_t size = m->dim * m->lanes;
    double *y = m->scratch;
    m->info.proposal = y;
    m->info.aux_proposal = NULL;
    memcpy(y, m->x, size * sizeof *y);
    cs_fill_log_uniform(&m->streams, CS_FOR_ACCEPT, 1, m->info.log_uniform);
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.logp_proposal[l] = m->info.logp[l];
        m->info.logp_change[l] = m->info.log_ratio[l] = 0;
        m->info.log_q_forward[l] = m->info.log_q_back[l] = 0;
        m->info.accepted[l] = true;
        m->info.moved[l] = false;
    }
}

/* moves_x returns true if this call of a Gibbs-like version moves x; draws_a
 * returns true if this call draws the auxiliary variable a. */
static bool moves_x(const cs_move *m)
{
    return cs_move_param(m, COUNT)[0] == STEPS || m->streams.step % 2 == 1;
}

static bool draws_a(const cs_move *m)
{
    return cs_move_param(m, COUNT)[0] == STEPS || m->streams.step % 2 == 0;
}

static void resample(cs_move *m)
{
    if (!draws_a(m))
        return;
    cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, rows_of(m), m->memory);
    draw_auxiliary(m, m->memory);
}

static void step_adjusted_glu(cs_move *m)
{
    if (moves_x(m)) {
        double *g = propose(m, NULL), *a = m->memory;
        density(m, m->info.proposal, a, m->x, NULL, g, m->info.log_q_back);
        cs_accept(m);
        cs_commit_moved(m->info.moved, m->lanes, rows_of(m), g, gradient_of(m));
    } else {
        hold(m);
    }
    resample(m);
}

static void step_unadjusted_glu(cs_move *m)
{
    if (moves_x(m)) {
        double *g = propose(m, NULL);
        cs_accept_all(m);
        cs_commit_moved(m->info.moved, m->lanes, rows_of(m), g, gradient_of(m));
    } else {
        hold(m);
    }
    resample(m);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    size_t size = m->dim * m->lanes;
    double *g = scratch_gradient(m);
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), from, out, g);
    density(m, from, from + size, to, to + size, g, out);
}

static void log_q_glu(cs_move *m, const double *from, const double *to,
                      double *out)
{
    size_t size = m->dim * m->lanes;
    double *g = scratch_gradient(m);
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), from, out, g);
    density(m, from, from + size, to, NULL, g, out);
}

static cs_status check_stable(const cs_target *t, const double *values,
                              cs_error *err)
{
    (void)t;
    if (values[STEP_A] < 4 * values[ETA])
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "step_a = %g with eta = %g: theta_a would diverge from x",
            values[STEP_A], values[ETA]);
    cs_hint(err, "keep step_a below 4 eta");
    return CS_RANGE;
}

static const cs_aux variables[] = {
    {.name = "theta_a",
     .help = "theta_a, an auxiliary variable coupled to x; it follows the "
             "energy smoothed over a width of sqrt(eta)",
     .rows = aux_rows},
    {.name = NULL},
};

static const cs_aux_type aux = {.variable = variables};

#define PAPER "Mohanty, Bhattacharya and Zhang 2025, "

#define COMMON_ROWS                                                            \
    [STEP] = {.name = "step",                                                  \
              .unit = "",                                                      \
              .flags = CS_PARAM_LOG | CS_PARAM_SIZE,                           \
              .min = 1e-9,                                                     \
              .max = 1e30,                                                     \
              .def = 0.2,                                                      \
              .help = "alpha: step size of x, which has the dimension of x "   \
                      "squared; with a larger alpha more coordinates of x "    \
                      "change per step",                                       \
              .ref = PAPER "Eq. 8"},                                           \
    [BALANCE] = {.name = "balance",                                            \
                 .unit = "",                                                   \
                 .max = 1,                                                     \
                 .def = 0.5,                                                   \
                 .help = "balancing parameter, which multiplies the "          \
                         "gradient; 1/2 in the paper",                         \
                 .ref = PAPER "Eq. 8"},                                        \
    [ETA] = {.name = "eta",                                                    \
             .unit = "square of a coordinate",                                 \
             .flags = CS_PARAM_LOG,                                            \
             .min = 1e-9,                                                      \
             .max = 1e30,                                                      \
             .def = 1,                                                         \
             .help =                                                           \
                 "variance of theta_a around x. With a large variance the "    \
                 "kernel is nearly dula or dmala. A change of eta during a "   \
                 "run restarts theta_a",                                       \
             .ref = PAPER "Eq. 4"},                                            \
    [CODING] = CS_CODING_ROW(", each with its own theta_a", NULL)

static const cs_param rows[] = {
    COMMON_ROWS,
    [STEP_A] = {.name = "step_a",
                .unit = "square of a coordinate",
                .flags = CS_PARAM_LOG,
                CS_PARAM_RANGE(1e-12, 1e30, 0.1),
                .help = "step size of theta_a, below 4 eta",
                .ref = PAPER "Eq. 6"},
};

static const char *const counts[] = {"steps", "halves", NULL};

static const cs_param rows_glu[] = {
    COMMON_ROWS,
    [COUNT] = {.name = "count",
               .kind = CS_PARAM_CHOICE,
               .flags = CS_PARAM_SHARED,
               .max = 1,
               .choices = counts,
               .help = "what counts as one step. steps: an update of x "
                       "followed by an update of theta_a; halves: one of the "
                       "two updates, each in turn (as the authors count)",
               .ref = PAPER "appendix B"},
};

#define SHARED                                                                 \
    .spaces = CS_DISCRETE, .aux = &aux, .memory_words = memory_words,          \
    .scratch_words = scratch_words, .init = init,                              \
    .carried_words = memory_words

const cs_kernel_type CS_VARIANT(cs_kernel_edula) = {
    .name = "edula",
    .title = "Entropic discrete Langevin, unadjusted",
    .ref = PAPER "Algorithm 1",
    .help =
        "A discrete Langevin sampler of x, coupled to an auxiliary variable "
        "theta_a that follows a smoothed energy. The kernel is biased because "
        "it has no accept step, and the bias grows with the step sizes.",
    .flags = CS_KERNEL_GRADIENT,
    CS_PARAM_TABLE(rows),
    .check = check_stable,
    .step = step_unadjusted,
    .log_q = log_q,
    SHARED,
};

const cs_kernel_type CS_VARIANT(cs_kernel_edmala) = {
    .name = "edmala",
    .title = "Entropic discrete Langevin, Metropolis-adjusted",
    .ref = PAPER "Algorithm 1",
    .help = "A discrete Langevin sampler of x with an accept step, coupled to "
            "an auxiliary variable theta_a that follows a smoothed energy. The "
            "draws follow the target for any eta.",
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .step = step_adjusted,
    .log_q = log_q,
    SHARED,
};

const cs_kernel_type CS_VARIANT(cs_kernel_edula_glu) = {
    .name = "edula_glu",
    .title = "Entropic discrete Langevin, Gibbs-like, unadjusted",
    .ref = PAPER "appendix B",
    .help = "Like edula, but after each move of x, the auxiliary variable "
            "theta_a is drawn from its conditional distribution given x. The "
            "kernel is biased.",
    .flags = CS_KERNEL_GRADIENT,
    CS_PARAM_TABLE(rows_glu),
    .step = step_unadjusted_glu,
    .log_q = log_q_glu,
    SHARED,
};

const cs_kernel_type CS_VARIANT(cs_kernel_edmala_glu) = {
    .name = "edmala_glu",
    .title = "Entropic discrete Langevin, Gibbs-like, Metropolis-adjusted",
    .ref = PAPER "appendix B",
    .help = "Like edmala, but after each move of x, the auxiliary variable "
            "theta_a is drawn from its conditional distribution given x.",
    .flags = CS_KERNEL_EXACT | CS_KERNEL_GRADIENT | CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows_glu),
    .step = step_adjusted_glu,
    .log_q = log_q_glu,
    SHARED,
};
