/* austerity: a random walk whose accept step is a sequential test on rows.
 *
 *   y = x + step z,  z ~ N(0, I)
 *   l_i  = term(y, i) - term(x, i)
 *   mu_0 = [log u - prior(y) + prior(x)] / N,  u uniform, one for all stages
 *
 * Metropolis accepts if the mean of all N values l_i is above mu_0. This kernel
 * draws rows without replacement; each stage adds `batch` rows. With l the mean
 * and sd the standard deviation (divisor n - 1) of the l_i of the n rows read
 * so far,
 *
 *   s = sd / sqrt n  sqrt(1 - (n - 1) / (N - 1)),  t = (l - mu_0) / s,
 *
 * and the stages end once all rows have been read or 1 - F(|t|) < epsilon. F is
 * the distribution function of Student's t with n - 1 degrees of freedom. The
 * proposal is then accepted if l > mu_0. Korattikara, Chen and Welling,
 * "Austerity in MCMC land: cutting the Metropolis-Hastings budget" (2014),
 * Algorithms 1 and 2.
 *
 * The kernel is biased for every epsilon above 0: each stage errs with
 * probability up to epsilon, so the error grows with the number of stages.
 * epsilon = 0 reads all rows and is exact Metropolis. Each row is evaluated at
 * x and at y, which counts as two data terms. */
#include "kernel/accept.h"
#include "kernel/step_row.h"
#include "kernel/step_trace.h"
#include "kernels/auxiliary/row_draws.h"
#include "kernels/real/batch.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { STEP, BATCH, EPSILON };

/* Rows of `known`: statistics of the l_i read so far, per lane. */
enum { SEEN, SUM, SQUARES, KNOWN };

typedef struct stages {
    double *y;     /* [dim][lanes] the proposed state */
    double *known; /* [KNOWN][lanes] number of rows read, sum of l_i, and sum of
                      squares about the mean */
    double *next;  /* [lanes] number of rows in the next stage */
    uint64_t *key; /* [CS_BATCH_KEYS][lanes] keys of the permutation of the
                      rows */
    size_t *first; /* [live + 1] index of each lane's first row */
    uint32_t *row; /* [live n] rows of the stage, lane after lane */
    double *here;  /* [live n] terms at x */
    double *there; /* [live n] terms at y, later overwritten by l_i */
} stages;

/* Returns the largest number of rows in one stage. */
static size_t max_rows(const cs_target *t, double batch)
{
    return batch < (double)t->n_rows ? (size_t)batch : t->n_rows;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    size_t n = max_rows(t, values[BATCH]);
    return t->space.dim + KNOWN + 1 + CS_BATCH_KEYS + 2 + (n / 2 + 1) + 2 * n;
}

static stages open_stages(const cs_move *m)
{
    size_t lanes = m->lanes;
    size_t n = max_rows(m->eval->target, cs_move_param(m, BATCH)[0]);
    stages s = {.y = m->scratch};
    s.known = s.y + m->dim * lanes;
    s.next = s.known + KNOWN * lanes;
    s.key = (uint64_t *)(void *)(s.next + lanes);
    s.first = (size_t *)(void *)(s.key + CS_BATCH_KEYS * lanes);
    s.here = (double *)(void *)(s.first + 2 * lanes);
    s.there = s.here + n * lanes;
    s.row = (uint32_t *)(void *)(s.there + n * lanes);
    return s;
}

static void init(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
    for (size_t l = 0; l < m->lanes; l++)
        m->info.log_q_forward[l] = m->info.log_q_back[l] = 0;
}

static void propose(cs_move *m, double *y)
{
    const double *step = cs_move_param(m, STEP);
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(y + at,
                     cs_load(m->x + at) + cs_load(step + l) * cs_load(y + at));
}

/* ---- a stage ------------------------------------------------------------- */

/* Returns the number of rows in the next stage of lane l; 0 if the proposal is
 * outside the support of the prior. */
static size_t rows_left(const cs_move *m, const stages *s, size_t l)
{
    const cs_target *t = m->eval->target;
    size_t seen = (size_t)s->known[SEEN * m->lanes + l];
    size_t n = max_rows(t, cs_move_param(m, BATCH)[l]);
    bool idle = m->failed[l] || !(m->info.logp_proposal[l] > -HUGE_VAL);
    return idle ? 0 : n < t->n_rows - seen ? n : t->n_rows - seen;
}

