/* One run of its parts (run/share.h). */
#pragma once

#include "run/run.h"

/* The share that saved bytes are of; refuses those of another run or version,
 * or cut short. */
cs_status cs_run_saved_share(const cs_run *r, const unsigned char *bytes,
                             size_t size, cs_share *out, cs_error *err);

/* Gives the bytes of part i [own, cs_free]. */
typedef cs_status cs_part_fetch(void *self, size_t i, unsigned char **bytes,
                                size_t *size, cs_error *err);

/* Puts a fresh run, of which nothing is shared out, where n parts of it have
 * come to, which together have every chain once. Each is fetched three times,
 * one after the other; there is memory for one. Refuses parts that have not
 * ended, or were changed on the way. Draws that a part leaves to its files are
 * to be read back (cs_run_recall). After a failure the run is of no use. */
cs_status cs_run_merge(cs_run *r, size_t n, cs_part_fetch *fetch, void *self,
                       cs_error *err);
