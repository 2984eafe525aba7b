/* csgld: contour stochastic gradient Langevin dynamics, one vector of bin
 * weights theta for each chain.
 *
 *   J(x)   the bin of the energy U(x) = -log p(x), or of its estimate:
 *          bin 1 is U <= first, the last is all above, those between are
 *          `width` wide
 *   x'     = x + rate M g + sqrt(2 rate T) z,  z ~ N(0, I), g the gradient of
 *            log p or its estimate (stochastic_gradient.h)
 *   M      = 1 + zeta T (log theta(J) - log theta(J - 1)) / width   backward
 *            1 + zeta T (log theta(J + 1) - log theta(J)) / width   forward
 *   theta'(i) = theta(i) + gain theta(J')^zeta (1{i = J'} - theta(i)), or with
 *               theta(J') in place of its power: "plain"; J' = J(x')
 *   weight of the draw  theta'(J')^zeta, or Psi(U(x'))^zeta
 *
 * Deng, Lin and Liang, "A contour stochastic gradient Langevin dynamics
 * algorithm for simulations of multi-modal distributions" (2020), Algorithm 1
 * with Eqs. 6 and 10, supplement D.1 (forward; there J min m stands for J + 1
 * min m); "plain" is Eq. 15. Psi is their Eq. 5, the exponential pieces between
 * the weights at the borders of bins: for frozen weights and small rates the
 * chain follows p / Psi(U)^zeta, so that Psi(U)^zeta, which they do not have,
 * leaves no bias of the bins' placing. A constant of a chain's does not count:
 * log theta is on record as it is.
 *
 * Departures: as printed the multiplier of the last bin, which has no upper
 * border, is unbounded, and the algorithm diverges at its own settings. Here M
 * is 1 there and within -clamp .. clamp; clamp = 0 is as printed. The bin's
 * energy is that of the batch whose gradient is followed next. All theta are
 * multiplied at once by a scale: an update costs the same for any number of
 * bins. A refused move updates the bin where the chain stays. */
#include "kernels/contour/bins.h"
#include "kernels/real/stochastic_gradient.h"

#include <assert.h>
#include <stdio.h>

enum {
    TEMPERATURE = CS_SG_PARAMS,
    ZETA,
    FIRST,
    WIDTH,
    BINS,
    GAIN,
    CLAMP,
    MULTIPLIER,
    UPDATE,
    WEIGHING,
    ENERGY_NOISE,
    NUMBERS
};

enum { BACKWARD, FORWARD };
enum { POWER, PLAIN };
enum { BY_BIN, BY_ENERGY };
static const char *const multipliers[] = {"backward", "forward", NULL};
static const char *const updates[] = {"power", "plain", NULL};
static const char *const weighings[] = {"bin", "energy", NULL};

/* Behind the memory of all: theta / scale of each bin, these words, and of each
 * bin the steps that ended there and by what factor the last of them changed
 * theta, 0: none did. */
enum { SCALE, BIN, ENERGY, GAIN_NOW, WORDS };

static const cs_sg_layout layout = {.next = 1};
static const double least_scale = 1e-100, least_theta = 1e-290;
static const double settled = 1.0512710963760241; /* exp(CS_BIN_SETTLED) */

static size_t bins_of(const double *values)
{
    return (size_t)values[BINS];
}

static size_t bin_rows(const cs_target *t, const double *values)
{
    (void)t;
    return bins_of(values);
}

static size_t first_row(const cs_target *t, const double *values)
{
    return cs_sg_memory_words(t, values, layout);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    return first_row(t, values) + 3 * bins_of(values) + WORDS;
}

static size_t carried_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

/* Behind what all have: the noise of the energies, multipliers. */
enum { OWN_NOISE, OWN_MULTIPLIER, OWN_ROWS };

static size_t scratch_words(const cs_target *t, const double *values)
{
    return cs_sg_scratch_words(t, values, layout) + OWN_ROWS;
}

static double *own_row(const cs_move *m, const cs_sg_step *s, size_t row)
{
    return cs_sg_own_scratch(m, s) + row * m->lanes;
}

/* What a lane knows of its bins. */
typedef struct bins {
    double *theta;         /* [n * stride] divided by the scale */
    double *word;          /* [WORDS * stride] */
    double *visits, *last; /* [n * stride] */
    size_t n, stride;
} bins;

