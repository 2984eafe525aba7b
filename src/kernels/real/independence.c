/* independence: Metropolis-Hastings with proposals that do not depend on the
 * state.
 *
 *   y ~ q = sum_k w_k N(m_k, S_k), or with `tail` sum_k w_k t_tail(m_k, S_k)
 *   accept with probability min(1, p(y) q(x) / (p(x) q(y)))
 *
 * Hastings, "Monte Carlo sampling methods using Markov chains and their
 * applications" (1970), section 2.5; Tierney, "Markov chains for exploring
 * posterior distributions" (1994), section 2.3.3. A chain converges quickly if
 * p / q is bounded. If the tails of q are lighter than those of p, a chain may
 * stay at one state for an arbitrarily long time.
 *
 * q is fixed by its parameters. With L_k L_k' = S_k, the components have
 *   log N_k(x) = -|r|^2 / 2 - log det L_k,  L_k r = x - m_k,
 * by forward substitution. With heavier tails, which have an integer number v
 * of degrees of freedom, y = m_k + L_k z / sqrt(c / v), where c is the sum of
 * squares of v standard normals, and
 *   log t_k(x) = -(v + dim) / 2 log(1 + |r|^2 / v) - log det L_k
 * (Kotz and Nadarajah, "Multivariate t distributions and their applications",
 * 2004, section 1.1).
 *
 * With a metric S = L L' and its centre c (0 if not set), these formulas apply
 * to u = L^-1 (x - c): without other parameters the kernel proposes N(c, S), or
 * t_tail(c, S). Both densities of a ratio use the same metric, so the kernel is
 * exact with any metric. */
#include "base/memory.h"
#include "kernel/accept.h"
#include "kernel/lists.h"
#include "kernel/metric_lanes.h"
#include "stat/cholesky.h"

#include <math.h>
#include <string.h>

enum { MEAN, SD, COMPONENTS, TAIL, SHAPE, COORDINATES, NUMBERS };
enum { MEANS, SDS, COVARIANCE, WEIGHTS, LISTS };
enum { DIAGONAL, FULL };
enum { MOST = 4096 }; /* maximum length of a list */
enum { MOST_TAIL = 100 };

/* ---- memory -------------------------------------------------------------- */

/* Layout of the memory, for each component: its mean; its factor, row by row
 * from the first element to the diagonal (or only the diagonal); log w_k - log
 * det L_k. */
typedef struct mixture {
    size_t dim, components, factor, words; /* factor: size of a factor; words:
                                              size of a component with its
                                              weight */
    bool full;
} mixture;

static mixture mixture_of(size_t dim, double components, double shape,
                          double coordinates)
{
    mixture q = {.dim = dim, .components = (size_t)components};
    q.full = shape == FULL && coordinates == (double)dim;
    q.factor = q.full ? dim * (dim + 1) / 2 : dim;
    q.words = dim + q.factor + 1;
    return q;
}

static mixture mixture_for(const cs_target *t, const double *values)
{
    return mixture_of(t->space.dim, values[COMPONENTS], values[SHAPE],
                      values[COORDINATES]);
}

static mixture mixture_in(const cs_move *m)
{
    return mixture_of(m->dim, cs_move_param(m, COMPONENTS)[0],
                      cs_move_param(m, SHAPE)[0],
                      cs_move_param(m, COORDINATES)[0]);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    mixture q = mixture_for(t, values);
    return q.components * q.words;
}

/* Returns the scratch size in doubles per lane. Layout: y, z or r, normals for
 * the tail, log densities of the components, a uniform, u. During init the
 * scratch holds a covariance. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    mixture q = mixture_for(t, values);
    size_t words = 3 * q.dim + (size_t)values[TAIL] + q.components + 1;
    return words + (q.full ? q.dim * q.dim / CS_PAD + 1 : 0);
}

static const double *row_of(const cs_move *m, size_t row)
{
    return m->memory + row * m->lanes;
}

/* ---- metric -------------------------------------------------------------- */

/* Returns the space for u, at the end of the scratch. */
static double *room_of(const cs_move *m, const mixture *q)
{
    size_t tail = (size_t)cs_move_param(m, TAIL)[0];
    return m->scratch + (2 * q->dim + tail + q->components + 1) * m->lanes;
}

