/* The program without a grid of cells: lines in, sentences out. */
#pragma once

#include "session/client.h"

/* With what is open: reads lines until there are no more; `every`: seconds
 * between two sentences of how far a run is, 0: none. Returns an exit code. */
int cs_plain(cs_client *c, double every);
