/* Opens a record. The record is new, or it continues from a checkpoint or from
 * the parts of a run. */
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/ranks/orders.h"
#include "run/save.h"
#include "session/record/record_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/lock.h"
#include "files/open.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "io/checkpoint.h"
#include "io/manifest.h"
#include "session/record/merged_folders.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- existing files ---- */

static cs_status holds_a_run(const cs_record *rec, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s already contains a run", rec->folder);
    cs_hint(
        err,
        "continue the run with --resume, or overwrite the run with --force");
    return CS_INPUT;
}

/* Checks that a file may be written. A file may be written if it is new, or if
 * `force` is given and the existing file has the expected kind. */
static cs_status may_write_file(const cs_record *rec, const char *name,
                                cs_output_kind kind, bool force, cs_error *err)
{
    char path[CS_RECORD_PATH];
    cs_status status = cs_record_path(rec, name, path, err);
    if (status || access(path, F_OK) != 0)
        return status;
    return force ? cs_output_allow(path, kind, NULL, 0, err)
                 : holds_a_run(rec, err);
}

static cs_status may_write_draws(const cs_record *rec, const cs_run *run,
                                 size_t arm, bool force, cs_error *err)
{
    char name[160];
    cs_chains files = cs_record_files(rec, run, arm);
    cs_status status = CS_OK;
    for (size_t c = files.first; c < files.end && !status; c++) {
        cs_record_file_name(cs_run_arm_name(run, arm), c, name, sizeof name);
        status = may_write_file(rec, name, CS_OUTPUT_DRAWS, force, err);
    }
    return status;
}

static cs_status may_write(const cs_record *rec, const cs_record_spec *spec,
                           cs_error *err)
{
    char path[CS_RECORD_PATH];
    cs_status status = cs_record_path(rec, "checkpoint", path, err);
    if (status || spec->resume || cs_run_follows(rec->run))
        return status;
    if (access(path, F_OK) == 0 && !spec->force)
        return holds_a_run(rec, err);
    status = may_write_file(rec, "summary.json", CS_OUTPUT_SUMMARY, spec->force,
                            err);
    for (size_t a = 0; a < cs_run_arms(rec->run) && !status; a++)
        status = may_write_draws(rec, rec->run, a, spec->force, err);
    if (status == CS_OK)
        /* removes the files of the previous run (--force) */
        cs_manifest_clear(rec->folder);
    if (status == CS_OK && unlink(path) != 0 && errno != ENOENT)
        status = cs_open_failed(path, "removed", err);
    return status; /* the manifest was removed, so readers do not treat the
                      draws as complete */
}

/* Checks that the rows to be recorded match the checkpoint. A resumed run
 * continues the existing rows, but cannot add rows that are missing from the
 * files. */
static cs_status same_rows(const cs_record_spec *spec, const cs_checkpoint *c,
                           cs_error *err)
{
    const char *what = spec->thin && spec->thin != c->thin    ? "thin"
                       : spec->save_warmup && !c->save_warmup ? "save_warmup"
                                                              : NULL;
    bool thin = what && *what == 't';
    if (!what)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "this is not the run that was saved: %s was %llu, is %llu", what,
            (unsigned long long)(thin ? c->thin : 0),
            (unsigned long long)(thin ? spec->thin : 1));
    cs_hint(err, "leave out this option, or start a new run");
    return CS_INPUT;
}

