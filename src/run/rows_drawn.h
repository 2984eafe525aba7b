/* How many rows of data a kernel that draws them at random looks at in a step,
 * beside those that there are: known from its bounds before it makes one. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* In the mean; NAN: it draws none, or it depends on the state. */
double cs_run_expected_rows(const cs_run *run, size_t arm);

/* Where these are at least half of all rows, so that drawing them saves next to
 * nothing: why, and what to do, without a newline; false: they are fewer. */
bool cs_run_loose_bounds(const cs_run *run, size_t arm, char *text,
                         size_t size);

/* The same as a line of a summary's warnings. */
void cs_rows_drawn_words(const cs_run *run, size_t arm, cs_page *p);

/* What a step drew and kept in the mean (the probe rows), beside what it
 * expects: a line for people, and fields of a JSON object: expected_rows,
 * rows_drawn, rows_kept, what is known of them. */
void cs_rows_drawn_text(cs_run *run, size_t arm, cs_page *p);
void cs_rows_drawn_json(cs_run *run, size_t arm, cs_page *p);
