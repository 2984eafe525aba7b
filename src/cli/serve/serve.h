/* Shows the watched run as a web page on 127.0.0.1, which follows the run. */
#pragma once

#include "cli/line/subcommand.h"

/* Opens the folder args->word[0], prints the address of the page, and serves
 * the page until a signal of cli/line/stop.h arrives. The port is the value of
 * --serve; without a value it is 8787, or any free port if 8787 is in use.
 * Returns the exit code. */
int cs_serve_main(const cs_args *args);
