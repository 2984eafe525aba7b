/* What `chainscope sweep` found: figures at each point of a grid of parameters, as
 * text, Markdown, HTML, SVG, JSON or CSV. */
#pragma once

#include "base/page.h"
#include "cli/subcommand.h"
#include "session/swept.h"

enum { CS_SWEEP_ARMS = 16, CS_SWEEP_FIGURES = 12 };

/* A figure of an arm at a point. */
typedef struct cs_sweep_cell {
    double value, error, freedom; /* NAN, NAN, 0: not known */
    char by[80];                  /* how the error was found */
    char why[200];                /* why there is no value, "" */
} cs_sweep_cell;

typedef struct cs_sweep {
    const char *file;
    const cs_swept *axis; /* [n_axes] [borrowed] the last varies fastest */
    size_t n_axes, points, seeds;
    size_t arms, figures;
    char arm[CS_SWEEP_ARMS][64];
    char figure[CS_SWEEP_FIGURES][64];
    int way[CS_SWEEP_FIGURES]; /* 1: more is better, -1: less is, 0: neither */
    bool total[CS_SWEEP_FIGURES]; /* it grows with the work that was done */
    char unit[32];                /* of work, as the budget has it */
    double *work;                 /* [points][arms]; NAN: not known [own] */
    cs_sweep_cell *cell;          /* [points][arms][figures] [own] */
    char (*failure)[200];         /* [points] "": none [own] */
} cs_sweep;

void cs_sweep_fini(cs_sweep *s);

/* What stands at value k of axis a at point i. */
const char *cs_sweep_value(const cs_sweep *s, size_t i, size_t a);
cs_sweep_cell *cs_sweep_at(const cs_sweep *s, size_t point, size_t arm,
                           size_t figure);

/* Whether points of an arm did so unequal work that totals are not compared: a
 * step in which the budget ends may be longer than others. */
bool cs_sweep_is_uneven(const cs_sweep *s, size_t arm);

/* The best point of an arm by a figure; CS_NO_POINT: none is known, or it is a
 * total at unequal work. */
#define CS_NO_POINT ((size_t)-1)
size_t cs_sweep_best(const cs_sweep *s, size_t arm, size_t figure);
/* Whether the best is not told from that point: by 95 %, as if both were
 * independent; of no known error nothing is told. */
bool cs_sweep_ties(const cs_sweep *s, size_t arm, size_t figure, size_t best,
                   size_t point);

typedef struct cs_sweep_format {
    const char *name, *suffix;
    cs_status (*put)(const cs_sweep *s, cs_page *p, cs_error *err);
} cs_sweep_format;

/* Format number i, NULL past the last; the first is text. */
const cs_sweep_format *cs_sweep_format_at(size_t i);
