/* Background runs: runs like the open run (jobs/jobs.h), each in its own
 * session. Replicates differ in their seeds, the runs of a sweep in the
 * value of a parameter, and the runs of a calibration in their simulated
 * data. Each idle processor makes one run at a time; while the open run is
 * running, one processor is reserved for it. Results are stored. Incomplete
 * requests continue when the same run is opened again. */
#pragma once

#include "jobs/jobs.h"
#include "race/race.h"
#include "race/shot.h"
#include "screen/panels/calibrated.h"
#include "screen/state/app_link.h"
#include "session/client/wire.h"

typedef enum cs_background_kind {
    CS_REPLICATES_RUN,
    CS_SWEEP_RUN,
    CS_CALIBRATION_RUN,
    CS_BACKGROUND_KINDS
} cs_background_kind;

enum { CS_BACKGROUND_FDS = CS_BACKGROUND_KINDS * CS_JOBS_FDS };

typedef struct cs_background cs_background;

/* Creates an object without runs. Returns NULL if memory runs out. [own:
 * cs_background_destroy] */
cs_background *cs_background_create(const cs_app_link *link);
/* Ends the sessions. Requests continue when their run is opened again. */
void cs_background_destroy(cs_background *b);
/* Sets the folder where results and requests are stored from now on. */
void cs_background_keep(cs_background *b, const char *folder);

/* Starts runs of a kind for the run in the snapshot, replacing earlier runs
 * of that kind. `typed`: the number of runs, or the values of a sweep
 * ("small.step=0.1..2:log:8", session/client/sweep_axis.h). Replicates and
 * runs of a sweep make the number of steps that the open run has made or, if
 * it has ended or made no steps, the number of steps in its budget.
 * Replicates use the seeds after the open run's seed; runs of a sweep use
 * the same seed as the open run. In a sweep over the number of chains, the
 * total number of steps of an arm's chains is the same as in the open run.
 * `coordinate`: the chosen coordinate. */
cs_status cs_background_start(cs_background *b, cs_background_kind kind,
                              const cs_shot *s, const char *typed,
                              size_t coordinate, cs_error *err);
/* Ends the runs of a kind and discards their results, except results stored on
 * disk. */
void cs_background_stop(cs_background *b, cs_background_kind kind);

/* Continues all runs; drops runs that do not belong to the run in the
 * snapshot, and resumes the requests stored for this run. Calls `say` for
 * each message; `failed`: the message is an error. Returns true if the
 * display has changed. Never blocks. */
typedef void cs_background_say(void *to, const char *text, bool failed);
bool cs_background_tend(cs_background *b, const cs_shot *s,
                        cs_background_say *say, void *to);

bool cs_background_busy(const cs_background *b);
/* Writes descriptors for poll() to fd[CS_BACKGROUND_FDS]. Returns the number of
 * descriptors. */
int cs_background_fds(const cs_background *b, int *fd);

/* cs_background_replicas returns the results so far of CS_REPLICATES_RUN or
 * CS_SWEEP_RUN; cs_background_calibrated returns the results so far of
 * CS_CALIBRATION_RUN. [borrowed] */
const cs_replicas *cs_background_replicas(const cs_background *b,
                                          cs_background_kind kind);
const cs_calibrated *cs_background_calibrated(const cs_background *b);
