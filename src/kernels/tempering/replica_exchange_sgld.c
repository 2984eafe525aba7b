/* replica_exchange_sgld: chains at increasing temperatures that follow a noisy
 * gradient and use noisy energies to decide swaps of their states.
 *
 *   rung r of a ladder is sgld at T_r = T_0 (hottest / T_0)^(r / (rungs - 1))
 *   and rate_r = rate hot_rate^(r / (rungs - 1))
 *   rungs r and r + 1 swap states with probability intensity min(1, S),
 *     S = exp(D (E(x_r) - E(x_r+1)) - D^2 Var / 2),  D = 1/T_r - 1/T_r+1,
 *
 * where E is an estimate of -log p, and Var is the variance of the difference
 * of the two estimates. Deng, Feng, Gao, Liang and Lin, "Non-convex learning
 * via replica exchange stochastic gradient MCMC" (2020), Eqs. 6 and 8. The mean
 * of S is the ratio for exact energies; the mean of min(1, S) is not. For
 * normal noise of known variance, drawn again at each test, the swap is
 * nevertheless exact, because the penalty D^2 Var / 2 restores detailed balance
 * (Ceperley and Dewing, "The penalty method for random walks with uncertain
 * energies", 1999). The released program uses intensity S without the minimum,
 * which is biased even without noise.
 *
 * The kernel is approximate, because its moves are those of sgld. With a batch
 * the noise is not normal, and its variance is estimated from the spread of the
 * batch's terms, as a running mean per chain. The swap uses the estimate from
 * the batch of the next move. `energy_noise` is added again at each test; its
 * variance is known. States are swapped with their log p and gradient; a chain
 * keeps its temperature, its stream and its batches. Only rung 0 draws from the
 * target. */
#include "kernels/tempering/replica.h"

enum { MEMORY_OF_ESTIMATES = 100 };

static const cs_sg_layout layout = CS_REPLICA_LAYOUT;

static size_t memory_words(const cs_target *t, const double *values)
{
    return cs_sg_memory_words(t, values, layout) + WORDS;
}

static size_t carried_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

/* Rows of scratch after the common part: rates, temperatures, and the noise of
 * the energies. */
enum { OWN_RATE, OWN_HEAT, OWN_NOISE, OWN_ROWS };

static size_t scratch_words(const cs_target *t, const double *values)
{
    return cs_sg_scratch_words(t, values, layout) + OWN_ROWS;
}

static double *own_row(const cs_move *m, const cs_sg_step *s, size_t row)
{
    return cs_sg_own_scratch(m, s) + row * m->lanes;
}

static size_t rungs_of(const double *values)
{
    return (size_t)values[RUNGS];
}

static double *rung_row(const cs_move *m, const cs_sg_step *s, size_t row)
{
    size_t words = (1 + 2 * (size_t)s->control) * m->dim + s->control;
    return m->memory + (words + row) * m->lanes;
}

/* Sets the temperature and the rate of each lane from its rung. */
static void climb(const cs_move *m, const cs_sg_step *s)
{
    size_t n = m->lanes, rungs = (size_t)m->param[RUNGS * n];
    double *rate = own_row(m, s, OWN_RATE), *heat = own_row(m, s, OWN_HEAT);
    for (size_t l = 0; l < n; l++) {
        size_t rung = (size_t)(m->streams.chain[l] % rungs);
        double high = rungs > 1 ? (double)rung / (double)(rungs - 1) : 0;
        double least = m->param[TEMPERATURE * n + l];
        double most = fmax(least, m->param[HOTTEST * n + l]);
        double r = m->param[CS_SG_RATE * n + l];
        heat[l] = rung ? least * pow(most / least, high) : least;
        rate[l] = rung ? r * pow(m->param[HOT_RATE * n + l], high) : r;
        rung_row(m, s, CS_RUNG_BETA)[l] = 1 / heat[l];
    }
}

/* ---- energies ------------------------------------------------------------ */

/* Returns the variance of N / n times the sum of the batch's terms, estimated
 * from these terms. n is the number of rows in the batch, and N is the number
 * of all rows. */
