#include "run/ranks/orders.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/world.h"

#include <stdlib.h>
#include <string.h>

/* ---- orders ---- */

void cs_run_order(const cs_run *r, cs_order order)
{
    uint64_t words[2] = {order.kind, order.goal};
    if (cs_run_is_split(r) && !cs_run_follows(r))
        r->ranks->order(words);
}

cs_order cs_ranks_await(const cs_world *k)
{
    uint64_t words[2] = {CS_ORDER_END, 0};
    k->order(words);
    return (cs_order){.kind = (cs_order_kind)words[0], .goal = words[1]};
}

void cs_ranks_end(const cs_world *k)
{
    uint64_t words[2] = {CS_ORDER_END, 0};
    k->order(words);
}

/* ---- agreement ---- */

enum { TEXT = 128 }; /* words in the text of an error */

/* Copies the error text of rank `from`, which failed, to all ranks. */
static void tell_all(const cs_world *k, size_t from, char text[TEXT * 8])
{
    double words[TEXT];
    size_t *n = cs_alloc(k->size, sizeof *n);
    if (!n)
        abort(); /* the other ranks would wait forever */
    n[from] = TEXT;
    memcpy(words, text, sizeof words);
    k->gather(words, n);
    memcpy(text, words, sizeof words);
    text[TEXT * 8 - 1] = 0;
    cs_free(n);
}

static void fill_in(size_t *n, size_t size, size_t each)
{
    for (size_t i = 0; i < size; i++)
        n[i] = each;
}

cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err)
{
    char text[TEXT * 8] = "";
    double *all = cs_alloc(k->size, sizeof *all);
    size_t *n = cs_alloc(k->size, sizeof *n), bad = 0;
    if (!all || !n)
        abort(); /* the other ranks would wait forever */
    fill_in(n, k->size, 1);
    all[k->rank] = (double)mine;
    k->gather(all, n);
    while (bad < k->size && all[bad] == CS_OK)
        bad++;
    cs_status status = bad < k->size ? (cs_status)all[bad] : CS_OK;
    cs_free(all);
    cs_free(n);
    if (status == CS_OK)
        return CS_OK;
    if (bad == k->rank && err)
        cs_error_format(err, text, sizeof text);
    tell_all(k, bad, text);
    if (bad == k->rank)
        return mine;
    return cs_fail(err, status, "rank %zu of %zu: %s", bad + 1, k->size, text);
}
