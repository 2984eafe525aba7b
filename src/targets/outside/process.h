/* A target that another program evaluates, in any language: it is asked by lines
 * of text on a pipe (assets/doc/models.md), by one process for each thread that
 * asks. */
#pragma once

#include "target/target.h"

typedef struct cs_process_spec {
    const char *const *command; /* words up to a NULL, at least one */
    const char *folder;         /* where it runs; NULL: here */
    double startup, timeout;    /* s for its description; for an answer */
} cs_process_spec;

/* Starts a process, which says what its model is; others are started as threads
 * need them. A process that dies, writes what is no answer, or takes too long ends
 * the chains that asked, and those that ask within a second of it. [own:
 * release] */
cs_status cs_process_target(const cs_process_spec *spec, cs_target **out,
                            cs_error *err);
