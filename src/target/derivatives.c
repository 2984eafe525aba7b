/* Second derivatives. They are exact or computed by differences:
 *
 *    H(x) v = ( grad log p(x + e v) - grad log p(x - e v) ) / 2 e.
 *
 * The step e is chosen so that the largest component of e v is 6e-6 (1 +
 * |x_i|). This is about the cube root of the rounding error, where the error
 * from rounding and the error from third derivatives are about equal. */
#include "target/derivatives.h"

#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <string.h>

#define STEP 6e-6

struct cs_derivatives {
    cs_target *target; /* the target, which the struct holds [own] */
    cs_eval eval;
    bool exact;
    /* Arrays with rows of CS_PAD lanes [own]. scratch, cache: memory of the
     * evaluator. bend: scratch for products H v. x: the point; v; h: H v;
     * p: a shifted point; g: a gradient; [dim] each. logp: a log density,
     * followed by site differences, [1 + values]. */
    double *scratch, *cache, *bend, *x, *v, *h, *p, *g, *logp;
};

static bool make_room(cs_derivatives *s, const cs_target *t)
{
    size_t dim = t->space.dim;
    double **const row[] = {&s->scratch, &s->cache, &s->bend, &s->x,   &s->v,
                            &s->h,       &s->p,     &s->g,    &s->logp};
    size_t values = (size_t)cs_space_most_values(&t->space);
    const size_t words[] = {cs_eval_scratch_words(t),
                            cs_eval_cache_words(t),
                            t->hessian_words,
                            dim,
                            dim,
                            dim,
                            dim,
                            dim,
                            values + 1};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (!(*row[i] = cs_alloc(words[i] * CS_PAD, sizeof(double))))
            return false;
    return true;
}

bool cs_derivatives_has_second(const cs_target *t, size_t i)
{
    return t->space.kind != CS_MIXED || !cs_space_is_whole(&t->space, i);
}

/* Returns whether second derivatives can be computed by differences. */
static bool has_real(const cs_target *t)
{
    bool any = cs_space_is_real(&t->space);
    for (size_t i = 0; !any && i < t->space.dim; i++)
        any = t->space.kind == CS_MIXED && cs_derivatives_has_second(t, i);
    return any;
}

cs_status cs_derivatives_open(cs_derivatives **out, cs_target *t,
                              cs_derivative_order order, cs_error *err)
{
    assert(out && t && order <= CS_CURVATURES);
    cs_error why;
    bool hessian = order == CS_CURVATURES;
    if (order > CS_VALUES && !t->type->gradient)
        return cs_fail(err, CS_UNSUPPORTED, "target %s has no gradient",
                       t->name);
    bool exact = hessian && t->type->prepare_hessian &&
                 t->space.kind != CS_MIXED &&
                 t->type->prepare_hessian(t, &why) == CS_OK;
    if (hessian && !exact && !has_real(t)) {
        cs_fail(err, CS_UNSUPPORTED, "target %s has no second derivatives",
                t->name);
        cs_hint(err, "use a traced target, or leave out features that need "
                     "second derivatives");
        return CS_UNSUPPORTED;
    }
    cs_derivatives *s = cs_alloc(1, sizeof *s);
    if (!s)
        return cs_fail(err, CS_MEMORY, "out of memory for derivatives");
    s->target = cs_target_hold(t);
    s->exact = exact;
    if (!make_room(s, t)) {
        cs_derivatives_close(s);
        return cs_fail(err, CS_MEMORY, "out of memory for derivatives");
    }
    cs_eval_open(&s->eval, t, CS_PAD, 1, s->cache, s->scratch);
    *out = s;
    return CS_OK;
}

void cs_derivatives_close(cs_derivatives *s)
{
    if (!s)
        return;
    double *const row[] = {s->scratch, s->cache, s->bend, s->x,   s->v,
                           s->h,       s->p,     s->g,    s->logp};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        cs_free(row[i]);
    cs_target_release(s->target);
    cs_free(s);
}

bool cs_derivatives_is_exact(const cs_derivatives *s)
{
    return s->exact;
}

cs_work cs_derivatives_work(const cs_derivatives *s)
{
    return s->eval.work;
}

static size_t dim_of(const cs_derivatives *s)
{
    return s->target->space.dim;
}

/* Copies the point x[dim] to all lanes. */
static void spread(const cs_derivatives *s, const double *x)
{
    for (size_t i = 0; i < dim_of(s) * CS_PAD; i++)
        s->x[i] = x[i / CS_PAD];
}

double cs_derivatives_value(cs_derivatives *s, const double *x)
{
    spread(s, x);
    s->eval.live = 1;
    cs_eval_log_density(&s->eval, CS_NOW, s->x, s->logp);
    return s->logp[0];
}

