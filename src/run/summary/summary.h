/* The summary of a run: per arm its work and acceptance, per quantity mean, sd,
 * Monte Carlo error, R-hat and effective sizes.
 *
 * The figures come from the probe diagnostics, which the screen and the claims
 * read too, so that a run has one R-hat and one ESS everywhere. They use all
 * draws if these are written to files, else a few thousand per chain
 * (run/draws/diagnosed.c). A run without that probe has none. The text shows the
 * worst of many coordinates, the JSON shows all. */
#pragma once

#include "base/cells.h"
#include "base/flat.h"
#include "run/arms/spec.h"
#include "run/summary/arm_figures.h"

/* Adds a table to the page, or the same as JSON (undefined values are null). If
 * there are many quantities, the table has the scalars, the worst, and those of
 * `also` (run/summary/arm_figures.h; NULL: none). `claims` (NULL: none) is
 * added to the JSON: for each i from 0 the texts "claim/i/arm", figure, bound,
 * verdict and, if present, paper and note, and the number "claim/i/measured";
 * the text "claims/judged". */
void cs_summary_text(cs_run *run, const char *also, cs_page *p);
void cs_summary_json(cs_run *run, const cs_flat *claims, cs_page *p);

/* Writes the same as tables: the arms, each arm's quantities, the claims. The
 * last function writes all quantities of all arms as CSV. */
void cs_summary_tables(cs_run *run, const cs_flat *claims, const char *also,
                       const cs_markup *m, cs_page *p);
void cs_summary_csv(cs_run *run, cs_page *p);

/* Lists the columns of a table of quantities: arm, name (with the heading
 * `head`) and figures; the second function adds a row for each marked quantity
 * (NULL: all). */
enum { CS_SUMMARY_COLUMNS = 16 };
size_t cs_summary_columns(bool weighted, const char *head,
                          cs_column column[CS_SUMMARY_COLUMNS]);
void cs_summary_rows(cs_run *run, size_t arm, const cs_arm_figures *d,
                     const bool *shown, cs_cells *t);

/* True if the text may report this probe for that target. */
bool cs_summary_reads(const cs_target *t, const char *probe);
