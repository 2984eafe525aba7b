/* A target that another program evaluates, which may be written in any
 * language. Requests and answers are lines of text on pipes
 * (assets/doc/models.md). Each thread uses one process. */
#pragma once

#include "target/target.h"

typedef struct cs_process_spec {
    const char *const *command; /* words of the command, at least one; ends with
                                   NULL */
    const char *folder;         /* folder in which the program runs; NULL: the
                                   current folder */
    double startup, timeout;    /* time limits in seconds. startup: for the
                                   description of the model; timeout: for each
                                   answer */
} cs_process_spec;

/* Starts a process and reads the description of its model. More processes are
 * started when more threads need them. If a process dies, writes an invalid
 * answer or takes too long, the chains that this process evaluates fail. All
 * chains that are evaluated within the next second fail, too. [own: release] */
cs_status cs_process_target(const cs_process_spec *spec, cs_target **out,
                            cs_error *err);