/* Computes to = from + by c, where `by` is 1 or -1. */
static void shift(const cs_move *m, double by, const double *from, double *to)
{
    const double *centre = m->metric->centre;
    size_t n = m->lanes;
    for (size_t i = 0; i < m->dim; i++) {
        double off = centre ? by * centre[i] : 0;
        for (size_t l = i * n; l < (i + 1) * n; l += CS_VECTOR)
            cs_store(to + l, cs_load(from + l) + off);
    }
}

/* Returns u = L^-1 (x - c), or x itself without a metric. */
static const double *without_metric(const cs_move *m, const mixture *q,
                                    const double *x)
{
    double *u = room_of(m, q);
    if (!m->metric)
        return x;
    shift(m, -1, x, u);
    cs_metric_solve(m->metric, cs_span_of(m), u);
    return u;
}

/* Replaces u, which is stored in y, by c + L u. */
static void follow_metric(const cs_move *m, const mixture *q, double *y)
{
    double *u = room_of(m, q);
    if (!m->metric)
        return;
    memcpy(u, y, m->dim * m->lanes * sizeof *y);
    cs_metric_product(m->metric, cs_span_of(m), u, y);
    shift(m, 1, y, y);
}

/* ---- distribution -------------------------------------------------------- */

/* Returns element i of L_k z, in the lanes from l on. */
static cs_vd times_factor(const cs_move *m, const mixture *q, const double *at,
                          const double *z, size_t i)
{
    size_t n = m->lanes;
    if (!q->full)
        return cs_load(at + i * n) * cs_load(z + i * n);
    cs_vd sum = cs_vset(0);
    at += i * (i + 1) / 2 * n;
    for (size_t j = 0; j <= i; j++)
        sum += cs_load(at + j * n) * cs_load(z + j * n);
    return sum;
}

/* Returns the log density of a residual r = L_k^-1 (x - m_k), up to a constant,
 * given |r|^2. */
static cs_vd log_shape(const cs_move *m, const mixture *q, size_t l,
                       cs_vd square)
{
    cs_vd tail = cs_load(cs_move_param(m, TAIL) + l);
    if (cs_move_param(m, TAIL)[0] == 0)
        return -0.5 * square;
    return -0.5 * (tail + (double)q->dim) * cs_vlog(1 + square / tail);
}

/* Computes r = L_k^-1 (x - m_k) in the lanes from l on. Returns the log density
 * of r. */
static cs_vd solve(const cs_move *m, const mixture *q, size_t k, size_t l,
                   const double *x, double *r)
{
    size_t n = m->lanes;
    const double *mean = row_of(m, k * q->words) + l, *at = mean + q->dim * n;
    cs_vd sum = cs_vset(0);
    for (size_t i = 0; i < q->dim; i++) {
        cs_vd rest = cs_load(x + i * n) - cs_load(mean + i * n);
        for (size_t j = 0; q->full && j < i; j++, at += n)
            rest -= cs_load(at) * cs_load(r + j * n);
        rest /= cs_load(at);
        at += n;
        cs_store(r + i * n, rest);
        sum += rest * rest;
    }
    return log_shape(m, q, l, sum);
}

/* Returns the log of the sum of exp t[components], in the lanes from l on. */
static cs_vd log_sum(const cs_move *m, const mixture *q, const double *t)
{
    cs_vd top = cs_load(t), sum = cs_vset(0);
    if (q->components == 1)
        return top;
    for (size_t k = 1; k < q->components; k++)
        top = cs_vmax(top, cs_load(t + k * m->lanes));
    top = cs_vmax(top, cs_vset(-1e300));
    for (size_t k = 0; k < q->components; k++)
        sum += cs_vexp(cs_load(t + k * m->lanes) - top);
    return top + cs_vlog(sum);
}

/* Computes out[lanes] = log q(x), up to a constant. r[dim][lanes] and
 * t[components][lanes] are scratch. */
static void log_density(const cs_move *m, const double *x, double *r, double *t,
                        double *out)
{
    const mixture q = mixture_in(m);
    x = without_metric(m, &q, x);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        for (size_t k = 0; k < q.components; k++) {
            const double *weight = row_of(m, (k + 1) * q.words - 1);
            cs_store(t + k * m->lanes + l,
                     cs_load(weight + l) + solve(m, &q, k, l, x + l, r + l));
        }
        cs_store(out + l, log_sum(m, &q, t + l));
    }
}

