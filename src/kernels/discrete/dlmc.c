/* dlmc: discrete Langevin Monte Carlo. Each site independently follows a Markov
 * jump process for a time t. Its rates are a balanced function b of e^d,
 * where d is the change of log p that the gradient at x predicts,
 *
 *   d_v = g_i (v - x_i),   w_v = b(e^d_v)  rate of the jump to v,
 *   nu_v = e^d_v / sum_u e^d_u             equilibrium,
 *
 *   interpolate:  q_i(v | x) = nu_v (1 - exp(-t w_v / nu_v)),
 *   euler:        q_i(v | x) = min(t w_v, nu_v),      v != x_i,
 *
 * and stays with the remaining probability. A Metropolis-Hastings step follows.
 * For a bit, `interpolate` is the exact distribution of the two-state process
 * at time t. For long times both distributions converge to nu, for all sites at
 * once.
 *
 * Sun, Dai, Dai, Zhou and Schuurmans, "Discrete Langevin sampler via
 * Wasserstein gradient flow" (2023), and DISCS (Goshvadi et al. 2023).
 * Differences from DISCS: its program uses the time n / z, where z is the mean
 * over chains of the sum of all w. The program keeps changing n by 3
 * (acceptance - 0.574) after each step. Here the time is a parameter, which a
 * tuner may find before draws are made. Sites with more than two values, which
 * its program rejects, are treated as above. As in dmala, categorical values
 * are ordered numbers or (coding = one_hot) one bit per value, with exact
 * differences.
 *
 * The probability to stay is a sum of positive terms, nu_x + sum over v of
 * [nu_v - q_i(v | x)], without cancellation. Moves with probability below 1e-75
 * are ignored. */
#include "kernel/accept.h"
#include "kernels/discrete/langevin.h"
#include "kernels/discrete/neighbour_weights.h"

enum { TIME, BALANCING, SOLVER, CODING };
enum { INTERPOLATE, EULER };

/* Returns the size of the gradient in doubles per lane. Memory: the gradient or
 * the differences at x. Scratch: y; the uniforms, which the gradient or the
 * differences at y overwrite later; the probabilities of the values of one
 * site. */
static size_t gradient_words(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    return t->space.dim + gradient_words(t, values) + (size_t)t->space.values;
}

/* Inputs of the transition probabilities of one site. */
typedef struct flow {
    const cs_move *m;
    const double *known; /* gradient or differences at the old state */
    double *chance;      /* [values][CS_VECTOR] scratch for the probabilities of
                            the values */
    cs_vd time;
    int function;
    bool euler, hot;
} flow;

static flow flow_of(const cs_move *m, const double *known, size_t l)
{
    flow f = {.m = m, .known = known, .hot = cs_coding_is_hot(m, CODING)};
    f.chance = m->scratch + (m->dim + cs_coding_rows(m, f.hot)) * m->lanes;
    f.time = cs_load(cs_move_param(m, TIME) + l);
    f.function = (int)cs_move_param(m, BALANCING)[0];
    f.euler = cs_move_param(m, SOLVER)[0] == EULER;
    return f;
}

/* Returns the share of nu that is reached in the given time, 1 - exp(-turns) or
 * min(turns, 1), where turns = time w / nu. Sets *left to 1 minus that
 * share. */
static cs_vd share_of(const flow *f, cs_vd turns, cs_vd *left)
{
    if (f->euler) {
        cs_vd share = cs_vmin(turns, cs_vset(1));
        *left = 1.0 - share;
        return share;
    }
    cs_vd back = cs_vexpm1(-turns);
    *left = 1.0 + back;
    return -back;
}

/* Probabilities below this value are set to 0. (Uniforms are multiples of
 * 2^-53.) */
static const double least_chance = 1e-75;

/* A product of probabilities whose log is computed with a single logarithm. */
typedef struct chances {
    cs_vd product;
    cs_vi power, never; /* power: exponent of 2 split off from the product;
                           never: mask of products that have a factor 0 */
    unsigned factors;
} chances;

static chances chances_one(void)
{
    return (chances){.product = cs_vset(1)};
}

static void chances_times(chances *c, cs_vd chance)
{
    c->never |= chance == 0.0;
    c->product *= chance;
    if (++c->factors < 4)
        return;
    c->power += cs_ratio_product_power(&c->product) - 1023;
    c->factors = 0;
}

static cs_vd chances_log(const chances *c)
{
    const double ln2 = 0.693147180559945309417;
    cs_vd log_q =
        ln2 * __builtin_convertvector(c->power, cs_vd) + cs_vlog(c->product);
    return cs_vselect(c->never, cs_vset(-CS_VM_INF), log_q);
}