static double spread(const cs_move *m, const cs_sg_step *s, size_t l)
{
    const double *term = s->term + s->batch.first[l];
    size_t n = s->batch.first[l + 1] - s->batch.first[l];
    double rows = (double)m->eval->target->n_rows, count = (double)n;
    double mean = cs_sg_sum(term, n) / count, square = 0;
    for (size_t i = 0; i < n; i++)
        square += (term[i] - mean) * (term[i] - mean);
    double anew = cs_move_param(m, CS_SG_ORDER)[0] == CS_BATCH_WITH_REPLACEMENT;
    double share = anew != 0 ? 1 : 1 - count / rows;
    return n > 1 ? rows * rows / count * square / (count - 1) * share : 0;
}

/* Updates the running mean of the variance. At first all estimates have equal
 * weights. Later the mean covers a window of about MEMORY_OF_ESTIMATES
 * estimates. */
static void learn_variance(const cs_move *m, const cs_sg_step *s, size_t l)
{
    double *variance = rung_row(m, s, VARIANCE) + l;
    double *number = rung_row(m, s, ESTIMATES) + l;
    *number = fmin(*number + 1, MEMORY_OF_ESTIMATES);
    *variance += (spread(m, s, l) - *variance) / *number;
}

/* Stores the noisy energies for the next swap test, if a test is due. */
static void note_energies(cs_move *m, const cs_sg_step *s)
{
    size_t n = m->lanes;
    double *z = own_row(m, s, OWN_NOISE);
    if (m->streams.step % (uint64_t)m->param[SWAP_INTERVAL * n] != 0)
        return;
    cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, 1, z);
    for (size_t l = 0; l < n; l++) {
        double sd = m->param[ENERGY_NOISE * n + l];
        bool alone = s->n && l < m->live && !m->failed[l];
        if (alone && s->batch.first[l + 1] > s->batch.first[l])
            learn_variance(m, s, l);
        rung_row(m, s, ENERGY)[l] = sd * z[l] - m->info.logp[l];
    }
}

/* ---- steps --------------------------------------------------------------- */

static void count_draws(cs_move *m)
{
    uint64_t rungs = (uint64_t)m->param[RUNGS * m->lanes];
    for (size_t l = 0; l < m->lanes; l++)
        if (m->streams.chain[l] % rungs)
            m->info.log_weight[l] = -HUGE_VAL;
}

static void init(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    uint64_t rungs = (uint64_t)m->param[RUNGS * m->lanes];
    cs_sg_init(m, layout);
    climb(m, &s);
    for (size_t l = 0; m->fresh && l < m->lanes; l++)
        cs_rung_begin(rung_row(m, &s, 0) + l, m->lanes,
                      (size_t)(m->streams.chain[l] % rungs),
                      m->streams.chain[l]);
    count_draws(m);
}

static void step(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    climb(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_sg_langevin(m, &s, noise, l, cs_load(own_row(m, &s, OWN_RATE) + l),
                       cs_load(own_row(m, &s, OWN_HEAT) + l));
    cs_sg_arrive(m, &s);
    note_energies(m, &s);
    count_draws(m);
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.stat[l] = rung_row(m, &s, CS_RUNG_BETA)[l];
        m->info.stat[m->lanes + l] = rung_row(m, &s, CS_RUNG_REPLICA)[l] + 1;
    }
}

/* ---- exchange ------------------------------------------------------------ */

static uint64_t period(const double *values)
{
    return (uint64_t)values[SWAP_INTERVAL];
}

static void exchange(const cs_exchange *m)
{
    cs_rungs_exchange(m, cs_replica_first(m), rungs_of(m->values),
                      period(m->values), cs_replica_trial);
}

static bool noise(const cs_noise *at)
{
    const double *v = at->values;
    size_t rungs = rungs_of(v), rung = at->chain % rungs;
    double high = rungs > 1 ? (double)rung / (double)(rungs - 1) : 0;
    double ratio = fmax(1, v[HOTTEST] / v[TEMPERATURE]);
    return cs_sg_noise_of_step(at, layout,
                               v[CS_SG_RATE] * pow(v[HOT_RATE], high),
                               v[TEMPERATURE] * pow(ratio, high));
}

static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    cs_rungs_report(m, cs_replica_first(m), rungs_of(m->values), prefix, out);
}

