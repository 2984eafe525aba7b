/* Results of the laws (chainscope check) for scenarios: a list in the cache
 * folder (io/folders.h), newest first. A scenario is identified by a digest of
 * its text, its settings and this program's build; if any of them changes,
 * nothing is known. Files that the scenario reads are not included. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_CHECKED_ARMS = 16 };

/* The results for an arm, or for the target, whose name is "". */
typedef struct cs_checked_laws {
    char arm[64];
    char broken[32]; /* the first broken law; "": none */
    char held[128];  /* laws that hold, separated by blanks */
} cs_checked_laws;

/* The results for a scenario. */
typedef struct cs_checked {
    bool whole; /* all laws were tested on all arms */
    size_t n;
    cs_checked_laws of[CS_CHECKED_ARMS + 1];
} cs_checked;

typedef enum cs_badge {
    CS_BADGE_NONE, /* not all laws of all arms were tested */
    CS_BADGE_HELD, /* no law is broken */
    CS_BADGE_BROKEN
} cs_badge;

/* Returns the digest of text[size] and the settings "name=value" [n_set]. Names
 * without a dot or # (seed, steps), which no law depends on, are left out. */
uint64_t cs_checked_key(const char *text, size_t size, const char *const *set,
                        size_t n_set);

/* Reads the list [own: cs_free]; NULL: none. */
char *cs_checked_read(void);
/* Finds the results for a scenario in a list; none if the list is NULL or lacks
 * it. *out is overwritten. */
void cs_checked_find(const char *list, uint64_t key, cs_checked *out);
cs_badge cs_checked_badge(const cs_checked *c);

/* Puts the results first and removes the scenario's old ones. Without a home
 * folder, or if the list cannot be written, it stays unchanged and that is the
 * error. */
cs_status cs_checked_keep(uint64_t key, const cs_checked *what, cs_error *err);
