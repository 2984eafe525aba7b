/* A folder of growing files of draws: those of a run that another process
 * writes, or, a folder deeper, of its parts, wherever these are written. */
#pragma once

#include "io/tail.h"

typedef struct cs_watched cs_watched;

/* The chains of an arm that are shown together, in the order of their numbers.
 * One that is far behind the others is left out until it has caught up. */
typedef struct cs_watched_arm {
    const char *name; /* [borrowed] */
    cs_tail **chain;  /* [chains] [borrowed], the list is [own] */
    size_t chains;
    size_t behind;  /* chains that are left out */
    uint64_t ready; /* draws that every one has which has not ended */
    bool ended;     /* there will be no more */
} cs_watched_arm;

/* Finds and reads what is there. Refuses what is no folder, has no draws, has
 * those of several runs, which their heads say, or more than 4096 files.
 * CS_UNKNOWN: there are none yet, which may change; all else will not do.
 * [own, cs_watched_close] */
cs_status cs_watched_open(cs_watched **out, const char *folder, cs_error *err);
void cs_watched_close(cs_watched *w); /* NULL is fine */

/* arm[n] by name [borrowed]. As they are now: `ready` and `ended` follow each
 * look; which chains there are does not, see cs_watched_is_other. */
const cs_watched_arm *cs_watched_arms(const cs_watched *w, size_t *n);
const char *cs_watched_model(const cs_watched *w);
uint64_t cs_watched_seed(const cs_watched *w);

/* Readable when something may have happened; -1: it has to be looked at now and
 * then. cs_watched_wait: after so many seconds even though nothing was told
 * (the folder is another machine's), infinite: never. */
int cs_watched_fd(const cs_watched *w);
double cs_watched_wait(const cs_watched *w);

/* Reads what is new; true: something is. */
bool cs_watched_look(cs_watched *w);

/* Since it was opened a file has been cut or replaced, or the folder itself, chains
 * have come, or one has fallen behind or caught up: it has to be opened anew. Why,
 * in words, or NULL. */
const char *cs_watched_is_other(const cs_watched *w);

/* After that, where it could not be: whether something has happened since, or two
 * seconds are over: there may be another folder of that name by now. */
bool cs_watched_stirs(cs_watched *w);
/* That was tried, and failed: the next try rests as long as this one took. */
void cs_watched_failed(cs_watched *w);

/* The next thing worth telling that has not been told: a row that is none, a
 * writer that has died, the end. false: there is nothing. */
bool cs_watched_tell(cs_watched *w, char *text, size_t size);
