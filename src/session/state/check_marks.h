/* The findings of :check about the arms, in this session and in earlier
 * sessions (io/checked.h). */
#pragma once

#include "io/checked.h"

typedef struct cs_session cs_session;

typedef struct cs_checked_arm {
    char name[64];
    char broken[32]; /* the first law that was found broken; "": none */
    unsigned held;   /* laws that held, one bit per law of cs_arm_laws */
    uint64_t as;     /* digest of the kernel and its parameter values, computed
                      * when the laws held */
} cs_checked_arm;

/* The findings about the open run. */
typedef struct cs_checked_run {
    cs_checked_arm arm[CS_CHECKED_ARMS]; /* used entries have a name; the first
                                          * unused one has the name "" */
    char target[32]; /* the first law of the target that was found broken; "":
                        none */
    bool whole;      /* true if all laws were tested on all arms */
} cs_checked_run;

/* cs_session_mark records the first law that was found broken for an arm. If
 * `law` is NULL, it removes this record; if `arm` is NULL, it removes the
 * records of all arms. cs_checked_mark returns the first broken law, or "" if
 * no law was found broken. */
void cs_session_mark(cs_session *s, const char *arm, const char *law);
const char *cs_checked_mark(const cs_checked_run *c, const char *arm);
/* cs_session_hold records a law that held for the named arm. cs_session_held
 * writes the laws that held for the arm, separated by blanks. If the arm was
 * not checked, or has changed since the check, it writes "". */
void cs_session_hold(cs_session *s, const char *name, const char *law);
void cs_session_held(const cs_session *s, size_t arm, char *text, size_t size);
/* cs_session_laws describes the findings: "hold: again record", "BROKEN:
 * reach", "not tried". cs_session_is_checked returns true if any law was
 * tested. */
void cs_session_laws(const cs_session *s, size_t arm, char *text, size_t size);
bool cs_session_is_checked(const cs_session *s);
/* cs_session_recall replaces the findings by the findings that were stored for
 * the open scenario (io/checked.h). cs_session_keep_checked stores the findings
 * if the arms have not changed since the run was opened. */
void cs_session_recall(cs_session *s);
void cs_session_keep_checked(const cs_session *s);
