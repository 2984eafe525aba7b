/* What a queue of runs (cli/queue.h) keeps in a folder, so that one that was
 * killed goes on, and parts that were made elsewhere are put together:
 *
 *     plan        the command, its options that say what the jobs are, a digest
 *                 of the scenarios
 *     job_000012  the result of job 12, with the digest of its plan and a sum
 *
 * Files are written whole or not at all, and no two jobs share one, so that any
 * number of processes may work in one folder. */
#pragma once

#include "base/page.h"
#include "cli/subcommand.h"

/* What became of a job. */
typedef struct cs_result {
    bool there;
    char *text;     /* what it was asked for [own]; NULL: it failed */
    char *failure;  /* why [own]; NULL: it did not */
    double seconds; /* that it took */
} cs_result;

void cs_result_fini(cs_result *r);

/* The text of a plan: of the command line what says what the jobs are. */
void cs_store_plan(const cs_args *args, uint64_t digest, size_t jobs,
                   cs_page *p);

/* Makes `folder` ready for the results of a plan: a new one, or with `resume` one
 * that holds results of the same plan; what differs is named. With `force` what it
 * held is removed. */
cs_status cs_store_open(const char *folder, const char *plan, bool resume,
                        bool force, cs_error *err);

/* Writes and reads the result of job i of n, counted from 0; `name` is for who
 * looks into the file. One that is not there is no error: r->there is false. One
 * that is cut short, damaged or of another plan is, by name. */
cs_status cs_store_write(const char *folder, const char *plan, size_t i,
                         size_t n, const char *name, const cs_result *r,
                         cs_error *err);
cs_status cs_store_read(const char *folder, const char *plan, size_t i,
                        size_t n, cs_result *r, cs_error *err);

/* Whether the folder, or one in it, holds a plan. */
bool cs_store_is(const char *folder);

/* chainscope merge of parts of a queue: args->word[1 ...]; then the command of
 * their plan, which finds all that it wants in --out. Returns the exit code. */
int cs_store_merge(const cs_args *args);
