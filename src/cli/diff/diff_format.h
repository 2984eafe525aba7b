/* Internals of diff. diff.c compares figures and implements the sub-command,
 * diff_settings.c compares settings, diff_text.c and diff_json.c write the
 * formats. */
#pragma once

#include "base/cells.h"
#include "cli/diff/diff_draws.h"
#include "cli/diff/diff_read.h"

/* A mean that both runs have; [2] is indexed by run, except in `change`. */
typedef struct cs_diff_row {
    const char *arm, *name;
    double
        mean[2]
            [2]; /* value and Monte Carlo error; likewise for the difference: */
    double change[2];
    double ess[2], rhat[2];
    bool same;                  /* all draws are equal */
    const char *word, *verdict; /* for CSV and JSON; for text */
} cs_diff_row;

typedef struct cs_diff_pair {
    const char *path[2];
    cs_saved_summary run[2];
    bool journal[2];  /* a journal has neither arms nor draws */
    cs_diff_row *row; /* [rows] [own] */
    size_t rows, room;
    size_t compared; /* number of means in both runs */
} cs_diff_pair;

/* The functions of a format; NULL omits a part. */
typedef struct cs_diff_format cs_diff_format;
struct cs_diff_format {
    const char *name, *suffix;
    const char *markup; /* NULL: none */
    void (*begin)(const cs_diff_format *how, cs_page *p, const cs_diff_pair *d);
    void (*settings)(const cs_diff_format *how, cs_page *p,
                     const cs_diff_pair *d);
    void (*draws)(const cs_diff_format *how, cs_page *p, const char *arm,
                  const cs_draws_differ *d, bool first);
    /* Printed instead of draws and figures if there are none; then the figures,
     * which end the output. */
    void (*no_draws)(const cs_diff_format *how, cs_page *p);
    void (*figures)(const cs_diff_format *how, cs_page *p,
                    const cs_diff_pair *d);
};

extern const cs_diff_format cs_diff_text, cs_diff_markdown, cs_diff_latex,
    cs_diff_json, cs_diff_csv;

/* ---- settings (diff_settings.c) ---- */

/* Returns true if the settings of both runs are known; else prints why not. */
bool cs_diff_knows_settings(const cs_diff_pair *d);
const char *cs_diff_why_unknown(const cs_diff_pair *d);
/* Makes a table with a row per setting that differs: name and both values, "-"
 * if missing. [own: cs_cells_fini] */
cs_cells cs_diff_settings(const cs_diff_pair *d);
/* Returns the first change during run `of` that the other run lacks; "":
 * none. */
void cs_diff_first_change(const cs_diff_pair *d, size_t of, char *out,
                          size_t size);
/* Printed instead of draws if there are none. */
extern const char cs_diff_without_draws[];
