/* Simulation-based calibration of the open scenario in the background: runs of
 * simulated data, one at a time, each in a session of its own, of which the ranks
 * are kept. (`chainscope sbc` does the same on all cores, and keeps them.) */
#pragma once

#include "figure/shot.h"
#include "screen/panels/calibrated.h"
#include "screen/state/app_link.h"

typedef struct cs_calibrations cs_calibrations;

/* [own: cs_calibrations_destroy]; NULL: no memory. */
cs_calibrations *cs_calibrations_create(const cs_app_link *link);
void cs_calibrations_destroy(cs_calibrations *c);

/* Begins with n data sets of the scenario that the snapshot shows, in the place of
 * those that are there; 0 ends them. */
cs_status cs_calibrations_start(cs_calibrations *c, const cs_shot *s, size_t n,
                                cs_error *err);

/* As cs_replicates_tend, cs_replicates_busy, cs_replicates_fds. */
bool cs_calibrations_tend(cs_calibrations *c, const cs_shot *s, char *text,
                          size_t size, bool *failed);
bool cs_calibrations_busy(const cs_calibrations *c);
int cs_calibrations_fds(const cs_calibrations *c, int fd[2]);

const cs_calibrated *cs_calibrations_made(const cs_calibrations *c);