/* ---- step ---------------------------------------------------------------- */

/* Returns the index of the component that a uniform number selects. */
static double component_of(const cs_move *m, const mixture *q, double uniform)
{
    size_t n, k = 0;
    const double *weight = cs_move_list(m, WEIGHTS, &n);
    if (n != q->components)
        return fmin(floor(uniform * (double)q->components),
                    (double)q->components - 1);
    double whole = 0;
    for (size_t i = 0; i < n; i++)
        whole += weight[i];
    for (double left = uniform * whole - weight[0]; left > 0 && k + 1 < n;)
        left -= weight[++k];
    return (double)k;
}

/* Draws z[dim][lanes], scaled for the tail. The normals for the tail follow z
 * in memory. */
static void draw(const cs_move *m, const mixture *q, double *z)
{
    size_t n = m->lanes, tail = (size_t)cs_move_param(m, TAIL)[0];
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, q->dim + tail, z);
    for (size_t l = 0; l < n && tail; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t i = 0; i < tail; i++) {
            cs_vd c = cs_load(z + (q->dim + i) * n + l);
            sum += c * c;
        }
        cs_vd by = cs_vsqrt((double)tail / sum);
        for (size_t i = 0; i < q->dim; i++)
            cs_store(z + i * n + l, cs_load(z + i * n + l) * by);
    }
}

/* Computes the proposal y in the lanes whose component is k. */
static void propose_of(const cs_move *m, const mixture *q, size_t k,
                       const double *which, const double *z, double *y)
{
    size_t n = m->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        const double *mean = row_of(m, k * q->words) + l;
        cs_vi mask = cs_load(which + l) == (double)k;
        if (!cs_bytes_of(mask))
            continue;
        for (size_t i = 0; i < q->dim; i++) {
            cs_vd to = cs_load(mean + i * n) +
                       times_factor(m, q, mean + q->dim * n, z + l, i);
            double *at = y + i * n + l;
            cs_store(at, cs_vselect(mask, to, cs_load(at)));
        }
    }
}

static void step(cs_move *m)
{
    const mixture q = mixture_in(m);
    size_t n = m->lanes;
    size_t tail = (size_t)cs_move_param(m, TAIL)[0];
    double *y = m->scratch, *z = y + q.dim * n, *t = z + (q.dim + tail) * n;
    double *which = t + q.components * n;
    m->info.proposal = y;
    cs_fill_uniform(&m->streams, CS_FOR_SITE, 1, which);
    for (size_t l = 0; l < n; l++)
        which[l] = component_of(m, &q, which[l]);
    draw(m, &q, z);
    for (size_t k = 0; k < q.components; k++)
        propose_of(m, &q, k, which, z, y);
    follow_metric(m, &q, y);
    cs_eval_log_density(m->eval, CS_NEXT, y, m->info.logp_proposal);
    cs_refuse_overflow(m);
    log_density(m, y, z, t, m->info.log_q_forward);
    log_density(m, m->x, z, t, m->info.log_q_back);
    cs_accept(m);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    const mixture q = mixture_in(m);
    double *r = m->scratch + q.dim * m->lanes;
    (void)from;
    log_density(m, to, r, r + q.dim * m->lanes, out);
}

/* ---- start --------------------------------------------------------------- */

static void put(const cs_move *m, size_t row, double value)
{
    for (size_t l = 0; l < m->lanes; l++)
        m->memory[row * m->lanes + l] = value;
}

/* Stores the factor of component k in the rows from `at` on. Returns the log of
 * its determinant. */
static double put_factor(const cs_move *m, const mixture *q, size_t k,
                         size_t at)
{
    size_t n, n_sds, d = q->dim;
    const double *covariance = cs_move_list(m, COVARIANCE, &n);
    const double *sds = cs_move_list(m, SDS, &n_sds);
    double *scratch = m->scratch, sum = 0;
    if (q->full && n) {
        memcpy(scratch, covariance + k * d * d, d * d * sizeof *scratch);
        cs_cholesky(scratch,
                    d); /* cannot fail here, because arrange has checked
                                 the covariance */
    }
    for (size_t i = 0; i < d; i++) {
        double sd = n_sds ? sds[k * d + i] : cs_move_param(m, SD)[0];
        sd = q->full && n ? scratch[i * d + i] : sd;
        for (size_t j = 0; q->full && j < i; j++)
            put(m, at++, n ? scratch[i * d + j] : 0);
        put(m, at++, sd);
        sum += log(sd);
    }
    return sum;
}

