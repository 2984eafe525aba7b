/* A run: target + arms + seed + budget; what a scenario opens.
 *
 * Chains of an arm are cut into blocks, blocks are moved by workers, a
 * quantum of steps at a time; between quanta nothing runs, and the owner may
 * look, change parameters, rewind, save. Results depend on the spec and the
 * changes made at given steps only. A run has no thread but its workers, no
 * globals, prints nothing. */
#pragma once

#include "run/arms/spec.h"

cs_status cs_run_create(cs_run **out, const cs_run_spec *spec, cs_error *err);
void cs_run_destroy(cs_run *r);

/* n more steps of every arm whose budget is not spent. Stops early when
 * cs_run_stop was called or every arm is done; *done = steps made. A chain
 * whose state is impossible does not stop the others: see cs_run_fault. */
cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err);

/* Asks a running advance to return at the next step. Any thread, and from a
 * signal handler. */
void cs_run_stop(cs_run *r);

/* Goes on beyond the budget, which is no limit from now on: every arm by as
 * many steps, from where it is. Where the budget left arms at different steps
 * the way back begins here. */
void cs_run_lift(cs_run *r);
