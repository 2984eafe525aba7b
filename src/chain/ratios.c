#include "chain/ratios.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void cs_ratios_destroy(cs_ratios *r)
{
    if (!r)
        return;
    CS_FREE_ALL(r->x, r->asked, r);
}

static cs_ratios *open_ratios(const cs_block *b, size_t lane)
{
    size_t rows = b->move.dim * b->lanes;
    cs_ratios *r = cs_alloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->lane = lane;
    r->x = cs_alloc(2 * rows + b->lanes, sizeof *r->x);
    r->asked = cs_alloc(2 * b->lanes, sizeof *r->asked);
    if (!r->x || !r->asked) {
        cs_ratios_destroy(r);
        return NULL;
    }
    r->y = r->x + rows;
    r->out = r->y + rows;
    r->skipped = r->asked + b->lanes;
    for (size_t l = 0; l < b->lanes; l++) {
        r->asked[l] = l == lane;
        r->skipped[l] = l != lane;
    }
    return r;
}

cs_status cs_block_compare(cs_block *b, size_t lane, cs_error *err)
{
    if (b->ratios && b->ratios->lane == lane)
        return CS_OK;
    cs_ratios_destroy(b->ratios);
    b->ratios = NULL;
    if (lane >= b->live)
        return CS_OK;
    cs_status s = cs_block_reserve_observer(b, err);
    if (s != CS_OK)
        return s;
    b->ratios = open_ratios(b, lane);
    return b->ratios ? CS_OK
                     : cs_fail(err, CS_MEMORY, "out of memory for true ratios");
}

/* Evaluates log p of the compared lane, at its state in x[dim][lanes]. */
static double evaluate(cs_block *b, const double *x)
{
    cs_ratios *r = b->ratios;
    cs_eval_ask(&b->observer, r->asked);
    b->observer.failed = r->skipped;
    cs_eval_log_density(&b->observer, CS_NEXT, x, r->out);
    b->observer.failed = b->move.failed;
    cs_eval_ask(&b->observer, NULL);
    return r->out[r->lane];
}

void cs_ratios_before(cs_block *b)
{
    assert(b->ratios && b->ratios->lane < b->live);
    cs_ratios *r = b->ratios;
    size_t n = b->lanes;
    bool same = r->known;
    for (size_t d = 0, at = r->lane; d < b->move.dim && same; d++, at += n)
        same = r->x[at] == b->move.x[at];
    r->known = same;
    memcpy(r->x, b->move.x, b->move.dim * n * sizeof *r->x);
}

/* Records the estimated and the true ratio of this step. Proposals that the
 * prior rejects have no estimate and are skipped. */
void cs_ratios_after(cs_block *b)
{
    cs_ratios *r = b->ratios;
    const cs_info *i = &b->move.info;
    size_t l = r->lane;
    if (!i->log_aux || !i->proposal || b->failed[l] != 0 ||
        !isfinite(i->logp_change[l]))
        return;
    memcpy(r->y, r->x, b->move.dim * b->lanes * sizeof *r->y);
    for (size_t d = 0, at = l; d < b->move.dim; d++, at += b->lanes)
        r->y[at] = i->proposal[at];
    double was = r->known ? r->logp : evaluate(b, r->x);
    double then = evaluate(b, r->y);
    r->row[r->n++ % CS_RATIOS] = (cs_ratio){
        .step = (double)b->step,
        .estimate = i->log_ratio[l],
        .truth = then - was + i->log_q_back[l] - i->log_q_forward[l]};
    r->logp = i->accepted[l] ? then : was;
    for (size_t d = 0, at = l; d < b->move.dim; d++, at += b->lanes)
        r->x[at] = b->move.x[at];
    r->known = true;
}

size_t cs_block_ratios(const cs_block *b, cs_ratio *to)
{
    assert(to);
    const cs_ratios *r = b->ratios;
    size_t n = 0;
    if (!r)
        return 0;
    for (uint64_t i = r->n < CS_RATIOS ? 0 : r->n - CS_RATIOS; i < r->n; i++) {
        const cs_ratio *row = &r->row[i % CS_RATIOS];
        while (n > 0 && to[n - 1].step >= row->step)
            n--; /* drops ratios of steps that were made again after a rewind */
        if (row->step <= (double)b->step)
            to[n++] = *row;
    }
    return n;
}
