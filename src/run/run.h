/* A run: target, arms, seed and budget, as opened from a scenario.
 *
 * The chains of an arm are divided into blocks. Workers advance the blocks by a
 * number of steps (a quantum) at a time. Between quanta no thread is working,
 * and the owner may query the run, change its parameters, rewind it and save
 * it. Results depend only on the spec, the changes, and the steps at which the
 * changes were made. A run has no threads except its workers, no global
 * variables, and prints nothing. */
#pragma once

#include "run/arms/spec.h"

cs_status cs_run_create(cs_run **out, const cs_run_spec *spec, cs_error *err);
void cs_run_destroy(cs_run *r);

/* Advances every arm by n steps, except arms whose budget is spent. Stops early
 * if cs_run_stop is called or if every arm is finished; *done is the number of
 * steps made. A chain in an impossible state does not stop the others: see
 * cs_run_fault. */
cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err);

/* Makes a running cs_run_advance return at the next step. It may be called from
 * any thread and from a signal handler. */
void cs_run_stop(cs_run *r);

/* Removes the budget. Every arm then continues from its present step, and all
 * arms make equal numbers of steps. If the budget ended the arms at different
 * steps, the run cannot be rewound beyond this step. */
void cs_run_lift(cs_run *r);
