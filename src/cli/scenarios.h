/* The scenarios of the gallery as rows of the catalogue. */
#ifndef CS_CLI_SCENARIOS_H
#define CS_CLI_SCENARIOS_H

#include "cli/catalogue.h"

bool cs_scenario_entry(size_t i, cs_entry *e);

#endif
