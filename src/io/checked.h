/* What the laws (chainscope check) have said of scenarios before: a list in the
 * folder of the cache (io/folders.h), newest first. A scenario is known by a
 * digest of its file's text, of what was set, and of this program, built anew or
 * not: whatever of them is another, nothing is known. Files that the scenario
 * reads are no part of it. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_CHECKED_ARMS = 16 };

/* Of an arm, or of the target, which has the name "". */
typedef struct cs_checked_laws {
    char arm[64];
    char broken[32]; /* the first law that was found broken, "": none */
    char held[128];  /* those that held, a blank between */
} cs_checked_laws;

/* Of a scenario. */
typedef struct cs_checked {
    bool whole; /* all laws were tried on all arms */
    size_t n;
    cs_checked_laws of[CS_CHECKED_ARMS + 1];
} cs_checked;

typedef enum cs_badge {
    CS_BADGE_NONE, /* not all laws of all arms were tried */
    CS_BADGE_HELD, /* what could be decided of each holds */
    CS_BADGE_BROKEN
} cs_badge;

/* The digest of a file's text[size] and what was set, "name=value" [n_set]; what
 * no law looks at is left out: a name without a dot or # (the seed, the
 * steps). */
uint64_t cs_checked_key(const char *text, size_t size, const char *const *set,
                        size_t n_set);

/* The list [own: cs_free], NULL: there is none. */
char *cs_checked_read(void);
/* What it says of a scenario; of no list, or where that is not on it: nothing.
 * *out is all there is. */
void cs_checked_find(const char *list, uint64_t key, cs_checked *out);
cs_badge cs_checked_badge(const cs_checked *c);

/* Puts it first, in the place of what was known of that scenario. Without a home,
 * or where it cannot be written, the list stays as it is: that is the error. */
cs_status cs_checked_keep(uint64_t key, const cs_checked *what, cs_error *err);
