/* Writes the draws that a run keeps in memory to the files of a record. */
#include "session/record/record_parts.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/draws/kept_draws.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

/* The kept draws of one chain. */
typedef struct kept {
    double *row;        /* [n][1 + width] log p, quantities, auxiliary variables
                         * [own] */
    double *log_weight; /* [n] [own] */
    double *written;    /* [columns] a row of the file [own] */
    size_t n, width;
    uint64_t every; /* steps between two rows */
} kept;

static void free_kept(kept *k)
{
    CS_FREE_ALL(k->row, k->log_weight, k->written);
}

static cs_status get_kept(const cs_record *rec, size_t arm, size_t chain,
                          kept *k, cs_error *err)
{
    const cs_run *run = rec->run;
    const char *const *lead;
    *k = (kept){.n = cs_run_draws(run, arm, chain, NULL, &k->every)};
    k->width = rec->columns[arm] - cs_run_columns(run, arm, &lead);
    k->row = cs_alloc(k->n * (1 + k->width) + 1, sizeof *k->row);
    k->log_weight = cs_alloc(k->n + 1, sizeof *k->log_weight);
    k->written = cs_alloc(rec->columns[arm], sizeof *k->written);
    if (!k->row || !k->log_weight || !k->written)
        return cs_fail(err, CS_MEMORY, "out of memory for the draws of a file");
    cs_run_weighed_draws(run, arm, chain, k->row, k->log_weight, &k->every);
    return CS_OK;
}

/* Passes every draw at a multiple of the record's `thin` to its file. Columns
 * of a step, such as accept_stat__, are not kept and become NaN. */
static void put_rows(cs_record *rec, size_t arm, size_t chain, const kept *k)
{
    const char *const *lead;
    size_t n = cs_run_columns(rec->run, arm, &lead);
    uint64_t by = rec->thin / k->every;
    for (size_t i = 0; i < k->n; i++) {
        const double *from = k->row + i * (1 + k->width);
        if ((i + 1) % by)
            continue;
        for (size_t j = 0; j < n; j++)
            k->written[j] = strcmp(lead[j], "lp__") == 0 ? from[0]
                            : strcmp(lead[j], "log_weight__") == 0
                                ? k->log_weight[i]
                                : (double)NAN;
        memcpy(k->written + n, from + 1, k->width * sizeof *from);
        cs_record_sink(rec, arm, chain, k->written, 1);
    }
}

static cs_status put_draws(cs_record *rec, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t a = 0; a < cs_run_arms(rec->run); a++)
        for (size_t c = 0; c < cs_run_arm(rec->run, a).chains && !status; c++) {
            kept k;
            status = get_kept(rec, a, c, &k, err);
            if (status == CS_OK)
                put_rows(rec, a, c, &k);
            free_kept(&k);
        }
    return status;
}

/* Returns the interval of the kept draws, the longest of all arms; 0 if there
 * are no draws. */
static uint64_t interval(const cs_run *run)
{
    uint64_t most = 0;
    for (size_t a = 0; a < cs_run_arms(run); a++)
        for (size_t c = 0; c < cs_run_arm(run, a).chains; c++) {
            uint64_t every = 0;
            if (cs_run_draws(run, a, c, NULL, &every) && every > most)
                most = every;
        }
    return most;
}

static cs_status check(const cs_run *run, uint64_t thin, cs_error *err)
{
    cs_status status = CS_OK;
    if (cs_run_is_part(run) || cs_run_ranks(run)) {
        status = cs_fail(err, CS_UNSUPPORTED,
                         "a part of a run cannot be written by a script");
        cs_hint(err, "use --out DIR");
    } else if (!thin) {
        status = cs_fail(err, CS_INPUT, "the run has no draws yet");
        cs_hint(err, "call run:step(n) first; steps of the warm-up are not "
                     "draws");
    }
    return status;
}

cs_status cs_record_write_kept(cs_run *run, const char *folder, bool force,
                               const cs_flat *claims, cs_error *err)
{
    cs_record *rec;
    cs_record_spec spec = {
        .folder = folder, .thin = interval(run), .force = force, .kept = true};
    cs_status status = check(run, spec.thin, err);
    if (status == CS_OK)
        status = cs_record_create(&rec, run, &spec, err);
    if (status)
        return status;
    status = put_draws(rec, err);
    if (status)
        cs_record_tear(rec);
    cs_status ended = cs_record_finish(rec, run, claims, status ? NULL : err);
    return status ? status : ended;
}
