/* What the registries hold, seen alike: for `list` and `describe`. */
#pragma once

#include "base/param.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct cs_entry {
    const char *name, *title, *ref, *help;
    const cs_param *params;
    size_t n_params;
    char notes[160];  /* what it can do, what it needs */
    const char *file; /* of a scenario, whose lesson is there; else NULL */
    const struct cs_scheme *scheme; /* of a kernel, or NULL */
} cs_entry;

typedef struct cs_catalogue {
    const char *name; /* "kernels" */
    const char *one;  /* "kernel" */
    /* OPTIONAL. Before `at`: asks another process for the entries. Where the
     * answer does not come, that is the error. */
    cs_status (*read)(cs_error *err);
    /* Entry i that is not hidden; false past the last. */
    bool (*at)(size_t i, cs_entry *entry);
} cs_catalogue;

/* Asks for what the catalogue called `name` (NULL: all of them) lacks. Before
 * anything is printed: what is missing in a list is not seen in it. */
cs_status cs_catalogues_read(const char *name, cs_error *err);

/* Catalogue number i, NULL at the end. */
const cs_catalogue *cs_catalogue_at(size_t i);
