/* The Lua implementation of the session's script interface. */
#pragma once

#include "script/state/state.h"
#include "session/host/script_host.h"

/* A host with its own state. `scenarios` [copied]: the gallery's folder, NULL
 * for the program's own. Destroy it after the runs that it opened. */
cs_status cs_script_host_create(cs_host *out, const cs_script_limits *limits,
                                const char *scenarios, cs_error *err);
/* Sets the defaults of scenarios: steps per second on the screen, 0 for no
 * limit; threads, 0 for one per processor. */
void cs_script_host_defaults(cs_host *host, double speed, size_t workers);
void cs_script_host_destroy(cs_host *host);