/* ---- table of the kernel ------------------------------------------------- */

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    if (values[HOTTEST] < values[TEMPERATURE]) {
        cs_fail(err, CS_RANGE,
                "kernel replica_exchange_sgld: hottest = %g is below "
                "temperature = %g",
                values[HOTTEST], values[TEMPERATURE]);
        cs_hint(err, "increase `hottest`, or decrease `temperature` (of the "
                     "coldest chain)");
        return CS_RANGE;
    }
    return cs_sg_check("replica_exchange_sgld", t, values, err);
}

#define PAPER "Deng et al. 2020, "

static const cs_param rows[] = {
    CS_SG_ROWS(
        "epsilon, the step size of the coldest chain, by which the gradient is "
        "multiplied; the variance of the noise is 2 rate times the temperature",
        PAPER "Eq. 5"),
    [TEMPERATURE] = {.name = "temperature",
                     .flags = CS_PARAM_LOG,
                     CS_PARAM_RANGE(1e-100, 1e100, 1),
                     .help = "temperature of the coldest chain; only the "
                             "draws of this chain count in estimates",
                     .ref = PAPER "Eq. 5"},
    [RUNGS] = {.name = "rungs",
               .unit = "chains",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               CS_PARAM_RANGE(2, 256, 2),
               .help = "number of temperatures, which form a geometric "
                       "progression; each temperature has its own chain",
               .ref = PAPER "Eq. 5"},
    [HOTTEST] = {.name = "hottest",
                 .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
                 CS_PARAM_RANGE(1e-100, 1e100, 3),
                 .help = "the highest temperature",
                 .ref = PAPER "Eq. 5"},
    [HOT_RATE] = {.name = "hot_rate",
                  .flags = CS_PARAM_LOG,
                  CS_PARAM_RANGE(1e-12, 1e12, 1),
                  .help = "rate of the hottest chain divided by the rate of "
                          "the coldest chain"},
    [SWAP_INTERVAL] = {.name = "swap_interval",
                       .unit = "steps",
                       .kind = CS_PARAM_INT,
                       .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
                       CS_PARAM_RANGE(1, 1e9, 1),
                       .help = "steps between swap attempts"},
    [INTENSITY] = {.name = "intensity",
                   .flags = CS_PARAM_SHARED,
                   .max = 1,
                   .def = 1,
                   .help = "factor of the swap probability, which is "
                           "`intensity` times min(1, acceptance ratio)",
                   .ref = PAPER "section 3.1 (a)"},
    [ENERGY_NOISE] =
        {.name = "energy_noise",
         .flags = CS_PARAM_LOG,
         .max = 1e100,
         .help = "standard deviation of the normal noise that is added to each "
                 "energy, independently at each swap attempt",
         .ref = "Deng, Lin and Liang 2020, section 4.1"},
    [ENERGY_VARIANCE] =
        {.name = "energy_variance",
         .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
         .max = 1e300,
         .help = "assumed variance of the estimated difference of two "
                 "energies, by which the swap probability is corrected. 0: the "
                 "variance due to `energy_noise` plus, if batches are used, an "
                 "estimate of the variance due to the batches",
         .ref = PAPER "Eq. 8"},
};

static const char *const stats[] = {"beta__", "replica__", NULL};

static const cs_exchange_type exchanges = {
    .period = period, .run = exchange, .group = rungs_of};

const cs_kernel_type CS_VARIANT(cs_kernel_replica_exchange_sgld) = {
    .name = "replica_exchange_sgld",
    .title = "Replica-exchange stochastic gradient Langevin dynamics",
    .ref = "Deng, Feng, Gao, Liang and Lin, Non-convex learning via replica "
           "exchange stochastic gradient MCMC, 2020",
    .help = "Each chain of the arm becomes a ladder: several Langevin chains "
            "(sgld) at increasing temperatures, which swap their states; only "
            "the coldest chain counts in estimates. The swap probabilities use "
            "noisy energies with a correction for the noise, which is exact "
            "only for normal noise of known variance. The draws are "
            "approximate because the moves have no accept step.",
    .flags = CS_SG_FLAGS,
    CS_SG_MEMBERS,
    .params = rows,
    .n_params = NUMBERS,
    .stats = stats,
    .memory_words = memory_words,
    .carried_words = carried_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
    .report = report,
    .noise = noise,
    .exchange = &exchanges,
};
