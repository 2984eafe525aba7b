/* Tests the weights of draws while samc and wang_landau learn. The weight of a
 * draw is theta of its bin divided by the sum of theta over all bins. Hence the
 * weights of all steps have the same scale. No weight exceeds 1, even if some
 * bins contain no state. If the bins are changed, the new bins apply from the
 * next step on. */
#include "support/by_name.h"
#include "support/laws.h"
#include "support/support.h"

#include <math.h>

enum { CHAINS = 10, BINS = 12, STEPS = 4000 };

static const double shares[BINS] = {0.1, 0.1, 0.1,  0.1,  0.1,  0.1,
                                    0.1, 0.1, 0.05, 0.05, 0.05, 0.05};
static const double weights[BINS] = {0, 0.3, 0.2, 0.9, -0.5, 0.6,
                                     1, 0.4, 0.1, 0.7, -0.3, 0};

/* Parameters of the wrapper; the inner kernel is random_walk. */
typedef struct flatten {
    const char *outer, *more;
    double is;
    const double *weight, *share; /* [BINS] or NULL */
} flatten;

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_value list(const char *name, const double *of)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = of,
                      .rows = BINS,
                      .cols = 1};
}

/* Creates the kernel. The energies of small_masses are above 2, so the first
 * bins contain no state. */
static setting setting_of(const flatten *f)
{
    setting s = {.formula = f->outer};
    cs_kernel inner = kernel_of("random_walk");
    cs_value given[8] = {number("first", 0.3), number("width", 0.4),
                         number("bins", BINS)};
    size_t n = 3;
    cs_error err;
    if (f->more)
        given[n++] = number(f->more, f->is);
    if (f->weight)
        given[n++] = list("log_weights", f->weight);
    if (f->share)
        given[n++] = list("shares", f->share);
    if (cs_kernel_wrap(&s.kernel, cs_kernel_find(f->outer), given, n, &inner,
                       &err))
        fail_msg("%s", err.what);
    return s;
}

static size_t bin_of(double first, double logp)
{
    size_t bin = 0;
    while (bin + 1 < BINS && -logp > first + 0.4 * (double)bin)
        bin++;
    return bin;
}

/* Returns log(theta / sum of theta) for a bin of lane l. */
static double counts_of(const cs_block *b, size_t l, size_t bin)
{
    const double *log_theta =
        b->move.memory + cs_kernel_aux_first(b->kernel, b->target) * b->lanes +
        l;
    double top = log_theta[bin * b->lanes], sum = 0;
    for (size_t i = 0; i < BINS; i++)
        top = fmax(top, log_theta[i * b->lanes]);
    for (size_t i = 0; i < BINS; i++)
        sum += exp(log_theta[i * b->lanes] - top);
    return log_theta[bin * b->lanes] - top - log(sum);
}

static void a_draw_counts_its_share_of_theta(void **state)
{
    static const flatten list_[] = {
        {.outer = "samc"},
        {.outer = "samc", .more = "t0", .is = 20, .weight = weights},
        {.outer = "samc", .more = "gain", .is = 1e4},
        {.outer = "samc", .more = "t0", .is = 100, .share = shares},
        {.outer = "samc", .more = "gain", .is = 0, .weight = weights},
        {.outer = "wang_landau", .more = "every", .is = 20},
        {.outer = "wang_landau", .weight = weights},
    };
    (void)state;
    for (size_t k = 0; k < sizeof list_ / sizeof *list_; k++) {
        points p = points_create(&small_masses);
        setting s = setting_of(&list_[k]);
        cs_block *b = open_block(&s, p.target, 3, CHAINS, p.x);
        for (size_t step = 0; step < STEPS; step++) {
            one_step(&s, b);
            for (size_t l = 0; l < CHAINS; l++) {
                size_t bin = bin_of(0.3, b->move.info.logp[l]);
                assert_near(b->move.info.log_weight[l], counts_of(b, l, bin), 0,
                            1e-8);
            }
        }
        cs_block_destroy(b);
        points_destroy(&p);
        cs_kernel_release(&s.kernel);
    }
}

static void bins_may_be_moved_between_steps(void **state)
{
    static const flatten frozen = {.outer = "multicanonical",
                                   .weight = weights};
    (void)state;
    points p = points_create(&small_masses);
    setting s = setting_of(&frozen);
    int at =
        cs_param_find(s.kernel.type->params, s.kernel.type->n_params, "first");
    cs_block *b = open_block(&s, p.target, 3, CHAINS, p.x);
    for (size_t step = 0; step < 60; step++) {
        double first = s.kernel.values[at] = step < 30 ? 0.3 : 1.1;
        one_step(&s, b);
        for (size_t l = 0; l < CHAINS; l++)
            assert_near(b->move.info.log_weight[l],
                        weights[bin_of(first, b->move.info.logp[l])], 0, 1e-12);
    }
    cs_block_destroy(b);
    points_destroy(&p);
    cs_kernel_release(&s.kernel);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_draw_counts_its_share_of_theta),
    cmocka_unit_test(bins_may_be_moved_between_steps),
};
TESTS(test_flatten_weights)
