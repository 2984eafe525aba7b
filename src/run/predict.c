#include "run/predict.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/views/view.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

static const cs_held_out nothing = {(double)NAN, (double)NAN, (double)NAN};

/* The kept draws of a chain: rows of `cols` numbers, and log weights. */
typedef struct draws {
    double *row, *log_weight; /* row is [own]; log_weight points into it */
    size_t n, cols;
} draws;

static cs_status read_draws(const cs_run *r, size_t arm, size_t chain, draws *d,
                            cs_error *err)
{
    d->row = cs_alloc(d->n * (d->cols + 1), sizeof *d->row);
    if (!d->row)
        return cs_fail(err, CS_MEMORY, "out of memory for the draws");
    double *w = d->log_weight = d->row + d->n * d->cols;
    cs_run_weighed_draws(r, arm, chain, d->row, w, NULL);
    if (!cs_weights_of_chains(w, 1, d->n, w))
        return cs_fail(err, CS_NUMERIC,
                       "chain %zu has a log weight that is not a number",
                       chain + 1);
    for (size_t i = 0; i < d->n; i++)
        w[i] = log(w[i]);
    return CS_OK;
}

cs_status cs_run_predict(const cs_run *r, size_t arm, size_t chain,
                         size_t first, size_t last, cs_held_out *out,
                         cs_error *err)
{
    const cs_target *t = cs_run_target(r);
    size_t dim = t->space.dim;
    draws d = {.n = cs_run_draws(r, arm, chain, NULL, NULL),
               .cols = 1 + cs_target_shown(t) + cs_run_aux(r, arm)};
    *out = nothing;
    if (!t->type->held_out || first >= last || last > d.n)
        return CS_OK;
    if (t->outputs.n)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the draws are generated quantities, not the weights of "
                       "the network");
    cs_status s = read_draws(r, arm, chain, &d, err);
    double *x = s == CS_OK ? cs_alloc(d.n * dim, sizeof *x) : NULL;
    for (size_t i = 0; x && i < d.n; i++)
        memcpy(x + i * dim, d.row + i * d.cols + 1, dim * sizeof *x);
    if (x)
        t->type->held_out(t, x + first * dim, d.log_weight + first,
                          last - first, NULL, 0, out);
    else if (s == CS_OK)
        s = cs_fail(err, CS_MEMORY, "out of memory for the draws");
    cs_free(x);
    cs_free(d.row);
    return s;
}

bool cs_run_held_out(cs_run *r, size_t arm, size_t groups, cs_held_out *out)
{
    const cs_target *t = cs_run_target(r);
    cs_arm_view v = cs_run_arm(r, arm);
    size_t dim = t->space.dim;
    if (!t->type->held_out)
        return false;
    double *x = cs_alloc(v.chains * dim, sizeof *x);
    size_t *group = cs_alloc(v.chains, sizeof *group);
    for (size_t c = 0; x && group && c < v.chains; c++) {
        group[c] = groups ? c / v.group % groups : 0;
        memcpy(x + c * dim, cs_run_chain(r, arm, c).x, dim * sizeof *x);
    }
    bool good = x && group;
    if (good)
        t->type->held_out(t, x, NULL, v.chains, group, groups, out);
    cs_free(group);
    cs_free(x);
    return good;
}
