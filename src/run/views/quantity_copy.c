/* The report on quantities of an arm (run/draws/quantities.h): copies the
 * requests and the draws from which the report is made. */
#include "run/views/quantity_copy.h"
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/draws/diagnosed.h"
#include "run/draws/quantities.h"
#include "run/views/report_scratch.h"
#include "run/views/reports.h"

#include <stdio.h>
#include <string.h>

void cs_run_want(cs_run *r, const char *words)
{
    cs_quantities_read(&r->reports->wanted, r->target, words);
}

uint64_t cs_run_wanted(const cs_run *r)
{
    return r->reports->wanted.number;
}

/* Copies the requests together with their tables. */
static bool copy_wanted(cs_quantities *to, const cs_quantities *from)
{
    bool good = true;
    cs_quantities_free(to);
    *to = *from;
    for (size_t i = 0; i < to->n_truth; i++) {
        cs_marginal *m = &to->truth[i].marginal;
        const cs_marginal *was = &from->truth[i].marginal;
        if (!was->cut)
            continue;
        m->cut = cs_alloc(2 * was->n, sizeof *m->cut);
        good = good && m->cut;
        m->n = m->cut ? was->n : 0;
        m->below = m->cut ? m->cut + m->n : NULL;
        if (m->cut) {
            memcpy(m->cut, was->cut, m->n * sizeof *m->cut);
            memcpy(m->below, was->below, m->n * sizeof *m->cut);
        }
    }
    return good;
}

cs_status cs_copy_take_draws(cs_copy *c, const cs_run *r, size_t arm,
                             cs_error *err)
{
    const cs_arm *a = &r->arm[arm];
    if (!c->wanted)
        c->wanted = cs_alloc(1, sizeof *c->wanted);
    if (!c->diagnosed)
        c->diagnosed = cs_alloc(1, sizeof *c->diagnosed);
    if (!c->wanted || !c->diagnosed ||
        !copy_wanted(c->wanted, &r->reports->wanted))
        return cs_fail(err, CS_MEMORY, "out of memory for a report");
    cs_diagnosed_end(c->diagnosed);
    c->columns =
        cs_quantities_columns(c->wanted, a->diagnosed->coordinates, c->column);
    if (!a->diagnosed->rows)
        return CS_OK;
    if (cs_diagnosed_look(a, NULL, c->diagnosed) &&
        cs_diagnosed_copy_some(c->diagnosed, c->column, c->columns))
        return CS_OK;
    cs_diagnosed_end(c->diagnosed);
    return cs_fail(err, CS_MEMORY, "out of memory for a report");
}

void cs_copy_report_draws(const cs_copy *c, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    snprintf(prefix, sizeof prefix, "arm/%zu/draws/", c->arm);
    if (c->diagnosed->copy)
        cs_quantities_report(c->wanted, c->run->target, c->diagnosed, c->column,
                             c->columns, prefix, out);
}

void cs_copy_free_wanted(cs_copy *c)
{
    if (c->wanted)
        cs_quantities_free(c->wanted);
    cs_free(c->wanted);
}
