/* Merges the parts of a run (run/arms/share.h). */
#pragma once

#include "run/arms/share.h"
#include "run/arms/spec.h"

/* Reads the share of saved bytes; rejects those of another run or version, or
 * cut short. */
cs_status cs_run_saved_share(const cs_run *r, const unsigned char *bytes,
                             size_t size, cs_share *out, cs_error *err);

/* Fetches the bytes of part i [own, cs_free]. */
typedef cs_status cs_part_fetch(void *self, size_t i, unsigned char **bytes,
                                size_t *size, cs_error *err);

/* Sets a fresh, unshared run to the state of its n parts, which together have
 * every chain once. Each part is fetched three times, one after another, so
 * that only one is in memory. Rejects parts that have not ended, or were
 * changed during their run. Draws that a part has left in its files are to be
 * read back (cs_run_recall). After a failure the run cannot be used. */
cs_status cs_run_merge(cs_run *r, size_t n, cs_part_fetch *fetch, void *self,
                       cs_error *err);
