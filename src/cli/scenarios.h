/* The scenarios of the gallery as rows of the catalogue. */
#pragma once

#include "cli/catalogue.h"

/* Asks a session for the scenarios of the gallery, once; with `claims` it runs
 * them all, to count what they claim. Before all below. An answer that does not
 * come, or not whole, is the error, and there are no scenarios then. */
cs_status cs_scenarios_read(bool claims, cs_error *err);
/* The same without claims: a cs_catalogue's `read`. */
cs_status cs_scenarios_list(cs_error *err);

bool cs_scenario_entry(size_t i, cs_entry *e);

/* The papers whose printed figures some of them carry, likewise. */
bool cs_paper_entry(size_t i, cs_entry *e);

/* What a scenario says of itself, cleaned for a terminal. */
typedef struct cs_scenario {
    char name[64], folder[64], path[1024];
    char title[200], shows[400], source[200];
    size_t papers; /* claims that carry what a paper printed; 0 unless
                      these were asked for */
} cs_scenario;

/* Scenario number i, NULL past the last. [borrowed until
 * cs_scenarios_read] */
const cs_scenario *cs_scenario_at(size_t i);