/* Draws the rows of the next stage of each lane. Returns false if all lanes
 * have decided. */
static bool draw_rows(const cs_move *m, const stages *s)
{
    size_t used = 0;
    for (size_t l = 0; l < m->live; l++) {
        size_t n = (size_t)s->next[l];
        s->first[l] = used;
        if (n == 0)
            continue;
        cs_permutation p = cs_permutation_of((uint32_t)m->eval->target->n_rows,
                                             s->key + l, m->lanes);
        cs_permute(&p, (uint32_t)s->known[SEEN * m->lanes + l], n,
                   s->row + used);
        used += n;
    }
    s->first[m->live] = used;
    cs_eval_fetch(m->eval, s->row, used);
    return used > 0;
}

static double sum_of(const double *v, size_t n)
{
    double part[CS_PAD] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        part[i % CS_PAD] += v[i];
    for (size_t k = 0; k < CS_PAD; k++)
        sum += part[k];
    return sum;
}

/* Updates the statistics of lane l with n more values l_i (Chan, Golub and
 * LeVeque 1979). */
static void add_rows(const cs_move *m, const stages *s, size_t l,
                     const double *change, size_t n)
{
    double *known = s->known + l, part[CS_PAD] = {0}, squares = 0;
    double was = known[SEEN * m->lanes], all = was + (double)n;
    double sum = sum_of(change, n), mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        part[i % CS_PAD] += (change[i] - mean) * (change[i] - mean);
    for (size_t k = 0; k < CS_PAD; k++)
        squares += part[k];
    double apart = was > 0 ? mean - known[SUM * m->lanes] / was : 0;
    known[SEEN * m->lanes] = all;
    known[SUM * m->lanes] += sum;
    known[SQUARES * m->lanes] +=
        squares + apart * apart * was * (double)n / all;
}

/* Returns whether the test of lane l has ended: the mean of the l_i read so far
 * differs from mu_0 with a p-value below epsilon. */
static bool is_sure(const cs_move *m, const stages *s, size_t l)
{
    const cs_info *i = &m->info;
    double rows = (double)m->eval->target->n_rows;
    double n = s->known[SEEN * m->lanes + l];
    if (n < 2)
        return false;
    double mean = s->known[SUM * m->lanes + l] / n;
    double mu = (i->log_uniform[l] - i->logp_proposal[l] + i->logp[l]) / rows;
    double square = s->known[SQUARES * m->lanes + l] / (n - 1) / n;
    double error = sqrt(square * (1 - (n - 1) / (rows - 1)));
    double t = fabs(mean - mu) / error;
    double tail = isfinite(t) ? gsl_cdf_tdist_Q(t, n - 1) : t > 0 ? 0 : 1;
    return tail < cs_move_param(m, EPSILON)[l];
}

/* Records the rows of the stage in the step trace of the first chain. The
 * contribution of a row to log a depends on the final number of rows, so it is
 * set at the end of the step. */
static void tell(const cs_move *m, const stages *s)
{
    for (size_t i = 0; i < s->first[1]; i++)
        cs_note_row(cs_step_trace_of(m), (cs_row_note){.row = s->row[i],
                                                       .use = CS_ROW_WEIGHS,
                                                       .bound = (double)NAN,
                                                       .here = s->here[i],
                                                       .there = s->there[i],
                                                       .chance = (double)NAN});
}

static void tell_parts(cs_step_trace *n, double each)
{
    for (size_t i = 0; i < n->rows && i < n->row_capacity; i++)
        n->row[i].part = each * (n->row[i].there - n->row[i].here);
}

