/* Saves a run as a Lua script: its scenario, and every change with the step at
 * which it took effect. Running the script gives the same draws. */
#pragma once

#include "run/run.h"

/* The run to save. [borrowed] */
typedef struct cs_script_source {
    const cs_run *run;
    const char *scenario;   /* source text of the scenario; NULL: unknown */
    const char *const *set; /* [n_set] settings with which the run was opened */
    size_t n_set;
} cs_script_source;

/* Writes the script to `path`. Overwrites an existing file only if this file is
 * a saved script. Sets *lost to the number of changes that were made by
 * functions of a script. These changes are repeated only if the scenario makes
 * them again. */
cs_status cs_script_save(const cs_script_source *s, const char *path,
                         size_t *lost, cs_error *err);
