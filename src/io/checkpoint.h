/* The file of a run that can be resumed: the run's own bytes, and the state of
 * each file of draws. Versioned, checksummed, little-endian, written completely
 * or not at all. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_checkpoint {
    cs_cmdstan_mark *mark; /* [n_marks] */
    size_t n_marks;
    uint64_t thin;
    bool save_warmup;
    char *sets;         /* "arm.param=value\n" ...: settings from outside, or
                         * NULL */
    unsigned char *run; /* [size] from cs_run_save */
    size_t size;
} cs_checkpoint;

cs_status cs_checkpoint_write(const char *path, const cs_checkpoint *c,
                              cs_error *err);

/* Reads a checkpoint, validating every byte. [own: cs_checkpoint_fini] */
cs_status cs_checkpoint_read(cs_checkpoint *out, const char *path,
                             cs_error *err);
void cs_checkpoint_fini(cs_checkpoint *c);
