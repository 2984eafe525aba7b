/* The script language behind the table that the session knows. */
#pragma once

#include "script/state/state.h"
#include "session/host.h"

/* A host over a state of its own. `scenarios` [copied]: the gallery's folder,
 * NULL for those of the program. Destroy after the runs it opened. */
cs_status cs_script_host_create(cs_host *out, const cs_script_limits *limits,
                                const char *scenarios, cs_error *err);
/* What holds for scenarios that do not say: steps a second on the screen, 0: no
 * limit; threads, 0: as many as there are processors. */
void cs_script_host_defaults(cs_host *host, double speed, size_t workers);
void cs_script_host_destroy(cs_host *host);
