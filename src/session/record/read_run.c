#include "session/record/read_run.h"

#include "base/memory.h"
#include "io/cmdstan.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/recall.h"
#include "run/draws/recorded.h"
#include "run/recorded_open.h"

/* Reads row i of a chain for the run; `chain` is a cs_tail. */
static cs_recorded_state read_row(void *chain, uint64_t i, double *row)
{
    cs_tail_view v = cs_tail_now(chain);
    if (i >= v.rows)
        return v.wrong ? CS_RECORDED_UNREADABLE : CS_RECORDED_ENDED;
    return cs_tail_row(chain, i, row) ? CS_RECORDED : CS_RECORDED_UNREADABLE;
}

uint64_t cs_read_run_limit(const cs_watched *files, cs_run *run)
{
    size_t n;
    uint64_t most = 0;
    const cs_watched_arm *arm = cs_watched_arms(files, &n);
    for (size_t i = 0; i < n; i++) {
        cs_warn_files f = {.left_out = arm[i].behind, .complete = true};
        for (size_t c = 0; c < arm[i].chains; c++) {
            cs_tail_view v = cs_tail_now(arm[i].chain[c]);
            f.longest = v.rows > f.longest ? v.rows : f.longest;
            f.complete &= v.complete;
            f.damaged += v.wrong != NULL;
            f.planned = v.planned > f.planned ? v.planned : f.planned;
        }
        cs_run_limit(run, i, arm[i].ready, arm[i].ended);
        cs_run_set_files(run, i, &f);
        most = arm[i].ready > most ? arm[i].ready : most;
    }
    return most;
}

/* Copies the lines about the model's data from a header to the run. A run
 * without them is complete, apart from its predictive checks. */
static void take_data_lines(cs_run *run, const char *path)
{
    cs_cmdstan_head h;
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return;
    if (h.data_lines)
        cs_run_set_data_lines(run, h.data_lines);
    cs_cmdstan_head_free(&h);
}

cs_status cs_read_run_create(const cs_watched *files, cs_run **out,
                             cs_error *err)
{
    size_t n;
    const cs_watched_arm *arm = cs_watched_arms(files, &n);
    cs_recorded_arm *arms = cs_alloc(n, sizeof *arms);
    if (!arms)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    for (size_t i = 0; i < n; i++) {
        cs_tail_view v = cs_tail_now(arm[i].chain[0]);
        arms[i] =
            (cs_recorded_arm){.name = *arm[i].name ? arm[i].name : "draws",
                              .column = v.name,
                              .columns = v.columns,
                              .chains = arm[i].chains,
                              .read = read_row,
                              .of = (void *const *)arm[i].chain};
    }
    cs_status status = cs_recorded_open(out, arms, n, cs_watched_model(files),
                                        cs_watched_seed(files), err);
    cs_free(arms);
    if (status == CS_OK && n)
        take_data_lines(*out, cs_tail_now(arm[0].chain[0]).path);
    return status;
}
