/* Results of `chainscope check` for scenarios: a list in the cache folder
 * (files/folders.h), newest first. A scenario is identified by a digest of
 * three things: its text, its settings and the build of this program. If any of
 * them changes, the stored results no longer apply. The digest does not include
 * the files that the scenario reads. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_CHECKED_ARMS = 16 };

/* The results for an arm, or for the target, which has the name "". */
typedef struct cs_checked_laws {
    char arm[64];
    char broken[32]; /* the first broken law; "": none */
    char held[128];  /* laws that hold, separated by blanks */
} cs_checked_laws;

/* The results for a scenario. */
typedef struct cs_checked {
    bool whole; /* true if all laws were tested on all arms */
    size_t n;
    cs_checked_laws of[CS_CHECKED_ARMS + 1];
} cs_checked;

typedef enum cs_badge {
    CS_BADGE_NONE, /* not all laws of all arms were tested */
    CS_BADGE_HELD, /* no law is broken */
    CS_BADGE_BROKEN
} cs_badge;

/* Returns the digest of text[size] and of the settings "name=value" [n_set].
 * Settings whose names contain neither a dot nor # (such as seed and steps) are
 * left out, since no law depends on these settings. */
uint64_t cs_checked_key(const char *text, size_t size, const char *const *set,
                        size_t n_set);

/* Reads the list [own: cs_free]; NULL if there is no list. */
char *cs_checked_read(void);
/* Finds the results for a scenario in a list and writes them to *out. The
 * results are empty if the list is NULL or has no such scenario. */
void cs_checked_find(const char *list, uint64_t key, cs_checked *out);
cs_badge cs_checked_badge(const cs_checked *c);

/* Adds the results for a scenario at the start of the list and removes its old
 * results. If there is no home folder or the list cannot be written, fails and
 * leaves the list unchanged. */
cs_status cs_checked_keep(uint64_t key, const cs_checked *what, cs_error *err);
