/* csgld, csghmc: contour stochastic gradient Langevin dynamics, and the version
 * with a velocity. Each chain learns a vector theta of bin weights, or all
 * chains share one.
 *
 *   J(x)   the bin of the energy U(x) = -log p(x), or of its estimate:
 *          bin 1 is U <= first, the last bin is open above, the others are
 *          `width` wide; or `borders` gives the borders, with a width per bin
 *   x'     = x + rate M g + sqrt(2 rate T) z,  z ~ N(0, I); g is the gradient
 *            of log p or its estimate (stochastic_gradient.h)
 *            csghmc: v' = momentum v + rate M g + sqrt(2 (a - b) rate T) z,
 *            x' = x + v', a and b as in sghmc (real/sgld.c)
 *   M      = 1 + zeta T (log theta(J) - log theta(J - 1)) / width   backward
 *            1 + zeta T (log theta(J + 1) - log theta(J)) / width   forward
 *   theta'(i) = theta(i) + gain p (1{i = J'} - theta(i)), J' = J(x'),
 *               p = theta(J')^zeta                          power
 *                   theta(J')                               plain
 *                   theta(J')^zeta + gain rho 1{i >= J'}    high_zeta, then all
 *                                                      divided by their sum
 *   weight of the draw  theta'(J')^zeta, or Psi(U(x'))^zeta
 *
 * Deng, Lin and Liang, "A contour stochastic gradient Langevin dynamics
 * algorithm for simulations of multi-modal distributions" (2020), Algorithm 1
 * with Eqs. 6 and 10, and supplement D.1 (forward; the paper writes j min m for
 * J + 1 min m). "plain" is Eq. 15. "high_zeta" is Eq. 57 with two corrections:
 * the brackets are moved, and the weights are divided by their sum, which would
 * otherwise grow. Psi is Eq. 5: it interpolates exponentially between the
 * weights at the borders of bins. For frozen weights and small rates the chain
 * follows p / Psi(U)^zeta, so the weight Psi(U)^zeta, which is not in the
 * paper, leaves no bias from the placement of the bins. A constant factor per
 * chain does not matter, so log theta is recorded unnormalised.
 *
 * With known `log_weights` and gain = 0 this kernel is the KSGLD of the paper
 * (section 4.1).
 *
 * Differences from the paper: the last bin has no upper border, so the paper's
 * multiplier is unbounded there, and the algorithm diverges at the paper's own
 * settings. Here M is 1 in that bin and within -clamp .. clamp elsewhere; clamp
 * = 0 follows the paper. The energy of the state is estimated from the batch
 * whose gradient is followed next. All theta are multiplied by a common scale,
 * so an update costs the same for any number of bins, except for high_zeta. The
 * only power of theta is formed in p, where an underflow is negligible next to
 * gain rho; elsewhere the code uses zeta log theta. A rejected move updates the
 * bin of the current state.
 *
 * share = n: all chains of the arm use one theta, which changes at every n-th
 * step by the mean of their increments (Deng, Liang, Hao and Lin, "Interacting
 * contour stochastic gradient Langevin dynamics", 2022, Algorithm 1). The
 * weight of a draw uses theta before the exchange of its step. Each chain has a
 * copy of theta, and all copies are equal; failed chains are left out. An
 * exchange adds 2 to 4 microseconds to a step of 32 chains, as for other
 * kernels. With high_zeta, copying all bins takes additional time. */
#include "kernels/contour/contour.h"
#include "kernels/real/velocity.h"

/* Parameters that csghmc has in addition to those of csgld. */
enum { MOMENTUM = CS_CONTOUR_PARAMS, NOISE_VARIANCE, ALL_PARAMS };

static const cs_sg_layout plain = {.next = 1}, with_velocity = {.next = 2};

static const char *const multipliers[] = {"backward", "forward", NULL};
static const char *const updates[] = {"power", "plain", "high_zeta", NULL};
static const char *const weighings[] = {"bin", "energy", NULL};

static void init(cs_move *m)
{
    cs_contour_init(m, plain);
}

