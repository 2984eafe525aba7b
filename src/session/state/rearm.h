/* The open run with other arms, or as its file is now. */
#pragma once

#include "run/run.h"

typedef struct cs_session cs_session;

/* Where an arm of a run that is opened with other arms comes from; one that is
 * not named comes from that of its own name, if there is one. */
typedef struct cs_arm_origin {
    const char *name, *from;
} cs_arm_origin;

/* Opens the scenario again with other arms, as the sets say by now, and goes on
 * where the run was: arms that were there are as they were, new ones have
 * their steps still to make. `keep` (NULL: nothing is) does the rest with both
 * runs, source[arms of the new one]. On failure the run stays as it was, unless
 * it says otherwise. */
typedef cs_status cs_rearm_keep(cs_run *next, const cs_run *old,
                                const size_t *source, cs_error *err);
cs_status cs_session_rearm(cs_session *s, const cs_arm_origin *origin, size_t n,
                           cs_rearm_keep *keep, cs_error *err);

/* Opens the file as it is now, and goes on: arms that are in it as they were go on
 * from where they are, others begin anew and make the steps of the others. Where
 * its target, its seed or what else all arms share is another, or `careful` and an
 * arm would be lost, it says so and nothing changes. */
cs_status cs_session_reload(cs_session *s, bool careful, cs_error *err);
