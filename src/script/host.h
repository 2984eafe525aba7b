/* The Lua implementation of the session's script interface. */
#pragma once

#include "script/state/state.h"
#include "session/host/script_host.h"

/* Creates a host with its own Lua state. `scenarios` [copied] is the gallery's
 * folder; NULL: the program's own folder. The runs that the host opened must be
 * destroyed before the host. */
cs_status cs_script_host_create(cs_host *out, const cs_script_limits *limits,
                                const char *scenarios, cs_error *err);
/* Sets defaults for scenarios: steps per second on the screen (0: no limit),
 * and threads (0: one per processor). */
void cs_script_host_defaults(cs_host *host, double speed, size_t workers);
void cs_script_host_destroy(cs_host *host);
