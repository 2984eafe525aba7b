#include "run/draws/replications.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/each_draw.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The passes over the draws: the first counts, the second copies. */
typedef struct pass {
    cs_run_replications *out;
    size_t first, seen, chains, last;
    double total, step; /* sum of the weights; weight per replication */
    double one;         /* weight of the first draw */
    bool uneven;        /* the weights differ */
    double sum;         /* weight of the draws that were visited */
    size_t chosen;      /* replications chosen, including those left out */
} pass;

static bool count(void *self, size_t chain, double weight, const double *x)
{
    pass *p = self;
    (void)x;
    p->chains += p->seen == 0 || chain != p->last;
    p->last = chain;
    p->one = p->seen ? p->one : weight;
    p->uneven |= weight != p->one;
    p->seen++;
    p->total += weight;
    return true;
}

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool copy(void *self, size_t chain, double weight, const double *x)
{
    pass *p = self;
    cs_run_replications *out = p->out;
    (void)chain;
    p->sum += weight;
    while (p->sum > ((double)p->chosen + 0.5) * p->step) {
        const double *from = x + 1 + p->first;
        p->chosen++;
        if (is_finite(from, out->n))
            memcpy(out->rep + out->m++ * out->n, from,
                   out->n * sizeof *out->rep);
        else
            out->left_out++;
    }
    return true;
}

static cs_status fail_unrecorded(size_t quantities, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "only the first %zu quantities of the draws are recorded",
            quantities);
    cs_hint(err, "give a budget of fewer steps, fewer chains, or fewer "
                 "quantities");
    return CS_UNSUPPORTED;
}

cs_status cs_run_replications_copy(cs_run *r, size_t arm, size_t first,
                                   size_t n, size_t most,
                                   cs_run_replications *out, cs_error *err)
{
    assert(n > 0 && most > 0);
    size_t quantities;
    pass p = {.out = out, .first = first};
    *out = (cs_run_replications){.n = n};
    cs_status status = cs_run_each_draw(r, arm, count, &p, &quantities, err);
    if (status)
        return status;
    if (first + n > quantities)
        return fail_unrecorded(quantities, err);
    /* the same number of replications per chain, if there can be one of each */
    size_t m = p.seen <= most     ? p.seen
               : most >= p.chains ? p.chains * (most / p.chains)
                                  : most;
    p.step = p.total / (double)m;
    out->rep = cs_alloc((m + 1) * n, sizeof *out->rep);
    if (!out->rep)
        return cs_fail(err, CS_MEMORY, "out of memory for replicated data");
    status = cs_run_each_draw(r, arm, copy, &p, &quantities, err);
    bool even = p.chains && out->m == m && m % p.chains == 0 && !p.uneven;
    out->chains = even ? p.chains : 0;
    if (status == CS_OK && out->m == 0)
        status =
            cs_fail(err, CS_UNSUPPORTED, "no draw has finite replicated data");
    return status;
}

void cs_run_replications_free(cs_run_replications *p)
{
    cs_free(p->rep);
    *p = (cs_run_replications){0};
}
