/* Inside of diff: what is said of two runs, and the formats that say it. diff.c
 * compares figures and has the sub-command, diff_settings.c what was set, and
 * diff_text.c and diff_json.c are the formats. */
#pragma once

#include "base/cells.h"
#include "cli/diff_draws.h"
#include "cli/diff_read.h"

/* A mean that both have; [2] of both runs but for `change`. */
typedef struct cs_diff_row {
    const char *arm, *name;
    double mean[2][2]; /* and its Monte Carlo error; so has the difference: */
    double change[2];
    double ess[2], rhat[2];
    bool same;                  /* the draws are the same, all of them */
    const char *word, *verdict; /* as CSV and JSON have it, for people */
} cs_diff_row;

typedef struct cs_diff_pair {
    const char *path[2];
    cs_saved_summary run[2];
    bool journal[2];  /* it has neither arms nor draws */
    cs_diff_row *row; /* [rows] [own] */
    size_t rows, room;
    size_t compared; /* means of both */
} cs_diff_pair;

/* Where a format puts things; what it leaves out is NULL. */
typedef struct cs_diff_format cs_diff_format;
struct cs_diff_format {
    const char *name, *suffix;
    const char *markup; /* NULL: none */
    void (*begin)(const cs_diff_format *how, cs_page *p, const cs_diff_pair *d);
    void (*settings)(const cs_diff_format *how, cs_page *p,
                     const cs_diff_pair *d);
    void (*draws)(const cs_diff_format *how, cs_page *p, const char *arm,
                  const cs_draws_differ *d, bool first);
    /* In the place of draws and figures; then the figures, which are the end. */
    void (*no_draws)(const cs_diff_format *how, cs_page *p);
    void (*figures)(const cs_diff_format *how, cs_page *p,
                    const cs_diff_pair *d);
};

extern const cs_diff_format cs_diff_text, cs_diff_markdown, cs_diff_latex,
    cs_diff_json, cs_diff_csv;

/* ---- what was set (diff_settings.c) ---- */

/* Whether what both are made of is known; else why not, in a sentence. */
bool cs_diff_knows_settings(const cs_diff_pair *d);
const char *cs_diff_why_unknown(const cs_diff_pair *d);
/* A row for each setting that differs, "-" for one that is not there: its name and
 * what it is in both. [own: cs_cells_fini] */
cs_cells cs_diff_settings(const cs_diff_pair *d);
/* The first change on the way that run `of` has and the other has not, "": none. */
void cs_diff_first_change(const cs_diff_pair *d, size_t of, char *out,
                          size_t size);
/* Said in the place of draws where there are none. */
extern const char cs_diff_without_draws[];
