#include "kernels/auxiliary/row_draws.h"

#include <assert.h>

/* What is said of a kind of bounds that a target lacks. */
static const struct {
    const char *needs, *hint;
} said[] = {
    [CS_ROW_RANGE] = {"bounds of the terms",
                      "a `term` in Lua takes `bound`, or a `region` in which "
                      "bounds are found"},
    [CS_ROW_CHANGE] = {"bounds of how much a term changes",
                       "robust_regression or truncated_gaussian would do; a "
                       "`term` in Lua takes `lipschitz`, or a `region` in "
                       "which bounds are found"},
};

cs_status cs_row_draws_check(const char *kernel, const cs_target *t,
                             unsigned kind, cs_error *err)
{
    assert(kind == CS_ROW_RANGE || kind == CS_ROW_CHANGE);
    if (!t->type->rows.terms) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s needs a target that is a sum over rows, and %s is "
                "none",
                kernel, t->name);
        cs_hint(err, "robust_regression, truncated_gaussian or a `term` in "
                     "Lua would do");
        return CS_UNSUPPORTED;
    }
    if (t->row_bounds & kind)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "kernel %s needs %s, and target %s has none",
            kernel, said[kind].needs, t->name);
    cs_hint(err, "%s", said[kind].hint);
    return CS_UNSUPPORTED;
}

cs_logp_kind cs_row_draws_logp(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_NONE;
}
