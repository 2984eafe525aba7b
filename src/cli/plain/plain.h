/* The program without a screen, which reads commands as lines and prints
 * sentences. */
#pragma once

#include "session/client/client.h"

/* Reads and executes commands for the open scenario until the input ends.
 * `every` is the number of seconds between progress sentences (0: none).
 * Returns an exit code. */
int cs_plain(cs_client *c, double every);
