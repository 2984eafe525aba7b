/* A folder of growing files of draws: of a run that another process writes, or,
 * in subfolders, of its parts. */
#pragma once

#include "io/tail.h"

typedef struct cs_watched cs_watched;

/* The chains of an arm that are shown together, ordered by number. A chain far
 * behind the others is left out until it has caught up. */
typedef struct cs_watched_arm {
    const char *name; /* [borrowed] */
    cs_tail **chain;  /* [chains] [borrowed], the list is [own] */
    size_t chains;
    size_t behind;  /* number of chains left out */
    uint64_t ready; /* draws that every unfinished chain has */
    bool ended;     /* no more draws will follow */
} cs_watched_arm;

/* Finds and reads the files. Rejects anything that is not a folder, has no
 * draws, has draws of several runs according to their headers, or has more than
 * 4096 files. CS_UNKNOWN: there are no draws yet; other errors are permanent.
 * [own, cs_watched_close] */
cs_status cs_watched_open(cs_watched **out, const char *folder, cs_error *err);
void cs_watched_close(cs_watched *w); /* NULL is allowed */

/* Returns arm[n], ordered by name [borrowed]. `ready` and `ended` are updated
 * by each look; the set of chains is not: see cs_watched_is_other. */
const cs_watched_arm *cs_watched_arms(const cs_watched *w, size_t *n);
const char *cs_watched_model(const cs_watched *w);
uint64_t cs_watched_seed(const cs_watched *w);

/* Returns a descriptor that is readable when something may have changed; -1:
 * poll. cs_watched_wait returns the seconds after which to look anyway (the
 * folder may be on another machine); infinite: never. */
int cs_watched_fd(const cs_watched *w);
double cs_watched_wait(const cs_watched *w);

/* Reads new rows; returns true if there are any. */
bool cs_watched_look(cs_watched *w);

/* Returns why the folder must be reopened, or NULL: a file or the folder was
 * truncated or replaced, or chains have appeared, fallen behind or caught
 * up. */
const char *cs_watched_is_other(const cs_watched *w);

/* After a failed reopening, returns true if something has changed or two
 * seconds have passed: another folder may have that name now. */
bool cs_watched_stirs(cs_watched *w);
/* Reports that a reopening failed: the next attempt waits as long as this one
 * took. */
void cs_watched_failed(cs_watched *w);

/* Returns the path [borrowed] of an unfinished chain with fewer draws than
 * others of the arm; NULL: none. *draws: draws used per chain; *longest: draws
 * of the longest chain. */
const char *cs_watched_short(const cs_watched *w, size_t arm, uint64_t *draws,
                             uint64_t *longest);

/* Writes the next unreported event: an invalid row, a dead writer, the end.
 * Returns false if there is none. */
bool cs_watched_tell(cs_watched *w, char *text, size_t size);
