/* The summary of a run: work and acceptance per arm; mean, sd, Monte Carlo
 * error, R-hat and ESS per quantity.
 *
 * The figures come from the probe diagnostics, as on the screen and in claims,
 * so a run has the same R-hat and ESS everywhere. They use all draws if the
 * draws are written to files, else a few thousand draws per chain
 * (run/draws/diagnosed.c). A run without this probe has no figures. If there
 * are many coordinates, the text shows the worst coordinates; the JSON shows
 * all. */
#pragma once

#include "base/cells.h"
#include "base/flat.h"
#include "run/arms/spec.h"
#include "run/summary/arm_figures.h"

/* Add the summary to the page, as a table or as JSON (undefined values are
 * null). If there are many quantities, the table has the scalars, the worst
 * rows, and those in `also` (run/summary/arm_figures.h; NULL: none). `claims`
 * (or NULL) is added to the JSON: for each i from 0 the texts "claim/i/arm",
 * figure, bound, verdict and, if present, paper and note; the number
 * "claim/i/measured"; and the text "claims/judged". */
void cs_summary_text(cs_run *run, const char *also, cs_page *p);
void cs_summary_json(cs_run *run, const cs_flat *claims, cs_page *p);

/* Write the summary as tables: the arms, the quantities of each arm, and the
 * claims. The last function writes all quantities of all arms as CSV. */
void cs_summary_tables(cs_run *run, const cs_flat *claims, const char *also,
                       const cs_markup *m, cs_page *p);
void cs_summary_csv(cs_run *run, cs_page *p);

enum { CS_SUMMARY_COLUMNS = 48 };

/* The columns of a table of quantities. They point to the names. */
typedef struct cs_summary_head {
    cs_column column[CS_SUMMARY_COLUMNS];
    char name[CS_QUANTILES_MOST][CS_QUANTILE_NAME];
    char error[CS_QUANTILES_MOST][CS_QUANTILE_NAME + 8];
    char size[CS_QUANTILES_MOST][CS_QUANTILE_NAME + 8];
    size_t n;
} cs_summary_head;

/* cs_summary_columns lists the columns of a table of quantities: the arm, the
 * name (with the heading `head`), and the figures. The second function adds a
 * row for each marked quantity (NULL: all quantities). */
void cs_summary_columns(bool weighted, const cs_probabilities *p,
                        const char *head, cs_summary_head *out);
void cs_summary_rows(cs_run *run, size_t arm, const cs_arm_figures *d,
                     const bool *shown, cs_cells *t);

/* Returns true if the summary may contain a report of the probe for the
 * target. */
bool cs_summary_reads(const cs_target *t, const char *probe);