static bins bins_at(double *theta, size_t n, size_t stride)
{
    double *word = theta + n * stride, *visits = word + WORDS * stride;
    return (bins){theta, word, visits, visits + n * stride, n, stride};
}

static bins bins_of_lane(const cs_move *m, const cs_sg_step *s, size_t l)
{
    size_t words = (1 + 2 * (size_t)s->control) * m->dim + s->control;
    size_t n = (size_t)m->param[BINS * m->lanes];
    return bins_at(m->memory + words * m->lanes + l, n, m->lanes);
}

static double word(const bins *b, size_t i)
{
    return b->word[i * b->stride];
}

/* Bin number `at`, from 0, relative to the others; at an end the last one. */
static double theta_of(const bins *b, size_t at)
{
    return b->theta[(at < b->n ? at : b->n - 1) * b->stride];
}

static cs_bins borders_of(const cs_move *m, size_t l)
{
    return (cs_bins){.first = cs_move_param(m, FIRST)[l],
                     .width = cs_move_param(m, WIDTH)[l],
                     .n = (size_t)cs_move_param(m, BINS)[0]};
}

/* Of eight lanes from l on those that live; the others are copies of the last,
 * and what is known of its bins is known of theirs. */
static size_t live_of(const cs_move *m, size_t l)
{
    size_t left = m->live > l ? m->live - l : 0;
    return left < CS_VECTOR ? left : CS_VECTOR;
}

/* Eight numbers that were stored one by one; of a chain alone the first is all
 * of them, and the load need not wait for the others. */
static cs_vd gathered(const double *value, size_t live)
{
    return live == 1 ? cs_vset(value[0]) : cs_load(value);
}

/* ---- the multiplier ------------------------------------------------------ */

/* The two weights between which Psi goes in bin `at`: at its lower border and
 * at its upper. */
static void pieces(const bins *b, size_t at, bool forward, double *low,
                   double *high)
{
    *low = theta_of(b, forward ? at : at ? at - 1 : 0);
    *high = theta_of(b, forward ? at + 1 : at);
}

/* M of all lanes into own_row(OWN_MULTIPLIER). */
static void multiply(const cs_move *m, const cs_sg_step *s)
{
    double *to = own_row(m, s, OWN_MULTIPLIER);
    bool forward = cs_move_param(m, MULTIPLIER)[0] == FORWARD;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        _Alignas(64) double ratio[CS_VECTOR], most[CS_VECTOR];
        size_t live = live_of(m, l);
        for (size_t k = 0; k < CS_VECTOR; k++) {
            double low, high, clamp = cs_move_param(m, CLAMP)[l + k];
            if (k >= live) {
                ratio[k] = k ? ratio[k - 1] : 1;
                most[k] = k ? most[k - 1] : 1;
                continue;
            }
            bins b = bins_of_lane(m, s, l + k);
            size_t at = (size_t)word(&b, BIN);
            pieces(&b, at, forward, &low, &high);
            ratio[k] = clamp > 0 && at + 1 == b.n ? 1 : high / low;
            most[k] = clamp > 0 ? clamp : HUGE_VAL;
        }
        cs_vd slope = cs_vlog(gathered(ratio, live)) /
                      cs_load(cs_move_param(m, WIDTH) + l);
        cs_vd by = cs_load(cs_move_param(m, ZETA) + l) *
                   cs_load(cs_move_param(m, TEMPERATURE) + l);
        cs_vd all = 1 + by * slope, clamp = gathered(most, live);
        cs_store(to + l, cs_vmin(cs_vmax(all, -clamp), clamp));
    }
}

static void move(const cs_move *m, const cs_sg_step *s, const double *noise,
                 size_t l)
{
    cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
    cs_vd heat = cs_load(cs_move_param(m, TEMPERATURE) + l);
    cs_vd drift = rate * cs_load(own_row(m, s, OWN_MULTIPLIER) + l);
    cs_vd sd = cs_vsqrt(2 * rate * heat);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        cs_store(s->y + at, cs_load(m->x + at) +
                                drift * cs_sg_gradient(m, noise, l, at) +
                                sd * cs_load(s->y + at));
}

/* ---- bins ---------------------------------------------------------------- */

/* z of the energies' noise into z[lanes]; zeros where none is asked for. */
static void draw_noise(const cs_move *m, double *z)
{
    cs_vi any = {0};
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        any |=
            cs_vless(cs_vset(0), cs_load(cs_move_param(m, ENERGY_NOISE) + l));
        cs_store(z + l, cs_vset(0));
    }
    if (cs_vbits(any))
        cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, 1, z);
}

