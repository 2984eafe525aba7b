/* Runs like the open one, made in the background (jobs/jobs.h), each in a session of
 * its own: replicates, which differ by their seeds; a sweep, whose runs differ by the
 * value of a parameter; a calibration, whose runs have simulated data. Each idle
 * processor makes one, and one processor is left to the open run while it moves.
 * Results are kept; what is not complete goes on when the same run is opened again. */
#pragma once

#include "figure/race.h"
#include "jobs/jobs.h"
#include "screen/panels/calibrated.h"
#include "screen/state/app_link.h"

typedef enum cs_background_kind {
    CS_REPLICATES_RUN,
    CS_SWEEP_RUN,
    CS_CALIBRATION_RUN,
    CS_BACKGROUND_KINDS
} cs_background_kind;

enum { CS_BACKGROUND_FDS = CS_BACKGROUND_KINDS * CS_JOBS_FDS };

typedef struct cs_background cs_background;

/* [own: cs_background_destroy]; NULL: no memory. */
cs_background *cs_background_create(const cs_app_link *link);
/* Ends the sessions; what was asked for goes on when its run is opened again. */
void cs_background_destroy(cs_background *b);
/* From now on results and requests are kept in `folder`. */
void cs_background_keep(cs_background *b, const char *folder);

/* Starts those of a kind for the run that the snapshot shows, in the place of others
 * of that kind. `typed`: how many, or of a sweep the values ("small.step=0.1..2:log:8",
 * session/swept.h). Replicates and runs of a sweep make as many steps as the open run
 * has made; where it has ended, or made none, those of its budget. Replicates have
 * the seeds after that of the open run, runs of a sweep its own; where that is over
 * chains, an arm's chains together make as many steps as those of the open run.
 * `coordinate`: the one that is chosen. */
cs_status cs_background_start(cs_background *b, cs_background_kind kind,
                              const cs_shot *s, const char *typed,
                              size_t coordinate, cs_error *err);
/* Ends them and forgets what they found, but for what is kept. */
void cs_background_stop(cs_background *b, cs_background_kind kind);

/* Goes on with all; forgets those of another run than the snapshot shows, and
 * resumes those that were asked for of this one. `say` is called with each piece of
 * news; failed: it is an error. Returns whether something that is shown has changed.
 * Never waits. */
typedef void cs_background_say(void *to, const char *text, bool failed);
bool cs_background_tend(cs_background *b, const cs_shot *s,
                        cs_background_say *say, void *to);

bool cs_background_busy(const cs_background *b);
/* Descriptors for poll(), into fd[CS_BACKGROUND_FDS]; returns how many. */
int cs_background_fds(const cs_background *b, int *fd);

/* What was found so far, of kind CS_REPLICATES_RUN or CS_SWEEP_RUN; of
 * CS_CALIBRATION_RUN. [borrowed] */
const cs_replicas *cs_background_replicas(const cs_background *b,
                                          cs_background_kind kind);
const cs_calibrated *cs_background_calibrated(const cs_background *b);
