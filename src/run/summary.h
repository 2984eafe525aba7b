/* What a run says in the end: per arm its work and acceptance, per coordinate
 * mean, sd, Monte Carlo error, R-hat and effective sizes.
 *
 * The figures are those of the probe diagnostics, which the screen and the
 * claims read too, so that a run has one R-hat and one ESS wherever it is
 * looked at: of all draws where these are written to files, else of some
 * thousand of each chain (run/judged.c). A run without that probe has none.
 * The text shows the worst of many coordinates, the JSON has all.
 */
#pragma once

#include "base/flat.h"
#include "base/markup.h"
#include "base/page.h"
#include "run/run.h"

/* A table for people, and the same as JSON (what is undefined is null), added
 * to the page. Of many quantities the table has the scalars, the worst, and those
 * of `also` (run/arm_figures.h; NULL: none). `claims` (NULL: none) goes into the
 * JSON: for each i from 0 texts "claim/i/arm", figure, bound, verdict and,
 * where there is one, paper and note, and the number "claim/i/measured"; the
 * text "claims/judged". */
void cs_summary_text(cs_run *run, const char *also, cs_page *p);
void cs_summary_json(cs_run *run, const cs_flat *claims, cs_page *p);

/* The same as tables: of the arms, of each arm's quantities, of the claims. */
void cs_summary_tables(cs_run *run, const cs_flat *claims, const cs_markup *m,
                       cs_page *p);

/* Whether the text may say what this probe has seen, on that target. */
bool cs_summary_reads(const cs_target *t, const char *probe);
