/* multicanonical: an exact chain for pi / psi(J), in which all bins should be
 * equally likely; its draws have weight psi(J).
 *
 *   the step   as in flatten.h, with psi for theta
 *   learning   `learn` steps, in rounds of `every`; at the end of each round,
 *              for all bins that were visited h(i) > 0 times in it,
 *                  log psi(i) += log h(i)
 *              then psi is frozen, and draws count from then on
 *
 * Berg and Neuhaus, "Multicanonical algorithms for first order phase
 * transitions" (1991); the recursion in the form of Berg, "Introduction to
 * Markov chain Monte Carlo simulations and their statistical analysis" (2004),
 * without its smoothing. If log_weights from another run are given, learning
 * starts from them; `learn` is then 0 by default. */
#include "kernels/contour/flatten.h"

enum { LEARN = CS_FLATTEN_ROWS, EVERY, NUMBERS };

/* Ends a round: adds log h to log psi of each bin. Records in LAST the
 * absolute difference between log h and the log of the mean h. */
static void learn(cs_flatten_lane *b)
{
    double sum = 0, seen = 0;
    for (size_t i = 0; i < b->n; i++) {
        double h = *cs_flatten_entry(b, CS_FLATTEN_RECENT, i);
        sum += h;
        seen += h > 0;
    }
    for (size_t i = 0; i < b->n; i++) {
        double *h = cs_flatten_entry(b, CS_FLATTEN_RECENT, i);
        if (*h == 0)
            continue;
        *cs_flatten_theta(b, i) += log(*h);
        *cs_flatten_entry(b, CS_FLATTEN_LAST, i) = fabs(log(*h * seen / sum));
        *h = 0;
    }
}

static bool visit(const cs_flatten_view *v, size_t l, cs_flatten_lane *b)
{
    double left = cs_flatten_param(v->m, LEARN)[l] -
                  *cs_flatten_word(b, CS_FLATTEN_COUNT);
    uint64_t every = (uint64_t)cs_flatten_param(v->m, EVERY)[0];
    uint64_t done = (uint64_t)*cs_flatten_word(b, CS_FLATTEN_COUNT);
    size_t at = cs_flatten_bin(b);
    *cs_flatten_word(b, CS_FLATTEN_GAIN) = left > 0;
    if (left < 0) {
        *cs_flatten_entry(b, CS_FLATTEN_LAST, at) = 0;
        return true;
    }
    *cs_flatten_entry(b, CS_FLATTEN_RECENT, at) += 1;
    if (left == 0 || done % every == 0)
        learn(b);
    return false;
}

static void init(cs_move *m)
{
    cs_flatten_init(m, cs_flatten_param(m, LEARN)[0] == 0, false);
}

static void step(cs_move *m)
{
    cs_flatten_step(m, visit, NULL);
}

/* Returns false if there is a window, because the chain then visits only a part
 * of the target. */
static bool is_exact(const cs_target *t, const double *values)
{
    (void)t;
    return values[CS_FLATTEN_WINDOW] == 0;
}

#define PAPER "Berg and Neuhaus 1991"

static const cs_param rows[] = {
    CS_FLATTEN_PARAMS(PAPER),
    [LEARN] =
        {.name = "learn",
         .unit = "steps",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED,
         .max = 1e15,
         .def = 100000,
         .help =
             "number of steps after which the weights are frozen; only later "
             "draws count in estimates. 0: the given weights are used",
         .ref = PAPER},
    [EVERY] = {.name = "every",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
               CS_PARAM_RANGE(1, 1e15, 10000),
               .help = "number of steps between updates of the weights",
               .ref = PAPER},
    [NUMBERS + CS_FLATTEN_LOG_WEIGHTS] = CS_FLATTEN_LOG_WEIGHTS_ROW(
        "log psi, the log weight of each bin (nats), from an earlier run; if "
        "the list is given, `learn` is 0 by default"),
};

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    const cs_value *weights = &given[NUMBERS + CS_FLATTEN_LOG_WEIGHTS];
    if (weights->given && !given[LEARN].given)
        values[LEARN] = 0;
    if (!weights->given && values[LEARN] == 0) {
        cs_fail(err, CS_RANGE,
                "multicanonical: with learn = 0 and without log_weights, "
                "nothing is flattened");
        cs_hint(
            err,
            "give the log_weights of an earlier run, or set learn = 100000");
        return CS_RANGE;
    }
    return cs_flatten_arrange(given, weights, values, err);
}

const cs_kernel_type CS_VARIANT(cs_kernel_multicanonical) = {
    .name = "multicanonical",
    .title = "Multicanonical sampling",
    .ref = "Berg and Neuhaus, Multicanonical algorithms for first order phase "
           "transitions, 1991",
    .help =
        "Wraps a reversible kernel, which makes the proposals. Weights make "
        "all bins of the energy, or of another quantity, equally likely; the "
        "weights are learned first and then frozen. With frozen weights the "
        "sampler is "
        "exact, and its draws are reweighted to the target.",
    .flags = CS_KERNEL_EXACT | CS_KERNEL_WEIGHS | CS_KERNEL_ACCEPTS |
             CS_KERNEL_DECIDES,
    CS_FLATTEN_MEMBERS(rows, 1),
    .is_exact = is_exact,
    .report = cs_flatten_report_alike,
};
