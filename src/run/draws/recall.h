/* Reads diagnosed draws back from files that contain all of them
 * (run/draws/diagnosed.h). */
#pragma once

#include "run/arms/spec.h"

/* From now on the run diagnoses every written draw (one per `thin` steps)
 * instead of 4096 to 8192 draws per chain. The draws are kept in a file without
 * a name (files/spill.h) of at most 16 GiB and half of the free space, or in
 * 512 MiB of memory if no file can be made; if they need more, every second
 * draw is removed. */
void cs_run_judge_all(cs_run *r, uint64_t thin);
/* The same for the draws of all steps of a run that writes no files. */
void cs_run_keep_all(cs_run *r);
/* Diagnoses all quantities of a target, also those for which the usual memory
 * (160 MiB) is too small, in arms that have no draws yet. The limits are those
 * of runs that keep all draws. */
void cs_run_keep_quantities(cs_run *r);

/* Promises that a run whose draws are read from files never goes back and is not
 * saved: it refuses both. Draws that do not fit in memory are then written only
 * once, column after column (run/draws/tiles.h). */
void cs_run_read_once(cs_run *r);

/* Sets comment lines (io/data_lines.h) that files of draws contain [copied];
 * returns false if memory runs out. cs_run_data_lines returns them, or NULL.
 * [borrowed] */
bool cs_run_set_data_lines(cs_run *r, const char *text);
const char *cs_run_data_lines(const cs_run *r);

/* Read the diagnosed draws of a saved run back from its files. Call
 * cs_run_judge_all first. cs_run_recall returns the number of missing draws per
 * chain of an arm; 0: none. Pass row i (from 0) of the rows that the sink
 * received for a chain to cs_run_recall_draw, and call cs_run_recalled at the
 * end. If there were too few rows for a chain that did not stop, all rows are
 * discarded. */
uint64_t cs_run_recall(cs_run *r, size_t arm);
void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row);
void cs_run_recalled(cs_run *r, size_t arm);
/* Call this function after a merge if cs_run_recall returns 0. Returns true if
 * the draws of chain number `chain` (from 0) must still be read back. This is
 * the case if the part that moved this chain has its draws only in files. */
bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain);
