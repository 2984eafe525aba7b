/* Limits the resources of a session whose scenario is not trusted. The script
 * host decides which functions a script may call; these limits are a second
 * barrier. */
#pragma once

#include <stddef.h>

/* Permanently restricts this process: no new privileges (setuid programs have
 * no effect); no core files, which would contain the data that the process has
 * read; a limited number of open files; and at most three quarters of the
 * machine's memory, so that a scenario that requests more memory gets an error
 * and the machine remains usable. Objects that the process creates in the core
 * (targets, data, runs) may use `memory` bytes (0: no limit). */
void cs_session_confine(size_t memory);