static cs_status go_on(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                       cs_error *err)
{
    char path[CS_RECORD_PATH];
    cs_checkpoint c;
    cs_status status = cs_record_path(rec, "checkpoint", path, err);
    if (status == CS_OK && access(path, F_OK) != 0) {
        cs_fail(err, CS_INPUT, "%s has no checkpoint to continue from",
                rec->folder);
        cs_hint(err, "check the name, or start without --resume");
        return CS_INPUT;
    }
    if (status == CS_OK)
        status = cs_checkpoint_read(&c, path, err);
    if (status)
        return status;
    status = same_rows(spec, &c, err);
    if (status == CS_OK)
        status = cs_run_load(run, c.run, c.size, err);
    if (status)
        cs_where(err, path, 0);
    if (status == CS_OK && c.n_marks != rec->n_files)
        status = cs_fail(err, CS_INPUT,
                         "%s lists %zu files of draws, but the run has %zu",
                         path, c.n_marks, rec->n_files);
    if (status == CS_OK) {
        memcpy(rec->mark, c.mark, c.n_marks * sizeof *c.mark);
        rec->thin = c.thin;
        rec->save_warmup = c.save_warmup;
        rec->before = c.sets;
        c.sets = NULL;
    }
    cs_checkpoint_fini(&c);
    return status;
}

/* ---- parts ---- */

/* Verifies or copies every file of draws of the parts. */
static cs_status each_file(cs_record *rec, cs_run *run, cs_merge *m,
                           bool copied, cs_error *err)
{
    char name[160], path[CS_RECORD_PATH];
    cs_status status = CS_OK;
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_chains files = cs_record_files(rec, run, a);
        for (size_t c = files.first; c < files.end && !status; c++) {
            cs_record_file_name(cs_run_arm_name(run, a), c, name, sizeof name);
            status = cs_record_path(rec, name, path, err);
            if (status == CS_OK)
                status = cs_merge_take(
                    m, a, c * rec->group[a], name, copied ? path : NULL,
                    &rec->mark[cs_record_place(rec, run, a, c)], err);
        }
    }
    return status;
}

/* Copies all files of the parts; if this fails, copies none. If one part
 * contains the whole run, also copies the summary. */
static cs_status copy_files(cs_record *rec, cs_run *run, cs_merge *m,
                            cs_error *err)
{
    static const char *const whole[] = {"summary.json", "plans.lua"};
    char path[CS_RECORD_PATH];
    cs_status status = each_file(rec, run, m, false, err);
    if (status == CS_OK)
        status = each_file(rec, run, m, true, err);
    rec->reported = cs_run_together(run) != NULL;
    for (size_t i = 0; i < 2 && rec->reported && !status; i++) {
        status = cs_record_path(rec, whole[i], path, err);
        if (status == CS_OK)
            status = cs_merge_copy_whole(m, whole[i], path, err);
    }
    return status;
}

static cs_status refuse_own_folder(const cs_record *rec, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s is one of the parts", rec->folder);
    cs_hint(err, "give another folder for the merged run");
    return CS_INPUT;
}

/* Merges the states and the files of the parts. */
static cs_status merge(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                       cs_error *err)
{
    cs_merge *m;
    cs_status status = cs_merge_open(&m, run, spec->part, spec->n_parts, err);
    if (status)
        return status;
    if (cs_merge_has(m, rec->folder))
        status = refuse_own_folder(rec, err);
    if (status == CS_OK)
        status = may_write(rec, spec, err);
    if (status == CS_OK)
        status = cs_merge_load(m, err);
    if (status == CS_OK)
        status = copy_files(rec, run, m, err);
    rec->thin = cs_merge_thin(m);
    rec->save_warmup = cs_merge_save_warmup(m);
    if (status == CS_OK && !(rec->before = cs_copy_text(cs_merge_sets(m))))
        status =
            cs_fail(err, CS_MEMORY, "out of memory for the files of the run");
    cs_merge_close(m);
    return status;
}

/* ---- opening ---- */

/* Returns true if there is a run to resume. The same command starts and resumes
 * a part. */
static bool has_come(const cs_record *rec, const cs_run *run,
                     const cs_record_spec *spec)
{
    char path[CS_RECORD_PATH];
    if (!spec->resume || cs_run_share(run).parts == 0)
        return spec->resume;
    return cs_record_path(rec, "checkpoint", path, NULL) == CS_OK &&
           access(path, F_OK) == 0;
}

