/* Walls around a session whose scenario came from a stranger. What a script
 * may call is the script host's matter; this is for what slips through. */
#pragma once

#include <stddef.h>

/* For this process, for good: no new privileges (no setuid program helps it),
 * no core files with what it read, a bounded number of open files, and no more
 * memory than three quarters of the machine's, so that a scenario that wants
 * all of it gets an error instead of bringing the machine down; and `memory`
 * bytes for what it makes the core hold: targets, data, runs (0: no limit). */
void cs_session_confine(size_t memory);
