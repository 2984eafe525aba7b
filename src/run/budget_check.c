/* Checks that a budget will be spent. The work per step of a kernel is measured
 * over a few steps of a separate chain. The kernel's flags are not sufficient
 * to determine this work for a mixture of kernels, or for a target whose
 * gradient is computed from log densities. */
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/rounds.h"
#include "run/tuning/tune.h"

#include <string.h>

enum { TRIED = 16 };

typedef struct unit {
    const char *name, *field;
    uint64_t limit, spent;
} unit;

enum { UNITS = 3 };

/* Lists the units of work. The units that describe a kernel's cost best come
 * first. */
static void list(const cs_budget *b, const cs_work *w, unit u[UNITS])
{
    const unit all[UNITS] = {
        {"data terms", "data_terms", b->data_terms, w->data_terms},
        {"gradients", "gradients", b->gradients, w->gradients},
        {"log densities", "log_densities", b->log_densities, w->log_densities}};
    memcpy(u, all, sizeof all);
}

static bool has_end(const cs_budget *b, const cs_work *w)
{
    unit u[UNITS];
    bool some = false;
    list(b, w, u);
    for (size_t i = 0; i < UNITS; i++)
        some |= u[i].limit && u[i].spent;
    return some;
}

static cs_status refuse(const cs_run *r, const cs_arm *a, const cs_work *work,
                        cs_error *err)
{
    unit u[UNITS];
    cs_page asked = {0}, spends = {0};
    list(&r->budget, work, u);
    for (size_t i = 0; i < UNITS; i++) {
        if (u[i].limit)
            cs_page_put(&asked, "%s%s", asked.used ? " and no " : "",
                        u[i].name);
        if (u[i].spent && !spends.used)
            cs_page_put(&spends, "%s = N or ", u[i].field);
    }
    bool no_rows = r->budget.data_terms && !r->target->data_terms;
    cs_fail(err, CS_INPUT,
            "the run never ends: kernel %s of arm %s uses no %s%s%s%s",
            a->kernel.type->name, a->name, asked.text ? asked.text : "work",
            no_rows ? ", because target " : "", no_rows ? r->target->name : "",
            no_rows ? " has no rows of data" : "");
    cs_hint(err, "add a limit that the run reaches: budget = { %ssteps = N }",
            spends.text ? spends.text : "");
    cs_free(asked.text);
    cs_free(spends.text);
    return CS_INPUT;
}

/* Measures the work of a few steps of one chain. Sets *some to true if this
 * work includes a unit that the budget limits. Also sets *some to true if the
 * chain failed, since its work is then unknown. */
static cs_status try_arm(cs_run *r, cs_arm *a, cs_work *work, bool *some,
                         cs_error *err)
{
    cs_block *b;
    cs_status s =
        cs_block_create(&b, r->target, &a->kernel, a->seed, 0, 1, NULL, 0, err);
    if (s != CS_OK)
        return s;
    *some = cs_block_start(b, NULL, NULL) != CS_OK;
    b->eval.work = (cs_work){0};
    for (uint64_t i = 1; i <= TRIED && !*some; i++) {
        cs_arm_fill(a, i, 1);
        cs_block_run(b, &a->round.driven, 1, NULL);
        *some = !cs_block_lives(b) || has_end(&r->budget, &b->eval.work);
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
            return refuse(r, &r->arm[i], &work, err);
    }
    return CS_OK;
}
