/* Replicates: runs like the open one, but for their seeds, which all arms share;
 * or, of a sweep, for the value of a parameter. They are made in the background, one at a time, each in a session of its own,
 * and only their figures are kept. */
#pragma once

#include "figure/race.h"
#include "screen/state/app_link.h"

typedef struct cs_replicates cs_replicates;

/* [own: cs_replicates_destroy]; NULL: no memory. */
cs_replicates *cs_replicates_create(const cs_app_link *link);
void cs_replicates_destroy(cs_replicates *r);

/* Begins `n` of the run that the snapshot shows, in the place of those that are
 * there, with the seeds behind its own. Each makes as many steps as that run has
 * made; where it has ended, or made none, those of its budget. */
cs_status cs_replicates_start(cs_replicates *r, const cs_shot *s, size_t n,
                              cs_error *err);
/* The same with a run for each value of `over` ("small.step=0.1..2:log:8"; see
 * session/swept.h), of the seed of the open one; where it is the chains, all of an
 * arm's together make as many steps as those of the open run. */
cs_status cs_replicates_sweep(cs_replicates *r, const cs_shot *s,
                              const char *over, cs_error *err);
/* Ends the one that is being made, and forgets all. */
void cs_replicates_stop(cs_replicates *r);

/* Goes on with them; forgets them where the snapshot is of another run than they
 * were started for. `text` says, where that is news, that they are done, or why
 * they are not, *failed: that this is an error. True: something has changed that
 * is shown. Never waits. */
bool cs_replicates_tend(cs_replicates *r, const cs_shot *s, size_t coordinate,
                        char *text, size_t size, bool *failed);

/* Whether one is being made. */
bool cs_replicates_busy(const cs_replicates *r);
/* Descriptors for poll(); returns how many, at most 2. */
int cs_replicates_fds(const cs_replicates *r, int fd[2]);

const cs_replicas *cs_replicates_made(const cs_replicates *r);
