/* What :check has found of the arms, now and in runs before (io/checked.h). */
#pragma once

#include "io/checked.h"

typedef struct cs_session cs_session;

typedef struct cs_checked_arm {
    char name[64];
    char broken[32]; /* the first law that was found broken, "": none */
    unsigned held;   /* a bit for each of cs_arm_laws that held ... */
    uint64_t as;     /* ... of the kernel and its values that this is of */
} cs_checked_arm;

/* The same of the open run. */
typedef struct cs_checked_run {
    cs_checked_arm arm[CS_CHECKED_ARMS]; /* with a name, "" behind */
    char target[32]; /* a law of the target that is broken, "": none */
    bool whole;      /* all laws were tried on all arms */
} cs_checked_run;

/* Remembers the first law that was found broken of an arm; law NULL: forgets
 * it, arm NULL: of all. And that law, "": none is known. */
void cs_session_mark(cs_session *s, const char *arm, const char *law);
const char *cs_checked_mark(const cs_checked_run *c, const char *arm);
/* Remembers a law that held of the arm of that name. And those of an arm as it
 * is, names with a blank between; "": it was not checked, or has been changed
 * since. */
void cs_session_hold(cs_session *s, const char *name, const char *law);
void cs_session_held(const cs_session *s, size_t arm, char *text, size_t size);
/* Both in words: "hold: again record", "BROKEN: reach", "not tried"; and whether
 * anything was tried. */
void cs_session_laws(const cs_session *s, size_t arm, char *text, size_t size);
bool cs_session_is_checked(const cs_session *s);
/* Forgets all but what the list has of the scenario that is open (io/checked.h);
 * writes it there, where its arms are as they were opened. */
void cs_session_recall(cs_session *s);
void cs_session_keep_checked(const cs_session *s);