static void init(cs_move *m)
{
    const mixture q = mixture_in(m);
    size_t n_means, n_weights;
    const double *means = cs_move_list(m, MEANS, &n_means);
    const double *weights = cs_move_list(m, WEIGHTS, &n_weights);
    for (size_t k = 0; k < q.components; k++) {
        size_t at = k * q.words;
        double mean = cs_move_param(m, MEAN)[0];
        double weight = n_weights == q.components ? weights[k] : 1;
        for (size_t i = 0; i < q.dim; i++)
            put(m, at + i, n_means ? means[k * q.dim + i] : mean);
        put(m, at + q.words - 1,
            log(weight) - put_factor(m, &q, k, at + q.dim));
    }
}

/* ---- parameters ---------------------------------------------------------- */

/* Checks that a list has `each` numbers per component. */
static cs_status check_length(const cs_value *v, double components, double each,
                              cs_error *err)
{
    if (!v->given || (double)v->rows == components * each)
        return CS_OK;
    cs_fail(err, CS_RANGE, "%s has %zu numbers, not %g x %g", v->name, v->rows,
            components, each);
    cs_hint(err, "for each component, give one number per coordinate "
                 "(covariance: per pair of coordinates)");
    return CS_RANGE;
}

/* Returns the number of coordinates that follows from the lengths of the lists;
 * 0 if no list is given. */
static double coordinates_of(const cs_value *list, double components)
{
    double n = 0;
    if (list[COVARIANCE].given)
        n = floor(sqrt((double)list[COVARIANCE].rows / components));
    else if (list[SDS].given)
        n = floor((double)list[SDS].rows / components);
    else if (list[MEANS].given)
        n = floor((double)list[MEANS].rows / components);
    return n;
}

static cs_status check_symmetric(const double *a, size_t d, cs_error *err)
{
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++)
            if (a[i * d + j] != a[j * d + i]) {
                cs_fail(err, CS_RANGE,
                        "covariance is not symmetric: (%zu, %zu) is %g, and "
                        "(%zu, %zu) is %g",
                        i + 1, j + 1, a[i * d + j], j + 1, i + 1, a[j * d + i]);
                cs_hint(err, "give the covariance row by row");
                return CS_RANGE;
            }
    return CS_OK;
}

static cs_status check_covariance(const cs_value *v, size_t components,
                                  size_t d, cs_error *err)
{
    double *scratch = cs_alloc(d * d + 1, sizeof *scratch);
    if (!scratch)
        return cs_fail(err, CS_MEMORY, "out of memory for a covariance");
    cs_status s = CS_OK;
    for (size_t k = 0; !s && k < components; k++) {
        memcpy(scratch, v->array + k * d * d, d * d * sizeof *scratch);
        s = check_symmetric(scratch, d, err);
        if (s || cs_cholesky(scratch, d))
            continue;
        s = cs_fail(err, CS_RANGE, "covariance %zu is not positive definite",
                    k + 1);
        cs_hint(err, "give the covariance of earlier draws, or give `sds` "
                     "instead of a covariance");
    }
    cs_free(scratch);
    return s;
}

