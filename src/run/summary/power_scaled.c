/* Sensitivities of the quantities of an arm to the power of the prior and of
 * the likelihood. */
#include "base/cancellation.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/each_draw.h"
#include "run/summary/log_lik.h"

#include <math.h>

enum { PRIOR, LIKELIHOOD, COMPONENTS };
enum { LOW, HIGH, POWERS };

typedef struct scaling {
    cs_run *run;
    size_t arm, size; /* size: number of draws of all chains */
    cs_part_quantities part[COMPONENTS];
    double *w[COMPONENTS][POWERS]; /* [size] weights of the draws [own] */
    const cs_power_ask *ask;
    cs_run_power *out;
} scaling;

/* Adds the elements of a component to sum[size], which is allocated with the
 * first one. */
static cs_status add_up(scaling *s, size_t component, double **sum,
                        cs_error *err)
{
    const cs_part_quantities *of = &s->part[component];
    cs_status status = CS_OK;
    for (size_t i = 0; i < of->n && status == CS_OK; i++) {
        cs_scalar_draws d;
        status = cs_run_scalar_draws(s->run, s->arm, of->scalar[i], 1,
                                     s->ask->sample, &d, err);
        if (status)
            break;
        s->size = d.n * d.chains;
        if (!*sum && !(*sum = cs_alloc(s->size, sizeof **sum)))
            status = cs_fail(err, CS_MEMORY, "out of memory for draws");
        for (size_t j = 0; j < s->size && status == CS_OK; j++)
            (*sum)[j] += d.x[j];
        cs_free(d.x);
    }
    return status;
}

/* Computes the weights of both powers of a component. */
static cs_status weigh(scaling *s, size_t component, cs_error *err)
{
    static const char *const names[] = {"prior", "likelihood"};
    double *sum = NULL, worst = (double)NAN;
    cs_status status = add_up(s, component, &sum, err);
    for (size_t j = 0; j < s->size && status == CS_OK; j++)
        if (!isfinite(sum[j])) {
            status = cs_fail(err, CS_RANGE,
                             "the log %s is not finite in at least one draw",
                             names[component]);
            cs_hint(err, "all draws need a positive density");
        }
    for (size_t p = 0; p < POWERS && status == CS_OK; p++) {
        double k = 0, *w = cs_alloc(s->size, sizeof *w);
        s->w[component][p] = w;
        double alpha = p == LOW ? 1 / s->ask->alpha : s->ask->alpha;
        if (!w || !cs_power_weights(sum, s->size, alpha, w, &k))
            status = cs_fail(err, CS_MEMORY, "out of memory for weights");
        worst = fmax(worst, k);
    }
    s->out->k[component] = worst;
    cs_free(sum);
    return status;
}

static bool is_component(const scaling *s, size_t scalar)
{
    for (size_t c = 0; c < COMPONENTS; c++)
        for (size_t i = 0; i < s->part[c].n; i++)
            if (s->part[c].scalar[i] == scalar)
                return true;
    return false;
}

static bool is_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

static double sensitivity(const scaling *s, size_t component, const double *x)
{
    double at[POWERS];
    for (size_t p = 0; p < POWERS; p++)
        at[p] = cs_cumulative_distance(x, s->w[component][p], s->size);
    return cs_power_sensitivity(at[LOW], at[HIGH], s->ask->alpha);
}

static cs_status add_quantity(scaling *s, size_t scalar, cs_error *err)
{
    cs_scalar_draws d;
    cs_run_power *out = s->out;
    cs_status status =
        cs_run_scalar_draws(s->run, s->arm, scalar, 1, s->ask->sample, &d, err);
    if (status)
        return status;
    if (!is_constant(d.x, s->size)) {
        out->scalar[out->n] = scalar;
        out->prior[out->n] = sensitivity(s, PRIOR, d.x);
        out->likelihood[out->n++] = sensitivity(s, LIKELIHOOD, d.x);
    }
    cs_free(d.x);
    return cs_cancelled() ? cs_fail(err, CS_STOPPED, "at a quantity") : CS_OK;
}

static cs_status add_all(scaling *s, cs_error *err)
{
    cs_run_power *out = s->out;
    size_t shown = cs_target_shown(cs_run_target(s->run));
    out->scalar = cs_alloc(shown, sizeof *out->scalar);
    out->prior = cs_alloc(shown, sizeof *out->prior);
    out->likelihood = cs_alloc(shown, sizeof *out->likelihood);
    cs_status status = CS_OK;
    if (!out->scalar || !out->prior || !out->likelihood)
        return cs_fail(err, CS_MEMORY, "out of memory for sensitivities");
    size_t only = s->ask->only;
    for (size_t i = 1; i <= shown && status == CS_OK; i++)
        if (only ? i == only : !is_component(s, i))
            status = add_quantity(s, i, err);
    return status;
}

cs_status cs_run_power_find(cs_run *r, size_t arm, const cs_power_ask *ask,
                            cs_run_power *out, cs_error *err)
{
    scaling s = {.run = r, .arm = arm, .ask = ask, .out = out};
    const cs_target *t = cs_run_target(r);
    *out = (cs_run_power){.n = 0};
    cs_status status =
        cs_part_find(t, CS_PART_PRIOR, ask->prior, true, &s.part[PRIOR], err);
    if (status == CS_OK)
        status = cs_part_find(t, CS_PART_LIKELIHOOD, ask->likelihood, true,
                              &s.part[LIKELIHOOD], err);
    for (size_t c = 0; c < COMPONENTS && status == CS_OK; c++)
        status = weigh(&s, c, err);
    if (status == CS_OK)
        status = add_all(&s, err);
    for (size_t c = 0; c < COMPONENTS; c++)
        CS_FREE_ALL(s.part[c].scalar, s.w[c][LOW], s.w[c][HIGH]);
    return status;
}

void cs_run_power_free(cs_run_power *p)
{
    CS_FREE_ALL(p->scalar, p->prior, p->likelihood);
    *p = (cs_run_power){.n = 0};
}
