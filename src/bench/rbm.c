/* B05, B06, B14: discrete samplers on a restricted Boltzmann machine with 784
 * visible and 500 hidden units, weights of variance 0.05, standard normal
 * biases; 100 chains. The requirement is a fraction of the time that PyTorch
 * took with one thread of a Zen 4 processor: 2.65 ms per step of hand-written
 * DMALA, and 7.16 ms per step of Gibbs with gradients by autograd. On a
 * processor twice as fast, the published code took 2.4 ms for one site update
 * by Gibbs and 11.2 ms for a Hamming ball step. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/others.h"
#include "rng/stream.h"
#include "run/run.h"
#include "run/views/view.h"

#include <stddef.h>

enum { VISIBLE = 784, HIDDEN = 500, CHAINS = 100, WARM_UP = 50, FIELDS = 2 };

typedef struct rbm_case {
    const char *id, *title, *kernel;
    struct {
        const char *name;
        double value;
    } param[FIELDS];
    size_t steps;
    size_t uniforms;  /* uniforms per chain and step */
    double products;  /* HIDDEN x VISIBLE products per chain and step */
    double speed;     /* relative speed of the products: 1 for doubles, 1.5 with
                       * simd/matmul_winograd.h */
    double low, high; /* range of the acceptance rate (or of the fraction of
                       * moves); a value inside it confirms that the kernel did
                       * the expected work */
    double must;      /* required ms per step of all chains */
} rbm_case;

static const rbm_case cases[] = {
    {"B05",
     "DMALA, rbm 784 x 500, 100 chains",
     "dmala",
     {{"step", 0.2}},
     .steps = 100,
     .uniforms = VISIBLE + 1,
     .products = 1,
     .speed = 1.5,
     .low = 0.5,
     .high = 0.68,
     .must = 2.65},
    {"B05s",
     "the same, float gradients",
     "dmala",
     {{"step", 0.2}, {"gradient_precision", 1}},
     .steps = 100,
     .uniforms = VISIBLE + 1,
     .products = 1,
     .speed = 3,
     .low = 0.5,
     .high = 0.68,
     .must = 2.65 / 2.5},
    {"B06",
     "GWG, one flip, rbm 784 x 500, 100 chains",
     "gwg",
     {{NULL}},
     .steps = 100,
     .uniforms = 2,
     .products = 1,
     .speed = 1.5,
     .low = 0.93,
     .high = 1,
     .must = 7.16 / 3},
    {"B06s",
     "the same, float gradients",
     "gwg",
     {{"gradient_precision", 1}},
     .steps = 100,
     .uniforms = 2,
     .products = 1,
     .speed = 3,
     .low = 0.93,
     .high = 1,
     .must = 7.16 / 6},
    {"B14",
     "Gibbs, one site, rbm 784 x 500, 100 chains",
     "gibbs",
     {{NULL}},
     .steps = 2000,
     .uniforms = 2,
     .high = 1,
     .must = 2.4 / 40},
    {"B14b",
     "Hamming ball 10-1, rbm 784 x 500, 100 chains",
     "hamming_ball",
     {{NULL}},
     .steps = 200,
     .uniforms = 12,
     .high = 1,
     .must = 11.2 / 20},
};

static cs_status open_run(const rbm_case *c, cs_run **run, cs_error *err)
{
    const cs_value units[] = {
        {.name = "visible", .kind = CS_PARAM_INT, .number = VISIBLE},
        {.name = "hidden", .kind = CS_PARAM_INT, .number = HIDDEN}};
    cs_value given[FIELDS];
    size_t n = 0;
    for (; n < FIELDS && c->param[n].name; n++)
        given[n] = cs_bench_value(c->param[n].name, c->param[n].value);
    const cs_bench_setting s = {.target = "rbm",
                                .target_values = units,
                                .n_target_values = 2,
                                .kernel = c->kernel,
                                .kernel_values = given,
                                .n_kernel_values = n,
                                .chains = CHAINS};
    return cs_bench_open(&s, run, err);
}

/* Measures the seconds per step of all chains, and the fraction of accepted
 * decisions. */
