/* A uniform interface to the registries, used by `list` and `describe`. */
#pragma once

#include "base/param.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct cs_entry {
    const char *name, *title, *ref, *help;
    const cs_param *params;
    size_t n_params;
    char notes[160]; /* properties and requirements, in words */
    /* for a scenario, its file, which contains the lesson; NULL for other
     * entries */
    const char *file;
    /* for a kernel, "member", or "-" if it cannot be a member of a cycle or a
     * mixture; NULL for other entries */
    const char *member;
    const char *no_member; /* the reason, after the kernel's name; NULL: it can
                              be a member */
    const struct cs_scheme *scheme; /* scheme of a kernel; NULL for other
                                     * entries */
} cs_entry;

typedef struct cs_catalogue {
    const char *name; /* plural name: "kernels" */
    const char *one;  /* singular name: "kernel" */
    /* OPTIONAL. Requests the entries from another process; call before `at`.
     * Fails if no answer arrives. */
    cs_status (*read)(cs_error *err);
    /* Writes entry number i to *entry; hidden entries are not counted. Returns
     * false past the last entry. */
    bool (*at)(size_t i, cs_entry *entry);
} cs_catalogue;

/* Requests the missing entries of the catalogue `name` (NULL: all catalogues).
 * Call before printing, so that an error is reported; otherwise the list would
 * be incomplete without a message. */
cs_status cs_catalogues_read(const char *name, cs_error *err);

/* Returns catalogue number i, or NULL at the end. */
const cs_catalogue *cs_catalogue_at(size_t i);
