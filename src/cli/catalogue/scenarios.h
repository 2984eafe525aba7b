/* The scenarios of the gallery as rows of the catalogue. */
#pragma once

#include "cli/catalogue/catalogue.h"

/* Requests the scenarios of the gallery from a session, once; if `claims` is
 * true, the session runs all scenarios to count their claims. Call this
 * function before the functions below. After an error or an incomplete answer
 * the list is empty. */
cs_status cs_scenarios_read(bool claims, cs_error *err);
/* Requests the scenarios without counting claims; for the `read` function of a
 * cs_catalogue. */
cs_status cs_scenarios_list(cs_error *err);

bool cs_scenario_entry(size_t i, cs_entry *e);

/* cs_scenario_entry writes scenario i as an entry of a catalogue.
 * cs_paper_entry writes paper i of the papers whose results are tested by
 * scenarios. Both return false past the last entry. */
bool cs_paper_entry(size_t i, cs_entry *e);

/* The description of a scenario, without control characters. */
typedef struct cs_scenario {
    char name[64], folder[64], path[1024];
    char title[200], shows[400], source[200], tags[200];
    size_t papers; /* number of claims that compare a result with a value stated
                    * in a paper; 0 unless claims were requested */
} cs_scenario;

/* Returns scenario number i, or NULL past the last. [borrowed until
 * cs_scenarios_read] */
const cs_scenario *cs_scenario_at(size_t i);