static cs_status time_run(const rbm_case *c, cs_run *run, double *seconds,
                          double *rate, cs_error *err)
{
    cs_status s = cs_bench_advance(run, c->steps, seconds, err);
    *seconds /= (double)c->steps;
    cs_tally t = cs_run_chain(run, 0, 0).tally;
    *rate = t.accepted / t.steps;
    return s;
}

/* Returns the seconds that the random draws of one step take. */
static double time_draws(const rbm_case *c)
{
    enum { LANES = 32, TIMES = 20 };
    uint64_t chain[LANES];
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams s = cs_streams_of(1, 0, chain, LANES, LANES);
    double *out = cs_alloc(c->uniforms * LANES, sizeof *out);
    double start = cs_clock_thread();
    for (s.step = 1; out && s.step <= TIMES; s.step++)
        cs_fill_uniform(&s, CS_FOR_PROPOSAL, c->uniforms, out);
    cs_free(out);
    return (cs_clock_thread() - start) * CHAINS / (LANES * TIMES);
}

static cs_status run_case(const rbm_case *c, const cs_bench_plan *plan,
                          cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], rate = 0;
    cs_run *run = NULL;
    uint64_t done;
    cs_status s = open_run(c, &run, err);
    if (!s)
        s = cs_run_advance(run, WARM_UP, &done, err);
    for (size_t i = 0; !s && i < plan->rounds; i++)
        s = time_run(c, run, &ours[i], &rate, err);
    cs_run_destroy(run);
    if (!s && (rate < c->low || rate > c->high))
        s = cs_fail(
            err, CS_INPUT,
            "%s: the acceptance rate is %.3f, so the amounts of work differ",
            c->id, rate);
    if (s)
        return s;
    double flops = 2.0 * VISIBLE * HIDDEN * CHAINS * c->products;
    double products = plan->gflops > 0 && flops > 0
                          ? flops / (c->speed * plan->gflops) * 1e-9
                          : 0;
    cs_bench_row row = cs_bench_row_of(c->id, c->title, "ms");
    row.ours = 1e3 * cs_bench_median(ours, plan->rounds);
    row.draws = 1e3 * time_draws(c);
    row.limit = row.draws + 1e3 * products;
    row.ask = CS_ASK_MOST;
    row.must = c->must;
    cs_bench_print(&row, plan);
    return CS_OK;
}

/* Measures the seconds per step of our code. The result is the median over the
 * rounds. */
static cs_status time_case(const rbm_case *c, const cs_bench_plan *plan,
                           double *seconds, cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], rate;
    cs_run *run = NULL;
    uint64_t done;
    cs_status s = open_run(c, &run, err);
    if (!s)
        s = cs_run_advance(run, WARM_UP, &done, err);
    for (size_t i = 0; !s && i < plan->rounds; i++)
        s = time_run(c, run, &ours[i], &rate, err);
    cs_run_destroy(run);
    *seconds = s ? 0 : cs_bench_median(ours, plan->rounds);
    return s;
}

/* Compares the first cases with PyTorch, if it is installed. */
static cs_status run_beside(const cs_bench_plan *plan, cs_error *err)
{
    static const double must[] = {1.6, 2.5, 5};
    cs_bench_reported reported;
    bool here = cs_bench_consult(&cs_bench_torch, &reported);
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof must / sizeof *must; i++) {
        const cs_bench_beside row = {"P05",
                                     cases[i].title,
                                     "ms",
                                     1e-3,
                                     offsetof(cs_bench_reported, steps),
                                     must[i]};
        double ours;
        s = time_case(&cases[i], plan, &ours, err);
        if (!s)
            cs_bench_print_beside(&row, &cs_bench_torch, ours,
                                  here ? &reported : NULL, plan);
    }
    return s;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof cases / sizeof *cases; i++)
        if (cs_bench_wants(plan, cases[i].id))
            s = run_case(&cases[i], plan, err);
    if (!s && cs_bench_wants(plan, "P05"))
        s = run_beside(plan, err);
    return s;
}

const cs_bench_case cs_bench_case_rbm = {
    .run = run_cases,
};
