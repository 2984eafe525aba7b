/* Inside of diff: what is said of two runs, and the formats that say it. diff.c
 * compares figures and has the sub-command, diff_settings.c what was set, and
 * diff_text.c and diff_json.c are the formats. */
#pragma once

#include "cli/diff_draws.h"
#include "cli/diff_read.h"

typedef struct cs_diff_pair {
    const char *path[2];
    cs_saved_summary run[2];
    bool journal[2]; /* it has neither arms nor draws */
    size_t compared; /* means of both */
} cs_diff_pair;

/* A figure of both. */
typedef struct cs_diff_both {
    const char *arm, *name;
    const cs_saved_figure *figure[2];
    bool same; /* the draws are the same, all of them */
} cs_diff_both;

typedef enum cs_diff_verdict {
    CS_DIFF_ALIKE,
    CS_DIFF_PERHAPS,
    CS_DIFF_DIFFER,
    CS_DIFF_UNKNOWN,
    CS_DIFF_SAME
} cs_diff_verdict;

/* Where a format puts things. */
typedef struct cs_diff_format {
    const char *name;
    void (*begin)(cs_page *p, const cs_diff_pair *d);
    void (*settings)(cs_page *p, const cs_diff_pair *d);
    void (*draws)(cs_page *p, const char *arm, const cs_draws_differ *d,
                  bool first);
    void (*no_draws)(cs_page *p); /* in the place of all that follows */
    void (*figures_begin)(cs_page *p);
    void (*figure)(cs_page *p, const cs_diff_both *b, cs_diff_verdict v,
                   bool first);
    void (*end)(cs_page *p, const cs_diff_pair *d);
} cs_diff_format;

extern const cs_diff_format cs_diff_text, cs_diff_markdown, cs_diff_json;

/* The difference of the two means, and its standard error. */
double cs_diff_change(const cs_diff_both *b);
double cs_diff_error(const cs_diff_both *b);

/* ---- what was set (diff_settings.c) ---- */

/* Whether what both are made of is known; else why not, in a sentence. */
bool cs_diff_knows_settings(const cs_diff_pair *d);
const char *cs_diff_why_unknown(const cs_diff_pair *d);
/* Puts each setting that differs, "-" for one that is not there; returns how many. */
typedef void cs_diff_each_setting(cs_page *p, const char *key, const char *a,
                                  const char *b);
size_t cs_diff_settings(const cs_diff_pair *d, cs_diff_each_setting *each,
                        cs_page *p);
/* The first change on the way that run `of` has and the other has not, "": none. */
void cs_diff_first_change(const cs_diff_pair *d, size_t of, char *out,
                          size_t size);
/* Said in the place of draws where there are none. */
extern const char cs_diff_without_draws[];