/* ---- binary sites -------------------------------------------------------- */

/* Returns w / nu for a flip that changes log p by d, where h = e^(-|d| / 2).
 * The balanced function gives equal results for d and -d. */
static cs_vd flip_rate(int function, cs_vd h)
{
    switch (function) {
    case CS_BARKER:
        return cs_vset(1);
    case CS_MIN:
        return 1.0 + h * h;
    case CS_MAX:
        return (1.0 + h * h) / (h * h);
    default:
        return (1.0 + h * h) / h;
    }
}

/* Returns the probability of a flip; *stay is the probability of no flip. */
static cs_vd flip_chance(const flow *f, size_t at, cs_vd x, cs_vd *stay)
{
    cs_vd d = (1.0 - 2.0 * x) * cs_load(f->known + at), left;
    cs_vd h = cs_vexp_below(-0.5 * cs_vabs(d)), e = h * h;
    cs_vd likely = 1.0 / (1.0 + e), other = e * likely;
    cs_vd nu = cs_vselect(d < 0.0, other, likely);
    cs_vd flip = nu * share_of(f, f->time * flip_rate(f->function, h), &left);
    *stay = cs_vselect(d < 0.0, likely, other) + nu * left;
    return cs_vselect(flip < least_chance, cs_vset(0), flip);
}

static cs_vd flips_propose(const flow *f, size_t l, double *y,
                           const double *uniform)
{
    const cs_move *m = f->m;
    chances q = chances_one();
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(m->x + at), stay, flip = flip_chance(f, at, x, &stay);
        cs_vi flips = cs_load(uniform + at) < flip;
        cs_store(y + at, cs_vselect(flips, 1.0 - x, x));
        chances_times(&q, cs_vselect(flips, flip, stay));
    }
    return chances_log(&q);
}

static cs_vd flips_log(const flow *f, size_t l, const double *from,
                       const double *to)
{
    const cs_move *m = f->m;
    chances q = chances_one();
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(from + at), stay, flip = flip_chance(f, at, x, &stay);
        chances_times(&q, cs_vselect(cs_load(to + at) != x, flip, stay));
    }
    return chances_log(&q);
}

/* ---- sites with more values ---------------------------------------------- */

/* Returns d, the predicted change of log p, for value number k of site i, whose
 * current value is x. */
static cs_vd change_of(const flow *f, size_t l, size_t i, size_t k, cs_vd x)
{
    size_t n = f->m->lanes, values = (size_t)f->m->space->values;
    if (f->hot)
        return cs_load(f->known + (i * values + k) * n + l);
    cs_vd v = cs_vset(f->m->space->low + (double)k);
    return cs_load(f->known + i * n + l) * (v - x);
}

/* Returns time * w / nu of a value whose predicted change of log p is d, where
 * nu = e^(d - log_sum). */
static cs_vd value_turns(const flow *f, cs_vd d, cs_vd log_sum)
{
    cs_vd log_rate = cs_balance(f->function, d) - d + log_sum;
    log_rate = cs_vselect(d > -CS_VM_INF, log_rate, cs_vset(0));
    return f->time * cs_vexp(log_rate);
}

/* Fills chance[k] for every value of site i. The entry of the current value x
 * is the probability to stay. */
static void value_chances(const flow *f, size_t l, size_t i, cs_vd x)
{
    size_t values = (size_t)f->m->space->values;
    cs_vd top = cs_vset(0), sum = cs_vset(0), stay = cs_vset(0), left;
    for (size_t k = 0; k < values; k++)
        top = cs_vmax(change_of(f, l, i, k, x), top);
    for (size_t k = 0; k < values; k++) {
        cs_vd e = cs_vexp(change_of(f, l, i, k, x) - top);
        cs_store(f->chance + k * CS_VECTOR, e);
        sum += e;
    }
    cs_vd log_sum = top + cs_vlog(sum);
    for (size_t k = 0; k < values; k++) {
        double *chance = f->chance + k * CS_VECTOR;
        cs_vi here = x == f->m->space->low + (double)k;
        cs_vd d = change_of(f, l, i, k, x), nu = cs_load(chance) / sum;
        cs_vd goes = nu * share_of(f, value_turns(f, d, log_sum), &left);
        cs_store(chance, cs_vselect(goes < least_chance, cs_vset(0), goes));
        stay += cs_vselect(here, nu, nu * left);
    }
    for (size_t k = 0; k < values; k++) {
        double *chance = f->chance + k * CS_VECTOR;
        cs_vi here = x == f->m->space->low + (double)k;
        cs_store(chance, cs_vselect(here, stay, cs_load(chance)));
    }
}