void cs_derivatives_differences(cs_derivatives *s, const double *x, size_t i,
                                double *d)
{
    uint32_t site[CS_PAD];
    double *row = s->logp + CS_PAD;
    for (size_t l = 0; l < CS_PAD; l++)
        site[l] = (uint32_t)i;
    cs_derivatives_value(s, x);
    cs_eval_site(&s->eval, s->x, s->logp, site, row);
    int values = cs_space_part(&s->target->space, i).values;
    for (size_t v = 0; v < (size_t)values; v++)
        d[v] = row[v * CS_PAD];
}

double cs_derivatives_gradient(cs_derivatives *s, const double *x, double *g)
{
    spread(s, x);
    s->eval.live = 1;
    cs_eval_gradient(&s->eval, CS_NEXT, s->x, s->logp, s->g);
    for (size_t i = 0; i < dim_of(s); i++)
        g[i] = s->g[i * CS_PAD];
    return s->logp[0];
}

/* Computes for each lane the largest value of |v_i| / (1 + |x_i|). */
static void measure(const cs_derivatives *s, double *size)
{
    for (size_t l = 0; l < CS_PAD; l++) {
        size[l] = 0;
        for (size_t i = 0; i < dim_of(s); i++) {
            size_t at = i * CS_PAD + l;
            size[l] = fmax(size[l], fabs(s->v[at]) / (1 + fabs(s->x[at])));
        }
    }
}

/* Computes h = H v in each lane; only the results of the first `live` lanes are
 * used. */
static void products(cs_derivatives *s, size_t live)
{
    size_t n = dim_of(s) * CS_PAD;
    double size[CS_PAD];
    s->eval.live = live;
    if (s->exact) {
        cs_eval_hessian_times(&s->eval, s->x, s->v, s->bend, s->h);
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->v[i] =
            cs_derivatives_has_second(s->target, i / CS_PAD) ? s->v[i] : 0;
    measure(s, size);
    for (int side = 1; side >= -1; side -= 2) {
        for (size_t i = 0; i < n; i++) {
            double e = size[i % CS_PAD];
            s->p[i] = s->x[i] + (e > 0 ? side * STEP / e * s->v[i] : 0);
        }
        cs_eval_gradient(&s->eval, CS_NEXT, s->p, s->logp,
                         side > 0 ? s->h : s->g);
    }
    for (size_t i = 0; i < n; i++)
        s->h[i] = cs_derivatives_has_second(s->target, i / CS_PAD)
                      ? (s->h[i] - s->g[i]) * size[i % CS_PAD] / (2 * STEP)
                      : 0;
}

void cs_derivatives_times(cs_derivatives *s, const double *x, const double *v,
                          double *h)
{
    spread(s, x);
    for (size_t i = 0; i < dim_of(s) * CS_PAD; i++)
        s->v[i] = v[i / CS_PAD];
    products(s, 1);
    for (size_t i = 0; i < dim_of(s); i++)
        h[i] = s->h[i * CS_PAD];
}

void cs_derivatives_hessian(cs_derivatives *s, const double *x, double *h)
{
    size_t dim = dim_of(s);
    spread(s, x);
    for (size_t from = 0; from < dim; from += CS_PAD) {
        size_t live = dim - from < CS_PAD ? dim - from : CS_PAD;
        memset(s->v, 0, dim * CS_PAD * sizeof *s->v);
        for (size_t l = 0; l < CS_PAD; l++)
            s->v[(from + l % live) * CS_PAD + l] = 1;
        products(s, live);
        for (size_t i = 0; i < dim; i++)
            for (size_t l = 0; l < live; l++)
                h[i * dim + from + l] = s->h[i * CS_PAD + l];
    }
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < i; j++)
            h[i * dim + j] = h[j * dim + i] =
                0.5 * (h[i * dim + j] + h[j * dim + i]);
}

cs_status cs_derivatives_eigenvalues(double *h, size_t dim, double *values,
                                     cs_error *err)
{
    for (size_t i = 0; i < dim * dim; i++)
        if (!isfinite(h[i]))
            return cs_fail(err, CS_NUMERIC,
                           "the second derivatives are not finite");
    double *memory = cs_alloc(2 * dim, sizeof *memory);
    if (!memory)
        return cs_fail(err, CS_MEMORY, "out of memory for eigenvalues");
    gsl_eigen_symm_workspace w = {.size = dim, .d = memory, .sd = memory + dim};
    gsl_matrix_view m = gsl_matrix_view_array(h, dim, dim);
    gsl_vector_view v = gsl_vector_view_array(values, dim);
    int failed = gsl_eigen_symm(&m.matrix, &v.vector, &w);
    gsl_sort_vector(&v.vector);
    cs_free(memory);
    return failed ? cs_fail(err, CS_NUMERIC, "the eigenvalues do not converge")
                  : CS_OK;
}
