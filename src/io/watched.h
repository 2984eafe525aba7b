/* A folder in which a run in another process writes files of draws, which grow.
 * The files of the run's parts are in subfolders. */
#pragma once

#include "io/tail.h"

typedef struct cs_watched cs_watched;

/* The chains of an arm that are displayed together, ordered by number. A chain
 * that has far fewer draws than the others is not displayed until it has caught
 * up. */
typedef struct cs_watched_arm {
    const char *name; /* name of the arm [borrowed] */
    cs_tail **chain;  /* [chains] [borrowed]; the list is [own] */
    size_t chains;
    size_t behind;  /* number of chains left out */
    uint64_t ready; /* number of draws that every unfinished chain has */
    bool ended;     /* true if no more draws will follow */
} cs_watched_arm;

/* Finds and reads the files. Fails if the path is not a folder, if the folder
 * has no draws or more than 4096 files, or if the files' headers show draws of
 * several runs. The status CS_UNKNOWN means that there are no draws yet; all
 * other errors are permanent. [own, cs_watched_close] */
cs_status cs_watched_open(cs_watched **out, const char *folder, cs_error *err);
void cs_watched_close(cs_watched *w); /* NULL is allowed */

/* Returns arm[n], ordered by name [borrowed]. Each cs_watched_look updates
 * `ready` and `ended`, but not the set of chains; see cs_watched_is_other. */
const cs_watched_arm *cs_watched_arms(const cs_watched *w, size_t *n);
const char *cs_watched_model(const cs_watched *w);
uint64_t cs_watched_seed(const cs_watched *w);

/* cs_watched_fd returns a descriptor that becomes readable when the files may
 * have changed. If it returns -1, there is no such descriptor, and the caller
 * must check regularly. cs_watched_wait returns the number of seconds after
 * which to check in any case, since another machine may write to the folder
 * (infinity: never). */
int cs_watched_fd(const cs_watched *w);
double cs_watched_wait(const cs_watched *w);

/* Reads new rows; returns true if there were new rows. */
bool cs_watched_look(cs_watched *w);

/* Returns the reason why the folder must be reopened, or NULL. Possible reasons
 * are that a file or the folder was truncated or replaced, or that chains have
 * appeared, have fallen behind the others or have caught up. */
const char *cs_watched_is_other(const cs_watched *w);

/* Call this function after an attempt to reopen the folder has failed. Returns
 * true if the files have changed, or if two seconds have passed, because
 * another folder may have the same name by then. */
bool cs_watched_stirs(cs_watched *w);
/* Records that an attempt to reopen the folder has failed. The next attempt
 * follows after a pause that is as long as the failed attempt. */
void cs_watched_failed(cs_watched *w);

/* Returns the path [borrowed] of an unfinished chain that has fewer draws than
 * other chains of the arm; NULL if there is no such chain. Sets *draws to the
 * number of draws used per chain, and *longest to the number of draws of the
 * longest chain. */
const char *cs_watched_short(const cs_watched *w, size_t arm, uint64_t *draws,
                             uint64_t *longest);

/* Writes the next event that has not been reported yet: an invalid row, a dead
 * writer, or the end of the run. Returns false if there is no such event. */
bool cs_watched_tell(cs_watched *w, char *text, size_t size);