/* Runs one stage for all lanes that have not decided. */
static void look(cs_move *m, const stages *s)
{
    cs_batch b = {.row = s->row, .first = s->first};
    cs_eval_terms(m->eval, m->x, &b, s->here);
    cs_eval_terms(m->eval, s->y, &b, s->there);
    if (cs_step_trace_of(m))
        tell(m, s);
    for (size_t i = 0; i < s->first[m->live]; i++)
        s->there[i] -= s->here[i];
    for (size_t l = 0; l < m->live; l++) {
        size_t n = s->first[l + 1] - s->first[l];
        if (n == 0)
            continue;
        add_rows(m, s, l, s->there + s->first[l], n);
        size_t left = rows_left(m, s, l);
        s->next[l] = left && is_sure(m, s, l) ? 0 : (double)left;
    }
}

/* ---- a step -------------------------------------------------------------- */

static void begin(const cs_move *m, const stages *s)
{
    cs_batch_keys(m, m->streams.step, s->key);
    for (size_t at = 0; at < KNOWN * m->lanes; at++)
        s->known[at] = 0;
    for (size_t l = 0; l < m->live; l++)
        s->next[l] = (double)rows_left(m, s, l);
}

/* Sets log_aux of each lane to N times the mean of the l_i that were
 * computed. */
static void conclude(cs_move *m, const stages *s)
{
    double rows = (double)m->eval->target->n_rows;
    for (size_t l = 0; l < m->lanes; l++) {
        size_t of = l < m->live ? l : m->live - 1;
        double n = s->known[SEEN * m->lanes + of];
        double sum = s->known[SUM * m->lanes + of];
        m->info.log_aux[l] = n > 0 ? rows / n * sum : 0;
        m->info.stat[l] = n;
        if (l == 0 && cs_step_trace_of(m))
            tell_parts(cs_step_trace_of(m), rows / n);
    }
}

static void step(cs_move *m)
{
    stages s = open_stages(m);
    m->info.proposal = s.y;
    propose(m, s.y);
    cs_eval_prior(m->eval, s.y, m->info.logp_proposal, NULL);
    cs_refuse_overflow(m);
    cs_draw_log_uniform(m);
    begin(m, &s);
    while (draw_rows(m, &s))
        look(m, &s);
    conclude(m, &s);
    cs_accept(m);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    for (size_t l = 0; l < m->lanes; l++) {
        double s = cs_move_param(m, STEP)[l], sum = 0;
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            sum += (to[at] - from[at]) / s * ((to[at] - from[at]) / s);
        out[l] = -0.5 * sum;
    }
}

/* ---- table of the kernel ------------------------------------------------- */

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    if (t->type->rows.terms)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "kernel austerity needs a target that is a sum over rows of data; "
            "target %s is not",
            t->name);
    cs_hint(err, "use robust_regression, truncated_gaussian or `terms` over a "
                 "table in Lua");
    return CS_UNSUPPORTED;
}

static const char *const stats[] = {"rows__", NULL};

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(1, "standard deviation of the move"),
    [BATCH] = {.name = "batch",
               .unit = "rows",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_FIXED | CS_PARAM_SHARED | CS_PARAM_LOG,
               CS_PARAM_RANGE(2, 1e9, 500),
               .help = "number of rows of data that each stage of the test "
                       "adds",
               .ref = "Korattikara, Chen and Welling 2014, Algorithm 1 (m)"},
    [EPSILON] = {.name = "epsilon",
                 .max = 0.5,
                 .def = 0.05,
                 .help = "the test stops at the first stage where the "
                         "probability of a wrong decision is below epsilon; 0: "
                         "all rows are used (Metropolis)",
                 .ref = "Korattikara, Chen and Welling 2014, Algorithm 1"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_austerity) = {
    .name = "austerity",
    .title = "Metropolis by a sequential test",
    .ref = "Korattikara, Chen and Welling, Austerity in MCMC land: cutting the "
           "Metropolis-Hastings budget, 2014",
    .help = "A random walk that reads rows of data in stages until a t test "
            "decides whether to accept the proposal. The kernel is biased "
            "because the test can err; a larger epsilon allows more errors.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_ACCEPTS | CS_KERNEL_PARTS | CS_KERNEL_ESTIMATES,
    CS_PARAM_TABLE(rows),
    .stats = stats,
    .scratch_words = scratch_words,
    .check = check,
    .logp = cs_row_draws_logp,
    .acceptance = 0.234,
    .acceptance_of_one = 0.206,
    .init = init,
    .step = step,
    .log_q = log_q,
};