static void move(const cs_move *m, const cs_sg_step *s, const double *noise,
                 size_t l)
{
    cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
    cs_vd heat = cs_load(cs_move_param(m, CS_CONTOUR_TEMPERATURE) + l);
    cs_vd drift =
        rate * cs_load(cs_contour_scratch(m, s, CS_CONTOUR_OWN_MULTIPLIER) + l);
    cs_vd sd = cs_vsqrt(2 * rate * heat);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        cs_store(s->y + at, cs_load(m->x + at) +
                                drift * cs_sg_gradient(m, noise, l, at) +
                                sd * cs_load(s->y + at));
}

static void step(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, plain);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    cs_contour_multiply(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        move(m, &s, noise, l);
    cs_contour_end(m, &s, cs_sg_arrive);
}

/* ---- the kernel with a velocity ------------------------------------------ */

static void init_velocity(cs_move *m)
{
    cs_contour_init(m, with_velocity);
}

static void step_velocity(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, with_velocity);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    cs_contour_multiply(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
        cs_vd heat = cs_load(cs_move_param(m, CS_CONTOUR_TEMPERATURE) + l);
        cs_vd by =
            cs_load(cs_contour_scratch(m, &s, CS_CONTOUR_OWN_MULTIPLIER) + l);
        cs_vd momentum = cs_load(cs_move_param(m, MOMENTUM) + l);
        cs_vd variance = cs_load(cs_move_param(m, NOISE_VARIANCE) + l);
        cs_vd a = cs_sg_free_friction(m, l, momentum, variance, rate, heat);
        cs_vd sd = cs_vsqrt(2 * a * rate * heat);
        cs_sg_push(m, &s, l, momentum, rate * by, noise, &sd);
    }
    cs_contour_end(m, &s, cs_sg_arrive_turning);
}

/* ---- tables of the kernels ----------------------------------------------- */

