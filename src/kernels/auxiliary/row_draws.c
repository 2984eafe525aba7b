#include "kernels/auxiliary/row_draws.h"

#include <assert.h>

/* Error messages for targets that lack one kind of bounds. */
static const struct {
    const char *needs, *hint;
} said[] = {
    [CS_ROW_RANGE] = {"bounds on its terms",
                      "give a Lua `term` its `bound`, or a `region` in which "
                      "bounds are computed"},
    [CS_ROW_CHANGE] = {"bounds on the change of its terms",
                       "use robust_regression or truncated_gaussian, or give a "
                       "Lua `term` its `lipschitz` or a `region`"},
};

cs_status cs_row_draws_check(const char *kernel, const cs_target *t,
                             unsigned kind, cs_error *err)
{
    assert(kind == CS_ROW_RANGE || kind == CS_ROW_CHANGE);
    if (!t->type->rows.terms) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s needs a target that is a sum over rows of data; "
                "target %s is not",
                kernel, t->name);
        cs_hint(err,
                "use robust_regression, truncated_gaussian or a `term` in Lua");
        return CS_UNSUPPORTED;
    }
    if (t->row_bounds & kind)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "kernel %s needs %s; target %s has none",
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
