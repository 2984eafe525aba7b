/* samc: stochastic approximation Monte Carlo. A chain of Metropolis steps
 * learns weights of the bins such that the chain visits bin i with the desired
 * share p_i.
 *
 *   the step      as in flatten.h
 *   at visit k    log theta(i) += gamma_k (1{i = J} - p_i)  for all bins i,
 *                 gamma_k = gain t0 / max(t0, k)
 *
 * Liang, Liu and Carroll, "Stochastic approximation in Monte Carlo computation"
 * (2007), section 2.1, Eqs. 3 and 4. theta(i) converges, up to a constant, to
 * the mass of bin i divided by p_i + p_0, where p_0 is the share of the empty
 * bins, spread over the others. A draw has weight theta_k(J) divided by the sum
 * of theta_k. Without this division the last draws would dominate, because bins
 * without states lose weight to all others. With t0 = 0, gamma_k is the gain,
 * which may have a schedule. If all p_i are equal, only log theta(J) is
 * updated. With `share` all chains of an arm share one theta, and 1{i = J}
 * becomes the share of the chains that are in bin i. */
#include "kernels/contour/flatten.h"

enum { GAIN = CS_FLATTEN_ROWS, T0, SHARE, NUMBERS };
enum { SHARES = CS_FLATTEN_LOG_WEIGHTS + 1, LISTS };

static double gain_of(const cs_flatten_view *v, size_t l, double visit)
{
    double gain = cs_flatten_param(v->m, GAIN)[l];
    double t0 = cs_flatten_param(v->m, T0)[l];
    return t0 > 0 ? gain * t0 / fmax(t0, visit) : gain;
}

static bool visit(const cs_flatten_view *v, size_t l, cs_flatten_lane *b)
{
    size_t at = cs_flatten_bin(b);
    const double *share =
        v->wrapper->lists.n[SHARES] ? v->wrapper->lists.of[SHARES] : NULL;
    double gain = gain_of(v, l, *cs_flatten_word(b, CS_FLATTEN_COUNT));
    double mine = share ? share[at] : 1 / (double)b->n;
    *cs_flatten_theta(b, at) += gain;
    for (size_t i = 0; share && i < b->n; i++)
        *cs_flatten_theta(b, i) -= gain * share[i];
    *cs_flatten_entry(b, CS_FLATTEN_LAST, at) = gain * (1 - mine);
    *cs_flatten_word(b, CS_FLATTEN_GAIN) = gain;
    return true;
}

/* Updates LEVEL from the shares, after all theta have changed. */
static void level(const cs_flatten_view *v, const double *was,
                  const double *now)
{
    size_t by = v->m->lanes;
    double *to = v->lane.word + CS_FLATTEN_LEVEL * by;
    if (!v->wrapper->lists.n[SHARES]) {
        cs_flatten_raise(v, was, now);
        return;
    }
    for (size_t l = 0; l < by; l += CS_VECTOR) {
        cs_vd old = cs_load(to + l), sum = cs_vset(0);
        cs_vd top = cs_vmax(old, cs_load(now + l));
        cs_vi stays = cs_load(was + l) == cs_load(now + l);
        for (size_t i = 0; i < v->lane.n; i++)
            sum += cs_vexp(cs_load(v->lane.theta + i * by + l) - top);
        cs_store(to + l, cs_vselect(stays, old, top + cs_vlog(sum)));
    }
}

static void init(cs_move *m)
{
    cs_flatten_init(m, true, true);
}

static void step(cs_move *m)
{
    cs_flatten_step(m, visit, level);
}

static uint64_t period(const double *values)
{
    return (uint64_t)values[SHARE];
}

static const double *shares_of(const cs_exchange *m)
{
    size_t n;
    return cs_self_list(m->self, SHARES, &n);
}

static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    cs_flatten_report(m, shares_of(m), prefix, out);
}

#define PAPER "Liang, Liu and Carroll 2007, "

static const cs_param rows[] = {
    CS_FLATTEN_PARAMS(PAPER "section 2.1"),
    [GAIN] = {.name = "gain",
              .flags = CS_PARAM_LOG,
              .max = 1e6,
              .def = 1,
              .help = "gamma, the gain of the learned weights, in the first t0 "
                      "steps; 0: the weights are fixed",
              .ref = PAPER "Eq. 3"},
    [T0] = {.name = "t0",
            .unit = "steps",
            .flags = CS_PARAM_LOG,
            .max = 1e15,
            .def = 1000,
            .help =
                "number of steps after which gamma decreases as 1 / n at step "
                "n; 0: gamma is always `gain`, which may have a schedule",
            .ref = PAPER "Eq. 4"},
    [SHARE] = {.name = "share",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
               .max = 1e9,
               .help = "number of steps between exchanges in which the "
                       "chains of an arm average the increments of their "
                       "weights; 0: each chain learns its own weights"},
    [NUMBERS + CS_FLATTEN_LOG_WEIGHTS] =
        CS_FLATTEN_LOG_WEIGHTS_ROW("initial log theta of each bin (nats)"),
    [NUMBERS +
        SHARES] = {.name = "shares",
                   CS_FIXED(ARRAY),
                   .max = CS_FLATTEN_MOST,
                   .help = "p_i, the desired share of the visits for each bin; "
                           "the shares sum to 1 and are equal by default",
                   .ref = PAPER "section 2.1"},
};

static cs_status check_shares(const cs_value *v, const double *values,
                              cs_error *err)
{
    double sum = 0, least = 1;
    cs_status s = cs_flatten_check_list(v, values, err);
    for (size_t i = 0; v->given && !s && i < v->rows; i++) {
        sum += v->array[i];
        least = fmin(least, v->array[i]);
    }
    if (s || !v->given || (least > 0 && fabs(sum - 1) < 1e-9))
        return s;
    if (least > 0)
        cs_fail(err, CS_RANGE, "samc: the sum of `shares` is %.12g, not 1",
                sum);
    else
        cs_fail(err, CS_RANGE, "samc: an entry of `shares` is %g", least);
    cs_hint(err, "give each bin a share of the visits above 0, with sum 1");
    return CS_RANGE;
}

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    cs_status s = cs_flatten_arrange(
        given, &given[NUMBERS + CS_FLATTEN_LOG_WEIGHTS], values, err);
    return s ? s : check_shares(&given[NUMBERS + SHARES], values, err);
}

static const cs_exchange_type exchange = {.period = period,
                                          .run = cs_flatten_meet};

const cs_kernel_type CS_VARIANT(cs_kernel_samc) = {
    .name = "samc",
    .title = "Stochastic approximation Monte Carlo",
    .ref = "Liang, Liu and Carroll, Stochastic approximation in Monte Carlo "
           "computation, 2007",
    .help =
        "Wraps a reversible kernel, which makes the proposals. Weights are "
        "learned during the run so that each bin of the energy, or of another "
        "quantity, gets the desired share of the visits. Draws are reweighted "
        "to "
        "the target, and are approximate while the weights are learned.",
    .flags = CS_KERNEL_WEIGHS | CS_KERNEL_ACCEPTS | CS_KERNEL_DECIDES,
    CS_FLATTEN_MEMBERS(rows, LISTS),
    .report = report,
    .exchange = &exchange,
};
