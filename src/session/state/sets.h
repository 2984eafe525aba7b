/* What the open run was opened with, "name=value" each: `restart` opens it with
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

/* Adds "name=value", in the place of an earlier one of that name. */
cs_status cs_sets_put(cs_sets *s, const char *name, const char *value,
                      cs_error *err);
/* Takes out the one of that name, if there is one; all. */
void cs_sets_drop(cs_sets *s, const char *name);
void cs_sets_clear(cs_sets *s);

/* Adds a change of the arms; takes the newest out again, or the newest that is
 * `change`: false: there is none. */
cs_status cs_sets_add_arm_change(cs_sets *s, const char *change, cs_error *err);
void cs_sets_drop_newest_arm_change(cs_sets *s);
bool cs_sets_drop_arm_change(cs_sets *s, const char *change);
