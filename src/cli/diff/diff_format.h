/* Internals of diff. diff.c compares means and implements the sub-command,
 * diff_settings.c compares settings, diff_text.c and diff_json.c write the
 * output formats. */
#pragma once

#include "base/cells.h"
#include "cli/diff/diff_draws.h"
#include "cli/diff/diff_read.h"

/* A mean that both runs have. Arrays are indexed by run, except `change`. */
typedef struct cs_diff_row {
    const char *arm, *name;
    double
        mean[2]
            [2]; /* mean[r]: mean of run r, and its Monte Carlo error; `change`:
                  * difference of the two means, and its error */
    double change[2];
    double ess[2], rhat[2];
    bool same;                  /* true if all draws are equal */
    const char *word, *verdict; /* word: the verdict in CSV and JSON; verdict:
                                 * the verdict in text */
} cs_diff_row;

typedef struct cs_diff_pair {
    const char *name[2]; /* as the user gave them */
    const char *path[2]; /* folders or files that are read */
    cs_saved_summary run[2];
    bool journal[2];  /* true for a journal, which has neither arms nor draws */
    cs_diff_row *row; /* [rows] the compared means [own] */
    size_t rows, capacity;
    size_t compared; /* number of means that both runs have */
} cs_diff_pair;

/* An output format, with one function for each part of the output. A part whose
 * function is NULL is not printed. */
typedef struct cs_diff_format cs_diff_format;
struct cs_diff_format {
    const char *name, *suffix;
    const char *markup; /* name of the markup; NULL: no markup */
    void (*begin)(const cs_diff_format *how, cs_page *p, const cs_diff_pair *d);
    void (*settings)(const cs_diff_format *how, cs_page *p,
                     const cs_diff_pair *d);
    void (*draws)(const cs_diff_format *how, cs_page *p, const char *arm,
                  const cs_draws_differ *d, bool first);
    /* `no_draws` prints the reason why there are no draws to compare, in place
     * of the draws and the means. `figures` prints the means, which are the
     * last part of the output. */
    void (*no_draws)(const cs_diff_format *how, cs_page *p);
    void (*figures)(const cs_diff_format *how, cs_page *p,
                    const cs_diff_pair *d);
};

extern const cs_diff_format cs_diff_text, cs_diff_markdown, cs_diff_latex,
    cs_diff_json, cs_diff_csv;

/* cs_diff_knows_settings returns true if the settings of both runs are known.
 * Otherwise cs_diff_why_unknown returns the reason. */
bool cs_diff_knows_settings(const cs_diff_pair *d);
const char *cs_diff_why_unknown(const cs_diff_pair *d);
/* Makes a table with one row per setting that differs: name and both values,
 * "-" for a missing value. [own: cs_cells_fini] */
cs_cells cs_diff_settings(const cs_diff_pair *d);
/* Writes the first change that was made in run number `of` and not in the other
 * run; "" if there is no such change. */
void cs_diff_first_change(const cs_diff_pair *d, size_t of, char *out,
                          size_t size);
/* Text printed in place of draws if the inputs contain no draws. */
extern const char cs_diff_without_draws[];
