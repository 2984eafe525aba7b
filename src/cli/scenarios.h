/* The scenarios of the gallery as rows of the catalogue. */
#ifndef CS_CLI_SCENARIOS_H
#define CS_CLI_SCENARIOS_H

#include "cli/catalogue.h"

bool cs_scenario_entry(size_t i, cs_entry *e);

/* The papers whose printed figures some of them carry, likewise. */
bool cs_paper_entry(size_t i, cs_entry *e);

/* What a scenario says of itself, cleaned for a terminal. */
typedef struct cs_scenario {
    char name[64], folder[64], path[1024];
    char title[200], shows[400], source[200];
    size_t papers; /* claims that carry what a paper printed; 0 before
                      cs_scenario_claims */
} cs_scenario;

/* Scenario number i, NULL past the last. [borrowed until cs_scenario_claims] */
const cs_scenario *cs_scenario_at(size_t i);

/* Runs them all, to count what they claim. */
void cs_scenario_claims(void);

#endif
