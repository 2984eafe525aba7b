/* Stores a queue of runs (cli/many/queue.h) in a folder, so that a queue can be
 * resumed and parts can be merged:
 *
 *     plan        the command, the options that determine its jobs, a digest
 *                 of the scenarios
 *     job_000012  the result of job 12 (jobs/result.h)
 *
 * Each file is written completely or not at all, and no two jobs share a file,
 * so any number of processes may work in one folder. */
#pragma once

#include "base/page.h"
#include "cli/line/subcommand.h"
#include "jobs/result.h"

/* Appends the text of a plan: the parts of the command line that determine the
 * jobs, and the digest of the scenarios. */
void cs_store_plan(const cs_args *args, uint64_t digest, size_t jobs,
                   cs_page *p);

/* Prepares `folder` for the results of a plan. The folder must be new. With
 * `resume`, it may also contain results of the same plan; if the plan differs,
 * the error names the difference. With `force`, earlier results are removed. */
cs_status cs_store_open(const char *folder, const char *plan, bool resume,
                        bool force, cs_error *err);

/* Write and read the result of job i of n, counted from 0; `name` is a
 * description for human readers. If the file is missing, r->there is false and
 * the call succeeds. A truncated or damaged file, or a file of another plan, is
 * an error that names the file. */
cs_status cs_store_write(const char *folder, const char *plan, size_t i,
                         size_t n, const char *name, const cs_result *r,
                         cs_error *err);
cs_status cs_store_read(const char *folder, const char *plan, size_t i,
                        size_t n, cs_result *r, cs_error *err);

/* Returns true if the folder or one of its subfolders contains a plan. */
bool cs_store_is(const char *folder);

/* Implements chainscope merge for parts of a queue: merges args->word[1 ...],
 * then runs the plan's command on the results in --out. Returns the exit
 * code. */
int cs_store_merge(const cs_args *args);
