/* The number of data rows that a kernel draws at random per step, compared with
 * the number of all rows. Its expected value follows from the kernel's bounds
 * and is known before the first step. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Returns the expected number of rows. If the kernel draws no rows, or if the
 * number depends on the state, returns NAN. */
double cs_run_expected_rows(const cs_run *run, size_t arm);

/* Returns true if the expected number is at least half of all rows, so that
 * drawing them saves almost no work. Writes the reason and a remedy, without a
 * newline, to text. */
bool cs_run_loose_bounds(const cs_run *run, size_t arm, char *text,
                         size_t size);

/* Write the mean numbers of rows drawn and kept per step (from the probe rows)
 * and the expected number, where known: as a line of text, or as the fields
 * expected_rows, rows_drawn and rows_kept of a JSON object. */
void cs_rows_drawn_text(cs_run *run, size_t arm, cs_page *p);
void cs_rows_drawn_json(cs_run *run, size_t arm, cs_page *p);
