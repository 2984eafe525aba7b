#include "support/far.h"
#include "run/run.h"
#include "run/views/view.h"

#include "support/by_name.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

const double far_sds[FAR_DIM] = {0.01, 0.3, 10, 100};
static const double slant = 0.9;

extern const cs_target_type small_far;

static double far(const double *x, double *g)
{
    double z[FAR_DIM], c = 1 / (1 - slant * slant), logp;
    for (size_t i = 0; i < FAR_DIM; i++)
        z[i] = (x[i] - 50 * far_sds[i]) / far_sds[i];
    g[0] = -z[0] / far_sds[0];
    g[3] = -z[3] / far_sds[3];
    g[1] = -c * (z[1] - slant * z[2]) / far_sds[1];
    g[2] = -c * (z[2] - slant * z[1]) / far_sds[2];
    logp = -0.5 * (z[0] * z[0] + z[3] * z[3]);
    return logp -
           0.5 * c * (z[1] * z[1] - 2 * slant * z[1] * z[2] + z[2] * z[2]);
}

SMALL(far, CS_CONTINUOUS, 4, 0, 0);

double far_covariance(size_t i, size_t j)
{
    bool pair = i != j && i % 3 && j % 3;
    return i == j ? far_sds[i] * far_sds[i]
           : pair ? slant * far_sds[i] * far_sds[j]
                  : 0;
}

cs_target *far_away(void)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&small_far, NULL, 0, &t, NULL), CS_OK);
    return t;
}

cs_tuner window_tuner(uint64_t steps, cs_metric_kind kind)
{
    cs_tuner t;
    const cs_tuner_type *type = cs_tuner_find("window_adaptation");
    const cs_value given[] = {
        {.name = "steps",
         .kind = CS_PARAM_INT,
         .given = 1,
         .number = (double)steps},
        {.name = "metric",
         .kind = CS_PARAM_CHOICE,
         .given = 1,
         .number = kind,
         .text = kind < CS_METRICS ? cs_metric_names[kind] : "auto"}};
    assert_int_equal(cs_tuner_init(&t, type, given, 2, NULL), CS_OK);
    return t;
}

cs_run *far_run(cs_target *t, const char *kernel, const cs_tuner *tuner,
                size_t chains, size_t workers, size_t lanes)
{
    static const double start[FAR_DIM];
    cs_run *r = NULL;
    cs_arm_spec arm = {.name = "a", .kernel = kernel_of(kernel)};
    if (tuner)
        arm.tuner = *tuner;
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = chains,
                        .seed = 7,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 64,
                        .start = start,
                        .n_starts = 1};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static bool same_metric(const cs_metric *a, const cs_metric *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind &&
           memcmp(a->covariance, b->covariance,
                  cs_metric_words(a->kind, a->dim) * sizeof(double)) == 0 &&
           !a->centre == !b->centre &&
           (!a->centre ||
            memcmp(a->centre, b->centre, a->dim * sizeof(double)) == 0);
}

bool same_run(cs_run *a, cs_run *b, bool work)
{
    cs_arm_view u = cs_run_arm(a, 0), v = cs_run_arm(b, 0);
    size_t bytes = u.tuning.n_trials * sizeof *u.tuning.trial;
    bool good = u.steps == v.steps && u.warmup_steps == v.warmup_steps &&
                same_metric(u.metric, v.metric) &&
                memcmp(u.kernel->values, v.kernel->values,
                       sizeof u.kernel->values) == 0 &&
                u.tuning.active == v.tuning.active &&
                u.tuning.n_trials == v.tuning.n_trials &&
                (!bytes || !memcmp(u.tuning.trial, v.tuning.trial, bytes)) &&
                (!work || memcmp(&u.work, &v.work, sizeof u.work) == 0);
    for (size_t c = 0; good && c < u.chains; c++) {
        double x[FAR_DIM];
        memcpy(x, cs_run_chain(a, 0, c).x, sizeof x);
        good = memcmp(x, cs_run_chain(b, 0, c).x, sizeof x) == 0;
    }
    return good;
}
