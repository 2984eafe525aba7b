/* W4: the cost of writing draws. Compares two runs: one that writes files of
 * draws, and the same run without files. The result is the CPU time of all
 * threads. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "bench/bench.h"
#include "files/open.h"
#include "run/draws/recall.h"
#include "run/run.h"
#include "run/summary/summary.h"
#include "session/record/record.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIM = 100, CHAINS = 4, STEPS = 10000 };

static cs_status open_run(cs_run **run, cs_error *err)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .number = DIM, .given = true};
    const cs_value values[] = {cs_bench_value("step", 0.1),
                               {.name = "leapfrogs",
                                .kind = CS_PARAM_INT,
                                .number = 8,
                                .given = true}};
    const cs_bench_setting setting = {.target = "gaussian",
                                      .target_values = &dim,
                                      .n_target_values = 1,
                                      .kernel = "hmc",
                                      .kernel_values = values,
                                      .n_kernel_values = 2,
                                      .chains = CHAINS,
                                      .probe = "diagnostics"};
    return cs_bench_open(&setting, run, err);
}

/* Measures the run without files. Includes the summary that is normally written
 * together with the files. */
static cs_status run_alone(double *seconds, cs_error *err)
{
    cs_run *run;
    cs_status status = open_run(&run, err);
    if (status)
        return status;
    cs_page p = {0};
    double start = cs_clock_process();
    cs_run_judge_all(run, 1);
    status = cs_run_advance(run, STEPS, NULL, err);
    cs_summary_json(run, NULL, &p);
    *seconds = cs_clock_process() - start;
    cs_free(p.text);
    cs_run_destroy(run);
    return status;
}

static cs_status run_to_files(const char *folder, double *seconds,
                              cs_error *err)
{
    cs_run *run;
    cs_record *record = NULL;
    cs_status status = open_run(&run, err);
    if (status)
        return status;
    const cs_record_spec spec = {.folder = folder, .force = true};
    double start = cs_clock_process();
    status = cs_record_create(&record, run, &spec, err);
    if (!status)
        status = cs_run_advance(run, STEPS, NULL, err);
    cs_status last = cs_record_finish(record, run, NULL, status ? NULL : err);
    *seconds = cs_clock_process() - start;
    cs_run_destroy(run);
    return status ? status : last;
}

/* Calls `each` for every file of draws in the folder; returns the sum of the
 * sizes in bytes. */
static double over_files(const char *folder, int (*each)(const char *path))
{
    double bytes = 0;
    DIR *d = cs_open_list(folder);
    for (const struct dirent *e; d && (e = readdir(d));) {
        char path[512];
        struct stat about;
        snprintf(path, sizeof path, "%s/%.200s", folder, e->d_name);
        if (strstr(e->d_name, ".csv") && stat(path, &about) == 0)
            bytes += (double)about.st_size;
        if (each && e->d_name[0] != '.')
            each(path);
    }
    if (d)
        closedir(d);
    return bytes;
}

static cs_status measure(const char *folder, size_t rounds, double *rate,
                         cs_error *err)
{
    double rates[CS_BENCH_ROUNDS], with, without;
    cs_status status = CS_OK;
    for (size_t i = 0; i < rounds && !status; i++) {
        status = run_alone(&without, err);
        if (!status)
            status = run_to_files(folder, &with, err);
        if (!status)
            rates[i] = 1e-6 * over_files(folder, NULL) / (with - without);
    }
    if (!status)
        *rate = cs_bench_median(rates, rounds);
    return status;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    char folder[] = "/tmp/chainscope-bench-XXXXXX";
    cs_bench_row row = cs_bench_row_of(
        "W4", "draws of 100 coordinates to files, 4 chains", "MB/s");
    if (!cs_bench_wants(plan, "W4"))
        return CS_OK;
    if (!mkdtemp(folder))
        return cs_fail(err, CS_IO, "cannot make a folder in /tmp");
    cs_status status = measure(folder, plan->rounds, &row.ours, err);
    over_files(folder, unlink);
    rmdir(folder);
    if (status)
        return status;
    row.ask = CS_ASK_LEAST;
    row.must = 150;
    cs_bench_print(&row, plan);
    return CS_OK;
}

const cs_bench_case cs_bench_case_draws = {
    .run = run,
};
