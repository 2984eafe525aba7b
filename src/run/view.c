/* Looking at a run between quanta. */
#include "run/inside.h"

#include <stdio.h>
#include <string.h>

size_t cs_run_arms(const cs_run *r)
{
    return r->n_arms;
}

cs_target *cs_run_target(const cs_run *r)
{
    return r->target;
}

uint64_t cs_run_seed(const cs_run *r)
{
    return r->seed;
}

uint64_t cs_run_steps(const cs_run *r)
{
    return r->steps;
}

const cs_budget *cs_run_budget(const cs_run *r)
{
    return &r->budget;
}

double cs_run_seconds(const cs_run *r)
{
    return r->seconds;
}

cs_arm_view cs_run_arm(const cs_run *r, size_t arm)
{
    if (arm >= r->n_arms)
        return (cs_arm_view){.name = NULL};
    const cs_arm *a = &r->arm[arm];
    double seconds = 0;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].arm == a)
            seconds += r->item[i].seconds;
    return (cs_arm_view){.name = a->name,
                         .kernel = &a->kernel,
                         .plan = &a->plan,
                         .chains = a->chains,
                         .steps = a->steps,
                         .work = cs_arm_work(a),
                         .seconds = seconds,
                         .finished = a->finished};
}

static const double *gather(const cs_block *b, const double *from, size_t lane,
                            double *to)
{
    for (size_t d = 0; d < b->move.dim; d++)
        to[d] = from[d * b->lanes + lane];
    return to;
}

cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return (cs_chain_view){.x = NULL};
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    const cs_info *i = &b->move.info;
    size_t l = chain % a->lanes, n = b->lanes;
    double *proposal = r->state + b->move.dim;
    bool stepped = b->step > 0 && i->proposal;
    return (cs_chain_view){
        .x = gather(b, b->move.x, l, r->state),
        .proposal = stepped ? gather(b, i->proposal, l, proposal) : NULL,
        .u = i->u[l],
        .u_proposal = i->u_proposal[l],
        .u_change = i->u_change[l],
        .log_q_forward = i->log_q_forward[l],
        .log_q_back = i->log_q_back[l],
        .log_ratio = i->log_ratio[l],
        .log_u = i->log_u[l],
        .accepted = i->accepted[l],
        .moved = i->moved[l],
        .failed = b->failed[l] != 0,
        .tally = {b->tally[l], b->tally[n + l], b->tally[2 * n + l],
                  b->tally[3 * n + l]}};
}

void cs_run_report(cs_run *r, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        for (size_t p = 0; p < r->n_probes; p++) {
            for (size_t c = 0; c < a->chains; c++) {
                const cs_block *b = cs_arm_block(a, c);
                r->look[c] =
                    (cs_lane_memory){.word = b->probe_memory[p] + c % a->lanes,
                                     .stride = b->lanes};
            }
            snprintf(prefix, sizeof prefix, "arm/%zu/%s/", i,
                     r->probe[p].type->name);
            r->probe[p].type->report(&r->probe[p], r->look, a->chains, prefix,
                                     out);
        }
    }
}

/* ---- faults ---- */

static void tell(const cs_run *r, const cs_arm *a, size_t chain, char *text,
                 size_t size)
{
    enum { SHOWN = 8 };
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = chain % a->lanes, dim = b->move.dim;
    int n = snprintf(text, size,
                     "target %s: log density is NaN in chain %zu of arm %s at "
                     "step %.0f, x = (",
                     r->target->name, chain + 1, a->name, b->failed[l]);
    for (size_t d = 0; d < dim && n > 0 && (size_t)n < size; d++) {
        if (d == SHOWN) {
            snprintf(text + n, size - (size_t)n, ", ...)");
            return;
        }
        n += snprintf(text + n, size - (size_t)n, "%s%.6g%s", d ? ", " : "",
                      b->move.x[d * b->lanes + l], d + 1 == dim ? ")" : "");
    }
}

bool cs_run_fault(cs_run *r, char *text, size_t size)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        for (size_t c = 0; c < a->chains; c++) {
            const cs_block *b = cs_arm_block(a, c);
            bool failed = b->failed[c % a->lanes] != 0;
            bool news = failed && !a->told[c];
            a->told[c] = failed;
            if (!news)
                continue;
            tell(r, a, c, text, size);
            return true;
        }
    }
    return false;
}
