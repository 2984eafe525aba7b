/* Whether a budget has an end. What a kernel spends is seen from a few steps of
 * a chain beside the run: flags do not say what a mixture, or a target whose
 * gradient is made of log densities, asks for. */
#include "run/internal.h"

enum { TRIED = 16 };

/* What is spent of the units that the budget limits. */
static uint64_t units(const cs_budget *b, cs_work work)
{
    return (b->gradients ? work.gradients : 0) +
           (b->log_densities ? work.log_densities : 0) +
           (b->data_terms ? work.data_terms : 0);
}

static cs_status refuse(const cs_budget *b, const cs_arm *a, cs_work work,
                        cs_error *err)
{
    const char *asked = b->gradients       ? "gradients"
                        : b->log_densities ? "log densities"
                                           : "data terms";
    const char *spends = work.data_terms      ? "data_terms = N or "
                         : work.gradients     ? "gradients = N or "
                         : work.log_densities ? "log_densities = N or "
                                              : "";
    cs_fail(err, CS_INPUT,
            "the budget has no end: the kernel %s of arm %s spends no %s",
            a->kernel.type->name, a->name, asked);
    cs_hint(err, "limit what it spends: budget = { %ssteps = N }", spends);
    return CS_INPUT;
}

/* The work of a few steps of one chain; *some: of what is limited, or the
 * chain tells nothing. */
static cs_status try_arm(cs_run *r, cs_arm *a, cs_work *work, bool *some,
                         cs_error *err)
{
    cs_block *b;
    cs_status s =
        cs_block_create(&b, r->target, &a->kernel, r->seed, 0, 1, NULL, 0, err);
    if (s != CS_OK)
        return s;
    *some = cs_block_start(b, NULL, NULL) != CS_OK;
    b->eval.work = (cs_work){0};
    for (uint64_t i = 1; i <= TRIED && !*some; i++) {
        cs_arm_fill(a, i, 1);
        cs_block_run(b, &a->driven, 1, NULL);
        *some = !cs_block_lives(b) || units(&r->budget, b->eval.work) > 0;
    }
    *work = b->eval.work;
    cs_block_destroy(b);
    return CS_OK;
}

cs_status cs_budget_check(cs_run *r, cs_error *err)
{
    const cs_budget *b = &r->budget;
    bool by_work = b->gradients || b->log_densities || b->data_terms;
    if (!by_work || b->steps || b->seconds > 0)
        return CS_OK;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_work work = {0};
        bool some = false;
        cs_status s = try_arm(r, &r->arm[i], &work, &some, err);
        if (s != CS_OK)
            return s;
        if (!some)
            return refuse(b, &r->arm[i], work, err);
    }
    return CS_OK;
}
