/* What is known of an arm beside its figures: the modes that it visited, its
 * distances from exact answers, the sites of a discrete state. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* The share of the draws that come from bins whose weights are still being
 * learned; NaN: the kernel has none. */
double cs_learning_share(const cs_run *run, size_t arm);

/* Lines for people, and fields of a JSON object: modes, modes_visited,
 * mode_shares over all chains, modes_visited_by_all, mode_chains, mode_visits;
 * distances, and distances_off, the error of the exact answer itself; sites. */
void cs_known_text(cs_run *run, size_t arm, cs_page *p);
void cs_known_json(cs_run *run, size_t arm, cs_page *p);
