#include "support/tempered.h"
#include "run/run.h"

#include "support/small_make.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cs_value given(const char *name, double number)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = number};
}

static cs_kernel make(const char *outer, const cs_kernel_type *inner,
                      const double *value, const cs_value *aux, size_t n_aux)
{
    cs_kernel in = {.type = inner}, k;
    memcpy(in.values, value, inner->n_params * sizeof *value);
    assert_int_equal(
        cs_kernel_wrap(&k, cs_kernel_find(outer), aux, n_aux, &in, NULL),
        CS_OK);
    return k;
}

cs_kernel around(const cs_kernel_type *inner, const double *value, double rungs,
                 double hot, double period)
{
    const cs_value aux[] = {given("rungs", rungs), given("hottest", hot),
                            given("swap_interval", period)};
    return make("parallel_tempering", inner, value, aux, 3);
}

cs_kernel wandering(const cs_kernel_type *inner, const double *value,
                    double rungs, double hot, double period, double learn)
{
    const cs_value aux[] = {given("rungs", rungs), given("hottest", hot),
                            given("swap_interval", period),
                            given("learn", learn)};
    return make("simulated_tempering", inner, value, aux, 4);
}

cs_run *open_ladders(const cs_kernel *k, const cs_target_type *type,
                     size_t ladders, uint64_t seed)
{
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = ladders,
                        .seed = seed,
                        .workers = 1};
    cs_run *r;
    assert_int_equal(cs_target_create(type, NULL, 0, &spec.target, NULL), 0);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

/* Two bits with unequal probabilities. */
static double pair(const double *x, double *g)
{
    g[0] = 0.7 - 1.9 * x[1];
    g[1] = -0.4 - 1.9 * x[0];
    return 0.7 * x[0] - 0.4 * x[1] - 1.9 * x[0] * x[1];
}
SMALL(pair, CS_BINARY, 2, 0, 2);

points pair_at(double by)
{
    points p = points_create(&small_pair);
    double total = 0;
    for (size_t s = 0; s < STATES; s++) {
        p.logp[s] = by * pair(p.x + 2 * s, p.g + 2 * s);
        for (size_t i = 0; i < 2; i++)
            p.g[2 * s + i] *= by;
        total += exp(p.logp[s]);
    }
    for (size_t s = 0; s < STATES; s++)
        p.pi[s] = exp(p.logp[s]) / total;
    return p;
}

static double ladder[RUNGS] = {1, 0, HOTTEST};

void set_ladder(const double *temperatures)
{
    const double usual[RUNGS] = {1, sqrt(HOTTEST), HOTTEST};
    memcpy(ladder, temperatures ? temperatures : usual, sizeof ladder);
}

double beta_of(size_t rung)
{
    if (ladder[1] == 0)
        set_ladder(NULL);
    return 1 / ladder[rung];
}

cs_kernel by_hand(const char *outer, const cs_kernel_type *inner,
                  const double *value, const double *log_weights)
{
    cs_value list = {
        .kind = CS_PARAM_ARRAY, .given = 1, .rows = RUNGS, .cols = 1};
    cs_value aux[] = {given("swap_interval", 1), list, list};
    aux[1].name = "temperatures";
    aux[1].array = ladder;
    aux[2].name = "log_weights";
    aux[2].array = log_weights;
    return make(outer, inner, value, aux, log_weights ? 3 : 2);
}
