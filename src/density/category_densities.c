/* Log probabilities of categories. */
#include "density/families.h"

#include <math.h>

/* Returns entry y + shift of x, counted from 1, for a number y that is a column
 * of data; `other` if x has no such entry. */
static cs_arg entry_by_column(cs_calc *c, cs_arg y, cs_arg x, double shift,
                              cs_arg other)
{
    cs_arg u = other;
    for (size_t k = 1; k <= x.size; k++) {
        cs_arg is = cs_calc_with(c, CS_OP_EQ, y, (double)k - shift);
        cs_arg entry = cs_calc_slice(c, x, k - 1, 1, true);
        u = cs_calc_op3(c, CS_OP_WHERE, is, entry, u);
    }
    return u;
}

/* Fails unless y is a column of data, or has whole numbers from 1 to `most`
 * that are known or computed from discrete parameters. */
static bool check_categories(cs_calc *c, cs_arg y, size_t most)
{
    cs_error err;
    if (y.size && !cs_is_known(y) && !y.column &&
        cs_graph_check_index(c->graph, y.node, most, "there are", "categories",
                             &err))
        cs_calc_fail(c, err.hint, "%s", err.what);
    for (size_t i = 0; cs_is_known(y) && !c->err.status && i < y.size; i++)
        if (!(y.v[i] >= 1 && y.v[i] <= (double)most && y.v[i] == floor(y.v[i])))
            cs_calc_fail(c, "y must be the index of a category",
                         "y = %.9g, but there are %zu categories", y.v[i],
                         most);
    return y.size && !c->err.status;
}

/* Returns entries of a vector by indices from 1, which are known, a column of
 * data, or discrete parameters. */
static cs_arg pick(cs_calc *c, cs_arg y, cs_arg x)
{
    if (!x.size || !check_categories(c, y, x.size))
        return (cs_arg){0};
    return y.column ? entry_by_column(c, y, x, 0, cs_calc_number(c, -HUGE_VAL))
                    : cs_calc_pick(c, x, y);
}

/* Returns log p[y], with log applied to the chosen entries only. */
static cs_arg categorical(cs_calc *c, const cs_arg *a)
{
    return a[0].column ? pick(c, a[0], cs_calc_op1(c, CS_OP_LOG, a[1]))
                       : cs_calc_op1(c, CS_OP_LOG, pick(c, a[0], a[1]));
}

static cs_arg categorical_logit(cs_calc *c, const cs_arg *a)
{
    cs_arg total = cs_calc_log_sum_exp(c, a[1]);
    return pick(c, a[0], cs_calc_op2(c, CS_OP_SUB, a[1], total));
}

/* ---- ordered categories -------------------------------------------------- */

/* The limits of an ordered category: c[y] - eta above it and c[y - 1] - eta
 * below it, with masks, because the first category has no lower limit, and the
 * last no upper one. */
typedef struct limits {
    cs_arg high, low, has_high, has_low;
} limits;

/* Returns cuts[y + shift]. Sets *mask to 1 where there is such an entry, else
 * to 0; the value is then some entry. */
static cs_arg cut(cs_calc *c, cs_arg y, cs_arg cuts, double shift, cs_arg *mask)
{
    double most = (double)cuts.size;
    if (!cs_is_known(y)) {
        *mask = shift < 0 ? cs_calc_from(c, CS_OP_LE, 1 - shift, y)
                          : cs_calc_with(c, CS_OP_LE, y, most);
        if (y.column)
            return entry_by_column(c, y, cuts, shift,
                                   cs_calc_slice(c, cuts, 0, 1, true));
        cs_arg k = cs_calc_with(c, CS_OP_ADD, y, shift);
        return cs_calc_pick(c, cuts, k); /* outside: the nearest */
    }
    double *index = cs_calc_numbers(c, y.size);
    double *has = cs_calc_numbers(c, y.size);
    for (size_t i = 0; index && has && i < y.size; i++) {
        double k = y.v[i] + shift;
        has[i] = k >= 1 && k <= most;
        index[i] = has[i] != 0 ? k - 1 : 0;
    }
    if (!index || !has)
        return (cs_arg){0};
    *mask = y;
    mask->v = has;
    cs_arg entries = cs_calc_gather(c, cuts, index, y.size);
    return y.rank ? entries : cs_calc_slice(c, entries, 0, 1, true);
}