#define HOOKS(kernel, layout)                                                  \
    static size_t kernel##_first(const cs_target *t, const double *values)     \
    {                                                                          \
        return cs_contour_first(t, values, layout);                            \
    }                                                                          \
    static size_t kernel##_memory(const cs_target *t, const double *values)    \
    {                                                                          \
        return cs_contour_memory_words(t, values, layout);                     \
    }                                                                          \
    static size_t kernel##_carried(const cs_target *t, const double *values)   \
    {                                                                          \
        (void)values;                                                          \
        return (layout).next * t->space.dim;                                   \
    }                                                                          \
    static size_t kernel##_scratch(const cs_target *t, const double *values)   \
    {                                                                          \
        return cs_contour_scratch_words(t, values, layout);                    \
    }                                                                          \
    static void kernel##_meet(const cs_exchange *m)                            \
    {                                                                          \
        cs_contour_meet(m, layout);                                            \
    }                                                                          \
    static void kernel##_report(const cs_exchange *m, const char *prefix,      \
                                cs_flat *out)                                  \
    {                                                                          \
        cs_contour_report(m, layout, prefix, out);                             \
    }                                                                          \
    static cs_status kernel##_check(const cs_target *t, const double *values,  \
                                    cs_error *err)                             \
    {                                                                          \
        return cs_sg_check(#kernel, t, values, err);                           \
    }                                                                          \
    static const cs_aux_type kernel##_aux = {.variable = aux,                  \
                                             .first = kernel##_first};         \
    static const cs_exchange_type kernel##_exchanges = {                       \
        .period = cs_contour_period, .run = kernel##_meet};

#define PAPER "Deng, Lin and Liang 2020, "

static const cs_aux aux[] = {
    {.name = "theta",
     .help = "weight of each energy bin",
     .rows = cs_contour_rows,
     .unrecorded = true,
     .show = cs_contour_show},
    {.name = NULL},
};

HOOKS(csgld, plain)
HOOKS(csghmc, with_velocity)

/* Parameter rows that both kernels share. */
#define ROWS                                                                   \
    CS_SG_ROWS(                                                                \
        "epsilon, the step size: the chain moves by the rate times the "       \
        "gradient times its multiplier, plus noise with the variance 2 rate "  \
        "times the temperature",                                               \
        PAPER "Algorithm 1"),                                                  \
        [CS_CONTOUR_TEMPERATURE] = {.name = "temperature",                     \
                                    .flags = CS_PARAM_LOG,                     \
                                    .min = 1e-100,                             \
                                    .max = 1e100,                              \
                                    .def = 1,                                  \
                                    .help = "temperature tau: log p is "       \
                                            "divided by tau",                  \
                                    .ref = PAPER "Eq. 1"},                     \
        [CS_CONTOUR_ZETA] = {.name = "zeta",                                   \
                             .max = 1e8,                                       \
                             .def = 0.75,                                      \
                             .help = "zeta, the degree to which the "          \
                                     "histogram of energies is flattened (0: " \
                                     "not at all; 1: completely)",             \
                             .ref = PAPER "Eq. 4"},                            \
        CS_BIN_ROWS(CS_CONTOUR_FIRST, CS_CONTOUR_WIDTH, CS_CONTOUR_BINS,       \
                    "u_1, the upper border of the first bin; the weights are " \
                    "biased if no energy is below it",                         \
                    PAPER "section 2.2"),                                      \
        [CS_CONTOUR_GAIN] =                                                    \
            {.name = "gain",                                                   \
             .flags = CS_PARAM_LOG,                                            \
             .max = 1,                                                         \
             .def = 0.01,                                                      \
             .help = "omega, the gain of the learned weights. It must "        \
                     "decrease during the run, so use the schedule `gain`; "   \
                     "0: the weights are fixed",                               \
             .ref = PAPER "Eq. 10"},                                           \
        [CS_CONTOUR_CLAMP] =                                                   \
            {.name = "clamp",                                                  \
             .max = 1e100,                                                     \
             .def = 5,                                                         \
             .help = "the multiplier of the gradient is kept between -clamp "  \
                     "and clamp, and is 1 in the last bin. With clamp = 0, "   \
                     "as in the paper, the multiplier is neither limited nor " \
                     "set to 1, and the chain diverges"},                      \
        [CS_CONTOUR_MULTIPLIER] =                                              \
            {.name = "multiplier",                                             \
             .kind = CS_PARAM_CHOICE,                                          \
             .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                        \
             .max = CS_CONTOUR_FORWARD,                                        \
             .choices = multipliers,                                           \
             .help = "the multiplier is computed from the difference of "      \
                     "log weights between the bin and the bin below "          \
                     "(backward) or above (forward)",                          \
             .ref = PAPER "Eq. 6; D.1"},                                       \
        [CS_CONTOUR_UPDATE] =                                                  \
            {.name = "update",                                                 \
             .kind = CS_PARAM_CHOICE,                                          \
             .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                        \
             .max = CS_CONTOUR_HIGH,                                           \
             .choices = updates,                                               \
             .help =                                                           \
                 "increment of the weights. power: theta(J)^zeta; plain: "     \
                 "theta(J); high_zeta: theta(J)^zeta plus a term with rho, "   \
                 "for zeta far above 1",                                       \
             .ref = PAPER "Eqs. 10, 15 and 57"},                               \
        [CS_CONTOUR_WEIGHING] =                                                \
            {.name = "weighing",                                               \
             .kind = CS_PARAM_CHOICE,                                          \
             .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,                        \
             .max = CS_CONTOUR_BY_ENERGY,                                      \
             .choices = weighings,                                             \
             .help =                                                           \
                 "the weight of a draw. bin: theta(J)^zeta for its bin J; "    \
                 "energy: Psi(U)^zeta for its energy U. With `energy`, small " \
                 "rates and fixed weights, the position of the bins causes "   \
                 "no bias. While weights are learned, estimates are biased "   \
                 "in both cases: for example, the middle mode of nine_modes "  \
                 "has mass 0.307, and its estimate is 0.26 (0.19 without "     \
                 "energy_noise)",                                              \
             .ref = PAPER "Eqs. 5 and 8"},                                     \
        [CS_CONTOUR_ENERGY_NOISE] =                                            \
            {.name = "energy_noise",                                           \
             .flags = CS_PARAM_LOG,                                            \
             .max = 1e100,                                                     \
             .help = "standard deviation of the normal noise that is added "   \
                     "to the energy before its bin is determined",             \
             .ref = PAPER "section 4.1"},                                      \
        [CS_CONTOUR_RHO] =                                                     \
            {.name = "rho",                                                    \
             .flags = CS_PARAM_LOG,                                            \
             .max = 1e100,                                                     \
             .def = 1,                                                         \
             .help = "with update `high_zeta`: rho times gain squared is "     \
                     "added to the weights of the state's bin and of all "     \
                     "bins above",                                             \
             .ref = PAPER "Eq. 57"},                                           \
        [CS_CONTOUR_SHARE] = {                                                 \
            .name = "share",                                                   \
            .unit = "steps",                                                   \
            .kind = CS_PARAM_INT,                                              \
            .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED,          \
            .max = 1e9,                                                        \
            .help = "number of steps between joint updates of the weights, "   \
                    "after which all chains of the arm have the same "         \
                    "weights; 0: each chain learns its own weights. An "       \
                    "update takes about 4 microseconds for 32 chains",         \
            .ref = "Deng, Liang, Hao and Lin 2022, Algorithm 1"}

static const cs_param csgld_rows[] = {
    ROWS, CS_BIN_LIST_ROWS(CS_CONTOUR_PARAMS, PAPER "section 2.2")};

static const cs_param csghmc_rows[] = {
    ROWS, CS_SG_MOMENTUM_ROW(MOMENTUM), CS_SG_VARIANCE_ROW(NOISE_VARIANCE),
    CS_BIN_LIST_ROWS(ALL_PARAMS, PAPER "section 2.2")};

static cs_status csgld_arrange(const cs_value *given, double *values,
                               cs_error *err)
{
    return cs_contour_arrange(given, CS_CONTOUR_PARAMS, values, err);
}

static cs_status csghmc_arrange(const cs_value *given, double *values,
                                cs_error *err)
{
    return cs_contour_arrange(given, ALL_PARAMS, values, err);
}

static const char *const stats[] = {"bin__", "multiplier__", "learning__",
                                    NULL};

#define TABLE(kernel)                                                          \
    .spaces = CS_CONTINUOUS, .flags = CS_SG_FLAGS, .params = kernel##_rows,    \
    .n_lists = CS_BIN_LISTS, .arrange = kernel##_arrange, .stats = stats,      \
    .memory_words = kernel##_memory, .carried_words = kernel##_carried,        \
    .scratch_words = kernel##_scratch, .check = kernel##_check,                \
    .logp = cs_sg_logp, .explain = cs_contour_explain,                         \
    .report = kernel##_report, .exchange = &kernel##_exchanges,                \
    .aux = &kernel##_aux

const cs_kernel_type CS_VARIANT(cs_kernel_csgld) = {
    .name = "csgld",
    .title = "Contour stochastic gradient Langevin dynamics",
    .ref = "Deng, Lin and Liang, A contour stochastic gradient Langevin "
           "dynamics algorithm for simulations of multi-modal distributions, "
           "2020",
    .help = "Langevin steps that learn a weight for each energy bin, so that "
            "the histogram of energies becomes flat: in a mode that is visited "
            "too often, the gradient changes its sign. Draws are reweighted to "
            "the target. The kernel is biased because it has no accept step, "
            "and its draws are approximate while the weights are learned.",
    TABLE(csgld),
    .n_params = CS_CONTOUR_PARAMS,
    .init = init,
    .step = step,
};

const cs_kernel_type CS_VARIANT(cs_kernel_csghmc) = {
    .name = "csghmc",
    .title = "Contour stochastic gradient Hamiltonian Monte Carlo",
    .ref = "Deng, Lin and Liang, A contour stochastic gradient Langevin "
           "dynamics algorithm for simulations of multi-modal distributions, "
           "2020",
    .help = "Like csgld, but the chain has a velocity, which is changed by "
            "friction, by noise and by the noisy gradient; in a mode that is "
            "visited too often, the gradient changes its sign. Draws are "
            "reweighted to the target. The kernel is biased because it has no "
            "accept step, and its draws are approximate while the weights are "
            "learned.",
    TABLE(csghmc),
    .n_params = ALL_PARAMS,
    .init = init_velocity,
    .step = step_velocity,
};
