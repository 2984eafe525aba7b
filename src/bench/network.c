/* B13, DMALA on a Bayesian network with sign activations: 14 inputs, 100 units,
 * 5000 rows. DMALA has step 0.1 and uses all rows. There are 50 chains, each
 * with its own weights. The required time is a fiftieth of the time of
 * hand-written PyTorch code, which took 1270 ms per step on one thread of a Zen
 * 4 processor. The limit counts only the matrix products of the backward pass,
 * because the forward pass has none. */
#include "bench/bench.h"
#include "run/run.h"
#include "run/views/view.h"

enum { INPUTS = 14, UNITS = 100, ROWS = 5000, CHAINS = 50 };
enum { WARM_UP = 10, STEPS = 10 };

static cs_status open_run(cs_run **run, cs_error *err)
{
    const cs_value given[] = {
        {.name = "inputs", .kind = CS_PARAM_INT, .number = INPUTS},
        {.name = "hidden", .kind = CS_PARAM_INT, .number = UNITS},
        {.name = "rows", .kind = CS_PARAM_INT, .number = ROWS},
        {.name = "precision", .kind = CS_PARAM_TEXT, .text = "single"}};
    const cs_value step = cs_bench_value("step", 0.1);
    const cs_bench_setting s = {.target = "binary_network",
                                .target_values = given,
                                .n_target_values = 4,
                                .kernel = "dmala",
                                .kernel_values = &step,
                                .n_kernel_values = 1,
                                .chains = CHAINS};
    return cs_bench_open(&s, run, err);
}

static double accepted(cs_run *run)
{
    double sum = 0;
    for (size_t c = 0; c < CHAINS; c++) {
        cs_tally t = cs_run_chain(run, 0, c).tally;
        sum += t.accepted / t.steps / CHAINS;
    }
    return sum;
}

static cs_status run_case(const cs_bench_plan *plan, cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], rate = 0;
    cs_run *run = NULL;
    uint64_t done;
    if (!cs_bench_wants(plan, "B13"))
        return CS_OK;
    cs_status s = open_run(&run, err);
    if (!s)
        s = cs_run_advance(run, WARM_UP, &done, err);
    for (size_t i = 0; !s && i < plan->rounds; i++) {
        s = cs_bench_advance(run, STEPS, &ours[i], err);
        ours[i] /= STEPS;
    }
    if (!s)
        rate = accepted(run);
    cs_run_destroy(run);
    if (!s && !(rate > 0.8))
        s = cs_fail(
            err, CS_INPUT,
            "B13: the acceptance rate is %.3f, so the amounts of work differ",
            rate);
    if (s)
        return s;
    cs_bench_row row = cs_bench_row_of(
        "B13", "DMALA, network of signs 14-100-1, 5000 rows, 50 chains", "ms");
    row.ours = 1e3 * cs_bench_median(ours, plan->rounds);
    row.limit =
        1e-6 * 2.0 * INPUTS * UNITS * ROWS * CHAINS / (2 * plan->gflops);
    row.ask = CS_ASK_MOST;
    row.must = 1270.0 / 50;
    cs_bench_print(&row, plan);
    return CS_OK;
}

const cs_bench_case cs_bench_case_network = {
    .run = run_case,
};
