/* Facts about an arm that are not figures of its draws: visited modes,
 * distances to exact answers, and sites of a discrete state. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Returns the fraction of the draws that come from bins whose weights are still
 * being learned; NaN: the kernel has no bins. */
double cs_learning_share(const cs_run *run, size_t arm);

/* Write lines of text, or fields of a JSON object: modes, modes_visited,
 * mode_shares (over all chains), modes_visited_by_all, mode_chains,
 * mode_visits, distances, distances_off and sites. distances_off is the error
 * of the exact answer. */
void cs_known_text(cs_run *run, size_t arm, cs_page *p);
void cs_known_json(cs_run *run, size_t arm, cs_page *p);
