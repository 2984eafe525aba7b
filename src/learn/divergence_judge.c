/* Evaluates a model by the log likelihood of data. Computes mean log densities
 * over rows, and log Z by annealed importance sampling. */
#include "learn/divergence_parts.h"
#include "run/summary/learned_figures.h"

#include "learn/anneal.h"

#include <math.h>
#include <string.h>

/* Arguments of the jobs that compute mean log densities over the first n rows
 * of a set. */
typedef struct looks {
    const cs_target *t;
    const cs_data_set *set;
    const cs_learn_scratch *r;
    size_t n;
    double sum[CS_LEARN_JOBS], squares[CS_LEARN_JOBS];
} looks;

static void look_job(void *self, size_t j)
{
    looks *k = self;
    const cs_target *t = k->t;
    const cs_learn_scratch *r = k->r;
    size_t dim = t->space.dim;
    double *x = r->x + j * dim * CS_LEARN_LANES,
           *logp = r->logp + j * CS_LEARN_LANES,
           *none = r->weight + j * CS_LEARN_LANES;
    k->sum[j] = k->squares[j] = 0;
    for (size_t first = j * CS_LEARN_LANES; first < k->n;
         first += CS_LEARN_JOBS * CS_LEARN_LANES) {
        size_t live =
            k->n - first < CS_LEARN_LANES ? k->n - first : CS_LEARN_LANES;
        for (size_t i = 0; i < CS_LEARN_LANES; i++) {
            cs_data_state(k->set, first + (i < live ? i : live - 1),
                          CS_LEARN_LANES, x + i);
            none[i] = 0;
        }
        const cs_point at = {.x = x,
                             .scratch = r->scratch +
                                        j * t->slope_words * CS_LEARN_LANES,
                             .lanes = CS_LEARN_LANES,
                             .live = live};
        t->type->model->slope(t, &at, none, logp, r->part[j]);
        for (size_t i = 0; i < live; i++) {
            k->sum[j] += logp[i];
            k->squares[j] += logp[i] * logp[i];
        }
    }
}

/* Returns the log likelihood per row, given log Z and the error of log Z. Sets
 * *error to the standard error of the result. */
static double likelihood(const cs_learning *l, const cs_learn_scratch *r,
                         const cs_data_set *set, const cs_annealed *z,
                         double *error)
{
    const cs_divergence *d = l->self;
    looks k = {.t = l->target, .set = set, .r = r, .n = set->n};
    if (d->spec.judge_rows && d->spec.judge_rows < k.n)
        k.n = d->spec.judge_rows;
    cs_share_jobs(l->pool, look_job, &k, CS_LEARN_JOBS);
    double sum = 0, squares = 0, n = (double)k.n;
    for (size_t j = 0; j < CS_LEARN_JOBS; j++) {
        sum += k.sum[j];
        squares += k.squares[j];
    }
    double variance = fmax(squares / n - sum / n * (sum / n), 0);
    *error = sqrt(variance / n + z->error * z->error);
    return sum / n - z->log_z;
}

/* Evaluates the current parameters. */
static void judge_these(const cs_learning *l, const cs_learn_scratch *r)
{
    const cs_divergence *d = l->self;
    cs_learn_memory *m = (void *)l->memory;
    cs_annealed z;
    const cs_anneal_spec spec = {
        .base = d->base,
        .runs = d->spec.runs,
        .temperatures = d->spec.temperatures,
        .seed =
            (uint64_t)(cs_learn_uniform(l, CS_LEARN_ANNEALING, l->update, 0) *
                       0x1p53),
        .pool = l->pool};
    const cs_kernel *by = &d->spec.annealer;
    if (by->type ? cs_anneal_by(l->target, by, &spec, &z, NULL)
                 : cs_anneal_own(l->target, &spec, &z, NULL))
        return;
    if ((size_t)m->n_judged == CS_LEARN_JUDGED) {
        for (size_t i = 0; i < CS_LEARN_JUDGED / 2; i++)
            m->judged[i] = m->judged[2 * i + 1];
        m->n_judged = CS_LEARN_JUDGED / 2;
    }
    cs_judgement *to = &m->judged[(size_t)m->n_judged++];
    *to = (cs_judgement){.update = (double)l->update,
                         .log_z = z.log_z,
                         .error = z.error,
                         .kish = z.kish,
                         .below = z.mean_log};
    to->train = likelihood(l, r, d->spec.train, &z, &to->train_error);
    if (d->spec.test)
        to->test = likelihood(l, r, d->spec.test, &z, &to->test_error);
}

/* Evaluates the running mean of the parameters, or the parameters if no mean is
 * kept. If `last` is true, the running mean then replaces the parameters. */
void cs_learn_judge(const cs_learning *l, const cs_learn_scratch *r, bool last)
{
    const cs_divergence *d = l->self;
    cs_target *t = l->target;
    size_t bytes = t->n_learned * sizeof(double);
    bool other = d->spec.average > 0;
    if (other) {
        memcpy(r->kept, t->learned, bytes);
        memcpy(t->learned, cs_learn_average(l), bytes);
    }
    t->type->model->changed(t);
    if (d->spec.runs)
        judge_these(l, r);
    if (other && !last)
        memcpy(t->learned, r->kept, bytes);
}
