#include "run/rest.h"

#include "run/arms/run_state.h"
#include "run/arms/workers.h"
#include "run/draws/diagnosed.h"
#include "run/history/marks.h"
#include "run/history/run_timeline.h"

void cs_run_rest(cs_run *r)
{
    cs_pool_destroy(r->pool);
    r->pool = NULL;
}

cs_status cs_run_wake(cs_run *r, cs_error *err)
{
    return r->pool ? CS_OK : cs_pool_create(&r->pool, r->workers, err);
}

void cs_run_followed(cs_run *r)
{
    if (r->timeline->end <= r->steps)
        r->timeline->end = r->steps + 1;
}

uint64_t cs_run_bytes(const cs_run *r)
{
    uint64_t words = 0, bytes = r->marks->bytes;
    for (size_t i = 0; i < r->n_items; i++)
        words += r->item[i].block->slab_words * r->item[i].block->lanes;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_diagnosed *d = r->arm[i].diagnosed;
        words += d->chains * d->capacity * cs_diagnosed_row(d);
    }
    return bytes + words * sizeof(double);
}
