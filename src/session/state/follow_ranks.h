/* The session's functions for a run distributed over several ranks
 * (run/arms/world.h). */
#pragma once

#include "base/status.h"

typedef struct cs_session cs_session;

/* Fails on all ranks if `mine` is a failure on at least one rank. */
cs_status cs_session_agree(const cs_session *s, cs_status mine, cs_error *err);
/* Prints which chains each rank moves. */
void cs_session_say_ranks(cs_session *s);
/* Collects all chains of a stopped run on the first rank, and reports the
 * elapsed time. */
cs_status cs_session_gather(cs_session *s, cs_error *err);
/* For ranks other than the first: obeys the orders of the first rank until the
 * end. */
void cs_session_follow(cs_session *s);
void cs_session_end_ranks(cs_session *s);
