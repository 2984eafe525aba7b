/* Merges the parts of a run (run/arms/share.h). */
#pragma once

#include "run/arms/share.h"
#include "run/arms/spec.h"

/* Reads the share from saved bytes. Fails if the bytes belong to another run or
 * version, or are cut short. */
cs_status cs_run_saved_share(const cs_run *r, const unsigned char *bytes,
                             size_t size, cs_share *out, cs_error *err);

/* Returns the bytes of part i [own, cs_free]. */
typedef cs_status cs_part_fetch(void *self, size_t i, unsigned char **bytes,
                                size_t *size, cs_error *err);

/* Sets a new, undivided run to the state of its n parts, which together contain
 * every chain once. Each part is fetched three times, so that only one is in
 * memory at a time. Fails if a part has not ended, or if the changes made to
 * its arms differ from those of `r`. If a part has draws only in files, the
 * caller must read them back (cs_run_recall). After a failure the run cannot be
 * used. */
cs_status cs_run_merge(cs_run *r, size_t n, cs_part_fetch *fetch, void *self,
                       cs_error *err);