static cs_status enter(cs_record *rec, const char *folder, cs_error *err)
{
    if (snprintf(rec->folder, sizeof rec->folder, "%s", folder) >=
        (int)sizeof rec->folder)
        return cs_fail(err, CS_INPUT, "the folder's path is too long");
    cs_status status = cs_folder_make(rec->folder, err);
    if (cs_run_follows(rec->run)) /* the first rank locks the folder for all
                                   * ranks */
        return status;
    if (status == CS_OK)
        status = cs_lock_take(rec->folder, &rec->lock, err);
    if (status == CS_OK)
        cs_replace_sweep(rec->folder);
    return status;
}

/* Moves the run to the step from which it is recorded and opens the files of
 * draws. *resumed is true if some of the files existed before. */
static cs_status arrive(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                        bool *resumed, cs_error *err)
{
    bool comes = has_come(rec, run, spec);
    *resumed = comes || spec->n_parts;
    cs_status status = cs_record_count_files(rec, run, err);
    if (status == CS_OK && spec->n_parts)
        return merge(rec, run, spec, err);
    if (status == CS_OK)
        status = may_write(rec, spec, err);
    return status || !comes ? status : go_on(rec, run, spec, err);
}

/* Makes all ranks fail if one rank has failed. */
static cs_status agree(const cs_run *run, cs_status mine, cs_error *err)
{
    const cs_world *k = cs_run_ranks(run);
    return k ? cs_ranks_agree(k, mine, err) : mine;
}

static cs_status open_writer(cs_record *rec, size_t arms, cs_error *err)
{
    size_t most = 1;
    for (size_t a = 0; a < arms; a++)
        most = rec->columns[a] > most ? rec->columns[a] : most;
    return cs_writer_create(&rec->writer, most, err);
}

cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err)
{
    cs_record *rec = cs_alloc(1, sizeof *rec);
    if (!rec)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the files of the run");
    rec->thin = spec->thin ? spec->thin : 1;
    rec->save_warmup = spec->save_warmup;
    rec->kept_draws = spec->kept;
    snprintf(rec->scenario, sizeof rec->scenario, "%s",
             spec->scenario ? spec->scenario : "");
    rec->scenario_sum = spec->scenario_sum;
    rec->every = spec->every ? (double)*spec->every : (double)NAN;
    rec->run = run;
    rec->lock = CS_NO_LOCK;
    bool resumed = false, made = access(spec->folder, F_OK) != 0;
    cs_status status = enter(rec, spec->folder, err);
    if (status == CS_OK)
        status = arrive(rec, run, spec, &resumed, err);
    status = agree(run, status, err); /* no file has been overwritten yet */
    if (status == CS_OK)
        status = cs_record_join_sets(rec, spec, err);
    if (status == CS_OK) /* at this point the files match the manifest */
        cs_run_judge_all(run, rec->thin);
    if (status == CS_OK)
        status = cs_record_open_files(rec, run, resumed, err);
    for (size_t a = 0; resumed && a < cs_run_arms(run) && !status; a++)
        status = cs_record_recall(rec, run, a, err);
    if (status == CS_OK)
        status = open_writer(rec, cs_run_arms(run), err);
    if (status == CS_OK)
        status = cs_run_sink(run, cs_record_sink, rec, rec->thin, err);
    if (status == CS_OK && rec->save_warmup)
        cs_run_sink_warmups(run, cs_record_end_warmup);
    status = agree(run, status, err);
    /* Writes the first checkpoint, from which the run can be resumed. */
    if (status == CS_OK && (!resumed || spec->n_parts) && !cs_run_follows(run))
        status = cs_record_keep(rec, run, err);
    if (status) {
        cs_run_sink(run, NULL, NULL, 0, NULL);
        cs_record_destroy(rec);
        if (made) /* removes the folder only if it is empty */
            rmdir(spec->folder);
        return status;
    }
    rec->kept = cs_clock();
    *out = rec;
    return CS_OK;
}
