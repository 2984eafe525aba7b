/* Numbers of rows of data that a kernel draws at random per step, compared
 * with all rows: the expected number follows from its bounds before the
 * first step. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Returns the expected number; NAN: it draws none, or the number depends on the
 * state. */
double cs_run_expected_rows(const cs_run *run, size_t arm);

/* True if the expected number is at least half of all rows, so that drawing
 * them saves almost nothing; writes why, and a remedy, without a newline. */
bool cs_run_loose_bounds(const cs_run *run, size_t arm, char *text,
                         size_t size);

/* Writes the mean numbers of rows drawn and kept per step (the probe rows),
 * with the expected number: a line of text, and fields of a JSON object:
 * expected_rows, rows_drawn, rows_kept, where known. */
void cs_rows_drawn_text(cs_run *run, size_t arm, cs_page *p);
void cs_rows_drawn_json(cs_run *run, size_t arm, cs_page *p);
