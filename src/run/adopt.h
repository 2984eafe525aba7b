/* A run that goes on as another with other arms. */
#pragma once

#include "run/arms/spec.h"

/* Makes a run that has just been made what another of the same target and seed
 * is by now, arm i what its arm number source[i] is, with all its changes;
 * CS_NO_ARM: that arm is new. It is behind, and cs_run_advance makes its steps,
 * those it would have made had it been there from the start, before any others.
 * Two arms of one source are alike. Way back: to step 0, unless a change was
 * made by a function of a script.
 * The target may have other parameters, on the same states: chains go on where
 * they are, and draws and probes begin there, as after a warm-up; so does the
 * way back. Fails, and the run is of no use, where kernels or probes differ, or
 * the target learns. */
cs_status cs_run_adopt(cs_run *r, cs_run *from, const size_t *source,
                       cs_error *err);

/* After it: what lies ahead of the other run, which has gone back, lies ahead of
 * this one too, of those arms that have a source here. */
cs_status cs_run_adopt_ahead(cs_run *r, const cs_run *from,
                             const size_t *source, cs_error *err);

/* Then: the changes with which the other left its old course, before it went
 * back to that (cs_run_undo), are made in this one, at the same step; of an arm of
 * one source alone. What lies ahead of arms that they are not of stays so. */
cs_status cs_run_adopt_branch(cs_run *r, const cs_run *from,
                              const size_t *source, cs_error *err);

/* After a change of `arm` at a step in the past: what lay ahead of the others
 * lies ahead again. */
cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err);

/* The steps by which the last arm is behind, 0: none is. */
uint64_t cs_run_behind(const cs_run *r);
