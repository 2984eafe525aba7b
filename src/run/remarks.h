/* What a summary says of an arm beside its figures: where wrong answers come
 * from that R-hat cannot see. */
#ifndef CS_RUN_REMARKS_H
#define CS_RUN_REMARKS_H

#include "base/page.h"
#include "run/run.h"

/* A line each: chains that stopped, steps that diverged or met what is no
 * number (run/trouble.h), a kernel without accept step, known modes that were
 * never visited or by some chains alone, one start for all chains, a step that
 * is never accepted, a warm-up longer than the run, draws from bins whose weights
 * are still being learned, bounds of rows that are too loose to help. `told`: of a run that is
 * watched, the reports that were made already, under "arm/<i>/"; no others are
 * made. NULL: the run has ended. */
void cs_arm_words(cs_run *run, size_t arm, const cs_flat *told, cs_page *p);

/* The share of the draws that come from bins whose weights are still being
 * learned; NaN: the kernel has none. */
double cs_learning_share(const cs_run *run, size_t arm);

/* Modes and distances, where they are known, and of a discrete state what its
 * sites say: lines for people, and fields of a JSON object (modes, modes_visited,
 * mode_shares, of all chains, and of them modes_visited_by_all, mode_chains,
 * mode_visits; distances, and distances_off, what the exact answer itself may be
 * off; sites). */
void cs_known_text(cs_run *run, size_t arm, cs_page *p);
void cs_known_json(cs_run *run, size_t arm, cs_page *p);

#endif
