#include "session/record/record.h"
#include "session/record/record_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "files/lock.h"
#include "files/replace.h"
#include "io/checkpoint.h"
#include "io/manifest.h"
#include "run/arms/arms.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/collect.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/ranks/orders.h"
#include "run/ranks/rank_words.h"
#include "run/save.h"
#include "run/summary/summary.h"
#include "run/views/fingerprint.h"
#include "run/views/plans.h"
#include "run/views/view.h"
#include "session/record/learned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* EVERY: minimum number of seconds between two checkpoints. SPARSE: minimum
 * ratio of this interval to the duration of a checkpoint. */
#define EVERY 5.0
#define SPARSE 20.0

cs_status cs_record_path(const cs_record *rec, const char *name, char *path,
                         cs_error *err)
{
    if (snprintf(path, CS_RECORD_PATH, "%s/%s", rec->folder, name) <
        CS_RECORD_PATH)
        return CS_OK;
    return cs_fail(err, CS_INPUT, "the path of %s is too long", name);
}

void cs_record_destroy(cs_record *rec)
{
    cs_writer_destroy(rec->writer);
    for (size_t i = 0; rec->file && i < rec->n_files; i++)
        cs_cmdstan_destroy(rec->file[i]);
    cs_lock_release(rec->folder, rec->lock);
    CS_FREE_ALL(rec->first, rec->group, rec->columns, rec->file, rec->mark,
                rec->sets.text, rec->before, rec);
}

/* Stores the changes and their steps as text. Together with the scenario, these
 * changes reproduce the run. */
static cs_status keep_journal(const cs_record *rec, const cs_run *run,
                              cs_error *err)
{
    char path[CS_RECORD_PATH], *text = NULL;
    cs_status status = cs_record_path(rec, "journal.txt", path, err);
    if (status == CS_OK)
        status = cs_run_journal_text(run, &text, err);
    if (status == CS_OK)
        status = cs_file_replace(path, text, strlen(text), err);
    cs_free(text);
    return status;
}

/* Flushes the files of this process to the disk. */
static cs_status flush(cs_record *rec, cs_error *err)
{
    cs_status status = cs_writer_wait(rec->writer, err);
    for (size_t i = 0; i < rec->n_files && status == CS_OK; i++)
        if (rec->file[i])
            status = cs_cmdstan_flush(rec->file[i], &rec->mark[i], err);
    return status ? status : cs_cmdstan_sync(rec->file, rec->n_files, err);
}

/* Collects the marks of one rank's files, [files][CS_MARK_WORDS], ordered by
 * arm. Returns the number of words. */
static size_t rank_marks(cs_record *rec, const cs_run *run, size_t rank,
                         double *word, bool in)
{
    const cs_share share = {.part = rank, .parts = cs_run_ranks(run)->size};
    size_t n = 0;
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_chains of = cs_record_groups(rec, a, cs_share_of(run, share, a));
        for (size_t c = of.first; c < of.end; c++, n += CS_MARK_WORDS) {
            cs_cmdstan_mark *m = &rec->mark[cs_record_place(rec, run, a, c)];
            if (word)
                cs_cmdstan_mark_words(m, word + n, in);
        }
    }
    return n;
}

/* Collects the marks of the files of all ranks. */
static cs_status gather_marks(cs_record *rec, cs_run *run, cs_error *err)
{
    const cs_world *ranks = cs_run_ranks(run);
    double *all = cs_alloc(rec->n_files * CS_MARK_WORDS + 1, sizeof *all);
    size_t *n = cs_alloc(ranks->size, sizeof *n), at = 0;
    cs_status status =
        all && n
            ? CS_OK
            : cs_fail(err, CS_MEMORY, "out of memory for the files of the run");
    status = cs_ranks_agree(ranks, status, err);
    for (size_t k = 0; k < ranks->size && status == CS_OK; at += n[k++]) {
        n[k] = rank_marks(rec, run, k, NULL, false);
        if (k == ranks->rank)
            rank_marks(rec, run, k, all + at, false);
    }
    if (status == CS_OK)
        cs_run_gather_words(run, all, n);
    for (size_t k = at = 0; k < ranks->size && status == CS_OK; at += n[k++])
        rank_marks(rec, run, k, all + at, true);
    cs_free(all);
    cs_free(n);
    return status;
}

/* Flushes the files, and gathers the run and the marks of its files on the
 * first rank. Fails on all ranks if one rank fails. */
static cs_status gather(cs_record *rec, cs_run *run, cs_error *err)
{
    cs_status status = flush(rec, err);
    if (!cs_run_is_split(run))
        return status;
    status = cs_ranks_agree(cs_run_ranks(run), status, err);
    if (status == CS_OK)
        status = gather_marks(rec, run, err);
    return status ? status : cs_run_gather_all(run, true, err);
}

void cs_record_gather(cs_record *rec, cs_run *run)
{
    gather(rec, run, NULL);
}

/* Writes the manifest of the folder's files. Call it after the checkpoint was
 * written, so that the checkpoint never refers to more draws than the files
 * contain. While the summary is being rewritten, it is not listed in the
 * manifest. */
