/* The program without a screen: reads lines and prints sentences. */
#pragma once

#include "session/client/client.h"

/* Reads commands for the open scenario until the input ends. `every`: seconds
 * between progress sentences; 0: none. Returns an exit code. */
int cs_plain(cs_client *c, double every);
