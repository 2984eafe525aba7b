#include "support/metrics.h"
#include "run/run.h"

#include "base/memory.h"
#include "kernel/metric_lanes.h"
#include "support/support.h"

#include <string.h>

cs_metric *metric_of(cs_metric_kind kind, size_t dim, bool even)
{
    double *s = cs_alloc(dim * dim, sizeof *s), sd[MOST];
    cs_metric *m;
    for (size_t i = 0; i < dim; i++)
        sd[i] = even ? 1 : 0.5 + 0.3 * (double)(i * 7 % 5);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; kind == CS_METRIC_DENSE && j < dim; j++)
            s[i * dim + j] =
                even ? i == j
                     : sd[i] * sd[j] * pow(-0.6, fabs((double)i - (double)j));
    for (size_t i = 0; kind == CS_METRIC_DIAGONAL && i < dim; i++)
        s[i] = sd[i] * sd[i];
    assert_int_equal(cs_metric_make(&m, kind, dim, s, NULL), CS_OK);
    cs_free(s);
    return m;
}

void multiply(const cs_metric *m, product which, cs_span s, const double *v,
              double *out)
{
    if (which == FACTOR)
        cs_metric_product(m, s, v, out);
    else if (which == TRANSPOSED)
        cs_metric_product_transposed(m, s, v, out);
    else
        memcpy(out, v, s.end * sizeof *out);
    if (which == SOLVE)
        cs_metric_solve(m, s, out);
}

cs_target *small(const cs_target_type *type)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

size_t for_all(each_setting *f, cs_target *t, bool wrapped)
{
    const cs_kernel_type *type;
    size_t n = 0;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        setting s;
        for (size_t k = 0; law_setting(type, k, &s); k++)
            if (s.kernel.type->flags & CS_KERNEL_METRIC &&
                (wrapped || !type->wraps) &&
                cs_kernel_fits(&s.kernel, t, NULL) == CS_OK) {
                f(&s, t);
                n++;
            }
    }
    return n;
}

cs_run *run_of(const setting *s, cs_target *t, size_t workers, size_t lanes)
{
    cs_run *r = NULL;
    cs_arm_spec arm = {.name = "a",
                       .kernel = s->kernel,
                       .metric = cs_metric_kind_of(s->metric),
                       .covariance = s->metric ? s->metric->covariance : NULL,
                       .centre = s->metric ? s->metric->centre : NULL};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 11,
                        .seed = 5,
                        .workers = workers,
                        .block_lanes = lanes};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

void run_on(cs_block *b, size_t n)
{
    assert_int_equal(cs_block_run(b, NULL, n, NULL), n);
}
