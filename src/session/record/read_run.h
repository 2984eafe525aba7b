/* A run whose draws are read from files of draws. */
#pragma once

#include "io/watched.h"
#include "run/run.h"

/* Creates the run of all chains in the files, which must exist longer than the
 * run. No arm advances until cs_read_run_limit is called. [own,
 * cs_run_destroy] */
cs_status cs_read_run_create(const cs_watched *files, cs_run **out,
                             cs_error *err);

/* Lets every arm advance to the last draw that all of its chains have. Returns
 * the largest number of these draws. */
uint64_t cs_read_run_limit(const cs_watched *files, cs_run *run);
