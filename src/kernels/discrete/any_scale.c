/* any_scale: the any-scale balanced sampler AB of first order. Its proposal is
 * the proposal of dmala, with a scale sigma and a balance alpha. Each chain
 * adapts its own sigma and alpha to maximise the number of coordinates changed
 * per step; then they are frozen.
 *
 *   q_i(v | x) ~ exp( alpha g_i (v - x_i) - (v - x_i)^2 / (2 sigma) )
 *
 * Sun, Dai, Sutton, Schuurmans and Dai, "Any-scale balanced samplers for
 * discrete space" (2023): the weight t^alpha, the Gaussian kernel of scale
 * sigma (here without a quadratic term and with the diagonal 1/sigma, as by
 * default in the paper's comparisons on binary models), and the objective of
 * the adaptation. The authors' program is not public, so the adaptation rule
 * here is a reconstruction. The number of changes is averaged over `buffer`
 * steps at the current setting, then at sigma (1 + rate) and at sigma (1 -
 * rate), and the best of the three is kept. The same is then done with alpha,
 * alpha + rate / 2 and alpha - rate / 2, within 1/2..1. Then the rate is
 * multiplied by `decay`, and the cycle repeats until step `adapt`. Each step
 * leaves the target invariant, but steps chosen from the past do not: the draws
 * are from the target only after step `adapt`. Estimates include earlier draws
 * too, as for other kernels before they have mixed. A categorical site may be
 * coded as one bit per value, as in dmala (coding.h). */
#include "kernel/accept.h"
#include "kernels/discrete/langevin.h"

#include <math.h>

enum { STEP, BALANCE, ADAPT, BUFFER, CODING, RATE, DECAY };

/* Rows of memory after the gradient, one number per chain. */
enum {
    SIGMA,
    ALPHA,
    BASE_SIGMA,
    BASE_ALPHA,
    BEST,
    PICK,
    NOW_RATE,
    PHASE,
    COUNT,
    CHANGED,
    ROWS
};
/* Phases of the adaptation. Each phase averages the number of changed
 * coordinates at one setting of sigma and alpha. */
enum { PLAIN, SIGMA_UP, SIGMA_DOWN, ALPHA_UP, ALPHA_DOWN };

static size_t gradient_words(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    return gradient_words(t, values) + ROWS;
}

/* Returns the scratch size in doubles per lane. Layout: y; the number of
 * changes; the weights; the uniforms, which the gradient at y overwrites
 * later. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    return t->space.dim + 1 + (size_t)t->space.values +
           gradient_words(t, values);
}

typedef struct room {
    double *y, *change, *weight, *g;
} room;

static room room_of(const cs_move *m)
{
    room r = {.y = m->scratch};
    r.change = r.y + m->dim * m->lanes;
    r.weight = r.change + m->lanes;
    r.g = r.weight + (size_t)m->space->values * m->lanes;
    return r;
}

static size_t one_row(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 1;
}

static double *learned(const cs_move *m, size_t row)
{
    size_t before = cs_coding_rows(m, cs_coding_is_hot(m, CODING));
    return m->memory + (before + row) * m->lanes;
}

/* ---- adaptation ---------------------------------------------------------- */

