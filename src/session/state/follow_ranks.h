/* What a session does where several ranks move one run (run/ranks.h). */
#pragma once

#include "base/status.h"

typedef struct cs_session cs_session;

/* All fail where one did. */
cs_status cs_session_agree(const cs_session *s, cs_status mine, cs_error *err);
/* Tells the user what each rank does. */
void cs_session_say_ranks(cs_session *s);
/* The first has all of a run that comes to rest, and says what it took. */
cs_status cs_session_gather(cs_session *s, cs_error *err);
/* Of the others: does what the first orders, until that ends. */
void cs_session_follow(cs_session *s);
void cs_session_end_ranks(cs_session *s);
