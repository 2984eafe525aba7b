#include "support/by_name.h"
#include "run/run.h"
#include "support/support.h"

cs_target *target_of(const char *name)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(cs_target_find(name), NULL, 0, &t, NULL),
                     CS_OK);
    return t;
}

cs_kernel kernel_of(const char *name)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find(name), NULL, 0, NULL),
                     CS_OK);
    return k;
}

enum { CHAINS = 11 }; /* number of chains in a run */

/* Tries the law for one kernel on every compatible target. If `first`, tries
 * the law only on the first compatible target. Returns the number of tries. */
static size_t try_targets(const cs_kernel *k, bool first,
                          bool (*law)(cs_target *t, const cs_kernel *k))
{
    static size_t seen;
    const cs_target_type *type;
    size_t n = 0;
    for (size_t i = 0; (type = cs_target_at(i)) && !(first && n); i++) {
        cs_target *t;
        if (!first && seen++ % TARGETS_EVERY)
            continue;
        if (cs_target_create(type, NULL, 0, &t, NULL) != CS_OK)
            continue; /* a required parameter is missing */
        bool fits = cs_kernel_fits(k, t, NULL) == CS_OK &&
                    cs_kernel_least(k, t) <= CHAINS;
        if (fits && !law(t, k))
            fail_msg("kernel %s on target %s", k->type->name, type->name);
        n += fits;
        cs_target_release(t);
    }
    return n;
}

size_t for_all_fits(bool (*law)(cs_target *t, const cs_kernel *k), bool first)
{
    const cs_kernel_type *type;
    size_t n = 0;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        cs_kernel k;
        if (cs_kernel_init(&k, type, NULL, 0, NULL) == CS_OK)
            n += try_targets(&k, first, law);
    }
    return n;
}

void run_steps(cs_run *r, uint64_t n)
{
    uint64_t done;
    assert_int_equal(cs_run_advance(r, n, &done, NULL), CS_OK);
    assert_int_equal(done, n);
}