static double clip(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* Return the setting that phase `phase` of lane l uses. */
static double sigma_of(const cs_move *m, size_t l, int phase)
{
    double sigma = learned(m, BASE_SIGMA)[l], rate = learned(m, NOW_RATE)[l];
    double by = phase == SIGMA_UP     ? 1 + rate
                : phase == SIGMA_DOWN ? 1 - rate
                                      : 1;
    return clip(sigma * by, 1e-9, 1e30);
}

static double alpha_of(const cs_move *m, size_t l, int phase)
{
    double alpha = learned(m, BASE_ALPHA)[l],
           half = learned(m, NOW_RATE)[l] / 2;
    if (phase == ALPHA_UP)
        return clip(alpha + half, 0.5, 1);
    return phase == ALPHA_DOWN ? clip(alpha - half, 0.5, 1) : alpha;
}

static void use(const cs_move *m, size_t l, int phase)
{
    learned(m, PHASE)[l] = phase;
    learned(m, SIGMA)[l] = sigma_of(m, l, phase);
    learned(m, ALPHA)[l] = alpha_of(m, l, phase);
}

/* Called when the buffer of lane l is full. Compares the mean of the buffer
 * with the best mean so far, and selects the next setting. */
static void decide(const cs_move *m, size_t l)
{
    int phase = (int)learned(m, PHASE)[l];
    double mean = learned(m, CHANGED)[l] / learned(m, COUNT)[l];
    double *pick = learned(m, PICK) + l;
    learned(m, CHANGED)[l] = learned(m, COUNT)[l] = 0;
    if (phase == PLAIN || mean > learned(m, BEST)[l]) {
        learned(m, BEST)[l] = mean;
        *pick = phase;
    }
    if (phase == SIGMA_DOWN || phase == ALPHA_DOWN) {
        double sigma = sigma_of(m, l, (int)*pick);
        double alpha = alpha_of(m, l, (int)*pick);
        learned(m, BASE_SIGMA)[l] = sigma;
        learned(m, BASE_ALPHA)[l] = alpha;
        *pick = PLAIN;
    }
    if (phase == ALPHA_DOWN)
        learned(m, NOW_RATE)[l] *= cs_move_param(m, DECAY)[l];
    use(m, l, phase == ALPHA_DOWN ? PLAIN : phase + 1);
}

/* Adds change[lane] to the buffers: the number of coordinates that this step
 * changes if it is accepted. Evaluates the buffers that are full. */
static void adapt(const cs_move *m, const double *change)
{
    double last = cs_move_param(m, ADAPT)[0], step = (double)m->streams.step;
    if (step > last)
        return;
    for (size_t l = 0; l < m->lanes; l++) {
        learned(m, CHANGED)[l] += m->info.accepted[l] ? change[l] : 0;
        learned(m, COUNT)[l] += 1;
        if (learned(m, COUNT)[l] >= cs_move_param(m, BUFFER)[l])
            decide(m, l);
        if (step == last)
            use(m, l, PLAIN);
    }
}

static void init(cs_move *m)
{
    cs_langevin_evaluate(m, CS_NOW, cs_coding_is_hot(m, CODING), m->x,
                         m->info.logp, m->memory);
    for (size_t l = 0; m->fresh && l < m->lanes; l++) {
        learned(m, BASE_SIGMA)[l] = cs_move_param(m, STEP)[l];
        learned(m, BASE_ALPHA)[l] = cs_move_param(m, BALANCE)[l];
        learned(m, NOW_RATE)[l] = cs_move_param(m, RATE)[l];
        use(m, l, PLAIN);
    }
}

/* ---- step ---------------------------------------------------------------- */

static cs_langevin langevin(const cs_move *m, size_t l, const double *g)
{
    return (cs_langevin){.step = cs_load(learned(m, SIGMA) + l),
                         .balance = cs_load(learned(m, ALPHA) + l),
                         .g = g,
                         .weight = room_of(m).weight,
                         .hot = cs_coding_is_hot(m, CODING)};
}

/* Counts the coordinates at which x and y differ, for eight lanes. */
static cs_vd differing(const cs_move *m, size_t l, const double *y)
{
    cs_vd n = cs_vset(0);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        n += cs_vselect(cs_load(m->x + at) != cs_load(y + at), cs_vset(1),
                        cs_vset(0));
    return n;
}

static void step(cs_move *m)
{
    room r = room_of(m);
    bool hot = cs_coding_is_hot(m, CODING);
    m->info.proposal = r.y;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, r.g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, m->memory);
        cs_store(m->info.log_q_forward + l,
                 cs_langevin_propose(m, &q, l, r.y, r.g + l, m->lanes));
        cs_store(r.change + l, differing(m, l, r.y));
    }
    cs_langevin_evaluate(m, CS_NEXT, hot, r.y, m->info.logp_proposal, r.g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, r.g);
        cs_store(m->info.log_q_back + l, cs_langevin_log(m, &q, l, r.y, m->x));
    }
    cs_accept(m);
    cs_commit_moved(m->info.moved, m->lanes, cs_coding_rows(m, hot), r.g,
                    m->memory);
    adapt(m, r.change);
}

/* Computes out = log q(to | from). In `from`, the rows after the state are
 * sigma and alpha. */
static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    room r = room_of(m);
    size_t size = m->dim * m->lanes;
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), from, out,
                         r.g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, r.g);
        q.step = cs_load(from + size + SIGMA * m->lanes + l);
        q.balance = cs_load(from + size + ALPHA * m->lanes + l);
        cs_store(out + l, cs_langevin_log(m, &q, l, from, to));
    }
}

static const cs_aux variables[] = {
    {.name = "sigma", .help = "current scale", .rows = one_row},
    {.name = "alpha", .help = "current balance", .rows = one_row},
    {.name = NULL},
};

static const cs_aux_type aux = {.variable = variables, .first = gradient_words};

#define PAPER "Sun et al. 2023, "

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG | CS_PARAM_FIXED,
              CS_PARAM_RANGE(1e-9, 1e30, 0.1),
              .help = "initial step (sigma)",
              .ref = PAPER "section 3"},
    [BALANCE] = {.name = "balance",
                 .flags = CS_PARAM_FIXED,
                 .max = 1,
                 .def = 0.5,
                 .help = "initial balance (alpha)",
                 .ref = PAPER "section 3"},
    [ADAPT] = {.name = "adapt",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               .max = 1e15,
               .def = 10000,
               .help = "step at which sigma and alpha are frozen. Earlier "
                       "draws also count in estimates, although they follow "
                       "the target only approximately. 0: no adaptation"},
    [BUFFER] = {.name = "buffer",
                .unit = "steps",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_LOG,
                CS_PARAM_RANGE(1, 1e9, 100),
                .help = "number of steps in each trial of a pair of values of "
                        "sigma and alpha",
                .ref = PAPER "section 4"},
    [CODING] = CS_CODING_ROW("", NULL),
    [RATE] = {.name = "rate",
              .flags = CS_PARAM_FIXED,
              .max = 0.99,
              .def = 0.2,
              .help = "relative change of sigma in the first trials; the "
                      "change of alpha is half as large"},
    [DECAY] =
        {.name = "decay",
         .max = 1,
         .def = 0.9,
         .help =
             "factor by which `rate` is multiplied after each round of trials"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_any_scale) = {
    .name = "any_scale",
    .title = "Any-scale balanced (AB)",
    .ref = "Sun, Dai, Sutton, Schuurmans and Dai, Any-scale balanced samplers "
           "for discrete space, 2023; the adaptation is reconstructed",
    .help = "A discrete Langevin sampler that adapts its scale sigma and its "
            "balance alpha so that each step changes as many coordinates as "
            "possible. After both are frozen, the draws follow the target.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .aux = &aux,
    .memory_words = memory_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
};
