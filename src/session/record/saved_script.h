/* A run as a Lua script: its scenario, and everything that was changed on the
 * way, at the step where it took effect. Run, it gives the same draws. */
#pragma once

#include "run/run.h"

/* What is saved. [borrowed] */
typedef struct cs_script_source {
    const cs_run *run;
    const char *scenario;   /* its text; NULL: not known */
    const char *const *set; /* [n_set] what it was opened with */
    size_t n_set;
} cs_script_source;

/* Writes the script to `path`; over a file only if that is such a script too.
 * *lost changes were made by functions of a script: they come again only if
 * the scenario makes them itself. */
cs_status cs_script_save(const cs_script_source *s, const char *path,
                         size_t *lost, cs_error *err);
