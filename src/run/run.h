/* A run: target + arms + seed + budget; what a scenario opens.
 *
 * Chains of an arm are divided into blocks, which workers advance a quantum of
 * steps at a time. Between quanta nothing runs, and the owner may query, change
 * parameters, rewind and save. Results depend only on the spec and on the
 * changes made at given steps. A run has no threads except its workers, no
 * globals, and prints nothing. */
#pragma once

#include "run/arms/spec.h"

cs_status cs_run_create(cs_run **out, const cs_run_spec *spec, cs_error *err);
void cs_run_destroy(cs_run *r);

/* Advances every arm whose budget is not spent by n steps. Stops early if
 * cs_run_stop was called or every arm is done; *done = steps made. A chain with
 * an impossible state does not stop the others: see cs_run_fault. */
cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err);

/* Asks a running advance to return at the next step. Any thread may call it,
 * and a signal handler. */
void cs_run_stop(cs_run *r);

/* Removes the budget: every arm continues from its present step, by equal
 * numbers of steps. If the budget left arms at different steps, this is the
 * earliest step that rewind can reach. */
void cs_run_lift(cs_run *r);