/* The energies of the states, and their bins. */
static void locate(cs_move *m, const cs_sg_step *s)
{
    double *z = own_row(m, s, OWN_NOISE);
    draw_noise(m, z);
    for (size_t l = 0; l < m->live; l++) {
        bins b = bins_of_lane(m, s, l);
        double energy =
            cs_move_param(m, ENERGY_NOISE)[l] * z[l] - m->info.logp[l];
        if (m->failed[l])
            continue;
        b.word[ENERGY * b.stride] = energy;
        b.word[BIN * b.stride] = (double)cs_bin_of(borders_of(m, l), energy);
    }
}

/* Keeps the scale a number: seldom. */
static __attribute__((noinline)) void scale_in(bins *b)
{
    double scale = word(b, SCALE);
    for (size_t i = 0; i < b->n; i++)
        b->theta[i * b->stride] =
            fmax(b->theta[i * b->stride] * scale, least_theta);
    b->word[SCALE * b->stride] = 1;
}

/* All theta shrink by 1 - c, and that of the state's bin grows by c. */
static void update(bins *b, double c)
{
    double *scale = b->word + SCALE * b->stride;
    double *theta = b->theta + (size_t)word(b, BIN) * b->stride;
    *scale *= 1 - c;
    *theta += c / *scale;
    if (*scale < least_scale)
        scale_in(b);
}

/* Whether the weight of bin `at` is still being learned. */
static bool is_learning(const bins *b, size_t at)
{
    double last = b->last[at * b->stride];
    return word(b, GAIN_NOW) > 0 && (last == 0 || last > settled);
}

/* A step ended in the state's bin, and made its theta so many times as large. */
static void visit(bins *b, double gain, double grown)
{
    size_t at = (size_t)word(b, BIN) * b->stride;
    b->visits[at]++;
    b->last[at] = grown;
    b->word[GAIN_NOW * b->stride] = gain;
}

/* log Psi at the energy of the state, from the logs of the weights of its bin's
 * ends. */
static double log_psi(const cs_move *m, const bins *b, size_t l)
{
    bool forward = cs_move_param(m, MULTIPLIER)[0] == FORWARD;
    bool printed = cs_move_param(m, CLAMP)[l] == 0;
    cs_bins borders = borders_of(m, l);
    double low, high;
    size_t at = (size_t)word(b, BIN);
    pieces(b, at, forward, &low, &high);
    double scale = log(word(b, SCALE)), from = log(low), to = log(high);
    if (at + 1 == b->n && !printed)
        return scale + from;
    double above = word(b, ENERGY) - cs_bin_low(borders, at);
    return scale + from + (to - from) * above / borders.width;
}

/* Learns the weights of the bins, by eights: log theta(J), its power, and what
 * the draw counts after the update. */
static void learn(cs_move *m, const cs_sg_step *s, size_t l)
{
    _Alignas(64) double theta[CS_VECTOR];
    bins b[CS_VECTOR];
    cs_vd zeta = cs_load(cs_move_param(m, ZETA) + l);
    cs_vd gain = cs_load(cs_move_param(m, GAIN) + l);
    size_t live = live_of(m, l);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        theta[k] = 1;
        if (k >= live)
            continue;
        b[k] = bins_of_lane(m, s, l + k);
        theta[k] =
            theta_of(&b[k], (size_t)word(&b[k], BIN)) * word(&b[k], SCALE);
    }
    cs_vd share = gathered(theta, live);
    if (cs_move_param(m, UPDATE)[0] == POWER)
        share = cs_vexp(zeta * cs_vlog(share));
    cs_vd c = gain * share;
    cs_vd now = gathered(theta, live) * (1 - c) + c;
    cs_vd grown = now / gathered(theta, live);
    for (size_t k = 0; k < live; k++) {
        if (m->failed[l + k])
            continue;
        if (c[k] != 0)
            update(&b[k], c[k]);
        visit(&b[k], gain[k], grown[k]);
    }
    cs_vd weight = zeta * cs_vlog(now);
    bool by_energy = cs_move_param(m, WEIGHING)[0] == BY_ENERGY;
    for (size_t k = 0; k < live; k++)
        m->info.log_weight[l + k] +=
            by_energy ? zeta[k] * log_psi(m, &b[k], l + k) : weight[k];
    for (size_t k = live; k < CS_VECTOR && m->live < m->lanes; k++)
        m->info.log_weight[l + k] = m->info.log_weight[m->live - 1];
}

