/* The settings of the form "name=value" with which the open run was opened;
 * `restart` uses them again. Changes of the arms are included as settings
 * "arms#N=change". */
#pragma once

#include "base/status.h"
#include <stdbool.h>
#include <stddef.h>

enum { CS_SESSION_SETS = 512 };

typedef struct cs_sets {
    char *set[CS_SESSION_SETS]; /* "name=value" each [own] */
    size_t n;
} cs_sets;

/* Adds the setting "name=value". If a setting of this name exists, replaces
 * it. */
cs_status cs_sets_put(cs_sets *s, const char *name, const char *value,
                      cs_error *err);
/* cs_sets_drop removes the setting of this name, if such a setting exists.
 * cs_sets_clear removes all settings. */
void cs_sets_drop(cs_sets *s, const char *name);
void cs_sets_clear(cs_sets *s);

/* cs_sets_add_arm_change adds a change of the arms.
 * cs_sets_drop_newest_arm_change removes the newest change.
 * cs_sets_drop_arm_change removes the newest change that equals `change`; if
 * there is no such change, it returns false. */
cs_status cs_sets_add_arm_change(cs_sets *s, const char *change, cs_error *err);
void cs_sets_drop_newest_arm_change(cs_sets *s);
bool cs_sets_drop_arm_change(cs_sets *s, const char *change);