static cs_status write_manifest(const cs_record *rec, const cs_run *run,
                                bool ended, cs_error *err)
{
    char name[160];
    cs_share share = cs_run_share(run);
    cs_manifest m = {.run = cs_run_identity(run),
                     .part = share.parts ? share.part + 1 : 0,
                     .parts = share.parts,
                     .scenario_sum = rec->scenario_sum};
    memcpy(m.scenario, rec->scenario, sizeof m.scenario);
    cs_status status = CS_OK;
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_chains files = cs_record_files(rec, run, a);
        for (size_t c = files.first; c < files.end && !status; c++) {
            cs_cmdstan_mark mark = rec->mark[cs_record_place(rec, run, a, c)];
            mark.counted = ended;
            mark.warmup_steps = cs_run_arm(run, a).tuning.steps;
            cs_record_file_name(cs_run_arm_name(run, a), c, name, sizeof name);
            status =
                cs_manifest_add(&m, name, c * rec->group[a] + 1, &mark, err);
        }
    }
    if (status == CS_OK && ended)
        status = cs_manifest_add_whole(&m, rec->folder, "summary.json", err);
    if (status == CS_OK && ended)
        status = cs_manifest_add_whole(&m, rec->folder, "plans.lua", err);
    if (status == CS_OK)
        status = cs_manifest_write(rec->folder, &m, err);
    cs_manifest_free(&m);
    return status;
}

cs_status cs_record_keep(cs_record *rec, cs_run *run, cs_error *err)
{
    char path[CS_RECORD_PATH];
    double from = cs_clock();
    cs_run_order(run, (cs_order){.kind = CS_ORDER_KEEP});
    cs_status status = gather(rec, run, err);
    if (status == CS_OK)
        status = cs_record_path(rec, "checkpoint", path, err);
    if (status)
        return status;
    cs_checkpoint c = {.mark = rec->mark,
                       .n_marks = rec->n_files,
                       .thin = rec->thin,
                       .save_warmup = rec->save_warmup,
                       .sets = rec->sets.text};
    status = cs_run_save_beside(run, &c.run, &c.size, err);
    if (status)
        return status;
    status = cs_checkpoint_write(path, &c, err);
    cs_free(c.run);
    if (status == CS_OK)
        status = keep_journal(rec, run, err);
    if (status == CS_OK)
        status = write_manifest(rec, run, false, err);
    rec->kept = cs_clock();
    rec->cost = rec->kept - from;
    return status;
}

const char *cs_record_folder(const cs_record *rec)
{
    return rec->folder;
}

cs_status cs_record_none(const cs_record *rec, cs_error *err)
{
    if (!rec)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "draws are being written to files");
    cs_hint(err, "to stop writing, type `out` without a folder");
    return CS_UNSUPPORTED;
}

cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err)
{
    double usual = fmax(EVERY, SPARSE * rec->cost);
    double every = isnan(rec->every) ? usual : rec->every;
    if (!cs_record_failure(rec, err) && cs_clock() - rec->kept >= every)
        rec->broken = cs_record_keep(rec, run, &rec->why);
    if (rec->broken && err)
        *err = rec->why;
    return rec->broken;
}

cs_status cs_record_failure(cs_record *rec, cs_error *err)
{
    if (!rec->broken)
        rec->broken = cs_writer_failure(rec->writer, &rec->why);
    if (rec->broken && err)
        *err = rec->why;
    return rec->broken;
}

void cs_record_tear(cs_record *rec)
{
    if (rec)
        rec->torn = true;
}

static cs_status write_summary(cs_record *rec, cs_run *run,
                               const cs_flat *claims, cs_error *err)
{
    char path[CS_RECORD_PATH];
    cs_page p = {0};
    cs_summary_json(run, claims, &p);
    cs_status status = cs_record_path(rec, "summary.json", path, err);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the summary");
    if (status == CS_OK)
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* Writes plans.lua, which contains the current kernels of all arms, for use
 * in another run. Writes nothing if no arm has a tuner that finds values. */
static cs_status write_plans(cs_record *rec, const cs_run *run, cs_error *err)
{
    char path[CS_RECORD_PATH];
    cs_page p = {0};
    bool tuned = false;
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        const cs_tuner *t = cs_run_arm(run, i).tuning.tuner;
        tuned |= t && cs_tuner_finds(t);
    }
    if (!tuned)
        return CS_OK;
    cs_plans_text(run, &p);
    cs_status status = cs_record_path(rec, "plans.lua", path, err);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the plans");
    if (status == CS_OK)
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* After a failure, completes the files that can still be completed, but does
 * not write the checkpoint again. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err)
{
    if (!rec)
        return CS_OK;
    cs_run_sink(run, NULL, NULL, 0, NULL);
    cs_status written =
        cs_writer_wait(rec->writer, rec->broken ? NULL : &rec->why);
    if (!rec->broken)
        rec->broken = written;
    if (!rec->broken && !rec->torn && !cs_run_follows(run))
        rec->broken = cs_record_keep(rec, run, &rec->why);
    cs_record_finish_files(rec, run);
    bool says = !rec->reported && !cs_run_is_part(run);
    if (!rec->broken && says)
        rec->broken = write_summary(rec, run, claims, &rec->why);
    if (!rec->broken && says)
        rec->broken = write_plans(rec, run, &rec->why);
    if (!rec->broken && says)
        rec->broken = cs_learned_write(run, rec->folder, &rec->why);
    if (!rec->broken && !rec->torn && !cs_run_follows(run))
        rec->broken = write_manifest(rec, run, true, &rec->why);
    cs_status status = rec->broken;
    if (status && err)
        *err = rec->why;
    cs_record_destroy(rec);
    return status;
}
