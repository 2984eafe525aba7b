/* Log probabilities of categories. */
#include "density/families.h"

/* Returns entries of a vector by known indices from 1. */
static cs_arg pick(cs_calc *c, cs_arg y, cs_arg x)
{
    if (!y.size || !x.size)
        return (cs_arg){0};
    if (!cs_is_known(y))
        return cs_calc_fail(
            c,
            "give the numbers of the categories; for a value of the state "
            "(counted from 0) use cs.math.at(log_p, x[i])",
            "y is symbolic");
    double *index = cs_calc_numbers(c, y.size);
    for (size_t i = 0; index && i < y.size; i++) {
        if (!(y.v[i] >= 1 && y.v[i] <= (double)x.size))
            return cs_calc_fail(c, "y must be the index of a category",
                                "y = %.9g, but there are %zu categories",
                                y.v[i], x.size);
        index[i] = y.v[i] - 1;
    }
    cs_arg u = index ? cs_calc_gather(c, x, index, y.size) : (cs_arg){0};
    return y.rank || !u.size ? u : cs_calc_slice(c, u, 0, 1, true);
}

static cs_arg categorical(cs_calc *c, const cs_arg *a)
{
    return cs_calc_op1(c, CS_OP_LOG, pick(c, a[0], a[1]));
}

static cs_arg categorical_logit(cs_calc *c, const cs_arg *a)
{
    cs_arg total = cs_calc_log_sum_exp(c, a[1]);
    return pick(c, a[0], cs_calc_op2(c, CS_OP_SUB, a[1], total));
}

static const cs_density_row rows[] = {
    {"categorical", "y index list, p unit vector",
     "y is the index, from 1, of an entry of the probabilities p",
     .build = categorical, .pooled = true},
    {"categorical_logit", "y index list, eta real vector",
     "y is an index, from 1, with probabilities softmax(eta)",
     .build = categorical_logit, .pooled = true},
};

const cs_density_family cs_density_categories = {CS_DENSITY_LPDF, rows,
                                                 sizeof rows / sizeof *rows};
