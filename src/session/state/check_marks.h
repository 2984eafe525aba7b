/* The findings of :check about the arms, in this and in earlier sessions
 * (io/checked.h). */
#pragma once

#include "io/checked.h"

typedef struct cs_session cs_session;

typedef struct cs_checked_arm {
    char name[64];
    char broken[32]; /* the first law found broken, "": none */
    unsigned held;   /* one bit per law of cs_arm_laws that held ... */
    uint64_t as;     /* ... for this digest of kernel and values */
} cs_checked_arm;

/* The findings about the open run. */
typedef struct cs_checked_run {
    cs_checked_arm arm[CS_CHECKED_ARMS]; /* used entries have a name; "" ends
                                            them */
    char target[32]; /* a broken law of the target, "": none */
    bool whole;      /* all laws were tested on all arms */
} cs_checked_run;

/* Records the first law found broken for an arm; law NULL: forgets it, arm
 * NULL: for all arms. cs_checked_mark returns that law, "": none. */
void cs_session_mark(cs_session *s, const char *arm, const char *law);
const char *cs_checked_mark(const cs_checked_run *c, const char *arm);
/* Records a law that held for the named arm. cs_session_held returns the laws
 * that hold for the arm as it is, separated by blanks; "": it was not checked,
 * or has been changed since. */
void cs_session_hold(cs_session *s, const char *name, const char *law);
void cs_session_held(const cs_session *s, size_t arm, char *text, size_t size);
/* Writes both in words: "hold: again record", "BROKEN: reach", "not tried";
 * cs_session_is_checked: true if any law was tested. */
void cs_session_laws(const cs_session *s, size_t arm, char *text, size_t size);
bool cs_session_is_checked(const cs_session *s);
/* Replaces the findings by those stored for the open scenario (io/checked.h);
 * cs_session_keep_checked stores them if the arms are as they were opened. */
void cs_session_recall(cs_session *s);
void cs_session_keep_checked(const cs_session *s);