static cs_status check_lists(const cs_value *list, double components, double d,
                             cs_error *err)
{
    const cs_value *covariance = &list[COVARIANCE];
    if (covariance->given && list[SDS].given) {
        cs_fail(err, CS_RANGE, "both `sds` and `covariance` are given");
        cs_hint(err, "leave out `sds`");
        return CS_RANGE;
    }
    cs_status s = cs_list_positive(&list[SDS], err);
    if (!s)
        s = cs_list_positive(&list[WEIGHTS], err);
    if (!s)
        s = check_length(&list[MEANS], components, d, err);
    if (!s)
        s = check_length(&list[SDS], components, d, err);
    if (!s)
        s = check_length(covariance, components, d * d, err);
    if (!s && covariance->given)
        s = check_covariance(covariance, (size_t)components, (size_t)d, err);
    return s;
}

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    const cs_value *list = &given[NUMBERS], *weights = &list[WEIGHTS];
    cs_status s = CS_OK;
    if (weights->given)
        s = cs_list_follows(&given[COMPONENTS], weights->name,
                            (double)weights->rows, &values[COMPONENTS], err);
    double d = coordinates_of(list, values[COMPONENTS]);
    if (!s)
        s = check_lists(list, values[COMPONENTS], d, err);
    if (!s && list[COVARIANCE].given)
        s = cs_list_follows(&given[SHAPE], "covariance", FULL, &values[SHAPE],
                            err);
    if (!s && d > 0)
        s = cs_list_follows(&given[COORDINATES], "the lists", d,
                            &values[COORDINATES], err);
    return s;
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    return cs_list_fits("independence", t, values[COORDINATES], err);
}

static const char *const shapes[] = {"diagonal", "full", NULL};

#define PAPER "Tierney 1994, section 2.3.3"

#define LIST(name_, help_)                                                     \
    {                                                                          \
        .name = name_, .kind = CS_PARAM_ARRAY, .flags = CS_PARAM_FIXED,        \
        .max = MOST, .help = help_, .ref = PAPER,                              \
    }

static const cs_param rows[] = {
    [MEAN] = {.name = "mean",
              .flags = CS_PARAM_FIXED,
              .min = -1e100,
              .max = 1e100,
              .help = "mean of the proposals, the same for all coordinates",
              .ref = PAPER},
    [SD] = {.name = "sd",
            .flags = CS_PARAM_LOG | CS_PARAM_FIXED,
            CS_PARAM_RANGE(1e-100, 1e100, 1),
            .help = "standard deviation of the proposals, the same for all "
                    "coordinates",
            .ref = PAPER},
    [COMPONENTS] = {.name = "components",
                    .kind = CS_PARAM_INT,
                    .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                    CS_PARAM_RANGE(1, MOST, 1),
                    .help = "number of Gaussians in the mixture; determined by "
                            "the list `weights`",
                    .ref = PAPER},
    [TAIL] = {.name = "tail",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
              .max = MOST_TAIL,
              .help = "degrees of freedom of Student's t distributions, which "
                      "replace the Gaussians for proposals with heavier tails "
                      "(for example 5); 0: Gaussians",
              .ref = PAPER},
    [SHAPE] = {.name = "shape",
               .kind = CS_PARAM_CHOICE,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               .max = 1,
               .choices = shapes,
               .help = "form of the covariance; determined by the given lists"},
    [COORDINATES] =
        {.name = "coordinates",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
         .max = MOST,
         .help =
             "number of coordinates in the given lists; 0: no list is given"},
    [NUMBERS + MEANS] =
        LIST("means", "means of the proposals, one per coordinate; for a "
                      "mixture component by component"),
    [NUMBERS + SDS] =
        LIST("sds", "standard deviations of the proposals, in the same order"),
    [NUMBERS + COVARIANCE] =
        LIST("covariance", "instead of sds: covariances, row by row"),
    [NUMBERS + WEIGHTS] =
        LIST("weights", "weights of the components of a mixture, up to a "
                        "factor; equal by default"),
};

const cs_kernel_type CS_VARIANT(cs_kernel_independence) = {
    .name = "independence",
    .title = "Independence Metropolis-Hastings",
    .ref = "Hastings, Monte Carlo sampling methods using Markov chains and "
           "their applications, 1970, section 2.5; Tierney, Markov chains for "
           "exploring posterior distributions, 1994",
    .help =
        "Proposes draws from a fixed Gaussian or mixture of Gaussians, "
        "independent of the current state, and accepts or rejects them. "
        "The tails of the proposals should be heavier than those of the "
        "target (see `tail`). With a metric, for example learned by "
        "adaptive_metropolis, proposals have the covariance and the "
        "centre of the metric, and the parameters are in units of the metric.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS |
             CS_KERNEL_METRIC,
    .params = rows,
    .n_params = NUMBERS,
    .n_lists = LISTS,
    .arrange = arrange,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
    .log_q = log_q,
};