/* Returns the probability of value v, selected from the chances of all values
 * of the current site. */
static cs_vd chance_of(const flow *f, cs_vd v)
{
    cs_vd taken = cs_vset(0);
    for (size_t k = 0; k < (size_t)f->m->space->values; k++) {
        cs_vi is = v == f->m->space->low + (double)k;
        taken = cs_vselect(is, cs_load(f->chance + k * CS_VECTOR), taken);
    }
    return taken;
}

static cs_vd values_propose(const flow *f, size_t l, double *y,
                            const double *uniform)
{
    const cs_move *m = f->m;
    chances q = chances_one();
    for (size_t i = 0; i < m->dim; i++) {
        size_t at = i * m->lanes + l;
        cs_vd x = cs_load(m->x + at), sum = cs_vset(0);
        value_chances(f, l, i, x);
        for (size_t k = 0; k < (size_t)m->space->values; k++)
            sum += cs_load(f->chance + k * CS_VECTOR);
        cs_vd v = cs_draw_value(m, f->chance, cs_load(uniform + at) * sum, x);
        cs_store(y + at, v);
        chances_times(&q, chance_of(f, v));
    }
    return chances_log(&q);
}

static cs_vd values_log(const flow *f, size_t l, const double *from,
                        const double *to)
{
    const cs_move *m = f->m;
    chances q = chances_one();
    for (size_t i = 0; i < m->dim; i++) {
        size_t at = i * m->lanes + l;
        value_chances(f, l, i, cs_load(from + at));
        chances_times(&q, chance_of(f, cs_load(to + at)));
    }
    return chances_log(&q);
}

/* ---- sites of any kind --------------------------------------------------- */

/* Draws y in eight lanes from uniform[dim][lanes]. Returns log q(y | x). */
static cs_vd propose(const flow *f, size_t l, double *y, const double *uniform)
{
    return f->m->space->kind == CS_BINARY ? flips_propose(f, l, y, uniform)
                                          : values_propose(f, l, y, uniform);
}

static cs_vd log_of(const flow *f, size_t l, const double *from,
                    const double *to)
{
    return f->m->space->kind == CS_BINARY ? flips_log(f, l, from, to)
                                          : values_log(f, l, from, to);
}

static void init(cs_move *m)
{
    cs_langevin_evaluate(m, CS_NOW, cs_coding_is_hot(m, CODING), m->x,
                         m->info.logp, m->memory);
}

static void step(cs_move *m)
{
    double *y = m->scratch, *known = y + m->dim * m->lanes;
    m->info.proposal = y;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, known);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        flow f = flow_of(m, m->memory, l);
        cs_store(m->info.log_q_forward + l, propose(&f, l, y, known));
    }
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), y,
                         m->info.logp_proposal, known);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        flow f = flow_of(m, known, l);
        cs_store(m->info.log_q_back + l, log_of(&f, l, y, m->x));
    }
    cs_accept(m);
    cs_commit_moved(m->info.moved, m->lanes,
                    cs_coding_rows(m, cs_coding_is_hot(m, CODING)), known,
                    m->memory);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *known = m->scratch + m->dim * m->lanes;
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), from, out,
                         known);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        flow f = flow_of(m, known, l);
        cs_store(out + l, log_of(&f, l, from, to));
    }
}

static const char *const solvers[] = {"interpolate", "euler", NULL};

static const cs_param rows[] = {
    [TIME] = {.name = "time",
              .flags = CS_PARAM_LOG,
              CS_PARAM_RANGE(1e-9, 1e9, 0.2),
              .help = "tau, the time for which the jump process of each site "
                      "runs; with a longer time more sites change per step",
              .ref = "Sun et al. 2023, section 4"},
    [BALANCING] = CS_BALANCING_ROW,
    [SOLVER] = {.name = "solver",
                .kind = CS_PARAM_CHOICE,
                .flags = CS_PARAM_SHARED,
                .max = 1,
                .choices = solvers,
                .help = "approximation of the jump process. interpolate: "
                        "interpolation between its initial and its stationary "
                        "distribution; euler: one Euler step",
                .ref = "Sun et al. 2023, section 4"},
    [CODING] = CS_CODING_ROW("", NULL),
};

const cs_kernel_type CS_VARIANT(cs_kernel_dlmc) = {
    .name = "dlmc",
    .title = "Discrete Langevin Monte Carlo",
    .ref = "Sun, Dai, Dai, Zhou and Schuurmans, Discrete Langevin sampler via "
           "Wasserstein gradient flow, 2023",
    .help = "Proposes a new state by running a jump process at all sites at "
            "once for a given time, with jump rates from the gradient. Accepts "
            "or rejects this proposal.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
};
