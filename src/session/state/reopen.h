/* Reopens the run with other arms, or from the current text of its file. */
#pragma once

#include "run/run.h"

typedef struct cs_session cs_session;

/* Origin of an arm when a run is reopened with other arms: the old arm from
 * which the arm is taken. If an arm has no entry, it is taken from the old arm
 * with its name, if such an old arm exists. */
typedef struct cs_arm_origin {
    const char *name, *from;
} cs_arm_origin;

/* Transfers additional data from the old run to the new one; source[arms]
 * holds, for each arm of the new run, the old arm from which it is taken. */
typedef cs_status cs_reopen_transfer(cs_run *next, const cs_run *old,
                                     const size_t *source, cs_error *err);

/* Reopens the scenario with the arms that the settings now define, and
 * continues at the step of the run. Existing arms are transferred; new arms
 * still have to make their steps. If `keep` is not NULL, it is called to
 * transfer additional data. On failure the run remains unchanged unless the
 * error states otherwise. */
cs_status cs_session_reopen(cs_session *s, const cs_arm_origin *origin,
                            size_t n, cs_reopen_transfer *keep, cs_error *err);

/* Reopens the file with its current text and continues: unchanged arms continue
 * from their states; other arms start again and then make the steps that the
 * unchanged arms have made. If the target, the seed or another shared setting
 * differs, the function fails and changes nothing. If `careful` is true, it
 * also fails if an arm would be lost. */
cs_status cs_session_reload(cs_session *s, bool careful, cs_error *err);