/* ---- steps --------------------------------------------------------------- */

static void init(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    cs_sg_init(m, layout);
    for (size_t l = 0; m->fresh && l < m->lanes; l++) {
        bins b = bins_of_lane(m, &s, l);
        for (size_t i = 0; i < b.n; i++)
            b.theta[i * b.stride] = 1 / (double)b.n;
        b.word[SCALE * b.stride] = 1;
    }
    locate(m, &s);
}

/* A chain that was thrown out: by what the multiplier made of its rate. */
static void blame(cs_move *m, const cs_sg_step *s, const bool *before)
{
    for (size_t l = 0; l < m->lanes; l++)
        if (m->failed[l] && !before[l] && m->why[l].code)
            m->why[l].bound = own_row(m, s, OWN_MULTIPLIER)[l];
}

static void step(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    const double *noise = cs_sg_normals(m, &s);
    bool before[4 * CS_STREAMS_PART]; /* no block has as many lanes */
    size_t kept = m->lanes;
    assert(kept <= sizeof before);
    memcpy(before, m->failed, kept);
    cs_sg_draw(m, &s);
    multiply(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        move(m, &s, noise, l);
    cs_sg_arrive(m, &s);
    if (memcmp(before, m->failed, kept) != 0)
        blame(m, &s, before);
    locate(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        learn(m, &s, l);
    for (size_t l = 0; l < m->live; l++) {
        bins b = bins_of_lane(m, &s, l);
        m->info.stat[l] = word(&b, BIN) + 1;
        m->info.stat[m->lanes + l] = own_row(m, &s, OWN_MULTIPLIER)[l];
        m->info.stat[2 * m->lanes + l] = is_learning(&b, (size_t)word(&b, BIN));
    }
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    cs_sg_explain(why, text, size);
    size_t used = strlen(text);
    if (used < size && fabs(why->bound) > 1)
        snprintf(text + used, size - used,
                 ": the gradient's multiplier was %.3g, set clamp to 5, say",
                 why->bound);
}

/* The weights sum to one. */
static void show(const cs_target *t, const double *values, const double *memory,
                 size_t stride, double *shown)
{
    double sum = 0;
    size_t n = bins_of(values);
    (void)t;
    for (size_t i = 0; i < n; i++)
        sum += memory[i * stride];
    for (size_t i = 0; i < n; i++)
        shown[i] = memory[i * stride] / sum;
}

/* ---- the report ---------------------------------------------------------- */

static bins bins_of_chain(const cs_exchange *m, size_t c)
{
    const cs_chain_ref *lane = &m->lane[c];
    double *theta =
        lane->memory + first_row(m->target, m->values) * lane->stride;
    return bins_at(theta, bins_of(m->values), lane->stride);
}

static double log_weight_there(const cs_exchange *m, size_t c, size_t i)
{
    bins b = bins_of_chain(m, c);
    return log(theta_of(&b, i));
}

static double visits_there(const cs_exchange *m, size_t c, size_t i)
{
    return bins_of_chain(m, c).visits[i * m->lane[c].stride];
}

static double learning_there(const cs_exchange *m, size_t c, size_t i)
{
    bins b = bins_of_chain(m, c);
    return is_learning(&b, i);
}

static double multiplier_there(const cs_exchange *m, size_t c, size_t i)
{
    const double *v = m->values;
    double low, high, clamp = v[CLAMP] > 0 ? v[CLAMP] : HUGE_VAL;
    bins b = bins_of_chain(m, c);
    pieces(&b, i, v[MULTIPLIER] == FORWARD, &low, &high);
    if (v[CLAMP] > 0 && i + 1 == b.n)
        return 1;
    double all = 1 + v[ZETA] * v[TEMPERATURE] * log(high / low) / v[WIDTH];
    return fmin(fmax(all, -clamp), clamp);
}

static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    const cs_bins_told told = {.bins = {.first = m->values[FIRST],
                                        .width = m->values[WIDTH],
                                        .n = bins_of(m->values)},
                               .log_weight = log_weight_there,
                               .visits = visits_there,
                               .learning = learning_there,
                               .multiplier = multiplier_there};
    cs_bins_report(&told, m, prefix, out);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    return cs_sg_check("csgld", t, values, err);
}

/* ---- the table ----------------------------------------------------------- */

#define PAPER "Deng, Lin and Liang 2020, "

static const cs_aux aux[] = {
    {.name = "theta",
     .help = "weight of each bin of energy",
     .rows = bin_rows,
     .unrecorded = true,
     .show = show},
    {.name = NULL},
};

static const cs_aux_type variables = {.variable = aux, .first = first_row};

static const cs_param rows[] = {
    CS_SG_ROWS("epsilon, the factor of the gradient before the multiplier; the "
               "noise has variance 2 rate times the temperature",
               PAPER "Algorithm 1"),
    [TEMPERATURE] = {.name = "temperature",
                     .flags = CS_PARAM_LOG,
                     .min = 1e-100,
                     .max = 1e100,
                     .def = 1,
                     .help = "tau of exp(log p / tau)",
                     .ref = PAPER "Eq. 1"},
    [ZETA] = {.name = "zeta",
              .max = 1e8,
              .def = 0.75,
              .help = "how flat the histogram of energies is made: 0 not at "
                      "all, 1 wholly",
              .ref = PAPER "Eq. 4"},
    CS_BIN_ROWS("u_1, the upper border of the first bin; a first bin below "
                "every energy biases the weights",
                PAPER "section 2.2"),
    [GAIN] = {.name = "gain",
              .flags = CS_PARAM_LOG,
              .max = 1,
              .def = 0.01,
              .help = "omega, how fast the weights are learned: by a schedule "
                      "`polynomial`, as it must fall; 0: they stay",
              .ref = PAPER "Eq. 10"},
    [CLAMP] = {.name = "clamp",
               .max = 1e100,
               .def = 5,
               .help = "the largest multiplier of the gradient, which is 1 in "
                       "the last bin; 0: as printed, neither, and it diverges"},
    [MULTIPLIER] = {.name = "multiplier",
                    .kind = CS_PARAM_CHOICE,
                    .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                    .max = FORWARD,
                    .choices = multipliers,
                    .help = "the difference of log weights: to the bin below, "
                            "or to the bin above",
                    .ref = PAPER "Eq. 6; D.1"},
    [UPDATE] = {.name = "update",
                .kind = CS_PARAM_CHOICE,
                .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                .max = PLAIN,
                .choices = updates,
                .help = "the increment of the weights: theta(J)^zeta, or "
                        "theta(J)",
                .ref = PAPER "Eqs. 10 and 15"},
    [WEIGHING] = {.name = "weighing",
                  .kind = CS_PARAM_CHOICE,
                  .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                  .max = BY_ENERGY,
                  .choices = weighings,
                  .help =
                      "the weight of a draw: theta(J)^zeta of its bin, or "
                      "Psi(U)^zeta of its energy, without the bias of where "
                      "bins begin",
                  .ref = PAPER "Eqs. 5 and 8"},
    [ENERGY_NOISE] = {.name = "energy_noise",
                      .flags = CS_PARAM_LOG,
                      .max = 1e100,
                      .help = "standard deviation of the normal noise that is "
                              "added to the energy of which the bin is",
                      .ref = PAPER "section 4.1"},
};

static const char *const stats[] = {"bin__", "multiplier__", "learning__",
                                    NULL};

const cs_kernel_type CS_VARIANT(cs_kernel_csgld) = {
    .name = "csgld",
    .title = "Contour stochastic gradient Langevin dynamics",
    .ref = "Deng, Lin and Liang, A contour stochastic gradient Langevin "
           "dynamics algorithm for simulations of multi-modal distributions, "
           "2020",
    .help = "Langevin steps that flatten the histogram of energies as they "
            "learn it: in a mode seen too often the gradient is turned round. "
            "Draws have weights that make up for it. Biased: it has no accept "
            "step, and while the weights are learned nothing is exact.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_GRADIENT | CS_KERNEL_WEIGHS | CS_KERNEL_PARTS,
    .params = rows,
    .n_params = NUMBERS,
    .stats = stats,
    .memory_words = memory_words,
    .carried_words = carried_words,
    .scratch_words = scratch_words,
    .check = check,
    .logp = cs_sg_logp,
    .explain = explain,
    .init = init,
    .step = step,
    .report = report,
    .aux = &variables,
};
