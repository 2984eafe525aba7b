/* The sets that the open run was opened with, "name=value" each: `restart` uses
 * the same. */
#pragma once

#include "base/status.h"
#include <stdbool.h>
#include <stddef.h>

enum { CS_SESSION_SETS = 512 };

typedef struct cs_sets {
    char *set[CS_SESSION_SETS]; /* [own] */
    size_t n;
} cs_sets;

/* Adds "name=value"; replaces an earlier set of that name. */
cs_status cs_sets_put(cs_sets *s, const char *name, const char *value,
                      cs_error *err);
/* Removes the set of that name, if any; cs_sets_clear removes all sets. */
void cs_sets_drop(cs_sets *s, const char *name);
void cs_sets_clear(cs_sets *s);

/* Adds a change of the arms; the other functions remove the newest, or the
 * newest equal to `change` (false if there is none). */
cs_status cs_sets_add_arm_change(cs_sets *s, const char *change, cs_error *err);
void cs_sets_drop_newest_arm_change(cs_sets *s);
bool cs_sets_drop_arm_change(cs_sets *s, const char *change);