/* Fails unless y has categories from 1 to #cuts + 1, and known cuts rise. */
static bool check_ordered(cs_calc *c, cs_arg y, cs_arg cuts)
{
    if (!check_categories(c, y, cuts.size + 1))
        return false;
    for (size_t i = 1;
         c->graph && !c->err.status && cs_is_known(cuts) && i < cuts.size; i++)
        if (!(cuts.v[i] > cuts.v[i - 1]))
            cs_calc_fail(c, "cuts must rise", "cuts[%zu] = %.9g after %.9g",
                         i + 1, cuts.v[i], cuts.v[i - 1]);
    return cuts.size && !c->err.status;
}

static limits limits_of(cs_calc *c, const cs_arg *a)
{
    limits l = {0};
    cs_arg high = cut(c, a[0], a[2], 0, &l.has_high);
    l.high = cs_calc_op2(c, CS_OP_SUB, high, a[1]);
    cs_arg low = cut(c, a[0], a[2], -1, &l.has_low);
    l.low = cs_calc_op2(c, CS_OP_SUB, low, a[1]);
    return l;
}

/* Returns u where the cuts rise, and y is a category if it is a column, else
 * -infinity. */
static cs_arg if_rising(cs_calc *c, cs_arg y, cs_arg cuts, cs_arg u)
{
    size_t n = cuts.size;
    if (y.column)
        u = cs_calc_inside(
            c, cs_calc_with(c, CS_OP_LE, y, (double)cuts.size + 1), u);
    if (n < 2 || !u.size)
        return u;
    cs_arg later = cs_calc_slice(c, cuts, 1, n - 1, false);
    cs_arg gap = cs_calc_op2(c, CS_OP_SUB, later,
                             cs_calc_slice(c, cuts, 0, n - 1, false));
    cs_arg least = cs_calc_least(c, gap);
    return cs_calc_inside(c, cs_calc_from(c, CS_OP_LT, 0, least), u);
}

static cs_arg ordered(cs_calc *c, const cs_arg *a, const char *f)
{
    if (!check_ordered(c, a[0], a[2]))
        return (cs_arg){0};
    limits l = limits_of(c, a);
    cs_arg args[] = {l.high, l.low, l.has_high, l.has_low};
    return if_rising(c, a[0], a[2], cs_density_call(c, f, args, 4));
}

static cs_arg ordered_logistic(cs_calc *c, const cs_arg *a)
{
    return ordered(c, a, "between_logistic");
}

static cs_arg ordered_probit(cs_calc *c, const cs_arg *a)
{
    return ordered(c, a, "between_normal");
}

static const cs_density_row rows[] = {
    {"categorical", "y index list, p share vector",
     "y is the index, from 1, of an entry of the probabilities p",
     .build = categorical, .pooled = true},
    {"categorical_logit", "y index list, eta real vector",
     "y is an index, from 1, with probabilities softmax(eta)",
     .build = categorical_logit, .pooled = true},
    {"ordered_logistic", "y index, eta real, cuts real vector",
     "y is an index from 1 to #cuts + 1: the interval between cuts that "
     "contains eta plus a logistic variable",
     .build = ordered_logistic, .pooled = true},
    {"ordered_probit", "y index, eta real, cuts real vector",
     "the same with a standard normal variable", .build = ordered_probit,
     .pooled = true},
    {"multinomial", "y count vector, p share vector",
     "counts of categories with probabilities p",
     .formula = "n = sum(y); few(n) ?"
                " lgamma(n + 1) - sum(lgamma(y + 1)) + sum(times(y, log(p))) :"
                " sum(poisson(y, n * p)) - poisson(n, n) + n * (sum(p) - 1)",
     .whole = true},
    {"multinomial_logit", "y count vector, eta real vector",
     "counts of categories with probabilities softmax(eta)",
     .formula = "n = sum(y); p = eta - log_sum_exp(eta);"
                "few(n) ? lgamma(n + 1) - sum(lgamma(y + 1)) + sum(y * p) :"
                " sum(poisson_log(y, log(n) + p)) - poisson(n, n)",
     .whole = true},
    {"dirichlet_multinomial", "y count vector, alpha positive vector",
     "counts of categories whose probabilities are Dirichlet(alpha)",
     .formula = "n = sum(y); lgamma(n + 1) - sum(lgamma(y + 1)) +"
                " sum(log_rising(alpha, y)) - log_rising(sum(alpha), n)",
     .whole = true},
};

const cs_density_family cs_density_categories = {CS_DENSITY_LPDF, rows,
                                                 sizeof rows / sizeof *rows};
