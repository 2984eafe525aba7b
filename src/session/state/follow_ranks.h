/* The session's part in moving one run by several ranks (run/ranks.h). */
#pragma once

#include "base/status.h"

typedef struct cs_session cs_session;

/* Fails on all ranks if it failed on one. */
cs_status cs_session_agree(const cs_session *s, cs_status mine, cs_error *err);
/* Prints the chains of each rank for the user. */
void cs_session_say_ranks(cs_session *s);
/* Gathers a run that comes to rest on the first rank, and reports the time
 * taken. */
cs_status cs_session_gather(cs_session *s, cs_error *err);
/* On the other ranks: follows the orders of the first until the end. */
void cs_session_follow(cs_session *s);
void cs_session_end_ranks(cs_session *s);
