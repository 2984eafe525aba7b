/* The checkpoint file of a run that can be resumed. It contains the run's bytes
 * and the state of each file of draws. The file has a version number and a
 * checksum, is little-endian, and is written completely or not at all. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_checkpoint {
    cs_cmdstan_mark *mark; /* [n_marks] states of the files of draws */
    size_t n_marks;
    uint64_t thin;
    bool save_warmup;
    char *sets;         /* "arm.param=value\n" ...: settings given by the user,
                         * or NULL */
    unsigned char *run; /* [size] bytes of the run, from cs_run_save */
    size_t size;
} cs_checkpoint;

cs_status cs_checkpoint_write(const char *path, const cs_checkpoint *c,
                              cs_error *err);

/* Reads a checkpoint and validates all of its bytes. The result is [own:
 * cs_checkpoint_fini]. */
cs_status cs_checkpoint_read(cs_checkpoint *out, const char *path,
                             cs_error *err);
void cs_checkpoint_fini(cs_checkpoint *c);
